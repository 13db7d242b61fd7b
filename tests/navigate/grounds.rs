//! Random levels for the tests of path finding: noise, boxes, rooms with doors, mazes and caves.

use bitwall::geometry::Sides;
use bitwall::glam::UVec2;
use bitwall::{Dir, Grid, Outside, Terrain};

use crate::support::scattered;

pub(crate) const KINDS: usize = 5;

/// Returns the cells of a level of kind number `kind`, from 0 to [`KINDS`] - 1.
pub(crate) fn cells(random: &mut fastrand::Rng, kind: usize, size: UVec2) -> Grid {
    match kind {
        0 => {
            let share = random.f32() * 0.45;
            each(size, |_, _| random.f32() < share)
        }
        1 => {
            let count = random.u32(5..60);
            scattered(random, size, count, UVec2::splat(20))
        }
        2 => rooms(random, size),
        3 => maze(random, size),
        _ => cave(random, size),
    }
}

fn each(size: UVec2, mut is_solid: impl FnMut(u32, u32) -> bool) -> Grid {
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for (y, x) in (0..size.y).flat_map(|y| (0..size.x).map(move |x| (y, x))) {
        if is_solid(x, y) {
            grid.set(x, y, true).unwrap();
        }
    }
    grid
}

/// Creates walls every few cells, with holes in them.
fn rooms(random: &mut fastrand::Rng, size: UVec2) -> Grid {
    let side = random.u32(4..16);
    let mut grid = each(size, |x, y| x % side == side - 1 || y % side == side - 1);
    for _ in 0..size.x * size.y / (4 * side) {
        let (x, y, hole) = (random.u32(0..size.x), random.u32(0..size.y), random.u32(1..4));
        grid.fill(x..x + hole, y..y + hole, false).unwrap();
    }
    grid
}

/// Creates corridors as wide as their walls and without a circle: each cell of a lattice is joined with the
/// cell above it or the cell on its left.
fn maze(random: &mut fastrand::Rng, size: UVec2) -> Grid {
    let side = random.u32(1..4);
    let joins: Vec<bool> = (0..size.x * size.y).map(|_| random.bool()).collect();
    each(size, |x, y| {
        let (column, row) = (x / side, y / side);
        match (column % 2, row % 2) {
            (0, 0) => false,
            (1, 1) => true,
            // The wall on the right of a cell, or below it, belongs to the next cell.
            (across, _) => {
                let next = [column + across, row + 1 - across];
                let joins_left =
                    joins[((next[1] / 2) * size.x + next[0] / 2) as usize % joins.len()];
                let is_edge = if across == 1 { next[1] == 0 } else { next[0] == 0 };
                joins_left != (across == 1) && !is_edge
            }
        }
    })
}

/// Creates noise and smooths it: a cell becomes solid if most cells around it are solid.
fn cave(random: &mut fastrand::Rng, size: UVec2) -> Grid {
    let share = 0.4 + random.f32() * 0.1;
    let mut grid = each(size, |_, _| random.f32() < share);
    for _ in 0..3 {
        let before = grid.clone();
        grid = each(size, |x, y| {
            let (columns, rows) = (x.saturating_sub(1)..x + 2, y.saturating_sub(1)..y + 2);
            before.solid_count_in(columns, rows) > 4
        });
    }
    grid
}

/// Creates a level of a random kind with cells of any size, sometimes with one-way cells, and with a random
/// outside.
pub(crate) fn terrain(random: &mut fastrand::Rng, largest: UVec2) -> Terrain {
    let cell = match random.u32(0..3) {
        0 => UVec2::ONE,
        1 => UVec2::splat(random.u32(2..9)),
        _ => UVec2::new(random.u32(1..9), random.u32(1..9)),
    };
    let size = UVec2::new(random.u32(3..=largest.x), random.u32(3..=largest.y));
    let count = (size / cell).max(UVec2::splat(2));
    let kind = random.usize(0..KINDS);
    let mut terrain = Terrain::new(cells(random, kind, count), cell).unwrap();
    if random.u32(0..4) == 0 {
        for side in Dir::ALL {
            let guarded = scattered(random, count, 4, UVec2::new(4, 3));
            terrain = terrain.with_one_way(side, guarded).unwrap();
        }
    }
    let mut side = || if random.u32(0..4) == 0 { Outside::Open } else { Outside::Solid };
    let outside = Sides { left: side(), right: side(), up: side(), down: side() };
    terrain.with_outside(outside)
}
