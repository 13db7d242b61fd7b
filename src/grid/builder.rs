//! Builders of grids. `GridBuilder` takes solid cells in any order, and `RowBuilder` takes rows from top to
//! bottom. Both write rows and transpose them into columns. `GridBuilder` writes blocks instead if the grid
//! is too large for rows. Builders only add solid cells. Cells outside the grid are ignored.

use std::ops::Range;

use glam::{IVec2, UVec2};

#[cfg(feature = "tmx")]
use super::blocks;
use super::plane::Plane;
#[cfg(any(feature = "bitvec", feature = "mask", feature = "serde"))]
use super::plane::write_block;
use super::plane::{SIDE, Words};
use super::sparse::Sparse;
use super::{Grid, GridError};
#[cfg(feature = "tmx")]
use crate::geometry::Axis;

/// The largest number of cells of a dense grid from a [`GridBuilder`]: 2^27. Rows and columns together take
/// 32 MiB.
pub(crate) const MAX_DENSE_CELLS: u64 = 1 << 27;

pub(crate) struct GridBuilder {
    width: u32,
    height: u32,
    cells: Cells,
}

enum Cells {
    Rows(Plane),
    Blocks(Sparse),
}

impl GridBuilder {
    /// Creates a builder of a passable grid. The grid is sparse if it has over 2^27 cells or is long and
    /// narrow.
    pub(crate) fn new(width: u32, height: u32) -> Result<Self, GridError> {
        let count = u64::from(width) * u64::from(height);
        let narrow = Plane::is_wasteful(width, height) || Plane::is_wasteful(height, width);
        if count > MAX_DENSE_CELLS || (narrow && count > 0) {
            Ok(Self::sparse(width, height))
        } else {
            let cells = Cells::Rows(Grid::blank_rows(width, height)?);
            Ok(Self { width, height, cells })
        }
    }

    pub(super) fn sparse(width: u32, height: u32) -> Self {
        let cells = Cells::Blocks(Sparse::default());
        Self { width, height, cells }
    }

    pub(crate) fn with_block_limit(mut self, limit: u32) -> Self {
        if let Cells::Blocks(blocks) = &mut self.cells {
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
            Cells::Rows(plane) => {
                plane.fill(rows, columns, true);
                Ok(())
            }
            Cells::Blocks(blocks) => blocks.fill(columns, rows, true),
        }
    }

    /// Adds the solid cells of another grid. Its first cell goes to column and row `at`.
    pub(crate) fn or_grid(&mut self, grid: &Grid, at: IVec2) -> Result<(), GridError> {
        self.or_blocks(&mut *grid.blocks(), at)
    }

    /// Adds the solid cells of a bitmap of rows, like [`GridBuilder::or_grid`]. If it fails, some cells may
    /// have been added.
    #[cfg(feature = "tmx")]
    pub(crate) fn or_plane(&mut self, plane: &Plane, at: IVec2) -> Result<(), GridError> {
        match &mut self.cells {
            Cells::Rows(rows)
                if at == IVec2::ZERO
                    && (rows.len(), rows.count()) == (plane.len(), plane.count()) =>
            {
                rows.or(plane);
                Ok(())
            }
            _ => self.or_blocks(&mut blocks::blocks(plane, Axis::Y), at),
        }
    }

    /// Adds a solid cell for each passable cell of `grid`. Its first cell goes to column and row `at`.
    #[cfg(feature = "tmx")]
    pub(crate) fn or_passable(&mut self, grid: &Grid, at: IVec2) -> Result<(), GridError> {
        let mut blocks = grid.blocks().peekable();
        for row in 0..grid.height().div_ceil(SIDE) {
            for column in 0..grid.width().div_ceil(SIDE) {
                let block = blocks.next_if(|(at, _)| *at == [column, row]);
                let solid = block.map_or([0; SIDE as usize], |(_, words)| words);
                let inside = words_inside(grid.size(), [column, row]);
                let passable = std::array::from_fn(|line| !solid[line] & inside[line]);
                let x = i64::from(column * SIDE) + i64::from(at.x);
                let y = i64::from(row * SIDE) + i64::from(at.y);
                self.or_block(&passable, x, y)?;
            }
        }
        Ok(())
    }

    pub(crate) fn finish(self) -> Result<Grid, GridError> {
        match self.cells {
            Cells::Rows(rows) => Grid::from_rows(rows),
            Cells::Blocks(blocks) => Ok(Grid::from_blocks(self.width, self.height, blocks)),
        }
    }

    pub(super) fn into_blocks(self) -> Sparse {
        match self.cells {
            Cells::Rows(_) => Sparse::default(),
            Cells::Blocks(blocks) => blocks,
        }
    }

    fn or_blocks(
        &mut self,
        blocks: &mut dyn Iterator<Item = ([u32; 2], Words)>,
        at: IVec2,
    ) -> Result<(), GridError> {
        for ([column, row], words) in blocks {
            let x = i64::from(column * SIDE) + i64::from(at.x);
            let y = i64::from(row * SIDE) + i64::from(at.y);
            self.or_block(&words, x, y)?;
        }
        Ok(())
    }

    /// Adds the solid cells of a block. Its first cell goes to column `x` and row `y`. A block that is not
    /// aligned is split into up to four aligned blocks.
    fn or_block(&mut self, block: &Words, x: i64, y: i64) -> Result<(), GridError> {
        let side = i64::from(SIDE);
        let (right, down) = (x.rem_euclid(side) as u32, y.rem_euclid(side) as u32);
        for below in 0..=u32::from(down > 0) {
            for beside in 0..=u32::from(right > 0) {
                let column = x.div_euclid(side) + i64::from(beside);
                let row = y.div_euclid(side) + i64::from(below);
                let (Ok(column), Ok(row)) = (u32::try_from(column), u32::try_from(row)) else {
                    continue;
                };
                let mut part = [0; SIDE as usize];
                for (r, word) in (below * SIDE..).zip(&mut part) {
                    let source = r.checked_sub(down).and_then(|r| block.get(r as usize));
                    let source = source.copied().unwrap_or(0);
                    *word = if beside == 0 { source << right } else { source >> (SIDE - right) };
                }
                self.or_aligned([column, row], part)?;
            }
        }
        Ok(())
    }

    fn or_aligned(&mut self, at: [u32; 2], mut block: Words) -> Result<(), GridError> {
        let inside = words_inside(UVec2::new(self.width, self.height), at);
        for (word, inside) in block.iter_mut().zip(inside) {
            *word &= inside;
        }
        if block == [0; SIDE as usize] {
            return Ok(());
        }
        match &mut self.cells {
            Cells::Rows(plane) => {
                let lines = plane.lines_of_stripe_mut(at[1] * SIDE, at[0] * SIDE);
                for (line, word) in lines.iter_mut().zip(block) {
                    *line |= word;
                }
                Ok(())
            }
            Cells::Blocks(blocks) => blocks.or(at, &block),
        }
    }
}

pub(super) fn words_inside(size: UVec2, at: [u32; 2]) -> Words {
    let left = |side: u32, block: u32| {
        let left = u64::from(side).saturating_sub(u64::from(block) * u64::from(SIDE));
        left.min(u64::from(SIDE)) as u32
    };
    let (columns, rows) = (left(size.x, at[0]), left(size.y, at[1]));
    let mask = u64::MAX.checked_shr(SIDE - columns).unwrap_or(0);
    std::array::from_fn(|row| if (row as u32) < rows { mask } else { 0 })
}

#[cfg(any(feature = "bitvec", feature = "mask", feature = "serde"))]
const ROWS: usize = 64;

/// Creates a grid from rows that come from top to bottom. A plane stores the words of one row far apart, so
/// in a tall grid each write would miss all caches. So 64 rows are collected first, and then written block by
/// block.
#[cfg(any(feature = "bitvec", feature = "mask", feature = "serde"))]
pub(crate) struct RowBuilder {
    grid: Grid,
    /// The collected rows, `stride` words each. It is empty if the grid stores only rows or only columns.
    words: Vec<u64>,
    stride: usize,
    /// The number of the first collected row: a multiple of 64.
    first: u32,
}

#[cfg(any(feature = "bitvec", feature = "mask", feature = "serde"))]
impl RowBuilder {
    pub(crate) fn new(width: u32, height: u32) -> Result<Self, GridError> {
        let grid = Grid::new(width, height)?;
        if grid.planes.iter().any(Plane::is_absent) {
            return Ok(Self { grid, words: Vec::new(), stride: 0, first: 0 });
        }
        // The number of words from one collected row to the next is an odd number of cache lines. This
        // spreads the words of a block over the whole cache.
        let stride = (width.div_ceil(64) as usize).next_multiple_of(16) + 8;
        let mut words = Vec::new();
        let size = stride.checked_mul(ROWS).filter(|size| words.try_reserve_exact(*size).is_ok());
        let size = size.ok_or(GridError::TooManyCells { width, height })?;
        words.resize(size, 0);
        Ok(Self { grid, words, stride, first: 0 })
    }

    /// Makes cells of a row solid. Bit `i` of word `w` is the cell in column 64 w + i. Bits outside the grid
    /// must be 0. The row must be the row of the last call, or a row below it.
    pub(crate) fn or_row(&mut self, row: u32, words: &[u64]) {
        if self.words.is_empty() {
            for (column, mut word) in (0..).step_by(64).zip(words.iter().copied()) {
                while word != 0 {
                    // Only a sparse grid can fail, and this grid is dense.
                    let _ = self.grid.set(column + word.trailing_zeros(), row, true);
                    word &= word - 1;
                }
            }
            return;
        }
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
        if !self.words.is_empty() {
            self.write();
        }
        self.grid
    }

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

#[cfg(all(test, feature = "tmx", feature = "mask"))]
mod tests;
