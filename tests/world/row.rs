//! Characters that touch each other in a row walk together, and a mirrored world moves mirrored.

use bitwall::geometry::Sides;
use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::world::{Body, BodyId, BodyKind, World};
use bitwall::{Aabb, Axis, Grid, Level, MoverSettings, Rate};

use crate::support::{Subpixels, blank};

/// Creates a row of touching bodies along an axis.
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
            let mut world = World::new(Rate::per_second(1));
            let velocity = match axis {
                Axis::X => I64Vec2::new(signed, 0),
                Axis::Y => I64Vec2::new(0, signed),
            };
            let bodies = row(axis, 5, MoverSettings::PLAIN);
            let ids: Vec<BodyId> = (bodies.iter())
                .map(|body| world.add((*body).with_velocity_subpixels(velocity)))
                .collect();
            let steps = (20_000_000 / speed).min(60);
            for step in 1..=steps {
                world.step(&level);
                for (id, start) in ids.iter().zip(&bodies) {
                    let body = world.get(*id).unwrap();
                    let moved = (body.aabb.min - start.aabb.min).as_i64vec2() * 65_536
                        + body.subpixel.as_i64vec2();
                    assert_eq!(moved, velocity * step, "{axis:?} {signed} step {step}");
                    assert_eq!(body.velocity_subpixels(), velocity);
                }
            }
        }
    }
}

#[test]
fn a_faster_body_that_catches_up_follows_at_the_speed_of_the_one_in_front() {
    let level = blank(900, 100);
    for sign in [1, -1] {
        let mut world = World::new(Rate::per_second(1));
        let walker = |x: i32, speed: i64| {
            Body::character(Aabb::from_xywh(x, 40, 10, 10), MoverSettings::PLAIN)
                .with_velocity_subpixels(I64Vec2::new(sign * speed, 0))
        };
        let slow = world.add(walker(450, 20_000));
        let fast = world.add(walker(450 - 30 * sign as i32, 90_000));
        for step in 0..300 {
            world.step(&level);
            let gap = (world.get(slow).unwrap().aabb.min.x - world.get(fast).unwrap().aabb.min.x)
                .abs()
                - 10;
            assert!(gap >= 0 && (step < 40 || gap <= 1), "step {step}: {gap}");
        }
        assert_eq!(world.get(fast).unwrap().velocity_subpixels().x, sign * 20_000);
    }
}

/// Returns the mirror image of a box in a level of 900 pixels.
fn mirrored(aabb: Aabb) -> Aabb {
    Aabb {
        min: IVec2::new(900 - aabb.max.x, aabb.min.y),
        max: IVec2::new(900 - aabb.min.x, aabb.max.y),
    }
}

fn mirror(body: &Body) -> Body {
    let flip = |vector: I64Vec2| I64Vec2::new(-vector.x, vector.y);
    let mirrored = body.with_aabb(mirrored(body.aabb));
    let mirrored = mirrored.with_subpixel(IVec2::new(-body.subpixel.x, body.subpixel.y));
    let mirrored = mirrored.with_velocity_subpixels(flip(body.velocity_subpixels()));
    mirrored.with_acceleration_subpixels(flip(body.acceleration_subpixels()))
}

/// Returns the facts of a body that can be compared with a mirrored body.
fn facts(body: &Body) -> (Aabb, IVec2, I64Vec2, Option<[bool; 4]>) {
    let contacts = match &body.kind {
        BodyKind::Character(character) => character.last.map(|last| {
            let Sides { left, right, up, down } = last.contacts;
            [left, right, up, down].map(|contact| contact.is_some())
        }),
        _ => None,
    };
    (body.aabb, body.subpixel, body.velocity_subpixels(), contacts)
}

#[test]
fn a_mirrored_world_moves_mirrored() {
    let mut random = fastrand::Rng::with_seed(77);
    for round in 0..60 {
        let mut grid = Grid::new(90, 40).unwrap();
        let mut image = grid.clone();
        for _ in 0..random.u32(0..60) {
            let (x, y, w) = (random.u32(0..84), random.u32(0..40), random.u32(1..7));
            grid.fill(x..x + w, y..y + 1, true).unwrap();
            image.fill(90 - x - w..90 - x, y..y + 1, true).unwrap();
        }
        let level = |grid: &Grid| Level::from_grid(grid.clone(), UVec2::splat(10)).unwrap();
        let (level, image) = (level(&grid), level(&image));
        let mut worlds = [World::new(Rate::per_second(1)), World::new(Rate::per_second(1))];
        let mut ids = Vec::new();
        for at in 0..60_u32 {
            let (w, h) = (random.i32(4..24), random.i32(4..20));
            let aabb = Aabb::from_xywh(random.i32(0..870), random.i32(0..370), w, h);
            let speed = |random: &mut fastrand::Rng| random.i64(-200_000..200_000);
            let velocity = I64Vec2::new(speed(&mut random), speed(&mut random));
            let body = match random.u8(..8) {
                0 => Body::platform(aabb),
                1 => Body::one_way_platform(aabb),
                2..5 => Body::pushable(aabb, 0, 0.1375).pushing(3, 0, random.bool()),
                5 => Body::character(aabb, MoverSettings::top_down()).pushing(0, 9, false),
                _ => Body::character(aabb, MoverSettings::platformer())
                    .pushing(0, 4, false)
                    .with_acceleration_subpixels(I64Vec2::new(0, 12_000)),
            };
            // No two bodies are equal except for their positions.
            let body = body.with_category(1 | 2 << at).with_velocity_subpixels(velocity);
            ids.push(worlds.each_mut().map(|world| world.add(body)));
            *worlds[1].get_mut(ids[at as usize][1]).unwrap() = mirror(&body);
        }
        for step in 0..150 {
            worlds[0].step(&level);
            worlds[1].step(&image);
            for [id, other] in &ids {
                let body = mirror(worlds[0].get(*id).unwrap());
                let (aabb, subpixel, velocity, contacts) = facts(&body);
                let contacts = contacts.map(|[left, right, up, down]| [right, left, up, down]);
                let expected = (aabb, subpixel, velocity, contacts);
                let found = facts(worlds[1].get(*other).unwrap());
                assert_eq!(found, expected, "round {round}, step {step}");
            }
        }
    }
}
