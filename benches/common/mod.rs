//! The common part of the benches of queries and of steps: two levels, start positions, and the loop over
//! cells that a game would write by hand.

use std::hint::black_box;
use std::time::Instant;

use bitwall::glam::IVec2;
use bitwall::{Aabb, Dir, Grid, Level};

const QUERIES: usize = 100_000;

#[derive(Clone, Copy)]
pub(crate) struct Query {
    pub(crate) body: Aabb,
    pub(crate) dir: Dir,
    pub(crate) step: u32,
}

/// A level as an array of cells, for the loop over cells.
pub(crate) struct Cells {
    pub(crate) cells: Vec<bool>,
    pub(crate) columns: i32,
}

impl Cells {
    pub(crate) fn new(grid: &Grid) -> Self {
        let (width, height) = (grid.width(), grid.height());
        let cells = (0..height)
            .flat_map(|r| (0..width).map(move |c| (c, r)))
            .map(|(c, r)| grid.is_solid(c, r))
            .collect();
        Self { cells, columns: width as i32 }
    }
}

/// Returns the time of one query in nanoseconds.
pub(crate) fn time<T>(queries: &[T], answer: impl Fn(&T) -> bool) -> f64 {
    let round = || {
        let start = Instant::now();
        let count = queries.iter().filter(|q| answer(black_box(q))).count();
        let elapsed = start.elapsed().as_nanos() as f64;
        black_box(count);
        elapsed / queries.len() as f64
    };
    round();
    round()
}

/// Returns the first pixel and the end of the strip that the body enters during a step, on each axis: x0, x1,
/// y0, y1. Computed as in tutorials.
pub(crate) fn strip(q: &Query) -> (i32, i32, i32, i32) {
    let (min, max, step) = (q.body.min, q.body.max, q.step as i32);
    match q.dir {
        Dir::Left => (min.x - step, min.x, min.y, max.y),
        Dir::Right => (max.x, max.x + step, min.y, max.y),
        Dir::Up => (min.x, max.x, min.y - step, min.y),
        Dir::Down => (min.x, max.x, max.y, max.y + step),
    }
}

/// Contender (b): reads each cell that the body enters during the step. The side of a cell is a constant, as
/// in a game.
pub(crate) fn cell_loop<const CELL: i32>(level: &Cells, q: &Query) -> bool {
    let (x0, x1, y0, y1) = strip(q);
    let rows = level.cells.len() as i32 / level.columns;
    if x0 < 0 || y0 < 0 || x1 > level.columns * CELL || y1 > rows * CELL {
        return false;
    }
    for row in y0 / CELL..=(y1 - 1) / CELL {
        for column in x0 / CELL..=(x1 - 1) / CELL {
            if level.cells[(row * level.columns + column) as usize] {
                return false;
            }
        }
    }
    true
}

/// Returns 100,000 positions in which the body is free, each with a direction and a step of 1 to 8 pixels.
pub(crate) fn free_starts(level: &Level, body: IVec2) -> Vec<Query> {
    let mut random = fastrand::Rng::with_seed(5);
    let size = level.size();
    let mut queries = Vec::with_capacity(QUERIES);
    while queries.len() < QUERIES {
        let x = random.i32(0..size.x as i32 - body.x);
        let y = random.i32(0..size.y as i32 - body.y);
        let body = Aabb::from_xywh(x, y, body.x, body.y);
        if !level.overlaps(body) {
            queries.push(Query {
                body,
                dir: Dir::ALL[random.usize(0..4)],
                step: random.u32(1..=8),
            });
        }
    }
    queries
}

/// Creates a mask of 2048 x 2048 pixels. Round solid blobs cover 16% of it.
pub(crate) fn blobs() -> Grid {
    let mut random = fastrand::Rng::with_seed(1);
    let mut grid = Grid::new(2048, 2048).expect("a size in range");
    while grid.solid_count() * 100 < grid.cell_count() * 16 {
        let (cx, cy) = (random.i32(0..2048), random.i32(0..2048));
        let radius = random.i32(4..40);
        for y in -radius..=radius {
            let half = f64::from(radius * radius - y * y).sqrt() as i32;
            let (x0, x1) = ((cx - half).max(0), (cx + half + 1).max(0));
            if cy + y >= 0 {
                grid.fill(x0 as u32..x1 as u32, (cy + y) as u32..(cy + y + 1) as u32, true)
                    .unwrap();
            }
        }
    }
    grid
}

/// Creates a map of 256 x 256 tiles with short solid bars.
pub(crate) fn bars() -> Grid {
    let mut random = fastrand::Rng::with_seed(2);
    let mut grid = Grid::new(256, 256).expect("a size in range");
    for _ in 0..2_600 {
        let (c, r) = (random.u32(0..256), random.u32(0..256));
        let length = random.u32(2..7);
        if random.bool() {
            grid.fill(c..c + length, r..r + 1, true).unwrap();
        } else {
            grid.fill(c..c + 1, r..r + length, true).unwrap();
        }
    }
    grid
}
