//! The art of a mask, decoded.

use std::collections::HashSet;

use glam::UVec2;
use image::RgbaImage;

/// A picture that a mask belongs to, of the mask's size.
#[derive(Debug)]
pub(crate) struct ArtPicture {
    picture: RgbaImage,
}

/// The most pixels of art that are compared with a mask: 128 MiB of them.
pub(super) const MOST_PIXELS: u64 = 1 << 25;

impl ArtPicture {
    pub(super) fn new(picture: RgbaImage) -> Self {
        Self { picture }
    }

    /// Its pixels.
    pub(crate) fn picture(&self) -> &RgbaImage {
        &self.picture
    }

    /// True for a picture of two colours, as a mask has. O(pixels).
    pub(crate) fn is_two_level(&self) -> bool {
        let mut colors = HashSet::new();
        let few = self.picture.pixels().all(|pixel| {
            colors.insert(pixel.0);
            colors.len() <= 2
        });
        few && colors.len() == 2
    }
}

/// True for a size that may be compared.
pub(super) fn is_small(size: UVec2) -> bool {
    u64::from(size.x) * u64::from(size.y) <= MOST_PIXELS
}
