//! What every picture says of its pixels, and how it hands them over. It decodes nothing.

use glam::UVec2;

use super::Fault;
use crate::error::LoadErrorKind;
use crate::limits::{self, Limits};

/// What a picture says of its pixels.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) size: UVec2,
    /// Samples in a pixel; a palette's index is one.
    pub(super) channels: usize,
    /// Bits in a sample: 1, 2, 4, 8 or 16.
    pub(super) depth: u8,
    /// The colours by index, red, green, blue, alpha.
    pub(super) palette: Option<Vec<[u8; 4]>>,
    /// The colour whose pixels are transparent; three times the same for gray.
    pub(super) key: Option<[u32; 3]>,
    /// The file format, the colour type and the depth in words.
    pub(super) format: String,
    pub(super) animated: bool,
}

impl Header {
    /// The bytes of a row of `pixels` pixels.
    pub(super) fn row_bytes(&self, pixels: u32) -> usize {
        (pixels as usize * self.channels * usize::from(self.depth)).div_ceil(8)
    }
}

/// The pixels of one row of samples: all of a picture's row, or those that a pass of an interlaced picture
/// brings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowPlace {
    pub(super) y: u32,
    /// The x of the first pixel.
    pub(super) x: u32,
    /// From one pixel's x to the next one's.
    pub(super) step: u32,
    pub(super) pixels: u32,
}

/// A picture of which the header has been read.
pub(super) trait Rows {
    fn header(&self) -> &Header;

    /// Gives every row of samples to `each`, in any order.
    fn for_each_row(
        self,
        each: impl FnMut(RowPlace, &[u8]) -> Result<(), Fault>,
    ) -> Result<(), Fault>;
}

/// An error if a picture of this size has no pixels or is over the limits.
pub(super) fn check_size(size: UVec2, limits: &Limits) -> Result<(), LoadErrorKind> {
    if size.min_element() == 0 {
        let reason = "a side is 0 pixels".to_owned();
        return Err(LoadErrorKind::Picture { reason });
    }
    let side = u64::from(size.max_element());
    limits::check("pixels along a side of the mask", side, limits.mask_side)?;
    limits::check("pixels in the mask", pixels(size), limits.mask_pixels)
}

/// Width times height.
pub(super) fn pixels(size: UVec2) -> u64 {
    u64::from(size.x) * u64::from(size.y)
}
