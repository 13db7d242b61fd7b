//! Speed of `can_move` against the two loops that a game would write by hand: (a) over the pixels of the
//! decoded mask picture, as the tutorials do it, and (b) over a `Vec<bool>` of cells.
//!
//! `cargo bench --bench queries` prints the nanoseconds a query of each and the ratios; the three run in
//! turn, 15 times over, twice each so that each is measured with its own data in the caches, and the
//! fastest round of each counts, because this must mean something on a busy machine. With `-- --check` there
//! is one round. Every answer of every kernel is compared with the others'.

use std::hint::black_box;
use std::time::Instant;

use bitwall::glam::{IVec2, UVec2};
use bitwall::image::{GrayImage, Luma};
use bitwall::{Aabb, Dir, Grid, Level};

const QUERIES: usize = 100_000;

#[derive(Clone, Copy)]
struct Query {
    body: Aabb,
    dir: Dir,
    step: u32,
}

/// What the hand-written loops have: the picture and the cells of one level.
struct ByHand {
    picture: GrayImage,
    cells: Vec<bool>,
    columns: i32,
}

fn main() {
    let rounds = if std::env::args().any(|arg| arg == "--check") {
        1
    } else {
        15
    };
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

/// Times the three on one level; false if they disagree, or bitwall is too slow in more than one round.
fn bench(name: &str, grid: Grid, cell: i32, body: IVec2, rounds: usize) -> bool {
    let by_hand = by_hand(&grid, cell);
    let level = Level::from_grid(grid, UVec2::splat(cell as u32)).expect("a cell size in range");
    let queries = free_starts(&level, body);
    let pixels = |q: &Query| pixel_loop(&by_hand.picture, q);
    let ours = |q: &Query| level.can_move(q.body, q.dir, q.step);

    let mut best = [f64::INFINITY; 3];
    for _ in 0..rounds {
        let times = [
            time(&queries, pixels),
            match cell {
                1 => time(&queries, |q| cell_loop::<1>(&by_hand, q)),
                _ => time(&queries, |q| cell_loop::<16>(&by_hand, q)),
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
        let cells = match cell {
            1 => cell_loop::<1>(&by_hand, q),
            _ => cell_loop::<16>(&by_hand, q),
        };
        pixels(q) == ours(q) && cells == ours(q)
    });
    agree && (fast || rounds == 1)
}

/// Nanoseconds a query.
fn time(queries: &[Query], answer: impl Fn(&Query) -> bool) -> f64 {
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

/// The strip's pixels, first and one past last, as the tutorials write it.
fn strip(q: &Query) -> (i32, i32, i32, i32) {
    let (min, max, step) = (q.body.min, q.body.max, q.step as i32);
    match q.dir {
        Dir::Left => (min.x - step, min.x, min.y, max.y),
        Dir::Right => (max.x, max.x + step, min.y, max.y),
        Dir::Up => (min.x, max.x, min.y - step, min.y),
        Dir::Down => (min.x, max.x, max.y, max.y + step),
    }
}

/// (a) Looks at each pixel of the strip in the decoded picture.
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

/// (b) Looks at each cell that the strip touches; the cell's side is a constant, as a game has it.
fn cell_loop<const CELL: i32>(level: &ByHand, q: &Query) -> bool {
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

fn by_hand(grid: &Grid, cell: i32) -> ByHand {
    let (width, height) = (grid.width(), grid.height());
    let cells = (0..height)
        .flat_map(|r| (0..width).map(move |c| (c, r)))
        .map(|(c, r)| grid.is_solid(c, r))
        .collect();
    let side = cell as u32;
    let picture = GrayImage::from_fn(width * side, height * side, |x, y| {
        Luma([if grid.is_solid(x / side, y / side) {
            0
        } else {
            255
        }])
    });
    ByHand {
        picture,
        cells,
        columns: width as i32,
    }
}

/// 100,000 places where the body is free, each with a direction and a step of 1 to 8 pixels.
fn free_starts(level: &Level, body: IVec2) -> Vec<Query> {
    let mut random = fastrand::Rng::with_seed(5);
    let size = level.size();
    let mut queries = Vec::with_capacity(QUERIES);
    while queries.len() < QUERIES {
        let x = random.i32(0..size.x as i32 - body.x);
        let y = random.i32(0..size.y as i32 - body.y);
        let body = Aabb::from_xywh(x, y, body.x, body.y);
        if !level.any_solid(body) {
            queries.push(Query {
                body,
                dir: Dir::ALL[random.usize(0..4)],
                step: random.u32(1..=8),
            });
        }
    }
    queries
}

/// A mask of 2048 x 2048 pixels, 16% of it round solid blobs.
fn blobs() -> Grid {
    let mut random = fastrand::Rng::with_seed(1);
    let mut grid = Grid::new(2048, 2048).expect("a size in range");
    while grid.solid_count() * 100 < grid.cell_count() * 16 {
        let (cx, cy) = (random.i32(0..2048), random.i32(0..2048));
        let radius = random.i32(4..40);
        for y in -radius..=radius {
            let half = f64::from(radius * radius - y * y).sqrt() as i32;
            let (x0, x1) = ((cx - half).max(0), (cx + half + 1).max(0));
            if cy + y >= 0 {
                grid.fill(
                    x0 as u32..x1 as u32,
                    (cy + y) as u32..(cy + y + 1) as u32,
                    true,
                );
            }
        }
    }
    grid
}

/// A map of 256 x 256 tiles with short solid bars.
fn bars() -> Grid {
    let mut random = fastrand::Rng::with_seed(2);
    let mut grid = Grid::new(256, 256).expect("a size in range");
    for _ in 0..2_600 {
        let (c, r) = (random.u32(0..256), random.u32(0..256));
        let length = random.u32(2..7);
        if random.bool() {
            grid.fill(c..c + length, r..r + 1, true);
        } else {
            grid.fill(c..c + 1, r..r + length, true);
        }
    }
    grid
}
