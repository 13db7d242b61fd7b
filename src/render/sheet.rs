//! Pictures prepared for drawing: premultiplied, with the transparent colour cleared.

use std::borrow::Cow;

use glam::UVec2;
use image::RgbaImage;

use super::RenderError;
use super::composite::{Color, premultiplied};

/// A picture in premultiplied colours. One without half-clear pixels is not copied.
pub(super) struct Sheet<'a> {
    size: UVec2,
    pixels: Cow<'a, [Color]>,
}

impl<'a> Sheet<'a> {
    /// `transparent` is a colour that counts as clear.
    ///
    /// # Errors
    /// [`RenderError::NoMemory`] if there is none for a copy.
    pub(super) fn new(
        picture: &'a RgbaImage,
        transparent: Option<[u8; 3]>,
    ) -> Result<Self, RenderError> {
        let (pixels, _) = picture.as_raw().as_chunks::<4>();
        let is_opaque = pixels.iter().fold(true, |all, pixel| all & (pixel[3] == 255));
        let pixels = if is_opaque && transparent.is_none() {
            Cow::Borrowed(pixels)
        } else {
            let clear = transparent.map(|[red, green, blue]| (red, green, blue));
            let ready = |&pixel: &[u8; 4]| {
                let [red, green, blue, _] = pixel;
                match clear {
                    Some(clear) if clear == (red, green, blue) => Color::default(),
                    _ => premultiplied(pixel),
                }
            };
            let mut copy = Vec::new();
            let bytes = picture.as_raw().len() as u64;
            copy.try_reserve_exact(pixels.len()).map_err(|_| RenderError::NoMemory { bytes })?;
            copy.extend(pixels.iter().map(ready));
            Cow::Owned(copy)
        };
        Ok(Self { size: picture.dimensions().into(), pixels })
    }

    /// The bytes that it takes beside the picture.
    pub(super) fn copied_bytes(&self) -> u64 {
        match &self.pixels {
            Cow::Borrowed(_) => 0,
            Cow::Owned(copy) => copy.len() as u64 * 4,
        }
    }

    /// One white pixel.
    pub(super) fn blank() -> Self {
        Self { size: UVec2::ONE, pixels: Cow::Borrowed(&[[255; 4]]) }
    }

    pub(super) fn size(&self) -> UVec2 {
        self.size
    }

    /// A row of pixels; none beyond the last row.
    #[inline]
    pub(super) fn row(&self, y: u32) -> &[Color] {
        // Compared first: with 32-bit pointers the index of a far row would wrap around.
        if y >= self.size.y {
            return &[];
        }
        let width = self.size.x as usize;
        let start = y as usize * width;
        self.pixels.get(start..start + width).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_far_below_the_picture_is_empty() {
        let picture = RgbaImage::from_pixel(4, 2, image::Rgba([9, 9, 9, 255]));
        let sheet = Sheet::new(&picture, None).expect("it is small");
        assert_eq!(sheet.row(1).len(), 4);
        // 2^30 rows of 4 pixels are 2^32, which is 0 where pointers have 32 bits.
        for y in [2, 1 << 30, (1 << 30) + 1, u32::MAX] {
            assert!(sheet.row(y).is_empty(), "{y}");
        }
    }
}
