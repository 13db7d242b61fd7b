//! The target `tileset`: see `src/tileset.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bitwall_fuzz::tileset::run(data));
