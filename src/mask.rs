//! Decodes masks: black and white pictures in which each pixel is a cell of the level.
//!
//! Module `picture` has rows of raw samples, which its modules `png` and `formats` read from the file
//! formats. Its module `decode` sorts the pixels of a row into classes, such as solid, passable or an area,
//! and counts them. No file is opened here.

#[cfg(feature = "mask")]
mod picture;
#[cfg(feature = "mask")]
mod reading;
#[cfg(all(test, feature = "formats"))]
mod tests;

#[cfg(feature = "mask")]
pub use reading::{MaskCounts, MaskSource};
#[cfg(feature = "mask")]
pub(crate) use {picture::PictureFile, picture::decode::decode, reading::doubts};

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
        let map = head[1];
        let depth = head[16];
        let has_colors = match head[2] {
            1 | 9 => {
                let is_filled = head[5..7] != [0; 2];
                let has_map = map == 1 && is_filled && matches!(head[7], 15 | 16 | 24 | 32);
                has_map && matches!(depth, 8 | 16)
            }
            2 | 10 => map <= 1 && matches!(depth, 15 | 16 | 24 | 32),
            3 | 11 => map <= 1 && matches!(depth, 8 | 16),
            _ => false,
        };
        // The two highest bits of the last byte are for interleaved rows, which are obsolete.
        has_colors && head[12..14] != [0; 2] && head[14..16] != [0; 2] && head[17] < 64
    }
}
