//! The bits of a sparse grid: only the blocks of 64 x 64 cells with a solid cell.
//!
//! A block has its bits in columns and in rows, as the planes have. `pages` tells where blocks are; a query
//! of a body's strip asks it once or a few times, and reads the lines of 1 to 4 blocks. Blocks that are all
//! solid are one block in memory.
//!
//! It knows no size: callers give ranges that are not empty and inside the grid. There are never more blocks
//! than the limit, and none without a solid cell. No IO.

mod block;
mod pages;
mod queries;

use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

use super::GridError;
use super::blocks::{SIDE, Words};
use crate::geometry::Axis;
pub(super) use block::Block;
use pages::Pages;
#[cfg(feature = "baked")]
pub(super) use pages::{PAGE_BYTES, PageBuilder};
use queries::blocks_of;

/// The number of blocks that a grid may have unless its maker says otherwise: 2^16, which have 2^28 cells and
/// take 64 MiB, and up to 24 MiB of pages.
pub(super) const BLOCK_LIMIT: u32 = 1 << 16;

/// The index of the block that is all solid.
pub(super) const FULL: u32 = 0;

/// The index of the first shared block.
pub(super) const SHARED: u32 = 1 << 31;

/// The blocks of a grid that have a solid cell.
#[derive(Clone)]
pub(super) struct Sparse {
    /// The block [`FULL`], and the others in no order, each with its block column and block row.
    #[expect(
        clippy::vec_box,
        reason = "a vector of 64 MiB would have half as much to spare, and twice as much while it grows"
    )]
    blocks: Vec<Box<Placed>>,
    /// Blocks that several places and grids have, and that never change: a change copies one. Their indices
    /// begin at [`SHARED`].
    shared: Arc<Vec<Block>>,
    pages: Pages,
    /// The number of blocks; those that are all solid count each.
    count: u32,
    limit: u32,
}

#[derive(Clone)]
struct Placed {
    at: [u32; 2],
    block: Block,
}

impl Default for Sparse {
    fn default() -> Self {
        let full = Placed { at: [u32::MAX; 2], block: Block::FULL };
        Self {
            blocks: vec![Box::new(full)],
            shared: Arc::default(),
            pages: Pages::default(),
            count: 0,
            limit: BLOCK_LIMIT,
        }
    }
}

impl Sparse {
    /// The bytes of a grid without blocks, with those of the block that is all solid.
    #[cfg(feature = "baked")]
    pub(super) const LEAST_BYTES: usize =
        size_of::<Self>() + size_of::<Placed>() + 4 * size_of::<Box<Placed>>();

    /// The number of pages.
    #[cfg(feature = "baked")]
    pub(super) fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Shared blocks at `count` places. There is room for as many, if that is above the default.
    #[cfg(feature = "baked")]
    pub(super) fn of_shared(shared: Arc<Vec<Block>>, places: PageBuilder, count: u32) -> Self {
        let limit = count.max(BLOCK_LIMIT);
        Self { shared, pages: places.finish(), count, limit, ..Self::default() }
    }

    /// A shared block, or the one that is all solid for `None`, at a place that has none.
    #[cfg(feature = "baked")]
    pub(super) fn put_shared(&mut self, at: [u32; 2], index: Option<u32>) {
        let index = index.map_or(FULL, |index| SHARED + index);
        self.count += u32::from(self.pages.set(at, index));
    }

    pub(super) fn limit(&self) -> u32 {
        self.limit
    }

    pub(super) fn set_limit(&mut self, limit: u32) {
        self.limit = limit;
    }

    pub(super) fn count_ones(&self) -> u64 {
        self.blocks().map(|(_, block)| block.count_ones()).sum()
    }

    /// The bytes of the blocks, and an estimate of those of the pages.
    pub(super) fn memory_bytes(&self) -> u64 {
        let blocks = self.blocks.capacity() * size_of::<Box<Placed>>()
            + self.blocks.len() * size_of::<Placed>()
            + self.shared.len() * size_of::<Block>();
        (blocks + self.pages.memory_bytes()) as u64
    }

    /// Moves the cell in column c and row r to column r and row c, for all cells.
    pub(super) fn transpose(&mut self) {
        self.pages = self.pages.transposed();
        for placed in &mut self.blocks {
            placed.at.reverse();
            placed.block.0.reverse();
        }
        let turned = self.shared.iter().map(|block| Block([block.0[1], block.0[0]]));
        self.shared = Arc::new(turned.collect());
    }

    /// Makes every cell of a rectangle solid or passable. O(blocks of the rectangle); to make it passable,
    /// O(blocks in it that are kept).
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
        let limit = u64::from(self.limit);
        if wanted > limit
            || (wanted + u64::from(self.count) > limit
                && wanted + self.count_outside(&columns, &rows) > limit)
        {
            return Err(self.too_many());
        }
        for row in down {
            for column in across.clone() {
                let at = [column, row];
                if covers(&columns, column) && covers(&rows, row) {
                    self.put(at, &Block::FULL)?;
                } else {
                    self.edit(at)?.fill(at, &columns, &rows, true);
                }
            }
        }
        Ok(())
    }

    /// Makes every cell of a rectangle passable, and gives the memory back.
    pub(super) fn clear(&mut self, columns: &Range<u32>, rows: &Range<u32>) {
        let touched = self.within(Axis::X, columns, rows);
        let touched: Vec<[u32; 2]> = touched.map(|(at, _)| at).collect();
        for at in touched {
            if covers(columns, at[0]) && covers(rows, at[1]) {
                self.remove(at);
            } else if let Ok(block) = self.edit(at) {
                block.fill(at, columns, rows, false);
                if block.is_empty() {
                    self.remove(at);
                }
            }
        }
        self.shrink();
    }

    /// Gives memory back if most of it is unused.
    fn shrink(&mut self) {
        self.pages.shrink();
        if self.blocks.capacity() / 8 > self.blocks.len() {
            self.blocks.shrink_to(self.blocks.len() * 2);
        }
    }

    /// Fails if [`Sparse::replace`] would leave too many blocks.
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`].
    pub(super) fn check_replaced(
        &self,
        columns: &Range<u32>,
        rows: &Range<u32>,
        others: &Self,
    ) -> Result<(), GridError> {
        let limit = u64::from(self.limit);
        if u64::from(self.count) + u64::from(others.count) <= limit {
            return Ok(());
        }
        // A block stays if it has a solid cell outside the rectangle.
        let left = |(at, block): &([u32; 2], &Block)| {
            let inside = block.count_in(*at, Axis::X, columns, rows);
            inside < block.count_ones()
        };
        let left = self.within(Axis::X, columns, rows).filter(left);
        let left = left.filter(|(at, _)| others.pages.find(*at).is_none()).count() as u64;
        let count = self.count_outside(columns, rows) + left + u64::from(others.count);
        if count <= limit { Ok(()) } else { Err(self.too_many()) }
    }

    /// Replaces the cells of a rectangle by those of other blocks, which lie inside it. It cannot fail after
    /// [`Sparse::check_replaced`].
    pub(super) fn replace(&mut self, columns: &Range<u32>, rows: &Range<u32>, others: &Self) {
        self.clear(columns, rows);
        for (at, block) in others.blocks() {
            let added = self.or_block(at, block);
            debug_assert!(added.is_ok(), "it was checked");
        }
    }

    /// Sets every cell of a block that is set in `rows`; at least one must be.
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`], before anything is changed.
    pub(super) fn or(&mut self, at: [u32; 2], rows: &Words) -> Result<(), GridError> {
        self.or_block(at, &Block::from_rows(rows))
    }

    fn or_block(&mut self, at: [u32; 2], block: &Block) -> Result<(), GridError> {
        if block.is_full() || self.pages.find(at).is_none() {
            return self.put(at, block);
        }
        self.edit(at)?.or(block);
        Ok(())
    }

    /// The rows of the block at a place; `None` if no cell of it is solid.
    pub(super) fn rows_at(&self, at: [u32; 2]) -> Option<&Words> {
        self.pages.find(at).map(|index| self.block(index).rows())
    }

    /// Changes every cell of a block that is set in `rows` from solid to passable or back; at least one must
    /// be.
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`], before anything is changed.
    pub(super) fn flip(&mut self, at: [u32; 2], rows: &Words) -> Result<(), GridError> {
        let block = self.edit(at)?;
        block.flip(&Block::from_rows(rows));
        if block.is_empty() {
            self.remove(at);
            self.shrink();
        }
        Ok(())
    }

    /// The number of blocks that do not touch a rectangle.
    fn count_outside(&self, columns: &Range<u32>, rows: &Range<u32>) -> u64 {
        u64::from(self.count) - self.within(Axis::X, columns, rows).count() as u64
    }

    fn too_many(&self) -> GridError {
        GridError::TooManyBlocks { limit: self.limit }
    }
}

/// The store: blocks by index. All that reads or changes a block goes through these functions.
impl Sparse {
    #[inline(always)]
    fn block(&self, index: u32) -> &Block {
        match index.checked_sub(SHARED) {
            None => &self.blocks[index as usize].block,
            Some(index) => &self.shared[index as usize],
        }
    }

    /// The block at a place for a change; an empty one is added if there is none. The caller must leave a
    /// cell in it solid, or remove it.
    fn edit(&mut self, at: [u32; 2]) -> Result<&mut Block, GridError> {
        let index = match self.pages.find(at) {
            Some(FULL) => self.own(at, &Block::FULL),
            Some(index @ SHARED..) => self.own(at, &self.block(index).clone()),
            Some(index) => index,
            None if self.count >= self.limit => return Err(self.too_many()),
            None => self.own(at, &Block::EMPTY),
        };
        Ok(&mut self.blocks[index as usize].block)
    }

    /// Puts a block with a solid cell at a place, instead of the one that is there.
    fn put(&mut self, at: [u32; 2], block: &Block) -> Result<(), GridError> {
        match self.pages.find(at) {
            None if self.count >= self.limit => return Err(self.too_many()),
            Some(_) => self.remove(at),
            None => {}
        }
        if block.is_full() {
            self.count += u32::from(self.pages.set(at, FULL));
        } else {
            self.own(at, block);
        }
        Ok(())
    }

    /// Adds a copy of a block for a place, and returns its index.
    fn own(&mut self, at: [u32; 2], block: &Block) -> u32 {
        let index = self.blocks.len() as u32;
        self.blocks.push(Box::new(Placed { at, block: block.clone() }));
        self.count += u32::from(self.pages.set(at, index));
        index
    }

    /// Takes the block at a place out. The last block takes its index.
    fn remove(&mut self, at: [u32; 2]) {
        let Some(index) = self.pages.find(at) else {
            return;
        };
        self.pages.remove(at);
        self.count -= 1;
        if index != FULL && index < SHARED {
            self.blocks.swap_remove(index as usize);
            if let Some(moved) = self.blocks.get(index as usize) {
                self.pages.set(moved.at, index);
            }
        }
    }
}

/// True if a range of cells covers the whole block at a place on its axis.
fn covers(range: &Range<u32>, at: u32) -> bool {
    let start = u64::from(at) * u64::from(SIDE);
    u64::from(range.start) <= start && start + u64::from(SIDE) <= u64::from(range.end)
}

#[cfg(test)]
mod tests;
