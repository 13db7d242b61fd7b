//! The target `verify`: see `src/verify.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bitwall_fuzz::verify::run(data));
