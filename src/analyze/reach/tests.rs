//! Compares the over-estimate with a search over all states of the real mover, on small levels.

use std::collections::HashSet;

use glam::{IVec2, UVec2, Vec2};

use super::moves::Keys;
use super::moves::{MoveSet, PlatformerMoves};
use super::over::highest_rise;
use super::over::reached;
use super::play::PlayedBody;
use super::{Budget, Graph, first_out};
use crate::analyze::free_space::free_space;
use crate::analyze::tests::random_terrain;
use crate::character::{Feel, Input};
use crate::geometry::{Aabb, Dir, Outside, Sides};
use crate::mover::MoverSettings;
use crate::{Grid, Level, Rate, Terrain};

/// A random feel with all speeds in whole pixels, for one step a second, so that a character has few states.
fn random_feel(random: &mut fastrand::Rng) -> Feel {
    let on = |random: &mut fastrand::Rng, value: f32| if random.bool() { value } else { 0.0 };
    // The gravity is a pixel a step, and a jump starts with `steps` pixels a step.
    let steps = random.u8(1..4);
    Feel {
        top_speed: random.u8(1..3).into(),
        acceleration: 1.0,
        friction: 1.0,
        air_acceleration: 1.0,
        air_friction: random.u8(0..2).into(),
        jump_height: f32::from(steps * (steps + 1) / 2),
        jump_time: steps.into(),
        fall_scale: 1.0,
        fall_limit: random.u8(1..4).into(),
        apex_speed: on(random, 2.0),
        released_speed: if random.bool() { 1.0 } else { f32::MAX },
        coyote_time: random.u8(0..2).into(),
        buffer_time: random.u8(0..2).into(),
        wall_slide_speed: on(random, 1.0),
        wall_reach: 1,
        wall_jump: Vec2::ZERO,
        wall_jump_time: 0.0,
        ledge_reach: random.u32(0..2),
        climb_speed: 1.0,
        swim_speed: 1.0,
        swim_acceleration: 1.0,
        float_speed: on(random, 1.0),
        ..Feel::default()
    }
}

fn random_settings(random: &mut fastrand::Rng) -> MoverSettings {
    let mut small = || random.u32(0..3);
    let corner_correction = Sides { left: small(), right: small(), up: small(), down: 0 };
    MoverSettings {
        floor: Some(Dir::Down),
        step_height: small(),
        snap_distance: small(),
        corner_correction,
        ..MoverSettings::PLAIN
    }
}

fn random_level(random: &mut fastrand::Rng, one_way: bool) -> Level {
    let (width, height) = (random.u32(4..9), random.u32(5..11));
    let cell = UVec2::new(random.u32(1..4), random.u32(1..3));
    let scatter = |random: &mut fastrand::Rng, count: u32, longest: u32| {
        let mut grid = Grid::new(width, height).unwrap();
        for _ in 0..random.u32(0..=count) {
            let (x, y) = (random.u32(0..width), random.u32(0..height));
            let (w, h) = (random.u32(1..=longest), random.u32(1..=longest));
            let (w, h) = if random.bool() { (w, 1) } else { (1, h) };
            grid.fill(x..x + w, y..y + h, true).unwrap();
        }
        grid
    };
    let mut level = Level::from_grid(scatter(random, 7, 4), cell).unwrap();
    if one_way && random.bool() {
        for side in [Dir::Up, Dir::Up, Dir::Down, Dir::Left] {
            if random.bool() {
                level = level.with_one_way(side, scatter(random, 3, 4)).unwrap();
            }
        }
    }
    for name in ["ladder", "water"] {
        if random.u8(0..3) == 0 {
            let area = Terrain::new(scatter(random, 1, 3), cell).unwrap();
            level = level.with_area(name, area);
        }
    }
    let mut side = || if random.u8(0..5) == 0 { Outside::Open } else { Outside::Solid };
    let outside = Sides { left: side(), right: side(), up: side(), down: side() };
    level.with_outside(outside)
}

fn inputs() -> Vec<Keys> {
    let sides = [-1.0, 0.0, 1.0];
    let directions = sides.into_iter().flat_map(|x| sides.map(|y| (x, y)));
    let both = directions.flat_map(|(x, y)| [false, true].map(|jump| Input::from_axes(x, y, jump)));
    both.map(Keys::Press).collect()
}

/// Calls `visit` with every state that a player can reach, in the level and up to 9 pixels outside. At most
/// `most` states are visited.
fn every_state<'m>(
    level: &Level,
    first: PlayedBody<'m>,
    most: usize,
    mut visit: impl FnMut(&PlayedBody<'m>),
) {
    let inputs = inputs();
    let size = level.size().as_ivec2();
    let near = Aabb { min: IVec2::splat(-9), max: size + IVec2::splat(9) };
    let mut seen = HashSet::from([(first.mover, first.character)]);
    let mut open = vec![first];
    while let Some(player) = open.pop() {
        visit(&player);
        for keys in &inputs {
            let mut next = player;
            next.step(level, *keys);
            // The number of steps in the air does not affect the motion.
            next.mover.steps_since_grounded = next.mover.steps_since_grounded.min(1);
            let is_near = near.overlaps(next.body());
            if is_near && seen.len() < most && seen.insert((next.mover, next.character)) {
                open.push(next);
            }
        }
    }
}

#[test]
fn the_over_estimate_includes_every_position_that_the_real_mover_reaches() {
    let mut random = fastrand::Rng::with_seed(401);
    let (mut bounded, mut outside) = (0, 0);
    for round in 0..80 {
        let level = random_level(&mut random, true);
        let (w, h) = (random.i32(1..4), random.i32(1..4));
        let body = UVec2::new(w as u32, h as u32);
        let jumper = PlatformerMoves {
            rate: Rate::per_second(1),
            feel: random_feel(&mut random),
            settings: random_settings(&mut random),
        };
        let Some(rise) = highest_rise(&jumper, body.y) else { panic!("it is bounded: {jumper:?}") };
        let size = level.size().as_ivec2();
        let start = IVec2::new(random.i32(0..size.x), random.i32(0..size.y));
        let free = free_space(level.terrain(), body).unwrap();
        if free.area_at(start).is_none() {
            continue;
        }
        let areas: Vec<&Terrain> = level.areas().iter().map(|area| &area.terrain).collect();
        let cuts = [start.y + 1];
        let graph = Graph::new(level.terrain(), &free, &areas, &cuts, false).unwrap();
        let budget = Budget::new(1 << 20);
        let over = reached(&graph, graph.node_at(start).as_slice(), rise, &budget).unwrap();
        let has = |at: IVec2| {
            graph.node_at(at).is_some_and(|node| over.rows(&graph, node).contains(&at.y))
        };
        let moves = MoveSet::Platformer(Box::new(jumper.clone()));
        let first = PlayedBody::new(&moves, Aabb::from_xywh(start.x, start.y, w, h));
        let mut touched = HashSet::new();
        every_state(&level, first, 6_000, |player| {
            touched.insert(player.body().min);
        });
        for at in &touched {
            // Beyond an open side, one position represents all positions farther away.
            let kept = at.clamp(IVec2::new(-w, -h), size);
            assert!(
                has(kept),
                "round {round}: {at} from {start}, body {body}, rise {rise}\n{}\n{:?}\n{jumper:?}\n{:?}",
                level.grid(),
                level.cell_size(),
                level.outside(),
            );
        }
        bounded += 1;
        let all = free.areas().iter().map(|area| area.positions).sum::<u64>();
        outside += u32::from((touched.len() as u64) < all);
    }
    assert!(bounded > 40 && outside > 25, "{bounded} levels, {outside} not all reached");
}

#[test]
fn the_first_unreached_position_of_a_path_agrees_with_a_walk_pixel_by_pixel() {
    let mut random = fastrand::Rng::with_seed(41);
    let mut found = 0;
    for _ in 0..400 {
        let terrain = random_terrain(&mut random, &[9, 20, 64, 65]);
        let body = UVec2::new(random.u32(1..6), random.u32(1..6));
        let free = free_space(&terrain, body).unwrap();
        let graph = Graph::new(&terrain, &free, &[], &[], false).unwrap();
        let is_reached: Vec<bool> = (0..graph.len()).map(|_| random.u8(0..3) == 0).collect();
        // In this test, the lower half of each reached node counts as reached.
        let rows_of = |node: u32| {
            let rows = graph.rows(node);
            let middle = rows.start + (rows.end - rows.start) / 2;
            if is_reached[node as usize] { middle..rows.end } else { rows.end..rows.end }
        };
        let mut at = IVec2::new(random.i32(-3..20), random.i32(-3..20));
        let mut corners = vec![at];
        for turn in 0..random.usize(1..7) {
            let far = random.i32(-20..20);
            at += if turn % 2 == 0 { IVec2::X * far } else { IVec2::Y * far };
            corners.push(at);
        }
        corners.dedup();
        let shifts = [IVec2::ZERO, IVec2::new(-1, -2)];
        let is_in = |at: IVec2| {
            shifts.iter().any(|shift| {
                let at = at + *shift;
                graph.node_at(at).is_some_and(|node| rows_of(node).contains(&at.y))
            })
        };
        let mut walk = vec![corners[0]];
        for pair in corners.windows(2) {
            let way = pair[1] - pair[0];
            let steps = 1..=way.abs().max_element();
            walk.extend(steps.map(|far| pair[0] + way.signum() * far));
        }
        let last = walk.iter().rposition(|at| is_in(*at));
        let expected = last.map(|last| walk[(last + 1).min(walk.len() - 1)]);
        let expected = expected.filter(|_| corners.len() > 1);
        assert_eq!(first_out(&graph, &corners, &shifts, &rows_of), expected, "{corners:?}");
        found += usize::from(expected.is_some());
    }
    assert!(found > 100, "{found}");
}
