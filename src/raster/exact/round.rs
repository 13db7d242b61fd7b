//! The pixels whose centres are in an ellipse or a capsule. A capsule is a single area: two equal ellipses
//! and the area between them. So an end that is too small to contain a pixel centre adds no pixels.

use std::ops::Range;

use glam::I64Vec2;

use super::points::{around, clipped, edges, limited};
use crate::geometry::{Aabb, Decimal, Point};
use crate::raster::scan::Joiner;
use crate::raster::{Emit, scan};

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
    centre: I64Vec2,
    a: I64Vec2,
    b: I64Vec2,
    /// Half the width and half the height of the ellipse's bounding box, rounded down.
    extent: I64Vec2,
}

impl Conic {
    fn new(centre: Point, a: Point, b: Point) -> Self {
        let [centre, a, b] =
            [centre, a, b].map(|point| I64Vec2::new(limited(point.x), limited(point.y)));
        let is_large = a.abs().max(b.abs()).max_element() > EXACT;
        let unit = if is_large { COARSE } else { 1 };
        let [centre, a, b] =
            [centre, a, b].map(|point| (point + unit / 2).div_euclid(I64Vec2::splat(unit)));
        let squares = a * a + b * b;
        let extent = I64Vec2::new(squares.x.isqrt(), squares.y.isqrt());
        Self { pixel: Decimal::PER_PIXEL / unit, centre, a, b, extent }
    }

    /// True if the ellipse contains the point at the offset (`x`, `y`) from its centre. The offset must be
    /// within the extent.
    fn holds(&self, x: i64, y: i64) -> bool {
        let offset = I64Vec2::new(x, y);
        let along_a = i128::from(offset.perp_dot(self.b)).pow(2);
        let along_b = i128::from(self.a.perp_dot(offset)).pow(2);
        along_a + along_b <= i128::from(self.a.perp_dot(self.b)).pow(2)
    }

    /// The pixels along one axis whose centres are at most `extent` from `centre`.
    fn pixels(&self, centre: i64, extent: i64) -> Range<i64> {
        self.pixel_after(centre - extent)..self.pixel_after(centre + extent + 1)
    }

    /// The first pixel along one axis whose centre is at `place` or beyond it.
    fn pixel_after(&self, place: i64) -> i64 {
        -(self.pixel / 2 - place).div_euclid(self.pixel)
    }

    /// The offset from `centre` to the centre of the pixel, along one axis.
    fn offset(&self, pixel: i64, centre: i64) -> i64 {
        pixel * self.pixel + self.pixel / 2 - centre
    }

    /// The columns of pixel row `y` whose centres are in the ellipse. The centre of the row must be within
    /// the extent.
    fn row(&self, y: i64) -> Range<i64> {
        let offset_y = self.offset(y, self.centre.y);
        // The middle of the part of the row that is in the ellipse. From the middle to each side, pixels
        // inside the ellipse come before pixels outside.
        let slant = i128::from(self.a.x * self.a.y + self.b.x * self.b.y);
        let upright = i128::from(self.a.y * self.a.y + self.b.y * self.b.y);
        let middle = (i128::from(offset_y) * slant).div_euclid(upright) as i64;
        let columns = self.pixels(self.centre.x, self.extent.x);
        let after_middle = self.pixel_after(self.centre.x + middle + 1);
        let after_middle = after_middle.clamp(columns.start, columns.end);
        let start = self.first(columns.start..after_middle, offset_y, true);
        let end = self.first(after_middle..columns.end, offset_y, false);
        start..end
    }

    /// The first of `columns`, by binary search, whose centre is in the ellipse if `is_inside`, or else
    /// outside; the end of `columns` if there is none. The same must be true of all later columns. `offset_y`
    /// is the offset of the row's centre.
    fn first(&self, columns: Range<i64>, offset_y: i64, is_inside: bool) -> i64 {
        let Range { mut start, mut end } = columns;
        while start < end {
            let middle = start + (end - start) / 2;
            if self.holds(self.offset(middle, self.centre.x), offset_y) == is_inside {
                end = middle;
            } else {
                start = middle + 1;
            }
        }
        start
    }
}

/// The bounding box of an ellipse.
fn bounds(centre: Point, a: Point, b: Point) -> Aabb {
    let conic = Conic::new(centre, a, b);
    let pixel = I64Vec2::splat(conic.pixel);
    let first = (conic.centre - conic.extent - 1).div_euclid(pixel);
    let last = (conic.centre + conic.extent + 1).div_euclid(pixel);
    Aabb { min: first.as_ivec2(), max: last.as_ivec2() + 1 }
}

fn cover(centre: Point, a: Point, b: Point, clip: Aabb, emit: &mut Emit<'_>) {
    let conic = Conic::new(centre, a, b);
    if conic.a.perp_dot(conic.b) == 0 {
        return;
    }
    let rows = conic.pixels(conic.centre.y, conic.extent.y);
    let mut joined = Joiner::new(emit);
    for y in rows.start.max(clip.min.y.into())..rows.end.min(clip.max.y.into()) {
        let row = conic.row(y);
        joined.add(clipped(y as i32, row.start, row.end, clip));
    }
    joined.finish();
}

pub(super) struct CapsuleParts {
    centres: [Point; 2],
    a: Point,
    b: Point,
}

impl CapsuleParts {
    pub(super) fn new(centres: [Point; 2], a: Point, b: Point) -> Self {
        Self { centres, a, b }
    }

    /// The corners of a polygon in the capsule, in order around it: the two tips, and the four corners of the
    /// straight part. With the tips, the polygon has an area even if the centres nearly coincide.
    pub(super) fn corners(&self) -> [Point; 6] {
        let [first, last] = self.centres;
        let Self { a, b, .. } = *self;
        [first - a, first + b, last + b, last + a, last - b, first - b]
    }

    pub(super) fn bounds(&self) -> Aabb {
        let ends = self.centres.map(|centre| bounds(centre, self.a, self.b));
        let middle = around(&self.corners(), true);
        ends.into_iter().fold(middle, Aabb::hull)
    }

    pub(super) fn cover(&self, clip: Aabb, emit: &mut Emit<'_>) {
        let [first, last] = self.centres;
        if first == last {
            return cover(first, self.a, self.b, clip, emit);
        }
        let mut spans = Vec::new();
        scan::cover(edges(&self.corners(), true), clip, &mut |span| spans.push(span));
        for centre in self.centres {
            cover(centre, self.a, self.b, clip, &mut |span| spans.push(span));
        }
        spans.sort_unstable();
        let mut joined = Joiner::new(emit);
        spans.into_iter().for_each(|span| joined.add(span));
        joined.finish();
    }
}
