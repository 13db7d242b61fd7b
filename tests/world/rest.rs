//! Tests of blocks that stack and come to rest (system 18 of the tutorials), of sensors, and of body ids.

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::world::{Body, BodyId, BodyKind, Event, Meeting, World};
use bitwall::{Aabb, Grid, Level, MoverSettings, Rate};

use crate::support::{Stopwatch, Subpixels, blank};
use crate::world::balls::nameless;

fn heap(seed: u64) -> Vec<Body> {
    let mut random = fastrand::Rng::with_seed(seed);
    let mut blocks: Vec<Body> = Vec::new();
    while blocks.len() < 60 {
        let (w, h) = (random.i32(3..24), random.i32(3..16));
        let aabb = Aabb::from_xywh(random.i32(0..200 - w), random.i32(0..300 - h), w, h);
        if blocks.iter().all(|block| !block.aabb.overlaps(aabb)) {
            blocks.push(Body::pushable(aabb, 0, random.f32() * 0.85 + 0.06).pushing(0, 0, false));
        }
    }
    blocks
}

#[test]
fn s18_blocks_stack_come_to_rest_and_do_not_depend_on_the_order() {
    let level = blank(200, 300);
    let mut random = fastrand::Rng::with_seed(1);
    for seed in 0..3 {
        let blocks = heap(seed);
        let mut order: Vec<usize> = (0..blocks.len()).collect();
        let mut first = None;
        for _ in 0..3 {
            random.shuffle(&mut order);
            let mut world = World::new(Rate::per_second(1));
            let ids: Vec<BodyId> = order.iter().map(|at| world.add(blocks[*at])).collect();
            for _ in 0..100 {
                world.step(&level);
                assert_eq!(world.pairs(), [], "two overlap");
            }
            (0..400).for_each(|_| world.step(&level));
            let rested = world.clone();
            for _ in 0..20 {
                world.step(&level);
                assert!(world == rested, "it still moves");
            }
            let mut after: Vec<_> = order
                .iter()
                .zip(&ids)
                .map(|(at, id)| (*at, nameless(*world.get(*id).unwrap())))
                .collect();
            after.sort_by_key(|(at, _)| *at);
            for (_, block) in &after {
                let below =
                    Aabb { min: IVec2::new(block.aabb.min.x, block.aabb.max.y), ..block.aabb };
                let below = Aabb { max: below.max + IVec2::Y, ..below };
                let is_held = level.overlaps(below)
                    || after.iter().any(|(_, other)| other.aabb.overlaps(below));
                assert!(is_held && block.velocity_subpixels() == I64Vec2::ZERO);
            }
            assert!(*first.get_or_insert_with(|| after.clone()) == after);
        }
    }
}

#[test]
fn s18_the_tutorials_stacking_depends_on_order_and_moves_through_ceilings() {
    // The tutorial does this for each rectangle of its list: `if intersects(active, rect) { active.y = rect.y
    // - active.height }`.
    let settle = |rects: [Aabb; 2]| {
        let mut active = Aabb::from_xywh(0, 18, 20, 10);
        for rect in rects {
            if active.overlaps(rect) {
                let height = active.max.y - active.min.y;
                active = Aabb::from_xywh(0, rect.min.y - height, 20, height);
            }
        }
        active
    };
    // The rectangle is moved from one rectangle into another, which is tested only if it is later in the
    // list.
    let (ceiling, floor) = (Aabb::from_xywh(0, 5, 20, 10), Aabb::from_xywh(0, 20, 20, 9));
    assert_eq!(settle([floor, ceiling]).max.y, 5, "through the ceiling");
    assert_eq!(settle([ceiling, floor]).max.y, 20);
    assert!(settle([ceiling, floor]).overlaps(ceiling));
}

#[test]
fn a_sensor_reports_enter_stay_and_leave_for_bodies_of_its_categories() {
    let level = blank(200, 50);
    let mut world = World::new(Rate::per_second(1));
    let sensor = Body::sensor(Aabb::from_xywh(50, 0, 10, 50)).with_watches(1);
    let sensor = world.add(sensor);
    let walker = Body::character(Aabb::from_xywh(30, 10, 10, 10), MoverSettings::PLAIN);
    let walker = walker.with_velocity(Vec2::new(5.0, 0.0));
    let body = world.add(walker);
    world.add(walker.with_category(2).with_collides_with(2));
    let mut seen = Vec::new();
    for _ in 0..8 {
        world.step(&level);
        seen.push(world.events().to_vec());
    }
    let meeting = Meeting { watcher: sensor, body, side: None };
    let (enter, stay, leave) =
        (vec![Event::Begin(meeting)], vec![Event::Stay(meeting)], vec![Event::End(meeting)]);
    let (none, touches) = (Vec::new(), vec![]);
    let expected = [
        none.clone(),
        touches,
        enter.clone(),
        stay.clone(),
        stay,
        leave.clone(),
        none.clone(),
        none,
    ];
    assert_eq!(seen[2], expected[2], "touching was not being in it");
    assert_eq!(seen, expected);

    world.get_mut(body).unwrap().aabb = Aabb::from_xywh(50, 10, 10, 10);
    world.get_mut(body).unwrap().set_velocity_subpixels(I64Vec2::ZERO);
    world.step(&level);
    assert_eq!(world.events(), enter);
    world.remove(body);
    world.step(&level);
    assert_eq!(world.events(), leave, "a removed body leaves");
}

#[test]
fn a_sensor_meets_a_ball_as_a_circle_not_as_its_square() {
    let level = blank(100, 100);
    let mut world = World::new(Rate::per_second(1));
    world.add(Body::sensor(Aabb::from_xywh(0, 0, 22, 22)));
    let ball = world.add(Body::ball(IVec2::splat(20), 20, 1));
    world.step(&level);
    assert_eq!(world.events(), [], "only the corner of its square is in");
    world.get_mut(ball).unwrap().aabb = Aabb::from_xywh(15, 15, 20, 20);
    world.step(&level);
    assert_eq!(world.events().len(), 1);
}

#[test]
fn a_body_that_passes_a_thin_sensor_within_a_step_enters_and_leaves_it() {
    let level = blank(400, 400);
    for dir in bitwall::Dir::ALL {
        let mut world = World::new(Rate::per_second(1));
        let thin = Aabb::from_xywh(200, 200, 1, 1);
        let sensor = world.add(Body::sensor(thin));
        let start = thin.shifted(dir.opposite(), 20);
        let grown = Aabb::from_xywh(start.min.x - 2, start.min.y - 2, 5, 5);
        let velocity = dir.vector().as_vec2() * 50.0;
        let bodies = [
            Body::character(grown, MoverSettings::PLAIN),
            Body::platform(grown),
            Body::ball(grown.min, 5, 1),
        ];
        for body in bodies {
            let body = world.add(body.with_velocity(velocity));
            world.step(&level);
            let meeting = Meeting { watcher: sensor, body, side: None };
            let expected = [Event::Begin(meeting), Event::End(meeting)];
            assert_eq!(world.events(), expected, "{dir:?}");
            world.step(&level);
            assert_eq!(world.events(), []);
            world.remove(body);
        }
    }
}

#[test]
fn a_body_that_moves_past_a_sensor_does_not_enter_it() {
    let level = blank(400, 400);
    let mut world = World::new(Rate::per_second(1));
    world.add(Body::sensor(Aabb::from_xywh(200, 200, 10, 10)));
    // The box moves along the edge of the sensor. The bounding square of the ball overlaps a corner of the
    // sensor, but the ball does not.
    let along = Body::character(Aabb::from_xywh(150, 190, 10, 10), MoverSettings::PLAIN);
    let along = along.with_velocity(Vec2::new(100.0, 0.0));
    let corner = Body::ball(IVec2::new(216, 176), 40, 1);
    let corner = corner.with_velocity(Vec2::new(-40.0, -40.0));
    for body in [along, corner] {
        let id = world.add(body);
        world.get_mut(id).unwrap().aabb = match body.kind {
            BodyKind::Ball(_) => Aabb::from_xywh(208, 168, 40, 40),
            _ => body.aabb,
        };
        world.step(&level);
        assert_eq!(world.events(), []);
        world.remove(id);
    }
}

#[test]
fn a_huge_sensor_and_fast_bodies_do_not_make_a_step_slow() {
    let level = Level::from_grid(Grid::new(2_000, 2_000).unwrap(), UVec2::splat(16)).unwrap();
    let mut random = fastrand::Rng::with_seed(3);
    let mut world = World::new(Rate::per_second(1));
    for _ in 0..8_000 {
        let aabb = Aabb::from_xywh(random.i32(0..31_000), random.i32(0..31_000), 12, 20);
        let body = Body::character(aabb, MoverSettings::PLAIN);
        let speed = Vec2::new(random.f32() - 0.5, random.f32() - 0.5) * 80.0;
        world.add(body.with_velocity(speed));
    }
    let pit = Aabb { min: IVec2::new(i32::MIN, 40_000), max: IVec2::new(i32::MAX, 40_100) };
    world.add(Body::sensor(pit));
    let start = Stopwatch::start();
    (0..5).for_each(|_| world.step(&level));
    assert!(start.elapsed().as_millis() < 2_000, "{:?}", start.elapsed());
}

#[test]
fn a_step_of_5000_moving_sensors_that_watch_200_bodies_takes_little_time() {
    let level = blank(1280, 960);
    let mut random = fastrand::Rng::with_seed(4);
    let mut spot =
        |side: i32| Aabb::from_xywh(random.i32(0..1_260), random.i32(0..940), side, side);
    let mut world = World::new(Rate::per_second(1));
    for _ in 0..200 {
        world.add(Body::character(spot(16), MoverSettings::top_down()).with_category(2));
    }
    for number in 0..5_000 {
        let sensor = Body::sensor(spot(4)).with_category(4).with_watches(2);
        world.add(sensor.with_velocity(Vec2::from_angle(number as f32) * 4.0));
    }
    let start = Stopwatch::start();
    let met = (0..30).map(|_| {
        world.step(&level);
        world.events().len()
    });
    assert!(met.sum::<usize>() > 1_000);
    // An earlier version, in which each sensor visited all bodies that had left their boxes in the index,
    // took 0.5 s a step.
    assert!(start.elapsed().as_millis() < 1_500, "{:?}", start.elapsed());
}

#[test]
fn body_ids_are_unique_and_the_same_calls_give_the_same_ids() {
    let body = Body::sensor(Aabb::from_xywh(0, 0, 1, 1));
    let run = || {
        let mut world = World::new(Rate::per_second(1));
        let ids = [0; 5].map(|_| world.add(body));
        assert_eq!(world.remove(ids[1]), Some(body));
        assert_eq!(world.remove(ids[1]), None);
        world.remove(ids[3]);
        let new = world.add(body);
        assert!(!ids.contains(&new));
        assert!(world.get(ids[3]).is_none() && world.get(new).is_some());
        assert_eq!(world.len(), 4);
        (world, ids, new)
    };
    assert_eq!(run(), run());
}

#[test]
fn two_bodies_collide_only_if_each_collides_with_the_category_of_the_other() {
    let body = Body::pushable(Aabb::from_xywh(0, 0, 4, 4), 0, 0.0).pushing(0, 0, false);
    let ghost = body.with_collides_with(0);
    let mut world = World::new(Rate::per_second(1));
    let (one, two) = (world.add(body), world.add(ghost));
    assert_eq!(world.pairs(), []);
    world.get_mut(two).unwrap().collides_with = 1;
    assert_eq!(world.pairs(), [(one, two)]);
    world.get_mut(one).unwrap().category = 1 << 63;
    assert_eq!(world.pairs(), []);
}
