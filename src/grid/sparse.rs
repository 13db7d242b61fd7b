//! Stores the bits of a sparse grid: only the blocks of 64 x 64 cells that have a solid cell. A block stores
//! its bits twice, as columns and as rows. The position of a block (a place) is its block column and block
//! row. The directory `pages` has the index of the block at each place. Places with equal cells may share a
//! block. A `Sparse` does not know the size of its grid, so ranges must not be empty and must be inside the
//! grid.

mod pages;

#[cfg(feature = "baked")]
pub(super) use pages::{PAGE_BYTES, PageBuilder};

use std::ops::{ControlFlow, Range, RangeInclusive};
use std::sync::Arc;

use pages::{PAGE, Page, Pages, bits, pages_of};

use super::GridError;
use super::plane::transpose_block;
use super::plane::{SIDE, Words};
use super::words::Hit;
use crate::geometry::{Axis, Dir};

/// The default block limit: 2^16 blocks. They have 2^28 cells, and take 64 MiB and up to 24 MiB of directory
/// pages.
pub(super) const BLOCK_LIMIT: u32 = 1 << 16;

/// The index of the block whose cells are all solid.
pub(super) const FULL: u32 = 0;

pub(super) const SHARED: u32 = 1 << 31;

#[derive(Clone)]
pub(super) struct Sparse {
    /// The all-solid block at index [`FULL`], then all other blocks in any order. Each is stored with its
    /// block column and block row.
    #[expect(
        clippy::vec_box,
        reason = "a vector of 64 MiB would have half as much to spare, and twice as much while it grows"
    )]
    blocks: Vec<Box<Placed>>,
    /// The blocks that several positions and grids can share. The index [`SHARED`] + i is the block
    /// `shared[i]`. An edit copies a shared block.
    shared: Arc<Vec<Block>>,
    pages: Pages,
    /// The number of positions that have a block, including all-solid blocks.
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
    /// The number of bytes of a sparse grid without blocks of its own. The all-solid block is included.
    #[cfg(feature = "baked")]
    pub(super) const LEAST_BYTES: usize =
        size_of::<Self>() + size_of::<Placed>() + 4 * size_of::<Box<Placed>>();

    #[cfg(feature = "baked")]
    pub(super) fn page_count(&self) -> usize {
        self.pages.len()
    }

    /// Creates a sparse grid whose blocks are all in `shared`. `places` is the directory: the index of the
    /// block at each of `count` positions. The block limit of the grid is at least `count`.
    #[cfg(feature = "baked")]
    pub(super) fn of_shared(shared: Arc<Vec<Block>>, places: PageBuilder, count: u32) -> Self {
        let limit = count.max(BLOCK_LIMIT);
        Self { shared, pages: places.finish(), count, limit, ..Self::default() }
    }

    /// Puts a block at block column and row `at`, which must have no block. It is the shared block `index`,
    /// or the all-solid block if `index` is `None`.
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
        self.blocks().iter().map(|(_, block)| block.count_ones()).sum()
    }

    pub(super) fn memory_bytes(&self) -> u64 {
        let blocks = self.blocks.capacity() * size_of::<Box<Placed>>()
            + self.blocks.len() * size_of::<Placed>()
            + self.shared.len() * size_of::<Block>();
        (blocks + self.pages.memory_bytes()) as u64
    }

    pub(super) fn transpose(&mut self) {
        self.pages = self.pages.transposed();
        for placed in &mut self.blocks {
            placed.at.reverse();
            placed.block.0.reverse();
        }
        let turned = self.shared.iter().map(|block| Block([block.0[1], block.0[0]]));
        self.shared = Arc::new(turned.collect());
    }

    /// Makes a rectangle solid or passable. On [`GridError::TooManyBlocks`] nothing has changed.
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
        // Counting blocks is slow, and the first two tests avoid it in most cases.
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

    pub(super) fn clear(&mut self, columns: &Range<u32>, rows: &Range<u32>) {
        let mut touched = Vec::new();
        self.visit(Axis::X, columns, rows, &mut |at, _| touched.push(at));
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

    fn shrink(&mut self) {
        self.pages.shrink();
        if self.blocks.capacity() / 8 > self.blocks.len() {
            self.blocks.shrink_to(self.blocks.len() * 2);
        }
    }

    /// Returns an error if [`Sparse::replace`] with the same arguments would leave this grid with more blocks
    /// than its block limit.
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
        let mut left = 0;
        self.visit(Axis::X, columns, rows, &mut |at, block| {
            // A block remains if it has a solid cell outside the rectangle.
            let stays = block.count_in(at, Axis::X, columns, rows) < block.count_ones();
            left += u64::from(stays && others.pages.find(at).is_none());
        });
        let count = self.count_outside(columns, rows) + left + u64::from(others.count);
        if count <= limit { Ok(()) } else { Err(self.too_many()) }
    }

    /// Replaces a rectangle of cells with the solid cells of the grid `others`, which lie at the same columns
    /// and rows and all inside the rectangle. Call [`Sparse::check_replaced`] first: a change beyond the
    /// block limit would leave cells out.
    pub(super) fn replace(&mut self, columns: &Range<u32>, rows: &Range<u32>, others: &Self) {
        self.clear(columns, rows);
        for (at, block) in others.blocks() {
            let added = self.or_block(at, block);
            debug_assert!(added.is_ok(), "it was checked");
        }
    }

    /// Makes the cells solid whose bits are set in `rows` (at least one), in the block at block column and
    /// row `at`. Returns the errors of [`Sparse::fill`].
    pub(super) fn or(&mut self, at: [u32; 2], rows: &Words) -> Result<(), GridError> {
        self.or_block(at, &Block::from_rows(rows))
    }

    fn or_block(&mut self, at: [u32; 2], block: &Block) -> Result<(), GridError> {
        if block.is_full() || self.pages.find(at).is_none() {
            return self.put(at, block);
        }
        self.edit(at)?.combine(block, |line, added| line | added);
        Ok(())
    }

    /// Returns the rows of the block at block column and row `at`; `None` if there is no solid cell.
    pub(super) fn rows_at(&self, at: [u32; 2]) -> Option<&Words> {
        self.pages.find(at).map(|index| self.block(index).rows())
    }

    /// Flips the cells whose bits are set in `rows` (at least one), in the block at block column and row
    /// `at`. Returns the errors of [`Sparse::fill`].
    pub(super) fn flip(&mut self, at: [u32; 2], rows: &Words) -> Result<(), GridError> {
        let block = self.edit(at)?;
        block.combine(&Block::from_rows(rows), |line, flips| line ^ flips);
        if block.is_empty() {
            self.remove(at);
            self.shrink();
        }
        Ok(())
    }

    fn count_outside(&self, columns: &Range<u32>, rows: &Range<u32>) -> u64 {
        let mut outside = u64::from(self.count);
        self.visit(Axis::X, columns, rows, &mut |_, _| outside -= 1);
        outside
    }

    fn too_many(&self) -> GridError {
        GridError::TooManyBlocks { limit: self.limit }
    }
}

impl Sparse {
    #[inline(always)]
    fn block(&self, index: u32) -> &Block {
        match index.checked_sub(SHARED) {
            None => &self.blocks[index as usize].block,
            Some(index) => &self.shared[index as usize],
        }
    }

    /// Returns the block at block column and row `at` for changes. Adds an empty block if there is none, and
    /// copies a shared block. The caller must leave a solid cell in the block, or remove the block.
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

    /// Puts `block` at block column and row `at`, and drops the block that was there. `block` must have a
    /// solid cell.
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

    fn own(&mut self, at: [u32; 2], block: &Block) -> u32 {
        let index = self.blocks.len() as u32;
        self.blocks.push(Box::new(Placed { at, block: block.clone() }));
        self.count += u32::from(self.pages.set(at, index));
        index
    }

    /// Removes the block at block column and row `at`. The last block of `blocks` moves to the index of the
    /// removed block.
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

fn covers(range: &Range<u32>, at: u32) -> bool {
    let start = u64::from(at) * u64::from(SIDE);
    u64::from(range.start) <= start && start + u64::from(SIDE) <= u64::from(range.end)
}

/// A block of 64 x 64 cells: its columns, then its rows, in the order of [`Axis::index`].
#[derive(Clone)]
pub(in crate::grid) struct Block(pub(in crate::grid) [Words; 2]);

impl Block {
    pub(in crate::grid) const EMPTY: Self = Self([[0; SIDE as usize]; 2]);

    pub(in crate::grid) const FULL: Self = Self([[u64::MAX; SIDE as usize]; 2]);

    fn from_rows(rows: &Words) -> Self {
        let mut columns = *rows;
        transpose_block(&mut columns);
        Self([columns, *rows])
    }

    pub(in crate::grid) fn rows(&self) -> &Words {
        &self.0[Axis::Y.index()]
    }

    #[cfg(feature = "baked")]
    pub(in crate::grid) fn columns(&self) -> &Words {
        &self.0[Axis::X.index()]
    }

    fn is_empty(&self) -> bool {
        *self.rows() == [0; SIDE as usize]
    }

    fn is_full(&self) -> bool {
        *self.rows() == [u64::MAX; SIDE as usize]
    }

    fn count_ones(&self) -> u64 {
        self.rows().iter().map(|row| u64::from(row.count_ones())).sum()
    }

    /// Replaces each word `w` of this block with `change(w, v)`, where `v` is the same word of `other`.
    fn combine(&mut self, other: &Self, change: fn(u64, u64) -> u64) {
        for (lines, others) in self.0.iter_mut().zip(&other.0) {
            for (line, other) in lines.iter_mut().zip(others) {
                *line = change(*line, *other);
            }
        }
    }

    fn fill(
        &mut self,
        [column, row]: [u32; 2],
        columns: &Range<u32>,
        rows: &Range<u32>,
        solid: bool,
    ) {
        let (columns, rows) = (part(column, columns), part(row, rows));
        for (lines, (part, places)) in self.0.iter_mut().zip([(&columns, &rows), (&rows, &columns)])
        {
            let mask = mask(places);
            for word in &mut lines[part.start as usize..part.end as usize] {
                *word = if solid { *word | mask } else { *word & !mask };
            }
        }
    }

    /// Returns true if this block, at block column and row `at`, has a solid cell in a rectangle of the grid.
    /// `lines` are columns if `axis` is x, or rows if it is y; `places` is the range on the other axis.
    #[inline(always)]
    fn any(&self, at: [u32; 2], axis: Axis, lines: &Range<u32>, places: &Range<u32>) -> bool {
        let (words, mask) = self.words(at, axis, lines, places);
        words.iter().fold(0, |joined, word| joined | word) & mask != 0
    }

    /// Returns the number of solid cells of this block, at block column and row `at`, in a rectangle of the
    /// grid. `lines` are columns if `axis` is x, or rows if it is y; `places` is the range on the other axis.
    fn count_in(&self, at: [u32; 2], axis: Axis, lines: &Range<u32>, places: &Range<u32>) -> u64 {
        let (words, mask) = self.words(at, axis, lines, places);
        words.iter().map(|word| u64::from((word & mask).count_ones())).sum()
    }

    /// Returns the words of this block, at block column and row `at`, for `lines`, and a mask of their bits
    /// in `places`. `lines` are columns of the grid if `axis` is x, or rows if it is y.
    #[inline(always)]
    fn words(
        &self,
        at: [u32; 2],
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> (&[u64], u64) {
        let lines = part(at[axis.index()], lines);
        let places = part(at[1 - axis.index()], places);
        let words = &self.0[axis.index()][lines.start as usize..lines.end as usize];
        (words, mask(&places))
    }

    /// Returns the first solid cell of this block that an edge meets while it moves toward `dir` over the
    /// rectangle `lines` x `places`; `None` if there is none. `lines` are the columns (for motions up and
    /// down: rows) that the edge passes. If the edge meets several cells at once, returns the cell with the
    /// smallest index in `places`. The block is at block column and row `at`.
    #[inline]
    fn first(
        &self,
        at: [u32; 2],
        dir: Dir,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> Option<Hit> {
        let (axis, cross) = (dir.axis().index(), dir.axis().other().index());
        let (lines, mask) = (part(at[axis], lines), mask(&part(at[cross], places)));
        for number in 0..lines.end - lines.start {
            let rises = dir.is_positive();
            let line = if rises { lines.start + number } else { lines.end - 1 - number };
            let word = self.0[axis][line as usize & (SIDE as usize - 1)] & mask;
            if word != 0 {
                let place = at[cross] * SIDE + word.trailing_zeros();
                return Some(Hit { line: at[axis] * SIDE + line, place });
            }
        }
        None
    }
}

/// Returns the part of `range` inside the block with block column (or block row) `at`, counted from the
/// block's first cell.
#[inline(always)]
fn part(at: u32, range: &Range<u32>) -> Range<u32> {
    let start = at * SIDE;
    range.start.saturating_sub(start)..(range.end - start).min(SIDE)
}

#[inline(always)]
fn mask(part: &Range<u32>) -> u64 {
    (u64::MAX << part.start) & (u64::MAX >> (SIDE - part.end))
}

impl Sparse {
    /// Returns all blocks with their block columns and block rows, row by row, and from the left in each row.
    pub(in crate::grid) fn blocks(&self) -> Vec<([u32; 2], &Block)> {
        let mut blocks = Vec::with_capacity(self.count as usize);
        let places: Vec<[u32; 2]> = self.pages.places().collect();
        for line in places.chunk_by(|one, other| one[1] == other[1]) {
            for row in 0..PAGE {
                for at in line {
                    let Some(page) = self.pages.get(*at) else { continue };
                    for bit in bits(page.used & (0xff << (row * PAGE))) {
                        blocks.push((block_at(*at, bit), self.block(page.index(bit))));
                    }
                }
            }
        }
        blocks
    }

    pub(in crate::grid) fn get(&self, column: u32, row: u32) -> bool {
        self.row_word(column / SIDE, row) >> (column % SIDE) & 1 != 0
    }

    /// Returns the 64 cells of `row` in the block column `column`. Bit 0 is the first cell.
    pub(in crate::grid) fn row_word(&self, column: u32, row: u32) -> u64 {
        let index = self.pages.find([column, row / SIDE]);
        index.map_or(0, |index| self.block(index).rows()[(row % SIDE) as usize])
    }

    /// Returns the number of solid cells in a rectangle. `lines` are columns if `axis` is x, or rows if it is
    /// y; `places` is the range on the other axis.
    pub(in crate::grid) fn count_in(
        &self,
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> u64 {
        let mut count = 0;
        self.visit(axis, lines, places, &mut |at, block| {
            count += block.count_in(at, axis, lines, places);
        });
        count
    }

    /// Returns true if a cell in a rectangle is solid. `lines` are columns if `axis` is x, or rows if it is
    /// y; `places` is the range on the other axis.
    pub(in crate::grid) fn any_solid(
        &self,
        axis: Axis,
        lines: Range<u32>,
        places: Range<u32>,
    ) -> bool {
        let (axis, lines, places) = by_fewer_lines(axis, &lines, &places);
        let (line_blocks, place_blocks) = (blocks_of(lines), blocks_of(places));
        let (line_pages, place_pages) = (pages_of(&line_blocks), pages_of(&place_blocks));
        let any_in_page = |at: [u32; 2], page: &Page| {
            let mask = pages::mask(at, axis, &line_blocks, &place_blocks);
            bits(page.used & mask)
                .any(|bit| self.block(page.index(bit)).any(block_at(at, bit), axis, lines, places))
        };
        // In nine of ten cases, one page of the directory has all blocks that a body's motion sweeps.
        if line_pages.start() == line_pages.end() && place_pages.start() == place_pages.end() {
            let at = axis.xy(*line_pages.start(), *place_pages.start());
            return self.pages.get(at).is_some_and(|page| any_in_page(at, page));
        }
        let mut visit = |at: [u32; 2], page: &Page| match any_in_page(at, page) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        self.pages.visit(axis, (&line_pages, true), (&place_pages, true), &mut visit).is_break()
    }

    /// Returns the first solid cell that an edge meets while it moves toward `dir` over the rectangle `lines`
    /// x `places`. `lines` are the columns (for motions up and down: rows) that the edge passes.
    pub(in crate::grid) fn first_solid(
        &self,
        dir: Dir,
        lines: Range<u32>,
        places: Range<u32>,
    ) -> Option<Hit> {
        let (axis, cross) = (dir.axis(), dir.axis().other());
        let (line_blocks, place_blocks) = (blocks_of(&lines), blocks_of(&places));
        let (line_pages, place_pages) = (pages_of(&line_blocks), pages_of(&place_blocks));
        if line_pages.start() == line_pages.end() && place_pages.start() == place_pages.end() {
            let at = axis.xy(*line_pages.start(), *place_pages.start());
            return self.first_in_page(at, self.pages.get(at)?, dir, &lines, &places);
        }
        let mut best: Option<([u32; 2], Hit)> = None;
        let mut visit = |at: [u32; 2], page: &Page| {
            // Pages farther along the motion cannot have a cell that the edge meets earlier.
            if best.is_some_and(|(first, _)| first[axis.index()] != at[axis.index()]) {
                return ControlFlow::Break(());
            }
            if let Some(hit) = self.first_in_page(at, page, dir, &lines, &places)
                && best.is_none_or(|(_, best)| is_sooner(dir, &hit, &best))
            {
                best = Some((at, hit));
            }
            ControlFlow::Continue(())
        };
        let rise = dir.is_positive();
        if lines.len() <= places.len() {
            let _ = self.pages.visit(axis, (&line_pages, rise), (&place_pages, true), &mut visit);
            return best.map(|(_, hit)| hit);
        }
        // If the rectangle is longer along the motion than across it, the search goes along the whole motion
        // in one row or column of pages, and then in the next.
        let mut best: Option<Hit> = None;
        let (mut first, last) = (*place_pages.start(), *place_pages.end());
        while let Some(line) = self.pages.next_line(cross, first..=last, true) {
            let mut visit = |at: [u32; 2], page: &Page| {
                let Some(hit) = self.first_in_page(at, page, dir, &lines, &places) else {
                    return ControlFlow::Continue(());
                };
                if best.is_none_or(|best| is_sooner(dir, &hit, &best)) {
                    best = Some(hit);
                }
                ControlFlow::Break(())
            };
            let _ =
                self.pages.visit(cross, (&(line..=line), true), (&line_pages, rise), &mut visit);
            if line == last {
                break;
            }
            first = line + 1;
        }
        best
    }

    fn first_in_page(
        &self,
        at: [u32; 2],
        page: &Page,
        dir: Dir,
        lines: &Range<u32>,
        places: &Range<u32>,
    ) -> Option<Hit> {
        let axis = dir.axis();
        let within = page.used & pages::mask(at, axis, &blocks_of(lines), &blocks_of(places));
        let mut best: Option<Hit> = None;
        for number in 0..if within == 0 { 0 } else { PAGE } {
            let line = if dir.is_positive() { number } else { PAGE - 1 - number };
            let line = at[axis.index()] * PAGE + line;
            let on_line = within & pages::mask(at, axis, &(line..=line), &(0..=u32::MAX));
            for bit in bits(on_line) {
                let hit = self.block(page.index(bit)).first(block_at(at, bit), dir, lines, places);
                // The blocks are visited in ascending order across the motion. So of two cells that the edge
                // meets at once, the first one found is right.
                if let Some(hit) = hit
                    && best.is_none_or(|best| is_sooner(dir, &hit, &best))
                {
                    best = Some(hit);
                }
            }
            if best.is_some() {
                break;
            }
        }
        best
    }

    /// Calls `visit` with each block that touches the rectangle `lines` x `places`, and with its block column
    /// and row. `lines` are columns if `axis` is x, or rows if it is y. Takes O(visited blocks + rows or
    /// columns of pages in the rectangle, whichever are fewer).
    fn visit(
        &self,
        axis: Axis,
        lines: &Range<u32>,
        places: &Range<u32>,
        visit: &mut dyn FnMut([u32; 2], &Block),
    ) {
        let (axis, lines, places) = by_fewer_lines(axis, lines, places);
        let (lines, places) = (blocks_of(lines), blocks_of(places));
        let mut each = |at: [u32; 2], page: &Page| {
            for bit in bits(page.used & pages::mask(at, axis, &lines, &places)) {
                visit(block_at(at, bit), self.block(page.index(bit)));
            }
            ControlFlow::Continue(())
        };
        let (lines, places) = (pages_of(&lines), pages_of(&places));
        let _ = self.pages.visit(axis, (&lines, true), (&places, true), &mut each);
    }
}

/// Returns true if an edge that moves toward `dir` meets the column or row of `one` before the column or row
/// of `other`.
fn is_sooner(dir: Dir, one: &Hit, other: &Hit) -> bool {
    if dir.is_positive() { one.line < other.line } else { one.line > other.line }
}

/// Describes a rectangle by its columns or by its rows, whichever are fewer: swaps `lines` and `places`, and
/// also the axis, if there are more lines than places.
#[inline(always)]
fn by_fewer_lines<'r>(
    axis: Axis,
    lines: &'r Range<u32>,
    places: &'r Range<u32>,
) -> (Axis, &'r Range<u32>, &'r Range<u32>) {
    if lines.len() > places.len() { (axis.other(), places, lines) } else { (axis, lines, places) }
}

/// Returns the block column and block row that bit number `bit` stands for in the page at page column
/// `column` and page row `row`.
#[inline(always)]
fn block_at([column, row]: [u32; 2], bit: u32) -> [u32; 2] {
    [column * PAGE + bit % PAGE, row * PAGE + bit / PAGE]
}

#[inline(always)]
fn blocks_of(range: &Range<u32>) -> RangeInclusive<u32> {
    range.start / SIDE..=(range.end - 1) / SIDE
}

#[cfg(test)]
mod tests;
