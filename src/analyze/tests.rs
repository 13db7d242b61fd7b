//! Levels for the tests of several analyses.

use glam::UVec2;

use crate::geometry::{Outside, Sides};
use crate::grid::Grid;
use crate::terrain::Terrain;

/// A random terrain with a few blocks of cells, some of them small, with random cell sizes and a random
/// outside. The width and the height of its grid are in `sides`.
pub(super) fn random_terrain(random: &mut fastrand::Rng, sides: &[u32]) -> Terrain {
    let mut side = || sides[random.usize(0..sides.len())];
    let mut grid = Grid::new(side(), side()).unwrap();
    for _ in 0..random.u32(0..12) {
        let (x, y) = (random.u32(0..grid.width()), random.u32(0..grid.height()));
        let (w, h) = (random.u32(1..9), random.u32(1..9));
        grid.fill(x..x + w, y..y + h, random.u8(0..3) > 0).unwrap();
    }
    let cell = UVec2::new(random.u32(1..4), random.u32(1..5));
    let mut side = || [Outside::Solid, Outside::Open][random.usize(0..2)];
    let outside = Sides { left: side(), right: side(), up: side(), down: side() };
    Terrain::new(grid, cell).unwrap().with_outside(outside)
}
