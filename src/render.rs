//! Pictures of a level: its solid cells, its art, and both with markers and a motion on top.
//!
//! [`draw()`] is the one door: the art of a level, and over it the solids, the areas, the markers and the
//! sweep of a body, as [`DrawOptions`] say. [`canvas()`] returns the same to draw more on: a path, numbered
//! findings. [`collision()`] draws the solid cells alone, in black and white. The parts
//! of both are public too. Pictures come in and go out as plain pixels: nothing here opens or encodes a file,
//! and nothing panics. A picture that would be too large is a [`RenderError`].
//!
//! ```
//! use bitwall::render::{self, DrawOptions, Overlay};
//! use bitwall::{Aabb, Dir, LoadOptions, LoadedLevel, load};
//!
//! let path = "assets/cave.tmx";
//! let loaded = LoadedLevel::load(path, &LoadOptions::default())?;
//! let mut files = load::Disk::new(path, loaded.options());
//! let (pictures, _errors) = render::load_pictures(&loaded.maps, &mut files);
//! let overlay = Overlay {
//!     body: Some(Aabb::from_xywh(74, 244, 12, 20)),
//!     motion: Some((Dir::Right, 400)),
//!     ..Overlay::new(2)
//! };
//! let options = DrawOptions { pictures: Some(&pictures), overlay, ..DrawOptions::default() };
//! let picture = render::draw(&loaded, &options)?;
//! assert_eq!(picture.width(), 2 * loaded.level.size().x);
//!
//! let walls = render::draw(&loaded.level, &DrawOptions::default())?;
//! assert_eq!(walls.width(), loaded.level.size().x, "a plain level is drawn on paper");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod area_names;
mod art;
mod blend;
mod borders;
mod budget;
mod canvas;
mod cells;
mod collision;
mod composite;
mod contents;
mod draw;
mod ink;
mod labels;
mod layers;
mod legend;
mod lettering;
mod margins;
mod markers;
mod mesh;
mod missing;
mod motion;
mod one_way;
mod options;
mod overlay;
mod pattern;
mod placement;
mod plan;
mod rect;
mod rulers;
mod scanline;
mod screen;
mod shapes;
mod sheet;
mod shrink;
mod solids;
mod sprite;
mod stroke;
#[cfg(test)]
mod tests;
mod tiles;
mod world;

use std::fmt;

use glam::UVec2;
use image::{ImageBuffer, Pixel, Rgba, RgbaImage};

use crate::geometry::Aabb;
pub use art::{ArtOptions, art, art_with};
pub use canvas::Canvas;
pub use collision::{collision, collision_with};
pub use draw::{canvas, draw};
pub use layers::{PAPER, overlay};
pub use options::{DrawOptions, Drawn};
pub use overlay::Overlay;
pub use tiles::{Pictures, load_pictures, picture_paths, pictures};
pub use world::level_art;

/// The largest number of pixels of a picture in colour: 256 MiB.
pub const MAX_PIXELS: u64 = 1 << 26;

/// The largest number of pixels of a picture in gray, 128 MiB: as many as a mask may have by default.
pub const MAX_GRAY_PIXELS: u64 = 1 << 27;

/// The reason that there is no picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RenderError {
    /// The picture would have too many pixels.
    TooManyPixels {
        /// The width that it would have.
        width: u64,
        /// The height that it would have.
        height: u64,
        /// The largest number of pixels that it may have.
        limit: u64,
    },
    /// There is no memory for a picture that is within the limits.
    NoMemory {
        /// The bytes that it would take.
        bytes: u64,
    },
    /// The picture is so large, or so many tiles, shapes and markers lie on top of each other, that it takes
    /// more work than [`DrawOptions::work`] allows.
    TooMuchToDraw {
        /// The most steps of work.
        limit: u64,
    },
    /// No pixel of the region is in the picture.
    EmptyRegion {
        /// The region that was asked for.
        region: Aabb,
        /// The picture's width and height at a scale of 1.
        size: UVec2,
    },
    /// The art is not as large as the level.
    ArtSize {
        /// The art's width and height.
        art: UVec2,
        /// The level's width and height.
        level: UVec2,
    },
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyPixels { width, height, limit } => {
                write!(f, "a picture of {width} x {height} px has more than {limit} px")
            }
            Self::NoMemory { bytes } => {
                write!(f, "there is no memory for a picture of {bytes} bytes")
            }
            Self::TooMuchToDraw { limit } => {
                write!(f, "the picture takes more than {limit} steps of work (the limit `work`)")
            }
            Self::EmptyRegion { region, size } => write!(
                f,
                "the region of {} x {} px at ({}, {}) has no pixel of the picture, which is {} x {} px",
                region.width(),
                region.height(),
                region.min.x,
                region.min.y,
                size.x,
                size.y
            ),
            Self::ArtSize { art, level } => write!(
                f,
                "the art is {} x {} px, but the level is {} x {} px",
                art.x, art.y, level.x, level.y
            ),
        }
    }
}

impl std::error::Error for RenderError {}

/// `picture` with each pixel as a square of `scale` x `scale`; a scale of 0 counts as 1.
///
/// # Errors
/// [`RenderError::TooManyPixels`] beyond [`MAX_PIXELS`], or [`MAX_GRAY_PIXELS`] for one byte a pixel.
pub fn enlarge<P>(
    picture: ImageBuffer<P, Vec<u8>>,
    scale: u32,
) -> Result<ImageBuffer<P, Vec<u8>>, RenderError>
where
    P: Pixel<Subpixel = u8>,
{
    let channels = usize::from(P::CHANNEL_COUNT);
    let limit = match channels {
        1 => MAX_GRAY_PIXELS,
        _ => MAX_PIXELS,
    };
    let (width, height) = picture.dimensions();
    let size = checked_size(u64::from(width), u64::from(height), scale.max(1), limit)?;
    if scale <= 1 {
        return Ok(picture);
    }
    let mut bytes = room(size, channels)?;
    let row_bytes = (width as usize * channels).max(1);
    for row in picture.as_raw().chunks_exact(row_bytes) {
        let start = bytes.len();
        for pixel in row.chunks_exact(channels) {
            for _ in 0..scale {
                bytes.extend_from_slice(pixel);
            }
        }
        let end = bytes.len();
        for _ in 1..scale {
            bytes.extend_from_within(start..end);
        }
    }
    Ok(filled(size, bytes))
}

/// An empty buffer with room for a picture.
fn room(size: UVec2, channels: usize) -> Result<Vec<u8>, RenderError> {
    let length = size.x as usize * size.y as usize * channels;
    let mut bytes = Vec::new();
    bytes.try_reserve_exact(length).map_err(|_| RenderError::NoMemory { bytes: length as u64 })?;
    Ok(bytes)
}

/// A picture of one colour.
fn plain(size: UVec2, color: Rgba<u8>) -> Result<RgbaImage, RenderError> {
    let mut bytes = room(size, 4)?;
    for _ in 0..size.x as usize * size.y as usize {
        bytes.extend_from_slice(&color.0);
    }
    Ok(filled(size, bytes))
}

/// The size of `width` x `height` pixels, each enlarged `scale` times.
fn checked_size(width: u64, height: u64, scale: u32, limit: u64) -> Result<UVec2, RenderError> {
    let width = width.saturating_mul(u64::from(scale));
    let height = height.saturating_mul(u64::from(scale));
    match (u32::try_from(width), u32::try_from(height)) {
        (Ok(x), Ok(y)) if width.saturating_mul(height) <= limit => Ok(UVec2::new(x, y)),
        _ => Err(RenderError::TooManyPixels { width, height, limit }),
    }
}

/// A picture of these bytes, whose number must match its size.
fn filled<P: Pixel<Subpixel = u8>>(size: UVec2, bytes: Vec<u8>) -> ImageBuffer<P, Vec<u8>> {
    // Fails only for too few bytes; then a blank picture is a better answer than a panic.
    ImageBuffer::from_raw(size.x, size.y, bytes).unwrap_or_else(|| ImageBuffer::new(size.x, size.y))
}
