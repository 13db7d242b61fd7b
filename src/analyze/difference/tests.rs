use std::collections::{BTreeMap, BTreeSet};

use glam::IVec2;

use super::*;
use crate::analyze::tests::random_terrain;
use crate::{Grid, Outside};

fn random_pair(random: &mut fastrand::Rng) -> [Level; 2] {
    let terrain = random_terrain(random, &[5, 9, 20, 63, 65]).with_outside(Outside::Solid);
    let origin = IVec2::new(random.i32(-40..40), random.i32(-40..40));
    let before = Level::new(terrain.clone()).with_origin(origin);
    if random.u8(0..4) == 0 {
        let other = random_terrain(random, &[5, 9, 20]).with_outside(Outside::Solid);
        let other = Level::new(other).with_origin(IVec2::new(random.i32(-9..9), random.i32(-9..9)));
        return [before, other];
    }
    let mut after = before.clone();
    for _ in 0..random.u32(0..4) {
        let (x, y) = (random.u32(0..65), random.u32(0..65));
        after.fill(x..x + random.u32(1..9), y..y + random.u32(1..9), random.bool()).unwrap();
    }
    [before, after]
}

#[test]
fn the_changed_pixels_are_those_of_a_comparison_pixel_by_pixel() {
    let mut random = fastrand::Rng::with_seed(101);
    for _ in 0..200 {
        let [before, after] = random_pair(&mut random);
        let found = difference(&before, &after, &[], |_| false).unwrap();
        let is_solid = |level: &Level, at: IVec2| {
            let at = at - level.origin();
            let inside = Aabb { min: IVec2::ZERO, max: level.size().as_ivec2() };
            inside.contains(at) && level.is_solid(at)
        };
        let (mut added, mut removed) = (0, 0);
        let all = found.areas[0].hull(found.areas[1]);
        for (x, y) in
            (all.min.y..all.max.y).flat_map(|y| (all.min.x..all.max.x).map(move |x| (x, y)))
        {
            let at = IVec2::new(x, y);
            let [old, new] = [is_solid(&before, at), is_solid(&after, at)];
            added += u64::from(new && !old);
            removed += u64::from(old && !new);
            let regions = found.regions.iter().filter(|region| region.area.contains(at));
            assert!(old == new || regions.count() == 1);
        }
        assert_eq!((found.added, found.removed), (added, removed));
        let sums = found
            .regions
            .iter()
            .fold((0, 0), |(a, r), region| (a + region.added, r + region.removed));
        assert_eq!(sums, (added, removed));
        let back = difference(&after, &before, &[], |_| false).unwrap();
        assert_eq!((back.added, back.removed), (removed, added));
        assert!(difference(&after, &after, &[], |_| false).unwrap().is_empty());
    }
}

/// Rooms behind walls, each with a door or none.
fn walled(random: &mut fastrand::Rng) -> Level {
    let mut grid = Grid::new(40, 30).unwrap();
    for wall in [10, 20, 30] {
        grid.fill(wall..wall + 2, 0..30, true).unwrap();
        let door = random.u32(0..40);
        grid.fill(wall..wall + 2, door..door + random.u32(1..8), false).unwrap();
    }
    Level::from_grid(grid, UVec2::ONE).unwrap().with_origin(IVec2::new(random.i32(-1..2), 0))
}

/// The areas of the first level that have a position in common with each area of the second one.
fn naive_joins(one: &Level, other: &Level, body: UVec2) -> usize {
    let spaces = [one, other].map(|level| free_space(level.terrain(), body).unwrap());
    let mut joined = BTreeMap::<usize, BTreeSet<usize>>::new();
    let areas = [one, other].map(|level| {
        let size = level.size().as_ivec2();
        Aabb { min: level.origin(), max: level.origin() + size }
    });
    let all = areas[0].hull(areas[1]);
    for y in all.min.y..all.max.y {
        for x in all.min.x..all.max.x {
            let at = |side: usize| {
                let level = [one, other][side];
                spaces[side].area_at(IVec2::new(x, y) - level.origin())
            };
            if let (Some(part), Some(whole)) = (at(0), at(1))
                && spaces[0].is_room(part)
            {
                joined.entry(whole).or_default().insert(part);
            }
        }
    }
    joined.values().map(|parts| parts.len() - 1).sum()
}

#[test]
fn passages_are_opened_where_areas_that_were_apart_share_an_area_now() {
    let mut random = fastrand::Rng::with_seed(102);
    let mut passages = 0;
    for _ in 0..150 {
        let [before, after] = match random.u8(0..3) {
            0 => random_pair(&mut random),
            _ => [walled(&mut random), walled(&mut random)],
        };
        let body = UVec2::new(random.u32(2..6), random.u32(2..6));
        let found = difference(&before, &after, &[body], |_| false).unwrap();
        let [_, of_body] = &found.bodies[..] else { panic!() };
        assert_eq!(of_body.opened.len(), naive_joins(&before, &after, body));
        assert_eq!(of_body.closed.len(), naive_joins(&after, &before, body));
        for passage in of_body.opened.iter().chain(&of_body.closed) {
            assert!(!passage.place.is_empty() && passage.path.len() > 1);
        }
        passages += of_body.opened.len() + of_body.closed.len();
    }
    assert!(passages > 20, "{passages}");
}

#[test]
fn one_way_cells_and_areas_are_compared_too() {
    let level = || Level::from_grid(Grid::new(4, 4).unwrap(), UVec2::splat(8)).unwrap();
    let mut ledge = Grid::new(4, 4).unwrap();
    ledge.fill(0..4, 2..3, true).unwrap();
    let one_way = level().with_one_way(Dir::Up, ledge.clone()).unwrap();
    let found = difference(&level(), &one_way, &[], |_| false).unwrap();
    assert!(found.one_way && !found.is_empty() && found.added == 0);
    let water = Terrain::new(ledge, UVec2::splat(8)).unwrap();
    let found = difference(&level().with_area("water", water), &level(), &[], |_| false).unwrap();
    assert_eq!(found.named_areas, ["water"]);
    assert!(!found.is_empty());
}
