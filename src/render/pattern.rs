//! The look of a set of cells: a tint with hatching, and lines in two tones along the edge, so that it shows
//! on art of any colour.

use glam::I64Vec2;
use image::Rgba;

use super::cells::Part;
use super::ink::{Ink, clearer};

/// The colours of areas: those of Okabe and Ito, which the colour-blind can tell apart, without black and
/// without the red that is close to that of solids.
const AREAS: [Ink; 6] = [
    Ink::new(0, 114, 178),
    Ink::new(230, 159, 0),
    Ink::new(0, 158, 115),
    Ink::new(204, 121, 167),
    Ink::new(86, 180, 233),
    Ink::new(240, 228, 66),
];

/// The look of a set of cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Pattern {
    /// Its colour at full strength.
    pub(super) ink: Ink,
    hatch: Hatch,
    tint: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hatch {
    Rising,
    Falling,
    Level,
    Upright,
    Dots,
    Squares,
    Wide,
}

/// The hatches of areas; rising lines are those of solids.
const HATCHES: [Hatch; 6] =
    [Hatch::Falling, Hatch::Level, Hatch::Upright, Hatch::Dots, Hatch::Squares, Hatch::Wide];

impl Pattern {
    /// Of solid cells.
    pub(super) const SOLID: Self = Self::striped(Ink::new(255, 32, 72));

    /// Rising stripes of a colour.
    pub(super) const fn striped(ink: Ink) -> Self {
        Self { ink, hatch: Hatch::Rising, tint: 72 }
    }

    /// Of the area of this index; the first 36 differ.
    pub(super) fn area(index: usize) -> Self {
        let turn = index / AREAS.len();
        let hatch = HATCHES[(index + turn) % HATCHES.len()];
        Self { ink: AREAS[index % AREAS.len()], hatch, tint: 40 }
    }

    /// The ink of a pixel of the set, which shows `below`.
    pub(super) fn at(&self, pixel: I64Vec2, part: Part, below: Rgba<u8>) -> Ink {
        match part {
            Part::Edge => Ink::DARK,
            Part::SecondLine => self.ink,
            Part::Thin => clearer(below, [self.ink, Ink::DARK]),
            Part::Inner => self.inside(pixel),
        }
    }

    /// The tint, or the hatching with its shadow: a bright line is not visible on art of its colour.
    pub(super) fn inside(&self, I64Vec2 { x, y }: I64Vec2) -> Ink {
        let far = |sum: i64, period: i64, width: i64| match sum.rem_euclid(period) {
            place if place < width => 2,
            place if place == width => 1,
            _ => 0,
        };
        let strength = match self.hatch {
            Hatch::Rising => far(x + y, 8, 2),
            Hatch::Falling => far(x - y, 8, 1),
            Hatch::Wide => far(x - y, 16, 2),
            Hatch::Level => far(y, 6, 1),
            Hatch::Upright => far(x, 6, 1),
            Hatch::Dots => far(x, 6, 2).min(far(y, 6, 2)),
            Hatch::Squares => far(x, 10, 1).max(far(y, 10, 1)),
        };
        match strength {
            2 => self.ink.with_alpha(if self.hatch == Hatch::Rising { 150 } else { 220 }),
            1 => Ink::DARK.with_alpha(84),
            _ => self.ink.with_alpha(self.tint),
        }
    }
}
