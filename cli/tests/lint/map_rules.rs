//! Rules for single maps: the layers, objects and pictures that a rule counts, and those that it leaves out.

use std::collections::BTreeMap;
use std::fs;

use bitwall::LoadOptions;
use bitwall::rules::AreaRule;
use bitwall_cli::lint::{
    MarkerRole, MarkerSpec, VerifyOptions, verify_bytes, verify_bytes_with, verify_file,
};

use crate::shared::folder;
use crate::support::{layer, map, objects, tileset};

/// Returns the headlines of the findings of one rule in a map of 4 x 4 tiles.
fn headlines(rule: &str, content: &str, options: &VerifyOptions) -> Vec<String> {
    let text = map("", [4, 4], [8, 8], content);
    let findings = verify_bytes("a.tmx", text.as_bytes(), options).findings.into_iter();
    findings.filter(|it| it.rule.name == rule).map(|it| it.headline).collect()
}

#[test]
fn solids_areas_and_markers_outside_of_the_map_are_reported_each_by_itself() {
    let areas = vec![AreaRule { layers: vec!["water".to_owned()], ..AreaRule::new("water") }];
    let options = VerifyOptions {
        load: LoadOptions { areas, ..LoadOptions::default() },
        markers: vec![MarkerSpec::new("exit", MarkerRole::Goal)],
        ..VerifyOptions::default()
    };
    let block = objects("walls", r#"<object id="1" x="8" y="8" width="8" height="8"/>"#);
    for (layer, name, kind) in [
        ("walls", "", Some("a solid object")),
        ("walls", "exit", Some("the marker")),
        ("water", "", Some("an object of an area")),
        ("things", "exit", Some("the marker")),
        ("things", "door", None),
    ] {
        let found = |x: i32| {
            let object =
                format!(r#"<object id="2" name="{name}" x="{x}" y="8" width="8" height="8"/>"#);
            headlines("object-outside", &(block.clone() + &objects(layer, &object)), &options)
        };
        let expected = kind.map(|kind| format!("{kind} lies outside of the map"));
        assert_eq!(found(-200), Vec::from_iter(expected), "{layer} {name}");
        assert_eq!(found(16), [""; 0], "{layer} {name} within the map");
        // Walls around a map are usual. Areas and markers there are reported.
        let is_wall = kind == Some("a solid object");
        assert_eq!(found(32).is_empty(), is_wall || kind.is_none(), "{layer} {name} at the edge");
    }
}

#[test]
fn only_solid_layers_with_a_name_and_with_walls_are_reported_for_equal_names() {
    let set = tileset([8, 8], 4, "");
    let of = |name: &str, gid: &str| {
        let flag = r#"<properties><property name="solid" type="bool" value="true"/></properties>"#;
        let flag = if name == "decor" { "" } else { flag };
        let cells = vec![gid; 16].join(",");
        layer(&format!("name=\"{name}\""), [4, 4], &cells).replace("<data", &format!("{flag}<data"))
    };
    for (first, second, is_found) in [
        (of("rocks", "1"), of("rocks", "1"), true),
        (of("rocks", "1"), of("rocks", "0"), false),
        (of("rocks", "1"), of("trees", "1"), false),
        (of("", "1"), of("", "1"), false),
        (of("decor", "1"), of("decor", "1"), false),
    ] {
        let content = [&*set, &*first, &*second, &*of("walls", "2")].concat();
        let found = headlines("duplicate-id", &content, &VerifyOptions::default());
        let expected = is_found.then(|| "two solid layers have the name `rocks`".to_owned());
        assert_eq!(found, Vec::from_iter(expected), "{first} {second}");
    }
}

/// A picture within the map has a made-up path, under which a file may lie by chance.
#[test]
fn a_file_is_not_taken_for_a_picture_that_is_within_the_map() {
    let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 12345\n";
    let found = |source: &str, file: &str| {
        let set = tileset([8, 8], 4, "").replace(r#"source="t.png""#, source);
        let set = set.replace(
            "height=\"8\"/>",
            "height=\"8\"><data encoding=\"base64\">AAAA</data></image>",
        );
        let walls = objects("walls", r#"<object id="1" x="8" y="8" width="8" height="8"/>"#);
        let text = map("", [4, 4], [8, 8], &(set + &walls));
        let files = BTreeMap::from([(file, pointer)]);
        let options = VerifyOptions::default();
        let findings = verify_bytes_with("a.tmx", text.as_bytes(), &files, &options).findings;
        findings.iter().filter(|it| it.rule.name == "foreign-bytes").count()
    };
    assert_eq!(found(r#"source="t.png""#, "t.png"), 1);
}

#[test]
fn no_conclusion_is_drawn_from_guessed_solids_and_a_guess_with_all_spawns_inside_looks_wrong() {
    let of = |name: &str, x: u32| {
        let cells = "1,1,1,1,1,1,1,1,1,1,1,1,0,0,0,0";
        let walls = layer(&format!("name=\"{name}\""), [4, 4], cells);
        let spawn = format!(r#"<object id="1" name="player" x="{x}" y="{x}"><point/></object>"#);
        tileset([8, 8], 4, "") + &walls + &objects("things", &spawn)
    };
    let check = |content: String| {
        let text = map("", [4, 4], [8, 8], &content);
        verify_bytes("a.tmx", text.as_bytes(), &VerifyOptions::default())
    };
    let codes = |content: String| {
        let findings = check(content).findings.into_iter();
        findings.map(|it| it.rule.code).filter(|code| *code != "TMX110").collect::<Vec<_>>()
    };
    assert_eq!(codes(of("Walls", 12)), ["LVL301"]);
    let guessed = check(of("wallLayer", 12));
    let finding = guessed.findings.iter().find(|it| it.rule.code == "TMX128").unwrap();
    assert!(finding.notes[1].starts_with("it looks wrong: 1 of 1 spawn"), "{:?}", finding.notes);
    assert_eq!(codes(of("wallLayer", 12)), ["TMX128"]);
    let mut skipped = guessed.skipped.iter().filter(|it| it.rule.code == "LVL301");
    assert!(skipped.any(|it| it.reason.to_string() == "a guess decides what is solid"));
    let found = check(of("wallLayer", 28)).findings;
    let finding = found.iter().find(|it| it.rule.code == "TMX128").unwrap();
    assert_eq!(finding.notes.len(), 1, "the spawn is free");
}

#[test]
fn pictures_of_an_exported_map_may_be_kept_elsewhere_and_those_of_other_maps_may_not() {
    let set = |number: u32, picture: &str| {
        format!(
            r#"{{"firstgid":{number},"name":"t{number}","tilewidth":8,"tileheight":8,"tilecount":4,
            "columns":4,"image":"{picture}","imagewidth":32,"imageheight":8}}"#
        )
    };
    let of = |first: &str, second: &str| {
        format!(
            r#"{{"type":"map","version":"1.10","orientation":"orthogonal","width":1,"height":1,"tilewidth":8,
            "tileheight":8,"tilesets":[{},{}],"layers":[{{"id":1,"type":"tilelayer","name":"Walls","width":1,
            "height":1,"data":[1]}}]}}"#,
            set(1, first),
            set(9, second)
        )
    };
    let root = folder(&[("art/t.png", ""), ("maps/.keep", "")]);
    let load = LoadOptions { root: Some(root.path().into()), ..LoadOptions::default() };
    let options = VerifyOptions { load, ..VerifyOptions::default() };
    for (first, second, is_found) in [
        ("../art/t.png", "../art/t.png", [false, false]),
        ("../art/t.png", "../art/gone.png", [true, true]),
        ("../art/t.png", "../away/gone.png", [true, true]),
        ("../art/gone.png", "../away/gone.png", [true, true]),
        ("gone.png", "gone.png", [true, true]),
        ("../away/t.png", "far/away/t.png", [false, true]),
    ] {
        let found = ["a.json", "a.tmj"].map(|name| {
            let path = root.path().join("maps").join(name);
            fs::write(&path, of(first, second)).unwrap();
            let report = verify_file(&path, &options);
            report.findings.iter().any(|it| it.rule.code == "TMX110")
        });
        assert_eq!(found, is_found, "{first} {second}");
    }
}
