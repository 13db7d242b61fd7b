//! Worlds keep their invariants from step to step: no overlap, no lost event, and the same result if the
//! bodies are added in another order, in a mirrored world, and after a rollback.

use std::hash::{DefaultHasher, Hash, Hasher};

use bitwall::Rate;
use bitwall::glam::I64Vec2;
use bitwall::mover::Response;
use bitwall::world::{Body, BodyId, BodyKind, Character, Event, Platform, World};
use bitwall::{Axis, Level};
use fastrand::Rng;

use super::crowd::{Key, Theme, plan};
use super::meetings::Ledger;
use super::plays::{NAMES, Play};
use super::{run, steps};
use crate::support::Subpixels;
use crate::world::balls::energy;

/// The number of steps in each round.
const STEPS: usize = 120;

fn hash(world: &World) -> u64 {
    let mut hasher = DefaultHasher::new();
    world.hash(&mut hasher);
    hasher.finish()
}

/// A saved world, and the changes and results of the steps since then.
struct Rollback {
    saved: Play,
    steps: Vec<(Vec<Key>, World)>,
    length: usize,
}

impl Rollback {
    fn new(play: &Play, length: usize) -> Self {
        Self { saved: play.clone(), steps: Vec::new(), length }
    }

    /// Takes the world back to the saved state, makes the same changes again, and compares the world after
    /// each step.
    fn play(&self, play: &mut Play) {
        let mut world = std::mem::replace(&mut play.world, World::new(Rate::per_second(1)));
        *play = self.saved.clone();
        world.clone_from(&copy(&self.saved.world));
        // From here on the sizes of the bodies are prepared, which must not change the results.
        for (_, body) in world.iter() {
            play.level.prepare(body.aabb.size());
        }
        play.world = world;
        for (at, (keys, expected)) in self.steps.iter().enumerate() {
            keys.iter().for_each(|key| play.apply(key));
            play.step();
            for (id, body) in expected.iter() {
                assert_eq!(play.world.get(id), Some(body), "step {at} after a rollback, {id:?}");
            }
            assert_eq!(hash(&play.world), hash(expected), "step {at} after a rollback");
        }
    }
}

/// Returns the world after it is saved and loaded.
#[cfg(feature = "serde")]
pub(crate) fn copy(world: &World) -> World {
    postcard::from_bytes(&postcard::to_stdvec(world).unwrap()).unwrap()
}

#[cfg(not(feature = "serde"))]
pub(crate) fn copy(world: &World) -> World {
    world.clone()
}

fn character(body: &Body) -> Option<&Character> {
    match &body.kind {
        BodyKind::Character(character) => Some(character),
        _ => None,
    }
}

fn crosses(body: &Body) -> bool {
    character(body).is_some_and(|of| of.settings.response == Response::Cross)
}

/// True if a pair of bodies must never begin to overlap: two solid boxes, at least one of them a character,
/// or two balls.
fn is_kept_apart(one: &Body, other: &Body) -> bool {
    let is_lift =
        |body: &Body| matches!(body.kind, BodyKind::Platform(Platform { one_way: false, .. }));
    let is_solid = |body: &Body| character(body).is_some() || is_lift(body);
    let is_ball = |body: &Body| matches!(body.kind, BodyKind::Ball(_));
    let boxes = is_solid(one) && is_solid(other) && !(is_lift(one) && is_lift(other));
    let balls = is_ball(one) && is_ball(other);
    (boxes || balls) && one.meets(other) && !crosses(one) && !crosses(other)
}

fn check_overlaps(before: &World, world: &World, level: &Level) {
    let is_crushed = |one: BodyId, other: BodyId| {
        world.events().iter().any(|event| match event {
            Event::Crushed { body, by } => [*body, *by] == [one, other],
            _ => false,
        })
    };
    let was = |id: BodyId| before.get(id).expect("no step adds a body");
    let bodies: Vec<(BodyId, &Body)> = world.iter().collect();
    for (at, (id, body)) in bodies.iter().enumerate() {
        if character(body).is_some() && !crosses(body) {
            let solids = level.solids_for(body.collides_with);
            let is_inside = |body: &Body| bitwall::Solids::overlaps_aabb(&solids, body.aabb);
            assert!(!is_inside(body) || is_inside(was(*id)), "in a solid: {body:?}");
        }
        for (other_id, other) in &bodies[at + 1..] {
            let is_new = body.aabb.overlaps(other.aabb)
                && body.overlaps(other)
                && is_kept_apart(body, other)
                && !was(*id).overlaps(was(*other_id));
            let is_allowed = || is_crushed(*id, *other_id) || is_crushed(*other_id, *id);
            assert!(!is_new || is_allowed(), "overlap: {body:?}\n{other:?}");
        }
    }
}

/// Checks that no speed grows by more than the acceleration, that none is reversed without a bounce, and that
/// the total energy of the balls does not grow.
fn check_energy(before: &World, world: &World, theme: &Theme) {
    for (id, body) in world.iter() {
        let was = before.get(id).expect("no step adds a body");
        let due = was.velocity_subpixels() + was.acceleration_subpixels();
        match &body.kind {
            BodyKind::Ball(_) => {}
            BodyKind::Character(character) => {
                let bounces = matches!(character.settings.response, Response::Bounce { .. });
                if character.last.is_some_and(|last| last.slanted_bounce().is_some()) {
                    let square =
                        |speed: I64Vec2| i128::from(speed.x).pow(2) + i128::from(speed.y).pow(2);
                    assert!(
                        square(body.velocity_subpixels()) <= square(due),
                        "faster: {was:?}\n{body:?}"
                    );
                    continue;
                }
                for axis in [Axis::X, Axis::Y] {
                    let [due, now] =
                        [due, body.velocity_subpixels()].map(|velocity| velocity[axis as usize]);
                    assert!(now.abs() <= due.abs(), "faster: {was:?}\n{body:?}");
                    let is_turned = now != 0 && (now > 0) != (due > 0);
                    assert!(!is_turned || bounces, "turned: {was:?}\n{body:?}");
                }
            }
            _ => assert_eq!(body.velocity_subpixels(), due),
        }
    }
    if !theme.balls_fall {
        assert!(energy(world) <= energy(before), "{} > {}", energy(world), energy(before));
    }
}

fn compare(step: usize, play: &Play, other: &Play) {
    let kind = if other.is_mirrored { "in a mirror" } else { "in another order" };
    for name in 0..NAMES {
        let [one, two] = [play, other].map(|play| play.facts(name, other.is_mirrored));
        assert_eq!(one, two, "step {step}, body {name}, {kind}");
    }
    let [one, two] = [play, other].map(|play| play.events(other.is_mirrored));
    assert_eq!(one, two, "step {step}, {kind}");
}

/// Creates a world, the same world with its bodies added in another order, and a mirrored world.
fn plays(random: &mut Rng, theme: &Theme) -> [Play; 3] {
    let plan = plan(random);
    let mut plays = [false, false, true].map(|is_mirrored| Play::new(&plan, is_mirrored));
    let mut keys = Vec::new();
    for name in 0..theme.count {
        if let Some(body) = theme.body(random, &plays[0], name) {
            keys.push(Key::Add(name, body.into()));
            plays[0].apply(&keys[keys.len() - 1]);
        }
    }
    for play in &mut plays[1..] {
        random.shuffle(&mut keys);
        keys.iter().for_each(|key| play.apply(key));
    }
    plays
}

fn round(seed: u64) -> usize {
    let random = &mut Rng::with_seed(seed);
    let theme = Theme::random(random);
    let mut plays = plays(random, &theme);
    let (mut count, mut ledger) = (0, Ledger::default());
    let mut rollback: Option<Rollback> = None;
    for step in 0..STEPS {
        if rollback.is_none() && random.u8(0..24) == 0 {
            rollback = Some(Rollback::new(&plays[0], random.usize(1..24)));
        }
        let keys = theme.keys(random, &plays[0], step);
        for play in &mut plays {
            keys.iter().for_each(|key| play.apply(key));
        }
        let before = plays[0].world.clone();
        plays.iter_mut().for_each(Play::step);
        let [play, others @ ..] = &mut plays;
        check_overlaps(&before, &play.world, &play.level);
        check_energy(&before, &play.world, &theme);
        ledger.enter(&before, &play.world);
        others.iter().for_each(|other| compare(step, play, other));
        count += play.world.len();
        if let Some(mut done) = rollback.take() {
            done.steps.push((keys, play.world.clone()));
            match done.steps.len() < done.length {
                true => rollback = Some(done),
                false => done.play(play),
            }
        }
    }
    count
}

#[test]
fn worlds_keep_the_invariants_in_every_step() {
    run("worlds_keep_the_invariants_in", 0, steps(2_000_000, 10_000), round);
}

#[test]
fn worlds_keep_the_invariants_on_more_seeds() {
    run("worlds_keep_the_invariants_on", 1 << 32, steps(2_000_000, 10_000), round);
}
