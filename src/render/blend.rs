//! Colours on top of each other: source-over with straight alpha, in integers, rounded to nearest.

use image::Rgba;

/// Puts `above` on top of `below`.
#[inline]
pub(super) fn over(below: &mut Rgba<u8>, above: Rgba<u8>) {
    let alpha = u32::from(above[3]);
    match alpha {
        0 => return,
        255 => {
            *below = above;
            return;
        }
        _ => {}
    }
    // The parts of the two in the result, in 255 x 255ths.
    let top = alpha * 255;
    let bottom = u32::from(below[3]) * (255 - alpha);
    let sum = top + bottom;
    for channel in 0..3 {
        let mixed = u32::from(above[channel]) * top + u32::from(below[channel]) * bottom;
        below[channel] = ((mixed + sum / 2) / sum) as u8;
    }
    below[3] = ((sum + 127) / 255) as u8;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mixed(below: [u8; 4], above: [u8; 4]) -> [u8; 4] {
        let mut pixel = Rgba(below);
        over(&mut pixel, Rgba(above));
        pixel.0
    }

    #[test]
    fn opaque_covers_the_pixel_below_clear_keeps_it_and_half_mixes() {
        assert_eq!(mixed([9, 9, 9, 255], [1, 2, 3, 255]), [1, 2, 3, 255]);
        assert_eq!(mixed([9, 8, 7, 6], [1, 2, 3, 0]), [9, 8, 7, 6]);
        assert_eq!(mixed([0, 0, 0, 255], [255, 100, 0, 128]), [128, 50, 0, 255]);
    }

    #[test]
    fn nothing_below_leaves_the_colour_as_it_is() {
        for alpha in 1..=255 {
            assert_eq!(mixed([0; 4], [200, 100, 50, alpha]), [200, 100, 50, alpha]);
        }
    }
}
