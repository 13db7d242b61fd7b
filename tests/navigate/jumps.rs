//! Jump ways: every link is replayed by a mover of the test, ways are followed and pushed, an edited level
//! has the ways of one built anew, and the levels of a designer are decided.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use bitwall::character::{Feel, Platformer, Stance};
use bitwall::glam::{IVec2, UVec2, Vec2};
use bitwall::navigate::{
    Aim, Follow, Follower, JumpWays, Jumper, NoJumpWays, ObstacleKind, Undecided, Verdict,
};
use bitwall::world::{Body, Player, World};
use bitwall::{Aabb, Dir, Grid, Level, Mover, Outside, Rate, Terrain};

use crate::support::{rounds, shared, tiles};

/// A body of 12 x 20 pixels with the default feel.
fn jumper() -> Jumper {
    Jumper::new(UVec2::new(12, 20), Feel::default(), Rate::per_second(60))
}

/// The body of the designer's levels: without wall jumps and ledges.
fn hero() -> Jumper {
    let feel = Feel {
        top_speed: 120.0,
        jump_height: 44.0,
        jump_time: 0.35,
        wall_jump: Vec2::ZERO,
        ledge_reach: 0,
        ..Feel::default()
    };
    Jumper::new(UVec2::new(12, 24), feel, Rate::per_second(60))
}

/// A level of `cells` x `cells` tiles: boxes, platforms and one-way floors.
fn random_level(random: &mut fastrand::Rng, cells: u32) -> Level {
    let mut solid = Grid::new(cells, cells).unwrap();
    for (columns, rows) in
        [(0..cells, cells - 1..cells), (0..1, 0..cells), (cells - 1..cells, 0..cells)]
    {
        solid.fill(columns, rows, true).unwrap();
    }
    for _ in 0..cells * cells / 50 {
        let (x, y) = (random.u32(0..cells), random.u32(0..cells));
        let (w, h) = if random.bool() {
            (random.u32(2..10), 1)
        } else {
            (random.u32(1..7), random.u32(1..5))
        };
        solid.fill(x..x + w, y..y + h, true).unwrap();
    }
    let mut one_way = Grid::new(cells, cells).unwrap();
    for _ in 0..cells * cells / 120 {
        let (x, y) = (random.u32(0..cells), random.u32(0..cells));
        one_way.fill(x..x + random.u32(2..7), y..y + 1, true).unwrap();
    }
    let level = Level::from_grid(solid, UVec2::splat(16)).unwrap();
    let level = level.with_one_way(Dir::Up, one_way).unwrap();
    let area = |random: &mut fastrand::Rng, size: [u32; 2]| {
        let mut grid = Grid::new(cells, cells).unwrap();
        for _ in 0..2 {
            let (x, y) = (random.u32(0..cells), random.u32(0..cells));
            grid.fill(x..x + size[0], y..y + size[1], true).unwrap();
        }
        Terrain::new(grid, UVec2::splat(16)).unwrap()
    };
    match random.u8(0..3) {
        0 => level.with_area("ladder", area(random, [1, 6])),
        1 => level.with_area("water", area(random, [6, 3])),
        _ => level,
    }
}

fn random_jumper(random: &mut fastrand::Rng) -> Jumper {
    let on = |random: &mut fastrand::Rng, value: f32| if random.bool() { value } else { 0.0 };
    let feel = Feel {
        top_speed: random.u8(70..160).into(),
        jump_height: random.u8(24..70).into(),
        jump_time: f32::from(random.u8(25..45)) / 100.0,
        fall_scale: if random.bool() { 1.0 } else { 1.5 },
        coyote_time: on(random, 0.1),
        air_jumps: random.u8(0..6) / 4,
        wall_jump: if random.bool() { Vec2::new(120.0, 200.0) } else { Vec2::ZERO },
        ledge_reach: if random.bool() { 4 } else { 0 },
        dash_speed: if random.u8(0..4) == 0 { 240.0 } else { 0.0 },
        ..Feel::default()
    };
    let size = UVec2::new(random.u32(8..16), random.u32(12..28));
    Jumper::new(size, feel, Rate::per_second([30, 60, 60, 144][random.usize(0..4)]))
}

fn reach(
    level: &Level,
    jumper: &Jumper,
    starts: &[IVec2],
    goals: &[Aabb],
    work: u64,
) -> Vec<Verdict> {
    let mut ways = JumpWays::unplayed(level, jumper.clone()).unwrap();
    ways.reach(level, starts, goals, work)
}

fn body_at(jumper: &Jumper, at: IVec2) -> (Mover, Platformer) {
    let body = Aabb { min: at, max: at + jumper.size.as_ivec2() };
    (Mover::new(body, jumper.settings), Platformer::new(jumper.rate))
}

/// A body that has come to rest at `at` by itself. A body in water rises and sinks by fractions of a pixel,
/// so only its column is kept.
fn rested(level: &Level, jumper: &Jumper, at: IVec2) -> (Mover, Platformer) {
    let (mut mover, mut state) = body_at(jumper, at);
    for _ in 0..2 * jumper.rate.steps_per_second() {
        state.step(level, &mut mover, bitwall::character::Input::NONE, &jumper.feel);
    }
    assert_eq!(mover.body.min, at, "{:?}", state.stance);
    (mover, state)
}

/// In a long run a million links, else some thousands.
#[test]
fn each_link_leads_where_it_says() {
    let mut count = 0;
    let wanted = rounds(100_000);
    let mut kinds = BTreeSet::new();
    for seed in 0.. {
        let mut random = fastrand::Rng::with_seed(seed);
        let (level, jumper) = (random_level(&mut random, 28), random_jumper(&mut random));
        let ways = JumpWays::new(&level, jumper.clone()).unwrap();
        for hop in ways.links() {
            let (mut mover, mut state) = rested(&level, &jumper, hop.from);
            for (step, (input, at)) in ways.replay(&level, &hop).into_iter().enumerate() {
                state.step(&level, &mut mover, input, &jumper.feel);
                assert_eq!(mover.body.min, at, "seed {seed}, step {step} of {hop:?}");
                kinds.insert(format!("{:?}", state.stance).split('(').next().unwrap().to_owned());
            }
            assert_eq!(mover.body.min, hop.to, "seed {seed}: {hop:?}");
            assert_eq!(state.velocity(), Vec2::ZERO);
            assert_ne!(ways.place_at(hop.from), ways.place_at(hop.to));
            count += 1;
        }
        if count >= wanted {
            break;
        }
    }
    for kind in ["Air", "Ground", "WallSlide", "Ledge", "LedgeClimb", "Ladder", "Water"] {
        assert!(kinds.contains(kind), "no link has a step in the stance {kind}: {kinds:?}");
    }
}

/// In a long run 10,000 ways.
#[test]
fn a_pushed_follower_arrives_or_says_that_it_cannot() {
    let wanted = rounds(10_000);
    let (mut arrived, mut stuck, mut none) = (0, 0, 0);
    for seed in 0.. {
        let mut random = fastrand::Rng::with_seed(1_000 + seed);
        let (level, jumper) = (random_level(&mut random, 28), random_jumper(&mut random));
        let ways = JumpWays::new(&level, jumper.clone()).unwrap();
        let runs: Vec<Aabb> = ways.runs().map(|(run, _)| run).collect();
        if runs.is_empty() {
            continue;
        }
        for number in 0..40 {
            let mut spot = || {
                let run = runs[random.usize(0..runs.len())];
                IVec2::new(random.i32(run.min.x..run.max.x), run.min.y)
            };
            let (from, to) = (spot(), spot());
            if ways.path(from, to).is_none() {
                none += 1;
                continue;
            }
            let (mut mover, mut state) = body_at(&jumper, from);
            mover.subpixel.x = random.i32(-65_535..65_536);
            let mut follower = Follower::default();
            let mut steps = 0;
            let limit = 60 * u32::from(jumper.rate.steps_per_second());
            let end = loop {
                match follower.next(&ways, &level, &mut mover, &state, Aim::To(to)) {
                    Follow::Go(input) => state.step(&level, &mut mover, input, &jumper.feel),
                    end => break end,
                };
                steps += 1;
                assert!(
                    steps < limit,
                    "seed {seed}, way {number} from {from} to {to}, at {:?} {state:?}",
                    mover.body
                );
                if number % 2 == 0 && steps % 97 == 0 && steps < 400 {
                    let [x, y] = [0, 1].map(|_| f32::from(random.i8(-100..100)) * 2.0);
                    state.set_velocity([x, y]);
                }
            };
            if end == Follow::Arrived {
                assert_eq!(mover.body.min, to);
                arrived += 1;
            } else {
                let rests = runs.iter().any(|run| run.contains(mover.body.min));
                let way = ways.path(mover.body.min, to);
                assert!(
                    number % 2 == 0 || way.is_some(),
                    "seed {seed}: it went astray without a push"
                );
                stuck += usize::from(rests && way.is_some());
            }
        }
        if arrived >= wanted {
            break;
        }
    }
    println!("{arrived} arrived, {stuck} gave up although a way is known, {none} without a way");
    assert_eq!(stuck, 0, "of {arrived}");
}

/// A world with a player at a pixel of a level.
fn world_with_player(jumper: &Jumper, at: IVec2) -> (World, [Player; 1]) {
    let mut world = World::new(jumper.rate);
    let body = Aabb { min: at, max: at + jumper.size.as_ivec2() };
    let body = world.add(Body::character(body, jumper.settings));
    (world, [Player::new(body, jumper.feel.clone())])
}

/// In a long run 1,000 ways.
#[test]
fn a_player_alone_in_its_world_follows_as_a_lone_platformer() {
    let (wanted, mut arrived) = (rounds(1_000), 0);
    for seed in 0.. {
        let mut random = fastrand::Rng::with_seed(2_000 + seed);
        let (level, jumper) = (random_level(&mut random, 28), random_jumper(&mut random));
        let ways = JumpWays::new(&level, jumper.clone()).unwrap();
        let runs: Vec<Aabb> = ways.runs().map(|(run, _)| run).collect();
        for number in 0..if runs.is_empty() { 0 } else { 40 } {
            let mut spot = || {
                let run = runs[random.usize(0..runs.len())];
                IVec2::new(random.i32(run.min.x..run.max.x), run.min.y)
            };
            let (from, aim) = (spot(), Aim::To(spot()));
            let (mut mover, mut state) = body_at(&jumper, from);
            let (mut world, mut players) = world_with_player(&jumper, from);
            let (mut lone, mut follower) = (Follower::default(), Follower::default());
            mover.subpixel.x = random.i32(-65_535..65_536);
            world.get_mut(players[0].body).unwrap().subpixel = mover.subpixel;
            for step in 0..60 * u32::from(jumper.rate.steps_per_second()) {
                let next = lone.next(&ways, &level, &mut mover, &state, aim);
                let other = follower.steer(&ways, &level, &mut world, &mut players[0], aim);
                assert_eq!(other, Some(next), "seed {seed}, way {number}, step {step}: {state:?}");
                let Follow::Go(input) = next else {
                    arrived += usize::from(next == Follow::Arrived);
                    break;
                };
                state.step(&level, &mut mover, input, &jumper.feel);
                world.step_players(&level, &mut players);
                let body = world.get(players[0].body).unwrap();
                assert_eq!(
                    (body.aabb, body.subpixel),
                    (mover.body, mover.subpixel),
                    "seed {seed}, way {number}, step {step}: {state:?}"
                );
                if number % 2 == 0 && step % 97 == 96 && step < 400 {
                    let push = [0, 1].map(|_| f32::from(random.i8(-100..100)) * 2.0);
                    state.set_velocity(push);
                    world.get_mut(players[0].body).unwrap().set_velocity(push);
                }
            }
        }
        if arrived >= wanted {
            break;
        }
    }
}

/// Lifts carry the player off, crates and pushes are in its way. In the first level a lift pushes it along
/// its goal. In a long run 500 ways.
#[test]
fn a_player_among_lifts_and_crates_arrives_only_at_its_goal() {
    let (wanted, mut arrived, mut carried) = (rounds(500), 0, 0);
    for seed in 88.. {
        let mut random = fastrand::Rng::with_seed(3_000 + seed);
        let (level, jumper) = (random_level(&mut random, 28), random_jumper(&mut random));
        let ways = JumpWays::new(&level, jumper.clone()).unwrap();
        let runs: Vec<Aabb> = ways.runs().map(|(run, _)| run).collect();
        for _ in 0..if runs.is_empty() { 0 } else { 10 } {
            let mut spot = || {
                let run = runs[random.usize(0..runs.len())];
                IVec2::new(random.i32(run.min.x..run.max.x), run.min.y)
            };
            let (from, to, floor, crate_at) = (spot(), spot(), spot(), spot());
            let (mut world, mut players) = world_with_player(&jumper, from);
            let under = Aabb::from_xywh(from.x - 8, from.y + jumper.size.y as i32, 40, 8);
            let speed = f32::from(random.i8(-60..60));
            let lifts = [(under, [speed, 0.0]), (under.translated(floor - from), [0.0, speed])];
            for (lift, velocity) in lifts {
                world.add(Body::platform(lift).with_velocity(velocity));
            }
            world.add(Body::pushable(Aabb::from_xywh(crate_at.x, crate_at.y, 14, 14), 1, 900.0));
            let mut follower = Follower::default();
            for step in 0..10 * u32::from(jumper.rate.steps_per_second()) {
                let player = &mut players[0];
                let next = follower.steer(&ways, &level, &mut world, player, Aim::To(to));
                let last = world.get(player.body).unwrap().last();
                carried += last.map_or(0, |last| last.carried.abs().element_sum());
                if next == Some(Follow::Arrived) {
                    assert_eq!(world.get(player.body).unwrap().aabb.min, to, "seed {seed}");
                    let last = last.expect("it moved before");
                    assert_eq!(last.carried, IVec2::ZERO, "seed {seed}: a lift has it");
                    assert!(last.grounded || player.state().stance == Stance::Water, "seed {seed}");
                    arrived += 1;
                    break;
                }
                world.step_players(&level, &mut players);
                if step % 97 == 96 {
                    let push = [0, 1].map(|_| f32::from(random.i8(-100..100)) * 2.0);
                    world.get_mut(players[0].body).unwrap().set_velocity(push);
                }
            }
        }
        if arrived >= wanted {
            break;
        }
    }
    assert!(carried > 0, "no lift carried a player");
}

#[test]
fn a_field_leads_like_a_path() {
    let mut random = fastrand::Rng::with_seed(5);
    let level = random_level(&mut random, 40);
    let ways = JumpWays::new(&level, jumper()).unwrap();
    let runs: Vec<Aabb> = ways.runs().map(|(run, _)| run).collect();
    let (mut count, mut longer, mut all) = (0, 0, 0);
    for _ in 0..40 {
        let mut spot = || {
            let run = runs[random.usize(0..runs.len())];
            IVec2::new(random.i32(run.min.x..run.max.x), run.min.y)
        };
        let goal = spot();
        let field = ways.field(&[goal]);
        for _ in 0..20 {
            let from = spot();
            let path = ways.path(from, goal);
            let steps = field.steps(&ways, from);
            assert_eq!(path.is_some(), steps.is_some(), "{from} to {goal}");
            let (Some(path), Some(steps)) = (path, steps) else { continue };
            assert!(steps <= path.steps, "the field is exact: {steps}, {}", path.steps);
            assert!(path.steps <= steps + steps / 5, "{from} to {goal}: {}, {steps}", path.steps);
            (longer, all) = (longer + path.steps - steps, all + steps);
            assert!(ways.may_reach(from, goal));
            count += 1;
        }
    }
    assert!(count > 100 && longer * 100 <= all, "{count} ways, {longer} steps more than {all}");
}

/// The links as a set, and the runs.
type Facts = (BTreeSet<(i32, i32, i32, i32, u16)>, Vec<(i32, i32, i32, u32)>);

fn facts(ways: &JumpWays) -> Facts {
    let links = ways.links().map(|hop| (hop.from.x, hop.from.y, hop.to.x, hop.to.y, hop.steps));
    let runs = ways.runs().map(|(run, place)| (run.min.x, run.min.y, run.max.x, place));
    (links.collect(), runs.collect())
}

#[test]
fn an_edited_level_has_the_ways_of_one_built_anew() {
    for seed in 0..rounds(60) as u64 {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut level = random_level(&mut random, 24);
        let jumper = random_jumper(&mut random);
        let mut ways = JumpWays::new(&level, jumper.clone()).unwrap();
        for _ in 0..4 {
            for _ in 0..random.u8(1..4) {
                let (x, y) = (random.u32(0..24), random.u32(0..24));
                let solid = random.bool();
                let area =
                    level.fill(x..x + random.u32(1..4), y..y + random.u32(1..3), solid).unwrap();
                if let Some(area) = area {
                    ways.edited(area);
                }
            }
            // What is still offered is still true.
            for hop in ways.links() {
                let end = ways.replay(&level, &hop).last().map(|(_, at)| *at);
                assert_eq!(end, Some(hop.to), "seed {seed}: {hop:?}");
            }
            let mut slices = 0;
            while !ways.update(&level, 500) {
                slices += 1;
                assert!(slices < 10_000);
            }
            let anew = JumpWays::new(&level, jumper.clone()).unwrap();
            assert_eq!(facts(&ways).1, facts(&anew).1, "seed {seed}");
            assert_eq!(facts(&ways).0, facts(&anew).0, "seed {seed}");
        }
    }
}

#[test]
fn a_mirrored_level_has_mirrored_links() {
    for seed in 0..4 {
        let mut random = fastrand::Rng::with_seed(seed);
        let level = random_level(&mut random, 24);
        let grid = |grid: &Grid| {
            let mut mirrored = Grid::new(24, 24).unwrap();
            for y in 0..24 {
                for x in 0..24 {
                    mirrored.set(23 - x, y, grid.is_solid(x, y)).unwrap();
                }
            }
            mirrored
        };
        let mirrored = Level::from_grid(grid(level.grid()), UVec2::splat(16)).unwrap();
        let guards = grid(level.one_way(Dir::Up).unwrap());
        let mirrored = mirrored.with_one_way(Dir::Up, guards).unwrap();
        let level = Level::new(level.terrain().clone());
        let width = 24 * 16 - 12;
        let count = |ways: &JumpWays, is_mirrored: bool| -> BTreeSet<(i32, i32, i32, i32)> {
            let x = |x: i32| if is_mirrored { width - x } else { x };
            let runs: Vec<Aabb> = ways.runs().map(|(run, _)| run).collect();
            let place = |at: IVec2| {
                let runs = runs.iter().filter(|run| ways.place_at(run.min) == ways.place_at(at));
                let ends = runs.map(|run| (run.min.y, x(run.min.x).min(x(run.max.x - 1))));
                ends.min().unwrap()
            };
            let pairs = ways.links().map(|hop| (place(hop.from), place(hop.to)));
            pairs.map(|(one, other)| (one.0, one.1, other.0, other.1)).collect()
        };
        let [one, other] = [(level, false), (mirrored, true)]
            .map(|(level, is)| count(&JumpWays::new(&level, jumper()).unwrap(), is));
        // Take-offs are at multiples of 16 pixels, which are others in a mirrored level.
        let same = one.intersection(&other).count();
        assert!(
            same * 100 >= one.len().max(other.len()) * 93,
            "{same} of {}, {}",
            one.len(),
            other.len()
        );
    }
}

/// The floor, a pit of `gap` tiles, and a goal behind it on a floor that is `rise` tiles higher.
fn pit(gap: i32, rise: i32) -> (Level, IVec2, Aabb) {
    let mut grid = Grid::new(60, 20).unwrap();
    grid.fill(0..10, 15..20, true).unwrap();
    grid.fill(10 + gap as u32..60, 15 - rise as u32..20, true).unwrap();
    let level = Level::from_grid(grid, UVec2::splat(16)).unwrap();
    let goal = IVec2::new((10 + gap) * 16 + 60, (15 - rise) * 16 - 4);
    (level, IVec2::new(34, 216), Aabb { min: goal, max: goal })
}

/// One-way ledges on two sides of a shaft, `gap` pixels apart and two tiles higher each.
fn shaft(gap: u32) -> (Level, IVec2, Aabb) {
    let (width, height) = (24, 30);
    let mut solid = Grid::new(width, height).unwrap();
    solid.fill(0..1, 0..height, true).unwrap();
    solid.fill(width - 1..width, 0..height, true).unwrap();
    solid.fill(0..width, height - 1..height, true).unwrap();
    let mut one_way = Grid::new(width, height).unwrap();
    let (mut y, mut is_right) = (height - 3, false);
    while y > 4 {
        let columns = if is_right { 5 + gap..(9 + gap).min(width - 1) } else { 1..5 };
        one_way.fill(columns, y..y + 1, true).unwrap();
        (y, is_right) = (y - 2, !is_right);
    }
    let x = if is_right { 2 } else { 6 + gap as i32 } * 16;
    let level = Level::from_grid(solid, UVec2::splat(16)).unwrap();
    let level = level.with_one_way(Dir::Up, one_way).unwrap();
    let goal = IVec2::new(x, (y as i32 + 2) * 16 - 4);
    (level, IVec2::new(34, 29 * 16 - 24), Aabb { min: goal, max: goal })
}

#[test]
fn the_levels_of_a_designer_are_decided() {
    let mut levels = Vec::new();
    for gap in [2, 4, 5, 6, 7, 8, 10, 12, 16, 20, 30] {
        levels.push((format!("gap{gap}"), pit(gap, 0), gap <= 6));
    }
    for rise in [1, 2, 3, 4] {
        levels.push((format!("rise{rise}"), pit(3, rise), rise <= 3));
    }
    for gap in [1, 2, 3, 4, 5, 6, 8] {
        levels.push((format!("shaft{gap}"), shaft(gap), gap <= 5));
    }
    for (name, (level, start, goal), is_reached) in levels {
        let jumper = hero();
        let verdicts = reach(&level, &jumper, &[start], &[goal], 3_000_000);
        match (&verdicts[0], is_reached) {
            (Verdict::Reached(witness), true) => {
                let last = witness.replay(&level, &jumper).last().unwrap();
                assert!(last.0.body.contains(goal.min), "{name}");
            }
            (Verdict::OutOfReach(Some(obstacle)), false) => match obstacle.kind {
                ObstacleKind::Width { needed, jump } => {
                    assert!(jump < needed, "{name}: {obstacle:?}");
                    assert!(name.ends_with(&(needed / 16).to_string()), "{name}: {needed}");
                }
                ObstacleKind::Height { needed, .. } => assert_eq!((&*name, needed), ("rise4", 64)),
                _ => panic!("{name}: {obstacle:?}"),
            },
            (verdict, _) => panic!("{name}: {verdict:?}"),
        }
    }
}

/// The same levels as files.
#[test]
fn the_levels_of_a_designer_are_those_of_the_trial() {
    let Some(folder) = shared("trials4/reach") else { return };
    for (name, (level, ..)) in [("gap6.tmx", pit(6, 0)), ("shaft/shaft5.tmx", shaft(5))] {
        let loaded = Level::load(folder.join(name)).unwrap();
        assert_eq!(loaded.grid(), level.grid(), "{name}");
        assert_eq!(loaded.one_way(Dir::Up), level.one_way(Dir::Up), "{name}");
    }
}

#[test]
fn a_body_without_a_place_or_with_unknown_moves_is_undecided() {
    let level = tiles("....\n....\n####", 16);
    let goal = [Aabb::from_xywh(60, 2, 1, 1)];
    let inside = reach(&level, &jumper(), &[IVec2::new(0, 20)], &goal, 1_000_000);
    assert_eq!(inside, [Verdict::Undecided(Undecided::NoStart)]);
    let mut other = jumper();
    other.feel.floor = Dir::Up;
    assert_eq!(JumpWays::new(&level, other).err(), Some(NoJumpWays::Moves));
    let high = tiles("#..#\n....\n....\n....\n....\n....\n....\n####", 16);
    let mut dasher = jumper();
    dasher.feel =
        Feel { dash_speed: 200.0, wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() };
    let start = [IVec2::new(20, 80)];
    let verdict = reach(&high, &dasher, &start, &[Aabb::from_xywh(2, -60, 1, 1)], 1_000_000);
    assert_eq!(verdict, [Verdict::Undecided(Undecided::Moves)]);
}

/// Two starts on two sides of a wall, with a pit on each side.
#[test]
fn all_starts_count_and_pits_are_soft_locks() {
    let text = "..........#..........\n".repeat(5)
        + "####...####...#######\n"
        + &"####...####...#######\n".repeat(5)
        + &"#".repeat(21);
    let level = tiles(&text, 16);
    let jumper = hero();
    let (left, right) = (IVec2::new(8, 56), IVec2::new(300, 56));
    let goals = [Aabb::from_xywh(20, 76, 1, 1), Aabb::from_xywh(290, 76, 1, 1)];
    let [one, both] =
        [&[left][..], &[left, right]].map(|it| reach(&level, &jumper, it, &goals, 3_000_000));
    assert!(matches!(one[..], [Verdict::Reached(_), Verdict::OutOfReach(_)]), "{one:?}");
    let [Verdict::Reached(_), Verdict::Reached(witness)] = &both[..] else { panic!("{both:?}") };
    assert_eq!(witness.start, right);
    let mut ways = JumpWays::new(&level, jumper.clone()).unwrap();
    let locks = ways.soft_locks(&level, &[left, right], &goals, 3_000_000).unwrap();
    let pits = [IVec2::new(64, 152), IVec2::new(176, 152)];
    assert_eq!(locks.iter().map(|it| it.at).collect::<Vec<_>>(), pits);
    assert!(locks.iter().all(|it| it.is_proven));
    assert!(locks.iter().all(|it| ways.place_at(it.at) == Some(it.place)));
    // A goal in the pit, in the air of the other one, and a start in it.
    let goals = [goals[0], Aabb::from_xywh(66, 170, 1, 1), Aabb::from_xywh(190, 130, 1, 1)];
    assert_eq!(ways.soft_locks(&level, &[left, right], &goals, 3_000_000), Ok(vec![]));
    let starts = [left, IVec2::new(200, 90)];
    let locks = ways.soft_locks(&level, &starts, &goals[..1], 3_000_000).unwrap();
    assert_eq!(locks.iter().map(|it| it.at).collect::<Vec<_>>(), pits[..1]);
    let mut dasher = jumper;
    dasher.feel.dash_speed = 1.0;
    let mut ways = JumpWays::new(&level, dasher).unwrap();
    let locks = ways.soft_locks(&level, &[left], &goals[..1], 3_000_000).unwrap();
    assert_eq!(locks.iter().map(|it| it.is_proven).collect::<Vec<_>>(), [false]);
    let none = ways.soft_locks(&level, &[IVec2::new(8, 90)], &goals, 3_000_000);
    assert_eq!(none, Err(Undecided::NoStart));
}

#[test]
fn without_work_nothing_is_decided() {
    let (level, start, goal) = pit(7, 0);
    for work in [0, 100, 2_000] {
        let verdicts = reach(&level, &hero(), &[start], &[goal], work);
        assert_eq!(verdicts, [Verdict::Undecided(Undecided::Work)], "{work}");
    }
    let mut ways = JumpWays::unplayed(&level, hero()).unwrap();
    assert_eq!(ways.soft_locks(&level, &[start], &[goal], 100), Err(Undecided::Work));
    let locks = ways.soft_locks(&level, &[start], &[goal], 3_000).unwrap();
    assert!(locks.len() == 1 && !locks[0].is_proven, "{locks:?}");
}

/// The work bounds the time for each feel: some of these took minutes, or a number was too large.
#[test]
fn the_work_bounds_the_search_of_each_feel() {
    type Change = fn(&mut Feel, f32);
    let changes: [Change; 9] = [
        |feel, value| (feel.jump_height, feel.jump_time) = (value, 100.0),
        |feel, value| feel.top_speed = value,
        |feel, value| feel.acceleration = value,
        |feel, value| (feel.fall_limit, feel.fall_scale) = (value, value),
        |feel, value| feel.coyote_time = value,
        |feel, value| feel.wall_jump = Vec2::splat(value),
        |feel, value| feel.wall_slide_speed = value,
        |feel, value| feel.wall_reach = value as u32,
        |feel, value| feel.ledge_reach = value as u32,
    ];
    let (level, start, goal) = pit(10, 0);
    let mut slowest = Duration::ZERO;
    for (rate, count) in [(1, 9), (1_000, 9), (u16::MAX, 1)] {
        for (number, change) in changes[..count].iter().enumerate() {
            for value in [0.001, 65_535.0, f32::MAX] {
                let mut feel = Feel::default();
                change(&mut feel, value);
                let jumper = Jumper::new(UVec2::new(12, 24), feel, Rate::per_second(rate));
                let time = Instant::now();
                let verdicts = reach(&level, &jumper, &[start], &[goal], 20_000);
                let time = time.elapsed();
                slowest = slowest.max(time);
                assert!(time.as_secs() < 10, "{rate}, change {number}, {value}: {time:?}");
                assert_eq!(verdicts.len(), 1);
            }
        }
    }
    println!("the slowest took {slowest:?}");
}

#[test]
fn ladders_water_drops_and_ledges_are_used() {
    let ladder = |text| Terrain::new(Grid::from_text(text).unwrap(), UVec2::splat(16)).unwrap();
    let text = "........\n........\n........\n........\n........\n........\n########";
    // A ladder up to a shelf that no jump reaches.
    let shelf = "........\n........\n...#####\n........\n........\n........\n########";
    let level = tiles(shelf, 16)
        .with_area("ladder", ladder("........\n........\n..#.....\n..#.....\n..#.....\n..#....."));
    let ways = JumpWays::new(&level, jumper()).unwrap();
    let (ground, top) = (IVec2::new(4, 76), IVec2::new(90, 12));
    assert!(ways.path(ground, top).is_some() && ways.path(top, ground).is_some());
    // Water to swim in: the body floats at the surface and jumps out.
    let pool = "........\n........\n........\n##....##\n##....##\n##....##\n########";
    let water = ladder("........\n........\n........\n..####..\n..####..\n..####..");
    let level = tiles(pool, 16).with_area("water", water);
    let ways = JumpWays::new(&level, jumper()).unwrap();
    assert!(ways.path(IVec2::new(50, 38), IVec2::new(2, 28)).is_some(), "out of the water");
    let (mut mover, mut state) = body_at(&jumper(), IVec2::new(60, 20));
    let mut follower = Follower::default();
    let mut swam = false;
    for _ in 0..600 {
        let next = follower.next(&ways, &level, &mut mover, &state, Aim::To(IVec2::new(110, 28)));
        state.step(&level, &mut mover, next.input(), &Feel::default());
        swam |= state.stance == Stance::Water;
    }
    assert!(swam && mover.body.min == IVec2::new(110, 28), "{:?}", mover.body);
    // A one-way floor to drop through.
    let guards =
        Grid::from_text("........\n........\n........\n########\n........\n........\n........")
            .unwrap();
    let level = tiles(text, 16).with_one_way(Dir::Up, guards).unwrap();
    let level = level.with_outside(Outside::Solid);
    let ways = JumpWays::new(&level, jumper()).unwrap();
    let drop = ways.path(IVec2::new(30, 28), IVec2::new(30, 76)).expect("it drops");
    assert_eq!(drop.hops.len(), 1);
}
