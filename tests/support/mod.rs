//! Helpers for tests: levels drawn in `#` and `.`, maps made from a few elements, a reader of files that are
//! written in the test, the bundled levels, and the files in `../shared` beside the repository. A test that
//! needs files of `../shared` passes and prints a line if they are missing, unless `BITWALL_SHARED=required`.
//!
//! Each test crate includes this module and uses a part of it.
#![allow(dead_code, reason = "each crate that includes the module uses a part of it")]

use std::fmt::Display;
use std::fs;
use std::io::{Cursor, Error, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bitwall::geometry::Corners;
use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::image::{DynamicImage, ImageFormat};
use bitwall::mover::{MovePath, Response};
use bitwall::tmx::{LayerContent, Map, PlacedTile, Space};
use bitwall::world::Body;
use bitwall::{
    Aabb, Grid, Level, LoadError, LoadOptions, LoadedLevel, Move, Mover, MoverSettings, Solids,
};

/// Motion in 65,536ths of a pixel a step, the unit of the state of movers and bodies. Bodies are in worlds
/// with one step a second. The numbers are exact up to 256 pixels a step, and greater numbers round to `f32`.
pub(crate) trait Subpixels {
    fn velocity_subpixels(&self) -> I64Vec2;
    fn acceleration_subpixels(&self) -> I64Vec2;
    fn set_velocity_subpixels(&mut self, velocity: I64Vec2);
    fn set_acceleration_subpixels(&mut self, acceleration: I64Vec2);
    fn with_velocity_subpixels(self, velocity: I64Vec2) -> Self;
    fn with_acceleration_subpixels(self, acceleration: I64Vec2) -> Self;
    fn with_subpixel(self, subpixel: IVec2) -> Self;
    fn with_aabb(self, aabb: Aabb) -> Self;
}

impl Subpixels for Body {
    fn velocity_subpixels(&self) -> I64Vec2 {
        to_subpixels(self.velocity())
    }

    fn acceleration_subpixels(&self) -> I64Vec2 {
        to_subpixels(self.acceleration())
    }

    fn set_velocity_subpixels(&mut self, velocity: I64Vec2) {
        self.set_velocity(to_pixels(velocity));
    }

    fn set_acceleration_subpixels(&mut self, acceleration: I64Vec2) {
        self.set_acceleration(to_pixels(acceleration));
    }

    fn with_velocity_subpixels(self, velocity: I64Vec2) -> Self {
        self.with_velocity(to_pixels(velocity))
    }

    fn with_acceleration_subpixels(self, acceleration: I64Vec2) -> Self {
        self.with_acceleration(to_pixels(acceleration))
    }

    fn with_subpixel(mut self, subpixel: IVec2) -> Self {
        self.subpixel = subpixel;
        self
    }

    fn with_aabb(mut self, aabb: Aabb) -> Self {
        self.aabb = aabb;
        self
    }
}

/// The same for movers.
pub(crate) trait SubpixelSteps {
    fn step_subpixels(&mut self, solids: &impl Solids, translation: I64Vec2) -> Move;
}

impl SubpixelSteps for Mover {
    /// A translation beyond 2^31 pixels counts as almost 2^31.
    fn step_subpixels(&mut self, solids: &impl Solids, translation: I64Vec2) -> Move {
        let most = Vec2::splat(2_147_483_520.0);
        self.step(solids, to_pixels(translation).clamp(-most, most)).unwrap()
    }
}

/// The velocity after a step.
pub(crate) trait VelocityLeft {
    fn velocity_subpixels(&self, velocity: I64Vec2) -> I64Vec2;
}

impl VelocityLeft for Move {
    fn velocity_subpixels(&self, velocity: I64Vec2) -> I64Vec2 {
        to_subpixels(self.velocity(to_pixels(velocity)))
    }
}

/// Rounds 65,536ths of a pixel to numbers that a translation or velocity can have.
pub(crate) fn rounded(subpixels: I64Vec2) -> I64Vec2 {
    to_subpixels(to_pixels(subpixels))
}

/// Converts pixels to 65,536ths of a pixel.
pub(crate) fn to_subpixels(pixels: Vec2) -> I64Vec2 {
    (pixels.as_dvec2() * 65_536.0).round().as_i64vec2()
}

/// Converts 65,536ths of a pixel to pixels, rounded to the nearest `f32`.
pub(crate) fn to_pixels(subpixels: I64Vec2) -> Vec2 {
    (subpixels.as_dvec2() / 65_536.0).as_vec2()
}

/// True if the environment variable `BITWALL_LONG` is set, as before a release. Tests then run with all their
/// rounds.
pub(crate) fn is_long() -> bool {
    std::env::var_os("BITWALL_LONG").is_some()
}

/// Returns the number of rounds of a random test, or of cases that it must meet: `all` in a long run, else a
/// tenth.
pub(crate) fn rounds(all: usize) -> usize {
    if is_long() { all } else { all / 10 }
}

/// Returns the tile in a cell of a tile layer. Layers are counted from the back. `None` if the cell is empty
/// or outside the layer.
pub(crate) fn tile_at(map: &Map, layer: usize, cell: IVec2) -> Option<PlacedTile> {
    let mut layers = map.walk().filter_map(|context| match &context.layer.content {
        LayerContent::Tiles(tiles) => Some(tiles),
        _ => None,
    });
    map.tile(layers.nth(layer)?.gid(cell)?)
}

/// Returns the folder of the repository, which contains both packages.
pub(crate) fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    match package.ends_with("cli") {
        true => package.parent().unwrap(),
        false => package,
    }
}

/// Returns the path of a bundled level.
pub(crate) fn asset(name: &str) -> PathBuf {
    root().join("assets").join(name)
}

/// Returns all files in a folder and the folders below it, sorted.
pub(crate) fn files_in(folder: &Path) -> Vec<PathBuf> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => paths.extend(files_in(&path)),
            false => paths.push(path),
        }
    }
    paths.sort();
    paths
}

/// True if there is a file in a folder or in a folder below it.
pub(crate) fn holds_a_file(folder: &Path) -> bool {
    let mut entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.any(|entry| !entry.path().is_dir() || holds_a_file(&entry.path()))
}

/// Returns the path of a folder in `../shared`. If it has no file, calls [`skip`] and returns `None`.
pub(crate) fn shared(folder: &str) -> Option<PathBuf> {
    let path = root().join("../shared").join(folder);
    let has_content = holds_a_file(&path);
    if !has_content {
        skip(&format!("there is nothing in ../shared/{folder}"));
    }
    has_content.then_some(path)
}

/// Returns the maps and masks of `../shared/corpus`, each with its name in `FILES.txt`.
pub(crate) fn corpus() -> Option<Vec<(String, PathBuf)>> {
    let corpus = shared("corpus")?;
    let names = fs::read_to_string(corpus.join("FILES.txt")).unwrap();
    assert!(!names.is_empty(), "the list of the corpus is empty");
    Some(names.lines().map(|name| (name.to_owned(), corpus.join(name))).collect())
}

/// Prints that a test is skipped because something is missing. If the environment variable `BITWALL_SHARED`
/// is `required`, as in `.ci/run`, the test fails instead.
pub(crate) fn skip(reason: &str) {
    let is_required = std::env::var("BITWALL_SHARED").is_ok_and(|value| value == "required");
    assert!(!is_required, "{reason}");
    println!("skipped: {reason}");
}

/// Returns the default options, except that a level in which nothing is solid loads too.
pub(crate) fn even_blank() -> LoadOptions {
    LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() }
}

/// Measures the time of work in a test. It counts processor time, so that a test with a time limit does not
/// fail because other programs use the processor.
pub(crate) struct Stopwatch {
    wall: Instant,
    processor: Option<Duration>,
}

impl Stopwatch {
    pub(crate) fn start() -> Self {
        Self { wall: Instant::now(), processor: processor_time("thread-self") }
    }

    /// Returns the processor time of this thread since the start, or the elapsed time if the system does not
    /// tell the processor time.
    pub(crate) fn elapsed(&self) -> Duration {
        match (processor_time("thread-self"), self.processor) {
            (Some(now), Some(start)) => now.saturating_sub(start),
            _ => self.wall.elapsed(),
        }
    }
}

/// Returns the processor time of a thread or process on Linux, in steps of 10 ms. `of` is its name in
/// `/proc`.
pub(crate) fn processor_time(of: &str) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{of}/stat")).ok()?;
    // The second field is a name in brackets, which may contain spaces. Fields 14 and 15 are hundredths of a
    // second.
    let (_, fields) = stat.rsplit_once(") ")?;
    let mut ticks = fields.split(' ').skip(11).take(2).map(str::parse::<u64>);
    Some(Duration::from_millis(10 * (ticks.next()?.ok()? + ticks.next()?.ok()?)))
}

/// Returns the peak of a process's resident memory on Linux, in KiB; `None` for a process that has ended.
pub(crate) fn peak_memory(process: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    peak.trim().strip_suffix(" kB")?.parse().ok()
}

/// Creates a grid from text with `#` for solid cells and `.` for passable cells.
pub(crate) fn grid(text: &str) -> Grid {
    Grid::from_text(text).unwrap()
}

/// Creates a level with cells of one pixel from text with `#` and `.`.
pub(crate) fn ascii(text: &str) -> Level {
    tiles(text, 1)
}

/// Creates a level with square cells of `side` pixels from text with `#` and `.`.
pub(crate) fn tiles(text: &str, side: u32) -> Level {
    cells(grid(text), side)
}

/// Creates a level with square cells of `side` pixels from a grid.
pub(crate) fn cells(grid: Grid, side: u32) -> Level {
    Level::from_grid(grid, UVec2::splat(side)).unwrap()
}

/// Creates a level with cells of one pixel in which nothing is solid.
pub(crate) fn blank(width: u32, height: u32) -> Level {
    cells(Grid::new(width, height).unwrap(), 1)
}

/// Creates a grid in which the lowest `height(column)` cells of each column are solid.
pub(crate) fn ground(size: UVec2, height: impl Fn(i32) -> i32) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for column in 0..size.x {
        let height = height(column as i32).clamp(0, size.y as i32) as u32;
        grid.fill(column..column + 1, size.y - height..size.y, true).unwrap();
    }
    grid
}

/// Creates a grid with `count` solid rectangles of at most `largest` cells at random places.
pub(crate) fn scattered(
    random: &mut fastrand::Rng,
    size: UVec2,
    count: u32,
    largest: UVec2,
) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for _ in 0..count {
        let (column, row) = (random.u32(0..size.x), random.u32(0..size.y));
        let (width, height) = (random.u32(1..=largest.x), random.u32(1..=largest.y));
        grid.fill(column..column + width, row..row + height, true).unwrap();
    }
    grid
}

/// Returns settings of a mover with any path and response, from a preset.
pub(crate) fn mover_settings(random: &mut fastrand::Rng) -> MoverSettings {
    let paths = [
        MovePath::XThenY,
        MovePath::YThenX,
        MovePath::Straight(Corners::Block),
        MovePath::Straight(Corners::Pass),
    ];
    let responses = [Response::Slide, Response::Stop, Response::Bounce { restitution: 70 }];
    let presets = [MoverSettings::PLAIN, MoverSettings::platformer(), MoverSettings::top_down()];
    MoverSettings {
        path: paths[random.usize(0..4)],
        response: responses[random.usize(0..3)],
        ..presets[random.usize(0..3)]
    }
}

/// Returns every position in a rectangle of `size` whose first position is (0, 0), row by row.
pub(crate) fn places(size: IVec2) -> impl Iterator<Item = IVec2> {
    (0..size.y).flat_map(move |y| (0..size.x).map(move |x| IVec2::new(x, y)))
}

/// Returns the solid pixels of a level, row by row.
pub(crate) fn solid_pixels(level: &Level) -> impl Iterator<Item = IVec2> {
    places(level.size().as_ivec2()).filter(|pixel| level.is_solid(*pixel))
}

/// Returns the text of a map with `size` tiles of `tile` pixels. It is orthogonal unless `attributes` name
/// another orientation.
pub(crate) fn map(
    attributes: &str,
    size: [impl Display; 2],
    tile: [impl Display; 2],
    content: &str,
) -> String {
    let orientation = match attributes.contains("orientation=") {
        true => "",
        false => r#"orientation="orthogonal""#,
    };
    let ([width, height], [tile_width, tile_height]) = (size, tile);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<map version="1.10" {orientation} {attributes} width="{width}" height="{height}" tilewidth="{tile_width}"
tileheight="{tile_height}">{content}</map>"#
    )
}

/// Returns the tileset `t` with global tile ids from 1 on: `count` tiles of `tile` pixels in one row of the
/// picture `t.png`.
pub(crate) fn tileset(tile: [i32; 2], count: i32, content: &str) -> String {
    tileset_with("", tile, count, content)
}

/// Returns the same as [`tileset`], with more attributes.
pub(crate) fn tileset_with(
    attributes: &str,
    [width, height]: [i32; 2],
    count: i32,
    content: &str,
) -> String {
    format!(
        r#"<tileset firstgid="1" name="t" tilewidth="{width}" tileheight="{height}" tilecount="{count}"
        columns="{count}" {attributes}><image source="t.png" width="{}" height="{height}"/>{content}</tileset>"#,
        width * count
    )
}

/// Returns tile 0 of a tileset, with collision shapes.
pub(crate) fn shaped(shapes: &str) -> String {
    format!(r#"<tile id="0"><objectgroup>{shapes}</objectgroup></tile>"#)
}

/// Returns a tile layer. `data` is its cells in CSV, or its chunks.
pub(crate) fn layer(attributes: &str, [width, height]: [impl Display; 2], data: &str) -> String {
    format!(
        r#"<layer {attributes} width="{width}" height="{height}"><data encoding="csv">{data}</data></layer>"#
    )
}

/// Returns the cells of a layer in CSV, in which only the cell `at` has a tile.
pub(crate) fn one_cell([width, height]: [usize; 2], at: [usize; 2], gid: u32) -> String {
    let mut cells = vec!["0".to_owned(); width * height];
    cells[at[1] * width + at[0]] = gid.to_string();
    cells.join(",")
}

/// Returns an object layer.
pub(crate) fn objects(name: &str, objects: &str) -> String {
    format!(r#"<objectgroup name="{name}">{objects}</objectgroup>"#)
}

/// Returns a reader that finds only the listed files, by their whole path.
pub(crate) fn files(
    listed: &[(&str, &str)],
) -> impl FnMut(&Path) -> Result<Vec<u8>, Error> + use<> {
    let listed: Vec<(String, String)> =
        listed.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    move |path| {
        let found = listed.iter().find(|(known, _)| Path::new(known) == path);
        let text = found.map(|(_, text)| text.clone().into_bytes());
        text.ok_or_else(|| ErrorKind::NotFound.into())
    }
}

/// Loads the map `maps/m.tmx` with this text as a level. No other files exist.
pub(crate) fn try_load(map: &str, options: &LoadOptions) -> Result<Level, LoadError> {
    Level::decode("maps/m.tmx", map.as_bytes(), (), options)
}

/// Does the same as [`try_load`], but returns the level with its map and sources, and panics if it does not
/// load.
pub(crate) fn load_all(map: &str, options: &LoadOptions) -> LoadedLevel {
    let loaded = LoadedLevel::decode("maps/m.tmx", map.as_bytes(), (), options);
    loaded.unwrap_or_else(|error| panic!("{error} of\n{map}"))
}

/// Does the same as [`try_load`], but panics if the map does not load.
pub(crate) fn load(map: &str, options: &LoadOptions) -> Level {
    try_load(map, options).unwrap_or_else(|error| panic!("{error} of\n{map}"))
}
/// Does the same as [`load`], for a level in `space`.
pub(crate) fn load_in(space: Space, map: &str) -> Level {
    let options = LoadOptions { space, ..LoadOptions::default() };
    load(map, &options)
}

/// Returns an infinite map of tiles of 16 x 12 pixels, with a chunk of 4 x 4 cells that starts at each of the
/// given cells. The first row of a chunk has tile 1, which is a wall. The last row has a single tile 2, which
/// has collision shapes if the map `is_shaped`.
pub(crate) fn far_map(chunks: &[[i32; 2]], is_shaped: bool) -> String {
    let second = if is_shaped {
        r#"<objectgroup><object id="1" x="4" y="3" width="5" height="2"/></objectgroup>"#
    } else {
        r#"<properties><property name="solid" type="bool" value="true"/></properties>"#
    };
    let chunk = |[x, y]: &[i32; 2]| {
        format!(
            r#"<chunk x="{x}" y="{y}" width="4" height="4">1,1,1,1,0,0,0,0,0,0,0,0,0,0,2,0</chunk>"#
        )
    };
    let chunks: String = chunks.iter().map(chunk).collect();
    let tiles = format!(r#"<tile id="0" type="wall"/><tile id="1">{second}</tile>"#);
    let content = tileset([16, 12], 2, &tiles) + &layer(r#"name="Ground""#, [4, 4], &chunks);
    map(r#"infinite="1""#, [4, 4], [16, 12], &content)
}

/// The first cells of chunks that are far apart, for [`far_map`]. The level starts at (0, 0).
pub(crate) const FAR: [&[[i32; 2]]; 4] = [
    &[[0, 0], [1_000_000, 0]],
    &[[0, 0], [0, 1_000_000]],
    &[[0, 0], [1_000_000, 1_000_000]],
    &[[0, 500_000], [250_000, 0], [500_000, 999_999], [999_999, 123_456], [700_001, 3]],
];

/// Creates a temporary folder with these files. Their paths may contain folders.
pub(crate) fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Encodes a picture as a PNG file.
pub(crate) fn png(picture: impl Into<DynamicImage>) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.into().write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner()
}
