//! A terrain: solid cells, their size in pixels, one-way cells and the outside. Its queries are about
//! motions, overlaps, lines of sight, the nearest solid, clearance and area. The kernel's functions take
//! plain data; [`Terrain`] has the data and the same functions as methods. Tests of motions and overlaps do
//! not fail, allocate or use a float.

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
use std::sync::atomic::{AtomicU64, Ordering};

use glam::{IVec2, UVec2};

pub use self::config_space::ConfigSpace;
pub use self::contact::{BodyId, Contact, Hit, Sweep};
use self::edge_lines::{EdgeLines, NO_LINES};
pub use self::edit::Brush;
pub(crate) use self::edit::{CellRange, Chunk, Emit, Pixels, runs};
pub(crate) use self::kernel::InTerrain;
use self::kernel::{Frame, SolidCells};
pub use self::nearest::NearestSolid;
pub(crate) use self::positions::{BitPlane, FreePositions};
pub use self::ray::RayHit;
pub(crate) use self::ray::{greatest_common_divisor, ray_to_box};
use self::spaces::{MAX_BYTES, Spaces};
use crate::geometry::{Aabb, Corners, Dir, MAX_CELL_SIZE, Outside, Sides};
use crate::grid::{Grid, GridError};

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

    /// Returns the solid cells as few boxes, in pixels: to draw them, or as colliders of another engine. The
    /// boxes cover exactly the solid pixels inside the terrain, each pixel once. Pixels at `i32::MAX` and
    /// beyond are left out.
    ///
    /// A box is a run of solid cells in a row, with the rows right below it that have the same run. The boxes
    /// are sorted by their top, then by their left side. A box takes 16 bytes. O(runs), and a search from
    /// each run to the next, which skips empty cells.
    ///
    /// ```
    /// use bitwall::{Aabb, Grid, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("####\n####\n#...")?, UVec2::new(16, 8))?;
    /// let floor = Aabb::from_xywh(0, 0, 64, 16);
    /// assert_eq!(terrain.rectangles(), [floor, Aabb::from_xywh(0, 16, 16, 8)]);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn rectangles(&self) -> Vec<Aabb> {
        self.rectangles_in(Aabb { min: IVec2::ZERO, max: IVec2::MAX })
    }

    /// As [`Terrain::rectangles`], but only inside the box `area`, such as a camera's view, or the box that
    /// an edit changed. Boxes that extend beyond `area` are cut off.
    pub fn rectangles_in(&self, area: Aabb) -> Vec<Aabb> {
        let end = self.size().min(UVec2::splat(i32::MAX as u32)).as_ivec2();
        let area = area.intersection(Aabb { min: IVec2::ZERO, max: end });
        if area.is_empty() {
            return Vec::new();
        }
        let (min, last) =
            (self.cell_at(area.min).as_uvec2(), self.cell_at(area.max - 1).as_uvec2());
        let found = self.grid().rectangles_in(min.x..last.x + 1, min.y..last.y + 1);
        let pixels = |[rows, columns]: [Range<u32>; 2]| {
            let first = self.cell_area(UVec2::new(columns.start, rows.start).as_ivec2());
            let last = self.cell_area(UVec2::new(columns.end - 1, rows.end - 1).as_ivec2());
            first.hull(last).intersection(area)
        };
        found.into_iter().map(pixels).collect()
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

/// A shape at a position, for the queries of a [`Terrain`]: an [`Aabb`], or a [`Footprint`](crate::Footprint)
/// by [`Footprint::at`](crate::Footprint::at). Only these two types implement it, with the same queries:
///
/// ```
/// use bitwall::{Aabb, Dir, Footprint, Grid, Terrain, glam::{IVec2, UVec2}};
///
/// let terrain = Terrain::new(Grid::from_text("....\n....\n.#..\n....")?, UVec2::splat(8))?;
/// let square = Aabb::from_xywh(14, 0, 16, 16);
/// let ball = Footprint::circle(16)?;
/// assert_eq!(terrain.sweep(square, Dir::Down, 16).moved, 0);
/// assert_eq!(terrain.sweep(ball.at(IVec2::new(14, 0)), Dir::Down, 16).moved, 3, "it is round");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Collider: InTerrain {}

impl<S: InTerrain> Collider for S {}

/// The number of words of answers in one task of a core: about 10 µs of work.
#[cfg(feature = "rayon")]
const PART: usize = 64;

/// Writes the answers of the first `count` queries, or of as many as fit, to the bits that
/// [`Terrain::can_move_batch`] states. Returns the number of answers.
fn bits(words: &mut [u64], count: usize, answer: impl Fn(usize) -> bool + Sync) -> usize {
    let count = count.min(words.len().saturating_mul(64));
    let words = &mut words[..count.div_ceil(64)];
    let write = |first: usize, words: &mut [u64]| {
        for (word, bits) in (first..).zip(words) {
            let queries = word * 64..count.min(word * 64 + 64);
            *bits = queries.fold(0, |bits, query| bits | u64::from(answer(query)) << (query % 64));
        }
    };
    #[cfg(feature = "rayon")]
    if words.len() > PART {
        use rayon::prelude::{IndexedParallelIterator, ParallelIterator, ParallelSliceMut};
        let parts = words.par_chunks_mut(PART).enumerate();
        parts.for_each(|(number, words)| write(number * PART, words));
        return count;
    }
    write(0, words);
    count
}

struct Stamp(AtomicU64);

/// The value of a stamp that no read has used since the last change; the next read replaces it by a new
/// number.
const UNKNOWN: u64 = 0;

static LAST: AtomicU64 = AtomicU64::new(UNKNOWN);

impl Stamp {
    fn renew(&mut self) {
        *self.0.get_mut() = UNKNOWN;
    }

    fn get(&self) -> u64 {
        let known = self.0.load(Ordering::Relaxed);
        if known != UNKNOWN {
            return known;
        }
        let new = LAST.fetch_add(1, Ordering::Relaxed) + 1;
        let set = self.0.compare_exchange(UNKNOWN, new, Ordering::Relaxed, Ordering::Relaxed);
        set.err().unwrap_or(new)
    }
}

impl Default for Stamp {
    fn default() -> Self {
        Self(AtomicU64::new(UNKNOWN))
    }
}

impl Clone for Stamp {
    fn clone(&self) -> Self {
        Self(AtomicU64::new(self.get()))
    }
}

#[cfg(test)]
mod tests {
    use glam::{IVec2, UVec2};

    use crate::geometry::Corners;
    use crate::grid::GridBuilder;
    use crate::{Aabb, Footprint, Grid, Outside, Terrain};

    fn open(grid: Grid) -> Terrain {
        let terrain = Terrain::new(grid, UVec2::new(2, 3)).unwrap();
        terrain.with_outside(Outside::Open)
    }

    #[test]
    fn a_sparse_terrain_answers_like_a_dense_one() {
        let mut random = fastrand::Rng::with_seed(61);
        for _ in 0..60 {
            let mut grid = Grid::new(300, 200).unwrap();
            for _ in 0..random.u32(0..60) {
                grid.set(random.u32(0..300), random.u32(0..200), true).unwrap();
            }
            let mut builder = GridBuilder::new(1 << 25, 1 << 25).unwrap();
            builder.or_grid(&grid, IVec2::ZERO).unwrap();
            let (dense, sparse) = (open(grid), open(builder.finish().unwrap()));
            assert!(sparse.grid().is_sparse());
            let ball = Footprint::circle(70).unwrap();
            for _ in 0..40 {
                let mut pixel = || IVec2::new(random.i32(-99..700), random.i32(-99..700));
                let (from, to) = (pixel(), pixel());
                let far = from + (to - from) * 100_000;
                for (one, other) in [(from, to), (far, from), (from, far)] {
                    let hit = |terrain: &Terrain| terrain.ray(one, other, Corners::Block);
                    assert_eq!(hit(&sparse), hit(&dense));
                }
                let nearest = |terrain: &Terrain| terrain.nearest_solid(from, 400);
                assert_eq!(nearest(&sparse), nearest(&dense));
                let area = Aabb { min: from.min(to), max: from.max(to) };
                assert_eq!(sparse.solid_area(area), dense.solid_area(area));
                assert_eq!(sparse.clearance(area, 99), dense.clearance(area, 99));
                let first = |terrain: &Terrain| terrain.first_overlap(ball.at(from));
                assert_eq!(first(&sparse), first(&dense));
            }
        }
    }

    #[test]
    fn queries_across_huge_empty_space_finish_quickly() {
        let mut builder = GridBuilder::new(u32::MAX / 2, u32::MAX / 3).unwrap();
        builder.fill(9..10, 9..10).unwrap();
        let terrain = open(builder.finish().unwrap());
        for (from, to) in [(IVec2::MIN, IVec2::MAX), (IVec2::new(-5, 90), IVec2::MAX)] {
            assert!(terrain.line_of_sight(from + IVec2::Y * 90, to, Corners::Block));
        }
        let far = IVec2::new(i32::MIN, 2_000_000_000);
        assert_eq!(terrain.nearest_solid(far, u32::MAX).unwrap().pixel, IVec2::new(18, 29));
        let everything = Aabb { min: IVec2::MIN, max: IVec2::MAX };
        assert_eq!(terrain.solid_area(everything), 6);
    }
}
