//! What a map means but does not write: the defaults of its custom classes, and what its templates imply.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::slice;

use bitwall::glam::IVec2;
use bitwall::load::{ReferenceKind, references};
use bitwall::property::PropertyValue;
use bitwall::{Dir, LoadOptions, LoadedLevel};
use serde_json::{Value, json};

use super::saved::{Form, Tilesets, save};
use crate::support::folder;

/// The elements of the map of these tests that may have a class, with a JSON pointer to each.
const MAP: &str = "";
const TILESET: &str = "/tilesets/0";
const TILE: &str = "/tilesets/0/tiles/0";
const LAYER: &str = "/layers/0";
const OBJECTS: &str = "/layers/1";
const OBJECT: &str = "/layers/1/objects/0";

/// A map with a class, and what the class implies.
struct Case {
    name: &'static str,
    /// The types of the project.
    types: Value,
    /// The element with the class, the class, and the properties that the element states.
    at: &'static str,
    class: &'static str,
    stated: Value,
    /// All properties of the element, as if none had its default.
    whole: Value,
}

fn property(name: &str, kind: &str, of: &str, value: impl Into<Value>) -> Value {
    json!({"name": name, "type": kind, "propertytype": of, "value": value.into()})
}

/// Returns a member of a class, as a project writes it.
fn member(name: &str, kind: &str, of: &str, value: impl Into<Value>) -> Value {
    json!({"name": name, "type": kind, "propertyType": of, "value": value.into()})
}

fn class(name: &str, uses: &[&str], members: &[Value]) -> Value {
    json!({"type": "class", "id": 1, "name": name, "color": "#ffa0a0a4", "drawFill": true, "useAs": uses,
        "members": members})
}

fn enumeration(storage: &str, are_flags: bool, values: &[&str]) -> Value {
    json!({"type": "enum", "id": 2, "name": "Side", "storageType": storage, "values": values,
        "valuesAsFlags": are_flags})
}

/// Returns cases of a class of each kind of element, and of each kind of member.
fn cases() -> Vec<Case> {
    let solid = member("solid", "bool", "", true);
    let case = |name, at, class: &'static str, types: &[Value], whole: &[Value]| Case {
        name,
        types: json!(types),
        at,
        class,
        stated: json!([]),
        whole: json!(whole),
    };
    let is_solid = property("solid", "bool", "", true);
    let sides = ["top", "bottom", "left", "right"];
    let side = |kind: &str, value: Value| {
        class("Ledge", &["tile"], &[member("one_way", kind, "Side", value)])
    };
    let guards = |value: &str| [property("one_way", "string", "", value)];
    let body = class("Body", &["property"], &[solid.clone(), member("mass", "float", "", 2.5)]);
    let holder = |value: Value| {
        class("Crate", &["tile", "object"], &[member("body", "class", "Body", value)])
    };
    let whole_body = |mass: f64| json!({"mass": mass, "solid": true});
    vec![
        case(
            "tile",
            TILE,
            "Block",
            &[class("Block", &["tile"], slice::from_ref(&solid))],
            slice::from_ref(&is_solid),
        ),
        case(
            "object",
            OBJECT,
            "Block",
            &[class("Block", &["object"], slice::from_ref(&solid))],
            slice::from_ref(&is_solid),
        ),
        case(
            "layer",
            LAYER,
            "Ground",
            &[class("Ground", &["layer"], slice::from_ref(&solid))],
            slice::from_ref(&is_solid),
        ),
        case(
            "object layer",
            OBJECTS,
            "Ground",
            &[class("Ground", &["map", "layer"], slice::from_ref(&solid))],
            slice::from_ref(&is_solid),
        ),
        case(
            "tileset",
            TILESET,
            "Sensors",
            &[class("Sensors", &["tileset"], &[member("sensor", "bool", "", true)])],
            &[property("sensor", "bool", "", true)],
        ),
        case(
            "map",
            MAP,
            "Cave",
            &[class("Cave", &["map"], &[member("gravity", "int", "", 9)])],
            &[property("gravity", "int", "", 9)],
        ),
        case(
            "enum as a text",
            TILE,
            "Ledge",
            &[side("string", "left".into()), enumeration("string", false, &sides)],
            &guards("left"),
        ),
        case(
            "enum as a number",
            TILE,
            "Ledge",
            &[side("int", 2.into()), enumeration("int", false, &sides)],
            &guards("left"),
        ),
        case(
            "flags as a text",
            TILE,
            "Ledge",
            &[side("string", "top,right".into()), enumeration("string", true, &sides)],
            &guards("top,right"),
        ),
        case(
            "flags as a number",
            TILE,
            "Ledge",
            &[enumeration("int", true, &sides), side("int", 9.into())],
            &guards("top,right"),
        ),
        case(
            "nested",
            TILE,
            "Crate",
            &[holder(json!({})), body.clone()],
            &[property("body", "class", "Body", whole_body(2.5))],
        ),
        case(
            "nested, with a default of its own",
            OBJECT,
            "Crate",
            &[holder(json!({"mass": 7.5})), body.clone()],
            &[property("body", "class", "Body", whole_body(7.5))],
        ),
        Case {
            stated: json!([property("body", "class", "Body", json!({"mass": 4.5}))]),
            ..case(
                "a class as a property",
                TILE,
                "",
                &[body],
                &[property("body", "class", "Body", whole_body(4.5))],
            )
        },
        Case {
            stated: json!([property("solid", "bool", "", false)]),
            ..case(
                "a stated property",
                TILE,
                "Block",
                &[class(
                    "Block",
                    &["tile"],
                    &[solid.clone(), member("passable", "bool", "", false)],
                )],
                &[property("passable", "bool", "", false), property("solid", "bool", "", false)],
            )
        },
        case("another use", TILE, "Block", &[class("Block", &["object", "layer"], &[solid])], &[]),
    ]
}

/// Returns a map with two tiles and a rectangle. The element `at` has a class and properties.
fn map(at: &str, class: &str, properties: &Value) -> Value {
    let mut map = json!({
        "orientation": "orthogonal", "width": 3, "height": 2, "tilewidth": 8, "tileheight": 8,
        "tilesets": [{"firstgid": 1, "name": "t", "tilewidth": 8, "tileheight": 8, "tilecount": 4, "columns": 4,
            "image": "t.png", "imagewidth": 32, "imageheight": 8, "tiles": [{"id": 0}, {"id": 1, "properties": [property("wall", "bool", "", true)]}]}],
        "layers": [
            {"type": "tilelayer", "name": "Tiles", "width": 3, "height": 2, "cells": [1, 0, 2, 1, 3, 0]},
            {"type": "objectgroup", "name": "Things", "objects": [{"id": 1, "name": "thing", "x": 10, "y": 3,
                "width": 4, "height": 5, "rotation": 0, "visible": true}]}]
    });
    let element = map.pointer_mut(at).unwrap();
    let key = if [TILE, OBJECT].contains(&at) { "type" } else { "class" };
    if !class.is_empty() {
        element[key] = json!(class);
    }
    if !properties.as_array().unwrap().is_empty() {
        element["properties"] = properties.clone();
    }
    map
}

fn anyway() -> LoadOptions {
    LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() }
}

/// Returns all properties of a level's map by their elements, with the names of classes within them.
fn properties(loaded: &LoadedLevel) -> Vec<BTreeMap<&String, &PropertyValue>> {
    let map = loaded.map().unwrap();
    let mut all = vec![&map.properties];
    for set in &map.tilesets {
        all.push(&set.properties);
        all.extend(set.tiles.values().map(|tile| &tile.properties));
    }
    for context in map.walk() {
        all.push(&context.layer.properties);
        if let bitwall::tmx::LayerContent::Objects(objects) = &context.layer.content {
            all.extend(objects.objects.iter().map(|object| &object.properties));
        }
    }
    all.into_iter().map(|all| all.iter().map(|(name, it)| (name, &it.value)).collect()).collect()
}

fn assert_same(a: &LoadedLevel, b: &LoadedLevel, is_by_name: bool, name: &str) {
    assert_eq!(a.level.grid(), b.level.grid(), "{name}");
    for side in Dir::ALL {
        assert_eq!(a.level.one_way(side), b.level.one_way(side), "{name}: {side:?}");
    }
    assert_eq!(a.level.markers(), b.level.markers(), "{name}");
    assert_eq!(a.solids, b.solids, "{name}");
    if is_by_name {
        assert_eq!(properties(a), properties(b), "{name}");
    }
    assert!(a.warnings.is_empty(), "{name}: {:?}", a.warnings);
}

const FORMS: [Form; 3] = [
    Form::PLAIN,
    Form { json: true, ..Form::PLAIN },
    Form { json: true, tilesets: Tilesets::Tsx, ..Form::PLAIN },
];

/// Saves a map in the folder `game/maps` of `parent`.
fn saved(parent: &Path, map: &Value, form: &Form) -> PathBuf {
    let maps = parent.join("game/maps");
    fs::create_dir_all(&maps).unwrap();
    save(&maps, map, form)
}

#[test]
fn the_defaults_of_a_class_count_as_if_the_map_stated_them() {
    for case in cases() {
        for form in FORMS {
            let name = format!("{}, {form:?}", case.name);
            let stated = folder(&[]);
            let whole = saved(stated.path(), &map(case.at, case.class, &case.whole), &form);
            let whole = LoadedLevel::load(whole, &anyway()).unwrap();
            let home = folder(&[]);
            let path = saved(home.path(), &map(case.at, case.class, &case.stated), &form);
            let without = LoadedLevel::load(&path, &anyway()).unwrap();
            let project = json!({"propertyTypes": case.types, "folders": ["maps"]}).to_string();
            fs::write(home.path().join("game/g.tiled-project"), &project).unwrap();
            let loaded = LoadedLevel::load(&path, &anyway()).unwrap();
            // The number of an enum stays a number.
            let is_by_name = !case.name.contains("as a number");
            assert_same(&loaded, &whole, is_by_name, &name);
            let is_implied = case.stated != case.whole;
            assert_eq!(properties(&loaded) != properties(&without), is_implied, "{name}");

            // From bytes, a collection finds the project, and a closure needs its name.
            let bytes = fs::read(&path).unwrap();
            let mut files = BTreeMap::from([("game/g.tiled-project".to_owned(), project.clone())]);
            for file in ["t.tsx", "t.tsj"] {
                let text = fs::read_to_string(path.with_file_name(file)).unwrap();
                files.insert(format!("game/maps/{file}"), text);
            }
            let level = "game/maps/map.tmx";
            let decoded = LoadedLevel::decode(level, &bytes, &files, &anyway()).unwrap();
            assert_same(&decoded, &whole, is_by_name, &name);
            let read = |path: &Path| Ok(files[path.to_str().unwrap()].clone().into_bytes());
            let named = Some(PathBuf::from("game/g.tiled-project"));
            let options = LoadOptions { tiled_project: named, ..anyway() };
            let decoded = LoadedLevel::decode(level, &bytes, read, &options).unwrap();
            assert_same(&decoded, &whole, is_by_name, &name);
            let decoded = LoadedLevel::decode(level, &bytes, read, &anyway()).unwrap();
            assert_eq!(properties(&decoded), properties(&without), "{name}");
        }
    }
}

const OBJECT_TYPES: &str = r##"<?xml version="1.0" encoding="UTF-8"?>
<objecttypes><objecttype name="Block" color="#a0a0a4"><property name="solid" type="bool" default="true"/>
</objecttype></objecttypes>"##;

/// Returns the number of solid cells of `game/maps/map.tmx`, whose first tile has the class `Block`, beside
/// these files in the folder `game`. The map has one wall without the class.
fn solids_beside(files: &[(&str, &str)]) -> (u64, Vec<String>) {
    let home = folder(&[]);
    let path = saved(home.path(), &map(TILE, "Block", &json!([])), &Form::PLAIN);
    for (name, text) in files {
        fs::write(home.path().join("game").join(name), text).unwrap();
    }
    let options = LoadOptions { root: Some(home.path().to_owned()), ..LoadOptions::default() };
    let loaded = LoadedLevel::load(path, &options).unwrap();
    let warnings = loaded.warnings.iter().map(ToString::to_string).collect();
    (loaded.level.grid().solid_count(), warnings)
}

fn block(value: bool) -> Value {
    class("Block", &["tile"], &[member("solid", "bool", "", value)])
}

#[test]
fn classes_come_from_the_nearest_project_or_from_the_files_of_older_versions() {
    let project = |value| json!({"propertyTypes": [block(value)], "folders": ["."]}).to_string();
    let list = json!([block(true)]).to_string();
    let old = json!([{"name": "Block", "color": "#a0a0a4",
        "properties": [{"name": "solid", "type": "bool", "value": true}]}]);
    let old = old.to_string();
    let named = r#"{"objectTypesFile":"objecttypes.xml","folders":["."]}"#;
    for (files, expected) in [
        (&[][..], 1),
        (&[("g.tiled-project", &*project(true))], 3),
        (&[("maps/g.tiled-project", "{}"), ("g.tiled-project", &project(true))], 1),
        (&[("g.tiled-project", named), ("objecttypes.xml", OBJECT_TYPES)], 3),
        (&[("g.tiled-project", "{}"), ("objecttypes.xml", OBJECT_TYPES)], 3),
        (&[("objecttypes.xml", OBJECT_TYPES)], 3),
        (&[("propertytypes.json", &list)], 3),
        (&[("objecttypes.json", &old)], 3),
        // What the project itself says counts.
        (&[("g.tiled-project", &project(false)), ("objecttypes.xml", OBJECT_TYPES)], 1),
        (&[("g.tiled-project", &project(false)), ("maps/objecttypes.xml", OBJECT_TYPES)], 1),
    ] {
        let (solids, warnings) = solids_beside(files);
        assert_eq!((solids, warnings), (expected, Vec::new()), "{files:?}");
    }
}

#[test]
fn of_several_projects_the_one_whose_folders_hold_the_map_counts() {
    let project =
        |folder: &str| json!({"propertyTypes": [block(true)], "folders": [folder]}).to_string();
    let (maps, other, all) = (project("maps"), project("other"), project("."));
    assert_eq!(
        solids_beside(&[("a.tiled-project", &maps), ("b.tiled-project", &other)]),
        (3, Vec::new())
    );
    for files in [
        [("a.tiled-project", &*maps), ("b.tiled-project", &*all)],
        [("a.tiled-project", &*other), ("b.tiled-project", &*other)],
        [("a.tiled-project", "{"), ("b.tiled-project", &*other)],
    ] {
        let (solids, warnings) = solids_beside(&files);
        assert_eq!((solids, warnings.len()), (1, 1), "{warnings:?}");
        assert!(warnings[0].starts_with("several Tiled projects"), "{warnings:?}");
    }
}

#[test]
fn a_broken_project_is_an_error_only_if_a_class_of_the_map_stands_in_it() {
    let home = folder(&[]);
    let path = saved(home.path(), &map(TILE, "Block", &json!([])), &Form::PLAIN);
    let project = home.path().join("game/g.tiled-project");
    let load = |lenient| LoadedLevel::load(&path, &LoadOptions { lenient, ..anyway() });
    let mut odd = class("Block", &[], &[]);
    odd["members"] = json!({"solid": true});
    for broken in
        ["<<<<<<< HEAD\n{\"name\": \"Block\"}", &json!({"propertyTypes": [odd]}).to_string()]
    {
        fs::write(&project, broken).unwrap();
        let error = load(false).unwrap_err().to_string();
        assert!(error.contains("g.tiled-project") && error.contains("class `Block`"), "{error}");
        let loaded = load(true).unwrap();
        assert_eq!((loaded.level.grid().solid_count(), loaded.warnings.len()), (1, 1));
    }
    fs::write(&project, "<<<<<<< HEAD\n{\"name\": \"Other\"}").unwrap();
    let warnings = load(false).unwrap().warnings;
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].to_string().contains("g.tiled-project"), "{}", warnings[0]);
    fs::write(&project, "").unwrap();
    let warnings = load(false).unwrap().warnings;
    assert_eq!(warnings.len(), 1);
    assert!(warnings[0].to_string().contains("the file is empty"), "{}", warnings[0]);
    // A fault after the class does not matter.
    let after = json!({"propertyTypes": [block(true), odd]}).to_string();
    fs::write(&project, after).unwrap();
    let loaded = load(false).unwrap();
    assert_eq!((loaded.level.grid().solid_count(), loaded.warnings.len()), (3, 1));
    // The file that a project names may be long gone.
    fs::write(&project, r#"{"objectTypesFile":"gone.xml"}"#).unwrap();
    assert_eq!(load(false).unwrap().warnings.len(), 1);
    // A map without a class does not look for a project.
    fs::write(&project, "{\"Block\"").unwrap();
    let plain = saved(home.path(), &map(TILE, "", &json!([])), &Form::PLAIN);
    assert!(LoadedLevel::load(plain, &anyway()).unwrap().warnings.is_empty());
}

#[test]
fn a_class_within_itself_ends_and_one_that_grows_without_end_is_refused() {
    let home = folder(&[]);
    let path = saved(home.path(), &map(TILE, "A", &json!([])), &Form::PLAIN);
    let project = home.path().join("game/g.tiled-project");
    let of = |name: &str, of: &str| member(name, "class", of, json!({}));
    let solid = member("solid", "bool", "", true);
    let circle = json!([
        class("A", &["tile"], &[of("b", "B"), of("a", "A")]),
        class("B", &[], &[of("a", "A"), solid])
    ]);
    fs::write(&project, json!({"propertyTypes": circle}).to_string()).unwrap();
    assert_eq!(LoadedLevel::load(&path, &anyway()).unwrap().level.grid().solid_count(), 3);
    let mut types = vec![class("A", &["tile"], &[of("0", "0")])];
    for depth in 0..40 {
        let next = (depth + 1).to_string();
        types.push(class(&depth.to_string(), &[], &[of("a", &next), of("b", &next)]));
    }
    fs::write(&project, json!({"propertyTypes": types}).to_string()).unwrap();
    let error = LoadedLevel::load(&path, &anyway()).unwrap_err().to_string();
    assert!(error.contains("bytes of names and values"), "{error}");
    let types: Vec<Value> = (0..100)
        .map(|depth| class(&depth.to_string(), &["tile"], &[of("a", &(depth + 1).to_string())]))
        .collect();
    fs::write(&project, json!({"propertyTypes": types}).to_string()).unwrap();
    let path = saved(home.path(), &map(TILE, "0", &json!([])), &Form::PLAIN);
    let error = LoadedLevel::load(&path, &anyway()).unwrap_err().to_string();
    assert!(error.contains("classes within classes"), "{error}");
}

#[test]
fn a_project_refers_to_its_object_types() {
    let project = br#"{"objectTypesFile":"conf/objecttypes.xml","folders":["."]}"#;
    let found = references("game/g.tiled-project", project);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].path, Path::new("game/conf/objecttypes.xml"));
    assert_eq!(found[0].kind, ReferenceKind::PropertyTypes);
    assert!(references("game/g.tiled-project", b"{}").is_empty());
}

#[test]
fn a_tile_object_has_the_class_and_the_properties_of_its_tile() {
    let mut map = map(
        TILE,
        "Coin",
        &json!([property("value", "int", "", 5), property("kind", "string", "", "gold")]),
    );
    map["layers"][1]["objects"] = json!([
        {"id": 1, "gid": 1, "x": 0, "y": 8, "width": 8, "height": 8, "properties": [property("kind", "string", "", "red")]},
        {"id": 2, "gid": 1, "x": 0, "y": 8, "width": 8, "height": 8, "type": "Gem"},
    ]);
    let types = json!([
        class(
            "Coin",
            &["tile"],
            &[member("sound", "string", "", "ding"), member("kind", "string", "", "plain")]
        ),
        class(
            "Gem",
            &["object"],
            &[member("kind", "string", "", "ruby"), member("rare", "bool", "", true)]
        ),
    ]);
    let home = folder(&[]);
    let path = saved(home.path(), &map, &Form::PLAIN);
    let project = json!({"propertyTypes": types}).to_string();
    fs::write(home.path().join("game/g.tiled-project"), project).unwrap();
    let loaded = LoadedLevel::load(path, &anyway()).unwrap();
    let found = |index: usize| {
        let marker = &loaded.level.markers()[index];
        (&*marker.class, marker.properties.clone())
    };
    let text = |text: &str| PropertyValue::Text(text.to_owned());
    let (class, all) = found(0);
    let expected =
        [("kind", text("red")), ("sound", text("ding")), ("value", PropertyValue::Int(5))];
    assert_eq!(
        (class, all),
        ("Coin", expected.map(|(name, value)| (name.to_owned(), value)).into())
    );
    // What the tile states wins over the default of the object's class, and the class of the tile is hidden.
    let (class, all) = found(1);
    let expected = [
        ("kind", text("gold")),
        ("rare", PropertyValue::Bool(true)),
        ("value", PropertyValue::Int(5)),
    ];
    assert_eq!(
        (class, all),
        ("Gem", expected.map(|(name, value)| (name.to_owned(), value)).into())
    );
}

#[test]
fn an_empty_attribute_of_an_instance_is_that_of_its_template() {
    let template = r#"<template><tileset firstgid="1" source="t.tsx"/><object name="wall" type="Wall" gid="1" width="16"
        height="8" rotation="0" visible="1"/></template>"#;
    let tileset = r#"<tileset name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
        <image source="t.png" width="8" height="8"/></tileset>"#;
    let xml = r#"<map width="4" height="2" tilewidth="8" tileheight="8"><objectgroup name="Things">
        <object id="1" template="w.tx" x="8" y="16"/><object id="2" template="w.tx" name="" type="" class="" gid=""
        width="" height="" rotation="" visible="" opacity="" x="8" y="16"/>
        <object id="3" template="w.tx" gid="0" width="4" x="8" y="16"/></objectgroup></map>"#;
    let json = json!({"type": "map", "width": 4, "height": 2, "tilewidth": 8, "tileheight": 8, "layers": [
        {"type": "objectgroup", "name": "Things", "objects": [
            {"id": 1, "template": "w.tx", "x": 8, "y": 16},
            {"id": 2, "template": "w.tx", "name": "", "type": "", "class": "", "gid": 0, "width": 0, "height": 0,
                "x": 8, "y": 16},
            {"id": 3, "template": "w.tx", "gid": 0, "width": 4, "x": 8, "y": 16}]}]});
    let json = json.to_string();
    let home = folder(&[("w.tx", template), ("t.tsx", tileset), ("a.tmx", xml), ("a.tmj", &json)]);
    for name in ["a.tmx", "a.tmj"] {
        let loaded = LoadedLevel::load(home.path().join(name), &anyway()).unwrap();
        let map = loaded.map().unwrap();
        let bitwall::tmx::LayerContent::Objects(layer) = &map.layers[0].content else {
            panic!("no objects")
        };
        for object in &layer.objects {
            let expected = &layer.objects[0];
            let id = object.id;
            assert_eq!((&*object.name, &*object.class), ("wall", "Wall"), "{name}: {id}");
            assert_eq!((object.gid, object.size), (expected.gid, expected.size), "{name}: {id}");
            assert!(
                object.gid.is_some() && object.visible && object.opacity == 1.0,
                "{name}: {id}"
            );
        }
    }
}

#[test]
fn the_sides_of_a_one_way_tile_turn_with_the_tile() {
    const FLIPS: [(i64, Dir, Dir); 8] = [
        (0, Dir::Left, Dir::Up),
        (1 << 31, Dir::Right, Dir::Up),
        (1 << 30, Dir::Left, Dir::Down),
        (3 << 30, Dir::Right, Dir::Down),
        // Clockwise by a quarter: the left side becomes the upper one.
        (5 << 29, Dir::Up, Dir::Right),
        (1 << 29, Dir::Up, Dir::Left),
        (3 << 29, Dir::Down, Dir::Left),
        (7 << 29, Dir::Down, Dir::Right),
    ];
    for (flips, left, top) in FLIPS {
        for (value, side) in [
            (property("one_way", "string", "", "left"), left),
            (property("one_way", "bool", "", true), top),
        ] {
            let mut map = map(TILE, "", &json!([value]));
            map["layers"][0]["cells"] = json!([0, 0, 0, 0, flips | 1, 0]);
            // A wall within a cell makes cells of one pixel.
            map["layers"][1]["objects"][0]["name"] = json!("wall");
            let home = folder(&[]);
            let path = saved(home.path(), &map, &Form::PLAIN);
            let loaded = LoadedLevel::load(path, &anyway()).unwrap();
            for dir in Dir::ALL {
                let guards = loaded.level.one_way(dir).is_some_and(|grid| grid.solid_count() > 0);
                assert_eq!(guards, dir == side, "{flips:#x}: {dir:?}");
            }
            let far = i32::from(matches!(side, Dir::Right | Dir::Down));
            let at_edge = IVec2::new(12, 12) + side.vector() * 4 - IVec2::splat(far);
            assert!(loaded.provenance(at_edge).is_some(), "{flips:#x}: {at_edge}");
        }
    }
}
