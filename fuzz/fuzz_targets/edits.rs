//! The target `edits`: see `src/edits.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bitwall_fuzz::edits::run(data));
