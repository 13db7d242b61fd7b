//! The pixels whose centres are in an ellipse or a capsule. A capsule is a single area: two equal ellipses
//! and the area between them. So an end that is too small to contain a pixel centre adds no pixels.

use std::ops::{ControlFlow, Range};

use glam::IVec2;

use super::points::{around, edges, limited};
use super::scan::Joiner;
use super::{Emit, Span, scan};
use crate::geometry::decimal::Decimal;
use crate::geometry::{Aabb, Point};

/// The largest half axis of an ellipse that is not rounded, in millionths of a pixel. A larger half axis, up
/// to about 2^24 pixels, is rounded to 64ths of a pixel.
const EXACT: i64 = 1 << 30;

/// The unit for large ellipses: a 64th of a pixel, in millionths of a pixel.
const COARSE: i64 = Decimal::PER_PIXEL / 64;

/// An ellipse in a unit for which products are exact. Its half axes have at most about 2^30 units, and any
/// point of its bounding box is at most 2^31 units from the centre.
struct Conic {
    /// The length of a pixel in the unit of this ellipse.
    pixel: i64,
    centre: (i64, i64),
    a: (i64, i64),
    b: (i64, i64),
    /// Half the width and half the height of the ellipse's bounding box, rounded down.
    extent: (i64, i64),
}

impl Conic {
    fn new(centre: Point, a: Point, b: Point) -> Self {
        let pair = |point: Point| (limited(point.x), limited(point.y));
        let parts = [a.x, a.y, b.x, b.y];
        let is_large = parts.iter().any(|part| limited(*part).abs() > EXACT);
        let unit = if is_large { COARSE } else { 1 };
        let round = |x: i64| (x + unit / 2).div_euclid(unit);
        let rounded = |point| {
            let (x, y) = pair(point);
            (round(x), round(y))
        };
        let (a, b) = (rounded(a), rounded(b));
        let length = |x: i64, y: i64| (x * x + y * y).isqrt();
        Self {
            pixel: Decimal::PER_PIXEL / unit,
            centre: rounded(centre),
            a,
            b,
            extent: (length(a.0, b.0), length(a.1, b.1)),
        }
    }

    /// True if the ellipse contains the point at the offset (`x`, `y`) from its centre. The offset must be
    /// within the extent.
    fn holds(&self, x: i64, y: i64) -> bool {
        let square = |x: i64| i128::from(x) * i128::from(x);
        let (a, b) = (self.a, self.b);
        let along_a = square(x * b.1 - y * b.0);
        let along_b = square(a.0 * y - a.1 * x);
        along_a + along_b <= square(a.0 * b.1 - a.1 * b.0)
    }

    /// The pixels along one axis whose centres are at most `extent` from `centre`.
    fn pixels(&self, centre: i64, extent: i64) -> Range<i64> {
        let half = self.pixel / 2;
        let after = |x: i64| -(half - x).div_euclid(self.pixel);
        after(centre - extent)..after(centre + extent + 1)
    }

    /// The offset from `centre` to the centre of the pixel, along one axis.
    fn offset(&self, pixel: i64, centre: i64) -> i64 {
        pixel * self.pixel + self.pixel / 2 - centre
    }

    /// The columns of pixel row `y` whose centres are in the ellipse. The centre of the row must be within
    /// the extent.
    fn row(&self, y: i64) -> Range<i64> {
        let offset_y = self.offset(y, self.centre.1);
        // The middle of the part of the row that is in the ellipse. From the middle to each side, pixels
        // inside the ellipse come before pixels outside.
        let (a, b) = (self.a, self.b);
        let slant = i128::from(a.0 * a.1 + b.0 * b.1);
        let upright = i128::from(a.1 * a.1 + b.1 * b.1);
        let middle = (i128::from(offset_y) * slant).div_euclid(upright) as i64;
        let columns = self.pixels(self.centre.0, self.extent.0);
        let right_of_middle =
            self.pixels(self.centre.0 + middle + 1, 0).start.clamp(columns.start, columns.end);
        let holds = |x: i64| self.holds(self.offset(x, self.centre.0), offset_y);
        let start = first(columns.start..right_of_middle, holds);
        let end = first(right_of_middle..columns.end, |x| !holds(x));
        start..end
    }
}

/// The first number in `range` for which `found` is true, by binary search, or the end of `range` if there is
/// none. `found` must also be true for all later numbers.
fn first(mut range: Range<i64>, found: impl Fn(i64) -> bool) -> i64 {
    while range.start < range.end {
        let middle = range.start + (range.end - range.start) / 2;
        if found(middle) {
            range.end = middle;
        } else {
            range.start = middle + 1;
        }
    }
    range.start
}

/// The bounding box of an ellipse.
pub(super) fn bounds(centre: Point, a: Point, b: Point) -> Aabb {
    let conic = Conic::new(centre, a, b);
    let ends = |centre: i64, extent: i64| {
        let first = (centre - extent - 1).div_euclid(conic.pixel);
        let last = (centre + extent + 1).div_euclid(conic.pixel);
        (first as i32, last as i32 + 1)
    };
    let (left, right) = ends(conic.centre.0, conic.extent.0);
    let (top, bottom) = ends(conic.centre.1, conic.extent.1);
    Aabb { min: IVec2::new(left, top), max: IVec2::new(right, bottom) }
}

/// The ends of the ellipse's axes, in order around the ellipse from the end of `a`.
pub(super) fn ends(centre: Point, a: Point, b: Point) -> [Point; 4] {
    let within = |x: Decimal| Decimal::from_millionths(limited(x));
    let [centre, a, b] =
        [centre, a, b].map(|point| Point { x: within(point.x), y: within(point.y) });
    [centre + a, centre + b, centre - a, centre - b]
}

pub(super) fn cover(
    centre: Point,
    a: Point,
    b: Point,
    clip: Aabb,
    emit: &mut Emit<'_>,
) -> ControlFlow<()> {
    let conic = Conic::new(centre, a, b);
    if conic.a.0 * conic.b.1 == conic.a.1 * conic.b.0 {
        return ControlFlow::Continue(());
    }
    let rows = conic.pixels(conic.centre.1, conic.extent.1);
    let within = |x: i64| x.clamp(clip.min.x.into(), clip.max.x.into()) as i32;
    let mut joined = Joiner::new(emit);
    for y in rows.start.max(clip.min.y.into())..rows.end.min(clip.max.y.into()) {
        let row = conic.row(y);
        joined.add(Span { y: y as i32, start: within(row.start), end: within(row.end) })?;
    }
    joined.finish()
}

pub(super) struct Capsule {
    centres: [Point; 2],
    a: Point,
    b: Point,
}

impl Capsule {
    pub(super) fn new(centres: [Point; 2], a: Point, b: Point) -> Self {
        Self { centres, a, b }
    }

    /// The corners of a polygon in the capsule, in order around it: the two tips, and the four corners of the
    /// straight part. With the tips, the polygon has an area even if the centres nearly coincide.
    pub(super) fn corners(&self) -> [Point; 6] {
        let ([first, last], a, b) = (self.centres, self.a, self.b);
        [first - a, first + b, last + b, last + a, last - b, first - b]
    }

    pub(super) fn bounds(&self) -> Aabb {
        let ends = self.centres.map(|centre| bounds(centre, self.a, self.b));
        let middle = around(&self.corners(), true);
        ends.into_iter().fold(middle, Aabb::hull)
    }

    pub(super) fn cover(&self, clip: Aabb, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let mut spans = Vec::new();
        let mut keep = |span| {
            spans.push(span);
            ControlFlow::Continue(())
        };
        scan::cover(edges(&self.corners(), true), clip, &mut keep)?;
        for centre in self.centres {
            cover(centre, self.a, self.b, clip, &mut keep)?;
        }
        spans.sort_unstable();
        let mut joined = Joiner::new(emit);
        spans.into_iter().try_for_each(|span| joined.add(span))?;
        joined.finish()
    }
}
