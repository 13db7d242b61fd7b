//! A picture between its file format and its pixels' classes: a header, and rows of raw samples.

use glam::UVec2;

use crate::error::LoadErrorKind;
use crate::limits::{self, Limits};

/// The layout of a picture's samples, and facts about its file.
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
    /// The header of a picture without palette, of 8 bits a sample.
    #[cfg(feature = "formats")]
    pub(super) fn of_bytes(size: UVec2, channels: usize, format: String, animated: bool) -> Self {
        Self { size, channels, depth: 8, palette: None, key: None, format, animated }
    }

    /// False if no pixel can be fully transparent.
    pub(super) fn may_be_clear(&self) -> bool {
        let is_clear = |[.., alpha]: &[u8; 4]| *alpha == 0;
        match &self.palette {
            Some(palette) => palette.iter().any(is_clear),
            None => self.key.is_some() || matches!(self.channels, 2 | 4),
        }
    }

    /// The bytes of a row.
    pub(super) fn row_bytes(&self) -> u64 {
        (u64::from(self.size.x) * self.channels as u64 * u64::from(self.depth)).div_ceil(8)
    }
}

/// A picture whose header has been read.
pub(super) struct Picture<R> {
    pub(super) header: Header,
    pub(super) samples: Samples<R>,
}

/// The samples of a picture: rows of whole bytes from top to bottom, the first sample in the highest bits.
pub(super) enum Samples<R> {
    Decoded(Vec<u8>),
    /// Those of this PNG file, which is at its start: [`super::png::for_each_row`] decodes it.
    Png(R),
}

/// Zeros to decode into, or an error if there is no such memory.
pub(super) fn zeros(bytes: u64, size: UVec2) -> Result<Vec<u8>, LoadErrorKind> {
    let mut samples = Vec::new();
    let reserved = samples.try_reserve_exact(usize::try_from(bytes).unwrap_or(usize::MAX));
    reserved.map_err(|_| LoadErrorKind::NoMemory { cells: pixels(size) })?;
    samples.resize(bytes as usize, 0);
    Ok(samples)
}

/// The width and the height of a mask, in pixels.
const MAX_SIDE: u64 = 65_536;

/// An error if a picture of this size has no pixels or is over the limits.
pub(super) fn check_size(size: UVec2, limits: &Limits) -> Result<(), LoadErrorKind> {
    if size.min_element() == 0 {
        let reason = "a side is 0 pixels".to_owned();
        return Err(LoadErrorKind::Picture { reason, by_decoder: false });
    }
    let side = u64::from(size.max_element());
    limits::check("pixels along a side of the mask", side, MAX_SIDE)?;
    limits::check("pixels in the mask (the limit `pixels`)", pixels(size), limits.pixels)
}

/// Width times height.
pub(super) fn pixels(size: UVec2) -> u64 {
    u64::from(size.x) * u64::from(size.y)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_can_have_more_bytes_than_32_bits_count() {
        let header = Header::of_bytes(UVec2::new(1 << 30, 1), 4, String::new(), false);
        assert_eq!(header.row_bytes(), 1 << 32);
    }
}
