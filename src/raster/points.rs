//! Edges, bounding boxes, rotations and scalings of the points of a map's shapes. Coordinates are clamped, so
//! that products do not overflow. Results are rounded to the nearest millionth of a pixel; halves are rounded
//! up.

use std::iter;

use glam::IVec2;

use super::scan::Corner;
use crate::geometry::decimal::Decimal;
use crate::geometry::{Aabb, Point};

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
    let corner = |point: &Point| (limited(point.x), limited(point.y));
    iter::zip(points, points.iter().skip(1))
        .chain(back)
        .map(move |(from, to)| (corner(from), corner(to)))
}

/// The box of pixels around `points`. If `is_area`, pixels that start exactly at the greatest coordinate are
/// left out.
pub(super) fn around(points: &[Point], is_area: bool) -> Aabb {
    let ends = |axis: fn(&Point) -> Decimal| {
        let least = limited(points.iter().map(axis).min()?);
        let most = limited(points.iter().map(axis).max()?);
        let first = least.div_euclid(Decimal::PER_PIXEL);
        let last = (most - i64::from(is_area)).div_euclid(Decimal::PER_PIXEL);
        Some((first as i32, last.max(first) as i32 + 1))
    };
    match (ends(|point| point.x), ends(|point| point.y)) {
        (Some((left, right)), Some((top, bottom))) => {
            Aabb { min: IVec2::new(left, top), max: IVec2::new(right, bottom) }
        }
        _ => Aabb::default(),
    }
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
pub(crate) struct Turn {
    cos: i128,
    sin: i128,
}

impl Turn {
    /// A rotation by `angle` degrees, clockwise on the screen, as in Tiled. Quarter turns are exact.
    pub(crate) fn degrees(angle: Decimal) -> Self {
        let angle = angle.millionths().rem_euclid(4 * QUARTER);
        let (rest, quarters) = (angle % QUARTER, angle / QUARTER);
        // The series need few terms up to an eighth of a turn. Beyond it, sine and cosine are exchanged.
        let (cos, sin) = if rest <= QUARTER / 2 {
            (cosine(rest), sine(rest))
        } else {
            (sine(QUARTER - rest), cosine(QUARTER - rest))
        };
        let (cos, sin) = match quarters {
            0 => (cos, sin),
            1 => (-sin, cos),
            2 => (-cos, -sin),
            _ => (sin, -cos),
        };
        Self { cos, sin }
    }

    /// Returns `point`, rotated about `pivot`.
    pub(crate) fn about(self, pivot: Point, point: Point) -> Point {
        let wide = |a: Decimal, b: Decimal| i128::from(a.millionths()) - i128::from(b.millionths());
        let (x, y) = (wide(point.x, pivot.x), wide(point.y, pivot.y));
        // Each of the two products is at most 2^64 times 2^60, so nothing overflows.
        let place = |pivot: Decimal, offset: i128| saturated(pivot, (offset + ONE / 2) >> BITS);
        Point {
            x: place(pivot.x, x * self.cos - y * self.sin),
            y: place(pivot.y, x * self.sin + y * self.cos),
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
    fn of(self, offset: i128) -> i128 {
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
    let scaled = |point: Decimal, origin: Decimal, factor: Ratio| {
        let offset = i128::from(point.millionths()) - i128::from(origin.millionths());
        saturated(origin, factor.of(offset))
    };
    Point { x: scaled(point.x, origin.x, x), y: scaled(point.y, origin.y, y) }
}

/// The sum of `from` and `offset` in millionths of a pixel, saturated to the range of `i64`.
fn saturated(from: Decimal, offset: i128) -> Decimal {
    let end = offset.saturating_add(i128::from(from.millionths()));
    Decimal::from_millionths(end.clamp(i64::MIN.into(), i64::MAX.into()) as i64)
}
