//! Measures straight paths and rays, compared with `can_move` and with the walks over cells that a game would
//! write by hand.
//!
//! `cargo bench --bench rays` prints three tables, in nanoseconds per query. The columns of a table run in
//! turn, 15 times, and the fastest round of each counts.
//!
//! * paths: a box of 4 x 4 pixels moves 20 to 40 pixels in any direction, on a straight path that stops at
//!   the first solid. `can_move` and the loop over a `Vec<bool>` of cells of `queries.rs` move it the same
//!   distance along an axis;
//! * rays of 300 pixels, on two levels: `ray`, `line_of_sight`, and a walk over the cells of a `Vec<bool>`,
//!   in `f32` (Amanatides and Woo), which answers whether there is a hit;
//! * rays of 300 pixels through noise, with the same walk from pixel to pixel;
//! * fields of view over tiles, with a breadth-first search over the cells that are seen.
//!
//! All answers are compared: `ray` with `line_of_sight`, and with the walk except where its rounding matters.
//! The bench fails if a path takes more than 17 times as long as `can_move`, a ray over tiles more than 1.1
//! times as long as the walk, a ray over noise longer than the walk, or a view longer than the search. With `-- --check` there is one round
//! without a limit on the times.

mod common;

use std::f32::consts::TAU;
use std::time::Instant;

use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::mover::{MovePath, Response};
use bitwall::{Grid, Level, Mover, MoverSettings};

use common::{Cells, Query, bars, blobs, cell_loop, free_starts, time};

/// The length of a ray, in pixels.
const LENGTH: f32 = 300.0;

fn main() {
    let check = std::env::args().any(|arg| arg == "--check");
    let rounds = if check { 1 } else { 15 };
    let mut passed = true;
    println!(
        "paths of 20 to 40 px           loop   can_move   straight    pass   straight/can_move"
    );
    passed &= paths("mask 2048x2048, 16% solid", blobs(), 1, rounds);
    passed &= paths("256x256 tiles of 16 px", bars(), 16, rounds);
    println!("rays of 300 px                 walk        ray    no hit   sight   ray/walk");
    passed &= rays("mask 2048x2048, 16% solid", blobs(), 1, rounds, 1.0);
    passed &= rays("256x256 tiles of 16 px", bars(), 16, rounds, 1.1);
    passed &= rays("tiles, 1 in 1,000 solid", noise(256, 1_000), 16, rounds, 1.1);
    for every in [2, 10, 100, 1_000] {
        let name = format!("pixels, 1 in {every} solid");
        passed &= rays(&name, noise(2048, every), 1, rounds, 1.0);
    }
    println!("fields of view, a cell          seen     search       view   view/search");
    for (name, grid) in
        [("256x256 tiles", bars()), ("1 in 30 solid", noise(256, 30)), ("open", noise(256, 9_999))]
    {
        for radius in [8, 24, 64] {
            passed &= views(name, &grid, radius, rounds);
        }
    }
    if !(check || passed) {
        println!("a path, a ray or a view takes longer than it may");
        std::process::exit(1);
    }
}

/// Creates a grid in which one cell in `every` is solid, at random.
fn noise(side: u32, every: u32) -> Grid {
    let mut random = fastrand::Rng::with_seed(3);
    let mut grid = Grid::new(side, side).expect("a size in range");
    for (x, y) in (0..side).flat_map(|y| (0..side).map(move |x| (x, y))) {
        if random.u32(0..every) == 0 {
            grid.set(x, y, true).expect("a cell of the grid");
        }
    }
    grid
}

fn level(grid: Grid, cell: i32) -> Level {
    Level::from_grid(grid, UVec2::splat(cell as u32)).expect("a cell size in range")
}

/// Runs all parts in turn, and returns the fastest round of each.
fn fastest<const N: usize>(rounds: usize, mut round: impl FnMut() -> [f64; N]) -> [f64; N] {
    let mut best = [f64::INFINITY; N];
    for _ in 0..rounds {
        let times = round();
        best = std::array::from_fn(|at| best[at].min(times[at]));
    }
    best
}

/// Times straight paths on one level. Returns true if they are fast enough.
fn paths(name: &str, grid: Grid, cell: i32, rounds: usize) -> bool {
    let cells = Cells::new(&grid);
    let level = level(grid, cell);
    let mut random = fastrand::Rng::with_seed(6);
    let mut queries = free_starts(&level, IVec2::splat(4));
    let paths: Vec<(Query, IVec2)> = (queries.iter_mut())
        .map(|query| {
            query.step = random.u32(20..=40);
            let way = Vec2::from_angle(random.f32() * TAU) * query.step as f32;
            (*query, way.round().as_ivec2())
        })
        .collect();
    let mover = |path, query: &Query| {
        let settings = MoverSettings { path, response: Response::Stop, ..MoverSettings::PLAIN };
        Mover::new(query.body, settings)
    };
    let goes = |(query, way): &(Query, IVec2), corners| {
        let mut mover = mover(MovePath::Straight(corners), query);
        mover.step(&level, way.as_vec2()).is_ok_and(|step| step.is_stopped())
    };
    let [by_loop, can_move, block, pass] = fastest(rounds, || {
        [
            match cell {
                1 => time(&queries, |q| cell_loop::<1>(&cells, q)),
                _ => time(&queries, |q| cell_loop::<16>(&cells, q)),
            },
            time(&queries, |q| level.can_move(q.body, q.dir, q.step)),
            time(&paths, |path| goes(path, Corners::Block)),
            time(&paths, |path| goes(path, Corners::Pass)),
        ]
    });
    let ratio = block / can_move;
    println!("{name:<26} {by_loop:>8.1} {can_move:>10.1} {block:>10.1} {pass:>7.1} {ratio:>10.2}");
    ratio <= 17.0
}

/// Times rays on one level. Returns true if the answers agree and the rays take at most `bound` times as long
/// as the walk.
fn rays(name: &str, grid: Grid, cell: i32, rounds: usize, bound: f64) -> bool {
    let walk = Walk::new(&grid, cell);
    let level = level(grid, cell);
    let mut random = fastrand::Rng::with_seed(7);
    let starts = free_starts(&level, IVec2::ONE);
    let rays: Vec<(IVec2, IVec2)> = (starts.iter())
        .map(|query| {
            let way = Vec2::from_angle(random.f32() * TAU) * LENGTH;
            (query.body.min, query.body.min + way.round().as_ivec2())
        })
        .collect();
    let ray = |r: &(IVec2, IVec2)| level.ray(r.0, r.1, Corners::Block).is_some();
    let pass = |r: &(IVec2, IVec2)| level.ray(r.0, r.1, Corners::Pass).is_some();
    let sight = |r: &(IVec2, IVec2)| !level.line_of_sight(r.0, r.1, Corners::Block);
    // Rounding of floats may lead a line past a corner on the other side, for a few lines in a thousand.
    let differ = rays.iter().filter(|r| walk.meets(r) != pass(r)).count();
    assert!(differ * 100 <= rays.len(), "{name}: {differ} rays differ from the walk");
    assert!(rays.iter().all(|r| ray(r) == sight(r)), "{name}: rays and lines of sight differ");
    let clear: Vec<_> = rays.iter().copied().filter(|r| !ray(r)).collect();
    let [by_walk, by_ray, no_hit, by_sight] = fastest(rounds, || {
        [
            time(&rays, |r| walk.meets(r)),
            time(&rays, ray),
            if clear.is_empty() { f64::NAN } else { time(&clear, ray) },
            time(&rays, sight),
        ]
    });
    let ratio = by_ray / by_walk;
    println!(
        "{name:<26} {by_walk:>8.1} {by_ray:>10.1} {no_hit:>9.1} {by_sight:>7.1} {ratio:>10.2}"
    );
    ratio <= bound
}

/// A level as an array of cells, for the walk over cells.
struct Walk {
    cells: Vec<bool>,
    size: IVec2,
    cell: f32,
}

impl Walk {
    fn new(grid: &Grid, cell: i32) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        Self {
            cells: places.map(|(x, y)| grid.is_solid(x, y)).collect(),
            size: UVec2::new(width, height).as_ivec2(),
            cell: cell as f32,
        }
    }

    /// True if the line meets a solid cell or leaves the level.
    fn meets(&self, &(from, to): &(IVec2, IVec2)) -> bool {
        let [start, end] = [from, to].map(|at| (at.as_vec2() + 0.5) / self.cell);
        let (mut at, last, way) = (start.floor().as_ivec2(), end.floor().as_ivec2(), end - start);
        let step = way.signum().as_ivec2();
        let first = |start: f32, at: i32, way: f32| match way {
            0.0 => f32::INFINITY,
            way => (at as f32 + f32::from(way > 0.0) - start) / way,
        };
        let mut time = [first(start.x, at.x, way.x), first(start.y, at.y, way.y)];
        let every = way.abs().recip();
        for _ in 0..=(last - at).abs().element_sum() {
            let is_outside = at.min_element() < 0 || at.x >= self.size.x || at.y >= self.size.y;
            if is_outside || self.cells[(at.y * self.size.x + at.x) as usize] {
                return true;
            }
            if time[0] < time[1] {
                time[0] += every.x;
                at.x += step.x;
            } else {
                time[1] += every.y;
                at.y += step.y;
            }
        }
        false
    }
}

/// Compares fields of view with a breadth-first search over the same cells, in nanoseconds per cell seen. A
/// view may take twice as long, because it also finds which cells hide others.
fn views(name: &str, grid: &Grid, radius: u32, rounds: usize) -> bool {
    let mut random = fastrand::Rng::with_seed(9);
    let mut place = || UVec2::new(random.u32(64..192), random.u32(64..192));
    let places: Vec<UVec2> = std::iter::repeat_with(&mut place)
        .filter(|at| !grid.is_solid(at.x, at.y))
        .take(200)
        .collect();
    let seen: Vec<Vec<bool>> =
        (places.iter()).map(|at| cells(&grid.field_of_view(at.as_ivec2(), radius))).collect();
    let count: u64 = seen.iter().flatten().map(|is_seen| u64::from(*is_seen)).sum();
    let [search, view] = fastest(rounds, || {
        let start = Instant::now();
        let mut found = 0;
        for (at, seen) in places.iter().zip(&seen) {
            found += search_in(seen, *at);
        }
        let search = start.elapsed();
        let start = Instant::now();
        for at in &places {
            std::hint::black_box(grid.field_of_view(at.as_ivec2(), radius));
        }
        let view = start.elapsed();
        assert!(found * 10 > count * 9, "a search finds most of the cells: {found} of {count}");
        [search, view].map(|time| time.as_secs_f64() * 1e9 / count as f64)
    });
    let mean = count / places.len() as u64;
    let name = format!("{name}, radius {radius}");
    println!("{name:<28} {mean:>7} {search:>10.2} {view:>10.2} {:>13.2}", view / search);
    view <= 2.0 * search
}

/// The cells of a grid of 256 x 256 as bytes.
fn cells(grid: &Grid) -> Vec<bool> {
    (0..256 * 256).map(|at| grid.is_solid(at % 256, at / 256)).collect()
}

/// Searches the cells of `open` from one of them in eight directions, and returns their number.
fn search_in(open: &[bool], from: UVec2) -> u64 {
    let first = (from.y * 256 + from.x) as usize;
    let mut reached = vec![false; open.len()];
    reached[first] = true;
    let mut queue = std::collections::VecDeque::from([first]);
    let mut count = 0;
    while let Some(at) = queue.pop_front() {
        count += 1;
        for row in [at.wrapping_sub(256), at, at + 256] {
            for next in [row.wrapping_sub(1), row, row + 1] {
                if open.get(next) == Some(&true) && !reached[next] {
                    reached[next] = true;
                    queue.push_back(next);
                }
            }
        }
    }
    count
}
