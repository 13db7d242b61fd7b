//! Creates a grid from rows that come from top to bottom. A plane stores the words of one row far apart, so
//! in a tall grid each write would miss all caches. So 64 rows are collected first, and then written block by
//! block.

use super::block::NONE;
use super::plane::{SIDE, write_block, zeros};
use super::{Grid, GridError};

/// A grid whose rows come from top to bottom. Only a long and narrow grid, which is sparse, can fail: see
/// [`Grid::fill`].
pub(crate) struct RowBuilder {
    grid: Result<Grid, GridError>,
    /// The collected rows, `stride` words each.
    words: Vec<u64>,
    stride: usize,
    /// The number of the first collected row: a multiple of 64.
    first: u32,
}

impl RowBuilder {
    pub(crate) fn new(width: u32, height: u32) -> Result<Self, GridError> {
        let grid = Grid::new(width, height)?;
        // The number of words from one collected row to the next is an odd number of cache lines. This
        // spreads the words of a block over the whole cache.
        let stride = (width.div_ceil(SIDE) as usize).next_multiple_of(16) + 8;
        let words = zeros(stride.saturating_mul(height.min(SIDE) as usize));
        let words = words.ok_or(GridError::TooManyCells { width, height })?;
        Ok(Self { grid: Ok(grid), words, stride, first: 0 })
    }

    /// Makes cells of a row solid. Bit `i` of word `w` is the cell in column 64 w + i. Bits outside the grid
    /// must be 0. The row must be the row of the last call, or a row below it.
    pub(crate) fn or_row(&mut self, row: u32, words: &[u64]) {
        if row - self.first >= SIDE {
            self.write();
            self.first = row / SIDE * SIDE;
        }
        let start = (row - self.first) as usize * self.stride;
        for (word, added) in self.words[start..].iter_mut().zip(words) {
            *word |= added;
        }
    }

    pub(crate) fn finish(mut self) -> Result<Grid, GridError> {
        self.write();
        self.grid
    }

    #[cold]
    fn write(&mut self) {
        let Ok(grid) = &mut self.grid else {
            return;
        };
        for stripe in 0..grid.width().div_ceil(SIDE) {
            let words = self.words[stripe as usize..].iter().step_by(self.stride);
            if grid.is_sparse() {
                let mut block = NONE;
                block.iter_mut().zip(words).for_each(|(line, word)| *line = *word);
                if let Err(error) = grid.write([stripe, self.first / SIDE], &block, true) {
                    self.grid = Err(error);
                    return;
                }
            } else {
                let [columns, rows] = &mut grid.planes;
                let lines = rows.lines_of_stripe_mut(self.first, stripe * SIDE);
                lines.iter_mut().zip(words).for_each(|(line, word)| *line = *word);
                write_block(lines, columns, stripe * SIDE, self.first);
            }
        }
        self.words.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::RowBuilder;
    use crate::Grid;
    use crate::grid::GridError;

    #[test]
    fn a_row_builder_makes_the_same_grid_as_a_loop_over_cells() {
        let mut rng = fastrand::Rng::with_seed(17);
        for width in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
            for height in [1, 2, 63, 64, 65, 150, 400] {
                let mut builder = RowBuilder::new(width, height).unwrap();
                let mut naive = Grid::new(width, height).unwrap();
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
                let grid = builder.finish().unwrap();
                assert!(grid.planes == naive.planes, "{width} x {height}");
            }
        }
    }

    #[test]
    fn rows_of_a_long_narrow_grid_become_blocks_up_to_the_block_limit() {
        let height = (1 << 22) + 130;
        let mut builder = RowBuilder::new(31, height).unwrap();
        let mut naive = Grid::sparse(31, height).unwrap();
        for row in [0, 63, 64, 700, height - 1] {
            builder.or_row(row, &[0b101]);
            naive.set(0, row, true).unwrap();
            naive.set(2, row, true).unwrap();
        }
        assert_eq!(builder.finish(), Ok(naive));
        let mut builder = RowBuilder::new(31, height).unwrap();
        (0..height).for_each(|row| builder.or_row(row, &[1]));
        assert_eq!(builder.finish(), Err(GridError::TooManyBlocks { limit: 1 << 16 }));
    }
}
