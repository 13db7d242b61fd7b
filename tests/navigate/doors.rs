//! After an edit, the ways of a level equal the ways of a new level with the same cells.

use bitwall::glam::{IVec2, UVec2};
use bitwall::navigate::Search;
use bitwall::{Aabb, Grid, Level};

use super::grounds;
use super::plain::Plain;
use crate::support::{places, rounds};

#[test]
fn placing_or_clearing_a_room_changes_the_paths() {
    let room = Level::from_grid(Grid::from_text("#####\n#...#\n##.##").unwrap(), UVec2::splat(16));
    let mut world = Level::from_grid(Grid::new(40, 30).unwrap(), UVec2::splat(16)).unwrap();
    let (size, mut search) = (UVec2::new(12, 14), Search::default());
    let (inside, outside) = (IVec2::new(18 + 160, 17 + 160), IVec2::ZERO);
    let length = |world: &Level, search: &mut Search| {
        world.ways(size).unwrap().path(outside, inside, search).map(|path| path.length)
    };
    let open = length(&world, &mut search).unwrap();
    world.place(&room.unwrap(), IVec2::new(10, 10)).unwrap();
    assert!(length(&world, &mut search).unwrap() > open);
    world.fill(12..13, 12..13, true).unwrap();
    assert_eq!(length(&world, &mut search), None, "the door is closed");
    world.clear(10..15, 10..13);
    assert_eq!(length(&world, &mut search), Some(open));
}

#[test]
fn a_search_around_bodies_sees_the_edits_of_its_level() {
    let mut level = Level::from_grid(Grid::new(300, 200).unwrap(), UVec2::ONE).unwrap();
    let (size, mut search) = (UVec2::splat(8), Search::default());
    let (from, to) = (IVec2::new(10, 90), IVec2::new(200, 90));
    let body = [Aabb::from_xywh(60, 90, 8, 8)];
    let mut length = |level: &Level, size| {
        let ways = level.ways(size).unwrap();
        ways.around(&body).path(from, to, &mut search).map(|path| path.length)
    };
    let open = length(&level, size).unwrap();
    level.fill(100..104, 0..200, true).unwrap();
    assert_eq!(length(&level, size), None);
    level.fill(100..104, 80..99, false).unwrap();
    assert_eq!(length(&level, size), Some(open));
    assert_eq!(length(&level, UVec2::splat(20)), None, "a larger body in between");
    assert_eq!(length(&level, size), Some(open));
}

#[test]
fn a_level_of_tiles_has_the_same_paths_as_a_level_of_its_pixels() {
    let mut random = fastrand::Rng::with_seed(352);
    for _ in 0..rounds(300) {
        let terrain = grounds::terrain(&mut random, UVec2::new(140, 100));
        let size = UVec2::new(random.u32(1..90), random.u32(1..90));
        let pixels = terrain.clone().into_pixels().unwrap();
        let [ways, of_pixels] = [&terrain, &pixels].map(|terrain| terrain.ways(size).unwrap());
        let plain = Plain::new(&terrain, size, &[]);
        for at in places(terrain.size().as_ivec2() + 8).map(|at| at - 4) {
            let expected = plain.is_free(at);
            assert_eq!((ways.is_free(at), of_pixels.is_free(at)), (expected, expected), "{at}");
        }
    }
}
