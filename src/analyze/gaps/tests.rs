use std::collections::{BTreeMap, BTreeSet};

use super::*;
use crate::analyze::free_space::free_space;
use crate::analyze::tests::random_terrain;
use crate::{Grid, Outside};

/// The areas that touch each cluster of positions at which the narrow body is free and has no room to be as
/// wide as the other: by a flood of positions.
fn naive(terrain: &Terrain, wide: &FreeSpace, missing: u32) -> BTreeSet<Vec<usize>> {
    let (w, h) = (wide.body.x as i32, wide.body.y as i32);
    let size = terrain.size().as_ivec2();
    let narrow = w - missing as i32;
    let free = |x: i32, y: i32, w: i32| {
        let kept = (-w..=size.x).contains(&x) && (-h..=size.y).contains(&y);
        kept && !terrain.overlaps(Aabb::from_xywh(x, y, w, h))
    };
    // The area of the wide body in the same stretch of the row.
    let area = |x: i32, y: i32| {
        let from = (x - w - 2..=x).rev().take_while(|x| free(*x, y, narrow)).last().unwrap();
        let to = (x..).take_while(|x| free(*x, y, narrow)).last().unwrap();
        (from..=to).find_map(|x| wide.area_at(IVec2::new(x, y)))
    };
    let mut kinds = BTreeMap::new();
    for y in -h..=size.y {
        for x in -narrow..=size.x {
            if free(x, y, narrow) {
                kinds.insert((x, y), area(x, y));
            }
        }
    }
    let mut seen = BTreeSet::new();
    let mut found = BTreeSet::new();
    for start in kinds.iter().filter(|(_, area)| area.is_none()).map(|(at, _)| *at) {
        let (mut open, mut touched) = (vec![start], BTreeSet::new());
        while let Some((x, y)) = open.pop() {
            match kinds.get(&(x, y)) {
                None => {}
                Some(Some(area)) => drop(touched.insert(*area)),
                Some(None) if seen.insert((x, y)) => {
                    open.extend([(x + 1, y), (x - 1, y), (x, y - 1), (x, y + 1)]);
                }
                Some(None) => {}
            }
        }
        if touched.len() > 1 {
            found.insert(touched.into_iter().collect());
        }
    }
    found
}

#[test]
fn clusters_touch_the_areas_that_a_flood_of_positions_finds() {
    let mut random = fastrand::Rng::with_seed(61);
    let mut found = 0;
    for _ in 0..1_500 {
        let terrain = random_terrain(&mut random, &[5, 9, 14, 20]);
        let terrain = terrain.with_outside(Outside::Solid);
        let body = UVec2::new(random.u32(2..9), random.u32(1..9));
        let wide = free_space(&terrain, body).unwrap();
        let missing = random.u32(1..body.x);
        let narrow = free_space(&terrain, body - UVec2::new(missing, 0)).unwrap();
        let clusters = clusters(&wide, &narrow);
        let areas: BTreeSet<Vec<usize>> = clusters.into_iter().map(|(areas, _)| areas).collect();
        assert_eq!(areas, naive(&terrain, &wide, missing), "{body} {missing} {terrain:?}");
        found += areas.len();
    }
    assert!(found > 100, "{found}");
}

#[test]
fn a_gap_is_found_on_both_axes_with_its_spot() {
    for turn in [false, true] {
        let mut grid = Grid::new(60, 50).unwrap();
        grid.fill(0..60, 20..26, true).unwrap();
        grid.fill(30..37, 20..26, false).unwrap();
        grid.fill(50..53, 20..26, false).unwrap();
        let mut terrain = Terrain::new(grid, UVec2::ONE).unwrap();
        if turn {
            terrain = transposed(&terrain).unwrap();
        }
        let free = free_space(&terrain, UVec2::splat(8)).unwrap();
        let gaps = near_gaps(&terrain, &free, 2).unwrap();
        let spot = Aabb::from_xywh(30, 20, 7, 6);
        let (axis, area) = match turn {
            false => (Axis::X, spot),
            true => (Axis::Y, Aabb { min: spot.min.yx(), max: spot.max.yx() }),
        };
        assert_eq!(gaps, [Gap { axis, missing: 1, area, areas: [0, 1] }]);
        assert_eq!(near_gaps(&terrain, &free, 5).unwrap().len(), 2);
    }
}
