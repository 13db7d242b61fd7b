//! Measures the time to make shapes for other programs: rectangles, outlines and chains.
//!
//! `cargo bench --bench outlines [MASK ...]` prints milliseconds, the best of 9 rounds, for noise of 2048 x
//! 2048 cells, for caves of 4096 x 2048 cells, and for the given levels.

use std::hint::black_box;
use std::time::Instant;

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Aabb, Footprint, Grid, Level, Terrain};

fn main() {
    let is_check = std::env::args().any(|argument| argument == "--check");
    let rounds = if is_check { 1 } else { 9 };
    println!("{:<28}{:>9}{:>10}{:>10}{:>9}", "ms", "rects", "outlines", "points", "windows");
    let mut levels = vec![("caves 4096 x 2048".to_owned(), caves(4096, 2048))];
    if !is_check {
        for percent in [50, 87] {
            levels.push((format!("noise {percent}% 2048 x 2048"), noise(2048, 2048, percent)));
        }
    }
    for path in std::env::args().skip(1).filter(|argument| !argument.starts_with("--")) {
        let level = Level::load(&path).expect("a level");
        let name = path.chars().rev().take(27).collect::<Vec<_>>();
        levels.push((name.into_iter().rev().collect(), level.terrain().clone()));
    }
    for (name, terrain) in levels {
        let rectangles = best(rounds, || terrain.rectangles());
        let traced = best(rounds, || terrain.outlines());
        let points = terrain.corner_count();
        let windows = best(rounds, || {
            let side = 256 * terrain.cell_size().as_ivec2();
            let count = (terrain.size().as_ivec2() - 1) / side + 1;
            let places = (0..count.y).flat_map(|y| (0..count.x).map(move |x| IVec2::new(x, y)));
            let window = |place: IVec2| Aabb { min: place * side, max: (place + 1) * side };
            places.map(|place| terrain.chains_in(window(place)).len()).sum::<usize>()
        });
        println!("{name:<28}{rectangles:>9.3}{traced:>10.3}{points:>10}{windows:>9.2}");
    }
}

/// Returns the time of the fastest round in milliseconds.
fn best<T>(rounds: usize, mut work: impl FnMut() -> T) -> f64 {
    let round = |_| {
        let start = Instant::now();
        black_box(work());
        start.elapsed().as_secs_f64() * 1e3
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

fn noise(width: u32, height: u32, percent: u32) -> Terrain {
    let mut random = fastrand::Rng::with_seed(4);
    let mut grid = Grid::new(width, height).expect("a size in range");
    for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        grid.set(x, y, random.u32(0..100) < percent).expect("a cell of the grid");
    }
    Terrain::new(grid, UVec2::ONE).expect("a cell size in range")
}

/// Creates round caves in solid ground.
fn caves(width: u32, height: u32) -> Terrain {
    let mut random = fastrand::Rng::with_seed(5);
    let mut grid = Grid::new(width, height).expect("a size in range");
    grid.fill(0..width, 0..height, true).expect("cells of the grid");
    let mut terrain = Terrain::new(grid, UVec2::ONE).expect("a cell size in range");
    for _ in 0..300 {
        let at = IVec2::new(random.i32(0..width as i32), random.i32(0..height as i32));
        let hole = Footprint::circle(random.u32(16..180)).expect("a size in range");
        terrain.carve(&hole, at);
    }
    terrain
}
