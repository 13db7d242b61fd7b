//! Tests of the rate of a world: bodies take pixels and seconds, and each number is rounded once.

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::world::{Body, BodyId, World};
use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};

use crate::support::{Subpixels, blank};

const RATES: [u16; 8] = [1, 24, 30, 50, 60, 120, 144, 240];

fn crates() -> Body {
    let body = Body::pushable(Aabb::from_xywh(40, 0, 16, 16), 0, 900.0).pushing(0, 0, false);
    body.with_velocity([-37.5, 60.0]).with_fall_limit(240.0)
}

fn added(body: Body, rate: u16) -> (World, BodyId) {
    let mut world = World::new(Rate::per_second(rate));
    let id = world.add(body);
    (world, id)
}

#[test]
fn a_body_has_the_same_pixels_a_second_in_worlds_of_every_rate() {
    for rate in RATES {
        let (world, id) = added(crates(), rate);
        let body = world.get(id).unwrap();
        let unit = f32::from(rate) / 65_536.0;
        assert_eq!(world.rate().steps_per_second(), rate);
        assert!((body.velocity() - Vec2::new(-37.5, 60.0)).abs().max_element() <= unit / 2.0);
        let pull = body.acceleration() - Vec2::new(0.0, 900.0);
        assert!(pull.abs().max_element() <= unit * f32::from(rate) / 2.0, "{rate} {pull}");
        assert!((body.fall_limit() - 240.0).abs() <= unit / 2.0, "{rate}");
        let belt = Body::platform(Aabb::default()).with_belt([30.0, -7.0]);
        let (world, id) = added(belt, rate);
        let belt = world.get(id).unwrap().belt() - Vec2::new(30.0, -7.0);
        assert!(belt.abs().max_element() <= unit / 2.0, "{rate}");
    }
}

/// The second conversion must not round once more, or a body that is put back each step would drift.
#[test]
fn a_body_that_is_read_and_written_back_or_removed_and_added_stays_as_it_is() {
    let mut random = fastrand::Rng::with_seed(53);
    for _ in 0..4_000 {
        let rate = RATES[random.usize(..RATES.len())];
        let mut speed = || random.i64(-8_000_000..8_000_000);
        let velocity = I64Vec2::new(speed(), speed());
        let mut body = Body::sensor(Aabb::from_xywh(0, 0, 4, 4)).with_velocity_subpixels(velocity);
        body.set_acceleration([speed() as f32 / 3_000.0, speed() as f32 / 3_000.0]);
        let (mut world, id) = added(body, rate);
        let before = *world.get(id).unwrap();
        let body = world.get_mut(id).unwrap();
        body.set_velocity(body.velocity());
        body.set_acceleration(body.acceleration());
        assert_eq!(*body, before);
        let removed = world.remove(id).unwrap();
        let again = world.add(removed);
        assert_eq!(world.get(again), Some(&before));
    }
}

#[test]
fn opposite_velocities_stay_opposite_at_every_rate() {
    let mut random = fastrand::Rng::with_seed(54);
    for rate in RATES {
        for _ in 0..200 {
            let velocity = Vec2::new(random.f32(), random.f32()) * 300.0;
            let [one, other] = [velocity, -velocity].map(|velocity| {
                let (world, id) =
                    added(Body::sensor(Aabb::default()).with_velocity(velocity), rate);
                world.get(id).unwrap().velocity()
            });
            assert_eq!(one, -other, "{rate}");
        }
    }
}

#[test]
fn a_lift_moves_as_many_pixels_in_a_second_at_every_rate() {
    let level = blank(400, 400);
    for rate in RATES {
        let lift = Body::platform(Aabb::from_xywh(10, 10, 40, 8)).with_velocity((120.0, 36.0));
        let (mut world, id) = added(lift, rate);
        (0..rate).for_each(|_| world.step(&level));
        let moved = world.get(id).unwrap().position() - IVec2::splat(10).as_dvec2();
        assert!((moved.as_vec2() - Vec2::new(120.0, 36.0)).length() < 0.01, "{rate} {moved}");
    }
}

/// A game may store a body that it made itself into the place of another.
#[test]
fn a_body_assigned_over_another_gets_the_rate_of_the_world() {
    let level = blank(400, 400);
    let (mut world, id) = added(Body::sensor(Aabb::default()), 60);
    let (twin, twin_id) = added(crates(), 60);
    for is_built in [false, true] {
        *world.get_mut(id).unwrap() = crates();
        assert_eq!(world.get(id).unwrap().velocity(), Vec2::new(-37.5, 60.0), "{is_built}");
        let (mut one, mut other) = (world.clone(), twin.clone());
        for world in [&mut world, &mut one, &mut other] {
            world.step(&level);
        }
        assert_eq!(world.get(id), other.get(twin_id), "{is_built}");
        assert_eq!(one.get(id), other.get(twin_id), "{is_built}");
    }
}

#[test]
fn a_platform_reaches_its_place_in_one_step_at_every_rate() {
    let level = blank(400, 400);
    let mut random = fastrand::Rng::with_seed(55);
    for rate in RATES {
        let (mut world, id) = added(Body::platform(Aabb::from_xywh(150, 150, 30, 8)), rate);
        for _ in 0..200 {
            let body = world.get_mut(id).unwrap();
            body.subpixel = IVec2::new(random.i32(-65_535..65_536), random.i32(-65_535..65_536));
            let by = IVec2::new(random.i32(-127..128), random.i32(-127..128));
            let place = body.aabb.min + by;
            body.set_velocity(body.velocity_to(place));
            world.step(&level);
            let body = world.get(id).unwrap();
            assert_eq!((body.aabb.min, body.subpixel), (place, IVec2::ZERO), "{rate} {by}");
        }
    }
}

#[test]
fn extreme_numbers_saturate_in_a_conversion() {
    let settings = MoverSettings::platformer();
    let level = Level::from_grid(Grid::new(8, 8).unwrap(), UVec2::splat(16)).unwrap();
    let aabb = Aabb::from_xywh(40, 40, 10, 10);
    for limit in [f32::INFINITY, 65_536.0, f32::MAX] {
        let (world, id) = added(Body::character(aabb, settings).with_fall_limit(limit), 60);
        assert_eq!(world.get(id).unwrap().fall_limit(), f32::INFINITY);
    }
    for limit in [f32::NAN, -1.0, f32::NEG_INFINITY, 0.0] {
        let (world, id) = added(Body::character(aabb, settings).with_fall_limit(limit), 60);
        assert_eq!(world.get(id).unwrap().fall_limit(), 0.0);
    }
    let fast = Body::character(aabb, settings).with_velocity([f32::MAX, f32::MIN]);
    let fast = fast.with_acceleration([f32::MIN, f32::MAX]).with_fall_limit(60_000.0);
    let (mut world, id) = added(fast, u16::MAX);
    world.step(&level);
    let body = world.remove(id).unwrap();
    assert!(body.velocity().is_finite());
    let (mut slow, id) = added(body, 1);
    slow.step(&level);
    assert!(Aabb::from_xywh(0, 0, 128, 128).contains(slow.get(id).unwrap().aabb.min));
    assert_eq!(Rate::per_second(0), Rate::per_second(1));
}
