//! Tests of platforms that are pieces of level: their queries beside a level with the same pixels, riders,
//! edits, saves and events.

use bitwall::character::{Feel, Input, Stance};
use bitwall::geometry::Corners;
use bitwall::glam::{IVec2, UVec2, Vec2, Vec2Swizzles};
use bitwall::terrain::Hit;
use bitwall::world::{Body, BodyId, BodyKind, Event, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Outside, Rate, Terrain};

use super::long::copy;
use super::turns::Turn;
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

/// Returns a world with a piece of these solids, and a character with the settings of a platformer.
fn turned(turn: Turn, solids: &[Aabb], hero: Aabb) -> (World, [BodyId; 2]) {
    let mut world = World::new(Rate::per_second(1));
    let piece = turn.level(solids).with_outside(Outside::Open);
    let settings = turn.settings(MoverSettings::platformer());
    let ids =
        [world.add_piece(at(0, 0), piece), world.add(Body::character(turn.aabb(hero), settings))];
    (world, ids)
}

#[test]
fn a_walk_on_a_moving_piece_is_the_same_in_all_orientations() {
    let floor = [Aabb::from_xywh(40, 160, 160, 20)];
    let steps = (0..20).map(|at| Aabb::from_xywh(100 + 2 * at, 160 - at, 60 - 2 * at, at));
    let solids: Vec<Aabb> = floor.into_iter().chain(steps).collect();
    for motion in [(0.7, 0.0), (-1.3, 0.0), (0.0, 0.6), (0.0, -2.4)] {
        let mut first = None;
        for turn in Turn::all() {
            let (mut world, [ship, hero]) = turned(turn, &solids, Aabb::from_xywh(60, 140, 12, 20));
            world.get_mut(ship).unwrap().set_velocity(turn.vector(motion.into()));
            world.get_mut(hero).unwrap().set_acceleration(turn.vector(Vec2::new(0.0, 0.25)));
            let way = turn.vector(Vec2::new(1.1, 0.0));
            let mut seen = Vec::new();
            for _ in 0..70 {
                let body = world.get_mut(hero).unwrap();
                let fall = body.velocity() * way.yx().abs().normalize().round();
                body.set_velocity(way + fall);
                world.step(&void());
                seen.push(aabb(&world, hero));
            }
            let first = first.get_or_insert_with(|| seen.clone());
            let expected: Vec<Aabb> = first.iter().map(|aabb| turn.aabb(*aabb)).collect();
            assert_eq!(seen, expected, "{turn:?} {motion:?}");
        }
        let end = first.unwrap().last().unwrap().max - (Vec2::from(motion) * 70.0).as_ivec2();
        assert!(end.y < 156, "it walked up the slope: {end}");
    }
}

#[test]
fn an_edit_that_buries_a_body_pushes_it_out_or_gives_an_event_in_all_orientations() {
    let floor = Aabb::from_xywh(40, 160, 160, 20);
    let hero = Aabb::from_xywh(100, 140, 12, 20);
    for (edit, expected) in [
        (Aabb::from_xywh(80, 120, 23, 40), Some((3, 0))), // from the left
        (Aabb::from_xywh(110, 120, 40, 40), Some((-2, 0))),
        (Aabb::from_xywh(90, 157, 60, 3), Some((0, -3))), // the floor rises
        (Aabb::from_xywh(90, 155, 60, 5), None),          // by more than the step height
        (Aabb::from_xywh(102, 157, 8, 3), Some((0, -3))), // the way up is the shortest
        (Aabb::from_xywh(90, 120, 40, 24), None),         // no way down
        (Aabb::from_xywh(80, 120, 24, 36), Some((4, 0))),
        (Aabb::from_xywh(80, 156, 24, 4), Some((0, -4))), // as short as the way aside
        (Aabb::from_xywh(104, 100, 4, 60), None),         // 8 px to each side
    ] {
        for turn in Turn::all() {
            let (mut world, [ship, id]) = turned(turn, &[floor], hero);
            world.step(&void());
            let saved = world.clone();
            world.piece_mut(ship).unwrap().set_box(turn.aabb(edit), true).unwrap();
            let mut twin = saved.clone();
            twin.piece_mut(ship).unwrap().set_box(turn.aabb(edit), true).unwrap();
            world.step(&void());
            let found = (aabb(&world, id).min - turn.aabb(hero).min).as_vec2();
            let expected = expected.map(|(x, y)| turn.vector(Vec2::new(x as f32, y as f32)));
            assert_eq!(found, expected.unwrap_or_default(), "{turn:?} {edit:?}");
            let events = if expected.is_none() { vec![Event::Buried { body: id }] } else { vec![] };
            assert_eq!(world.events(), events, "{turn:?} {edit:?}");
            world.step(&void());
            assert_eq!(world.events(), [], "once");
            twin.step(&void());
            twin.step(&void());
            assert!(twin == world);
        }
    }
    // A narrow body over a spike: the ways to both sides are equal, so it takes neither.
    for turn in Turn::all() {
        let (mut world, [ship, id]) = turned(turn, &[floor], Aabb::from_xywh(100, 140, 4, 20));
        let spike = turn.aabb(Aabb::from_xywh(101, 100, 2, 60));
        world.piece_mut(ship).unwrap().set_box(spike, true).unwrap();
        world.step(&void());
        assert_eq!(world.events(), [Event::Buried { body: id }], "{turn:?}");
    }
}

#[test]
fn a_piece_that_is_turned_buries_nobody_and_pushes_no_body_into_the_level() {
    let level = tiles("....\n....\n....\n####", 32);
    let mut world = World::new(Rate::per_second(1));
    // A bar of 8 x 64 px that becomes one of 64 x 8 px, as high as the feet of the hero.
    let bar =
        world.add_piece(at(40, 88), cells(Grid::from_text("#\n#\n#\n#\n#\n#\n#\n#").unwrap(), 8));
    world.get_mut(bar).unwrap().aabb = Aabb::from_xywh(40, 92, 0, 0);
    let id = world.add(hero(60, 96));
    world.step(&level);
    *world.piece_mut(bar).unwrap() = tiles("########", 8);
    world.step(&level);
    assert_eq!(aabb(&world, bar), Aabb::from_xywh(40, 92, 64, 8));
    assert_eq!((aabb(&world, id).max.y, world.events().len()), (92, 0));
    assert_eq!(world.standing_on(id), Some(bar));
}

/// A tower with a ladder in its middle and a one-way deck at the top.
fn tower() -> Level {
    let mut deck = Grid::new(60, 100).unwrap();
    deck.fill(10..50, 20..21, true).unwrap();
    let mut ladder = Grid::new(60, 100).unwrap();
    ladder.fill(26..34, 20..90, true).unwrap();
    let ladder = Terrain::new(ladder, UVec2::ONE).unwrap();
    let mut ground = Grid::new(60, 100).unwrap();
    ground.fill(0..60, 90..100, true).unwrap();
    let tower = cells(ground, 1).with_one_way(Dir::Up, deck).unwrap();
    tower.with_area("ladder", ladder)
}

#[test]
fn who_climbs_a_ladder_of_a_piece_rides_it() {
    let level = blank(4_000, 4_000);
    for motion in [(0.0, 0.0), (0.7, 0.0), (-1.6, 0.3), (0.0, -1.2), (0.4, 2.1)] {
        let mut world = World::new(Rate::per_second(60));
        let place = at(2_000, 2_000).with_velocity(Vec2::from(motion) * 60.0);
        let tower = world.add_piece(place, tower());
        let id =
            Body::character(Aabb::from_xywh(2_024, 2_070, 12, 20), MoverSettings::platformer());
        let id = world.add(id);
        let mut players = [Player::new(id, Feel::default())];
        let mut seen = Vec::new();
        let up = Input::from_axes(0.0, -1.0, false);
        let down = Input::from_axes(0.0, 1.0, false);
        let script = [
            (20, Input::NONE),
            (30, up),
            (40, Input::NONE),
            (70, up),
            (30, Input::NONE),
            (25, down),
        ];
        for (steps, input) in script {
            for _ in 0..steps {
                players[0].input = input;
                world.step_players(&level, &mut players);
            }
            let from = aabb(&world, tower).min;
            seen.push((aabb(&world, id).min - from, players[0].state().stance));
            assert_eq!(world.standing_on(id), Some(tower), "{motion:?}");
            let twin = copy(&world);
            assert_eq!((twin.checksum(), &twin), (world.checksum(), &world));
        }
        let stances: Vec<Stance> = seen.iter().map(|(_, stance)| *stance).collect();
        let [ground, ladder] = [Stance::Ground, Stance::Ladder];
        assert_eq!(stances, [ground, ladder, ladder, ground, ground, ladder], "{motion:?}");
        let heights: Vec<i32> = seen.iter().map(|(at, _)| at.y).collect();
        assert_eq!([heights[0], heights[3], heights[4]], [70, 0, 0], "{motion:?}");
        assert!(heights[1] == heights[2] && heights[5] > 10, "{motion:?} {heights:?}");
        assert!(seen.iter().all(|(at, _)| at.x == 24), "{motion:?} {seen:?}");
        // A jump from the ladder keeps the motion of the tower.
        players[0].input = Input::NONE.with_jump(true);
        world.step_players(&level, &mut players);
        assert_ne!(players[0].state().stance, ladder);
        let speed = world.get(id).unwrap().velocity().x;
        assert!((speed - motion.0 * 60.0).abs() < 2.0, "{motion:?} {speed}");
    }
}

#[test]
fn a_hero_drops_through_the_deck_of_a_piece_that_moves() {
    let level = blank(4_000, 4_000);
    for motion in [(0.0, 0.0), (0.3, 0.0), (0.0, 1.9), (0.0, -1.9), (-0.4, 0.6)] {
        let mut world = World::new(Rate::per_second(1));
        let tower = world.add_piece(at(2_000, 2_000).with_velocity(motion), tower());
        let id = world.add(hero(2_012, 2_020));
        (0..10).for_each(|_| world.step(&level));
        assert_eq!(world.standing_on(id), Some(tower));
        assert!(world.is_on_one_way(&level, id) && world.drop_through(&level, id));
        (0..200).for_each(|_| world.step(&level));
        let feet = aabb(&world, id).max.y - aabb(&world, tower).min.y;
        assert_eq!(feet, 90, "{motion:?}");
        assert!(!world.is_on_one_way(&level, id) && !world.drop_through(&level, id));
    }
}

#[test]
fn a_walk_up_the_slope_of_a_piece_is_drawn_as_on_a_slope_of_the_level() {
    let mut slope = Grid::new(300, 100).unwrap();
    for x in 0..200 {
        slope.fill(x..x + 1, 99 - x / 2..100, true).unwrap();
    }
    let ground = cells(slope, 1).with_outside(Outside::Open);
    let mut worlds = [(); 2].map(|()| World::new(Rate::per_second(1)));
    worlds[0].add_piece(at(0, 0), ground.clone());
    let ids = worlds.each_mut().map(|world| world.add(hero(20, 84)));
    for _ in 0..80 {
        let drawn = [(&void(), 0), (&ground, 1)].map(|(level, at)| {
            let world = &mut worlds[at];
            let body = world.get_mut(ids[at]).unwrap();
            let fall = body.velocity().y;
            body.set_velocity((0.73, fall));
            world.step(level);
            world.drawn(level, ids[at]).unwrap()
        });
        assert_eq!(drawn[0], drawn[1]);
    }
    assert!(aabb(&worlds[0], ids[0]).max.y < 60);
}
