//! One-way platforms and bodies that rise through them. A platform carries, lifts and touches only bodies
//! whose own velocity does not lead away from it.

use bitwall::glam::{IVec2, Vec2};
use bitwall::world::{Body, BodyId, BodyKind, Event, World};
use bitwall::{Aabb, Dir, Level, MoverSettings, Rate};
use fastrand::Rng;

use crate::support::{blank, rounds};

fn hero(x: i32, feet: i32) -> Body {
    let body = Aabb::from_xywh(x, feet - 20, 12, 20);
    Body::character(body, MoverSettings::platformer()).with_acceleration([0.0, 0.1])
}

fn sky() -> Level {
    blank(1000, 1000)
}

#[test]
fn a_one_way_platform_neither_moves_aside_nor_lifts_a_body_that_rises_through_it() {
    let level = sky();
    let mut at_the_edge = 0;
    for lift in [[2.0, 0.0], [-2.0, 0.0], [0.0, -0.5], [0.0, -1.0], [0.0, -2.0], [0.0, 1.0]] {
        for speed in 20..90 {
            let hero = hero(250, 560).with_velocity([0.0, -(speed as f32) / 10.0]);
            let mut world = World::new(Rate::per_second(1));
            let platform = Body::one_way_platform(Aabb::from_xywh(100, 500, 300, 8));
            let platform = world.add(platform.with_velocity(lift));
            let mut free = World::new(Rate::per_second(1));
            let [rising, alone] = [&mut world, &mut free].map(|world| world.add(hero));
            // Until the platform is as fast as the body, and catches up with it.
            let slowest = lift[1].min(0.0) - 1.0;
            while free.get(alone).unwrap().velocity().y < slowest {
                world.step(&level);
                free.step(&level);
                let [body, alone] =
                    [(&world, rising), (&free, alone)].map(|(world, id)| *world.get(id).unwrap());
                assert_eq!(
                    (body.aabb, body.velocity()),
                    (alone.aabb, alone.velocity()),
                    "{lift:?}"
                );
                let is_at = body.aabb.max.y == world.get(platform).unwrap().aabb.min.y;
                at_the_edge += u32::from(is_at);
                assert_eq!(world.standing_on(rising), None, "{lift:?} {speed}");
                assert!(!world.touching(&level, rising).unwrap().down, "{lift:?} {speed}");
                assert!(!world.is_on_one_way(&level, rising), "{lift:?} {speed}");
            }
        }
    }
    assert!(at_the_edge > 50, "{at_the_edge} steps end at the edge");
}

/// A body that rises more slowly than its platform stays above it: the platform has caught up with it.
#[test]
fn a_body_that_jumps_from_a_rising_one_way_lift_lands_on_it_again() {
    let level = blank(1000, 20_000);
    for lift in [0.3, 0.5, 1.0, 2.0, 3.7, 6.0] {
        for jump in [0.4, 1.0, 2.5, 4.0] {
            for keeps_speed in [false, true] {
                let mut world = World::new(Rate::per_second(1));
                let on = Body::one_way_platform(Aabb::from_xywh(100, 19_000, 300, 8));
                let on = world.add(on.with_velocity([0.0, -lift]));
                let hero = world.add(hero(250, 19_000));
                (0..5).for_each(|_| world.step(&level));
                assert_eq!(world.standing_on(hero), Some(on));
                let speed = if keeps_speed { jump + lift } else { jump };
                let body = world.get_mut(hero).unwrap();
                *body = body.with_velocity([0.0, -speed]);
                let mut left = false;
                for _ in 0..400 {
                    world.step(&level);
                    let [feet, top] =
                        [world.get(hero).unwrap().aabb.max.y, world.get(on).unwrap().aabb.min.y];
                    assert!(feet <= top, "it fell through: lift {lift}, jump {jump}");
                    left |= world.standing_on(hero).is_none();
                }
                assert!(left && world.standing_on(hero) == Some(on), "lift {lift}, jump {jump}");
            }
        }
    }
}

/// True if the character stands on the one-way platform by the naive rule: its feet are at the platform's
/// top, and its velocity does not lead up, unless it stood after its last step.
fn stands(world: &World, id: BodyId, platform: BodyId) -> bool {
    let body = world.get(id).unwrap();
    let top = world.get(platform).unwrap().aabb;
    let BodyKind::Character(character) = body.kind else { panic!("not a character") };
    let stood = [0, u32::MAX].contains(&character.steps_since_grounded);
    body.aabb.max.y == top.min.y
        && body.aabb.min.x < top.max.x
        && body.aabb.max.x > top.min.x
        && (body.velocity().y >= 0.0 || stood)
}

fn mirrored(mut body: Body) -> Body {
    let Aabb { min, max } = body.aabb;
    body.aabb = Aabb { min: IVec2::new(1000 - max.x, min.y), max: IVec2::new(1000 - min.x, max.y) };
    body.with_velocity(body.velocity() * Vec2::new(-1.0, 1.0))
}

/// True if an event names a body that touches this watcher from below.
fn touched(world: &World, id: BodyId) -> bool {
    world.events().iter().any(|event| match event {
        Event::Begin(meeting) | Event::Stay(meeting) => {
            meeting.watcher == id && meeting.side == Some(Dir::Down)
        }
        _ => false,
    })
}

#[test]
fn standing_touching_events_and_carrying_agree_with_a_naive_rule_and_its_mirror_image() {
    let level = sky();
    let (mut rising, mut standing, mut carried) = (0, 0, 0);
    for seed in 0..rounds(400) as u64 {
        let mut random = Rng::with_seed(seed);
        let mut worlds = [World::new(Rate::per_second(1)), World::new(Rate::per_second(1))];
        let mut speed = |most: f32| (random.f32() - 0.5) * 2.0 * most;
        let lift = [speed(3.0).round(), speed(2.0).round()];
        let lift = Body::one_way_platform(Aabb::from_xywh(350, 500, 300, 8)).with_velocity(lift);
        let platform = worlds[0].add(lift);
        worlds[1].add(mirrored(lift));
        let mut heroes = Vec::new();
        for at in 0..3 {
            let feet = 500 + random.i32(-30..30);
            let mut body = hero(400 + 60 * at, feet);
            (body.collides_with, body.watches) = (u64::MAX, u64::MAX);
            heroes.push(worlds[0].add(body));
            worlds[1].add(mirrored(body));
        }
        for _ in 0..60 {
            for id in heroes.iter().copied() {
                if random.u8(0..8) > 0 {
                    continue;
                }
                let velocity = Vec2::new(random.f32() * 2.0 - 1.0, random.i32(-5..0) as f32);
                worlds[0].get_mut(id).unwrap().set_velocity(velocity);
                worlds[1].get_mut(id).unwrap().set_velocity(velocity * Vec2::new(-1.0, 1.0));
            }
            let before: Vec<(bool, IVec2)> = heroes
                .iter()
                .map(|id| {
                    (stands(&worlds[0], *id, platform), worlds[0].get(platform).unwrap().aabb.min)
                })
                .collect();
            for world in &mut worlds {
                world.step(&level);
            }
            let moved = worlds[0].get(platform).unwrap().aabb.min - before[0].1;
            for (id, (stood, _)) in heroes.iter().copied().zip(before) {
                let body = *worlds[0].get(id).unwrap();
                let case = format!("seed {seed} {body:?}");
                let is_held = stands(&worlds[0], id, platform);
                for world in &worlds {
                    assert_eq!(world.standing_on(id).is_some(), is_held, "{case}");
                    assert_eq!(world.touching(&level, id).unwrap().down, is_held, "{case}");
                    assert_eq!(world.is_on_one_way(&level, id), is_held, "{case}");
                    assert_eq!(touched(world, id), is_held, "{case}");
                    assert_eq!(body.last().unwrap().grounded, is_held, "{case}");
                }
                let expected = if stood { moved.x } else { 0 };
                assert_eq!(body.last().unwrap().carried.x, expected, "{case}");
                let image = mirrored(*worlds[1].get(id).unwrap());
                assert_eq!((image.aabb, image.velocity()), (body.aabb, body.velocity()), "{case}");
                let lift = worlds[0].get(platform).unwrap().aabb;
                let is_at = body.aabb.max.y == lift.min.y;
                rising += u32::from(is_at && body.velocity().y < 0.0);
                standing += u32::from(is_held);
                carried += u32::from(expected != 0);
            }
        }
    }
    println!("{rising} rise at the edge, {standing} stand, {carried} are carried");
    let least = rounds(100) as u32;
    assert!(rising > least && standing > 10 * least && carried > 10 * least);
}
