//! Splits any grid, sparse or dense, into aligned blocks of 64 x 64 cells. Equality, hash, files and copies
//! between grids use these blocks, so sparse and dense grids give the same results.

use std::hash::{Hash, Hasher};

use super::block::{NONE, change};
use super::plane::{Plane, SIDE, Words, transpose_block};
#[cfg(feature = "baked")]
use super::sparse::Sparse;
use super::{Grid, GridError};

impl Grid {
    /// Returns each block that has a solid cell: its block column and block row, and the words of its 64
    /// rows. The blocks come row by row, and from the left in each row.
    pub(crate) fn blocks(&self) -> Box<dyn Iterator<Item = ([u32; 2], Words)> + '_> {
        match &self.sparse {
            None => Box::new(blocks(self.rows())),
            Some(blocks) => Box::new(blocks.blocks().map(|(at, block)| (at, *block.rows()))),
        }
    }

    /// Makes the cells of `mask` solid or passable, and returns the cells that changed. `mask` has the rows
    /// of the block at block column and row `at`, and no cell outside the grid. Returns the errors of
    /// [`Grid::fill`].
    pub(crate) fn write(
        &mut self,
        at: [u32; 2],
        mask: &Words,
        solid: bool,
    ) -> Result<Words, GridError> {
        if let Some(blocks) = &mut self.sparse {
            return blocks.write(at, mask, solid);
        }
        let [column, row] = at.map(|block| block * SIDE);
        let [columns, rows] = &mut self.planes;
        let changed = change(rows.lines_of_stripe_mut(row, column), mask, solid);
        if changed != NONE {
            let mut turned = changed;
            transpose_block(&mut turned);
            let lines = columns.lines_of_stripe_mut(column, row);
            lines.iter_mut().zip(turned).for_each(|(line, change)| *line ^= change);
        }
        Ok(changed)
    }
}

#[cfg(feature = "baked")]
impl Grid {
    /// Returns the memory in bytes of the bits of a dense grid of passable cells.
    pub(crate) fn dense_bytes(width: u32, height: u32) -> u64 {
        Plane::bytes(width, height).saturating_add(Plane::bytes(height, width))
    }

    /// Returns the memory in bytes of a sparse grid of passable cells, without the grid itself.
    pub(crate) const SPARSE_BYTES: u64 = size_of::<Sparse>() as u64;

    /// Returns the largest memory in bytes that a block with these rows takes in a sparse grid while blocks
    /// are added.
    pub(crate) fn block_bytes(rows: &Words) -> u64 {
        Sparse::block_bytes(rows)
    }
}

/// Returns the blocks with a solid cell of a bitmap of rows, like [`Grid::blocks`].
pub(super) fn blocks(rows: &Plane) -> impl Iterator<Item = ([u32; 2], Words)> {
    let across = u64::from(rows.len().div_ceil(SIDE));
    let all = 0..across * u64::from(rows.count().div_ceil(SIDE));
    all.filter_map(move |number| {
        let column = (number % across) as u32;
        let row = (number / across) as u32;
        let lines = rows.lines_of_stripe(row * SIDE, column * SIDE);
        if lines.iter().all(|word| *word == 0) {
            return None;
        }
        let mut block = NONE;
        block[..lines.len()].copy_from_slice(lines);
        Some(([column, row], block))
    })
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
    /// Passes each word of the blocks: see the module `checksum`.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.size().hash(state);
        for ([column, row], words) in self.blocks() {
            (column, row).hash(state);
            words.iter().for_each(|word| word.hash(state));
        }
        // No block has this column.
        u32::MAX.hash(state);
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::Grid;

    /// Returns a sparse grid with the cells of `grid`.
    pub(crate) fn in_blocks(grid: &Grid, width: u32, height: u32) -> Grid {
        let mut sparse = Grid::sparse(width, height).unwrap();
        for (at, words) in grid.blocks() {
            sparse.write(at, &words, true).unwrap();
        }
        sparse
    }
}
