//! The target `mask`: see `src/mask.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bitwall_fuzz::mask::run(data));
