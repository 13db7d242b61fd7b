//! Answers of worlds: steps of characters, crowds, footprints, blocks, platforms, pieces of level, balls and
//! sensors.

use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::terrain::Hit;
use bitwall::world::{Body, BodyId, BodyKind, Event, Impact, Meeting, World};
use bitwall::{Aabb, Footprint, Level, Mover, MoverSettings, Rate};

use super::random::Random;
use super::{Answer, Answers, pixels, subpixels};

pub(super) fn ask(answers: &mut Answers) {
    let mut random = Random::new(3);
    for _ in 0..16 {
        let level = random.level();
        run(answers, &mut random, &level);
    }
}

fn run(answers: &mut Answers, random: &mut Random, level: &Level) {
    let size = level.size().as_ivec2();
    let mut world = World::new(Rate::per_second(1));
    let mut ids: Vec<BodyId> = (0..40).map(|kind| world.add(body(random, size, kind))).collect();
    for _ in 0..8 {
        let corner = random.point(IVec2::splat(-8), size);
        let at = Aabb::from_xywh(corner.x, corner.y, random.int(4, 24), random.int(4, 24));
        ids.push(world.add(Body::soft(at, MoverSettings::top_down())));
        let disc = Footprint::circle(random.within(1, 24) as u32).ok();
        let rolling = world.add(Body::character(at, MoverSettings::platformer()));
        answers.add("footprints in worlds", world.set_footprint(rolling, disc));
        ids.push(rolling);
        let cells = UVec2::new(random.within(4, 40) as u32, random.within(4, 20) as u32);
        let piece = random.piece(cells);
        ids.push(world.add_piece(Body::platform(at), piece));
    }
    for step in 0..160 {
        for id in &ids {
            if random.once_in(20)
                && let Some(body) = world.get_mut(*id)
                && !matches!(body.kind, BodyKind::Sensor)
            {
                let speed = Vec2::new(random.int(-999, 999) as f32, random.int(-999, 999) as f32);
                body.set_velocity(speed / 150.0);
            }
        }
        if step % 40 == 39 {
            let id = ids[random.within(0, ids.len() as i64) as usize];
            answers.add("unstuck bodies", world.unstick(level, id, 40));
            answers.add("removed bodies", world.remove(id).is_some());
            world.add(body(random, size, step));
        }
        for id in &ids {
            if random.once_in(40)
                && let Some(piece) = world.piece_mut(*id)
            {
                let hole = Aabb::from_xywh(random.int(0, 40), random.int(0, 20), 9, 5);
                answers.add("pieces", piece.carve(&hole, IVec2::ZERO));
            }
        }
        world.step(level);
        answers.add("checksums", world.checksum());
        for (_, body) in world.iter() {
            answers.add("steps of bodies", Place(body));
        }
        for event in world.events() {
            answers.add("events", Happening(event, &world));
        }
        for (one, other) in world.pairs() {
            answers.add("pairs of bodies", (Name(one, &world), Name(other, &world)));
        }
    }
}

fn body(random: &mut Random, size: IVec2, kind: i32) -> Body {
    let at = random.point(IVec2::splat(-8), size);
    let sides = (random.int(4, 24), random.int(4, 24));
    let aabb = Aabb::from_xywh(at.x, at.y, sides.0, sides.1);
    let gravity = random.within(0, 30_000) as f32 / Mover::SUBPIXELS as f32;
    let fall = Body::pushable(aabb, 0, gravity).pushing(0, 0, false);
    match kind % 7 {
        0 => Body::character(aabb, MoverSettings::platformer())
            .with_acceleration(fall.acceleration()),
        1 => fall,
        2 => Body::platform(aabb),
        3 => Body::one_way_platform(aabb),
        4 => Body::sensor(Aabb::from_xywh(at.x, at.y, 60, 60)),
        _ => {
            let ball = Body::ball(at, random.within(1, 30) as u32, random.within(0, 9) as u16);
            let gravity = pixels(subpixels(fall.acceleration()) / 8);
            ball.with_acceleration(gravity).with_watches(u64::MAX)
        }
    }
}

/// The state of a body, as an answer.
struct Place<'b>(&'b Body);

impl Answer for Place<'_> {
    fn mix(&self, answers: &mut Answers) {
        let Self(body) = self;
        ((body.aabb, body.subpixel), (subpixels(body.velocity()), subpixels(body.acceleration())))
            .mix(answers);
        match body.kind {
            BodyKind::Character(character) => {
                (character.steps_since_grounded, character.last).mix(answers);
            }
            BodyKind::Ball(ball) => u32::from(ball.mass).mix(answers),
            BodyKind::Platform(platform) => platform.one_way.mix(answers),
            BodyKind::Sensor => {}
            kind => panic!("{kind:?} has no answer"),
        }
    }
}

/// The identity of a body, as an answer: its position among all bodies.
struct Name<'w>(BodyId, &'w World);

impl Answer for Name<'_> {
    fn mix(&self, answers: &mut Answers) {
        let place = self.1.iter().position(|(id, _)| id == self.0);
        place.map(|place| place as u64).mix(answers);
    }
}

struct Happening<'w>(&'w Event, &'w World);

impl Answer for Happening<'_> {
    fn mix(&self, answers: &mut Answers) {
        let (kind, one, other) = match *self.0 {
            Event::Crushed { body, by } => (0_u8, body, by),
            Event::Begin(Meeting { watcher, body, .. }) => (1, watcher, body),
            Event::Stay(Meeting { watcher, body, .. }) => (2, watcher, body),
            Event::End(Meeting { watcher, body, .. }) => (3, watcher, body),
            Event::Buried { body } => (5, body, body),
            Event::Hit(hit @ Impact { body: ball, hit: at, .. }) => {
                let normal = subpixels(hit.normal()).as_ivec2();
                ((4_u8, normal), Name(ball, self.1)).mix(answers);
                return match at {
                    Hit::Cell(cell) => cell.mix(answers),
                    Hit::Body(body) => Name(body, self.1).mix(answers),
                };
            }
            event => panic!("{event:?} has no answer"),
        };
        (kind, (Name(one, self.1), Name(other, self.1))).mix(answers);
    }
}
