//! Builders of grids. `GridBuilder` takes solid cells in any order, and `RowBuilder` takes rows from top to
//! bottom. Both write rows and transpose them into columns. They write blocks instead if the grid is sparse.
//! Builders only add solid cells. Cells outside the grid are ignored.

#[cfg(feature = "tmx")]
mod planes;

use std::ops::Range;

use super::plane::transpose;
use super::{Grid, GridError};

/// The largest number of cells of a dense grid from a [`GridBuilder`]: 2^27. Rows and columns together take
/// 32 MiB.
pub(crate) const MAX_DENSE_CELLS: u64 = 1 << 27;

pub(crate) struct GridBuilder {
    /// The grid, whose columns are empty until it is finished if it is dense.
    grid: Grid,
}

impl GridBuilder {
    /// Creates a builder of a passable grid. The grid is sparse if it has over 2^27 cells or is long and
    /// narrow.
    pub(crate) fn new(width: u32, height: u32) -> Result<Self, GridError> {
        let is_large = u64::from(width) * u64::from(height) > MAX_DENSE_CELLS;
        let grid = if is_large { Grid::sparse(width, height) } else { Grid::new(width, height) };
        grid.map(|grid| Self { grid })
    }

    #[cfg(feature = "tmx")]
    pub(crate) fn with_block_limit(self, limit: u32) -> Self {
        Self { grid: self.grid.with_block_limit(limit) }
    }

    /// Makes the cells of a rectangle solid. On [`GridError::TooManyBlocks`] nothing has changed.
    pub(crate) fn fill(&mut self, columns: Range<u32>, rows: Range<u32>) -> Result<(), GridError> {
        let (columns, rows) = self.grid.clamp(columns, rows);
        if columns.is_empty() || rows.is_empty() {
            return Ok(());
        }
        match &mut self.grid.sparse {
            None => self.grid.planes[1].fill(rows, columns, true),
            Some(blocks) => drop(blocks.fill(&columns, &rows, true)?),
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Grid {
        let mut grid = self.grid;
        if !grid.is_sparse() {
            let [columns, rows] = &mut grid.planes;
            transpose(rows, columns);
        }
        grid
    }
}

#[cfg(all(test, feature = "tmx", feature = "mask"))]
mod tests;
