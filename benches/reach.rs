//! Measures the analysis of where a body can get: floods of 8 million states, and a search with the mover.
//!
//! A state is a position in which the body is free: the pixel of its top-left corner, in a level with cells
//! of one pixel. Each level has at least 8 million states. A flood visits them in runs, and may take at most
//! 60 ms.
//!
//! `cargo bench --bench reach` prints the fastest of nine runs of each part, in milliseconds:
//!
//! * free: finding the free positions of the body;
//! * above: a flood in a view from above, including the free positions. It is exact: a position is reached
//!   exactly if a walk leads there. It includes the path to a goal in the far corner;
//! * side: the over-estimate in a view from the side, including the free positions;
//! * search: the over-estimate and the under-estimate, which makes 400,000 steps of the real mover. Its time
//!   depends on the steps and not on the level.
//!
//! On 2 cores of a shared machine, with `--profile test`:
//!
//! ```text
//! level            states  free ms  above ms   side ms  search ms
//! blocks          9738589      7.5      10.2      16.0      163.9
//! specks          8578580     11.9      39.1      51.7      297.2
//! corridors       8290801      1.3       1.3       1.3      226.9
//! ```
//!
//! `-- --check` runs each part once on small levels, without a limit on the time.

use std::hint::black_box;
use std::time::Instant;

use bitwall::analyze::{MoveSet, ReachLimits, Verdict, free_space, reach};
use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Grid, Level, Rate};

/// The smallest number of states of a level.
const MIN_STATES: u64 = 8_000_000;

/// The longest allowed time of a flood, in milliseconds.
const MAX_MS: f64 = 60.0;

fn main() {
    let check = std::env::args().any(|arg| arg == "--check");
    let (size, rounds) = match check {
        true => (UVec2::new(512, 256), 1),
        false => (UVec2::new(4_096, 2_688), 9),
    };
    let body = UVec2::new(12, 20);
    let mut slowest: f64 = 0.0;
    println!(
        "{:<12} {:>10} {:>8} {:>9} {:>9} {:>10}",
        "level", "states", "free ms", "above ms", "side ms", "search ms"
    );
    for (name, level) in
        [("blocks", blocks(size)), ("specks", specks(size)), ("corridors", corridors(size))]
    {
        let states: u64 = free_space(&level, body)
            .map_or(0, |free| free.areas().iter().map(|area| area.positions).sum());
        assert!(check || states >= MIN_STATES, "{name} has {states} states");
        let start = [IVec2::new(2, 2)];
        let goal = Aabb::from_center(size.as_ivec2() - 10, UVec2::splat(4));
        let flood = |moves: &MoveSet, steps| {
            let limits = ReachLimits { steps, ..ReachLimits::default() };
            fastest(rounds, || reach(&level, body, moves, &start, &[goal], &limits))
        };
        let free = fastest(rounds, || free_space(&level, body));
        let above = flood(&MoveSet::top_down(3), 0);
        let side = flood(&MoveSet::jumper(Rate::per_second(60), 44.0, 0.35), 0);
        let search = flood(&MoveSet::jumper(Rate::per_second(60), 44.0, 0.35), 400_000);
        println!("{name:<12} {states:>10} {free:>8.1} {above:>9.1} {side:>9.1} {search:>10.1}");
        slowest = slowest.max(above).max(side);
        let found =
            reach(&level, body, &MoveSet::top_down(3), &start, &[goal], &ReachLimits::default());
        let found = found.expect("it is not too complex");
        assert!(matches!(found.goals[..], [Verdict::Reached(_)]), "{name}: {found:?}");
    }
    if !check && slowest > MAX_MS {
        println!("a flood took {slowest:.1} ms, over the limit of {MAX_MS}");
        std::process::exit(1);
    }
}

/// Returns the time of the fastest run, in milliseconds.
fn fastest<T>(rounds: usize, run: impl Fn() -> T) -> f64 {
    let times = (0..rounds).map(|_| {
        let start = Instant::now();
        black_box(run());
        start.elapsed().as_secs_f64() * 1_000.0
    });
    times.fold(f64::INFINITY, f64::min)
}

fn level(grid: Grid) -> Level {
    Level::from_grid(grid, UVec2::ONE).expect("it is not too large")
}

/// Makes the corners passable in which the start and the goal are.
fn with_corners(mut grid: Grid) -> Level {
    let (width, height) = (grid.width(), grid.height());
    for (columns, rows) in [(0..40, 0..40), (width - 40..width, height - 40..height)] {
        grid.fill(columns, rows, false).expect("it is dense");
    }
    level(grid)
}

/// Creates blocks at random positions.
fn blocks(size: UVec2) -> Level {
    let mut random = fastrand::Rng::with_seed(1);
    let mut grid = Grid::new(size.x, size.y).expect("it is not too large");
    for _ in 0..size.x * size.y / 5_600 {
        let (x, y) = (random.u32(0..size.x), random.u32(0..size.y));
        grid.fill(x..x + random.u32(2..20), y..y + random.u32(2..20), true).expect("it is dense");
    }
    with_corners(grid)
}

/// Creates single solid pixels at random positions.
fn specks(size: UVec2) -> Level {
    let mut random = fastrand::Rng::with_seed(2);
    let mut grid = Grid::new(size.x, size.y).expect("it is not too large");
    for _ in 0..size.x * size.y / 1_000 {
        let (x, y) = (random.u32(0..size.x), random.u32(0..size.y));
        grid.set(x, y, true).expect("it is dense");
    }
    with_corners(grid)
}

/// Creates one corridor that winds from side to side.
fn corridors(size: UVec2) -> Level {
    let mut grid = Grid::new(size.x, size.y).expect("it is not too large");
    for (number, y) in (40..size.y - 40).step_by(96).enumerate() {
        let columns = if number % 2 == 0 { 0..size.x - 40 } else { 40..size.x };
        grid.fill(columns, y..y + 4, true).expect("it is dense");
    }
    level(grid)
}
