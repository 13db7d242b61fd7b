//! The queries of a world are compared with a scan of every body, or with a level in which the bodies are
//! solid cells.

use bitwall::geometry::Corners;
use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::terrain::Hit;
use bitwall::world::{Body, BodyId, BodyKind, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Rate};

use crate::support::{Subpixels, scattered};

/// Creates a world of boxes in a level of pixels, that level, and the same level with the boxes as solid
/// cells.
fn painted(random: &mut fastrand::Rng) -> (World, Level, Level) {
    let size = UVec2::new(130, 70);
    let grid = scattered(random, size, 5, UVec2::new(6, 4));
    let level = Level::from_grid(grid.clone(), UVec2::ONE).unwrap();
    let mut all = grid;
    let mut world = World::new(Rate::per_second(1));
    for _ in 0..random.usize(0..30) {
        let (x, y) = (random.u32(0..120), random.u32(0..64));
        let (w, h) = (random.u32(1..11), random.u32(1..7));
        let aabb = Aabb::from_xywh(x as i32, y as i32, w as i32, h as i32);
        let category = if random.bool() { 1 } else { 6 };
        if category == 6 {
            all.fill(x..(x + w).min(130), y..(y + h).min(70), true).unwrap();
        }
        let body = match random.u8(..3) {
            0 => Body::sensor(aabb),
            1 => Body::platform(aabb),
            _ => Body::character(aabb, MoverSettings::PLAIN).with_collides_with(0),
        };
        let id = world.add(body.with_category(category));
        match random.u8(..4) {
            0 => world.step(&level),
            1 => {
                world.get_mut(id);
            }
            _ => {}
        }
    }
    (world, level, Level::from_grid(all, UVec2::ONE).unwrap())
}

fn point(random: &mut fastrand::Rng) -> IVec2 {
    IVec2::new(random.i32(-9..140), random.i32(-9..80))
}

#[test]
fn rays_and_sweeps_give_the_same_answers_if_bodies_become_solid_cells() {
    let mut random = fastrand::Rng::with_seed(4);
    let mut by_body = 0;
    for _ in 0..300 {
        let (world, level, all) = painted(&mut random);
        for _ in 0..60 {
            let (from, to) = (point(&mut random), point(&mut random));
            for corners in [Corners::Block, Corners::Pass] {
                let found = world.ray(&level, from, to, corners, 2);
                let expected = all.ray(from, to, corners);
                let facts = |hit: bitwall::terrain::RayHit| {
                    (hit.pixel, hit.normal, hit.numerator, hit.denominator, hit.started_solid)
                };
                let hit = found.map(|(_, hit)| hit);
                assert_eq!(hit.map(facts), expected.map(facts), "{from} {to} {corners:?}");
                by_body += usize::from(matches!(found, Some((Hit::Body(_), _))));
            }
            let aabb = Aabb::from_xywh(from.x, from.y, random.i32(1..9), random.i32(1..9));
            let (dir, step) = (Dir::ALL[random.usize(..4)], random.u32(0..60));
            let found = world.sweep(&level, aabb, dir, step, 4);
            let expected = all.sweep(aabb, dir, step);
            assert_eq!(found.moved, expected.moved, "{aabb:?} {dir:?} {step}");
            let cell = |sweep: bitwall::Sweep| sweep.contact.map(|contact| contact.cell);
            assert_eq!(cell(found), cell(expected));
        }
    }
    assert!(by_body > 2_000, "{by_body}");
}

#[test]
fn overlapping_and_nearest_agree_with_a_scan_of_all_bodies() {
    let mut random = fastrand::Rng::with_seed(9);
    for _ in 0..300 {
        let (world, ..) = painted(&mut random);
        for _ in 0..40 {
            let at = point(&mut random);
            let area = Aabb::from_xywh(at.x, at.y, random.i32(0..30), random.i32(0..30));
            let each = || world.iter().filter(|(_, body)| body.category & 2 != 0);
            let inside = each().filter(|(_, body)| body.aabb.overlaps(area));
            let inside: Vec<BodyId> = inside.map(|(id, _)| id).collect();
            assert_eq!(world.overlapping(area, 2), inside);
            let radius = random.u32(0..60);
            let distance = |body: &Body| {
                let Aabb { min, max } = body.aabb;
                let pixels =
                    (min.y..max.y).flat_map(|y| (min.x..max.x).map(move |x| IVec2::new(x, y)));
                pixels.map(|pixel| (pixel - at).length_squared() as u64).min().unwrap()
            };
            let nearest = each().map(|(id, body)| (distance(body), id)).min();
            let nearest = nearest.filter(|(distance, _)| *distance <= u64::from(radius).pow(2));
            let found = world.nearest(at, radius, 2).map(|(id, distance)| (distance, id));
            assert_eq!(found, nearest);
        }
    }
}

#[test]
fn a_character_reports_the_bodies_that_it_stands_on_and_touches() {
    let level = Level::from_grid(Grid::new(10, 10).unwrap(), UVec2::splat(16)).unwrap();
    let mut world = World::new(Rate::per_second(1));
    let mut add = |body: Body| world.add(body);
    let block = |x, y| Body::pushable(Aabb::from_xywh(x, y, 16, 16), 0, 0.25).pushing(0, 0, false);
    let below = add(Body::one_way_platform(Aabb::from_xywh(20, 100, 60, 6)));
    let first = add(block(40, 84));
    let second = add(block(44, 68));
    let beside = add(block(56, 84));
    let ghost = add(block(28, 68).with_collides_with(8));
    (0..30).for_each(|_| world.step(&level));
    let on = [first, second, beside, ghost, below].map(|id| world.standing_on(id));
    assert_eq!(on, [Some(below), Some(first), Some(below), None, None]);
    let touching = world.touching(&level, first).unwrap();
    let sides = [touching.left, touching.right, touching.up, touching.down];
    assert_eq!(sides, [false, true, true, true]);
    assert_eq!(world.touching(&level, below), None);
    let contact = |id: BodyId| match &world.get(id).unwrap().kind {
        BodyKind::Character(character) => character.last.unwrap().contacts.down.unwrap().hit(),
        _ => panic!(),
    };
    assert_eq!([first, second].map(contact), [Hit::Body(below), Hit::Body(first)]);
    assert_eq!(contact(ghost), Hit::Cell(IVec2::new(1, 10)));
}

#[test]
fn velocity_setters_take_pixels_zero_for_nan_and_clamp_huge_floats() {
    let box_of_ten = Aabb::from_xywh(0, 0, 10, 10);
    let mut body = Body::platform(box_of_ten).with_belt((f32::NAN, -0.25));
    body.set_velocity(Vec2::new(f32::INFINITY, 1.5));
    body.set_acceleration([f32::MIN, f32::MAX]);
    assert_eq!(body.velocity_subpixels(), I64Vec2::new(0, 98_304));
    assert_eq!(body.velocity(), Vec2::new(0.0, 1.5));
    assert_eq!(body.acceleration_subpixels(), I64Vec2::new(-1 << 47, 1 << 47));
    assert_eq!(body.belt(), Vec2::new(0.0, -0.25));
    assert_eq!(
        Body::pushable(box_of_ten, 0, 0.25).pushing(0, 0, false).acceleration_subpixels(),
        I64Vec2::new(0, 16_384)
    );
    assert_eq!(
        Body::pushable(box_of_ten, 0, f32::NAN).pushing(0, 0, false).acceleration_subpixels(),
        I64Vec2::ZERO
    );

    // Extreme numbers must not make a world panic.
    let level = Level::from_grid(Grid::new(8, 8).unwrap(), UVec2::splat(16)).unwrap();
    let mut world = World::new(Rate::per_second(1));
    let far = Body::character(box_of_ten, MoverSettings::top_down());
    world.add(body);
    let id = world.add(far.with_velocity([f32::MAX, f32::MIN]).with_acceleration([f32::MAX; 2]));
    (0..3).for_each(|_| world.step(&level));
    assert!(Aabb::from_xywh(0, 0, 128, 128).contains(world.get(id).unwrap().aabb.min));
}
