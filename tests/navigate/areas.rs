//! The ways of `solids_for` go around the areas that are solid for the body, like ways of one level with the
//! cells of all of them.

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Search;
use bitwall::{Aabb, Dir, Grid, Level, Terrain};

use super::grounds;
use super::plain::{Plain, prove};
use crate::support::{places, rounds, scattered, tiles};

#[test]
fn ways_go_around_the_areas_that_are_solid_for_the_body() {
    let water = Terrain::new(Grid::from_text(".....\n..#..\n.....").unwrap(), UVec2::splat(16));
    let level = tiles(".....\n.....\n.....", 16).with_solid_area("water", water.unwrap(), 2);
    let (size, mut search) = (UVec2::splat(16), Search::default());
    let (from, to) = (IVec2::new(0, 16), IVec2::new(64, 16));
    let mut length = |level: &Level, categories| {
        let ways = level.solids_for(categories).ways(size).unwrap();
        ways.path(from, to, &mut search).unwrap().pixels()
    };
    assert_eq!([length(&level, 0), length(&level, 4)], [64.0; 2]);
    let around = length(&level, 2);
    assert!((77.0..78.0).contains(&around), "32 of 64 steps are diagonal: {around}");
    let mut dry = level.clone();
    dry.area_mut("water").unwrap().set(IVec2::new(2, 1), false).unwrap();
    assert_eq!(length(&dry, 2), 64.0);
    let mut deep = level.clone();
    deep.area_mut("water").unwrap().fill(2..3, 0..2, true).unwrap();
    assert_eq!(length(&deep, 2), around, "below instead of above");
}

/// Creates an area that need not have the size or the cells of the level.
fn area(random: &mut fastrand::Rng, level: &Level) -> Terrain {
    let cell = UVec2::new([1, 3, 8][random.usize(0..3)], [1, 4, 7][random.usize(0..3)]);
    let count = (level.size() + random.u32(0..30)) / cell + 1;
    let count = if random.u8(0..3) == 0 { count / 3 + 1 } else { count };
    let mut most = || random.u32(1..12);
    let (solids, largest) = (most(), UVec2::new(most(), most()));
    let mut area = Terrain::new(scattered(random, count, solids, largest), cell).unwrap();
    if random.u8(0..3) == 0 {
        let side = Dir::ALL[random.usize(0..4)];
        area = area.with_one_way(side, scattered(random, count, 3, largest)).unwrap();
    }
    area
}

#[test]
fn ways_with_areas_agree_with_a_search_of_all_positions_between_edits() {
    let mut random = fastrand::Rng::with_seed(373);
    let mut search = Search::default();
    let (mut found, mut longer) = (0, 0);
    for _ in 0..rounds(500) {
        let mut level = Level::new(grounds::terrain(&mut random, UVec2::new(120, 90)));
        let size = UVec2::new(random.u32(1..20), random.u32(1..20));
        for (name, category) in [("one", 1), ("other", 2), ("third", 4)] {
            let area = area(&mut random, &level);
            level = level.with_solid_area(name, area, category);
            if random.bool() {
                level.area_mut(name).unwrap().prepare(size);
            }
        }
        if random.bool() {
            level.prepare(size);
        }
        for _ in 0..4 {
            let name = ["one", "other", "third"][random.usize(0..3)];
            let edited = level.area_mut(name).unwrap();
            let cells = edited.grid().size();
            let (x, y) = (random.u32(0..cells.x), random.u32(0..cells.y));
            edited.fill(x..x + 6, y..y + 3, random.bool()).unwrap();
            let categories = random.u64(0..8);
            let others = [Aabb::from_xywh(random.i32(0..99), random.i32(0..60), 9, 16)];
            let others = if random.bool() { &others[..] } else { &[] };
            let mut plain = Plain::new(&level, size, others);
            for area in level.areas().iter().filter(|area| area.category & categories != 0) {
                plain = plain.without(&area.terrain, size);
            }
            let ways = level.solids_for(categories).ways(size).unwrap();
            let ways = ways.around(others);
            let margin = size.as_ivec2() + 3;
            for at in places(level.size().as_ivec2() + margin + 3).map(|at| at - margin) {
                assert_eq!(ways.is_free(at), plain.is_free(at), "{at} {size} {level:?}");
            }
            let free: Vec<IVec2> = plain.free_positions().collect();
            if free.is_empty() {
                continue;
            }
            let mut place = || free[random.usize(0..free.len())];
            let (from, to) = (place(), place());
            let lengths = plain.dijkstra(&[from], true);
            let path = ways.path(from, to, &mut search);
            let length = path.as_ref().map(|path| path.length);
            assert_eq!(length, lengths[plain.index(to).unwrap()], "{from} {to} {size} {level:?}");
            assert_eq!(ways.field(&[to]).distance(from).is_some(), path.is_some());
            assert_eq!(ways.nearest_reachable(from, to), plain.nearest(to, &lengths));
            let Some(path) = path else { continue };
            prove(&level, size, &path, [from, to]);
            found += 1;
            let open = level.ways(size).unwrap().path(from, to, &mut search).unwrap();
            longer += usize::from(open.length < path.length);
        }
    }
    assert!(found > rounds(500) && longer > rounds(500) / 20, "{found} {longer}");
}
