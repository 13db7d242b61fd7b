//! The target `baked`: see `src/baked.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bitwall_fuzz::baked::run(data));
