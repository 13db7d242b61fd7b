//! Bodies that bounce under gravity: the height that they gain, the speed after losses, and that none hangs
//! still while its velocity grows.

use bitwall::glam::{I64Vec2, IVec2};
use bitwall::{
    Mover, MoverSettings,
    geometry::Corners,
    mover::{MovePath, Response},
};
use fastrand::Rng;

use super::{Ground, SIZE};
use crate::movement::random::PIXEL;
use crate::support::{SubpixelSteps, VelocityLeft, rounds};

/// The paths that suit a floor below: each moves along the floor first.
const PATHS: [MovePath; 3] =
    [MovePath::XThenY, MovePath::Straight(Corners::Block), MovePath::Straight(Corners::Pass)];

/// A bouncing body, with its velocity before the next gravity.
#[derive(Clone, Copy, Debug)]
struct Bouncer {
    mover: Mover,
    velocity: I64Vec2,
    gravity: i64,
}

impl Bouncer {
    /// Creates a body at rest above the ground.
    fn new(
        random: &mut Rng,
        ground: &Ground,
        path: MovePath,
        restitution: u8,
        gravity: i64,
    ) -> Self {
        let settings = MoverSettings {
            path,
            response: Response::Bounce { restitution },
            ..MoverSettings::PLAIN
        };
        let side = random.i32(2..12);
        let mover = Mover::new(ground.drop(random, [side, side], 150), settings);
        Self { mover, velocity: I64Vec2::ZERO, gravity }
    }

    /// Takes one step under gravity. Returns true if the body moved.
    fn step(&mut self, ground: &Ground) -> bool {
        self.velocity.y += self.gravity;
        let step = self.mover.step_subpixels(&ground.level, self.velocity);
        self.velocity = step.velocity_subpixels(self.velocity);
        step.moved != IVec2::ZERO
    }

    /// Returns the speed in pixels per step.
    fn speed(&self) -> f64 {
        self.velocity.as_dvec2().length() / PIXEL as f64
    }

    /// Returns the speed, divided by the speed that gravity adds per step.
    fn steps_of_gravity(&self) -> f64 {
        self.velocity.as_dvec2().length() / self.gravity as f64
    }

    /// Returns the height, in pixels, that the body's energy would lift it to. Free flight in whole steps
    /// keeps this height if it is computed with the velocity in the middle of a step.
    fn height(&self) -> f64 {
        let gravity = self.gravity as f64 / PIXEL as f64;
        let mut velocity = self.velocity.as_dvec2() / PIXEL as f64;
        velocity.y += gravity / 2.0;
        let top = f64::from(SIZE.y) - self.mover.position().y;
        top + velocity.length_squared() / (2.0 * gravity)
    }
}

#[test]
fn a_bounce_gains_at_most_the_length_of_its_step_plus_3_pixels_of_height() {
    // A bounce turns the body back by the rest of the step, so the body may be up to one step too high or too
    // low for its speed. A slope adds a pixel or two: the largest gain was 2.2 px.
    let mut random = Rng::with_seed(116);
    for round in 0..rounds(600) {
        let ground = Ground::random(&mut random);
        let gravity = [PIXEL / 20, PIXEL / 5, PIXEL / 2][round % 3];
        let mut ball = Bouncer::new(&mut random, &ground, PATHS[round / 3 % 3], 100, gravity);
        let mut speed = || random.i64(-4 * PIXEL..4 * PIXEL);
        ball.velocity = I64Vec2::new(speed(), speed());
        for _ in 0..2_000 {
            let before = ball;
            ball.step(&ground);
            let gain = ball.height() - before.height();
            let length = before.speed() + gravity as f64 / PIXEL as f64;
            assert!(gain <= length + 3.0, "{gain} px by {before:?} on {}", ground.form);
        }
    }
}

#[test]
fn bounces_gain_at_most_300_pixels_without_loss_and_10_with_5_percent_loss() {
    // In 10,000 steps with a gravity of 0.2 px, 240 bodies without a loss rose by 50 px in the median, and by
    // at most 265 px. A point in floats that bounces off exact slopes, with the same steps of gravity, also
    // rises: by 20 px in the median, and by at most 144 px.
    for (restitution, most) in [(100, 300), (95, 10)] {
        let mut random = Rng::with_seed(117);
        for round in 0..rounds(240) {
            let ground = Ground::random(&mut random);
            let mut ball =
                Bouncer::new(&mut random, &ground, PATHS[round % 3], restitution, PIXEL / 5);
            let start = ball;
            let mut top = start.mover.body.min.y;
            for _ in 0..10_000 {
                ball.step(&ground);
                top = top.min(ball.mover.body.min.y);
            }
            let rise = start.mover.body.min.y - top;
            assert!(rise <= most, "{rise} px by {start:?} on {}", ground.form);
        }
    }
}

#[test]
fn a_ball_that_loses_speed_in_bounces_is_slow_after_2_000_steps() {
    // After 2,000 steps, on a floor and in a valley.
    for (restitution, most) in [(0, 0), (30, 4), (50, 4), (80, 5), (90, 10), (95, 18)] {
        let mut random = Rng::with_seed(118);
        for round in 0..rounds(120) {
            let forms = [|_: &mut Rng| Ground::floor(), Ground::valley];
            let ground = forms[round % 2](&mut random);
            let gravity = [PIXEL / 5, PIXEL / 2][round / 2 % 2];
            let path = PATHS[round / 4 % 3];
            let mut ball = Bouncer::new(&mut random, &ground, path, restitution, gravity);
            let start = ball;
            for _ in 0..2_000 {
                ball.step(&ground);
            }
            for _ in 0..400 {
                ball.step(&ground);
                let speed = ball.steps_of_gravity();
                assert!(speed <= f64::from(most), "{speed} by {start:?} on {}", ground.form);
            }
        }
    }
}

#[test]
fn a_bouncing_body_that_stands_still_has_a_low_velocity() {
    let mut random = Rng::with_seed(119);
    for round in 0..rounds(900) {
        let ground = Ground::random(&mut random);
        let restitution = [1, 30, 50, 80, 95, 100][random.usize(..6)];
        let gravity = [PIXEL / 20, PIXEL / 5, PIXEL / 2, PIXEL][random.usize(..4)];
        let path = [MovePath::YThenX, PATHS[0], PATHS[1], PATHS[2]][round % 4];
        let mut ball = Bouncer::new(&mut random, &ground, path, restitution, gravity);
        let mut speed = || random.i64(-3 * PIXEL..3 * PIXEL);
        ball.velocity = I64Vec2::new(speed(), speed());
        let start = ball;
        let mut still = 0;
        for _ in 0..1_000 {
            still = if ball.step(&ground) { 0 } else { still + 1 };
            // Between a wall and a slope of 3:1, a step takes a tenth of the speed.
            let is_slow = ball.steps_of_gravity() <= 6.0;
            assert!(still < 50 || is_slow, "{start:?} at {ball:?} on {}", ground.form);
        }
    }
}
