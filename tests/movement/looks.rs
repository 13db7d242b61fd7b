//! The limit of [`Mover::MAX_LOOKS`]: which pixels of a step count, and how a step ends at the limit.

use std::ops::Range;

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::{
    Aabb, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside, geometry::Corners,
    mover::MovePath,
};

use crate::support::{blank, cells, ground};

const LOOKS: i32 = Mover::MAX_LOOKS as i32;
const HALF: i32 = Mover::SUBPIXELS / 2;

fn walker(step_height: u32) -> MoverSettings {
    MoverSettings {
        floor: Some(Dir::Down),
        step_height,
        snap_distance: step_height,
        ..MoverSettings::PLAIN
    }
}

/// Creates level ground at y = 40, with one-way edges in these columns and rows above it.
fn edges(listed: &[(Range<u32>, u32)]) -> Level {
    let size = UVec2::new(800, 60);
    let mut guarded = Grid::new(size.x, size.y).unwrap();
    for (columns, row) in listed {
        guarded.fill(columns.clone(), *row..*row + 1, true).unwrap();
    }
    cells(ground(size, |_| 20), 1).with_one_way(Dir::Up, guarded).unwrap()
}

/// The feet are 1 px above the ground. An edge 4 px above the feet is near, but too high for a lift.
#[test]
fn a_flight_examines_as_many_pixels_near_one_way_edges_as_the_limit_and_then_ends() {
    // The box of 6 px is near an edge of n px for n + 6 pixels of its flight.
    let near = |looks: u32| (30..30 + looks - 6, 35);
    let looks = Mover::MAX_LOOKS;
    for (listed, moved, leftover) in [
        // The last pixel of the flight is the last that is examined, and lifts the body.
        (vec![near(looks - 1), (600..700, 37)], IVec2::new(585, -2), 0),
        // The last pixel of the flight would be one more, so the flight ends before it.
        (vec![near(looks), (600..700, 37)], IVec2::new(584, 0), 1),
        // Pixels without an edge nearby do not count.
        (vec![near(looks)], IVec2::new(585, 0), 0),
        // A body that was lifted flies on.
        (vec![(40..700, 37)], IVec2::new(30, -2), 0),
    ] {
        let level = edges(&listed);
        let mut mover = Mover::new(Aabb::from_xywh(10, 29, 6, 10), walker(4));
        let asked = moved.x + leftover;
        let step = mover.step(&level, Vec2::new(asked as f32 + 0.5, 0.0)).unwrap();
        assert!(!step.is_stopped() && !step.was_grounded, "{listed:?}");
        assert_eq!((step.moved, step.leftover), (moved, IVec2::new(leftover, 0)), "{listed:?}");
        let subpixel = if leftover == 0 { HALF } else { 0 };
        assert_eq!(mover.subpixel, IVec2::new(subpixel, 0), "{listed:?}");
    }
}

#[test]
fn a_walk_below_a_one_way_floor_examines_as_many_pixels_as_the_limit_and_then_ends() {
    let level = edges(&[(0..800, 38)]);
    let mut mover = Mover::new(Aabb::from_xywh(10, 30, 6, 10), walker(4));
    let step = mover.step(&level, Vec2::new(700.0, 0.0)).unwrap();
    assert!(step.was_grounded && step.grounded && !step.is_stopped());
    assert_eq!(step.moved, IVec2::new(LOOKS, 0));
    assert_eq!(step.leftover, IVec2::new(700 - LOOKS, 0));
}

#[test]
fn a_walk_up_a_one_way_slope_climbs_as_many_edges_as_the_limit_and_then_ends() {
    let mut guarded = Grid::new(700, 700).unwrap();
    for column in 0..670_u32 {
        guarded.set(column, 650 - column.saturating_sub(20), true).unwrap();
    }
    let level = blank(700, 700).with_one_way(Dir::Up, guarded).unwrap();
    // The first ten pixels are level, and no higher edge is near them.
    for (asked, subpixel, leftover) in [(10 + LOOKS, HALF, 0), (600, 0, 590 - LOOKS)] {
        let mut mover = Mover::new(Aabb::from_xywh(5, 640, 6, 10), walker(4));
        let step = mover.step(&level, Vec2::new(asked as f32 + 0.5, 0.0)).unwrap();
        assert!(step.was_grounded && step.grounded && !step.is_stopped());
        assert_eq!(step.moved, IVec2::new(10 + LOOKS, -LOOKS));
        assert_eq!(step.leftover, IVec2::new(leftover, 0));
        assert_eq!(mover.subpixel, IVec2::new(subpixel, 0));
    }
}

#[test]
fn a_disc_without_a_step_height_flies_any_distance_through_one_way_edges() {
    let level = edges(&[(0..800, 22)]);
    let disc = Footprint::circle(8).unwrap();
    let mut mover = Mover::new(disc.bounds(IVec2::new(10, 20)), walker(0));
    let step = mover.step(&level.with_footprint(&disc), Vec2::new(700.0, 0.0)).unwrap();
    assert!(!step.was_grounded);
    assert_eq!(step.moved, IVec2::new(700, 0));
}

/// Creates a level with a solid pixel at each place (`row` + `aside`, `row`).
fn beside_the_diagonal(size: u32, aside: u32, rows: impl Iterator<Item = u32>) -> Level {
    let mut grid = Grid::new(size, size).unwrap();
    for row in rows {
        grid.set(row + aside, row, true).unwrap();
    }
    cells(grid, 1).with_outside(Outside::Open)
}

const STRAIGHT: [MovePath; 2] =
    [MovePath::Straight(Corners::Block), MovePath::Straight(Corners::Pass)];

#[test]
fn a_straight_step_along_a_wall_ends_after_as_many_rows_as_the_limit() {
    let level = beside_the_diagonal(900, 2, 0..890);
    for path in STRAIGHT {
        let settings = MoverSettings { path, ..MoverSettings::PLAIN };
        let mut mover = Mover::new(Aabb::from_xywh(20, 20, 1, 1), settings);
        let step = mover.step(&level, Vec2::splat(700.0)).unwrap();
        assert!(!step.is_stopped(), "{path:?}");
        assert_eq!(step.moved, IVec2::splat(LOOKS), "{path:?}");
        assert_eq!(step.leftover, IVec2::splat(700 - LOOKS), "{path:?}");
    }
}

#[test]
fn a_straight_step_passes_far_more_posts_beside_its_line_than_the_limit_has_rows() {
    let level = beside_the_diagonal(1_100, 20, (0..1_070).step_by(40));
    for path in STRAIGHT {
        let settings = MoverSettings { path, ..MoverSettings::PLAIN };
        let mut mover = Mover::new(Aabb::from_xywh(20, 20, 4, 4), settings);
        let step = mover.step(&level, Vec2::splat(1_000.0)).unwrap();
        assert_eq!((step.moved, step.is_stopped()), (IVec2::splat(1_000), false), "{path:?}");
    }
}
