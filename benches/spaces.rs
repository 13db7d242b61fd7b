//! Measures prepared sizes: queries compared with those of a level without one, preparing compared with
//! decoding a mask, edits and their undo, and batches.
//!
//! `cargo bench --bench spaces --features rayon` uses the levels and queries of `queries.rs`. Each line has
//! what is measured and what it is compared with, both times, their ratio, and the largest ratio that it
//! should have. The two of a line run in turn, and the fastest round of each counts. All answers are
//! compared. With `-- --check` there is one round.

#[allow(dead_code, reason = "the loop over cells is for other benches")]
mod common;

use std::hint::black_box;
use std::io::Cursor;
use std::time::{Duration, Instant};

use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{GrayImage, ImageFormat, Luma};
use bitwall::shapes::Circle;
use bitwall::{Aabb, Dir, Grid, Level};

use common::{Query, bars, blobs, free_starts, time};

fn main() {
    let rounds = if std::env::args().any(|arg| arg == "--check") { 1 } else { 15 };
    println!("{:<58} {:>9} {:>9} {:>7} {:>8}", "", "ns", "of ns", "ratio", "at most");
    for (name, grid, cell, body) in
        [("mask", blobs(), 1, UVec2::new(16, 32)), ("tiles", bars(), 16, UVec2::new(12, 20))]
    {
        let level = Level::from_grid(grid, UVec2::splat(cell)).expect("a cell size in range");
        queries(name, &level, body, rounds);
        steps(name, &level, body, rounds);
        batches(name, &level, body, rounds);
    }
    let large = Level::from_grid(large(), UVec2::ONE).expect("a cell size in range");
    making(&large, rounds.min(5));
    undo(large.grid(), rounds.min(5));
    edits(large, rounds.min(5));
}

fn line(what: &str, [ours, theirs]: [f64; 2], most: f64) {
    println!("{what:<58} {ours:>9.2} {theirs:>9.2} {:>7.3} {most:>8}", ours / theirs);
}

/// Runs both in turn, and returns the smallest result of each.
fn compare(rounds: usize, one: impl Fn() -> f64, other: impl Fn() -> f64) -> [f64; 2] {
    let mut best = [f64::INFINITY; 2];
    for _ in 0..rounds {
        best = [best[0].min(one()), best[1].min(other())];
    }
    best
}

fn queries(name: &str, level: &Level, size: UVec2, rounds: usize) {
    let prepared = prepared(level, size);
    let queries = free_starts(level, size.as_ivec2());
    let plain = |q: &Query| level.can_move(q.body, q.dir, q.step);
    let by_lines = |q: &Query| prepared.can_move(q.body, q.dir, q.step);
    assert!(queries.iter().all(|q| plain(q) == by_lines(q)));
    let pair = compare(rounds, || time(&queries, by_lines), || time(&queries, plain));
    line(&format!("{name}: can_move prepared, unprepared"), pair, 0.75);
    let sweep = |q: &Query| prepared.sweep(q.body, q.dir, q.step).is_clear();
    let pair = compare(rounds, || time(&queries, sweep), || time(&queries, by_lines));
    line(&format!("{name}: sweep prepared, can_move"), pair, 1.6);
    let sweep = |q: &Query| level.sweep(q.body, q.dir, q.step).is_clear();
    let pair = compare(rounds, || time(&queries, sweep), || time(&queries, plain));
    line(&format!("{name}: sweep unprepared, can_move"), pair, 1.6);
    let four = |q: &Query| {
        let free = prepared.free_sides(q.body, q.step);
        free.left ^ free.right ^ free.up ^ free.down
    };
    let singly = |q: &Query| {
        Dir::ALL.into_iter().fold(false, |odd, dir| odd ^ prepared.can_move(q.body, dir, q.step))
    };
    assert!(queries.iter().all(|q| four(q) == singly(q)));
    let [four, one] = compare(rounds, || time(&queries, four), || time(&queries, by_lines));
    line(&format!("{name}: free_sides an answer, can_move"), [four / 4.0, one], 0.6);
}

/// Compares long steps with short steps.
fn steps(name: &str, level: &Level, size: UVec2, rounds: usize) {
    let level = prepared(level, size);
    let queries = free_starts(&level, size.as_ivec2());
    let short = |q: &Query| level.can_move(q.body, q.dir, 8);
    let long = |q: &Query| level.can_move(q.body, q.dir, 128);
    let pair = compare(rounds, || time(&queries, long), || time(&queries, short));
    line(&format!("{name}: a step of 128, of 8"), pair, 1.5);
    let empty = Level::from_grid(Grid::new(8192, 8192).expect("in range"), UVec2::ONE);
    let empty = prepared(&empty.expect("a cell size in range"), size);
    let middle = |q: &Query| q.body.translated(q.body.min % 64 + 4096 - q.body.min);
    let short = |q: &Query| empty.can_move(middle(q), q.dir, 8);
    let long = |q: &Query| empty.can_move(middle(q), q.dir, 4_000);
    let pair = compare(rounds, || time(&queries, long), || time(&queries, short));
    line(&format!("{name}: a step of 4000 over empty ground, of 8"), pair, 8.0);
}

fn batches(name: &str, level: &Level, size: UVec2, rounds: usize) {
    let level = prepared(level, size);
    // The batch is long, so that starting the threads is worth its cost.
    let queries = free_starts(&level, size.as_ivec2()).repeat(10);
    let bodies: Vec<Aabb> = queries.iter().map(|q| q.body).collect();
    let dirs: Vec<Dir> = queries.iter().map(|q| q.dir).collect();
    let steps: Vec<u32> = queries.iter().map(|q| q.step).collect();
    let each = |start: Instant| start.elapsed().as_secs_f64() * 1e9 / queries.len() as f64;
    let batch = || {
        let mut free = vec![0; queries.len().div_ceil(64)];
        let start = Instant::now();
        level.can_move_batch(&bodies, &dirs, &steps, &mut free);
        black_box(free);
        each(start)
    };
    let singly = || {
        let mut free = vec![0_u64; queries.len().div_ceil(64)];
        let start = Instant::now();
        for (at, q) in queries.iter().enumerate() {
            free[at / 64] |= u64::from(level.can_move(q.body, q.dir, q.step)) << (at % 64);
        }
        black_box(free);
        each(start)
    };
    line(&format!("{name}: a batch of can_move, singly"), compare(rounds, batch, singly), 0.56);
}

fn prepared(level: &Level, size: UVec2) -> Level {
    let mut prepared = level.clone();
    assert!(prepared.prepare(size));
    prepared
}

/// Creates a mask of 4096 x 4096 pixels, 16% of which are solid.
fn large() -> Grid {
    let part = blobs();
    let mut grid = Grid::new(4096, 4096).expect("a size in range");
    for row in 0..4096 {
        for column in (0..4096).filter(|column| part.is_solid(column % 2048, row % 2048)) {
            grid.set(column, row, true).expect("a dense grid");
        }
    }
    grid
}

/// Compares preparing a size with decoding the picture of the mask.
fn making(level: &Level, rounds: usize) {
    let picture = GrayImage::from_fn(4096, 4096, |x, y| {
        Luma([if level.grid().is_solid(x, y) { 0 } else { 255 }])
    });
    let mut file = Cursor::new(Vec::new());
    picture.write_to(&mut file, ImageFormat::Png).expect("memory to write to");
    let decode = || {
        let start = Instant::now();
        let read = bitwall::image::load_from_memory_with_format(file.get_ref(), ImageFormat::Png);
        black_box(read.expect("a picture"));
        start.elapsed().as_secs_f64() * 1e9
    };
    let make = || {
        let mut copy = level.clone();
        let start = Instant::now();
        black_box(copy.prepare(UVec2::new(16, 32)));
        start.elapsed().as_secs_f64() * 1e9
    };
    line("4096 x 4096: preparing a size, decoding the PNG", compare(rounds, make, decode), 0.05);
}

/// Compares an edit of 16 x 16 pixels in a level with three prepared sizes with preparing one size.
fn edits(mut level: Level, rounds: usize) {
    const EDITS: u32 = 2_000;
    let sizes = [UVec2::new(16, 32), UVec2::new(12, 20), UVec2::new(48, 24)];
    let start = Instant::now();
    level.prepare(sizes[0]);
    let making = start.elapsed().as_secs_f64() * 1e9;
    for size in sizes {
        level.prepare(size);
    }
    let mut random = fastrand::Rng::with_seed(3);
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let start = Instant::now();
        for at in 0..EDITS {
            let (x, y) = (random.i32(0..4080), random.i32(0..4080));
            let brush = Aabb::from_xywh(0, 0, 16, 16);
            let (place, solid) = (IVec2::new(x, y), at % 2 == 0);
            let changed =
                if solid { level.paint(&brush, place) } else { Ok(level.carve(&brush, place)) };
            black_box(changed.expect("a dense grid"));
        }
        best = best.min(start.elapsed().as_secs_f64() * 1e9 / f64::from(EDITS));
    }
    line("4096 x 4096: an edit with three sizes, preparing one", [best, making], 0.01);
}

/// Compares undoing a crater of 80 pixels by its patch with a copy of the level before it, prepared anew.
fn undo(grid: &Grid, rounds: usize) {
    const CRATERS: u32 = 200;
    let mut part = Grid::new(4096, 2048).expect("in range");
    for cell in grid.iter_solid().filter(|cell| cell.y < 2048) {
        part.set(cell.x, cell.y, true).expect("a dense grid");
    }
    let mut level = Level::from_grid(part, UVec2::ONE).expect("a cell size in range");
    let sizes = [UVec2::new(16, 32), UVec2::new(12, 20), UVec2::new(48, 24)];
    let copy = || {
        let start = Instant::now();
        let mut copy = Level::from_grid(level.grid().clone(), UVec2::ONE).expect("as before");
        sizes.iter().for_each(|size| assert!(copy.prepare(*size)));
        black_box(copy);
        start.elapsed().as_secs_f64() * 1e9
    };
    let copying = (0..rounds).map(|_| copy()).fold(f64::INFINITY, f64::min);
    sizes.iter().for_each(|size| assert!(level.prepare(*size)));
    let before = level.checksum();
    let mut random = fastrand::Rng::with_seed(4);
    let mut best = [f64::INFINITY; 2];
    for _ in 0..rounds {
        let mut times = [Duration::ZERO; 2];
        for _ in 0..CRATERS {
            let center = IVec2::new(random.i32(0..4096), random.i32(0..2048));
            let start = Instant::now();
            let patch = level.patch(Aabb { min: center - 40, max: center + 40 });
            times[0] += start.elapsed();
            level.carve(&Circle { center, radius: 40 }, IVec2::ZERO);
            let start = Instant::now();
            level.apply(&patch).expect("a dense grid");
            times[1] += start.elapsed();
        }
        best = std::array::from_fn(|at| {
            best[at].min(times[at].as_secs_f64() * 1e9 / f64::from(CRATERS))
        });
    }
    assert_eq!(level.checksum(), before);
    line("4096 x 2048: a patch of 80 x 80, a copy with its sizes", [best[0], copying], 0.01);
    line("4096 x 2048: the patch put back, the same", [best[1], copying], 0.02);
}
