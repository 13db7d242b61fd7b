//! A level's picture, ready to be drawn, whole or in parts: the art, and what is laid over it.

use std::borrow::Cow;

use glam::{I64Vec2, U64Vec2, UVec2};
use image::RgbaImage;

use super::art::ArtOptions;
use super::bands::Plan;
use super::budget::Budget;
use super::canvas::{Canvas, Parts, Scale};
use super::finish::Finish;
use super::layers::{Subject, lay_over, shown_size};
use super::overlay::Overlay;
use super::rect::Rect;
use super::tiles::Pictures;
use super::world::LevelArt;
use super::{RenderError, enlarge};
use crate::geometry::Aabb;

/// The parts of a picture that do not change from one band of it to the next.
pub(super) struct Painting<'a> {
    subject: Subject<'a>,
    art: Option<LevelArt<'a>>,
    overlay: Overlay,
    /// The size of the whole picture at a scale of 1.
    size: U64Vec2,
    /// For the tiles.
    budget: Budget,
    /// For what is laid over the art.
    laid_over: Budget,
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
        work: u64,
    ) -> Result<Self, RenderError> {
        let Subject { level, maps, .. } = subject;
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
        let budget = Budget::new(work);
        Ok(Self { subject, art, overlay, size, budget, laid_over: budget })
    }

    /// The width and height of the whole picture at a scale of 1.
    pub(super) fn size(&self) -> U64Vec2 {
        self.size
    }

    /// A part of the picture, enlarged. If it will be reduced, labels are left out: they are written later.
    pub(super) fn draw(&mut self, parts: Parts, scale: Scale) -> Result<RgbaImage, RenderError> {
        if let Some(art) = self.art.as_ref().filter(|_| self.is_art_alone()) {
            return enlarge(art.draw(parts.window, &mut self.budget)?, scale.enlarged);
        }
        let mut canvas = self.canvas(parts, scale)?;
        if scale.reduced == 1 {
            canvas.write_labels();
        }
        self.laid_over = canvas.budget();
        self.laid_over.check()?;
        Ok(canvas.picture)
    }

    /// A part of the art, enlarged, with the overlay, and with more to be drawn on it.
    pub(super) fn canvas(&mut self, parts: Parts, scale: Scale) -> Result<Canvas<'a>, RenderError> {
        let art = match &self.art {
            Some(art) => Some(art.draw(parts.window, &mut self.budget)?),
            None => None,
        };
        self.lay_over(art, parts, scale)
    }

    fn lay_over(
        &mut self,
        art: Option<RgbaImage>,
        parts: Parts,
        scale: Scale,
    ) -> Result<Canvas<'a>, RenderError> {
        // Solids and paper cover the picture a few times, whatever its size.
        let pixels = parts.window.times(scale.enlarged).size().element_product();
        let left = &mut self.laid_over.pixels;
        *left = left.saturating_add(pixels.saturating_mul(16));
        lay_over(self.subject, art, &self.overlay, parts, scale, self.laid_over)
    }

    /// The last work on the bands, when they have their size: rulers, a legend and, on a reduced picture,
    /// labels. `None` if there is none.
    pub(super) fn finish(&mut self, plan: Plan, limit: u64) -> Result<Option<Finish>, RenderError> {
        let is_reduced = plan.scale.reduced > 1;
        let has_margins = self.overlay.rulers || self.overlay.legend;
        if self.is_art_alone() || !is_reduced && !has_margins {
            return Ok(None);
        }
        // The labels do not depend on the part that is drawn: one pixel tells them.
        let window = Rect::new(plan.frame.min, I64Vec2::ONE);
        let canvas = self.lay_over(None, Parts { frame: plan.frame, window }, plan.scale)?;
        Finish::new(canvas, plan, limit).map(Some)
    }

    fn is_art_alone(&self) -> bool {
        self.art.is_some() && self.overlay == Overlay::none(self.overlay.scale)
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
