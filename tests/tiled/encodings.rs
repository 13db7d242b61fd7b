//! One map gives the same level in every form in which Tiled can save it.

use bitwall::glam::IVec2;
use bitwall::tmx::{PlacedTile, Space};
use bitwall::{Dir, LoadOptions, LoadedLevel, rules::AreaRule};
use serde_json::{Value, json};

use super::saved::{Chunks, Data, Form, Tilesets, save};
use crate::support::{places, tile_at};

const SIZE: [i64; 2] = [11, 9];
const TILE: [i64; 2] = [8, 6];
const FLIPS: [u32; 8] = [0, 1, 2, 3, 4, 5, 6, 7];

/// What a map contains besides whole cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Content {
    /// Nothing else, so the level has cells of the tile size.
    Whole,
    /// Collision shapes, objects of all kinds and fractional offsets, so the level has cells of one pixel.
    Fine,
}

/// Returns a property of a tile or an object.
fn property(name: &str, kind: &str, value: impl Into<Value>) -> Value {
    json!({"name": name, "type": kind, "value": value.into()})
}

fn rectangle(id: u32, kind: &str, x: f64, y: f64, w: f64, h: f64) -> Value {
    json!({"id": id, "name": format!("o{id}"), "type": kind, "x": x, "y": y, "width": w, "height": h,
        "rotation": 0, "visible": true})
}

/// Returns the object with one more field.
fn with(mut object: Value, key: &str, value: Value) -> Value {
    object[key] = value;
    object
}

/// Returns two tilesets: one with a single picture, and a collection of pictures whose tile ids start at 100.
fn tilesets(content: Content) -> Value {
    let mut tiles = vec![
        json!({"id": 1, "properties": [property("solid", "bool", true), property("note", "string", "a < b & c")]}),
        json!({"id": 3, "properties": [property("one_way", "string", "top, left")]}),
        json!({"id": 4, "type": "water"}),
        json!({"id": 6, "type": "Wall"}),
    ];
    let mut crates =
        json!({"id": 3, "image": "big.png", "imagewidth": 16, "imageheight": 12, "type": "wall"});
    if content == Content::Fine {
        let corner = json!({"id": 1, "x": 0, "y": 0, "polygon":
            [{"x": 0, "y": 0}, {"x": 8, "y": 0}, {"x": 0.5, "y": 5.5}]});
        let mut turned = rectangle(2, "", 3.0, 1.0, 4.0, 2.5);
        turned["rotation"] = json!(30);
        let round = with(rectangle(1, "", 1.0, 1.0, 5.5, 4.0), "ellipse", json!(true));
        let line =
            json!({"id": 1, "x": 2, "y": 2, "polyline": [{"x": 0, "y": 0}, {"x": 9, "y": 7.5}]});
        let shapes =
            |objects: Vec<Value>| json!({"draworder": "index", "name": "", "objects": objects});
        tiles.push(json!({"id": 2, "objectgroup": shapes(vec![corner])}));
        tiles.push(json!({"id": 5, "objectgroup": shapes(vec![round, turned])}));
        crates["type"] = json!("");
        crates["objectgroup"] = shapes(vec![line, rectangle(2, "", 2.0, 4.0, 6.0, 5.0)]);
    }
    tiles.sort_by_key(|tile| tile["id"].as_i64());
    json!([
        {"firstgid": 1, "name": "tiles", "tilewidth": 8, "tileheight": 6, "tilecount": 8, "columns": 4,
            "image": "tiles.png", "imagewidth": 32, "imageheight": 12, "tiles": tiles},
        {"firstgid": 100, "name": "things", "tilewidth": 16, "tileheight": 12, "tilecount": 2, "columns": 0,
            "tiles": [{"id": 0, "image": "small.png", "imagewidth": 8, "imageheight": 6}, crates]},
    ])
}

/// Returns a tile layer. `cell` returns the global tile id at a column and row.
fn tile_layer(name: &str, cell: impl Fn(i64, i64) -> u32) -> Value {
    let cells = (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)));
    let cells: Vec<u32> = cells.map(|(x, y)| cell(x, y)).collect();
    json!({"type": "tilelayer", "name": name, "opacity": 1, "visible": true, "cells": cells})
}

/// Returns a map that has content in each row and column of its border, and no solids beyond the border.
fn map(content: Content) -> Value {
    let inner = |x: i64, y: i64| (2..SIZE[0] - 3).contains(&x) && (3..SIZE[1] - 2).contains(&y);
    let ground = |x: i64, y: i64| {
        let tile = [1, 1, 2, 0, 4, 5, 7, 1][((x * 5 + y * 3 + x * y) % 8) as usize];
        if inner(x, y) { tile } else { tile.max(1) }
    };
    let walls = |x: i64, y: i64| {
        if inner(x, y) && (x + y) % 3 == 0 { 1 + (x as u32 % 2) } else { 0 }
    };
    let flipped = |x: i64, y: i64| match content {
        Content::Fine if inner(x, y) && (x + y) % 3 == 1 => {
            [3, 6, 103][x as usize % 3] | FLIPS[(x + 2 * y) as usize % 8] << 29
        }
        Content::Whole if inner(x, y) && (x + y) % 3 == 1 => {
            2 | FLIPS[(x + 2 * y) as usize % 8] << 29
        }
        _ => 0,
    };
    let mut walls = tile_layer("Walls", walls);
    walls["offsetx"] = json!(-2.5);
    walls["offsety"] = json!(1.25);
    let mut inner_objects = vec![rectangle(20, "", 8.0, 12.0, 16.0, 6.0)];
    let mut objects = vec![
        with(rectangle(1, "spawn", 12.25, 7.5, 0.0, 0.0), "point", json!(true)),
        with(
            rectangle(2, "door", 16.0, 12.0, 20.5, 10.0),
            "properties",
            json!([
                property("to", "string", "cave"),
                property("level", "int", 3),
                property("open", "bool", false)
            ]),
        ),
        rectangle(3, "wall", 24.0, 18.0, 16.0, 6.0),
        with(
            rectangle(4, "", 40.0, 24.0, 8.0, 6.0),
            "properties",
            json!([property("one_way", "bool", true)]),
        ),
        rectangle(5, "water", 8.0, 30.0, 24.0, 12.0),
        with(rectangle(6, "", 16.0, 24.0, 8.0, 6.0), "gid", json!(2)),
        json!({"id": 7, "x": 40, "y": 36, "template": {"object":
            {"name": "block", "type": "wall", "width": 8, "height": 6, "id": 1, "x": 0, "y": 0}}}),
        json!({"id": 8, "x": 48, "y": 36, "template": {"tileset": {"firstgid": 1, "source": "things"},
            "object": {"name": "crate", "gid": 4, "width": 16, "height": 12, "id": 1, "x": 0, "y": 0}}}),
    ];
    if content == Content::Fine {
        let triangle = json!([{"x": 0, "y": 0}, {"x": 20.5, "y": 3.25}, {"x": 4, "y": 13}]);
        inner_objects.push(with(
            rectangle(21, "", 30.25, 20.0, 0.0, 0.0),
            "polygon",
            triangle.clone(),
        ));
        let mut turned = rectangle(9, "solid", 50.0, 12.0, 12.5, 7.25);
        turned["rotation"] = json!(33.3);
        let mut scaled =
            with(rectangle(13, "", 20.0, 44.0, 15.0, 13.5), "gid", json!(3u32 | 5 << 29));
        scaled["rotation"] = json!(-20);
        objects.extend([
            turned,
            with(rectangle(10, "collision", 60.5, 30.5, 13.0, 9.0), "ellipse", json!(true)),
            with(rectangle(11, "collision", 10.0, 15.0, 14.0, 5.0), "capsule", json!(true)),
            with(rectangle(12, "wall", 66.0, 10.0, 0.0, 0.0), "polyline", triangle),
            scaled,
            with(
                rectangle(14, "", 30.0, 30.0, 50.0, 9.0),
                "text",
                json!({"text": "Danger & doom"}),
            ),
        ]);
    }
    let offset = if content == Content::Fine { [2.5, -1.25] } else { [10.5, -1.25] };
    let nested = json!({"type": "objectgroup", "name": "Solids", "objects": inner_objects, "opacity": 1, "visible": true,
        "offsetx": if content == Content::Fine { 0.75 } else { -2.5 }, "offsety": 1.25});
    let group = json!({"type": "group", "name": "Deep", "opacity": 0.5, "visible": true, "tintcolor": "#ff8040",
        "offsetx": offset[0], "offsety": offset[1], "layers": [walls, nested]});
    json!({
        "version": "1.10", "tiledversion": "1.11.2", "orientation": "orthogonal", "renderorder": "right-down",
        "width": SIZE[0], "height": SIZE[1], "tilewidth": TILE[0], "tileheight": TILE[1],
        "nextlayerid": 9, "nextobjectid": 90, "backgroundcolor": "#102030", "tilesets": tilesets(content),
        "layers": [
            tile_layer("Ground", ground),
            group,
            tile_layer("Flipped", flipped),
            {"type": "objectgroup", "name": "Places", "objects": objects, "opacity": 1, "visible": true},
            {"type": "imagelayer", "name": "Sky", "image": "sky.png", "imagewidth": 40, "imageheight": 20,
                "opacity": 1, "visible": false, "offsetx": 3, "offsety": 4},
        ],
    })
}

/// Returns everything that is known about a level in named parts, except the facts that must differ between
/// forms: lines in files, and whether the map is infinite.
fn facts(loaded: &LoadedLevel, start: [i64; 2]) -> Vec<(String, String)> {
    let level = &loaded.level;
    let mut facts = vec![
        ("cells".to_owned(), level.cell_size().to_string()),
        ("size".to_owned(), level.size().to_string()),
        ("grid".to_owned(), level.grid().to_string()),
        ("markers".to_owned(), format!("{:#?}", level.markers())),
        ("warnings".to_owned(), format!("{:?}", loaded.warnings)),
    ];
    for area in level.areas() {
        let cells = format!("{}\n{}", area.terrain.cell_size(), area.terrain.grid());
        facts.push((format!("area {}", area.name), cells));
    }
    for side in Dir::ALL {
        let guards = level.one_way(side).map(ToString::to_string);
        facts.push((format!("one-way {side:?}"), guards.unwrap_or_default()));
    }
    let [placed] = &loaded.maps[..] else { panic!("no map") };
    facts.push(("solids".to_owned(), format!("{:?}", loaded.solids)));
    facts.push(("cells".to_owned(), placed.cells.to_string()));
    for context in placed.map.walk() {
        let kind = context.layer.content.kind();
        facts.push((context.path, format!("{kind:?} {}", context.visible)));
    }
    // To find a reason judges the whole map. Of pixels every seventh has a tenth of all costs, and the grids
    // above are compared whole.
    let every = if level.cell_size().x == 1 { 7 } else { 1 };
    let reasons: Vec<String> = places(level.grid().size().as_ivec2())
        .step_by(every)
        .map(|cell| match loaded.provenance(cell) {
            Some(mut found) => {
                found.line = None;
                format!("{cell}: {found:?}")
            }
            None => String::new(),
        })
        .collect();
    facts.push(("provenance".to_owned(), reasons.join("\n")));
    let map = loaded.map().unwrap();
    let start = IVec2::new(start[0] as i32, start[1] as i32);
    for layer in 0..3 {
        let size = IVec2::new(SIZE[0] as i32, SIZE[1] as i32);
        // Tilesets are compared by name, because their order may differ.
        let named = |cell| {
            let tile = tile_at(map, layer, start + cell)?;
            Some((&*map.tilesets[tile.tileset].name, PlacedTile { tileset: 0, ..tile }))
        };
        let tiles: Vec<_> = places(size).map(named).collect();
        facts.push((format!("tiles of layer {layer}"), format!("{tiles:?}")));
    }
    facts
}

fn load(map: &Value, form: &Form, options: &LoadOptions) -> LoadedLevel {
    let folder = tempfile::tempdir().unwrap();
    let path = save(folder.path(), map, form);
    LoadedLevel::load(&path, options).unwrap_or_else(|error| panic!("{form:?}: {error}"))
}

fn options() -> LoadOptions {
    LoadOptions { areas: vec![AreaRule::named("water")], ..LoadOptions::default() }
}

/// Returns the forms: each encoding in XML and JSON, whole and in chunks, with tilesets in the map and in
/// files. The other choices vary from one form to the next.
fn forms() -> Vec<Form> {
    let chunks = [
        None,
        Some(Chunks::Of(16, 16)),
        Some(Chunks::Of(8, 8)),
        Some(Chunks::Of(5, 7)),
        Some(Chunks::One),
    ];
    let data = [Data::Numbers, Data::Base64, Data::Zlib, Data::Gzip, Data::Zstd, Data::Elements];
    let mut forms: Vec<Form> = Vec::new();
    for json in [false, true] {
        for data in data.iter().filter(|data| !json || **data != Data::Elements) {
            for chunks in chunks {
                for tilesets in [Tilesets::Embedded, Tilesets::Tsx, Tilesets::Tsj] {
                    let number = forms.len();
                    let start = if chunks.is_none() {
                        [0, 0]
                    } else {
                        [[0, 0], [-13, -21], [40, -3]][number % 3]
                    };
                    forms.push(Form {
                        json,
                        data: *data,
                        chunks,
                        tilesets,
                        json_templates: (number / 2).is_multiple_of(2),
                        unsorted: (number / 4).is_multiple_of(2),
                        start,
                    });
                }
            }
        }
    }
    forms
}

fn check_all(map: &Value, first: &Form, forms: &[Form], options: &LoadOptions) {
    let is_orthogonal = map["orientation"] == "orthogonal";
    let expected = facts(&load(map, first, options), first.start);
    for form in forms {
        let level = load(map, form, options);
        let found = facts(&level, form.start);
        assert_eq!(found.len(), expected.len());
        for ((part, found), (_, expected)) in found.iter().zip(&expected) {
            assert!(found == expected, "{part} of {form:?}:\n{found}\nnot\n{expected}");
        }
        if is_orthogonal {
            let pixels = [0, 1].map(|axis| (form.start[axis] * TILE[axis]) as i32);
            assert_eq!(level.level.origin().to_array(), pixels, "{form:?}");
        }
    }
}

#[test]
fn every_encoding_of_an_orthogonal_map_gives_the_same_level() {
    let forms = forms();
    assert_eq!(forms.len(), 165);
    for content in [Content::Whole, Content::Fine] {
        let map = map(content);
        let level = load(&map, &Form::PLAIN, &options());
        let cell = if content == Content::Fine { [1, 1] } else { [8, 6] };
        assert_eq!(level.level.cell_size().to_array(), cell, "{content:?}");
        assert!(level.level.area("water").unwrap().grid().solid_count() > 0);
        assert!(level.level.one_way(Dir::Up).unwrap().solid_count() > 0);
        assert!(
            level.level.markers().len() >= 2
                && level.level.marker("o2").unwrap().properties.len() == 3
        );
        check_all(&map, &Form::PLAIN, &forms, &options());
    }
}

/// Tests the other orientations. An infinite map may show more than a finite map, whose border cuts off parts
/// of cells and objects. So finite maps are compared with finite ones, and infinite maps with infinite ones.
#[test]
fn every_encoding_of_maps_in_other_orientations_gives_the_same_level() {
    let shapes = [
        ("isometric", json!({})),
        ("oblique", json!({"skewx": 3, "skewy": -2})),
        ("staggered", json!({"staggeraxis": "x", "staggerindex": "even"})),
        ("staggered", json!({"staggeraxis": "y", "staggerindex": "odd"})),
        ("hexagonal", json!({"staggeraxis": "x", "staggerindex": "odd", "hexsidelength": 4})),
        ("hexagonal", json!({"staggeraxis": "y", "staggerindex": "even", "hexsidelength": 2})),
    ];
    let still = |form: Form| Form { start: [0, 0], ..form };
    let forms = forms().into_iter().step_by(7).map(still);
    let (finite, infinite): (Vec<Form>, Vec<Form>) = forms.partition(|form| form.chunks.is_none());
    assert!(finite.len() > 3 && infinite.len() > 15);
    for (orientation, attributes) in shapes {
        let mut map = map(Content::Fine);
        map["orientation"] = json!(orientation);
        for (key, value) in attributes.as_object().unwrap() {
            map[key] = value.clone();
        }
        for space in [Space::Map, Space::Screen] {
            let mut options = options();
            options.space = space;
            check_all(&map, &Form::PLAIN, &finite, &options);
            let first = Form { chunks: Some(Chunks::One), ..Form::PLAIN };
            check_all(&map, &first, &infinite, &options);
        }
    }
}
