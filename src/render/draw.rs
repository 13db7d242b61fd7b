//! The one door to a picture of a level: its art and what is laid over it, by options.

use std::borrow::Cow;

use glam::U64Vec2;
use image::RgbaImage;

use super::art::ArtOptions;
use super::budget::{self, Budget, STEPS_A_PIXEL};
use super::canvas::Canvas;
use super::layers::{Subject, lay_over, shown_size};
use super::options::{DrawOptions, Drawn};
use super::overlay::Overlay;
use super::plan::Plan;
use super::shrink::shrunk;
use super::world::LevelArt;
use super::{MAX_PIXELS, RenderError, enlarge};

/// A level as a picture: its art with the overlay of the options on top, or on plain paper if it has no art.
///
/// Without any overlay the picture is the art itself, clear where that is. O(pixels of the picture, and of
/// the tiles that are drawn): of a region of a large level, little more than the region is looked at.
///
/// # Errors
/// As [`super::art()`] and [`super::overlay()`]: a picture of more than [`MAX_PIXELS`], also before it is
/// reduced, more work than [`DrawOptions::work`], and art of another size than the level's.
/// [`RenderError::EmptyRegion`] for a region beyond the picture.
pub fn draw<'l>(
    level: impl Into<Drawn<'l>>,
    options: &DrawOptions<'_>,
) -> Result<RgbaImage, RenderError> {
    let picture = LevelPicture::new(level.into(), options)?;
    let plan = picture.plan(options)?;
    if let Some(art) = picture.art.as_ref().filter(|_| picture.is_art_alone) {
        let art = art.draw(plan.frame, &mut Budget::new(options.work))?;
        return match plan.scale.reduced {
            1 => enlarge(art, plan.scale.enlarged),
            _ => shrunk(&art, plan.size),
        };
    }
    let canvas = picture.canvas(plan, options)?;
    match plan.scale.reduced {
        1 => canvas.finish(),
        _ => canvas.finish_reduced(plan.size),
    }
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
    let picture = LevelPicture::new(level.into(), options)?;
    let mut plan = picture.plan(options)?;
    if plan.scale.reduced > 1 {
        let overlay = Overlay { scale: 1, ..options.overlay };
        plan = picture.plan(&DrawOptions { fit: None, overlay, ..*options })?;
    }
    picture.canvas(plan, options)
}

/// A level's picture, ready to be drawn: the art, and what is laid over it.
struct LevelPicture<'a> {
    subject: Subject<'a>,
    art: Option<LevelArt<'a>>,
    is_art_alone: bool,
    /// The size of the whole picture at a scale of 1.
    size: U64Vec2,
}

impl<'a> LevelPicture<'a> {
    /// The picture of a level with the art of its maps, or with that of the options instead.
    ///
    /// # Errors
    /// [`RenderError::ArtSize`] for art that does not fit the overlay.
    fn new(
        Drawn { level, maps }: Drawn<'a>,
        options: &DrawOptions<'a>,
    ) -> Result<Self, RenderError> {
        let art = match (options.art, options.pictures) {
            (Some(art), _) => Some(LevelArt::Picture(Cow::Borrowed(art))),
            (None, Some(pictures)) => {
                let options = ArtOptions { as_tiled: options.as_tiled };
                LevelArt::of_maps(level.size(), maps, pictures, options)?
            }
            (None, None) => None,
        };
        let shown = shown_size(level, maps);
        let has_overlay = options.overlay != Overlay::none(options.overlay.scale);
        let size = match &art {
            Some(art) if !has_overlay => art.size(),
            Some(art) if art.size() != shown.as_u64vec2() => {
                let art = art.size().min(U64Vec2::splat(u32::MAX.into())).as_uvec2();
                return Err(RenderError::ArtSize { art, level: shown });
            }
            _ => shown.as_u64vec2(),
        };
        let subject = Subject { level, maps, name: options.name };
        Ok(Self { subject, is_art_alone: art.is_some() && !has_overlay, art, size })
    }

    /// The size of the picture by the options, whose work it must not exceed.
    fn plan(&self, options: &DrawOptions<'_>) -> Result<Plan, RenderError> {
        let plan = Plan::new(self.size, options, MAX_PIXELS)?;
        budget::check(plan.drawn(), STEPS_A_PIXEL, options.work)?;
        Ok(plan)
    }

    /// The art, enlarged, with the overlay, and with more to be drawn on it.
    fn canvas(&self, plan: Plan, options: &DrawOptions<'_>) -> Result<Canvas<'a>, RenderError> {
        let art = match &self.art {
            Some(art) => Some(art.draw(plan.frame, &mut Budget::new(options.work))?),
            None => None,
        };
        lay_over(self.subject, art, &options.overlay, plan.frame, plan.scale, options.work)
    }
}
