//! The target `ldtk`: see `src/ldtk.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bitwall_fuzz::ldtk::run(data));
