//! Movers at speeds and settings near the ends of their ranges: a step moves the body by at most
//! [`Mover::MAX_TRANSLATION`], so its time is bounded on any level.

use std::time::Duration;

use bitwall::geometry::Corners;
use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::mover::{MovePath, Response, Slope, WalkSpeed};
use bitwall::{Aabb, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside, Rate, Sides};
use fastrand::Rng;

use crate::support::{Stopwatch, SubpixelSteps, Subpixels, VelocityLeft, blank, cells, rounds};

const PIXEL: i64 = Mover::SUBPIXELS as i64;
const MOST: i32 = Mover::MAX_TRANSLATION as i32;

/// Levels with floors of up to 2^32 pixels, on which no pixel of a walk counts as examined.
fn levels() -> Vec<Level> {
    let mut floor = Grid::sparse(u32::MAX, 8).unwrap();
    floor.fill(0..64 * 60_000, 7..8, true).unwrap();
    let floor = cells(floor, 1);
    let mut open = Sides::all(Outside::Open);
    open.down = Outside::Solid;
    vec![
        blank(4, 8).with_outside(open),
        cells(Grid::new(32_767, 1).unwrap(), 1 << 16),
        floor.clone().with_outside(Outside::Open),
        floor,
    ]
}

fn settings(random: &mut Rng) -> MoverSettings {
    let mut distance = || random.choice([0, 1, 4, 256, u32::MAX - 1, u32::MAX]).unwrap();
    let (step_height, snap_distance, corner) = (distance(), distance(), distance());
    let paths = [Corners::Block, Corners::Pass].map(MovePath::Straight);
    let paths = [MovePath::XThenY, MovePath::XThenY, MovePath::YThenX, paths[0], paths[1]];
    let bounce = Response::Bounce { restitution: 100 };
    let responses = [Response::Slide, Response::Slide, Response::Stop, Response::Cross, bounce];
    let slopes = [Slope::VERTICAL, Slope::DIAGONAL, Slope { rise: 1, run: 4 }];
    MoverSettings {
        path: random.choice(paths).unwrap(),
        response: random.choice(responses).unwrap(),
        floor: random.choice([None, Some(Dir::Down), Some(Dir::Down), Some(Dir::Left)]).unwrap(),
        step_height,
        snap_distance,
        max_slope: random.choice(slopes).unwrap(),
        walk_speed: random.choice([WalkSpeed::AlongAxis, WalkSpeed::AlongSlope]).unwrap(),
        corner_correction: Sides::all(corner),
        one_way: Sides::all(random.bool()),
    }
}

/// Without the limit, a walk of 2^31 pixels by a mover that ignores one-way cells took minutes.
#[test]
fn every_motion_takes_bounded_time_at_every_speed_and_with_every_setting() {
    let random = &mut Rng::with_seed(1);
    let (levels, disc) = (levels(), Footprint::circle(9).unwrap());
    for round in 0..rounds(4_000) {
        let level = random.choice(&levels).unwrap();
        let size = IVec2::new([1, 2, 9, 12][random.usize(0..4)], [1, 9, 20][random.usize(0..3)]);
        let end = level.size().min(UVec2::splat(i32::MAX as u32)).as_ivec2();
        let bottom = if level.outside().down == Outside::Solid { end.y } else { 7 };
        let x = random.choice([0, 100, i32::MIN + 5, i32::MAX - 100, 1 << 22]).unwrap();
        let body = Aabb::from_xywh(x, bottom - size.y, size.x, size.y);
        let mut speed = || {
            let speeds = [0, 1, -1, PIXEL << 10, PIXEL << 31, i64::MAX, i64::MIN, i64::MAX / 3];
            random.choice(speeds).unwrap()
        };
        let by = I64Vec2::new(speed(), speed());
        let mut mover = Mover::new(body, settings(random));
        let before = mover;
        let start = Stopwatch::start();
        let step = match round % 4 {
            0 => mover.step_subpixels(&level.with_footprint(&disc), by),
            _ => mover.step_subpixels(level, by),
        };
        let _ = mover.drop_through(level) || mover.unstick(level, u32::MAX).is_some();
        let taken = start.elapsed();
        assert!(taken < Duration::from_secs(1), "{taken:?}: {before:?} by {by}");
        assert!(step.moved.abs().cmple(IVec2::splat(2 * MOST)).all(), "{step:?}: {before:?}");
    }
}

/// Unlike a body of a world, a mover reports what it did not do.
#[test]
fn a_longer_motion_ends_at_the_limit_and_the_rest_is_left_over() {
    let level = blank(9, 9).with_outside(Outside::Open);
    let body = Aabb::from_xywh(20, 20, 3, 3);
    for path in [MovePath::XThenY, MovePath::YThenX] {
        let mut mover = Mover::new(body, MoverSettings { path, ..MoverSettings::PLAIN });
        let by = I64Vec2::new(10_000 * PIXEL + 64, -MOST as i64 * PIXEL - 64);
        let step = mover.step_subpixels(&level, by);
        assert_eq!(step.asked, IVec2::new(10_000, -MOST));
        assert_eq!(step.moved, IVec2::new(MOST, -MOST));
        assert_eq!(step.leftover, IVec2::new(10_000 - MOST, 0));
        assert_eq!(mover.subpixel, IVec2::new(0, 0));
        assert!(!step.is_stopped());
        assert_eq!(step.velocity_subpixels(by), by, "no contact reduces the speed");
    }
    // One pixel less is no longer motion, and keeps its fraction.
    let mut mover = Mover::new(body, MoverSettings::PLAIN);
    let step = mover.step_subpixels(&level, I64Vec2::new(i64::from(MOST) * PIXEL + 64, -7));
    assert_eq!((step.moved, step.leftover), (IVec2::new(MOST, 0), IVec2::ZERO));
    assert_eq!(mover.subpixel, IVec2::new(64, -7));
}

#[test]
fn a_longer_straight_motion_keeps_its_direction() {
    let level = blank(9, 9).with_outside(Outside::Open);
    for corners in [Corners::Block, Corners::Pass] {
        let settings = MoverSettings { path: MovePath::Straight(corners), ..MoverSettings::PLAIN };
        for (x, y) in [(4, 1), (-3, 5), (1, -1), (0, 7)] {
            let mut mover = Mover::new(Aabb::from_xywh(20, 20, 3, 3), settings);
            let step = mover.step_subpixels(&level, I64Vec2::new(x, y) * (PIXEL << 20));
            let longest = x.abs().max(y.abs());
            let part = |along: i64| (along * i64::from(MOST) / longest) as i32;
            assert_eq!(step.moved, IVec2::new(part(x), part(y)));
            // The fraction of the last pixel is carried.
            let lost = step.asked - step.moved - step.leftover;
            assert!(lost.abs().max_element() <= 1, "{step:?}");
        }
    }
}

/// A world clamps the velocity of a character to the same speed.
#[test]
fn a_step_of_a_mover_ends_where_a_step_of_a_character_ends() {
    use bitwall::world::{Body, World};

    let level = blank(30, 9).with_outside(Outside::Open);
    for speed in [PIXEL, i64::from(MOST) * PIXEL, i64::from(MOST) * PIXEL + 9, i64::MAX] {
        let body = Aabb::from_xywh(40, 4, 3, 3);
        let velocity = I64Vec2::new(-speed, speed / 2);
        let mut mover = Mover::new(body, MoverSettings::PLAIN);
        mover.step_subpixels(&level, velocity);
        let mut world = World::new(Rate::per_second(1));
        let character = Body::character(body, MoverSettings::PLAIN);
        let id = world.add(character.with_velocity_subpixels(velocity));
        world.step(&level);
        assert_eq!(world.get(id).map(|body| body.aabb), Some(mover.body), "{speed}");
    }
}

#[test]
fn unstick_searches_at_most_the_longest_distance() {
    let mut wall = Grid::new(3 * MOST as u32, 1).unwrap();
    wall.fill(0..3 * MOST as u32, 0..1, true).unwrap();
    let mut sides = Sides::all(Outside::Solid);
    sides.left = Outside::Open;
    let level = cells(wall, 1).with_outside(sides);
    let mut free = Mover::new(Aabb::from_xywh(MOST - 2, 0, 2, 1), MoverSettings::PLAIN);
    assert_eq!(free.unstick(&level, u32::MAX), Some(IVec2::new(-MOST, 0)));
    let mut held = Mover::new(Aabb::from_xywh(MOST - 1, 0, 2, 1), MoverSettings::PLAIN);
    assert_eq!(held.unstick(&level, u32::MAX), None);
}
