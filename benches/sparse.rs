//! Measures `can_move` and `sweep` in a sparse level of 65,536 x 65,536 cells, compared with a small dense
//! level.
//!
//! `cargo bench --no-default-features --bench sparse` prints the nanoseconds per query in both, and the
//! ratios. The sparse level has one copy of the cells of the small level, or 16 copies far from each other,
//! which do not fit into the caches. Half of the bodies start in a copy, and half anywhere, where the level
//! is mostly empty. They come in random order, and the levels run in turn as in `queries`. With `-- --check`
//! there is one round. With `-- --count sparse` or `dense` only `can_move` on that level runs, once, for a
//! count of instructions by callgrind. All answers for bodies in a copy are compared with the answers in the
//! small level.

#[allow(dead_code, reason = "the loop over cells is for other benches")]
mod common;

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Grid, Level};

use common::{Query, bars, blobs, free_starts, time};

/// The width and height of the sparse level in cells.
const SIDE: u32 = 65_536;
/// The largest ratio of the time of a query in the sparse level with one copy to its time in the small level.
const LIMIT: f64 = 4.0;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rounds = if args.iter().any(|arg| arg == "--check") { 1 } else { 15 };
    let counted = args.iter().skip_while(|arg| *arg != "--count").nth(1);
    let (mask, tiles) = (IVec2::new(16, 32), IVec2::new(12, 20));
    if let Some(level) = counted {
        let (dense, sparse) = levels(blobs(), 1, 1);
        let (one, other) = queries(&dense, &sparse, mask, 1);
        let (level, queries) = if level == "sparse" { (&sparse, other) } else { (&dense, one) };
        println!("{} of {} are free", count_free(level, &queries), queries.len());
        return;
    }
    let mut failed = false;
    println!("level                       query     dense      sparse     sparse/dense");
    for (name, grid, cell, body) in
        [("mask, 16% solid", blobs(), 1, mask), ("tiles of 16 px", bars(), 16, tiles)]
    {
        for copies in [1, 16] {
            failed |= !bench(&format!("{name}, {copies:>2} x"), &grid, cell, body, copies, rounds);
        }
    }
    if failed {
        println!("the answers differ, or the sparse level takes over {LIMIT} times as long");
        std::process::exit(1);
    }
}

/// Counts the queries with a free motion. It is a separate function for callgrind:
/// `--toggle-collect=*count_free*`.
#[inline(never)]
fn count_free(level: &Level, queries: &[Query]) -> usize {
    queries.iter().filter(|q| level.can_move(q.body, q.dir, q.step)).count()
}

/// Returns the small level, and the sparse level with copies of it.
fn levels(grid: Grid, cell: u32, copies: i32) -> (Level, Level) {
    let small = Level::from_grid(grid, UVec2::splat(cell)).expect("a cell size in range");
    let world = Grid::sparse(SIDE, SIDE).expect("a size in range");
    let mut world = Level::from_grid(world, UVec2::splat(cell)).expect("a size in range");
    for copy in 0..copies {
        world.place(&small, corner(copy)).expect("room for the blocks");
    }
    (small, world)
}

/// Returns the first cell of a copy. It is not at a multiple of the block size.
fn corner(copy: i32) -> IVec2 {
    IVec2::new(copy % 4 * 15_001 + 37, copy / 4 * 14_999 + 11)
}

/// Returns the queries in the small level and in the sparse level. Queries with even indices are the same in
/// both.
fn queries(small: &Level, world: &Level, body: IVec2, copies: i32) -> (Vec<Query>, Vec<Query>) {
    let inside = free_starts(small, body);
    let anywhere = free_starts(world, body);
    let mut copies = (0..).map(|at| corner(at / 2 % copies) * small.cell_size().as_ivec2());
    let moved = inside.iter().zip(anywhere).enumerate().map(|(at, (inside, anywhere))| {
        let shift = copies.next().unwrap_or_default();
        if at % 2 == 0 {
            Query { body: inside.body.translated(shift), ..*inside }
        } else {
            anywhere
        }
    });
    let moved = moved.collect();
    (inside, moved)
}

/// Times both queries on both levels. Returns false if the answers differ, or if the sparse level is too
/// slow.
fn bench(name: &str, grid: &Grid, cell: u32, body: IVec2, copies: i32, rounds: usize) -> bool {
    let (dense, sparse) = levels(grid.clone(), cell, copies);
    let (in_dense, in_sparse) = queries(&dense, &sparse, body, copies);
    let long = |queries: &[Query]| {
        let long = queries.iter().map(|q| Query { step: q.step * 8, ..*q });
        long.collect::<Vec<_>>()
    };
    let (long_dense, long_sparse) = (long(&in_dense), long(&in_sparse));
    let can_move = |level: &Level, q: &Query| level.can_move(q.body, q.dir, q.step);
    let sweep = |level: &Level, q: &Query| level.sweep(q.body, q.dir, q.step).is_clear();
    let mut best = [f64::INFINITY; 6];
    for _ in 0..rounds {
        let times = [
            time(&in_dense, |q| can_move(&dense, q)),
            time(&in_sparse, |q| can_move(&sparse, q)),
            time(&in_dense, |q| sweep(&dense, q)),
            time(&in_sparse, |q| sweep(&sparse, q)),
            time(&long_dense, |q| sweep(&dense, q)),
            time(&long_sparse, |q| sweep(&sparse, q)),
        ];
        for (best, nanoseconds) in best.iter_mut().zip(times) {
            *best = best.min(nanoseconds);
        }
    }
    let mut fast = true;
    for (query, times) in ["can_move", "sweep", "sweep x 8"].into_iter().zip(best.chunks(2)) {
        let ratio = times[1] / times[0];
        fast &= copies > 1 || ratio <= LIMIT;
        println!("{name:<27} {query:<9} {:>6.1} ns  {:>7.1} ns  {ratio:>10.2}", times[0], times[1]);
    }
    let size = dense.size().as_ivec2();
    let agree = long_dense.iter().zip(&long_sparse).step_by(2).all(|(one, other)| {
        // Only motions that stay in the copy are compared, because outside the copy the sparse level is
        // empty.
        let inside = |q: &Query| {
            let body = q.body.translated(q.dir.vector() * q.step as i32);
            let all = Aabb { min: IVec2::ZERO, max: size };
            body.intersection(all) == body
        };
        !inside(one)
            || dense.sweep(one.body, one.dir, one.step).moved
                == sparse.sweep(other.body, other.dir, other.step).moved
    });
    agree && (fast || rounds == 1)
}
