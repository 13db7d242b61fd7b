//! Tests of platforms that carry, push and crush bodies.

use bitwall::glam::{I64Vec2, IVec2, Vec2};
use bitwall::world::{Body, BodyId, BodyKind, Event, World};
use bitwall::{Aabb, Dir, MoverSettings, Outside, Rate};

use crate::support::{Stopwatch, Subpixels, blank};

fn add(world: &mut World, body: Body) -> BodyId {
    world.add(body)
}

fn place(world: &World, id: BodyId) -> IVec2 {
    world.get(id).unwrap().aabb.min
}

fn platform(x: i32, y: i32, w: i32, h: i32, velocity: Vec2) -> Body {
    Body::platform(Aabb::from_xywh(x, y, w, h)).with_velocity(velocity)
}

/// Creates a character with gravity.
fn walker(x: i32, y: i32) -> Body {
    let body = Body::character(Aabb::from_xywh(x, y, 6, 10), MoverSettings::platformer());
    body.with_acceleration_subpixels(I64Vec2::new(0, 20_000))
}

#[test]
fn a_rider_is_carried_in_every_direction_without_a_pixel_of_slip() {
    let level = blank(4_000, 300);
    for velocity in [(0.37, 0.0), (-0.37, 0.0), (3.9, 0.0), (0.0, -0.61), (0.0, 0.61), (-1.3, 0.7)]
    {
        let mut world = World::new(Rate::per_second(1));
        let lift = add(&mut world, platform(1_000, 150, 20, 6, Vec2::from(velocity)));
        let below = add(&mut world, walker(1_004, 140));
        let above = add(
            &mut world,
            Body::pushable(Aabb::from_xywh(1_004, 136, 4, 4), 0, 0.305).pushing(0, 0, false),
        );
        let apart =
            |world: &World| [below, above].map(|rider| place(world, rider) - place(world, lift));
        let start = apart(&world);
        for _ in 0..150 {
            world.step(&level);
            assert_eq!(apart(&world), start, "{velocity:?}");
        }
        let expected = (Vec2::from(velocity) * 150.0 + Vec2::new(1_000.0, 150.0)).round();
        assert!((place(&world, lift).as_vec2() - expected).abs().max_element() <= 1.0);
    }
}

#[test]
fn s7_a_platform_that_only_moves_itself_leaves_its_rider_behind() {
    // The tutorial moves each rectangle of its list without regard to the others.
    let (mut lift, mut rider) = (Aabb::from_xywh(10, 20, 8, 2), Aabb::from_xywh(12, 16, 4, 4));
    let fall = |rider: &mut Aabb, lift: Aabb| {
        while rider.max.y < 60 && !rider.shifted(Dir::Down, 1).overlaps(lift) {
            *rider = rider.shifted(Dir::Down, 1);
        }
    };
    for _ in 0..10 {
        lift = lift.shifted(Dir::Right, 1);
        fall(&mut rider, lift);
    }
    assert_eq!(rider.max.y, 60, "it fell off");

    let level = blank(60, 60);
    let mut world = World::new(Rate::per_second(1));
    add(&mut world, platform(10, 20, 8, 2, Vec2::X));
    let rider = add(
        &mut world,
        Body::pushable(Aabb::from_xywh(12, 16, 4, 4), 0, 0.305).pushing(0, 0, false),
    );
    for _ in 0..10 {
        world.step(&level);
    }
    assert_eq!(place(&world, rider), IVec2::new(22, 16));
}

#[test]
fn a_platform_that_falls_faster_than_gravity_keeps_its_rider() {
    let level = blank(100, 2_000);
    let mut world = World::new(Rate::per_second(1));
    let lift = add(&mut world, platform(10, 50, 30, 6, Vec2::new(0.0, 25.5)));
    let rider = add(&mut world, walker(20, 40));
    for _ in 0..60 {
        world.step(&level);
        assert_eq!(place(&world, rider) - place(&world, lift), IVec2::new(10, -10));
    }
}

#[test]
fn a_platform_pushes_bodies_on_all_sides_directly_and_through_others() {
    let level = blank(400, 400);
    for dir in Dir::ALL {
        let mut world = World::new(Rate::per_second(1));
        let velocity = dir.vector().as_vec2() * 2.5;
        add(&mut world, platform(200, 200, 10, 10, velocity));
        let at = |distance: i32| IVec2::splat(200) + dir.vector() * distance;
        let boxed =
            |at: IVec2| Body::character(Aabb::from_xywh(at.x, at.y, 10, 10), MoverSettings::PLAIN);
        let near = add(&mut world, boxed(at(13)));
        let far = add(&mut world, boxed(at(25)));
        for _ in 0..20 {
            world.step(&level);
        }
        assert_eq!(place(&world, near), at(60), "{dir:?}");
        assert_eq!(place(&world, far), at(70), "{dir:?}");
        assert!(world.events().is_empty());
    }
}

#[test]
fn a_body_pushed_against_a_wall_is_crushed_and_stays() {
    let level = blank(100, 100);
    for dir in Dir::ALL {
        let mut world = World::new(Rate::per_second(1));
        let press = add(&mut world, platform(45, 45, 10, 10, dir.vector().as_vec2() * 8.0));
        let body = Aabb::from_xywh(45, 45, 10, 10).shifted(dir, 40);
        let victim = add(&mut world, Body::character(body, MoverSettings::PLAIN));
        let mut crushed = Vec::new();
        for step in 0..6 {
            world.step(&level);
            crushed.extend(world.events().iter().map(|event| (step, *event)));
        }
        let expected = Event::Crushed { body: victim, by: press };
        assert_eq!(crushed, [(4, expected)], "once: {dir:?}");
        let left = world.get(victim).unwrap();
        let wall = body.shifted(dir, 5);
        assert_eq!(left.aabb, wall, "at the wall");
        let BodyKind::Character(character) = left.kind else { panic!() };
        assert!(character.last.unwrap().started_solid);
    }
}

#[test]
fn a_body_between_two_platforms_is_crushed_and_can_be_unstuck() {
    let level = blank(100, 100);
    let mut world = World::new(Rate::per_second(1));
    let left = add(&mut world, platform(20, 50, 10, 10, Vec2::new(1.0, 0.0)));
    let right = add(&mut world, platform(60, 50, 10, 10, Vec2::new(-1.0, 0.0)));
    let victim =
        add(&mut world, Body::character(Aabb::from_xywh(40, 50, 10, 10), MoverSettings::PLAIN));
    let mut crushed = Vec::new();
    for _ in 0..12 {
        world.step(&level);
        crushed.extend_from_slice(world.events());
    }
    assert!(crushed.contains(&Event::Crushed { body: victim, by: left }));
    for id in [left, right] {
        world.get_mut(id).unwrap().set_velocity_subpixels(I64Vec2::ZERO);
    }
    assert!(world.unstick(&level, victim, 20).is_some());
    assert!(world.pairs().iter().all(|(one, two)| *one != victim && *two != victim));
}

#[test]
fn a_rider_stops_at_a_wall_and_stays_behind() {
    let level = blank(100, 100);
    let mut world = World::new(Rate::per_second(1));
    let lift = add(&mut world, platform(60, 50, 30, 6, Vec2::new(1.0, 0.0)));
    let rider = add(&mut world, walker(75, 40));
    // The platform passes through the wall, but its rider does not.
    for _ in 0..25 {
        world.step(&level);
    }
    assert_eq!(place(&world, lift).x, 85);
    assert_eq!(place(&world, rider), IVec2::new(94, 40));
    assert!(world.events().is_empty(), "it is not crushed");
}

#[test]
fn a_one_way_platform_holds_only_bodies_that_come_from_above() {
    let level = blank(100, 100);
    let mut world = World::new(Rate::per_second(1));
    let ledge = Body::one_way_platform(Aabb::from_xywh(10, 50, 30, 4));
    let ledge = add(&mut world, ledge.with_velocity(Vec2::new(0.0, -0.5)));
    let jumper = add(&mut world, walker(20, 62).with_velocity(Vec2::new(0.0, -6.0)));
    let mut highest = i32::MAX;
    for _ in 0..60 {
        world.step(&level);
        highest = highest.min(place(&world, jumper).y);
    }
    assert!(highest < 30, "through it from below: {highest}");
    assert_eq!(
        place(&world, jumper) - place(&world, ledge),
        IVec2::new(10, -10),
        "carried up by the ledge"
    );
}

#[test]
fn a_wall_and_a_floor_that_move_together_carry_a_rider_once() {
    let level = blank(400, 100);
    for (dir, wall_x) in [(1.0, 90), (-1.0, 106)] {
        // The wall ends above, at or below the lower edge of the floor, so that either of the two moves
        // first.
        for wall_height in [14, 20, 26] {
            let mut world = World::new(Rate::per_second(1));
            let velocity = Vec2::new(3.0 * dir, 0.0);
            let floor = add(&mut world, platform(100, 60, 40, 10, velocity));
            let wall_x = if dir > 0.0 { wall_x } else { wall_x + 6 };
            add(&mut world, platform(wall_x, 50, 10, wall_height, velocity));
            let rider = add(&mut world, walker(if dir > 0.0 { 100 } else { 106 }, 50));
            let start = place(&world, rider) - place(&world, floor);
            for _ in 0..20 {
                world.step(&level);
                assert_eq!(place(&world, rider) - place(&world, floor), start);
            }
        }
    }
}

#[test]
fn a_fixed_ball_is_not_pushed() {
    let level = blank(100, 100);
    let mut world = World::new(Rate::per_second(1));
    add(&mut world, platform(20, 40, 10, 30, Vec2::new(2.0, 0.0)));
    let fixed = add(&mut world, Body::ball(IVec2::new(34, 50), 10, 0));
    (0..10).for_each(|_| world.step(&level));
    assert_eq!(place(&world, fixed), IVec2::new(34, 50));
    assert!(world.events().is_empty());
}

#[test]
fn a_step_ends_soon_if_characters_stand_on_each_other_in_a_ring() {
    let level = blank(4_000, 4_000);
    let mut world = World::new(Rate::per_second(1));
    for at in 0..20_000 {
        let (x, y) = (at % 200 * 18, at / 200 * 36);
        let floor = |dir| MoverSettings { floor: Some(dir), ..MoverSettings::PLAIN };
        let upper = Body::character(Aabb::from_xywh(x, y, 12, 12), floor(Dir::Down));
        let lower = Body::character(Aabb::from_xywh(x, y + 12, 12, 12), floor(Dir::Up));
        add(&mut world, upper);
        add(&mut world, lower);
    }
    add(&mut world, platform(3_900, 3_900, 10, 10, Vec2::X));
    let start = Stopwatch::start();
    world.step(&level);
    assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
}

#[test]
fn steps_of_bodies_at_the_ends_of_the_range_do_not_panic() {
    let level = blank(100, 100).with_outside(Outside::Open);
    let mut world = World::new(Rate::per_second(1));
    for velocity in
        [I64Vec2::MAX, I64Vec2::MIN, I64Vec2::new(i64::MIN, 3), I64Vec2::new(-1, i64::MAX)]
    {
        for (x, y) in [(i32::MIN, i32::MIN), (i32::MAX - 10, i32::MAX - 10), (0, 0)] {
            let area = Aabb::from_xywh(x, y, 10, 10);
            let ball = Body::ball(area.min, 10, 1);
            let kinds = [
                walker(x, y),
                ball,
                ball.with_aabb(Aabb { min: IVec2::MIN, max: IVec2::MAX }),
                Body::platform(area),
                Body::one_way_platform(area),
                Body::sensor(Aabb { min: IVec2::MIN, max: IVec2::MAX }),
                walker(0, 0).with_aabb(Aabb { min: IVec2::MAX, max: IVec2::MIN }),
            ];
            for body in kinds {
                let acceleration = -velocity.clamp(-I64Vec2::MAX, I64Vec2::MAX);
                add(
                    &mut world,
                    body.with_velocity_subpixels(velocity)
                        .with_acceleration_subpixels(acceleration),
                );
                add(
                    &mut world,
                    body.with_velocity_subpixels(velocity)
                        .with_acceleration_subpixels(acceleration)
                        .with_subpixel(IVec2::MIN),
                );
            }
        }
    }
    for _ in 0..5 {
        world.step(&level);
    }
}
