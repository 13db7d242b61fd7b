//! Characters in a row walk together, and a mirrored world moves mirrored.

use bitwall::glam::I64Vec2;
use bitwall::world::{Body, BodyId, World};
use bitwall::{Aabb, Axis, MoverSettings};

use crate::support::blank;

/// A row of touching bodies along an axis.
fn row(axis: Axis, count: i32, settings: MoverSettings) -> Vec<Body> {
    (0..count)
        .map(|at| {
            let along = 400 + at * 10;
            let (x, y) = if axis == Axis::X { (along, 400) } else { (400, along) };
            Body::character(Aabb::from_xywh(x, y, 10, 10), settings)
        })
        .collect()
}

#[test]
fn a_row_that_walks_together_stays_together_in_every_direction_at_every_speed() {
    let level = blank(900, 900);
    let speeds = [1_i64, 700, 32_768, 40_000, 65_536, 98_304, 111_411, 250_000, 1_000_000];
    for (axis, speed) in [Axis::X, Axis::Y].into_iter().flat_map(|axis| speeds.map(|at| (axis, at)))
    {
        for signed in [speed, -speed] {
            let mut world = World::new();
            let velocity = match axis {
                Axis::X => I64Vec2::new(signed, 0),
                Axis::Y => I64Vec2::new(0, signed),
            };
            let bodies = row(axis, 5, MoverSettings::PLAIN);
            let ids: Vec<BodyId> = (bodies.iter())
                .map(|body| world.add(Body { velocity, ..*body }).unwrap())
                .collect();
            let steps = (20_000_000 / speed).min(60);
            for step in 1..=steps {
                world.step(&level);
                for (id, start) in ids.iter().zip(&bodies) {
                    let body = world.get(*id).unwrap();
                    let moved = (body.aabb.min - start.aabb.min).as_i64vec2() * 65_536
                        + body.subpixel.as_i64vec2();
                    assert_eq!(moved, velocity * step, "{axis:?} {signed} step {step}");
                    assert_eq!(body.velocity, velocity);
                }
            }
        }
    }
}

#[test]
fn a_faster_body_that_catches_up_follows_at_the_speed_of_the_one_in_front() {
    let level = blank(900, 100);
    for sign in [1, -1] {
        let mut world = World::new();
        let walker = |x: i32, speed: i64| Body {
            velocity: I64Vec2::new(sign * speed, 0),
            ..Body::character(Aabb::from_xywh(x, 40, 10, 10), MoverSettings::PLAIN)
        };
        let slow = world.add(walker(450, 20_000)).unwrap();
        let fast = world.add(walker(450 - 30 * sign as i32, 90_000)).unwrap();
        for step in 0..300 {
            world.step(&level);
            let gap = (world.get(slow).unwrap().aabb.min.x - world.get(fast).unwrap().aabb.min.x)
                .abs()
                - 10;
            assert!(gap >= 0 && (step < 40 || gap <= 1), "step {step}: {gap}");
        }
        assert_eq!(world.get(fast).unwrap().velocity.x, sign * 20_000);
    }
}
