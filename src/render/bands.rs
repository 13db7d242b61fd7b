//! Pictures in bands of rows, from the top to the bottom, for pictures that are too large for one piece. No
//! band is kept.

use std::fmt;

use glam::{I64Vec2, U64Vec2, UVec2};
use image::{ImageBuffer, Pixel};

use super::canvas::{Parts, Scale};
use super::options::DrawOptions;
use super::rect::Rect;
use super::shrink::Shrink;
use super::{MAX_GRAY_PIXELS, MAX_PIXELS, RenderError, filled, room};

/// The largest number of pixels of a picture in bands.
pub const MAX_BANDED_PIXELS: u64 = 1 << 30;

/// The largest number of pixels that are reduced to a picture by [`DrawOptions::fit`].
pub const MAX_REDUCED_PIXELS: u64 = 1 << 32;

/// The longest side of a box that [`DrawOptions::fit`] can name; longer ones count as this long.
pub const MAX_FITTED_SIDE: u32 = 1 << 20;

/// The pixels of a band, unless one row of the level has more.
const BAND: i64 = 1 << 22;

/// The width of the pieces that a picture is reduced from.
const PIECE: i64 = 1 << 16;

/// Draws a part of a picture, enlarged.
type Piece<'a, P> = dyn FnMut(Parts, Scale) -> Result<ImageBuffer<P, Vec<u8>>, RenderError> + 'a;

/// Finishes a band that begins with this row of the picture.
type Finish<'a, P> =
    dyn FnMut(ImageBuffer<P, Vec<u8>>, u32) -> Result<ImageBuffer<P, Vec<u8>>, RenderError> + 'a;

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
    /// The picture of the part `frame` of a whole picture in the size that the options name, of at most
    /// `limit` pixels with so many `channels`.
    pub(super) fn new(
        frame: Rect,
        options: &DrawOptions<'_>,
        limit: u64,
        channels: u8,
    ) -> Result<Self, RenderError> {
        let shown = frame.size().as_u64vec2();
        let too_many = |size: U64Vec2, limit| {
            let (width, height) = (size.x, size.y);
            let pixels = width.saturating_mul(height);
            if pixels > limit || size.max_element() > u32::MAX.into() {
                return Err(RenderError::TooManyPixels { width, height, limit });
            }
            Ok(size.as_uvec2())
        };
        let enlarged = match options.fit.map(|room| fitting(shown, room)) {
            Some(Fit::Reduced(to)) => {
                let (from, to) = (too_many(shown, MAX_REDUCED_PIXELS)?, too_many(to, limit)?);
                let least = |from: u32, to: u32| from.div_ceil(to);
                let reduced = least(from.x, to.x).max(least(from.y, to.y));
                return Ok(Self { frame, scale: Scale { enlarged: 1, reduced }, size: to });
            }
            Some(Fit::Enlarged(scale)) => scale,
            None => options.overlay.scale.max(1),
        };
        let size = shown.saturating_mul(U64Vec2::splat(enlarged.into()));
        let size = too_many(size, limit)?;
        // At least one row of the level's pixels is drawn at once.
        let limit = if channels == 1 { MAX_GRAY_PIXELS } else { MAX_PIXELS };
        if u64::from(size.x) * u64::from(enlarged) > limit {
            let (width, height) = (size.x.into(), size.y.into());
            return Err(RenderError::TooManyPixels { width, height, limit });
        }
        Ok(Self { frame, scale: Scale { enlarged, reduced: 1 }, size })
    }
}

/// A picture in bands of whole rows, the topmost first; each is as wide as the picture. After an error there
/// are no more.
///
/// Of the memory for the picture only that of a band is needed: about 2^22 pixels, or as many as one row of
/// the level's pixels takes at the picture's scale.
pub struct Bands<'a, P: Pixel<Subpixel = u8>> {
    draw: Box<Piece<'a, P>>,
    plan: Plan,
    shrink: Option<Shrink>,
    finish: Option<Box<Finish<'a, P>>>,
    /// The width and height of the finished picture.
    size: UVec2,
    /// The rows of the picture that were drawn, before they were finished.
    rows_drawn: u32,
    /// The first row of the frame that was not drawn.
    next: i64,
}

impl<'a, P: Pixel<Subpixel = u8>> Bands<'a, P> {
    /// The picture of a plan, which `draw` draws piece by piece.
    pub(super) fn new(plan: Plan, draw: Box<Piece<'a, P>>) -> Self {
        let from = plan.frame.pixels();
        let shrink =
            (plan.scale.reduced > 1).then(|| Shrink::new(from, plan.size, P::CHANNEL_COUNT.into()));
        Self { draw, plan, shrink, finish: None, size: plan.size, rows_drawn: 0, next: 0 }
    }

    /// These bands, each finished by `finish`, as a picture of `size`.
    pub(super) fn finished(mut self, size: UVec2, finish: Box<Finish<'a, P>>) -> Self {
        (self.size, self.finish) = (size, Some(finish));
        self
    }

    /// The width and height of the picture.
    pub fn size(&self) -> UVec2 {
        self.size
    }

    /// All bands as one picture.
    ///
    /// # Errors
    /// As those of the bands.
    pub(super) fn into_picture(mut self) -> Result<ImageBuffer<P, Vec<u8>>, RenderError> {
        if self.shrink.is_none() {
            let parts = Parts { frame: self.plan.frame, window: self.plan.frame };
            let whole = (self.draw)(parts, self.plan.scale)?;
            return self.finish_band(whole);
        }
        let mut bytes = room(self.size, P::CHANNEL_COUNT.into())?;
        let size = self.size;
        for band in self {
            bytes.extend_from_slice(band?.as_raw());
        }
        Ok(filled(size, bytes))
    }

    /// The rows of the frame from `from` on, at a scale of 1, in as many bands as are worth it.
    fn rows(&self, from: i64) -> Rect {
        let (frame, scale) = (self.plan.frame, i64::from(self.plan.scale.enlarged));
        let row = (frame.size().x * scale * scale).max(1);
        let to = (from + (BAND / row).max(1)).min(frame.size().y);
        let Rect { min, max } = frame;
        Rect { min: I64Vec2::new(min.x, min.y + from), max: I64Vec2::new(max.x, min.y + to) }
    }

    /// A band that was drawn, finished.
    fn finish_band(
        &mut self,
        band: ImageBuffer<P, Vec<u8>>,
    ) -> Result<ImageBuffer<P, Vec<u8>>, RenderError> {
        let first = self.rows_drawn;
        self.rows_drawn += band.height();
        match &mut self.finish {
            Some(finish) if band.height() > 0 => finish(band, first),
            _ => Ok(band),
        }
    }

    /// The next band.
    fn band(&mut self) -> Result<ImageBuffer<P, Vec<u8>>, RenderError> {
        let Plan { frame, scale, size } = self.plan;
        if self.shrink.is_none() {
            let window = self.rows(self.next);
            self.next = window.max.y - frame.min.y;
            return (self.draw)(Parts { frame, window }, scale);
        }
        loop {
            let window = self.rows(self.next);
            self.next = window.max.y - frame.min.y;
            let rows = self.reduce(window)?;
            if !rows.is_empty() {
                let row = size.x as usize * usize::from(P::CHANNEL_COUNT);
                return Ok(filled(UVec2::new(size.x, (rows.len() / row) as u32), rows));
            }
            if self.next >= frame.size().y {
                return Ok(ImageBuffer::new(size.x, 0));
            }
        }
    }

    /// The rows of the result that are finished with these rows of the frame.
    fn reduce(&mut self, rows: Rect) -> Result<Vec<u8>, RenderError> {
        let Plan { frame, scale, .. } = self.plan;
        let channels = usize::from(P::CHANNEL_COUNT);
        let mut y = rows.min.y;
        while y < rows.max.y {
            // A row that is too long for a band is drawn in pieces, each of one row.
            let wide = rows.size().x > BAND;
            let below = if wide { y + 1 } else { rows.max.y };
            let step = if wide { PIECE } else { rows.size().x.max(1) };
            let mut x = rows.min.x;
            while x < rows.max.x {
                let right = (x + step).min(rows.max.x);
                let window = Rect { min: I64Vec2::new(x, y), max: I64Vec2::new(right, below) };
                let piece = (self.draw)(Parts { frame, window }, scale)?;
                let width = piece.width() as usize * channels;
                if let Some(shrink) = &mut self.shrink {
                    for row in piece.as_raw().chunks_exact(width.max(1)) {
                        shrink.add_piece((x - rows.min.x) as u32, row);
                        if right == rows.max.x {
                            shrink.end_row();
                        }
                    }
                }
                x = right;
            }
            y = below;
        }
        Ok(self.shrink.as_mut().map(Shrink::take_rows).unwrap_or_default())
    }
}

impl<P: Pixel<Subpixel = u8>> Iterator for Bands<'_, P> {
    type Item = Result<ImageBuffer<P, Vec<u8>>, RenderError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.next >= self.plan.frame.size().y {
            return None;
        }
        let band = self.band().and_then(|band| self.finish_band(band));
        if band.is_err() {
            self.next = i64::MAX;
        }
        Some(band)
    }
}

impl<P: Pixel<Subpixel = u8>> fmt::Debug for Bands<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Bands").field("size", &self.size).finish_non_exhaustive()
    }
}

/// How a picture gets the largest size that a box has room for.
enum Fit {
    /// Each pixel becomes a square of this side.
    Enlarged(u32),
    /// The picture gets this size.
    Reduced(U64Vec2),
}

/// How a picture of `size` fits a box of `room`.
fn fitting(size: U64Vec2, room: UVec2) -> Fit {
    let room = room.clamp(UVec2::ONE, UVec2::splat(MAX_FITTED_SIDE)).as_u64vec2();
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
    Fit::Reduced(match wide {
        true => U64Vec2::new(room.x, scaled(size.y, room.x, size.x).min(size.y)),
        false => U64Vec2::new(scaled(size.x, room.y, size.y).min(size.x), room.y),
    })
}
