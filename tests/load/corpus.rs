//! Real maps and masks of others: each loads, or is listed with the reason why not.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use bitwall::glam::{IVec2, UVec2};
use bitwall::tmx::{LayerContent, Map};
use bitwall::{Dir, Level, LoadOptions, LoadedLevel, load::Source, rules::MaskRule};

use crate::support::shared;

/// Files that do not load: path, a tab, and a part of the expected error.
const REFUSED: &str = include_str!("corpus_refused.tsv");

fn options() -> LoadOptions {
    LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() }
}

#[test]
fn every_map_and_mask_loads_or_is_listed_with_its_reason() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let reasons: BTreeMap<&str, &str> = REFUSED
        .lines()
        .map(|line| line.split_once('\t').expect("a path, a tab and a reason"))
        .collect();
    let files = fs::read_to_string(corpus.join("FILES.txt")).unwrap();
    let mut faults = Vec::new();
    let (mut loaded, mut open) = (0, 0);
    println!("cells x cells of px: solid cells: ms: file: rule");
    for file in files.lines() {
        let start = Instant::now();
        let result = LoadedLevel::load(corpus.join(file), &options());
        let time = start.elapsed();
        match (result, reasons.get(file)) {
            (Ok(level), None) => {
                println!("{}", row(file, &level, time));
                visit(&level.level);
                loaded += 1;
                open += u32::from(level.level.grid().solid_count() == 0);
            }
            (Ok(_), Some(_)) => faults.push(format!("{file}: listed, but it loads")),
            (Err(error), Some(reason)) => {
                println!("{file}: {}", error.headline());
                if !error.headline().contains(reason) {
                    faults.push(format!("{file}: not for the listed reason: {error}"));
                }
            }
            (Err(error), None) => faults.push(format!("{file}: no reason listed: {error}")),
        }
    }
    println!("{loaded} files load, {} are listed", reasons.len());
    println!("{open} of them have nothing solid, which is an error unless it is allowed");
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// A file that is refused for one part loads without that part if the caller allows it.
#[test]
fn damaged_files_load_leniently_and_warn_of_the_missing_parts() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let mut options = options();
    options.lenient = true;
    let file = "mapeditor+tiled/examples/sticker-knight/sticker-knight.world";
    let loaded = LoadedLevel::load(corpus.join(file), &options).unwrap();
    let warnings = loaded.warnings.iter();
    let mut warnings = warnings.map(|warning| format!("{:?}: {}", warning.file, warning.headline));
    assert!(warnings.any(|warning| warning.contains("sandbox2.tmx")));
    visit(&loaded.level);
}

/// A line of the table: the cells, the solid ones, the milliseconds, the file, and the rule that marked most.
fn row(file: &str, loaded: &LoadedLevel, time: Duration) -> String {
    let rules = match &loaded.source {
        Source::Map(map) => &map.solids[..],
        Source::World(world) => &world.solids[..],
        _ => &[],
    };
    let most = rules.iter().max_by_key(|rule| rule.tiles + rule.objects);
    let rule = match (most, &loaded.source) {
        (Some(rule), _) => rule.rule.clone(),
        (None, Source::Mask(mask)) => format!("{} pixels", mask.rule),
        (None, _) => "nothing is solid".to_owned(),
    };
    let (grid, cell) = (loaded.level.grid(), loaded.level.cell_size());
    format!(
        "{} x {} of {} x {}: {}: {:.1}: {file}: {rule}",
        grid.width(),
        grid.height(),
        cell.x,
        cell.y,
        grid.solid_count(),
        time.as_secs_f64() * 1e3,
    )
}

/// Reads every cell, by single bits and by rectangles.
fn visit(level: &Level) {
    let grid = level.grid();
    let mut count = 0;
    for row in 0..grid.height() {
        let in_row = (0..grid.width()).filter(|c| grid.is_solid(*c, row)).count();
        assert_eq!(grid.any_solid(0..grid.width(), row..row + 1), in_row > 0);
        count += in_row as u64;
    }
    assert_eq!(grid.solid_count(), count);
}

/// Crate `tiled`, if it can open the file, as a second opinion on every cell.
#[test]
fn every_cell_agrees_with_crate_tiled() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let files = fs::read_to_string(corpus.join("FILES.txt")).unwrap();
    let (mut cells, mut bridged) = (0, 0);
    for file in files.lines().filter(|file| file.ends_with(".tmx")) {
        let path = corpus.join(file);
        if let (Ok(level), Ok(theirs)) =
            (LoadedLevel::load(&path, &options()), tiled::Loader::new().load_tmx_map(&path))
        {
            cells += compare_cells(&level, theirs.layers(), &mut 0, file);
            if is_kept_by_tiled(level.map().unwrap()) {
                compare_bridged(&level.level, &theirs, file);
                bridged += 1;
            }
        }
    }
    println!("{cells} cells compared, and {bridged} levels made through `tiled`");
    assert!(cells > 140_000 && bridged > 50);
}

/// True if `tiled` keeps every part of the map that decides on solids. It drops the grid of an isometric
/// tileset, and takes the fourth flag for a part of the tile's number.
fn is_kept_by_tiled(map: &Map) -> bool {
    let mut blocks = map.walk().flat_map(|context| match &context.layer.content {
        LayerContent::Tiles(tiles) => tiles.blocks.as_slice(),
        _ => &[],
    });
    let has_fourth_flag = blocks.any(|block| block.cells.iter().any(|gid| gid >> 28 & 1 == 1));
    let has_grid = map.tilesets.iter().any(|set| set.isometric_grid.is_some());
    !has_grid && !has_fourth_flag
}

/// Compares the level of a map with that of the document from `tiled`.
fn compare_bridged(level: &Level, theirs: &tiled::Map, file: &str) {
    let bridged =
        Level::from_map(theirs, &options()).unwrap_or_else(|error| panic!("{file}: {error}"));
    assert_eq!(bridged.grid(), level.grid(), "{file}");
    assert_eq!(bridged.cell_size(), level.cell_size(), "{file}");
    for side in Dir::ALL {
        assert_eq!(bridged.one_way(side), level.one_way(side), "{file}: {side:?}");
    }
    assert_eq!(bridged.origin(), level.origin(), "{file}");
}

fn compare_cells<'m>(
    level: &LoadedLevel,
    layers: impl Iterator<Item = tiled::Layer<'m>>,
    index: &mut usize,
    file: &str,
) -> u64 {
    let Source::Map(source) = &level.source else {
        panic!("{file} is no map");
    };
    let map = level.map().unwrap();
    let mut compared = 0;
    for layer in layers {
        match layer.layer_type() {
            tiled::LayerType::Group(group) => {
                compared += compare_cells(level, group.layers(), index, file);
            }
            tiled::LayerType::Tiles(tiles) => {
                let columns = source.size.x.max(160) as i32;
                let rows = source.size.y.max(160) as i32;
                let first = if source.is_infinite { -160 } else { 0 };
                for at in
                    (first..rows).flat_map(|y| (first..columns).map(move |x| IVec2::new(x, y)))
                {
                    let ours = map.tile_at(*index, at).map(|tile| {
                        let (h, v) = (tile.flip_horizontal, tile.flip_vertical);
                        (tile.tileset.to_owned(), tile.id, h, v, tile.flip_diagonal)
                    });
                    let theirs = tiles.get_tile(at.x, at.y).map(|tile| {
                        let name = tile.get_tileset().name.clone();
                        (name, tile.id(), tile.flip_h, tile.flip_v, tile.flip_d)
                    });
                    // `tiled` takes the fourth flag for a part of the number, and loses the tile.
                    if theirs.as_ref().is_none_or(|(_, id, ..)| *id < 1 << 27) {
                        assert_eq!(ours, theirs, "{file}: {} at {at}", layer.name);
                        compared += u64::from(ours.is_some());
                    }
                }
                *index += 1;
            }
            _ => {}
        }
    }
    compared
}

/// The solids of a mask by each rule, against a plain reading of the decoded picture.
#[test]
fn every_mask_agrees_with_its_decoded_pixels_by_each_rule() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let files = fs::read_to_string(corpus.join("FILES.txt")).unwrap();
    let rules = ["dark", "light", "opaque", "#000000,#ff0000"];
    let mut compared = [0; 4];
    for file in files.lines().filter(|file| file.ends_with(".png")) {
        let path = corpus.join(file);
        let Ok(picture) = bitwall::image::open(&path) else {
            continue;
        };
        if picture.color().bytes_per_pixel() / picture.color().channel_count() > 1 {
            continue;
        }
        let picture = picture.to_rgba8();
        let rule = rules[file.len() % rules.len()];
        let mut options = options();
        options.mask_rule = rule.parse().unwrap();
        let Ok(level) = LoadedLevel::load(&path, &options) else {
            continue;
        };
        compare_pixels(&level, &picture, &options.mask_rule, file);
        compared[file.len() % rules.len()] += 1;
    }
    println!("masks compared by each rule: {compared:?}");
    assert!(compared.iter().all(|masks| *masks >= 5), "{compared:?}");
}

fn compare_pixels(
    loaded: &LoadedLevel,
    picture: &bitwall::image::RgbaImage,
    rule: &MaskRule,
    file: &str,
) {
    let level = &loaded.level;
    assert_eq!(level.size(), UVec2::from(picture.dimensions()), "{file}");
    let mut counts = [0u64; 6];
    for (x, y, pixel) in picture.enumerate_pixels() {
        let [r, g, b, a] = pixel.0.map(u64::from);
        // The luma of the colour over a background of `under`, in units of 1 / (255 * 255 * 10,000).
        let luma = |under: u64| {
            let over = |sample: u64| sample * a + under * (255 - a);
            2126 * over(r) + 7152 * over(g) + 722 * over(b)
        };
        let limit = 128 * 255 * 10_000;
        let solid = match rule {
            MaskRule::DarkIsSolid { .. } => luma(255) < limit,
            MaskRule::LightIsSolid { .. } => luma(0) >= limit,
            MaskRule::OpaqueIsSolid { .. } => a >= 128,
            MaskRule::Colors(colors) => {
                a > 0 && colors.contains(&[pixel.0[0], pixel.0[1], pixel.0[2]])
            }
        };
        assert_eq!(level.grid().is_solid(x, y), solid, "{file} at {x}, {y}");
        let kind = match (a, [r, g, b]) {
            (0, _) => 4,
            (255, [0, 0, 0]) => 1,
            (255, [255, 255, 255]) => 2,
            (255, _) => 3,
            _ => 5,
        };
        counts[kind] += 1;
        counts[0] += u64::from(solid);
    }
    let Source::Mask(mask) = &loaded.source else {
        panic!("{file} is no mask");
    };
    let c = &mask.counts;
    let ours = [c.solid, c.black, c.white, c.gray, c.transparent, c.translucent];
    assert_eq!(ours, counts, "{file}");
}

/// The list must not keep files that are gone.
#[test]
fn the_list_of_refused_files_is_sorted_and_names_existing_files() {
    let paths: Vec<&str> = REFUSED.lines().filter_map(|l| l.split('\t').next()).collect();
    assert!(paths.is_sorted(), "sorted, so that a change shows");
    if let Some(corpus) = shared("corpus") {
        let missing = paths.iter().find(|path| !Path::new(&corpus).join(path).exists());
        assert_eq!(missing, None);
    }
}
