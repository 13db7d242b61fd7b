//! Builders of grids. `GridBuilder` takes solid cells in any order, and `RowBuilder` takes rows from top to
//! bottom. Both write rows and transpose them into columns. They write blocks instead if the grid is sparse.
//! Builders only add solid cells. BuilderCells outside the grid are ignored.

use std::ops::Range;

use glam::IVec2;

use super::block::{NONE, change, moved, rectangle};
use super::plane::{Plane, SIDE, Words};
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

    /// Adds the solid cells of a bitmap of rows. Its first cell goes to column and row `at`. If it fails,
    /// some cells may have been added.
    #[cfg(feature = "tmx")]
    pub(crate) fn or_plane(&mut self, plane: &Plane, at: IVec2) -> Result<(), GridError> {
        if let BuilderCells::Rows(rows) = &mut self.cells
            && at == IVec2::ZERO
            && (rows.len(), rows.count()) == (plane.len(), plane.count())
        {
            rows.or(plane);
            return Ok(());
        }
        for (block, words) in plane.blocks() {
            self.or_block(block, &words, at)?;
        }
        Ok(())
    }

    /// Adds a solid cell for each passable cell of `grid`. Its first cell goes to column and row `at`.
    #[cfg(feature = "tmx")]
    pub(crate) fn or_passable(&mut self, grid: &Grid, at: IVec2) -> Result<(), GridError> {
        let mut blocks = grid.blocks().peekable();
        for row in 0..grid.height().div_ceil(SIDE) {
            for column in 0..grid.width().div_ceil(SIDE) {
                let block = [column, row];
                let mut cells = rectangle(block, &(0..grid.width()), &(0..grid.height()));
                if let Some((_, solid)) = blocks.next_if(|(at, _)| *at == block) {
                    cells.iter_mut().zip(solid).for_each(|(cells, solid)| *cells &= !solid);
                }
                self.or_block(block, &cells, at)?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Grid, GridError> {
        match self.cells {
            BuilderCells::Rows(rows) => Grid::from_rows(rows),
            BuilderCells::Blocks(blocks) => Ok(Grid::from_blocks(self.width, self.height, blocks)),
        }
    }

    /// Adds the solid cells of the block `[column, row]` of another grid, whose first cell goes to column and
    /// row `at`.
    fn or_block(
        &mut self,
        [column, row]: [u32; 2],
        words: &Words,
        at: IVec2,
    ) -> Result<(), GridError> {
        let x = i64::from(column * SIDE) + i64::from(at.x);
        let y = i64::from(row * SIDE) + i64::from(at.y);
        for (place, mut cells) in moved(words, x, y) {
            let inside = rectangle(place, &(0..self.width), &(0..self.height));
            cells.iter_mut().zip(inside).for_each(|(cells, inside)| *cells &= inside);
            if cells == NONE {
                continue;
            }
            match &mut self.cells {
                BuilderCells::Rows(plane) => {
                    let lines = plane.lines_of_stripe_mut(place[1] * SIDE, place[0] * SIDE);
                    change(lines, &cells, true);
                }
                BuilderCells::Blocks(blocks) => drop(blocks.write(place, &cells, true)?),
            }
        }
        Ok(())
    }
}

#[cfg(all(test, feature = "tmx", feature = "mask"))]
mod tests;
