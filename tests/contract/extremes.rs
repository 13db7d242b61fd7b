//! Extreme numbers in every field: no arithmetic leaves its range, and no step takes long.
//!
//! Tests run with overflow checks, so a sum that leaves its range panics.

use std::time::Duration;

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::world::{Body, Pairs, World};
use bitwall::{
    Aabb, Axis, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside, Rate, Sides, Terrain,
    geometry::Corners,
    mover::{MovePath, Response, Slope, WalkSpeed},
};
use fastrand::Rng;

use crate::support::{Stopwatch, SubpixelSteps, Subpixels, VelocityLeft, blank};

const PIXEL: i64 = Mover::SUBPIXELS as i64;

fn coordinate(random: &mut Rng) -> i32 {
    match random.u8(0..8) {
        0 => i32::MIN,
        1 => i32::MAX,
        2 => i32::MIN + random.i32(0..9),
        3 => i32::MAX - random.i32(0..9),
        4 => random.i32(..),
        _ => random.i32(-20..60),
    }
}

fn speed(random: &mut Rng) -> i64 {
    match random.u8(0..8) {
        0 => i64::MIN,
        1 => i64::MAX,
        2 => random.i64(..),
        3 => i64::from(random.i32(..)) * PIXEL + random.i64(0..PIXEL),
        _ => random.i64(-40 * PIXEL..40 * PIXEL),
    }
}

fn count(random: &mut Rng) -> u32 {
    [0, 1, u32::MAX, u32::MAX - 1, 1 << 31, random.u32(..), random.u32(0..64)][random.usize(0..7)]
}

fn point(random: &mut Rng) -> IVec2 {
    IVec2::new(coordinate(random), coordinate(random))
}

fn vector(random: &mut Rng) -> I64Vec2 {
    I64Vec2::new(speed(random), speed(random))
}

/// Returns a random box whose corners may be exchanged.
fn aabb(random: &mut Rng) -> Aabb {
    match random.u8(0..3) {
        0 => Aabb { min: point(random), max: point(random) },
        1 => Aabb { min: IVec2::MIN, max: IVec2::MAX },
        _ => {
            let at = point(random);
            Aabb::from_xywh(at.x, at.y, coordinate(random), random.i32(0..30))
        }
    }
}

fn sides<T: Copy>(mut value: impl FnMut() -> T) -> Sides<T> {
    Sides { left: value(), right: value(), up: value(), down: value() }
}

fn dir(random: &mut Rng) -> Dir {
    Dir::ALL[random.usize(0..4)]
}

fn terrain(random: &mut Rng) -> Terrain {
    let mut grid = Grid::new(random.u32(1..40), random.u32(1..40)).unwrap();
    for _ in 0..random.u32(0..30) {
        grid.set(random.u32(0..40), random.u32(0..40), true).unwrap();
    }
    let cells = [1, 3, 16, 65_536];
    let mut side = || cells[random.usize(0..4)];
    let mut terrain = Terrain::new(grid, UVec2::new(side(), side())).unwrap();
    if random.bool() {
        let (column, row) = (random.u32(0..40), random.u32(0..40));
        let _ = terrain.fill_one_way(dir(random), column..u32::MAX, row..row + 2, true);
    }
    terrain.with_outside(sides(|| [Outside::Open, Outside::Solid][random.usize(0..2)]))
}

fn level(random: &mut Rng) -> Level {
    let level = Level::new(terrain(random));
    if random.bool() { level.with_area("water", terrain(random)) } else { level }
}

fn settings(random: &mut Rng) -> MoverSettings {
    let paths = [
        MovePath::XThenY,
        MovePath::YThenX,
        MovePath::Straight(Corners::Block),
        MovePath::Straight(Corners::Pass),
    ];
    let restitution = [0, 1, 50, 100, 255][random.usize(0..5)];
    let responses =
        [Response::Stop, Response::Slide, Response::Cross, Response::Bounce { restitution }];
    MoverSettings {
        path: paths[random.usize(0..4)],
        response: responses[random.usize(0..4)],
        floor: random.bool().then(|| dir(random)),
        step_height: count(random),
        max_slope: [Slope::VERTICAL, Slope::DIAGONAL][random.usize(0..2)],
        walk_speed: [WalkSpeed::AlongAxis, WalkSpeed::AlongSlope][random.usize(0..2)],
        snap_distance: count(random),
        corner_correction: sides(|| if random.bool() { 0 } else { count(random) }),
        slides_around_corners: random.bool(),
        one_way: sides(|| random.bool()),
    }
}

#[test]
fn a_bounce_reverses_the_longest_translation() {
    let mut mover = Mover::new(Aabb::from_xywh(4, 4, 2, 2), MoverSettings::PLAIN);
    mover.settings.response = Response::Bounce { restitution: 100 };
    let longest = Vec2::new(-2_147_483_520.0, 0.0);
    let step = mover.step(&blank(10, 10), longest).unwrap();
    assert_eq!(step.bounces(Axis::X), 8);
    assert_eq!(step.velocity(longest), longest, "reversed eight times");
    let lowest = Vec2::new(f32::MIN, f32::NAN);
    assert_eq!(step.velocity(lowest).x, f32::MIN, "reversed eight times");
    assert!(step.velocity(lowest).y.is_nan(), "nothing stopped it");
}

#[test]
fn movers_accept_extreme_numbers_without_overflow() {
    let mut random = Rng::with_seed(101);
    let ball = Footprint::circle(9).unwrap();
    for _ in 0..4_000 {
        let level = level(&mut random);
        let mut mover = Mover::new(aabb(&mut random), settings(&mut random));
        // Without this, the mover would walk its floor in many short parts, for minutes if the floor has no
        // end.
        if let Some(floor) = mover.settings.floor {
            let one_way = &mut mover.settings.one_way;
            *one_way = one_way.with(floor.opposite(), true);
        }
        mover.subpixel = point(&mut random);
        for _ in 0..3 {
            let by = vector(&mut random);
            let step = match random.u8(0..3) {
                0 => mover.step_subpixels(&level.with_footprint(&ball), by),
                _ => mover.step_subpixels(&level, by),
            };
            let velocity = vector(&mut random);
            step.velocity_subpixels(velocity);
            step.velocity(velocity.as_vec2());
            mover.touching(&level);
            mover.drop_through(&level);
            mover.unstick(&level, random.u32(0..9));
        }
    }
}

#[test]
fn queries_accept_extreme_numbers_without_overflow() {
    let mut random = Rng::with_seed(102);
    let ball = Footprint::circle(9).unwrap();
    for _ in 0..8_000 {
        let mut terrain = terrain(&mut random);
        let (body, dir, step) = (aabb(&mut random), dir(&mut random), count(&mut random));
        let (one, two) = (point(&mut random), point(&mut random));
        let sweep = terrain.sweep(body, dir, step);
        assert!(terrain.can_move(body, dir, sweep.moved));
        assert!(sweep.is_clear() || !terrain.can_move(body, dir, sweep.moved + 1));
        terrain.sweep_through_one_way(body, dir, step);
        assert_eq!(terrain.solid_area(body) > 0, terrain.overlaps(body));
        terrain.nearest_free(body, dir, step);
        terrain.ray(one, two, Corners::Block);
        terrain.line_of_sight(one, two, Corners::Pass);
        terrain.nearest_solid(one, step);
        terrain.overlap_normal(body);
        terrain.first_overlap(body);
        let cell = terrain.cell_at(one);
        terrain.cell_box(cell);
        terrain.cell_box(two);
        let placed = ball.at(one);
        let sweep = terrain.sweep(placed, dir, step);
        assert!(terrain.can_move(placed, dir, sweep.moved));
        terrain.overlaps(placed);
        terrain.nearest_free(placed, dir, step);
        terrain.overlap_normal(placed);
        ball.overlaps(&ball, one);
        ball.overlap_normal(&ball, two);
        terrain.fill(step..count(&mut random), 0..count(&mut random), true).unwrap();
    }
}

fn body(random: &mut Rng) -> Body {
    let aabb = aabb(random);
    let mut body = match random.u8(0..6) {
        0 => Body::platform(aabb),
        1 => Body::one_way_platform(aabb),
        2 => Body::sensor(aabb),
        3 => Body::character(aabb, settings(random)),
        // Balls are small, so that a step of many stays short in an unoptimized build.
        _ => Body::ball(point(random), random.u32(0..40), random.u16(..)),
    };
    body.subpixel = point(random);
    body.set_velocity_subpixels(vector(random));
    body.set_acceleration_subpixels(vector(random));
    body
}

#[test]
fn worlds_accept_extreme_numbers_without_overflow() {
    let mut random = Rng::with_seed(103);
    for _ in 0..60 {
        let level = level(&mut random);
        let mut world = World::new(Rate::per_second(1));
        for _ in 0..random.u32(1..12) {
            let one = body(&mut random);
            one.velocity_to(point(&mut random));
            world.add(one);
        }
        for _ in 0..4 {
            world.step(&level);
            world.pairs();
        }
        let ids: Vec<_> = world.iter().map(|(id, _)| id).collect();
        for id in ids {
            world.unstick(&level, id, 3);
        }
        let boxes: Vec<Aabb> = (0..60).map(|_| aabb(&mut random)).collect();
        Pairs::default().find(&boxes);
    }
}

/// Runs `work`, which must take less than a second. The faults that this module tests took much longer.
fn in_time(work: impl FnOnce()) {
    let start = Stopwatch::start();
    work();
    let taken = start.elapsed();
    assert!(taken < Duration::from_secs(1), "it took {taken:?}");
}

/// An earlier version took one step per row of the path, 11 s in all, because the body contained solids.
#[test]
fn the_largest_body_moves_on_a_straight_path_in_bounded_time() {
    let mut grid = Grid::new(40, 40).unwrap();
    grid.fill(10..20, 10..20, true).unwrap();
    let level = Level::from_grid(grid, UVec2::splat(16)).unwrap().with_outside(Outside::Open);
    for corners in [Corners::Block, Corners::Pass] {
        for (x, y) in [(1, 1), (-1, 1), (1, -1), (-1, -1), (3, 1), (-1, 3)] {
            let settings =
                MoverSettings { path: MovePath::Straight(corners), ..MoverSettings::PLAIN };
            let half = 1 << 30;
            let body = Aabb { min: IVec2::splat(-half), max: IVec2::splat(half) };
            let mut mover = Mover::new(body, settings);
            in_time(|| {
                let by = I64Vec2::new(x, y) * i64::from(half / 3) * PIXEL;
                let step = mover.step_subpixels(&level, by);
                assert!(step.started_solid);
                let most = i64::from(Mover::MAX_TRANSLATION);
                let expected = I64Vec2::new(x, y) * most / x.abs().max(y.abs());
                assert_eq!(step.moved.as_i64vec2(), expected, "solids in it do not stop it");
            });
        }
    }
}

/// An earlier version took one step per row, because of one-way cells in the path that the mover does not
/// obey.
#[test]
fn a_mover_passes_many_one_way_cells_that_it_ignores_in_bounded_time() {
    let mut guards = Grid::new(64, 1 << 20).unwrap();
    guards.fill(0..64, 0..1 << 20, true).unwrap();
    let cells = UVec2::new(65_536, 8);
    let level = Level::from_grid(Grid::new(64, 1 << 20).unwrap(), cells).unwrap();
    let level = level.with_one_way(Dir::Up, guards).unwrap();
    for corners in [Corners::Block, Corners::Pass] {
        let settings = MoverSettings {
            path: MovePath::Straight(corners),
            one_way: Sides::all(false),
            ..MoverSettings::PLAIN
        };
        let mut mover = Mover::new(Aabb::from_xywh(9, 9, 12, 20), settings);
        let by = I64Vec2::new(4_000_000, 8_000_000);
        in_time(|| {
            let step = mover.step_subpixels(&level, by * PIXEL);
            let most = Mover::MAX_TRANSLATION as i32;
            assert_eq!(step.moved, IVec2::new(most / 2, most));
        });
    }
}

/// In an earlier version some steps took 2 s.
#[test]
fn a_step_of_the_largest_ball_at_the_highest_speed_takes_under_a_second() {
    let mut grid = Grid::new(1_000, 1_000).unwrap();
    grid.fill(0..1_000, 900..1_000, true).unwrap();
    grid.set(500, 500, true).unwrap();
    let level = Level::from_grid(grid, UVec2::splat(16)).unwrap();
    let speed = 1_024 * PIXEL;
    let places = [
        (3_000, 3_000),
        (100, 9_000),
        (5_000, 12_000),
        (-9_000, 4_000),
        (4_000, 20_000),
        (-2_000, -2_000),
    ];
    for (x, y) in places {
        for velocity in [(speed, speed), (speed, 9), (0, -speed), (-speed, speed / 3)] {
            let mut world = World::new(Rate::per_second(1));
            let mut ball = Body::ball(IVec2::new(x, y), u32::MAX, 1);
            ball.set_velocity_subpixels(velocity.into());
            world.add(ball);
            in_time(|| world.step(&level));
        }
    }
}
