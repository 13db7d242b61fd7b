//! Complaints about movement in other libraries.

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{Aabb, Footprint, Grid, Level, Mover, MoverSettings, Terrain};

use super::{CELLS, PATHS, by, level_of, mirrored, platformer};
use crate::support::cells;

/// Creates a level with cells of one pixel: two flat floors with a slope between them that falls by `down`
/// pixels for each `run` pixels along x.
fn slope(down: u32, run: u32, is_mirrored: bool) -> Level {
    let mut grid = Grid::new(200, 220).unwrap();
    for column in 0..200_u32 {
        let place = if is_mirrored { 199 - column } else { column };
        let height = 40 + (place.clamp(60, 140) - 60) * down / run;
        grid.fill(column..column + 1, height..220, true).unwrap();
    }
    cells(grid, 1)
}

const SLOPES: [(u32, u32); 4] = [(1, 1), (2, 1), (1, 3), (2, 7)];

/// rapier.rs#136: the snap to the ground needs a downward motion.
#[test]
fn a_walk_without_gravity_follows_the_slope_down() {
    for (down, run) in SLOPES {
        for is_mirrored in [false, true] {
            let level = slope(down, run, is_mirrored);
            for width in [1, 6, 11] {
                for speed in [0.25_f32, 1.0, 2.75, 9.0] {
                    let (start, to) = match is_mirrored {
                        false => (30, speed),
                        true => (170 - width, -speed),
                    };
                    let mut walker = platformer(Aabb::from_xywh(start, 32, width, 8));
                    let count = (135.0 / speed) as i32;
                    for _ in 0..count {
                        let step = by(&mut walker, &level, Vec2::new(to, 0.0));
                        assert!(step.grounded, "{down}/{run} {walker:?}");
                    }
                    let x = start + (to * count as f32) as i32;
                    let foot = 40 + 80 * down as i32 / run as i32;
                    assert_eq!(walker.body.min, IVec2::new(x, foot - 8), "{down}/{run} {width}");
                }
            }
        }
    }
}

/// avian#949: characters drift down slopes.
#[test]
fn a_body_stays_on_a_slope_while_no_key_is_held() {
    for (down, run) in SLOPES {
        for is_mirrored in [false, true] {
            let level = slope(down, run, is_mirrored);
            for width in [1, 4, 9] {
                for gravity in [0.1, 0.5, 3.0, 40.0] {
                    let mut walker = platformer(Aabb::from_xywh(95, 0, width, 8));
                    for _ in 0..400 {
                        by(&mut walker, &level, Vec2::new(0.0, 1.0));
                    }
                    let body = walker.body;
                    let mut fall = 0.0;
                    for _ in 0..200 {
                        let asked = Vec2::new(0.0, fall + gravity);
                        let step = by(&mut walker, &level, asked);
                        fall = step.velocity(asked).y;
                        assert!(step.grounded && fall == 0.0);
                    }
                    assert_eq!((walker.body, body.min.x), (body, 95), "{down}/{run} {gravity}");
                }
            }
        }
    }
}

/// Nez#331: staggered one-way tiles can be climbed in one direction only.
#[test]
fn stairs_of_one_way_tiles_are_climbed_by_jumps_in_both_directions() {
    let text = "........\n......-.\n.....-..\n....-...\n...-....\n..-.....\n........\n########";
    for (text, way) in [(text.to_owned(), 1.0), (mirrored(text), -1.0)] {
        for cell in CELLS {
            let level = level_of(&text, cell);
            let (width, high) = (4, cell.y as i32);
            let step = cell.x as f32;
            let mut hero = platformer(Aabb::from_xywh(0, 7 * high - 6, width, 6));
            let column = |at: i32| if way > 0.0 { at } else { 7 - at } * cell.x as i32;
            hero.body = Aabb::from_xywh(column(1), 7 * high - 6, width, 6);
            for stair in 0..5 {
                let rise = if stair == 0 { 2 * high } else { high };
                by(&mut hero, &level, Vec2::new(0.0, -rise as f32 - 2.0));
                by(&mut hero, &level, Vec2::new(way * step, 0.0));
                let landed = by(&mut hero, &level, Vec2::new(0.0, 9.0));
                let expected = IVec2::new(column(2 + stair), (5 - stair) * high - 6);
                assert_eq!((hero.body.min, landed.landed()), (expected, true), "{cell} {stair}");
                by(&mut hero, &level, Vec2::new(0.0, 9.0));
                assert_eq!(hero.body.min, expected, "it holds");
            }
        }
    }
}

/// Nez#191: a mover triggers no events of areas.
#[test]
fn a_mover_reports_each_area_on_its_path_at_every_speed() {
    for cell in CELLS {
        let level = level_of(".".repeat(30).as_str(), cell);
        let high = cell.y as i32;
        for name in ["door", "trap"] {
            let at = if name == "door" { 11 } else { 19 };
            let mut grid = Grid::new(30, 1).unwrap();
            grid.fill(at..at + 1, 0..1, true).unwrap();
            let area = Terrain::new(grid, cell).unwrap();
            let level = level.clone().with_area(name, area);
            let area = at as i32 * cell.x as i32..(at as i32 + 1) * cell.x as i32;
            for (path, speed) in PATHS
                .into_iter()
                .flat_map(|path| [1.0_f32, 3.5, 40.0, 140.0].map(|speed| (path, speed)))
            {
                for to in [speed, -speed] {
                    let start = if to > 0.0 { 0 } else { 30 * cell.x as i32 - 3 };
                    let body = Aabb::from_xywh(start, 1, 3, high - 2);
                    let settings = MoverSettings { path, ..MoverSettings::PLAIN };
                    let mut item = Mover::new(body, settings);
                    let (mut entered, mut left, mut inside) = (0, 0, false);
                    for _ in 0..(30 * cell.x) as i32 {
                        let step = item.step(&level, (to, 0.0)).unwrap();
                        entered += step.entered(&level).filter(|found| *found == name).count();
                        left += step.left(&level).filter(|found| *found == name).count();
                        let (low, high) = (item.body.min.x, item.body.max.x);
                        inside = low < area.end && high > area.start;
                        assert_eq!(step.inside(&level).count(), usize::from(inside));
                        assert_eq!(entered - left, usize::from(inside), "{cell} {to} {path:?}");
                    }
                    assert_eq!((entered, left, inside), (1, 1, false), "{cell} {to} {path:?}");
                }
            }
        }
    }
}

/// FlixelCommunity/flixel#159: a user asks for separation by pixels, not only for a test of overlap by
/// pixels.
#[test]
fn a_sprite_lands_with_its_own_pixels_and_unsticks_from_the_ground() {
    // The diamond hangs over a pit: its lower tip sinks in until its sides meet the edges of the pit.
    let sprite = Grid::from_text("..#..\n.###.\n#####\n.###.\n..#..").unwrap();
    let footprint = Footprint::from_grid(&sprite).unwrap();
    for (pit, sunk) in [(0, 0), (1, 1), (3, 2), (5, 9)] {
        let mut grid = Grid::new(40, 30).unwrap();
        grid.fill(0..40, 20..30, true).unwrap();
        grid.fill(20 - pit / 2..21 + pit / 2, 20..29, false).unwrap();
        if pit == 0 {
            grid.fill(0..40, 20..30, true).unwrap();
        }
        let level = Level::from_grid(grid, UVec2::ONE).unwrap();
        let solids = level.with_footprint(&footprint);
        for speed in [0.5, 1.0, 6.5, 25.0] {
            let mut item = Mover::new(Aabb::from_xywh(18, 0, 5, 5), MoverSettings::PLAIN);
            for _ in 0..80 {
                item.step(&solids, (0.0, speed)).unwrap();
                assert!(!level.overlaps(footprint.at(item.body.min)));
            }
            assert_eq!(item.body.max.y, 20 + sunk, "{pit} {speed}");
            let inside = Aabb::from_xywh(18, item.body.min.y + 2, 5, 5);
            let mut item = Mover::new(inside, MoverSettings::PLAIN);
            let out = item.unstick(&solids, 9);
            assert!(out.is_some() && !level.overlaps(footprint.at(item.body.min)));
        }
    }
}
