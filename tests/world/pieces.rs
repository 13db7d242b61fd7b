//! Tests of platforms that are pieces of level: their queries beside a level with the same pixels, riders,
//! edits, saves and events.

use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::terrain::Hit;
use bitwall::world::{Body, BodyId, BodyKind, Event, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Outside, Rate};

use crate::support::{blank, cells, rounds, scattered, tiles};

/// A level without a solid, which is open to all sides.
pub(crate) fn void() -> Level {
    blank(1, 1).with_outside(Outside::Open)
}

fn at(x: i32, y: i32) -> Body {
    Body::platform(Aabb::from_xywh(x, y, 0, 0))
}

/// A hero of 12 x 20 px whose feet are at `y`.
fn hero(x: i32, y: i32) -> Body {
    let hero = Body::character(Aabb::from_xywh(x, y - 20, 12, 20), MoverSettings::platformer());
    hero.with_acceleration((0.0, 0.25))
}

fn aabb(world: &World, id: BodyId) -> Aabb {
    world.get(id).unwrap().aabb
}

/// A random piece, sometimes with one-way cells, in cells that may not be square.
fn random_piece(random: &mut fastrand::Rng) -> Level {
    let size = UVec2::new(random.u32(1..70), random.u32(1..70));
    let cell = UVec2::new(random.u32(1..4), random.u32(1..4));
    let mut grid = || {
        let count = random.u32(0..9);
        scattered(random, size, count, UVec2::new(9, 9))
    };
    let (solid, guards) = (grid(), grid());
    let piece = Level::from_grid(solid, cell).unwrap().with_outside(Outside::Open);
    match random.u8(0..6) {
        side @ 0..4 => piece.with_one_way(Dir::ALL[side as usize], guards).unwrap(),
        _ => piece,
    }
}

/// The pixels of a piece at `at` in a level that is open to all sides.
fn placed(piece: &Level, at: IVec2) -> Level {
    let mut level = blank(400, 400).with_outside(Outside::Open);
    level.place(&piece.clone().into_pixels().unwrap(), at).unwrap();
    level
}

#[test]
fn a_piece_answers_queries_as_a_level_with_the_same_pixels() {
    let mut random = fastrand::Rng::with_seed(54);
    let (void, mut met) = (void(), [0; 4]);
    for _ in 0..rounds(1_000) {
        let piece = random_piece(&mut random);
        let place = IVec2::new(random.i32(0..190), random.i32(0..190));
        let (level, extent) = (placed(&piece, place), piece.size());
        let mut world = World::new(Rate::per_second(1));
        let id = world.add_piece(at(place.x, place.y), piece);
        if random.bool() {
            world.step(&void);
        }
        for _ in 0..30 {
            let size = IVec2::new(random.i32(1..30), random.i32(1..30));
            let reach = extent.as_ivec2() + 20;
            let from = place + IVec2::new(random.i32(-40..reach.x), random.i32(-40..reach.y));
            let body = Aabb { min: from, max: from + size };
            let (dir, step) = (Dir::ALL[random.usize(0..4)], random.u32(0..90));
            let (found, expected) =
                (world.sweep(&void, body, dir, step, 1), level.sweep(body, dir, step));
            assert_eq!((found.moved, found.step), (expected.moved, expected.step));
            let of_piece = found.contact.map(|contact| (contact.cell, contact.normal));
            let contact = expected.contact;
            assert_eq!(of_piece, contact.map(|contact| (contact.cell, contact.normal)));
            assert!(found.contact.is_none_or(|contact| contact.body == Some(id)));
            let to = from + IVec2::new(random.i32(-90..90), random.i32(-90..90));
            let hit = world.ray(&void, from, to, Corners::Block, 1).map(|(_, hit)| hit);
            assert_eq!(hit, level.ray(from, to, Corners::Block));
            let overlaps = world.overlapping(body, 1) == [id];
            assert_eq!(overlaps, level.overlaps(body));
            let nearest = world.nearest(from, 40, 1).map(|(_, squared)| squared);
            let expected = level.nearest_solid(from, 40).map(|found| found.distance_squared);
            assert_eq!(nearest, expected);
            let stands = Body::character(body, MoverSettings::platformer());
            let stands = world.add(stands);
            for side in Dir::ALL {
                let touched = world.touching(&void, stands).unwrap().get(side);
                let expected = !level.overlaps(body) && !level.can_move(body, side, 1);
                assert!(!touched || expected, "{side:?}");
            }
            world.remove(stands);
            met[0] += usize::from(contact.is_some());
            met[1] += usize::from(hit.is_some());
            met[2] += usize::from(overlaps);
            met[3] += usize::from(nearest.is_some());
        }
    }
    assert!(met.iter().all(|met| *met > rounds(2_000)), "{met:?}");
}

/// A ship with a slope up to its deck: `.` is a cell of 4 px.
fn ship() -> Level {
    let mut grid = Grid::new(60, 16).unwrap();
    for column in 0..60_u32 {
        let height = if column < 8 { column + 1 } else { 8 };
        grid.fill(column..column + 1, 16 - height..16, true).unwrap();
    }
    cells(grid, 4)
}

#[test]
fn riders_walk_on_a_moving_ship_as_on_one_at_rest() {
    let level = blank(4_000, 2_000);
    for motion in [(0.3, 0.0), (-0.7, 0.2), (0.45, -0.61), (0.0, 1.3), (0.0, -1.3)] {
        let mut worlds = [Vec2::ZERO, Vec2::from(motion)].map(|motion| {
            let mut world = World::new(Rate::per_second(1));
            let ship = world.add_piece(at(2_000, 1_000).with_velocity(motion), ship());
            let riders = [(2_002, 1_048), (2_030, 1_032), (2_060, 1_032), (2_100, 1_032)];
            let riders = riders.map(|(x, y)| world.add(hero(x, y)));
            (world, ship, riders)
        });
        let mut random = fastrand::Rng::with_seed(7);
        let mut walk = [0.0; 4];
        for step in 0..rounds(6_000) {
            if random.u8(0..20) == 0 {
                walk[random.usize(0..4)] = random.f32() * 4.0 - 2.0;
            }
            let seen = worlds.each_mut().map(|(world, ship, riders)| {
                for (rider, walk) in riders.iter().zip(walk) {
                    let body = world.get_mut(*rider).unwrap();
                    let fall = body.velocity().y;
                    body.set_velocity((walk, fall));
                }
                world.step(&level);
                let from = aabb(world, *ship).min;
                riders.map(|rider| {
                    let body = world.get(rider).unwrap();
                    (body.aabb.min - from, body.subpixel)
                })
            });
            assert_eq!(seen[0], seen[1], "{motion:?} {step}");
            for (x, walk) in seen[0].iter().map(|(at, _)| at.x).zip(&mut walk) {
                // Nobody leaves the ship.
                *walk = if x < 6 {
                    walk.abs()
                } else if x > 210 {
                    -walk.abs()
                } else {
                    *walk
                };
            }
        }
    }
}

#[test]
fn an_edit_of_a_piece_counts_at_once_and_wakes_its_sleeping_riders() {
    let level = blank(400, 400);
    let mut world = World::new(Rate::per_second(1));
    let ship = world.add_piece(at(100, 100), tiles("#..#\n####", 16));
    let cart = Body::pushable(Aabb::from_xywh(120, 100, 16, 16), 4, 0.25);
    let rider = world.add(cart);
    (0..10).for_each(|_| world.step(&level));
    assert_eq!(world.standing_on(rider), Some(ship));
    let saved = world.clone();
    let hole = Aabb::from_xywh(16, 16, 32, 16);
    world.piece_mut(ship).unwrap().set_box(hole, false).unwrap();
    assert_eq!(world.standing_on(rider), None);
    assert!(world != saved && world.checksum() != saved.checksum());
    let before = world.piece(ship).unwrap().checksum();
    assert_ne!(before, saved.piece(ship).unwrap().checksum(), "the clone keeps its own piece");
    (0..60).for_each(|_| world.step(&level));
    assert_eq!(aabb(&world, rider).max.y, 400, "it fell");
    world.clone_from(&saved);
    (0..60).for_each(|_| world.step(&level));
    assert_eq!(aabb(&world, rider).max.y, 116);
}

#[test]
fn a_platform_keeps_the_size_of_its_piece_and_another_body_has_none() {
    let mut world = World::new(Rate::per_second(1));
    let piece = tiles("#.#", 16).with_outside(Outside::Solid);
    let id = world.add_piece(at(20, 30), piece.clone());
    assert_eq!(aabb(&world, id), Aabb::from_xywh(20, 30, 48, 16));
    assert!(!world.piece(id).unwrap().overlaps(Aabb::from_xywh(-9, -9, 9, 9)), "open outside");
    *world.piece_mut(id).unwrap() = tiles("#\n.", 16);
    world.step(&void());
    assert_eq!(aabb(&world, id), Aabb::from_xywh(20, 30, 16, 32));
    world.get_mut(id).unwrap().aabb = Aabb::from_xywh(0, 0, 500, 500);
    world.step(&void());
    assert_eq!(aabb(&world, id), Aabb::from_xywh(0, 0, 16, 32));
    assert!(world.remove(id).is_some() && world.piece(id).is_none());
    let sensor = world.add_piece(Body::sensor(Aabb::from_xywh(0, 0, 5, 5)), piece);
    assert!(world.piece(sensor).is_none() && world.piece_mut(sensor).is_none());
    world.step(&void());
    assert_eq!(aabb(&world, sensor), Aabb::from_xywh(0, 0, 5, 5));
    let lift = world.add(Body::platform(Aabb::from_xywh(0, 0, 5, 5)));
    assert!(world.piece(lift).is_none(), "the slot of a removed piece");
}

#[test]
fn a_ball_bounces_off_the_pixels_of_a_piece_as_off_those_of_a_level() {
    let mut random = fastrand::Rng::with_seed(11);
    let (void, mut bounces) = (void(), 0);
    for _ in 0..rounds(200) {
        let piece = random_piece(&mut random);
        let place = IVec2::new(150, 150);
        let (level, reach) = (placed(&piece, place), piece.size().as_ivec2() + 20);
        let mut worlds = [(); 2].map(|()| World::new(Rate::per_second(1)));
        worlds[0].add_piece(at(place.x, place.y), piece);
        worlds[1].add(Body::sensor(Aabb::from_xywh(0, 0, 1, 1)).with_watches(0));
        let balls: Vec<Body> = (0..6)
            .map(|_| {
                let from = place + IVec2::new(random.i32(-20..reach.x), random.i32(-20..reach.y));
                let ball = Body::ball(from, random.u32(1..12), 1);
                let speed = Vec2::new(random.f32() - 0.5, random.f32() - 0.5) * 12.0;
                ball.with_velocity(speed).with_collides_with(2).with_category(2)
            })
            .collect();
        let ids = worlds.each_mut().map(|world| {
            let first = world.iter().next().unwrap().0;
            world.get_mut(first).unwrap().category = 2;
            balls.iter().map(|ball| world.add(*ball)).collect::<Vec<_>>()
        });
        for _ in 0..40 {
            let before: Vec<Vec2> =
                ids[0].iter().map(|id| worlds[0].get(*id).unwrap().velocity()).collect();
            worlds[0].step(&void);
            worlds[1].step(&level);
            for ((one, other), before) in ids[0].iter().zip(&ids[1]).zip(before) {
                let (one, other) = (worlds[0].get(*one).unwrap(), worlds[1].get(*other).unwrap());
                assert_eq!(one, other);
                bounces += usize::from(one.velocity() != before);
            }
        }
    }
    assert!(bounces > rounds(500), "{bounces}");
}

#[test]
fn a_bullet_flies_past_a_piece_and_hits_its_pixels() {
    let mut world = World::new(Rate::per_second(1));
    let ship = world.add_piece(at(100, 100), tiles("#..\n..#", 16));
    let bullets = [104, 120].map(|y| {
        let bullet = Body::bullet(Aabb::from_xywh(60, y, 4, 2)).with_velocity((30.0, 0.0));
        world.add(bullet)
    });
    let mut hits = Vec::new();
    for _ in 0..5 {
        world.step(&blank(400, 400));
        hits.extend(world.events().to_vec());
    }
    assert_eq!(hits.len(), 2);
    assert_eq!(bullets.map(|id| aabb(&world, id).max.x), [100, 132]);
    assert!(hits.iter().all(|hit| matches!(hit, Event::Hit(hit) if hit.hit == Hit::Body(ship))));
}

#[test]
fn watchers_meet_the_pixels_of_a_piece() {
    let mut world = World::new(Rate::per_second(1));
    let ship = world.add_piece(at(100, 100).with_watches(2), tiles("#..\n###", 16));
    let inside = Body::sensor(Aabb::from_xywh(120, 102, 8, 8)).with_category(2);
    let [inside, over] = [inside, inside].map(|body| world.add(body));
    world.get_mut(over).unwrap().aabb = Aabb::from_xywh(120, 110, 8, 8);
    let stands = world.add(hero(130, 116).with_category(2));
    world.step(&void());
    let met: Vec<_> = world
        .events()
        .iter()
        .filter_map(|event| match event {
            Event::Begin(meeting) if meeting.watcher == ship => Some((meeting.body, meeting.side)),
            _ => None,
        })
        .collect();
    assert_eq!(met, [(over, None), (stands, Some(Dir::Up))]);
    assert!(!met.iter().any(|(body, _)| *body == inside));
    assert_eq!(world.pairs(), [(ship, over)]);
    let kind = world.get(stands).unwrap().kind;
    assert!(matches!(kind, BodyKind::Character(_)));
}
