//! Draws every bundled level into a folder, with tinted solid cells and named markers.
//!
//! `cargo run --release --example render_levels [FOLDER]` (without a folder: `target/levels`)

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use bitwall::load::{Disk, load_picture};
use bitwall::render::{self, DrawOptions, Overlay};
use bitwall::{LoadOptions, LoadedLevel};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).map_or(PathBuf::from("target/levels"), PathBuf::from);
    fs::create_dir_all(&folder)?;
    let levels =
        ["cave.tmx", "hills.tmx", "platforms.tmx", "town.tmx", "bricks.tmx", "harbor_mask.png"];
    for name in levels {
        let out = folder.join(name).with_extension("both.png");
        draw(&Path::new("assets").join(name))?.save(&out)?;
        println!("{}", out.display());
    }
    Ok(())
}

/// Draws the level over its art. A map names its pictures, and the art of the harbour's mask is a separate
/// picture.
fn draw(path: &Path) -> Result<bitwall::image::RgbaImage, Box<dyn Error>> {
    let loaded = LoadedLevel::load(path, &LoadOptions::default())?;
    let mut files = Disk::new(path, loaded.options());
    let (pictures, _) = render::load_pictures(&loaded.maps, &mut files);
    let harbor = load_picture("assets/harbor.png")?;
    let mut options = DrawOptions {
        pictures: Some(&pictures),
        overlay: Overlay::new(2),
        ..DrawOptions::default()
    };
    if loaded.maps.is_empty() {
        options = DrawOptions { art: Some(&harbor), ..options };
    }
    Ok(render::draw(&loaded, &options)?)
}
