//! Tests with a thousand bodies: every run, thread and replay gives the same world, and no body ends in a
//! solid.

use std::hash::{DefaultHasher, Hash, Hasher};

use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::world::{Body, BodyId, BodyKind, Event, Platform, World};
use bitwall::{
    Aabb, Grid, Level, Mover, MoverSettings, Rate,
    geometry::Corners,
    mover::{MovePath, Response},
};

use crate::support::{SubpixelSteps, Subpixels, cells, scattered};
use crate::world::balls::{nameless, world_of};

fn hash(world: &World) -> u64 {
    let mut hasher = DefaultHasher::new();
    world.hash(&mut hasher);
    hasher.finish()
}

fn ledges() -> Level {
    let mut random = fastrand::Rng::with_seed(2);
    let grid = scattered(&mut random, UVec2::new(200, 120), 150, UVec2::new(5, 2));
    Level::from_grid(grid, UVec2::new(12, 10)).unwrap()
}

/// Creates `count` bodies of all kinds that do not overlap anything.
fn crowd(level: &Level, count: usize, seed: u64) -> Vec<Body> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut bodies: Vec<Body> = Vec::new();
    while bodies.len() < count {
        let (w, h) = (random.i32(4..30), random.i32(4..24));
        let at = IVec2::new(random.i32(0..2_400 - w), random.i32(0..1_200 - h));
        let aabb = Aabb::from_xywh(at.x, at.y, w, h);
        if level.overlaps(aabb) || bodies.iter().any(|body| body.aabb.overlaps(aabb)) {
            continue;
        }
        let body = match random.u8(..10) {
            0..3 => Body::pushable(aabb, 0, 0.1375).pushing(0, 0, false),
            3..6 => Body::character(aabb, MoverSettings::platformer())
                .with_acceleration_subpixels(I64Vec2::new(0, 12_000)),
            6 => Body::platform(aabb),
            7 => Body::one_way_platform(aabb),
            8 => Body::ball(at, w.min(h) as u32, random.u16(..9)),
            _ => Body::sensor(aabb),
        };
        let speed = |random: &mut fastrand::Rng| random.i64(-200_000..200_000);
        let velocity = I64Vec2::new(speed(&mut random), speed(&mut random));
        bodies.push(body.with_velocity_subpixels(velocity));
    }
    bodies
}

/// Returns the characters that overlap the level or a solid box.
fn inside(world: &World, level: &Level) -> Vec<BodyId> {
    let is_solid = |kind: BodyKind| {
        matches!(kind, BodyKind::Character(_) | BodyKind::Platform(Platform { one_way: false, .. }))
    };
    let is_character = |kind: BodyKind| matches!(kind, BodyKind::Character(_));
    let mut found: Vec<BodyId> = Vec::new();
    for (id, body) in world.iter() {
        if is_character(body.kind) && level.overlaps(body.aabb) {
            found.push(id);
        }
    }
    for (one, two) in world.pairs() {
        let kinds = [one, two].map(|id| world.get(id).unwrap().kind);
        if kinds.iter().all(|kind| is_solid(*kind)) {
            let both = [one, two].into_iter().zip(kinds);
            found.extend(both.filter(|(_, kind)| is_character(*kind)).map(|(id, _)| id));
        }
    }
    found
}

#[test]
fn a_thousand_bodies_move_the_same_on_every_thread_and_end_in_no_solid() {
    let level = ledges();
    let bodies = crowd(&level, 1_000, 11);
    let run = || {
        let (mut world, _) = world_of(&bodies);
        (0..200).for_each(|_| world.step(&level));
        hash(&world)
    };
    let (mut world, _) = world_of(&bodies);
    let mut crushed = Vec::new();
    for step in 0..200 {
        world.step(&level);
        let new = world.events().iter().filter_map(|event| match event {
            Event::Crushed { body, .. } => Some(*body),
            _ => None,
        });
        crushed.extend(new);
        for id in inside(&world, &level) {
            assert!(crushed.contains(&id), "step {step}: {:?}", world.get(id));
        }
    }
    let expected = hash(&world);
    std::thread::scope(|scope| {
        let runs = [(); 3].map(|()| scope.spawn(run));
        for run in runs {
            assert_eq!(run.join().unwrap(), expected);
        }
    });
    assert!(!crushed.is_empty(), "some bodies are crushed");
}

#[test]
fn a_cloned_world_can_be_restored_and_replayed() {
    let level = ledges();
    let (mut world, _) = world_of(&crowd(&level, 200, 5));
    (0..30).for_each(|_| world.step(&level));
    let saved = world.clone();
    assert_eq!((&saved, hash(&saved)), (&world, hash(&world)));
    let play = |world: &mut World| {
        let mut trace = Vec::new();
        for _ in 0..40 {
            world.step(&level);
            trace.push((hash(world), world.events().to_vec()));
        }
        trace
    };
    let first = play(&mut world);
    assert_ne!(world, saved);
    world.clone_from(&saved);
    assert_eq!(play(&mut world), first);
    assert_eq!(play(&mut saved.clone()), first);
}

#[test]
fn the_order_in_which_bodies_are_added_does_not_matter() {
    let level = ledges();
    let bodies = crowd(&level, 250, 8);
    let mut random = fastrand::Rng::with_seed(1);
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    let mut first = None;
    for _ in 0..3 {
        let mut world = World::new(Rate::per_second(1));
        let ids: Vec<BodyId> = order.iter().map(|at| world.add(bodies[*at])).collect();
        (0..120).for_each(|_| world.step(&level));
        let mut after: Vec<_> = order
            .iter()
            .zip(ids)
            .map(|(at, id)| (*at, nameless(*world.get(id).unwrap())))
            .collect();
        after.sort_by_key(|(at, _)| *at);
        assert!(*first.get_or_insert_with(|| after.clone()) == after);
        random.shuffle(&mut order);
    }
}

#[test]
fn bodies_stop_a_character_just_as_the_level_would() {
    let mut random = fastrand::Rng::with_seed(12);
    for _ in 0..300 {
        let mut grid = Grid::new(130, 70).unwrap();
        let open = cells(grid.clone(), 1);
        let mut world = World::new(Rate::per_second(1));
        for _ in 0..random.usize(1..40) {
            let (x, y) = (random.u32(0..120), random.u32(0..66));
            let (w, h) = (random.u32(1..11), random.u32(1..5));
            grid.fill(x..(x + w).min(130), y..(y + h).min(70), true).unwrap();
            let [x, y, w, h] = [x, y, w, h].map(|at| at as i32);
            world.add(Body::platform(Aabb::from_xywh(x, y, w, h)));
        }
        let painted = cells(grid, 1);
        let path = [MovePath::XThenY, MovePath::YThenX, MovePath::Straight(Corners::Block)]
            [random.usize(..3)];
        let response = [
            Response::Slide,
            Response::Stop,
            Response::Bounce { restitution: 70 },
            Response::Cross,
        ][random.usize(..4)];
        let settings = match random.u8(..3) {
            0 => MoverSettings { path, response, ..MoverSettings::PLAIN },
            1 => MoverSettings::platformer(),
            _ => MoverSettings::top_down(),
        };
        let (x, y) = (random.i32(0..120), random.i32(0..60));
        let body = Aabb::from_xywh(x, y, random.i32(1..9), random.i32(1..9));
        let mut mover = Mover::new(body, settings);
        let id = world.add(Body::character(body, settings));
        for _ in 0..20 {
            let speed = |random: &mut fastrand::Rng| random.i64(-900_000..900_000);
            let velocity = I64Vec2::new(speed(&mut random), speed(&mut random));
            let expected = mover.step_subpixels(&painted, velocity);
            world.get_mut(id).unwrap().set_velocity_subpixels(velocity);
            world.step(&open);
            let now = nameless(*world.get(id).unwrap());
            let BodyKind::Character(character) = now.kind else { panic!() };
            assert_eq!(character.last, Some(expected), "{settings:?}");
            assert_eq!((now.aabb, now.subpixel), (mover.body, mover.subpixel));
            if random.u8(..8) == 0 {
                let radius = random.u32(0..12);
                assert_eq!(world.unstick(&open, id, radius), mover.unstick(&painted, radius));
            }
        }
    }
}
