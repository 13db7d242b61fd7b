//! A level's picture, ready to be drawn, whole or in parts: the art, and what is laid over it.

use std::borrow::Cow;

use glam::{I64Vec2, U64Vec2, UVec2};
use image::RgbaImage;

use super::art::ArtOptions;
use super::canvas::{Canvas, Parts};
use super::layers::{Subject, lay_over, shown_size};
use super::overlay::Overlay;
use super::rect::Rect;
use super::tiles::Pictures;
use super::world::LevelArt;
use super::{MAX_DRAWN_PIXELS, RenderError, enlarge};
use crate::geometry::Aabb;

/// The parts of a picture that do not change from one band of it to the next.
pub(super) struct Painting<'a> {
    subject: Subject<'a>,
    art: Option<LevelArt<'a>>,
    overlay: Overlay,
    /// The size of the whole picture at a scale of 1.
    size: U64Vec2,
    /// The number of pixels of tiles that may still be drawn.
    budget: i64,
}

impl<'a> Painting<'a> {
    /// The picture of a level with the art of its maps, or with `art` instead.
    ///
    /// # Errors
    /// [`RenderError::ArtSize`] for art that does not fit the overlay.
    pub(super) fn new(
        subject: Subject<'a>,
        art: Option<&'a RgbaImage>,
        pictures: Option<&'a Pictures>,
        options: ArtOptions,
        overlay: Overlay,
    ) -> Result<Self, RenderError> {
        let Subject { level, maps, .. } = subject;
        let art = match (art, pictures) {
            (Some(art), _) => Some(LevelArt::Picture(Cow::Borrowed(art))),
            (None, Some(pictures)) => LevelArt::of_maps(level.size(), maps, pictures, options),
            (None, None) => None,
        };
        let shown = shown_size(level, maps);
        let size = match &art {
            Some(art) if overlay == Overlay::none(overlay.scale) => art.size(),
            Some(art) if art.size() != shown.as_u64vec2() => {
                let art = art.size().min(U64Vec2::splat(u32::MAX.into())).as_uvec2();
                return Err(RenderError::ArtSize { art, level: shown });
            }
            _ => shown.as_u64vec2(),
        };
        Ok(Self { subject, art, overlay, size, budget: MAX_DRAWN_PIXELS as i64 })
    }

    /// The part of the picture that is in `region`, at a scale of 1; all of it without one.
    pub(super) fn frame(&self, region: Option<Aabb>) -> Result<Rect, RenderError> {
        frame(self.size, region)
    }

    /// A part of the enlarged art, if nothing is laid over it.
    pub(super) fn art_alone(&mut self, parts: Parts) -> Result<Option<RgbaImage>, RenderError> {
        match &self.art {
            Some(art) if self.overlay == Overlay::none(self.overlay.scale) => {
                let art = art.draw(parts.window, &mut self.budget)?;
                enlarge(art, self.overlay.scale.max(1)).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// A part of the enlarged art with the overlay, and with more to be drawn on it.
    pub(super) fn canvas(&mut self, parts: Parts) -> Result<Canvas<'a>, RenderError> {
        let art = match &self.art {
            Some(art) => Some(art.draw(parts.window, &mut self.budget)?),
            None => None,
        };
        lay_over(self.subject, art, &self.overlay, parts, self.budget)
    }
}

/// The part of a picture of `size` that is in `region`; all of it without one.
pub(super) fn frame(size: U64Vec2, region: Option<Aabb>) -> Result<Rect, RenderError> {
    let whole = Rect { min: I64Vec2::ZERO, max: size.as_i64vec2() };
    let Some(region) = region else {
        return Ok(whole);
    };
    let part = Rect { min: region.min.as_i64vec2(), max: region.max.as_i64vec2() };
    let part = whole.intersection(part);
    if part.is_empty() {
        let size: UVec2 = whole.pixels();
        return Err(RenderError::EmptyRegion { region, size });
    }
    Ok(part)
}
