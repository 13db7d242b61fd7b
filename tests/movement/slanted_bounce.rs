//! Tests of a body that bounces off a slanted surface.

use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::{
    Aabb, Axis, Grid, Level, Mover, MoverSettings, Outside,
    geometry::Corners,
    mover::{MovePath, Response},
};

use crate::movement::random::{PIXEL, Plan, settings, translation};
use crate::support::{SubpixelSteps, VelocityLeft, cells, ground, rounds};

const PATHS: [MovePath; 4] = [
    MovePath::XThenY,
    MovePath::YThenX,
    MovePath::Straight(Corners::Block),
    MovePath::Straight(Corners::Pass),
];

/// Creates a floor that rises by `rise` pixels for each `run` pixels to the right and passes through (100,
/// 100).
fn slope(rise: i32, run: i32) -> Level {
    let mut grid = Grid::new(200, 200).unwrap();
    for column in 0..200 {
        let row = 100 - (column - 100) * rise / run;
        let row = row.clamp(0, 199) as u32;
        grid.fill(column as u32..column as u32 + 1, row..200, true).unwrap();
    }
    cells(grid, 1).with_outside(Outside::Open)
}

fn bouncing(at: IVec2, path: MovePath, restitution: u8) -> Mover {
    let response = Response::Bounce { restitution };
    let settings = MoverSettings { path, response, ..MoverSettings::PLAIN };
    Mover::new(Aabb::from_xywh(at.x, at.y, 6, 6), settings)
}

#[test]
fn a_box_that_falls_onto_a_slope_of_45_degrees_bounces_sideways() {
    let level = slope(1, 1);
    for path in PATHS {
        let mut ball = bouncing(IVec2::new(90, 60), path, 100);
        let mut velocity = I64Vec2::new(0, 8 * PIXEL);
        let mut bounces = 0;
        for _ in 0..8 {
            let step = ball.step_subpixels(&level, velocity);
            velocity = step.velocity_subpixels(velocity);
            bounces += usize::from(step.slanted_bounce() == Some(IVec2::NEG_ONE));
        }
        assert_eq!((velocity, bounces), (I64Vec2::new(-8 * PIXEL, 0), 1), "{path:?}");
        // The box fell 40 px minus the height of the slope at this column, and went left with the rest of the
        // 64 px.
        let fallen = ball.body.min.y - 60;
        assert_eq!(90 - ball.body.min.x, 64 - fallen, "{path:?}");
    }
}

#[test]
fn a_bounce_keeps_the_velocity_along_the_slope_and_reduces_the_rest() {
    // The slope rises 2 px per px, so its normal is (-2, -1). The motion (0, 5) is -1 times the normal plus
    // (-2, 4) along the slope.
    let level = slope(2, 1);
    for (restitution, after) in [(100, [-4, 3]), (50, [-3, 3]), (1, [-2, 3])] {
        let mut ball = bouncing(IVec2::new(94, 70), MovePath::XThenY, restitution);
        let velocity = loop {
            let step = ball.step(&level, [0.0, 5.0]).unwrap();
            if let Some(normal) = step.slanted_bounce() {
                assert_eq!(normal, IVec2::new(-2, -1));
                break step.velocity([0.0_f32, 5.0]);
            }
        };
        assert_eq!(velocity.map(|speed| speed as i32), after, "{restitution}: {velocity:?}");
    }
}

#[test]
fn no_slanted_bounce_gains_speed_or_moves_further_than_asked() {
    let mut random = fastrand::Rng::with_seed(112);
    let mut bounced = 0;
    for _ in 0..rounds(4_000) {
        let plan = Plan::random(&mut random);
        let level = plan.level();
        for _ in 0..20 {
            let response = Response::Bounce { restitution: random.u8(1..=100) };
            let corner_correction = MoverSettings::PLAIN.corner_correction;
            let settings =
                MoverSettings { response, floor: None, corner_correction, ..settings(&mut random) };
            let mut mover = plan.mover(&mut random, &level, settings);
            let asked = translation(&mut random);
            let total = (asked + mover.subpixel.as_i64vec2()).abs();
            let step = mover.step_subpixels(&level, asked);
            let after = step.velocity_subpixels(asked);
            let square =
                |vector: I64Vec2| i128::from(vector.x).pow(2) + i128::from(vector.y).pow(2);
            assert!(square(after) <= square(asked), "{plan}{mover:?} by {asked}: {after}");
            // The motion of each axis alone, which a bounce may then turn to the other axis.
            let most = (total / PIXEL).element_sum() as i32 + 2;
            assert!(step.moved.abs().max_element() <= most, "{plan}{mover:?} by {asked}");
            bounced += usize::from(step.slanted_bounce().is_some());
        }
    }
    assert!(bounced > rounds(4_000) / 2, "{bounced}");
}

#[test]
fn a_box_that_bounces_in_a_valley_without_a_loss_keeps_its_speed() {
    // Two slopes of 45 degrees that meet at the bottom.
    let mut grid = Grid::new(400, 400).unwrap();
    for column in 0..400_u32 {
        grid.fill(column..column + 1, 400 - column.abs_diff(200)..400, true).unwrap();
    }
    let level = Level::from_grid(grid, UVec2::ONE).unwrap();
    for path in PATHS {
        let mut ball = bouncing(IVec2::new(100, 90), path, 100);
        let mut velocity = I64Vec2::new(2 * PIXEL, 5 * PIXEL);
        let square = |velocity: I64Vec2| velocity.x.pow(2) + velocity.y.pow(2);
        let speed = square(velocity);
        let mut bounces = 0;
        for _ in 0..10_000 {
            let step = ball.step_subpixels(&level, velocity);
            velocity = step.velocity_subpixels(velocity);
            bounces += usize::from(step.slanted_bounce().is_some());
        }
        assert!(bounces > 20, "{path:?} {bounces}");
        assert!(square(velocity) <= speed && square(velocity) * 1000 > speed * 999, "{path:?}");
    }
}

#[test]
fn a_motion_parallel_to_a_slope_is_not_a_bounce() {
    let level = slope(1, 1);
    for path in [MovePath::XThenY, MovePath::YThenX] {
        // The lower right corner of the box is in front of a stair.
        let mut ball = bouncing(IVec2::new(90, 99), path, 100);
        let step = ball.step_subpixels(&level, I64Vec2::new(5, -5) * PIXEL);
        assert_eq!((step.moved, step.leftover), (IVec2::new(5, -5), IVec2::ZERO), "{path:?}");
        assert_eq!(step.slanted_bounce(), None, "{path:?}");
        assert!(!step.is_stopped(), "{path:?}");
    }
}

#[test]
fn a_slanted_bounce_does_not_change_a_velocity_that_leads_away_from_the_slope() {
    let level = slope(1, 1);
    let mut ball = bouncing(IVec2::new(90, 95), MovePath::XThenY, 100);
    let step = ball.step_subpixels(&level, I64Vec2::new(0, 8 * PIXEL));
    assert_eq!(step.slanted_bounce(), Some(IVec2::NEG_ONE));
    assert_ne!(step.moved, IVec2::ZERO);
    for (x, y) in [(0, -8), (-8, 0), (-3, -5), (2, -8), (-8, 2), (4, -4)] {
        let away = I64Vec2::new(x, y) * PIXEL;
        assert_eq!(step.velocity_subpixels(away), away);
    }
    assert_eq!(step.velocity_subpixels(I64Vec2::new(0, PIXEL)), I64Vec2::new(-PIXEL, 0));
}

/// The ends of this floor differ by 2 px in height, but the straight line that fits it best is level.
#[test]
fn a_bump_and_a_hollow_that_even_out_are_no_slanted_surface() {
    let depths = [-1, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, -1, -1, 0, 0, 0, 1];
    let height = |column: i32| 20 - depths[(column - 12).clamp(0, 16) as usize];
    let level = cells(ground(UVec2::new(40, 60), height), 1);
    let settings = bouncing(IVec2::ZERO, MovePath::XThenY, 100).settings;
    let mut ball = Mover::new(Aabb::from_xywh(20, 36, 1, 1), settings);
    let step = ball.step_subpixels(&level, I64Vec2::new(0, 5 * PIXEL));
    assert_eq!((step.slanted_bounce(), step.bounces(Axis::Y)), (None, 1));
    assert_eq!(step.moved, IVec2::new(0, 1), "3 px down and 2 px up");
}
