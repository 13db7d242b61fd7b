//! The grids of a baked level file. Each grid has a directory of its aligned blocks of 64 x 64 cells. Equal
//! blocks of all grids are stored only once.
//!
//! A directory is a list of 32-bit numbers. The first number is the count of blocks that have a solid cell.
//! After it comes a number for each block, row by row: 0 for an empty block, 1 for a full block, 2 + i for
//! block i of the file. If fewer than a third of the blocks have a solid cell, only these blocks are listed.
//! Each listed block has its block column and block row before its number. Blocks are numbered in the order
//! of their first use, so each level has exactly one encoding. A block is stored as its 64 rows of 8 bytes,
//! little-endian. Bit 0 is the first column.
//!
//! A file may be hostile, so a reader checks everything that it reads.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::Arc;

use glam::UVec2;

use super::builder::words_inside;
use super::plane::{Plane, transpose_block};
use super::plane::{SIDE, Words};
use super::sparse::{Block, PAGE_BYTES, PageBuilder, SHARED, Sparse};
use super::{Grid, GridError, sparse};

const BLOCK_BYTES: usize = 512;

/// The limit on the memory of all dense grids of one file, in bytes. A grid that would exceed it becomes
/// sparse. Without a limit, a short file could take much memory, because a directory need not list empty
/// blocks.
const MAX_PLANES: u64 = 32 << 20;

/// The largest number of cells of a dense grid. The memory of such a grid is allocated in a millisecond.
const MAX_DENSE_GRID: u64 = 1 << 24;

const EMPTY: u32 = 0;
const FULL: u32 = 1;
const FIRST: u32 = 2;

const ALL_CELLS: Words = [u64::MAX; SIDE as usize];

fn sides(size: UVec2) -> [u32; 2] {
    [size.x.div_ceil(SIDE), size.y.div_ceil(SIDE)]
}

fn is_list(count: u64, total: u64) -> bool {
    3 * count < total
}

#[derive(Default)]
pub(crate) struct BlockSet {
    numbers: HashMap<Words, u32>,
    blocks: Vec<u8>,
}

impl BlockSet {
    /// Adds the blocks of a grid that have a solid cell to this set, and appends the grid's directory to the
    /// bytes in `directory`.
    pub(crate) fn add(&mut self, grid: &Grid, directory: &mut Vec<u8>) -> Result<(), GridError> {
        let entries = grid.blocks().map(|(at, words)| Ok((at, self.number(&words)?)));
        let entries: Vec<([u32; 2], u32)> = entries.collect::<Result<_, GridError>>()?;
        let count = u32::try_from(entries.len())
            .map_err(|_| GridError::TooManyBlocks { limit: u32::MAX })?;
        let mut put = |number: u32| directory.extend_from_slice(&number.to_le_bytes());
        put(count);
        let [across, down] = sides(grid.size());
        if is_list(count.into(), u64::from(across) * u64::from(down)) {
            for (at, number) in entries {
                at.into_iter().chain([number]).for_each(&mut put);
            }
            return Ok(());
        }
        let mut entries = entries.into_iter().peekable();
        for place in (0..down).flat_map(|row| (0..across).map(move |column| [column, row])) {
            let entry = entries.next_if(|(at, _)| *at == place);
            put(entry.map_or(EMPTY, |(_, number)| number));
        }
        Ok(())
    }

    fn number(&mut self, words: &Words) -> Result<u32, GridError> {
        if *words == ALL_CELLS {
            return Ok(FULL);
        }
        if let Some(number) = self.numbers.get(words) {
            return Ok(*number);
        }
        let number =
            u32::try_from(self.numbers.len()).ok().and_then(|count| count.checked_add(FIRST));
        let number = number.ok_or(GridError::TooManyBlocks { limit: u32::MAX })?;
        self.numbers.insert(*words, number);
        self.blocks.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        Ok(number)
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.blocks
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoredFault {
    /// A wrong block number or a wrong block: its block column and block row if known, and a description of
    /// the fault.
    Content(Option<[u32; 2]>, &'static str),
    Grid(GridError),
    Full(Full),
}

impl From<Full> for StoredFault {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl From<GridError> for StoredFault {
    fn from(error: GridError) -> Self {
        Self::Grid(error)
    }
}

/// A reader of the grids of a file. It returns them in the order in which they were written.
pub(crate) struct StoredGrids<'b> {
    numbers: &'b [[u8; 4]],
    blocks: Arc<Vec<Block>>,
    next: u32,
    room: &'b Room,
    planes: u64,
}

/// The block numbers of a directory. They stay bytes of the file, because a copy could take as much memory as
/// a grid.
enum Directory<'b> {
    All(&'b [[u8; 4]]),
    /// The block column, block row and number of each block that has a solid cell.
    Listed(&'b [[u8; 4]]),
}

impl<'b> StoredGrids<'b> {
    /// Creates a reader of the grids with these directories and blocks. The memory that it takes is
    /// subtracted from `room`, the memory that the file may still take.
    pub(crate) fn new(
        directories: &'b [u8],
        blocks: &[u8],
        room: &'b Room,
    ) -> Result<Self, StoredFault> {
        let (numbers, rest) = directories.as_chunks();
        if !rest.is_empty() {
            return Err(StoredFault::Content(None, "the last number of a directory is cut off"));
        }
        room.take(blocks.len() / BLOCK_BYTES * size_of::<Block>())?;
        let blocks = Arc::new(read_blocks(blocks)?);
        Ok(Self { numbers, blocks, next: FIRST, room, planes: MAX_PLANES })
    }

    /// Returns the next grid, of `size` cells. This takes O(cells / 64) for up to 2^24 cells. A larger grid
    /// takes O(blocks), and shares its blocks with the other grids of the file.
    pub(crate) fn grid(&mut self, size: UVec2) -> Result<Grid, StoredFault> {
        let (count, directory) = self.directory(size)?;
        let blocks = Arc::clone(&self.blocks);
        let Grid { planes: [mut columns, mut rows], sparse: None } = self.blank(size)? else {
            return self.sparse(size, count, directory);
        };
        self.each_block(size, count, directory, |[column, row], number| {
            let block = number.checked_sub(FIRST).and_then(|index| blocks.get(index as usize));
            let block = block.unwrap_or(&Block::FULL);
            let (x, y) = (column * SIDE, row * SIDE);
            copy(block.rows(), rows.lines_of_stripe_mut(y, x));
            copy(block.columns(), columns.lines_of_stripe_mut(x, y));
            Ok(())
        })?;
        Ok(Grid { planes: [columns, rows], sparse: None })
    }

    /// Returns a grid of `size` passable cells, without reading a directory. The memory of a dense grid
    /// counts toward the limit of the file, as in [`Self::grid`].
    pub(crate) fn blank(&mut self, size: UVec2) -> Result<Grid, StoredFault> {
        let UVec2 { x: width, y: height } = size;
        let cells = u64::from(width) * u64::from(height);
        if cells == 0 {
            return Err(GridError::Empty.into());
        }
        // The planes of a narrow grid, for which `Plane::is_wasteful` holds, take more than `MAX_PLANES`.
        let planes = Plane::bytes(width, height).saturating_add(Plane::bytes(height, width));
        if cells > MAX_DENSE_GRID || planes > self.planes {
            self.room.take(Sparse::LEAST_BYTES)?;
            return Ok(Grid::from_blocks(width, height, Sparse::default()));
        }
        self.room.take(planes as usize)?;
        self.planes -= planes;
        Ok(Grid::new(width, height)?)
    }

    fn sparse(
        &mut self,
        size: UVec2,
        count: u32,
        directory: Directory<'b>,
    ) -> Result<Grid, StoredFault> {
        let (shared, room) = (Arc::clone(&self.blocks), self.room);
        let blocks = match directory {
            Directory::Listed(_) => {
                let mut blocks = Sparse::of_shared(shared, PageBuilder::default(), 0);
                self.each_block(size, count, directory, |at, number| {
                    let pages = blocks.page_count();
                    blocks.put_shared(at, number.checked_sub(FIRST));
                    Ok(room.take((blocks.page_count() - pages) * PAGE_BYTES)?)
                })?;
                blocks.set_limit(count.max(blocks.limit()));
                blocks
            }
            Directory::All(_) => {
                let across = size.x.div_ceil(SIDE);
                room.take(PageBuilder::line_bytes(across))?;
                let mut places = PageBuilder::new(across);
                self.each_block(size, count, directory, |at, number| {
                    let index = number.checked_sub(FIRST).map_or(sparse::FULL, |i| SHARED + i);
                    let is_new = places.add(at, index);
                    Ok(room.take(usize::from(is_new) * PAGE_BYTES)?)
                })?;
                Sparse::of_shared(shared, places, count)
            }
        };
        Ok(Grid::from_blocks(size.x, size.y, blocks))
    }

    /// Reads the next directory: the count of blocks that have a solid cell, and the block numbers.
    fn directory(&mut self, size: UVec2) -> Result<(u32, Directory<'b>), StoredFault> {
        let [across, down] = sides(size);
        let total = u64::from(across) * u64::from(down);
        let count = self.number()?;
        let is_list = is_list(count.into(), total);
        let length = if is_list { 3 * u64::from(count) } else { total };
        let length = usize::try_from(length).map_err(|_| CUT_OFF)?;
        let (numbers, rest) = self.numbers.split_at_checked(length).ok_or(CUT_OFF)?;
        self.numbers = rest;
        let kind = if is_list { Directory::Listed } else { Directory::All };
        Ok((count, kind(numbers)))
    }

    /// Calls `add` with the block column, block row and number of each block with a solid cell, row by row.
    #[inline]
    fn each_block(
        &mut self,
        size: UVec2,
        count: u32,
        directory: Directory<'_>,
        mut add: impl FnMut([u32; 2], u32) -> Result<(), StoredFault>,
    ) -> Result<(), StoredFault> {
        let [across, down] = sides(size);
        let listed = match directory {
            Directory::Listed(listed) => listed,
            Directory::All(numbers) => {
                let mut found = 0u32;
                for (row, line) in (0..).zip(numbers.chunks(across as usize)) {
                    for (column, number) in (0..).zip(line) {
                        let number = u32::from_le_bytes(*number);
                        if number != EMPTY {
                            found = found.checked_add(1).ok_or(MISCOUNTED)?;
                            self.check(size, [column, row], number)?;
                            add([column, row], number)?;
                        }
                    }
                }
                return if found == count { Ok(()) } else { Err(MISCOUNTED) };
            }
        };
        let mut before = None;
        for [column, row, number] in listed.as_chunks().0 {
            let at = [column, row].map(|place| u32::from_le_bytes(*place));
            let number = u32::from_le_bytes(*number);
            let fault = |fault| Err(StoredFault::Content(Some(at), fault));
            let [column, row] = at;
            if column >= across || row >= down {
                return fault("it lies outside the grid");
            }
            if before >= Some([row, column]) {
                return fault("it does not come after the one before it");
            }
            if number == EMPTY {
                return fault("it is listed, but has no solid cell");
            }
            before = Some([row, column]);
            self.check(size, at, number)?;
            add(at, number)?;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<u32, StoredFault> {
        let (number, rest) = self.numbers.split_first().ok_or(CUT_OFF)?;
        self.numbers = rest;
        Ok(u32::from_le_bytes(*number))
    }

    /// Checks the block `number` (not 0) that a directory has at block column and row `at`. Fails if the file
    /// has no such block, if a smaller number has not been used yet, or if the block has solid cells outside
    /// the grid.
    #[inline]
    fn check(&mut self, size: UVec2, at: [u32; 2], number: u32) -> Result<(), StoredFault> {
        let fault = |fault| Err(StoredFault::Content(Some(at), fault));
        let [column, row] = at;
        let is_whole = column < size.x / SIDE && row < size.y / SIDE;
        if number == FULL {
            return match is_whole {
                true => Ok(()),
                false => fault("it is full, but a part of it lies outside the grid"),
            };
        }
        let block = self.blocks.get((number - FIRST) as usize);
        let Some(block) = block.filter(|_| number <= self.next) else {
            return fault("its number is not that of a block, or skips one");
        };
        if !is_whole {
            let inside = words_inside(size, at);
            if block.rows().iter().zip(inside).any(|(word, inside)| word & !inside != 0) {
                return fault("it has solid cells outside the grid");
            }
        }
        self.next += u32::from(number == self.next);
        Ok(())
    }

    /// Checks, after the last grid, that the grids used all blocks of the file and all numbers of its
    /// directories. A single 0 may follow, which pads the directories to a multiple of 8 bytes.
    pub(crate) fn finish(self) -> Result<(), StoredFault> {
        if !matches!(self.numbers, [] | [[0, 0, 0, 0]]) {
            return Err(StoredFault::Content(None, "numbers follow the last directory"));
        }
        if (self.next - FIRST) as usize != self.blocks.len() {
            return Err(StoredFault::Content(None, "the last block belongs to no grid"));
        }
        Ok(())
    }
}

const CUT_OFF: StoredFault = StoredFault::Content(None, "a directory is cut off");
const MISCOUNTED: StoredFault =
    StoredFault::Content(None, "a directory miscounts the blocks with a solid cell");

fn read_blocks(bytes: &[u8]) -> Result<Vec<Block>, StoredFault> {
    let (blocks, cut) = bytes.as_chunks::<BLOCK_BYTES>();
    if !cut.is_empty() {
        return Err(StoredFault::Content(None, "the last block is cut off"));
    }
    let mut read = Vec::new();
    let no_memory = |_| GridError::TooManyBlocks { limit: blocks.len() as u32 };
    read.try_reserve_exact(blocks.len()).map_err(no_memory)?;
    for bytes in blocks {
        let (words, _) = bytes.as_chunks::<8>();
        let first = words.first();
        let is_plain = first.is_some_and(|word| *word == [0; 8] || *word == [0xff; 8]);
        if is_plain && words.iter().all(|word| Some(word) == first) {
            return Err(StoredFault::Content(None, "a block is stored, but is empty or full"));
        }
        // The block is filled in place, because pushing a finished block takes a fifth longer.
        read.push(Block::EMPTY);
        if let Some(Block([columns, rows])) = read.last_mut() {
            for (row, word) in rows.iter_mut().zip(words) {
                *row = u64::from_le_bytes(*word);
            }
            *columns = *rows;
            transpose_block(columns);
        }
    }
    Ok(read)
}

fn copy(block: &Words, lines: &mut [u64]) {
    let count = lines.len();
    lines.copy_from_slice(&block[..count]);
}

#[derive(Debug)]
pub(crate) struct Room {
    limit: u64,
    left: Cell<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full {
    pub(crate) limit: u64,
}

impl Room {
    pub(crate) fn new(limit: u64) -> Self {
        Self { limit, left: Cell::new(limit) }
    }

    #[inline]
    pub(crate) fn take(&self, bytes: usize) -> Result<(), Full> {
        let left = self.left.get().checked_sub(bytes as u64).ok_or(Full { limit: self.limit })?;
        self.left.set(left);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
