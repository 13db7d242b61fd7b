//! Walkers with a limit on steepness, with a key held on slopes and against them.

use bitwall::glam::I64Vec2;
use bitwall::{Mover, MoverSettings, mover::Slope};

use super::Ground;
use crate::movement::random::PIXEL;
use crate::support::{SubpixelSteps, VelocityLeft, rounds};

const LIMITS: [Slope; 4] = [
    Slope { rise: 1, run: 3 },
    Slope { rise: 1, run: 2 },
    Slope { rise: 4, run: 7 },
    Slope::DIAGONAL,
];

/// Speeds in 65,536ths of a pixel per step, used in both directions.
const KEYS: [i64; 6] = [0, PIXEL / 2, PIXEL, PIXEL * 13 / 10, 2 * PIXEL, 3 * PIXEL];

#[test]
fn no_walker_jitters_on_a_slope_or_freezes_in_the_air() {
    let mut random = fastrand::Rng::with_seed(115);
    let (mut held, mut walked, mut stood) = (0, 0, 0);
    for round in 0..rounds(1_500) {
        let ground = Ground::random(&mut random);
        let max_slope = LIMITS[round % 4];
        let settings = MoverSettings { max_slope, ..MoverSettings::platformer() };
        let size = [random.i32(1..14), random.i32(4..18)];
        let mut hero = Mover::new(ground.drop(&mut random, size, 20), settings);
        let key = KEYS[random.usize(..6)] * [-1, 1][random.usize(..2)];
        let gravity = [PIXEL / 5, PIXEL * 3 / 10, PIXEL / 2][random.usize(..3)];
        let start = hero;
        let mut fall = 0;
        let mut step = |hero: &mut Mover| {
            fall = (fall + gravity).min(6 * PIXEL);
            let asked = I64Vec2::new(key, fall);
            let step = hero.step_subpixels(&ground.level, asked);
            fall = step.velocity_subpixels(asked).y;
            step.grounded
        };
        for _ in 0..200 {
            step(&mut hero);
        }
        let gone = (hero.body.min.x - start.body.min.x).abs();
        // By this step the slope or a wall has stopped the walker.
        let (mut flips, mut was_grounded, mut has_stood) = (0, step(&mut hero), false);
        let (mut least, mut most) = (hero.body.min, hero.body.min);
        for _ in 0..150 {
            let is_grounded = step(&mut hero);
            flips += u32::from(is_grounded != was_grounded);
            has_stood |= is_grounded;
            was_grounded = is_grounded;
            (least, most) = (least.min(hero.body.min), most.max(hero.body.min));
        }
        let span = (most - least).max_element();
        let place =
            || format!("{start:?} by {key}, {gravity} at {} on {}", hero.body.min, ground.form);
        assert!(flips <= 10 || span >= 20, "{flips} flips within {span} px: {}", place());
        assert!(has_stood || span > 0, "frozen in the air: {}", place());
        let is_at_wall = least.x == 0 || most.x + size[0] == ground.width();
        held += usize::from(key != 0 && span < 20 && !is_at_wall);
        walked += usize::from(gone > 60);
        stood += usize::from(key == 0 && span == 0 && has_stood);
    }
    assert!(held.min(walked).min(stood) > rounds(1_500) / 10, "{held} {walked} {stood}");
}
