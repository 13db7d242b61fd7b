//! Gravity on slopes of pixels: bodies that bounce on random grounds, and walkers with a key held.

mod bounce_rest;
mod keys;

use bitwall::glam::UVec2;
use bitwall::{Aabb, Dir, Level};
use fastrand::Rng;

use crate::support::{cells, ground};

const SIZE: UVec2 = UVec2::new(300, 1200);

/// A random ground of pixels with space above it. All sides of the level are solid.
struct Ground {
    form: String,
    level: Level,
}

impl Ground {
    fn new(form: impl Into<String>, height: impl Fn(i32) -> i32) -> Self {
        Self { form: form.into(), level: cells(ground(SIZE, height), 1) }
    }

    fn floor() -> Self {
        Self::new("floor", |_| 10)
    }

    /// Creates two slopes that meet at the bottom.
    fn valley(random: &mut Rng) -> Self {
        let (left, right, middle) = (slope(random), slope(random), random.i32(100..200));
        Self::new(format!("valley {left:?} {right:?}"), |x| {
            let (rise, run) = if x < middle { left } else { right };
            10 + (x - middle).abs() * rise / run
        })
    }

    fn hill(random: &mut Rng) -> Self {
        let (left, right, middle) = (slope(random), slope(random), random.i32(100..200));
        Self::new(format!("hill {left:?} {right:?}"), |x| {
            let (rise, run) = if x < middle { left } else { right };
            (120 - (x - middle).abs() * rise / run).max(10)
        })
    }

    /// Creates teeth with one steep side, or with two equal sides.
    fn saw(random: &mut Rng) -> Self {
        let ((rise, run), length, is_even) = (slope(random), random.i32(10..60), random.bool());
        Self::new(format!("saw {rise}:{run} by {length} {is_even}"), |x| {
            let along = x % length;
            10 + if is_even { along.min(length - along) } else { along } * rise / run
        })
    }

    /// Creates straight slopes of random lengths, one after the other.
    fn uneven(random: &mut Rng) -> Self {
        let (mut height, mut slope, mut rest, mut left) = (random.i32(20..80), (0, 1), 0, 0);
        let heights: Vec<i32> = (0..SIZE.x)
            .map(|_| {
                if left == 0 {
                    (left, slope, rest) =
                        (random.i32(8..60), (random.i32(-6..7), random.i32(2..7)), 0);
                }
                left -= 1;
                rest += slope.0;
                height = (height + rest.div_euclid(slope.1)).clamp(4, 160);
                rest = rest.rem_euclid(slope.1);
                height
            })
            .collect();
        Self::new(format!("uneven {heights:?}"), |x| heights[x as usize])
    }

    fn random(random: &mut Rng) -> Self {
        let forms = [Self::valley, Self::hill, Self::saw, Self::uneven];
        forms[random.usize(..4)](random)
    }

    fn width(&self) -> i32 {
        SIZE.x as i32
    }

    /// Returns a box in a random column, up to `above` px above the ground.
    fn drop(&self, random: &mut Rng, size: [i32; 2], above: u32) -> Aabb {
        let top = Aabb::from_xywh(random.i32(0..self.width() - size[0]), 0, size[0], size[1]);
        let fall = self.level.sweep(top, Dir::Down, SIZE.y).moved;
        top.shifted(Dir::Down, fall.saturating_sub(random.u32(0..=above)))
    }
}

/// Returns the rise and run of a random slope from 1:4 to 3:1.
fn slope(random: &mut Rng) -> (i32, i32) {
    [(1, 4), (1, 3), (1, 2), (2, 3), (1, 1), (3, 2), (2, 1), (3, 1)][random.usize(..8)]
}
