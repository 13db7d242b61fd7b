//! The target `render`: see `src/render.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| bitwall_fuzz::render::run(data));
