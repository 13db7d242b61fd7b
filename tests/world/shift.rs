//! Tests of [`World::shift`] and [`World::iter_mut`]: a world that is moved together with its level goes on
//! as before.

use bitwall::geometry::Outside;
use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::world::{Body, BodyId, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Rate};

use crate::support::{Subpixels, cells, rounds};

/// Creates a level of 60 x 60 cells of 8 px with random cells, whose first cell is at `at`.
fn level(random: &mut fastrand::Rng, at: UVec2) -> Level {
    let mut grid = Grid::new(160, 160).unwrap();
    let mut ledges = grid.clone();
    for _ in 0..120 {
        let (x, y) = (at.x + random.u32(0..54), at.y + random.u32(0..60));
        grid.fill(x..x + random.u32(1..6), y..y + 1, true).unwrap();
        let (x, y) = (at.x + random.u32(0..54), at.y + random.u32(0..60));
        ledges.fill(x..x + random.u32(1..6), y..y + 1, true).unwrap();
    }
    cells(grid, 8).with_one_way(Dir::Up, ledges).unwrap().with_outside(Outside::Open)
}

fn body(random: &mut fastrand::Rng) -> Body {
    let (x, y) = (random.i32(0..460), random.i32(0..460));
    let aabb = Aabb::from_xywh(x, y, random.i32(4..20), random.i32(4..20));
    let mut body = match random.u8(0..8) {
        0 => Body::platform(aabb),
        1 => Body::one_way_platform(aabb),
        2 => Body::ball(aabb.min, 9, 2),
        3 => Body::sensor(aabb),
        4 => Body::bullet(aabb),
        5 => Body::character(aabb, MoverSettings::platformer()).pushing(1, 9, false),
        _ => Body::pushable(aabb, 2, 0.2).pushing(2, 0, random.bool()),
    };
    let mut speed = || random.i64(-150_000..150_000);
    body.set_velocity_subpixels(I64Vec2::new(speed(), speed()));
    body
}

#[test]
fn a_shifted_world_goes_on_as_before() {
    let mut random = fastrand::Rng::with_seed(77);
    let by = IVec2::new(24 * 8, 31 * 8);
    for round in 0..rounds(60) {
        let seed = random.u64(..);
        let origin = level(&mut fastrand::Rng::with_seed(seed), UVec2::new(20, 20));
        let shifted = level(&mut fastrand::Rng::with_seed(seed), UVec2::new(44, 51));
        let mut world = World::new(Rate::per_second(1));
        let ids: Vec<BodyId> = (0..60).map(|_| world.add(body(&mut random))).collect();
        world.shift(IVec2::splat(160));
        (0..random.u32(0..100)).for_each(|_| world.step(&origin));
        for id in &ids {
            // Some heroes drop through a floor while the world is shifted.
            if random.bool() {
                world.drop_through(&origin, *id);
            }
        }
        let mut other = world.clone();
        other.shift(by);
        for step in 0..100 {
            world.step(&origin);
            other.step(&shifted);
            for id in &ids {
                let (one, two) = (world.get(*id).unwrap(), other.get(*id).unwrap());
                let state = |body: &Body| {
                    (body.subpixel, body.velocity(), body.last().map(|last| last.moved))
                };
                assert_eq!(one.aabb.translated(by), two.aabb, "round {round} step {step}");
                assert_eq!(state(one), state(two), "round {round} step {step}");
            }
        }
    }
}

#[test]
fn bodies_at_rest_fall_after_they_are_moved_by_a_shift_or_one_by_one() {
    let mut ground = Grid::new(60, 60).unwrap();
    ground.fill(0..30, 40..41, true).unwrap();
    let level = cells(ground, 8);
    for is_shift in [true, false] {
        let mut world = World::new(Rate::per_second(1));
        let id = world.add(Body::pushable(Aabb::from_xywh(100, 304, 16, 16), 0, 0.25));
        (0..20).for_each(|_| world.step(&level));
        if is_shift {
            world.shift(IVec2::new(160, 0));
        } else {
            for (at, body) in world.iter_mut() {
                assert_eq!(at, id);
                body.aabb = body.aabb.translated(IVec2::new(160, 0));
            }
        }
        assert!(world.standing_on(id).is_none());
        (0..20).for_each(|_| world.step(&level));
        assert!(world.get(id).unwrap().aabb.max.y > 330);
    }
}
