//! Measures the time of `can_move`, compared with the two loops that a game would write by hand: (a) over the
//! pixels of the decoded mask picture, as in tutorials, and (b) over a `Vec<bool>` of cells.
//!
//! `cargo bench --bench queries` prints the nanoseconds per query of each, and the ratios. The three run in
//! turn, 15 times, each twice so that its own data is in the caches. The fastest round of each counts, so
//! that the result holds on a busy machine. With `-- --check` there is one round. All answers are compared.

mod common;

use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{GrayImage, Luma};
use bitwall::{Grid, Level};

use common::{Cells, Query, bars, blobs, cell_loop, free_starts, strip, time};

fn main() {
    let rounds = if std::env::args().any(|arg| arg == "--check") { 1 } else { 15 };
    let mut failed = false;
    println!(
        "level                        (a) pixels  (b) cells   bitwall     (a)/bitwall (b)/bitwall"
    );
    for (name, grid, cell, body) in [
        ("mask 2048x2048, 16% solid", blobs(), 1, IVec2::new(16, 32)),
        ("256x256 tiles of 16 px", bars(), 16, IVec2::new(12, 20)),
    ] {
        failed |= !bench(name, grid, cell, body, rounds);
    }
    if failed {
        println!("the answers differ, or it is not 8 times as fast as (a) and as fast as (b)");
        std::process::exit(1);
    }
}

/// Times the three on one level. Returns false if they disagree, or if bitwall is too slow in a run with more
/// than one round.
fn bench(name: &str, grid: Grid, cell: i32, body: IVec2, rounds: usize) -> bool {
    let picture = picture(&grid, cell);
    let cells = Cells::new(&grid);
    let level = Level::from_grid(grid, UVec2::splat(cell as u32)).expect("a cell size in range");
    let queries = free_starts(&level, body);
    let pixels = |q: &Query| pixel_loop(&picture, q);
    let ours = |q: &Query| level.can_move(q.body, q.dir, q.step);

    let mut best = [f64::INFINITY; 3];
    for _ in 0..rounds {
        let times = [
            time(&queries, pixels),
            match cell {
                1 => time(&queries, |q| cell_loop::<1>(&cells, q)),
                _ => time(&queries, |q| cell_loop::<16>(&cells, q)),
            },
            time(&queries, ours),
        ];
        for (best, nanoseconds) in best.iter_mut().zip(times) {
            *best = best.min(nanoseconds);
        }
    }
    println!(
        "{name:<28} {:>7.1} ns  {:>7.1} ns  {:>7.1} ns  {:>10.1}  {:>10.2}",
        best[0],
        best[1],
        best[2],
        best[0] / best[2],
        best[1] / best[2]
    );
    let fast = best[0] >= 8.0 * best[2] && best[1] >= best[2];
    let agree = queries.iter().all(|q| {
        let by_cells = match cell {
            1 => cell_loop::<1>(&cells, q),
            _ => cell_loop::<16>(&cells, q),
        };
        pixels(q) == ours(q) && by_cells == ours(q)
    });
    agree && (fast || rounds == 1)
}

/// Contender (a): reads each pixel of the decoded picture that the body enters during the step.
fn pixel_loop(picture: &GrayImage, q: &Query) -> bool {
    let (x0, x1, y0, y1) = strip(q);
    if x0 < 0 || y0 < 0 || x1 > picture.width() as i32 || y1 > picture.height() as i32 {
        return false;
    }
    for y in y0..y1 {
        for x in x0..x1 {
            if picture.get_pixel(x as u32, y as u32).0[0] < 128 {
                return false;
            }
        }
    }
    true
}

/// Returns the level as a picture with black solid cells.
fn picture(grid: &Grid, cell: i32) -> GrayImage {
    let side = cell as u32;
    GrayImage::from_fn(grid.width() * side, grid.height() * side, |x, y| {
        Luma([if grid.is_solid(x / side, y / side) { 0 } else { 255 }])
    })
}
