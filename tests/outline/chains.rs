//! The chains of adjacent windows have together each edge of the level once, with the right neighbours on the
//! outline.

use std::collections::BTreeMap;

use bitwall::Aabb;
use bitwall::glam::IVec2;

use super::grids::{edges, random_terrain, split, unit_edges};
use crate::support::{places, rounds};

#[test]
fn adjacent_windows_contain_each_edge_of_the_level_exactly_once() {
    let mut random = fastrand::Rng::with_seed(351);
    for _ in 0..rounds(10_000) {
        let terrain = random_terrain(&mut random, 50);
        let (cell, size) = (terrain.cell_size().as_ivec2(), terrain.size().as_ivec2());
        let side = IVec2::new(random.i32(1..99), random.i32(1..99)).max(size / 12 + 1);
        let origin = IVec2::new(random.i32(-9..1), random.i32(-9..1));
        // Maps each point of the outlines to the next point, one cell further.
        let mut units = BTreeMap::new();
        let outlines = terrain.outlines();
        for outline in outlines.loops() {
            let mut points = Vec::new();
            for (from, to) in edges(outline.points) {
                let step = (to - from).signum() * cell;
                let count = ((to - from) / step.max(-step).max(IVec2::ONE)).abs().max_element();
                points.extend((0..count).map(|at| from + step * at));
            }
            for at in 0..points.len() {
                let next = |more| points[(at + more) % points.len()];
                units.insert([next(0), next(1)].map(|point| point.to_array()), next(2));
            }
        }
        let mut found = BTreeMap::new();
        for place in places((size - origin) / side + 1) {
            let min = origin + place * side;
            for chain in terrain.chains_in(Aabb { min, max: min + side }) {
                let points = &chain.points;
                let Some([before, after]) = chain.ghosts else {
                    edges(points).for_each(|edge| split(&mut found, edge, cell));
                    continue;
                };
                points.windows(2).for_each(|two| split(&mut found, (two[0], two[1]), cell));
                let one_on = |from: IVec2, to: IVec2| from + (to - from).signum() * cell;
                let (first, last) = (points[0], points[points.len() - 1]);
                let second = one_on(first, points[1]);
                let last_but_one = one_on(last, points[points.len() - 2]);
                assert_eq!(
                    units.get(&[before, first].map(|point| point.to_array())),
                    Some(&second)
                );
                assert_eq!(
                    units.get(&[last_but_one, last].map(|point| point.to_array())),
                    Some(&after)
                );
                for three in points.windows(3) {
                    assert_ne!((three[1] - three[0]).perp_dot(three[2] - three[1]), 0);
                }
            }
        }
        assert_eq!(found, unit_edges(&terrain), "{side} {origin} {terrain:?}");
    }
}

#[test]
fn a_window_of_the_whole_level_has_the_outlines_of_the_level() {
    let mut random = fastrand::Rng::with_seed(352);
    for _ in 0..rounds(1_000) {
        let terrain = random_terrain(&mut random, 70);
        let chains = terrain.chains_in(Aabb { min: IVec2::MIN, max: IVec2::MAX });
        let outlines = terrain.outlines();
        assert!(chains.iter().all(|chain| chain.ghosts.is_none()));
        let points: Vec<_> = chains.iter().map(|chain| &chain.points[..]).collect();
        assert_eq!(points, outlines.loops().map(|outline| outline.points).collect::<Vec<_>>());
    }
}

#[test]
fn an_edit_changes_only_the_windows_within_one_cell_of_its_box() {
    let mut random = fastrand::Rng::with_seed(353);
    for _ in 0..rounds(1_000) {
        let mut terrain = random_terrain(&mut random, 60);
        let (cell, size) = (terrain.cell_size().as_ivec2(), terrain.size().as_ivec2());
        let side = IVec2::new(random.i32(1..60), random.i32(1..60)).max(size / 12 + 1);
        let windows: Vec<Aabb> = places(size / side + 1)
            .map(|place| Aabb { min: place * side, max: (place + 1) * side })
            .collect();
        let before: Vec<_> = windows.iter().map(|window| terrain.chains_in(*window)).collect();
        let at = IVec2::new(random.i32(0..size.x), random.i32(0..size.y));
        let area = Aabb { min: at, max: at + cell * random.i32(1..4) };
        let changed = terrain.set_box(area, random.bool()).unwrap();
        let Some(Aabb { min, max }) = changed else { continue };
        let larger = Aabb { min: min - cell, max: max + cell };
        for (window, chains) in windows.iter().zip(before) {
            assert!(window.overlaps(larger) || terrain.chains_in(*window) == chains);
        }
    }
}
