//! The target `map`: see `src/map.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bitwall_fuzz::map::run(data));
