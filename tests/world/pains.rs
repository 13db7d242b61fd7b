//! One test for each complaint of users of other libraries about lifts, crates and other characters. The
//! numbers in the comments are the numbers of the issues.

use std::f32::consts::TAU;

use bitwall::character::{Feel, Stance};
use bitwall::glam::{IVec2, Vec2};
use bitwall::world::{Body, BodyId, Event, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, MoverSettings, Rate};

use crate::movement::character::{feel, input};
use crate::support::{Subpixels, blank, cells};

/// A level with a world of bodies. Some of the bodies are players that obey keys.
#[derive(Clone)]
struct Game {
    level: Level,
    world: World,
    players: Vec<Player>,
}

impl Game {
    fn new(level: Level) -> Self {
        Self { level, world: World::new(Rate::per_second(1)), players: Vec::new() }
    }

    fn add(&mut self, body: Body) -> BodyId {
        self.world.add(body)
    }

    /// Adds a hero of 12 x 20 pixels whose acceleration is so high that it reaches `speed` at once.
    fn add_hero(&mut self, x: i32, y: i32, speed: f32) -> BodyId {
        let aabb = Aabb::from_xywh(x, y, 12, 20);
        let body = Body::character(aabb, MoverSettings::platformer()).pushing(0, 10, false);
        let hero = self.add(body.with_watches(u64::MAX));
        let [top_speed, acceleration, air_acceleration] = [speed; 3];
        let feel = Feel { top_speed, acceleration, air_acceleration, ..feel() };
        self.players.push(Player::new(hero, feel));
        hero
    }

    fn step(&mut self, keys: &str) {
        for player in &mut self.players {
            player.input = input(keys);
        }
        self.world.step_players(&self.level, &mut self.players);
    }

    fn set_velocity(&mut self, id: BodyId, velocity: impl Into<[f32; 2]>) {
        let body = self.world.get_mut(id).unwrap();
        *body = body.with_velocity(velocity);
    }

    fn aabb(&self, id: BodyId) -> Aabb {
        self.world.get(id).unwrap().aabb
    }

    fn at(&self, id: BodyId) -> IVec2 {
        self.aabb(id).min
    }

    /// True if the first hero stands on a body, without a gap.
    fn stands_on(&self, floor: BodyId) -> bool {
        let Player { body, .. } = &self.players[0];
        let state = self.players[0].state();
        state.stance == Stance::Ground
            && self.world.standing_on(*body) == Some(floor)
            && self.aabb(*body).max.y == self.at(floor).y
    }

    /// Returns the bodies that a platform crushed in the last step.
    fn crushed(&self) -> Vec<BodyId> {
        let crushed = |event: &Event| match event {
            Event::Crushed { body, .. } => Some(*body),
            _ => None,
        };
        self.world.events().iter().filter_map(crushed).collect()
    }
}

/// Creates a level with cells of one pixel in which these boxes are solid.
fn level(width: u32, height: u32, solids: &[Aabb]) -> Level {
    let mut grid = Grid::new(width, height).unwrap();
    for solid in solids {
        let (min, max) = (solid.min.as_uvec2(), solid.max.as_uvec2());
        grid.fill(min.x..max.x, min.y..max.y, true).unwrap();
    }
    cells(grid, 1)
}

fn lift(x: i32, y: i32, width: i32, velocity: impl Into<[f32; 2]>) -> Body {
    Body::platform(Aabb::from_xywh(x, y, width, 8)).with_velocity(velocity)
}

fn cube(x: i32, y: i32) -> Body {
    Body::pushable(Aabb::from_xywh(x, y, 16, 16), 4, 0.2)
}

/// GDevelop#897: a character cannot walk on a rising platform, and counts as falling while it stands there.
#[test]
fn a_walk_on_a_rising_lift_is_as_fast_as_on_the_ground() {
    for up in [0.5, 1.0, 1.5, 3.0, 5.0] {
        for (keys, sign) in [("right", 1), ("left", -1)] {
            let mut game = Game::new(blank(600, 600));
            let lift = game.add(lift(200, 560, 200, [0.0, -up]));
            let hero = game.add_hero(294, 540, 1.0);
            for count in 1..=80 {
                game.step(keys);
                assert!(game.stands_on(lift), "{up} {keys}");
                assert_eq!(game.at(hero).x, 294 + sign * count);
            }
        }
    }
}

/// Godot#42765: a character at the edge of a fast lift slides aside.
#[test]
fn a_body_at_the_edge_of_a_fast_lift_stays_there() {
    for up in [2.0, 6.0, 12.0] {
        for x in (-11..=59).step_by(7) {
            let mut game = Game::new(blank(600, 4_000));
            let lift = game.add(lift(100, 3_900, 60, [0.0, -up]));
            let hero = game.add_hero(100 + x, 3_880, 1.0);
            for _ in 0..200 {
                game.step("");
                assert!(game.stands_on(lift), "{up} {x}");
                assert_eq!(game.at(hero).x, 100 + x, "{up}");
            }
        }
    }
}

/// Moondust#123 and #213, Citrus-Engine#8, JoltPhysics#530: the rider of a lift that reverses leaves the
/// floor, and its jump is refused.
#[test]
fn a_body_on_a_lift_that_turns_back_stands_and_can_jump_in_every_step() {
    let waves: [fn(f32) -> f32; 2] =
        [|at| if at < 0.5 { -1.0 } else { 1.0 }, |at| (at * TAU).cos()];
    for wave in waves {
        for period in [20, 66, 120] {
            for speed in [1.0, 2.5, 4.0, 12.0] {
                let mut game = Game::new(blank(300, 3_000));
                let lift = game.add(lift(100, 1_500, 100, Vec2::ZERO));
                game.add_hero(140, 1_480, 1.0);
                for count in 0..2 * period {
                    let at = (count % period) as f32 / period as f32;
                    game.set_velocity(lift, [0.0, speed * wave(at)]);
                    let mut jump = game.clone();
                    game.step("");
                    assert!(game.stands_on(lift), "{speed} {period} at {count}");
                    jump.step("jump");
                    let from = jump.players[0].outcome.unwrap().jumped_from;
                    let expected = (count > 0).then_some(Stance::Ground);
                    assert_eq!(from, expected, "{speed} {period} at {count}");
                }
            }
        }
    }
}

/// A lift that is at most one step height above or below the ground can be walked onto and off again.
#[test]
fn a_walk_from_the_ground_onto_a_lift_and_off_again_never_leaves_the_floor() {
    let ground = [0, 250].map(|x| Aabb::from_xywh(x, 100, 150, 100));
    for above in -4..=4 {
        for (keys, start, sign) in [("right", 100, 1), ("left", 288, -1)] {
            let mut game = Game::new(level(400, 200, &ground));
            game.add(lift(150, 100 - above, 100, Vec2::ZERO));
            let hero = game.add_hero(start, 80, 1.0);
            for count in 1..=180 {
                game.step(keys);
                assert_eq!(game.players[0].state().stance, Stance::Ground, "{above} {keys}");
                assert_eq!(game.at(hero).x, start + sign * count, "{above}");
            }
        }
    }
}

/// cjddmut/Unity-2D-Platformer-Controller#13: a character that runs against an approaching platform gets
/// stuck in it.
#[test]
fn a_body_that_runs_against_an_approaching_platform_is_pushed_back_and_can_leave() {
    for part in 1..40 {
        for (keys, away, sign) in [("right", "left", 1), ("left", "right", -1)] {
            let speed = 0.13 * part as f32;
            let mut game = Game::new(level(2_000, 100, &[Aabb::from_xywh(0, 80, 2_000, 20)]));
            let x = if sign > 0 { 1_040 + part } else { 932 - part };
            let wall = Body::platform(Aabb::from_xywh(x, 50, 40, 30));
            let wall = game.add(wall.with_velocity([-speed * sign as f32, 0.0]));
            let hero = game.add_hero(1_000, 60, 1.75);
            let gap = |game: &Game| {
                let (hero, wall) = (game.aabb(hero), game.aabb(wall));
                if sign > 0 { wall.min.x - hero.max.x } else { hero.min.x - wall.max.x }
            };
            for count in 0..100 {
                game.step(keys);
                assert!(gap(&game) >= 0 && (count < 50 || gap(&game) == 0), "{speed} {keys}");
            }
            for count in 1..=20 {
                game.step(away);
                // In the first step the wall moves before the hero does.
                let whole = 1.75 + ((count - 1) as f32 * (1.75 - speed)).max(0.0);
                assert!((gap(&game) as f32 - whole).abs() < 2.0, "{speed} {}", gap(&game));
            }
            assert!(game.crushed().is_empty() && game.players[0].state().stance == Stance::Ground);
        }
    }
}

/// Herbi#7: a platform that squeezes a body throws it out.
#[test]
fn a_jump_against_a_lift_that_comes_down_ends_below_it_and_the_crush_is_reported_once() {
    for down in [0.25, 1.0, 2.5, 4.0] {
        for start in 0..30 {
            let mut game = Game::new(level(200, 200, &[Aabb::from_xywh(0, 180, 200, 20)]));
            let press = game.add(lift(0, 100, 200, [0.0, down]));
            let hero = game.add_hero(50, 160, 1.0);
            let mut crushed = Vec::new();
            for count in 0..300 {
                let is_before = crushed.is_empty();
                game.step(if count >= start && is_before { "jump" } else { "" });
                crushed.extend(game.crushed());
                let is_in = game.aabb(hero).overlaps(game.aabb(press));
                assert!(is_before || game.at(hero) == IVec2::new(50, 160), "it stays");
                assert!(!is_in || !crushed.is_empty(), "{down} {start} {count}");
            }
            assert_eq!(crushed, [hero], "{down} {start}");
        }
    }
}

/// Godot#9399: a character falls through a one-way platform that moves up.
#[test]
fn a_rising_one_way_platform_lifts_a_body_above_its_edge_and_passes_through_a_body_below() {
    let ground = [Aabb::from_xywh(0, 180, 60, 20), Aabb::from_xywh(100, 180, 100, 20)];
    for up in [0.25, 0.5, 1.0, 2.5, 7.0] {
        for x in (49..=99).step_by(5) {
            let is_on_ground = !(60..=88).contains(&x);
            for above in [-10, -1, 0, 1, 2, 9, 19, 20, 27] {
                let mut game = Game::new(level(200, 300, &ground));
                let ledge = Aabb::from_xywh(60, 180 - above, 40, 8);
                let ledge = Body::one_way_platform(ledge).with_velocity([0.0, -up]);
                let ledge = game.add(ledge);
                let hero = game.add_hero(x, 160, 1.0);
                for _ in 0..(150.0 / up).min(60.0) as i32 {
                    game.step("");
                    let (feet, top) = (game.aabb(hero).max.y, game.at(ledge).y);
                    if above > 0 {
                        assert!(!game.stands_on(ledge) && feet >= 180, "{up} {x} {above}");
                        assert!(!is_on_ground || feet == 180, "{up} {x} {above}");
                    } else if is_on_ground || top < 180 {
                        assert_eq!(feet, top.min(180), "{up} {x} {above}");
                    }
                }
            }
        }
    }
}

/// ReactPhysics3D#235, Chipmunk2D#18, Godot#77543: a body at rest stays in the air when its floor is removed.
#[test]
fn bodies_at_rest_fall_when_their_floor_is_dug_away_removed_moved_or_made_a_ghost() {
    let changes: [fn(&mut World, BodyId); 3] = [
        |world, lift| assert!(world.remove(lift).is_some()),
        |world, lift| world.get_mut(lift).unwrap().aabb = Aabb::from_xywh(300, 100, 100, 8),
        |world, lift| world.get_mut(lift).unwrap().collides_with = 0,
    ];
    for change in changes {
        let solids = [Aabb::from_xywh(0, 100, 100, 20), Aabb::from_xywh(0, 180, 400, 20)];
        let mut game = Game::new(level(400, 200, &solids));
        let lift = game.add(lift(100, 100, 100, Vec2::ZERO));
        let bodies = [0, 100].map(|x| {
            [game.add_hero(x + 10, 80, 1.0), game.add(cube(x + 50, 84)), game.add(cube(x + 50, 68))]
        });
        (0..300).for_each(|_| game.step(""));
        let tops = |game: &Game| bodies.map(|three| three.map(|id| game.at(id).y));
        assert_eq!(tops(&game), [[80, 84, 68]; 2]);
        game.level.fill(0..100, 100..120, false).unwrap();
        change(&mut game.world, lift);
        (0..60).for_each(|_| game.step(""));
        assert_eq!(tops(&game), [[160, 164, 148]; 2]);
    }
}

/// platypus#8, Godot#84153: a character that leaves a platform without falling is still carried by it, and a
/// character on a platform that the game moves elsewhere goes along.
#[test]
fn a_rider_is_no_longer_carried_after_the_game_moves_it_or_its_lift() {
    for velocity in [[1.0, 0.0], [-2.5, -0.75], [0.0, 3.0]] {
        for moves_lift in [false, true] {
            let mut game = Game::new(level(600, 200, &[Aabb::from_xywh(0, 180, 600, 20)]));
            let lift = game.add(lift(200, 100, 60, velocity));
            let hero = game.add_hero(230, 80, 1.0);
            (0..5).for_each(|_| game.step(""));
            let meets = |event: &Event| matches!(event, Event::Stay(two) if two.body == lift);
            assert!(game.stands_on(lift) && game.world.events().iter().any(meets));
            let moved = if moves_lift { lift } else { hero };
            game.world.get_mut(moved).unwrap().aabb = game.aabb(moved).shifted(Dir::Right, 200);
            let x = game.at(hero).x;
            game.step("");
            let [Event::End(end)] = game.world.events() else {
                panic!("{:?}", game.world.events())
            };
            assert_eq!((end.watcher, end.body), (hero, lift));
            assert_eq!(game.players[0].state().stance, Stance::Air);
            (0..60).for_each(|_| game.step(""));
            assert_eq!(game.at(hero), IVec2::new(x, 160), "{velocity:?} {moves_lift}");
        }
    }
}

/// Godot#94928: a character at rest sticks to a character that ran into it, and is dragged along.
#[test]
fn a_body_at_rest_stays_when_a_body_that_ran_into_it_leaves() {
    let boxed =
        |at: IVec2| Body::character(Aabb::from_xywh(at.x, at.y, 12, 12), MoverSettings::top_down());
    for dir in Dir::ALL {
        let [place, way] = [IVec2::splat(200), dir.vector()];
        let mut game = Game::new(blank(400, 400));
        let rest = game.add(boxed(place));
        let walker = game.add(boxed(place - 40 * way));
        for (count, speed) in [(60, 1), (140, -1)] {
            for _ in 0..count {
                game.set_velocity(walker, (speed * way).as_vec2());
                game.step("");
                assert_eq!(game.at(rest), place, "{dir:?}");
            }
        }
        assert_eq!(game.at(walker), place - (12 + 140) * way, "{dir:?}");
    }
}

/// Godot#65748: a body that moves up and down gets a backward speed when another body hits its side.
#[test]
fn a_body_hit_on_its_side_gets_no_speed_of_its_own_along_that_axis() {
    let boxed = |x, y| Body::character(Aabb::from_xywh(x, y, 16, 16), MoverSettings::top_down());
    for above in -20..=20 {
        for sign in [1.0, -1.0] {
            let mut game = Game::new(blank(600, 600));
            let swing = game.add(boxed(300, 200));
            let other = game.add(boxed(300 - 50 * sign as i32, 200 - above));
            for count in 0..600 {
                let along = if count / 40 % 2 == 0 { 1.0 } else { -1.0 };
                game.set_velocity(swing, [0.0, along]);
                game.set_velocity(other, [1.3 * sign, 0.3]);
                let asked = game.world.get(other).unwrap().velocity_subpixels();
                game.step("");
                let [swing, other] =
                    [swing, other].map(|id| game.world.get(id).unwrap().velocity_subpixels());
                assert_eq!(swing.x, 0, "{above} {count}");
                assert!(other.x == 0 || other.x == asked.x, "{above} {count} {other}");
                assert!(other.y.abs() <= 65_536 && swing.y.abs() <= 65_536);
            }
        }
    }
}

/// avian#273: a character that jumps against the corner of a crate is thrown away.
#[test]
fn a_jump_against_the_corner_of_a_crate_throws_neither_body() {
    for start in 0..40 {
        for speed in [1.0_f32, 2.5] {
            for (keys, sign) in [("right", 1), ("left", -1)] {
                let mut game = Game::new(level(600, 300, &[Aabb::from_xywh(0, 280, 600, 20)]));
                let crates = game.add(cube(292, 264));
                let hero = game.add_hero(294 - sign * (66 - start), 260, speed);
                for count in 0..120 {
                    let before = [hero, crates].map(|id| game.at(id));
                    let jumps = count > 8 + start / 2;
                    game.step(&format!("{keys} {}", if jumps { "jump" } else { "" }));
                    let [hero, crates] =
                        [(hero, before[0]), (crates, before[1])].map(|(id, at)| game.at(id) - at);
                    let fastest = speed.ceil() as i32;
                    assert!(
                        (0..=fastest).contains(&(sign * hero.x)) && hero.y.abs() <= 5,
                        "{hero}"
                    );
                    assert!((0..=fastest).contains(&(sign * crates.x)) && crates.y == 0);
                    assert_eq!(game.world.pairs(), []);
                }
            }
        }
    }
}
