//! Bodies at rest are skipped in steps, which must not change any result.

use bitwall::geometry::Corners;
use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::mover::{MovePath, Response};
use bitwall::world::{Body, BodyId, World};
use bitwall::{Aabb, Dir, Footprint, Level, MoverSettings, Rate, Sides, Terrain};

use crate::support::{Subpixels, is_long, scattered};

fn settings(random: &mut fastrand::Rng) -> MoverSettings {
    let plain = MoverSettings::PLAIN;
    let floor = Some(Dir::ALL[random.usize(..4)]);
    match random.u8(..8) {
        0 | 1 => MoverSettings { floor: Some(Dir::Down), ..plain },
        2 | 3 => MoverSettings::platformer(),
        4 => MoverSettings::top_down(),
        5 => MoverSettings { floor, step_height: 3, snap_distance: 9, ..plain },
        6 => MoverSettings {
            path: MovePath::Straight(Corners::Block),
            response: Response::Bounce { restitution: random.u8(..110) },
            ..plain
        },
        _ => MoverSettings {
            response: [Response::Stop, Response::Cross][random.usize(..2)],
            corner_correction: Sides { left: 9, right: 2, up: 0, down: 5 },
            ..plain
        },
    }
}

fn body(random: &mut fastrand::Rng, size: IVec2) -> Body {
    let (w, h) = (random.i32(0..24), random.i32(1..20));
    let at = IVec2::new(random.i32(-20..size.x), random.i32(-20..size.y));
    let aabb = Aabb::from_xywh(at.x, at.y, w, h);
    let speed = |random: &mut fastrand::Rng| random.i64(-150_000..150_000);
    let velocity = I64Vec2::new(speed(random), speed(random));
    let body = match random.u8(..12) {
        0 => Body::platform(aabb).with_velocity_subpixels(velocity),
        1 => Body::one_way_platform(aabb).with_velocity_subpixels(velocity / 3),
        2 => Body::ball(at, random.u32(1..20), random.u16(..5)).with_velocity_subpixels(velocity),
        3 => Body::sensor(aabb),
        _ => {
            let pull = [0, 7_000, 30_000, 140_000][random.usize(..4)];
            let down = if random.u8(..4) > 0 { Dir::Down } else { Dir::ALL[random.usize(..4)] };
            let new = if random.u8(..3) == 0 { Body::soft } else { Body::character };
            let body = new(aabb, settings(random))
                .with_velocity_subpixels([velocity, I64Vec2::ZERO][random.usize(..2)])
                .with_acceleration_subpixels(down.vector().as_i64vec2() * pull);
            body.pushing(random.u16(..4), [0, 0, 2, 5][random.usize(..4)], random.u8(..4) == 0)
        }
    };
    let watches = if random.u8(..6) == 0 { 1 } else { 0 };
    match random.u8(..9) {
        0 => body.with_category(2).with_collides_with(3).with_watches(watches),
        1 => body.with_collides_with(0).with_watches(watches),
        _ => body.with_watches(watches),
    }
}

/// Changes a world at random, as a game does.
fn meddle(random: &mut fastrand::Rng, world: &mut World, ids: &mut Vec<BodyId>, size: IVec2) {
    let id = ids[random.usize(..ids.len())];
    match random.u8(..14) {
        0 => {
            world.remove(id);
        }
        1 => ids.push(world.add(body(random, size))),
        2 => {
            if let Some(body) = world.get_mut(id) {
                let x = random.i64(-300_000..300_000);
                body.set_velocity_subpixels(I64Vec2::new(x, body.velocity_subpixels().y));
            }
        }
        3 => {
            if let Some(body) = world.get_mut(id) {
                let step = IVec2::new(random.i32(-9..9), random.i32(-9..9));
                body.aabb = body.aabb.translated(step);
            }
        }
        4 => {
            let new = body(random, size);
            if let Some(body) = world.get_mut(id) {
                *body = new;
            }
        }
        5 => {
            world.get_mut(id);
        }
        6 => {
            let shapes = [Footprint::circle(13), Footprint::capsule(UVec2::new(9, 20))];
            let shape = random.choice(shapes).and_then(Result::ok);
            world.set_footprint(id, shape.filter(|_| random.u8(..3) > 0));
        }
        _ => {}
    }
}

#[test]
fn a_world_steps_the_same_if_bodies_at_rest_are_simulated_too() {
    let rounds = if is_long() { 400 } else { 60 };
    let mut random = fastrand::Rng::with_seed(5);
    for round in 0..rounds {
        let cells = UVec2::new(random.u32(4..40), random.u32(4..30));
        let cell = UVec2::new(random.u32(4..20), random.u32(4..20));
        let grid = scattered(&mut random, cells, 30, UVec2::new(5, 2));
        let layer = scattered(&mut random, cells, 9, UVec2::new(5, 2));
        let layer = Terrain::new(layer, cell).unwrap();
        let mut level = Level::from_grid(grid, cell).unwrap().with_solid_area("layer", layer, 2);
        let size = level.size().as_ivec2();
        let mut world = World::new(Rate::per_second(1));
        let count = random.usize(1..120);
        let mut ids: Vec<BodyId> = (0..count).map(|_| world.add(body(&mut random, size))).collect();
        for step in 0..150 {
            if random.u8(..3) == 0 && step < 110 {
                meddle(&mut random, &mut world, &mut ids, size);
            }
            if random.u8(..20) == 0 {
                let (x, y) = (random.u32(..cells.x), random.u32(..cells.y));
                let terrain =
                    if random.bool() { level.area_mut("layer").unwrap() } else { &mut *level };
                terrain.fill(x..x + 2, y..y + 1, random.bool()).unwrap();
                if random.u8(..4) == 0 {
                    level.set_area_category("layer", random.u64(..4));
                }
            }
            // A clone does not know which bodies are at rest, so all its bodies are simulated.
            let mut awake = world.clone();
            world.step(&level);
            awake.step(&level);
            for ((id, body), (_, other)) in world.iter().zip(awake.iter()) {
                assert_eq!(body, other, "round {round}, step {step}, {id:?}");
            }
            assert!(world == awake, "round {round}, step {step}");
        }
    }
}

#[test]
fn a_step_of_a_thousand_blocks_at_rest_is_30_times_faster_than_without_sleep() {
    let level = Level::from_grid(bitwall::Grid::new(100, 40).unwrap(), UVec2::splat(16)).unwrap();
    for carries in [false, true] {
        let mut world = World::new(Rate::per_second(1));
        for at in 0..1_000 {
            let (column, row) = (at % 100, at / 100);
            let aabb = Aabb::from_xywh(column * 16, 640 - 16 * (row + 1), 16, 16);
            let mass = if carries { 4 } else { 0 };
            world.add(Body::pushable(aabb, 0, 0.25).pushing(mass, 0, carries));
        }
        let time = |world: &mut World, steps: u32| {
            let start = std::time::Instant::now();
            (0..steps).for_each(|_| world.step(&level));
            start.elapsed() / steps
        };
        let awake = time(&mut world.clone(), 1);
        (0..5).for_each(|_| world.step(&level));
        // The fastest of several runs counts, so that other work on the machine does not matter.
        let asleep = (0..20).map(|_| time(&mut world, 10)).min().unwrap();
        assert!(asleep * 30 < awake, "{asleep:?} {awake:?}");
    }
}
