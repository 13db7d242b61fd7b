//! LDtk projects: the loaded level has their content, and broken projects are refused.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use bitwall::glam::{IVec2, UVec2};
use bitwall::load::{ReferenceKind, references};
use bitwall::property::PropertyValue;
use bitwall::render::{self, DrawOptions, Overlay, Pictures};
use bitwall::rules::{AreaRule, PropertyIs, SolidRules, TileIds};
use bitwall::tmx::{Decimal, LayerContent, flip};
use bitwall::{Grid, Level, Limits, LoadOptions, LoadedLevel};
use serde_json::{Value, json};

use crate::support::{even_blank, shared};

/// Returns an IntGrid layer with cells of 8 pixels.
fn int_grid(name: &str, [columns, rows]: [usize; 2], values: &[i64]) -> Value {
    json!({
        "__identifier": name, "__type": "IntGrid", "__cWid": columns, "__cHei": rows, "__gridSize": 8,
        "__opacity": 1, "__pxTotalOffsetX": 0, "__pxTotalOffsetY": 0, "__tilesetDefUid": 7,
        "layerDefUid": 1, "visible": true, "intGridCsv": values, "autoLayerTiles": [], "gridTiles": [],
        "entityInstances": [],
    })
}

fn level(name: &str, [x, y]: [i64; 2], [width, height]: [i64; 2], layers: Vec<Value>) -> Value {
    json!({
        "identifier": name, "worldX": x, "worldY": y, "worldDepth": 0, "pxWid": width, "pxHei": height,
        "__bgColor": "#102030", "bgRelPath": null, "__bgPos": null, "externalRelPath": null,
        "fieldInstances": [], "layerInstances": layers,
    })
}

/// Returns a project with IntGrid values, tags, and a tileset of 4 x 2 tiles.
fn project(layout: &str, levels: Vec<Value>) -> Value {
    json!({
        "__header__": {"fileType": "LDtk Project JSON"}, "jsonVersion": "1.5.3", "worldLayout": layout,
        "defs": {
            "layers": [{
                "uid": 1, "identifier": "Collisions", "intGridValues": [
                    {"value": 1, "identifier": "wall", "color": "#AA0000", "groupUid": 0},
                    {"value": 2, "identifier": "ladder", "color": "#00bb00", "groupUid": 3},
                    {"value": 3, "identifier": null, "color": "#0000cc", "groupUid": 0},
                ],
                "intGridValuesGroups": [{"uid": 3, "identifier": "climbable", "color": null}],
            }],
            "tilesets": [
                {
                    "uid": 7, "identifier": "Cave", "relPath": "cave.png", "pxWid": 32, "pxHei": 16,
                    "tileGridSize": 8, "spacing": 0, "padding": 0,
                    "enumTags": [{"enumValueId": "Solid", "tileIds": [2]}],
                    "customData": [{"tileId": 3, "data": "sound=stone"}],
                },
                {"uid": 8, "identifier": "Icons", "relPath": null, "embedAtlas": "LdtkIcons"},
            ],
        },
        "levels": levels, "worlds": [],
    })
}

/// Returns a project with one level of 4 x 2 cells.
fn room(layers: Vec<Value>) -> Value {
    project("Free", vec![level("Room", [0, 0], [32, 16], layers)])
}

fn tile([x, y]: [i64; 2], id: i64, flips: i64, opacity: f64) -> Value {
    json!({"px": [x, y], "src": [0, 0], "f": flips, "t": id, "d": [0], "a": opacity})
}

fn of_type(kind: &str, list: &str, tiles: Vec<Value>) -> Value {
    let mut layer = int_grid("Ground", [4, 2], &[]);
    layer["__type"] = kind.into();
    layer[list] = tiles.into();
    layer
}

fn load(project: &Value, options: &LoadOptions) -> LoadedLevel {
    LoadedLevel::decode("maps/p.ldtk", project.to_string().as_bytes(), (), options).unwrap()
}

fn error(project: &Value, options: &LoadOptions) -> String {
    let bytes = project.to_string();
    let loaded = LoadedLevel::decode("maps/p.ldtk", bytes.as_bytes(), (), options);
    loaded.map_or_else(|error| error.to_string(), |_| "it loads".to_owned())
}

fn drawn(project: &Value, options: &LoadOptions) -> String {
    load(project, options).level.grid().to_string()
}

const VALUES: [i64; 8] = [0, 1, 2, 3, 1, 0, 0, 2];

#[test]
fn the_name_of_an_int_grid_value_overrules_the_name_of_its_layer() {
    let named = room(vec![int_grid("Collisions", [4, 2], &VALUES)]);
    // For a value without a name, the name of the layer counts.
    assert_eq!(drawn(&named, &LoadOptions::default()), ".#.#\n#...");
    let other = room(vec![int_grid("Terrain", [4, 2], &VALUES)]);
    assert_eq!(drawn(&other, &LoadOptions::default()), ".#..\n#...");
    let mut compound = other;
    compound["defs"]["layers"][0]["intGridValues"][2]["identifier"] = "PermanentWall".into();
    assert_eq!(drawn(&compound, &LoadOptions::default()), ".#.#\n#...");
    // If the user's own rules name the layer, that beats the names of values.
    let mut rules = SolidRules::default();
    rules.layer_names.push("Collisions".to_owned());
    rules.author_words.push("Collisions".to_owned());
    let options = LoadOptions { solid_rules: rules, ..LoadOptions::default() };
    assert_eq!(drawn(&named, &options), ".###\n#..#");
}

#[test]
fn a_group_of_values_with_the_name_of_a_solid_is_solid_and_so_is_any_tag_of_a_tile() {
    let mut grouped = room(vec![int_grid("Terrain", [4, 2], &VALUES)]);
    grouped["defs"]["layers"][0]["intGridValuesGroups"][0]["identifier"] = "Walls".into();
    assert_eq!(drawn(&grouped, &LoadOptions::default()), ".##.\n#..#");
    let tiles = vec![tile([8, 8], 2, 0, 1.0)];
    let mut tagged = room(vec![of_type("Tiles", "gridTiles", tiles)]);
    tagged["defs"]["tilesets"][0]["enumTags"] = json!([
        {"enumValueId": "Grass", "tileIds": [1, 2]}, {"enumValueId": "Walls", "tileIds": [2]},
    ]);
    assert_eq!(drawn(&tagged, &LoadOptions::default()), "....\n.#..");
}

#[test]
fn the_only_int_grid_is_solid_where_nothing_else_is_but_not_its_ladders() {
    let mut only = room(vec![int_grid("Terrain", [4, 2], &VALUES)]);
    only["defs"]["layers"][0]["intGridValues"][0]["identifier"] = "rock".into();
    assert_eq!(drawn(&only, &LoadOptions::default()), ".#.#\n#...");
    let loaded = load(&only, &LoadOptions::default());
    assert_eq!(loaded.warnings.len(), 1, "{:?}", loaded.warnings);
    // Of two layers, none is the only one, unless one has the name of a solid.
    for (name, expected) in [("Biome", "...."), ("Collisions", ".#..")] {
        let layers = [("Terrain", &VALUES), (name, &[0, 1, 2, 0, 0, 0, 0, 0])];
        let layers = layers.map(|(name, values)| int_grid(name, [4, 2], values)).to_vec();
        only["levels"][0]["layerInstances"] = layers.into();
        assert_eq!(drawn(&only, &even_blank()).lines().next(), Some(expected), "{name}");
    }
    // Tags of drawn tiles count after the IntGrid.
    let mut drawn_tiles = of_type("Tiles", "gridTiles", vec![tile([0, 0], 2, 0, 1.0)]);
    drawn_tiles["__identifier"] = "Art".into();
    let grid = int_grid("Terrain", [4, 2], &[0, 1, 0, 0, 0, 0, 0, 0]);
    only["levels"][0]["layerInstances"] = json!([grid, drawn_tiles]);
    assert_eq!(drawn(&only, &LoadOptions::default()), ".#..\n....");
    only["levels"][0]["layerInstances"][0] = int_grid("Terrain", [4, 2], &[0; 8]);
    assert_eq!(drawn(&only, &LoadOptions::default()), "#...\n....");
}

#[test]
fn a_rule_names_a_value_by_its_name_its_number_its_colour_or_its_group() {
    let room = room(vec![int_grid("Terrain", [4, 2], &VALUES)]);
    let with = |change: &dyn Fn(&mut SolidRules)| {
        let mut rules = SolidRules::none();
        change(&mut rules);
        drawn(&room, &LoadOptions { solid_rules: rules, ..even_blank() })
    };
    let ladders = "..#.\n...#";
    assert_eq!(with(&|_| {}), "....\n....");
    assert_eq!(with(&|rules| rules.tile_classes.push("Ladder".to_owned())), ladders);
    assert_eq!(with(&|rules| rules.solid_tiles.push(TileIds::new("Terrain", 2..=2))), ladders);
    assert_eq!(
        with(&|rules| rules.solid_values.push(PropertyIs::new("color", "#00BB00"))),
        ladders
    );
    assert_eq!(with(&|rules| rules.solid_values.push(PropertyIs::new("value", "2"))), ladders);
    assert_eq!(with(&|rules| rules.solid_properties.push("climbable".to_owned())), ladders);
}

#[test]
fn a_value_makes_an_area_and_the_reason_names_it() {
    let room = room(vec![int_grid("Collisions", [4, 2], &VALUES)]);
    let options = LoadOptions { areas: vec![AreaRule::named("ladder")], ..LoadOptions::default() };
    let loaded = load(&room, &options);
    assert_eq!(loaded.level.area("ladder").unwrap().grid().to_string(), "..#.\n...#");
    let reason = loaded.provenance(IVec2::new(1, 0)).unwrap();
    assert_eq!((reason.layer.as_str(), reason.because.as_str()), ("Collisions", "class `wall`"));
    assert_eq!(loaded.map().unwrap().background, Some([16, 32, 48, 255]));
}

#[test]
fn a_hidden_int_grid_is_as_solid_as_a_visible_one() {
    let mut hidden = int_grid("Terrain", [4, 2], &VALUES);
    hidden["visible"] = false.into();
    assert_eq!(drawn(&room(vec![hidden]), &LoadOptions::default()), ".#..\n#...");
}

#[test]
fn a_value_is_drawn_in_its_colour_where_its_layer_is_visible_and_has_no_auto_tiles() {
    let pixel = |project: &Value, at: u32| {
        let pictures = Pictures::new();
        let overlay = Overlay::none(1);
        let options = DrawOptions { pictures: Some(&pictures), overlay, ..DrawOptions::default() };
        render::draw(&load(project, &even_blank()), &options).unwrap().get_pixel(at, 4).0
    };
    let background = [16, 32, 48, 255];
    let mut values = int_grid("Terrain", [4, 2], &VALUES);
    let shown = room(vec![values.clone()]);
    let colors = [0, 8, 16, 24].map(|at| pixel(&shown, at));
    let [wall, ladder, water] = [[170, 0, 0, 255], [0, 187, 0, 255], [0, 0, 204, 255]];
    assert_eq!(colors, [background, wall, ladder, water]);
    values["visible"] = false.into();
    assert_eq!(pixel(&room(vec![values.clone()]), 8), background);
    values["visible"] = true.into();
    values["autoLayerTiles"] = vec![tile([0, 8], 1, 0, 1.0)].into();
    assert_eq!(pixel(&room(vec![values]), 8), background);
}

#[test]
fn grids_of_different_sizes_share_the_cells_of_the_finer_one_and_end_at_the_levels_border() {
    let mut coarse = int_grid("Coarse", [2, 1], &[0, 1]);
    coarse["__gridSize"] = 16.into();
    let fine = int_grid("Fine", [3, 2], &[1, 0, 0, 0, 0, 0]);
    // The last cell of the coarse layer is half outside the level.
    let level = level("Room", [0, 0], [24, 16], vec![coarse, fine]);
    let loaded = load(&project("Free", vec![level]), &LoadOptions::default());
    assert_eq!(loaded.level.cell_size(), UVec2::splat(8));
    assert_eq!(loaded.level.grid().to_string(), "#.#\n..#");
}

#[test]
fn tiles_over_each_other_make_layers_in_their_order_with_their_flips() {
    let tiles = vec![
        tile([0, 0], 1, 0, 1.0),
        tile([8, 0], 1, 1, 1.0),
        tile([0, 0], 3, 2, 1.0),
        tile([4, 0], 0, 3, 1.0),
        tile([8, 0], 1, 0, 0.5),
        tile([8, 0], 4, 0, 1.0),
    ];
    let loaded = load(&room(vec![of_type("AutoLayer", "autoLayerTiles", tiles)]), &even_blank());
    assert!(loaded.level.markers().is_empty(), "tiles of a picture are no markers");
    let map = loaded.map().unwrap();
    assert_eq!(map.layers.len(), 4);
    assert!(map.layers.iter().all(|layer| layer.name == "auto tiles of Ground"));
    let cells = |index: usize| match &map.layers[index].content {
        LayerContent::Tiles(tiles) => tiles.blocks[0].cells[..2].to_vec(),
        other => panic!("{other:?}"),
    };
    assert_eq!(cells(0), [2, 2 | flip::HORIZONTAL]);
    assert_eq!(cells(1), [4 | flip::VERTICAL, 0]);
    let LayerContent::Objects(objects) = &map.layers[2].content else { panic!() };
    let shown = |index: usize| {
        let object = &objects.objects[index];
        (object.position.x, object.gid, object.opacity)
    };
    let turned = 1 | flip::HORIZONTAL | flip::VERTICAL;
    assert_eq!(shown(0), (Decimal::from_pixels(4), Some(turned), 1.0));
    assert_eq!(shown(1), (Decimal::from_pixels(8), Some(2), 0.5));
    assert_eq!(cells(3), [0, 5]);
}

#[test]
fn a_tag_of_a_tile_is_its_class_and_a_flag_and_custom_data_is_a_property() {
    let tiles = vec![tile([8, 8], 2, 0, 1.0), tile([0, 0], 3, 0, 1.0)];
    let room = room(vec![of_type("Tiles", "gridTiles", tiles)]);
    let loaded = load(&room, &LoadOptions::default());
    assert_eq!(loaded.level.grid().to_string(), "....\n.#..");
    let tileset = &loaded.map().unwrap().tilesets[0];
    assert_eq!((tileset.name.as_str(), tileset.tiles[&2].class.as_str()), ("Cave", "Solid"));
    let data = &tileset.tiles[&3].properties["customData"].value;
    assert_eq!(*data, PropertyValue::Text("sound=stone".to_owned()));
}

#[test]
fn levels_share_the_tiles_that_the_project_defines_and_have_only_those_that_they_use() {
    let layers = |id| {
        let tiles = of_type("Tiles", "gridTiles", vec![tile([0, 0], id, 0, 1.0)]);
        vec![tiles, int_grid("Terrain", [4, 2], &VALUES), int_grid("Copy", [4, 2], &[1; 8])]
    };
    let levels = vec![
        level("A", [0, 0], [32, 16], layers(2)),
        level("B", [32, 0], [32, 16], layers(2)),
        level("C", [64, 0], [32, 16], layers(3)),
    ];
    let loaded = load(&project("Free", levels), &LoadOptions::default());
    let sets = |map: usize| &loaded.maps[map].map.tilesets;
    let ids = |map: usize, set: usize| sets(map)[set].tiles.keys().copied().collect::<Vec<_>>();
    assert_eq!((ids(0, 0), ids(0, 1), ids(0, 2)), (vec![1], vec![1, 2, 3], vec![2]));
    assert_eq!((ids(1, 2), ids(2, 2)), (vec![2], vec![3]));
    let wall = &sets(0)[0].tiles[&1];
    for other in [&sets(0)[1].tiles[&1], &sets(1)[0].tiles[&1], &sets(2)[1].tiles[&1]] {
        assert!(Arc::ptr_eq(wall, other));
    }
    assert!(Arc::ptr_eq(&sets(0)[2].tiles[&2], &sets(1)[2].tiles[&2]));
}

#[test]
fn auto_tiles_are_not_solid_even_if_their_layer_has_the_name_of_a_solid() {
    let mut layer = int_grid("Collisions", [4, 2], &[2, 2, 2, 2, 1, 0, 0, 0]);
    layer["autoLayerTiles"] = vec![tile([0, 0], 1, 0, 1.0)].into();
    assert_eq!(drawn(&room(vec![layer]), &LoadOptions::default()), "....\n#...");
}

#[test]
fn an_entity_is_a_marker_at_its_box_with_its_fields_and_tags() {
    let field = |name: &str, kind: &str, value: Value| json!({"__identifier": name, "__type": kind, "__value": value, "defUid": 1});
    let mut layer = of_type(
        "Entities",
        "entityInstances",
        vec![
            json!({
                "__identifier": "Player", "__pivot": [0.5, 1], "__tags": ["hero"], "iid": "p-1",
                "px": [12, 16], "width": 8, "height": 12, "fieldInstances": [
                    field("lives", "Int", 3.into()), field("speed", "Float", 2.into()),
                    field("looks", "LocalEnum.Side", "Left".into()), field("tint", "Color", "#a0B0c0".into()),
                    field("unset", "String", Value::Null), field("is_boss", "Bool", false.into()),
                    field("path", "Array<Point>", json!([{"cx": 1, "cy": 2}, null])),
                    field("twin", "EntityRef", json!({"entityIid": "p-2", "layerIid": "l", "levelIid": "v",
                        "worldIid": "w"})),
                ],
            }),
            json!({
                "__identifier": "Twin", "__pivot": [0, 0], "__tags": [], "iid": "p-2", "px": [0, 0], "width": 8,
                "height": 8, "fieldInstances": [],
            }),
            json!({
                "__identifier": "Wall", "__pivot": [0, 0], "__tags": [], "px": [24, 0], "width": 8, "height": 8,
                "fieldInstances": [],
            }),
        ],
    );
    layer["__pxTotalOffsetX"] = 1.into();
    let loaded = load(&room(vec![layer]), &LoadOptions::default());
    let player = loaded.level.marker("Player").unwrap();
    assert_eq!((player.area.min, player.area.size()), (IVec2::new(9, 4), UVec2::new(8, 12)));
    assert_eq!((player.class.as_str(), player.layer.as_str()), ("Player", "Ground"));
    let text = |text: &str| PropertyValue::Text(text.to_owned());
    let expected = [
        ("hero", PropertyValue::Bool(true)),
        ("iid", text("p-1")),
        ("is_boss", PropertyValue::Bool(false)),
        ("lives", PropertyValue::Int(3)),
        ("looks", text("Left")),
        // The middle of cell (1, 2), moved with the layer.
        ("path", PropertyValue::List(vec![PropertyValue::Point(IVec2::new(13, 20))])),
        ("speed", PropertyValue::Float(2.0)),
        ("tint", PropertyValue::Color("#ffa0B0c0".to_owned())),
    ];
    let expected = expected.map(|(name, value)| (name.to_owned(), value));
    let twin = loaded.level.marker("Twin").unwrap();
    assert_eq!(loaded.level.referred(player, "twin"), [twin]);
    let mut properties = player.properties.clone();
    properties.remove("twin");
    assert_eq!(properties, BTreeMap::from(expected));
    assert_eq!((player.i32("lives"), player.str("looks")), (Some(3), Some("Left")));
    // A level that is placed in another takes its points along.
    let grid = Grid::new(99, 99).unwrap();
    let mut outer = Level::from_grid(grid, loaded.level.cell_size()).unwrap();
    outer.place(&loaded.level, IVec2::new(2, 1)).unwrap();
    let moved = outer.marker("Player").unwrap();
    let shift = IVec2::new(2, 1) * outer.cell_size().as_ivec2();
    let path = PropertyValue::List(vec![PropertyValue::Point(IVec2::new(13, 20) + shift)]);
    assert_eq!((moved.area.min - player.area.min, &moved.properties["path"]), (shift, &path));
    // An entity with a name for solids is solid.
    assert!(loaded.level.is_solid(IVec2::new(25, 0)) && !loaded.level.is_solid(IVec2::new(24, 0)));
    assert_eq!(loaded.map().unwrap().layers[0].name, "Ground");
}

fn cave(name: &str, place: [i64; 2]) -> Value {
    level(name, place, [16, 8], vec![int_grid("Walls", [2, 1], &[3, 0])])
}

#[test]
fn the_layout_of_a_world_decides_where_its_levels_lie() {
    let levels = || vec![cave("A", [-16, 8]), cave("B", [0, 16]), cave("C", [16, 0])];
    for (layout, origin, expected) in [
        ("GridVania", [-16, 0], "....#.\n#.....\n..#..."),
        ("Free", [-16, 0], "....#.\n#.....\n..#..."),
        ("LinearHorizontal", [0, 0], "#.#.#."),
        ("LinearVertical", [0, 0], "#.\n#.\n#."),
    ] {
        let loaded = load(&project(layout, levels()), &LoadOptions::default());
        assert_eq!(loaded.level.grid().to_string(), expected, "{layout}");
        assert_eq!(loaded.level.origin(), IVec2::from(origin), "{layout}");
        let names: Vec<_> = loaded.maps.iter().map(|map| map.file.clone().unwrap()).collect();
        assert_eq!(names, ["A", "B", "C"], "{layout}");
    }
}

#[test]
fn a_named_level_is_loaded_alone_and_other_depths_only_by_name() {
    let mut deep = cave("Cellar", [0, 0]);
    deep["worldDepth"] = (-1).into();
    let project = project("Free", vec![deep, cave("A", [0, 0]), cave("B", [16, 0])]);
    let loaded = load(&project, &LoadOptions::default());
    assert_eq!(loaded.level.grid().to_string(), "#.#.");
    let warning = loaded.warnings[0].to_string();
    assert!(warning.contains("not loaded: `Cellar`"), "{warning}");
    let named =
        |name: &str| LoadOptions { levels: vec![name.to_owned()], ..LoadOptions::default() };
    let cellar = load(&project, &named("Cellar"));
    assert_eq!(cellar.level.grid().to_string(), "#.");
    assert!(
        cellar.projection().is_some() && cellar.warnings.is_empty(),
        "it is a map, not a world"
    );
    let error = error(&project, &named("Attic"));
    assert!(error.contains("no level is `Attic`; the levels are `Cellar`, `A`, `B`"), "{error}");
}

#[test]
fn the_first_of_several_worlds_is_loaded_and_another_by_its_name() {
    let mut all = project("", vec![]);
    let world = |name: &str, level: Value| json!({"identifier": name, "worldLayout": "Free", "levels": [level, cave("End", [64, 0])]});
    all["worlds"] = vec![world("Land", cave("A", [0, 0])), world("Sea", cave("B", [32, 0]))].into();
    all["worldLayout"] = Value::Null;
    assert_eq!(load(&all, &LoadOptions::default()).level.size(), UVec2::new(80, 8));
    let options = LoadOptions { levels: vec!["Sea".to_owned()], ..LoadOptions::default() };
    assert_eq!(load(&all, &options).level.size(), UVec2::new(48, 8));
}

#[test]
fn a_level_in_its_own_file_is_read_through_the_callers_files_and_listed_by_references() {
    let mut stub = cave("A", [0, 0]);
    stub["layerInstances"] = Value::Null;
    stub["externalRelPath"] = "p/A.ldtkl".into();
    let project = project("Free", vec![stub]).to_string();
    let listed = references("maps/p.ldtk", project.as_bytes());
    let paths: Vec<_> = listed.iter().map(|file| (file.path.as_path(), file.kind)).collect();
    let art = (Path::new("maps/cave.png"), ReferenceKind::Art);
    assert_eq!(paths, [art, (Path::new("maps/p/A.ldtkl"), ReferenceKind::Map)]);
    let files = |content: Value| BTreeMap::from([("maps/p/A.ldtkl", content.to_string())]);
    let decode = |content: Value| {
        let bytes = project.as_bytes();
        let files = files(content);
        LoadedLevel::decode("maps/p.ldtk", bytes, files, &LoadOptions::default())
    };
    let loaded = decode(cave("A", [0, 0])).unwrap();
    assert_eq!(loaded.level.grid().to_string(), "#.");
    // Pictures are relative to the project file, not to the level file.
    let mut own = cave("A", [0, 0]);
    own["layerInstances"][0]["autoLayerTiles"] = vec![tile([0, 0], 1, 0, 1.0)].into();
    let map = decode(own).unwrap();
    let image = map.map().unwrap().tilesets[1].image.as_ref().unwrap();
    assert_eq!(image.path, PathBuf::from("maps/cave.png"));
    // A level file that names another file instead of its layers is refused.
    let mut cycle = cave("A", [0, 0]);
    cycle["layerInstances"] = Value::Null;
    cycle["externalRelPath"] = "A.ldtkl".into();
    let error = decode(cycle).unwrap_err();
    assert_eq!(error.path(), Path::new("maps/p/A.ldtkl"));
    assert!(error.to_string().contains("a level without `layerInstances`"), "{error}");
    // A file that each of many levels names would be read as often.
    let twice = project.replace(
        r#""levels":["#,
        r#""levels":[{"externalRelPath":"p/./A.ldtkl","worldX":0,
        "worldY":0,"pxWid":8,"pxHei":8},"#,
    );
    let twice = Level::decode("maps/p.ldtk", twice.as_bytes(), (), &LoadOptions::default());
    let twice = twice.unwrap_err().to_string();
    assert!(twice.contains("two levels in the file `p/A.ldtkl`"), "{twice}");
    let missing =
        LoadedLevel::decode("maps/p.ldtk", project.as_bytes(), (), &LoadOptions::default());
    let missing = missing.unwrap_err().to_string();
    assert!(missing.contains("A.ldtkl"), "{missing}");
    let alone = Level::decode(
        "A.ldtkl",
        cave("A", [0, 0]).to_string().as_bytes(),
        (),
        &LoadOptions::default(),
    );
    let alone = alone.unwrap_err().to_string();
    assert!(alone.contains("a level without its project"), "{alone}");
}

/// Returns changes that break a project: the path of a value, its new value, and a part of the expected
/// error.
fn broken() -> Vec<(&'static str, Value, &'static str)> {
    let deep = (0..60).fold(json!(1), |value, _| json!([value]));
    vec![
        ("", json!([]), "a file of another kind"),
        ("/defs", Value::Null, "a level without its project"),
        ("/defs", json!(3), "definitions that is not an object"),
        ("/levels", Value::Null, "without levels"),
        ("/levels", json!({}), "`levels` of a project is not a list"),
        ("/levels/0", json!("x"), "a level that is not an object"),
        ("/worldLayout", json!("Round"), "layout `Round`"),
        ("/worldLayout", json!(4), "not a text"),
        ("/worlds", json!([7]), "a world that is not an object"),
        ("/levels/0/identifier", json!({}), "not a text"),
        ("/levels/0/worldX", json!("left"), "not a whole number"),
        ("/levels/0/worldX", json!(1e300), "not a whole number"),
        ("/levels/0/worldY", Value::Null, "without `worldY`"),
        ("/levels/0/pxWid", json!(0), "not from 1 to"),
        ("/levels/0/pxWid", json!(-8), "not a whole number"),
        ("/levels/0/pxHei", json!(1u64 << 40), "not a whole number"),
        ("/levels/0/pxHei", json!(4_000_000), "cells in the width or height"),
        ("/levels/0/layerInstances", json!(true), "not a list"),
        ("/levels/0/layerInstances/0", json!([]), "a layer that is not an object"),
        ("/levels/0/layerInstances/0/__type", json!("Sound"), "type `Sound`"),
        ("/levels/0/layerInstances/0/__type", Value::Null, "a layer of the type"),
        ("/levels/0/layerInstances/0/__gridSize", json!(0), "not from 1 to"),
        ("/levels/0/layerInstances/0/__gridSize", json!(100_000), "not from 1 to"),
        ("/levels/0/layerInstances/0/__cWid", json!(5), "which needs 10"),
        ("/levels/0/layerInstances/0/__cWid", json!(3), "more than 6 cells"),
        ("/levels/0/layerInstances/0/__cHei", json!(99_999), "not from 0 to"),
        ("/levels/0/layerInstances/0/visible", json!("yes"), "not true or false"),
        ("/levels/0/layerInstances/0/__pxTotalOffsetX", json!(1u64 << 30), "offset of a layer"),
        ("/levels/0/layerInstances/0/layerDefUid", Value::Null, "without `layerDefUid`"),
        ("/levels/0/layerInstances/0/intGridCsv", json!([1, "a"]), "not a list of whole numbers"),
        ("/levels/0/layerInstances/0/intGridCsv", json!([1, -1]), "no whole number from 0"),
        ("/levels/0/layerInstances/0/intGridCsv", json!([1, 1_000_000]), "no whole number from 0"),
        ("/levels/0/layerInstances/0/intGridCsv", json!([]), "0 cells for 4 x 2"),
        ("/levels/0/layerInstances/0/autoLayerTiles/0", json!(1), "a tile that is not an object"),
        ("/levels/0/layerInstances/0/autoLayerTiles/0/px", json!([1]), "not a list of 2 numbers"),
        ("/levels/0/layerInstances/0/autoLayerTiles/0/px", json!([1e30, 0]), "not a list of 2"),
        ("/levels/0/layerInstances/0/autoLayerTiles/0/t", json!(99), "which has 8 tiles"),
        ("/levels/0/layerInstances/0/autoLayerTiles/0/t", Value::Null, "without `t`"),
        ("/levels/0/layerInstances/1/entityInstances/0/width", json!(-1), "not a whole number"),
        ("/levels/0/layerInstances/1/entityInstances/0/__pivot", json!({}), "not a list"),
        ("/levels/0/layerInstances/1/entityInstances/0/__tags", json!(5), "not a list"),
        (
            "/levels/0/layerInstances/1/entityInstances/0/fieldInstances",
            json!([{"__identifier": "f", "__type": "Int", "__value": deep}]),
            "lists within lists",
        ),
        ("/defs/layers/0/intGridValues/0/value", json!(0), "not from 1 to"),
        ("/defs/layers/0/uid", json!("one"), "not a whole number"),
        ("/defs/tilesets/0/tileGridSize", json!(0), "not from 1 to"),
        ("/defs/tilesets/0/pxWid", json!(4_000_000), "tiles in a tileset"),
        ("/defs/tilesets/0/enumTags/0/tileIds", json!([{}]), "a tag of a tile without a number"),
        ("/levels/0/externalRelPath", json!("C:\\x.ldtkl"), "x.ldtkl"),
        ("/levels/0/identifier", json!("n".repeat(1_025)), "bytes in a name: 1025"),
        ("/levels/0/externalRelPath", json!("gone.ldtkl"), "gone.ldtkl"),
    ]
}

#[test]
fn a_broken_project_is_an_error_that_names_file_line_and_remedy() {
    let mut grid = int_grid("Collisions", [4, 2], &VALUES);
    grid["autoLayerTiles"] = vec![tile([0, 0], 1, 0, 1.0)].into();
    let entity = json!({"__identifier": "E", "__pivot": [0, 0], "__tags": [], "px": [0, 0], "width": 8,
        "height": 8, "fieldInstances": []});
    let mut level = level(
        "Room",
        [0, 0],
        [32, 16],
        vec![grid, of_type("Entities", "entityInstances", vec![entity])],
    );
    level["fieldInstances"] = json!([{"__identifier": "f", "__type": "Int", "__value": 1}]);
    level["bgRelPath"] = "bg.png".into();
    level["__bgPos"] = json!({"topLeftPx": [0, 0], "scale": [1, 1], "cropRect": [0, 0, 32, 16]});
    let sound = project("Free", vec![level]);
    assert_eq!(drawn(&sound, &LoadOptions::default()), ".#.#\n#...");
    let variants = broken();
    assert!(variants.len() >= 40);
    let mut faults = Vec::new();
    for (path, value, expected) in variants {
        let mut project = sound.clone();
        *project.pointer_mut(path).unwrap_or_else(|| panic!("{path}")) = value.clone();
        let error = error(&project, &LoadOptions::default());
        let is_placed = error.starts_with("maps/p.ldtk: ") && error.contains("; ");
        if !error.contains(expected) || !is_placed {
            faults.push(format!("{path} = {value}: {error}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // A truncated file is an error at any length.
    let text = sound.to_string();
    for length in (1..text.len()).step_by(7) {
        let cut = &text.as_bytes()[..length];
        assert!(Level::decode("p.ldtk", cut, (), &LoadOptions::default()).is_err(), "{length}");
    }
}

#[test]
fn an_error_names_the_line_and_the_layer() {
    let project = room(vec![int_grid("Collisions", [4, 2], &[1, 2])]);
    let text = serde_json::to_string_pretty(&project).unwrap();
    let error = Level::decode("p.ldtk", text.as_bytes(), (), &LoadOptions::default()).unwrap_err();
    let line = error.place().line.unwrap().0 as usize;
    assert!(text.lines().skip(line - 1).take(20).any(|line| line.contains("__cHei")), "{error}");
    assert_eq!(error.place().layer.as_deref(), Some("Collisions"));
}

#[test]
fn the_load_limits_apply_to_levels_of_ldtk() {
    let sized =
        level("Room", [0, 0], [80_000, 80_000], vec![int_grid("Walls", [10_000, 10_000], &[1])]);
    let error_of =
        |project: &Value, limits: Limits| error(project, &LoadOptions { limits, ..even_blank() });
    let found = error_of(&project("Free", vec![sized]), Limits::default());
    assert!(found.contains("tiles in all layers"), "{found}");
    let tiles = (0..200).map(|_| tile([3, 0], 1, 0, 1.0)).collect();
    let limits = Limits { objects: 100, ..Limits::default() };
    let found = error_of(&room(vec![of_type("Tiles", "gridTiles", tiles)]), limits);
    assert!(found.contains("the limit `objects`"), "{found}");
    let tiles = (0..2_000).map(|_| tile([0, 0], 1, 0, 1.0)).collect();
    let found = error_of(&room(vec![of_type("Tiles", "gridTiles", tiles)]), Limits::default());
    assert!(found.contains("layers"), "{found}");
    let limits = Limits { bytes: 1_000, ..Limits::default() };
    let found = error_of(&room(vec![]), limits);
    assert!(found.contains("limit `bytes`"), "{found}");
}

#[test]
fn maps_placed_by_from_maps_give_the_same_level_as_their_world() {
    let options = LoadOptions::default();
    let world = project("Free", vec![cave("A", [-16, 8]), cave("B", [0, 16])]);
    let loaded = load(&world, &options);
    let maps = ["A", "B"].into_iter().zip([IVec2::new(-16, 8), IVec2::new(0, 16)]);
    let maps = maps.map(|(name, place)| {
        let options = LoadOptions { levels: vec![name.to_owned()], ..LoadOptions::default() };
        (load(&world, &options).map().unwrap().clone(), place)
    });
    let made = LoadedLevel::from_maps(maps, &options).unwrap();
    assert_eq!(made.level.grid(), loaded.level.grid());
    assert_eq!(made.level.origin(), loaded.level.origin());
    let none = LoadedLevel::from_maps([], &options).unwrap_err().to_string();
    assert!(none.contains("map: "), "{none}");
}

/// Returns the levels of a project, read by the test itself: name, world position, depth and layers.
fn levels_of(path: &Path, project: &Value) -> Vec<Value> {
    let mut worlds = vec![project.clone()];
    worlds.extend(project["worlds"].as_array().cloned().unwrap_or_default());
    let levels = worlds.iter().flat_map(|world| world["levels"].as_array().unwrap().clone());
    let whole = levels.map(|level| match level["externalRelPath"].as_str() {
        Some(file) => {
            let bytes = fs::read(path.parent().unwrap().join(file)).unwrap();
            serde_json::from_slice(&bytes).unwrap()
        }
        None => level,
    });
    whole.collect()
}

#[test]
fn every_sample_of_ldtk_opens_with_the_solid_cells_of_its_int_grids() {
    let Some(folder) = shared("ldtk") else { return };
    let (mut projects, mut levels, mut cells, mut solid) = (0, 0, 0u64, 0u64);
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|end| end != "ldtk") {
            continue;
        }
        projects += 1;
        let project: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        LoadedLevel::load(&path, &LoadOptions::default()).unwrap();
        for level in levels_of(&path, &project) {
            levels += 1;
            let name = level["identifier"].as_str().unwrap().to_owned();
            // Makes an area of each value in each layer, by number.
            for layer in level["layerInstances"].as_array().unwrap() {
                let values: Vec<u64> = serde_json::from_value(layer["intGridCsv"].clone()).unwrap();
                let number = |name: &str| layer[name].as_u64().unwrap() as u32;
                for value in
                    values.iter().copied().filter(|value| *value > 0).collect::<BTreeSet<_>>()
                {
                    let of_layer = layer["__identifier"].as_str().unwrap();
                    let mut rules = SolidRules::none();
                    rules.solid_tiles.push(TileIds::new(of_layer, value as u32..=value as u32));
                    let options = LoadOptions {
                        levels: vec![name.clone()],
                        solid_rules: rules,
                        ..LoadOptions::default()
                    };
                    let loaded = LoadedLevel::load(&path, &options).unwrap().level;
                    let (columns, side) = (number("__cWid"), number("__gridSize"));
                    let offset = ["__pxTotalOffsetX", "__pxTotalOffsetY"]
                        .map(|name| layer[name].as_i64().unwrap() as i32);
                    for (index, found) in values.iter().enumerate() {
                        let cell = UVec2::new(index as u32 % columns, index as u32 / columns);
                        let pixel = (cell * side).as_ivec2() + IVec2::from(offset);
                        let is_inside = pixel.cmplt(loaded.size().as_ivec2()).all();
                        assert!(
                            !is_inside || loaded.is_solid(pixel) == (*found == value),
                            "{path:?} {name} {pixel}"
                        );
                        cells += u64::from(is_inside);
                        solid += u64::from(is_inside && *found == value);
                    }
                }
            }
        }
    }
    println!("{projects} projects, {levels} levels, {cells} cells compared, {solid} solid");
    assert!(projects >= 14 && levels > 50 && solid > 10_000);
}
