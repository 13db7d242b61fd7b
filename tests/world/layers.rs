//! Tests of solid areas in a world: an area stops the bodies whose categories it has, including balls.

use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::world::{Body, World};
use bitwall::{Aabb, Grid, Level, MoverSettings, Rate, Terrain};

use crate::movement::area_solids::Case;
use crate::support::{Stopwatch, Subpixels, blank};

const BULLET_PROOF: u64 = 1 << 1;

/// Creates a level of 200 x 40 pixels with glass from x 96 to 104.
fn glazed() -> Level {
    let mut glass = Grid::new(25, 5).unwrap();
    glass.fill(12..13, 0..5, true).unwrap();
    let glass = Terrain::new(glass, UVec2::splat(8)).unwrap();
    blank(200, 40).with_solid_area("glass", glass, BULLET_PROOF)
}

fn ball(collides_with: u64) -> Body {
    let ball = Body::ball(IVec2::new(60, 10), 8, 1).with_velocity(Vec2::new(5.0, 0.0));
    ball.with_collides_with(collides_with)
}

#[test]
fn a_ball_bounces_off_glass_that_a_character_walks_through() {
    let level = glazed();
    let mut world = World::new(Rate::per_second(1));
    let walker = Body::character(Aabb::from_xywh(60, 28, 8, 8), MoverSettings::PLAIN);
    let walker = walker.with_velocity(Vec2::new(5.0, 0.0));
    let [bullet, ghost, walker] = [ball(1 | BULLET_PROOF), ball(1), walker.with_collides_with(1)]
        .map(|body| world.add(body.with_category(0)));
    (0..12).for_each(|_| world.step(&level));
    let [bullet, ghost, walker] = [bullet, ghost, walker].map(|id| world.get(id).unwrap());
    assert_eq!(bullet.velocity_subpixels(), I64Vec2::new(-5 << 16, 0));
    assert!(bullet.aabb.max.x < 100, "{bullet:?}");
    assert_eq!((ghost.aabb.min.x, walker.aabb.min.x), (120, 120));
}

#[test]
fn a_ball_obeys_an_edit_of_a_solid_area_in_the_next_step() {
    let turns = |edit: &dyn Fn(&mut Level)| {
        let mut level = glazed();
        let mut world = World::new(Rate::per_second(1));
        let id = world.add(ball(1 | BULLET_PROOF));
        (0..4).for_each(|_| world.step(&level));
        edit(&mut level);
        (0..8).for_each(|_| world.step(&level));
        world.get(id).unwrap().velocity_subpixels().x < 0
    };
    assert!(turns(&|_| {}));
    assert!(!turns(&|level| {
        level.area_mut("glass").unwrap().fill(0..25, 0..5, false).unwrap();
    }));
    assert!(!turns(&|level| assert!(level.set_area_category("glass", 4))));
}

#[test]
fn balls_move_the_same_if_solid_areas_are_merged_into_the_level() {
    let mut random = fastrand::Rng::with_seed(86);
    let mut other = 0;
    for _ in 0..800 {
        let Case { level, collides_with, union, .. } = Case::random(&mut random);
        let size = level.size().as_ivec2();
        let mut world = World::new(Rate::per_second(1));
        for _ in 0..random.u32(1..9) {
            let at = IVec2::new(random.i32(-9..size.x), random.i32(-9..size.y));
            let mut ball = Body::ball(at, random.u32(1..24), random.u16(0..4));
            let top = [90_000, 2_000_000][random.usize(0..2)];
            ball.set_velocity_subpixels(I64Vec2::new(random.i64(-top..top), random.i64(-top..top)));
            world.add(ball.with_collides_with(collides_with).with_category(random.u64(0..16)));
        }
        let [mut of_union, mut alone] = [world.clone(), world.clone()];
        for step in 0..12 {
            world.step(&level);
            of_union.step(&union);
            alone.step(&Level::new(level.terrain().clone()));
            assert!(world == of_union, "step {step}");
        }
        other += u32::from(world != alone);
    }
    assert!(other > 80, "{other}");
}

#[test]
fn ten_steps_of_the_largest_fastest_ball_take_under_two_seconds() {
    let mut random = fastrand::Rng::with_seed(87);
    let mut grid = Grid::new(2048, 2048).unwrap();
    let middle = IVec2::splat(1024);
    for _ in 0..40_000 {
        let at = IVec2::new(random.i32(0..2048), random.i32(0..2048));
        // Some of these pixels touch the ball almost everywhere.
        if (at - middle).length_squared() > 524 * 524 {
            grid.set(at.x as u32, at.y as u32, true).unwrap();
        }
    }
    let level = Level::from_grid(grid, UVec2::ONE).unwrap();
    for velocity in [Vec2::new(1024.0, 0.0), Vec2::new(-700.0, 1000.0), Vec2::new(9.0, 3.0)] {
        let mut world = World::new(Rate::per_second(1));
        let ball = Body::ball(middle - 512, 1024, 1).with_velocity(velocity);
        let id = world.add(ball);
        let start = Stopwatch::start();
        (0..10).for_each(|_| world.step(&level));
        assert!(start.elapsed().as_millis() < 2_000, "{:?}", start.elapsed());
        let now = world.get(id).unwrap();
        let is_caged = (now.aabb.center() - middle).length_squared() <= 14 * 14;
        assert!(is_caged, "{now:?}");
    }
}
