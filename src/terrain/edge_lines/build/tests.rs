use fastrand::Rng;
use glam::{IVec2, UVec2};

use super::{EdgeLines, LinePlane, PAD};
use crate::geometry::{Axis, Dir, Outside};
use crate::grid::Grid;
use crate::terrain::Terrain;

/// Returns whether bit `place` of line number `line` of `plane` must be set, by a naive test of all its
/// cells. The line combines `plane.depth` rows (or columns) of cells, from number `line` on. One-way cells
/// count if `plane` includes them.
fn naive(terrain: &Terrain, plane: &LinePlane, line: u32, place: u32) -> bool {
    (line..line + plane.depth).any(|row| {
        let cell = match plane.axis {
            Axis::X => UVec2::new(place, row),
            Axis::Y => UVec2::new(row, place),
        };
        let guarded = |dir: Dir| {
            terrain.one_way(dir.opposite()).is_some_and(|cells| cells.is_solid(cell.x, cell.y))
        };
        terrain.grid().is_solid(cell.x, cell.y) || plane.guarded.is_some_and(guarded)
    })
}

fn compare(terrain: &Terrain, lines: &EdgeLines) {
    for plane in &lines.planes {
        let count = terrain.grid().size().to_array()[plane.axis.index()];
        for line in 0..plane.count {
            let first = (plane.start + line * plane.stride) * 8;
            for at in 0..plane.len * 8 {
                let bit = first + at;
                let is_set = lines.bytes[(bit / 8) as usize] >> (bit % 8) & 1 != 0;
                let place = at.checked_sub(PAD * 8);
                let outside = terrain.outside();
                let expected = match (place.filter(|place| *place < count), plane.axis) {
                    (Some(place), _) => naive(terrain, plane, line, place),
                    (None, Axis::X) if place.is_none() => outside.left == Outside::Solid,
                    (None, Axis::X) => outside.right == Outside::Solid,
                    (None, Axis::Y) if place.is_none() => outside.up == Outside::Solid,
                    (None, Axis::Y) => outside.down == Outside::Solid,
                };
                assert_eq!(is_set, expected, "{terrain:?}, depth {}: {line} {at}", plane.depth);
            }
        }
    }
}

#[test]
fn each_bit_of_the_edge_lines_agrees_with_a_test_of_its_cells() {
    let mut random = Rng::with_seed(83);
    for cells in [63, 64, 65, 127, 128, 255, 256, 257, 577, 1] {
        let mut size = UVec2::new(cells, random.u32(1..20));
        if random.bool() {
            size = UVec2::new(size.y, size.x);
        }
        let mut cells = || {
            let mut grid = Grid::new(size.x, size.y).unwrap();
            for _ in 0..size.element_product() / 40 + 1 {
                let (column, row) = (random.u32(0..size.x), random.u32(0..size.y));
                let width = 1 + column % 7;
                grid.fill(column..column + width, row..row + 2, true).unwrap();
            }
            grid
        };
        let (solid, guarded) = (cells(), cells());
        for side in [UVec2::ONE, UVec2::new(12, 5), UVec2::new(3, 8)] {
            let mut terrain = Terrain::new(solid.clone(), side).unwrap();
            if side.x > 3 {
                let dir = Dir::ALL[random.usize(0..4)];
                terrain = terrain.with_one_way(dir, guarded.clone()).unwrap();
            }
            terrain.set_outside(if random.bool() { Outside::Open } else { Outside::Solid });
            let most = terrain.size().as_ivec2().min(IVec2::splat(20));
            let body = IVec2::new(random.i32(1..=most.x), random.i32(1..=most.y));
            let lines = EdgeLines::new(&terrain.cells, body, u64::MAX).unwrap();
            compare(&terrain, &lines);
        }
    }
}
