//! Worlds: what they list, what their patterns find, and what becomes of the maps.

mod oracle;

use glam::UVec2;

use super::compose::{Placed, compose};
use super::*;
use crate::grid::Grid;
use crate::level::source::{Marker, Source};
use crate::options::LoadOptions;
use crate::{Aabb, Level};

const FILES: [&str; 5] = [
    "b-2-3.tmx",
    "a-010--1.tmx",
    "a-1-x.tmx",
    "notes.txt",
    "a-1-2.tmx.bak",
];

fn read(world: &str) -> Result<Vec<(String, [i32; 2])>, String> {
    let files = || Ok(FILES.map(str::to_owned).to_vec());
    let maps = parse(world.as_bytes(), &Limits::default(), files);
    let plain = |map: WorldMap| (map.file, map.position.to_array());
    maps.map(|maps| maps.into_iter().map(plain).collect())
        .map_err(|error| error.to_string())
}

fn maps(found: &[(&str, [i32; 2])]) -> Result<Vec<(String, [i32; 2])>, String> {
    Ok(found
        .iter()
        .map(|(file, at)| ((*file).to_owned(), *at))
        .collect())
}

#[test]
fn maps_lie_where_the_list_says() {
    let world = r#"{"type":"world","onlyShowAdjacentMaps":true,"maps":[
        {"fileName":"./a.tmx","x":-12.0,"y":7,"width":3,"height":4},{"fileName":"sub\\b.tmj"},
        {"fileName":"a.tmx","x":99}]}"#;
    assert_eq!(
        read(world),
        maps(&[("a.tmx", [-12, 7]), ("sub/b.tmj", [0, 0])])
    );
}

#[test]
fn patterns_place_the_files_beside_the_world() {
    let world = r#"{"maps":[{"fileName":"b-2-3.tmx","x":5}],"patterns":[
        {"regexp":"([0-9]+)-(-?\\d+)\\.tmx$","multiplierX":100,"multiplierY":-10,"offsetX":-7,"offsetY":1},
        {"regexp":"^(a)?.*\\.(bmp)$"}]}"#;
    assert_eq!(
        read(world),
        maps(&[("b-2-3.tmx", [5, 0]), ("a-010--1.tmx", [993, 11])])
    );
    let default = r#"{"patterns":[{"regexp":"^b-(\\d)-(\\d)"}]}"#;
    assert_eq!(read(default), maps(&[("b-2-3.tmx", [2, 3])]));
}

#[test]
fn a_world_that_cannot_be_is_refused() {
    for (world, reason) in [
        (r#"{}"#, "a world without maps"),
        (r#"{"maps":[{}]}"#, "without `fileName`"),
        (
            r#"{"maps":[{"fileName":"a","x":1.5}]}"#,
            "`x` of a map of a world is `1.5`",
        ),
        (
            r#"{"maps":[{"fileName":"a","y":3000000000}]}"#,
            "not a whole number",
        ),
        (r#"{"maps":3}"#, "`maps` of a world is not a list"),
        (
            r#"{"patterns":[{"regexp":"q(.)(.)"}]}"#,
            "no file beside it matches",
        ),
        (r#"{"patterns":[{"regexp":"(.)"}]}"#, "captures 1 parts"),
        (r#"{"patterns":[{"regexp":"(?=a)(.)(.)"}]}"#, "look-around"),
        (r#"{"patterns":[{"regexp":"(.)(.)\\1"}]}"#, "backreferences"),
        (
            r#"{"patterns":[{"regexp":"(\\w{1000}){100}(.)"}]}"#,
            "it is too large",
        ),
        (
            r#"{"patterns":[{"regexp":"a-1-([a-z])(.)"}]}"#,
            "`x` in `a-1-x.tmx`",
        ),
        (
            r#"{"patterns":[{"regexp":"b-(.)-(.)","multiplierX":2000000000}]}"#,
            "`2` in `b-2-3.tmx`",
        ),
        (
            r#"{"patterns":[{"regexp":"b-(.)-(.)","multiplierX":0}]}"#,
            "a multiplier of 0",
        ),
    ] {
        let error = read(world).unwrap_err();
        assert!(error.contains(reason), "{world}: {error}");
    }
    let many: Vec<String> = (0..1_025)
        .map(|n| format!(r#"{{"fileName":"{n}"}}"#))
        .collect();
    let error = read(&format!(r#"{{"maps":[{}]}}"#, many.join(","))).unwrap_err();
    assert!(error.contains("maps in a world: 1025"), "{error}");
}

fn placed(name: &str, position: [i32; 2], grid: &str, cell: [u32; 2]) -> Placed {
    let grid = Grid::from_text(grid).unwrap();
    Placed {
        name: name.to_owned(),
        position: position.into(),
        level: Level::from_grid(grid, cell.into()).unwrap(),
    }
}

#[test]
fn maps_on_a_common_grid_keep_their_cells() {
    let mut left = placed("a.tmx", [-8, 4], "#.\n.#", [4, 2]);
    left.level.markers.push(Marker {
        name: "spawn".to_owned(),
        class: String::new(),
        layer: "Places".to_owned(),
        object: 1,
        area: Aabb::from_xywh(1, 2, 3, 4),
        is_point: false,
        properties: Default::default(),
    });
    let right = placed("b.tmx", [4, 0], "###", [4, 2]);
    let level = compose(vec![left, right], &LoadOptions::default()).unwrap();
    assert_eq!(level.cell_size(), UVec2::new(4, 2));
    assert_eq!(
        level.grid(),
        &Grid::from_text("...###\n......\n#.....\n.#....").unwrap()
    );
    let marker = level.marker("spawn").unwrap();
    assert_eq!(marker.area, Aabb::from_xywh(1, 6, 3, 4));
    assert_eq!(marker.layer, "a.tmx/Places");
    let Source::World(world) = level.source() else {
        panic!("no world")
    };
    assert_eq!(level.origin(), IVec2::new(-8, 0));
    assert_eq!(world.maps[1].area, Aabb::from_xywh(12, 0, 12, 2));
}

#[test]
fn a_world_of_nothing_solid_or_too_large_is_refused() {
    let none = || vec![placed("a", [0, 0], "..", [1, 1])];
    let mut options = LoadOptions::default();
    assert!(matches!(
        compose(none(), &options),
        Err(LoadErrorKind::NothingSolid { .. })
    ));
    options.allow_nothing_solid = true;
    assert!(compose(none(), &options).is_ok());
    for far in [[i32::MAX, 0], [i32::MIN, 0], [0, i32::MAX], [1 << 26, 1]] {
        let maps = vec![
            placed("a", [0, 0], "#", [1, 1]),
            placed("b", far, "#", [1, 1]),
        ];
        assert!(
            matches!(compose(maps, &options), Err(LoadErrorKind::TooLarge { .. })),
            "{far:?}"
        );
    }
}
