//! Levels through the commands: worlds, far chunks, rendered maps, and hints in errors.

use std::fs;

use bitwall::Level;
use bitwall::glam::IVec2;

#[cfg(unix)]
use crate::shared::limited_command;
use crate::shared::{asset, bitwall, folder};
#[cfg(unix)]
use crate::support::{FAR, far_map};
use crate::support::{layer, map, tileset};

/// The hints name command-line arguments, which the library does not know.
#[test]
fn load_errors_suggest_command_line_arguments() {
    let folder = folder(&[("game/bitwall.toml", ""), ("t.tsx", "")]);
    let at = |name: &str| folder.path().join("game").join(name);
    let out = r#"<tileset firstgid="1" source="../t.tsx"/>"#;
    fs::write(at("out.tmx"), map("", [1, 1], [8, 8], out)).unwrap();
    fs::write(at("blank.tmx"), map("", [1, 1], [8, 8], "")).unwrap();
    for (name, argument) in [("out.tmx", "or by --root"), ("blank.tmx", "or by --solid-layer")] {
        let level = at(name);
        let args = ["can-move", level.to_str().unwrap(), "--body", "0,0,1,1", "--dir", "up"];
        let (code, _, error) = bitwall(&[&args[..], &["--step", "1"]].concat(), "");
        assert!(code == 2 && error.trim_end().ends_with(argument), "{error}");
    }
}

#[test]
fn a_map_rendered_as_collision_loads_as_a_mask_with_equal_solids() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("mask.png");
    let out_name = out.to_str().unwrap();
    let args = ["render", "assets/bricks.tmx", "--view=collision", "--scale=1", "-o", out_name];
    assert_eq!(bitwall(&args, "").0, 0);
    let level = Level::load(asset("bricks.tmx")).unwrap();
    let mask = Level::load(&out).unwrap();
    let size = level.size().as_ivec2();
    for (x, y) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (x, y))) {
        let pixel = IVec2::new(x, y);
        assert_eq!(mask.is_solid(pixel), level.is_solid(pixel), "{pixel}");
    }
    assert_eq!(mask.grid().solid_count(), 288 * 24 * 12);
}

#[test]
fn info_lists_the_maps_of_a_world() {
    let tiles = r#"<tile id="1" type="wall"/>"#;
    let content = tileset([8, 4], 2, tiles) + &layer(r#"name="Ground""#, [3, 2], "1,2,1,0,0,2");
    let map = map("", [3, 2], [8, 4], &content);
    let world =
        r#"{"maps":[{"fileName":"a.tmx","x":-8,"y":0},{"fileName":"b.tmx","x":16,"y":-4}]}"#;
    let folder = folder(&[("a.tmx", &map), ("b.tmx", &map), ("w.world", world)]);
    let path = folder.path().join("w.world");
    let info = |format: &str| bitwall(&["info", path.to_str().unwrap(), "--format", format], "").1;
    let text = info("text");
    assert!(text.contains("  map       `a.tmx` at (x 0, y 4), 24 x 8 px\n"), "{text}");
    assert!(text.contains("  map       `b.tmx` at (x 24, y 0), 24 x 8 px\n"), "{text}");
    let json: serde_json::Value = serde_json::from_str(&info("json")).unwrap();
    assert_eq!(json["maps"][1]["file"], "b.tmx");
    assert_eq!(json["maps"][1]["x"], 24);
    assert_eq!(json["maps"][0]["height_px"], 8);
}

#[test]
fn the_commands_accept_an_ldtk_project_and_single_levels_of_it() {
    let rooms = "assets/rooms.ldtk";
    let (code, out, _) = bitwall(&["info", rooms], "");
    assert!(code == 0 && out.contains("`Shaft` at (x 320, y 0), 320 x 192 px"), "{out}");
    let (code, out, _) = bitwall(&["info", rooms, "--level", "Pool"], "");
    assert!(code == 0 && out.contains("320 x 192"), "{out}");
    let (code, _, error) = bitwall(&["info", rooms, "--level", "Attic"], "");
    assert!(code == 2 && error.contains("no level is `Attic`"), "{error}");
    let ask = ["can-move", rooms, "--body=40,80,12,20", "--dir", "down", "--step", "500"];
    let (code, out, _) = bitwall(&ask, "");
    assert!(code == 1 && out.contains("`Hall/Collisions` (solid by class `wall`)"), "{out}");
    let folder = tempfile::tempdir().unwrap();
    let picture = folder.path().join("rooms.png");
    let (code, _, error) = bitwall(&["render", rooms, "-o", picture.to_str().unwrap()], "");
    assert!(code == 0 && picture.exists(), "{error}");
    let copy = folder.path().join("rooms.ldtk");
    let text = fs::read_to_string(asset("rooms.ldtk")).unwrap();
    fs::write(&copy, text.replacen("[1,1,1", "[1,0,1", 1)).unwrap();
    let (code, out, _) = bitwall(&["diff", rooms, copy.to_str().unwrap()], "");
    assert!(code == 1, "{out}");
    let (code, out, error) = bitwall(&["verify", rooms, "--no-config"], "");
    assert!(code == 0, "{out}{error}");
    let (code, out, error) = bitwall(&["init", folder.path().to_str().unwrap(), "--dry-run"], "");
    assert!(code == 0 && !out.contains("auto tiles"), "{out}{error}");
}

/// The memory limit in KiB: 100 MB.
#[cfg(unix)]
const LIMIT_KIB: u64 = 100_000_000 / 1024;

/// Runs in a separate process with limited memory, program code included.
#[cfg(unix)]
#[test]
fn chunks_a_million_cells_apart_load_in_100_mb() {
    let folder = tempfile::tempdir().unwrap();
    for (index, chunks) in FAR.iter().enumerate() {
        for is_shaped in [false, true] {
            let path = folder.path().join(format!("{index}-{is_shaped}.tmx"));
            std::fs::write(&path, far_map(chunks, is_shaped)).unwrap();
            let output = limited_command(&path, LIMIT_KIB, "info").output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{chunks:?}, {is_shaped}: {errors}");
            let out = String::from_utf8_lossy(&output.stdout);
            let solid = chunks.len() * if is_shaped { 64 * 12 + 5 * 2 } else { 5 };
            assert!(out.contains(&format!("solid     {solid} cells")), "{out}");
        }
    }
}
