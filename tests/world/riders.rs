//! Tests of what carries a body and where the body is drawn: riders of lifts, belts and crates, their fall
//! limits, and ledges.

use bitwall::glam::{DVec2, I64Vec2, IVec2, UVec2, Vec2};
use bitwall::world::{Body, BodyId, BodyKind, World};
use bitwall::{Aabb, Dir, Grid, Level, Mover, MoverSettings, Rate};

use super::turns::Turn;
use crate::support::{Subpixels, blank, cells, rounds};

const PIXEL: f64 = Mover::SUBPIXELS as f64;

fn subpixels(x: f64, y: f64) -> I64Vec2 {
    I64Vec2::new((x * PIXEL) as i64, (y * PIXEL) as i64)
}

/// Creates a hero of 12 x 20 px whose feet are at `y`.
fn hero(x: i32, y: i32) -> Body {
    let mut hero = Body::character(Aabb::from_xywh(x, y - 20, 12, 20), MoverSettings::platformer());
    hero.set_acceleration_subpixels(subpixels(0.0, 0.2));
    hero
}

fn lift(x: i32, y: i32) -> Body {
    Body::platform(Aabb::from_xywh(x, y, 60, 8))
}

fn crates(x: i32, y: i32) -> Body {
    Body::pushable(Aabb::from_xywh(x, y - 16, 16, 16), 4, 0.25)
}

fn add(world: &mut World, body: Body) -> BodyId {
    world.add(body)
}

fn body(world: &World, id: BodyId) -> Body {
    *world.get(id).unwrap()
}

/// The smallest and largest distance between two bodies as they are drawn, on each axis.
#[derive(Debug)]
struct Wander {
    least: DVec2,
    most: DVec2,
}

impl Wander {
    fn new() -> Self {
        Self { least: DVec2::INFINITY, most: DVec2::NEG_INFINITY }
    }

    fn see(&mut self, (level, world): (&Level, &World), rider: BodyId, lift: BodyId, walked: f64) {
        let by = world.drawn(level, rider).unwrap() - world.drawn(level, lift).unwrap();
        let by = by - DVec2::new(walked, 0.0);
        (self.least, self.most) = (self.least.min(by), self.most.max(by));
    }

    fn size(&self) -> f64 {
        (self.most - self.least).max_element()
    }
}

#[test]
fn riders_are_drawn_at_a_constant_distance_from_their_lift_at_every_speed() {
    let level = blank(40_000, 40_000);
    let mut random = fastrand::Rng::with_seed(304);
    for _ in 0..rounds(24) {
        let mut speed = || (random.f64() - 0.5) * [0.02, 0.5, 3.0, 24.0][random.usize(0..4)];
        let mut velocity = [speed(), speed()];
        let mut world = World::new(Rate::per_second(1));
        let on = add(&mut world, lift(20_000, 20_000));
        // Two heroes hang over the ends of the lift by 11 of their 12 px, and two crates are stacked.
        let mut riders = vec![
            add(&mut world, hero(19_989, 20_000)),
            add(&mut world, hero(20_059, 20_000)),
            add(&mut world, crates(20_020, 20_000)),
            add(&mut world, crates(20_021, 19_984)),
        ];
        riders.push(add(&mut world, hero(20_022, 19_968)));
        let mut seen: Vec<Wander> = riders.iter().map(|_| Wander::new()).collect();
        for step in 0..10_000 {
            if random.u8(0..100) == 0 {
                velocity = [-velocity[1], velocity[0]];
            }
            world.get_mut(on).unwrap().set_velocity_subpixels(subpixels(velocity[0], velocity[1]));
            world.step(&level);
            for (rider, seen) in riders.iter().zip(&mut seen).filter(|_| step > 0) {
                seen.see((&level, &world), *rider, on, 0.0);
                assert!(seen.size() < 0.01, "{velocity:?} {step} {seen:?}");
            }
        }
    }
}

#[test]
fn a_walk_on_a_lift_is_drawn_at_an_even_speed() {
    let level = blank(20_000, 200);
    for (speed, walk) in [(0.37, 0.3), (-0.61, 0.3), (0.61, -0.77), (0.01, 0.01)] {
        let mut world = World::new(Rate::per_second(1));
        let body = Body::platform(Aabb::from_xywh(9_000, 100, 2_000, 8));
        let on = add(&mut world, body);
        world.get_mut(on).unwrap().set_velocity_subpixels(subpixels(speed, 0.0));
        let rider = add(&mut world, hero(10_000, 100));
        let (step, mut seen) = (subpixels(walk, 0.0), Wander::new());
        for at in 1..1_000 {
            let body = world.get_mut(rider).unwrap();
            body.set_velocity_subpixels(I64Vec2::new(step.x, body.velocity_subpixels().y));
            world.step(&level);
            seen.see((&level, &world), rider, on, step.x as f64 / PIXEL * f64::from(at));
        }
        assert!(seen.size() < 0.01, "{speed} {walk} {seen:?}");
    }
}

#[test]
fn a_walk_against_a_belt_of_the_same_speed_is_drawn_at_a_constant_position() {
    let level = blank(400, 100);
    let mut world = World::new(Rate::per_second(1));
    let belt = Body::platform(Aabb::from_xywh(0, 60, 400, 8)).with_belt((-1.3, 0.0));
    let on = add(&mut world, belt);
    let rider = add(&mut world, hero(200, 60));
    let mut seen = Wander::new();
    for _ in 0..300 {
        let hero = world.get_mut(rider).unwrap();
        *hero = hero.with_velocity((1.3, 0.0));
        world.step(&level);
        seen.see((&level, &world), rider, on, 0.0);
    }
    assert!(seen.size() < 0.01, "{seen:?}");
}

#[test]
fn a_body_that_nothing_carries_is_drawn_at_its_position() {
    let level = blank(400, 400);
    let mut world = World::new(Rate::per_second(1));
    let falling = hero(10, 40).with_velocity((0.3, 0.0));
    let ball = Body::ball(IVec2::new(60, 60), 9, 1).with_velocity((0.7, 0.1));
    let ids = [falling, ball, lift(100, 100).with_velocity((0.3, 0.6))];
    let ids = ids.map(|body| add(&mut world, body));
    for _ in 0..20 {
        world.step(&level);
        for id in ids {
            assert_eq!(world.drawn(&level, id), Some(body(&world, id).position()));
        }
    }
    world.remove(ids[0]);
    assert_eq!(world.drawn(&level, ids[0]), None);
}

#[test]
fn a_rider_that_runs_into_a_wall_is_not_drawn_in_it() {
    let mut wall = Grid::new(400, 200).unwrap();
    wall.fill(200..220, 0..200, true).unwrap();
    let level = cells(wall, 1);
    let mut world = World::new(Rate::per_second(1));
    // The foot of the wall is lower than the top of the lift, so the lift goes through the wall.
    add(&mut world, lift(140, 100).with_velocity((0.37, 0.0)));
    let rider = add(&mut world, hero(180, 100));
    for step in 0..60 {
        let hero = world.get_mut(rider).unwrap();
        *hero = hero.with_velocity((0.6, 0.0));
        world.step(&level);
        let x = world.drawn(&level, rider).unwrap().x;
        assert!(x <= 188.0 && (step < 20 || x == 188.0), "{step} {x}");
    }
}

/// Returns the largest fall in one step of a hero with a fall limit of 4 px, and of the crate below it, in
/// pixels.
fn largest_falls(crate_below: Body) -> (i32, i32) {
    let level = blank(400, 4_000);
    let mut world = World::new(Rate::per_second(1));
    let below = add(&mut world, crate_below);
    let mut rider = hero(102, 104);
    rider.set_acceleration_subpixels(subpixels(0.0, 0.22));
    let rider = add(&mut world, rider.with_fall_limit(4.0));
    let mut most = [0; 2];
    for _ in 0..120 {
        let before = [rider, below].map(|id| body(&world, id).aabb.min.y);
        world.step(&level);
        for (at, id) in [rider, below].into_iter().enumerate() {
            most[at] = most[at].max(body(&world, id).aabb.min.y - before[at]);
        }
    }
    (most[0], most[1])
}

#[test]
fn a_hero_on_a_falling_crate_falls_no_faster_than_its_own_limit() {
    let (hero, fall) = largest_falls(crates(100, 120));
    assert!(fall >= 29 && hero == 4, "{hero} {fall}");
    assert_eq!(largest_falls(crates(100, 120).with_fall_limit(6.0)), (4, 6));
    // A crate with a lower limit slows the hero down.
    assert_eq!(largest_falls(crates(100, 120).with_fall_limit(2.5)), (3, 3));
}

#[test]
fn a_lift_carries_its_rider_at_any_speed_and_a_free_fall_keeps_to_the_limit() {
    let level = blank(400, 4_000);
    for (below, limit) in [(8.0, 4.5), (1.0, 0.3), (5.0, 4.0), (0.0, 4.5), (0.0, 0.3)] {
        let mut world = World::new(Rate::per_second(1));
        if below > 0.0 {
            add(&mut world, lift(90, 100).with_velocity((0.0, below)));
        }
        let mut rider = hero(100, 100).with_fall_limit(limit);
        rider.set_velocity_subpixels(subpixels(0.0, 20.0));
        let rider = add(&mut world, rider);
        (0..200).for_each(|_| world.step(&level));
        let fallen = f64::from(body(&world, rider).aabb.max.y - 100);
        let due = 200.0 * f64::from(if below > 0.0 { below } else { limit });
        assert!((fallen - due).abs() < 1.5, "{below} {limit}: {fallen} of {due}");
    }
}

#[test]
fn a_fall_limit_slows_no_rise_and_no_push() {
    let level = blank(400, 400);
    let mut world = World::new(Rate::per_second(1));
    let rising = hero(10, 300).with_fall_limit(0.0).with_velocity((0.0, -9.0));
    let rising = add(&mut world, rising);
    let pressed = add(&mut world, hero(100, 128).with_fall_limit(0.0));
    let mut press = lift(80, 100);
    press.set_velocity_subpixels(subpixels(0.0, 5.0));
    add(&mut world, press);
    (0..10).for_each(|_| world.step(&level));
    assert!(body(&world, rising).aabb.max.y < 240);
    assert_eq!(body(&world, pressed).aabb.min.y, 158, "the lift pushes it down");
}

#[test]
fn a_body_stands_on_one_way_floors_alone_if_it_can_drop() {
    let mut ledge = Grid::new(400, 200).unwrap();
    ledge.fill(0..100, 100..101, true).unwrap();
    let mut ground = Grid::new(400, 200).unwrap();
    ground.fill(0..400, 180..200, true).unwrap();
    let level = cells(ground, 1).with_one_way(Dir::Up, ledge).unwrap();
    let mut world = World::new(Rate::per_second(1));
    add(&mut world, Body::one_way_platform(Aabb::from_xywh(95, 100, 60, 8)));
    add(&mut world, lift(152, 100));
    add(&mut world, lift(300, 100));
    for (x, y, expected) in [
        (40, 100, true),   // cells
        (90, 100, true),   // cells and a one-way lift
        (120, 100, true),  // a one-way lift
        (145, 100, false), // a one-way lift and a solid one
        (180, 100, false), // a solid lift
        (320, 180, false), // the ground
        (240, 100, false), // nothing
    ] {
        let id = add(&mut world, hero(x, y));
        assert_eq!(world.is_on_one_way(&level, id), expected, "{x}");
        let mover = Mover::new(body(&world, id).aabb, MoverSettings::platformer());
        let stands_on_cells = (x, y) == (40, 100) || (x, y) == (90, 100);
        assert_eq!(mover.is_on_one_way(&level), stands_on_cells, "{x}");
        assert_eq!(world.drop_through(&level, id), expected, "{x}");
        assert!(!world.is_on_one_way(&level, id));
        world.remove(id);
        assert!(!world.is_on_one_way(&level, id));
    }
}

#[test]
fn a_character_is_resized_where_neither_level_nor_bodies_are_in_the_way() {
    let level = blank(400, 200);
    let mut world = World::new(Rate::per_second(1));
    add(&mut world, lift(100, 100));
    let rider = add(&mut world, hero(110, 100));
    let small = UVec2::new(12, 10);
    assert!(world.resize(&level, rider, small, Some(Dir::Down)));
    assert_eq!(body(&world, rider).aabb, Aabb::from_xywh(110, 90, 12, 10));
    let low = add(&mut world, lift(100, 76));
    world.step(&level);
    assert!(!world.resize(&level, rider, UVec2::new(12, 20), Some(Dir::Down)));
    assert!(world.resize(&level, rider, UVec2::new(12, 16), Some(Dir::Down)));
    world.remove(low);
    assert!(world.resize(&level, rider, UVec2::new(12, 20), Some(Dir::Down)));
    assert_eq!(body(&world, rider).aabb, hero(110, 100).aabb);
    assert!(!world.resize(&level, low, small, None));
}

/// Celeste also carries every actor that touches the top of a solid.
#[test]
fn a_body_with_one_pixel_on_a_lift_rides_it_even_if_it_stands_on_the_level() {
    let mut ground = Grid::new(600, 200).unwrap();
    ground.fill(0..200, 100..200, true).unwrap();
    let level = cells(ground, 1);
    let mut world = World::new(Rate::per_second(1));
    add(&mut world, lift(200, 100).with_velocity((1.0, 0.0)));
    let rider = add(&mut world, hero(189, 100));
    (0..60).for_each(|_| world.step(&level));
    assert_eq!(body(&world, rider).aabb.min, IVec2::new(249, 80));
}

fn crosses(level: &Level, mut runner: Mover, far: i32) -> bool {
    let mut fall = 0.0_f32;
    while runner.body.min.x < far && runner.body.max.y < 120 {
        fall += 0.2;
        let step = runner.step(level, (1.75, fall)).unwrap();
        fall = step.velocity((0.0, fall)).1;
        if step.contacts.right.is_some() {
            return false;
        }
    }
    runner.body.max.y == 100
}

#[test]
fn a_run_crosses_a_pit_only_if_corner_correction_can_undo_its_fall() {
    for (gap, correction, expected) in
        [(12, 4, true), (22, 4, true), (24, 4, false), (22, 0, false), (20, 0, false)]
    {
        let mut ground = Grid::new(400, 200).unwrap();
        ground.fill(0..150, 100..200, true).unwrap();
        ground.fill(150 + gap..400, 100..200, true).unwrap();
        let level = cells(ground, 1);
        let mut settings = MoverSettings::platformer();
        (settings.corner_correction.left, settings.corner_correction.right) =
            (correction, correction);
        let runner = Mover::new(Aabb::from_xywh(100, 80, 12, 20), settings);
        assert_eq!(crosses(&level, runner, 260), expected, "{gap} {correction}");
    }
}

/// The velocities of what carries a body, in pixels a step.
pub(crate) const MOTIONS: [(f32, f32); 10] = [
    (0.5, 0.0),
    (-0.5, 0.0),
    (1.5, 0.0),
    (-1.5, 0.0),
    (0.0, 0.4),
    (0.0, -0.4),
    (0.0, 2.0),
    (0.0, -2.0),
    (0.7, -1.3),
    (-2.3, 1.1),
];

/// Returns a world with a block of 48 x 60 px that moves, and a character at its left side, 5 px below its top.
fn held(turn: Turn, block: Body, holds: Option<Dir>) -> (World, [BodyId; 2]) {
    let mut world = World::new(Rate::per_second(1));
    let mut block = block;
    block.aabb = turn.area(Aabb::from_xywh(0, 0, 48, 60));
    let settings = turn.settings(MoverSettings::platformer());
    let mut hero = Body::character(turn.area(Aabb::from_xywh(-12, 5, 12, 20)), settings);
    let BodyKind::Character(character) = &mut hero.kind else { panic!() };
    character.holds = holds;
    let ids = [block, hero].map(|body| world.add(body));
    (world, ids)
}

#[test]
fn a_character_that_holds_on_to_a_side_rides_in_all_directions() {
    let level = blank(400, 400);
    for turn in Turn::all() {
        let side = turn.dir(Dir::Right);
        for (x, y) in MOTIONS {
            let motion = turn.vector(Vec2::new(x, y));
            let block = Body::platform(Aabb::default()).with_velocity(motion);
            let (mut world, [block, hero]) = held(turn, block, Some(side));
            assert_eq!(world.standing_on(hero), Some(block));
            let apart = body(&world, hero).aabb.min - body(&world, block).aabb.min;
            let mut seen = Wander::new();
            for step in 0..60 {
                world.step(&level);
                let now = body(&world, hero).aabb.min - body(&world, block).aabb.min;
                assert_eq!(now, apart, "{turn:?} {motion} {step}");
                assert!(world.floor_velocity(hero).distance(motion) < 0.001);
                seen.see((&level, &world), hero, block, 0.0);
            }
            assert!(seen.size() < 0.01, "{turn:?} {motion} {seen:?}");
            // Without a hold, it is left behind, if the block does not push it.
            let is_left = x > 0.0 || y != 0.0;
            let block = body(&world, block);
            let (mut world, [block, hero]) = held(turn, block, None);
            (0..60).for_each(|_| world.step(&level));
            let now = body(&world, hero).aabb.min - body(&world, block).aabb.min;
            assert_eq!(now != apart, is_left, "{turn:?} {motion}");
        }
    }
}

#[test]
fn a_belt_carries_a_character_along_the_side_by_which_it_holds_on() {
    let level = blank(400, 400);
    for turn in Turn::all() {
        for (belt, expected) in
            [((0.0, -0.5), (0.0, -10.0)), ((0.0, 1.0), (0.0, 20.0)), ((-1.0, 0.0), (0.0, 0.0))]
        {
            let block = Body::platform(Aabb::default()).with_belt(turn.vector(belt.into()));
            let (mut world, [_, hero]) = held(turn, block, Some(turn.dir(Dir::Right)));
            let start = body(&world, hero).aabb.min;
            (0..20).for_each(|_| world.step(&level));
            let moved = (body(&world, hero).aabb.min - start).as_vec2();
            assert_eq!(moved, turn.vector(expected.into()), "{turn:?} {belt:?}");
        }
    }
}

#[test]
fn what_stands_on_a_character_that_holds_on_rides_too() {
    let level = blank(400, 400);
    let block = Body::platform(Aabb::default()).with_velocity((1.0, -0.5));
    let turn = Turn::all().next().unwrap();
    let (mut world, [block, hero]) = held(turn, block, Some(Dir::Right));
    let below = body(&world, hero).aabb;
    let top = Body::pushable(Aabb::from_xywh(below.min.x, below.min.y - 10, 10, 10), 0, 0.2);
    let ids = [world.add(top), hero];
    let apart = ids.map(|id| body(&world, id).aabb.min - body(&world, block).aabb.min);
    (0..60).for_each(|_| world.step(&level));
    assert_eq!(ids.map(|id| body(&world, id).aabb.min - body(&world, block).aabb.min), apart);
}
