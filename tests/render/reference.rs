//! Compares drawn maps with pictures of the same maps that Tiled has drawn.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bitwall::LoadedLevel;
use bitwall::image::RgbaImage;
use bitwall::load::Disk;
use bitwall::render::{self, DrawOptions, Overlay};

use crate::support::{corpus, even_blank, shared};

/// The maps that bitwall draws differently from Tiled. Each line has a path, a tab, and the reason.
const DIFFERS: &str = include_str!("reference_differs.tsv");

/// The share of the maps that must be drawn equally, in percent of all maps that Tiled draws. These include
/// maps that do not load because a tileset is missing.
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
        compared += 1;
        let Some((ours, tolerance)) = draw(path) else {
            println!("{:>9}  {file}", "not drawn");
            continue;
        };
        let difference = difference(&ours, &theirs, tolerance);
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

/// Draws the map as Tiled's rasterizer does, and returns the picture and its tolerance.
/// `None` if the map does not load.
fn draw(path: &Path) -> Option<(RgbaImage, u8)> {
    let loaded = LoadedLevel::load(path, &even_blank()).ok()?;
    let mut files = Disk::new(path, loaded.options());
    let (pictures, _) = render::load_pictures(&loaded.maps, &mut files);
    let is_jpeg = |path: &PathBuf| {
        let ending = path.extension().unwrap_or_default();
        ending.eq_ignore_ascii_case("jpg") || ending.eq_ignore_ascii_case("jpeg")
    };
    let tolerance = if pictures.keys().any(is_jpeg) { OF_JPEG } else { TOLERANCE };
    let options =
        DrawOptions { as_tiled: true, overlay: Overlay::none(1), ..DrawOptions::default() };
    let options = DrawOptions { pictures: Some(&pictures), ..options };
    Some((render::draw(&loaded, &options).expect("it is small"), tolerance))
}

/// Returns the share of the pixels that differ, in percent, and a text that describes the first one. `None`
/// if no pixel differs.
fn difference(ours: &RgbaImage, theirs: &RgbaImage, tolerance: u8) -> Option<(f64, String)> {
    if ours.dimensions() != theirs.dimensions() {
        let sizes = format!("{:?} px, not {:?}", ours.dimensions(), theirs.dimensions());
        return Some((100.0, sizes));
    }
    let differ = |a: &[u8; 4], b: &[u8; 4]| {
        let is_far = a.iter().zip(b).any(|(a, b)| a.abs_diff(*b) > tolerance);
        is_far && (a[3] != 0 || b[3] != 0)
    };
    let pairs = ours.enumerate_pixels().zip(theirs.pixels());
    let mut differing = pairs.filter(|((_, _, a), b)| differ(&a.0, &b.0));
    let ((x, y, a), b) = differing.next()?;
    let first = format!("at ({x}, {y}) {:?}, not {:?}", a.0, b.0);
    let count = 1 + differing.count();
    let all = ours.width() as usize * ours.height() as usize;
    Some((100.0 * count as f64 / all as f64, first))
}
