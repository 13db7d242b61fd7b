//! Cells one by one into rows of bits.

use glam::IVec2;

use crate::grid::Plane;

/// Takes the cells of a block one by one and writes them into its rows by words.
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

    #[inline]
    pub(super) fn push(&mut self, solid: bool) {
        self.word |= u64::from(solid) << (self.column % 64);
        self.column += 1;
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

    /// Counts the next cell in what has been seen.
    pub(super) fn see(&mut self) {
        let cell = self.cell();
        let (min, max) = self.seen.unwrap_or((cell, cell));
        self.seen = Some((min.min(cell), max.max(cell + 1)));
    }

    /// The smallest rectangle of cells around those that were seen.
    pub(super) fn seen(&self) -> Option<(IVec2, IVec2)> {
        self.seen
    }
}
