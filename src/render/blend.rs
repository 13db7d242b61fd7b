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

/// What a layer does to the pixels that it shows: tint and opacity.
#[derive(Clone, Copy, Debug)]
pub(super) struct Modulation {
    /// `None` for a tint that changes nothing.
    tint: Option<[u8; 3]>,
    /// Opacity times the tint's alpha, in 255 x 255ths.
    alpha: u32,
}

const FULL: u32 = 255 * 255;

impl Modulation {
    pub(super) fn new(opacity: f32, tint: Option<[u8; 4]>) -> Self {
        let [red, green, blue, alpha] = tint.unwrap_or([255; 4]);
        // A cast takes what is no number as 0, and what is beyond the range as its end.
        let opacity = (opacity.min(1.0) * 255.0).round() as u32;
        Self {
            tint: tint
                .filter(|tint| *tint != [255; 4])
                .map(|_| [red, green, blue]),
            alpha: opacity * u32::from(alpha),
        }
    }

    /// The pixel as the layer shows it.
    #[inline]
    pub(super) fn apply(self, mut pixel: Rgba<u8>) -> Rgba<u8> {
        if let Some(tint) = self.tint {
            let alpha = u32::from(pixel[3]);
            for (value, tint) in pixel.0.iter_mut().zip(tint) {
                // Tiled multiplies a half clear pixel as if it lay on white.
                let on_white = u32::from(*value) * alpha + 255 * (255 - alpha);
                *value = ((on_white * u32::from(tint) + FULL / 2) / FULL) as u8;
            }
        }
        if self.alpha != FULL {
            pixel[3] = ((u32::from(pixel[3]) * self.alpha + FULL / 2) / FULL) as u8;
        }
        pixel
    }
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
    fn opaque_covers_clear_leaves_and_half_mixes() {
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

    #[test]
    fn odd_opacities_are_taken_to_the_nearest_end() {
        let pixel = Rgba([10, 20, 30, 200]);
        assert_eq!(Modulation::new(7.0, None).apply(pixel), pixel);
        for opacity in [-1.0, f32::NEG_INFINITY] {
            assert_eq!(Modulation::new(opacity, None).apply(pixel)[3], 0);
        }
        let _ = Modulation::new(f32::NAN, None).apply(pixel);
        let tinted = Modulation::new(0.5, Some([255, 0, 128, 128]));
        assert_eq!(tinted.apply(Rgba([10, 20, 30, 255])), Rgba([10, 0, 15, 64]));
        assert_eq!(tinted.apply(Rgba([0, 0, 0, 0]))[3], 0);
    }
}
