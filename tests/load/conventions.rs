//! The default rules, compared with the solids in maps of real games. The code of these games defines their
//! solids.

mod cross_validation;
mod table;
mod truth;
mod unknown_words;

use std::sync::Arc;

use bitwall::glam::IVec2;
use bitwall::rules::{Setting, SolidRules, TileIds};
use bitwall::tmx::{Layer, LayerContent, Map};
use bitwall::{LoadOptions, LoadedLevel};

use self::table::{Row, rows};
use crate::support::{self, corpus, even_blank, layer, objects, shared, tileset};

#[test]
fn default_rules_or_suggestions_find_the_solids_of_real_games() {
    let (Some(corpus), Some(fresh)) = (shared("corpus"), shared("fresh")) else {
        return;
    };
    println!("found: beside: verdict: map: first suggestion");
    let of_corpus = Tally::of(&rows(&corpus, None), &Row::loaded);
    let of_fresh = Tally::of(&rows(&fresh, None), &Row::loaded);
    println!("corpus: {of_corpus:?}\nfresh: {of_fresh:?}");
    for (tally, right, with_first) in [(of_corpus, 90, 95), (of_fresh, 80, 90)] {
        let Tally { all, by_default, by_first, silent, needless } = tally;
        assert!(by_default * 100 >= all * right, "too few are right by default");
        assert!((by_default + by_first) * 100 >= all * with_first, "too few are right");
        assert!(silent * 100 <= all * 4, "too many are wrong without a suggestion");
        assert!(needless * 10 <= by_default, "too many that are right have a suggestion");
    }
}

/// The numbers of maps in the table, by result.
#[derive(Debug, Default)]
struct Tally {
    all: usize,
    by_default: usize,
    /// Maps that are wrong by default but right with the first suggestion.
    by_first: usize,
    /// Maps that are wrong and have no suggestion.
    silent: usize,
    /// Maps that are right but have a suggestion.
    needless: usize,
}

impl Tally {
    /// Counts the results of `rows`. `load` loads the map of a row with options.
    fn of(rows: &[Row], load: &dyn Fn(&Row, &LoadOptions) -> LoadedLevel) -> Self {
        let mut tally = Self { all: rows.len(), ..Self::default() };
        for row in rows {
            let loaded = load(row, &LoadOptions::default());
            let first = loaded.suggestions(None).into_iter().next();
            let mut options = LoadOptions::default();
            let settings = first.iter().flat_map(|first| &first.options);
            settings.for_each(|setting| options.apply(setting));
            let is_right = row.is_right(&loaded.level);
            let helps = first.is_some() && !is_right && row.is_right(&load(row, &options).level);
            let word = match (is_right, helps) {
                (true, _) => "right",
                (false, true) => "right as suggested",
                (false, false) => "wrong",
            };
            let [found, beside] = row.compared(&loaded.level);
            let shown = first.as_ref().map(ToString::to_string).unwrap_or_default();
            println!("{found:.3}: {beside:.3}: {word}: {}: {shown}", row.file);
            tally.by_default += usize::from(is_right);
            tally.by_first += usize::from(helps);
            tally.silent += usize::from(!is_right && first.is_none());
            tally.needless += usize::from(is_right && first.is_some());
        }
        tally
    }
}

/// Replaces the names of all layers by numbers, and removes their classes.
fn without_words(map: &mut Map) {
    fn strip(layers: &mut [Layer], count: &mut u32) {
        for layer in layers {
            *count += 1;
            layer.name = format!("layer {count}");
            layer.class.clear();
            layer.properties.clear();
            if let LayerContent::Group(inner) = &mut layer.content {
                strip(inner, count);
            }
        }
    }
    strip(&mut map.layers, &mut 0);
    for set in &mut map.tilesets {
        set.name = format!("tiles from {}", set.first_gid);
        for tile in set.tiles.values_mut().map(Arc::make_mut) {
            (tile.class, tile.properties) = Default::default();
            tile.shapes.clear();
        }
    }
}

#[test]
fn the_solid_layer_is_the_first_suggestion_when_all_names_are_removed() {
    let Some(files) = corpus() else {
        return;
    };
    let options = even_blank();
    let (mut first, mut all) = (0, 0);
    for (file, path) in &files {
        let Ok(loaded) = LoadedLevel::load(path, &options) else {
            continue;
        };
        let Some(map) = loaded.map().filter(|_| loaded.maps.len() == 1) else {
            continue;
        };
        // Only maps with one tile layer named for its solids, among several, can be judged.
        let is_named = |name: &str| name.to_lowercase().starts_with("collision");
        let mut stripped = map.clone();
        without_words(&mut stripped);
        let tiles = |map: &Map| {
            let tiles = map.walk().filter(|it| matches!(it.layer.content, LayerContent::Tiles(_)));
            tiles.map(|it| it.layer.name.clone()).collect::<Vec<_>>()
        };
        let names = tiles(map);
        let truth: Vec<usize> = (0..names.len()).filter(|at| is_named(&names[*at])).collect();
        let ([truth], true) = (&truth[..], names.len() > 1) else {
            continue;
        };
        let wanted = tiles(&stripped)[*truth].clone();
        let loaded = LoadedLevel::from_map(stripped, &options).unwrap();
        let found = loaded.suggestions(None).into_iter().next();
        let is_first = found.as_ref().is_some_and(|it| it.options == [Setting::SolidLayer(wanted)]);
        println!(
            "{}: {file}: {}",
            if is_first { "first" } else { "not first" },
            found.map(|found| found.to_string()).unwrap_or_default()
        );
        first += usize::from(is_first);
        all += 1;
    }
    println!("{first} of {all} layers are the first suggestion");
    assert!(all >= 9 && first * 10 >= all * 9, "{first} of {all}");
}

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
