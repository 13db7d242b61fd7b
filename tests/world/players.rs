//! Tests of players: platformer characters among the lifts, crates and other heroes of a world.

use bitwall::character::{Feel, Input, Stance};
use bitwall::glam::{I64Vec2, IVec2, UVec2, Vec2};
use bitwall::world::{Body, BodyId, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Rate};

use crate::movement::character::{feel, input};
use crate::support::{Subpixels, rounds, to_subpixels};
use crate::world::riders::MOTIONS;

const PIXEL: i64 = 65_536;

fn hero(x: i32, y: i32) -> Body {
    Body::character(Aabb::from_xywh(x, y, 12, 20), MoverSettings::platformer())
        .pushing(0, 10, false)
}

fn empty() -> Level {
    Level::from_grid(Grid::new(60, 60).unwrap(), UVec2::splat(16)).unwrap()
}

fn lift(aabb: Aabb, velocity: (f32, f32), one_way: bool) -> Body {
    let lift = if one_way { Body::one_way_platform(aabb) } else { Body::platform(aabb) };
    lift.with_velocity(velocity)
}

fn feet(world: &World, id: BodyId) -> i32 {
    world.get(id).unwrap().aabb.max.y
}

#[test]
fn a_player_stands_on_lifts_of_every_velocity() {
    let level = empty();
    for one_way in [false, true] {
        for velocity in [
            (0.0, 0.0),
            (0.0, -1.0),
            (0.0, 1.0),
            (0.0, 3.0),
            (1.5, 0.0),
            (-0.37, -2.21),
            (0.0, 3.9),
        ] {
            let mut world = World::new(Rate::per_second(1));
            let lift = world.add(lift(Aabb::from_xywh(400, 400, 80, 8), velocity, one_way));
            let hero = world.add(hero(430, 380));
            let mut players = [Player::new(hero, feel())];
            for step in 0..100 {
                world.step_players(&level, &mut players);
                assert_eq!(
                    players[0].state().stance,
                    Stance::Ground,
                    "{velocity:?} {one_way} at {step}"
                );
                assert_eq!(feet(&world, hero), world.get(lift).unwrap().aabb.min.y);
            }
        }
    }
}

#[test]
fn a_player_drops_through_one_way_lifts_of_every_velocity() {
    let level = empty();
    for part in -12..=12 {
        for phase in 0..8 {
            let velocity = (0.0, part as f32 / 3.0);
            let mut world = World::new(Rate::per_second(1));
            let lift = world.add(lift(Aabb::from_xywh(400, 400, 80, 8), velocity, true));
            let hero = world.add(hero(430, 380));
            let mut players = [Player::new(hero, feel())];
            (0..10 + phase).for_each(|_| world.step_players(&level, &mut players));
            players[0].input = input("down jump");
            world.step_players(&level, &mut players);
            assert!(players[0].outcome.unwrap().dropped, "{velocity:?}");
            players[0].input = Input::NONE;
            let mut steps = 0;
            while feet(&world, hero) <= world.get(lift).unwrap().aabb.min.y + 20 && steps < 100 {
                world.step_players(&level, &mut players);
                assert_ne!(players[0].state().stance, Stance::Ground, "{velocity:?} after {steps}");
                steps += 1;
            }
            let is_slow = velocity.1 < 3.9;
            assert!(steps < 100 || !is_slow, "{velocity:?} is caught again");
        }
    }
}

#[test]
fn a_player_that_jumps_from_a_lift_keeps_its_velocity() {
    let level = empty();
    let run = |velocity: (f32, f32)| {
        let mut world = World::new(Rate::per_second(1));
        world.add(lift(Aabb::from_xywh(400, 600, 120, 8), velocity, false));
        let hero = world.add(hero(430, 580));
        let mut players = [Player::new(hero, feel())];
        (0..10).for_each(|_| world.step_players(&level, &mut players));
        let start = world.get(hero).unwrap().aabb.min;
        players[0].input = input("jump");
        let mut highest = start.y;
        for _ in 0..21 {
            world.step_players(&level, &mut players);
            highest = highest.min(world.get(hero).unwrap().aabb.min.y);
        }
        IVec2::new(world.get(hero).unwrap().aabb.min.x - start.x, start.y - highest)
    };
    assert_eq!(run((0.0, 0.0)), IVec2::new(0, 44));
    let right = run((2.0, 0.0));
    assert!(right.x > 20 && right.y == 44, "{right}");
    let up = run((0.0, -2.0));
    assert!(up.x == 0 && up.y > 44 + 30, "{up}");
    assert_eq!(run((0.0, 1.0)).y, 43, "a lift that sinks takes the step of the jump only");
}

#[test]
fn a_player_pushes_crates_and_stands_on_them() {
    let mut grid = Grid::new(60, 20).unwrap();
    grid.fill(0..60, 15..16, true).unwrap();
    let level = Level::from_grid(grid, UVec2::splat(16)).unwrap();
    let mut world = World::new(Rate::per_second(1));
    let hero = world.add(hero(40, 220));
    let crates = Body::pushable(Aabb::from_xywh(60, 224, 16, 16), 4, 0.25);
    let crates = world.add(crates);
    let mut players = [Player::new(hero, feel())];
    players[0].input = input("right");
    (0..60).for_each(|_| world.step_players(&level, &mut players));
    assert!(world.get(crates).unwrap().aabb.min.x > 120);
    players[0].input = Input::NONE;
    let top = world.get(crates).unwrap().aabb.min;
    world.get_mut(hero).unwrap().aabb = Aabb::from_xywh(top.x, top.y - 50, 12, 20);
    (0..60).for_each(|_| world.step_players(&level, &mut players));
    assert_eq!(world.standing_on(hero), Some(crates));
    assert_eq!(players[0].state().stance, Stance::Ground);
}

#[test]
fn a_player_without_a_floor_in_its_settings_is_carried_too() {
    let level = empty();
    let mut world = World::new(Rate::per_second(1));
    world.add(lift(Aabb::from_xywh(100, 400, 80, 8), (1.0, 0.0), false));
    let plain = Body::character(Aabb::from_xywh(130, 380, 12, 20), MoverSettings::PLAIN);
    let hero = world.add(plain);
    let mut players = [Player::new(hero, feel())];
    (0..100).for_each(|_| world.step_players(&level, &mut players));
    assert_eq!(world.get(hero).unwrap().aabb.min, IVec2::new(230, 380));
}

#[test]
fn the_stance_of_a_player_is_true_in_every_step_among_lifts_crates_and_heroes() {
    let mut random = fastrand::Rng::with_seed(30);
    let (mut steps, mut dropped, mut rode) = (0, 0, 0);
    while steps < rounds(100_000) {
        let mut grid = Grid::new(40, 30).unwrap();
        grid.fill(0..40, 28..30, true).unwrap();
        for _ in 0..40 {
            let (x, y) = (random.u32(0..38), random.u32(4..28));
            grid.fill(x..x + random.u32(1..3), y..y + 1, true).unwrap();
        }
        let mut one_way = Grid::new(40, 30).unwrap();
        for _ in 0..20 {
            one_way.set(random.u32(0..40), random.u32(0..28), true).unwrap();
        }
        let level = Level::from_grid(grid, UVec2::splat(16)).unwrap();
        let level = level.with_one_way(Dir::Up, one_way).unwrap();
        let mut world = World::new(Rate::per_second(1));
        let mut lifts = Vec::new();
        for _ in 0..6 {
            let place = Aabb::from_xywh(random.i32(0..560), random.i32(40..440), 64, 8);
            lifts.push(world.add(lift(place, (0.0, 0.0), random.bool())));
        }
        for _ in 0..4 {
            let place = Aabb::from_xywh(random.i32(0..620), random.i32(0..400), 16, 16);
            if !level.overlaps(place) {
                world.add(Body::pushable(place, 3, 0.2));
            }
        }
        let mut players = Vec::new();
        while players.len() < 3 {
            let body = hero(random.i32(0..620), random.i32(0..420));
            if !level.overlaps(body.aabb) && world.overlapping(body.aabb, u64::MAX).is_empty() {
                players.push(Player::new(world.add(body), feel()));
            }
        }
        for step in 0..400 {
            if step % 40 == 0 {
                for lift in &lifts {
                    let velocity = IVec2::new(random.i32(-120..=120), random.i32(-120..=120));
                    let speed = velocity.as_i64vec2() * PIXEL / 64;
                    world.get_mut(*lift).unwrap().set_velocity_subpixels(speed);
                }
            }
            for player in &mut players {
                if random.u8(0..12) == 0 {
                    let [x, y] = [(); 2].map(|()| f32::from(random.i8(-1..=1)));
                    player.input = Input::from_axes(x, y, random.bool());
                    if random.u8(0..4) == 0 {
                        player.input = input("down jump");
                    }
                }
            }
            world.step_players(&level, &mut players);
            for player in &players {
                let id = player.body;
                let body = *world.get(id).unwrap();
                let outcome = player.outcome.unwrap();
                dropped += usize::from(outcome.dropped);
                if body.last().unwrap().started_solid {
                    continue; // A lift has crushed it.
                }
                let is_held = world.touching(&level, id).unwrap().down;
                let stands = is_held && body.velocity_subpixels().y >= 0;
                assert_eq!(player.state().stance == Stance::Ground, stands, "{player:?} {body:?}");
                assert_eq!(body.velocity_subpixels(), to_subpixels(player.state().velocity()));
                let on = world.standing_on(id).map(|on| *world.get(on).unwrap());
                rode += usize::from(on.is_some_and(|on| on.velocity_subpixels() != I64Vec2::ZERO));
            }
            steps += players.len();
        }
    }
    assert!(dropped * 5_000 > steps && rode * 50 > steps, "{dropped} {rode} of {steps}");
}

/// A level of one-pixel cells in which nothing is solid.
fn air() -> Level {
    crate::support::blank(800, 800)
}

/// A hero beside a block of 48 x 300 px, on its left side, or on its right side if `is_mirrored`. The hero's
/// top is `below` pixels below the top of the block. It presses toward the block.
fn beside(below: i32, is_mirrored: bool, feel: Feel) -> (World, [BodyId; 2], Player) {
    let mut world = World::new(Rate::per_second(1));
    let block = world.add(Body::platform(Aabb::from_xywh(400, 400, 48, 300)));
    let x = if is_mirrored { 448 } else { 388 };
    let hero = world.add(hero(x, 400 + below));
    let mut player = Player::new(hero, feel);
    player.input = toward(is_mirrored);
    (world, [block, hero], player)
}

fn toward(is_mirrored: bool) -> Input {
    if is_mirrored { input("left") } else { input("right") }
}

fn mirrored((x, y): (f32, f32), is_mirrored: bool) -> (f32, f32) {
    (if is_mirrored { -x } else { x }, y)
}

fn place(world: &World, id: BodyId) -> IVec2 {
    world.get(id).unwrap().aabb.min
}

#[test]
fn a_player_hangs_on_the_ledge_of_a_platform_that_moves_in_any_direction() {
    let level = air();
    for (is_mirrored, motion) in
        [false, true].into_iter().flat_map(|at| MOTIONS.map(|motion| (at, motion)))
    {
        let (mut world, [block, hero], player) = beside(-3, is_mirrored, feel());
        let mut players = [player];
        for _ in 0..30 {
            world.step_players(&level, &mut players);
        }
        let hangs = players[0].state().stance;
        assert!(matches!(hangs, Stance::Ledge(_)), "{hangs:?}");
        players[0].input = Input::NONE;
        let apart = place(&world, hero) - place(&world, block);
        world.get_mut(block).unwrap().set_velocity(mirrored(motion, is_mirrored));
        for step in 0..60 {
            world.step_players(&level, &mut players);
            let now = place(&world, hero) - place(&world, block);
            let stance = players[0].state().stance;
            assert_eq!((stance, now), (hangs, apart), "{motion:?} {is_mirrored} {step}");
        }
        // It climbs up, while the platform moves on.
        players[0].input = input("up");
        for _ in 0..60 {
            world.step_players(&level, &mut players);
        }
        assert_eq!(players[0].state().stance, Stance::Ground, "{motion:?} {is_mirrored}");
        assert_eq!(world.standing_on(hero), Some(block));
    }
}

#[test]
fn a_player_slides_on_a_wall_that_moves_as_on_a_wall_at_rest() {
    let level = air();
    for is_mirrored in [false, true] {
        let slide = |motion: (f32, f32)| {
            let (mut world, [block, hero], player) = beside(40, is_mirrored, feel());
            let mut players = [player];
            (0..10).for_each(|_| world.step_players(&level, &mut players));
            world.get_mut(block).unwrap().set_velocity(mirrored(motion, is_mirrored));
            let apart = place(&world, hero) - place(&world, block);
            for _ in 0..60 {
                world.step_players(&level, &mut players);
                assert!(matches!(players[0].state().stance, Stance::WallSlide(_)), "{motion:?}");
            }
            place(&world, hero) - place(&world, block) - apart
        };
        let at_rest = slide((0.0, 0.0));
        assert!(at_rest.x == 0 && at_rest.y > 30, "{at_rest}");
        for motion in MOTIONS {
            assert_eq!(slide(motion), at_rest, "{motion:?} {is_mirrored}");
        }
    }
}

#[test]
fn a_jump_from_a_moving_wall_has_its_motion() {
    let level = air();
    for (is_mirrored, is_sliding) in [(false, true), (true, true), (false, false), (true, false)] {
        let jump = |motion: (f32, f32)| {
            let (mut world, [block, hero], player) = beside(140, is_mirrored, feel());
            let mut players = [player];
            if !is_sliding {
                players[0].input = Input::NONE; // It falls along the wall and touches it.
            }
            (0..10).for_each(|_| world.step_players(&level, &mut players));
            world.get_mut(block).unwrap().set_velocity(mirrored(motion, is_mirrored));
            players[0].input = Input::NONE.with_jump(true);
            world.step_players(&level, &mut players);
            let jumped_from = players[0].outcome.unwrap().jumped_from;
            assert!(matches!(jumped_from, Some(Stance::WallSlide(_))), "{motion:?}");
            world.get(hero).unwrap().velocity()
        };
        let at_rest = jump((0.0, 0.0));
        for motion in MOTIONS {
            let (x, y) = mirrored(motion, is_mirrored);
            let due = at_rest + Vec2::new(x, y.min(0.0));
            assert!(jump(motion).distance(due) < 0.01, "{motion:?} {is_mirrored} {is_sliding}");
        }
    }
}

/// The velocity of a hero after its jump from a lift with `motion` that stopped `since` steps before; 0 if it
/// still moves.
fn jump_after_stop(motion: (f32, f32), since: u32, feel: Feel) -> Vec2 {
    let level = air();
    let mut world = World::new(Rate::per_second(1));
    let lift = world.add(lift(Aabb::from_xywh(400, 600, 120, 8), motion, false));
    let hero = world.add(hero(430, 580));
    let mut players = [Player::new(hero, feel)];
    (0..10).for_each(|_| world.step_players(&level, &mut players));
    for step in 0..=since {
        if step > 0 {
            world.get_mut(lift).unwrap().set_velocity((0.0, 0.0));
        }
        if step == since {
            players[0].input = input("jump");
        }
        world.step_players(&level, &mut players);
    }
    assert_eq!(players[0].outcome.unwrap().jumped_from, Some(Stance::Ground));
    world.get(hero).unwrap().velocity()
}

#[test]
fn a_jump_takes_over_as_much_momentum_as_its_feel_says() {
    for motion in MOTIONS {
        let at_rest = jump_after_stop((0.0, 0.0), 0, feel());
        let taken = |since, momentum_limit, momentum_time| {
            let feel = Feel { momentum_limit, momentum_time, ..feel() };
            jump_after_stop(motion, since, feel) - at_rest
        };
        let due = Vec2::new(motion.0, motion.1.min(0.0));
        let is = |found: Vec2, due: Vec2| {
            assert!(found.distance(due) < 0.01, "{motion:?} {found} {due}")
        };
        is(taken(0, f32::MAX, 0.0), due);
        is(taken(0, 0.0, 10.0), Vec2::ZERO);
        is(taken(0, 1.0, 10.0), due.clamp(Vec2::splat(-1.0), Vec2::splat(1.0)));
        is(taken(1, f32::MAX, 0.0), Vec2::ZERO);
        for since in 1..=10 {
            is(taken(since, f32::MAX, 10.0), due);
        }
        is(taken(11, f32::MAX, 10.0), Vec2::ZERO);
    }
}

#[test]
fn a_walk_off_a_moving_lift_keeps_its_momentum_and_a_coyote_jump_its_rise() {
    let level = air();
    // The velocities in the step after the hero left the lift, and after a jump in the next step.
    let leave = |momentum_time: f32, is_mirrored: bool| {
        let motion = mirrored((1.5, -1.0), is_mirrored);
        let mut world = World::new(Rate::per_second(1));
        world.add(lift(Aabb::from_xywh(400, 600, 40, 8), motion, false));
        let hero = world.add(hero(if is_mirrored { 392 } else { 436 }, 580));
        let mut players = [Player::new(hero, Feel { momentum_time, ..feel() })];
        world.step_players(&level, &mut players);
        players[0].input = toward(!is_mirrored);
        let mut own = 0.0;
        while players[0].state().stance == Stance::Ground {
            own = world.get(hero).unwrap().velocity().x;
            world.step_players(&level, &mut players);
        }
        let left = world.get(hero).unwrap().velocity();
        players[0].input = input("jump");
        world.step_players(&level, &mut players);
        assert_eq!(players[0].outcome.unwrap().jumped_from, Some(Stance::Air));
        (left - Vec2::X * own, world.get(hero).unwrap().velocity().y)
    };
    for is_mirrored in [false, true] {
        let sign = if is_mirrored { -1.0 } else { 1.0 };
        let [(plain, jump), (kept, high)] = [0.0, 10.0].map(|time| leave(time, is_mirrored));
        assert!((kept - plain).distance(Vec2::new(1.5 * sign, -1.0)) < 0.01, "{kept} {plain}");
        assert!((high - jump + 1.0).abs() < 0.01, "{high} {jump}");
    }
}
