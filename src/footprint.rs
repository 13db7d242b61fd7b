//! The set of pixels that a body covers, for movers that are not boxes: discs, capsules, sprites. A motion
//! takes one sweep for each rectangle of equal pixel runs in neighbouring rows (or columns, if the motion is
//! vertical). Overlaps are found 64 pixels at a time.

use std::fmt;
use std::ops::Range;

use glam::{I64Vec2, IVec2, U16Vec2, UVec2, Vec2Swizzles as _};
#[cfg(feature = "image")]
use image::RgbaImage;

use crate::geometry::{Aabb, Axis, Dir};
use crate::grid::{Grid, GridError, low_bits, rectangles};
use crate::terrain::{Emit, InTerrain, Pixels, Sweep, Terrain, runs};

/// The pixels that a body covers: any shape, in one piece or not, with holes or without.
///
/// # Guarantees
/// * It covers at least one pixel. No side of the rectangle that holds its pixels is over
///   [`Footprint::MAX_SIDE`]; rows and columns at its edges may be empty.
/// * It has no position: [`Footprint::at`] gives it one. Pixels at `i32::MAX` or beyond are cut off.
/// * Two footprints of one size that cover the same pixels are equal, however they were made.
/// * Memory: 2 bits for each pixel of the rectangle, and 8 bytes for each rectangle of equal runs in
///   neighbouring rows or columns: at most one for each row and each column of a convex shape.
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
    /// By [`Axis::index`]: the rectangles that `edges` returns for the axis, which cover each pixel once. For
    /// x they are sorted by row, then by column; for y by column, then by row.
    edges: [Box<[EdgePart]>; 2],
}

/// The reason that a footprint could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FootprintError {
    /// The footprint would cover no pixel.
    Empty,
    /// A side of this size is over [`Footprint::MAX_SIDE`] pixels.
    TooLarge(UVec2),
    /// There is no memory for a footprint of this size.
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
    /// The largest width and height, in pixels.
    pub const MAX_SIDE: u32 = 4096;

    /// A footprint of the solid cells of `grid`, one pixel each. O(cells / 64).
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
    /// [`FootprintError::Empty`] if no cell is solid; `TooLarge` beyond [`Footprint::MAX_SIDE`].
    pub fn from_grid(grid: &Grid) -> Result<Self, FootprintError> {
        Self::from_words(grid.size(), &|x, y| grid.row_word(i64::from(x), y))
    }

    /// A footprint of `size`. `word(x, y)` returns 64 pixels of row `y`, from column `x` (a multiple of 64)
    /// to the right; bit 0 is the first. Bits beyond the size are ignored.
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

    /// The width and height of the rectangle that holds the footprint's pixels.
    pub fn size(&self) -> UVec2 {
        self.bits.size()
    }

    /// The footprint's pixels, as the solid cells of a grid.
    pub fn grid(&self) -> &Grid {
        &self.bits
    }

    /// True if the footprint covers `pixel`, counted from the footprint's top-left corner.
    pub fn covers(&self, pixel: UVec2) -> bool {
        self.bits.is_solid(pixel.x, pixel.y)
    }

    /// The number of pixels that the footprint covers.
    pub fn pixel_count(&self) -> u64 {
        self.bits.solid_count()
    }

    /// The rectangle that holds the footprint's pixels, with the top-left corner at `at`.
    pub fn bounds(&self, at: IVec2) -> Aabb {
        let size = self.size().as_ivec2();
        Aabb::from_xywh(at.x, at.y, size.x, size.y)
    }

    /// This footprint with its top-left corner at `position`.
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

    /// The boxes that are swept in a motion along `axis`, with the footprint's top-left corner at `at`. Boxes
    /// beyond the range of `i32` are left out.
    pub(crate) fn leading(&self, axis: Axis, at: IVec2) -> impl Iterator<Item = Aabb> {
        let parts = self.edges[axis.index()].iter();
        let boxes = parts.map(|part| Aabb { min: part.min.as_ivec2(), max: part.max.as_ivec2() });
        boxes.map(move |part| part.translated(at)).filter(|part| !part.is_empty())
    }

    /// The footprint mirrored left to right, or top to bottom, or both.
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

    /// The footprint after a quarter turn clockwise on the screen: its top becomes its right.
    #[must_use]
    pub fn turned(&self) -> Self {
        let bits = self.bits.transposed();
        Self::from_bits(bits).flipped(true, false)
    }
}

#[cfg(feature = "image")]
impl Footprint {
    /// A footprint of the pixels of `picture` whose alpha is at least `alpha_threshold`. 128 is usual; 1
    /// takes every pixel that is not fully transparent. O(pixels).
    ///
    /// # Errors
    /// As [`Footprint::from_grid`].
    pub fn from_image(picture: &RgbaImage, alpha_threshold: u8) -> Result<Self, FootprintError> {
        let size = picture.dimensions().into();
        Self::from_part(picture, UVec2::ZERO, size, alpha_threshold)
    }

    /// A footprint for each frame of a sprite sheet, from left to right, row by row; `None` for a frame that
    /// covers no pixel. Pixels at the right and the bottom that do not fill a frame are left out.
    ///
    /// # Errors
    /// [`FootprintError::Empty`] if a side of `frame_size` is 0; `TooLarge` beyond [`Footprint::MAX_SIDE`].
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

    /// A footprint of the pixels whose alpha is at least `threshold`, in the rectangle of `size` at `at`,
    /// which must be inside the picture.
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
    /// A full rectangle. Queries with it answer as with an [`Aabb`] of this size.
    ///
    /// # Errors
    /// [`FootprintError::Empty`] if a side is 0, [`FootprintError::TooLarge`] beyond [`Footprint::MAX_SIDE`].
    pub fn rectangle(size: UVec2) -> Result<Self, FootprintError> {
        Self::from_rows(size, &|_| 0..size.x)
    }

    /// A disc: the pixels whose centre is in a circle of `diameter` pixels. The disc is as wide and as high
    /// as its diameter. It is the same after every quarter turn and reflection. (No pixel's centre is exactly
    /// on the circle.)
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
    /// As [`Footprint::rectangle`].
    pub fn circle(diameter: u32) -> Result<Self, FootprintError> {
        Self::capsule(UVec2::splat(diameter))
    }

    /// A rectangle with half of a [`Footprint::circle`] at both ends of its longer side, `size` in all.
    ///
    /// # Errors
    /// As [`Footprint::rectangle`].
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

/// The columns that a disc covers in `row`. In half pixels from the disc's centre, the centre of column c is
/// at 2 c + 1 - d, with the diameter d. So the coordinates of a pixel's centre are both even if d is odd, and
/// both odd if d is even. Their squares then never add up to the square of d, and no pixel's centre is on the
/// circle.
fn disc_row(diameter: u32, row: u32) -> Range<u32> {
    let d = u64::from(diameter);
    let down = (2 * u64::from(row) + 1).abs_diff(d);
    let reach = (d * d - down * down).isqrt();
    let start = ((d - reach) / 2) as u32;
    start..diameter - start
}

/// A [`Footprint`] at a place. Made by [`Footprint::at`], for the queries of a [`Terrain`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PlacedFootprint<'f> {
    /// The footprint that is placed.
    pub footprint: &'f Footprint,
    /// The place of the footprint's top-left corner, in pixels.
    pub position: IVec2,
}

impl PlacedFootprint<'_> {
    /// The footprint's first pixel on a solid after the displacement `by`, and the number of such pixels. The
    /// pixel is counted from the footprint's top-left corner; `None` if there is none. `only_first` is as in
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

/// The sweep of a body of several `parts`. `sweep` takes a part and a distance, and sweeps that part alone.
/// The sweep's contact is the first on the way; of several at one distance, the topmost, then the leftmost.
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

/// The smallest distance, at most `limit`, toward `dir` at which no part of a footprint overlaps a solid.
/// `None` if there is none. `nearest_free` returns this distance for one part and a limit.
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

/// A rectangle of pixels, half-open; no side is over 4096.
#[derive(Clone, PartialEq, Eq, Hash)]
struct EdgePart {
    min: U16Vec2,
    max: U16Vec2,
}

/// The rectangles of pixels for motions along `axis`: for x, runs of pixels in rows, merged with equal runs
/// in the next rows; for y, runs in columns. A side of `bits` is at most 4096, so the casts lose nothing.
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
    /// True if some pixel is covered by both footprints. `offset` is the top-left corner of `other`, counted
    /// from this footprint's. O(n) for n words of 64 pixels in the shared rows.
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

    /// The topmost (then the leftmost) pixel that both footprints cover, counted from the top-left corner of
    /// `self`. `None` if they do not overlap. `offset` and the cost are as for [`Footprint::overlaps`].
    pub fn first_overlap(&self, other: &Self, offset: IVec2) -> Option<UVec2> {
        self.shared(other, offset.as_i64vec2(), true).0
    }

    /// The number of pixels that both footprints cover. `offset` and the cost are as for
    /// [`Footprint::overlaps`].
    pub fn overlap_area(&self, other: &Self, offset: IVec2) -> u64 {
        self.shared(other, offset.as_i64vec2(), false).1
    }

    /// The direction that leads out of `other` where the two overlap, toward this footprint; no unit vector.
    /// Its x is the shared area after this footprint moves a pixel left, minus the shared area after a pixel
    /// right; its y is the same for up and down. (pygame's `Mask.overlap_area` documents this vector.)
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

    /// The first pixel (`None` if there is none) that is set both here and in `other`, and the number of such
    /// pixels. If `only_first`, the search ends at the first word with such a pixel, and the number counts
    /// only this word. `other(x, y)` returns 64 pixels of row `y`, from column `x` to the right. Only words
    /// in `rows` that touch `columns` are visited; both ranges must be inside the footprint.
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

/// The part of the range `0..side` that is also in the range from `offset` with the length `others`.
pub(crate) fn common(side: u32, offset: i64, others: u32) -> Range<u32> {
    let inside = |place: i64| place.clamp(0, i64::from(side)) as u32;
    inside(offset)..inside(offset + i64::from(others))
}

/// The vector of [`Footprint::overlap_normal`]. `area` returns the area that is shared after a displacement;
/// it is at most 2^24 pixels.
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
