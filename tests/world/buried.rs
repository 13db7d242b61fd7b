//! Tests of the event of a character that an edit of the level, or the game, has buried.

use bitwall::glam::UVec2;
use bitwall::mover::Response;
use bitwall::world::{Body, Event, World};
use bitwall::{Aabb, Dir, Level, MoverSettings, Rate};

use super::turns::{SIDE, Turn};

fn buried(world: &World) -> usize {
    world.events().iter().filter(|event| matches!(event, Event::Buried { .. })).count()
}

fn ground() -> Level {
    Turn(0).level(&[Aabb::from_xywh(0, 160, SIDE, 80)])
}

/// A crate that sleeps, a hero that runs, and a body that nothing stops.
#[test]
fn each_edit_that_buries_a_character_gives_one_event() {
    let mut level = ground();
    let mut world = World::new(Rate::per_second(1));
    let cart = world.add(Body::pushable(Aabb::from_xywh(40, 144, 16, 16), 0, 0.25));
    let hero = Body::character(Aabb::from_xywh(100, 140, 12, 20), MoverSettings::platformer());
    let hero = world.add(hero.with_velocity((0.1, 0.0)));
    let settings = MoverSettings { response: Response::Cross, ..MoverSettings::PLAIN };
    world.add(Body::character(Aabb::from_xywh(42, 150, 8, 20), settings));
    world.add(Body::sensor(Aabb::from_xywh(40, 150, 8, 8)));
    for _ in 0..30 {
        world.step(&level);
        assert_eq!(buried(&world), 0);
    }
    // An edit elsewhere wakes all bodies and buries none.
    level.set_box(Aabb::from_xywh(200, 100, 8, 8), true).unwrap();
    world.step(&level);
    assert_eq!(buried(&world), 0);
    for _ in 0..2 {
        let door = Aabb::from_xywh(50, 100, 100, 60);
        level.set_box(door, true).unwrap();
        world.step(&level);
        let ids = [cart, hero].map(|body| Event::Buried { body });
        let of_characters = |event: &&Event| matches!(event, Event::Buried { .. });
        let found: Vec<Event> = world.events().iter().filter(of_characters).copied().collect();
        assert_eq!(found, ids);
        for _ in 0..5 {
            world.step(&level);
            assert_eq!(buried(&world), 0, "once");
        }
        level.set_box(Aabb::from_xywh(220, 100, 8, 8), true).unwrap();
        world.step(&level);
        assert_eq!(buried(&world), 0, "another edit is no new burial");
        level.set_box(door, false).unwrap();
        (0..5).for_each(|_| world.step(&level));
    }
}

#[test]
fn a_body_that_the_game_puts_into_the_level_is_buried_and_a_crushed_one_is_not() {
    let level = ground();
    let mut world = World::new(Rate::per_second(1));
    world.add(Body::pushable(Aabb::from_xywh(40, 150, 16, 16), 0, 0.25));
    let press = Body::platform(Aabb::from_xywh(90, 100, 40, 20)).with_velocity((0.0, 3.0));
    world.add(press);
    let hero = Body::character(Aabb::from_xywh(100, 140, 12, 20), MoverSettings::platformer());
    let hero = world.add(hero);
    world.step(&level);
    assert_eq!(buried(&world), 1, "the block begins in the ground");
    let mut crushed = 0;
    for _ in 0..30 {
        world.step(&level);
        assert_eq!(buried(&world), 0);
        crushed += world.events().len();
    }
    assert_eq!(crushed, 1);
    let other = Body::character(Aabb::from_xywh(180, 140, 12, 20), MoverSettings::platformer());
    let other = world.add(other);
    world.step(&level);
    assert!(!world.resize(&level, other, UVec2::new(12, 400), Some(Dir::Up)));
    world.get_mut(other).unwrap().aabb.max.y += 9;
    world.step(&level);
    assert_eq!(world.events(), [Event::Buried { body: other }]);
    assert!(world.get(hero).is_some());
}
