//! Decodes masks: black and white pictures in which each pixel is a cell of the level.
//!
//! Modules `png` and `formats` read the file formats, and return a `picture`: rows of raw samples. Module
//! `decode` sorts the pixels of a row into classes, such as solid, passable or an area. Module `facts` counts
//! the pixels. No file is opened here.

#[cfg(feature = "mask")]
mod decode;
#[cfg(feature = "mask")]
mod facts;
#[cfg(feature = "formats")]
mod formats;
#[cfg(feature = "mask")]
mod picture;
#[cfg(feature = "mask")]
mod png;
#[cfg(feature = "mask")]
mod shape;
#[cfg(feature = "image")]
mod suggest;
#[cfg(all(test, feature = "formats"))]
mod tests;

#[cfg(feature = "mask")]
pub(crate) use decode::decode;
#[cfg(feature = "mask")]
pub use facts::{Bits, GrayColor, GrayColors, MaskCounts, MaskSource, OddPixels, luma};
#[cfg(feature = "image")]
pub(crate) use suggest::suggest;

/// A source of a picture's bytes: a file or memory. All decoders read this one type, so each decoder is
/// compiled only once.
#[cfg(feature = "mask")]
pub(crate) trait PictureFile: std::io::BufRead + std::io::Seek {}

#[cfg(feature = "mask")]
impl<F: std::io::BufRead + std::io::Seek> PictureFile for F {}

/// A file format of masks. JPEG is not allowed, because it blurs the border between black and white.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MaskFormat {
    Png,
    Gif,
    Bmp,
    WebP,
    Tga,
}

impl MaskFormat {
    /// Returns the format whose signature is at the start of `head`. Returns `None` without a known
    /// signature, as for TGA: see [`MaskFormat::may_be_tga`].
    pub(crate) fn detect(head: &[u8]) -> Option<Self> {
        match head {
            [0x89, b'P', b'N', b'G', ..] => Some(Self::Png),
            [b'G', b'I', b'F', b'8', ..] => Some(Self::Gif),
            [b'B', b'M', ..] => Some(Self::Bmp),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            _ => None,
        }
    }

    /// True if the first bytes can be the header of a non-empty TGA picture.
    pub(crate) fn may_be_tga(head: &[u8]) -> bool {
        let Some(head) = head.first_chunk::<18>() else {
            return false;
        };
        let is_zero = |at: usize| head[at] == 0 && head[at + 1] == 0;
        let (map, map_depth, depth) = (head[1], head[7], head[16]);
        let colors = match head[2] {
            1 | 9 => {
                let has_map = map == 1 && !is_zero(5) && matches!(map_depth, 15 | 16 | 24 | 32);
                has_map && matches!(depth, 8 | 16)
            }
            2 | 10 => map <= 1 && matches!(depth, 15 | 16 | 24 | 32),
            3 | 11 => map <= 1 && matches!(depth, 8 | 16),
            _ => false,
        };
        // The two highest bits of this byte are for interleaved rows, which are obsolete.
        colors && !is_zero(12) && !is_zero(14) && head[17] < 64
    }
}
