//! The drawings of the guide, made by `render`. Each is a golden picture, `tests/golden/guide-<name>.png`,
//! and a base64 text, `src/guide/<name>.base64`, that the documentation includes.

use std::fs;

use bitwall::image::RgbaImage;
use bitwall::load::{Disk, load_picture};
use bitwall::render::{self, DrawOptions, Overlay};
use bitwall::{Aabb, Dir, Grid, LoadOptions, LoadedLevel, Terrain};

use super::golden;
use crate::support::{asset, root};

/// Draws a bundled map, or the `region` of it, with its art.
fn map(name: &str, region: Option<Aabb>, overlay: Overlay) -> RgbaImage {
    let path = asset(name);
    let loaded = LoadedLevel::load(&path, &LoadOptions::default()).unwrap();
    let (pictures, errors) =
        render::load_pictures(&loaded.maps, &mut Disk::new(&path, loaded.options()));
    assert!(errors.is_empty(), "{errors:?}");
    let options =
        DrawOptions { pictures: Some(&pictures), region, overlay, ..DrawOptions::default() };
    render::draw(&loaded, &options).unwrap()
}

/// Fails unless the drawing equals the golden picture, and the base64 text equals the file of the golden
/// picture.
pub(super) fn check(name: &str, drawing: &RgbaImage) {
    let text = root().join(format!("src/guide/{name}.base64"));
    let golden = root().join(format!("tests/golden/guide-{name}.png"));
    let is_updated = std::env::var_os("UPDATE_GOLDEN").is_some();
    let result = std::panic::catch_unwind(|| golden::check(&format!("guide-{name}"), drawing));
    let file = base64(&fs::read(golden).unwrap());
    if is_updated {
        fs::write(&text, &file).unwrap();
    }
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
    assert!(fs::read_to_string(&text).unwrap() == file, "{name}: UPDATE_GOLDEN=1 writes its text");
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = bytes.chunks(3).flat_map(|chunk| {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        (0..4).map(move |at| match at <= chunk.len() {
            true => char::from(DIGITS[(bits >> (18 - 6 * at)) as usize % 64]),
            false => '=',
        })
    });
    digits.collect()
}

#[test]
fn base64_agrees_with_the_examples_of_rfc_4648() {
    let pairs = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
    pairs.iter().for_each(|(text, coded)| assert_eq!(base64(text.as_bytes()), *coded));
}

#[test]
fn the_hills_picture_of_the_first_page_is_up_to_date() {
    check("hills", &map("hills.tmx", None, Overlay::new(1)));
}

#[test]
fn the_slopes_picture_of_the_guide_is_up_to_date() {
    let region = Aabb::from_xywh(660, 96, 240, 128);
    let body = Some(Aabb::from_xywh(856, 178, 12, 20));
    let overlay = Overlay { body, grid: true, ..Overlay::new(2) };
    check("slopes", &map("hills.tmx", Some(region), overlay));
}

const CAVE: Aabb = Aabb::from_xywh(90, 304, 204, 72);
const BODY: Aabb = Aabb::from_xywh(108, 340, 12, 20);

#[test]
fn the_sweep_picture_of_the_guide_is_up_to_date() {
    let overlay = Overlay { body: Some(BODY), motion: Some((Dir::Right, 400)), ..Overlay::new(2) };
    check("strip", &map("cave.tmx", Some(CAVE), overlay));
}

#[test]
fn the_grown_solids_picture_of_the_guide_is_up_to_date() {
    let loaded = LoadedLevel::load(asset("cave.tmx"), &LoadOptions::default()).unwrap();
    let size = loaded.level.size();
    let mut grown = Grid::new(size.x, size.y).unwrap();
    for y in 0..size.y as i32 {
        for x in 0..size.x as i32 {
            let column = Aabb::from_xywh(x, y, 1, BODY.height() as i32);
            let is_solid = loaded.level.is_solid((x, y).into());
            let _ = grown.set(x as u32, y as u32, !is_solid && loaded.level.overlaps(column));
        }
    }
    let grown = Terrain::new(grown, bitwall::glam::UVec2::ONE).unwrap();
    let level = loaded.level.with_area("grown", grown);
    // The body is reduced to the line of pixels at its top, so its sweep is one row high.
    let line = Aabb { max: (BODY.max.x, BODY.min.y + 1).into(), ..BODY };
    let overlay = Overlay { body: Some(line), motion: Some((Dir::Right, 136)), ..Overlay::new(2) };
    let options = DrawOptions { region: Some(CAVE), overlay, ..DrawOptions::default() };
    check("grown", &render::draw(&level, &options).unwrap());
}

#[test]
fn the_mask_picture_of_the_guide_is_up_to_date() {
    let level = bitwall::Level::load(asset("harbor_mask.png")).unwrap();
    let art = load_picture(asset("harbor.png")).unwrap();
    let region = Some(Aabb::from_xywh(200, 60, 240, 120));
    let options = DrawOptions { art: Some(&art), region, ..DrawOptions::default() };
    check("mask", &render::draw(&level, &options).unwrap());
}
