//! Builders of grids. `GridBuilder` takes solid cells in any order, and `RowBuilder` takes rows from top to
//! bottom. Both write rows and transpose them into columns. They write blocks instead if the grid is sparse.
//! Builders only add solid cells. Cells outside the grid are ignored.

#[cfg(feature = "tmx")]
mod planes;

use std::ops::Range;

use super::plane::Plane;
use super::sparse::Sparse;
use super::{Grid, GridError};

/// The largest number of cells of a dense grid from a [`GridBuilder`]: 2^27. Rows and columns together take
/// 32 MiB.
pub(crate) const MAX_DENSE_CELLS: u64 = 1 << 27;

pub(crate) struct GridBuilder {
    width: u32,
    height: u32,
    cells: BuilderCells,
}

enum BuilderCells {
    Rows(Plane),
    Blocks(Sparse),
}

impl GridBuilder {
    /// Creates a builder of a passable grid. The grid is sparse if it has over 2^27 cells or is long and
    /// narrow.
    pub(crate) fn new(width: u32, height: u32) -> Result<Self, GridError> {
        let count = u64::from(width) * u64::from(height);
        if count > MAX_DENSE_CELLS || (count > 0 && Plane::is_wasteful(width, height)) {
            Ok(Self::sparse(width, height))
        } else {
            let cells = BuilderCells::Rows(Grid::blank_rows(width, height)?);
            Ok(Self { width, height, cells })
        }
    }

    fn sparse(width: u32, height: u32) -> Self {
        let cells = BuilderCells::Blocks(Sparse::default());
        Self { width, height, cells }
    }

    #[cfg(feature = "tmx")]
    pub(crate) fn with_block_limit(mut self, limit: u32) -> Self {
        if let BuilderCells::Blocks(blocks) = &mut self.cells {
            blocks.set_limit(limit);
        }
        self
    }

    /// Makes the cells of a rectangle solid. On [`GridError::TooManyBlocks`] nothing has changed.
    pub(crate) fn fill(&mut self, columns: Range<u32>, rows: Range<u32>) -> Result<(), GridError> {
        let columns = columns.start..columns.end.min(self.width);
        let rows = rows.start..rows.end.min(self.height);
        if columns.is_empty() || rows.is_empty() {
            return Ok(());
        }
        match &mut self.cells {
            BuilderCells::Rows(plane) => plane.fill(rows, columns, true),
            BuilderCells::Blocks(blocks) => drop(blocks.fill(&columns, &rows, true)?),
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Grid, GridError> {
        match self.cells {
            BuilderCells::Rows(rows) => Grid::from_rows(rows),
            BuilderCells::Blocks(blocks) => Ok(Grid::from_blocks(self.width, self.height, blocks)),
        }
    }
}

#[cfg(all(test, feature = "tmx", feature = "mask"))]
mod tests;
