//! A grid with one bit for each cell: 1 = solid. It stores its bits twice, as rows and as columns, so a query
//! for a horizontal or a vertical edge reads runs of adjacent bits. The layout is private. A dense grid
//! stores all its rows and all its columns as words (see `plane`). A very large grid is sparse and stores
//! only the blocks that have a solid cell (see `sparse`). Bits beyond width x height are always zero.

#[cfg(feature = "bitvec")]
mod bits;
pub(crate) mod block;
mod builder;
mod edit;
mod place;
mod plane;
#[cfg(any(feature = "bitvec", feature = "mask", feature = "serde"))]
mod rows;
#[cfg(feature = "serde")]
mod saved;
mod sparse;
#[cfg(test)]
mod tests;
mod view;
pub(crate) mod words;

pub(crate) use block::Changed;
pub(crate) use builder::GridBuilder;
#[cfg(feature = "tmx")]
pub(crate) use builder::MAX_DENSE_CELLS;
pub(crate) use edit::{edit, fill};
pub(crate) use place::{Placement, cut};
pub(crate) use plane::{Plane, runs_of_bits, transpose_block, zeros};
#[cfg(feature = "mask")]
pub(crate) use rows::RowBuilder;
pub(crate) use words::{low_bits, rectangles};

use std::fmt::{self, Write as _};
use std::hash::{Hash, Hasher};
use std::ops::Range;

use block::{NONE, change};
use glam::{I64Vec2, IVec2, UVec2};
use plane::{SIDE, Words};
use sparse::Sparse;

use crate::geometry::{Axis, Dir, MAX_CELL_SIZE};
use crate::text::px;

/// A rectangle of `width` x `height` cells, each solid (bit 1) or passable (bit 0).
///
/// # Guarantees
/// * Width and height are at least 1. [`Grid::new`] creates a grid of at most [`Grid::MAX_CELLS`] cells. A
///   grid from [`Grid::sparse`] or from a very large loaded level is *sparse*: it may have up to `u32::MAX`
///   cells a side. A grid of over 2^22 lines of fewer than 32 cells is sparse, too.
/// * A grid never changes its size. Two grids of the same size with the same solid cells are equal and have
///   the same hash, even if only one of them is sparse.
/// * A dense grid takes 8 x (ceil(w / 64) x h + ceil(h / 64) x w) + 128 bytes. This is 2 bits a cell if both
///   sides are large.
/// * A sparse grid stores only the aligned blocks of 64 x 64 cells that have a solid cell, at most
///   [`Grid::block_limit`] blocks. A block takes 1 KiB (nothing if all its cells are solid), plus 60 to 110
///   bytes for its place.
/// * A sparse grid gives the same answers as a dense grid. The time of a query depends on the blocks in the
///   rectangle that it tests, and not on the empty space.
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
    /// The bitmap of the columns, then the bitmap of the rows. They have no words in a sparse grid.
    planes: [Plane; 2],
    sparse: Option<Box<Sparse>>,
}

impl Grid {
    /// The largest number of cells in a grid from [`Grid::new`]: 2^31. Such a grid takes 512 MiB.
    pub const MAX_CELLS: u64 = 1 << 31;

    /// Creates a grid from a drawing in `text`. Each line is a row: `#` is a solid cell and `.` a passable
    /// cell. Blank lines and white space around a row are ignored.
    ///
    /// # Errors
    /// [`GridError::RaggedRow`] if two rows differ in length, [`GridError::BadCharacter`] if a row has any
    /// other character, [`GridError::Empty`] if the text has no rows.
    pub fn from_text(text: &str) -> Result<Self, GridError> {
        parse(text)
    }

    /// Creates a grid of passable cells.
    ///
    /// # Errors
    /// [`GridError::Empty`] if a side is 0, [`GridError::TooManyCells`] if there are more than
    /// [`Grid::MAX_CELLS`] cells or memory runs out.
    pub fn new(width: u32, height: u32) -> Result<Self, GridError> {
        check_size(width, height)?;
        if Plane::is_wasteful(width, height) {
            return Self::sparse(width, height);
        }
        match [Plane::new(width, height), Plane::new(height, width)] {
            [Some(columns), Some(rows)] => Ok(Self { planes: [columns, rows], sparse: None }),
            _ => Err(GridError::TooManyCells { width, height }),
        }
    }

    /// Creates a sparse grid of passable cells, of any size. It suits a world that is much larger than its
    /// loaded part.
    ///
    /// The grid can have 2^16 blocks; [`Grid::with_block_limit`] changes this limit.
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

    /// Returns this grid with another block limit if it is sparse. A dense grid stays unchanged.
    ///
    /// The limit is the largest number of blocks of 64 x 64 cells that have a solid cell. A change that would
    /// exceed the limit is an error. The limit is not compared or saved. A lower limit removes no block.
    #[must_use]
    pub fn with_block_limit(mut self, limit: u32) -> Self {
        if let Some(blocks) = &mut self.sparse {
            blocks.limit = limit;
        }
        self
    }

    /// Returns the block limit of a sparse grid; `None` for a dense grid. See [`Grid::with_block_limit`].
    pub fn block_limit(&self) -> Option<u32> {
        self.sparse.as_ref().map(|blocks| blocks.limit)
    }

    /// Creates an empty bitmap of rows. The caller sets its solid cells and then passes it to
    /// [`Grid::from_rows`].
    pub(crate) fn blank_rows(width: u32, height: u32) -> Result<Plane, GridError> {
        check_size(width, height)?;
        let rows = if Plane::is_wasteful(width, height) { None } else { Plane::new(height, width) };
        rows.ok_or(GridError::TooManyCells { width, height })
    }

    pub(crate) fn from_rows(rows: Plane) -> Result<Self, GridError> {
        let width = rows.len();
        let height = rows.count();
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

    /// Returns the number of columns.
    #[inline]
    pub fn width(&self) -> u32 {
        self.columns().count()
    }

    /// Returns the number of rows.
    #[inline]
    pub fn height(&self) -> u32 {
        self.rows().count()
    }

    /// Returns the width and height in cells.
    #[inline]
    pub fn size(&self) -> UVec2 {
        UVec2::new(self.width(), self.height())
    }

    /// Returns the number of cells, solid and passable.
    pub fn cell_count(&self) -> u64 {
        u64::from(self.width()) * u64::from(self.height())
    }

    /// Returns the number of solid cells. This takes O(cells / 64), or O(blocks) in a sparse grid.
    pub fn solid_count(&self) -> u64 {
        match &self.sparse {
            None => self.rows().count_ones(),
            Some(blocks) => blocks.count_ones(),
        }
    }

    /// Returns the memory of the bits in bytes. For a sparse grid it is an estimate.
    pub fn memory_bytes(&self) -> u64 {
        let blocks = self.sparse.as_deref().map_or(0, Sparse::memory_bytes);
        self.planes.iter().map(Plane::memory_bytes).sum::<u64>() + blocks
    }

    /// Returns true if the cell is solid and false if it is passable; `None` outside the grid.
    #[inline]
    pub fn get(&self, column: u32, row: u32) -> Option<bool> {
        (column < self.width() && row < self.height()).then(|| match &self.sparse {
            None => self.rows().get(row, column),
            Some(blocks) => blocks.row_word(column / 64, row) >> (column % 64) & 1 != 0,
        })
    }

    /// Returns true if the cell is solid. A cell outside the grid is not solid.
    #[inline]
    pub fn is_solid(&self, column: u32, row: u32) -> bool {
        self.get(column, row) == Some(true)
    }

    /// Makes one cell solid or passable. A cell outside the grid is ignored.
    ///
    /// # Errors
    /// The same as for [`Grid::fill`].
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

    /// Makes every cell of a rectangle solid or passable. Cells outside the grid are ignored. The edit takes
    /// O(rows x words of a row + columns x words of a column).
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
    /// [`GridError::TooManyBlocks`] if a sparse grid would exceed its block limit; the grid then stays
    /// unchanged. A dense grid never fails. Making cells passable never fails either.
    pub fn fill(
        &mut self,
        columns: Range<u32>,
        rows: Range<u32>,
        solid: bool,
    ) -> Result<(), GridError> {
        fill(self, columns, rows, solid).map(drop)
    }

    /// Returns true if at least one cell of a rectangle is solid. Cells outside the grid are passable.
    ///
    /// The query reads the words of the rectangle's rows or columns, whichever are fewer. In a sparse grid it
    /// reads only blocks.
    pub fn any_solid(&self, columns: Range<u32>, rows: Range<u32>) -> bool {
        let (columns, rows) = self.clamp(columns, rows);
        !columns.is_empty() && !rows.is_empty() && words::any_solid(self, Axis::X, columns, rows)
    }

    /// Returns the cells that can be seen from the cell `from`, up to `radius` cells away, as the solid cells
    /// of a grid of the same size.
    ///
    /// A cell is on the way of a line if it is the nearest to the line in its row, or in its column if the
    /// line is steep to the rows. A passable cell is seen if all cells on the way from middle to middle are
    /// passable. Where the line goes exactly between two cells, those on one side of it must be passable, the
    /// same side everywhere. So of two passable cells each sees the other one, or none does. A solid cell is
    /// seen if a line ends on a part of it.
    ///
    /// A cell counts if its middle is within the circle: `x * x + y * y <= radius * radius` in cells. A
    /// radius above 2^30 counts as 2^30. The cell `from` is always seen, and sees out if it is solid. Nothing
    /// is seen outside the grid, and nothing from there.
    ///
    /// The result is sparse ([`Grid::sparse`]), so its memory depends on the cells seen. Each of them is
    /// visited once: O(cells seen).
    ///
    /// ```
    /// use bitwall::{Grid, glam::IVec2};
    ///
    /// let rooms = Grid::from_text(".......\n...#...\n.......\n.......")?;
    /// let seen = rooms.field_of_view(IVec2::new(2, 2), 3);
    /// assert_eq!(seen.to_string(), "####...\n#####..\n######.\n#####..");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[must_use]
    pub fn field_of_view(&self, from: IVec2, radius: u32) -> Self {
        view::field_of_view(self, from, radius)
    }

    /// Returns the first solid cell that an edge meets while it moves over a rectangle toward `dir`; `None`
    /// if no cell is solid.
    ///
    /// If the edge meets several cells at once, returns the cell with the smallest row, then the smallest
    /// column. Cells outside the grid are passable.
    pub fn first_solid(&self, dir: Dir, columns: Range<u32>, rows: Range<u32>) -> Option<UVec2> {
        let (columns, rows) = self.clamp(columns, rows);
        if columns.is_empty() || rows.is_empty() {
            return None;
        }
        let [along, across] = dir.axis().xy(columns, rows);
        let hit = words::first_solid(self, dir, along, across)?;
        Some(dir.axis().xy(hit.line, hit.place).into())
    }

    /// Returns the bitmap of the columns if `axis` is x, or of the rows if it is y; `None` if the grid is
    /// sparse.
    pub(crate) fn plane(&self, axis: Axis) -> Option<&Plane> {
        Some(&self.planes[axis.index()]).filter(|plane| !plane.is_absent())
    }

    /// Returns each block that has a solid cell: its block column and block row, and the words of its 64
    /// rows. The blocks come row by row, and from the left in each row.
    pub(crate) fn blocks(&self) -> Box<dyn Iterator<Item = ([u32; 2], Words)> + '_> {
        match &self.sparse {
            None => Box::new(self.rows().blocks()),
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
                found => return Err(GridError::BadCharacter { found, line, column }),
            }
        }
    }
    Ok(grid)
}

impl fmt::Display for Grid {
    /// Writes each row as a line of `#` and `.`, without a final line break. `from_text` reads this text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for row in 0..self.height() {
            if row > 0 {
                writeln!(f)?;
            }
            for column in 0..self.width() {
                f.write_char(if self.is_solid(column, row) { '#' } else { '.' })?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Grid {
    /// Writes the size of the grid, and also its cells if there are at most 10,000.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Grid {} x {}", self.width(), self.height())?;
        if self.cell_count() <= 10_000 {
            write!(f, "\n{self}")?;
        }
        Ok(())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    All,
    /// Only the pixels along this side of each solid cell become solid: one row or one column.
    Side(Dir),
}

/// Returns a grid with one cell for each pixel of `grid`, whose cells are `cell_size` pixels. Of each solid
/// cell, all pixels become solid, or only the pixels along one side, as `part` states. Each side must have
/// fewer than 2^32 pixels. The result is sparse if it is very large.
pub(crate) fn in_pixels(grid: &Grid, cell_size: UVec2, part: Part) -> Result<Grid, GridError> {
    let size = grid.size() * cell_size;
    let mut pixels = GridBuilder::new(size.x, size.y)?;
    for (row, run) in grid.runs_in(0..grid.width(), 0..grid.height()) {
        let top = row * cell_size.y;
        let bottom = (row + 1) * cell_size.y;
        let left = run.start * cell_size.x;
        let right = run.end * cell_size.x;
        match part {
            Part::All => pixels.fill(left..right, top..bottom)?,
            Part::Side(Dir::Up) => pixels.fill(left..right, top..top + 1)?,
            Part::Side(Dir::Down) => pixels.fill(left..right, bottom - 1..bottom)?,
            Part::Side(Dir::Left | Dir::Right) => {
                let place = if part == Part::Side(Dir::Left) { 0 } else { cell_size.x - 1 };
                for left in run.map(|column| column * cell_size.x + place) {
                    pixels.fill(left..left + 1, top..bottom)?;
                }
            }
        }
    }
    Ok(pixels.finish())
}

/// The error of a function that creates, fills or combines grids.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GridError {
    /// The width or the height of a grid is 0.
    Empty,
    /// A grid would have more than [`Grid::MAX_CELLS`] cells, or more cells than fit in memory.
    TooManyCells {
        /// The requested width in cells.
        width: u32,
        /// The requested height in cells.
        height: u32,
    },
    /// A sparse [`Grid`] would exceed its block limit. See [`Grid::with_block_limit`].
    TooManyBlocks {
        /// The block limit: the largest number of blocks of 64 x 64 cells that have a solid cell.
        limit: u32,
    },
    /// A text has a character that is neither `#` nor `.`.
    BadCharacter {
        /// The character that was found.
        found: char,
        /// The line of this character in the text, counted from 1.
        line: u32,
        /// The column of this character in the grid, counted from 0.
        column: u32,
    },
    /// A row of a text is longer or shorter than the first row.
    RaggedRow {
        /// The line of this row in the text, counted from 1.
        line: u32,
        /// The length of this row in characters.
        found: u32,
        /// The length of the first row in characters.
        expected: u32,
    },
    /// The number of bits is not width x height.
    OtherBitCount {
        /// The number of bits that were given.
        found: u64,
        /// The number of bits that the grid needs: width x height.
        expected: u64,
    },
    /// Two grids have different sizes, but must have the same size.
    OtherSize {
        /// The number of columns and rows of the given grid.
        found: UVec2,
        /// The number of columns and rows that the given grid must have.
        expected: UVec2,
    },
    /// Two levels, or two areas with the same name, have different cell sizes, but must have the same cell
    /// size.
    OtherCellSize {
        /// The width and height of a cell of the given level or area, in pixels.
        found: UVec2,
        /// The width and height that a cell must have, in pixels.
        expected: UVec2,
    },
    /// An area would be moved by a distance that is not a whole number of its cells.
    PartOfACell {
        /// The distance, in pixels, by which the area would be moved.
        offset: I64Vec2,
        /// The width and height of the area's cells, in pixels.
        cell_size: UVec2,
    },
    /// The width or the height of a cell is not 1 to
    /// [`Terrain::MAX_CELL_SIZE`](crate::terrain::Terrain::MAX_CELL_SIZE) pixels.
    CellSize(UVec2),
    /// A level would be more than `u32::MAX` pixels wide or high.
    LevelTooLarge {
        /// The number of columns and rows of the level.
        cells: UVec2,
        /// The width and height of a cell, in pixels.
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
            Self::LevelTooLarge { cells, cell_size } => {
                let cell = px(*cell_size);
                write!(
                    f,
                    "{} x {} cells of {cell} are more than {} px",
                    cells.x,
                    cells.y,
                    u32::MAX
                )?;
                write!(f, " wide or high")
            }
            Self::OtherBitCount { found, expected } => {
                write!(f, "{found} bits are not the {expected} cells of the grid")
            }
            Self::OtherSize { found, expected } => write!(
                f,
                "a grid of {} x {} cells does not go with one of {} x {}",
                found.x, found.y, expected.x, expected.y
            ),
            Self::OtherCellSize { found, expected } => {
                write!(f, "cells of {} do not go with cells of {}", px(*found), px(*expected))
            }
            Self::PartOfACell { offset: by, cell_size } => {
                let cell = px(*cell_size);
                write!(
                    f,
                    "an area that is moved by {}, {} px is not moved by whole cells of {cell}",
                    by.x, by.y
                )
            }
            Self::CellSize(size) => {
                let cell = px(*size);
                write!(f, "a cell of {cell} is not between 1 and {MAX_CELL_SIZE} px on both sides")
            }
        }
    }
}

impl std::error::Error for GridError {}
