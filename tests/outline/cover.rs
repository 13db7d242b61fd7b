//! The rectangles are tested by the cells that they cover.

use bitwall::glam::UVec2;
use bitwall::{Grid, Terrain};

use super::grids::random_terrain;
use crate::support::rounds;

/// Checks that the boxes cover exactly the solid cells, and no cell twice.
pub(super) fn check_cover(terrain: &Terrain, boxes: &[bitwall::Aabb]) {
    let cell = terrain.cell_size();
    let mut covered = Grid::new(terrain.grid().width(), terrain.grid().height()).unwrap();
    let mut area = 0;
    for found in boxes {
        let (min, max) = (found.min.as_uvec2(), found.max.as_uvec2());
        assert_eq!((min % cell, max % cell), (UVec2::ZERO, UVec2::ZERO));
        let (min, max) = (min / cell, max / cell);
        covered.fill(min.x..max.x, min.y..max.y, true).unwrap();
        area += u64::from((max - min).element_product());
    }
    assert_eq!(covered, *terrain.grid());
    assert_eq!(area, terrain.grid().solid_count(), "none twice");
    assert!(boxes.is_sorted_by_key(|found| (found.min.y, found.min.x)));
}

#[test]
fn rectangles_cover_exactly_the_solids_and_no_cell_twice() {
    let mut random = fastrand::Rng::with_seed(341);
    for _ in 0..rounds(10_000) {
        let terrain = random_terrain(&mut random, 70);
        check_cover(&terrain, &terrain.rectangles());
    }
}
