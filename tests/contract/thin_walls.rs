//! A wall of one pixel stops every step, from each direction, at positions around word boundaries.

use bitwall::{Aabb, Dir, Grid, Level, Outside};

use crate::support::cells;

const WALLS: [u32; 6] = [62, 63, 64, 65, 127, 128];
const STEPS: [u32; 5] = [1, 7, 64, 1_000, i32::MAX as u32];

/// Returns a level of 200 x 200 pixels, open outside, with a wall across it that is one pixel thick.
fn walled(wall: u32, dir: Dir) -> Level {
    let mut grid = Grid::new(200, 200).unwrap();
    match dir {
        Dir::Left | Dir::Right => grid.fill(wall..wall + 1, 0..200, true).unwrap(),
        Dir::Up | Dir::Down => grid.fill(0..200, wall..wall + 1, true).unwrap(),
    }
    cells(grid, 1).with_outside(Outside::Open)
}

/// Returns a body of 10 x 12 pixels whose leading edge is `gap` pixels before the wall.
fn body(wall: i32, dir: Dir, gap: i32) -> Aabb {
    match dir {
        Dir::Right => Aabb::from_xywh(wall - gap - 10, 90, 10, 12),
        Dir::Left => Aabb::from_xywh(wall + 1 + gap, 90, 10, 12),
        Dir::Down => Aabb::from_xywh(90, wall - gap - 12, 10, 12),
        Dir::Up => Aabb::from_xywh(90, wall + 1 + gap, 10, 12),
    }
}

#[test]
fn a_wall_of_one_pixel_stops_every_step() {
    for wall in WALLS {
        for dir in Dir::ALL {
            let level = walled(wall, dir);
            for step in STEPS {
                for gap in 0..step.min(70) {
                    let body = body(wall as i32, dir, gap as i32);
                    let sweep = level.sweep(body, dir, step);
                    assert!(!level.can_move(body, dir, step), "{wall} {dir:?} {step} {gap}");
                    assert_eq!(sweep.moved, gap, "{wall} {dir:?} {step}");
                    assert!(level.can_move(body, dir, gap));
                    assert!(level.can_move(body, dir.opposite(), step));
                }
            }
        }
    }
}

#[test]
fn a_body_passes_a_gap_of_its_own_height_but_not_one_pixel_less() {
    for wall in WALLS {
        for (gap, passes) in [(12, true), (11, false)] {
            let mut grid = Grid::new(200, 200).unwrap();
            grid.fill(wall..wall + 1, 0..200, true).unwrap();
            grid.fill(wall..wall + 1, 60..60 + gap, false).unwrap();
            let level = cells(grid, 1);
            let body = Aabb::from_xywh(20, 60, 10, 12);
            assert_eq!(level.can_move(body, Dir::Right, 170), passes, "{wall} {gap}");
        }
    }
}
