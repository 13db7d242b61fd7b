//! Footprints: sets of pixels, for bodies that are not boxes, such as discs, capsules and sprites.
//!
//! A footprint is split into rectangles of equal pixel runs, and a motion sweeps each rectangle once. An
//! overlap test compares 64 pixels at a time.

use std::fmt;
use std::ops::Range;

use glam::{I64Vec2, IVec2, U16Vec2, UVec2, Vec2Swizzles as _};
#[cfg(feature = "image")]
use image::RgbaImage;

use crate::geometry::{Aabb, Axis, Dir};
use crate::grid::{Grid, GridError, low_bits, rectangles};
use crate::terrain::{Emit, InTerrain, Pixels, Sweep, Terrain, runs};

/// The set of pixels that a body covers. The pixels need not be connected, and may surround holes.
///
/// # Guarantees
/// * A footprint covers at least one pixel. Its width and height are at most [`Footprint::MAX_SIDE`] pixels.
///   Its outer rows and columns may be empty.
/// * A footprint has no position. [`Footprint::at`] places it for a query, and the query ignores pixels at
///   `i32::MAX` or beyond.
/// * Two footprints of equal size that cover the same pixels are equal.
/// * A footprint takes 2 bits per pixel of its size, and 8 bytes per rectangle of equal pixel runs in
///   neighbouring rows or columns. A convex shape has at most one rectangle per row and per column.
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
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Footprint {
    bits: Grid,
    /// The rectangles to sweep, indexed by [`Axis::index`]. The rectangles of an axis cover each pixel once.
    /// They are sorted by row, then column for x, and by column, then row for y.
    edges: [Box<[EdgePart]>; 2],
}

/// The reason why a footprint could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FootprintError {
    /// The footprint would cover no pixel.
    Empty,
    /// The requested size has a side above [`Footprint::MAX_SIDE`] pixels.
    TooLarge(UVec2),
    /// The allocation for a footprint of this size failed.
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
    /// The largest width and height of a footprint, in pixels.
    pub const MAX_SIDE: u32 = 4096;

    /// Returns the footprint with one pixel per solid cell of `grid`. O(cells / 64).
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
    /// Returns [`FootprintError::Empty`] if no cell is solid, or `TooLarge` above [`Footprint::MAX_SIDE`].
    pub fn from_grid(grid: &Grid) -> Result<Self, FootprintError> {
        Self::from_words(grid.size(), &|x, y| grid.row_word(i64::from(x), y))
    }

    /// `word(x, y)` returns 64 pixels of row `y`, from column `x` (a multiple of 64) to the right. Bit 0 is
    /// the leftmost pixel. Bits beyond `size` are ignored.
    fn from_words(size: UVec2, word: &dyn Fn(u32, u32) -> u64) -> Result<Self, FootprintError> {
        check_size(size)?;
        let no_memory = |_: GridError| FootprintError::NoMemory(size);
        let mut rows = Grid::blank_rows(size.x, size.y).map_err(no_memory)?;
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
        Ok(Self::from_bits(Grid::from_rows(rows).map_err(no_memory)?))
    }

    fn from_bits(bits: Grid) -> Self {
        let edges = [edges(&bits, Axis::X), edges(&bits, Axis::Y)];
        Self { bits, edges }
    }

    /// Returns the width and height of the footprint, in pixels.
    pub fn size(&self) -> UVec2 {
        self.bits.size()
    }

    /// Returns a grid with one solid cell per covered pixel.
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

    /// Returns the bounding box of the footprint with its top-left corner at `at`.
    pub fn bounds(&self, at: IVec2) -> Aabb {
        let size = self.size().as_ivec2();
        Aabb::from_xywh(at.x, at.y, size.x, size.y)
    }

    /// Places the footprint with its top-left corner at `position`, in pixels.
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

    /// The boxes that a motion along `axis` sweeps. Boxes beyond the range of `i32` are left out.
    pub(crate) fn leading(&self, axis: Axis, at: IVec2) -> impl Iterator<Item = Aabb> {
        let parts = self.edges[axis.index()].iter();
        let boxes = parts.map(|part| Aabb { min: part.min.as_ivec2(), max: part.max.as_ivec2() });
        boxes.map(move |part| part.translated(at)).filter(|part| !part.is_empty())
    }

    /// Returns the footprint mirrored left to right if `horizontally`, and top to bottom if `vertically`.
    #[must_use]
    pub fn flipped(&self, horizontally: bool, vertically: bool) -> Self {
        let size = self.size();
        let flip = |range: Range<u32>, side: u32, flips: bool| {
            if flips { side - range.end..side - range.start } else { range }
        };
        let mut bits = self.bits.clone();
        let _ = bits.fill(0..size.x, 0..size.y, false); // A small grid is not sparse, so a fill cannot fail.
        for part in self.leading(Axis::X, IVec2::ZERO) {
            let (min, max) = (part.min.as_uvec2(), part.max.as_uvec2());
            let columns = flip(min.x..max.x, size.x, horizontally);
            let rows = flip(min.y..max.y, size.y, vertically);
            let _ = bits.fill(columns, rows, true);
        }
        Self::from_bits(bits)
    }

    /// Returns the footprint turned clockwise by a quarter: its top becomes its right.
    #[must_use]
    pub fn turned(&self) -> Self {
        let bits = self.bits.transposed();
        Self::from_bits(bits).flipped(true, false)
    }
}

#[cfg(feature = "image")]
impl Footprint {
    /// Returns the footprint of the pixels of `picture` whose alpha is at least `alpha_threshold`. 128 is
    /// usual; 1 takes every pixel that is not fully transparent. O(pixels).
    ///
    /// # Errors
    /// The errors are those of [`Footprint::from_grid`].
    pub fn from_image(picture: &RgbaImage, alpha_threshold: u8) -> Result<Self, FootprintError> {
        let size = picture.dimensions().into();
        Self::from_part(picture, UVec2::ZERO, size, alpha_threshold)
    }

    /// Returns one footprint per frame of the sprite sheet `sheet`: from left to right, row by row. A frame
    /// without covered pixels is `None`. Pixels at the right and bottom that do not fill a frame are ignored.
    ///
    /// # Errors
    /// Returns [`FootprintError::Empty`] if a side of `frame_size` is 0, or `TooLarge` above
    /// [`Footprint::MAX_SIDE`].
    pub fn frames(
        sheet: &RgbaImage,
        frame_size: UVec2,
        alpha_threshold: u8,
    ) -> Result<Vec<Option<Self>>, FootprintError> {
        check_size(frame_size)?;
        let count = UVec2::from(sheet.dimensions()) / frame_size;
        let mut frames = Vec::new();
        for row in 0..count.y {
            for column in 0..count.x {
                let at = UVec2::new(column, row) * frame_size;
                frames.push(match Self::from_part(sheet, at, frame_size, alpha_threshold) {
                    Err(FootprintError::Empty) => None,
                    frame => Some(frame?),
                });
            }
        }
        Ok(frames)
    }

    /// The rectangle of `size` at `at` must be inside the picture.
    fn from_part(
        picture: &RgbaImage,
        at: UVec2,
        size: UVec2,
        threshold: u8,
    ) -> Result<Self, FootprintError> {
        Self::from_words(size, &|x, y| {
            (x..size.x.min(x + 64)).fold(0, |word, column| {
                let alpha = picture.get_pixel(at.x + column, at.y + y).0[3];
                word | u64::from(alpha >= threshold) << (column - x)
            })
        })
    }
}

impl fmt::Debug for Footprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Footprint").field(&self.bits).finish()
    }
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
    /// Returns a full rectangle. Queries answer as for an [`Aabb`] of the same size.
    ///
    /// # Errors
    /// Returns [`FootprintError::Empty`] if a side is 0, or `TooLarge` above [`Footprint::MAX_SIDE`].
    pub fn rectangle(size: UVec2) -> Result<Self, FootprintError> {
        Self::from_rows(size, &|_| 0..size.x)
    }

    /// Returns a disc of `diameter` pixels. The disc covers the pixels whose centre is inside the circle; no
    /// centre is exactly on the circle. Quarter turns and reflections do not change the disc.
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
    /// The errors are those of [`Footprint::rectangle`].
    pub fn circle(diameter: u32) -> Result<Self, FootprintError> {
        Self::capsule(UVec2::splat(diameter))
    }

    /// Returns a capsule of `size` pixels: a rectangle whose two shorter sides are rounded to half discs.
    ///
    /// # Errors
    /// The errors are those of [`Footprint::rectangle`].
    pub fn capsule(size: UVec2) -> Result<Self, FootprintError> {
        check_size(size)?;
        if size.x > size.y {
            return Ok(Self::capsule(size.yx())?.turned());
        }
        let (diameter, straight) = (size.x, size.y - size.x);
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
            let columns = columns(y);
            let before = |column: u32| low_bits(i64::from(column) - i64::from(x));
            before(columns.end) & !before(columns.start)
        })
    }
}

/// The columns that a disc covers in `row`. Measured in half pixels from the disc's centre, pixel centres
/// have only even coordinates if the diameter is odd, and only odd coordinates if the diameter is even. Two
/// such squares never add up to the squared diameter, so no pixel centre is on the circle.
fn disc_row(diameter: u32, row: u32) -> Range<u32> {
    let d = u64::from(diameter);
    let down = (2 * u64::from(row) + 1).abs_diff(d);
    let reach = (d * d - down * down).isqrt();
    let start = ((d - reach) / 2) as u32;
    start..diameter - start
}

/// A [`Footprint`] with a position, for the queries of a [`Terrain`]. [`Footprint::at`] makes it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedFootprint<'f> {
    /// The footprint without a position.
    pub footprint: &'f Footprint,
    /// The position of the footprint's top-left corner, in pixels.
    pub position: IVec2,
}

impl PlacedFootprint<'_> {
    /// Finds the footprint's pixels on solids after the displacement `by`. Returns the first such pixel,
    /// counted from the footprint's top-left corner, and their number. `only_first` is as in
    /// [`Footprint::meet`].
    fn solid(self, terrain: &Terrain, by: I64Vec2, only_first: bool) -> (Option<UVec2>, u64) {
        let place = self.position.as_i64vec2() + by;
        let within = |side: u32, at: i64| (i64::from(i32::MAX) - at).clamp(0, side.into()) as u32;
        let size = self.footprint.size();
        let columns = within(size.x, place.x);
        let solid = |column, row| {
            let solid = terrain.row_word(place.x + i64::from(column), place.y + i64::from(row));
            solid & low_bits(i64::from(columns - column))
        };
        self.footprint.meet(0..columns, 0..within(size.y, place.y), only_first, &solid)
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

/// Sweeps a body of several `parts`. `sweep` takes a part and a distance. The result has the first contact on
/// the way; of several contacts at one distance it has the topmost, then the leftmost.
pub(crate) fn sweep_parts(
    parts: impl Iterator<Item = Aabb>,
    step: u32,
    sweep: impl Fn(Aabb, u32) -> Sweep,
) -> Sweep {
    let mut first = Sweep::clear(step);
    for part in parts {
        // One pixel past the first contact: another part may meet a cell in a lower row there.
        let reach = first.moved.saturating_add(1).min(step);
        let sweep = Sweep { step, ..sweep(part, reach) };
        if sweep.contact.is_some() {
            first = first.earlier(sweep);
        }
    }
    first
}

/// The smallest distance toward `dir` at which no part of the footprint overlaps a solid; `None` if the
/// distance would exceed `limit`. `nearest_free` answers the same for a part and a limit.
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

/// A half-open rectangle of pixels. Its sides are at most 4096.
#[derive(Clone, PartialEq, Eq, Hash)]
struct EdgePart {
    min: U16Vec2,
    max: U16Vec2,
}

/// The rectangles to sweep along `axis`: pixel runs in rows for x and in columns for y, merged with equal
/// neighbouring runs. A side of `bits` is at most 4096, so the casts lose nothing.
fn edges(bits: &Grid, axis: Axis) -> Box<[EdgePart]> {
    let lines = 0..bits.size()[axis.other().index()];
    let runs = lines.flat_map(|line| bits.runs(axis.other(), line).map(move |run| (line, run)));
    let corner = |along: u32, across: u32| U16Vec2::from(axis.xy(along as u16, across as u16));
    let part = |[across, along]: [Range<u32>; 2]| EdgePart {
        min: corner(along.start, across.start),
        max: corner(along.end, across.end),
    };
    rectangles(runs).into_iter().map(part).collect()
}

impl Footprint {
    /// Returns true if the footprints share a pixel. `offset` is the top-left corner of `other`, counted from
    /// the top-left corner of `self`. O(n) for n words of 64 pixels in the shared rows.
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

    /// Returns the topmost, then leftmost pixel that the footprints share, or `None` if they do not overlap.
    /// The pixel is counted from the top-left corner of `self`. `offset` and the cost are as for
    /// [`Footprint::overlaps`].
    pub fn first_overlap(&self, other: &Self, offset: IVec2) -> Option<UVec2> {
        self.shared(other, offset.as_i64vec2(), true).0
    }

    /// Returns the number of shared pixels. `offset` and the cost are as for [`Footprint::overlaps`].
    pub fn overlap_area(&self, other: &Self, offset: IVec2) -> u64 {
        self.shared(other, offset.as_i64vec2(), false).1
    }

    /// Returns a vector that points out of `other` toward `self`, of any length. Its x is the shared
    /// area after `self` moves one pixel left, minus the shared area after `self` moves one pixel right. Its
    /// y is the same for up and down. (pygame documents this vector at `Mask.overlap_area`.)
    pub fn overlap_normal(&self, other: &Self, offset: IVec2) -> IVec2 {
        // To move this one to the left is to move the other to the right.
        normal(&|by| self.shared(other, offset.as_i64vec2() - by, false).1)
    }

    fn shared(&self, other: &Self, by: I64Vec2, only_first: bool) -> (Option<UVec2>, u64) {
        let (size, others) = (self.size(), other.size());
        let columns = common(size.x, by.x, others.x);
        self.meet(columns, common(size.y, by.y, others.y), only_first, &|x, y| {
            other.bits.row_word(i64::from(x) - by.x, (i64::from(y) - by.y) as u32)
        })
    }

    /// Returns the first pixel that is set in `self` and in `other`, and the number of such pixels. With
    /// `only_first` the search ends at the first 64 pixels that contain a match, and the number counts only
    /// these. `other(x, y)` returns 64 pixels of row `y`, from column `x` to the right. Only words that touch
    /// `columns` and `rows` are visited; these ranges must be inside the footprint.
    fn meet(
        &self,
        columns: Range<u32>,
        rows: Range<u32>,
        only_first: bool,
        other: &dyn Fn(u32, u32) -> u64,
    ) -> (Option<UVec2>, u64) {
        let (mut first, mut count) = (None, 0);
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

/// The intersection of `0..side` and `offset..offset + others`.
pub(crate) fn common(side: u32, offset: i64, others: u32) -> Range<u32> {
    let inside = |place: i64| place.clamp(0, i64::from(side)) as u32;
    inside(offset)..inside(offset + i64::from(others))
}

/// The vector of [`Footprint::overlap_normal`]. `area` returns the shared area after a displacement, at most
/// 2^24 pixels.
fn normal(area: &dyn Fn(I64Vec2) -> u64) -> IVec2 {
    let less = |by: I64Vec2| area(-by) as i32 - area(by) as i32;
    IVec2::new(less(I64Vec2::X), less(I64Vec2::Y))
}

impl Pixels for Footprint {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        runs(&self.bits, clip, emit);
    }
}

#[cfg(test)]
mod tests;
