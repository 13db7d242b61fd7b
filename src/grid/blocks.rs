//! Splits any grid, sparse or dense, into aligned blocks of 64 x 64 cells. Equality, hash and copies between
//! grids use these blocks, so sparse and dense grids give the same results.

use std::hash::{Hash, Hasher};

use super::plane::{Plane, SIDE, Words, transpose_block};
use super::{Grid, StoredBits};
use crate::geometry::Axis;

impl Grid {
    /// Returns each block that has a solid cell: its block column and block row, and the words of its 64
    /// rows. The blocks come row by row, and from the left in each row.
    pub(super) fn blocks(&self) -> Box<dyn Iterator<Item = ([u32; 2], Words)> + '_> {
        match self.bits() {
            StoredBits::Rows(rows) => Box::new(blocks(rows, Axis::Y)),
            StoredBits::Columns(columns) => Box::new(blocks(columns, Axis::X)),
            StoredBits::Blocks(blocks) => {
                Box::new(blocks.blocks().into_iter().map(|(at, block)| (at, *block.rows())))
            }
        }
    }
}

/// Returns the blocks with a solid cell of a plane, like [`Grid::blocks`]. The plane has columns if `axis` is
/// x, or rows if it is y.
pub(super) fn blocks(plane: &Plane, axis: Axis) -> impl Iterator<Item = ([u32; 2], Words)> {
    let (lines, places) = (plane.count().div_ceil(SIDE), plane.len().div_ceil(SIDE));
    let across = if axis == Axis::X { lines } else { places };
    let mut all = 0..u64::from(lines) * u64::from(places);
    std::iter::from_fn(move || {
        for number in &mut all {
            let (column, row) = (number % u64::from(across), number / u64::from(across));
            let (column, row) = (column as u32, row as u32);
            if axis == Axis::Y {
                if let Some(words) = block(plane, [row, column]) {
                    return Some(([column, row], words));
                }
            } else if let Some(mut words) = block(plane, [column, row]) {
                transpose_block(&mut words);
                return Some(([column, row], words));
            }
        }
        None
    })
}

/// Returns an aligned block of 64 x 64 bits of the plane, as one word for each of 64 lines (rows or columns);
/// `None` if all bits are 0. The lines start at number `64 * line`, and the bits at number `64 * place` of
/// each line. Missing lines at the end of the plane give words of 0.
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
