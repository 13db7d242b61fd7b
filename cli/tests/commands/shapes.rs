//! The command `bitwall shapes`: its formats, and written maps that load as the original level.

use std::fs;
use std::fs::File;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::time::Duration;

use bitwall::rules::AreaRule;
use bitwall::{Dir, LoadOptions, LoadedLevel};

use crate::shared::bitwall;
#[cfg(unix)]
use crate::shared::run_limited;
use crate::support::{asset, map, tileset};

fn shapes(level: &str, args: &[&str]) -> String {
    let (code, out, errors) = bitwall(&[&["shapes", level], args].concat(), "");
    assert_eq!((code, &*errors), (0, ""), "{level} {args:?}");
    out
}

/// Writes a square mask whose bytes `byte` returns by column of bytes and row. A set bit is a passable pixel.
fn mask(path: PathBuf, side: u32, mut byte: impl FnMut(u32, u32) -> u8) -> PathBuf {
    let mut encoder = png::Encoder::new(File::create(&path).unwrap(), side, side);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let rows = (0..side).flat_map(|y| (0..side / 8).map(move |x| (x, y)));
    let bytes: Vec<u8> = rows.map(|(x, y)| byte(x, y)).collect();
    encoder.write_header().unwrap().write_image_data(&bytes).unwrap();
    path
}

/// Writes a mask of random pixels, of which about `eighths` eighths are solid: solids with holes, and solids
/// in holes.
fn noise(folder: &Path, eighths: u8) -> PathBuf {
    let mut random = fastrand::Rng::with_seed(eighths.into());
    mask(folder.join(format!("noise{eighths}_mask.png")), 64, |_, _| {
        (0..8).map(|bit| u8::from(random.u8(0..8) >= eighths) << bit).sum()
    })
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
            <object id="1" type="wall" x="64" y="8" width="16" height="8"><properties>
            <property name="one_way" value="up"/></properties></object>
            <object id="2" type="wall" x="16" y="32" width="32" height="8"><properties>
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
        noise(folder.path(), 5),
        noise(folder.path(), 7),
    ];
    let options = LoadOptions { areas: vec![AreaRule::named("water")], ..LoadOptions::default() };
    for path in levels {
        let level = LoadedLevel::load(&path, &options).unwrap().level;
        let out = folder.path().join("out.tmx");
        let args = ["--as", "rects", "--format", "tmx", "-c", "areas.water={}", "--no-config"];
        let written = shapes(path.to_str().unwrap(), &args);
        fs::write(&out, written).unwrap();
        let again = LoadedLevel::load(&out, &options).unwrap().level;
        assert_eq!(again.cell_size(), level.cell_size(), "{path:?}");
        assert!(again.grid() == level.grid(), "{path:?}");
        assert_eq!(again.size(), level.size());
        for side in Dir::ALL {
            let lines = |level: &bitwall::Level| -> Vec<_> {
                level.one_way_chains(side).map(|chain| chain.points).collect()
            };
            assert_eq!(lines(&again), lines(&level), "{path:?} {side}");
        }
        let area = |level: &bitwall::Level| {
            level.area("water").map(|area| area.rectangles()).unwrap_or_default()
        };
        assert_eq!(area(&again), area(&level), "{path:?}");
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
}

#[test]
fn arguments_without_effect_are_refused() {
    let cave = asset("cave.tmx");
    let cave = cave.to_str().unwrap();
    for (args, reason) in [
        (&["--as", "chains", "--format", "tmx"][..], "use --as rects"),
        (&["--format", "tmx"], "use --as rects"),
        (&["--window", "16"], "--window has an effect on --as chains only"),
        (
            &["--as", "rects", "--format", "tmx", "--y-up"],
            "--y-up has an effect on --format json only",
        ),
        (&["--as", "chains", "--window", "0"], "0"),
    ] {
        let (code, out, errors) = bitwall(&[&["shapes", cave], args].concat(), "");
        assert_eq!((code, &*out), (2, ""), "{args:?}");
        assert!(errors.contains(reason), "{args:?}: {errors}");
    }
}

/// The time and address space of a command. A test build is slower than a release, and reserves more.
#[cfg(unix)]
const MOST: (Duration, u64) = (Duration::from_secs(4), 320 << 10);

#[cfg(unix)]
#[test]
fn a_small_mask_of_too_many_points_is_refused_within_time_and_memory() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().display();
    let checker = mask(folder.path().join("checker_mask.png"), 4_096, |_, y| 0x55 << (y & 1));
    let stripes = mask(folder.path().join("stripes_mask.png"), 8_192, |_, y| (y as u8 & 1) * 255);
    assert!(fs::metadata(&checker).unwrap().len() < 1 << 15);
    for (path, command) in [
        (&checker, format!("shapes -o {out}/o")),
        (&checker, format!("shapes --as rects --format tmx -o {out}/o")),
        (&checker, format!("shapes --as rects -o {out}/o")),
        (&checker, format!("shapes --as chains --window 64 -o {out}/o")),
        (&checker, format!("render --region 0,0,64,64 --shapes outlines -o {out}/o.png")),
        // The windows cut 8,192 edges into more than two million points.
        (&stripes, format!("shapes --as chains --window 64 -o {out}/o")),
    ] {
        let ran = run_limited(path, MOST.1, MOST.0, &command).unwrap();
        let error = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(2), "{command}: {error}");
        let name =
            format!("error: {}: points in the shapes (the limit `points`): ", path.display());
        assert!(error.starts_with(&name), "{command}: {error}");
        assert!(error.ends_with("or by --limit points=2^24\n"), "{command}: {error}");
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 2, "{command} left a file");
    }
}

#[cfg(unix)]
#[test]
fn the_limit_of_points_can_be_raised_and_lowered() {
    let folder = tempfile::tempdir().unwrap();
    let path = mask(folder.path().join("c_mask.png"), 256, |_, y| 0x55 << (y & 1));
    for kind in ["outlines", "rects", "chains"] {
        let with = |limit: u32| {
            let command = format!("shapes --as {kind} --limit points={limit}");
            run_limited(&path, MOST.1, MOST.0, &command).unwrap()
        };
        // Each of the 32,768 solid pixels has four corners.
        assert_eq!(with(4 * 32_768 - 1).status.code(), Some(2), "{kind}");
        let ran = with(4 * 32_768);
        assert_eq!(ran.status.code(), Some(0), "{kind}");
        let lines = String::from_utf8(ran.stdout).unwrap();
        assert!(lines.lines().count() > 32_768, "{kind}");
    }
}
