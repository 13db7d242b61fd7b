//! Paints shapes into a picture: a pixel is coloured if it is inside a shape.

use bitwall::Aabb;
use bitwall::glam::IVec2;
use bitwall::image::{Pixel, Rgba, RgbaImage};

/// Blends a colour, which may be translucent, over the pixels of `area` for which `is_inside` is true.
pub(crate) fn paint(
    picture: &mut RgbaImage,
    area: Aabb,
    color: Rgba<u8>,
    is_inside: impl Fn(IVec2) -> bool,
) {
    for y in area.min.y.max(0)..area.max.y {
        for x in area.min.x.max(0)..area.max.x {
            if is_inside(IVec2::new(x, y))
                && let Some(pixel) = picture.get_pixel_mut_checked(x as u32, y as u32)
            {
                pixel.blend(&color);
            }
        }
    }
}
