//! Faults of worlds that the long random runs found, each reduced to its smallest form.

use bitwall::geometry::Corners;
use bitwall::glam::{I64Vec2, IVec2};
use bitwall::mover::{MovePath, Response};
use bitwall::world::{Body, BodyId, Event, World};
use bitwall::{Aabb, Dir, MoverSettings, Rate};

use crate::movement::random::PIXEL;
use crate::support::{Subpixels, blank};

fn cube(x: i32, y: i32, w: i32, h: i32) -> Body {
    Body::character(Aabb::from_xywh(x, y, w, h), MoverSettings::PLAIN)
}

fn going(x: i64, y: i64, body: Body) -> Body {
    body.with_velocity_subpixels(I64Vec2::new(x, y) * PIXEL)
}

fn place(world: &World, id: BodyId) -> IVec2 {
    world.get(id).unwrap().aabb.min
}

/// Returns the positions of these bodies after a step. Panics if they depend on the order in which the bodies
/// are added.
fn after_a_step(bodies: &[Body]) -> Vec<IVec2> {
    let level = blank(200, 200);
    let mut places = None;
    for first in 0..bodies.len() {
        let mut world = World::new(Rate::per_second(1));
        let count = bodies.len();
        let order = (0..count).map(|at| (at + first) % count);
        let mut ids: Vec<_> = order.map(|at| (at, world.add(bodies[at]))).collect();
        ids.sort_unstable_by_key(|(at, _)| *at);
        world.step(&level);
        let found: Vec<IVec2> = ids.iter().map(|(_, id)| place(&world, *id)).collect();
        assert_eq!(*places.get_or_insert_with(|| found.clone()), found, "the first is {first}");
    }
    places.unwrap()
}

#[test]
fn a_world_restored_to_a_state_with_fewer_bodies_can_step() {
    let level = blank(200, 200);
    let mut world = World::new(Rate::per_second(1));
    let start = world.clone();
    world.add(going(1, 0, Body::platform(Aabb::from_xywh(40, 100, 40, 8))));
    world.add(Body::pushable(Aabb::from_xywh(50, 90, 10, 10), 0, 0.305).pushing(0, 0, false));
    world.step(&level);
    world.clone_from(&start);
    world.step(&level);
    assert_eq!(world, start);
}

#[test]
fn a_belt_does_not_pull_a_body_on_its_side_into_the_platform() {
    let level = blank(200, 200);
    let mut world = World::new(Rate::per_second(1));
    let belt = Body::platform(Aabb::from_xywh(40, 40, 40, 40)).with_belt((-1.5, 0.0));
    world.add(belt);
    let settings = MoverSettings { floor: Some(Dir::Left), ..MoverSettings::PLAIN };
    let climber = world.add(Body::character(Aabb::from_xywh(80, 50, 10, 10), settings));
    for _ in 0..5 {
        world.step(&level);
        assert_eq!(place(&world, climber), IVec2::new(80, 50));
    }
}

#[test]
fn a_block_lands_on_a_pusher_that_cannot_move() {
    let level = blank(200, 100);
    let mut world = World::new(Rate::per_second(1));
    let settings = MoverSettings {
        path: MovePath::Straight(Corners::Block),
        response: Response::Stop,
        ..MoverSettings::PLAIN
    };
    // The floor stops the pusher on both axes, although it could move right along the floor.
    let pusher = Body::character(Aabb::from_xywh(20, 90, 10, 10), settings).pushing(0, 5, false);
    let pusher = world.add(going(6, 3, pusher));
    let falling =
        world.add(Body::pushable(Aabb::from_xywh(20, 50, 5, 5), 0, 0.305).pushing(0, 0, false));
    (0..60).for_each(|_| world.step(&level));
    assert_eq!(place(&world, pusher), IVec2::new(20, 90));
    assert_eq!(place(&world, falling), IVec2::new(20, 85));
}

#[test]
fn a_crate_pushed_by_the_pusher_and_by_another_crate_moves_the_row() {
    let pusher = going(12, 0, cube(10, 20, 10, 20).pushing(0, 9, false));
    let near = cube(20, 30, 10, 10).pushing(1, 0, false);
    let far = cube(30, 20, 10, 20).pushing(1, 0, false);
    let last = cube(40, 20, 10, 20).pushing(1, 0, false);
    let places = after_a_step(&[pusher, near, far, last]);
    assert_eq!(places.iter().map(|place| place.x).collect::<Vec<_>>(), [22, 32, 42, 52]);
}

#[test]
fn bodies_on_a_pushed_crate_move_with_it_only_once() {
    let floor = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
    let block = |x, y, w| Body::character(Aabb::from_xywh(x, y, w, 10), floor);
    let pusher = going(7, 0, block(10, 190, 10).pushing(0, 9, false));
    // Two riders beside each other stand on a crate, and so does a second crate that carries a third rider.
    let low = block(20, 190, 60).pushing(1, 0, true);
    let riders = [block(20, 180, 10), block(30, 180, 10)];
    let high = block(50, 180, 20).pushing(1, 0, true);
    let top = block(55, 170, 10);
    let places = after_a_step(&[pusher, low, riders[0], riders[1], high, top]);
    let moved = places.iter().map(|place| place.x).collect::<Vec<_>>();
    assert_eq!(moved, [17, 27, 27, 37, 57, 62]);
}

#[test]
fn a_character_that_pushes_down_the_crate_below_it_is_not_carried_too() {
    let level = blank(200, 200);
    let mut world = World::new(Rate::per_second(1));
    let floor = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
    let faller = Body::character(Aabb::from_xywh(20, 20, 10, 10), floor).pushing(0, 5, false);
    let faller = world.add(going(0, 4, faller));
    world.add(cube(20, 30, 10, 10).pushing(1, 0, true));
    world.step(&level);
    let last = world.get(faller).and_then(|body| body.last().copied()).unwrap();
    assert_eq!((last.moved, last.carried), (IVec2::new(0, 4), IVec2::ZERO));
}

#[test]
fn a_pusher_at_rest_wakes_when_its_row_is_blocked_far_away() {
    let level = blank(400, 100);
    let mut world = World::new(Rate::per_second(1));
    let pusher = cube(10, 50, 10, 10).pushing(0, 9, false);
    world.add(pusher.with_subpixel(IVec2::new(30_000, 0)));
    world.add(cube(20, 50, 200, 10).pushing(1, 0, false));
    let wall = world.add(Body::platform(Aabb::from_xywh(300, 50, 10, 10)));
    (0..3).for_each(|_| world.step(&level));
    world.get_mut(wall).unwrap().aabb = Aabb::from_xywh(220, 50, 10, 10);
    let mut awake = world.clone();
    world.step(&level);
    awake.step(&level);
    assert_eq!(world, awake);
}

#[test]
fn a_pusher_at_rest_wakes_when_a_far_body_that_blocks_its_crate_leaves() {
    let level = blank(40, 40);
    let mut world = World::new(Rate::per_second(1));
    let body =
        |x, y, w, h| Body::pushable(Aabb::from_xywh(x, y, w, h), 0, 0.0).pushing(0, 0, false);
    let top = body(16, 25, 3, 8).pushing(2, 5, false);
    world.add(top.with_acceleration_subpixels(I64Vec2::new(0, PIXEL / 2)));
    world.add(body(11, 33, 7, 1).pushing(2, 0, false));
    world.add(body(9, 34, 5, 6).with_velocity_subpixels(I64Vec2::new(-PIXEL / 2, 0)));
    for _ in 0..9 {
        let mut awake = world.clone();
        world.step(&level);
        awake.step(&level);
        assert_eq!(world, awake);
    }
}

#[test]
fn a_resting_rider_that_is_carried_steps_like_an_awake_one() {
    let level = blank(200, 200);
    let mut world = World::new(Rate::per_second(1));
    let floor = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
    let block = |x, w| Body::character(Aabb::from_xywh(x, 20, w, 10), floor);
    let pusher = world.add(block(20, 10).pushing(0, 9, false));
    world.add(cube(20, 30, 30, 10).pushing(1, 0, true));
    // The wall holds the rider until the rider is 3 pixels lower.
    let rider = block(40, 10).with_acceleration_subpixels(I64Vec2::new(PIXEL / 2, 0));
    let rider = world.add(rider);
    world.add(Body::platform(Aabb::from_xywh(50, 10, 10, 13)));
    (0..3).for_each(|_| world.step(&level));
    world.get_mut(pusher).unwrap().set_velocity_subpixels(I64Vec2::new(1, 3) * PIXEL);
    let mut awake = world.clone();
    world.step(&level);
    awake.step(&level);
    assert_eq!(place(&world, rider), IVec2::new(40, 23));
    assert_eq!(world, awake);
}

#[test]
fn queries_find_balls_at_fractions_of_a_pixel() {
    let level = blank(200, 200);
    let mut world = World::new(Rate::per_second(1));
    // The boxes of the balls are a pixel apart, but the circles overlap.
    let ball = |x: i32, subpixel: i32| {
        let ball = Body::ball(IVec2::new(x, 50), 10, 1).with_watches(1);
        ball.with_subpixel(IVec2::new(subpixel, 0))
    };
    let [one, other] = [ball(50, 60_000), ball(61, -60_000)].map(|ball| world.add(ball));
    assert_eq!(world.pairs(), [(one, other)]);
    assert_eq!(world.overlapping(Aabb::from_xywh(60, 55, 1, 1), 1), [one, other]);
    world.step(&level);
    let begins = world.events().iter().filter(|event| matches!(event, Event::Begin(_)));
    assert_eq!(begins.count(), 2);
}

#[test]
fn a_ball_at_a_fraction_of_a_pixel_meets_the_bodies_that_pass_it() {
    let level = blank(200, 200);
    let mut world = World::new(Rate::per_second(1));
    let ball = Body::ball(IVec2::new(50, 50), 10, 1);
    world.add(ball.with_subpixel(IVec2::new(0, 60_000)).with_watches(1));
    // The sensor passes below the box of the ball, but through its circle.
    world.add(going(60, 0, Body::sensor(Aabb::from_xywh(30, 60, 4, 1))));
    world.step(&level);
    assert!(matches!(world.events()[..2], [Event::Begin(_), Event::End(_)]));
}

#[test]
fn a_body_that_lands_on_two_bodies_takes_the_speed_of_the_slower() {
    let level = blank(200, 200);
    let speeds = [false, true].map(|is_mirrored| {
        let mut world = World::new(Rate::per_second(1));
        let settings = MoverSettings { path: MovePath::YThenX, ..MoverSettings::PLAIN };
        let side = if is_mirrored { -1 } else { 1 };
        let add = |world: &mut World, x: i32, body: Body| {
            let x = if is_mirrored { 200 - x - 10 } else { x };
            world.add(body.with_aabb(Aabb::from_xywh(x, body.aabb.min.y, 10, 10)))
        };
        let falling = Body::character(Aabb::from_xywh(0, 20, 10, 10), settings);
        let falling = add(&mut world, 55, going(side * 40, 9, falling));
        // The two lower bodies move first, and are level after that. The falling body meets both and goes on
        // beside them.
        add(&mut world, 50, going(0, 3, cube(0, 30, 10, 10)));
        add(&mut world, 60, going(0, 1, cube(0, 32, 10, 10)));
        world.step(&level);
        assert_eq!(place(&world, falling).y, 23);
        world.get(falling).unwrap().velocity_subpixels().y
    });
    assert_eq!(speeds, [PIXEL; 2]);
}
