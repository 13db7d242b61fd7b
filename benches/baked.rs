//! Measures the time to open baked levels of 16,384 x 16,384 cells, compared with loading the pictures from
//! which they were made.
//!
//! `cargo bench --no-default-features --features mask,baked --bench baked` runs it. The levels are caves of
//! whole tiles of 16 px with slopes, blobs with edges at any pixel, and noise, which is the worst case. A level
//! is opened many times, and a picture is loaded three times. The fastest run of each counts. The bench fails if
//! opening the caves takes over 60 ms, or over a quarter of the time of their
//! picture.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::BufWriter;
use std::path::Path;
use std::time::{Duration, Instant};

use bitwall::baked::BakedLevel;
use bitwall::glam::UVec2;
use bitwall::{Grid, Level, Limits, LoadOptions};

const SIDE: u32 = 16_384;

/// The longest time that opening the caves may take, and the largest share of the time of loading their
/// picture.
const LIMIT: Duration = Duration::from_millis(60);
const SHARE: f64 = 0.25;

fn main() {
    let is_check = std::env::args().any(|arg| arg == "--check");
    let side = if is_check { 1_024 } else { SIDE };
    let folder = std::env::temp_dir().join(format!("bitwall-bench-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    println!("{side} x {side}       bytes      bake      read   picture  read/picture");
    let mut is_slow = false;
    for (name, grid) in [("caves", caves(side)), ("blobs", blobs(side)), ("noise", noise(side))] {
        let (read, picture) = measure(name, grid, &folder, is_check);
        let share = read.as_secs_f64() / picture.as_secs_f64();
        is_slow |= name == "caves" && (read > LIMIT || share > SHARE);
    }
    fs::remove_dir_all(&folder).expect("the folder");
    if is_slow && !is_check {
        println!("over the limit of {LIMIT:?} or {SHARE} of the picture");
        std::process::exit(1);
    }
}

fn measure(name: &str, grid: Grid, folder: &Path, is_check: bool) -> (Duration, Duration) {
    let (file, source) = (folder.join("level.bwl"), folder.join("level.png"));
    write_png(&grid, &source);
    let options = LoadOptions {
        limits: Limits { pixels: 1 << 30, cells: 1 << 26, ..Limits::default() },
        ..LoadOptions::default()
    };
    let (times, often) = if is_check { (1, 1) } else { (3, 60) };
    let picture = fastest(times, || Level::load_with(&source, &options).expect("a mask"));
    let level = Level::from_grid(grid, UVec2::ONE).expect("a level");
    let bake = fastest(times, || level.bake().expect("bytes"));
    let bytes = level.bake().expect("bytes");
    fs::write(&file, &bytes).expect("a file");
    let read = fastest(often, || Level::load(&file).expect("a level"));
    assert!(Level::load(&file).expect("a level").grid() == level.grid());
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    println!(
        "{name:<12} {:>12} {:>9.3} {:>9.3} {:>9.1} {:>12.5}",
        bytes.len(),
        ms(bake),
        ms(read),
        ms(picture),
        read.as_secs_f64() / picture.as_secs_f64()
    );
    let parts = fastest(often, || BakedLevel::decode(bytes.clone()).expect("a level"));
    let copy = fastest(often, || bytes.clone());
    println!("{:<12} decoding alone {:.3} ms", "", ms(parts.saturating_sub(copy)));
    (read, picture)
}

/// Returns the fastest of `times` runs, without the time to drop their results.
fn fastest<T>(times: u32, run: impl Fn() -> T) -> Duration {
    let once = |_| {
        let start = Instant::now();
        let made = black_box(run());
        let time = start.elapsed();
        drop(made);
        time
    };
    (0..times).map(once).min().unwrap_or_default()
}

/// Creates caves with a cellular automaton over tiles of 16 px. Some tiles between rock and air are slopes.
fn caves(side: u32) -> Grid {
    let tiles = side / 16;
    let mut rng = fastrand::Rng::with_seed(1);
    let at = |x: u32, y: u32| (y * tiles + x) as usize;
    let mut rock: Vec<bool> = (0..tiles * tiles).map(|_| rng.u32(0..100) < 46).collect();
    for _ in 0..5 {
        let is_rock = |x: i64, y: i64| {
            let inside = 0..i64::from(tiles);
            !(inside.contains(&x) && inside.contains(&y)) || rock[at(x as u32, y as u32)]
        };
        let next = |index: u32| {
            let (x, y) = (i64::from(index % tiles), i64::from(index / tiles));
            let around = (-1..2).flat_map(|dy| (-1..2).map(move |dx| (x + dx, y + dy)));
            around.filter(|(x, y)| is_rock(*x, *y)).count() >= 5
        };
        rock = (0..tiles * tiles).map(next).collect();
    }
    let mut grid = Grid::new(side, side).expect("a grid");
    for y in 0..tiles {
        for x in 0..tiles {
            let (left, top) = (x * 16, y * 16);
            if rock[at(x, y)] {
                grid.fill(left..left + 16, top..top + 16, true).expect("a dense grid");
                continue;
            }
            // A slope on the ground in front of a wall on the right.
            let is_corner =
                x + 1 < tiles && y + 1 < tiles && rock[at(x + 1, y)] && rock[at(x, y + 1)];
            for row in (0..16).filter(|_| is_corner) {
                let columns = left + 15 - row..left + 16;
                grid.fill(columns, top + row..top + row + 1, true).expect("a dense grid");
            }
        }
    }
    grid
}

/// Creates discs with a diameter of 100 to 400 px that are solid and passable in turn.
fn blobs(side: u32) -> Grid {
    let mut rng = fastrand::Rng::with_seed(2);
    let mut grid = Grid::new(side, side).expect("a grid");
    for index in 0..side / 16 {
        let (x, y) = (f64::from(rng.u32(0..side)), f64::from(rng.u32(0..side)));
        let radius = f64::from(rng.u32(100..400));
        for row in (y - radius).max(0.0) as u32..((y + radius) as u32).min(side) {
            let across = (radius * radius - (f64::from(row) - y).powi(2)).max(0.0).sqrt();
            let columns = (x - across).max(0.0) as u32..(x + across) as u32;
            grid.fill(columns, row..row + 1, index % 3 > 0).expect("a dense grid");
        }
    }
    grid
}

/// Creates noise in which all blocks differ, so that none can be shared.
fn noise(side: u32) -> Grid {
    let mut rng = fastrand::Rng::with_seed(3);
    let mut grid = Grid::new(side, side).expect("a grid");
    for row in 0..side {
        for column in (0..side).step_by(8) {
            let column = column + rng.u32(0..8);
            grid.set(column, row, true).expect("a dense grid");
        }
    }
    grid
}

/// Writes a picture with one bit per pixel, in which black is solid.
fn write_png(grid: &Grid, path: &Path) {
    let file = BufWriter::new(File::create(path).expect("a file"));
    let mut encoder = png::Encoder::new(file, grid.width(), grid.height());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    let byte = |row, column| {
        (0..8).fold(0, |byte, bit| byte << 1 | u8::from(!grid.is_solid(column + bit, row)))
    };
    let rows = (0..grid.height())
        .flat_map(|row| (0..grid.width()).step_by(8).map(move |column| byte(row, column)));
    let bytes: Vec<u8> = rows.collect();
    encoder.write_header().expect("a header").write_image_data(&bytes).expect("the rows");
}
