//! A terrain: a grid of solid cells, their size in pixels, one-way cells, and for each side whether the space
//! beyond it is solid or open. Its queries cover motions, overlaps, lines of sight, the nearest solid
//! and area. Functions in `kernel` take plain data; [`Terrain`] owns the data and has the same
//! functions as methods. Tests of motions and overlaps cannot fail, do not allocate and use no floats. Every
//! edit of cells ends with a call of `note_change`.

mod contact;
mod edge_lines;
mod edit;
mod free_rows;
mod kernel;
mod nearest;
mod positions;
mod prepared;
mod ray;
#[cfg(feature = "serde")]
mod saved;
mod sliding_or;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use glam::{I64Vec2, IVec2, UVec2};

pub use self::contact::{BodyId, Contact, Hit, Sweep};
pub use self::edit::Brush;
pub(crate) use self::edit::{CellRange, Chunk, Emit, Pixels, cells_in, cut};
use self::edit::{EditKind, Stamp};
pub(crate) use self::free_rows::TakeFreeRows;
use self::free_rows::{Walls, free_rows, position_range};
pub use self::kernel::Collider;
use self::kernel::{Frame, Guards, SolidCells, bits};
pub(crate) use self::kernel::{InTerrain, last_free};
pub use self::nearest::NearestSolid;
pub(crate) use self::positions::{BitPlane, FreePositions, LatticeDistances};
use self::prepared::Prepared;
pub(crate) use self::prepared::SizedTerrain;
pub use self::ray::RayHit;
pub(crate) use self::ray::{greatest_common_divisor, ray_to_box};
use crate::geometry::{Aabb, Axis, Corners, Dir, MAX_CELL_SIZE, Outside, Sides};
use crate::grid::{self, Grid, GridError, Part, in_pixels};

/// The largest number of bytes of all prepared sizes of a terrain together.
const MAX_BYTES: u64 = 1 << 28;

/// A [`Grid`] of solid cells placed in pixels, with one-way cells, and solid or open space beyond each side.
///
/// A [`Level`](crate::Level) has one terrain for its solids and one terrain for each named area. A terrain
/// can be edited at any time. After an edit, it answers like a terrain built from the edited cells.
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
    cells: SolidCells,
    stamp: Stamp,
    /// The sizes for which queries are prepared. See [`Terrain::prepare`].
    prepared: Vec<Prepared>,
}

impl Terrain {
    /// The largest width and height of a cell, in pixels.
    pub const MAX_CELL_SIZE: u32 = MAX_CELL_SIZE;

    /// Creates a terrain with cells of `cell_size` pixels, solid space beyond its sides and no one-way cells.
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
        let cells = SolidCells { grid, frame, guards: None };
        Ok(Self { cells, stamp: Stamp::default(), prepared: Vec::new() })
    }

    /// Returns the one-way cells that stop bodies which enter through their side `side`; `None` if the
    /// terrain has no one-way cells at all.
    pub fn one_way(&self, side: Dir) -> Option<&Grid> {
        self.cells.guards_of(side)
    }

    /// Returns the grid of the solid cells.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.cells.grid
    }

    /// Returns the width and height of a cell in pixels: 1 x 1 for a mask, or if solids are finer than tiles.
    pub fn cell_size(&self) -> UVec2 {
        self.cells.frame.cell_size()
    }

    /// Returns the width and height of the terrain in pixels.
    pub fn size(&self) -> UVec2 {
        self.cells.grid.size() * self.cell_size()
    }

    /// Returns whether the space beyond each side is solid or open.
    pub fn outside(&self) -> Sides<Outside> {
        self.cells.frame.outside
    }

    /// Returns the column and row of the cell that contains the pixel `point`, inside or outside the terrain.
    pub fn cell_at(&self, point: IVec2) -> IVec2 {
        point.div_euclid(self.cell_size().as_ivec2())
    }

    /// Returns the box of a cell in pixels, inside or outside the terrain. Edges beyond `i32` saturate.
    pub fn cell_box(&self, cell: IVec2) -> Aabb {
        let size = self.cell_size().as_ivec2();
        Aabb {
            min: cell.saturating_mul(size),
            max: cell.saturating_add(IVec2::ONE).saturating_mul(size),
        }
    }

    /// Returns the version number of the cells. Terrains with equal numbers have equal cells.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp.number()
    }

    /// Returns the memory of the cells and of all prepared sizes, in bytes. What clones share is counted in
    /// each of them.
    pub fn memory_bytes(&self) -> u64 {
        let guards = self.cells.guards.iter().flat_map(|guards| guards.0.iter());
        let guards: u64 = guards.map(Grid::memory_bytes).sum();
        self.cells.grid.memory_bytes() + guards + prepared::memory_bytes(self)
    }
}

impl Terrain {
    /// The limit of the memory of all prepared sizes of a terrain, in bytes: 256 MiB.
    pub const MAX_PREPARED_BYTES: u64 = MAX_BYTES;

    /// Prepares the queries of boxes of `size` pixels, and returns true. They have the same answers as
    /// before, in half to three quarters of the time.
    ///
    /// [`Terrain::can_move`], [`Terrain::sweep`], [`Terrain::nearest_free`], [`Terrain::free_sides`], a
    /// batch, a [`Mover`](crate::Mover), the bodies of a [`World`](crate::world::World) and
    /// [`Terrain::ways`] then read lines of bits that are computed ahead of time. [`Terrain::overlaps`] does
    /// so if cells are single pixels. A query finds the lines by the size of the body, so a terrain should
    /// have few prepared sizes.
    ///
    /// The lines are computed in O(cells / 64) for any size. For 4096 x 4096 cells this takes about the time
    /// of 100,000 queries. They take 2 bits for each cell of a mask, or 4 bits for each cell of a tile map,
    /// and 16 bytes for each line. Each side at which cells are one-way adds half as much. An edit updates
    /// the lines; its cost grows with the edit and the body. [`Terrain::set_outside`] computes them again.
    /// [`Terrain::with_outside`] and [`Terrain::with_one_way`] forget all sizes. A clone shares the lines
    /// until one of the two terrains is edited. A saved terrain has no lines.
    ///
    /// Preparing a size again costs nothing. The method returns false, and keeps nothing, in these cases:
    /// * The terrain or its one-way cells are sparse, or it is very long and narrow.
    /// * The terrain is smaller than the body, or the body covers no pixel.
    /// * A side of the terrain has 130,000 cells that are larger than a pixel, or 2^31 pixels.
    /// * All prepared sizes would exceed [`Terrain::MAX_PREPARED_BYTES`], or memory runs out.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Level, glam::UVec2};
    ///
    /// let grid = Grid::from_text("........\n.....#..\n........")?;
    /// let mut level = Level::from_grid(grid, UVec2::splat(16))?;
    /// assert!(level.prepare(UVec2::new(12, 20)));
    /// let body = Aabb::from_xywh(8, 8, 12, 20);
    /// assert_eq!(level.sweep(body, Dir::Right, 90).moved, 60, "the block is at x 80");
    /// level.fill(5..6, 1..2, false)?;
    /// assert!(level.can_move(body, Dir::Right, 90), "the lines are up to date");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn prepare(&mut self, size: UVec2) -> bool {
        prepared::prepare(self, size)
    }

    /// Frees the memory of a size that was prepared by [`Terrain::prepare`]. Returns false if it was not.
    ///
    /// ```
    /// use bitwall::{Grid, Level, glam::UVec2};
    ///
    /// let mut level = Level::from_grid(Grid::new(640, 480)?, UVec2::ONE)?;
    /// let cells = level.memory_bytes();
    /// assert!(level.prepare(UVec2::new(12, 20)) && level.memory_bytes() > cells);
    /// assert!(level.forget(UVec2::new(12, 20)) && level.memory_bytes() == cells);
    /// assert!(!level.forget(UVec2::new(12, 20)));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn forget(&mut self, size: UVec2) -> bool {
        prepared::forget(self, size)
    }

    /// Returns the terrain for the queries of a mover with a body of `size`, which finds the lines once.
    /// `None` if no size is prepared: the terrain's own queries are then faster.
    #[inline]
    pub(crate) fn for_size(&self, size: UVec2) -> Option<SizedTerrain<'_>> {
        prepared::for_size(self, size)
    }

    /// Returns the free positions of boxes of `size` pixels, at least 1 x 1. They are kept if the size is
    /// prepared and the memory of all prepared sizes allows it. `None` if they would take more than
    /// [`MAX_BYTES`], or if memory runs out.
    pub(crate) fn free_positions(&self, size: UVec2) -> Option<Cow<'_, FreePositions>> {
        prepared::free_positions(self, size)
    }
}

impl fmt::Debug for Terrain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Terrain")
            .field("cell_size", &self.cell_size())
            .field("grid", &self.cells.grid)
            .field("outside", &self.outside())
            .finish_non_exhaustive()
    }
}

impl Terrain {
    /// Returns true if `body` can move `step` pixels toward `dir`.
    ///
    /// It can if the strip of pixels that its leading edge sweeps has no solid pixel, and if no one-way cell
    /// stops the edge.
    ///
    /// The whole strip counts, so no step skips a wall, however long the step is. A body that starts inside a
    /// solid may leave the solid, but not move deeper into it. A step of 0 is always allowed. A body without
    /// extent across its motion sweeps no pixel, so nothing stops it. A step of up to 8 cells by a box of up
    /// to 64 cells takes a few nanoseconds; a longer step takes O(64-bit words of cells in the strip).
    ///
    /// A footprint has a leading edge at the end of each of its runs of pixels, including inner runs. So a
    /// footprint that overlaps no solid can move until one of its pixels would overlap a solid. Each run
    /// crosses one-way cells separately. The query takes O(rectangles of the footprint), each as a box.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("..........#.........")?, UVec2::ONE)?;
    /// let body = Aabb::from_xywh(0, 0, 4, 1);
    /// assert!(terrain.can_move(body, Dir::Right, 6));
    /// assert!(!terrain.can_move(body, Dir::Right, 12), "the wall at x 10 is in the way");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[inline]
    pub fn can_move(&self, body: impl Collider, dir: Dir, step: u32) -> bool {
        body.can_move(self, dir, step)
    }

    /// Returns for each of the four directions whether `body` can move `step` pixels, like
    /// [`Terrain::can_move`].
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Sides, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("...#\n...#")?, UVec2::splat(8))?;
    /// let free = terrain.free_sides(Aabb::from_xywh(16, 0, 8, 8), 3);
    /// assert_eq!(free, Sides { left: true, right: false, up: false, down: true });
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[inline]
    pub fn free_sides(&self, body: impl Collider, step: u32) -> Sides<bool> {
        body.free_sides(self, step)
    }

    /// Returns the distance that `body` can move toward `dir`, at most `step` pixels, and the contact that
    /// stops the body.
    ///
    /// The distance is the largest one for which [`Terrain::can_move`] is true. If several cells stop a
    /// footprint at once, the contact names the cell with the smallest row, then the smallest column. The
    /// query takes O(64-bit words of cells in the pixels that the leading edge sweeps).
    #[inline]
    pub fn sweep(&self, body: impl Collider, dir: Dir, step: u32) -> Sweep {
        body.sweep(self, dir, step)
    }

    /// Returns true if at least one pixel of `body` is solid, inside or outside the terrain; false for an
    /// empty box.
    ///
    /// The query takes O(64-bit words of cells in `body`). A footprint takes up to 33 times as long if cells
    /// are larger than a pixel.
    #[inline]
    pub fn overlaps(&self, body: impl Collider) -> bool {
        body.overlaps(self)
    }

    /// Returns true if the pixel `point` is solid, inside or outside the terrain.
    #[inline]
    pub fn is_solid(&self, point: IVec2) -> bool {
        kernel::is_solid(&self.cells, point)
    }

    /// Returns the first solid pixel on the straight line between the centres of two pixels; `None` if no
    /// pixel on the line is solid.
    ///
    /// The line goes from the pixel `from` to the pixel `to` and includes both. It visits exactly the pixels
    /// whose interior it crosses, in order. Where the line passes through a corner, [`Corners::Block`] adds
    /// the two pixels beside the corner before the pixel beyond it. The pixel in the smaller row comes first.
    /// A map of tiles answers like a mask drawn from the map. [`Terrain::outside`] decides about pixels
    /// outside the terrain, at no cost.
    ///
    /// The query takes O(rows that the line crosses + cells along them / 64). Columns count instead of rows
    /// if the line crosses fewer columns. Among solids in a sparse grid, or on a line of 2^30 pixels or more,
    /// it takes up to 6 times as long. The line goes from row to row by runs of cells (Bresenham, "Run length
    /// slice algorithm", 1985).
    ///
    /// ```
    /// use bitwall::{geometry::Corners, glam::{IVec2, UVec2}, Grid, Terrain};
    ///
    /// let terrain = Terrain::new(Grid::from_text("....\n..#.\n....")?, UVec2::splat(10))?;
    /// let hit = terrain.ray(IVec2::new(5, 15), IVec2::new(35, 15), Corners::Block).expect("the block");
    /// assert_eq!((hit.pixel, hit.cell), (IVec2::new(20, 15), IVec2::new(2, 1)));
    /// assert_eq!(hit.normal, IVec2::NEG_X);
    /// assert_eq!((hit.numerator, hit.denominator), (29, 60), "14.5 pixels of 30");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[inline]
    pub fn ray(&self, from: IVec2, to: IVec2, corners: Corners) -> Option<RayHit> {
        ray::ray(&self.cells, from, to, corners)
    }

    /// Returns true if [`Terrain::ray`] between the two pixels, in either order, meets no solid.
    #[inline]
    pub fn line_of_sight(&self, one: IVec2, other: IVec2, corners: Corners) -> bool {
        ray::is_clear(&self.cells, one, other, corners)
    }

    /// Returns the smallest distance toward `dir` at which `body` overlaps no solid; 0 for a body that is
    /// free now.
    ///
    /// Returns `None` if no distance up to `limit` pixels is free, or if the body would leave the range of
    /// `i32`. The body may pass through solids on the path. The query takes at most O(64-bit words of cells
    /// in the body) for each solid cell on the path.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text(".##.##....")?, UVec2::ONE)?;
    /// let body = Aabb::from_xywh(1, 0, 2, 1);
    /// assert_eq!(terrain.nearest_free(body, Dir::Right, 9), Some(5), "the gap at x 3 is too small");
    /// assert_eq!(terrain.nearest_free(body, Dir::Right, 4), None);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    #[inline]
    pub fn nearest_free(&self, body: impl Collider, dir: Dir, limit: u32) -> Option<u32> {
        body.nearest_free(self, dir, limit)
    }

    /// Returns the solid pixel whose centre is nearest to the centre of `point`, inside or outside the
    /// terrain; `None` if no solid is at most `radius` pixels away.
    ///
    /// The query takes O(64-bit words of cells) in the rows up to the distance found, and on the straight
    /// lines from `point` to the four sides.
    ///
    /// ```
    /// use bitwall::{Grid, Outside, Terrain, glam::IVec2, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("...\n..#")?, UVec2::splat(10))?;
    /// let terrain = terrain.with_outside(Outside::Open);
    /// let nearest = terrain.nearest_solid(IVec2::new(17, 6), 40).expect("the block");
    /// assert_eq!((nearest.pixel, nearest.distance_squared), (IVec2::new(20, 10), 25));
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn nearest_solid(&self, point: IVec2, radius: u32) -> Option<NearestSolid> {
        nearest::nearest_solid(&self.cells, point, radius)
    }

    /// Returns the first solid pixel that `body` covers: the pixel with the smallest row, then the smallest
    /// column. Returns `None` if `body` covers no solid.
    ///
    /// The query costs as much as [`Terrain::overlaps`].
    pub fn first_overlap(&self, body: impl Collider) -> Option<IVec2> {
        body.first_overlap(self)
    }

    /// Returns the number of solid pixels that `body` covers, inside and outside the terrain. Takes O(64-bit
    /// words of cells in `body`).
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("..\n##")?, UVec2::splat(10))?;
    /// let body = Aabb::from_xywh(-1, 5, 4, 8);
    /// assert_eq!(terrain.solid_area(body), 3 * 3 + 8, "the floor, and a column outside");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn solid_area(&self, body: impl Collider) -> u64 {
        body.solid_area(self)
    }

    /// Returns the fraction of the pixels of `body` that are solid, from 0 to 1; 0 for an empty box. The
    /// query costs as much as [`Terrain::solid_area`].
    pub fn solid_share(&self, body: impl Collider) -> f64 {
        self.solid_area(body) as f64 / body.pixel_count().max(1) as f64
    }

    /// Returns a vector of any length that points out of the solids that `body` overlaps, toward the body.
    ///
    /// A component is 0 if the overlap is the same in both directions of its axis.
    ///
    /// The x component is the solid area that the body would cover one pixel to the left, minus the area one
    /// pixel to the right. The y component is the area one pixel up, minus the area one pixel down. See
    /// [`Footprint::overlap_normal`](crate::Footprint::overlap_normal).
    ///
    /// ```
    /// use bitwall::{Footprint, Grid, Terrain, glam::IVec2, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("....\n....\n####")?, UVec2::splat(8))?;
    /// let ball = Footprint::circle(8)?;
    /// let normal = terrain.overlap_normal(ball.at(IVec2::new(12, 10)));
    /// assert_eq!(normal.signum(), IVec2::NEG_Y, "up, out of the floor");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn overlap_normal(&self, body: impl Collider) -> IVec2 {
        body.overlap_normal(self)
    }

    /// Sweeps `body` like [`Terrain::sweep`], but ignores one-way cells.
    #[inline]
    pub fn sweep_through_one_way(&self, body: impl Collider, dir: Dir, step: u32) -> Sweep {
        body.sweep_through_one_way(self, dir, step)
    }

    /// Tests [`Terrain::can_move`] for many boxes, each with its own direction and step.
    ///
    /// Bit q % 64 of `free[q / 64]` is the answer of query q; unused bits of the last word are 0. Returns the
    /// number of answers: the length of the shortest slice, where each word of `free` counts as 64. With
    /// feature `rayon`, more than 4,096 queries run on all cores, with the same answers.
    ///
    /// ```
    /// use bitwall::{Aabb, Dir, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("...#")?, UVec2::splat(8))?;
    /// let bodies = [0, 8, 16].map(|x| Aabb::from_xywh(x, 0, 8, 8));
    /// let mut free = [0];
    /// assert_eq!(terrain.can_move_batch(&bodies, &[Dir::Right; 3], &[4; 3], &mut free), 3);
    /// assert_eq!(free, [0b011]);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn can_move_batch(
        &self,
        bodies: &[Aabb],
        dirs: &[Dir],
        steps: &[u32],
        free: &mut [u64],
    ) -> usize {
        let count = bodies.len().min(dirs.len()).min(steps.len());
        match bodies.first().and_then(|body| self.for_size(body.size())) {
            Some(sized) => bits(free, count, |at| sized.can_move(bodies[at], dirs[at], steps[at])),
            None => bits(free, count, |at| self.can_move(bodies[at], dirs[at], steps[at])),
        }
    }

    /// Calls `found` with each stretch of rows that have the same free positions of a body of `size` pixels,
    /// from the top: the rows, and the runs of free positions in each of them. One-way cells do not count.
    /// Returns `None` if `found` does, or if memory runs out.
    pub(crate) fn each_free_row(&self, size: UVec2, found: &mut TakeFreeRows<'_>) -> Option<()> {
        let size = size.as_ivec2();
        let ranges = [Axis::X, Axis::Y].map(|axis| position_range(&self.cells, size, axis));
        free_rows(Walls::new(&self.cells, false), size, ranges, found)
    }

    /// True if `body` crosses, in `step` pixels, an edge at which a one-way cell stops it.
    pub(crate) fn crosses_one_way(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        !kernel::crosses_none(&self.cells, [body.min, body.max], dir, step)
    }

    /// The 64 pixels from (`x`, `y`) to the right as bits: bit n is set if the pixel at x + n is solid.
    #[inline]
    pub(crate) fn row_word(&self, x: i64, y: i64) -> u64 {
        kernel::row_word(&self.cells.frame, &self.cells.grid, x, y)
    }

    /// Returns this terrain with a new outside: one [`Outside`] for all sides, or [`Sides`] with one for each
    /// side.
    ///
    /// A pixel beyond a corner of the terrain is solid if it is beyond at least one solid side.
    #[must_use]
    pub fn with_outside(mut self, outside: impl Into<Sides<Outside>>) -> Self {
        self.cells.frame.outside = outside.into();
        self.renewed()
    }

    /// Makes the space beyond the sides of this terrain solid or open, like [`Terrain::with_outside`].
    pub fn set_outside(&mut self, outside: impl Into<Sides<Outside>>) {
        self.cells.frame.outside = outside.into();
        self.stamp = Stamp::default();
        prepared::remake(self);
    }

    /// Returns this terrain with the one-way cells `guarded`, which stop bodies that enter through their side
    /// `side`.
    ///
    /// They replace the cells that were one-way at this side before.
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
    /// [`GridError::OtherSize`] if `guarded` and the terrain's grid differ in size,
    /// [`GridError::TooManyCells`] if memory runs out.
    pub fn with_one_way(mut self, side: Dir, guarded: Grid) -> Result<Self, GridError> {
        let found = guarded.size();
        let expected = self.cells.grid.size();
        if found != expected {
            return Err(GridError::OtherSize { found, expected });
        }
        *edit::guards_mut(&mut self)?.get_mut(side) = guarded;
        Ok(self.renewed())
    }

    pub(crate) fn with_guards(mut self, guards: [Grid; 4]) -> Self {
        debug_assert!(guards.iter().all(|grid| grid.size() == self.cells.grid.size()));
        self.cells.guards = Some(Guards(Box::new(guards)));
        self.renewed()
    }

    /// Makes one cell solid or passable; a cell outside the terrain is ignored. Returns the box of the cell
    /// in pixels, or `None` if the cell did not change.
    ///
    /// # Errors
    /// Returns the same errors as [`Terrain::fill`].
    pub fn set(&mut self, cell: IVec2, solid: bool) -> Result<Option<Aabb>, GridError> {
        match (u32::try_from(cell.x), u32::try_from(cell.y)) {
            (Ok(column), Ok(row)) => self.fill(column..column + 1, row..row + 1, solid),
            _ => Ok(None),
        }
    }

    /// Makes a rectangle of cells solid or passable, for example a door or a breakable wall. Cells outside
    /// the terrain are ignored.
    ///
    /// Returns the smallest box around the pixels of all changed cells, or `None` if no cell changed. Edges
    /// beyond the range of `i32` saturate. The edit takes O(rows x words of a row + columns x words of a
    /// column).
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::UVec2};
    ///
    /// let mut terrain = Terrain::new(Grid::from_text("..#.")?, UVec2::new(16, 8))?;
    /// assert_eq!(terrain.fill(1..9, 0..1, false)?, Some(Aabb::from_xywh(32, 0, 16, 8)));
    /// assert_eq!(terrain.fill(1..9, 0..1, false)?, None, "it is done");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// The same as for [`Grid::fill`]. Only a sparse terrain can fail, and it then stays unchanged.
    pub fn fill(
        &mut self,
        columns: Range<u32>,
        rows: Range<u32>,
        solid: bool,
    ) -> Result<Option<Aabb>, GridError> {
        edit::change(self, EditKind::Solid, |cells| grid::fill(cells, columns, rows, solid))
    }

    /// Makes the cells that lie wholly in `aabb` solid or passable, for example a door with the box of its
    /// marker.
    ///
    /// Partly covered cells stay unchanged; [`Terrain::paint`] and [`Terrain::carve`] change such cells too.
    /// The result and the cost are the same as for [`Terrain::fill`].
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::UVec2};
    ///
    /// let mut terrain = Terrain::new(Grid::new(4, 3)?, UVec2::new(16, 8))?;
    /// let door = Aabb::from_xywh(10, 0, 40, 20);
    /// assert_eq!(terrain.set_box(door, true)?, Some(Aabb::from_xywh(16, 0, 32, 16)));
    /// assert_eq!(terrain.grid().to_string(), ".##.\n.##.\n....");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`Terrain::fill`].
    pub fn set_box(&mut self, aabb: Aabb, solid: bool) -> Result<Option<Aabb>, GridError> {
        let cell = self.cell_size().as_i64vec2();
        // The first cell that starts in the box, and the first cell that ends outside the box.
        let min = (aabb.min.as_i64vec2().max(I64Vec2::ZERO) + cell - 1) / cell;
        let max = aabb.max.as_i64vec2().max(I64Vec2::ZERO) / cell;
        let min = min.as_uvec2();
        let max = max.as_uvec2();
        self.fill(min.x..max.x, min.y..max.y, solid)
    }

    /// Sets whether the cells of a rectangle stop bodies that enter through their side `side`. The arguments
    /// and the result are the same as for [`Terrain::fill`].
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
    /// The same as for [`Terrain::fill`], and [`GridError::TooManyCells`] if memory runs out.
    pub fn fill_one_way(
        &mut self,
        side: Dir,
        columns: Range<u32>,
        rows: Range<u32>,
        guarded: bool,
    ) -> Result<Option<Aabb>, GridError> {
        if !guarded && self.cells.guards.is_none() {
            return Ok(None);
        }
        edit::change(self, EditKind::OneWay(side), |cells| {
            grid::fill(cells, columns, rows, guarded)
        })
    }

    /// Makes each cell that contains a pixel of `shape` passable, for example for a blast or a tunnel. The
    /// shape's origin is at the pixel `at`.
    ///
    /// On a map of tiles this opens every tile that the shape touches, unlike [`Terrain::set_box`]. Pixels
    /// outside the terrain, or at `i32::MAX` and beyond, are ignored.
    ///
    /// Returns the smallest box around the pixels of all changed cells, or `None` if no cell changed. The
    /// edit takes O(rows of the shape + its runs of pixels + words of cells in the runs). An [`Aabb`] costs
    /// as much as in [`Terrain::fill`].
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::shapes::Circle;
    /// use bitwall::{Aabb, Dir, Grid, Level};
    ///
    /// let mut level = Level::from_grid(Grid::new(320, 200)?, UVec2::ONE)?;
    /// level.paint(&Aabb::from_xywh(0, 100, 320, 100), IVec2::ZERO)?;
    ///
    /// let blast = Circle { center: IVec2::ZERO, radius: 20 };
    /// let changed = level.carve(&blast, IVec2::new(60, 110));
    /// assert_eq!(changed, Some(Aabb::from_xywh(40, 100, 40, 30)));
    /// let body = Aabb::from_xywh(56, 80, 8, 12);
    /// assert_eq!(level.sweep(body, Dir::Down, 100).moved, 130 - 92, "to the bottom of the crater");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn carve<B: Brush + ?Sized>(&mut self, shape: &B, at: IVec2) -> Option<Aabb> {
        never_fails(edit::apply(self, EditKind::Solid, shape, at, false))
    }

    /// Makes each cell that contains a pixel of `shape` solid. Arguments and result are as in
    /// [`Terrain::carve`].
    ///
    /// On a map of tiles this fills every tile that the shape touches, unlike [`Terrain::set_box`]. A
    /// terrain with cells of one pixel ([`Terrain::into_pixels`]) takes the exact shape.
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::{Grid, Terrain};
    ///
    /// let mut terrain = Terrain::new(Grid::new(4, 3)?, UVec2::new(10, 5))?;
    /// let ramp = [(0, 15), (35, 15), (35, 5)].map(IVec2::from);
    /// terrain.paint(&ramp, IVec2::ZERO)?;
    /// assert_eq!(terrain.grid().to_string(), "....\n.###\n####", "cells that it touches");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`Terrain::fill`].
    pub fn paint<B: Brush + ?Sized>(
        &mut self,
        shape: &B,
        at: IVec2,
    ) -> Result<Option<Aabb>, GridError> {
        edit::apply(self, EditKind::Solid, shape, at, true)
    }

    /// Lets bodies enter through the side `side` of each cell with a pixel of `shape`, if the cell was
    /// one-way.
    ///
    /// The arguments and the result are the same as for [`Terrain::carve`].
    pub fn carve_one_way<B: Brush + ?Sized>(
        &mut self,
        side: Dir,
        shape: &B,
        at: IVec2,
    ) -> Option<Aabb> {
        self.cells.guards.as_ref()?;
        never_fails(edit::apply(self, EditKind::OneWay(side), shape, at, false))
    }

    /// Makes each cell with a pixel of `shape` one-way: it stops bodies that enter through its side `side`.
    ///
    /// The arguments and the result are the same as for [`Terrain::paint`].
    ///
    /// # Errors
    /// Returns the same errors as [`Terrain::fill_one_way`].
    pub fn paint_one_way<B: Brush + ?Sized>(
        &mut self,
        side: Dir,
        shape: &B,
        at: IVec2,
    ) -> Result<Option<Aabb>, GridError> {
        edit::apply(self, EditKind::OneWay(side), shape, at, true)
    }

    /// Returns this terrain with cells of one pixel. All answers stay the same, but contacts name pixels
    /// instead of cells.
    ///
    /// If a cell is one-way at a side, only its pixels along that side become one-way. If several pixels stop
    /// a footprint at once, the contact names the first pixel. The conversion takes O(runs of cells + words
    /// of pixels).
    ///
    /// # Errors
    /// [`GridError::TooManyCells`] and [`GridError::TooManyBlocks`] if the result is too large: see [`Grid`].
    pub fn into_pixels(self) -> Result<Self, GridError> {
        let cell_size = self.cell_size();
        if cell_size == UVec2::ONE {
            return Ok(self);
        }
        let pixels = Self::new(in_pixels(&self.cells.grid, cell_size, Part::All)?, UVec2::ONE)?;
        let pixels = pixels.with_outside(self.outside());
        let Some(guards) = &self.cells.guards else {
            return Ok(pixels);
        };
        let [left, right, up, down] =
            Dir::ALL.map(|side| in_pixels(guards.get(side), cell_size, Part::Side(side)));
        Ok(pixels.with_guards([left?, right?, up?, down?]))
    }

    /// Updates the version number and all prepared sizes after a change of cells, which are in the terrain.
    fn note_change(&mut self, columns: Range<u32>, rows: Range<u32>) {
        debug_assert!(columns.end <= self.grid().width() && rows.end <= self.grid().height());
        self.stamp = Stamp::default();
        if !self.prepared.is_empty() {
            prepared::patch(self, &columns, &rows);
        }
    }

    /// Returns this terrain with a new version number and without prepared sizes. Preparing them here would
    /// add 11 KB to a WebAssembly module that only reads levels.
    fn renewed(mut self) -> Self {
        self.stamp = Stamp::default();
        self.prepared = Vec::new();
        self
    }
}

/// Returns the result of an edit that makes cells passable. Such an edit needs no memory, so it cannot fail.
fn never_fails(edit: Result<Option<Aabb>, GridError>) -> Option<Aabb> {
    debug_assert!(edit.is_ok(), "{edit:?}");
    edit.unwrap_or(None)
}

#[cfg(test)]
mod tests;
