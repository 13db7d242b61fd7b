//! Tests of restitution: a bounce keeps a part of the speed along the normal, and energy never grows.

use bitwall::glam::{I64Vec2, IVec2, Vec2};
use bitwall::world::{Body, BodyKind, World};

use crate::support::{Subpixels, blank};
use crate::world::balls::{crowd, dull, energy, world_of};

fn ball(x: i32, y: i32, mass: u16, restitution: u8, velocity: (f32, f32)) -> Body {
    let mut ball = Body::ball(IVec2::new(x, y), 10, mass);
    if let BodyKind::Ball(ball) = &mut ball.kind {
        ball.restitution = restitution;
    }
    ball.with_velocity(Vec2::from(velocity))
}

/// Returns the velocities of these bodies after `steps` steps in an empty level.
fn after(steps: u32, bodies: &[Body]) -> Vec<I64Vec2> {
    let level = blank(200, 60);
    let (mut world, ids) = world_of(bodies);
    (0..steps).for_each(|_| world.step(&level));
    ids.iter().map(|id| world.get(*id).unwrap().velocity_subpixels()).collect()
}

fn momentum(world: &World) -> I64Vec2 {
    let of = |body: &Body| match body.kind {
        BodyKind::Ball(ball) => body.velocity_subpixels() * i64::from(ball.mass),
        _ => I64Vec2::ZERO,
    };
    world.iter().map(|(_, body)| of(body)).sum()
}

#[test]
fn a_bounce_off_a_solid_scales_the_speed_along_the_normal_by_the_restitution() {
    for (restitution, left) in [(100, 100), (255, 100), (50, 50), (1, 1), (0, 0)] {
        let [velocity] = after(30, &[ball(150, 20, 3, restitution, (4.0, 0.25))])[..] else {
            panic!()
        };
        assert_eq!(velocity.y, 65_536 / 4, "the speed along the wall");
        let expected = -4 * 65_536 * left / 100;
        assert!((velocity.x - expected).abs() <= 1, "{restitution} {velocity}");
    }
}

#[test]
fn two_balls_separate_with_the_lower_of_their_restitutions() {
    let mut random = fastrand::Rng::with_seed(31);
    for _ in 0..2_000 {
        let (one, two) = (random.u16(1..300), random.u16(1..300));
        let (a, b) = (random.u8(0..=110), random.u8(0..=110));
        let (fast, slow) = (random.f32() * 2.0 + 4.0, random.f32());
        let bodies = [ball(20, 20, one, a, (fast, 0.0)), ball(50, 20, two, b, (slow, 0.0))];
        let [v, w] = after(12, &bodies)[..] else { panic!() };
        let [before, other] =
            [&bodies[0], &bodies[1]].map(|body| body.velocity_subpixels().x as f64);
        let (one, two) = (f64::from(one), f64::from(two));
        let part = f64::from(a.min(b).min(100)) / 100.0;
        let middle = (one * before + two * other) / (one + two);
        let expected = [
            middle - two * part * (before - other) / (one + two),
            middle + one * part * (before - other) / (one + two),
        ];
        for (found, expected) in [v, w].into_iter().zip(expected) {
            assert!((found.x as f64 - expected).abs() < 8.0 && found.y == 0, "{found} {expected}");
        }
    }
}

#[test]
fn energy_never_grows_and_momentum_is_kept_in_a_crowd_of_any_restitution() {
    let level = blank(300, 200);
    for seed in 0..8 {
        let (mut world, _) = world_of(&dull(crowd(seed, 24)));
        let (start, mut before) = (energy(&world), energy(&world));
        for step in 0..3_000 {
            world.step(&level);
            let now = energy(&world);
            assert!(now <= before, "seed {seed} step {step}");
            before = now;
        }
        assert!(before < start / 2, "{start} {before}");
        assert_eq!(world.pairs(), [], "they overlap");
    }
    // A row and a cluster of balls collide at the same time, far from every wall.
    for restitution in [0, 30, 100] {
        let bodies = [
            ball(40, 20, 2, restitution, (5.0, 0.0)),
            ball(80, 15, 3, 70, (0.0, 0.0)),
            ball(80, 25, 4, restitution, (0.0, 0.0)),
            ball(90, 20, 5, restitution, (-0.5, 0.0)),
        ];
        let (mut world, _) = world_of(&bodies);
        let start = momentum(&world);
        (0..12).for_each(|_| world.step(&level));
        let lost = (momentum(&world) - start).abs();
        assert!(lost.max_element() < 40, "{lost}");
    }
}

#[test]
fn balls_without_restitution_go_on_together_after_a_hit() {
    for (x, y, dy) in [(60, 20, 0.0), (52, 26, 0.0), (57, 25, -0.3)] {
        let bodies = [ball(20, 20, 1, 0, (3.0, 0.1)), ball(x, y, 1, 0, (0.0, dy))];
        let level = blank(200, 60);
        let (mut world, ids) = world_of(&bodies);
        let speed = |world: &World| {
            let [one, two] = [ids[0], ids[1]].map(|id| *world.get(id).unwrap());
            let normal = (one.position() - two.position()).normalize();
            (one.velocity_subpixels() - two.velocity_subpixels()).as_dvec2().dot(normal)
        };
        (0..25).for_each(|_| world.step(&level));
        assert!(speed(&world) > -10.0, "they do not go into each other: {}", speed(&world));
        let at = |world: &World| world.get(ids[0]).unwrap().position();
        let before = at(&world);
        (0..10).for_each(|_| world.step(&level));
        assert!(at(&world).x > before.x + 5.0, "they do not stick: {before} {}", at(&world));
    }
}

#[test]
fn a_ball_that_falls_comes_to_rest_sooner_with_less_restitution() {
    let rest = |restitution: u8| {
        let mut falling = ball(90, 0, 1, restitution, (0.0, 0.0));
        falling.set_acceleration_subpixels(I64Vec2::new(0, 9_000));
        let (mut world, ids) = world_of(&[falling]);
        let level = blank(200, 60);
        let mut highest = 50;
        let mut has_landed = false;
        for _ in 0..600 {
            world.step(&level);
            let body = world.get(ids[0]).unwrap();
            has_landed |= body.velocity_subpixels().y < 0 || body.aabb.max.y == 60;
            if has_landed {
                highest = highest.min(body.aabb.min.y);
            }
        }
        (highest, world.get(ids[0]).unwrap().aabb.min.y)
    };
    assert!(rest(0).1 >= 49 && rest(0).0 >= 49, "it stays where it lands: {:?}", rest(0));
    let (highest, end) = rest(50);
    assert!((34..=40).contains(&highest) && end >= 49, "{highest} {end}");
    assert!(rest(100).0 <= 3, "{:?}", rest(100));
}
