//! Every hostile file, through every command.
//!
//! A file of less than 1 MB takes at most two seconds of processor time, and at most 128 MiB of address space
//! in addition to that of the program itself.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::shared::{asset, bitwall, check_all, folder, run_limited, shared_files};

/// The largest file that is tested, in bytes.
pub(crate) const LARGEST: u64 = 1_000_000;

/// The address space in KiB: 128 MiB, and 24 MiB in which every command handles a map of a few tiles.
const MOST_KIB: u64 = (128 + 24) << 10;

/// The largest processor time. Longer on 32-bit targets, where 64-bit arithmetic is slow.
const MOST_WORK: Duration =
    Duration::from_secs(if cfg!(target_pointer_width = "32") { 4 } else { 2 });

/// Runs a command on a file within the limits. Fails only if the program panics or a signal ends it.
fn run(path: &Path, command: &str) -> Result<(), String> {
    let output = run_limited(path, MOST_KIB, MOST_WORK, command)?;
    let said = [&*output.stdout, &*output.stderr].map(String::from_utf8_lossy).concat();
    match output.status.code() {
        Some(0..=2) if !said.contains("panicked") => Ok(()),
        _ => Err(format!("{}: {}", output.status, said.chars().take(1_000).collect::<String>())),
    }
}

/// Runs every command on a file. `scratch` is an empty folder for output.
fn check(path: &Path, scratch: &Path) -> Result<(), String> {
    let (out, small, own) = (scratch.display(), asset("bricks.tmx"), path.display().to_string());
    let commands = [
        ("info", "info --no-config".to_owned()),
        ("verify", "verify --select all".to_owned()),
        ("render", format!("render -o {out}/picture.png")),
        ("diff with itself", format!("diff '{own}'")),
        ("diff with a small map", format!("diff {}", small.display())),
        ("bake", format!("bake -o {out}/level.bwl")),
        ("bake --check", format!("bake --check -o {out}/level.bwl")),
        ("questions", "can-move --questions -".to_owned()),
    ];
    let mut faults: Vec<String> = (commands.iter())
        .filter_map(|(name, command)| Some(format!("{name}: {}", run(path, command).err()?)))
        .collect();
    // `init` gets a folder with only this level. A mask needs a mask name to be recognized.
    let level = scratch.join("levels");
    let name = path.file_name().unwrap().to_string_lossy().replace(".png", "_mask.png");
    fs::create_dir_all(&level).unwrap();
    fs::copy(path, level.join(&name)).unwrap();
    if let Err(reason) = run(&level, "init --force") {
        faults.push(format!("init: {reason}"));
    }
    fs::remove_file(level.join(name)).unwrap();
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

pub(crate) fn is_level(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
    let is_small = fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() < LARGEST);
    is_small && ["tmx", "tmj", "ldtk", "world", "png", "bwl"].contains(&&*ending)
}

#[test]
fn every_command_handles_every_hostile_file_within_time_and_memory() {
    let folders = ["badinput/tmx", "badinput/png", "pngsuite"];
    let trials = ["trials/bounds", "trials/verify", "trials/loaders"];
    let mut files = shared_files(&[folders, trials].concat());
    files.retain(|path| is_level(path));
    check_all(&files, check);
}

/// Returns a map of `side` x `side` tiles of `tile` pixels, with this content after its tileset.
fn map(attributes: &str, [side, tile]: [u32; 2], content: &str) -> String {
    format!(
        r#"<map version="1.10" orientation="orthogonal" {attributes} width="{side}" height="{side}"
        tilewidth="{tile}" tileheight="{tile}"><tileset firstgid="1" name="t" tilewidth="16" tileheight="16"
        tilecount="16" columns="4"><image source="a.png" width="64" height="64"/></tileset>{content}</map>"#
    )
}

fn chunks(places: impl Iterator<Item = (i32, i32)>) -> String {
    let mut all = String::from(r#"<layer name="walls"><data encoding="csv">"#);
    for (x, y) in places {
        write!(all, r#"<chunk x="{x}" y="{y}" width="2" height="2">1,1,0,1</chunk>"#).unwrap();
    }
    all + "</data></layer>"
}

fn objects(object: impl Fn(i32) -> String, count: i32) -> String {
    let all: String = (0..count).map(object).collect();
    format!(r#"<objectgroup name="walls">{all}</objectgroup>"#)
}

/// Returns generated files, each of which is slow for some command.
pub(crate) fn invented() -> Vec<(&'static str, String)> {
    let far = |i: i32| (i % 2 * 2_000_000 - 1_000_000 + i * 4, i / 2 % 2 * 2_000_000 - 1_000_000);
    let line = |i: i32| format!(r#"<object x="{}" y="{}" width="9000" height="3"/>"#, i * 3, i * 7);
    let round = |i: i32| {
        format!(r#"<object x="{i}" y="{i}" width="9000" height="9000"><ellipse/></object>"#)
    };
    let one_way = objects(
        |i| {
            format!(
                r#"<object x="{}" y="9" width="16" height="700"><properties><property name="one_way"
                value="left"/></properties></object>"#,
                i * 40
            )
        },
        400,
    );
    let infinite = r#"infinite="1""#;
    let cells = |side: u32| vec!["1"; (side * side) as usize].join(",");
    let layer = |side: u32| {
        format!(
            r#"<layer name="walls" width="{side}" height="{side}"><data encoding="csv">{}</data></layer>"#,
            cells(side)
        )
    };
    vec![
        ("far_chunks.tmx", map(infinite, [1, 16], &chunks((0..4_000).map(far)))),
        ("row_of_chunks.tmx", map(infinite, [1, 16], &chunks((0..8_000).map(|i| (i * 3, 0))))),
        ("diagonal.tmx", map(infinite, [1, 16], &chunks((0..8_000).map(|i| (i * 40, i * 40))))),
        ("lines.tmx", map("", [1_000, 16], &objects(line, 4_000))),
        ("rounds.tmx", map("", [1_000, 16], &objects(round, 400))),
        ("one_way.tmx", map("", [1_024, 16], &one_way)),
        ("large_tiles.tmx", map("", [256, 512], &layer(256))),
        ("many_layers.tmx", map("", [128, 128], &layer(128).repeat(25))),
        (
            "isometric.tmx",
            map(r#"orientation="isometric""#, [512, 64], &layer(512)).replacen(
                r#"orientation="orthogonal""#,
                "",
                1,
            ),
        ),
    ]
}

#[test]
fn every_command_handles_generated_hostile_maps_within_time_and_memory() {
    let invented = invented();
    let named: Vec<(&str, &str)> = invented.iter().map(|(name, text)| (*name, &**text)).collect();
    let folder = folder(&named);
    let all: Vec<PathBuf> = named.iter().map(|(name, _)| folder.path().join(name)).collect();
    assert!(all.iter().all(|path| is_level(path)));
    check_all(&all, check);
}

/// A caller can raise the limit, so the error must name it.
#[test]
fn an_error_names_the_work_limit_and_a_raised_limit_is_accepted() {
    let map = map(
        "",
        [64, 16],
        &objects(|i| format!(r#"<object id="{}" x="{i}" width="9" height="9"/>"#, i + 1), 9),
    );
    let folder = folder(&[("m.tmx", &map)]);
    let path = folder.path().join("m.tmx");
    let (path, out) = (path.to_str().unwrap(), folder.path().join("m.bwl"));
    let out = out.to_str().unwrap();
    let picture = folder.path().join("m.png");
    let picture = picture.to_str().unwrap();
    for (args, least) in [
        (&["info", path][..], 100),
        (&["render", "--view", "art", "-o", picture, path], 10_000),
        (&["render", "--view", "collision", "-o", picture, path], 10_000),
        (&["bake", "-o", out, path], 100),
        (&["diff", path, path], 100),
    ] {
        let with = |limit: String| bitwall(&[args, &["--limit", &limit]].concat(), "");
        let (code, _, err) = with(format!("work={least}"));
        assert!(code == 2 && err.contains("(the limit `work`)"), "{args:?}: {code} {err}");
        let (code, _, err) = with("work=2^30".to_owned());
        assert_eq!(code, 0, "{args:?}: {err}");
    }
}
