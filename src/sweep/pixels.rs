//! 64 pixels of a row at once, at any place, for the overlap with a footprint.

use super::frame::Frame;
use crate::geometry::Axis;
use crate::grid::{Grid, low_bits};

/// The solid pixels among the 64 from (`x`, `y`) to the right, bit 0 the first, inside the level or outside
/// it. It reads one or two words of a grid whose cells are pixels; O(cells) for wider cells.
#[inline]
pub(super) fn row_word(grid: &Grid, frame: &Frame, x: i64, y: i64) -> u64 {
    if frame.is_solid_at(Axis::Y, y) {
        return u64::MAX;
    }
    let [width, height] = frame.size;
    let beyond = |positive, bits| {
        if frame.is_solid_beyond(Axis::X, positive) { bits } else { 0 }
    };
    let outside = beyond(false, low_bits(-x)) | beyond(true, !low_bits(width - x));
    if y < 0 || y >= height || x <= -64 || x >= width {
        return outside;
    }
    let row = frame.cell[Axis::Y.index()].divide(y);
    let cell = frame.cell[Axis::X.index()];
    if cell.divisor == 1 {
        return outside | grid.row_word(x, row);
    }
    // At most 33 cells of 2 pixels or more.
    let first = cell.divide(x.max(0));
    let last = cell.divide((x + 63).min(width - 1));
    let mut cells = grid.row_word(i64::from(first), row) & low_bits(i64::from(last - first) + 1);
    let mut solid = outside;
    while cells != 0 {
        let side = i64::from(cell.divisor);
        let start = (i64::from(first) + i64::from(cells.trailing_zeros())) * side - x;
        solid |= low_bits(start + side) & !low_bits(start);
        cells &= cells - 1;
    }
    solid
}
