//! The target `config`: see `src/config.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bitwall_fuzz::config::run(data));
