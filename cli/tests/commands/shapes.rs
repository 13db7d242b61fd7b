//! The command `bitwall shapes`: its formats, and written maps that load as the original level.

use std::fs;

use bitwall::rules::AreaRule;
use bitwall::{Dir, LoadOptions, LoadedLevel};

use crate::shared::bitwall;
use crate::support::{asset, map, tileset};

fn shapes(level: &str, args: &[&str]) -> String {
    let (code, out, errors) = bitwall(&[&["shapes", level], args].concat(), "");
    assert_eq!((code, &*errors), (0, ""), "{level} {args:?}");
    out
}

#[test]
fn a_map_of_shapes_loads_as_the_level_that_it_was_made_from() {
    let folder = tempfile::tempdir().unwrap();
    // The map has one-way cells, an area, holes, and cells that are not square.
    let tiles = tileset([16, 8], 4, "");
    let layer = |name: &str, cells: &str| {
        format!(
            r#"<layer name="{name}" width="6" height="5"><data encoding="csv">{cells}</data></layer>"#
        )
    };
    let content = tiles
        + &layer("walls", "1,1,1,1,1,1, 1,0,1,0,0,1, 1,0,0,0,0,1, 1,1,1,1,0,1, 0,0,0,1,1,0")
        + &layer("water", "0,0,0,0,0,0, 0,2,0,0,0,0, 0,2,2,0,0,0, 0,0,0,0,0,0, 0,0,0,0,0,0")
        + r#"<objectgroup name="ledges">
            <object id="1" x="64" y="8" width="16" height="8"><properties>
            <property name="one_way" value="up"/></properties></object>
            <object id="2" x="16" y="32" width="32" height="8"><properties>
            <property name="one_way" value="left,down"/></properties></object></objectgroup>"#;
    let made = folder.path().join("made.tmx");
    fs::write(&made, map("", [6, 5], [16, 8], &content)).unwrap();
    let levels = [
        made,
        asset("cave.tmx"),
        asset("town.tmx"),
        asset("hills.tmx"),
        asset("harbor_mask.png"),
        asset("island_mask.png"),
    ];
    let options = LoadOptions { areas: vec![AreaRule::named("water")], ..LoadOptions::default() };
    for path in levels {
        let level = LoadedLevel::load(&path, &options).unwrap().level;
        for kind in ["rects", "outlines"] {
            let out = folder.path().join("out.tmx");
            let args = ["--as", kind, "--format", "tmx", "--area", "water", "--no-config"];
            let written = shapes(path.to_str().unwrap(), &args);
            fs::write(&out, written).unwrap();
            let again = LoadedLevel::load(&out, &options).unwrap().level;
            // Polygons load with cells of one pixel, rectangles of whole cells with the original cells.
            if kind == "rects" {
                assert_eq!(again.cell_size(), level.cell_size(), "{path:?}");
                assert!(again.grid() == level.grid(), "{path:?}");
            }
            assert_eq!(again.size(), level.size());
            assert!(again.rectangles() == level.rectangles(), "{path:?} {kind}");
            for side in Dir::ALL {
                let lines = |level: &bitwall::Level| -> Vec<_> {
                    level.one_way_chains(side).into_iter().map(|chain| chain.points).collect()
                };
                assert_eq!(lines(&again), lines(&level), "{path:?} {side}");
            }
            let area = |level: &bitwall::Level| {
                level.area("water").map(|area| area.rectangles()).unwrap_or_default()
            };
            assert_eq!(area(&again), area(&level), "{path:?} {kind}");
        }
    }
}

#[test]
fn json_lists_loops_with_their_parents_for_y_down_and_y_up() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("ring.tmx");
    let object =
        r#"<objectgroup name="Collision"><object id="1" width="24" height="24"/></objectgroup>"#;
    let hole =
        object.replace("<object id", r#"<object id="2" name="x" width="8" height="8"/><object id"#);
    fs::write(&path, map("", [4, 3], [8, 8], &hole)).unwrap();
    let path = path.to_str().unwrap();
    let read =
        |args: &[&str]| -> serde_json::Value { serde_json::from_str(&shapes(path, args)).unwrap() };
    let down = read(&[]);
    assert_eq!(down["size"], serde_json::json!([32, 24]));
    let expected =
        serde_json::json!([{"parent": null, "points": [[0, 0], [24, 0], [24, 24], [0, 24]]}]);
    assert_eq!(down["solids"], expected);
    let up = read(&["--y-up"]);
    let expected =
        serde_json::json!([{"parent": null, "points": [[0, 0], [24, 0], [24, 24], [0, 24]]}]);
    assert_eq!(up["solids"], expected, "from the bottom, the other way around");
    let rects = read(&["--as", "rects", "--y-up"]);
    assert_eq!(rects["solids"], serde_json::json!([[0, 0, 24, 24]]));
    let chains = read(&["--as", "chains", "--window", "16"]);
    let first = &chains["solids"][0];
    assert_eq!(first["points"], serde_json::json!([[0, 16], [0, 0], [16, 0]]));
    assert_eq!(
        (&first["before"], &first["after"]),
        (&serde_json::json!([0, 24]), &serde_json::json!([24, 0]))
    );
    let svg = shapes(path, &["--format", "svg"]);
    assert!(svg.starts_with("<svg ") && svg.contains("M0 0 24 0 24 24 0 24Z"), "{svg}");
}

#[test]
fn arguments_without_effect_are_refused() {
    let cave = asset("cave.tmx");
    let cave = cave.to_str().unwrap();
    for (args, reason) in [
        (&["--as", "chains", "--format", "tmx"][..], "chains have no area"),
        (&["--as", "rects", "--tolerance", "1"], "--tolerance has an effect on --as outlines only"),
        (&["--window", "16"], "--window has an effect on --as chains only"),
        (&["--format", "svg", "--y-up"], "--y-up has an effect on --format json only"),
        (&["--tolerance=-1"], "from 0 to 65536"),
        (&["--as", "chains", "--window", "0"], "0"),
    ] {
        let (code, out, errors) = bitwall(&[&["shapes", cave], args].concat(), "");
        assert_eq!((code, &*out), (2, ""), "{args:?}");
        assert!(errors.contains(reason), "{args:?}: {errors}");
    }
}
