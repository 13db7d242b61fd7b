//! Tests of worlds of map files, with their one-way cells, areas, reasons and warnings.

use std::fs;
use std::path::PathBuf;

use bitwall::glam::{IVec2, UVec2};
use bitwall::{
    Aabb, Dir, Level, LoadOptions, LoadedLevel, error::LoadErrorKind, load::Source, rules::AreaRule,
};

use crate::support::{self, folder, layer, tile_at, tileset};

/// Returns a map of 3 x 2 tiles of 8 x 4 pixels, with these attributes and cells. Tile 1 is plain, 2 is a
/// wall, 3 is one-way from above, 4 is water, and 5 has a wall of 2 x 2 pixels in its top-left corner.
fn map(attributes: &str, data: &str) -> String {
    let tiles = r#"<tile id="1" type="wall"/>
        <tile id="2"><properties><property name="one_way" type="bool" value="true"/></properties></tile>
        <tile id="3" type="water"/>
        <tile id="4"><objectgroup><object id="1" x="0" y="0" width="2" height="2"/></objectgroup></tile>"#;
    let content = tileset([8, 4], 5, tiles) + &layer(r#"name="Ground""#, [3, 2], data);
    support::map(attributes, [3, 2], [8, 4], &content)
}

/// Creates a folder with the world `w.world` of these maps. Each has a name, a position, and a text. A map
/// with an empty text has no file.
fn world(maps: &[(&str, [i32; 2], &str)]) -> (tempfile::TempDir, PathBuf) {
    let list = |(name, [x, y], _): &(&str, [i32; 2], &str)| {
        format!(r#"{{"fileName":"{name}","x":{x},"y":{y}}}"#)
    };
    let list: Vec<String> = maps.iter().map(list).collect();
    let world = format!(r#"{{"maps":[{}]}}"#, list.join(","));
    let there = maps.iter().filter(|(_, _, text)| !text.is_empty());
    let mut files: Vec<_> = there.map(|(name, _, text)| (*name, *text)).collect();
    files.push(("w.world", &world));
    let folder = folder(&files);
    let path = folder.path().join("w.world");
    (folder, path)
}

fn options() -> LoadOptions {
    LoadOptions { areas: vec![AreaRule::named("water")], ..LoadOptions::default() }
}

#[test]
fn a_world_has_the_one_way_cells_areas_and_reasons_of_its_maps() {
    let (_folder, path) = world(&[
        ("a.tmx", [-8, 0], &map("", "2,3,4,0,0,2")),
        ("b.tmx", [16, -4], &map("", "4,0,3,2,2,0")),
    ]);
    let loaded = LoadedLevel::load(&path, &options()).unwrap();
    let level = &loaded.level;
    assert_eq!(level.cell_size(), UVec2::new(8, 4));
    assert_eq!(level.origin(), IVec2::new(-8, -4));
    assert_eq!(level.grid().to_string(), "......\n#..##.\n..#...");
    let guards = level.one_way(Dir::Up).unwrap();
    assert_eq!(guards.to_string(), ".....#\n.#....\n......");
    assert_eq!(level.one_way(Dir::Down).unwrap().solid_count(), 0);
    let water = level.area("water").unwrap();
    assert_eq!(water.grid().to_string(), "...#..\n..#...\n......");

    let why = |column, row| {
        let found = loaded.provenance(IVec2::new(column, row))?;
        Some((found.layer, found.tile?.1, found.because))
    };
    let because = |layer: &str, id, text: &str| Some((layer.to_owned(), id, text.to_owned()));
    for (column, row, layer, tile, reason) in [
        (0, 1, "a.tmx/Ground", 1, "class `wall`"),
        (1, 1, "a.tmx/Ground", 2, "it is one-way"),
        (4, 1, "b.tmx/Ground", 1, "class `wall`"),
        (5, 0, "b.tmx/Ground", 2, "it is one-way"),
    ] {
        assert_eq!(why(column, row), because(layer, tile, reason));
    }
    assert_eq!(why(0, 0), None);
    let places: Vec<IVec2> = loaded.maps.iter().map(|map| map.place).collect();
    assert_eq!(places, [IVec2::new(0, 4), IVec2::new(24, 0)]);
    let tiles = loaded.maps.iter();
    let tiles = tiles.map(|placed| tile_at(&placed.map, 0, IVec2::ZERO).unwrap().id);
    assert_eq!(tiles.collect::<Vec<_>>(), [1, 3]);
}

#[test]
fn a_world_has_cells_of_one_pixel_if_any_of_its_maps_needs_them() {
    let (_folder, path) = world(&[
        ("a.tmx", [0, 0], &map("", "5,3,0,0,0,2")),
        ("b.tmx", [0, 8], &map("", "2,3,4,0,0,0")),
    ]);
    let loaded = LoadedLevel::load(&path, &options()).unwrap();
    let level = &loaded.level;
    assert_eq!(level.cell_size(), UVec2::ONE);
    assert_eq!(level.grid().solid_count(), 4 + 32 + 32);
    let guards = level.one_way(Dir::Up).unwrap();
    assert_eq!(guards.solid_count(), 8 + 8, "only the row along the top of each");
    let falls = |y| level.sweep(Aabb::from_xywh(9, y, 3, 2), Dir::Down, 30).moved;
    assert_eq!((falls(3), falls(9)), (3, 5));
    assert_eq!(level.area("water").unwrap().cell_size(), UVec2::new(8, 4));
    let why = loaded.provenance(IVec2::new(9, 8)).unwrap();
    assert_eq!((&*why.layer, why.tile), ("b.tmx/Ground", Some(("t".to_owned(), 2))));
}

/// The position of a map in a world is the position of its cell (0, 0), wherever its chunks are.
#[test]
fn the_position_of_an_infinite_map_in_a_world_is_the_position_of_its_cell_0_0() {
    let chunks = r#"<chunk x="-3" y="-2" width="3" height="2">2,0,0,0,0,2</chunk>"#;
    let marker = r#"</layer><objectgroup name="o"><object id="1" name="m" x="-20" y="-7" width="8" height="4"/></objectgroup>"#;
    let infinite = map(r#"infinite="1""#, chunks).replace("</layer>", marker);
    let (_folder, path) =
        world(&[("a.tmx", [100, 40], &infinite), ("b.tmx", [100, 40], &map("", "0,2,0,0,0,0"))]);
    let loaded = LoadedLevel::load(&path, &options()).unwrap();
    let level = &loaded.level;
    assert_eq!(level.origin(), IVec2::new(100 - 24, 40 - 8));
    assert_eq!(level.grid().to_string(), "#.....\n..#...\n....#.\n......");
    assert_eq!(level.marker("m").unwrap().area, Aabb::from_xywh(4, 1, 8, 4));
    let layers = [IVec2::ZERO, IVec2::new(4, 2)].map(|cell| loaded.provenance(cell).unwrap().layer);
    assert_eq!(layers, ["a.tmx/Ground", "b.tmx/Ground"]);
    let placed = &loaded.maps[0];
    assert_eq!(placed.place, IVec2::new(24, 8));
    assert_eq!(tile_at(&placed.map, 0, IVec2::new(-3, -2)).unwrap().id, 1);
}

#[test]
fn a_lenient_load_leaves_out_maps_that_cannot_be_read() {
    let (_folder, path) = world(&[
        ("gone.tmx", [0, 0], ""),
        ("broken.tmx", [0, 8], "<map "),
        ("odd.tmx", [24, 0], &map("", "2,9,0,0,0,0")),
        ("good.tmx", [48, 0], &map("", "2,0,0,0,0,0")),
    ]);
    let mut options = options();
    let error = Level::load_with(&path, &options).unwrap_err();
    assert!(error.to_string().contains("cannot read map `gone.tmx`"), "{error}");
    options.lenient = true;
    let loaded = LoadedLevel::load(&path, &options).unwrap();
    let level = &loaded.level;
    assert_eq!(level.grid().to_string(), "#..#..\n......");
    assert_eq!(loaded.source, Source::World);
    let files: Vec<&str> = loaded.maps.iter().filter_map(|map| map.file.as_deref()).collect();
    assert_eq!(files, ["odd.tmx", "good.tmx"]);
    let warned: Vec<&str> =
        loaded.warnings.iter().map(|warning| warning.file.as_deref().unwrap_or("all")).collect();
    assert_eq!(warned, ["odd.tmx", "all", "gone.tmx", "broken.tmx"]);
    assert!(loaded.warnings[1].headline.contains("the area `water` has nothing in it"));
    assert_eq!(loaded.warnings[0].place.cell, Some((1, 0)));
    assert!(loaded.warnings[2].to_string().contains("no such file"));

    let (_folder, path) = world(&[("gone.tmx", [0, 0], ""), ("broken.tmx", [0, 8], "<map ")]);
    assert!(Level::load_with(&path, &options).is_err());
}

#[test]
fn the_space_between_far_maps_of_a_world_takes_no_memory() {
    let (_folder, path) = world(&[
        ("a.tmx", [0, 0], &map("", "5,3,0,0,0,2")),
        ("b.tmx", [30_000_000, -25_000_000], &map("", "2,3,4,0,0,0")),
    ]);
    let loaded = LoadedLevel::load(&path, &options()).unwrap();
    let level = &loaded.level;
    assert_eq!(level.size(), UVec2::new(30_000_024, 25_000_008));
    assert!(level.memory_bytes() < 1 << 20);
    assert_eq!(level.grid().solid_count(), 4 + 32 + 32);
    assert!(level.is_solid(IVec2::new(30_000_007, 3)));
    let body = Aabb::from_xywh(29_000_000, 1, 4, 2);
    assert_eq!(level.sweep(body, Dir::Right, u32::MAX).moved, 999_996);
}

/// A world may refer to one map many times by different paths.
#[test]
fn the_maps_of_a_world_share_the_limits_of_the_load() {
    let cells = ["2"; 6].join(",");
    let (folder, path) = world(&[("a.tmx", [0, 0], &map("", &cells))]);
    fs::create_dir(folder.path().join("d")).unwrap();
    let names = (0..200).map(|times| "d/../".repeat(times) + "a.tmx");
    let maps =
        names.enumerate().map(|(x, name)| format!(r#"{{"fileName":"{name}","x":{}}}"#, x * 24));
    let maps: Vec<String> = maps.collect();
    fs::write(&path, format!(r#"{{"maps":[{}]}}"#, maps.join(","))).unwrap();
    let mut options = options();
    let loaded = LoadedLevel::load(&path, &options).unwrap();
    let level = &loaded.level;
    assert_eq!(level.grid().solid_count(), 1_200);
    let all = options.limits.cells;
    options.limits.cells = 1_199;
    let refused = |options: &LoadOptions, what: &str| {
        let error = Level::load_with(&path, options).unwrap_err();
        let is_limit = matches!(error.kind(), LoadErrorKind::TooLarge { .. });
        assert!(is_limit && error.to_string().contains(what), "{error}");
    };
    refused(&options, "tiles in all layers");
    options.limits.cells = all;
    options.limits.work = 100;
    refused(&options, "the limit `work`");
}
