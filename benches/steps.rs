//! Measures a step of the platformer preset, in units of one query that a game would write by hand: the loop
//! over a `Vec<bool>` of cells of `queries.rs`, for one direction and 1 to 8 pixels.
//!
//! `cargo bench --bench steps` uses the levels of that bench, without any precomputation. Half of 10,000
//! movers are in the air and half on a floor. Each has the velocity of a walk, a jump or a fall, up to 4
//! pixels with fractions. The two run in turn, 15 times, and the fastest round of each counts. The bench
//! fails if a step costs more than 10 queries on tiles, or 15 on a mask. With `-- --check` there is one
//! round.

mod common;

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{Dir, Grid, Level, Mover, MoverSettings};

use common::{Cells, bars, blobs, cell_loop, free_starts, time};

fn main() {
    let check = std::env::args().any(|arg| arg == "--check");
    let rounds = if check { 1 } else { 15 };
    println!("level                        (b) cells   a step      step/(b)  at most");
    let mask = bench("mask 2048x2048, 16% solid", blobs(), 1, IVec2::new(16, 32), rounds, 15.0);
    let tiles = bench("256x256 tiles of 16 px", bars(), 16, IVec2::new(12, 20), rounds, 10.0);
    if !(check || mask && tiles) {
        println!("a step costs more than it may");
        std::process::exit(1);
    }
}

/// Times both on one level. Returns true if a step costs at most as much as `bound` queries.
fn bench(name: &str, grid: Grid, cell: i32, body: IVec2, rounds: usize, bound: f64) -> bool {
    let cells = Cells::new(&grid);
    let level = Level::from_grid(grid, UVec2::splat(cell as u32)).expect("a cell size in range");
    let queries = free_starts(&level, body);
    let mut random = fastrand::Rng::with_seed(9);
    let steps: Vec<(Mover, Vec2)> = (queries.iter().take(10_000).enumerate())
        .map(|(at, query)| {
            let mut body = query.body;
            if at % 2 == 0 {
                let fall = level.sweep(body, Dir::Down, 10_000).moved;
                body = body.translated(IVec2::new(0, fall as i32));
            }
            let mut along = |most: i64| random.i64(-most..=most) as f32 / 65_536.0;
            let step = Vec2::new(along(4 << 16), along(4 << 16));
            (Mover::new(body, MoverSettings::platformer()), step)
        })
        .collect();

    let mut best = [f64::INFINITY; 2];
    for _ in 0..rounds {
        let by_cells = match cell {
            1 => time(&queries, |q| cell_loop::<1>(&cells, q)),
            _ => time(&queries, |q| cell_loop::<16>(&cells, q)),
        };
        let step = time(&steps, |(mover, step)| {
            let mut mover = *mover;
            mover.step(&level, *step).is_ok_and(|step| step.grounded)
        });
        best = [best[0].min(by_cells), best[1].min(step)];
    }
    let ratio = best[1] / best[0];
    println!("{name:<28} {:>7.1} ns  {:>7.1} ns  {ratio:>9.2}  {bound:>7}", best[0], best[1]);
    ratio <= bound
}
