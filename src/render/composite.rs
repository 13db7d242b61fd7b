//! How a layer's pixels are put upon those below: premultiplied colours of 8 bits, as Tiled's painter has
//! them, in whole numbers.
//!
//! Colours here are multiplied by their alpha; the rest of `render` gives and takes straight ones.

use crate::level::BlendMode;

/// Red, green, blue, alpha; the first three multiplied by the last.
pub(super) type Color = [u8; 4];

/// `a * b / 255`, rounded to nearest.
#[inline]
fn times(a: u8, b: u8) -> u8 {
    part(i32::from(a) * i32::from(b)) as u8
}

/// `value / 255`, rounded to nearest, for values of 0 to 255 * 255 and a little beyond.
#[inline]
fn part(value: i32) -> i32 {
    (value + (value >> 8) + 128) >> 8
}

/// All four channels of `color` times `alpha`.
#[inline]
fn faded(color: Color, alpha: u8) -> Color {
    color.map(|channel| times(channel, alpha))
}

/// A straight colour multiplied by its alpha.
#[inline]
pub(super) fn premultiplied([red, green, blue, alpha]: [u8; 4]) -> Color {
    [
        times(red, alpha),
        times(green, alpha),
        times(blue, alpha),
        alpha,
    ]
}

/// Makes colours straight again.
pub(super) fn make_straight(colors: &mut [Color]) {
    for color in colors {
        let alpha = u32::from(color[3]);
        if alpha != 0 && alpha != 255 {
            for channel in &mut color[..3] {
                let straight = (u32::from(*channel) * 255 + alpha / 2) / alpha;
                *channel = straight.min(255) as u8;
            }
        }
    }
}

/// What a layer does to the pixels that it shows, and how they go upon those below.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    mode: BlendMode,
    /// `None` for a tint that changes nothing.
    tint: Option<[u8; 4]>,
    opacity: u8,
}

impl Manner {
    pub(super) fn new(mode: BlendMode, opacity: f32, tint: Option<[u8; 4]>) -> Self {
        // Tiled's painter counts opacity in 256ths, rounded down, and takes that part of 255.
        let steps = (opacity.clamp(0.0, 1.0) * 256.0) as u32;
        Self {
            mode,
            tint: tint.filter(|tint| *tint != [255; 4]),
            opacity: (255 * steps >> 8) as u8,
        }
    }

    /// True if pixels are shown as they are, the usual case.
    fn is_plain(self) -> bool {
        self.mode == BlendMode::Normal && self.tint.is_none() && self.opacity == 255
    }

    /// Puts `above` on `below`, pixel upon pixel.
    pub(super) fn put(self, below: &mut [Color], above: &[Color]) {
        if self.is_plain() {
            below
                .iter_mut()
                .zip(above)
                .for_each(|(below, above)| over(below, *above));
            return;
        }
        for (below, above) in below.iter_mut().zip(above) {
            let above = match self.tint {
                Some(tint) => tinted(*above, tint),
                None => *above,
            };
            if self.mode == BlendMode::Normal {
                over(below, faded(above, self.opacity));
            } else {
                let mixed = mixed(self.mode, *below, above);
                let (share, rest) = (i32::from(self.opacity), 255 - i32::from(self.opacity));
                for (below, mixed) in below.iter_mut().zip(mixed) {
                    *below = part(i32::from(mixed) * share + i32::from(*below) * rest) as u8;
                }
            }
        }
    }
}

/// Source over: two channels at once in a word, so that the compiler takes many pixels at once.
#[inline]
fn over(below: &mut Color, above: Color) {
    const PAIR: u32 = 0x00ff_00ff;
    const HALF: u32 = 0x0080_0080;
    let rest = 255 - u32::from(above[3]);
    let pixel = u32::from_le_bytes(*below);
    let low = (pixel & PAIR) * rest;
    let low = (low + ((low >> 8) & PAIR) + HALF) >> 8 & PAIR;
    let high = (pixel >> 8 & PAIR) * rest;
    let high = (high + ((high >> 8) & PAIR) + HALF) & !PAIR;
    *below = u32::from_le_bytes(above)
        .wrapping_add(low | high)
        .to_le_bytes();
}

/// The pixel in a tint: multiplied as if it lay on white, then cut out by its own alpha, as Tiled does.
#[inline]
fn tinted(pixel: Color, [red, green, blue, alpha]: [u8; 4]) -> Color {
    let own = pixel[3];
    let channel = |value: u8, tint: u8| times(times(tint, value.saturating_add(255 - own)), own);
    let tinted = [
        channel(pixel[0], red),
        channel(pixel[1], green),
        channel(pixel[2], blue),
        own,
    ];
    faded(tinted, alpha)
}

/// Two pixels in a mode other than normal.
fn mixed(mode: BlendMode, below: Color, above: Color) -> Color {
    if mode == BlendMode::Add {
        return std::array::from_fn(|channel| below[channel].saturating_add(above[channel]));
    }
    let (under, upper) = (i32::from(below[3]), i32::from(above[3]));
    let channel = |index: usize| {
        let channel = Channel {
            below: i32::from(below[index]),
            above: i32::from(above[index]),
            under,
            upper,
        };
        channel.mixed(mode).clamp(0, 255) as u8
    };
    let alpha = 255 - part((255 - under) * (255 - upper));
    [channel(0), channel(1), channel(2), alpha as u8]
}

/// A channel of two pixels, each with the alpha of its pixel: the W3C's compositing rules, in 255ths.
struct Channel {
    below: i32,
    above: i32,
    under: i32,
    upper: i32,
}

impl Channel {
    fn mixed(&self, mode: BlendMode) -> i32 {
        let &Self {
            below,
            above,
            under,
            upper,
        } = self;
        // What each has where the other is not.
        let apart = above * (255 - under) + below * (255 - upper);
        let (above_both, below_both, both) = (above * under, below * upper, upper * under);
        let multiplied = 2 * above * below;
        let screened = both - 2 * (under - below) * (upper - above);
        match mode {
            BlendMode::Normal | BlendMode::Add => above + part(below * (255 - upper)),
            BlendMode::Multiply => part(above * below + apart),
            BlendMode::Screen => 255 - part((255 - below) * (255 - above)),
            BlendMode::Overlay if 2 * below < under => part(multiplied + apart),
            BlendMode::HardLight if 2 * above < upper => part(multiplied + apart),
            BlendMode::Overlay | BlendMode::HardLight => part(screened + apart),
            BlendMode::Darken => part(above_both.min(below_both) + apart),
            BlendMode::Lighten => part(above_both.max(below_both) + apart),
            BlendMode::ColorDodge if above_both + below_both > both => part(both + apart),
            BlendMode::ColorDodge if above == upper || upper == 0 => part(apart),
            BlendMode::ColorDodge => {
                part(255 * below_both / (255 - 255 * above / upper).max(1) + apart)
            }
            BlendMode::ColorBurn if above_both + below_both < both => part(apart),
            BlendMode::ColorBurn if above == 0 => part(below_both + apart),
            BlendMode::ColorBurn => part(upper * (above_both + below_both - both) / above + apart),
            BlendMode::SoftLight => self.soft_light(apart),
            BlendMode::Difference => above + below - part(2 * above_both.min(below_both)),
            BlendMode::Exclusion => part(above_both + below_both - multiplied + apart),
        }
    }

    fn soft_light(&self, apart: i32) -> i32 {
        const FULL: i32 = 255 * 255;
        let &Self {
            below,
            above,
            under,
            upper,
        } = self;
        let straight = if under == 0 { 0 } else { 255 * below / under };
        let lean = 2 * above - upper;
        let sum = if lean < 0 {
            below * (upper * 255 + lean * (255 - straight))
        } else {
            let curve = if 4 * below <= under {
                ((16 * straight - 12 * 255) * straight + 3 * FULL) * straight / FULL
            } else {
                f64::from(straight * 255).sqrt() as i32 - straight
            };
            below * upper * 255 + under * lean * curve
        };
        (sum + apart * 255) / FULL
    }
}
