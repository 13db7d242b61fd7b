//! The pictures in `assets/` that are drawn by code are as the code draws them.
//!
//! `UPDATE_GOLDEN=1 cargo test --test motion art` writes them anew and fails, so that nobody ships a picture
//! unseen.

mod hills;
mod walker;

use std::path::Path;

use bitwall::image::{Rgba, RgbaImage};

/// Fails if `drawn` is not the picture `assets/<name>`.
fn check(name: &str, drawn: &RgbaImage) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("assets").join(name);
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        drawn.save(&path).unwrap();
        panic!("wrote {}: look at it", path.display());
    }
    let kept = bitwall::load_picture(&path).unwrap();
    assert!(kept == *drawn, "assets/{name} is not as it is drawn; UPDATE_GOLDEN=1 makes it anew");
}

const CLEAR: Rgba<u8> = Rgba([0; 4]);

const fn color(rgb: u32) -> Rgba<u8> {
    let [_, red, green, blue] = rgb.to_be_bytes();
    Rgba([red, green, blue, 255])
}

#[test]
fn the_walker_is_as_it_is_drawn() {
    check("walker.png", &walker::sheet());
}

#[test]
fn the_tiles_of_the_hills_are_as_they_are_drawn() {
    check("hills_tiles.png", &hills::tiles());
}
