//! Suggestions for levels in which the rules find too few solids, from the library and from `bitwall info`.

use std::fs;
use std::path::PathBuf;

use bitwall::glam::IVec2;
use bitwall::load::Source;
use bitwall::rules::SolidRules;
use bitwall::{Level, LoadOptions, LoadedLevel};
use bitwall_cli::mask_facts::MaskFacts;
use bitwall_cli::suggest::{Suggestion, suggestions};
use serde_json::Value;

use crate::shared::{bitwall, bitwall_in, root};
use crate::support::{corpus, even_blank, layer, map, objects, tileset};

/// Returns a map of 4 x 2 cells of 8 px, with these tile properties and these layers.
fn level(tiles: &str, layers: &str) -> String {
    map("", [4, 2], [8, 8], &(tileset([8, 8], 4, tiles) + layers))
}

fn tiles(attributes: &str, data: &str) -> String {
    layer(attributes, [4, 2], data)
}

fn property(name: &str, kind: &str, value: &str) -> String {
    format!(r#"<properties><property name="{name}" type="{kind}" value="{value}"/></properties>"#)
}

/// Loads a map, even without solids, and without the last resorts that would decide in place of a person.
fn load(map: &str, options: &LoadOptions) -> LoadedLevel {
    let mut options = LoadOptions { allow_nothing_solid: true, ..options.clone() };
    options.solid_rules.last_resorts.clear();
    LoadedLevel::decode("map.tmx", map.as_bytes(), (), &options).unwrap()
}

/// Returns the load options with those of a suggestion.
pub(crate) fn options_of(suggestion: &Suggestion) -> LoadOptions {
    LoadOptions::decode("bitwall.toml", suggestion.toml()).unwrap()
}

/// Returns the arguments of each suggestion for a map, and the number of solid cells with the first one.
fn suggested(map: &str) -> (Vec<String>, u64) {
    let found = suggestions(&load(map, &LoadOptions::default()), None);
    let options = found.first().map_or_else(LoadOptions::default, options_of);
    let arguments = found.iter().map(|found| found.arguments().join(" ")).collect();
    (arguments, load(map, &options).level.grid().solid_count())
}

fn first(map: &str) -> (String, u64) {
    let (arguments, solid) = suggested(map);
    (arguments.into_iter().next().unwrap_or_default(), solid)
}

const PLAIN: &str = "1,2,3,4,0,0,0,0";

#[test]
fn misspelt_words_of_the_rules_are_suggested_first() {
    for name in ["Colision", "Collison 2", "Solid tiles", "houseWalls", "obstcales"] {
        let named = tiles(&format!(r#"name="{name}""#), PLAIN);
        let ground = tiles(r#"name="Ground" visible="0""#, "0,0,0,0,1,1,1,1");
        let expected = format!("--solid-layer {name}");
        assert_eq!(first(&level("", &(ground + &named))), (expected, 4), "{name}");
    }
    for (word, argument) in [
        (property("sollid", "bool", "true"), "--solid-property sollid"),
        (property("is_walkable", "bool", "false"), "-c solid.passable-properties=is_walkable"),
    ] {
        let tile = format!(r#"<tile id="0">{word}</tile>"#);
        let data = tiles(r#"name="Ground""#, "1,1,2,2,2,3,3,4");
        assert_eq!(first(&level(&tile, &data)), (argument.to_owned(), 2));
    }
    let class = r#"<tile id="1" class="walls_of_rock"/>"#;
    let data = tiles(r#"name="Ground""#, "1,1,2,2,2,3,3,4");
    assert_eq!(first(&level(class, &data)), ("--solid-class walls_of_rock".to_owned(), 3));
}

#[test]
fn a_misspelt_layer_name_is_suggested_although_something_is_solid() {
    let walls = tiles(r#"name="walls""#, "1,0,0,0,0,0,0,0");
    let other = tiles(r#"name="Colision""#, PLAIN);
    assert_eq!(first(&level("", &(walls.clone() + &other))), ("--solid-layer Colision".into(), 4));
    // If something is solid, only misspelt names are suggested. These names are guesses or decoration.
    for name in ["blocks", "house walls", "no collision", "Ground"] {
        let other = tiles(&format!(r#"name="{name}" visible="0""#), PLAIN);
        assert_eq!(suggested(&level("", &(walls.clone() + &other))).0, [""; 0], "{name}");
    }
}

#[test]
fn shapes_are_suggested_as_solid_by_class_or_else_by_layer() {
    let shape = |id: u32, more: &str| {
        format!(r#"<object id="{id}" x="{}" width="8" height="8" {more}/>"#, id * 8 - 8)
    };
    let all = |more: &str| (1..=3).map(|id| shape(id, more)).collect::<String>();
    assert_eq!(first(&level("", &objects("Things", &all("")))), ("--solid-layer Things".into(), 3));
    let of_class = level("", &objects("Things", &all(r#"class="Crate""#)));
    assert_eq!(first(&of_class), ("--solid-class Crate".into(), 3));
    let places = level("", &objects("Things", &all(r#"class="EnemySpawn""#)));
    assert_eq!(suggested(&places).0, [""; 0]);
}

#[test]
fn shapes_without_a_class_are_suggested_as_solid_by_their_names() {
    let of = |names: [&str; 3]| {
        let shape = |(id, name): (usize, &&str)| {
            let x = id * 8;
            format!(r#"<object id="{}" name="{name}" x="{x}" width="8" height="8"/>"#, id + 1)
        };
        level("", &objects("Things", &names.iter().enumerate().map(shape).collect::<String>()))
    };
    for (names, expected, solid) in [
        (["Crate"; 3], "-c solid.object-names=Crate", 3),
        (["spawn_a"; 3], "", 0),
        (["a", "b", "c"], "", 0),
    ] {
        let (arguments, found) = first(&of(names));
        assert_eq!((arguments, found), (expected.to_owned(), solid), "{names:?}");
    }
    // One object with such a name is weaker evidence than several plain shapes.
    let shape = |id: u32, more: &str| {
        format!(r#"<object id="{id}" x="{}" width="8" height="8" {more}/>"#, id % 4 * 8)
    };
    let walls = [shape(1, ""), shape(2, ""), shape(3, "")].concat();
    let things = objects("Things", &shape(4, r#"name="breakWall""#));
    let all = level("", &(objects("Edges", &walls) + &things));
    assert_eq!(first(&all), ("--solid-layer Edges".into(), 3));
    // A level with few solids has suggestions, but not for the words that made it solid already.
    let names = [1, 2, 3].map(|id| shape(id, r#"name="wall""#)).concat();
    let large = map("", [64, 64], [8, 8], &objects("Things", &names));
    assert_eq!(suggested(&large), (Vec::new(), 3));

    // The program accepts these names too.
    let folder = folder(&[("a.tmx", of(["Crate"; 3]).as_bytes())]);
    let (code, text, err) =
        bitwall_in(folder.path(), &["info", "a.tmx", "-c", "solid.object-names=Crate"], "");
    assert!((code, &*err) == (0, "") && !text.contains("  try "), "{text}");
}

#[test]
fn a_layer_whose_tiles_hold_a_spawn_is_suggested_as_walkable_not_solid() {
    // Only the left half of the map has tiles.
    let half = tiles(r#"name="a""#, "1,1,0,0,1,1,0,0");
    let at = |x: u32| {
        objects("o", &format!(r#"<object id="1" name="spawn" x="{x}" y="4"><point/></object>"#))
    };
    assert_eq!(first(&level("", &(half.clone() + &at(28)))), ("--solid-layer a".into(), 4));
    let (floor, solid) = first(&level("", &(half + &at(4))));
    assert_eq!((&*floor, solid), ("--walkable-layer a", 4));
}

#[test]
fn shapes_only_is_suggested_if_most_solid_tiles_have_shapes() {
    let shape = r#"<objectgroup><object id="1" width="8" height="8"/></objectgroup>"#;
    let tile = format!(r#"<tile id="0">{shape}</tile>"#);
    let walls = |data: &str| level(&tile, &tiles(r#"name="walls""#, data));
    assert_eq!(first(&walls("1,1,1,2,0,0,0,0")), ("-c solid.shapes-only=true".to_owned(), 3));
    assert_eq!(suggested(&walls("1,1,2,2,0,0,0,0")).0, [""; 0]);
    assert_eq!(first(&walls("1,1,2,2,2,2,2,2")), ("-c solid.shapes-only=true".to_owned(), 2));
}

/// Each first suggestion for a map without solids makes something solid, and the program accepts each
/// argument.
#[test]
fn every_suggestion_for_a_real_map_is_accepted_as_arguments() {
    let Some(files) = corpus() else {
        return;
    };
    let options = even_blank();
    let (mut count, mut seen) = (0, Vec::new());
    for (file, path) in &files {
        let Ok(loaded) = LoadedLevel::load(path, &options) else {
            continue;
        };
        for found in suggestions(&loaded, None) {
            let applied = LoadOptions { allow_nothing_solid: true, ..options_of(&found) };
            let by_it = LoadedLevel::load(path, &applied).unwrap();
            assert!(!loaded.level.is_blank() || !by_it.level.is_blank(), "{file}: {found}");
            let flag = &found.arguments()[0];
            assert!(!found.why.is_empty() && (flag == "-c" || flag.starts_with("--")), "{found}");
            count += 1;
            let kinds: Vec<_> = found.options.iter().map(std::mem::discriminant).collect();
            if !seen.contains(&kinds) {
                let mut args = vec!["info".to_owned(), path.to_str().unwrap().to_owned()];
                args.extend(found.arguments());
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let (code, _, err) = bitwall(&args, "");
                assert_eq!((code, &*err), (0, ""), "{args:?}");
                seen.push(kinds);
            }
        }
    }
    println!("{count} suggestions of {} kinds", seen.len());
    assert!(count > 100 && seen.len() >= 4);
}

#[test]
fn the_example_levels_get_no_suggestion() {
    let assets = root().join("assets");
    // Sheets of tiles or frames are not levels.
    let is_sheet = |name: &str| name.ends_with("_tiles.png") || name.ends_with("walker.png");
    let is_level = |file: &PathBuf| !is_sheet(&file.to_string_lossy());
    for file in crate::shared::files_in(&assets).into_iter().filter(is_level) {
        if let Ok(loaded) = LoadedLevel::load(&file, &LoadOptions::default()) {
            let facts = match &loaded.source {
                Source::Mask(source) => MaskFacts::read(source, &fs::read(&file).unwrap()),
                _ => None,
            };
            let found = suggestions(&loaded, facts.as_ref());
            assert!(found.is_empty(), "{}: {found:?}", file.display());
        }
    }
}

/// Creates a folder with these files.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, content) in files {
        fs::write(folder.path().join(name), content).unwrap();
    }
    folder
}

#[test]
fn info_prints_the_suggestions_in_text_and_in_json() {
    let map = level("", &tiles(r#"name="Obstcales""#, PLAIN));
    let folder = folder(&[("a.tmx", map.as_bytes())]);
    let (code, text, err) = bitwall_in(folder.path(), &["info", "a.tmx"], "");
    assert_eq!((code, &*err), (0, ""));
    let line = "  try       --solid-layer Obstcales: the name of the layer `Obstcales` is nearly \
                `obstacles` (4 items)";
    assert!(text.lines().any(|found| found == line), "{text}");
    let (_, json, _) = bitwall_in(folder.path(), &["info", "a.tmx", "--format", "json"], "");
    let json: Value = serde_json::from_str(&json).unwrap();
    let first = &json["suggestions"][0];
    assert_eq!(first["options"], serde_json::json!(["--solid-layer", "Obstcales"]));
    assert_eq!(first["cells"], 4);
    assert!(first["why"].as_str().unwrap().contains("nearly"));

    // Other commands fail for the map and print the same suggestion.
    let args = ["can-move", "a.tmx", "--body", "0,0,1,1", "--dir", "up", "--step", "1"];
    let (code, _, err) = bitwall_in(folder.path(), &args, "");
    assert!(code == 2 && err.contains("\n  try --solid-layer Obstcales: "), "{err}");
    let error = Level::load(folder.path().join("a.tmx")).unwrap_err();
    assert!(error.headline().ends_with("; the layer `Obstcales` is nearly `obstacles`"), "{error}");
}

#[test]
fn an_argument_that_matches_nothing_is_an_error_with_a_near_name() {
    let tile = r#"<tile id="0" class="rock"><properties>
        <property name="hard" type="bool" value="true"/><property name="kind" value="stone"/>
        </properties></tile>"#;
    let map = level(tile, &tiles(r#"name="Walls""#, PLAIN));
    let folder = folder(&[("a.tmx", map.as_bytes()), ("m.png", &rock())]);
    let info = |args: &[&str]| bitwall_in(folder.path(), &[&["info"], args].concat(), "");
    for (args, reason) in [
        (["--solid-layer", "Wals"], "no layer of the level is `Wals`; it has `Walls`"),
        (["--walkable-layer", "Floor"], "no layer of the level is `Floor`; it has `Walls`"),
        (["--solid-class", "Rock"], ""),
    ] {
        let (code, _, err) = info(&[&["a.tmx"], &args[..]].concat());
        match reason {
            "" => assert_eq!((code, &*err), (0, ""), "{args:?}"),
            _ => assert_eq!((code, err), (2, format!("error: {reason}\n"))),
        }
    }
    let (code, _, err) = info(&["m.png", "--solid-layer", "Walls"]);
    assert!(code == 2 && err.contains("no layer of the level is `Walls`; it has "), "{err}");
}

fn rock() -> Vec<u8> {
    fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/rock.png")).unwrap()
}

#[test]
fn a_warning_reports_an_empty_solid_layer_if_nothing_is_solid() {
    let empty = tiles(r#"name="walls""#, "0,0,0,0,0,0,0,0");
    let ground = tiles(r#"name="Ground""#, PLAIN);
    let map = level("", &(empty.clone() + &ground));
    let options = LoadOptions::default();
    let warnings = load(&map, &options).warnings;
    let said = "layer `walls`: the layer is solid by its name, but it is empty";
    assert!(warnings.iter().any(|warning| warning.to_string().starts_with(said)), "{warnings:?}");
    let error = Level::decode("a.tmx", map.as_bytes(), (), &options).unwrap_err().to_string();
    assert!(error.contains(said), "{error}");
    // The warning is not needed if another layer is solid.
    let solid = tiles(r#"name="solid""#, PLAIN);
    let loaded = load(&level("", &(empty + &solid)), &options);
    assert!(loaded.warnings.is_empty() && loaded.level.is_solid(IVec2::ZERO));
}

#[test]
fn info_suggests_a_mask_rule_for_the_colours_of_a_mask() {
    let red = bitwall::image::RgbaImage::from_fn(8, 8, |x, _| {
        bitwall::image::Rgba(if x < 3 { [220, 180, 180, 255] } else { [255; 4] })
    });
    let folder = folder(&[]);
    red.save(folder.path().join("m.png")).unwrap();
    let (code, json, _) = bitwall_in(folder.path(), &["info", "m.png", "--format", "json"], "");
    let json: Value = serde_json::from_str(&json).unwrap();
    let all = json["suggestions"].as_array().unwrap();
    let last = &all[all.len() - 1]["options"];
    assert_eq!((code, last), (0, &serde_json::json!(["--mask", "#dcb4b4"])));
    let (_, json, _) =
        bitwall_in(folder.path(), &["info", "m.png", "--mask", "#dcb4b4", "--format", "json"], "");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["solid_cells"], &json["suggestions"]), (&24.into(), &serde_json::json!([])));
}

#[test]
fn layers_named_by_a_rule_are_not_suggested_and_counts_of_equal_names_are_added() {
    let rules = SolidRules {
        passable_layers: vec!["stuff".to_owned()],
        ..bitwall::rules::SolidRules::default()
    };
    let options = LoadOptions { solid_rules: rules, ..LoadOptions::default() };
    let map = level("", &tiles(r#"name="stuff""#, PLAIN));
    assert!(suggestions(&load(&map, &options), None).is_empty());
    let fringe = level("", &tiles(r#"name="Fringe""#, PLAIN));
    assert!(suggestions(&load(&fringe, &LoadOptions::default()), None).is_empty());

    let twice =
        tiles(r#"name="House walls""#, PLAIN) + &tiles(r#"name="House walls""#, "1,1,1,0,0,0,0,0");
    let found = suggestions(&load(&level("", &twice), &LoadOptions::default()), None);
    assert_eq!(found[0].cells, 7);
}

#[test]
fn three_thousand_misspelt_classes_give_suggestions_of_at_most_eight_options() {
    let all: String = (1..=3000)
        .map(|id| format!(r#"<object id="{id}" class="colision{id}" width="8" height="8"/>"#))
        .collect();
    let map = level("", &(tiles(r#"name="Zed""#, PLAIN) + &objects("o", &all)));
    let loaded = load(&map, &LoadOptions::default());
    let found = suggestions(&loaded, None);
    assert!(found.iter().all(|found| found.options.len() <= 8));
}

#[test]
fn info_compares_the_level_and_its_first_suggestions_in_one_picture() {
    let walls = tiles(r#"name="walls""#, "1,0,0,0,0,0,0,0");
    let other = tiles(r#"name="Colision""#, PLAIN);
    let blank =
        level("", &(tiles(r#"name="a""#, PLAIN) + &tiles(r#"name="b""#, "1,0,0,0,0,0,0,0")));
    let both = level("", &(walls.clone() + &other));
    let clear = level("", &walls);
    let folder = folder(&[
        ("both.tmx", both.as_bytes()),
        ("blank.tmx", blank.as_bytes()),
        ("clear.tmx", clear.as_bytes()),
    ]);
    // Both comparisons show two pictures of 480 px with a gap: the level and a suggestion, or two
    // suggestions.
    for name in ["both.tmx", "blank.tmx"] {
        let (code, _, err) = bitwall_in(folder.path(), &["info", name, "--compare", "c.png"], "");
        assert_eq!(code, 0, "{err}");
        let picture = bitwall::load::load_picture(folder.path().join("c.png")).unwrap();
        let (width, height) = picture.dimensions();
        // Below each picture stands its legend, with the options.
        assert!(width == 480 + 8 + 480 && height > 240 + 20, "{name}: {width} x {height}");
    }
    let (code, _, err) =
        bitwall_in(folder.path(), &["info", "clear.tmx", "--compare", "d.png"], "");
    assert!(code == 2 && err.contains("nothing to compare"), "{err}");
    let args = ["info", "blank.tmx", "--compare", "clear.tmx"];
    let (code, _, err) = bitwall_in(folder.path(), &args, "");
    assert!(code == 2 && err.contains("will not be replaced"), "{err}");
}

#[test]
fn an_argument_can_name_a_layer_by_its_kind() {
    let map = level("", &(tiles(r#"name="Things""#, PLAIN) + &objects("Things", "")));
    let folder = folder(&[("a.tmx", map.as_bytes())]);
    for (name, error) in [
        ("tiles:things", ""),
        ("objects:Th*", ""),
        ("group:things", "no layer of the level is `group:things`; "),
        ("Thinks", "no layer of the level is `Thinks`; it has `Things`"),
    ] {
        let (code, _, err) =
            bitwall_in(folder.path(), &["info", "a.tmx", "--solid-layer", name], "");
        let expected = if error.is_empty() { 0 } else { 2 };
        assert_eq!((code, err.is_empty()), (expected, error.is_empty()), "{err}");
        assert!(err.contains(error), "{err}");
    }
}
