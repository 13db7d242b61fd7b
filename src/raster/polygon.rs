//! The pixels whose centres are in a polygon.

use std::ops::{ControlFlow, Range};

use super::scan::{Corner, Crossing, Joiner, ScanEdge, scan};
use super::{Emit, Span};
use crate::geometry::Aabb;
use crate::geometry::decimal::Decimal;

const HALF: i64 = Decimal::PER_PIXEL / 2;

/// One edge, at the centre of a row.
struct Side {
    rows: Range<i32>,
    /// Measured from the centre of pixel 0, so that the first pixel right of the edge is the next whole
    /// number.
    crossing: Crossing,
}

impl Side {
    /// `None` if the edge crosses no row's centre in `clip`. Its upper end belongs to it, its lower does not.
    fn new(from: Corner, to: Corner, clip: Aabb) -> Option<Self> {
        let (from, to) = if from.1 <= to.1 { (from, to) } else { (to, from) };
        let pixel = |y| Decimal::from_millionths(y).pixel() as i32;
        let rows = pixel(from.1).max(clip.min.y)..pixel(to.1).min(clip.max.y);
        let centre = Decimal::from_pixels(rows.start).millionths() + HALF;
        (!rows.is_empty()).then(|| Self { rows, crossing: Crossing::new(from, to, centre, HALF) })
    }

    /// The first pixel whose centre is on the edge or right of it.
    fn column(&self) -> i64 {
        self.crossing.around().1
    }
}

impl ScanEdge for Side {
    fn rows(&self) -> Range<i32> {
        self.rows.clone()
    }

    fn advance(&mut self) {
        self.crossing.advance();
    }
}

/// Passes the pixels in `clip` whose centres lie within `edges` to `emit` until it breaks. The coordinates
/// must be pixels in the range of `i32`.
pub(super) fn cover(
    edges: impl Iterator<Item = (Corner, Corner)>,
    clip: Aabb,
    emit: &mut Emit<'_>,
) -> ControlFlow<()> {
    let sides = edges.filter_map(|(from, to)| Side::new(from, to, clip)).collect();
    let (left, right) = (i64::from(clip.min.x), i64::from(clip.max.x));
    let mut columns = Vec::new();
    let mut joined = Joiner::new(emit);
    scan(sides, |y, sides: &[Side]| {
        columns.clear();
        columns.extend(sides.iter().map(|side| side.column().clamp(left, right) as i32));
        // Mostly in order already; this sort is adaptive.
        columns.sort();
        // Each edge changes between outside and inside; two edges at the same place cancel.
        columns
            .chunks_exact(2)
            .try_for_each(|pair| joined.add(Span { y, start: pair[0], end: pair[1] }))
    })?;
    joined.finish()
}
