//! Tests of levels from one map: layers, objects, limits, and the reason of every pixel.

use super::*;
use crate::Solids;
use crate::error::WarningCause;
use crate::rules::{PropertyIs, TileIds};
use crate::tmx::{Orientation, Space, StaggerAxis, StaggerIndex};

fn solid_tile() -> Tile {
    tile(&["solid"], Vec::new())
}

#[test]
fn a_map_made_in_code_with_invalid_numbers_is_refused() {
    let good = map([1, 1], tileset([4, 4], [(0, solid_tile())]), vec![tile_layer("G", 1, &[1])]);
    assert!(build_one(&good, &options()).is_ok());
    let change = |change: &dyn Fn(&mut Map)| {
        let mut map = good.clone();
        change(&mut map);
        let error = build_one(&map, &options()).unwrap_err();
        assert_eq!(error.path(), Path::new("map"));
        error.headline()
    };
    let block = |map: &mut Map, change: &dyn Fn(&mut CellBlock)| {
        if let LayerContent::Tiles(tiles) = &mut map.layers[0].content {
            change(&mut tiles.blocks[0]);
        }
    };
    for (error, expected) in [
        (change(&|map| map.tile_size.x = 0), "`tilewidth` of <map> is `0`"),
        (change(&|map| map.tile_size.y = u32::MAX), "pixels in a side of a tile"),
        (change(&|map| map.size.y = 0), "`height` of <map> is `0`"),
        (change(&|map| map.size.x = u32::MAX), "tiles in the width or height of the map"),
        (change(&|map| block(map, &|block| block.size.x = 3)), "1 cells for 3 x 1"),
        (change(&|map| block(map, &|block| block.size = UVec2::MAX)), "1 cells for"),
        (change(&|map| block(map, &|block| block.origin.x = i32::MIN)), "columns or rows"),
        (
            change(&|map| {
                map.layers[0].name = "Walls".to_owned();
                block(map, &|block| block.cells[0] = 9);
            }),
            "tile 9 does not exist",
        ),
        (
            change(&|map| {
                map.layers[0].name = "Walls".to_owned();
                block(map, &|block| block.cells[0] = flip::ALL);
            }),
            "it has flags, but no number",
        ),
        (change(&|map| map.tilesets.push(map.tilesets[0].clone())), "both start at tile 1"),
        (change(&|map| map.tilesets[0].tile_count = Some(65_537)), "tiles in a tileset"),
    ] {
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn a_tileset_without_tiles_may_have_the_first_number_of_another_tileset() {
    let full = tileset([4, 4], [(0, solid_tile())]);
    let empty =
        Tileset { image: None, tile_count: Some(0), tiles: BTreeMap::new(), ..full.clone() };
    for tilesets in [[empty.clone(), full.clone()], [full.clone(), empty.clone()]] {
        let used = usize::from(!tilesets[0].tiles.is_empty());
        let mut map = map([2, 1], full.clone(), vec![tile_layer("G", 2, &[1, 0])]);
        map.tilesets = tilesets.into();
        let level = build_one(&map, &options()).unwrap().level;
        assert_eq!(level.grid().to_string().trim_end(), "#.");
        let tile = map.tile(1).unwrap();
        assert_eq!((tile.tileset, tile.id), (1 - used, 0));
        map.tilesets.push(empty.clone());
        assert!(build_one(&map, &options()).is_ok());
        map.tilesets.push(full.clone());
        assert!(build_one(&map, &options()).is_err());
    }
}

#[test]
fn a_map_without_solids_is_an_error_that_lists_its_layers() {
    let mut thing = rectangle([0, 0, 4, 4]);
    thing.class = "Tree".to_owned();
    let set = tileset([4, 4], [(0, tile(&["red"], Vec::new()))]);
    let layers = vec![tile_layer("Ground", 1, &[1]), object_layer("Things", vec![thing])];
    let map = map([1, 1], set, layers);
    let mut options = options();
    options.allow_nothing_solid = false;
    let error = build_one(&map, &options).unwrap_err();
    assert_eq!(
        error.headline(),
        "nothing in the map is solid: its layers are `Ground`, `Things`; its classes: `Tree`; \
         its properties: `red`"
    );
}

#[test]
fn a_solid_group_makes_the_layers_in_it_solid() {
    let set = || tileset([4, 4], []);
    let group = |name: &str, layers| Layer::new(name, LayerContent::Group(layers));
    let walls = group("Walls", vec![group("A", vec![tile_layer("B", 2, &[1, 0])])]);
    let after = tile_layer("C", 2, &[0, 1]);
    let built = build_one(&map([2, 1], set(), vec![walls, after]), &options()).unwrap();
    assert_eq!(built.level.grid().to_string(), "#.");
    assert_eq!(
        (&*built.solids[0].rule, built.solids[0].tiles),
        ("layer `Walls/A/B` by its name", 1)
    );
}

#[test]
fn objects_are_walls_areas_or_markers() {
    let mut water = rectangle([4, 0, 4, 4]);
    water.class = "water".to_owned();
    let mut wall = rectangle([0, 4, 4, 4]);
    wall.class = "wall".to_owned();
    let mut ledge = rectangle([4, 4, 4, 4]);
    ledge.class = "wall".to_owned();
    ledge.properties = flags(&["one_way"]);
    let spawn = object([1, 1, 0, 0], Shape::Point);
    let mut portal = rectangle([0, 0, 4, 4]);
    portal.properties = flags(&["one_way"]);
    let things = object_layer("Things", vec![water, wall, ledge, spawn, portal]);
    let map = map([2, 2], tileset([4, 4], []), vec![things]);
    let built = build_one(&map, &options()).unwrap();
    let level = &built.level;
    assert_eq!(level.grid().to_string(), "..\n#.");
    assert_eq!(level.one_way(Dir::Up).unwrap().to_string(), "..\n.#");
    assert_eq!(level.area("water").unwrap().grid().to_string(), ".#\n..");
    let markers: Vec<_> = level.markers().iter().map(|marker| marker.area.min).collect();
    assert_eq!(markers, [IVec2::new(4, 0), IVec2::new(1, 1), IVec2::ZERO]);
}

#[test]
fn empty_cells_of_a_floor_layer_are_solid() {
    let layers = || vec![tile_layer("Floor", 3, &[1, 0, 1, 1, 1, 1])];
    let mut options = options();
    options.solid_rules.walkable_layers.push("Floor".to_owned());
    let whole = map([3, 2], tileset([4, 4], []), layers());
    assert_eq!(build_one(&whole, &options).unwrap().level.grid().to_string(), ".#.\n...");
    let mut moved = whole.clone();
    moved.layers[0].offset.x = Decimal::from_pixels(1);
    let level = build_one(&moved, &options).unwrap().level;
    assert_eq!(level.grid().to_string().lines().next(), Some("#....####..."));
}

#[test]
fn the_level_of_an_infinite_map_is_the_box_around_its_tiles() {
    let mut map = map([9, 9], tileset([4, 4], [(0, solid_tile())]), Vec::new());
    map.is_infinite = true;
    let mut tiles = TileLayer::default();
    for (origin, cells) in [([-3, -2], [1, 0, 0, 2]), ([4, 1], [0, 0, 1, 0])] {
        tiles.blocks.push(CellBlock {
            origin: origin.into(),
            size: UVec2::new(2, 2),
            cells: cells.to_vec(),
        });
    }
    map.layers.push(Layer::new("Ground", LayerContent::Tiles(tiles)));
    let built = build_one(&map, &options()).unwrap();
    assert_eq!(built.level.origin(), IVec2::new(-12, -8));
    assert_eq!(built.maps[0].first_cell, IVec2::new(-3, -2));
    assert_eq!(built.maps[0].cells, UVec2::new(8, 5));
    assert_eq!(built.level.grid().solid_count(), 2);
    assert!(built.level.grid().is_solid(0, 0) && built.level.grid().is_solid(7, 4));
    map.layers.clear();
    assert_eq!(build_one(&map, &options()).unwrap().level.size(), UVec2::splat(4));
}

#[test]
fn a_build_over_the_limits_of_work_or_cells_is_refused() {
    let shaped = tileset([4, 4], [(0, tile(&[], vec![rectangle([0, 0, 2, 2])]))]);
    let map = map([2, 1], shaped, vec![tile_layer("Ground", 2, &[1, 1])]);
    let mut options = options();
    let mut error = |change: &dyn Fn(&mut crate::Limits)| {
        options.limits = crate::Limits::default();
        change(&mut options.limits);
        build_one(&map, &options).unwrap_err().headline()
    };
    let text = error(&|limits| limits.work = 1);
    assert!(text.contains("the limit `work`"), "{text}");
    let text = error(&|limits| limits.cells = 1);
    assert!(text.contains("cells of the level"), "{text}");
}

/// Maps with shapes in every orientation. A pixel that is neither solid nor guarding has no reason.
#[test]
fn every_solid_pixel_has_a_reason() {
    let stagger = |axis, index| Orientation::Staggered { axis, index };
    let hexagonal = |axis, index| Orientation::Hexagonal { axis, index, side: 6 };
    let orientations = [
        Orientation::Orthogonal,
        Orientation::Isometric,
        Orientation::Oblique { skew_x: 3, skew_y: -2 },
        stagger(StaggerAxis::X, StaggerIndex::Odd),
        stagger(StaggerAxis::Y, StaggerIndex::Even),
        hexagonal(StaggerAxis::X, StaggerIndex::Even),
        hexagonal(StaggerAxis::Y, StaggerIndex::Odd),
    ];
    let mut random = fastrand::Rng::with_seed(9);
    let mut explained = 0;
    for turn in 0..42 {
        let mut shape = |n: i32| {
            let place = [random.i32(-n..n), random.i32(-n..n), random.i32(0..n), random.i32(1..n)];
            object(place, [Shape::Rectangle, Shape::Ellipse][random.usize(0..2)].clone())
        };
        let tiles = [
            (0, tile(&["solid"], Vec::new())),
            (1, tile(&[], vec![shape(20), shape(8)])),
            (2, tile(&["solid"], vec![shape(12)])),
            (3, tile(&["water"], vec![shape(12)])),
        ];
        let objects = vec![shape(60), shape(60)];
        let mut set = tileset([14, 10], tiles);
        let mut cells = |flags: u32| -> Vec<u32> {
            let mut cell = |_| random.u32(0..9).saturating_sub(3).min(4);
            let cells: Vec<u32> = (0..30).map(&mut cell).collect();
            cells.into_iter().map(|gid| if gid == 0 { 0 } else { gid | flags }).collect()
        };
        let flags = [0, flip::ALL, flip::DIAGONAL, flip::HORIZONTAL][turn % 4];
        let mut layers = vec![
            tile_layer("Ground", 6, &cells(flags)),
            tile_layer("Walls", 6, &cells(0)),
            object_layer("Walls too", objects),
        ];
        for layer in &mut layers {
            layer.offset.x = thousandths(random.i64(-9_000..9_000) * i64::from(random.bool()));
        }
        set.offset.x = random.i32(-3..3);
        let mut map = map([6, 5], set, layers);
        map.orientation = orientations[turn % 7];
        let mut options = options();
        options.solid_rules.layer_names.push("Walls*".to_owned());
        options.space = [Space::Map, Space::Screen][turn / 7 % 2];
        let built = build_one(&map, &options).unwrap();
        explained += check_reasons(&options, &built);
    }
    assert!(explained > 20_000, "{explained}");
}

#[test]
fn warnings_about_50_000_text_flags_are_counted_in_few_warnings_within_5_seconds() {
    let mut rules = options().solid_rules;
    rules.solid_properties.push("p*".to_owned());
    let mut warnings = Warnings::default();
    let start = std::time::Instant::now();
    for round in 0..2 {
        for name in 0..50_000 {
            let text = Property::new(PropertyValue::Text("true".to_owned()));
            let properties = BTreeMap::from([(format!("p{name}"), text)]);
            let place = Place { object: Some(round), ..Place::default() };
            warnings.flags(&properties, &rules, &place, true);
        }
    }
    let counts = warnings.all.iter().map(|warning| warning.count);
    assert_eq!(counts.clone().sum::<u64>(), 100_000);
    assert!(counts.take(64).all(|count| count == 2) && warnings.all.len() == 65);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn a_name_near_a_default_area_that_no_area_takes_gives_a_warning() {
    let mut options = options();
    options.areas = AreaRule::defaults();
    let warnings = |layer: &str, class: &str| {
        let mut thing = rectangle([0, 0, 4, 4]);
        thing.class = class.to_owned();
        let layers = vec![tile_layer(layer, 1, &[1]), object_layer("Things", vec![thing])];
        let map = map([1, 1], tileset([4, 4], []), layers);
        let built = build_one(&map, &options).unwrap();
        built.warnings.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    let help = "name or class it as the area, or say in the options what the area consists of";
    let watr = format!("the area `water` has nothing in it: `Watr` has another name; {help}");
    assert_eq!(warnings("Watr", ""), [watr]);
    let top = format!("the area `ladder` has nothing in it: `ladder_2` has another name; {help}");
    assert_eq!(warnings("Ground", "ladder_2"), [top]);
    for (layer, class) in [("Water", ""), ("Ladders", ""), ("Layer", "walker"), ("Later", "header")]
    {
        assert!(warnings(layer, class).is_empty(), "{layer} {class}");
    }
}

#[test]
fn an_empty_area_gives_a_warning_with_the_reason() {
    let rules = [
        AreaRule::new("water"),
        AreaRule {
            tiles: vec![TileIds::new("t\u{7}", 1..=2)],
            values: vec![PropertyIs::new("terrain", "wet")],
            ..AreaRule::named("sea")
        },
        AreaRule { classes: vec!["Lake".to_owned()], ..AreaRule::new("full") },
    ];
    let mut lake = rectangle([0, 0, 4, 4]);
    lake.class = "Lake".to_owned();
    let set = tileset([4, 4], [(0, tile(&["red"], Vec::new()))]);
    let layers = vec![tile_layer("Ground", 1, &[1]), object_layer("Things", vec![lake])];
    let map = map([1, 1], set, layers);
    let mut options = options();
    options.areas = rules.to_vec();
    let built = build_one(&map, &options).unwrap();
    let found: Vec<String> = built.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        found,
        [
            "the area `water` has nothing in it: of the level, its layers are `Ground`, `Things`; \
             its classes: `Lake`; its properties: `red`; use the same name in the map and in the rule",
            "the area `sea` has nothing in it: of the level, its layers are `Ground`, `Things`; \
             its classes: `Lake`; its properties: `red`; use the same name in the map and in the rule",
        ]
    );
    assert!(built.warnings.iter().all(|warning| warning.cause == WarningCause::EmptyArea));

    // An area need not be in every map of a world.
    let empty = self::map([1, 1], tileset([4, 4], []), vec![tile_layer("Ground", 1, &[0])]);
    let maps = [input(&empty, [0, 0], Some("a.tmx")), input(&map, [4, 0], Some("b.tmx"))];
    let built = build_all(&maps, &options).unwrap();
    let of_level: Vec<_> = built.warnings.iter().map(|warning| warning.file.clone()).collect();
    assert_eq!(of_level, [None, None]);
    let detail = built.warnings[1].detail.as_ref().unwrap();
    let layers = "of the level, the layers of its maps are `a.tmx/Ground`, `b.tmx/Ground`";
    assert!(detail.contains(layers), "{detail}");
}

#[test]
fn a_map_whose_only_solids_are_areas_for_some_bodies_is_accepted() {
    let mut pane = rectangle([4, 0, 4, 4]);
    pane.class = "glass".to_owned();
    let layers = vec![object_layer("Things", vec![pane])];
    let map = map([3, 1], tileset([4, 4], []), layers);
    let mut options = options();
    (options.allow_nothing_solid, options.areas) = (false, vec![AreaRule::named("glass")]);
    assert!(build_one(&map, &options).is_err(), "it stops nobody");
    options.areas[0].category = 6;
    let level = build_one(&map, &options).unwrap().level;
    assert_eq!(level.area_category("glass"), Some(6));
    let moved = |mask| {
        let body = Aabb::from_xywh(0, 0, 2, 2);
        level.solids_for(mask).sweep_aabb(body, Dir::Right, 99, true).moved
    };
    assert_eq!([0, 1, 2, 4].map(moved), [10, 10, 2, 2]);
}
