//! A level: a grid of solid cells, how it lies in pixels, what is outside it, and named places.
//!
//! [`Level::load`] opens a Tiled map or a mask picture; after that nothing is read, nothing allocates and
//! nothing fails. Movement policy (sliding, steps, gravity) is not here.

mod footprints;
mod parts;
mod provenance;
mod queries;
pub(crate) mod source;
pub(crate) mod tmx;
pub(crate) mod world;

use std::fmt;
use std::ops::Range;

use glam::{IVec2, UVec2};

use crate::error::LoadErrorKind;
use crate::error::warning::LoadWarning;
use crate::geometry::{Aabb, Dir, MAX_CELL_SIZE, Outside, Sides};
use crate::grid::{Grid, GridError};
use crate::options::LoadOptions;
use crate::sweep::{self, Frame, Sweep};

pub(crate) use footprints::sweep_parts;
pub(crate) use source::Orientation;
pub(crate) use source::{
    Alignment, BlendMode, CellBlock, DrawnLayer, Image, KeptMap, LayerContent, MapObject,
    ObjectLook, Tileset, flip,
};
pub use source::{
    LayerSource, MapSource, Marker, MaskSource, PlacedTile, Provenance, SolidCount, Source,
    TileMap, WorldPart, WorldSource,
};
#[cfg(feature = "cli")]
pub(crate) use tmx::pictures_named;

/// A level to move in.
///
/// ```
/// use bitwall::{Aabb, Dir, Level};
///
/// let level = Level::load("assets/cave.tmx")?;
/// let player = level.marker("player").expect("the map has a spawn");
/// let body = Aabb::from_xywh(player.area.min.x - 6, player.area.min.y - 12, 12, 20);
///
/// let sweep = level.sweep(body, Dir::Right, 400);
/// assert!(level.can_move(body, Dir::Right, sweep.moved));
/// assert!(!level.can_move(body, Dir::Right, sweep.moved + 1));
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone)]
pub struct Level {
    grid: Grid,
    frame: Frame,
    source: Source,
    markers: Vec<Marker>,
    areas: Vec<(String, Level)>,
    /// By the guarded side, in the order of [`Dir::ALL`].
    one_way: Option<Box<[Grid; 4]>>,
    /// Where the level's corner lies in its source.
    origin: IVec2,
    warnings: Vec<LoadWarning>,
    maps: Vec<KeptMap>,
}

impl Level {
    /// A level of a grid made in code, with cells of `cell_size` pixels, solid outside.
    ///
    /// # Errors
    /// [`GridError::CellSize`] if a side of a cell is not 1 to [`MAX_CELL_SIZE`] pixels,
    /// [`GridError::LevelTooLarge`] if a side of the level is over `u32::MAX` pixels.
    pub fn from_grid(grid: Grid, cell_size: UVec2) -> Result<Self, GridError> {
        let sides = 1..=MAX_CELL_SIZE;
        if !sides.contains(&cell_size.x) || !sides.contains(&cell_size.y) {
            return Err(GridError::CellSize(cell_size));
        }
        let cells = grid.size();
        if cells.checked_mul(cell_size).is_none() {
            return Err(GridError::LevelTooLarge { cells, cell_size });
        }
        Ok(Self {
            frame: Frame::new(cells, cell_size, Outside::Solid.into()),
            grid,
            source: Source::Grid,
            markers: Vec::new(),
            areas: Vec::new(),
            one_way: None,
            origin: IVec2::ZERO,
            warnings: Vec::new(),
            maps: Vec::new(),
        })
    }

    /// A level that a loader has put together.
    pub(crate) fn assemble(
        grid: Grid,
        cell_size: UVec2,
        options: &LoadOptions,
        source: Source,
        markers: Vec<Marker>,
        maps: Vec<KeptMap>,
    ) -> Result<Self, LoadErrorKind> {
        let side = |cells: u32, cell: u32| u64::from(cells) * u64::from(cell);
        let width = side(grid.width(), cell_size.x);
        let height = side(grid.height(), cell_size.y);
        // Only limits that the caller has raised let such a level come so far.
        let level = Self::from_grid(grid, cell_size).map_err(|_| LoadErrorKind::TooLarge {
            what: "pixels in a side of the level",
            limit: u64::from(u32::MAX),
            found: width.max(height),
        })?;
        Ok(Self {
            source,
            markers,
            maps,
            ..level.with_outside(options.outside)
        })
    }

    /// This level with named areas, whose outside becomes open. A name must not come twice.
    pub(crate) fn with_areas(mut self, areas: Vec<(String, Level)>) -> Self {
        self.areas = areas;
        for (_, area) in &mut self.areas {
            area.frame.set_outside(Outside::Open.into());
        }
        self
    }

    /// This level with something else beyond its sides: one [`Outside`] for all, or [`Sides`].
    ///
    /// Beyond a corner a pixel is solid if it is beyond a solid side. Its areas stay open outside.
    #[must_use]
    pub fn with_outside(mut self, outside: impl Into<Sides<Outside>>) -> Self {
        self.frame.set_outside(outside.into());
        self
    }

    /// True exactly if no solid pixel lies in the strip that the leading edge of `body` sweeps as it moves
    /// `step` pixels toward `dir`: all of the strip, not only its end.
    ///
    /// So a wall of one pixel is never skipped, however long the step. A step of 0 is always allowed. A
    /// body that starts inside a solid may leave it but not go on through it: only what the edge sweeps
    /// counts. A body without extent across its motion sweeps nothing; one without extent along it sweeps
    /// like any other. Every position and step has an answer; no float and no tolerance enters it. A few
    /// nanoseconds for a step of up to 8 cells by a body of up to 64; O(words that the strip covers) for a
    /// longer one.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Level};
    ///
    /// let grid = Grid::from_text("..........#.........")?;
    /// let level = Level::from_grid(grid, glam::UVec2::ONE)?;
    /// let body = Aabb::from_xywh(0, 0, 4, 1);
    /// assert!(level.can_move(body, Dir::Right, 6));
    /// assert!(!level.can_move(body, Dir::Right, 12), "the wall at x 10 is in the way");
    /// # Ok::<(), bitwall::GridError>(())
    /// ```
    #[inline]
    pub fn can_move(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        let guards = self.one_way.as_deref();
        sweep::is_clear(&self.grid, &self.frame, guards, body, dir, step)
    }

    /// Gives the level one-way cells, by the side that they guard, in the order of [`Dir::ALL`]; or none.
    fn set_one_way(&mut self, guards: Option<[Grid; 4]>) {
        self.frame.set_one_way(guards.is_some());
        self.one_way = guards.map(Box::new);
    }

    /// How far `body` can move toward `dir`, at most `step` pixels, and what stops it: the largest distance
    /// for which [`Level::can_move`] is true. O(words that the strip covers).
    pub fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        // Most motions are free, and to know that much costs a fraction.
        if self.can_move(body, dir, step) {
            return Sweep::clear(step);
        }
        let sweep = self.sweep_solids(body, dir, step);
        match self.one_way(dir.opposite()) {
            Some(guards) => sweep::one_way::cut(guards, &self.frame, body, dir, sweep),
            None => sweep,
        }
    }

    /// As [`Level::sweep`], through one-way cells.
    pub(crate) fn sweep_solids(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        sweep::sweep(&self.grid, &self.frame, body, dir, step)
    }

    /// The smallest distance, at most `limit`, toward `dir` at which `body` overlaps no solid if it is put
    /// there, whatever lies between: 0 where it is free already, `None` if there is no such place, or none
    /// in the range of `i32`. O(words that the body covers) for each solid cell on the way, at most.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Level};
    ///
    /// let level = Level::from_grid(Grid::from_text(".##.##....")?, glam::UVec2::ONE)?;
    /// let body = Aabb::from_xywh(1, 0, 2, 1);
    /// assert_eq!(level.nearest_free(body, Dir::Right, 9), Some(5), "the gap at x 3 is too small");
    /// assert_eq!(level.nearest_free(body, Dir::Right, 4), None);
    /// # Ok::<(), bitwall::GridError>(())
    /// ```
    pub fn nearest_free(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        sweep::nearest_free(&self.grid, &self.frame, body, dir, limit)
    }

    /// True if the pixel is solid, inside the level or outside it.
    #[inline]
    pub fn is_solid(&self, point: IVec2) -> bool {
        sweep::is_solid(&self.grid, &self.frame, point)
    }

    /// True if some pixel of `area` is solid, inside the level or outside it; false for an empty area.
    /// O(words that the area covers).
    #[inline]
    pub fn any_solid(&self, area: Aabb) -> bool {
        sweep::any_solid(&self.grid, &self.frame, area)
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

    /// The width and height of the level in pixels.
    pub fn size(&self) -> UVec2 {
        self.grid.size() * self.cell_size()
    }

    /// What lies beyond each side.
    pub fn outside(&self) -> Sides<Outside> {
        self.frame.outside()
    }

    /// The cell that holds the pixel `point`, inside the level or outside it.
    pub fn cell_at(&self, point: IVec2) -> IVec2 {
        point.div_euclid(self.cell_size().as_ivec2())
    }

    /// The pixels that a cell covers, inside the level or outside it; edges beyond the range of `i32` are at
    /// its ends.
    pub fn cell_area(&self, cell: IVec2) -> Aabb {
        let size = self.cell_size().as_ivec2();
        Aabb {
            min: cell.saturating_mul(size),
            max: cell.saturating_add(IVec2::ONE).saturating_mul(size),
        }
    }

    /// Makes a rectangle of cells solid or passable, for doors and for what breaks; the part outside the
    /// level is left out. The level answers like one loaded so; markers, areas and provenance stay as they
    /// were. O(rows x words a row + columns x words a column). See [`Grid::fill`] for the limit of a sparse
    /// grid.
    pub fn fill(&mut self, columns: Range<u32>, rows: Range<u32>, solid: bool) {
        self.grid.fill(columns, rows, solid);
    }

    /// The bytes of memory that the level's cells take, with those of its areas and of the maps that it
    /// keeps.
    pub fn memory_bytes(&self) -> u64 {
        let maps: u64 = self.maps().map(|(_, map)| map.memory_bytes()).sum();
        let areas: u64 = self.areas().map(|(_, area)| area.memory_bytes()).sum();
        let guards = self.one_way.iter().flat_map(|guards| guards.iter());
        let guards: u64 = guards.map(Grid::memory_bytes).sum();
        self.grid.memory_bytes() + maps + areas + guards
    }
}

impl fmt::Debug for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Level")
            .field("cell_size", &self.cell_size())
            .field("grid", &self.grid)
            .field("outside", &self.outside())
            .field("markers", &self.markers)
            .field("areas", &self.areas)
            .finish_non_exhaustive()
    }
}
