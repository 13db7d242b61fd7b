//! Random players never leave the over-estimate of a proof.

use glam::{IVec2, UVec2, Vec2};

use super::proof::{Proof, is_bounded};
use super::{Actor, Footing, JumpWays, Jumper};
use crate::character::{Feel, Input, Platformer};
use crate::geometry::{Aabb, Dir, Sides};
use crate::{Grid, Level, Rate, Terrain};

/// A level of tiles, or of pixels with slopes, with one-way floors, a ladder and a pool.
fn random_level(random: &mut fastrand::Rng) -> Level {
    let is_fine = random.u8(0..3) == 0;
    let (cells, side) = if is_fine { (400, 1) } else { (26, 16) };
    let mut solid = Grid::new(cells, cells).unwrap();
    solid.fill(0..cells, cells - 1..cells, true).unwrap();
    for _ in 0..if is_fine { 60 } else { cells * cells / 50 } {
        let (x, y) = (random.u32(0..cells), random.u32(0..cells));
        let long = cells / 5;
        let (w, h) = (random.u32(1..long), random.u32(1..long / 2));
        if is_fine && random.bool() {
            // A slope: up to 2 pixels a column.
            let steep = random.u32(1..5);
            for column in 0..w {
                let top = y + column * steep / 2;
                solid.fill(x + column..x + column + 1, top..top + h, true).unwrap();
            }
        } else {
            solid.fill(x..x + w, y..y + if random.bool() { 1 } else { h }, true).unwrap();
        }
    }
    let mut one_way = Grid::new(cells, cells).unwrap();
    for _ in 0..cells / 4 {
        let (x, y) = (random.u32(0..cells), random.u32(0..cells));
        one_way.fill(x..x + random.u32(1..cells / 6), y..y + 1, true).unwrap();
    }
    let cell = UVec2::splat(side);
    let area = |random: &mut fastrand::Rng, tall: bool| {
        let mut grid = Grid::new(cells, cells).unwrap();
        let (x, y) = (random.u32(0..cells), random.u32(0..cells));
        let (w, h) = if tall { (cells / 24, cells / 4) } else { (cells / 4, cells / 8) };
        grid.fill(x..x + w, y..y + h, true).unwrap();
        Terrain::new(grid, cell).unwrap()
    };
    let mut level = Level::from_grid(solid, cell).unwrap();
    if random.bool() {
        level = level.with_one_way(Dir::Up, one_way).unwrap();
    }
    if random.u8(0..4) == 0 {
        level = level.with_area("ladder", area(random, true));
    }
    if random.u8(0..4) == 0 {
        level = level.with_area("water", area(random, false));
    }
    level
}

/// A random body with a bounded feel.
fn random_jumper(random: &mut fastrand::Rng) -> Jumper {
    let on = |random: &mut fastrand::Rng, value: f32| if random.bool() { value } else { 0.0 };
    let feel = Feel {
        top_speed: random.u8(60..180).into(),
        jump_height: random.u8(20..70).into(),
        jump_time: f32::from(random.u8(20..50)) / 100.0,
        fall_scale: if random.bool() { 1.0 } else { 1.6 },
        fall_limit: random.u16(120..400).into(),
        apex_speed: on(random, 30.0),
        coyote_time: on(random, 0.1),
        air_jumps: random.u8(0..6) / 4,
        wall_slide_speed: on(random, 45.0),
        wall_jump: if random.u8(0..4) == 0 { Vec2::new(120.0, 200.0) } else { Vec2::ZERO },
        ledge_reach: if random.bool() { 4 } else { 0 },
        ..Feel::default()
    };
    let size = UVec2::new(random.u32(6..20), random.u32(8..28));
    let rate = Rate::per_second([30, 60, 60, 144, 1_000][random.usize(0..5)]);
    let mut jumper = Jumper::new(size, feel, rate);
    if random.bool() {
        jumper.settings.corner_correction = Sides::all(0);
    }
    jumper.settings.step_height = random.u32(0..6);
    jumper.settings.snap_distance = jumper.settings.step_height;
    jumper
}

fn contains(proof: &Proof<'_>, at: IVec2) -> bool {
    proof.has_any(Aabb { min: at, max: at + 1 })
}

fn random_input(random: &mut fastrand::Rng) -> Input {
    let x = [-1.0, 1.0, 0.0, 1.0, -1.0, 0.4][random.usize(0..6)];
    let y = [0.0, 0.0, 0.0, 0.0, 1.0, -1.0][random.usize(0..6)];
    Input::from_axes(x, y, random.u8(0..3) > 0)
}

/// `BITWALL_LONG` takes ten times as many steps.
#[test]
fn a_random_player_never_leaves_the_over_estimate() {
    let rounds = if std::env::var_os("BITWALL_LONG").is_some() { 400 } else { 40 };
    let (mut steps, mut proven) = (0_u64, 0);
    for seed in 0..rounds {
        let mut random = fastrand::Rng::with_seed(seed);
        let (level, jumper) = (random_level(&mut random), random_jumper(&mut random));
        assert!(is_bounded(&jumper));
        let ways = JumpWays::unplayed(&level, jumper.clone()).unwrap();
        let runs = &ways.places.runs;
        if runs.is_empty() {
            continue;
        }
        let run = runs[random.usize(0..runs.len())];
        let start = run.at(random.i32(run.x0..=run.x1));
        let mut proof = Proof::new(&jumper, &ways.places, &level, u64::MAX).unwrap();
        proof.start([start]);
        assert!(proof.follow());
        let count = runs.iter().filter(|run| !contains(&proof, run.at(run.x0))).count();
        proven += usize::from(count > 0);
        let fresh = ways.moves.at_rest(start, Footing::Floor);
        let mut far = vec![Actor { state: Platformer::new(jumper.rate), ..fresh }];
        for _ in 0..40 {
            let mut actor = far[random.usize(0..far.len())];
            for _ in 0..25 {
                let input = random_input(&mut random);
                for _ in 0..random.u8(1..22) {
                    let before = actor;
                    actor.step(&level, input, &jumper.feel);
                    steps += 1;
                    let at = actor.mover.body.min;
                    assert!(
                        contains(&proof, at),
                        "seed {seed}: at {at} after {before:?}, {jumper:?}, {}",
                        level.size()
                    );
                }
            }
            far.push(actor);
        }
    }
    println!("{steps} steps; in {proven} of {rounds} levels a place is out of reach");
    assert!(steps > 300_000 && proven > 8, "{steps} steps, {proven} levels");
}

/// The sets of a proof at the ends of words and of the level.
#[test]
fn a_jump_is_as_high_and_wide_as_the_proof_says() {
    let feel = Feel { wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() };
    let jumper = Jumper::new(UVec2::new(12, 20), feel, Rate::per_second(60));
    for x in [62, 63, 64, 65, 127, 128] {
        let mut grid = Grid::new(400, 200).unwrap();
        grid.fill(0..400, 199..200, true).unwrap();
        grid.fill(x..x + 20, 150..151, true).unwrap();
        let level = Level::from_grid(grid, UVec2::ONE).unwrap();
        let ways = JumpWays::unplayed(&level, jumper.clone()).unwrap();
        let mut proof = Proof::new(&jumper, &ways.places, &level, u64::MAX).unwrap();
        proof.start([IVec2::new(0, 179)]);
        assert!(proof.follow());
        let shelf = Aabb::from_xywh(x as i32, 149, 1, 1);
        assert!(!proof.touches(Aabb { min: shelf.min - 100, max: shelf.max - 100 }));
        assert_eq!(proof.touches(shelf), 49 <= proof.rise(), "{}", proof.rise());
    }
}

/// A proof that is too loose proves nothing: of two pits, a tile apart, it rules out the wider one.
#[test]
fn a_proof_is_sharp_to_a_tile() {
    let feel = Feel { top_speed: 120.0, wall_jump: Vec2::ZERO, ledge_reach: 0, ..Feel::default() };
    let jumper = Jumper::new(UVec2::new(12, 24), feel, Rate::per_second(60));
    for (gap, may_reach) in [(6, true), (7, false)] {
        let mut grid = Grid::new(60, 20).unwrap();
        grid.fill(0..10, 15..20, true).unwrap();
        grid.fill(10 + gap..60, 15..20, true).unwrap();
        let level = Level::from_grid(grid, UVec2::splat(16)).unwrap();
        let ways = JumpWays::unplayed(&level, jumper.clone()).unwrap();
        let mut proof = Proof::new(&jumper, &ways.places, &level, u64::MAX).unwrap();
        proof.start([IVec2::new(34, 216)]);
        assert!(proof.follow());
        let goal = Aabb::from_xywh((10 + gap as i32) * 16 + 60, 236, 1, 1);
        assert_eq!(proof.touches(goal), may_reach, "{gap}");
    }
}
