//! What is solid in maps of real games, by the code of these games, beside what the default rules find.

mod truth;

use std::fs;

use bitwall::geometry::Outside;
use bitwall::glam::IVec2;
use bitwall::{LoadOptions, LoadedLevel};

use crate::shared::shared;
use crate::support::{self, layer, objects, tileset};

/// A map, what of it is solid and what is one-way by its game.
struct Row<'t> {
    file: &'t str,
    solid: &'t str,
    one_way: &'t str,
}

fn rows(table: &str) -> impl Iterator<Item = Row<'_>> {
    let lines = table.lines().filter(|line| !line.starts_with('#')).skip(1);
    lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        Row { file: fields[0], solid: fields[3], one_way: fields.get(4).copied().unwrap_or("") }
    })
}

#[test]
fn the_default_rules_find_what_the_games_themselves_call_solid() {
    let Some(corpus) = shared("corpus") else {
        return;
    };
    let table = fs::read_to_string(corpus.join("CONVENTIONS.tsv")).unwrap();
    let options =
        LoadOptions::default().with_outside(Outside::Open).with_nothing_solid_allowed(true);
    let (mut right, mut all) = (0, 0);
    println!("found: beside: verdict: map");
    for row in rows(&table) {
        let loaded = LoadedLevel::load(corpus.join(row.file), &options).unwrap();
        let map = loaded.map().unwrap();
        let truth = truth::levels(map, row.solid);
        let one_way = truth::levels(map, row.one_way);
        let [both, missed, beside] = truth::compared(&truth, &loaded.level, &one_way);
        let true_pixels = both + missed;
        let part = |of: u64| of as f64 / true_pixels.max(1) as f64;
        let is_right = part(missed) <= 0.01 && part(beside) <= 0.01;
        let verdict = if is_right { "right" } else { "wrong" };
        println!("{:.3}: {:.3}: {verdict}: {}", 1.0 - part(missed), part(beside), row.file);
        right += usize::from(is_right);
        all += 1;
    }
    println!("{right} of {all} maps are right");
    assert!(right * 100 >= all * 90, "{right} of {all}");
}

/// The solid cells of a map of 4 x 1 cells of 8 px, of which tile 0 has `tile` as its content.
fn solid_cells(tile: &str, layers: &str) -> Vec<i32> {
    let content = tileset([8, 8], 3, &format!(r#"<tile id="0">{tile}</tile>"#)) + layers;
    let map = support::map("", [4, 1], [8, 8], &content);
    let options = LoadOptions::default().with_nothing_solid_allowed(true);
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
fn one_layer_that_says_nocollide_makes_the_other_tile_layers_solid() {
    let free = |value: &str| {
        let word = property("nocollide", r#"type="bool""#, value);
        tiles(r#"name="back""#, "1,1,1,1").replace("<data", &(word + "<data"))
    };
    let front = tiles(r#"name="front""#, "0,2,0,2");
    let thing = objects("things", r#"<object id="1" width="8" height="8"/>"#);
    assert_eq!(solid_cells("", &(free("true") + &front + &thing)), [1, 3]);
    assert_eq!(solid_cells("", &(front.clone() + &thing)), [0; 0]);
    // The word with the value false marks its own layer only.
    assert_eq!(solid_cells("", &(free("false") + &front)), [0, 1, 2, 3]);
    // A layer's own word comes first.
    let open = property("solid", r#"type="bool""#, "false");
    let front = front.replace("<data", &(open + "<data"));
    assert_eq!(solid_cells("", &(free("true") + &front)), [0; 0]);
}

#[test]
fn the_marks_of_tiles_do_not_count_on_a_hidden_layer_and_its_own_word_does() {
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
fn a_body_of_the_type_static_is_solid_and_an_untyped_1_is_a_flag() {
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
fn on_a_layer_of_decoration_the_shapes_of_tiles_count_and_their_flags_do_not() {
    let flag = property("solid", r#"type="bool""#, "true");
    for (name, by_flag) in [("Above 1", vec![]), ("over", vec![]), ("Overworld", vec![0, 1])] {
        let data = tiles(&format!(r#"name="{name}""#), "1,1,2,0");
        assert_eq!(solid_cells(&flag, &data), by_flag, "{name}");
        assert_eq!(solid_cells(BOX, &data), [0, 1], "{name}");
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
    // One shape of two is a trigger.
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
fn a_name_that_begins_with_collision_marks_a_layer() {
    for (name, solid) in [("Collision Layer", vec![0]), ("No Collision", vec![])] {
        assert_eq!(solid_cells("", &tiles(&format!(r#"name="{name}""#), "1,0,0,0")), solid);
    }
}

#[test]
fn by_shapes_only_a_tile_without_one_is_passable_on_a_solid_layer() {
    let content = tileset([8, 8], 3, &format!(r#"<tile id="0">{BOX}</tile>"#))
        + &tiles(r#"name="walls""#, "1,2,0,1");
    let map = support::map("", [4, 1], [8, 8], &content);
    let rules = bitwall::rules::SolidRules::default().with_shapes_only(true);
    let level = support::load(&map, &LoadOptions::default().with_solid_rules(rules));
    let solid: Vec<i32> = (0..4).filter(|x| level.is_solid(IVec2::new(x * 8, 4))).collect();
    assert_eq!(solid, [0, 3]);
}
