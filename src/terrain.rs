//! A terrain: solid cells, their size in pixels, one-way cells and the outside. Its queries are about
//! motions, overlaps, lines of sight, the nearest solid, clearance and area. The kernel's functions take
//! plain data; [`Terrain`] has the data and the same functions as methods. Tests of motions and overlaps do
//! not fail, allocate or use a float. Every edit of cells ends in `note_change`.

mod config_space;
mod contact;
mod edge_lines;
mod edit;
mod kernel;
mod nearest;
mod positions;
mod ray;
#[cfg(feature = "serde")]
mod saved;
mod spaces;

use std::fmt;
use std::ops::Range;

use glam::{I64Vec2, IVec2, UVec2};

pub use self::config_space::ConfigSpace;
pub use self::contact::{BodyId, Contact, Hit, Sweep};
use self::edge_lines::{EdgeLines, NO_LINES};
pub use self::edit::Brush;
use self::edit::Stamp;
pub(crate) use self::edit::{CellRange, Chunk, Emit, Pixels, runs};
pub use self::kernel::Collider;
pub(crate) use self::kernel::InTerrain;
use self::kernel::{Frame, Guards, SolidCells, bits};
pub use self::nearest::NearestSolid;
pub(crate) use self::positions::{BitPlane, FreePositions};
pub use self::ray::RayHit;
pub(crate) use self::ray::{greatest_common_divisor, ray_to_box};
use self::spaces::{Kept, MAX_BYTES, Spaces};
use crate::geometry::{Aabb, Axis, Corners, Dir, MAX_CELL_SIZE, Outside, Sides, saturated};
use crate::grid::{self, Changed, Grid, GridError, Part, in_pixels};

/// Solid cells in pixels: a [`Grid`], the size of its cells, one-way cells, and the outside.
///
/// A [`Level`](crate::Level) has a terrain of solids and a terrain for each named area. A terrain can be
/// edited at any time; it then answers like a terrain built from the edited cells.
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
    /// The configuration spaces made so far, one space for each body size: see [`Terrain::config_space`].
    spaces: Spaces<EdgeLines>,
    /// The free positions of bodies made so far, one set for each size: see [`Terrain::free_positions`].
    positions: Spaces<FreePositions>,
}

impl Terrain {
    /// The largest width and height of a cell, in pixels.
    pub const MAX_CELL_SIZE: u32 = MAX_CELL_SIZE;

    /// The largest number of bytes of all configuration spaces of a terrain together: 256 MiB. See
    /// [`Terrain::config_space`].
    pub const MAX_CONFIG_SPACE_BYTES: u64 = MAX_BYTES;

    /// Returns the terrain of a grid with cells of `cell_size` pixels, solid outside, without one-way cells.
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
        let (spaces, positions) = (Spaces::default(), Spaces::default());
        Ok(Self { cells, stamp: Stamp::default(), spaces, positions })
    }

    /// Returns the one-way cells that guard their side `side`; `None` if the terrain has no one-way cells.
    /// Such a cell stops only a body that moves against `side` from outside the cell.
    pub fn one_way(&self, side: Dir) -> Option<&Grid> {
        self.cells.guards_of(side)
    }

    /// Returns the grid of the solid cells.
    #[inline]
    pub fn grid(&self) -> &Grid {
        &self.cells.grid
    }

    /// Returns the width and height of a cell in pixels; 1 x 1 for a mask or a map with solids finer than
    /// tiles.
    pub fn cell_size(&self) -> UVec2 {
        self.cells.frame.cell_size()
    }

    /// Returns the width and height of the terrain in pixels.
    pub fn size(&self) -> UVec2 {
        self.cells.grid.size() * self.cell_size()
    }

    /// Returns for each side whether its outside is solid or open.
    pub fn outside(&self) -> Sides<Outside> {
        self.cells.frame.outside
    }

    /// Returns the cell that contains the pixel `point`, inside or outside the terrain.
    pub fn cell_at(&self, point: IVec2) -> IVec2 {
        point.div_euclid(self.cell_size().as_ivec2())
    }

    /// Returns the pixels of a cell, inside or outside the terrain. Edges saturate at the ends of `i32`.
    pub fn cell_area(&self, cell: IVec2) -> Aabb {
        let size = self.cell_size().as_ivec2();
        Aabb {
            min: cell.saturating_mul(size),
            max: cell.saturating_add(IVec2::ONE).saturating_mul(size),
        }
    }

    /// A number for the cells of this terrain: terrains with equal stamps have equal cells.
    pub(crate) fn stamp(&self) -> u64 {
        self.stamp.get()
    }

    /// Returns the memory of the cells, of the lines of configuration spaces and
    /// of the planes of ways, in bytes.
    pub fn memory_bytes(&self) -> u64 {
        let guards = self.cells.guards.iter().flat_map(|guards| guards.0.iter());
        let guards: u64 = guards.map(Grid::memory_bytes).sum();
        let kept = self.spaces.memory_bytes() + self.positions.memory_bytes();
        self.cells.grid.memory_bytes() + guards + kept
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
    /// Returns the [`ConfigSpace`] for boxes of `size` pixels: the terrain's queries, two to four times as
    /// fast.
    ///
    /// The first call for a size makes its lines, in O(cells / 64) for any size. For 4096 x 4096 cells this
    /// takes about the time of 100,000 queries. A later call reuses the lines. For any size they take 2 bits
    /// for each cell of a mask, or 4 bits for each cell of a tile map, and 16 bytes for each line. Each side
    /// that one-way cells guard adds half as much. An edit updates the lines, at the cost of the edit and of
    /// the body; [`Terrain::set_outside`] makes them anew.
    ///
    /// The lines stay until [`Terrain::drop_config_spaces`], [`Terrain::with_outside`] or
    /// [`Terrain::with_one_way`]. A clone of the terrain starts without them. The lines of all sizes take at
    /// most [`Terrain::MAX_CONFIG_SPACE_BYTES`]: a size beyond this limit has no lines.
    pub fn config_space(&self, size: UVec2) -> ConfigSpace<'_> {
        let size = size.min(UVec2::splat(i32::MAX as u32)).as_ivec2();
        let make = || {
            let bytes = EdgeLines::bytes_of(&self.cells, size)?;
            self.spaces.find_or_make(size, bytes, || EdgeLines::new(&self.cells, size))
        };
        ConfigSpace::new(self, size, self.spaces.find(size).or_else(make).unwrap_or(&NO_LINES))
    }

    /// The configuration space for `size`; `None` if its lines have not been made.
    #[inline]
    pub(crate) fn known_config_space(&self, size: IVec2) -> Option<ConfigSpace<'_>> {
        self.spaces.find(size).map(|lines| ConfigSpace::new(self, size, lines))
    }

    /// The free positions of boxes of `size` pixels, made by the first call for a size. `None` if they would
    /// take more than [`Terrain::MAX_CONFIG_SPACE_BYTES`] with those of the other sizes, or more memory than
    /// there is. Edits keep them up to date.
    pub(crate) fn free_positions(&self, size: UVec2) -> Option<&FreePositions> {
        let size = size.clamp(UVec2::ONE, UVec2::splat(i32::MAX as u32)).as_ivec2();
        let make = || {
            let bytes = FreePositions::bytes_of(&self.cells, size)?;
            self.positions.find_or_make(size, bytes, || FreePositions::new(&self.cells, size))
        };
        self.positions.find(size).or_else(make).filter(|positions| !positions.is_missing())
    }
}

impl Terrain {
    /// Returns true exactly if the strip that the leading edge of `body` sweeps has no solid pixel, and no
    /// one-way cell stops the edge. The strip is `step` pixels long, toward `dir`.
    ///
    /// The whole strip counts, so no step skips a wall. A body that starts inside a solid may leave the
    /// solid, but not go on through it. A step of 0 is always allowed. A body without extent across its
    /// motion sweeps no pixel. A few nanoseconds for a step of up to 8 cells by a box of up to 64 cells;
    /// O(words that the strip covers) for a longer step.
    ///
    /// A footprint has a leading edge at the end of each run of pixels, inner runs included. So a footprint
    /// that overlaps no solid moves until one of its pixels would overlap a solid. Each run crosses one-way
    /// cells separately. O(rectangles of the footprint), each as a box.
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

    /// Returns the distance that `body` can move toward `dir`, at most `step` pixels, and the contact that
    /// stops it: the largest distance for which [`Terrain::can_move`] is true. If several cells stop a
    /// footprint, the contact is the cell with the smallest row, or in one row the smallest column. O(words
    /// that the strip covers).
    #[inline]
    pub fn sweep(&self, body: impl Collider, dir: Dir, step: u32) -> Sweep {
        body.sweep(self, dir, step)
    }

    /// Returns true if some pixel of `body` is solid, inside or outside the terrain; false for an empty box.
    /// O(words that `body` covers); up to 33 times as much for a footprint if cells are larger than a pixel.
    #[inline]
    pub fn overlaps(&self, body: impl Collider) -> bool {
        body.overlaps(self)
    }

    /// Returns true if the pixel is solid, inside or outside the terrain.
    #[inline]
    pub fn is_solid(&self, point: IVec2) -> bool {
        kernel::is_solid(&self.cells, point)
    }

    /// Returns the first solid pixel on the straight line from the centre of the pixel `from` to the centre
    /// of the pixel `to`, including both pixels; `None` if no pixel is solid.
    ///
    /// The line visits, in order, exactly the pixels whose interior it crosses. At a corner
    /// [`Corners::Block`] adds the two pixels beside the corner, before the pixel beyond it; the pixel in the
    /// smaller row comes first. A map of tiles answers like the mask drawn from it. Outside the terrain
    /// [`Terrain::outside`] decides, at no cost.
    ///
    /// O(rows that the line crosses, or columns if these are fewer, + cells along them / 64). In a sparse
    /// grid, and on lines of 2^30 pixels or more, up to 6 times as much among solids. The line goes from row
    /// to row by runs of cells (Bresenham, "Run length slice algorithm", 1985).
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

    /// Returns true if [`Terrain::ray`] between the two pixels meets no solid. Their order does not matter.
    #[inline]
    pub fn line_of_sight(&self, one: IVec2, other: IVec2, corners: Corners) -> bool {
        ray::is_clear(&self.cells, one, other, corners)
    }

    /// Returns the smallest distance toward `dir`, at most `limit` pixels, at which `body` overlaps no solid;
    /// 0 for a body that is free now. Returns `None` without such a distance in the range of `i32`. Solids on
    /// the path do not count. At most O(words that the body covers) for each solid cell on the path.
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
    /// terrain; `None` if no solid is at most `radius` pixels away. O(words of the rows within the distance
    /// found, and of the straight lines from `point` to the four sides).
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

    /// Returns the largest distance, at most `limit` pixels, by which `body` can grow on all four sides
    /// without an overlap with a solid. 0 if the body overlaps or touches a solid, even in a corner. O(log
    /// limit) tests.
    pub fn clearance(&self, body: Aabb, limit: u32) -> u32 {
        kernel::clearance(&self.cells, body, limit)
    }

    /// Returns the first solid pixel that `body` covers: in the smallest row, the smallest column. Returns
    /// `None` if `body` covers no solid. Costs as much as [`Terrain::overlaps`].
    pub fn first_overlap(&self, body: impl Collider) -> Option<IVec2> {
        body.first_overlap(self)
    }

    /// Returns the number of solid pixels that `body` covers, inside and outside the terrain. O(words that
    /// `body` covers).
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

    /// Returns the share of the pixels of `body` that is solid, 0 to 1; 0 for an empty box. Costs as much as
    /// [`Terrain::solid_area`].
    pub fn solid_share(&self, body: impl Collider) -> f64 {
        self.solid_area(body) as f64 / body.pixel_count().max(1) as f64
    }

    /// Returns the direction out of the solids that `body` overlaps, toward the body, as a vector of any
    /// length. A component is 0 if the overlap is the same in both directions of its axis.
    ///
    /// x is the overlap one pixel to the left minus the overlap one pixel to the right. y is the overlap one
    /// pixel up minus the overlap one pixel down. See
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

    /// As [`Terrain::sweep`], without one-way cells.
    #[inline]
    pub fn sweep_through_one_way(&self, body: impl Collider, dir: Dir, step: u32) -> Sweep {
        body.sweep_through_one_way(self, dir, step)
    }

    /// Answers [`Terrain::can_move`] for many boxes, each with its direction and step. Bit q % 64 of `free[q
    /// / 64]` is the answer of query q; unused bits of the last word are 0. Returns the number of answers:
    /// the length of the shortest slice, where each word of `free` counts as 64. With feature `rayon`, the
    /// cores share more than 4,096 queries, with the same answers.
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
        bits(free, count, |at| self.can_move(bodies[at], dirs[at], steps[at]))
    }

    /// True if the leading edge of `body`, moved by `step`, crosses a guarded edge that faces it.
    pub(crate) fn crosses_one_way(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        !kernel::crosses_none(&self.cells, [body.min, body.max], dir, step)
    }

    /// The 64 pixels from (`x`, `y`) to the right as bits, set where solid, the first in bit 0.
    #[inline]
    pub(crate) fn row_word(&self, x: i64, y: i64) -> u64 {
        kernel::row_word(&self.cells.frame, &self.cells.grid, x, y)
    }
}

#[derive(Clone, Copy)]
enum EditKind {
    Solid,
    OneWay(Dir),
}

impl Terrain {
    /// Returns this terrain with another outside: one [`Outside`] for all sides, or [`Sides`]. Beyond a
    /// corner of the terrain a pixel is solid if it is beyond a solid side.
    #[must_use]
    pub fn with_outside(mut self, outside: impl Into<Sides<Outside>>) -> Self {
        self.cells.frame.outside = outside.into();
        self.renewed()
    }

    /// Sets the outside of this terrain, as [`Terrain::with_outside`].
    pub fn set_outside(&mut self, outside: impl Into<Sides<Outside>>) {
        self.cells.frame.outside = outside.into();
        self.stamp.renew();
        let cells = &self.cells;
        self.spaces.update(|size, lines| *lines = EdgeLines::new(cells, size));
        // Their number depends on the outside: the next use makes them anew, or finds them too many.
        self.positions = Spaces::default();
    }

    /// Frees the memory of all configuration spaces ([`Terrain::config_space`]) and of all planes of ways.
    /// Bodies of a world then use the terrain's own queries, with the same results.
    ///
    /// ```
    /// use bitwall::{Grid, Level, glam::UVec2};
    ///
    /// let mut level = Level::from_grid(Grid::new(640, 480)?, UVec2::ONE)?;
    /// let cells = level.memory_bytes();
    /// let space = level.config_space(UVec2::new(12, 20)).memory_bytes();
    /// assert!(level.memory_bytes() > cells + space);
    /// level.drop_config_spaces();
    /// assert_eq!(level.memory_bytes(), cells);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn drop_config_spaces(&mut self) {
        self.spaces = Spaces::default();
        self.positions = Spaces::default();
    }

    /// Returns this terrain with the one-way cells `guarded`, which block a motion against their side `side`.
    /// They replace the cells that guarded this side before.
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
    /// [`GridError::TooManyCells`] if there is no memory.
    pub fn with_one_way(mut self, side: Dir, guarded: Grid) -> Result<Self, GridError> {
        let (found, expected) = (guarded.size(), self.cells.grid.size());
        if found != expected {
            return Err(GridError::OtherSize { found, expected });
        }
        *self.guards_mut()?.get_mut(side) = guarded;
        Ok(self.renewed())
    }

    pub(crate) fn with_guards(mut self, guards: [Grid; 4]) -> Self {
        debug_assert!(guards.iter().all(|grid| grid.size() == self.cells.grid.size()));
        self.cells.guards = Some(Guards(Box::new(guards)));
        self.renewed()
    }

    fn guards_mut(&mut self) -> Result<&mut Guards, GridError> {
        let guards = match self.cells.guards.take() {
            Some(guards) => guards,
            None => blank_guards(&self.cells.grid)?,
        };
        Ok(self.cells.guards.insert(guards))
    }

    /// Makes one cell solid or passable; outside the terrain nothing happens. Returns the pixels of the cell,
    /// or `None` if it did not change.
    ///
    /// # Errors
    /// As [`Terrain::fill`].
    pub fn set(&mut self, cell: IVec2, solid: bool) -> Result<Option<Aabb>, GridError> {
        match (u32::try_from(cell.x), u32::try_from(cell.y)) {
            (Ok(column), Ok(row)) => self.fill(column..column + 1, row..row + 1, solid),
            _ => Ok(None),
        }
    }

    /// Makes a rectangle of cells solid or passable, for doors and breakable walls; cells outside the terrain
    /// are ignored. Returns the smallest box around the pixels of all changed cells, or `None` if no cell
    /// changed. Edges beyond the range of `i32` saturate. O(rows x words of a row + columns x words of a
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
    /// As [`Grid::fill`]: only a fill of a sparse terrain can fail, and the terrain then stays as it was.
    pub fn fill(
        &mut self,
        columns: Range<u32>,
        rows: Range<u32>,
        solid: bool,
    ) -> Result<Option<Aabb>, GridError> {
        self.change(EditKind::Solid, |cells| grid::fill(cells, columns, rows, solid))
    }

    /// Makes the cells that lie wholly in the box `area` solid or passable, such as a door by the box of its
    /// marker. Partly covered cells stay unchanged; [`Terrain::paint`] and [`Terrain::carve`] change such
    /// cells too. The result and the cost are as for [`Terrain::fill`].
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::UVec2};
    ///
    /// let mut terrain = Terrain::new(Grid::new(4, 3)?, UVec2::new(16, 8))?;
    /// let door = Aabb::from_xywh(10, 0, 40, 20);
    /// assert_eq!(terrain.set_area(door, true)?, Some(Aabb::from_xywh(16, 0, 32, 16)));
    /// assert_eq!(terrain.grid().to_string(), ".##.\n.##.\n....");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Terrain::fill`].
    pub fn set_area(&mut self, area: Aabb, solid: bool) -> Result<Option<Aabb>, GridError> {
        let cell = self.cell_size().as_i64vec2();
        // The first cell that starts in the box, and the first one that does not end in it.
        let min = (area.min.as_i64vec2().max(I64Vec2::ZERO) + cell - 1) / cell;
        let max = area.max.as_i64vec2().max(I64Vec2::ZERO) / cell;
        let (min, max) = (min.as_uvec2(), max.as_uvec2());
        self.fill(min.x..max.x, min.y..max.y, solid)
    }

    /// Sets whether a rectangle of cells guards the cells' side `side`; otherwise as [`Terrain::fill`].
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
    /// As [`Terrain::fill`], and [`GridError::TooManyCells`] if there is no memory for one-way cells.
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
        self.change(EditKind::OneWay(side), |cells| grid::fill(cells, columns, rows, guarded))
    }

    /// Makes each cell that contains a pixel of `shape` passable, with the shape's origin at `at`: a blast, a
    /// tunnel, a door of any form. On a map of tiles this opens every tile that the shape touches: see
    /// [`Terrain::set_area`]. Pixels outside the terrain, or at `i32::MAX` and beyond, are ignored.
    ///
    /// Returns the smallest box around the pixels of all changed cells, or `None` if no cell changed. O(rows
    /// of the shape + its spans + words of cells in the spans); for an [`Aabb`] as [`Terrain::fill`].
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
        never_fails(self.apply(EditKind::Solid, shape, at, false))
    }

    /// Makes each cell that contains a pixel of `shape` solid; otherwise as [`Terrain::carve`].
    ///
    /// On a map of tiles this fills every tile that the shape touches: see [`Terrain::set_area`]. A level of
    /// pixels ([`Terrain::into_pixels`]) takes the shape pixel by pixel.
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
    /// As [`Terrain::fill`].
    pub fn paint<B: Brush + ?Sized>(
        &mut self,
        shape: &B,
        at: IVec2,
    ) -> Result<Option<Aabb>, GridError> {
        self.apply(EditKind::Solid, shape, at, true)
    }

    /// Removes the one-way side `side` from each cell of `shape`; otherwise as [`Terrain::carve`].
    pub fn carve_one_way<B: Brush + ?Sized>(
        &mut self,
        side: Dir,
        shape: &B,
        at: IVec2,
    ) -> Option<Aabb> {
        self.cells.guards.as_ref()?;
        never_fails(self.apply(EditKind::OneWay(side), shape, at, false))
    }

    /// Makes each cell that contains a pixel of `shape` guard its side `side`; otherwise as
    /// [`Terrain::paint`].
    ///
    /// # Errors
    /// As [`Terrain::fill_one_way`].
    pub fn paint_one_way<B: Brush + ?Sized>(
        &mut self,
        side: Dir,
        shape: &B,
        at: IVec2,
    ) -> Result<Option<Aabb>, GridError> {
        self.apply(EditKind::OneWay(side), shape, at, true)
    }

    /// Returns this terrain with cells of one pixel, and the same answers. In a cell that guards a side, only
    /// the pixels along that side become one-way. Contacts name pixels instead of cells. If several pixels
    /// stop a footprint at once, the contact names the first pixel. O(runs of cells + words of pixels).
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
        let side = |side| in_pixels(guards.get(side), cell_size, Part::Side(side));
        let (left, right) = (side(Dir::Left)?, side(Dir::Right)?);
        Ok(pixels.with_guards([left, right, side(Dir::Up)?, side(Dir::Down)?]))
    }

    fn apply<B: Brush + ?Sized>(
        &mut self,
        kind: EditKind,
        shape: &B,
        at: IVec2,
        value: bool,
    ) -> Result<Option<Aabb>, GridError> {
        let frame = self.cells.frame;
        let columns_of = |columns: Range<i64>| frame.cells(Axis::X, &columns);
        let rows_of = |rows: Range<i64>| frame.cells(Axis::Y, &rows);
        let at = at.as_i64vec2();
        // The pixels of the terrain whose coordinates fit in an `i32`.
        let end = self.size().min(UVec2::splat(i32::MAX as u32)).as_i64vec2();
        if let Some(area) = shape.as_box() {
            let min = (area.min.as_i64vec2() + at).max(I64Vec2::ZERO);
            let max = (area.max.as_i64vec2() + at).min(end);
            if min.cmpge(max).any() {
                return Ok(None);
            }
            let (columns, rows) = (columns_of(min.x..max.x), rows_of(min.y..max.y));
            return self.change(kind, |cells| grid::fill(cells, columns, rows, value));
        }
        let seen = |corner: I64Vec2| IVec2::new(saturated(corner.x), saturated(corner.y));
        let clip = Aabb { min: seen(-at), max: seen(end - at) };
        self.change(kind, |cells| {
            grid::edit(cells, value, |emit| {
                shape.spans(clip, &mut |y, run| {
                    let [y, start, end] = [y, run.start, run.end].map(i64::from);
                    let row = rows_of(y + at.y..y + at.y + 1).start;
                    emit(row, columns_of(start + at.x..end + at.x));
                });
            })
        })
    }

    /// Changes cells by `edit`, which must change no cell if it fails. Returns the box of the pixels of the
    /// changed cells; `None` if no cell changed.
    fn change(
        &mut self,
        kind: EditKind,
        edit: impl FnOnce(&mut Grid) -> Result<Option<Changed>, GridError>,
    ) -> Result<Option<Aabb>, GridError> {
        let cells = match kind {
            EditKind::Solid => &mut self.cells.grid,
            EditKind::OneWay(side) => self.guards_mut()?.get_mut(side),
        };
        let Some(Changed { min, max }) = edit(cells)? else {
            return Ok(None);
        };
        self.note_change(min.x..max.x, min.y..max.y);
        let cell = self.cell_size().as_i64vec2();
        let corner = |corner: UVec2| {
            let corner = corner.as_i64vec2() * cell;
            IVec2::new(saturated(corner.x), saturated(corner.y))
        };
        Ok(Some(Aabb { min: corner(min), max: corner(max) }))
    }

    /// Renews the stamp, and remakes the lines of configuration spaces and the free positions of bodies over
    /// the changed `columns` x `rows`.
    fn note_change(&mut self, columns: Range<u32>, rows: Range<u32>) {
        self.stamp.renew();
        let cells = &self.cells;
        let mut total = self.spaces.memory_bytes();
        self.spaces.update(|size, lines| {
            if lines.patch(cells, &columns, &rows) {
                return;
            }
            // The first one-way cells of a side need more lines; they are made if all stay within the bound.
            total -= lines.memory_bytes();
            let bytes = EdgeLines::bytes_of(cells, size);
            let fits = bytes.is_some_and(|bytes| total + bytes <= Self::MAX_CONFIG_SPACE_BYTES);
            *lines = if fits { EdgeLines::new(cells, size) } else { EdgeLines::NONE };
            total += lines.memory_bytes();
        });
        self.positions.update(|_, positions| positions.patch(cells, &columns, &rows));
    }

    /// Returns this terrain with a new stamp and without configuration spaces, after a change by value.
    /// Remaking their lines here would add 11 KB to a WebAssembly module that only reads levels.
    fn renewed(mut self) -> Self {
        self.stamp.renew();
        self.spaces = Spaces::default();
        self.positions = Spaces::default();
        self
    }
}

/// Returns the box of an edit that makes cells passable. Such an edit needs no memory, so it cannot fail.
fn never_fails(edit: Result<Option<Aabb>, GridError>) -> Option<Aabb> {
    debug_assert!(edit.is_ok(), "{edit:?}");
    edit.unwrap_or(None)
}

/// Empty one-way grids for a terrain with the cells `grid`. They are sparse if `grid` is sparse.
fn blank_guards(grid: &Grid) -> Result<Guards, GridError> {
    let blank = || match grid.block_limit() {
        Some(limit) => Ok(Grid::sparse(grid.width(), grid.height())?.with_block_limit(limit)),
        None => Grid::new(grid.width(), grid.height()),
    };
    Ok(Guards(Box::new([blank()?, blank()?, blank()?, blank()?])))
}

#[cfg(test)]
mod tests;
