//! Measures jump ways: building them, asking for a way, a field, followers, and an edit of one tile.
//!
//! `cargo bench --bench jumps` prints for each level the places and links, the time of the fastest of three
//! builds on one core, the median and the 99th percentile of a way, the mean of a field, and the mean and the
//! 99th percentile of an edit: of dropping the links, and of finding them again. The body has 12 x 20 pixels
//! and the default feel. Further arguments are paths of levels.
//!
//! `-- --check` runs each part once on a small level.

use std::time::{Duration, Instant};

use bitwall::character::Feel;
use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::{JumpWays, Jumper};
use bitwall::{Dir, Grid, Level, Rate};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let check = arguments.iter().any(|it| it == "--check");
    let paths = arguments.iter().filter(|it| !it.starts_with("--"));
    let mut levels: Vec<(String, Level)> = Vec::new();
    if check {
        levels.push(("32 x 32".to_owned(), generated(32)));
    } else {
        for cells in [64, 128, 256] {
            levels.push((format!("{cells} x {cells}"), generated(cells)));
        }
        for name in ["assets/cave.tmx", "assets/hills.tmx"] {
            levels.push((name.to_owned(), Level::load(name).expect("it is bundled").into()));
        }
    }
    for path in paths {
        levels.push((path.clone(), Level::load(path).expect("it is a level").into()));
    }
    println!(
        "{:<18} {:>6} {:>6} {:>8} {:>14} {:>9} {:>17} {:>17}",
        "level", "places", "links", "build ms", "way us", "field us", "drop us", "edit ms"
    );
    for (name, mut level) in levels {
        let jumper = Jumper::new(UVec2::new(12, 20), Feel::default(), Rate::per_second(60));
        level.prepare(jumper.size);
        let rounds = if check { 1 } else { 3 };
        let mut build = f64::MAX;
        for _ in 0..rounds {
            let start = Instant::now();
            let ways = JumpWays::new(&level, jumper.clone()).expect("it is a jumper");
            build = build.min(ms(start.elapsed()));
            drop(ways);
        }
        let mut ways = JumpWays::new(&level, jumper).expect("it is a jumper");
        let runs: Vec<_> = ways.runs().collect();
        let places = runs.iter().map(|(_, place)| place + 1).max().unwrap_or(0);
        let mut random = fastrand::Rng::with_seed(3);
        let mut spot = || {
            let (run, _) = runs[random.usize(0..runs.len())];
            IVec2::new(random.i32(run.min.x..run.max.x), run.min.y)
        };
        let mut paths = Vec::new();
        let mut fields = Vec::new();
        for _ in 0..if check { 10 } else { 2_000 } {
            let (from, to) = (spot(), spot());
            let start = Instant::now();
            std::hint::black_box(ways.path(from, to));
            paths.push(ms(start.elapsed()) * 1_000.0);
        }
        for _ in 0..if check { 2 } else { 100 } {
            let start = Instant::now();
            std::hint::black_box(ways.field(&[spot()]));
            fields.push(ms(start.elapsed()) * 1_000.0);
        }
        let links = ways.link_count();
        let (drops, edits) = edited(&mut ways, &mut level, if check { 2 } else { 100 });
        println!(
            "{:<18} {places:>6} {links:>6} {build:>8.1} {:>14} {:>9.1} {:>17} {:>17}",
            name.rsplit('/').next().unwrap_or(&name),
            spread(paths, false),
            fields.iter().sum::<f64>() / fields.len() as f64,
            spread(drops, true),
            spread(edits, true),
        );
    }
}

/// Flips random cells and flips them back. Returns the times of dropping links in microseconds, and of
/// finding them again in milliseconds.
fn edited(ways: &mut JumpWays, level: &mut Level, count: usize) -> (Vec<f64>, Vec<f64>) {
    let mut random = fastrand::Rng::with_seed(4);
    let size = level.grid().size();
    let mut times = (Vec::new(), Vec::new());
    for _ in 0..count {
        let (column, row) = (random.u32(1..size.x - 1), random.u32(1..size.y - 1));
        for _ in 0..2 {
            let solid = !level.grid().is_solid(column, row);
            let cell = IVec2::new(column as i32, row as i32);
            let area = level.set(cell, solid).expect("it is dense").expect("it is inside");
            let start = Instant::now();
            ways.edited(area);
            times.0.push(ms(start.elapsed()) * 1_000.0);
            let start = Instant::now();
            while !ways.update(level, 3_000) {}
            times.1.push(ms(start.elapsed()));
        }
    }
    times
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1_000.0
}

/// The median or the mean, and the 99th percentile.
fn spread(mut times: Vec<f64>, mean: bool) -> String {
    times.sort_by(f64::total_cmp);
    let middle = times[times.len() / 2];
    let mean = if mean { times.iter().sum::<f64>() / times.len() as f64 } else { middle };
    format!("{mean:.1} / {:.1}", times[times.len() * 99 / 100])
}

/// A level of `cells` x `cells` tiles of 16 pixels: boxes, platforms and one-way floors.
fn generated(cells: u32) -> Level {
    let mut random = fastrand::Rng::with_seed(7);
    let mut solid = Grid::new(cells, cells).expect("it is small");
    let mut one_way = Grid::new(cells, cells).expect("it is small");
    for (columns, rows) in
        [(0..cells, cells - 1..cells), (0..1, 0..cells), (cells - 1..cells, 0..cells)]
    {
        solid.fill(columns, rows, true).expect("it is dense");
    }
    for _ in 0..cells * cells / 60 {
        let (x, y) = (random.u32(0..cells), random.u32(0..cells));
        let (w, h) = match random.bool() {
            true => (random.u32(2..10), 1),
            false => (random.u32(1..7), random.u32(1..5)),
        };
        solid.fill(x..(x + w).min(cells), y..(y + h).min(cells), true).expect("it is dense");
    }
    for _ in 0..cells * cells / 200 {
        let (x, y, w) = (random.u32(0..cells), random.u32(0..cells), random.u32(2..7));
        for x in x..(x + w).min(cells) {
            if !solid.is_solid(x, y) {
                one_way.set(x, y, true).expect("it is dense");
            }
        }
    }
    let level = Level::from_grid(solid, UVec2::splat(16)).expect("it is small");
    level.with_one_way(Dir::Up, one_way).expect("the sizes are equal")
}
