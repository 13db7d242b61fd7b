//! Edges, bounding boxes, rotations and scalings of the points of a map's shapes. Coordinates are clamped, so
//! that products do not overflow. Results are rounded to the nearest millionth of a pixel; halves are rounded
//! up.

use std::iter;

use glam::I64Vec2;

use crate::geometry::{Aabb, Decimal, Point};
use crate::raster::Span;
use crate::raster::scan::Corner;

/// The largest absolute value of a coordinate, in millionths of a pixel. With this limit all products fit
/// `i128`.
const LIMIT: i64 = 1 << 44;

/// The coordinate in millionths of a pixel, clamped to [`LIMIT`].
pub(super) fn limited(coordinate: Decimal) -> i64 {
    coordinate.millionths().clamp(-LIMIT, LIMIT)
}

/// The edges between consecutive points. If `closed`, the last edge leads back to the first point.
pub(super) fn edges(points: &[Point], closed: bool) -> impl Iterator<Item = (Corner, Corner)> {
    let back = closed.then(|| points.last().zip(points.first())).flatten();
    iter::zip(points, points.iter().skip(1))
        .chain(back)
        .map(|(from, to)| ((limited(from.x), limited(from.y)), (limited(to.x), limited(to.y))))
}

/// The pixels of row `y` from column `start` to column `end` that are in `clip`.
pub(super) fn clipped(y: i32, start: i64, end: i64, clip: Aabb) -> Span {
    let left = clip.min.x.into();
    let right = clip.max.x.into();
    Span { y, start: start.clamp(left, right) as i32, end: end.clamp(left, right) as i32 }
}

/// The box of pixels around `points`. If `is_area`, pixels that start exactly at the greatest coordinate are
/// left out.
pub(super) fn around(points: &[Point], is_area: bool) -> Aabb {
    let corners = points.iter().map(|point| I64Vec2::new(limited(point.x), limited(point.y)));
    let (Some(least), Some(most)) =
        (corners.clone().reduce(I64Vec2::min), corners.reduce(I64Vec2::max))
    else {
        return Aabb::default();
    };
    let pixel = I64Vec2::splat(Decimal::PER_PIXEL);
    let first = least.div_euclid(pixel);
    let last = (most - i64::from(is_area)).div_euclid(pixel).max(first);
    Aabb { min: first.as_ivec2(), max: last.as_ivec2() + 1 }
}

/// The number of fractional bits of sines and cosines.
const BITS: u32 = 60;

const ONE: i128 = 1 << BITS;

/// The angle of half a turn in radians, in units of 1 / `ONE`.
const PI: i128 = 3_622_009_729_038_561_421;

/// A quarter turn in millionths of a degree.
const QUARTER: i64 = 90 * Decimal::PER_PIXEL;

/// A rotation, as the sine and cosine of its angle in units of 1 / `ONE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Rotation {
    cos: i128,
    sin: i128,
}

impl Rotation {
    /// A rotation by `angle` degrees, clockwise on the screen, as in Tiled. Quarter turns are exact.
    pub(crate) fn degrees(angle: Decimal) -> Self {
        let angle = angle.millionths().rem_euclid(4 * QUARTER);
        let rest = angle % QUARTER;
        // The series need few terms up to an eighth of a turn. Beyond it, sine and cosine are exchanged.
        let (cos, sin) = if rest <= QUARTER / 2 {
            (cosine(rest), sine(rest))
        } else {
            (sine(QUARTER - rest), cosine(QUARTER - rest))
        };
        match angle / QUARTER {
            0 => Self { cos, sin },
            1 => Self { cos: -sin, sin: cos },
            2 => Self { cos: -cos, sin: -sin },
            _ => Self { cos: sin, sin: -cos },
        }
    }

    /// Returns `point`, rotated about `pivot`.
    pub(crate) fn about(self, pivot: Point, point: Point) -> Point {
        let x = offset(pivot.x, point.x);
        let y = offset(pivot.y, point.y);
        // Each of the two products is at most 2^64 times 2^60, so nothing overflows.
        let across = x * self.cos - y * self.sin;
        let down = x * self.sin + y * self.cos;
        Point {
            x: saturated(pivot.x, (across + ONE / 2) >> BITS),
            y: saturated(pivot.y, (down + ONE / 2) >> BITS),
        }
    }
}

/// An angle in millionths of a degree, converted to radians in units of 1 / `ONE`.
fn arc(angle: i64) -> i128 {
    i128::from(angle) * PI / i128::from(2 * QUARTER)
}

fn sine(angle: i64) -> i128 {
    series(arc(angle), arc(angle), 2)
}

fn cosine(angle: i64) -> i128 {
    series(ONE, arc(angle), 1)
}

/// The sum of the Taylor series of a sine or a cosine. `term` is its first term. Each later term is the term
/// before it, multiplied by `-arc * arc` and divided by `divisor * (divisor + 1)`, with `divisor` 2 greater
/// each time.
fn series(mut term: i128, arc: i128, mut divisor: i128) -> i128 {
    let square = (arc * arc) >> BITS;
    let mut sum = 0;
    while term != 0 {
        sum += term;
        term = -((term * square) / ONE) / (divisor * (divisor + 1));
        divisor += 2;
    }
    sum
}

/// The factor `over / under`, or 1 if `under` is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ratio {
    pub(crate) over: i64,
    pub(crate) under: i64,
}

impl Ratio {
    /// `offset` times the factor, rounded to the nearest; halves are rounded up.
    fn times(self, offset: i128) -> i128 {
        if self.under == 0 {
            return offset;
        }
        let sign = i128::from(self.under.signum());
        let over = sign * i128::from(self.over);
        let under = sign * i128::from(self.under);
        let doubled = offset.saturating_mul(2 * over);
        doubled.saturating_add(under).div_euclid(2 * under)
    }
}

/// Scales `point` about `origin`: multiplies its offset from `origin` by `x` along the x axis and by `y`
/// along the y axis.
pub(crate) fn scale(point: Point, origin: Point, x: Ratio, y: Ratio) -> Point {
    Point {
        x: saturated(origin.x, x.times(offset(origin.x, point.x))),
        y: saturated(origin.y, y.times(offset(origin.y, point.y))),
    }
}

/// The way from `from` to `to` in millionths of a pixel.
fn offset(from: Decimal, to: Decimal) -> i128 {
    i128::from(to.millionths()) - i128::from(from.millionths())
}

/// The sum of `from` and `offset` in millionths of a pixel, saturated to the range of `i64`.
fn saturated(from: Decimal, offset: i128) -> Decimal {
    let end = offset.saturating_add(i128::from(from.millionths()));
    Decimal::from_millionths(end.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
}
