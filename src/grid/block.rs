//! The cells of an aligned block of 64 x 64 cells, as one word for each of its rows: masks, changes and moves
//! of whole blocks.

use std::ops::Range;

use glam::UVec2;

use super::plane::{SIDE, Words};
use super::words::low_bits;

pub(super) const NONE: Words = [0; SIDE as usize];

pub(crate) const ALL: Words = [u64::MAX; SIDE as usize];

/// Returns the cells of the block at block column and row `at` that are in a rectangle.
pub(crate) fn rectangle([column, row]: [u32; 2], columns: &Range<u32>, rows: &Range<u32>) -> Words {
    let columns = places(column, columns);
    let rows = places(row, rows);
    std::array::from_fn(|line| if rows >> line & 1 != 0 { columns } else { 0 })
}

/// Returns the places of `range` in block number `block` of a line, as bits.
fn places(block: u32, range: &Range<u32>) -> u64 {
    let start = i64::from(block) * i64::from(SIDE);
    low_bits(i64::from(range.end) - start) & !low_bits(i64::from(range.start) - start)
}

/// Makes the cells of `mask` solid or passable in the rows `lines`, and returns the cells that changed.
#[inline]
pub(super) fn change(lines: &mut [u64], mask: &Words, solid: bool) -> Words {
    let wanted = if solid { u64::MAX } else { 0 };
    let mut changed = NONE;
    for ((line, mask), changed) in lines.iter_mut().zip(mask).zip(&mut changed) {
        *changed = (*line ^ wanted) & mask;
        *line ^= *changed;
    }
    changed
}

/// Returns the aligned blocks with a cell of `block` after its first cell has moved to column `x` and row
/// `y`, with their block columns and rows: up to four. Cells outside the rectangle `columns` x `rows` are
/// dropped.
pub(super) fn moved(
    block: &Words,
    [x, y]: [i64; 2],
    columns: &Range<u32>,
    rows: &Range<u32>,
) -> impl Iterator<Item = ([u32; 2], Words)> {
    let side = i64::from(SIDE);
    let right = x.rem_euclid(side) as u32;
    let down = y.rem_euclid(side) as usize;
    [[0, 0], [1, 0], [0, 1], [1, 1]].into_iter().filter_map(move |[beside, below]| {
        if (beside == 1 && right == 0) || (below == 1 && down == 0) {
            return None;
        }
        let column = u32::try_from(x.div_euclid(side) + beside).ok()?;
        let row = u32::try_from(y.div_euclid(side) + below).ok()?;
        let mut part = NONE;
        for (line, word) in (below as usize * part.len()..).zip(&mut part) {
            let source = line.checked_sub(down).and_then(|line| block.get(line));
            let source = source.copied().unwrap_or(0);
            *word = if beside == 0 { source << right } else { source >> (SIDE - right) };
        }
        for (word, inside) in part.iter_mut().zip(rectangle([column, row], columns, rows)) {
            *word &= inside;
        }
        (part != NONE).then_some(([column, row], part))
    })
}

/// The smallest rectangle around changed cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Changed {
    pub(crate) min: UVec2,
    pub(crate) max: UVec2,
}

impl Changed {
    /// Returns the smallest rectangle around two optional ones.
    pub(crate) fn hull(one: Option<Self>, other: Option<Self>) -> Option<Self> {
        let (Some(a), Some(b)) = (one, other) else {
            return one.or(other);
        };
        Some(Self { min: a.min.min(b.min), max: a.max.max(b.max) })
    }

    /// Returns the rectangle around the bits of `lines`, which are the words of adjacent rows; `None` if no
    /// bit is set. Bit 0 of the first word is the cell `first`.
    pub(super) fn of(lines: impl Iterator<Item = u64>, first: UVec2) -> Option<Self> {
        let mut all = 0;
        let mut rows = 0..0;
        for (row, line) in (0..).zip(lines) {
            if line != 0 {
                rows = if all == 0 { row..row + 1 } else { rows.start..row + 1 };
                all |= line;
            }
        }
        // The sums stay within the size of the grid, so they do not overflow.
        (all != 0).then(|| Self {
            min: first + UVec2::new(all.trailing_zeros(), rows.start),
            max: first + UVec2::new(64 - all.leading_zeros(), rows.end),
        })
    }
}
