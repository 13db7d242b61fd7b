//! Free flight: the shortcut that decides a step by one query gives the same result as the full motion.

use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::{Aabb, Grid, Level, Mover, Outside, Terrain};

use crate::movement::random::{PIXEL, Plan, settings};
use crate::support::{SubpixelSteps, rounds};

/// Returns the body as if it had stood on a floor after its last step.
fn grounded(mover: Mover) -> Mover {
    Mover { steps_since_grounded: 0, ..mover }
}

#[test]
fn a_step_in_the_air_does_not_depend_on_whether_the_body_was_grounded_before() {
    let mut random = fastrand::Rng::with_seed(211);
    let mut free = 0;
    for round in 0..rounds(2_000) {
        let plan = Plan::random(&mut random);
        let level = plan.level();
        for _ in 0..40 {
            let settings = settings(&mut random);
            let mut mover = plan.mover(&mut random, &level, settings);
            if round % 3 == 0 {
                let end = [i32::MIN, i32::MAX][random.usize(..2)];
                mover.body =
                    mover.body.translated(IVec2::new(0, end).saturating_sub(mover.body.min));
                mover.body = mover.body.translated(IVec2::splat(random.i32(-40..40)));
            }
            match random.u8(0..30) {
                0 => mover.body.max = mover.body.min,
                1 => (mover.body.min.x, mover.body.max.x) = (mover.body.max.x, mover.body.min.x),
                _ => {}
            }
            mover.steps_since_grounded = random.u32(1..9);
            let far = [PIXEL / 2, 6 * PIXEL, 40 * PIXEL][random.usize(..3)];
            let asked = I64Vec2::new(random.i64(-far..=far), random.i64(-far..=far));
            let (mut whole, mut flown) = (grounded(mover), mover);
            let expected = whole.step_subpixels(&level, asked);
            let mut step = flown.step_subpixels(&level, asked);
            assert!(!step.was_grounded);
            step.was_grounded = expected.was_grounded;
            let up = settings.floor.map(|floor| -floor.vector().as_i64vec2());
            if up.is_some_and(|up| (asked * up).element_sum() > 0) && expected.was_grounded {
                continue; // A body in the air does not walk along a one-way floor from which it rises.
            }
            assert_eq!(step, expected, "{mover:?} {asked}\n{plan}");
            assert_eq!((flown.body, flown.subpixel), (whole.body, whole.subpixel));
            let is_grounded = whole.steps_since_grounded == 0;
            assert_eq!(flown.steps_since_grounded == 0, is_grounded);
            free += u32::from(!expected.is_stopped() && !expected.grounded);
        }
    }
    assert!(free > 1_000, "{free}");
}

/// Adds an empty area to the level, which turns off the shortcut for free flight.
fn watched(level: &Level) -> Level {
    let area = Terrain::new(Grid::new(1, 1).unwrap(), UVec2::ONE).unwrap();
    level.clone().with_area("empty", area.with_outside(Outside::Open))
}

#[test]
fn a_step_with_the_shortcut_for_free_paths_equals_one_without_it() {
    let mut random = fastrand::Rng::with_seed(223);
    let (mut flown, mut jumped) = (0, 0);
    for _ in 0..rounds(2_000) {
        let plan = Plan::random(&mut random);
        let level = plan.level();
        let watched = watched(&level);
        for _ in 0..40 {
            let settings = settings(&mut random);
            let start = plan.mover(&mut random, &level, settings);
            let far = [PIXEL / 2, 6 * PIXEL, 40 * PIXEL][random.usize(..3)];
            let asked = I64Vec2::new(random.i64(-far..=far), random.i64(-far..=far));
            let (mut whole, mut mover) = (start, start);
            let expected = whole.step_subpixels(&watched, asked);
            assert_eq!(mover.step_subpixels(&level, asked), expected, "{start:?} {asked}\n{plan}");
            assert_eq!(mover, whole);
            let is_free = !expected.is_stopped() && !expected.grounded;
            flown += u32::from(is_free && !expected.was_grounded);
            jumped += u32::from(is_free && expected.was_grounded);
        }
    }
    assert!(flown > 1_000 && jumped > 100, "{flown} {jumped}");
}

#[test]
fn a_box_with_min_and_max_exchanged_is_stopped_in_the_air_as_on_a_floor() {
    let level = crate::support::ascii("..........##........");
    let body = Aabb { min: IVec2::new(20, 0), max: IVec2::new(10, 1) };
    let mover = Mover::new(body, bitwall::MoverSettings::PLAIN);
    let (mut whole, mut flown) = (grounded(mover), mover);
    let asked = I64Vec2::new(2 * PIXEL, 0);
    assert_eq!(flown.step_subpixels(&level, asked), whole.step_subpixels(&level, asked));
}
