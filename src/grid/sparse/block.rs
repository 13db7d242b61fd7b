//! One block of a sparse grid: 64 x 64 cells, in columns and in rows.
//!
//! A block does not know its place, because equal blocks may be one. The functions take the ranges of cells
//! of the whole grid, which must touch the block, and the block's place. Nothing here looks a block up.

use std::ops::Range;

use super::super::blocks::{SIDE, Words};
use super::super::transpose::transpose_block;
use super::super::words::Hit;
use crate::geometry::{Axis, Dir};

/// 64 x 64 cells: the columns and the rows, in the order of [`Axis::index`].
#[derive(Clone)]
pub(in crate::grid) struct Block(pub(in crate::grid) [Words; 2]);

impl Block {
    pub(in crate::grid) const EMPTY: Self = Self([[0; SIDE as usize]; 2]);

    pub(in crate::grid) const FULL: Self = Self([[u64::MAX; SIDE as usize]; 2]);

    pub(super) fn from_rows(rows: &Words) -> Self {
        let mut columns = *rows;
        transpose_block(&mut columns);
        Self([columns, *rows])
    }

    pub(in crate::grid) fn rows(&self) -> &Words {
        &self.0[Axis::Y.index()]
    }

    #[cfg(feature = "baked")]
    pub(in crate::grid) fn columns(&self) -> &Words {
        &self.0[Axis::X.index()]
    }

    pub(super) fn is_empty(&self) -> bool {
        *self.rows() == [0; SIDE as usize]
    }

    pub(super) fn is_full(&self) -> bool {
        *self.rows() == [u64::MAX; SIDE as usize]
    }

    pub(super) fn count_ones(&self) -> u64 {
        self.rows().iter().map(|row| u64::from(row.count_ones())).sum()
    }

    /// Makes every cell solid that is solid in another block.
    pub(super) fn or(&mut self, other: &Self) {
        for (lines, added) in self.0.iter_mut().zip(&other.0) {
            for (line, added) in lines.iter_mut().zip(added) {
                *line |= added;
            }
        }
    }

    /// Changes every cell from solid to passable, or back, that is solid in another block.
    pub(super) fn flip(&mut self, other: &Self) {
        for (lines, flips) in self.0.iter_mut().zip(&other.0) {
            for (line, flips) in lines.iter_mut().zip(flips) {
                *line ^= flips;
            }
        }
    }

    pub(super) fn fill(
        &mut self,
        [column, row]: [u32; 2],
        columns: &Range<u32>,
        rows: &Range<u32>,
        solid: bool,
    ) {
        let (columns, rows) = (part(column, columns), part(row, rows));
        for (lines, (part, places)) in self.0.iter_mut().zip([(&columns, &rows), (&rows, &columns)])
        {
            let mask = mask(places);
            for word in &mut lines[part.start as usize..part.end as usize] {
                *word = if solid { *word | mask } else { *word & !mask };
            }
        }
    }

    /// True if a bit is set in the rectangle of the `lines` across `axis` and the `places` on them.
    #[inline(always)]
    pub(super) fn any(
        &self,
        at: [u32; 2],
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> bool {
        let (words, mask) = self.words(at, axis, lines, places);
        words.iter().fold(0, |joined, word| joined | word) & mask != 0
    }

    /// The number of set bits in the rectangle of the `lines` across `axis` and the `places` on them.
    pub(super) fn count_in(
        &self,
        at: [u32; 2],
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> u64 {
        let (words, mask) = self.words(at, axis, lines, places);
        words.iter().map(|word| u64::from((word & mask).count_ones())).sum()
    }

    /// The words of the `lines`, and the mask of the `places` on them.
    #[inline(always)]
    fn words(
        &self,
        at: [u32; 2],
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> (&[u64], u64) {
        let lines = part(at[axis.index()], lines);
        let places = part(at[1 - axis.index()], places);
        let words = &self.0[axis.index()][lines.start as usize..lines.end as usize];
        (words, mask(&places))
    }

    /// The first bit of the rectangle `lines` x `places` that an edge meets as it moves over the lines toward
    /// `dir`; on that line, the lowest place.
    #[inline]
    pub(super) fn first(
        &self,
        at: [u32; 2],
        dir: Dir,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> Option<Hit> {
        let (axis, cross) = (dir.axis().index(), dir.axis().other().index());
        let mask = mask(&part(at[cross], places));
        let hit = |line: u32| {
            let word = self.0[axis][line as usize & (SIDE as usize - 1)] & mask;
            (word != 0).then(|| Hit {
                line: at[axis] * SIDE + line,
                place: at[cross] * SIDE + word.trailing_zeros(),
            })
        };
        let mut lines = part(at[axis], lines);
        if dir.is_positive() { lines.find_map(hit) } else { lines.rev().find_map(hit) }
    }
}

/// The part of `range` in the block at place `at` on its axis, counted from the block's start.
#[inline(always)]
fn part(at: u32, range: &Range<u32>) -> Range<u32> {
    let start = at * SIDE;
    range.start.saturating_sub(start)..(range.end - start).min(SIDE)
}

/// A part of a block, not empty, as bits.
#[inline(always)]
fn mask(part: &Range<u32>) -> u64 {
    (u64::MAX << part.start) & (u64::MAX >> (SIDE - part.end))
}
