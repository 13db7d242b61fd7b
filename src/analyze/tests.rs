//! Tests of the sets of runs, and levels for the tests of several analyses.

use glam::UVec2;

use super::*;
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

#[test]
fn run_at_finds_the_run_at_a_position() {
    let mut bands = Bands::default();
    bands.push(-5..-3, &mut [1..3, 7..9].into_iter()).unwrap();
    bands.push(-3..0, &mut [].into_iter()).unwrap();
    bands.push(4..5, &mut std::iter::once(-9..0)).unwrap();
    let found = |x, y| bands.run_at(x, y);
    assert_eq!((found(1, -5), found(8, -4), found(-1, 4)), (Some(0), Some(1), Some(2)));
    for (x, y) in [(3, -5), (0, -4), (1, -3), (9, -5), (-1, 3), (-1, 5), (-10, 4)] {
        assert_eq!(found(x, y), None, "{x} {y}");
    }
}

#[test]
fn union_find_labels_agree_with_sets_merged_one_by_one() {
    let mut random = fastrand::Rng::with_seed(91);
    for count in [1_u32, 2, 63, 64, 65, 200] {
        let mut sets: Vec<Vec<u32>> = (0..count).map(|thing| vec![thing]).collect();
        let mut union = Union::new(count as usize);
        for _ in 0..random.u32(0..2 * count) {
            let [one, other] = [(); 2].map(|()| random.u32(0..count));
            let at = |thing: u32| sets.iter().position(|set| set.contains(&thing)).unwrap();
            let (a, b) = (at(one), at(other));
            assert_eq!(union.join(one, other), a != b);
            if a != b {
                let moved = std::mem::take(&mut sets[b]);
                sets[a].extend(moved);
            }
        }
        sets.retain(|set| !set.is_empty());
        sets.sort_by_key(|set| set.iter().copied().min());
        let (labels, parts) = union.labels();
        assert_eq!(parts as usize, sets.len());
        for (thing, label) in (0..).zip(labels) {
            assert!(sets[label as usize].contains(&thing));
        }
    }
}
