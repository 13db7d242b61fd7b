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
    if below[3] == 255 {
        // As below. Of a picture with paper all pixels are opaque; a division by a constant is faster.
        for channel in 0..3 {
            let mixed =
                u32::from(above[channel]) * alpha + u32::from(below[channel]) * (255 - alpha);
            below[channel] = ((mixed + 127) / 255) as u8;
        }
        return;
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
    fn an_opaque_pixel_below_mixes_by_the_same_sums() {
        for (below, above, alpha) in
            (0..=255).step_by(5).flat_map(|b| (0..=255).map(move |a| (b, 255 - b / 2, a)))
        {
            let sum = 255 * 255;
            let exact = u32::from(above) * u32::from(alpha) * 255
                + u32::from(below) * 255 * (255 - u32::from(alpha));
            let expected = ((exact + sum / 2) / sum) as u8;
            assert_eq!(mixed([below, 0, 0, 255], [above, above, above, alpha])[0], expected);
        }
    }

    #[test]
    fn nothing_below_leaves_the_colour_as_it_is() {
        for alpha in 1..=255 {
            assert_eq!(mixed([0; 4], [200, 100, 50, alpha]), [200, 100, 50, alpha]);
        }
    }
}
