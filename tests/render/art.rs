//! The pictures in `assets/` that are drawn by code equal what the code draws.
//!
//! `UPDATE_GOLDEN=1 cargo test --test files art` writes the pictures again and fails, so that nobody ships a
//! picture unseen.

mod hills;
mod walker;

use std::path::Path;

use bitwall::image::{Rgba, RgbaImage};

/// Fails if `drawn` differs from the picture `assets/<name>`.
fn check(name: &str, drawn: &RgbaImage) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        drawn.save(&path).unwrap();
        panic!("wrote {}: check it", path.display());
    }
    let kept = bitwall::load::load_picture(&path).unwrap();
    assert!(kept == *drawn, "assets/{name} differs from its code; UPDATE_GOLDEN=1 writes it again");
}

const CLEAR: Rgba<u8> = Rgba([0; 4]);

const fn color(rgb: u32) -> Rgba<u8> {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Rgba([red, green, blue, 255])
}

#[test]
fn the_walker_picture_equals_the_one_that_its_code_draws() {
    check("walker.png", &walker::sheet());
}

#[test]
fn the_hills_picture_equals_the_one_that_its_code_draws() {
    check("hills_tiles.png", &hills::tiles());
}
