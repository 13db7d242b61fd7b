//! A terrain: bits, their frame in pixels, one-way cells, and the outside.
//!
//! These four always travel together. Here a terrain is made and described; its queries are in `queries`, its
//! edits in `edit`. Nothing here reads a file or knows a name.

use std::fmt;

use glam::{IVec2, UVec2};

use super::edge_lines::{MAX_BYTES, Source};
use super::frame::Frame;
use super::one_way::Guards;
use super::spaces::Spaces;
use super::stamp::Stamp;
use crate::geometry::{Aabb, Dir, MAX_CELL_SIZE, Outside, Sides};
use crate::grid::{Grid, GridError};

/// Solid cells in pixels: a [`Grid`], the size of its cells, one-way cells, and the outside.
///
/// A [`Level`](crate::Level) has one terrain of solids; each of its named areas is another one. A terrain can
/// be edited at any time, and then answers like one built that way.
///
/// ```
/// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
///
/// let mut terrain = Terrain::new(Grid::from_text("..#.")?, UVec2::splat(16))?;
/// let body = Aabb::from_xywh(0, 0, 12, 12);
/// assert_eq!(terrain.sweep(body, Dir::Right, 100).moved, 20);
///
/// terrain.fill(2..3, 0..1, false)?; // the door opens
/// assert_eq!(terrain.sweep(body, Dir::Right, 100).moved, 52, "the edge of the terrain");
/// # Ok::<(), bitwall::grid::GridError>(())
/// ```
#[derive(Clone)]
pub struct Terrain {
    pub(super) grid: Grid,
    pub(super) frame: Frame,
    pub(super) guards: Option<Guards>,
    pub(super) stamp: Stamp,
    /// The lines of the body sizes that were asked for.
    pub(super) spaces: Spaces,
}

impl Terrain {
    /// The largest width and height of a cell, in pixels.
    pub const MAX_CELL_SIZE: u32 = MAX_CELL_SIZE;

    /// The most bytes that the lines of all configuration spaces of a terrain take together: 256 MiB. See
    /// [`Terrain::config_space`].
    pub const MAX_CONFIG_SPACE_BYTES: u64 = MAX_BYTES;

    /// The terrain of a grid with cells of `cell_size` pixels. It is solid outside and has no one-way cells.
    ///
    /// # Errors
    /// [`GridError::CellSize`] if a side of a cell is not 1 to [`Terrain::MAX_CELL_SIZE`] pixels,
    /// [`GridError::LevelTooLarge`] if a side of the terrain is over `u32::MAX` pixels.
    pub fn new(grid: Grid, cell_size: UVec2) -> Result<Self, GridError> {
        let sides = 1..=MAX_CELL_SIZE;
        if !sides.contains(&cell_size.x) || !sides.contains(&cell_size.y) {
            return Err(GridError::CellSize(cell_size));
        }
        let cells = grid.size();
        if cells.checked_mul(cell_size).is_none() {
            return Err(GridError::LevelTooLarge { cells, cell_size });
        }
        let frame = Frame::new(cells, cell_size, Outside::Solid.into());
        Ok(Self { frame, grid, guards: None, stamp: Stamp::default(), spaces: Spaces::default() })
    }

    /// The one-way cells that guard their side `side`; `None` for a terrain that has none on any side. A body
    /// that moves against that side from outside the cell stops at it. A body past it already is not held.
    pub fn one_way(&self, side: Dir) -> Option<&Grid> {
        self.guards.as_ref().map(|guards| guards.get(side))
    }

    /// The solid cells.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The width and height of a cell in pixels: 1 x 1 for a mask, and for a map with solids finer than its
    /// tiles.
    pub fn cell_size(&self) -> UVec2 {
        self.frame.cell_size()
    }

    /// The width and height of the terrain in pixels.
    pub fn size(&self) -> UVec2 {
        self.grid.size() * self.cell_size()
    }

    /// The outside of each side: solid or open.
    pub fn outside(&self) -> Sides<Outside> {
        self.frame.outside()
    }

    /// The cell that holds the pixel `point`, inside the terrain or outside it.
    pub fn cell_at(&self, point: IVec2) -> IVec2 {
        point.div_euclid(self.cell_size().as_ivec2())
    }

    /// The pixels that a cell covers, inside the terrain or outside it. Edges beyond the range of `i32` are
    /// at its ends.
    pub fn cell_area(&self, cell: IVec2) -> Aabb {
        let size = self.cell_size().as_ivec2();
        Aabb {
            min: cell.saturating_mul(size),
            max: cell.saturating_add(IVec2::ONE).saturating_mul(size),
        }
    }

    /// The cells that config spaces are made of.
    pub(super) fn source(&self) -> Source<'_> {
        Source { grid: &self.grid, frame: &self.frame, guards: self.guards.as_ref() }
    }

    /// A number that two states of terrains share only if they are alike.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp.get()
    }

    /// The bytes of memory that the cells and the lines of configuration spaces take.
    pub fn memory_bytes(&self) -> u64 {
        let guards = self.guards.iter().flat_map(|guards| guards.0.iter());
        let guards: u64 = guards.map(Grid::memory_bytes).sum();
        self.grid.memory_bytes() + guards + self.spaces.memory_bytes()
    }
}

impl fmt::Debug for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terrain")
            .field("cell_size", &self.cell_size())
            .field("grid", &self.grid)
            .field("outside", &self.outside())
            .finish_non_exhaustive()
    }
}
