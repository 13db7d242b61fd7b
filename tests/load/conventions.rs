//! The default rules, compared with the solids in maps of real games. The code of these games defines their
//! solids.

mod cross_validation;
mod table;
mod truth;

use bitwall::error::{LoadErrorKind, WarningCause};
use bitwall::glam::IVec2;
use bitwall::rules::{SolidRules, TileIds};
use bitwall::{LoadOptions, LoadedLevel};

use crate::support::{self, layer, objects, tileset};

/// Returns the solid columns of a map of 4 x 1 cells of 8 px. Tile 0 has `tile` as its content.
fn solid_cells(tile: &str, layers: &str) -> Vec<i32> {
    let content = tileset([8, 8], 3, &format!(r#"<tile id="0">{tile}</tile>"#)) + layers;
    let map = support::map("", [4, 1], [8, 8], &content);
    let options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    let level = support::load(&map, &options);
    (0..4).filter(|column| level.is_solid(IVec2::new(column * 8 + 4, 4))).collect()
}

fn tiles(attributes: &str, data: &str) -> String {
    layer(attributes, [4, 1], data)
}

fn property(name: &str, kind: &str, value: &str) -> String {
    format!(r#"<properties><property name="{name}" {kind} value="{value}"/></properties>"#)
}

const BOX: &str = r#"<objectgroup><object id="1" width="8" height="8"/></objectgroup>"#;

#[test]
fn a_layer_named_nocollide_makes_the_other_tile_layers_solid() {
    let free = |value: &str| {
        let word = property("nocollide", r#"type="bool""#, value);
        tiles(r#"name="back""#, "1,1,1,1").replace("<data", &(word + "<data"))
    };
    let front = tiles(r#"name="front""#, "0,2,0,2");
    let thing = objects("things", r#"<object id="1" width="8" height="8"/>"#);
    assert_eq!(solid_cells("", &(free("true") + &front + &thing)), [1, 3]);
    assert_eq!(solid_cells("", &(front.clone() + &thing)), [0; 0]);
    // With the value false, the word marks only its own layer.
    assert_eq!(solid_cells("", &(free("false") + &front)), [0, 1, 2, 3]);
    // A mark on a layer itself has precedence.
    let open = property("solid", r#"type="bool""#, "false");
    let front = front.replace("<data", &(open + "<data"));
    assert_eq!(solid_cells("", &(free("true") + &front)), [0; 0]);
}

#[test]
fn flags_of_tiles_are_ignored_on_a_hidden_layer_unless_the_layer_itself_is_solid() {
    let flag = property("solid", r#"type="bool""#, "true");
    for mark in [BOX, &flag] {
        assert_eq!(solid_cells(mark, &tiles(r#"name="a""#, "1,0,0,2")), [0]);
        assert_eq!(solid_cells(mark, &tiles(r#"name="a" visible="0""#, "1,0,0,2")), [0; 0]);
        assert_eq!(solid_cells(mark, &tiles(r#"name="walls" visible="0""#, "1,0,0,2")), [0, 3]);
        let group =
            format!(r#"<group name="g" visible="0">{}</group>"#, tiles(r#"name="a""#, "1,0,0,2"));
        assert_eq!(solid_cells(mark, &group), [0; 0]);
    }
}

#[test]
fn a_tile_that_is_placed_as_an_object_is_solid_only_if_its_layer_or_the_object_is() {
    let object =
        |more: &str| format!(r#"<object id="1" gid="1" x="8" y="8" width="8" height="8" {more}/>"#);
    assert_eq!(solid_cells(BOX, &objects("things", &object(""))), [0; 0]);
    assert_eq!(solid_cells(BOX, &objects("walls", &object(""))), [1]);
    assert_eq!(solid_cells(BOX, &objects("things", &object(r#"type="wall""#))), [1]);
}

#[test]
fn a_static_body_type_or_an_untyped_1_marks_solids() {
    let body = |value: &str| {
        let word = property("bodyType", "", value);
        objects("things", &format!(r#"<object id="1" x="16" width="8" height="8">{word}</object>"#))
    };
    assert_eq!(solid_cells("", &body("static")), [2]);
    assert_eq!(solid_cells("", &body("dynamic")), [0; 0]);
    let data = tiles(r#"name="a""#, "1,2,1,0");
    assert_eq!(solid_cells(&property("solid", "", "1"), &data), [0, 2]);
    assert_eq!(solid_cells(&property("solid", "", "0"), &data), [0; 0]);
    assert_eq!(solid_cells(&property("walkable", "", "0"), &data), [0, 2]);
}

#[test]
fn tile_shapes_are_solid_on_decoration_layers_but_tile_flags_are_ignored() {
    let flag = property("solid", r#"type="bool""#, "true");
    let wall = tiles(r#"name="wall""#, "0,0,0,3");
    for (name, by_flag) in [("Above 1", vec![3]), ("over", vec![3]), ("Overworld", vec![0, 1, 3])] {
        let data = tiles(&format!(r#"name="{name}""#), "1,1,2,0") + &wall;
        assert_eq!(solid_cells(&flag, &data), by_flag, "{name}");
        assert_eq!(solid_cells(BOX, &data), [0, 1, 3], "{name}");
    }
    let solid = tiles(r#"name="above""#, "1,1,2,0").replace("<data", &(flag + "<data"));
    assert_eq!(solid_cells("", &solid), [0, 1, 2]);
}

#[test]
fn a_trigger_is_passable_even_on_a_solid_layer() {
    let trigger = property("isTrigger", r#"type="bool""#, "true");
    let walls = tiles(r#"name="walls""#, "1,2,0,1");
    assert_eq!(solid_cells(&trigger, &walls), [1]);
    assert_eq!(solid_cells(&property("isTrigger", r#"type="bool""#, "false"), &walls), [0, 1, 3]);
    // One of the two shapes is a trigger.
    let right = format!(r#"<object id="1" width="4" height="8">{trigger}</object>"#);
    let shapes =
        format!(r#"<objectgroup>{right}<object id="2" x="4" width="4" height="8"/></objectgroup>"#);
    assert_eq!(solid_cells(&shapes, &tiles(r#"name="a""#, "1,0,1,0")), [0, 2]);
    let alone = format!(r#"<objectgroup>{right}</objectgroup>"#);
    assert_eq!(solid_cells(&alone, &tiles(r#"name="walls""#, "1,0,2,0")), [2]);
    let object = format!(r#"<object id="1" x="8" width="8" height="8">{trigger}</object>"#);
    assert_eq!(solid_cells("", &objects("walls", &object)), [0; 0]);
}

#[test]
fn a_layer_whose_name_begins_with_collision_is_solid() {
    for (name, solid) in [("Collision Layer", vec![0]), ("No Collision", vec![])] {
        assert_eq!(solid_cells("", &tiles(&format!(r#"name="{name}""#), "1,0,0,0")), solid);
    }
}

#[test]
fn the_rule_shapes_only_makes_tiles_without_a_shape_passable() {
    let content = tileset([8, 8], 3, &format!(r#"<tile id="0">{BOX}</tile>"#))
        + &tiles(r#"name="walls""#, "1,2,0,1");
    let map = support::map("", [4, 1], [8, 8], &content);
    let rules = SolidRules { shapes_only: true, ..bitwall::rules::SolidRules::default() };
    let level = support::load(&map, &LoadOptions { solid_rules: rules, ..LoadOptions::default() });
    let solid: Vec<i32> = (0..4).filter(|x| level.is_solid(IVec2::new(x * 8, 4))).collect();
    assert_eq!(solid, [0, 3]);
}

#[test]
fn a_passable_group_has_no_solids_and_solid_layers_keep_one_way_tiles() {
    let one_way = property("one_way", r#"type="bool""#, "true");
    let walls = tiles(r#"name="walls""#, "1,2,0,0");
    let content = |tile: &str, layers: &str| {
        tileset([8, 8], 3, &format!(r#"<tile id="0">{tile}</tile>"#)) + layers
    };
    let load = |tile: &str, layers: &str, options: LoadOptions| {
        let map = support::map("", [4, 1], [8, 8], &content(tile, layers));
        support::load(&map, &LoadOptions { allow_nothing_solid: true, ..options })
    };
    let rules = SolidRules {
        passable_layers: vec!["deco".to_owned()],
        ..bitwall::rules::SolidRules::default()
    };
    let options = LoadOptions { solid_rules: rules, ..LoadOptions::default() };
    let group = format!(r#"<group name="deco">{walls}</group>"#);
    let level = load(&one_way, &group, options);
    assert_eq!(level.grid().solid_count(), 0);
    assert!(level.one_way(bitwall::Dir::Up).is_none());

    // A one-way tile on a solid layer stays one-way, whether or not the layer is hidden.
    for visible in ["1", "0"] {
        let layer = walls.replace("name=", &format!(r#"visible="{visible}" name="#));
        let level = load(&one_way, &layer, LoadOptions::default());
        let guarded = level.one_way(bitwall::Dir::Up).map(|grid| grid.solid_count());
        assert_eq!((level.grid().solid_count(), guarded), (1, Some(1)), "visible {visible}");
    }
    // A one-way tile placed as an object is not one-way.
    let object = objects("things", r#"<object id="1" gid="1" x="8" y="8" width="8" height="8"/>"#);
    assert!(load(&one_way, &object, LoadOptions::default()).one_way(bitwall::Dir::Up).is_none());
    // A rule that names the tile's id has precedence over other marks of the tile.
    let rules = SolidRules {
        solid_tiles: vec![TileIds::new("*", 0..=0)],
        ..bitwall::rules::SolidRules::default()
    };
    let options = LoadOptions { solid_rules: rules, ..LoadOptions::default() };
    let trigger = property("isTrigger", r#"type="bool""#, "true");
    for mark in [&one_way, &trigger] {
        let level = load(mark, &tiles(r#"name="a""#, "1,2,0,1"), options.clone());
        assert_eq!(level.grid().solid_count(), 2);
    }
}

#[test]
fn a_guess_decides_only_where_nothing_else_is_solid_and_says_so() {
    let like = tiles(r#"name="wallLayer""#, "0,1,1,0");
    let load = |layers: &str, options: &LoadOptions| {
        let map = support::map("", [4, 1], [8, 8], &(tileset([8, 8], 3, "") + layers));
        LoadedLevel::decode("a.tmx", map.as_bytes(), (), options)
    };
    let causes = |loaded: &LoadedLevel| {
        loaded.warnings.iter().map(|warning| warning.cause).collect::<Vec<_>>()
    };
    let loaded = load(&like, &LoadOptions::default()).unwrap();
    assert_eq!(loaded.level.grid().to_string(), ".##.");
    assert_eq!(causes(&loaded), [WarningCause::LastResort]);
    let warning = loaded.warnings[0].to_string();
    assert!(warning.contains("`tiles:wallLayer`"), "{warning}");
    let reason = loaded.provenance(IVec2::new(1, 0)).unwrap();
    assert_eq!((&*reason.layer, &*reason.because), ("wallLayer", "its name"));

    let walls = tiles(r#"name="walls""#, "1,0,0,0");
    let loaded = load(&(like.clone() + &walls), &LoadOptions::default()).unwrap();
    assert_eq!((loaded.level.grid().to_string(), causes(&loaded)), ("#...".to_owned(), vec![]));

    // Without last resorts, and with words of the author, the level is an error.
    let mut without = LoadOptions::default();
    without.solid_rules.last_resorts.clear();
    let mut chosen = LoadOptions::default();
    chosen.solid_rules.author_words.push("Rocks".to_owned());
    for options in [without, chosen] {
        let error = load(&like, &options).unwrap_err();
        assert!(matches!(error.kind(), LoadErrorKind::NothingSolid { .. }), "{error}");
    }
}

#[test]
fn a_fault_in_a_layer_that_only_a_guess_makes_solid_is_an_error() {
    let cut =
        r#"<layer name="wallLayer" width="4" height="1"><data encoding="csv">0,1,1</data></layer>"#;
    let shape = r#"<objectgroup name="Platforms"><object id="1" x="?" y="0" width="8" height="8"/></objectgroup>"#;
    for layer in [cut, shape] {
        let map = support::map("", [4, 1], [8, 8], &(tileset([8, 8], 3, "") + layer));
        let mut options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
        let error = LoadedLevel::decode("a.tmx", map.as_bytes(), (), &options).unwrap_err();
        assert!(error.place().layer.is_some(), "{error}");
        options.lenient = true;
        let loaded = LoadedLevel::decode("a.tmx", map.as_bytes(), (), &options).unwrap();
        let causes: Vec<_> = loaded.warnings.iter().map(|warning| warning.cause).collect();
        assert_eq!(causes, [WarningCause::Fault, WarningCause::LastResort]);
        assert!(loaded.level.grid().solid_count() > 0);
    }
}
