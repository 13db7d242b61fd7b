//! A grid has one bit for each cell, 1 = solid. It keeps its bits twice, as rows and as columns, so that a
//! query for a horizontal or a vertical edge reads runs of adjacent bits. The layout is private: whole planes
//! of words (see `plane`), or, for a very large grid, only the blocks with a solid cell (see `sparse`). Bits
//! beyond width x height are always zero.

#[cfg(feature = "bitvec")]
mod bits;
mod blocks;
mod builder;
mod edit;
mod place;
mod plane;
#[cfg(feature = "serde")]
mod saved;
mod sparse;
#[cfg(feature = "baked")]
mod stored;
pub(crate) mod words;

#[cfg(all(feature = "baked", feature = "tmx"))]
pub(crate) use blocks::joined_rows;
pub(crate) use builder::GridBuilder;
#[cfg(feature = "tmx")]
pub(crate) use builder::MAX_DENSE_CELLS;
#[cfg(feature = "mask")]
pub(crate) use builder::RowBuilder;
pub(crate) use edit::{Changed, edit, fill};
pub(crate) use place::Placement;
pub(crate) use plane::{Plane, transpose_block};
#[cfg(feature = "baked")]
pub(crate) use stored::{BlockSet, StoredFault, StoredGrids};
#[cfg(feature = "baked")]
pub(crate) use stored::{Full, Room};
pub(crate) use words::{low_bits, rectangles};

use std::fmt;
use std::ops::Range;

#[cfg(feature = "bitvec")]
use bitvec::prelude::{BitOrder, BitSlice, BitStore, BitVec, Lsb0};
use glam::{I64Vec2, UVec2};
use sparse::Sparse;

use crate::geometry::{Axis, Dir, MAX_CELL_SIZE};

/// A set of solid cells: `width` x `height` bits, 1 = solid.
///
/// # Guarantees
/// * Width and height are at least 1. [`Grid::new`] makes at most [`Grid::MAX_CELLS`] cells. A grid from
///   [`Grid::sparse`], or of a very large loaded level, is *sparse*: up to `u32::MAX` cells a side.
/// * A grid never changes its size. Two grids of one size with the same solid cells are equal and have the
///   same hash, sparse or not.
/// * Memory: 8 x (ceil(w / 64) x h + ceil(h / 64) x w) bytes and 128 more, so 2 bits a cell where both sides
///   are large. A grid with over 2^22 lines of fewer than 32 cells keeps either rows or columns, not both.
/// * A sparse grid keeps only the aligned blocks of 64 x 64 cells with a solid cell, at most
///   [`Grid::block_limit`]. A block takes 1 KiB (none if it is all solid) and 5 to 400 bytes of a directory.
///   A sparse grid gives the same answers as a dense grid. The time of a query depends on the blocks in its
///   strip or rectangle, not on the empty space.
///
/// ```
/// use bitwall::{Dir, Grid};
///
/// let grid = Grid::from_text("####\n#..#\n####")?;
/// assert!(grid.is_solid(0, 0) && !grid.is_solid(1, 1));
/// assert!(!grid.any_solid(1..3, 1..2));
/// assert_eq!(grid.first_solid(Dir::Right, 1..4, 1..2), Some(glam::UVec2::new(3, 1)));
/// # Ok::<(), bitwall::grid::GridError>(())
/// ```
#[derive(Clone)]
pub struct Grid {
    /// The plane of columns, then the plane of rows. A dense grid can lack one plane, a sparse grid lacks
    /// both.
    planes: [Plane; 2],
    sparse: Option<Box<Sparse>>,
}

enum StoredBits<'g> {
    Rows(&'g Plane),
    Columns(&'g Plane),
    Blocks(&'g Sparse),
}

impl Grid {
    /// The largest number of cells in a grid that [`Grid::new`] makes: 2^31, which takes 512 MiB.
    pub const MAX_CELLS: u64 = 1 << 31;

    /// Returns the grid drawn by `text`: `#` is solid, `.` is passable, each line is a row. Blank lines and
    /// the white space around a row are ignored.
    ///
    /// # Errors
    /// [`GridError::RaggedRow`] if two rows differ in length, [`GridError::BadCharacter`] for any other
    /// character, [`GridError::Empty`] for a text without rows.
    pub fn from_text(text: &str) -> Result<Self, GridError> {
        parse(text)
    }

    /// Returns a grid of passable cells.
    ///
    /// # Errors
    /// [`GridError::Empty`] if a side is 0, [`GridError::TooManyCells`] beyond [`Grid::MAX_CELLS`].
    pub fn new(width: u32, height: u32) -> Result<Self, GridError> {
        let plane = |count, len| {
            if Plane::is_wasteful(count, len) {
                Some(Plane::absent(count, len))
            } else {
                Plane::new(count, len)
            }
        };
        check_size(width, height)?;
        match (plane(width, height), plane(height, width)) {
            (Some(columns), Some(rows)) => Ok(Self { planes: [columns, rows], sparse: None }),
            _ => Err(GridError::TooManyCells { width, height }),
        }
    }

    /// Returns a sparse grid of passable cells, of any size: for a world much larger than its loaded cells.
    /// Its limit is 2^16 blocks: see [`Grid::with_block_limit`].
    ///
    /// ```
    /// use bitwall::Grid;
    ///
    /// let mut world = Grid::sparse(u32::MAX, u32::MAX)?;
    /// world.fill(3_000_000_000..3_000_000_064, 5..6, true)?;
    /// assert!(world.is_solid(3_000_000_063, 5));
    /// assert!(world.memory_bytes() < 5_000);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::Empty`] if a side is 0.
    pub fn sparse(width: u32, height: u32) -> Result<Self, GridError> {
        if width == 0 || height == 0 {
            return Err(GridError::Empty);
        }
        Ok(Self::from_blocks(width, height, Sparse::default()))
    }

    /// Returns this grid with another limit of blocks, if it is sparse; a dense grid stays as it is. The
    /// limit is the largest number of blocks of 64 x 64 cells with a solid cell. A change that would exceed
    /// the limit is an error. The limit is not compared or saved. A lower limit removes no block.
    #[must_use]
    pub fn with_block_limit(mut self, limit: u32) -> Self {
        if let Some(blocks) = &mut self.sparse {
            blocks.set_limit(limit);
        }
        self
    }

    /// Returns the limit of blocks of a sparse grid: see [`Grid::with_block_limit`]. `None` for a dense grid.
    pub fn block_limit(&self) -> Option<u32> {
        self.sparse.as_ref().map(|blocks| blocks.limit())
    }

    /// Returns the grid of `width` x `height` bits, row by row from the top: bit `row * width + column` is
    /// set where a cell is solid. O(bits / 64). O(bits) for an order that is neither `Lsb0` nor `Msb0`, and
    /// for a grid that keeps only rows or only columns.
    ///
    /// ```
    /// use bitvec::prelude::*;
    /// use bitwall::Grid;
    ///
    /// let grid = Grid::from_bits(3, 2, bits![u8, Msb0; 1, 1, 0, 0, 0, 1])?;
    /// assert_eq!(grid.to_string(), "##.\n..#");
    /// assert_eq!(grid.to_bits()?, bits![1, 1, 0, 0, 0, 1]);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::OtherBitCount`] if there are not width x height bits; the others as [`Grid::new`].
    #[cfg(feature = "bitvec")]
    pub fn from_bits<T: BitStore, O: BitOrder>(
        width: u32,
        height: u32,
        bits: &BitSlice<T, O>,
    ) -> Result<Self, GridError> {
        bits::parse(width, height, bits)
    }

    /// Returns the bits of the cells, row by row, in the order of [`Grid::from_bits`]. O(cells / 64); in a
    /// sparse grid O(cells / 32) to clear the memory.
    ///
    /// # Errors
    /// [`GridError::TooManyCells`] beyond [`Grid::MAX_CELLS`], if there is no memory, or, with 32-bit
    /// pointers, beyond the 2^29 - 1 bits that `bitvec` can address.
    #[cfg(feature = "bitvec")]
    pub fn to_bits(&self) -> Result<BitVec<u32, Lsb0>, GridError> {
        bits::print(self)
    }

    /// Returns a plane of passable rows, to be written and then passed to [`Grid::from_rows`].
    pub(crate) fn blank_rows(width: u32, height: u32) -> Result<Plane, GridError> {
        check_size(width, height)?;
        let narrow = Plane::is_wasteful(width, height) || Plane::is_wasteful(height, width);
        Some(())
            .filter(|()| !narrow)
            .and_then(|()| Plane::new(height, width))
            .ok_or(GridError::TooManyCells { width, height })
    }

    pub(crate) fn from_rows(rows: Plane) -> Result<Self, GridError> {
        let (width, height) = (rows.len(), rows.count());
        let mut columns =
            Plane::new(width, height).ok_or(GridError::TooManyCells { width, height })?;
        plane::transpose(&rows, &mut columns);
        Ok(Self { planes: [columns, rows], sparse: None })
    }

    fn from_blocks(width: u32, height: u32, blocks: Sparse) -> Self {
        Self {
            planes: [Plane::absent(width, height), Plane::absent(height, width)],
            sparse: Some(Box::new(blocks)),
        }
    }

    /// The number of columns.
    #[inline]
    pub fn width(&self) -> u32 {
        self.columns().count()
    }

    /// The number of rows.
    #[inline]
    pub fn height(&self) -> u32 {
        self.rows().count()
    }

    /// The width and height, in cells.
    #[inline]
    pub fn size(&self) -> UVec2 {
        UVec2::new(self.width(), self.height())
    }

    /// The number of cells, solid and passable.
    pub fn cell_count(&self) -> u64 {
        u64::from(self.width()) * u64::from(self.height())
    }

    /// The number of solid cells. O(cells / 64); in a sparse grid O(blocks).
    pub fn solid_count(&self) -> u64 {
        match self.bits() {
            StoredBits::Rows(plane) | StoredBits::Columns(plane) => plane.count_ones(),
            StoredBits::Blocks(blocks) => blocks.count_ones(),
        }
    }

    /// Returns the memory of the bits in bytes; an estimate for a sparse grid.
    pub fn memory_bytes(&self) -> u64 {
        let blocks = self.sparse.as_deref().map_or(0, Sparse::memory_bytes);
        self.planes.iter().map(Plane::memory_bytes).sum::<u64>() + blocks
    }

    /// Returns whether the cell is solid, or `None` outside the grid.
    #[inline]
    pub fn get(&self, column: u32, row: u32) -> Option<bool> {
        (column < self.width() && row < self.height()).then(|| match self.bits() {
            StoredBits::Rows(rows) => rows.get(row, column),
            StoredBits::Columns(columns) => columns.get(column, row),
            StoredBits::Blocks(blocks) => blocks.get(column, row),
        })
    }

    /// Returns true if the cell is solid; false outside the grid.
    #[inline]
    pub fn is_solid(&self, column: u32, row: u32) -> bool {
        self.get(column, row) == Some(true)
    }

    /// Makes one cell solid or passable; outside the grid nothing happens.
    ///
    /// # Errors
    /// As [`Grid::fill`].
    pub fn set(&mut self, column: u32, row: u32, solid: bool) -> Result<(), GridError> {
        if column >= self.width() || row >= self.height() {
            return Ok(());
        }
        if self.sparse.is_some() {
            return self.fill(column..column + 1, row..row + 1, solid);
        }
        let [columns, rows] = &mut self.planes;
        rows.set(row, column, solid);
        columns.set(column, row, solid);
        Ok(())
    }

    /// Makes every cell of a rectangle solid or passable; cells outside the grid are ignored. O(rows x words
    /// of a row + columns x words of a column).
    ///
    /// ```
    /// use bitwall::Grid;
    ///
    /// let mut grid = Grid::new(4, 2)?;
    /// grid.fill(1..3, 0..9, true)?;
    /// assert_eq!(grid.to_string(), ".##.\n.##.");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`] if a sparse grid would exceed its block limit; it stays as it was. A
    /// dense grid never fails, and neither does a fill with passable cells.
    pub fn fill(
        &mut self,
        columns: Range<u32>,
        rows: Range<u32>,
        solid: bool,
    ) -> Result<(), GridError> {
        let (columns, rows) = self.clamp(columns, rows);
        if columns.is_empty() || rows.is_empty() {
            return Ok(());
        }
        if let Some(blocks) = &mut self.sparse {
            return blocks.fill(columns, rows, solid);
        }
        let [column_plane, row_plane] = &mut self.planes;
        row_plane.fill(rows.clone(), columns.clone(), solid);
        column_plane.fill(columns, rows, solid);
        Ok(())
    }

    /// True if some cell of a rectangle is solid; cells outside the grid are passable. Reads the words of the
    /// rectangle's rows or columns, whichever are fewer; in a sparse grid only the words of its blocks.
    pub fn any_solid(&self, columns: Range<u32>, rows: Range<u32>) -> bool {
        let (columns, rows) = self.clamp(columns, rows);
        !columns.is_empty() && !rows.is_empty() && words::any_solid(self, Axis::X, columns, rows)
    }

    /// Returns the first solid cell that an edge meets as it crosses a rectangle toward `dir`, or `None` if
    /// no cell is solid. If the edge meets several cells at once, the cell with the smallest row and column
    /// counts. Cells outside the grid are passable.
    pub fn first_solid(&self, dir: Dir, columns: Range<u32>, rows: Range<u32>) -> Option<UVec2> {
        let (columns, rows) = self.clamp(columns, rows);
        if columns.is_empty() || rows.is_empty() {
            return None;
        }
        let [along, across] = dir.axis().xy(columns, rows);
        let hit = words::first_solid(self, dir, along, across)?;
        Some(dir.axis().xy(hit.line, hit.place).into())
    }

    /// The columns if `axis` is x, the rows if `axis` is y; `None` if the grid does not have this plane.
    pub(crate) fn plane(&self, axis: Axis) -> Option<&Plane> {
        Some(&self.planes[axis.index()]).filter(|plane| !plane.is_absent())
    }

    #[inline]
    fn bits(&self) -> StoredBits<'_> {
        match &self.sparse {
            Some(blocks) => StoredBits::Blocks(blocks),
            None if self.rows().is_absent() => StoredBits::Columns(self.columns()),
            None => StoredBits::Rows(self.rows()),
        }
    }

    #[inline]
    fn columns(&self) -> &Plane {
        &self.planes[Axis::X.index()]
    }

    #[inline]
    fn rows(&self) -> &Plane {
        &self.planes[Axis::Y.index()]
    }

    fn clamp(&self, columns: Range<u32>, rows: Range<u32>) -> (Range<u32>, Range<u32>) {
        (columns.start..columns.end.min(self.width()), rows.start..rows.end.min(self.height()))
    }
}

fn check_size(width: u32, height: u32) -> Result<(), GridError> {
    match u64::from(width) * u64::from(height) {
        0 => Err(GridError::Empty),
        1..=Grid::MAX_CELLS => Ok(()),
        _ => Err(GridError::TooManyCells { width, height }),
    }
}

fn parse(text: &str) -> Result<Grid, GridError> {
    let lines = (1u32..).zip(text.lines().map(str::trim));
    let rows: Vec<(u32, &str)> = lines.filter(|(_, row)| !row.is_empty()).collect();
    let width = rows.first().map_or(0, |(_, row)| row.chars().count());
    let size = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let mut grid = Grid::new(size(width), size(rows.len()))?;
    for (r, (line, row)) in (0u32..).zip(rows) {
        let found = row.chars().count();
        if found != width {
            return Err(GridError::RaggedRow { line, found: size(found), expected: size(width) });
        }
        for (column, character) in (0u32..).zip(row.chars()) {
            match character {
                '#' => grid.set(column, r, true)?,
                '.' => {}
                found => {
                    return Err(GridError::BadCharacter { found, line, column });
                }
            }
        }
    }
    Ok(grid)
}

impl fmt::Display for Grid {
    /// Writes each row as a line of `#` and `.`, without a final line break; `from_text` reads the text back.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.height() {
            if row > 0 {
                writeln!(f)?;
            }
            let cell = |column| if self.is_solid(column, row) { '#' } else { '.' };
            f.write_str(&(0..self.width()).map(cell).collect::<String>())?;
        }
        Ok(())
    }
}

impl fmt::Debug for Grid {
    /// Writes the size, and also the cells if the grid has at most 10,000.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid {} x {}", self.width(), self.height())?;
        if self.cell_count() <= 10_000 {
            write!(f, "\n{self}")?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    All,
    /// Only the row or column of pixels along this side of each cell.
    Side(Dir),
}

/// Returns a grid with a cell for each pixel of `grid`, whose cells are `cell_size` pixels; `part` of each
/// solid cell becomes solid. Each side must have fewer than 2^32 pixels. The result is sparse if it is very
/// large.
pub(crate) fn in_pixels(grid: &Grid, cell_size: UVec2, part: Part) -> Result<Grid, GridError> {
    let size = grid.size() * cell_size;
    let mut pixels = GridBuilder::new(size.x, size.y)?;
    for (row, run) in grid.runs_in(0..grid.width(), 0..grid.height()) {
        let (top, bottom) = (row * cell_size.y, (row + 1) * cell_size.y);
        let (left, right) = (run.start * cell_size.x, run.end * cell_size.x);
        match part {
            Part::All => pixels.fill(left..right, top..bottom)?,
            Part::Side(Dir::Up) => pixels.fill(left..right, top..top + 1)?,
            Part::Side(Dir::Down) => pixels.fill(left..right, bottom - 1..bottom)?,
            Part::Side(Dir::Left) => {
                for column in run {
                    let left = column * cell_size.x;
                    pixels.fill(left..left + 1, top..bottom)?;
                }
            }
            Part::Side(Dir::Right) => {
                for column in run {
                    let right = (column + 1) * cell_size.x;
                    pixels.fill(right - 1..right, top..bottom)?;
                }
            }
        }
    }
    pixels.finish()
}

/// The error of making or filling a grid.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// A side has length 0.
    Empty,
    /// A grid would have more than [`Grid::MAX_CELLS`] cells, or more cells than fit in memory.
    TooManyCells {
        /// The requested width, in cells.
        width: u32,
        /// The requested height, in cells.
        height: u32,
    },
    /// A sparse [`Grid`] would exceed its limit of blocks of 64 x 64 cells with a solid cell: see
    /// [`Grid::with_block_limit`].
    TooManyBlocks {
        /// The largest allowed number of blocks.
        limit: u32,
    },
    /// A text has a character that is neither `#` nor `.`.
    BadCharacter {
        /// The character.
        found: char,
        /// The line of the text, from 1.
        line: u32,
        /// The column of the grid, from 0.
        column: u32,
    },
    /// A row of a text does not have the length of the first row.
    RaggedRow {
        /// The line of the text, from 1.
        line: u32,
        /// The length of the differing row, in characters.
        found: u32,
        /// The length of the first row, in characters.
        expected: u32,
    },
    /// The number of bits is not width x height.
    OtherBitCount {
        /// The number of the given bits.
        found: u64,
        /// The number of bits of the grid: width x height.
        expected: u64,
    },
    /// Two grids have different sizes, but must have the same size.
    OtherSize {
        /// The columns and rows of the given grid.
        found: UVec2,
        /// The columns and rows that the given grid should have.
        expected: UVec2,
    },
    /// Two levels, or two areas with the same name, have different cell sizes, but must have equal cell
    /// sizes.
    OtherCellSize {
        /// A cell's width and height in the given level or area, in pixels.
        found: UVec2,
        /// The width and height that a cell must have, in pixels.
        expected: UVec2,
    },
    /// The offset of an area is not a whole number of cells.
    PartOfACell {
        /// The offset in pixels.
        offset: I64Vec2,
        /// The width and height of the area's cells in pixels.
        cell_size: UVec2,
    },
    /// The size of a cell is not between 1 and
    /// [`Terrain::MAX_CELL_SIZE`](crate::terrain::Terrain::MAX_CELL_SIZE) pixels on both sides.
    CellSize(UVec2),
    /// A level would be more than `u32::MAX` pixels wide or high.
    LevelTooLarge {
        /// The columns and rows of the level.
        cells: UVec2,
        /// A cell's width and height in pixels.
        cell_size: UVec2,
    },
}

impl fmt::Display for GridError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a grid needs at least one row and one column"),
            Self::TooManyCells { width, height } => write!(
                f,
                "a grid of {width} x {height} cells is over the limit of {} cells or of memory",
                Grid::MAX_CELLS
            ),
            Self::TooManyBlocks { limit } => write!(
                f,
                "solid cells lie in more than {limit} blocks of 64 x 64 cells, the limit of this sparse grid"
            ),
            Self::BadCharacter { found, line, column } => write!(
                f,
                "{found:?} in line {line}, col {column} is neither '#' (solid) nor '.' (passable)"
            ),
            Self::RaggedRow { line, found, expected } => {
                write!(f, "line {line} has {found} cells, the first one has {expected}")
            }
            Self::LevelTooLarge { cells, cell_size } => write!(
                f,
                "{} x {} cells of {} x {} px are more than {} px wide or high",
                cells.x,
                cells.y,
                cell_size.x,
                cell_size.y,
                u32::MAX
            ),
            Self::OtherBitCount { found, expected } => {
                write!(f, "{found} bits are not the {expected} cells of the grid")
            }
            Self::OtherSize { found, expected } => write!(
                f,
                "a grid of {} x {} cells does not go with one of {} x {}",
                found.x, found.y, expected.x, expected.y
            ),
            Self::OtherCellSize { found, expected } => write!(
                f,
                "cells of {} x {} px do not go with cells of {} x {} px",
                found.x, found.y, expected.x, expected.y
            ),
            Self::PartOfACell { offset, cell_size } => write!(
                f,
                "an area that is moved by {}, {} px is not moved by whole cells of {} x {} px",
                offset.x, offset.y, cell_size.x, cell_size.y
            ),
            Self::CellSize(size) => write!(
                f,
                "a cell of {} x {} px is not between 1 and {} px on both sides",
                size.x, size.y, MAX_CELL_SIZE
            ),
        }
    }
}

impl std::error::Error for GridError {}
