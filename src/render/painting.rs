//! A level's picture, ready to be drawn, whole or in parts: the art, and what is laid over it.

use std::borrow::Cow;

use glam::{I64Vec2, U64Vec2, UVec2};
use image::RgbaImage;

use super::art::ArtOptions;
use super::canvas::Parts;
use super::overlay::{Overlay, lay_over, shown_size};
use super::rect::Rect;
use super::tiles::Pictures;
use super::world::LevelArt;
use super::{MAX_DRAWN_PIXELS, RenderError, enlarge};
use crate::geometry::Aabb;
use crate::level::Level;
use crate::tmx::PlacedMap;

/// The parts of a picture that do not change from one band of it to the next.
pub(super) struct Painting<'a> {
    level: &'a Level,
    maps: &'a [PlacedMap],
    art: Option<LevelArt<'a>>,
    overlay: Overlay,
    /// The size of the whole picture at a scale of 1.
    size: U64Vec2,
    /// The number of pixels of tiles that may still be drawn.
    budget: i64,
    /// The number of pixels that may still be laid over the art.
    laid_over: i64,
}

impl<'a> Painting<'a> {
    /// The picture of a level with the art of its maps, or with `art` instead.
    ///
    /// # Errors
    /// [`RenderError::ArtSize`] for art that does not fit the overlay.
    pub(super) fn new(
        level: &'a Level,
        maps: &'a [PlacedMap],
        art: Option<&'a RgbaImage>,
        pictures: Option<&'a Pictures>,
        options: ArtOptions,
        overlay: Overlay,
    ) -> Result<Self, RenderError> {
        let art = match (art, pictures) {
            (Some(art), _) => Some(LevelArt::Picture(Cow::Borrowed(art))),
            (None, Some(pictures)) => LevelArt::of_maps(level.size(), maps, pictures, options)?,
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
        let budget = MAX_DRAWN_PIXELS as i64;
        Ok(Self { level, maps, art, overlay, size, budget, laid_over: budget })
    }

    /// The width and height of the whole picture at a scale of 1.
    pub(super) fn size(&self) -> U64Vec2 {
        self.size
    }

    /// A part of the picture, enlarged by `scale`, which is not 0.
    pub(super) fn draw(&mut self, parts: Parts, scale: u32) -> Result<RgbaImage, RenderError> {
        let overlay = Overlay { scale, ..self.overlay };
        let art = match &self.art {
            Some(art) => Some(art.draw(parts.window, &mut self.budget)?),
            None => None,
        };
        match art {
            Some(art) if overlay == Overlay::none(scale) => enlarge(art, scale),
            art => {
                // Solids and paper cover the picture a few times, whatever its size.
                let pixels = parts.window.times(scale).size().element_product();
                self.laid_over = self.laid_over.saturating_add(pixels.saturating_mul(16));
                lay_over(self.level, self.maps, art, &overlay, parts, &mut self.laid_over)
            }
        }
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
