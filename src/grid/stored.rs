//! Grids in a baked file: a directory of aligned blocks of 64 x 64 cells each, and the blocks of all grids,
//! each once.
//!
//! A directory is a list of 32-bit numbers: how many blocks of the grid have a solid cell, and then, block
//! row by block row, a number for each block: 0 for an empty one, 1 for a full one, 2 + i for block i of the
//! file. Where fewer than a third of the blocks have a solid cell, only these are listed, each with its block
//! column and block row in front of its number. Blocks are numbered in the order in which they are first
//! named, so that a level has one form only. A block is its 64 rows of 8 bytes, little-endian; bit 0 is the
//! first column.
//!
//! All that a reader is handed can be hostile. Nothing here knows the file around the numbers and the blocks.

use std::collections::HashMap;

use glam::UVec2;

use super::blocks::{SIDE, Words};
use super::builder::words_inside;
use super::plane::Plane;
use super::sparse::Sparse;
use super::transpose::transpose_block;
use super::{Grid, GridError};

/// The bytes of a block.
pub(crate) const BLOCK_BYTES: usize = 512;

/// The largest number of cells of the grids of one file that are kept as planes; the others are sparse. A
/// directory of empty blocks takes no bytes, so a file of any length can ask for planes. These are 64 MiB at
/// most.
const MAX_DENSE: u64 = 1 << 28;

/// The largest number of cells of one such grid. Its planes are made in a millisecond.
const MAX_DENSE_GRID: u64 = 1 << 24;

const EMPTY: u32 = 0;
const FULL: u32 = 1;
/// The number of block 0.
const FIRST: u32 = 2;

const NO_CELL: Words = [0; SIDE as usize];
const ALL_CELLS: Words = [u64::MAX; SIDE as usize];

/// The number of block columns and block rows.
fn sides(size: UVec2) -> [u32; 2] {
    [size.x.div_ceil(SIDE), size.y.div_ceil(SIDE)]
}

/// True if a directory lists the blocks that have a solid cell, `count` of `total`, instead of all.
fn is_list(count: u64, total: u64) -> bool {
    3 * count < total
}

/// The blocks of grids, each once, as they are written.
#[derive(Default)]
pub(crate) struct BlockSet {
    numbers: HashMap<Words, u32>,
    blocks: Vec<u8>,
}

impl BlockSet {
    /// Adds the blocks of a grid, and its directory to `directory`. O(cells / 64), in a sparse grid
    /// O(blocks).
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`] if there are more blocks than numbers.
    pub(crate) fn add(&mut self, grid: &Grid, directory: &mut Vec<u8>) -> Result<(), GridError> {
        let entries = grid.blocks().map(|(at, words)| Ok((at, self.number(&words)?)));
        let entries: Vec<([u32; 2], u32)> = entries.collect::<Result<_, GridError>>()?;
        let count = u32::try_from(entries.len()).map_err(|_| GridError::TooManyBlocks)?;
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

    /// The number of a block that has a solid cell.
    fn number(&mut self, words: &Words) -> Result<u32, GridError> {
        if *words == ALL_CELLS {
            return Ok(FULL);
        }
        if let Some(number) = self.numbers.get(words) {
            return Ok(*number);
        }
        let number =
            u32::try_from(self.numbers.len()).ok().and_then(|count| count.checked_add(FIRST));
        let number = number.ok_or(GridError::TooManyBlocks)?;
        self.numbers.insert(*words, number);
        self.blocks.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        Ok(number)
    }

    /// The bytes of the blocks, in the order of their numbers.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.blocks
    }
}

/// The reason that a grid could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum StoredFault {
    /// The numbers or the blocks cannot be those of a grid: the block column and the block row if they are
    /// known, and the fault in plain words.
    Content(Option<[u32; 2]>, &'static str),
    /// The grid cannot be made.
    Grid(GridError),
}

impl From<GridError> for StoredFault {
    fn from(error: GridError) -> Self {
        Self::Grid(error)
    }
}

/// The grids of a file, read in the order in which they were written.
pub(crate) struct StoredGrids<'b> {
    /// The numbers that were not read yet.
    numbers: &'b [[u8; 4]],
    blocks: &'b [[u8; BLOCK_BYTES]],
    /// The number of the next block that was not named yet.
    next: u32,
    /// The columns of the blocks that were named.
    columns: Vec<Words>,
    /// The cells that can still be kept as planes.
    dense: u64,
}

impl<'b> StoredGrids<'b> {
    /// The grids of these directories and blocks.
    ///
    /// # Errors
    /// [`StoredFault::Content`] if a number or a block is cut off.
    pub(crate) fn new(directories: &'b [u8], blocks: &'b [u8]) -> Result<Self, StoredFault> {
        let (numbers, rest) = directories.as_chunks();
        let (blocks, cut) = blocks.as_chunks();
        match (rest, cut) {
            ([], []) => {
                Ok(Self { numbers, blocks, next: FIRST, columns: Vec::new(), dense: MAX_DENSE })
            }
            ([], _) => Err(StoredFault::Content(None, "the last block is cut off")),
            _ => Err(StoredFault::Content(None, "the last number of a directory is cut off")),
        }
    }

    /// The next grid, of `size` cells. O(blocks of the grid), and for one of up to 2^24 cells O(cells / 64).
    ///
    /// # Errors
    /// [`StoredFault::Content`] for a directory or a block that no writer makes,
    /// [`StoredFault::Grid`] if there is no memory, or more blocks than a sparse grid can have.
    pub(crate) fn grid(&mut self, size: UVec2) -> Result<Grid, StoredFault> {
        let Grid { planes: [mut columns, mut rows], sparse: None } = self.blank(size)? else {
            return self.sparse(size);
        };
        self.each_block(size, |[column, row], of_rows, of_columns| {
            let (x, y) = (column * SIDE, row * SIDE);
            copy(of_rows, rows.lines_of_stripe_mut(y, x));
            copy(of_columns, columns.lines_of_stripe_mut(x, y));
            Ok(())
        })?;
        Ok(Grid { planes: [columns, rows], sparse: None })
    }

    /// A grid of passable cells, for which nothing is read.
    ///
    /// # Errors
    /// As [`StoredGrids::grid`].
    pub(crate) fn blank(&mut self, size: UVec2) -> Result<Grid, StoredFault> {
        let UVec2 { x: width, y: height } = size;
        let cells = u64::from(width) * u64::from(height);
        if cells == 0 {
            return Err(GridError::Empty.into());
        }
        let narrow = Plane::is_wasteful(width, height) || Plane::is_wasteful(height, width);
        if narrow || cells > MAX_DENSE_GRID.min(self.dense) {
            return Ok(Grid::from_blocks(width, height, Sparse::default()));
        }
        self.dense -= cells;
        Ok(Grid::new(width, height)?)
    }

    fn sparse(&mut self, size: UVec2) -> Result<Grid, StoredFault> {
        let mut blocks = Sparse::default();
        self.each_block(size, |at, rows, _| blocks.or(at, rows))?;
        Ok(Grid::from_blocks(size.x, size.y, blocks))
    }

    /// Hands over block column and block row, the rows and the columns of each block with a solid cell, in
    /// the order of the directory.
    fn each_block(
        &mut self,
        size: UVec2,
        mut add: impl FnMut([u32; 2], &Words, &Words) -> Result<(), GridError>,
    ) -> Result<(), StoredFault> {
        let [across, down] = sides(size);
        let total = u64::from(across) * u64::from(down);
        let count = self.number()?;
        if !is_list(count.into(), total) {
            let mut left = count;
            for at in (0..down).flat_map(|row| (0..across).map(move |column| [column, row])) {
                let number = self.number()?;
                if number != EMPTY {
                    left = left.checked_sub(1).ok_or(MISCOUNTED)?;
                    self.block(size, at, number, &mut add)?;
                }
            }
            return if left == 0 { Ok(()) } else { Err(MISCOUNTED) };
        }
        let mut before = None;
        for _ in 0..count {
            let at = [self.number()?, self.number()?];
            let number = self.number()?;
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
            self.block(size, at, number, &mut add)?;
        }
        Ok(())
    }

    fn number(&mut self) -> Result<u32, StoredFault> {
        let (number, rest) = self.numbers.split_first().ok_or(CUT_OFF)?;
        self.numbers = rest;
        Ok(u32::from_le_bytes(*number))
    }

    /// Hands over the block of a number other than 0.
    #[inline]
    fn block(
        &mut self,
        size: UVec2,
        at: [u32; 2],
        number: u32,
        add: &mut impl FnMut([u32; 2], &Words, &Words) -> Result<(), GridError>,
    ) -> Result<(), StoredFault> {
        let fault = |fault| Err(StoredFault::Content(Some(at), fault));
        let [column, row] = at;
        let is_whole = column < size.x / SIDE && row < size.y / SIDE;
        if number == FULL {
            if !is_whole {
                return fault("it is full, but a part of it lies outside the grid");
            }
            return Ok(add(at, &ALL_CELLS, &ALL_CELLS)?);
        }
        let index = (number - FIRST) as usize;
        let Some(bytes) = self.blocks.get(index).filter(|_| number <= self.next) else {
            return fault("its number is not that of a block, or skips one");
        };
        let (words, _) = bytes.as_chunks();
        let rows: Words = std::array::from_fn(|row| u64::from_le_bytes(words[row]));
        if number == self.next {
            if rows == NO_CELL || rows == ALL_CELLS {
                return fault("it is stored, but is empty or full");
            }
            let mut columns = rows;
            transpose_block(&mut columns);
            self.columns.push(columns);
            self.next += 1;
        }
        if !is_whole {
            let inside = words_inside(size, at);
            if rows.iter().zip(inside).any(|(word, inside)| word & !inside != 0) {
                return fault("it has solid cells outside the grid");
            }
        }
        Ok(add(at, &rows, &self.columns[index])?)
    }

    /// Checks that nothing is left but one number 0, which fills the directories up to 8 bytes.
    ///
    /// # Errors
    /// [`StoredFault::Content`] if there is.
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

/// Copies the lines of a block that the grid has.
fn copy(block: &Words, lines: &mut [u64]) {
    let count = lines.len();
    lines.copy_from_slice(&block[..count]);
}
