//! Measures the speed of `Level::load_with`, compared with the crate `tiled`, which only parses the map and
//! makes no grid.
//!
//! `cargo bench --bench loading` loads the maps of `../shared/corpus` that `tiled` can open, and generated
//! maps in every encoding. The two loaders run in turn, and the fastest run of each counts, so that the
//! result is meaningful on a busy machine. Each of the ten largest maps is loaded as often as fits into half
//! a second, but at least seven times. Every map is loaded for a fiftieth of a second. The bench fails if the
//! median ratio of the ten is over 0.75, the largest of them is over 1, or the median of all maps is over
//! 1.2. With `-- --check` each map is loaded once, and the bench fails only if a file does not load. Further
//! words are names of maps in the corpus, and then only these are timed.
//!
//! The projects of `../shared/ldtk` are compared with `serde_json`, which reads the same files from the disk
//! and parses them into values. `-- --ldtk` times only these.

use std::fmt::Write as _;
use std::fs;
use std::hint::black_box;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base64::Engine;
use bitwall::{Level, LoadOptions, LoadedLevel};

/// The number of largest maps that are timed one by one.
const LARGEST: usize = 10;

/// The largest ratios that are allowed: for the median of the largest maps, for each of them, and for the
/// median of all maps.
const LIMITS: [f64; 3] = [0.75, 1.0, 1.2];

fn main() {
    let mut args: Vec<String> = std::env::args().skip(1).collect();
    let [is_check, is_ldtk_alone] =
        ["--check", "--ldtk"].map(|flag| args.iter().any(|arg| arg == flag));
    args.retain(|arg| !arg.starts_with("--"));
    // `tiled` panics on some maps.
    std::panic::set_hook(Box::new(|_| {}));
    let mut is_slow = false;
    if args.is_empty() {
        bench_ldtk(is_check);
    }
    if is_ldtk_alone {
        return;
    }
    if let Some(corpus) = corpus() {
        let ratios = bench_corpus(&corpus, &args, is_check);
        let is_over = ratios.iter().zip(LIMITS).any(|(ratio, limit)| *ratio > limit);
        is_slow = is_over && !is_check && args.is_empty();
    } else {
        println!("skipped: there is no ../shared/corpus");
    }
    if args.is_empty() {
        bench_made(is_check);
    }
    if is_slow {
        println!("a ratio is over its limit: {LIMITS:?}");
        std::process::exit(1);
    }
}

fn corpus() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/corpus");
    path.join("FILES.txt").is_file().then_some(path)
}

fn options() -> LoadOptions {
    LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() }
}

/// Returns the number of cells in all tile layers. In an infinite map, only the part that is not empty
/// counts.
fn cells(loaded: &LoadedLevel) -> u64 {
    let Some(placed) = loaded.maps.first() else {
        return 0;
    };
    let contents = placed.map.walk().map(|context| context.layer.content.kind());
    let layers = contents.filter(|kind| *kind == "tiles");
    layers.count() as u64 * u64::from(placed.cells.x) * u64::from(placed.cells.y)
}

fn load_tiled(path: &Path) -> Option<tiled::Map> {
    let load = || tiled::Loader::new().load_tmx_map(path).ok();
    catch_unwind(AssertUnwindSafe(load)).ok().flatten()
}

/// Prints a line for each of the largest maps, or for the `named` maps. Returns the median and the largest of
/// their ratios, and the median of all maps.
fn bench_corpus(corpus: &Path, named: &[String], is_check: bool) -> [f64; 3] {
    let files = fs::read_to_string(corpus.join("FILES.txt")).expect("a list of files");
    let maps = files.lines().filter(|file| file.ends_with(".tmx"));
    let maps = maps
        .filter(|file| named.is_empty() || named.iter().any(|name| file.contains(name.as_str())));
    let mut maps: Vec<(u64, &str)> = maps
        .filter_map(|file| {
            let path = corpus.join(file);
            let loaded = LoadedLevel::load(&path, &options()).ok()?;
            load_tiled(&path)?;
            Some((cells(&loaded), file))
        })
        .collect();
    maps.sort_unstable_by_key(|(cells, file)| (std::cmp::Reverse(*cells), *file));
    print_head("the largest maps of the corpus");
    let largest = &maps[..maps.len().min(if named.is_empty() { LARGEST } else { maps.len() })];
    let long = Duration::from_millis(500);
    let ratios: Vec<f64> = largest
        .iter()
        .map(|(cells, file)| {
            let path = corpus.join(file);
            let (ours, theirs) =
                time(&path, if is_check { (1, Duration::ZERO) } else { (7, long) });
            print_line(&path, file, *cells, ours, theirs);
            theirs.map_or(f64::INFINITY, |theirs| ours / theirs)
        })
        .collect();
    let largest = ratios.iter().copied().fold(0.0, f64::max);
    let short = Duration::from_millis(20);
    let all = maps.iter().filter(|_| named.is_empty()).map(|(_, file)| {
        let rounds = if is_check { (1, Duration::ZERO) } else { (3, short) };
        let (ours, theirs) = time(&corpus.join(file), rounds);
        theirs.map_or(f64::INFINITY, |theirs| ours / theirs)
    });
    let found = [median(ratios), largest, median(all.collect())];
    println!(
        "median {:.2}, largest {:.2}; median of all {} maps {:.2}",
        found[0],
        found[1],
        maps.len(),
        found[2]
    );
    found
}

/// Returns the median of some numbers, or 0 if there are none.
fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_unstable_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers.len() {
        0 => 0.0,
        count if count.is_multiple_of(2) => numbers[middle - 1].midpoint(numbers[middle]),
        _ => numbers[middle],
    }
}

/// Returns the milliseconds that bitwall takes, and the milliseconds that `tiled` takes if it can open the
/// map. The two run in turn for at least `rounds` rounds and at least as long as `long`, and the fastest of
/// each counts.
fn time(path: &Path, (rounds, long): (u32, Duration)) -> (f64, Option<f64>) {
    let options = options();
    let (mut ours, mut theirs) = (f64::INFINITY, f64::INFINITY);
    let start = Instant::now();
    let mut round = 0;
    while round < rounds || start.elapsed() < long {
        let begin = Instant::now();
        let level = black_box(Level::load_with(path, &options));
        ours = ours.min(begin.elapsed().as_secs_f64() * 1e3);
        level.expect("a map that loads");
        let begin = Instant::now();
        let map = black_box(load_tiled(path));
        if map.is_some() {
            theirs = theirs.min(begin.elapsed().as_secs_f64() * 1e3);
        }
        round += 1;
    }
    (ours, theirs.is_finite().then_some(theirs))
}

fn print_head(title: &str) {
    println!("{title:<54} {:>9}  {:<7}  bitwall ms    tiled ms   ratio", "cells", "data");
}

fn print_line(path: &Path, name: &str, cells: u64, ours: f64, theirs: Option<f64>) {
    let start = name.len().saturating_sub(54);
    let name = name.get(start..).unwrap_or(name);
    print!("{name:<54} {cells:>9}  {:<7}  {ours:>10.3}", encoding(path));
    match theirs {
        Some(theirs) => println!("  {theirs:>10.3}  {:>6.2}", ours / theirs),
        None => println!("  cannot open it"),
    }
}

/// Returns the encoding of the first layer of a map.
fn encoding(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let data = text.split("<data").nth(1).unwrap_or_default();
    let head = data.split('>').next().unwrap_or_default();
    let words: Vec<&str> = head.split('"').skip(1).step_by(2).collect();
    words.last().map_or("tiles", |word| word).to_owned()
}

/// Compares loading projects of LDtk with `serde_json`.
fn bench_ldtk(is_check: bool) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/ldtk");
    let Ok(entries) = fs::read_dir(folder) else {
        return println!("skipped: there is no ../shared/ldtk");
    };
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.retain(|path| path.extension().is_some_and(|end| end == "ldtk"));
    paths.sort();
    println!("{:<54} {:>9}  bitwall ms  serde_json ms  ratio", "projects of LDtk", "bytes");
    let long = if is_check { Duration::ZERO } else { Duration::from_millis(500) };
    let mut ratios = Vec::new();
    for path in paths {
        let (mut ours, mut theirs, mut bytes) = (f64::INFINITY, f64::INFINITY, 0);
        let start = Instant::now();
        while theirs.is_infinite() || start.elapsed() < long {
            let begin = Instant::now();
            let level = black_box(Level::load_with(&path, &options()));
            ours = ours.min(begin.elapsed().as_secs_f64() * 1e3);
            level.expect("a project that loads");
            let begin = Instant::now();
            bytes = black_box(parse_project(&path));
            theirs = theirs.min(begin.elapsed().as_secs_f64() * 1e3);
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        println!("{name:<54} {bytes:>9}  {ours:>10.3}  {theirs:>13.3}  {:>5.2}", ours / theirs);
        ratios.push(ours / theirs);
    }
    println!("median {:.2}", median(ratios));
}

/// Parses a project and the files of its levels into JSON values, and returns the number of bytes read.
fn parse_project(path: &Path) -> usize {
    let parse = |path: &Path| {
        let bytes = fs::read(path).expect("a file that can be read");
        let value: serde_json::Value = serde_json::from_slice(&bytes).expect("valid JSON");
        (bytes.len(), value)
    };
    let (mut bytes, project) = parse(path);
    let levels = project["levels"].as_array().into_iter().flatten();
    for file in levels.filter_map(|level| level["externalRelPath"].as_str()) {
        bytes += black_box(parse(&path.with_file_name(file))).0;
    }
    bytes
}

/// Times generated maps: a large one in every encoding, an infinite one, and one with shapes in its tiles.
fn bench_made(is_check: bool) {
    print_head("maps made here");
    for compression in ["csv", "", "zlib", "gzip", "zstd"] {
        let side = 2_000;
        let data = data(compression, &numbers(side * side, 40), side);
        let layer = format!("{}{data}</layer>", layer_tag(side));
        bench_one("2000x2000", &map(side, false, "", &layer), is_check);
    }
    for (name, compression) in [("infinite csv", "csv"), ("infinite zlib", "zlib")] {
        let mut layer = layer_tag(0);
        let block = numbers(256, 40);
        let text = data(compression, &block, 16);
        let (head, body) = text.split_once('>').expect("a tag");
        let body = body.trim_end_matches("</data>");
        let _ = write!(layer, "{head}>");
        for (x, y) in (-20..20).flat_map(|y| (-20..20).map(move |x| (x * 16, y * 16))) {
            let place = format!("<chunk x=\"{x}\" y=\"{y}\" width=\"16\" height=\"16\">");
            let _ = write!(layer, "{place}{body}</chunk>");
        }
        layer.push_str("</data></layer>");
        bench_one(name, &map(640, true, "", &layer), is_check);
    }
    let slope = "<tile id=\"2\"><objectgroup><object id=\"1\" x=\"0\" y=\"16\">\
        <polygon points=\"0,0 16,0 16,-16\"/></object></objectgroup></tile>";
    for (name, percent) in [("1000x1000, one in 50 a slope", 50), ("1000x1000, one in 4", 4)] {
        let side = 1_000;
        let data = data("zlib", &numbers(side * side, percent), side);
        let layer = format!("{}{data}</layer>", layer_tag(side));
        bench_one(name, &map(side, false, slope, &layer), is_check);
    }
}

/// Times a map that is given as text.
fn bench_one(name: &str, text: &str, is_check: bool) {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("loading.tmx");
    fs::write(&path, text).expect("a folder that can be written");
    let loaded = LoadedLevel::load(&path, &options()).expect("a map that loads");
    let long = Duration::from_millis(500);
    let (ours, theirs) = time(&path, if is_check { (1, Duration::ZERO) } else { (7, long) });
    print_line(&path, name, cells(&loaded), ours, theirs);
}

/// Returns tile ids as real maps have them: half of the cells empty, runs of ground, walls, and one cell in
/// `rare` with tile 2.
fn numbers(count: usize, rare: u32) -> Vec<u32> {
    let mut random = fastrand::Rng::with_seed(3);
    let mut numbers = Vec::with_capacity(count);
    while numbers.len() < count {
        let number = match random.u32(0..4) {
            0 | 1 => 0,
            2 => 2,
            _ => random.u32(4..200) | if random.u32(0..8) == 0 { 0x8000_0000 } else { 0 },
        };
        let number = if random.u32(0..rare) == 0 { 3 } else { number };
        let length = if number == 3 { 1 } else { random.usize(1..6) };
        numbers.extend(std::iter::repeat_n(number, length.min(count - numbers.len())));
    }
    numbers
}

/// Returns the `<data>` element of a layer.
fn data(compression: &str, numbers: &[u32], width: usize) -> String {
    if compression == "csv" {
        let mut text = String::new();
        for row in numbers.chunks(width) {
            text.push('\n');
            for number in row {
                let _ = write!(text, "{number},");
            }
        }
        text.pop();
        return format!("<data encoding=\"csv\">{text}\n</data>");
    }
    let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    let level = flate2::Compression::default();
    let packed = match compression {
        "zlib" => {
            let mut zlib = flate2::write::ZlibEncoder::new(Vec::new(), level);
            zlib.write_all(&bytes).expect("memory");
            zlib.finish().expect("memory")
        }
        "gzip" => {
            let mut gzip = flate2::write::GzEncoder::new(Vec::new(), level);
            gzip.write_all(&bytes).expect("memory");
            gzip.finish().expect("memory")
        }
        "zstd" => {
            let level = ruzstd::encoding::CompressionLevel::Fastest;
            ruzstd::encoding::compress_to_vec(&bytes[..], level)
        }
        _ => bytes,
    };
    let compression = match compression {
        "" => String::new(),
        name => format!(" compression=\"{name}\""),
    };
    let text = base64::engine::general_purpose::STANDARD.encode(packed);
    format!("<data encoding=\"base64\"{compression}>\n   {text}\n  </data>")
}

fn layer_tag(side: usize) -> String {
    format!("<layer id=\"1\" name=\"Ground\" width=\"{side}\" height=\"{side}\">")
}

fn map(side: usize, is_infinite: bool, tile: &str, layer: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<map version=\"1.10\" orientation=\"orthogonal\" \
        width=\"{side}\" height=\"{side}\" tilewidth=\"16\" tileheight=\"16\" infinite=\"{}\">\
        <tileset firstgid=\"1\" name=\"tiles\" tilewidth=\"16\" tileheight=\"16\" tilecount=\"400\" columns=\"20\">\
        <image source=\"tiles.png\" width=\"320\" height=\"320\"/>\
        <tile id=\"1\"><properties><property name=\"solid\" type=\"bool\" value=\"true\"/></properties></tile>\
        {tile}</tileset>{layer}</map>",
        u8::from(is_infinite)
    )
}
