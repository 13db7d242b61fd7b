//! The work that a picture may still take. It is counted before it is done.

use super::RenderError;

/// The steps of work for a pixel of a picture in colour, for one in gray, and for one of a tile or a shape in
/// it that covers those below. Of fine shapes in all directions a pixel of a picture took 32 steps.
pub(super) const STEPS_A_PIXEL: u64 = 32;
pub(super) const STEPS_A_GRAY_PIXEL: u64 = 1;
const STEPS_A_DRAWN_PIXEL: u64 = 4;

/// The number of pixels that may still be drawn.
#[derive(Debug)]
pub(super) struct Budget {
    /// Below 0 the picture is given up.
    pixels: i64,
    /// The most steps of work.
    work: u64,
}

impl Budget {
    pub(super) fn new(work: u64) -> Self {
        Self { pixels: i64::try_from(work / STEPS_A_DRAWN_PIXEL).unwrap_or(i64::MAX), work }
    }

    /// This budget with more pixels.
    pub(super) fn with(self, pixels: i64) -> Self {
        Self { pixels: self.pixels.saturating_add(pixels), ..self }
    }

    /// Takes off pixels that are about to be drawn; false if too few were left.
    pub(super) fn spend(&mut self, pixels: i64) -> bool {
        self.pixels = self.pixels.saturating_sub(pixels);
        self.pixels >= 0
    }

    /// # Errors
    /// [`RenderError::TooMuchToDraw`] if more was to be drawn.
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
