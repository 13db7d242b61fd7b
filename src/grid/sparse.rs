//! Stores the bits of a sparse grid: only the blocks of 64 x 64 cells that have a solid cell. A block stores
//! its bits twice, as columns and as rows. The place of a block is its block column and block row. A hash
//! table finds the block at a place; a query of a long rectangle reads a sorted set of places instead, and so
//! skips empty space. A `Sparse` does not know the size of its grid, so ranges must not be empty and must be
//! inside the grid.

use std::collections::{BTreeSet, HashMap};
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use super::GridError;
use super::block::{ALL, Changed, NONE, change, rectangle};
use super::plane::{SIDE, Words, transpose_block};
use super::words::MetCell;
use crate::geometry::{Axis, Dir};

/// The default block limit: 2^16 blocks. They have 2^28 cells, and take 64 MiB and up to 6 MiB for their
/// places.
pub(super) const BLOCK_LIMIT: u32 = 1 << 16;

/// The largest number of block columns (or block rows) that a query tries one by one. In a longer range, a
/// search of the sorted sets `orders` is faster.
const FEW: u32 = 16;

#[derive(Clone)]
pub(super) struct Sparse {
    /// The block at each place, by [`key`]; `None` for a block whose cells are all solid.
    blocks: HashMap<u64, Option<Box<Block>>, BuildHasherDefault<PlaceHasher>>,
    /// The places of all blocks in two orders: by block column and then block row, and by block row and then
    /// block column.
    orders: [BTreeSet<[u32; 2]>; 2],
    /// The block limit.
    pub(super) limit: u32,
}

impl Default for Sparse {
    fn default() -> Self {
        Self { blocks: HashMap::default(), orders: Default::default(), limit: BLOCK_LIMIT }
    }
}

impl Sparse {
    /// Returns the largest memory in bytes that a block with these rows takes while blocks are added. A
    /// growing hash table takes up to 58 bytes, and the two sorted sets with half-full nodes up to 52.
    #[cfg(feature = "baked")]
    pub(super) fn block_bytes(rows: &Words) -> u64 {
        let bits = if *rows == ALL { 0 } else { size_of::<Block>() };
        (58 + 52 + bits) as u64
    }

    /// Returns the number of blocks that have a solid cell.
    pub(super) fn block_count(&self) -> u64 {
        self.blocks.len() as u64
    }

    pub(super) fn count_ones(&self) -> u64 {
        self.blocks().map(|(_, block)| block.count_ones()).sum()
    }

    pub(super) fn memory_bytes(&self) -> u64 {
        const ORDERED: usize = 2 * size_of::<[u32; 2]>() + 4;
        const HASHED: usize = size_of::<(u64, Option<Box<Block>>)>() + 1;
        let mixed = self.blocks.values().flatten().count();
        let places = self.blocks.len() * 2 * ORDERED + self.blocks.capacity() * HASHED;
        (places + mixed * size_of::<Block>()) as u64
    }

    pub(super) fn transposed(&self) -> Self {
        let mut turned = self.clone();
        turned.orders.reverse();
        turned.blocks.clear();
        for (place, block) in &self.blocks {
            let block = block.as_ref().map(|block| {
                let [columns, rows] = block.0;
                Box::new(Block([rows, columns]))
            });
            turned.blocks.insert(place.rotate_left(32), block);
        }
        turned
    }

    /// Makes a rectangle solid or passable, and returns the smallest rectangle around the changed cells. On
    /// [`GridError::TooManyBlocks`] nothing has changed.
    pub(super) fn fill(
        &mut self,
        columns: &Range<u32>,
        rows: &Range<u32>,
        solid: bool,
    ) -> Result<Option<Changed>, GridError> {
        let mut places = self.places_in(columns, rows);
        if solid {
            let across = Steps::of(columns, true);
            let down = Steps::of(rows, true);
            let outside = self.block_count() - places.len() as u64;
            if across.count() * down.count() + outside > u64::from(self.limit) {
                return Err(self.too_many());
            }
            places.clear();
            for row in down.low..=down.high {
                places.extend((across.low..=across.high).map(|column| [column, row]));
            }
        }
        let mut changed = None;
        for at in places {
            let cells = self.write(at, &rectangle(at, columns, rows), solid)?;
            let corner = glam::UVec2::from(at) * SIDE;
            changed = Changed::hull(changed, Changed::of(cells.into_iter(), corner));
        }
        Ok(changed)
    }

    /// Makes the cells of `mask` solid or passable, and returns the cells that changed. `mask` has the rows
    /// of the block at block column and row `at`. On [`GridError::TooManyBlocks`] nothing has changed.
    pub(super) fn write(
        &mut self,
        at: [u32; 2],
        mask: &Words,
        solid: bool,
    ) -> Result<Words, GridError> {
        let old = self.get(at);
        let is_new = old.is_none();
        let mut rows = old.map_or(NONE, |block| *block.rows());
        let changed = change(&mut rows, mask, solid);
        if changed == NONE {
            return Ok(changed);
        }
        if is_new && self.block_count() >= u64::from(self.limit) {
            return Err(self.too_many());
        }
        let [column, row] = at;
        if rows == NONE {
            self.blocks.remove(&key(at));
            self.orders[Axis::X.index()].remove(&[column, row]);
            self.orders[Axis::Y.index()].remove(&[row, column]);
            if self.blocks.capacity() / 8 > self.blocks.len() {
                self.blocks.shrink_to(self.blocks.len() * 2);
            }
            return Ok(changed);
        }
        let block = (rows != ALL).then(|| Box::new(Block::from_rows(&rows)));
        self.blocks.insert(key(at), block);
        if is_new {
            self.orders[Axis::X.index()].insert([column, row]);
            self.orders[Axis::Y.index()].insert([row, column]);
        }
        Ok(changed)
    }

    /// Returns the number of blocks of this grid after its cells in a rectangle are replaced: they become
    /// passable but for new solid cells in the blocks that `has_new` confirms.
    pub(super) fn count_replaced(
        &self,
        columns: &Range<u32>,
        rows: &Range<u32>,
        has_new: impl Fn([u32; 2]) -> bool,
    ) -> u64 {
        let mut left = self.block_count();
        for at in self.places_in(columns, rows) {
            let inside = rectangle(at, columns, rows);
            let is_cleared = self.get(at).is_some_and(|block| {
                block.rows().iter().zip(inside).all(|(row, inside)| row & !inside == 0)
            });
            if is_cleared || has_new(at) {
                left -= 1;
            }
        }
        left
    }

    pub(super) fn too_many(&self) -> GridError {
        GridError::TooManyBlocks { limit: self.limit }
    }
}

/// A block of 64 x 64 cells: its columns, then its rows, in the order of [`Axis::index`].
#[derive(Clone)]
pub(super) struct Block([Words; 2]);

static FULL: Block = Block([ALL; 2]);

impl Block {
    fn from_rows(rows: &Words) -> Self {
        let mut columns = *rows;
        transpose_block(&mut columns);
        Self([columns, *rows])
    }

    pub(super) fn rows(&self) -> &Words {
        &self.0[Axis::Y.index()]
    }

    fn count_ones(&self) -> u64 {
        self.rows().iter().map(|row| u64::from(row.count_ones())).sum()
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
    ) -> Option<MetCell> {
        let axis = dir.axis().index();
        let cross = dir.axis().other().index();
        let lines = part(at[axis], lines);
        let mask = mask(&part(at[cross], places));
        for number in 0..lines.end - lines.start {
            let rises = dir.is_positive();
            let line = if rises { lines.start + number } else { lines.end - 1 - number };
            let word = self.0[axis][line as usize & (SIDE as usize - 1)] & mask;
            if word != 0 {
                let place = at[cross] * SIDE + word.trailing_zeros();
                return Some(MetCell { line: at[axis] * SIDE + line, place });
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

/// Adjacent block columns or block rows, and the order in which a query visits them.
#[derive(Clone, Copy)]
struct Steps {
    low: u32,
    high: u32,
    rises: bool,
}

impl Steps {
    /// Creates the steps over the blocks that have a cell in `range`.
    #[inline(always)]
    fn of(range: &Range<u32>, rises: bool) -> Self {
        Self { low: range.start / SIDE, high: (range.end - 1) / SIDE, rises }
    }

    fn count(self) -> u64 {
        u64::from(self.high - self.low) + 1
    }

    #[inline(always)]
    fn is_short(self) -> bool {
        self.high - self.low < FEW
    }

    #[inline(always)]
    fn first(self) -> u32 {
        if self.rises { self.low } else { self.high }
    }

    /// Returns the steps after step `at`; `None` if it is the last one.
    #[inline(always)]
    fn after(self, at: u32) -> Option<Self> {
        if self.rises {
            (at < self.high).then_some(Self { low: at + 1, ..self })
        } else {
            (at > self.low).then(|| Self { high: at - 1, ..self })
        }
    }
}

impl Sparse {
    /// Returns all blocks with their block columns and block rows, row by row, and from the left in each row.
    pub(super) fn blocks(&self) -> impl Iterator<Item = ([u32; 2], &Block)> {
        let places = self.orders[Axis::Y.index()].iter().map(|[row, column]| [*column, *row]);
        places.filter_map(|at| Some((at, self.get(at)?)))
    }

    #[inline(always)]
    pub(super) fn get(&self, at: [u32; 2]) -> Option<&Block> {
        self.blocks.get(&key(at)).map(|block| block.as_deref().unwrap_or(&FULL))
    }

    /// Returns the 64 cells of `row` in the block column `column`. Bit 0 is the first cell.
    pub(super) fn row_word(&self, column: u32, row: u32) -> u64 {
        let block = self.get([column, row / SIDE]);
        block.map_or(0, |block| block.rows()[(row % SIDE) as usize])
    }

    /// Returns the number of solid cells in a rectangle.
    pub(super) fn count_in(&self, columns: &Range<u32>, rows: &Range<u32>) -> u64 {
        let mut count = 0;
        for at in self.places_in(columns, rows) {
            if let Some(block) = self.get(at) {
                count += block.count_in(at, Axis::Y, rows, columns);
            }
        }
        count
    }

    /// Returns true if a cell in a rectangle is solid. `lines` are columns if `axis` is x, or rows if it is
    /// y; `places` is the range on the other axis.
    pub(super) fn any_solid(&self, axis: Axis, lines: Range<u32>, places: Range<u32>) -> bool {
        // The axis with fewer lines has fewer words.
        let is_turned = lines.len() > places.len();
        let axis = if is_turned { axis.other() } else { axis };
        let [lines, places] = if is_turned { [places, lines] } else { [lines, places] };
        let along = Steps::of(&lines, true);
        let across = Steps::of(&places, true);
        if along.is_short() && across.is_short() {
            // A body's motion mostly touches one to four blocks, in one or two rows. A processor foresees the
            // end of one loop better than those of two.
            let mut line = along.low;
            let mut place = across.low;
            while line <= along.high {
                let at = axis.xy(line, place);
                if self.get(at).is_some_and(|block| block.any(at, axis, &lines, &places)) {
                    return true;
                }
                let is_last = place == across.high;
                place = if is_last { across.low } else { place + 1 };
                line += u32::from(is_last);
            }
            return false;
        }
        self.lines(axis, along).any(|line| {
            let mut blocks = self.on_line(axis, line, across);
            blocks.any(|(at, block)| block.any(at, axis, &lines, &places))
        })
    }

    /// Returns the first solid cell that an edge meets while it moves toward `dir` over the rectangle `lines`
    /// x `places`. `lines` are the columns (for motions up and down: rows) that the edge passes.
    // Inlined, it would make the dense road save more registers.
    #[inline(never)]
    pub(super) fn first_solid(
        &self,
        dir: Dir,
        lines: Range<u32>,
        places: Range<u32>,
    ) -> Option<MetCell> {
        let axis = dir.axis();
        let along = Steps::of(&lines, dir.is_positive());
        let across = Steps::of(&places, true);
        let mut best: Option<MetCell> = None;
        if lines.len() <= places.len() {
            for line in self.lines(axis, along) {
                for (at, block) in self.on_line(axis, line, across) {
                    best = sooner(dir, best, block.first(at, dir, &lines, &places));
                }
                // Blocks farther along the motion cannot have a cell that the edge meets earlier.
                if best.is_some() {
                    break;
                }
            }
            return best;
        }
        // If the rectangle is longer along the motion than across it, the search goes along the whole motion
        // in one row or column of blocks, and then in the next.
        for line in self.lines(axis.other(), across) {
            for (at, block) in self.on_line(axis.other(), line, along) {
                let hit = block.first(at, dir, &lines, &places);
                best = sooner(dir, best, hit);
                if hit.is_some() {
                    break;
                }
            }
        }
        best
    }

    /// Returns the block columns and rows of all blocks that touch a rectangle.
    pub(super) fn places_in(&self, columns: &Range<u32>, rows: &Range<u32>) -> Vec<[u32; 2]> {
        let mut found = Vec::new();
        let by_rows = rows.len() <= columns.len();
        let axis = if by_rows { Axis::Y } else { Axis::X };
        let [lines, places] = if by_rows { [rows, columns] } else { [columns, rows] };
        for line in self.lines(axis, Steps::of(lines, true)) {
            found.extend(self.on_line(axis, line, Steps::of(places, true)).map(|(at, _)| at));
        }
        found
    }

    /// Returns each of `steps` at which there may be a block. They are block columns if `axis` is x, or block
    /// rows if it is y.
    #[inline(always)]
    fn lines(&self, axis: Axis, steps: Steps) -> impl Iterator<Item = u32> {
        let mut rest = Some(steps);
        std::iter::from_fn(move || {
            let steps = rest?;
            let line = if steps.is_short() {
                steps.first()
            } else {
                self.next_place(axis, [steps.low, 0], [steps.high, u32::MAX], steps.rises)?[0]
            };
            rest = steps.after(line);
            Some(line)
        })
    }

    /// Returns each block of the block column `line` if `axis` is x, or of the block row `line` if it is y,
    /// in the order of `steps`, with its block column and row.
    #[inline(always)]
    fn on_line(
        &self,
        axis: Axis,
        line: u32,
        steps: Steps,
    ) -> impl Iterator<Item = ([u32; 2], &Block)> {
        let mut rest = Some(steps);
        std::iter::from_fn(move || {
            while let Some(steps) = rest {
                let place = if steps.is_short() {
                    steps.first()
                } else {
                    self.next_place(axis, [line, steps.low], [line, steps.high], steps.rises)?[1]
                };
                rest = steps.after(place);
                let at = axis.xy(line, place);
                if let Some(block) = self.get(at) {
                    return Some((at, block));
                }
            }
            None
        })
    }

    /// Returns the first place from `low` to `high`, or the last one if `rises` is false, in the order of
    /// `axis`.
    #[cold]
    fn next_place(
        &self,
        axis: Axis,
        low: [u32; 2],
        high: [u32; 2],
        rises: bool,
    ) -> Option<[u32; 2]> {
        let mut places = self.orders[axis.index()].range(low..=high);
        (if rises { places.next() } else { places.next_back() }).copied()
    }
}

/// Returns the cell that an edge meets first while it moves toward `dir`: `one`, or `other` if it is on an
/// earlier line.
fn sooner(dir: Dir, one: Option<MetCell>, other: Option<MetCell>) -> Option<MetCell> {
    match (one, other) {
        (Some(one), Some(other)) if dir.is_positive() => {
            Some(if other.line < one.line { other } else { one })
        }
        (Some(one), Some(other)) => Some(if other.line > one.line { other } else { one }),
        _ => one.or(other),
    }
}

#[inline(always)]
fn key([column, row]: [u32; 2]) -> u64 {
    u64::from(row) << 32 | u64::from(column)
}

/// Hashes a place with one multiplication: std's hasher would double the time of a query. The upper half of
/// the product depends on all bits, so it is folded into the lower half. The number of blocks is limited, so
/// a hostile file cannot make lookups slow.
#[derive(Clone, Copy, Default)]
struct PlaceHasher(u64);

impl Hasher for PlaceHasher {
    #[inline(always)]
    fn write_u64(&mut self, key: u64) {
        let product = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = product ^ product >> 32;
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64(self.0 ^ u64::from(*byte));
        }
    }

    #[inline(always)]
    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests;
