//! Random levels of every kind, and their pixels one at a time, in `i64`.

use bitwall::glam::{IVec2, UVec2};
use bitwall::{Dir, Grid, Level, Outside, Sides};

/// True if a pixel is solid. Levels made here are small, so all pixels far beyond one are alike.
pub(crate) fn is_solid(level: &Level, x: i64, y: i64) -> bool {
    let clamp = |place: i64| place.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
    level.is_solid(IVec2::new(clamp(x), clamp(y)))
}

/// The cell that holds a pixel.
pub(crate) fn cell_of(level: &Level, x: i64, y: i64) -> IVec2 {
    let size = level.cell_size();
    let cell = |place: i64, side: u32| {
        let cell = place.div_euclid(i64::from(side));
        cell.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32
    };
    IVec2::new(cell(x, size.x), cell(y, size.y))
}

/// True if a pixel stops a body that enters it toward `dir`: it is solid, or along the guarded side of a
/// one-way cell.
pub(crate) fn stops(level: &Level, x: i64, y: i64, dir: Dir) -> bool {
    let cell = cell_of(level, x, y);
    let vector = dir.vector();
    let is_at_edge = cell_of(level, x - i64::from(vector.x), y - i64::from(vector.y)) != cell;
    let guarded = level.one_way(dir.opposite()).is_some_and(|guards| {
        let place = (u32::try_from(cell.x), u32::try_from(cell.y));
        matches!(place, (Ok(column), Ok(row)) if guards.is_solid(column, row))
    });
    is_solid(level, x, y) || (is_at_edge && guarded)
}

/// Noise, rooms, thin lines, a few cells, or nothing.
pub(crate) fn random_grid(random: &mut fastrand::Rng, size: UVec2) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    let place = |random: &mut fastrand::Rng| (random.u32(0..size.x), random.u32(0..size.y));
    match random.u8(0..6) {
        0 => {
            let share = random.u8(1..60);
            for (row, column) in (0..size.y).flat_map(|r| (0..size.x).map(move |c| (r, c))) {
                grid.set(column, row, random.u8(0..100) < share).unwrap();
            }
        }
        1 => {
            grid.fill(0..size.x, 0..size.y, true).unwrap();
            for _ in 0..6 {
                let (column, row) = place(random);
                grid.fill(column..column + random.u32(1..30), row..row + random.u32(1..30), false)
                    .unwrap();
            }
        }
        2 => {
            for _ in 0..random.u8(1..5) {
                let (column, row) = place(random);
                if random.bool() {
                    grid.fill(column..column + 1, row..row + random.u32(1..40), true).unwrap();
                } else {
                    grid.fill(column..column + random.u32(1..40), row..row + 1, true).unwrap();
                }
            }
        }
        3 | 4 => {
            for _ in 0..random.u8(1..6) {
                let (column, row) = place(random);
                grid.set(column, row, true).unwrap();
            }
        }
        _ => {}
    }
    grid
}

/// A level of any of these kinds, with cells of any shape and any outside.
pub(crate) fn random_level(random: &mut fastrand::Rng) -> Level {
    let sides = [1, 2, 3, 8, 20, 63, 64, 65, 128, 130];
    let cells = [[1, 1], [1, 1], [1, 1], [4, 4], [3, 7], [8, 2], [16, 1], [65, 2]];
    let mut side = || sides[random.usize(0..sides.len())];
    let size = UVec2::new(side(), side());
    let cell = cells[random.usize(0..cells.len())].into();
    let mut outside = || [Outside::Open, Outside::Solid][random.usize(0..2)];
    let outside = Sides { left: outside(), right: outside(), up: outside(), down: outside() };
    let level = Level::from_grid(random_grid(random, size), cell).unwrap();
    level.with_outside(outside)
}

/// A pixel in the level or near it; rarely, one far away.
pub(crate) fn random_pixel(random: &mut fastrand::Rng, level: &Level) -> IVec2 {
    let size = level.size().as_ivec2();
    let mut along = |side: i32| match random.u8(0..24) {
        0 => random.choice([i32::MIN, i32::MIN + 20, i32::MAX, i32::MAX - 7]).unwrap(),
        _ => random.i32(-30..side + 30),
    };
    IVec2::new(along(size.x), along(size.y))
}
