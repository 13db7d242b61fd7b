//! A terrain: bits, their frame in pixels, one-way cells, and the outside.
//!
//! These four always travel together. Here a terrain is made, described and edited; its queries are in
//! `queries`. Nothing here reads a file or knows a name.

use std::fmt;
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::frame::Frame;
use super::one_way::Guards;
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
    stamp: Stamp,
}

impl Terrain {
    /// The largest width and height of a cell, in pixels.
    pub const MAX_CELL_SIZE: u32 = MAX_CELL_SIZE;

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
        Ok(Self { frame, grid, guards: None, stamp: Stamp::default() })
    }

    /// This terrain with another outside: one [`Outside`] for all sides, or [`Sides`].
    ///
    /// Beyond a corner a pixel is solid if it is beyond a solid side.
    #[must_use]
    pub fn with_outside(mut self, outside: impl Into<Sides<Outside>>) -> Self {
        self.set_outside(outside);
        self
    }

    /// As [`Terrain::with_outside`], in place.
    pub fn set_outside(&mut self, outside: impl Into<Sides<Outside>>) {
        self.stamp.renew();
        self.frame.set_outside(outside.into());
    }

    /// This terrain with one-way cells: those of `guarded` block a motion against their side `side`. They
    /// replace the ones that guarded this side before.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let ledge = Grid::from_text("....\n....\n.##.\n....")?;
    /// let terrain = Terrain::new(Grid::new(4, 4)?, UVec2::splat(16))?.with_one_way(Dir::Up, ledge)?;
    /// let falling = terrain.sweep(Aabb::from_xywh(20, 10, 10, 10), Dir::Down, 100);
    /// assert_eq!(falling.moved, 12, "it lands on the ledge");
    /// let jumping = terrain.sweep(Aabb::from_xywh(20, 50, 10, 10), Dir::Up, 30);
    /// assert_eq!(jumping.moved, 30, "it passes from below");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// [`GridError::OtherSize`] if `guarded` is not as large as the terrain's grid,
    /// [`GridError::TooManyCells`] if there is no memory.
    pub fn with_one_way(mut self, side: Dir, guarded: Grid) -> Result<Self, GridError> {
        let (found, expected) = (guarded.size(), self.grid.size());
        if found != expected {
            return Err(GridError::OtherSize { found, expected });
        }
        *self.guards_mut()?.get_mut(side) = guarded;
        Ok(self)
    }

    /// This terrain with one-way cells by the side that they guard, in the order of [`Dir::ALL`]. Each grid
    /// must be as large as the terrain's.
    pub(crate) fn with_guards(mut self, guards: [Grid; 4]) -> Self {
        debug_assert!(guards.iter().all(|grid| grid.size() == self.grid.size()));
        self.stamp.renew();
        self.frame.set_one_way(true);
        self.guards = Some(Guards(Box::new(guards)));
        self
    }

    /// The one-way cells, which are added if there are none yet.
    fn guards_mut(&mut self) -> Result<&mut Guards, GridError> {
        self.stamp.renew();
        let guards = match self.guards.take() {
            Some(guards) => guards,
            None => blank_guards(&self.grid)?,
        };
        self.frame.set_one_way(true);
        Ok(self.guards.insert(guards))
    }

    /// The solid cells and the one-way cells, for a change; `added` are the one-way cells if there are none.
    pub(super) fn grids_mut(&mut self, added: Option<Guards>) -> (&mut Grid, Option<&mut Guards>) {
        self.stamp.renew();
        if self.guards.is_none() && added.is_some() {
            self.frame.set_one_way(true);
            self.guards = added;
        }
        (&mut self.grid, self.guards.as_mut())
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

    /// Makes a rectangle of cells solid or passable, for doors and breakable walls. The part outside the
    /// terrain is left out. O(rows x words a row + columns x words a column).
    ///
    /// # Errors
    /// As [`Grid::fill`]: it can fail only in a very large loaded level, which then stays as it was.
    pub fn fill(
        &mut self,
        columns: Range<u32>,
        rows: Range<u32>,
        solid: bool,
    ) -> Result<(), GridError> {
        self.stamp.renew();
        self.grid.fill(columns, rows, solid)
    }

    /// Makes a rectangle of cells guard their side `side`, or not guard it, as [`Terrain::fill`] makes cells
    /// solid.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let mut terrain = Terrain::new(Grid::new(4, 4)?, UVec2::splat(16))?;
    /// terrain.fill_one_way(Dir::Up, 0..4, 2..3, true)?; // a ledge
    /// terrain.fill_one_way(Dir::Up, 1..2, 2..3, false)?; // and a plank of it that breaks
    /// let falls = |x| terrain.sweep(Aabb::from_xywh(x, 0, 10, 10), Dir::Down, 100).moved;
    /// assert_eq!((falls(0), falls(20)), (22, 54));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Terrain::fill`], and [`GridError::TooManyCells`] if there is no memory for the first one-way
    /// cells.
    pub fn fill_one_way(
        &mut self,
        side: Dir,
        columns: Range<u32>,
        rows: Range<u32>,
        guarded: bool,
    ) -> Result<(), GridError> {
        if !guarded && self.guards.is_none() {
            return Ok(());
        }
        self.guards_mut()?.get_mut(side).fill(columns, rows, guarded)
    }

    /// A number that two states of terrains share only if they are alike.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp.get()
    }

    /// The bytes of memory that the cells take.
    pub fn memory_bytes(&self) -> u64 {
        let guards = self.guards.iter().flat_map(|guards| guards.0.iter());
        guards.map(Grid::memory_bytes).sum::<u64>() + self.grid.memory_bytes()
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

/// One-way cells for a terrain that has none.
pub(super) fn blank_guards(grid: &Grid) -> Result<Guards, GridError> {
    let blank = || blank(grid);
    Ok(Guards(Box::new([blank()?, blank()?, blank()?, blank()?])))
}

/// An empty grid of the size of `grid`, sparse if that is.
fn blank(grid: &Grid) -> Result<Grid, GridError> {
    let (width, height) = (grid.width(), grid.height());
    match grid.block_limit() {
        Some(limit) => Ok(Grid::sparse(width, height)?.with_block_limit(limit)),
        None => Grid::new(width, height),
    }
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use super::Terrain;
    use crate::geometry::{Aabb, Dir};
    use crate::grid::{Grid, GridBuilder, GridError};

    #[test]
    fn an_edit_that_fails_is_an_error_and_changes_nothing() {
        let builder = GridBuilder::new(20_000, 20_000).unwrap();
        let mut terrain = Terrain::new(builder.finish().unwrap(), UVec2::ONE).unwrap();
        let all = 0..20_000;
        let full = Err(GridError::TooManyBlocks { limit: 1 << 16 });
        assert_eq!(terrain.fill(all.clone(), all.clone(), true), full);
        assert_eq!(terrain.fill_one_way(Dir::Up, all.clone(), all, true), full);
        assert_eq!(terrain.grid().solid_count(), 0);
        assert_eq!(terrain.one_way(Dir::Up).unwrap().solid_count(), 0);
        assert_eq!(terrain.fill(5..8, 9..10, true), Ok(()));
        assert_eq!(terrain.fill_one_way(Dir::Up, 5..8, 20..21, true), Ok(()));
        let falls = |x, y| terrain.sweep(Aabb::from_xywh(x, y, 2, 2), Dir::Down, 50).moved;
        assert_eq!((falls(6, 0), falls(6, 12), falls(9, 0)), (7, 6, 50));
    }

    #[test]
    fn an_edited_terrain_answers_like_one_built_that_way() {
        let mut random = fastrand::Rng::with_seed(12);
        for _ in 0..300 {
            let (width, height) = (random.u32(1..20), random.u32(1..20));
            let blank = || Grid::new(width, height).unwrap();
            let mut edited = Terrain::new(blank(), UVec2::splat(5)).unwrap();
            let (mut solid, mut guards) = (blank(), blank());
            let side = Dir::ALL[random.usize(0..4)];
            for _ in 0..random.u32(0..12) {
                let (column, row) = (random.u32(0..20), random.u32(0..20));
                let (columns, rows) =
                    (column..column + random.u32(0..9), row..row + random.u32(0..9));
                let value = random.bool();
                if random.bool() {
                    edited.fill(columns.clone(), rows.clone(), value).unwrap();
                    solid.fill(columns, rows, value).unwrap();
                } else {
                    let (c, r) = (columns.clone(), rows.clone());
                    edited.fill_one_way(side, c, r, value).unwrap();
                    guards.fill(columns, rows, value).unwrap();
                }
            }
            let made = Terrain::new(solid, UVec2::splat(5)).unwrap();
            let made = made.with_one_way(side, guards).unwrap();
            for _ in 0..60 {
                let (x, y) = (random.i32(-9..109), random.i32(-9..109));
                let body = Aabb::from_xywh(x, y, random.i32(0..12), random.i32(0..12));
                let (dir, step) = (Dir::ALL[random.usize(0..4)], random.u32(0..60));
                assert_eq!(edited.sweep(body, dir, step), made.sweep(body, dir, step));
                assert_eq!(edited.can_move(body, dir, step), made.can_move(body, dir, step));
                assert_eq!(edited.overlaps(body), made.overlaps(body));
            }
        }
    }
}
