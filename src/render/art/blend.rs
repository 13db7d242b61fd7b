//! Blends the pixels of a layer over the pixels below, in integers, as Tiled's painter does. The colours of
//! pictures are premultiplied; the colours of the canvas are straight. A channel has 8 bits, or 16 bits in
//! intermediate values.

use crate::tmx::{BlendMode, Color};

/// Holds a colour channel of 16 bits, or the product of a few channels.
type WideChannel = i64;

const FULL: WideChannel = 0xffff;

/// Returns `a * b / 255`, rounded to the nearest integer.
#[inline]
fn times(a: u8, b: u8) -> u8 {
    let product = u32::from(a) * u32::from(b);
    ((product + (product >> 8) + 128) >> 8) as u8
}

/// Returns `value / 0xffff`, rounded to the nearest integer.
#[inline]
fn part(value: WideChannel) -> WideChannel {
    (value + FULL / 2).div_euclid(FULL)
}

#[inline]
pub(super) fn premultiplied([red, green, blue, alpha]: Color) -> Color {
    [times(red, alpha), times(green, alpha), times(blue, alpha), alpha]
}

/// The blend mode, tint and opacity of a layer.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Blend {
    mode: BlendMode,
    /// The tint; `None` for white, which changes nothing.
    tint: Option<Color>,
    opacity: u8,
}

impl Blend {
    pub(crate) fn new(mode: BlendMode, opacity: f32, tint: Option<Color>) -> Self {
        // Tiled's painter rounds opacity down to 256ths, and takes that fraction of 255.
        let steps = (opacity.clamp(0.0, 1.0) * 256.0) as u32;
        Self {
            mode,
            tint: tint.filter(|tint| *tint != [255; 4]),
            opacity: ((255 * steps) >> 8) as u8,
        }
    }

    /// The same blend without a tint, for pictures that are never tinted.
    pub(super) fn without_tint(self) -> Self {
        Self { tint: None, ..self }
    }

    fn is_plain(self) -> bool {
        self.mode == BlendMode::Normal && self.tint.is_none() && self.opacity == 255
    }

    /// The work of blending a pixel, in units of the work of copying a pixel. Blending counts as 8: it was
    /// measured as 8 to 10 times as slow.
    pub(crate) fn weight(self) -> i64 {
        if self.is_plain() { 1 } else { 8 }
    }

    /// Blends the pixels `above` (with premultiplied alpha) over the pixels `below` (with straight alpha).
    pub(crate) fn put(self, below: &mut [Color], above: &[Color]) {
        let is_plain = self.is_plain();
        if is_plain && below.len() == above.len() && above.iter().all(|pixel| pixel[3] == 255) {
            below.copy_from_slice(above);
            return;
        }
        for (below, above) in below.iter_mut().zip(above) {
            match (above[3], below[3]) {
                _ if !is_plain => self.put_pixel(below, *above),
                (0, _) => {}
                (255, _) => *below = *above,
                (_, 255) => over_opaque(below, *above),
                _ => self.put_pixel(below, *above),
            }
        }
    }

    fn put_pixel(self, below: &mut Color, above: Color) {
        let above = match self.tint {
            Some(tint) => tinted(above, tint),
            None => above,
        };
        if above == [0; 4] {
            return;
        }
        let alpha = wide(below[3]);
        let [red, green, blue, _] = below.map(|channel| part(wide(channel) * alpha));
        let under = [red, green, blue, alpha];
        let upper = above.map(wide);
        let opacity = wide(self.opacity);
        let mixed = if self.mode == BlendMode::Normal {
            let upper = upper.map(|channel| part(channel * opacity));
            std::array::from_fn(|at| upper[at] + part(under[at] * (FULL - upper[3])))
        } else {
            let mixed = mixed(self.mode, under, upper);
            std::array::from_fn(|at| part(mixed[at] * opacity + under[at] * (FULL - opacity)))
        };
        *below = straight(mixed);
    }
}

/// Converts a colour from 16 bits with premultiplied alpha to 8 bits with straight alpha.
fn straight(color: [WideChannel; 4]) -> Color {
    let [.., alpha] = color;
    if alpha <= 0 {
        return [0; 4];
    }
    let [red, green, blue, _] = color.map(|channel| narrow((channel * FULL + alpha / 2) / alpha));
    [red, green, blue, narrow(alpha)]
}

/// Returns a channel of 16 bits in 8 bits.
fn narrow(channel: WideChannel) -> u8 {
    part(channel.clamp(0, FULL) * 255) as u8
}

/// Returns a channel of 8 bits in 16 bits.
#[inline]
fn wide(channel: u8) -> WideChannel {
    WideChannel::from(channel) * 257
}

/// Blends over an opaque pixel. One multiplication of 32 bits scales two channels.
#[inline]
fn over_opaque(below: &mut Color, above: Color) {
    const PAIR: u32 = 0x00ff_00ff;
    const HALF: u32 = 0x0080_0080;
    let rest = 255 - u32::from(above[3]);
    let pixel = u32::from_le_bytes(*below);
    let low = (pixel & PAIR) * rest;
    let low = ((low + ((low >> 8) & PAIR) + HALF) >> 8) & PAIR;
    let high = ((pixel >> 8) & PAIR) * rest;
    let high = (high + ((high >> 8) & PAIR) + HALF) & !PAIR;
    *below = u32::from_le_bytes(above).wrapping_add(low | high).to_le_bytes();
}

/// Tints a pixel as Tiled does: the pixel is laid on white, multiplied by the tint, then masked by its own
/// alpha.
#[inline]
fn tinted(pixel: Color, [red, green, blue, alpha]: Color) -> Color {
    let own = pixel[3];
    let channel = |value: u8, tint: u8| {
        let on_white = value.saturating_add(255 - own);
        times(times(times(tint, on_white), own), alpha)
    };
    [channel(pixel[0], red), channel(pixel[1], green), channel(pixel[2], blue), times(own, alpha)]
}

fn mixed(mode: BlendMode, below: [WideChannel; 4], above: [WideChannel; 4]) -> [WideChannel; 4] {
    if mode == BlendMode::Add {
        return std::array::from_fn(|at| (below[at] + above[at]).min(FULL));
    }
    let [.., under] = below;
    let [.., upper] = above;
    let [red, green, blue] = [0, 1, 2]
        .map(|at| mixed_channel(mode, [below[at], above[at], under, upper]).clamp(0, FULL));
    [red, green, blue, FULL - part((FULL - under) * (FULL - upper))]
}

/// A channel of the blended pixel, by the compositing rules of the W3C. The array has the channel of the
/// pixel below, the channel of the pixel above, and then the alphas of the two pixels in the same order.
fn mixed_channel(mode: BlendMode, [below, above, under, upper]: [WideChannel; 4]) -> WideChannel {
    // Each pixel's share of the result where the other pixel is transparent.
    let apart = above * (FULL - under) + below * (FULL - upper);
    let above_both = above * under;
    let below_both = below * upper;
    let both = upper * under;
    let multiplied = 2 * above * below;
    let screened = both - 2 * (under - below) * (upper - above);
    match mode {
        BlendMode::Normal | BlendMode::Add => above + part(below * (FULL - upper)),
        BlendMode::Multiply => part(above * below + apart),
        BlendMode::Screen => FULL - part((FULL - below) * (FULL - above)),
        BlendMode::Overlay if 2 * below < under => part(multiplied + apart),
        BlendMode::HardLight if 2 * above < upper => part(multiplied + apart),
        BlendMode::Overlay | BlendMode::HardLight => part(screened + apart),
        BlendMode::Darken => part(above_both.min(below_both) + apart),
        BlendMode::Lighten => part(above_both.max(below_both) + apart),
        BlendMode::ColorDodge if above_both + below_both > both => part(both + apart),
        BlendMode::ColorDodge if above == upper || upper == 0 => part(apart),
        BlendMode::ColorDodge => {
            part(FULL * below_both / (FULL - FULL * above / upper).max(1) + apart)
        }
        BlendMode::ColorBurn if above_both + below_both < both => part(apart),
        BlendMode::ColorBurn if above == 0 => part(below_both + apart),
        BlendMode::ColorBurn => part(upper * (above_both + below_both - both) / above + apart),
        BlendMode::SoftLight => soft_light([below, above, under, upper], apart),
        BlendMode::Difference => above + below - part(2 * above_both.min(below_both)),
        BlendMode::Exclusion => part(above_both + below_both - multiplied + apart),
    }
}

fn soft_light([below, above, under, upper]: [WideChannel; 4], apart: WideChannel) -> WideChannel {
    let straight = if under == 0 { 0 } else { FULL * below / under };
    let lean = 2 * above - upper;
    let sum = if lean < 0 {
        below * part(upper * FULL + lean * (FULL - straight))
    } else {
        let curve = if 4 * below <= under {
            part(part((16 * straight - 12 * FULL) * straight + 3 * FULL * FULL) * straight)
        } else {
            ((straight * FULL) as f64).sqrt() as WideChannel - straight
        };
        below * upper + part(under * lean) * curve
    };
    part(sum + apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODES: [BlendMode; 13] = [
        BlendMode::Normal,
        BlendMode::Add,
        BlendMode::Multiply,
        BlendMode::Screen,
        BlendMode::Overlay,
        BlendMode::Darken,
        BlendMode::Lighten,
        BlendMode::ColorDodge,
        BlendMode::ColorBurn,
        BlendMode::HardLight,
        BlendMode::SoftLight,
        BlendMode::Difference,
        BlendMode::Exclusion,
    ];

    fn put(blend: Blend, below: Color, above: Color) -> Color {
        let mut row = [below];
        blend.put(&mut row, &[premultiplied(above)]);
        row[0]
    }

    /// A channel of an opaque pixel that is blended over an opaque pixel, by the compositing rules of the
    /// W3C. Channels are from 0 to 1.
    fn naive(mode: BlendMode, below: f64, above: f64) -> f64 {
        match mode {
            BlendMode::Normal | BlendMode::Add => above,
            BlendMode::Multiply => below * above,
            BlendMode::Screen => below + above - below * above,
            BlendMode::Overlay => naive(BlendMode::HardLight, above, below),
            BlendMode::Darken => below.min(above),
            BlendMode::Lighten => below.max(above),
            BlendMode::ColorDodge if below == 0.0 => 0.0,
            BlendMode::ColorDodge => (below / (1.0 - above)).min(1.0),
            BlendMode::ColorBurn if below == 1.0 => 1.0,
            BlendMode::ColorBurn => 1.0 - ((1.0 - below) / above).min(1.0),
            BlendMode::HardLight if above <= 0.5 => below * 2.0 * above,
            BlendMode::HardLight => naive(BlendMode::Screen, below, 2.0 * above - 1.0),
            BlendMode::SoftLight if above <= 0.5 => {
                below - (1.0 - 2.0 * above) * below * (1.0 - below)
            }
            BlendMode::SoftLight => {
                let curve = if below <= 0.25 {
                    ((16.0 * below - 12.0) * below + 4.0) * below
                } else {
                    below.sqrt()
                };
                below + (2.0 * above - 1.0) * (curve - below)
            }
            BlendMode::Difference => (below - above).abs(),
            BlendMode::Exclusion => below + above - 2.0 * below * above,
        }
    }

    #[test]
    fn opaque_pixels_blend_by_the_rule_of_each_mode() {
        for mode in MODES.into_iter().filter(|mode| *mode != BlendMode::Add) {
            let blend = Blend::new(mode, 1.0, None);
            for below in (0..=255u8).step_by(5) {
                for above in (0..=255u8).step_by(5) {
                    let [found, .., alpha] = put(blend, [below, 0, 0, 255], [above, 0, 0, 255]);
                    let expected = naive(mode, f64::from(below) / 255.0, f64::from(above) / 255.0);
                    let distance = (f64::from(found) - expected * 255.0).abs();
                    assert!(distance <= 1.0, "{mode:?}: {above} on {below} is {found}");
                    assert_eq!(alpha, 255);
                }
            }
        }
    }

    #[test]
    fn a_clear_pixel_changes_nothing_in_any_mode() {
        let mut random = fastrand::Rng::with_seed(5);
        for mode in MODES {
            for _ in 0..500 {
                let alpha = random.u8(1..);
                let below = [random.u8(..), random.u8(..), random.u8(..), alpha];
                let blend = Blend::new(mode, random.f32(), None);
                assert_eq!(put(blend, below, [0; 4]), below, "{mode:?}");
                let hidden = Blend::new(BlendMode::Normal, 0.0, None);
                assert_eq!(put(hidden, below, [9, 9, 9, 255]), below);
            }
        }
    }

    #[test]
    fn blending_never_panics_for_any_pixel_mode_and_opacity() {
        let mut random = fastrand::Rng::with_seed(6);
        let any = |random: &mut fastrand::Rng| std::array::from_fn(|_| random.u8(..));
        for mode in MODES {
            for opacity in [f32::NAN, f32::INFINITY, -1.0, 0.0, 0.3, 1.0, 7.0] {
                for _ in 0..200 {
                    let blend = Blend::new(mode, opacity, Some(any(&mut random)));
                    put(blend, any(&mut random), any(&mut random));
                }
            }
        }
    }
}
