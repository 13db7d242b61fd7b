//! Movers over many steps: never in a solid, without gaining energy, never frozen, equal in every run, and
//! mirrored in a mirrored level.

use bitwall::glam::{I64Vec2, IVec2};
use bitwall::mover::{MovePath, Response, WalkSpeed};
use bitwall::{Aabb, Axis, Dir, Level, Move, Mover};

use crate::support::{SubpixelSteps, VelocityLeft, rounded};
use fastrand::Rng;

use crate::movement::oracle::Seen;
use crate::movement::properties::{is_plain, most_moved, turns};
use crate::movement::random::{PIXEL, Plan, Symmetry, settings, translation};
use crate::world::long::{run, steps};

/// The number of movers in each level.
const MOVERS: usize = 16;
const STEPS: usize = 32;

/// A random level and its mirrored or turned image.
struct Ground {
    plan: Plan,
    level: Level,
    /// An equal level that was built separately. Each step is repeated in it with a prepared size.
    copy: Level,
    symmetry: Symmetry,
    image: Level,
}

impl Ground {
    fn random(random: &mut Rng) -> Self {
        let plan = Plan::random(random);
        let symmetry = Symmetry::ALL[random.usize(0..3)];
        let (level, copy) = (plan.level(), plan.level());
        let image = symmetry.plan(&plan).level();
        Self { plan, level, copy, symmetry, image }
    }

    /// True if the body is close enough to the level to meet something.
    fn is_near(&self, body: Aabb) -> bool {
        let size = self.plan.size * self.plan.cell;
        let near = Aabb { min: IVec2::splat(-200), max: size + IVec2::splat(200) };
        near.overlaps(body)
    }

    /// Takes one step, and checks all invariants.
    fn step(&self, before: Mover, translation: I64Vec2) -> (Mover, Move) {
        let mut after = before;
        let step = after.step_subpixels(&self.level, translation);
        let case = || {
            let Self { plan, symmetry, .. } = self;
            format!("{symmetry:?} {plan}{before:?}\nby {translation}: {after:?}\n{step:?}")
        };
        let mut again = before;
        let mut copy = self.copy.clone();
        copy.prepare(before.body.size());
        assert_eq!(again.step_subpixels(&copy, translation), step, "again: {}", case());
        assert_eq!(again, after, "again: {}", case());
        self.check_solids(&before, &after, &step, &case);
        check_distance(&before, &after, &step, translation, &case);
        self.check_motion(&before, &step, translation, &case);
        check_energy(&step, translation, &case);
        self.check_image(&before, &after, &step, translation, &case);
        (after, step)
    }

    fn check_solids(&self, before: &Mover, after: &Mover, step: &Move, case: &dyn Fn() -> String) {
        let is_inside = |mover: &Mover| self.level.overlaps(mover.body);
        assert_eq!(step.started_solid, is_inside(before), "{}", case());
        if !step.started_solid && before.settings.response != Response::Cross {
            assert!(!is_inside(after), "in a solid: {}", case());
        }
    }

    /// Checks that a body which did not move was stopped. A sliding body must be blocked on each axis with
    /// whole pixels to move; a body that stops or moves straight must be blocked on one of them. A body that
    /// moves straight and stops may also have met a corner.
    fn check_motion(
        &self,
        before: &Mover,
        step: &Move,
        translation: I64Vec2,
        case: &dyn Fn() -> String,
    ) {
        let settings = &before.settings;
        let has_stayed = step.asked != IVec2::ZERO && step.moved == IVec2::ZERO;
        let bounces = matches!(settings.response, Response::Bounce { .. });
        if !has_stayed || step.started_solid || bounces {
            return;
        }
        let touching = before.touching(&self.level);
        let is_straight = matches!(settings.path, MovePath::Straight(_));
        let is_sliding = settings.response == Response::Slide && !is_straight;
        let is_cornered = settings.response == Response::Stop && is_straight && step.is_stopped();
        let due = match is_sliding {
            true => step.asked.as_i64vec2(),
            false => translation + before.subpixel.as_i64vec2(),
        };
        let due = Dir::ALL.into_iter().filter(|dir| due.dot(dir.vector().as_i64vec2()) > 0);
        // A motion straight into a slanted wall has a contact on one axis, and is undone on the other.
        let is_aside = |dir| settings.corner_correction.get(dir) > 0;
        let is_sliding = is_sliding && !due.clone().any(is_aside);
        // A slope that is too steep stops the body one step before it is detected.
        let mut held = due.map(|dir| touching.get(dir) || step.contacts.get(dir).is_some());
        let is_held = if is_sliding { held.all(|held| held) } else { held.any(|held| held) };
        let crosses = settings.response == Response::Cross;
        assert!((is_held || is_cornered) && !crosses, "frozen: {}", case());
    }

    fn check_image(
        &self,
        before: &Mover,
        after: &Mover,
        step: &Move,
        translation: I64Vec2,
        case: &dyn Fn() -> String,
    ) {
        let symmetry = self.symmetry;
        if symmetry == Symmetry::Turn && !turns(before, step) {
            return;
        }
        let size = self.plan.size * self.plan.cell;
        let mut image = symmetry.mover(*before, size);
        let there = image.step_subpixels(&self.image, symmetry.long_vector(translation));
        let expected = symmetry.seen(Seen::of(after, step), size);
        assert_eq!(Seen::of(&image, &there), expected, "in the image: {}", case());
    }
}

/// Checks that a body moves no further than requested and than its corrections allow. Without corrections and
/// contacts it moves exactly as requested.
fn check_distance(
    before: &Mover,
    after: &Mover,
    step: &Move,
    translation: I64Vec2,
    case: &dyn Fn() -> String,
) {
    let settings = &before.settings;
    assert_eq!(after.body.size(), before.body.size(), "{}", case());
    assert_eq!(after.body.min - before.body.min, step.moved, "{}", case());
    assert!(after.subpixel.abs().cmplt(IVec2::splat(PIXEL as i32)).all(), "{}", case());
    let asked = translation + before.subpixel.as_i64vec2();
    // Along a slope the requested distance is shorter.
    if settings.walk_speed == WalkSpeed::AlongAxis || !step.was_grounded {
        assert_eq!(step.asked.as_i64vec2(), asked / PIXEL, "{}", case());
    }
    let most = most_moved(settings, step);
    assert!(step.moved.abs().cmple(most).all(), "too far: {}", case());
    if is_plain(settings) && !step.is_stopped() {
        let done = step.moved.as_i64vec2() * PIXEL + after.subpixel.as_i64vec2();
        assert_eq!(done, asked, "{}", case());
    }
    if is_plain(settings) && settings.response == Response::Slide {
        assert_eq!(step.moved + step.leftover, step.asked, "{}", case());
    }
}

/// Checks that the speed grows on no axis, and changes sign only in a bounce. After a bounce off a slanted
/// surface, the length of the velocity is checked instead.
fn check_energy(step: &Move, before: I64Vec2, case: &dyn Fn() -> String) {
    let after = step.velocity_subpixels(before);
    if step.slanted_bounce().is_some() {
        let square = |velocity: I64Vec2| velocity.x.pow(2) + velocity.y.pow(2);
        // Beyond 256 pixels, the velocity is rounded to `f32`.
        let error = if before.abs().max_element() > 256 * PIXEL { square(before) >> 22 } else { 0 };
        assert!(square(after) <= square(before) + error, "faster: {}", case());
        return;
    }
    for axis in [Axis::X, Axis::Y] {
        let [was, is] = [before, after].map(|velocity| velocity[axis as usize]);
        assert!(is.abs() <= was.abs(), "faster: {}", case());
        let is_turned = is != 0 && (is > 0) != (was > 0);
        assert_eq!(is_turned, is != 0 && step.bounces(axis) % 2 == 1, "turned: {}", case());
    }
}

/// Returns the velocity for the next step: unchanged, falling, or a new random one, sometimes of hundreds of
/// pixels.
fn steered(random: &mut Rng, mover: &Mover, velocity: I64Vec2) -> I64Vec2 {
    match random.u8(0..32) {
        0 => rounded(translation(random) * random.i64(1..60)),
        1..10 => translation(random),
        10..20 => {
            let down = mover.settings.floor.unwrap_or(Dir::Down);
            rounded(velocity + down.vector().as_i64vec2() * random.i64(0..PIXEL))
        }
        _ => velocity,
    }
}

fn round(seed: u64) -> usize {
    let random = &mut Rng::with_seed(seed);
    let ground = Ground::random(random);
    let mut count = 0;
    for _ in 0..MOVERS {
        let settings = settings(random);
        let mut mover = ground.plan.mover(random, &ground.level, settings);
        let mut velocity = translation(random);
        for _ in 0..STEPS {
            let step;
            (mover, step) = ground.step(mover, velocity);
            count += 1;
            if !ground.is_near(mover.body) {
                break;
            }
            velocity = steered(random, &mover, step.velocity_subpixels(velocity));
        }
    }
    count
}

#[test]
fn movers_keep_the_invariants_in_every_step() {
    run("movers_keep_the_invariants_in", 0, steps(3_000_000, 15_000), round);
}

#[test]
fn movers_keep_the_invariants_on_more_seeds() {
    run("movers_keep_the_invariants_on", 1 << 32, steps(3_000_000, 15_000), round);
}
