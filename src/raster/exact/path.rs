//! The pixels that a line without width passes through.

use super::points::{clipped, edges};
use crate::geometry::{Aabb, Decimal, Point};
use crate::raster::scan::{Corner, Crossing, Joiner, ScanEdge, scan};
use crate::raster::{Emit, Span};

const UNIT: i64 = Decimal::PER_PIXEL;

/// A straight segment of a line, with its position in the current row while the line is rasterized from top
/// to bottom.
struct Piece {
    /// The x in pixels at which the segment enters the current row, rounded down and rounded up.
    enters: (i64, i64),
    /// The crossing from the current row to the next row; `None` for a horizontal segment.
    leaves: Option<Crossing>,
    /// The last row of the segment, which may be below the clipping box. `end` is the x of the segment's end
    /// in pixels, rounded down and rounded up.
    last: i32,
    end: (i64, i64),
}

impl Piece {
    /// The segment between two corners. `None` if no row of `clip` contains more than one point of the
    /// segment.
    fn new(from: Corner, to: Corner, clip: Aabb) -> Option<ScanEdge<Self>> {
        if from.1 > to.1 {
            return Self::new(to, from, clip);
        }
        let (first, past) = own_rows(from.1, to.1);
        let rows = first.max(clip.min.y)..past.min(clip.max.y);
        if rows.is_empty() {
            return None;
        }
        let top = Decimal::from_pixels(rows.start).millionths();
        let mut enters = around_pixel(from.0);
        if rows.start > first {
            enters = Crossing::new(from, to, top, 0).around();
        }
        let leaves = (from.1 < to.1).then(|| Crossing::new(from, to, top + UNIT, 0));
        Some((rows, Self { enters, leaves, last: past - 1, end: around_pixel(to.0) }))
    }

    fn advance(&mut self) {
        if let Some(crossing) = &mut self.leaves {
            self.enters = crossing.around();
            crossing.advance();
        }
    }

    /// The columns that the segment passes through in row `y`.
    fn columns(&self, y: i32, clip: Aabb) -> Span {
        let leaves = match &self.leaves {
            Some(crossing) if y < self.last => crossing.around(),
            _ => self.end,
        };
        let start = self.enters.0.min(leaves.0);
        let end = self.enters.1.max(leaves.1).max(start + 1);
        clipped(y, start, end, clip)
    }
}

/// The x in whole pixels, rounded down and rounded up.
fn around_pixel(x: i64) -> (i64, i64) {
    (x.div_euclid(UNIT), -(-x).div_euclid(UNIT))
}

/// The range of rows that contain more than one point of a segment from `top` to `bottom`, in millionths of a
/// pixel. A horizontal segment has one row.
fn own_rows(top: i64, bottom: i64) -> (i32, i32) {
    let first = top.div_euclid(UNIT) as i32;
    let past = -(-bottom).div_euclid(UNIT) as i32;
    (first, past.max(first + 1))
}

/// Emits the pixels of the line through `points`. If all points are equal, the line is a dot.
pub(super) fn cover(points: &[Point], clip: Aabb, emit: &mut Emit<'_>) {
    let mut pieces = edges(points, false).filter(|(from, to)| from != to).peekable();
    if pieces.peek().is_none() {
        return draw(&mut edges(&points[..points.len().min(1)], true), clip, emit);
    }
    draw(&mut pieces, clip, emit);
}

/// Emits the pixels that overlap the polygon `corners`. The polygon must contain no pixel centre. For a
/// polygon without area it emits the pixels of its line, and nothing if all corners are equal.
pub(super) fn around(corners: &[Point], clip: Aabb, emit: &mut Emit<'_>) {
    let mut pieces: Vec<_> = edges(corners, true).filter(|(from, to)| from != to).collect();
    if pieces.iter().any(enters) {
        pieces.retain(enters);
    }
    draw(&mut pieces.into_iter(), clip, emit);
}

/// True if an edge enters a pixel: an edge along the border of two pixels enters neither of them.
fn enters((from, to): &(Corner, Corner)) -> bool {
    let is_level = from.1 == to.1 && from.1 % UNIT == 0;
    let is_upright = from.0 == to.0 && from.0 % UNIT == 0;
    !is_level && !is_upright
}

/// The number of edges between `points`, plus the number of rows in `clip` that each edge crosses.
pub(super) fn rows(points: &[Point], closed: bool, clip: Aabb) -> u64 {
    let mut count = 0;
    for (from, to) in edges(points, closed) {
        let (first, past) = own_rows(from.1.min(to.1), from.1.max(to.1));
        let seen = i64::from(past.min(clip.max.y)) - i64::from(first.max(clip.min.y));
        count += seen.max(0) as u64 + 1;
    }
    count
}

fn draw(pieces: &mut dyn Iterator<Item = (Corner, Corner)>, clip: Aabb, emit: &mut Emit<'_>) {
    let pieces = pieces.filter_map(|(from, to)| Piece::new(from, to, clip)).collect();
    let mut spans = Vec::new();
    let mut joined = Joiner::new(emit);
    scan(pieces, Piece::advance, |y, pieces| {
        spans.clear();
        spans.extend(pieces.iter().map(|(_, piece)| piece.columns(y, clip)));
        spans.sort_unstable();
        spans.iter().for_each(|span| joined.add(*span));
    });
    joined.finish();
}
