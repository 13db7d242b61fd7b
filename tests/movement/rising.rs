//! Bodies that rise through one-way floors: a one-way floor counts only for a body whose own velocity does not
//! lead away from it. All tests run in the eight orientations of the plane.

use bitwall::glam::{I64Vec2, IVec2};
use bitwall::{Aabb, Dir, Level, Mover, MoverSettings, Outside, Sides};
use fastrand::Rng;

use crate::movement::random::{PIXEL, Plan, Symmetry};
use crate::support::{SubpixelSteps, VelocityLeft, rounds};

/// One of the eight orientations of the plane, as the symmetries that lead to it.
pub(crate) type Orientation = &'static [Symmetry];

pub(crate) const ORIENTATIONS: [Orientation; 8] = [
    &[],
    &[Symmetry::MirrorX],
    &[Symmetry::MirrorY],
    &[Symmetry::MirrorX, Symmetry::MirrorY],
    &[Symmetry::Turn],
    &[Symmetry::Turn, Symmetry::MirrorX],
    &[Symmetry::Turn, Symmetry::MirrorY],
    &[Symmetry::Turn, Symmetry::MirrorX, Symmetry::MirrorY],
];

/// A level with a one-way floor across it at y = 48, in one orientation, and a mover in it.
struct Scene {
    orientation: Orientation,
    level: Level,
    mover: Mover,
}

impl Scene {
    /// Creates the scene of `plan`, which is a square, with a mover at `body`.
    fn new(orientation: Orientation, plan: Plan, body: Aabb) -> Self {
        let size = plan.size * plan.cell;
        let mut mover = Mover::new(body, MoverSettings::platformer());
        let mut turned = plan;
        for symmetry in orientation {
            turned = symmetry.plan(&turned);
            mover = symmetry.mover(mover, size);
        }
        Self { orientation, level: turned.level(), mover }
    }

    /// Moves by `velocity`, which is turned first. Returns the velocity after the step, turned back, and the
    /// step.
    fn step(&mut self, velocity: I64Vec2) -> (I64Vec2, bitwall::Move) {
        let turned = |velocity, symmetry: &Symmetry| symmetry.long_vector(velocity);
        let step =
            self.mover.step_subpixels(&self.level, self.orientation.iter().fold(velocity, turned));
        let after = step.velocity_subpixels(self.orientation.iter().fold(velocity, turned));
        (self.orientation.iter().rev().fold(after, turned), step)
    }

    /// The distance from the body's feet up to the floor.
    fn below(&self) -> i64 {
        let body = self.mover.body;
        let far = 8 * 16 - 48; // The floor's distance from the opposite side of the level.
        i64::from(match self.mover.settings.floor.unwrap() {
            Dir::Down => body.max.y - 48,
            Dir::Right => body.max.x - 48,
            Dir::Up => far - body.min.y,
            Dir::Left => far - body.min.x,
        })
    }
}

fn one_way_plan() -> Plan {
    let mut plan = Plan::blank(IVec2::splat(8), IVec2::splat(16));
    let up = Dir::ALL.iter().position(|dir| *dir == Dir::Up).unwrap();
    (3 * 8..4 * 8).for_each(|at| plan.guards[up][at] = true);
    plan.outside = Sides::all(Outside::Open);
    plan
}

#[test]
fn a_body_that_rises_through_a_one_way_floor_stands_on_it_only_after_it_has_fallen() {
    let mut at_the_edge = 0;
    for seed in 0..rounds(500) as u64 {
        for orientation in ORIENTATIONS {
            let mut random = Rng::with_seed(seed);
            let feet = random.i32(49..110);
            let body = Aabb::from_xywh(random.i32(10..100), feet - 20, 12, 20);
            let mut scene = Scene::new(orientation, one_way_plan(), body);
            let gravity = random.i64(PIXEL / 20..PIXEL / 2);
            // Half of the bodies rise by whole pixels, and reach the edge exactly more often.
            let speed = match random.bool() {
                true => random.i64(1..12) * PIXEL,
                false => random.i64(PIXEL..12 * PIXEL),
            };
            let mut velocity = I64Vec2::new(random.i64(-PIXEL..PIXEL) / 32, -speed);
            let (mut landings, mut was_above) = (0, false);
            for _ in 0..600 {
                let (after, step) = scene.step(velocity);
                let case = || format!("seed {seed} {orientation:?} {velocity} {:?}", scene.mover);
                // The naive rule: the feet are at the edge, and the velocity does not lead up.
                let is_held = scene.below() == 0 && after.y >= 0;
                assert_eq!(step.grounded, is_held, "{}", case());
                assert_eq!(scene.mover.steps_since_grounded == 0, is_held, "{}", case());
                assert!(!step.was_grounded || landings > 0, "{}", case());
                at_the_edge += u32::from(scene.below() == 0 && after.y < 0);
                was_above |= scene.below() <= 0;
                landings += u32::from(step.landed());
                velocity = after;
                if step.grounded || scene.below() > 200 {
                    break;
                }
                velocity.y += gravity;
            }
            assert_eq!(landings, u32::from(was_above), "seed {seed} {orientation:?}");
        }
    }
    assert!(at_the_edge > rounds(600) as u32, "{at_the_edge} steps end at the edge in the rise");
}

#[test]
fn a_jump_from_a_one_way_floor_leaves_it_in_one_step() {
    for orientation in ORIENTATIONS {
        // A fraction of a pixel too: the feet are then still at the edge after the step.
        for speed in [PIXEL / 8, PIXEL, 4 * PIXEL] {
            let mut scene =
                Scene::new(orientation, one_way_plan(), Aabb::from_xywh(50, 28, 12, 20));
            let (_, step) = scene.step(I64Vec2::new(0, PIXEL / 4));
            assert!(step.grounded && step.landed() == !step.was_grounded);
            let (_, step) = scene.step(I64Vec2::new(0, -speed));
            assert!(step.was_grounded && !step.grounded && step.left_floor(), "{orientation:?}");
            let (_, step) = scene.step(I64Vec2::new(0, -PIXEL / 8));
            assert!(!step.was_grounded && !step.grounded, "{orientation:?}");
        }
    }
}

#[test]
fn a_jump_that_a_ceiling_stops_at_once_does_not_leave_a_one_way_floor() {
    for orientation in ORIENTATIONS {
        let mut plan = one_way_plan();
        (8..16).for_each(|at| plan.solid[at] = true); // The second row, down to y = 32.
        let mut scene = Scene::new(orientation, plan, Aabb::from_xywh(50, 32, 12, 16));
        assert!(scene.step(I64Vec2::new(0, PIXEL / 4)).1.grounded);
        let (after, step) = scene.step(I64Vec2::new(0, -3 * PIXEL));
        assert_eq!(after, I64Vec2::ZERO);
        assert!(step.was_grounded && step.grounded && !step.landed(), "{orientation:?}");
    }
}

/// The body's subpixel can lead down while its velocity leads up: the floor then stops the last fraction of
/// a pixel, but the body is already on its way up.
#[test]
fn a_body_whose_velocity_has_just_turned_up_does_not_land() {
    for orientation in ORIENTATIONS {
        let mut scene = Scene::new(orientation, one_way_plan(), Aabb::from_xywh(50, 26, 12, 20));
        scene.step(I64Vec2::new(0, 2 * PIXEL - PIXEL / 4)); // to 46 + 1.75
        let (after, step) = scene.step(I64Vec2::new(0, PIXEL / 8 - PIXEL / 4));
        assert!(after.y < 0 && !step.grounded, "{orientation:?} {step:?}");
    }
}
