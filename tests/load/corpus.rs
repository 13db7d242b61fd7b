//! Maps and masks of others: each loads, or is listed with the reason why it does not.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bitwall::glam::IVec2;
use bitwall::tmx::{LayerContent, Map};
use bitwall::{Dir, Level, LoadOptions, LoadedLevel, load::Source};

use crate::support::{corpus, even_blank, files_in, holds_a_file, shared, tile_at};

/// Files that do not load: path, a tab, and a part of the expected error.
const REFUSED: &str = include_str!("corpus_refused.tsv");

#[test]
fn every_map_and_mask_loads_or_is_listed_with_its_reason() {
    let Some(files) = corpus() else {
        return;
    };
    let reasons: BTreeMap<&str, &str> = REFUSED
        .lines()
        .map(|line| line.split_once('\t').expect("a path, a tab and a reason"))
        .collect();
    let mut faults = Vec::new();
    let (mut loaded, mut open) = (0, 0);
    println!("cells x cells of px: solid cells: ms: file: rule");
    for (file, path) in &files {
        let start = Instant::now();
        let result = LoadedLevel::load(path, &even_blank());
        let time = start.elapsed();
        match (result, reasons.get(&**file)) {
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

/// The list of the second sample names maps, and its folder contains further ones.
#[test]
fn every_map_of_the_second_sample_opens() {
    let Some(fresh) = shared("fresh") else {
        return;
    };
    let is_map = |path: &PathBuf| {
        let ending = path.extension().unwrap_or_default();
        let text = std::fs::read_to_string(path).unwrap_or_default();
        ending == "tmx" || ending == "tmj" || ending == "json" && text.contains("\"layers\"")
    };
    let (mut maps, mut faults) = (0, Vec::new());
    for path in files_in(&fresh).into_iter().filter(is_map) {
        maps += 1;
        match LoadedLevel::load(&path, &even_blank()) {
            Ok(loaded) => visit(&loaded.level),
            Err(error) => faults.push(format!("{}: {error}", path.display())),
        }
    }
    println!("{maps} maps, {} of which do not open", faults.len());
    assert!(maps >= 45 && faults.is_empty(), "{}", faults.join("\n"));
}

/// A lenient load leaves out the damaged part of a file.
#[test]
fn damaged_files_load_leniently_and_warn_of_the_missing_parts() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let options = LoadOptions { lenient: true, ..even_blank() };
    let file = "mapeditor+tiled/examples/sticker-knight/sticker-knight.world";
    let loaded = LoadedLevel::load(corpus.join(file), &options).unwrap();
    let warnings = loaded.warnings.iter();
    let mut warnings = warnings.map(|warning| format!("{:?}: {}", warning.file, warning.headline));
    assert!(warnings.any(|warning| warning.contains("sandbox2.tmx")));
    visit(&loaded.level);
}

/// Formats a line of the table: the number of cells, the number of solid cells, the milliseconds, the file,
/// and the rule that marked most.
fn row(file: &str, loaded: &LoadedLevel, time: Duration) -> String {
    let most = loaded.solids.iter().max_by_key(|rule| rule.tiles + rule.objects);
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

/// Reads every cell, both one by one and by rectangles.
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

/// The crate `tiled` is a second opinion on every cell of the files that it can open.
#[test]
fn every_cell_agrees_with_crate_tiled() {
    let Some(files) = corpus() else {
        return;
    };
    let (mut cells, mut bridged) = (0, 0);
    for (file, path) in files.iter().filter(|(file, _)| file.ends_with(".tmx")) {
        if let (Ok(level), Ok(theirs)) =
            (LoadedLevel::load(path, &even_blank()), tiled::Loader::new().load_tmx_map(path))
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

/// True if `tiled` keeps every part of the map that affects solids. It drops the grid of an isometric
/// tileset, and reads the fourth flip flag as part of the tile id.
fn is_kept_by_tiled(map: &Map) -> bool {
    let mut blocks = map.walk().flat_map(|context| match &context.layer.content {
        LayerContent::Tiles(tiles) => tiles.blocks.as_slice(),
        _ => &[],
    });
    let has_fourth_flag = blocks.any(|block| block.cells.iter().any(|gid| gid >> 28 & 1 == 1));
    let has_grid = map.tilesets.iter().any(|set| set.isometric_grid.is_some());
    !has_grid && !has_fourth_flag
}

/// Compares the level of a map with the level from the document of `tiled`.
fn compare_bridged(level: &Level, theirs: &tiled::Map, file: &str) {
    let bridged =
        Level::from_map(theirs, &even_blank()).unwrap_or_else(|error| panic!("{file}: {error}"));
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
    let [placed] = &level.maps[..] else {
        panic!("{file} is no map");
    };
    let map = &placed.map;
    let mut compared = 0;
    for layer in layers {
        match layer.layer_type() {
            tiled::LayerType::Group(group) => {
                compared += compare_cells(level, group.layers(), index, file);
            }
            tiled::LayerType::Tiles(tiles) => {
                let columns = placed.cells.x.max(160) as i32;
                let rows = placed.cells.y.max(160) as i32;
                let first = if map.is_infinite { -160 } else { 0 };
                for at in
                    (first..rows).flat_map(|y| (first..columns).map(move |x| IVec2::new(x, y)))
                {
                    let ours = tile_at(map, *index, at).map(|tile| {
                        let (h, v) = (tile.flip_horizontal, tile.flip_vertical);
                        (map.tilesets[tile.tileset].name.clone(), tile.id, h, v, tile.flip_diagonal)
                    });
                    let theirs = tiles.get_tile(at.x, at.y).map(|tile| {
                        let name = tile.get_tileset().name.clone();
                        (name, tile.id(), tile.flip_h, tile.flip_v, tile.flip_d)
                    });
                    // `tiled` reads the fourth flip flag as part of the id, and loses the tile.
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

/// Files that no longer exist must be removed from the list.
#[test]
fn the_list_of_refused_files_is_sorted_and_names_existing_files() {
    let paths: Vec<&str> = REFUSED.lines().filter_map(|l| l.split('\t').next()).collect();
    assert!(paths.is_sorted(), "sorted, so that a change shows");
    if let Some(corpus) = shared("corpus") {
        let missing = paths.iter().find(|path| !Path::new(&corpus).join(path).exists());
        assert_eq!(missing, None);
    }
}

#[test]
fn a_folder_of_empty_folders_has_no_files_to_test_with() {
    let folder = tempfile::tempdir().unwrap();
    let inner = folder.path().join("one/two");
    assert!(!holds_a_file(&inner), "it is missing");
    fs::create_dir_all(&inner).unwrap();
    assert!(!holds_a_file(folder.path()));
    fs::write(inner.join("a.png"), "").unwrap();
    assert!(holds_a_file(folder.path()));
}
