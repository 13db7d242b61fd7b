//! Characters with footprints in a world: like movers with footprints in the level, and exact to the pixel
//! against platforms.

use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::world::{Body, BodyId, BodyKind, Event, World};
use bitwall::{Aabb, Dir, Footprint, Grid, Level, Mover, MoverSettings, Outside, Rate};
use fastrand::Rng;

use crate::support::{
    SubpixelSteps, Subpixels, VelocityLeft, grid, mover_settings, rounded, rounds, scattered,
    to_pixels,
};

/// Returns a disc, a capsule, or a sprite with gaps.
fn footprint(random: &mut Rng) -> Footprint {
    match random.u8(0..4) {
        0 => Footprint::circle(random.u32(1..20)).unwrap(),
        1 => Footprint::capsule(UVec2::new(random.u32(1..14), random.u32(1..20))).unwrap(),
        2 => {
            let sprite = "..##..\n.####.\n#.##.#\n..##..\n.#..#.\n##...#";
            Footprint::from_grid(&grid(sprite)).unwrap().turned()
        }
        _ => {
            let size = UVec2::new(random.u32(1..16), random.u32(1..16));
            let spots = scattered(random, size, 6, UVec2::splat(5));
            Footprint::from_grid(&spots).unwrap()
        }
    }
}

fn random_velocity(random: &mut Rng, most: i64) -> I64Vec2 {
    rounded(I64Vec2::new(random.i64(-most..most), random.i64(-most..most)))
}

#[test]
fn a_character_with_a_footprint_moves_as_a_mover_with_it() {
    let random = &mut Rng::with_seed(51);
    let mut stopped = 0;
    for _ in 0..rounds(4_000) {
        let cell = UVec2::new(random.u32(1..9), random.u32(1..9));
        let size = UVec2::new(40, 30);
        let solids = random.u32(0..90);
        let mut level =
            Level::from_grid(scattered(random, size, solids, UVec2::new(4, 2)), cell).unwrap();
        if random.bool() {
            let planks = scattered(random, size, 20, UVec2::new(9, 1));
            level = level.with_one_way(Dir::Up, planks).unwrap();
        }
        let shape = footprint(random);
        let at = IVec2::new(random.i32(-9..200), random.i32(-9..150));
        let mut mover = Mover::new(shape.bounds(at), mover_settings(random));
        mover.unstick(&level.with_footprint(&shape), 20);
        let mut world = World::new(Rate::per_second(1));
        // Its box gets the size of the footprint.
        let body = Aabb { max: mover.body.min + 3, ..mover.body };
        let hero = world.add(Body::character(body, mover.settings));
        assert!(world.set_footprint(hero, Some(shape.clone())));
        assert_eq!(world.get(hero).unwrap().aabb, mover.body);
        let mut velocity = random_velocity(random, 600_000);
        for step in 0..40 {
            if random.u8(0..6) == 0 {
                velocity = random_velocity(random, 600_000);
                world.get_mut(hero).unwrap().set_velocity_subpixels(velocity);
            }
            if step == 0 {
                world.get_mut(hero).unwrap().set_velocity_subpixels(velocity);
            }
            world.step(&level);
            let done = mover.step_subpixels(&level.with_footprint(&shape), velocity);
            velocity = done.velocity_subpixels(velocity);
            let body = world.get(hero).unwrap();
            assert_eq!((body.aabb, body.subpixel), (mover.body, mover.subpixel), "step {step}");
            assert_eq!(body.last(), Some(&done), "step {step}");
            stopped += u32::from(done.is_stopped());
            // A velocity of a body has parts that the mover's step cannot have.
            let kept = to_pixels(body.velocity_subpixels()) - to_pixels(velocity);
            assert!(kept.abs().max_element() < 0.001, "{kept}");
            velocity = rounded(body.velocity_subpixels());
            world.get_mut(hero).unwrap().set_velocity_subpixels(velocity);
        }
    }
    assert!(stopped > 300, "{stopped}");
}

/// Returns a world of characters, crates and platforms, among them pieces, and its characters.
fn crowd(random: &mut Rng) -> (World, Vec<BodyId>) {
    let mut world = World::new(Rate::per_second(60));
    let mut characters = Vec::new();
    for _ in 0..random.usize(2..14) {
        let at = IVec2::new(random.i32(0..300), random.i32(0..200));
        let size = IVec2::new(random.i32(1..40), random.i32(1..24));
        let aabb = Aabb { min: at, max: at + size };
        let velocity = [random.f32() * 160.0 - 80.0, random.f32() * 120.0 - 60.0];
        match random.u8(0..8) {
            0 => drop(world.add(Body::platform(aabb).with_velocity(velocity))),
            1 => drop(world.add(Body::one_way_platform(aabb).with_velocity(velocity))),
            2 => {
                let piece = scattered(random, UVec2::new(20, 12), 9, UVec2::new(9, 3));
                let piece = Level::from_grid(piece, UVec2::splat(2)).unwrap();
                world.add_piece(Body::platform(aabb).with_velocity(velocity), piece);
            }
            3 => characters.push(world.add(Body::pushable(aabb, 4, 900.0))),
            kind => {
                let body = Body::character(aabb, mover_settings(random)).with_velocity(velocity);
                let body = body.with_acceleration([0.0, 900.0]).pushing(6, 0, kind == 4);
                characters.push(world.add(body));
            }
        }
    }
    (world, characters)
}

fn rooms(random: &mut Rng) -> Level {
    let walls = scattered(random, UVec2::new(40, 26), 30, UVec2::new(6, 2));
    Level::from_grid(walls, UVec2::splat(8)).unwrap()
}

#[test]
fn a_full_rectangle_as_a_footprint_changes_nothing_in_a_crowd() {
    let random = &mut Rng::with_seed(52);
    let mut pushed = 0;
    for round in 0..rounds(1_500) {
        let level = rooms(random);
        let (mut boxes, characters) = crowd(random);
        let mut shaped = boxes.clone();
        for id in &characters {
            let size = boxes.get(*id).unwrap().aabb.size();
            assert!(shaped.set_footprint(*id, Some(Footprint::rectangle(size).unwrap())));
        }
        for step in 0..60 {
            boxes.step(&level);
            shaped.step(&level);
            for ((id, body), (_, other)) in boxes.iter().zip(shaped.iter()) {
                // Of two bodies at the same cell, a contact may name the one or the other.
                let state = |body: &Body| {
                    let moved = body.last().map(|last| (last.moved, last.carried, last.grounded));
                    (body.aabb, body.subpixel, body.velocity_subpixels(), moved)
                };
                assert_eq!(state(body), state(other), "round {round}, step {step}, {id:?}");
                pushed += usize::from(body.last().is_some_and(|last| last.carried != IVec2::ZERO));
            }
            assert_eq!(boxes.events(), shaped.events(), "round {round}, step {step}");
            for id in &characters {
                assert_eq!(boxes.standing_on(*id), shaped.standing_on(*id));
                assert_eq!(boxes.touching(&level, *id), shaped.touching(&level, *id));
                assert_eq!(boxes.is_on_one_way(&level, *id), shaped.is_on_one_way(&level, *id));
            }
        }
    }
    assert!(pushed > 500, "{pushed}");
}

/// True if the footprint of a character has a pixel in the platform `id`.
fn overlaps(world: &World, hero: BodyId, id: BodyId) -> bool {
    let (body, platform) = (world.get(hero).unwrap(), world.get(id).unwrap());
    let shape = world.footprint(hero).unwrap();
    let offset = platform.aabb.min - body.aabb.min;
    match world.piece(id) {
        Some(piece) => {
            let mut open = piece.clone();
            open.set_outside(Outside::Open);
            open.overlaps(shape.at(-offset))
        }
        None => shape.overlaps(&Footprint::rectangle(platform.aabb.size()).unwrap(), offset),
    }
}

/// A platform, as a box or as a piece of pixels, that moves through a resting footprint in the open. Each
/// pixel of its way, along x and then along y, pushes the footprint by one pixel if they would share one.
#[test]
fn a_platform_pushes_the_pixels_of_a_footprint() {
    let random = &mut Rng::with_seed(53);
    let level = Level::from_grid(Grid::new(9, 9).unwrap(), UVec2::ONE).unwrap();
    let level = level.with_outside(Outside::Open);
    let mut pushed = 0;
    let mut passed = 0;
    for round in 0..rounds(6_000) {
        let mut world = World::new(Rate::per_second(1));
        let shape = footprint(random);
        let velocity = IVec2::new(random.i32(-4..5), random.i32(-4..5));
        let at = IVec2::new(random.i32(-20..20), random.i32(-20..20)) - velocity * 4;
        let body =
            Body::platform(Aabb::from_xywh(at.x, at.y, random.i32(1..20), random.i32(1..20)));
        let body = body.with_velocity(velocity.as_vec2());
        let platform = match Footprint::from_grid(&footprint(random).grid().clone()) {
            Ok(pixels) if random.bool() => {
                let piece = Level::from_grid(pixels.grid().clone(), UVec2::ONE).unwrap();
                world.add_piece(body, piece)
            }
            _ => world.add(body),
        };
        let hero = Body::character(shape.bounds(IVec2::ZERO), MoverSettings::PLAIN);
        let hero = world.add(hero);
        assert!(world.set_footprint(hero, Some(shape)));
        if overlaps(&world, hero, platform) {
            continue;
        }
        for step in 0..9 {
            let mut naive = world.clone();
            for by in [IVec2::new(velocity.x, 0), IVec2::new(0, velocity.y)] {
                for _ in 0..by.abs().max_element() {
                    let body = naive.get_mut(platform).unwrap();
                    body.aabb = body.aabb.translated(by.signum());
                    if overlaps(&naive, hero, platform) {
                        let body = naive.get_mut(hero).unwrap();
                        body.aabb = body.aabb.translated(by.signum());
                        pushed += 1;
                    }
                }
            }
            world.step(&level);
            let found = world.get(hero).unwrap().aabb;
            assert_eq!(found, naive.get(hero).unwrap().aabb, "round {round}, step {step}");
            assert!(!overlaps(&world, hero, platform));
            assert!(world.events().is_empty());
            passed += u32::from(found.overlaps(world.get(platform).unwrap().aabb));
        }
    }
    assert!(pushed > 500 && passed > 100, "{pushed} {passed}");
}

#[test]
fn no_pixel_of_a_footprint_ends_in_the_level_or_in_a_platform() {
    let random = &mut Rng::with_seed(54);
    let mut met = 0;
    for round in 0..rounds(1_500) {
        let level = rooms(random);
        let (mut world, characters) = crowd(random);
        for id in &characters {
            world.set_footprint(*id, Some(footprint(random)));
            world.unstick(&level, *id, 90);
        }
        let platforms: Vec<BodyId> = (world.iter())
            .filter(|(_, body)| matches!(body.kind, BodyKind::Platform(of) if !of.one_way))
            .map(|(id, _)| id)
            .collect();
        let is_in = |world: &World, hero: BodyId| {
            let body = world.get(hero).unwrap();
            level.overlaps(world.footprint(hero).unwrap().at(body.aabb.min))
                || platforms.iter().any(|platform| overlaps(world, hero, *platform))
        };
        let mut free: Vec<BodyId> = characters.clone();
        free.retain(|hero| !is_in(&world, *hero));
        for step in 0..60 {
            let mut twin = world.clone();
            world.step(&level);
            twin.step(&level);
            assert_eq!(world, twin, "what sleeps answers as what is awake");
            for event in world.events() {
                if let Event::Crushed { body, .. } | Event::Buried { body } = event {
                    free.retain(|hero| hero != body);
                }
            }
            for hero in &free {
                assert!(!is_in(&world, *hero), "round {round}, step {step}, {hero:?}");
                let body = world.get(*hero).unwrap();
                met += u32::from(level.overlaps(body.aabb));
            }
        }
    }
    assert!(met > 300, "{met}");
}

#[test]
fn a_disc_rides_on_a_lift_under_its_lowest_row_alone() {
    let level = Level::from_grid(Grid::new(60, 30).unwrap(), UVec2::splat(16)).unwrap();
    for (x, rides) in [(100, true), (105, true), (90, true), (107, false), (89, false)] {
        let mut world = World::new(Rate::per_second(60));
        let falls = MoverSettings { floor: Some(Dir::Down), ..MoverSettings::PLAIN };
        let lift = Body::platform(Aabb::from_xywh(100, 200, 12, 8)).with_velocity([60.0, -30.0]);
        let lift = world.add(lift);
        // The lowest row of a disc of 16 px has the columns 5 to 10.
        let disc = Aabb::from_xywh(x, 184, 16, 16);
        let disc = world.add(Body::character(disc, falls));
        world.set_footprint(disc, Some(Footprint::circle(16).unwrap()));
        assert_eq!(world.standing_on(disc), rides.then_some(lift), "{x}");
        for _ in 0..30 {
            world.step(&level);
        }
        let moved = world.get(disc).unwrap().aabb.min - IVec2::new(x, 184);
        assert_eq!(moved == IVec2::new(30, -15), rides, "{x} {moved}");
    }
}

#[test]
fn a_footprint_stays_with_its_character_alone() {
    let mut world = World::new(Rate::per_second(60));
    let at = Aabb::from_xywh(40, 40, 8, 8);
    let hero = world.add(Body::character(at, MoverSettings::PLAIN));
    let lift = world.add(Body::platform(at));
    let plain = world.checksum();
    let disc = Footprint::circle(9).unwrap();
    assert!(!world.set_footprint(lift, Some(disc.clone())));
    assert_eq!(world.checksum(), plain);
    assert!(world.set_footprint(hero, Some(disc.clone())));
    assert_eq!((world.footprint(hero), world.footprint(lift)), (Some(&disc), None));
    let mut other = world.clone();
    assert!(other.set_footprint(hero, Some(disc.flipped(true, true))));
    assert_eq!((&world, world.checksum()), (&other, other.checksum()), "the same pixels");
    assert!(other.set_footprint(hero, Some(Footprint::rectangle(UVec2::splat(9)).unwrap())));
    assert_ne!(world, other);
    assert_ne!(world.checksum(), other.checksum());
    other.clone_from(&world);
    assert_eq!(world, other);
    other.remove(hero);
    let next = other.add(Body::character(at, MoverSettings::PLAIN));
    assert_eq!((other.footprint(hero), other.footprint(next)), (None, None));
    assert!(!other.set_footprint(hero, None));
}
