//! The frame of a grid in pixels (the size of its cells, its extent, its outside), and the strip that a box
//! sweeps.
//!
//! Plain data and its arithmetic, in `i64`, where no sum of a position and a step can overflow. Nothing here
//! reads a grid.

use std::ops::Range;

use glam::{IVec2, UVec2};

use crate::geometry::{Aabb, Axis, Dir, Outside, Sides, saturated};

/// The frame of a grid in pixels: its cell size, its extent, and its outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(super) cell: [Divisor; 2],
    /// Width and height in pixels: fewer than 2^32 cells of at most 2^16 pixels.
    pub(super) size: [i64; 2],
    pub(super) outside: Sides<Outside>,
}

impl Frame {
    /// The frame of a grid of `cells` cells; a side of `cell_size` is 1 to 2^16.
    pub(super) fn new(cells: UVec2, cell_size: UVec2, outside: Sides<Outside>) -> Self {
        let size = [
            i64::from(cells.x) * i64::from(cell_size.x),
            i64::from(cells.y) * i64::from(cell_size.y),
        ];
        Self { cell: [Divisor::new(cell_size.x), Divisor::new(cell_size.y)], size, outside }
    }

    pub(super) fn cell_size(&self) -> UVec2 {
        UVec2::new(self.cell[0].divisor, self.cell[1].divisor)
    }

    pub(super) fn outside(&self) -> Sides<Outside> {
        self.outside
    }

    /// True if a side of a cell is longer than a pixel.
    #[inline(always)]
    pub(super) fn has_large_cells(&self) -> bool {
        self.cell[0].divisor + self.cell[1].divisor > 2
    }

    pub(super) fn set_outside(&mut self, outside: Sides<Outside>) {
        self.outside = outside;
    }

    /// The cells that the pixels `range` touch on `axis`; not empty, and inside the level.
    #[inline(always)]
    pub(super) fn cells(&self, axis: Axis, range: &Range<i64>) -> Range<u32> {
        let cell = self.cell[axis.index()];
        cell.divide(range.start)..cell.divide(range.end - 1) + 1
    }

    /// The cell that holds the pixel `at` on `axis`, inside the level or not.
    pub(super) fn cell_of(&self, axis: Axis, at: i64) -> i32 {
        let cell = self.cell[axis.index()];
        if 0 <= at && at < self.size[axis.index()].min(i64::from(i32::MAX)) {
            return cell.divide(at) as i32;
        }
        saturated(at.div_euclid(i64::from(cell.divisor)))
    }

    #[inline]
    pub(super) fn is_solid_beyond(&self, axis: Axis, positive: bool) -> bool {
        self.outside.get(Dir::along(axis, positive)) == Outside::Solid
    }

    /// True if the pixel coordinate `at` lies beyond a solid side on `axis`.
    #[inline]
    pub(super) fn is_solid_at(&self, axis: Axis, at: i64) -> bool {
        (at < 0 && self.is_solid_beyond(axis, false))
            || (at >= self.size[axis.index()] && self.is_solid_beyond(axis, true))
    }

    /// True if one of the pixel coordinates `range` lies beyond a solid side on `axis`.
    pub(super) fn any_solid_at(&self, axis: Axis, range: &Range<i64>) -> bool {
        !range.is_empty()
            && (self.is_solid_at(axis, range.start) || self.is_solid_at(axis, range.end - 1))
    }

    /// The part of the pixel coordinates `range` that lies inside the level on `axis`.
    pub(super) fn inside(&self, axis: Axis, range: &Range<i64>) -> Range<i64> {
        range.start.max(0)..range.end.min(self.size[axis.index()])
    }
}

/// Division by a cell's side as one multiplication, because a query divides four times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Divisor {
    pub(super) divisor: u32,
    /// 2^64 / divisor, rounded up; 0 stands for 2^64, when the divisor is 1.
    inverse: u64,
}

impl Divisor {
    pub(super) fn new(divisor: u32) -> Self {
        Self { divisor, inverse: (u64::MAX / u64::from(divisor)).wrapping_add(1) }
    }

    /// `n / divisor`, exact for 0 <= n < 2^48: the rounded inverse is too large by less than
    /// divisor / 2^64, which adds less than n * divisor / 2^64 < 1 / divisor there (Granlund and
    /// Montgomery, "Division by invariant integers using multiplication", 1994).
    #[inline(always)]
    pub(super) fn divide(self, n: i64) -> u32 {
        debug_assert!((0..1 << 48).contains(&n));
        if self.inverse == 0 {
            n as u32
        } else {
            ((u128::from(n as u64) * u128::from(self.inverse)) >> 64) as u32
        }
    }
}

/// Division of a pixel by a cell's side, for levels of fewer than 2^17 cells a side: a multiplication of 64
/// bits, which a browser has too, and a shift by a constant.
#[derive(Clone, Copy)]
pub(super) struct ShortDivisor {
    /// 2^47 / divisor, rounded up.
    inverse: u64,
}

impl ShortDivisor {
    pub(super) const ONE: Self = Self::new(1);
    /// All quotients are below this.
    pub(super) const QUOTIENTS: u32 = 1 << (64 - Self::SHIFT);
    const SHIFT: u32 = 47;

    /// A divisor of at most 2^16.
    pub(super) const fn new(divisor: u32) -> Self {
        Self { inverse: (1_u64 << Self::SHIFT).div_ceil(divisor as u64) }
    }

    /// The product that has the quotient of `n`, which is below 2^31. That of a sum is the sum of products.
    #[inline(always)]
    pub(super) fn product(self, n: u32) -> u64 {
        u64::from(n).wrapping_mul(self.inverse)
    }

    /// The quotient, which is exact: the rounded inverse is too large by less than 1, and so the product by
    /// less than n < 2^31 <= 2^47 / divisor, which is the distance to the next quotient at least.
    #[inline(always)]
    pub(super) fn quotient(product: u64) -> u32 {
        (product >> Self::SHIFT) as u32
    }
}

/// The strip in pixels: the coordinates that the leading edge passes over, along the motion's axis, and
/// the box's extent across it.
pub(super) struct Strip {
    pub(super) axis: Axis,
    pub(super) along: Range<i64>,
    pub(super) across: Range<i64>,
}

/// The strip of `body` toward `dir`. It has no branch on the direction, because a processor cannot predict
/// the directions of a game's characters.
#[inline(always)]
pub(super) fn strip(body: Aabb, dir: Dir, step: u32) -> Strip {
    let axis = dir.axis();
    let ([low, first], [high, last]) = (split(body.min, axis), split(body.max, axis));
    // The compiler makes a branch of a selection, which a processor cannot predict.
    let is_back = i64::from(dir.is_positive()) - 1;
    let front = high ^ ((low ^ high) & is_back as i32);
    let step = i64::from(step);
    let start = i64::from(front) - (step & is_back);
    Strip { axis, along: start..start + step, across: i64::from(first)..i64::from(last) }
}

/// The coordinates along an axis and across it.
#[inline(always)]
fn split(at: IVec2, axis: Axis) -> [i32; 2] {
    match axis {
        Axis::X => [at.x, at.y],
        Axis::Y => [at.y, at.x],
    }
}

#[cfg(test)]
mod tests {
    use super::{Divisor, ShortDivisor};

    #[test]
    fn the_short_inverse_divides_exactly() {
        let mut random = fastrand::Rng::with_seed(4);
        for divisor in (1..200).chain([255, 256, 257, 4_095, 16_385, 32_769, 65_535, 65_536]) {
            let short = ShortDivisor::new(divisor);
            let end = (u64::from(ShortDivisor::QUOTIENTS) * u64::from(divisor)).min(1 << 31) as u32;
            let check = |n: u32| {
                let quotient = ShortDivisor::quotient(short.product(n));
                assert_eq!(quotient, n / divisor, "{n} / {divisor}");
                let (half, rest) = (n / 2, n - n / 2);
                assert_eq!(short.product(half) + short.product(rest), short.product(n));
            };
            for _ in 0..2_000 {
                check(random.u32(0..end));
                let multiple = random.u32(1..=(end - 1) / divisor) * divisor;
                check(multiple);
                check(multiple - 1);
            }
            check(0);
            check(end - 1);
        }
    }

    #[test]
    fn the_inverse_divides_exactly() {
        let mut random = fastrand::Rng::with_seed(3);
        let sides = [1, 2, 3, 7, 13, 16, 24, 255, 256, 4_095, 65_535, 65_536];
        for divisor in sides {
            let inverse = Divisor::new(divisor);
            let n = |n: i64| {
                // Cells fit 32 bits because a side of a grid has fewer than 2^32 of them.
                let quotient = n / i64::from(divisor);
                if quotient <= i64::from(u32::MAX) {
                    assert_eq!(i64::from(inverse.divide(n)), quotient, "{n} / {divisor}");
                }
            };
            for _ in 0..20_000 {
                n(random.i64(0..1 << 48));
                n(random.i64(0..1 << 33));
                let multiple = random.i64(1..1 << 31) * i64::from(divisor);
                n(multiple);
                n(multiple - 1);
            }
            n(0);
            n((1 << 48) - 1);
        }
    }
}
