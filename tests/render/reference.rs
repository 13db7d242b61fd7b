//! Compares drawn maps with pictures of the same maps that Tiled has drawn. Only the pixels that both
//! pictures show are compared: Tiled's picture has room for displaced layers, no background colour, and whole
//! chunks of an infinite map. Maps with a missing picture are left out, because Tiled marks it with a red
//! cross.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bitwall::LoadedLevel;
use bitwall::glam::{DVec2, IVec2};
use bitwall::image::{Pixel, Rgba, RgbaImage};
use bitwall::load::Disk;
use bitwall::render::{self, DrawOptions, Overlay};
use bitwall::tmx::{LayerContent, Map, Orientation};

use crate::support::{corpus, even_blank, shared};

/// The maps that bitwall draws differently from Tiled. Each line has a path, a tab, and the reason.
const DIFFERS: &str = include_str!("reference_differs.tsv");

/// The share of the maps that must be drawn equally, in percent of the compared maps.
const ENOUGH: usize = 96;

#[test]
fn maps_are_drawn_as_tiled_draws_them() {
    let (Some(files), Some(references)) = (corpus(), shared("corpus/reference")) else {
        return;
    };
    let reasons: BTreeMap<&str, &str> = DIFFERS
        .lines()
        .map(|line| line.split_once('\t').expect("a path, a tab and a reason"))
        .collect();
    let mut faults = Vec::new();
    let (mut compared, mut equal) = (0, 0);
    for (file, path) in &files {
        let Ok(theirs) = bitwall::load::load_picture(references.join(format!("{file}.png"))) else {
            continue;
        };
        let Some(drawn) = draw(path) else {
            println!("{:>9}  {file}", "not drawn");
            continue;
        };
        compared += 1;
        let difference = difference(&drawn, &theirs);
        let reason = reasons.get(&**file);
        equal += usize::from(difference.is_none());
        match difference {
            None => println!("{:>9}  {file}", "equal"),
            Some((share, ref first)) => {
                println!("{share:>8.4}%  {file}: {}", reason.unwrap_or(&first.as_str()));
            }
        }
        match (difference, reason) {
            (None, Some(_)) => faults.push(format!("{file}: listed, but it is equal")),
            (Some((share, first)), None) => faults.push(format!("{file}: {share:.4} %, {first}")),
            _ => {}
        }
    }
    println!("{equal} of {compared} maps are equal; {} are listed", reasons.len());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    assert!(equal * 100 >= compared * ENOUGH, "only {equal} of {compared}");
}

/// The largest difference of a channel that counts as equal. Half-transparent pixels need it.
const TOLERANCE: u8 = 2;

/// The same as [`TOLERANCE`] for a map with a JPEG picture, because decoders round JPEG colours differently.
const OF_JPEG: u8 = 3;

/// A drawn map.
struct DrawnMap {
    picture: RgbaImage,
    /// The pixel of Tiled's picture at the top-left corner of the picture.
    corner: IVec2,
    background: [u8; 4],
    tolerance: u8,
}

/// Draws the art of a map. `None` if the map or one of its pictures does not load. A tileset in JSON counts
/// as missing, because Tiled's rasterizer does not read it.
fn draw(path: &Path) -> Option<DrawnMap> {
    let loaded = LoadedLevel::load(path, &even_blank()).ok()?;
    let mut files = Disk::new(path, loaded.options());
    let (pictures, errors) = render::load_pictures(&loaded.maps, &mut files);
    let placed = loaded.maps.first()?;
    let is_in_json = |path: &PathBuf| path.extension().is_some_and(|end| end != "tsx");
    let mut files = placed.map.tilesets.iter().filter_map(|set| set.file.as_ref());
    if !errors.is_empty() || files.any(is_in_json) {
        return None;
    }
    let is_jpeg = |path: &PathBuf| {
        let ending = path.extension().unwrap_or_default();
        ending.eq_ignore_ascii_case("jpg") || ending.eq_ignore_ascii_case("jpeg")
    };
    let tolerance = if pictures.keys().any(is_jpeg) { OF_JPEG } else { TOLERANCE };
    let overlay = Overlay::none(1);
    let options = DrawOptions { overlay, pictures: Some(&pictures), ..DrawOptions::default() };
    let picture = render::draw(&loaded, &options).expect("it is small");
    let end = placed.first_cell + placed.cells.as_ivec2();
    let ours = match placed.on_screen {
        Some(area) => area.min,
        None => corner_of_cells(&placed.map, placed.first_cell, end),
    };
    let corner = ours - corner_of_tiled(&placed.map);
    let background = placed.map.background.unwrap_or_default();
    Some(DrawnMap { picture, corner, background, tolerance })
}

/// Returns the top-left corner of the cells in `min..max` on the screen.
fn corner_of_cells(map: &Map, min: IVec2, max: IVec2) -> IVec2 {
    let projection = map.projection();
    let is_staggered =
        matches!(map.orientation, Orientation::Staggered { .. } | Orientation::Hexagonal { .. });
    // On a staggered map, every other row or column is shifted.
    let max = if is_staggered { (min + 1).min(max - 1) } else { max };
    let corners = [min, max, IVec2::new(min.x, max.y), IVec2::new(max.x, min.y)];
    let corners = corners.map(|cell| projection.cell_to_screen(cell).as_ivec2());
    corners.into_iter().reduce(IVec2::min).unwrap_or_default()
}

/// Returns the top-left corner of Tiled's picture on the screen. Image layers extend it, except along an axis
/// on which they repeat, and then the offsets of tile layers.
fn corner_of_tiled(map: &Map) -> IVec2 {
    let mut chunks = Vec::new();
    let mut before = DVec2::ZERO;
    let mut of_images = IVec2::MAX;
    for context in map.walk() {
        let offset = DVec2::new(context.offset.x.as_f64(), context.offset.y.as_f64());
        match &context.layer.content {
            LayerContent::Tiles(tiles) => {
                before = before.max(-offset);
                for block in &tiles.blocks {
                    let columns = block.size.x.max(1) as usize;
                    for index in (0..block.cells.len()).filter(|at| block.cells[*at] != 0) {
                        let at = IVec2::new((index % columns) as i32, (index / columns) as i32);
                        chunks.push((block.origin + at).div_euclid(IVec2::splat(16)) * 16);
                    }
                }
            }
            LayerContent::Image(layer) if layer.image.is_some() => {
                let at = offset.floor().as_ivec2();
                of_images.x = if layer.repeat_x { of_images.x } else { of_images.x.min(at.x) };
                of_images.y = if layer.repeat_y { of_images.y } else { of_images.y.min(at.y) };
            }
            _ => {}
        }
    }
    let mut cells = (IVec2::ZERO, map.size.as_ivec2());
    if map.is_infinite {
        let min = chunks.iter().copied().reduce(IVec2::min).unwrap_or_default();
        let max = chunks.iter().copied().reduce(IVec2::max).map_or(IVec2::ONE, |last| last + 16);
        cells = (min, max);
    }
    corner_of_cells(map, cells.0, cells.1).min(of_images) - before.ceil().as_ivec2()
}

/// Returns the share of the pixels that differ, in percent, and a text that describes the first one. `None`
/// if no pixel differs.
fn difference(ours: &DrawnMap, theirs: &RgbaImage) -> Option<(f64, String)> {
    let mut all = 0;
    let mut count = 0;
    let mut first = String::new();
    for (x, y, a) in ours.picture.enumerate_pixels() {
        let at = ours.corner + IVec2::new(x as i32, y as i32);
        let inside = u32::try_from(at.x).ok().zip(u32::try_from(at.y).ok());
        let Some(b) = inside.and_then(|(x, y)| theirs.get_pixel_checked(x, y)) else { continue };
        let mut below = Rgba(ours.background);
        below.blend(b);
        let is_far = a.0.iter().zip(&below.0).any(|(a, b)| a.abs_diff(*b) > ours.tolerance);
        all += 1;
        if is_far && (a[3] != 0 || below[3] != 0) {
            count += 1;
            if first.is_empty() {
                first = format!("at ({x}, {y}) {:?}, not {:?}", a.0, below.0);
            }
        }
    }
    let sizes = (ours.picture.dimensions(), theirs.dimensions());
    assert!(all > 0, "no pixel is in both pictures, of {sizes:?} at {}", ours.corner);
    (count > 0).then(|| (100.0 * f64::from(count) / f64::from(all), first))
}
