//! The one door to a picture of a level: its art and what is laid over it, by options.

use image::{Rgba, RgbaImage};

use super::art::ArtOptions;
use super::bands::{Bands, MAX_BANDED_PIXELS, Plan};
use super::budget::{self, STEPS_A_PIXEL};
use super::canvas::{Canvas, Parts};
use super::layers::Subject;
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
/// All bands together take no more work than [`DrawOptions::work`]. The parts that the bands share
/// are prepared here, in O(cells of the maps and pixels of their pictures).
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
    drawn: Drawn<'a>,
    options: &DrawOptions<'a>,
    limit: u64,
) -> Result<Bands<'a, Rgba<u8>>, RenderError> {
    let mut painting = painting(drawn, options)?;
    let frame = frame(painting.size(), options.region)?;
    let plan = Plan::new(frame, options, limit, 4)?;
    check_work(plan, options)?;
    let finish = painting.finish(plan, limit)?;
    let bands = Bands::new(plan, Box::new(move |parts, scale| painting.draw(parts, scale)));
    let Some(finish) = finish else {
        return Ok(bands);
    };
    Ok(bands.finished(finish.size(), Box::new(move |band, row| finish.band(band, row))))
}

/// As [`draw()`], with a canvas to draw more on: paths, findings, differences. A box to fit counts as far as
/// the picture is enlarged for it.
///
/// # Errors
/// As [`draw()`].
pub fn canvas<'a>(
    level: impl Into<Drawn<'a>>,
    options: &DrawOptions<'a>,
) -> Result<Canvas<'a>, RenderError> {
    let mut painting = painting(level.into(), options)?;
    let frame = frame(painting.size(), options.region)?;
    let plan = match Plan::new(frame, options, MAX_PIXELS, 4)? {
        plan if plan.scale.reduced > 1 => {
            let options = DrawOptions { fit: None, ..options.with_scale(1) };
            Plan::new(frame, &options, MAX_PIXELS, 4)?
        }
        plan => plan,
    };
    check_work(plan, options)?;
    painting.canvas(Parts { frame, window: frame }, plan.scale)
}

/// Checks the work for the pixels of a plan, those that are reduced included.
fn check_work(plan: Plan, options: &DrawOptions<'_>) -> Result<(), RenderError> {
    let drawn = plan.frame.times(plan.scale.enlarged).size().as_u64vec2();
    budget::check(drawn.x.saturating_mul(drawn.y), STEPS_A_PIXEL, options.work)
}

fn painting<'a>(
    Drawn { level, maps }: Drawn<'a>,
    options: &DrawOptions<'a>,
) -> Result<Painting<'a>, RenderError> {
    let art_options = ArtOptions::default().with_as_tiled(options.as_tiled);
    let subject = Subject { level, maps, name: options.name };
    Painting::new(
        subject,
        options.art,
        options.pictures,
        art_options,
        options.overlay,
        options.work,
    )
}
