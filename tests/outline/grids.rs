//! Random grids of every kind, and naive checks of outlines cell by cell.

use std::collections::BTreeMap;

use bitwall::glam::{IVec2, UVec2};
use bitwall::outline::Outlines;
use bitwall::{Grid, Terrain};

use crate::support::places;

pub(super) const CELLS: [[u32; 2]; 6] = [[1, 1], [1, 1], [4, 4], [3, 7], [8, 2], [65, 2]];

/// Creates noise of any density, caves, rooms or thin lines. Some sides are close to a multiple of 64 cells.
pub(super) fn random_grid(random: &mut fastrand::Rng, most: u32) -> Grid {
    let mut side = || match random.u8(0..4) {
        0 => random.choice([1, 2, 63, 64, 65, 128]).unwrap().min(most),
        _ => random.u32(1..=most),
    };
    let size = UVec2::new(side(), side());
    let density = random.u32(0..=100);
    let mut grid = Grid::new(size.x, size.y).unwrap();
    for cell in places(size.as_ivec2()) {
        let [column, row] = cell.as_uvec2().to_array();
        grid.set(column, row, random.u32(0..100) < density).unwrap();
    }
    for _ in 0..random.u8(0..3) {
        grid = smoothed(&grid);
    }
    for _ in 0..random.u8(0..3) {
        let (column, row) = (random.u32(0..size.x), random.u32(0..size.y));
        let (columns, rows) = (random.u32(1..30), random.u32(1..30));
        grid.fill(column..column + columns, row..row + rows, random.bool()).unwrap();
    }
    grid
}

/// Returns a grid in which a cell is solid if most of the cells around it were solid.
fn smoothed(grid: &Grid) -> Grid {
    let mut smooth = Grid::new(grid.width(), grid.height()).unwrap();
    for cell in places(grid.size().as_ivec2()) {
        let around = places(IVec2::splat(3)).filter(|at| is_solid(grid, cell + at - 1)).count();
        smooth.set(cell.x as u32, cell.y as u32, around >= 5).unwrap();
    }
    smooth
}

pub(super) fn is_solid(grid: &Grid, cell: IVec2) -> bool {
    cell.cmpge(IVec2::ZERO).all() && grid.is_solid(cell.x as u32, cell.y as u32)
}

pub(super) fn random_terrain(random: &mut fastrand::Rng, most: u32) -> Terrain {
    let cell = CELLS[random.usize(0..CELLS.len())];
    Terrain::new(random_grid(random, most), cell.into()).unwrap()
}

/// Returns the edges of a closed loop of points.
pub(super) fn edges(points: &[IVec2]) -> impl Iterator<Item = (IVec2, IVec2)> {
    points.iter().copied().zip(points.iter().copied().cycle().skip(1))
}

/// Returns twice the signed area of a loop. It is above 0 if the loop runs clockwise on the screen.
pub(super) fn area(points: &[IVec2]) -> i64 {
    edges(points).map(|(a, b)| a.as_i64vec2().perp_dot(b.as_i64vec2())).sum()
}

/// Returns the edges of all solid cells, each one cell long and with its solid on the right. Checks cell by
/// cell.
pub(super) fn unit_edges(terrain: &Terrain) -> BTreeMap<[i32; 4], u32> {
    let (grid, cell) = (terrain.grid(), terrain.cell_size().as_ivec2());
    let mut found = BTreeMap::new();
    for at in places(grid.size().as_ivec2()).filter(|at| is_solid(grid, *at)) {
        let corners =
            [IVec2::ZERO, IVec2::X, IVec2::ONE, IVec2::Y].map(|corner| (at + corner) * cell);
        for (side, beside) in
            [IVec2::NEG_Y, IVec2::X, IVec2::Y, IVec2::NEG_X].into_iter().enumerate()
        {
            if !is_solid(grid, at + beside) {
                let (from, to) = (corners[side], corners[(side + 1) % 4]);
                *found.entry([from.x, from.y, to.x, to.y]).or_default() += 1;
            }
        }
    }
    found
}

/// Splits an edge along an axis into edges of one cell, and counts each in `found`.
pub(super) fn split(found: &mut BTreeMap<[i32; 4], u32>, (from, to): (IVec2, IVec2), cell: IVec2) {
    let step = (to - from).signum() * cell;
    assert!(step.x == 0 || step.y == 0, "{from} {to}");
    let mut at = from;
    while at != to {
        let end = at + step;
        *found.entry([at.x, at.y, end.x, end.y]).or_default() += 1;
        at = end;
    }
}

/// Returns for each cell of a grid whether its middle is inside an odd number of loops.
pub(super) fn filled(outlines: &Outlines, size: UVec2, cell: UVec2) -> Vec<bool> {
    let mut found = vec![false; (size.x * size.y) as usize];
    // Coordinates are in halves of a pixel, so that the middle of a cell is a whole number.
    for (a, b) in outlines.loops().flat_map(|outline| edges(outline.points)) {
        let (a, b) = (a.as_i64vec2() * 2, b.as_i64vec2() * 2);
        let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
        for row in 0..size.y {
            let y = i64::from((2 * row + 1) * cell.y);
            if low.y > y || y >= high.y {
                continue;
            }
            for column in 0..size.x {
                let x = i64::from((2 * column + 1) * cell.x);
                // The edge is on the left of the middle.
                if (high.x - low.x) * (y - low.y) < (x - low.x) * (high.y - low.y) {
                    let at = (row * size.x + column) as usize;
                    found[at] = !found[at];
                }
            }
        }
    }
    found
}
