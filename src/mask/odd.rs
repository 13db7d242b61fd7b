//! The odd pixels of a mask: those that are neither black, white, of a plane, nor fully transparent.
//!
//! They are gathered while a mask is decoded, so that `verify` can tell the causes of gray pixels, and show
//! them, without decoding it again. A mask without odd pixels costs nothing. Nothing is judged here.

use glam::UVec2;

use super::bits::Bits;
use super::class::{PixelClass, PixelKind};
use crate::rules::mask::{LUMA_SCALE, LUMA_WEIGHTS, Pixel};

/// The most colours that are counted one by one.
const MOST_COLORS: usize = 64;

/// The pixels of further colours from which on one row in [`SAMPLED_ROWS`] is counted: a painting or noise.
const MANY: u64 = 4_096;

/// As many colours are soft edges or noise: from [`MANY_OF_NOISE`] gray pixels on, the same holds. `verify`
/// lists single colours of at most 16.
const NOISE_COLORS: usize = 17;

/// Gray pixels of at least [`NOISE_COLORS`] colours from which on one row in [`SAMPLED_ROWS`] is counted.
const MANY_OF_NOISE: u64 = 8_192;

/// The rows of which one is counted of a painting or of noise. It shares no factor with the blocks of a JPEG
/// or the tiles of a drawing, so that their rows take turns.
const SAMPLED_ROWS: u32 = 31;

/// The slots in which colours are looked for: four times as many, so that a probe or two finds one.
const SLOTS: usize = 4 * MOST_COLORS;

/// The least difference between the channels of a vivid colour, one that is no shade of gray.
const VIVID: u8 = 48;

/// The odd pixels of a mask.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OddPixels {
    /// The gray pixels: opaque, and of any colour but black, white and those of planes.
    pub gray: Option<Bits>,
    /// The pixels that are neither opaque nor fully transparent.
    pub translucent: Option<Bits>,
    /// The opacity of the first translucent pixel, in 255ths.
    pub first_alpha: Option<u8>,
    /// The colours of the gray pixels.
    pub colors: GrayColors,
}

/// The colours of gray pixels, in 8 bits a channel.
#[derive(Clone, Debug, PartialEq)]
pub struct GrayColors {
    /// The first 64 colours met, in the order of their first pixels.
    pub known: Vec<GrayColor>,
    /// Pixels of further colours; a sample of them once there are many.
    pub others: u64,
    /// The gray pixels by their luma, sampled as `others`.
    luma: Box<[u64; 256]>,
    /// The pixels of vivid colours, sampled as `others`.
    vivid: u64,
    slots: Box<[u8; SLOTS]>,
    /// The number of each shade of gray among `known`, from 1; 0 before it is met, and [`OTHER`] if it is one
    /// of the further colours.
    shades: Box<[u8; 256]>,
}

/// The number of a shade that is not among the known colours.
const OTHER: u8 = u8::MAX;

/// A colour of gray pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrayColor {
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// Its pixels; a sample of them if there are many of 17 colours or more.
    pub count: u64,
    /// The first of its pixels.
    pub first: UVec2,
}

/// The oddity of a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Odd {
    #[default]
    No,
    Gray([u8; 3]),
    /// Its opacity.
    Translucent(u8),
}

impl Odd {
    /// The oddity of a pixel of this class. Samples are from 0 to `max`.
    pub(super) fn of(class: PixelClass, pixel: &Pixel) -> Self {
        // Samples of at most 16 bits: the product is below 2^24. Of most pictures it need not be divided.
        let byte = |sample: u32| match pixel.max {
            255 => sample as u8,
            max => (sample * 255 / max.max(1)) as u8,
        };
        match class.kind {
            PixelKind::Gray => Self::Gray(pixel.rgb.map(byte)),
            PixelKind::Translucent => Self::Translucent(byte(pixel.alpha)),
            _ => Self::No,
        }
    }
}

/// The luma of a colour after Rec. 709, from 0 to 255.
pub fn luma(rgb: [u8; 3]) -> u8 {
    const WEIGHTS: [u32; 3] =
        [LUMA_WEIGHTS[0] as u32, LUMA_WEIGHTS[1] as u32, LUMA_WEIGHTS[2] as u32];
    let [red, green, blue] = rgb.map(u32::from);
    let weighted = red * WEIGHTS[0] + green * WEIGHTS[1] + blue * WEIGHTS[2];
    (weighted / LUMA_SCALE as u32) as u8
}

/// True for a colour that is no shade of gray.
fn is_vivid([red, green, blue]: [u8; 3]) -> bool {
    red.max(green).max(blue) - red.min(green).min(blue) >= VIVID
}

impl OddPixels {
    /// True if the colours of a row are not looked at.
    #[inline]
    pub(super) fn is_passed_over(&self, y: u32) -> bool {
        self.colors.is_sampled() && !y.is_multiple_of(SAMPLED_ROWS)
    }

    /// Adds the pixels of one class in row `y` of a picture of `size`.
    pub(super) fn add_row(&mut self, size: UVec2, y: u32, class: PixelClass, words: &[u64]) {
        let bits = match class.kind {
            PixelKind::Gray => &mut self.gray,
            PixelKind::Translucent => &mut self.translucent,
            _ => return,
        };
        if bits.is_none() {
            *bits = Bits::new(size);
        }
        let row = bits.as_mut().map_or(&mut [][..], |bits| bits.row_mut(y));
        for (word, added) in row.iter_mut().zip(words) {
            *word |= added;
        }
    }

    /// Adds `count` pixels whose first is at `first`. The rows come from top to bottom.
    #[inline]
    pub(super) fn add_color(&mut self, odd: Odd, count: u64, first: UVec2) {
        match odd {
            Odd::No => {}
            Odd::Gray([red, green, blue]) if red == green && green == blue => {
                self.colors.add_shade(red, count, first);
            }
            Odd::Gray(rgb) => self.colors.add(rgb, count, first),
            Odd::Translucent(alpha) => {
                self.first_alpha.get_or_insert(alpha);
            }
        }
    }
}

impl Default for GrayColors {
    fn default() -> Self {
        Self {
            known: Vec::new(),
            others: 0,
            luma: Box::new([0; 256]),
            vivid: 0,
            slots: Box::new([0; SLOTS]),
            shades: Box::new([0; 256]),
        }
    }
}

impl GrayColor {
    #[inline(always)]
    fn add(&mut self, count: u64, first: UVec2) {
        self.count += count;
        if first.y == self.first.y {
            self.first.x = self.first.x.min(first.x);
        }
    }
}

impl GrayColors {
    /// Adds `count` pixels of a shade of gray, of 8 bits.
    #[inline(always)]
    pub(super) fn add_shade(&mut self, shade: u8, count: u64, first: UVec2) {
        let number = self.shades[usize::from(shade)];
        match number {
            0 => return self.add([shade; 3], count, first),
            OTHER => self.others += count,
            _ => self.known[usize::from(number) - 1].add(count, first),
        }
        self.luma[usize::from(shade)] += count;
    }

    fn add(&mut self, rgb: [u8; 3], count: u64, first: UVec2) {
        self.luma[usize::from(luma(rgb))] += count;
        self.vivid += if is_vivid(rgb) { count } else { 0 };
        let [red, green, blue] = rgb.map(u32::from);
        let mixed = (red | green << 8 | blue << 16).wrapping_mul(0x9e37_79b1);
        let mut slot = (mixed >> 24) as usize;
        loop {
            // A slot holds the number of a colour, from 1; 0 is an empty one. Three of four are empty.
            match usize::from(self.slots[slot % SLOTS]) {
                0 => break,
                number => match self.known.get_mut(number - 1) {
                    Some(known) if known.rgb == rgb => return known.add(count, first),
                    _ => slot += 1,
                },
            }
        }
        let is_shade = red == green && green == blue;
        if self.known.len() == MOST_COLORS {
            self.others += count;
            if is_shade {
                self.shades[red as usize] = OTHER;
            }
            return;
        }
        self.known.push(GrayColor { rgb, count, first });
        let number = self.known.len() as u8;
        self.slots[slot % SLOTS] = number;
        if is_shade {
            self.shades[red as usize] = number;
        }
    }

    /// True if so many colours were met that only some rows are counted.
    pub(super) fn is_sampled(&self) -> bool {
        let is_noise = || self.known.len() >= NOISE_COLORS && self.count() >= MANY_OF_NOISE;
        self.others >= MANY || is_noise()
    }

    /// The gray pixels that were counted: all, or a sample.
    pub fn count(&self) -> u64 {
        self.luma.iter().sum()
    }

    /// Pixels whose luma is in this range.
    pub fn with_luma(&self, range: std::ops::RangeInclusive<u8>) -> u64 {
        let (first, last) = range.into_inner();
        let counts = self.luma.iter().skip(first.into());
        counts.take(usize::from(last.saturating_sub(first)) + 1).sum()
    }

    /// The pixels of vivid colours among them.
    pub fn vivid(&self) -> u64 {
        self.vivid
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_counted_up_to_a_number_of_them() {
        let mut colors = GrayColors::default();
        for round in 0..3_u32 {
            for value in 1..=100_u8 {
                let first = UVec2::new(u32::from(value), round);
                colors.add([value, value, 200], 2, first);
            }
        }
        assert_eq!((colors.known.len(), colors.count()), (64, 600));
        assert_eq!(colors.others, 36 * 6);
        assert!(colors.known.iter().all(|known| known.count == 6 && known.first.y == 0));
        assert_eq!(colors.vivid(), 600);
        assert_eq!(colors.with_luma(0..=255), 600);
        let first = luma([1, 1, 200]);
        let naive = (1..=100).filter(|value| luma([*value, *value, 200]) == first).count();
        assert_eq!(colors.with_luma(first..=first), naive as u64 * 6);
    }
}
