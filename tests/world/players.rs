//! Tests of players: platformer characters among the lifts, crates and other heroes of a world.

use bitwall::character::{Input, Stance};
use bitwall::glam::{I64Vec2, IVec2, UVec2};
use bitwall::world::{Body, BodyId, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Rate};

use crate::movement::character::{feel, input};
use crate::support::{Subpixels, rounds, to_subpixels};

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
