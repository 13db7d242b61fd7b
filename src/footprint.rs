//! The set of pixels that a body covers, for movers that are not boxes: discs, capsules, sprites.
//!
//! A [`Footprint`] is immutable data and has no position: [`Footprint::at`] puts its top-left corner
//! somewhere, for the queries of a terrain. It draws nothing and reads no file: pictures come in decoded.

mod brush;
mod edges;
mod overlap;
mod placed;
mod shapes;

use std::fmt;

use glam::{IVec2, UVec2};
#[cfg(feature = "image")]
use image::RgbaImage;

use crate::geometry::{Aabb, Axis};
use crate::grid::{Grid, GridError, low_bits};

use edges::Edges;
pub use placed::PlacedFootprint;
pub(crate) use placed::{nearest_free_parts, sweep_parts};

/// The pixels that a body covers: any shape, in one piece or not, with holes or without.
///
/// # Guarantees
/// * At least one pixel is covered; no side of the rectangle that holds them is over [`Footprint::MAX_SIDE`].
///   The rectangle may have empty rows and columns at its edges, like a sprite.
/// * It has no position: [`Footprint::at`] gives it one for a query. Pixels that would lie at `i32::MAX` or
///   beyond are cut off, as they are of a box.
/// * Two footprints of one size that cover the same pixels are equal, however they were made.
/// * Memory: 2 bits for each pixel of the rectangle, and 8 bytes for each rectangle of equal runs in
///   neighbouring rows or columns. A convex shape has at most one for each row and column.
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
    /// The edges that lead in a motion along x, and along y, in the order of [`Axis::index`].
    edges: [Edges; 2],
}

/// The reason that a footprint could not be made.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FootprintError {
    /// It would cover no pixel.
    Empty,
    /// A side is over [`Footprint::MAX_SIDE`] pixels.
    TooLarge(UVec2),
    /// There is no memory for its bits.
    NoMemory(UVec2),
}

impl fmt::Display for FootprintError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => write!(f, "a footprint needs at least one pixel"),
            Self::TooLarge(size) => write!(
                f,
                "a footprint of {} x {} px is over the limit of {} px a side",
                size.x,
                size.y,
                Footprint::MAX_SIDE
            ),
            Self::NoMemory(size) => {
                write!(f, "there is no memory for a footprint of {} x {} px", size.x, size.y)
            }
        }
    }
}

impl std::error::Error for FootprintError {}

impl Footprint {
    /// The largest width and height, in pixels.
    pub const MAX_SIDE: u32 = 4096;

    /// The solid cells of a grid, one pixel each. O(cells / 64).
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
    /// [`FootprintError::Empty`] if no cell is solid, [`FootprintError::TooLarge`] beyond
    /// [`Footprint::MAX_SIDE`].
    pub fn from_grid(grid: &Grid) -> Result<Self, FootprintError> {
        Self::from_words(grid.size(), |x, y| grid.row_word(i64::from(x), y))
    }

    /// The pixels that `word` sets. It is called with a column, a multiple of 64, and a row, and returns the
    /// 64 pixels from there to the right, bit 0 the first. Bits beyond the size do not count.
    fn from_words(size: UVec2, word: impl Fn(u32, u32) -> u64) -> Result<Self, FootprintError> {
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

    /// The footprint of these bits; at least one must be set.
    fn from_bits(bits: Grid) -> Self {
        let edges = [Axis::X, Axis::Y].map(|axis| Edges::new(&bits, axis));
        Self { bits, edges }
    }

    /// Width and height of the rectangle that holds its pixels, in pixels.
    pub fn size(&self) -> UVec2 {
        self.bits.size()
    }

    /// Its pixels, as the cells of a grid.
    pub fn grid(&self) -> &Grid {
        &self.bits
    }

    /// True if it covers this pixel, counted from its top-left corner.
    pub fn covers(&self, pixel: UVec2) -> bool {
        self.bits.is_solid(pixel.x, pixel.y)
    }

    /// The number of pixels that it covers.
    pub fn pixel_count(&self) -> u64 {
        self.bits.solid_count()
    }

    /// The rectangle that holds its pixels, with the top-left corner at `at`.
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

    /// The rectangles whose edges lead in a motion along `axis`, with the footprint's corner at `at`: each
    /// holds runs of pixels along that axis. Those beyond the range of `i32` are left out.
    pub(crate) fn leading(&self, axis: Axis, at: IVec2) -> impl Iterator<Item = Aabb> {
        let boxes = self.edges[axis.index()].boxes();
        boxes.map(move |part| part.translated(at)).filter(|part| !part.is_empty())
    }

    /// The footprint mirrored left to right, or top to bottom, or both.
    #[must_use]
    pub fn flipped(&self, horizontally: bool, vertically: bool) -> Self {
        let size = self.size();
        let flip = |range: std::ops::Range<u32>, side: u32, flips: bool| {
            if flips { side - range.end..side - range.start } else { range }
        };
        let mut bits = self.bits.clone();
        // A small grid is not sparse, so a fill cannot fail.
        let _ = bits.fill(0..size.x, 0..size.y, false);
        for part in self.edges[Axis::X.index()].boxes() {
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
    /// The pixels of a picture whose alpha is at least `alpha_threshold`; 128 is usual, and 1 takes every
    /// pixel that is not fully transparent. O(pixels).
    ///
    /// # Errors
    /// As [`Footprint::from_grid`].
    pub fn from_image(picture: &RgbaImage, alpha_threshold: u8) -> Result<Self, FootprintError> {
        let size = picture.dimensions().into();
        Self::from_part(picture, UVec2::ZERO, size, alpha_threshold)
    }

    /// The frames of a sprite sheet, as [`Footprint::from_image`] reads them: from left to right, row by row.
    /// A frame that covers no pixel is `None`. Pixels at the right and the bottom that do not fill a frame
    /// are left out.
    ///
    /// # Errors
    /// [`FootprintError::Empty`] if a side of `frame_size` is 0, [`FootprintError::TooLarge`] beyond
    /// [`Footprint::MAX_SIDE`].
    pub fn frames(
        sheet: &RgbaImage,
        frame_size: UVec2,
        alpha_threshold: u8,
    ) -> Result<Vec<Option<Self>>, FootprintError> {
        check_size(frame_size)?;
        let count = UVec2::from(sheet.dimensions()) / frame_size;
        let places = (0..count.y).flat_map(|row| (0..count.x).map(move |c| UVec2::new(c, row)));
        let frames = places.map(|place| {
            match Self::from_part(sheet, place * frame_size, frame_size, alpha_threshold) {
                Err(FootprintError::Empty) => Ok(None),
                frame => frame.map(Some),
            }
        });
        frames.collect()
    }

    /// The opaque pixels of a rectangle of a picture. Its corner is at `at`, and it must lie inside.
    fn from_part(
        picture: &RgbaImage,
        at: UVec2,
        size: UVec2,
        threshold: u8,
    ) -> Result<Self, FootprintError> {
        Self::from_words(size, |x, y| {
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

#[cfg(test)]
mod tests;
