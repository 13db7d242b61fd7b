//! A grid in the making, row by row.
//!
//! A plane keeps the words of one row far apart: in a tall grid each write would miss all caches. So 64 rows
//! are gathered, and written with their columns block by block.

use super::plane::Plane;
use super::transpose::write_block;
use super::{Grid, GridError};

/// Rows that are gathered: those of a block.
const ROWS: usize = 64;

/// Makes a grid from its rows, which come from top to bottom.
pub(crate) struct RowBuilder {
    grid: Grid,
    /// The gathered rows, each `stride` words from the one before.
    words: Vec<u64>,
    stride: usize,
    /// The first gathered row, a multiple of 64.
    first: u32,
}

impl RowBuilder {
    /// A builder of `width` x `height` passable cells.
    ///
    /// # Errors
    /// As [`Grid::blank_rows`].
    pub(crate) fn new(width: u32, height: u32) -> Result<Self, GridError> {
        let rows = Grid::blank_rows(width, height)?;
        let columns = Plane::new(width, height).ok_or(GridError::TooManyCells { width, height })?;
        // An odd number of cache lines, so that the words of a block are spread over the whole cache.
        let stride = (width.div_ceil(64) as usize).next_multiple_of(16) + 8;
        let mut words = Vec::new();
        let size = stride.checked_mul(ROWS).filter(|size| words.try_reserve_exact(*size).is_ok());
        let size = size.ok_or(GridError::TooManyCells { width, height })?;
        words.resize(size, 0);
        let grid = Grid { planes: [columns, rows], sparse: None };
        Ok(Self { grid, words, stride, first: 0 })
    }

    /// Makes cells of a row solid: bit `i` of word `w` stands for column 64 w + i. Bits outside the grid
    /// are 0. The row is the same as in the last call or below it.
    pub(crate) fn or_row(&mut self, row: u32, words: &[u64]) {
        if row - self.first >= ROWS as u32 {
            self.write();
            self.first = row / 64 * 64;
        }
        let start = (row - self.first) as usize * self.stride;
        for (word, added) in self.words[start..].iter_mut().zip(words) {
            *word |= added;
        }
    }

    pub(crate) fn finish(mut self) -> Grid {
        self.write();
        self.grid
    }

    /// Writes the gathered rows.
    #[cold]
    fn write(&mut self) {
        let [columns, rows] = &mut self.grid.planes;
        for stripe in 0..rows.len().div_ceil(64) {
            let lines = rows.lines_of_stripe_mut(self.first, stripe * 64);
            let words = self.words[stripe as usize..].iter().step_by(self.stride);
            for (line, word) in lines.iter_mut().zip(words) {
                *line = *word;
            }
            write_block(lines, columns, stripe * 64, self.first);
        }
        self.words.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_from_top_to_bottom_give_the_naive_grid() {
        let mut rng = fastrand::Rng::with_seed(17);
        for width in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
            for height in [1, 2, 63, 64, 65, 150, 400] {
                let mut builder = RowBuilder::new(width, height).unwrap();
                let mut naive = Grid::new(width, height).unwrap();
                // Some rows come twice and many not at all.
                let mut rows: Vec<u32> = (0..rng.u32(0..40)).map(|_| rng.u32(0..height)).collect();
                rows.sort_unstable();
                for row in rows {
                    let solid: Vec<bool> = (0..width).map(|_| rng.u8(0..3) == 0).collect();
                    let word = |cells: &[bool]| {
                        cells.iter().rev().fold(0, |word, solid| word << 1 | u64::from(*solid))
                    };
                    let words: Vec<u64> = solid.chunks(64).map(word).collect();
                    builder.or_row(row, &words);
                    for (column, _) in (0..).zip(&solid).filter(|(_, solid)| **solid) {
                        naive.set(column, row, true).unwrap();
                    }
                }
                let grid = builder.finish();
                assert!(grid.planes == naive.planes, "{width} x {height}");
            }
        }
    }
}
