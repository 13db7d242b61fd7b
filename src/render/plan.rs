//! The size of a picture, and the way to it: the part of the level that it shows, enlarged or reduced.

use glam::{I64Vec2, U64Vec2, UVec2};

use super::canvas::Scale;
use super::options::DrawOptions;
use super::rect::Rect;
use super::{RenderError, checked_size};
use crate::geometry::Aabb;

/// The size of a picture, and the way to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    /// The part of the whole picture that is shown, at a scale of 1.
    pub(super) frame: Rect,
    pub(super) scale: Scale,
    /// The width and height of the picture.
    pub(super) size: UVec2,
}

impl Plan {
    /// The picture of a part of a whole picture of `size`, as the options name them. It has at most `limit`
    /// pixels, also before it is reduced.
    ///
    /// # Errors
    /// [`RenderError::TooManyPixels`] and [`RenderError::EmptyRegion`].
    pub(super) fn new(
        size: U64Vec2,
        options: &DrawOptions<'_>,
        limit: u64,
    ) -> Result<Self, RenderError> {
        let frame = frame(size, options.region)?;
        let shown = frame.size().as_u64vec2();
        let enlarged = match options.fit.map(|room| fitting(shown, room)) {
            Some(Fit::Reduced(size)) => {
                let from = checked_size(shown.x, shown.y, 1, limit)?;
                let least = |from: u32, to: u32| from.div_ceil(to);
                let reduced = least(from.x, size.x).max(least(from.y, size.y));
                return Ok(Self { frame, scale: Scale { enlarged: 1, reduced }, size });
            }
            Some(Fit::Enlarged(scale)) => scale,
            None => options.overlay.scale.max(1),
        };
        let size = checked_size(shown.x, shown.y, enlarged, limit)?;
        Ok(Self { frame, scale: Scale { enlarged, reduced: 1 }, size })
    }

    /// The pixels that are drawn, those that are reduced included.
    pub(super) fn drawn(&self) -> u64 {
        self.frame.times(self.scale.enlarged).size().as_u64vec2().element_product()
    }
}

/// How a picture gets the largest size that a box has room for.
enum Fit {
    /// Each pixel becomes a square of this side.
    Enlarged(u32),
    /// The picture gets this size.
    Reduced(UVec2),
}

/// How a picture of `size` fits a box of `room`.
fn fitting(size: U64Vec2, room: UVec2) -> Fit {
    let room = room.max(UVec2::ONE).as_u64vec2();
    let size = size.max(U64Vec2::ONE);
    if size.cmple(room).all() {
        return Fit::Enlarged((room / size).min_element() as u32);
    }
    // The side that is cut more decides; the other one is rounded, and never 0.
    let wide = u128::from(size.x) * u128::from(room.y) >= u128::from(size.y) * u128::from(room.x);
    let scaled = |side: u64, to: u64, from: u64| {
        let rounded = (u128::from(side) * u128::from(to) + u128::from(from) / 2) / u128::from(from);
        u64::try_from(rounded).unwrap_or(u64::MAX).max(1)
    };
    let reduced = match wide {
        true => U64Vec2::new(room.x, scaled(size.y, room.x, size.x).min(size.y)),
        false => U64Vec2::new(scaled(size.x, room.y, size.y).min(size.x), room.y),
    };
    // Neither side is longer than that of the room.
    Fit::Reduced(reduced.min(room).as_uvec2())
}

/// The part of a picture of `size` that is in `region`; all of it without one.
fn frame(size: U64Vec2, region: Option<Aabb>) -> Result<Rect, RenderError> {
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
