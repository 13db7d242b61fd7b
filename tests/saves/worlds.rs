//! A world that was saved and loaded continues bit for bit like the world that was not.

use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::mover::{MovePath, Response};
use bitwall::world::{Body, BodyId, BodyKind, World};
use bitwall::{Aabb, Dir, Footprint, Level, MoverSettings, Rate, Terrain};
use fastrand::Rng;

use super::{binary, copies, json};
use crate::support::{Subpixels, rounds, scattered};

fn random_level(random: &mut Rng) -> Level {
    let size = UVec2::new(random.u32(8..30), random.u32(8..30));
    let cell = UVec2::new(random.u32(4..12), random.u32(4..12));
    let count = random.u32(0..20);
    let grid = scattered(random, size, count, UVec2::splat(4));
    let ledges = scattered(random, size, 5, UVec2::new(5, 1));
    let water = Terrain::new(scattered(random, size, 3, UVec2::splat(6)), cell).unwrap();
    let level = Level::from_grid(grid, cell).unwrap().with_area("water", water);
    level.with_one_way(Dir::Up, ledges).unwrap()
}

fn random_body(random: &mut Rng) -> Body {
    let place = IVec2::new(random.i32(0..200), random.i32(0..200));
    let aabb = Aabb::from_xywh(place.x, place.y, random.i32(1..30), random.i32(1..30));
    let mut body = match random.u8(0..9) {
        0 => Body::platform(aabb),
        1 => Body::one_way_platform(aabb),
        2 | 3 => Body::sensor(aabb),
        4 | 5 => Body::ball(place, random.u32(1..20), random.u16(0..5)),
        6 => Body::pushable(aabb, 0, random.f32() / 2.0).pushing(0, 0, false),
        _ => {
            let mut settings =
                [MoverSettings::platformer(), MoverSettings::top_down()][random.usize(0..2)];
            settings.response = [
                Response::Stop,
                Response::Slide,
                Response::Bounce { restitution: random.u8(..) },
                Response::Cross,
            ][random.usize(0..4)];
            if random.u8(0..4) == 0 {
                settings.path = MovePath::Straight(Default::default());
            }
            Body::character(aabb, settings)
        }
    };
    let speed = |random: &mut Rng| random.i64(-400_000..400_000);
    body.set_velocity_subpixels(I64Vec2::new(speed(random), speed(random)));
    if random.bool() {
        body.set_acceleration_subpixels(I64Vec2::new(random.i64(-900..900), random.i64(0..9_000)));
    }
    if random.u8(0..3) == 0 {
        (body.category, body.collides_with) = (random.u64(1..8), random.u64(..));
    }
    body
}

/// A game: the level, the world and the ids of all bodies that were ever in it.
struct Game {
    level: Level,
    world: World,
    ids: Vec<BodyId>,
}

impl Game {
    fn new(random: &mut Rng) -> Self {
        let mut game = Self {
            level: random_level(random),
            world: World::new(Rate::per_second(1)),
            ids: Vec::new(),
        };
        for _ in 0..random.usize(0..30) {
            game.ids.push(game.world.add(random_body(random)));
        }
        game
    }

    /// Steps the world. Before some steps a body is added, removed or turned round.
    fn step(&mut self, random: &mut Rng) {
        match random.u8(0..12) {
            0 => self.ids.push(self.world.add(random_body(random))),
            1 if !self.ids.is_empty() => {
                self.world.remove(self.ids[random.usize(0..self.ids.len())]);
            }
            2 if !self.ids.is_empty() => {
                let id = self.ids[random.usize(0..self.ids.len())];
                if let Some(body) = self.world.get_mut(id) {
                    body.set_velocity_subpixels(-body.velocity_subpixels());
                }
            }
            3 if !self.ids.is_empty() => {
                let id = self.ids[random.usize(0..self.ids.len())];
                let footprint = Footprint::circle(random.u32(1..20)).unwrap();
                self.world.set_footprint(id, Some(footprint));
            }
            _ => {}
        }
        self.world.step(&self.level);
    }
}

/// Creates a world with characters, platforms, balls, sensors, free slots and events.
pub(crate) fn busy_world() -> World {
    for seed in 0.. {
        let random = &mut Rng::with_seed(seed);
        let mut game = Game::new(random);
        (0..20).for_each(|_| game.step(random));
        let kinds = |is: fn(&BodyKind) -> bool| game.world.iter().any(|(_, body)| is(&body.kind));
        if kinds(|kind| matches!(kind, BodyKind::Ball(_)))
            && kinds(|kind| matches!(kind, BodyKind::Character(of) if of.last.is_some()))
            && kinds(|kind| matches!(kind, BodyKind::Platform(_)))
            && game.world.events().len() > 2
            && json(&game.world).contains(r#""body":null"#)
        {
            return game.world;
        }
    }
    unreachable!("one of the seeds gives such a world");
}

#[test]
fn a_saved_and_loaded_world_steps_exactly_like_the_original() {
    let (mut events, mut frees) = (0, 0);
    for seed in 0..rounds(3_000) as u64 {
        let random = &mut Rng::with_seed(seed);
        let mut game = Game::new(random);
        for _ in 0..random.u32(0..25) {
            game.step(random);
        }
        let (text, state) = (json(&game.world), random.get_seed());
        frees += usize::from(text.contains(r#""body":null"#));
        let level = copies(&game.level);
        let copies = copies(&game.world).into_iter().zip(level);
        let mut copies: Vec<_> = copies
            .map(|(world, level)| {
                assert_eq!(world, game.world, "seed {seed}");
                (Game { level, world, ids: game.ids.clone() }, Rng::with_seed(state))
            })
            .collect();
        for step in 0..25 {
            game.step(random);
            events += game.world.events().len();
            for (copy, random) in &mut copies {
                copy.step(random);
                assert_eq!(copy.world, game.world, "seed {seed}, step {step}");
                assert_eq!(copy.ids, game.ids, "seed {seed}, step {step}");
                assert_eq!(copy.world.events(), game.world.events());
                assert_eq!(copy.world.pairs(), game.world.pairs());
            }
            // The copies are saved and loaded a second time in the middle of the run.
            if step == 12 {
                for (copy, _) in &mut copies {
                    copy.world = postcard::from_bytes(&binary(&copy.world)).unwrap();
                }
            }
        }
    }
    assert!(events > 1_000 && frees > 10, "{events} events, {frees} worlds with free slots");
}

#[test]
fn the_ids_of_bodies_are_the_same_after_a_save_and_load() {
    let mut world = World::new(Rate::per_second(1));
    let add = |world: &mut World| world.add(Body::sensor(Aabb::from_xywh(0, 0, 9, 9)));
    let ids: Vec<BodyId> = (0..5).map(|_| add(&mut world)).collect();
    world.remove(ids[3]);
    world.remove(ids[1]);
    for mut copy in copies(&world) {
        let mut world = world.clone();
        assert_eq!((copy.get(ids[1]), copy.get(ids[3])), (None, None));
        assert!(copy.get(ids[4]).is_some());
        for _ in 0..4 {
            let id = add(&mut world);
            assert_eq!(add(&mut copy), id);
            assert!(!ids.contains(&id));
        }
    }
    let saved: BodyId = serde_json::from_str(&json(&ids[4])).unwrap();
    assert_eq!(saved, ids[4]);
}
