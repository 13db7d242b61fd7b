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
use crate::rules::{MaskPlane, MaskRule};
#[cfg(feature = "mask")]
pub(crate) use {picture::decode::decode, reading::doubts};

/// Facts about a mask picture.
#[cfg(feature = "mask")]
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaskSource {
    /// The name of the mask's file, without its folder and extension. It may be empty.
    pub name: String,
    /// The rule that decided which pixels are solid: [`crate::LoadOptions::mask_rule`], or the rule that the
    /// counts of the pixels suggest.
    pub rule: MaskRule,
    /// The colours that make areas: for each, the name of the area and the colour of its pixels.
    pub planes: Vec<MaskPlane>,
    /// The number of pixels of each kind.
    pub counts: MaskCounts,
    /// The file format, colour type and bit depth in words, such as `PNG, 8-bit palette`.
    pub format: String,
    /// True for an animated picture. Only its first frame was read. For a PNG, this is its default image.
    pub animated: bool,
}

/// The number of pixels of each kind in a mask.
///
/// The sum `black + white + in_planes + gray + translucent + transparent` is the number of all pixels.
#[cfg(feature = "mask")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MaskCounts {
    /// The number of solid pixels.
    pub solid: u64,
    /// The number of opaque black pixels.
    pub black: u64,
    /// The number of opaque white pixels.
    pub white: u64,
    /// The number of opaque pixels in the colour of a [`MaskPlane`], which makes an area or solid cells of
    /// them.
    pub in_planes: u64,
    /// The number of gray pixels. These are opaque, but neither black nor white, and no [`MaskPlane`] has
    /// their colour.
    pub gray: u64,
    /// The number of gray pixels in vivid colours: the largest of red, green and blue exceeds the smallest by
    /// at least 48 of 255.
    pub vivid: u64,
    /// The number of translucent pixels, which are neither opaque nor fully transparent.
    pub translucent: u64,
    /// The number of fully transparent pixels.
    pub transparent: u64,
    /// The number of fully transparent pixels whose colour is nearly black.
    pub hidden_black: u64,
}

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
