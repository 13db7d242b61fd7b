//! Cells into rows of bits, up to 64 at a time.

use glam::IVec2;

use crate::grid::Plane;

/// Takes the cells of a block one after the other and writes them into its rows by words.
pub(super) struct CellWriter {
    pub(super) rows: Plane,
    column: u32,
    row: u32,
    word: u64,
    /// The first and, exclusive, the last column that was seen, and the same of rows.
    seen: Option<(IVec2, IVec2)>,
}

impl CellWriter {
    pub(super) fn new(rows: Plane) -> Self {
        Self {
            rows,
            column: 0,
            row: 0,
            word: 0,
            seen: None,
        }
    }

    /// How many cells fit into the word that is being filled.
    #[inline]
    pub(super) fn room(&self) -> usize {
        (64 - self.column % 64).min(self.rows.len() - self.column) as usize
    }

    /// Writes the next `count` cells, for which there must be room: the lowest bits of `solid`.
    #[inline]
    pub(super) fn push(&mut self, solid: u64, count: u32) {
        if count == 0 {
            return;
        }
        self.word |= solid << (self.column % 64);
        self.column += count;
        let ends = self.column == self.rows.len();
        if ends || self.column.is_multiple_of(64) {
            self.rows.set_word(self.row, self.column - 1, self.word);
            self.word = 0;
        }
        if ends {
            self.column = 0;
            self.row += 1;
        }
    }

    /// Column and row of the next cell.
    pub(super) fn cell(&self) -> IVec2 {
        IVec2::new(self.column as i32, self.row as i32)
    }

    /// Counts those of the next cells whose bits are set in what has been seen.
    pub(super) fn see(&mut self, cells: u64) {
        if cells == 0 {
            return;
        }
        let at = |bit: u32| self.cell() + IVec2::new(bit as i32, 0);
        let first = at(cells.trailing_zeros());
        let end = at(64 - cells.leading_zeros()) + IVec2::new(0, 1);
        let (min, max) = self.seen.unwrap_or((first, end));
        self.seen = Some((min.min(first), max.max(end)));
    }

    /// The smallest rectangle of cells around those that were seen.
    pub(super) fn seen(&self) -> Option<(IVec2, IVec2)> {
        self.seen
    }
}
