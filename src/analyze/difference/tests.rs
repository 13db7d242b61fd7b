use std::collections::{BTreeMap, BTreeSet};

use glam::IVec2;

use super::*;
use crate::analyze::tests::random_terrain;
use crate::terrain::Terrain;
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
fn changed_pixels_agree_with_a_comparison_pixel_by_pixel() {
    let mut random = fastrand::Rng::with_seed(101);
    for _ in 0..200 {
        let [before, after] = random_pair(&mut random);
        let found = difference(&before, &after, &[]).unwrap();
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
            let patches = found.patches.iter().filter(|patch| patch.area.contains(at));
            assert!(old == new || patches.count() >= 1);
        }
        assert_eq!((found.added, found.removed), (added, removed));
        let sums =
            found.patches.iter().fold((0, 0), |(a, r), patch| (a + patch.added, r + patch.removed));
        assert_eq!(sums, (added, removed));
        let back = difference(&after, &before, &[]).unwrap();
        assert_eq!((back.added, back.removed), (removed, added));
        assert!(difference(&after, &after, &[]).unwrap().is_empty());
    }
}

fn walled(random: &mut fastrand::Rng) -> Level {
    let mut grid = Grid::new(40, 30).unwrap();
    for wall in [10, 20, 30] {
        grid.fill(wall..wall + 2, 0..30, true).unwrap();
        let door = random.u32(0..40);
        grid.fill(wall..wall + 2, door..door + random.u32(1..8), false).unwrap();
    }
    Level::from_grid(grid, UVec2::ONE).unwrap().with_origin(IVec2::new(random.i32(-1..2), 0))
}

/// The number of times that `other` joins areas of `one`, by a naive count. An area of `other` that shares
/// positions with n areas of `one` makes n - 1 joins. Areas without room to move do not count.
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
fn each_join_of_separate_areas_gives_one_passage() {
    let mut random = fastrand::Rng::with_seed(102);
    let mut passages = 0;
    for _ in 0..150 {
        let [before, after] = match random.u8(0..3) {
            0 => random_pair(&mut random),
            _ => [walled(&mut random), walled(&mut random)],
        };
        let body = UVec2::new(random.u32(2..6), random.u32(2..6));
        let found = difference(&before, &after, &[body]).unwrap();
        let [_, of_body] = &found.bodies[..] else { panic!() };
        assert_eq!(of_body.opened.len(), naive_joins(&before, &after, body));
        assert_eq!(of_body.closed.len(), naive_joins(&after, &before, body));
        let pair = [&before, &after];
        for passage in &of_body.opened {
            leads_through_the_place(passage, pair, body);
        }
        for passage in &of_body.closed {
            leads_through_the_place(passage, [&after, &before], body);
        }
        passages += of_body.opened.len() + of_body.closed.len();
    }
    assert!(passages > 20, "{passages}");
}

/// Checks that an area of `joined` has both areas of `passage` and a position in its place that is not free
/// in `apart`.
fn leads_through_the_place(passage: &Passage, [apart, joined]: [&Level; 2], body: UVec2) {
    let spaces = [apart, joined].map(|level| free_in(level, body).unwrap());
    let [one, other] = passage.areas.map(|area| {
        let mut areas = spaces[0].areas().iter().filter(|known| known.area == area);
        let whole = spaces[1].area_at(areas.next().expect("it is an area").first);
        // Its first position may not be free in `joined`, or may be in another area.
        whole.filter(|_| areas.next().is_none())
    });
    let Aabb { min, max } = passage.place;
    let last = max - body.as_ivec2();
    let places = (min.y..=last.y).flat_map(|y| (min.x..=last.x).map(move |x| IVec2::new(x, y)));
    let new = places.filter(|at| spaces[0].area_at(*at).is_none());
    let areas: BTreeSet<usize> = new.filter_map(|at| spaces[1].area_at(at)).collect();
    assert!(!areas.is_empty(), "{passage:?}");
    if let (Some(one), Some(other)) = (one, other)
        && one == other
    {
        assert!(areas.contains(&one), "{passage:?}");
    }
}

#[test]
fn two_doors_that_open_give_two_passages_at_different_places() {
    let rooms = |door: bool| {
        let mut grid = Grid::new(60, 20).unwrap();
        for wall in [18, 38] {
            grid.fill(wall..wall + 2, 0..20, true).unwrap();
            grid.fill(wall..wall + 2, 6..14, !door).unwrap();
        }
        Level::from_grid(grid, UVec2::ONE).unwrap()
    };
    let found = difference(&rooms(false), &rooms(true), &[UVec2::splat(4)]).unwrap();
    let places: Vec<Aabb> = found.bodies[1].opened.iter().map(|passage| passage.place).collect();
    let at = |x| Aabb::from_xywh(x, 6, 8, 8);
    assert_eq!(places, [at(15), at(35)]);
}

/// Many small changes far from each other, as in a redrawn mask.
#[test]
fn many_patches_take_little_time_and_the_largest_are_kept() {
    let mut grid = Grid::new(6_000, 6_000).unwrap();
    let before = Level::from_grid(grid.clone(), UVec2::ONE).unwrap();
    for (x, y) in (0..6_000).step_by(12).flat_map(|y| (0..6_000).step_by(12).map(move |x| (x, y))) {
        grid.set(x, y, true).unwrap();
    }
    grid.fill(5_000..5_003, 5_995..5_998, true).unwrap();
    let after = Level::from_grid(grid, UVec2::ONE).unwrap();
    let start = std::time::Instant::now();
    let changed = difference(&before, &after, &[]).unwrap();
    assert!(start.elapsed().as_secs() < 10, "{:?}", start.elapsed());
    assert_eq!((changed.added, changed.patches.len()), (250_009, 1_024));
    assert_eq!((changed.patches[0].added, changed.patches[1].added), (9, 1));
}

#[test]
fn changes_of_one_way_cells_and_named_areas_are_reported() {
    let level = || Level::from_grid(Grid::new(4, 4).unwrap(), UVec2::splat(8)).unwrap();
    let mut ledge = Grid::new(4, 4).unwrap();
    ledge.fill(0..4, 2..3, true).unwrap();
    let one_way = level().with_one_way(Dir::Up, ledge.clone()).unwrap();
    let found = difference(&level(), &one_way, &[]).unwrap();
    assert!(found.one_way && !found.is_empty() && found.added == 0);
    let water = Terrain::new(ledge, UVec2::splat(8)).unwrap();
    let found = difference(&level().with_area("water", water), &level(), &[]).unwrap();
    assert_eq!(found.named_areas, ["water"]);
    assert!(!found.is_empty());
}

#[test]
fn changes_of_outside_and_area_categories_are_reported() {
    let level = || Level::from_grid(Grid::new(4, 4).unwrap(), UVec2::splat(8)).unwrap();
    let open = Level::new(level().terrain().clone().with_outside(Outside::Open));
    let found = difference(&level(), &open, &[]).unwrap();
    assert!(found.outside && !found.is_empty());
    let water = || {
        level().with_area("water", Terrain::new(Grid::new(4, 4).unwrap(), UVec2::splat(8)).unwrap())
    };
    let mut deep = water();
    assert!(difference(&water(), &deep, &[]).unwrap().is_empty());
    deep.set_area_category("water", 2);
    let found = difference(&water(), &deep, &[]).unwrap();
    assert_eq!(found.named_areas, ["water"]);
}

#[test]
fn levels_at_the_ends_of_the_range_of_positions_do_not_overflow() {
    let mut grid = Grid::new(4, 4).unwrap();
    let level = |grid: &Grid, corner: i32| {
        let level = Level::from_grid(grid.clone(), UVec2::splat(8)).unwrap();
        level.with_origin(IVec2::splat(corner))
    };
    grid.set(0, 0, true).unwrap();
    let before = level(&grid, -(1 << 29));
    grid.set(2, 2, true).unwrap();
    let after = level(&grid, 1 << 29);
    for [one, other] in [[&before, &after], [&after, &before]] {
        let found = difference(one, other, &[UVec2::splat(4)]).unwrap();
        assert_eq!(found.patches.len(), 3);
    }
}
