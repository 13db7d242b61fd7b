//! A test of what the game draws, without a window: its sprites, composed by the crate `image`, equal the
//! picture of `bitwall render --view art`.

use std::path::Path;

use bitwall::image::{Rgba, RgbaImage, imageops};
use bitwall::load::{Disk, load_picture};
use bitwall::render::{self, DrawOptions, Overlay};
use bitwall::{LoadOptions, LoadedLevel};

use super::{ASSETS, Sprite, sprites};

/// Draws a sprite as `draw_texture_ex` does. The sprite must be at whole pixels and neither scaled nor
/// turned.
fn draw(canvas: &mut RgbaImage, sprite: &Sprite) {
    let sheet = load_picture(&sprite.image).unwrap();
    let (params, source) = (&sprite.params, sprite.params.source.unwrap());
    let [x, y, width, height] = [source.x, source.y, source.w, source.h].map(|it| it as u32);
    assert_eq!(params.dest_size.unwrap().to_array(), [source.w, source.h]);
    assert_eq!((params.rotation, sprite.color.a), (0.0, 1.0));
    assert_eq!(sprite.corner, sprite.corner.round());
    let mut part = imageops::crop_imm(&sheet, x, y, width, height).to_image();
    if params.flip_x {
        imageops::flip_horizontal_in_place(&mut part);
    }
    if params.flip_y {
        imageops::flip_vertical_in_place(&mut part);
    }
    imageops::overlay(canvas, &part, sprite.corner.x as i64, sprite.corner.y as i64);
}

#[test]
fn the_game_draws_the_picture_of_bitwall_render() {
    let path = Path::new(ASSETS).join("hills.tmx");
    let loaded = LoadedLevel::load(&path, &LoadOptions::default()).unwrap();
    let map = loaded.map().unwrap();
    let sprites = sprites(map);
    assert!(sprites.iter().any(|sprite| sprite.params.flip_x), "slopes that go down are mirrored");

    let [red, green, blue, _] = map.background.unwrap();
    let size = loaded.level.size();
    let mut drawn = RgbaImage::from_pixel(size.x, size.y, Rgba([red, green, blue, 255]));
    sprites.iter().for_each(|sprite| draw(&mut drawn, sprite));

    let mut files = Disk::new(&path, loaded.options());
    let (pictures, _) = render::load_pictures(&loaded.maps, &mut files);
    let options = DrawOptions {
        pictures: Some(&pictures),
        overlay: Overlay::none(1),
        ..DrawOptions::default()
    };
    let expected = render::draw(&loaded, &options).unwrap();
    let differing = expected.pixels().zip(drawn.pixels()).filter(|(one, other)| one != other);
    assert_eq!((expected.dimensions(), differing.count()), (drawn.dimensions(), 0));
}
