//! Small files that expand: compressed, with one part used many times, or with chunks far apart.
//!
//! Each loads or fails within a limit of processor time and 256 MiB of address space, or 512 MiB for the
//! files written here.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bitwall::{LoadOptions, LoadedLevel};

use crate::bad_input::{check_output, info_within};
use crate::saved::{Data, in_base64};
use crate::shared::files_in;
use crate::shared::{folder, shared};
use crate::support::{self, Stopwatch, tileset};

/// A script in `../shared/badinput` writes the files, which takes half a minute. A file within the file size
/// limit may take 256 MiB of address space in addition to its own size, a larger one 256 MiB in all.
#[test]
fn every_generated_bomb_file_loads_or_fails_within_time_and_memory() {
    if !support::is_long() {
        println!("skipped: BITWALL_LONG=1 makes the bombs and loads them, as .ci/run does");
        return;
    }
    let Some(folder) = shared("badinput") else {
        return;
    };
    let made = tempfile::tempdir().unwrap();
    if !script(&folder.join("gen_bad.py"), &["bombs", "."], made.path()) {
        return;
    }
    // Links and pipes are only references of the maps, not maps to load.
    let mut bombs: Vec<_> = files_in(made.path())
        .into_iter()
        .filter(|path| fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file()))
        .filter(|path| path.extension().is_some_and(|end| end == "tmx" || end == "png"))
        .collect();
    bombs.sort();
    let mut faults = Vec::new();
    for path in &bombs {
        let size = fs::metadata(path).unwrap().len();
        let own = if size > 64 << 20 { 0 } else { size };
        let outcome = info_within(path, (256 << 10) + own / 1_024);
        if let Err(fault) = outcome.and_then(|output| check_output(&output)) {
            faults.push(format!("{}: {fault}", path.display()));
        }
    }
    println!("{} bombs", bombs.len());
    assert!(bombs.len() > 30 && faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs a Python script in the folder `at`. Returns false, and says so, if there is no Python.
pub(crate) fn script(script: &Path, args: &[&str], at: &Path) -> bool {
    let mut command = Command::new("python3");
    command.arg(script).args(args).current_dir(at).stdout(Stdio::null()).stderr(Stdio::null());
    match command.status() {
        Ok(status) => assert!(status.success(), "the script fails: {status}"),
        Err(error) => {
            support::skip(&format!("python3 makes hostile files: {error}"));
            return false;
        }
    }
    true
}

/// Returns a map of `side` x `side` cells, with a tileset of 16 tiles.
fn map(attributes: &str, side: u32, tile: u32, content: &str) -> String {
    let content = tileset([16, 16], 16, "") + content;
    support::map(attributes, [side; 2], [tile; 2], &content)
}

fn square(side: u32, content: &str) -> String {
    map("", side, 16, content)
}

fn infinite(tile: u32, content: &str) -> String {
    map(r#"infinite="1""#, 1, tile, content)
}

/// Returns cell data in base64, compressed with zlib.
fn cells(gids: impl Iterator<Item = u32>) -> String {
    in_base64(&gids.collect::<Vec<_>>(), Data::Zlib)
}

fn layer(name: &str, width: u32, height: u32, data: &str) -> String {
    format!(
        r#"<layer name="{name}" width="{width}" height="{height}"><data encoding="base64"
        compression="zlib">{data}</data></layer>"#
    )
}

fn objects(object: &str, count: usize) -> String {
    support::objects("L", &object.repeat(count))
}

/// A hostile file, the other files in its folder, and a part of the expected error or output.
pub(crate) struct Bomb {
    pub(crate) file: &'static str,
    pub(crate) content: String,
    pub(crate) others: Vec<(&'static str, String)>,
    says: &'static str,
}

fn bomb(file: &'static str, content: String, says: &'static str) -> Bomb {
    Bomb { file, content, others: Vec::new(), says }
}

impl Bomb {
    fn with(mut self, name: &'static str, content: impl Into<String>) -> Self {
        self.others.push((name, content.into()));
        self
    }
}

/// Returns maps in which a template or tileset with one large part is used many times.
fn repeated() -> Vec<Bomb> {
    let instance = r#"<object template="t.tx" x="1" y="16"/>"#;
    let long = format!(
        r#"<template><object><properties><property name="p" value="{}"/></properties></object></template>"#,
        "v".repeat(1_000_000)
    );
    let points: Vec<String> = (0..4_096).map(|i| format!("{},{}", i % 7, i % 5)).collect();
    let polygon = format!(
        r#"<template><object><polygon points="{}"/></object></template>"#,
        points.join(" ")
    );
    let shapes = instance.repeat(60);
    let tileset = format!(
        r#"<tileset tilewidth="16" tileheight="16" tilecount="16" columns="4"><image source="a.png" width="64"
        height="64"/><tile id="0"><objectgroup>{shapes}</objectgroup></tile></tileset>"#
    );
    let sets: String = (1..256)
        .map(|i| format!(r#"<tileset firstgid="{}" source="t.tsx"/>"#, 1 + i * 16))
        .collect();
    let spellings: String = (0..200)
        .map(|i| format!(r#"<object template="{}t.tx" x="{i}"/>"#, "d/../".repeat(i)))
        .collect();
    let tile = r#"<template><tileset firstgid="1" source="t.tsx"/><object gid="1" width="16" height="16"/></template>"#;
    vec![
        bomb(
            "m.tmx",
            square(4, &objects(instance, 65_000)),
            "bytes of names and values in the map",
        )
        .with("t.tx", long.clone()),
        bomb("m.tmx", square(4, &sets), "bytes of names and values in the map")
            .with("t.tx", long)
            .with("t.tsx", tileset.clone()),
        bomb(
            "m.tmx",
            square(4, &objects(instance, 65_000)),
            "points of all polygons and polylines",
        )
        .with("t.tx", polygon),
        bomb("m.tmx", square(20, &objects(&spellings, 1)), "\"objects\": 200")
            .with("t.tx", r#"<template><object width="1" height="9"/></template>"#),
        bomb(
            "m.tmx",
            square(
                4,
                &format!(r#"<tileset firstgid="99" source="{}t.tsx"/>"#, "d/../".repeat(300)),
            ),
            "bytes in the path of a file: 1505",
        ),
        // The shapes of the template's tile use the template again. This recursion once overflowed the stack;
        // the fuzzers found it in two ways.
        bomb("m.tmx", square(4, &objects(instance, 1)), "\"objects\": 1")
            .with("t.tx", tile)
            .with("t.tsx", tileset.clone()),
        bomb(
            "m.tmx",
            square(4, r#"<tileset firstgid="99" source="t.tsx"/>"#),
            "\"solid_cells\": 0",
        )
        .with("t.tx", tile)
        .with("t.tsx", tileset),
    ]
}

/// Returns maps with many chunks, thin chunks, and chunks far apart.
fn scattered() -> Vec<Bomb> {
    let in_csv = |chunks: &str| support::layer(r#"name="L""#, [1, 1], chunks);
    let many: String = (0..600_000)
        .map(|i| {
            format!(r#"<chunk x="{}" y="{}" width="1" height="1">1</chunk>"#, i % 1_000, i / 1_000)
        })
        .collect();
    let column = cells(std::iter::repeat_n(1, 1_024));
    let thin: String = (0..4_000)
        .map(|i| format!(r#"<chunk x="{i}" y="0" width="1" height="1024">{column}</chunk>"#))
        .collect();
    let far = |x: i32| {
        in_csv(&format!(
            r#"<chunk x="0" y="0" width="1" height="1">1</chunk><chunk x="{x}" y="0" width="1" height="1">1</chunk>"#
        ))
    };
    let long = cells(std::iter::repeat_n(1, 1 << 20));
    vec![
        bomb("m.tmx", infinite(16, &in_csv(&many)), "elements in the files of the map"),
        bomb("m.tmx", infinite(16, &layer("L", 1, 1, &thin)), "tiles in all layers"),
        bomb("m.tmx", infinite(16, &layer("L", 1, 1 << 20, &long)), "width or height of a layer"),
        bomb("m.tmx", infinite(16, &far(1_048_576)), "\"solid_cells\": 2,"),
        bomb("m.tmx", infinite(16, &far(-1_048_576)), "\"solid_cells\": 2,"),
        bomb("m.tmx", infinite(16, &far(i32::MIN)), "from the middle to a chunk: 2147483648"),
        // The pixel coordinates overflow, so the map must be refused instead of being moved silently.
        bomb("m.tmx", infinite(4_096, &far(1_048_575)), "pixels from the map's middle to its edge"),
        bomb(
            "m.tmx",
            infinite(4_096, &far(-1_048_575)),
            "pixels from the map's middle to its edge",
        ),
    ]
}

/// Returns files that look harmless but need much work.
fn laborious() -> Vec<Bomb> {
    let checked = layer("q", 1_024, 1_024, &cells((0..1 << 20).map(|i| i % 2)));
    let round = objects(r#"<object width="5" height="5"><ellipse/></object>"#, 1);
    let zigzag: Vec<String> = (0..4_096).map(|i| format!("{i},{}", i % 2 * 4_000_000)).collect();
    let zigzag = format!(r#"<object><polygon points="{}"/></object>"#, zigzag.join(" "));
    let full = layer("q", 512, 512, &cells(std::iter::repeat_n(1, 1 << 18)));
    let maps: Vec<String> = (0..180)
        .map(|i| format!(r#"{{"fileName":"{}a.tmx","x":{},"y":0}}"#, "d/../".repeat(i), i * 8_192))
        .collect();
    let skewed = |skew: i32| {
        let skew = format!(r#"orientation="oblique" skewx="{skew}" skewy="{skew}""#);
        map(&skew, 4, 16, "")
    };
    let ring: Vec<String> = (0..4_096).map(|i| format!("{},{}", i % 4, i / 1_024)).collect();
    let ring = format!(
        r#"<tile id="0"><objectgroup><object><polygon points="{}"/></object></objectgroup></tile>"#,
        ring.join(" ")
    );
    // A map with tiles of 4 pixels. The first tile has a shape of 4,096 points.
    let shaped = |side: u32, content: &str| {
        let content = tileset([4, 4], 16, &ring) + content;
        support::map("", [side; 2], [4; 2], &content)
    };
    let many = layer("walls", 1_024, 1_024, &cells(std::iter::repeat_n(1, 1 << 20)));
    let turned = r#"<object gid="1" rotation="1" x="1" y="8"/>"#;
    let names = |value: &str| {
        let pairs: Vec<_> = (0..100_000).map(|i| format!(r#""p{i}":{value}"#)).collect();
        pairs.join(",")
    };
    let old_form = format!(
        r#"{{"orientation":"orthogonal","width":1,"height":1,"tilewidth":8,"tileheight":8,"layers":[],
        "tilesets":[],"properties":{{{}}},"propertytypes":{{{}}}}}"#,
        names("1"),
        names(r#""int""#)
    );
    vec![
        bomb("m.tmx", shaped(1_024, &many.repeat(4)), "cells with collision shapes"),
        bomb(
            "m.tmx",
            shaped(4, &objects(turned, 65_000).replace("\"L\"", "\"walls\"")),
            "points in the collision shapes of tile objects",
        ),
        bomb("m.tmj", old_form, "\"width_px\": 8"),
        // A level of 2^28 pixels. An earlier version looked up each pixel separately.
        bomb("m.tmx", square(1_024, &(checked + &round)), "\"columns\": 16384")
            .with("bitwall.toml", "[solid]\nwalkable-layers = ['q']"),
        bomb("m.tmx", square(1_024, &objects(&zigzag, 4)), "steps of work (the limit `work`)"),
        bomb("w.world", format!(r#"{{"maps":[{}]}}"#, maps.join(",")), "tiles in all layers")
            .with("a.tmx", square(512, &full.repeat(60))),
        bomb("m.tmx", skewed(i32::MIN), "skew or a hexagon's side: 2147483648"),
        bomb("m.tmx", skewed(i32::MAX), "skew or a hexagon's side: 2147483647"),
    ]
}

/// The line of a fault is found without a scan of the whole line.
#[test]
fn twenty_thousand_faults_on_one_line_load_leniently_within_two_seconds() {
    let chunk = |i| format!(r#"<chunk x="{i}" y="0" width="1" height="1">1,1</chunk>"#);
    let chunks: String = (0..20_000).map(chunk).collect();
    let layer = format!(r#"<layer name="walls"><data encoding="csv">{chunks}</data></layer>"#);
    let map = infinite(16, &layer);
    let options = LoadOptions { lenient: true, ..LoadOptions::default() };
    let start = Stopwatch::start();
    let no_file = |_: &Path| unreachable!();
    let loaded = LoadedLevel::decode("m.tmx", map.as_bytes(), no_file, &options).unwrap();
    assert_eq!(loaded.level.grid().solid_count(), 20_000);
    assert!(start.elapsed() < Duration::from_secs(2));
}

pub(crate) fn bombs() -> impl Iterator<Item = Bomb> {
    repeated().into_iter().chain(scattered()).chain(laborious())
}

/// Returns a map with a layer of 2 x 2 cells, whose data is compressed with zstd.
fn in_zstd(data: &[u8]) -> String {
    let data = STANDARD.encode(data);
    let layer = format!(
        r#"<layer name="walls" width="2" height="2"><data encoding="base64" compression="zstd">{data}</data>
        </layer>"#
    );
    square(2, &layer)
}

/// Tiled writes one frame. What stands before or behind it is a fault.
#[test]
fn cells_in_zstd_are_one_frame() {
    let load = |data: &[u8]| {
        let no_file = |_: &Path| unreachable!();
        let map = in_zstd(data);
        let loaded = LoadedLevel::decode("m.tmx", map.as_bytes(), no_file, &LoadOptions::default());
        loaded.map(|loaded| loaded.level.grid().solid_count()).map_err(|error| error.to_string())
    };
    let whole = solid_frame(16);
    assert_eq!(load(&whole), Ok(4));
    for data in [
        solid_frame(8).repeat(2),
        skippable(9, 9),
        [skippable(9, 9), whole.clone()].concat(),
        [skippable(0, u32::MAX), whole.clone()].concat(),
        [whole.clone(), skippable(9, 9)].concat(),
        [whole.clone(), b"\x28\xb5".to_vec()].concat(),
    ] {
        let error = load(&data).unwrap_err();
        assert!(error.contains("the cell data is broken"), "{error}");
    }
}

/// Returns a zstd frame of `size` bytes: gids of 1.
fn solid_frame(size: u32) -> Vec<u8> {
    let gids: Vec<u8> = 1_u32.to_le_bytes().repeat(size as usize / 4);
    let head = size << 3 | 1;
    [b"\x28\xb5\x2f\xfd\x00\x58", &head.to_le_bytes()[..3], &gids].concat()
}

/// Returns a skippable zstd frame of `size` bytes, which states `stated` bytes.
pub(crate) fn skippable(size: usize, stated: u32) -> Vec<u8> {
    [&0x184d_2a50_u32.to_le_bytes()[..], &stated.to_le_bytes(), &vec![7; size]].concat()
}

/// A lenient load drops surplus cells. 800 KB of zstd held 20 GB of them, which took 1.5 s.
#[test]
fn surplus_cells_of_a_lenient_load_are_dropped_up_to_a_limit() {
    let load = |surplus: usize| {
        let cells = cells(std::iter::repeat_n(1, 4 + surplus));
        let map = square(2, &layer("walls", 2, 2, &cells).repeat(2));
        let options = LoadOptions { lenient: true, ..LoadOptions::default() };
        let no_file = |_: &Path| unreachable!();
        LoadedLevel::decode("m.tmx", map.as_bytes(), no_file, &options).map(|_| ())
    };
    assert!(load(500_000).is_ok());
    let error = load(600_000).unwrap_err().to_string();
    let words = "surplus cells that are dropped (at most 1,048,576 in all layers)";
    assert!(error.contains(words) && !error.contains("lenient"), "{error}");
}

#[test]
fn repeated_scattered_and_slow_maps_load_or_fail_in_time_and_memory() {
    for bomb in bombs() {
        let mut files = vec![(bomb.file, &*bomb.content), ("d/empty", "")];
        files.extend(bomb.others.iter().map(|(name, text)| (*name, &**text)));
        let folder = folder(&files);
        let path = folder.path().join(bomb.file);
        let output =
            info_within(&path, 512 << 10).unwrap_or_else(|error| panic!("{}: {error}", bomb.says));
        let said = [&*output.stdout, &*output.stderr].map(String::from_utf8_lossy).concat();
        if let Err(fault) = check_output(&output) {
            panic!("{}: {fault}", bomb.says);
        }
        assert!(said.contains(bomb.says), "{}: {said}", bomb.says);
    }
}
