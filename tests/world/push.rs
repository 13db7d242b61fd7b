//! Tests of crates that are pushed, characters that carry characters, belts, and drops from platforms.

use bitwall::glam::{I64Vec2, IVec2, Vec2};
use bitwall::world::{Body, BodyId, BodyKind, World};
use bitwall::{Aabb, Level, Mover, MoverSettings, Rate};

use crate::support::{Subpixels, blank};

fn add(world: &mut World, body: Body) -> BodyId {
    world.add(body)
}

fn left(world: &World, id: BodyId) -> i32 {
    world.get(id).unwrap().aabb.min.x
}

fn hero(x: i32, push: u16) -> Body {
    let body = Body::character(Aabb::from_xywh(x, 80, 12, 20), MoverSettings::platformer());
    body.with_acceleration_subpixels(I64Vec2::new(0, 16_384)).pushing(0, push, false)
}

fn cube(x: i32, y: i32, mass: u16) -> Body {
    Body::pushable(Aabb::from_xywh(x, y, 16, 16), mass, 0.25)
}

/// Moves a hero for `steps` steps at `speed` pixels a step.
fn walk(world: &mut World, level: &Level, hero: BodyId, speed: f32, steps: u32) {
    for _ in 0..steps {
        let hero = world.get_mut(hero).unwrap();
        hero.set_velocity([speed, hero.velocity().y]);
        world.step(level);
        assert_eq!(world.pairs(), [], "two overlap");
    }
}

#[test]
fn a_row_of_crates_is_pushed_if_it_is_not_too_heavy() {
    let level = blank(300, 100);
    for speed in [0.3, 0.5, 1.0, 1.7, 7.0] {
        for sign in [1, -1] {
            for (limit, is_moved) in [(12, true), (11, false)] {
                let mut world = World::new(Rate::per_second(1));
                let hero = add(&mut world, hero(144, limit));
                let crates = [16, 32, 52].map(|ahead| {
                    let x = if sign > 0 { 140 + ahead } else { 144 - ahead };
                    add(&mut world, cube(x, 84, 4))
                });
                let steps = (40.0 / speed) as u32;
                walk(&mut world, &level, hero, speed * sign as f32, steps);
                let moved = (left(&world, hero) - 144) * sign;
                let whole = (speed * steps as f32) as i32;
                let [.., last] = crates.map(|id| left(&world, id));
                if is_moved {
                    assert!((whole - moved).abs() <= 1, "{speed} {sign}: {moved} of {whole}");
                    let row = crates.map(|id| (left(&world, id) - left(&world, hero)) * sign);
                    let first = if sign > 0 { 12 } else { 16 };
                    assert_eq!(row, [first, first + 16, first + 32], "{speed} {sign}");
                } else {
                    // Two crates can be pushed until they meet the third crate.
                    assert_eq!(moved, 4, "{speed} {sign}");
                    assert_eq!(last, if sign > 0 { 192 } else { 92 });
                }
            }
        }
    }
}

#[test]
fn a_crate_before_a_wall_stops_the_pusher_and_keeps_its_stack() {
    let level = blank(200, 100);
    let mut world = World::new(Rate::per_second(1));
    let hero = add(&mut world, hero(100, 100));
    let below = add(&mut world, cube(120, 84, 4));
    let above = add(&mut world, cube(124, 68, 4));
    walk(&mut world, &level, hero, 2.5, 100);
    assert_eq!([hero, below, above].map(|id| left(&world, id)), [172, 184, 184]);
    let body = world.get(hero).unwrap();
    let BodyKind::Character(character) = &body.kind else { panic!() };
    let contact = character.last.unwrap().contacts.right.unwrap();
    assert_eq!(contact.body, Some(above), "of two at once, the one on the lowest row");
    assert_eq!(world.standing_on(above), Some(below));
}

#[test]
fn a_pushed_crate_takes_its_stack_along() {
    let level = blank(300, 160);
    for (sign, carries) in [(1, true), (-1, true), (1, false)] {
        let mut world = World::new(Rate::per_second(1));
        let low = Body::character(Aabb::from_xywh(144, 150, 12, 10), MoverSettings::platformer());
        let hero = add(&mut world, low.pushing(0, 10, false));
        let x = if sign > 0 { 156 } else { 128 };
        let stack = [144, 128, 112].map(|y| {
            let cube = Body::pushable(Aabb::from_xywh(x, y, 16, 16), 0, 0.25).pushing(0, 0, false);
            add(&mut world, cube.pushing(4, 0, carries))
        });
        walk(&mut world, &level, hero, 1.25 * sign as f32, 40);
        let moved = stack.map(|id| (left(&world, id) - x) * sign);
        assert_eq!(moved[0], 50);
        assert_eq!(moved[1..] == [50, 50], carries, "{moved:?}");
    }
}

#[test]
fn a_falling_pusher_pushes_crates_beside_and_below_it() {
    let level = blank(200, 200);
    let mut world = World::new(Rate::per_second(1));
    let settings = MoverSettings::PLAIN;
    let hero = Body::character(Aabb::from_xywh(50, 50, 10, 10), settings).pushing(0, 9, false);
    let hero = add(&mut world, hero.with_velocity(Vec2::new(1.5, 0.25)));
    let stone =
        |x, y| Body::character(Aabb::from_xywh(x, y, 10, 10), settings).pushing(3, 0, false);
    let right = add(&mut world, stone(62, 52));
    let below = add(&mut world, stone(50, 60));
    (0..20).for_each(|_| world.step(&level));
    assert_eq!(world.get(hero).unwrap().aabb.min, IVec2::new(80, 55));
    assert_eq!(world.get(right).unwrap().aabb.min, IVec2::new(90, 52));
    assert_eq!(world.pairs(), []);
    assert_eq!(world.get(below).unwrap().aabb.min, IVec2::new(50, 61));
}

#[test]
fn a_character_carries_the_bodies_on_it_up_down_and_sideways() {
    let level = blank(400, 400);
    let mut world = World::new(Rate::per_second(1));
    let turtle = Body::character(Aabb::from_xywh(100, 200, 30, 10), MoverSettings::PLAIN);
    let turtle = add(&mut world, turtle.pushing(0, 0, true));
    let rider = add(
        &mut world,
        Body::pushable(Aabb::from_xywh(105, 184, 16, 16), 0, 0.25).pushing(0, 0, false),
    );
    let on_top = add(
        &mut world,
        Body::pushable(Aabb::from_xywh(110, 174, 10, 10), 0, 0.25).pushing(0, 0, false),
    );
    for (x, y) in [(1.5, 0.0), (0.0, -1.3), (-2.0, -0.5), (0.7, 0.2), (3.0, 0.0)] {
        let start = [turtle, rider, on_top].map(|id| world.get(id).unwrap().aabb.min);
        for _ in 0..20 {
            let velocity = Vec2::new(x, y) * Mover::SUBPIXELS as f32;
            world.get_mut(turtle).unwrap().set_velocity_subpixels(velocity.as_i64vec2());
            let before = world.get(rider).unwrap().aabb.min;
            world.step(&level);
            let body = world.get(rider).unwrap();
            let BodyKind::Character(character) = &body.kind else { panic!() };
            assert_eq!(character.last.unwrap().carried, body.aabb.min - before);
        }
        let now = [turtle, rider, on_top].map(|id| world.get(id).unwrap().aabb.min);
        assert_eq!(now[1] - start[1], now[0] - start[0], "({x}, {y})");
        assert_eq!(now[2] - start[2], now[0] - start[0], "({x}, {y})");
    }
}

#[test]
fn a_moving_platform_with_a_belt_carries_its_rider_at_both_velocities() {
    let level = blank(800, 200);
    let mut world = World::new(Rate::per_second(1));
    let belt = Body::platform(Aabb::from_xywh(100, 150, 300, 8));
    let belt = belt.with_belt(Vec2::new(0.75, 0.0));
    let belt = add(&mut world, belt.with_velocity(Vec2::new(0.5, -0.25)));
    let rider = add(
        &mut world,
        Body::pushable(Aabb::from_xywh(110, 134, 16, 16), 0, 0.25).pushing(0, 0, false),
    );
    (0..80).for_each(|_| world.step(&level));
    assert_eq!(world.get(belt).unwrap().aabb.min, IVec2::new(140, 130));
    assert_eq!(world.get(rider).unwrap().aabb.min, IVec2::new(110 + 40 + 60, 114));
    let velocity = world.floor_velocity(rider);
    assert_eq!(velocity, Vec2::new(1.25, -0.25));
}

#[test]
fn a_platform_that_moves_down_does_not_catch_a_body_that_dropped_through_it() {
    let level = blank(100, 600);
    for speed in [0.0, 0.25, 0.5, 0.9, 1.0, 2.6, 5.0] {
        let mut world = World::new(Rate::per_second(1));
        let lift = Body::one_way_platform(Aabb::from_xywh(20, 60, 40, 6));
        let lift = add(&mut world, lift.with_velocity(Vec2::new(0.0, speed)));
        let hero = add(&mut world, hero(30, 0));
        world.get_mut(hero).unwrap().aabb = Aabb::from_xywh(30, 40, 12, 20);
        (0..7).for_each(|_| world.step(&level));
        assert_eq!(world.standing_on(hero), Some(lift));
        assert!(world.drop_through(&level, hero), "{speed}");
        assert!(!world.drop_through(&level, hero), "nothing holds it");
        for step in 0..40 {
            world.step(&level);
            assert_ne!(world.standing_on(hero), Some(lift), "{speed} step {step}");
        }
        let bodies = [hero, lift].map(|id| world.get(id).unwrap().aabb);
        assert!(bodies[0].min.y > bodies[1].max.y, "{speed}");
    }
}
