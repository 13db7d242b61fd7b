//! Footprints: sets of pixels for bodies that are not boxes, such as discs, capsules and sprites.
//!
//! A footprint is split into rectangles. Each rectangle joins equal runs of pixels in neighbouring rows or
//! columns. A motion sweeps each rectangle once. An overlap test compares 64 pixels at a time.

use std::fmt;
use std::ops::Range;

use glam::{I64Vec2, IVec2, U16Vec2, UVec2, Vec2Swizzles as _};
#[cfg(feature = "image")]
use image::RgbaImage;

use crate::geometry::{Aabb, Axis, Dir};
use crate::grid::{Grid, GridError, Part, in_pixels, low_bits, rectangles};
use crate::terrain::{Emit, InTerrain, Pixels, Sweep, Terrain};

/// The set of pixels that a body covers. The pixels need not be connected, and may surround holes.
///
/// # Guarantees
/// * A footprint covers at least one pixel. Its width and height are at most [`Footprint::MAX_SIDE`] pixels.
///   Its outer rows and columns may be empty.
/// * A footprint has no position. [`Footprint::at`] places it for a query. The query ignores pixels at
///   `i32::MAX` or beyond.
/// * Two footprints of the same size that cover the same pixels are equal. With feature `serde`, a footprint
///   is saved as its [`Footprint::grid`].
/// * A footprint takes 2 bits for each pixel of its bounding box. It also takes 8 bytes for each rectangle of
///   equal pixel runs in neighbouring rows or columns. A convex shape has at most one rectangle for each row
///   and each column.
///
/// ```
/// use bitwall::glam::{IVec2, UVec2};
/// use bitwall::{Dir, Footprint, Grid, Level};
///
/// let ball = Footprint::circle(8)?;
/// let mut grid = Grid::new(64, 64)?;
/// grid.set(20, 0, true)?;
/// let level = Level::from_grid(grid, UVec2::ONE)?;
/// let rolls = level.sweep(ball.at(IVec2::ZERO), Dir::Right, 40);
/// assert_eq!(rolls.moved, 14, "its top row is two pixels shorter than its box");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "Grid", into = "Grid"))]
pub struct Footprint {
    bits: Grid,
    /// The rectangles that are swept for motions along each axis, indexed by [`Axis::index`]. The rectangles
    /// of an axis cover each pixel once. For x they are sorted by row, then by column. For y they are sorted
    /// by column, then by row.
    edges: [Box<[EdgePart]>; 2],
}

/// The reason why a footprint could not be created.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FootprintError {
    /// The footprint would cover no pixel.
    Empty,
    /// The requested width or height is above [`Footprint::MAX_SIDE`] pixels.
    TooLarge(UVec2),
    /// There is not enough memory for a footprint of this size.
    NoMemory(UVec2),
}

impl fmt::Display for FootprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a footprint needs at least one pixel"),
            Self::TooLarge(UVec2 { x, y }) => {
                let most = Footprint::MAX_SIDE;
                write!(f, "a footprint of {x} x {y} px is over the limit of {most} px a side")
            }
            Self::NoMemory(UVec2 { x, y }) => {
                write!(f, "there is no memory for a footprint of {x} x {y} px")
            }
        }
    }
}

impl std::error::Error for FootprintError {}

impl Footprint {
    /// The largest width and height of a footprint in pixels.
    pub const MAX_SIDE: u32 = 4096;

    /// Creates a footprint with one pixel for each solid cell of `grid`. Takes O(cells / 64).
    ///
    /// ```
    /// use bitwall::{Footprint, Grid};
    ///
    /// let ring = Footprint::from_grid(&Grid::from_text("###\n#.#\n###")?)?;
    /// assert_eq!(ring.pixel_count(), 8);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`FootprintError::Empty`] if no cell is solid, or [`FootprintError::TooLarge`] if a side is
    /// above [`Footprint::MAX_SIDE`].
    pub fn from_grid(grid: &Grid) -> Result<Self, FootprintError> {
        Self::from_words(grid.size(), &|x, y| grid.row_word(i64::from(x), y))
    }

    /// Creates a footprint from words of pixels. `word(x, y)` returns 64 pixels of row `y`, from column `x`
    /// (a multiple of 64) to the right. Bit 0 is the leftmost pixel. Bits beyond `size` are ignored.
    fn from_words(size: UVec2, word: &dyn Fn(u32, u32) -> u64) -> Result<Self, FootprintError> {
        check_size(size)?;
        let mut rows = Grid::blank_rows(size.x, size.y)
            .map_err(|_: GridError| FootprintError::NoMemory(size))?;
        let mut joined = 0;
        for x in (0..size.x).step_by(64) {
            let inside = low_bits(i64::from(size.x - x));
            for y in 0..size.y {
                let word = word(x, y) & inside;
                rows.set_word(y, x, word);
                joined |= word;
            }
        }
        if joined == 0 {
            return Err(FootprintError::Empty);
        }
        let bits = Grid::from_rows(rows).map_err(|_| FootprintError::NoMemory(size))?;
        Ok(Self::from_bits(bits))
    }

    fn from_bits(bits: Grid) -> Self {
        let edges = [edges(&bits, Axis::X), edges(&bits, Axis::Y)];
        Self { bits, edges }
    }

    /// Returns the width and height of the footprint in pixels.
    pub fn size(&self) -> UVec2 {
        self.bits.size()
    }

    /// Returns a grid with one solid cell for each covered pixel.
    pub fn grid(&self) -> &Grid {
        &self.bits
    }

    /// Returns true if the footprint covers `pixel`, counted from the footprint's top-left corner.
    pub fn covers(&self, pixel: UVec2) -> bool {
        self.bits.is_solid(pixel.x, pixel.y)
    }

    /// Returns the number of pixels that the footprint covers.
    pub fn pixel_count(&self) -> u64 {
        self.bits.solid_count()
    }

    /// Returns the bounding box of the footprint if its top-left corner is at `at`.
    pub fn bounds(&self, at: IVec2) -> Aabb {
        let size = self.size().as_ivec2();
        Aabb::from_xywh(at.x, at.y, size.x, size.y)
    }

    /// Returns the footprint with its top-left corner at the pixel `position`, for a query.
    ///
    /// ```
    /// use bitwall::{Footprint, Grid, Terrain, glam::IVec2, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("....\n.#..\n....")?, UVec2::splat(8))?;
    /// let ball = Footprint::circle(8)?;
    /// assert!(terrain.overlaps(ball.at(IVec2::new(4, 4))));
    /// assert!(!terrain.overlaps(ball.at(IVec2::new(1, 1))), "only their boxes overlap");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn at(&self, position: IVec2) -> PlacedFootprint<'_> {
        PlacedFootprint { footprint: self, position }
    }

    /// Returns the rectangles that are swept for a motion along `axis`, with the footprint's top-left corner
    /// at `at`. Rectangles beyond the range of `i32` are left out.
    pub(crate) fn leading(&self, axis: Axis, at: IVec2) -> impl Iterator<Item = Aabb> {
        let parts = self.edges[axis.index()].iter();
        let boxes = parts.map(|part| Aabb { min: part.min.as_ivec2(), max: part.max.as_ivec2() });
        boxes.map(move |part| part.translated(at)).filter(|part| !part.is_empty())
    }

    /// Returns a mirrored footprint: left to right if `horizontally`, and top to bottom if `vertically`.
    #[must_use]
    pub fn flipped(&self, horizontally: bool, vertically: bool) -> Self {
        let size = self.size();
        let mut bits = self.bits.clone();
        let _ = bits.fill(0..size.x, 0..size.y, false); // A small grid is not sparse, so a fill cannot fail.
        for part in self.leading(Axis::X, IVec2::ZERO) {
            let min = part.min.as_uvec2();
            let max = part.max.as_uvec2();
            let columns = flipped(min.x..max.x, size.x, horizontally);
            let rows = flipped(min.y..max.y, size.y, vertically);
            let _ = bits.fill(columns, rows, true);
        }
        Self::from_bits(bits)
    }

    /// Returns the footprint turned clockwise by 90 degrees: its top becomes its right side.
    #[must_use]
    pub fn turned(&self) -> Self {
        let bits = self.bits.transposed();
        Self::from_bits(bits).flipped(true, false)
    }

    /// Returns a larger footprint: each pixel becomes a rectangle of `factors.x` x `factors.y` pixels.
    ///
    /// ```
    /// use bitwall::{Footprint, Grid, glam::UVec2};
    ///
    /// let corner = Footprint::from_grid(&Grid::from_text("##\n#.")?)?;
    /// let large = corner.scaled(UVec2::new(3, 2))?;
    /// assert_eq!(large.grid().to_string(), "######\n######\n###...\n###...");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`FootprintError::Empty`] if a factor is 0, or [`FootprintError::TooLarge`] if a side would be
    /// above [`Footprint::MAX_SIDE`].
    pub fn scaled(&self, factors: UVec2) -> Result<Self, FootprintError> {
        let size = self.size().saturating_mul(factors);
        check_size(size)?;
        let pixels = in_pixels(&self.bits, factors, Part::All);
        Self::from_grid(&pixels.map_err(|_| FootprintError::NoMemory(size))?)
    }

    /// Returns a footprint of the pixels that `self` or `other` covers. `offset` is the top-left corner of
    /// `other`, counted from the top-left corner of `self`.
    ///
    /// The result has the bounding box of both. So its top-left corner is at the smaller of 0 and `offset`,
    /// on each axis. O(64-bit words of the result).
    ///
    /// ```
    /// use bitwall::{Footprint, glam::IVec2, glam::UVec2};
    ///
    /// let post = Footprint::rectangle(UVec2::new(1, 3))?;
    /// let beam = Footprint::rectangle(UVec2::new(5, 1))?;
    /// let sign = post.union(&beam, IVec2::new(-2, -1))?;
    /// assert_eq!(sign.grid().to_string(), "#####\n..#..\n..#..\n..#..");
    /// # Ok::<(), bitwall::footprint::FootprintError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`FootprintError::TooLarge`] if a side would be above [`Footprint::MAX_SIDE`].
    pub fn union(&self, other: &Self, offset: IVec2) -> Result<Self, FootprintError> {
        let offset = offset.as_i64vec2();
        let min = offset.min(I64Vec2::ZERO);
        let max = self.size().as_i64vec2().max(offset + other.size().as_i64vec2());
        // The sides of a footprint are far below 2^31, so the size fits.
        Self::from_words((max - min).as_uvec2(), &|x, y| {
            let at = I64Vec2::new(x.into(), y.into()) + min;
            self.word(at) | other.word(at - offset)
        })
    }

    /// Returns a footprint of the same size as `self` without the pixels that `other` covers. `offset` is the
    /// same as for [`Footprint::union`].
    ///
    /// O(64-bit words of the footprint).
    ///
    /// ```
    /// use bitwall::{Footprint, glam::IVec2};
    ///
    /// let moon = Footprint::circle(7)?.difference(&Footprint::circle(5)?, IVec2::new(3, 1))?;
    /// assert_eq!(moon.grid().to_string(), "..###..\n.###...\n###....\n###....\n###....\n.###...\n..###..");
    /// # Ok::<(), bitwall::footprint::FootprintError>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`FootprintError::Empty`] if no pixel is left.
    pub fn difference(&self, other: &Self, offset: IVec2) -> Result<Self, FootprintError> {
        let offset = offset.as_i64vec2();
        Self::from_words(self.size(), &|x, y| {
            let at = I64Vec2::new(x.into(), y.into());
            self.word(at) & !other.word(at - offset)
        })
    }

    /// Returns 64 pixels of a row, from `at` to the right; bit 0 is the leftmost pixel. Pixels outside the
    /// footprint are 0.
    fn word(&self, at: I64Vec2) -> u64 {
        u32::try_from(at.y).map_or(0, |row| self.bits.row_word(at.x, row))
    }
}

impl TryFrom<Grid> for Footprint {
    type Error = FootprintError;

    /// [`Footprint::from_grid`].
    fn try_from(grid: Grid) -> Result<Self, FootprintError> {
        Self::from_grid(&grid)
    }
}

impl From<Footprint> for Grid {
    /// [`Footprint::grid`].
    fn from(footprint: Footprint) -> Self {
        footprint.bits
    }
}

#[cfg(feature = "image")]
impl Footprint {
    /// Creates a footprint from the pixels of `picture` whose alpha is at least `alpha_threshold`. A usual
    /// threshold is 128.
    ///
    /// A threshold of 1 takes every pixel that is not fully transparent. A frame of a sprite sheet is a
    /// picture by `image::imageops::crop_imm(&sheet, x, y, width, height).to_image()`. Takes O(pixels).
    ///
    /// # Errors
    /// Returns the same errors as [`Footprint::from_grid`].
    pub fn from_image(picture: &RgbaImage, alpha_threshold: u8) -> Result<Self, FootprintError> {
        let size = UVec2::from(picture.dimensions());
        Self::from_words(size, &|x, y| {
            (x..size.x.min(x + 64)).fold(0, |word, column| {
                let alpha = picture.get_pixel(column, y).0[3];
                word | u64::from(alpha >= alpha_threshold) << (column - x)
            })
        })
    }
}

fn flipped(range: Range<u32>, side: u32, flips: bool) -> Range<u32> {
    if flips { side - range.end..side - range.start } else { range }
}

fn check_size(size: UVec2) -> Result<(), FootprintError> {
    if size.min_element() == 0 {
        Err(FootprintError::Empty)
    } else if size.max_element() > Footprint::MAX_SIDE {
        Err(FootprintError::TooLarge(size))
    } else {
        Ok(())
    }
}

impl Footprint {
    /// Creates a rectangle that covers all its pixels. Queries give the same answers as for an [`Aabb`] of
    /// the same size.
    ///
    /// # Errors
    /// Returns [`FootprintError::Empty`] if a side is 0, or [`FootprintError::TooLarge`] if a side is above
    /// [`Footprint::MAX_SIDE`].
    pub fn rectangle(size: UVec2) -> Result<Self, FootprintError> {
        Self::from_rows(size, &|_| 0..size.x)
    }

    /// Creates a disc of `diameter` pixels. It covers the pixels whose centre is inside the circle; no centre
    /// is exactly on the circle.
    ///
    /// Quarter turns and reflections do not change the disc.
    ///
    /// ```
    /// use bitwall::Footprint;
    ///
    /// let disc = Footprint::circle(5)?;
    /// assert_eq!(disc.grid().to_string(), ".###.\n#####\n#####\n#####\n.###.");
    /// # Ok::<(), bitwall::footprint::FootprintError>(())
    /// ```
    ///
    /// # Errors
    /// Returns the same errors as [`Footprint::rectangle`].
    pub fn circle(diameter: u32) -> Result<Self, FootprintError> {
        Self::capsule(UVec2::splat(diameter))
    }

    /// Creates a capsule of `size` pixels: a rectangle whose two shorter sides are rounded to half discs.
    ///
    /// # Errors
    /// Returns the same errors as [`Footprint::rectangle`].
    pub fn capsule(size: UVec2) -> Result<Self, FootprintError> {
        check_size(size)?;
        if size.x > size.y {
            return Ok(Self::capsule(size.yx())?.turned());
        }
        let diameter = size.x;
        let straight = size.y - size.x;
        let radius = diameter / 2;
        Self::from_rows(size, &|row| {
            if row < radius {
                disc_row(diameter, row)
            } else if row >= size.y - radius {
                disc_row(diameter, row - straight)
            } else {
                0..diameter
            }
        })
    }

    fn from_rows(size: UVec2, columns: &dyn Fn(u32) -> Range<u32>) -> Result<Self, FootprintError> {
        Self::from_words(size, &|x, y| {
            let Range { start, end } = columns(y);
            low_bits(i64::from(end) - i64::from(x)) & !low_bits(i64::from(start) - i64::from(x))
        })
    }
}

/// Returns the columns that a disc covers in `row`. No pixel centre is on the circle. The reason: measured in
/// half pixels from the disc's centre, both coordinates of a pixel centre are even if the diameter is odd,
/// and odd if the diameter is even. The sum of the squares of two such coordinates never equals the squared
/// diameter.
fn disc_row(diameter: u32, row: u32) -> Range<u32> {
    let d = u64::from(diameter);
    let down = (2 * u64::from(row) + 1).abs_diff(d);
    let reach = (d * d - down * down).isqrt();
    let start = ((d - reach) / 2) as u32;
    start..diameter - start
}

/// A [`Footprint`] with a position, for the queries of a [`Terrain`]. Returned by [`Footprint::at`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedFootprint<'f> {
    /// The footprint without its position.
    pub footprint: &'f Footprint,
    /// The pixel of the footprint's top-left corner.
    pub position: IVec2,
}

impl PlacedFootprint<'_> {
    /// Finds the footprint's pixels that are solid after a displacement by `by`. Returns the first of them,
    /// counted from the footprint's top-left corner, and their number. `only_first` works like in
    /// [`Footprint::meet`].
    fn solid(self, terrain: &Terrain, by: I64Vec2, only_first: bool) -> (Option<UVec2>, u64) {
        let place = self.position.as_i64vec2() + by;
        let size = self.footprint.size();
        let left = I64Vec2::splat(i32::MAX.into()) - place;
        let end = left.clamp(I64Vec2::ZERO, size.as_i64vec2()).as_uvec2();
        self.footprint.meet(0..end.x, 0..end.y, only_first, &|column, row| {
            let solid = terrain.row_word(place.x + i64::from(column), place.y + i64::from(row));
            solid & low_bits(i64::from(end.x - column))
        })
    }
}

impl InTerrain for PlacedFootprint<'_> {
    fn can_move(self, terrain: &Terrain, dir: Dir, step: u32) -> bool {
        let mut parts = self.footprint.leading(dir.axis(), self.position);
        parts.all(|part| terrain.can_move(part, dir, step))
    }

    fn sweep(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep {
        let parts = self.footprint.leading(dir.axis(), self.position);
        sweep_parts(parts, step, |part, reach| terrain.sweep(part, dir, reach))
    }

    fn sweep_through_one_way(self, terrain: &Terrain, dir: Dir, step: u32) -> Sweep {
        let parts = self.footprint.leading(dir.axis(), self.position);
        sweep_parts(parts, step, |part, reach| terrain.sweep_through_one_way(part, dir, reach))
    }

    fn overlaps(self, terrain: &Terrain) -> bool {
        self.solid(terrain, I64Vec2::ZERO, true).0.is_some()
    }

    fn nearest_free(self, terrain: &Terrain, dir: Dir, limit: u32) -> Option<u32> {
        nearest_free_parts(self.footprint, self.position, dir, limit, &|part, left| {
            terrain.nearest_free(part, dir, left)
        })
    }

    fn first_overlap(self, terrain: &Terrain) -> Option<IVec2> {
        let (first, _) = self.solid(terrain, I64Vec2::ZERO, true);
        Some(self.position + first?.as_ivec2())
    }

    fn solid_area(self, terrain: &Terrain) -> u64 {
        self.solid(terrain, I64Vec2::ZERO, false).1
    }

    fn overlap_normal(self, terrain: &Terrain) -> IVec2 {
        normal(&|by| self.solid(terrain, by, false).1)
    }

    fn pixel_count(self) -> u64 {
        self.footprint.pixel_count()
    }
}

/// Sweeps a body of several `parts`. `sweep(part, distance)` sweeps one part. The result has the first
/// contact on the way. Among contacts at the same distance, it has the topmost contact, then the leftmost.
pub(crate) fn sweep_parts(
    parts: impl Iterator<Item = Aabb>,
    step: u32,
    sweep: impl Fn(Aabb, u32) -> Sweep,
) -> Sweep {
    let mut first = Sweep::clear(step);
    for part in parts {
        // The sweep goes one pixel past the first contact, because another part may meet a cell in a smaller
        // row there.
        let reach = first.moved.saturating_add(1).min(step);
        let sweep = Sweep { step, ..sweep(part, reach) };
        if sweep.contact.is_some() {
            first = first.earlier(sweep);
        }
    }
    first
}

/// Returns the smallest distance toward `dir` at which no part of the footprint overlaps a solid; `None` if
/// the distance would exceed `limit`. `nearest_free(part, limit)` returns this distance for one part.
pub(crate) fn nearest_free_parts(
    footprint: &Footprint,
    position: IVec2,
    dir: Dir,
    limit: u32,
    nearest_free: &dyn Fn(Aabb, u32) -> Option<u32>,
) -> Option<u32> {
    let bounds = footprint.bounds(position);
    let limit = limit.min(bounds.room(dir));
    let mut distance = 0;
    loop {
        let mut more = 0;
        for part in footprint.leading(dir.axis(), bounds.shifted(dir, distance).min) {
            more = nearest_free(part, limit - distance)?.max(more);
        }
        if more == 0 {
            return Some(distance);
        }
        distance += more;
    }
}

/// A half-open rectangle of a footprint's pixels, which a query sweeps as one box. Its coordinates are at
/// most 4096, counted from the footprint's top-left corner.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct EdgePart {
    min: U16Vec2,
    max: U16Vec2,
}

/// Returns the rectangles to sweep along `axis`. They join equal neighbouring pixel runs, in rows for x and
/// in columns for y. A side of `bits` is at most 4096, so the casts lose nothing.
fn edges(bits: &Grid, axis: Axis) -> Box<[EdgePart]> {
    let lines = 0..bits.size()[axis.other().index()];
    let runs = lines.flat_map(|line| bits.runs(axis.other(), line).map(move |run| (line, run)));
    let parts = rectangles(runs).into_iter().map(|[across, along]| EdgePart {
        min: axis.xy(along.start as u16, across.start as u16).into(),
        max: axis.xy(along.end as u16, across.end as u16).into(),
    });
    parts.collect()
}

impl Footprint {
    /// Returns true if the footprints share a pixel. `offset` is the top-left corner of `other`, counted from
    /// the top-left corner of `self`.
    ///
    /// Takes O(64-bit words of pixels in the shared rows).
    ///
    /// ```
    /// use bitwall::{Footprint, glam::IVec2};
    ///
    /// let ball = Footprint::circle(8)?;
    /// assert!(ball.overlaps(&ball, IVec2::new(4, 4)));
    /// assert!(!ball.overlaps(&ball, IVec2::new(7, 7)), "only their boxes do");
    /// # Ok::<(), bitwall::footprint::FootprintError>(())
    /// ```
    pub fn overlaps(&self, other: &Self, offset: IVec2) -> bool {
        self.shared(other, offset.as_i64vec2(), true).0.is_some()
    }

    /// Returns the topmost, then leftmost pixel that both footprints cover; `None` if they do not overlap.
    /// The pixel is counted from the top-left corner of `self`.
    ///
    /// `offset` and the cost are the same as for [`Footprint::overlaps`].
    pub fn first_overlap(&self, other: &Self, offset: IVec2) -> Option<UVec2> {
        self.shared(other, offset.as_i64vec2(), true).0
    }

    /// Returns the number of pixels that both footprints cover. `offset` and the cost are the same as for
    /// [`Footprint::overlaps`].
    pub fn overlap_area(&self, other: &Self, offset: IVec2) -> u64 {
        self.shared(other, offset.as_i64vec2(), false).1
    }

    /// Returns a vector of any length that points out of `other` toward `self`.
    ///
    /// Its x is the shared area after `self` moves one pixel left, minus the shared area after `self` moves
    /// one pixel right. Its y is the same difference for up and down. (pygame documents this vector at
    /// `Mask.overlap_area`.)
    pub fn overlap_normal(&self, other: &Self, offset: IVec2) -> IVec2 {
        // Moving `self` to the left has the same effect as moving `other` to the right.
        normal(&|by| self.shared(other, offset.as_i64vec2() - by, false).1)
    }

    fn shared(&self, other: &Self, by: I64Vec2, only_first: bool) -> (Option<UVec2>, u64) {
        let size = self.size();
        let others = other.size();
        let columns = common(size.x, by.x, others.x);
        self.meet(columns, common(size.y, by.y, others.y), only_first, &|x, y| {
            other.bits.row_word(i64::from(x) - by.x, (i64::from(y) - by.y) as u32)
        })
    }

    /// Returns the first pixel that is set in both `self` and `other`, and the number of such pixels. If
    /// `only_first` is true, the search ends at the first 64 pixels that contain a match, and the number
    /// counts only these. `other(x, y)` returns 64 pixels of row `y`, from column `x` to the right. Only
    /// words that touch `columns` and `rows` are visited. These ranges must be inside the footprint.
    fn meet(
        &self,
        columns: Range<u32>,
        rows: Range<u32>,
        only_first: bool,
        other: &dyn Fn(u32, u32) -> u64,
    ) -> (Option<UVec2>, u64) {
        let mut first = None;
        let mut count = 0;
        for y in rows {
            for x in (columns.start / 64 * 64..columns.end).step_by(64) {
                let own = self.bits.row_word(i64::from(x), y);
                let both = if own == 0 { 0 } else { own & other(x, y) };
                if both == 0 {
                    continue;
                }
                count += u64::from(both.count_ones());
                first = first.or(Some(UVec2::new(x + both.trailing_zeros(), y)));
                if only_first {
                    return (first, count);
                }
            }
        }
        (first, count)
    }
}

/// Returns the rows (or columns) of a footprint that another footprint shares, for the tests of overlaps. The
/// footprint has the rows `0..side`, and the other footprint has the rows `offset..offset + others`.
pub(crate) fn common(side: u32, offset: i64, others: u32) -> Range<u32> {
    let end = offset + i64::from(others);
    offset.clamp(0, side.into()) as u32..end.clamp(0, side.into()) as u32
}

/// Computes the vector of [`Footprint::overlap_normal`]. `area` returns the shared area after a displacement.
/// The area is at most 2^24 pixels.
fn normal(area: &dyn Fn(I64Vec2) -> u64) -> IVec2 {
    let [x, y] = [I64Vec2::X, I64Vec2::Y].map(|by| area(-by) as i32 - area(by) as i32);
    IVec2::new(x, y)
}

impl Pixels for Footprint {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        self.bits.spans(clip, emit);
    }
}

#[cfg(test)]
mod tests;
