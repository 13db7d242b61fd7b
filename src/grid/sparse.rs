//! The bits of a sparse grid: only the blocks of 64 x 64 cells with a solid cell.
//!
//! A block is stored once, with its bits in columns and in rows as in the planes. It is indexed twice: by
//! block column and then block row, and by block row and then block column. So a query of a long strip visits
//! only the blocks in it, in either direction.
//!
//! It knows no size: callers give ranges that are not empty and inside the grid. There are never more than
//! [`MAX_BLOCKS`] blocks, and none without a solid cell. No IO.

use std::collections::BTreeMap;
use std::ops::{Range, RangeInclusive};

use super::GridError;
use super::blocks::{SIDE, Words};
use super::transpose::transpose_block;
use super::words::Hit;
use crate::geometry::{Axis, Dir};

/// The largest number of blocks: 2^16, which have 2^28 cells and take 64 MiB, and up to 32 MiB of index.
pub(super) const MAX_BLOCKS: usize = 1 << 16;

/// The blocks of a grid that have a solid cell.
#[derive(Clone, Default)]
pub(super) struct Sparse {
    /// The blocks, in no order.
    #[expect(
        clippy::vec_box,
        reason = "a vector of 64 MiB would have half as much to spare, and twice as much while it grows"
    )]
    blocks: Vec<Box<Block>>,
    /// For each axis, in the order of [`Axis::index`]: the lines of blocks across it, each with the indices
    /// of its blocks by place.
    orders: [BTreeMap<u32, BTreeMap<u32, usize>>; 2],
    /// The index of the block that was filled last. Most fills are next to the one before, and are spared
    /// the search. The index may be out of range.
    recent: usize,
}

/// 64 x 64 cells.
#[derive(Clone)]
struct Block {
    /// Block column and block row.
    at: [u32; 2],
    /// The columns and the rows, in the order of [`Axis::index`].
    lines: [Words; 2],
}

impl Sparse {
    pub(super) fn count_ones(&self) -> u64 {
        let rows = self.blocks.iter().flat_map(|block| block.rows());
        rows.map(|row| u64::from(row.count_ones())).sum()
    }

    /// The bytes of the blocks, and an estimate of those of the two orders. The nodes of their maps have 11
    /// entries and are half full at worst; a line has at least one node.
    pub(super) fn memory_bytes(&self) -> u64 {
        const ORDERED_BLOCK: usize = 2 * size_of::<(u32, usize)>();
        const LINE: usize = 2 * size_of::<(u32, BTreeMap<u32, usize>)>() + 144;
        let blocks = self.blocks.capacity() * size_of::<Box<Block>>()
            + self.blocks.len() * (size_of::<Block>() + 2 * ORDERED_BLOCK);
        let lines = self.orders.iter().map(BTreeMap::len).sum::<usize>() * LINE;
        (blocks + lines) as u64
    }

    /// The rows of each block, with its column and row of blocks, from the top and then from the left.
    pub(super) fn blocks(&self) -> impl Iterator<Item = ([u32; 2], &Words)> {
        let lines = self.orders[Axis::Y.index()].values();
        let indices = lines.flat_map(BTreeMap::values);
        indices.map(|index| (self.blocks[*index].at, self.blocks[*index].rows()))
    }

    pub(super) fn get(&self, column: u32, row: u32) -> bool {
        let index = self.find([column / SIDE, row / SIDE]);
        index.is_some_and(|index| {
            self.blocks[index].rows()[(row % SIDE) as usize] >> (column % SIDE) & 1 != 0
        })
    }

    /// The 64 cells of a row in one column of blocks.
    pub(super) fn row_word(&self, column: u32, row: u32) -> u64 {
        let index = self.find([column, row / SIDE]);
        index.map_or(0, |index| self.blocks[index].rows()[(row % SIDE) as usize])
    }

    /// The number of set bits in the rectangle of the `lines` across `axis` and the `places` on them.
    pub(super) fn count_in(&self, axis: Axis, lines: &Range<u32>, places: &Range<u32>) -> u64 {
        let blocks = self.within(axis, lines, places);
        blocks.map(|block| block.count_in(axis, lines, places)).sum()
    }

    /// Moves the cell in column c and row r to column r and row c, for all cells.
    pub(super) fn transpose(&mut self) {
        self.orders.reverse();
        for block in &mut self.blocks {
            block.at.reverse();
            block.lines.reverse();
        }
    }

    /// Makes every cell of a rectangle solid or passable.
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`], before anything is changed.
    pub(super) fn fill(
        &mut self,
        columns: Range<u32>,
        rows: Range<u32>,
        solid: bool,
    ) -> Result<(), GridError> {
        if !solid {
            self.clear(&columns, &rows);
            return Ok(());
        }
        let (across, down) = (blocks_of(&columns), blocks_of(&rows));
        let count = |blocks: &RangeInclusive<u32>| u64::from(blocks.end() - blocks.start()) + 1;
        let wanted = count(&across) * count(&down);
        // The first two tests save the count of blocks, which is slow.
        let limit = MAX_BLOCKS as u64;
        if wanted > limit
            || (wanted + self.blocks.len() as u64 > limit
                && wanted + self.count_outside(&columns, &rows) > limit)
        {
            return Err(GridError::TooManyBlocks);
        }
        for row in down {
            for column in across.clone() {
                let block = self.find_or_add([column, row])?;
                block.fill(&columns, &rows, true);
            }
        }
        Ok(())
    }

    /// Makes every cell of a rectangle passable.
    fn clear(&mut self, columns: &Range<u32>, rows: &Range<u32>) {
        let touched = self.within(Axis::X, columns, rows);
        let touched: Vec<[u32; 2]> = touched.map(|block| block.at).collect();
        for at in touched {
            if let Some(index) = self.find(at) {
                self.blocks[index].fill(columns, rows, false);
                if self.blocks[index].is_empty() {
                    self.remove(index);
                }
            }
        }
    }

    /// Sets every cell of a block that is set in `rows`; at least one must be.
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`], before anything is changed.
    pub(super) fn or(&mut self, at: [u32; 2], rows: &Words) -> Result<(), GridError> {
        let mut columns = *rows;
        transpose_block(&mut columns);
        let block = self.find_or_add(at)?;
        for (lines, added) in block.lines.iter_mut().zip([&columns, rows]) {
            for (line, added) in lines.iter_mut().zip(added) {
                *line |= added;
            }
        }
        Ok(())
    }

    /// The rows of the block at a place; `None` if no cell of it is solid.
    pub(super) fn rows_at(&self, at: [u32; 2]) -> Option<&Words> {
        self.find(at).map(|index| self.blocks[index].rows())
    }

    /// Changes every cell of a block that is set in `rows` from solid to passable or back; at least one must
    /// be.
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`], before anything is changed.
    pub(super) fn flip(&mut self, at: [u32; 2], rows: &Words) -> Result<(), GridError> {
        let mut columns = *rows;
        transpose_block(&mut columns);
        let block = self.find_or_add(at)?;
        for (lines, flips) in block.lines.iter_mut().zip([&columns, rows]) {
            for (line, flips) in lines.iter_mut().zip(flips) {
                *line ^= flips;
            }
        }
        if block.is_empty()
            && let Some(index) = self.find(at)
        {
            self.remove(index);
        }
        Ok(())
    }

    /// True if a bit is set in the rectangle of the `lines` across `axis` and the `places` on them.
    pub(super) fn any_solid(&self, axis: Axis, lines: Range<u32>, places: Range<u32>) -> bool {
        self.within(axis, &lines, &places).any(|block| block.any(axis, &lines, &places))
    }

    /// The first bit of the rectangle `lines` x `places` that an edge meets as it moves over the lines toward
    /// `dir`; on that line, the lowest place.
    pub(super) fn first_solid(
        &self,
        dir: Dir,
        lines: Range<u32>,
        places: Range<u32>,
    ) -> Option<Hit> {
        let (axis, cross) = (dir.axis(), dir.axis().other());
        let hit = |index: &usize| self.blocks[*index].first(dir, &lines, &places);
        // Of equals this takes the first: places are visited in ascending order.
        let sooner = |hit: &Hit| {
            if dir.is_positive() { hit.line } else { !hit.line }
        };
        let (line_blocks, place_blocks) = (blocks_of(&lines), blocks_of(&places));
        if lines.len() > places.len() {
            let across = self.orders[cross.index()].range(place_blocks);
            let hits = across.filter_map(|(_, line)| {
                let mut along = line.range(line_blocks.clone()).map(|(_, index)| index);
                first_in_motion(&mut along, dir, hit)
            });
            return hits.min_by_key(sooner);
        }
        let mut along = self.orders[axis.index()].range(line_blocks);
        first_in_motion(&mut along, dir, |(_, line)| {
            let across = line.range(place_blocks.clone());
            across.filter_map(|(_, index)| hit(index)).min_by_key(sooner)
        })
    }

    /// The blocks that touch the rectangle of the `lines` across `axis` and the `places` on them.
    /// O(blocks found + lines of blocks), along the axis with fewer lines.
    fn within(
        &self,
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> impl Iterator<Item = &Block> {
        let (axis, lines, places) = if lines.len() > places.len() {
            (axis.other(), places, lines)
        } else {
            (axis, lines, places)
        };
        let places = blocks_of(places);
        let found = self.orders[axis.index()].range(blocks_of(lines));
        let indices = found.flat_map(move |(_, line)| line.range(places.clone()));
        indices.map(|(_, index)| &*self.blocks[*index])
    }

    /// The number of blocks that do not touch a rectangle.
    fn count_outside(&self, columns: &Range<u32>, rows: &Range<u32>) -> u64 {
        (self.blocks.len() - self.within(Axis::X, columns, rows).count()) as u64
    }

    fn find(&self, at: [u32; 2]) -> Option<usize> {
        let [column, row] = at;
        let line = self.orders[Axis::Y.index()].get(&row)?;
        line.get(&column).copied()
    }

    /// The block at a place, added if there is none. The caller must make a cell in it solid.
    fn find_or_add(&mut self, at: [u32; 2]) -> Result<&mut Block, GridError> {
        let recent = self.blocks.get(self.recent);
        if recent.is_some_and(|block| block.at == at) {
            return Ok(&mut self.blocks[self.recent]);
        }
        let index = match self.find(at) {
            Some(index) => index,
            None if self.blocks.len() >= MAX_BLOCKS => return Err(GridError::TooManyBlocks),
            None => {
                let lines = [[0; SIDE as usize]; 2];
                self.blocks.push(Box::new(Block { at, lines }));
                self.link(at, self.blocks.len() - 1);
                self.blocks.len() - 1
            }
        };
        self.recent = index;
        Ok(&mut self.blocks[index])
    }

    /// Enters the block at `index` into both orders.
    fn link(&mut self, at: [u32; 2], index: usize) {
        for (axis, order) in self.orders.iter_mut().enumerate() {
            let line = order.entry(at[axis]).or_default();
            line.insert(at[1 - axis], index);
        }
    }

    fn remove(&mut self, index: usize) {
        let at = self.blocks.swap_remove(index).at;
        for (axis, order) in self.orders.iter_mut().enumerate() {
            if let Some(line) = order.get_mut(&at[axis]) {
                line.remove(&at[1 - axis]);
                if line.is_empty() {
                    order.remove(&at[axis]);
                }
            }
        }
        if let Some(moved) = self.blocks.get(index) {
            self.link(moved.at, index);
        }
    }
}

impl Block {
    fn rows(&self) -> &Words {
        &self.lines[Axis::Y.index()]
    }

    fn is_empty(&self) -> bool {
        *self.rows() == [0; SIDE as usize]
    }

    /// The part of `range` in this block on `axis`, counted from the block's start; the range must touch the
    /// block.
    fn part(&self, axis: Axis, range: &Range<u32>) -> Range<u32> {
        let start = self.at[axis.index()] * SIDE;
        range.start.saturating_sub(start)..(range.end - start).min(SIDE)
    }

    /// [`Block::part`] as bits.
    fn mask(&self, axis: Axis, range: &Range<u32>) -> u64 {
        let part = self.part(axis, range);
        (u64::MAX << part.start) & (u64::MAX >> (SIDE - part.end))
    }

    fn fill(&mut self, columns: &Range<u32>, rows: &Range<u32>, solid: bool) {
        for (axis, lines, places) in [(Axis::X, columns, rows), (Axis::Y, rows, columns)] {
            let mask = self.mask(axis.other(), places);
            for line in self.part(axis, lines) {
                let word = &mut self.lines[axis.index()][line as usize];
                *word = if solid { *word | mask } else { *word & !mask };
            }
        }
    }

    fn any(&self, axis: Axis, lines: &Range<u32>, places: &Range<u32>) -> bool {
        let part = self.part(axis, lines);
        let mask = self.mask(axis.other(), places);
        let words = &self.lines[axis.index()][part.start as usize..part.end as usize];
        words.iter().any(|word| word & mask != 0)
    }

    fn count_in(&self, axis: Axis, lines: &Range<u32>, places: &Range<u32>) -> u64 {
        let part = self.part(axis, lines);
        let mask = self.mask(axis.other(), places);
        let words = &self.lines[axis.index()][part.start as usize..part.end as usize];
        words.iter().map(|word| u64::from((word & mask).count_ones())).sum()
    }

    fn first(&self, dir: Dir, lines: &Range<u32>, places: &Range<u32>) -> Option<Hit> {
        let (axis, cross) = (dir.axis(), dir.axis().other());
        let mask = self.mask(cross, places);
        first_in_motion(&mut self.part(axis, lines), dir, |line| {
            let word = self.lines[axis.index()][line as usize] & mask;
            (word != 0).then(|| Hit {
                line: self.at[axis.index()] * SIDE + line,
                place: self.at[cross.index()] * SIDE + word.trailing_zeros(),
            })
        })
    }
}

/// The blocks that a range of cells touches.
fn blocks_of(range: &Range<u32>) -> RangeInclusive<u32> {
    range.start / SIDE..=(range.end - 1) / SIDE
}

/// The first `Some` that `find` returns, with the items in the order of a motion toward `dir`.
fn first_in_motion<T>(
    items: &mut impl DoubleEndedIterator<Item = T>,
    dir: Dir,
    find: impl FnMut(T) -> Option<Hit>,
) -> Option<Hit> {
    if dir.is_positive() { items.find_map(find) } else { items.rev().find_map(find) }
}

#[cfg(test)]
mod tests;
