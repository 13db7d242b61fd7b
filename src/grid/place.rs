//! Any grid, sparse or dense, as aligned blocks of 64 x 64 cells; and a rectangle of a grid that takes another
//! grid's cells, or none: chunks of a world that a game streams.
//!
//! Equality, hash and copies visit these blocks, so a sparse and a dense grid give the same results. A placement
//! is made first, which can fail, and then applied, which cannot. So several grids change all together or not at
//! all. It costs as much as the blocks of the chunk. It knows no pixels.

#[cfg(all(feature = "baked", feature = "tmx"))]
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::Range;

use glam::IVec2;

use super::builder::GridBuilder;
use super::plane::{Plane, transpose_block};
use super::sparse::{Block, Sparse};
use super::{Bits, Grid, GridError};

/// The cells that a rectangle of a grid will have in place of its own.
pub(crate) struct Placement {
    columns: Range<u32>,
    rows: Range<u32>,
    /// The solid ones, none outside the rectangle.
    solid: Sparse,
}

impl Placement {
    /// For a rectangle of `target`: the cells of `source` with its first cell at column and row `at`, and
    /// passable ones beside them.
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`] if `target` is sparse and would come to have too many blocks.
    pub(crate) fn new(
        target: &Grid,
        (columns, rows): (Range<u32>, Range<u32>),
        source: &Grid,
        at: IVec2,
    ) -> Result<Self, GridError> {
        let (width, height) = (target.width(), target.height());
        let (columns, rows) = target.clamp(columns, rows);
        if columns.is_empty() || rows.is_empty() {
            return Ok(Self::blank((columns, rows)));
        }
        let mut builder = GridBuilder::sparse(width, height).with_block_limit(u32::MAX);
        builder.or_grid(source, at)?;
        let mut solid = builder.into_blocks();
        for (columns, rows) in [
            (0..columns.start, 0..height),
            (columns.end..width, 0..height),
            (columns.clone(), 0..rows.start),
            (columns.clone(), rows.end..height),
        ] {
            if !columns.is_empty() && !rows.is_empty() {
                solid.clear(&columns, &rows);
            }
        }
        if let Some(blocks) = &target.sparse {
            blocks.check_replaced(&columns, &rows, &solid)?;
        }
        Ok(Self { columns, rows, solid })
    }

    /// For a rectangle of a grid: passable cells.
    pub(crate) fn blank((columns, rows): (Range<u32>, Range<u32>)) -> Self {
        Self { columns, rows, solid: Sparse::default() }
    }

    /// Changes the grid that the placement was made for, which must be as it was then.
    pub(crate) fn apply(&self, target: &mut Grid) {
        let (columns, rows) = target.clamp(self.columns.clone(), self.rows.clone());
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        if let Some(blocks) = &mut target.sparse {
            blocks.replace(&columns, &rows, &self.solid);
            return;
        }
        let [column_plane, row_plane] = &mut target.planes;
        column_plane.fill(columns.clone(), rows.clone(), false);
        row_plane.fill(rows, columns, false);
        for ([column, row], block) in self.solid.blocks() {
            let Block([columns, rows]) = block;
            or_lines(column_plane, [column, row], columns);
            or_lines(row_plane, [row, column], rows);
        }
    }
}

/// Sets the bits of a block's lines in a plane, unless that is absent. `line` and `place` count blocks.
fn or_lines(plane: &mut Plane, [line, place]: [u32; 2], added: &Words) {
    if !plane.is_absent() {
        let lines = plane.lines_of_stripe_mut(line * SIDE, place * SIDE);
        for (line, added) in lines.iter_mut().zip(added) {
            *line |= added;
        }
    }
}

/// The width and height of a block in cells.
pub(crate) const SIDE: u32 = 64;

/// The lines of a block.
pub(crate) type Words = [u64; SIDE as usize];

impl Grid {
    /// The rows of each block with a solid cell, and its block column and block row; from the top, then from
    /// the left.
    pub(super) fn blocks(&self) -> Box<dyn Iterator<Item = ([u32; 2], Words)> + '_> {
        match self.bits() {
            Bits::Rows(rows) => Box::new(blocks(rows)),
            Bits::Columns(columns) => Box::new(self.blocks_of_columns(columns)),
            Bits::Blocks(blocks) => Box::new(blocks.rows_of_blocks().map(|(at, rows)| (at, *rows))),
        }
    }

    fn blocks_of_columns(&self, columns: &Plane) -> impl Iterator<Item = ([u32; 2], Words)> {
        let across = self.width().div_ceil(SIDE);
        let places =
            (0..self.height().div_ceil(SIDE)).flat_map(move |r| (0..across).map(move |c| [c, r]));
        places.filter_map(|at| {
            let mut block = block(columns, at)?;
            transpose_block(&mut block);
            Some((at, block))
        })
    }
}

/// The rows of blocks of some grids of one size, from the top: the row, and the block columns of all blocks
/// with a solid cell in one of the grids, with their cells that are solid in one.
#[cfg(all(feature = "baked", feature = "tmx"))]
pub(crate) fn joined_rows<'g>(
    grids: impl IntoIterator<Item = &'g Grid>,
) -> impl Iterator<Item = (u32, BTreeMap<u32, Words>)> {
    let blocks = grids.into_iter().map(|grid| grid.blocks().peekable());
    let mut blocks: Vec<_> = blocks.collect();
    std::iter::from_fn(move || {
        let rows = blocks.iter_mut().filter_map(|blocks| blocks.peek().map(|([_, row], _)| *row));
        let row = rows.min()?;
        let mut joined = BTreeMap::new();
        for blocks in &mut blocks {
            while let Some(([column, _], words)) = blocks.next_if(|([_, at], _)| *at == row) {
                let all = joined.entry(column).or_insert([0; SIDE as usize]);
                all.iter_mut().zip(words).for_each(|(all, word)| *all |= word);
            }
        }
        Some((row, joined))
    })
}

/// The lines of each block of a plane of rows with a set bit, as [`Grid::blocks`].
pub(super) fn blocks(rows: &Plane) -> impl Iterator<Item = ([u32; 2], Words)> {
    let across = rows.len().div_ceil(SIDE);
    let places =
        (0..rows.count().div_ceil(SIDE)).flat_map(move |r| (0..across).map(move |c| [c, r]));
    places.filter_map(|[column, row]| Some(([column, row], block(rows, [row, column])?)))
}

/// A block of a plane's lines; `None` if no bit of it is set. `line` and `place` count blocks.
fn block(plane: &Plane, [line, place]: [u32; 2]) -> Option<Words> {
    let lines = plane.lines_of_stripe(line * SIDE, place * SIDE);
    if lines.iter().all(|word| *word == 0) {
        return None;
    }
    let mut block = [0; SIDE as usize];
    block[..lines.len()].copy_from_slice(lines);
    Some(block)
}

impl PartialEq for Grid {
    fn eq(&self, other: &Self) -> bool {
        if self.sparse.is_none() && other.sparse.is_none() {
            return self.planes == other.planes;
        }
        self.size() == other.size() && self.blocks().eq(other.blocks())
    }
}

impl Eq for Grid {}

impl Hash for Grid {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.size().hash(state);
        for block in self.blocks() {
            block.hash(state);
        }
    }
}

#[cfg(test)]
mod tests;
