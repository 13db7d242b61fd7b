//! The work that a picture may still take. It is counted before it is done.

use super::RenderError;

/// The steps of work for a pixel of a picture in colour, for one in gray, and for one of a tile or a shape in
/// it that covers those below.
pub(super) const STEPS_A_PIXEL: u64 = 16;
pub(super) const STEPS_A_GRAY_PIXEL: u64 = 1;
const STEPS_A_DRAWN_PIXEL: u64 = 4;

/// The number of pixels that may still be drawn; below 0 the picture is given up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    pub(super) pixels: i64,
    /// The most steps of work.
    work: u64,
}

impl Budget {
    pub(super) fn new(work: u64) -> Self {
        Self { pixels: i64::try_from(work / STEPS_A_DRAWN_PIXEL).unwrap_or(i64::MAX), work }
    }

    /// # Errors
    /// [`RenderError::TooMuchToDraw`] if more was drawn.
    pub(super) fn check(&self) -> Result<(), RenderError> {
        match self.pixels {
            0.. => Ok(()),
            _ => Err(RenderError::TooMuchToDraw { limit: self.work }),
        }
    }
}

/// Checks the work of a picture of so many pixels, before any of them is drawn.
///
/// # Errors
/// [`RenderError::TooMuchToDraw`].
pub(super) fn check(pixels: u64, steps: u64, work: u64) -> Result<(), RenderError> {
    match pixels.saturating_mul(steps) > work {
        false => Ok(()),
        true => Err(RenderError::TooMuchToDraw { limit: work }),
    }
}
