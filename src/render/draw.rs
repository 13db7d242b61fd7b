//! The one door to a picture of a level: its art and what is laid over it, by options.

use image::{Rgba, RgbaImage};

use super::art::ArtOptions;
use super::bands::{Bands, MAX_BANDED_PIXELS};
use super::options::{DrawOptions, Drawn};
use super::painting::{Painting, frame};
use super::{MAX_PIXELS, RenderError};

/// A level as a picture: its art with the overlay of the options on top, or on plain paper if it has no art.
///
/// Without any overlay the picture is the art itself, clear where that is. O(pixels of the picture, and of
/// the tiles that are drawn): of a region of a large level, little more than the region is looked at.
///
/// # Errors
/// As [`super::art()`] and [`super::overlay()`]: a picture of more than [`MAX_PIXELS`] (see [`bands()`]), and
/// art of another size than the level's. [`RenderError::EmptyRegion`] for a region beyond the picture.
pub fn draw<'l>(
    level: impl Into<Drawn<'l>>,
    options: &DrawOptions<'_>,
) -> Result<RgbaImage, RenderError> {
    bands_within(level.into(), options, MAX_PIXELS)?.into_picture()
}

/// The picture of [`draw()`] in bands, which may be larger: up to [`MAX_BANDED_PIXELS`].
///
/// All bands together draw no more than [`super::MAX_DRAWN_PIXELS`] of tiles. What is common to the bands is
/// prepared here, in O(cells of the maps and pixels of their pictures).
///
/// # Errors
/// As [`draw()`]; [`RenderError::TooManyPixels`] if a row of the level's pixels takes more than
/// [`MAX_PIXELS`], or if more than [`super::MAX_REDUCED_PIXELS`] would have to be reduced.
pub fn bands<'a>(
    level: impl Into<Drawn<'a>>,
    options: &DrawOptions<'a>,
) -> Result<Bands<'a, Rgba<u8>>, RenderError> {
    bands_within(level.into(), options, MAX_BANDED_PIXELS)
}

fn bands_within<'a>(
    Drawn { level, maps }: Drawn<'a>,
    options: &DrawOptions<'a>,
    limit: u64,
) -> Result<Bands<'a, Rgba<u8>>, RenderError> {
    let art_options = ArtOptions::default().with_as_tiled(options.as_tiled);
    let (art, pictures) = (options.art, options.pictures);
    let mut painting = Painting::new(level, maps, art, pictures, art_options, options.overlay)?;
    let frame = frame(painting.size(), options.region)?;
    Bands::new(frame, options, limit, Box::new(move |parts, scale| painting.draw(parts, scale)))
}
