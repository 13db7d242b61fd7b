//! Gathers facts about a mask: its format, the number of pixels of each kind, and its odd pixels. A pixel is
//! odd if it is neither black, nor white, nor in the colour of a plane (a colour that makes an area), nor
//! fully transparent.
//!
//! The facts are gathered while a mask is decoded, so that `verify` can find the causes of gray pixels
//! without decoding the mask again. A mask without odd pixels costs nothing extra.

use glam::{IVec2, UVec2};

use crate::geometry::Aabb;
use crate::grid::{Grid, GridError, RowBuilder};
use crate::rules::MaskPlane;
use crate::rules::mask::{Belongs, LUMA_SCALE, LUMA_WEIGHTS, MaskPlanes, MaskRule, Pixel};

/// Facts about a mask picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaskSource {
    /// The name of the mask's file, without folder and extension. It may be empty.
    pub name: String,
    /// The rule that decided which pixels are solid.
    pub rule: MaskRule,
    /// The colours that became areas.
    pub planes: Vec<MaskPlane>,
    /// The number of pixels of each kind.
    pub counts: MaskCounts,
    /// The file format, colour type and bit depth in words: `PNG, 8-bit palette`.
    pub format: String,
    /// True for an animated picture. Only its first frame was read, or the default image of a PNG.
    pub animated: bool,
}

/// The number of pixels of each kind in a mask.
///
/// The sum `black + white + in_planes + gray + translucent + transparent` is the number of all pixels.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MaskCounts {
    /// The number of solid pixels.
    pub solid: u64,
    /// The number of opaque black pixels.
    pub black: u64,
    /// The number of opaque white pixels.
    pub white: u64,
    /// The number of opaque pixels in the colour of a [`crate::rules::MaskPlane`].
    pub in_planes: u64,
    /// The number of gray pixels: opaque, but not black, white, or in the colour of a plane.
    pub gray: u64,
    /// The left-most gray pixel of the first row with gray pixels; `None` without gray pixels.
    pub first_gray: Option<UVec2>,
    /// The smallest box around the gray pixels; `None` without gray pixels.
    pub gray_extent: Option<Aabb>,
    /// The number of translucent pixels, which are neither opaque nor fully transparent.
    pub translucent: u64,
    /// The left-most translucent pixel of the first row with translucent pixels; `None` without such pixels.
    pub first_translucent: Option<UVec2>,
    /// The smallest box around the translucent pixels; `None` without such pixels.
    pub translucent_extent: Option<Aabb>,
    /// The number of fully transparent pixels.
    pub transparent: u64,
    /// The number of pixel sides between a black and a transparent pixel.
    pub black_at_clear: u64,
    /// The number of pixel sides between a white and a transparent pixel.
    pub white_at_clear: u64,
}

impl MaskCounts {
    /// Adds `count` pixels of one class in row `y`: the set bits of `words`. Rows must come from the top.
    pub(super) fn add(&mut self, y: u32, class: PixelClass, words: &[u64], count: u64) {
        self.solid += if class.solid { count } else { 0 };
        match class.kind {
            PixelKind::Black => self.black += count,
            PixelKind::White => self.white += count,
            PixelKind::Plane => self.in_planes += count,
            PixelKind::Gray => {
                self.gray += count;
                include(&mut self.first_gray, &mut self.gray_extent, y, words);
            }
            PixelKind::Translucent => {
                self.translucent += count;
                let (first, extent) = (&mut self.first_translucent, &mut self.translucent_extent);
                include(first, extent, y, words);
            }
            PixelKind::Transparent => self.transparent += count,
        }
    }
}

/// Extends `first` and `extent` by the pixels of row `y`: the set bits of `words`.
fn include(first: &mut Option<UVec2>, extent: &mut Option<Aabb>, y: u32, words: &[u64]) {
    let mut used = (0..).step_by(64).zip(words).filter(|(_, word)| **word != 0);
    let Some((x, word)) = used.next() else {
        return;
    };
    let left = UVec2::new(x + word.trailing_zeros(), y);
    let (x, word) = used.last().unwrap_or((x, word));
    let right = x + 64 - word.leading_zeros();
    // Within a row, classes are not in the order of their first pixels.
    let first = first.get_or_insert(left);
    if first.y == y {
        first.x = first.x.min(left.x);
    }
    let (min, max) = (left.as_ivec2(), IVec2::new(right as i32, y as i32 + 1));
    let extent = extent.get_or_insert(Aabb { min, max });
    (extent.min, extent.max) = (extent.min.min(min), extent.max.max(max));
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PixelKind {
    Black,
    White,
    /// Opaque and in the colour of a plane.
    Plane,
    /// Opaque and in any other colour.
    Gray,
    /// Neither opaque nor fully transparent.
    Translucent,
    Transparent,
}

impl PixelKind {
    /// The kind of a pixel in a mask without planes.
    pub(super) fn new(pixel: &Pixel) -> Self {
        if pixel.alpha == 0 {
            Self::Transparent
        } else if pixel.alpha < pixel.max {
            Self::Translucent
        } else if pixel.rgb == [0; 3] {
            Self::Black
        } else if pixel.rgb == [pixel.max; 3] {
            Self::White
        } else {
            Self::Gray
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelClass {
    pub(super) kind: PixelKind,
    pub(super) solid: bool,
    /// The areas of the pixel as bits, as in [`Belongs`].
    pub(super) areas: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct MaskRules<'a> {
    pub(super) rule: &'a MaskRule,
    pub(super) planes: &'a MaskPlanes<'a>,
}

impl MaskRules<'_> {
    pub(super) fn classify(&self, pixel: &Pixel) -> PixelClass {
        let kind = PixelKind::new(pixel);
        match self.planes.belongs(pixel) {
            Some(Belongs { areas, solid }) => {
                let is_opaque = !matches!(kind, PixelKind::Translucent | PixelKind::Transparent);
                let kind = if is_opaque { PixelKind::Plane } else { kind };
                PixelClass { kind, solid, areas }
            }
            None => PixelClass { kind, solid: self.rule.is_solid(pixel), areas: 0 },
        }
    }
}

/// The odd pixels of a mask: gray or translucent.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct OddPixels {
    /// The gray pixels as bits of 1: opaque, but not black, white, or in the colour of a plane. `None`
    /// without gray pixels, or without memory for the bits.
    pub gray: Option<Bits>,
    /// The translucent pixels as bits of 1: neither opaque nor fully transparent. `None` without such pixels,
    /// or without memory for the bits.
    pub translucent: Option<Bits>,
    /// The opacity of the first translucent pixel, in 255ths; `None` without translucent pixels.
    pub first_alpha: Option<u8>,
    /// The colours of the gray pixels.
    pub colors: GrayColors,
}

impl OddPixels {
    /// True if the counts of colours leave out row `y`.
    #[inline]
    pub(super) fn is_passed_over(&self, y: u32) -> bool {
        self.colors.is_sampled() && !y.is_multiple_of(SAMPLED_ROWS)
    }

    /// Adds gray or translucent pixels in row `y`, the set bits of `words`. `size` is the picture's size.
    pub(super) fn add_row(&mut self, size: UVec2, y: u32, kind: PixelKind, words: &[u64]) {
        let bits = match kind {
            PixelKind::Translucent => &mut self.translucent,
            _ => &mut self.gray,
        };
        if bits.is_none() {
            *bits = Bits::new(size);
        }
        let row = bits.as_mut().map_or(&mut [][..], |bits| bits.row_mut(y));
        for (word, added) in row.iter_mut().zip(words) {
            *word |= added;
        }
    }

    /// Counts `count` pixels of one odd colour, from pixel `first` on. `number` is the number of a gray
    /// colour in `colors`. Rows must come from top to bottom.
    #[inline]
    pub(super) fn add_color(&mut self, odd: Odd, number: u8, count: u64, first: UVec2) {
        match odd {
            Odd::No => {}
            Odd::Gray(rgb) => self.colors.add(rgb, number, count, first),
            Odd::Translucent(alpha) => {
                self.first_alpha.get_or_insert(alpha);
            }
        }
    }
}

/// The largest number of gray colours with counts of their own.
const MOST_COLORS: usize = 64;

/// The number of pixels beyond the first 64 colours from which a mask counts as a painting or noise. From
/// then on only every [`SAMPLED_ROWS`]th row is counted.
const MANY: u64 = 4_096;

/// The number of gray colours of a mask with soft edges or noise. `verify` lists single colours for at most
/// 16.
const NOISE_COLORS: usize = 17;

/// The number of gray pixels from which noise is sampled: only every [`SAMPLED_ROWS`]th row is then counted.
const MANY_OF_NOISE: u64 = 8_192;

/// The distance between the counted rows of a painting or noise. It shares no factor with the height of JPEG
/// blocks and usual tiles, so that all rows of a block or tile are sampled in turn.
const SAMPLED_ROWS: u32 = 31;

/// The smallest difference between the largest and smallest channel of a vivid colour.
const VIVID: u8 = 48;

/// The colours of gray pixels, in 8 bits per channel. Gray pixels are opaque, but not black, white, or in a
/// plane's colour.
#[derive(Clone, Debug, PartialEq)]
pub struct GrayColors {
    /// The first 64 colours, in the order of discovery.
    pub known: Vec<GrayColor>,
    /// The number of pixels in further colours. For a painting or noise, only a sample of the rows counts.
    pub others: u64,
    /// The number of pixels in colours beyond the first 64, by luma.
    other_luma: Box<[u64; 256]>,
    /// The number of pixels in vivid colours beyond the first 64.
    other_vivid: u64,
}

/// The number that stands for every colour beyond the first 64.
const OTHER: u8 = u8::MAX;

/// A colour of gray pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrayColor {
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// The number of pixels in this colour. For a painting or noise, only a sample of the rows is counted.
    pub count: u64,
    /// The first counted pixel in this colour.
    pub first: UVec2,
}

impl Default for GrayColors {
    fn default() -> Self {
        Self { known: Vec::new(), others: 0, other_luma: Box::new([0; 256]), other_vivid: 0 }
    }
}

impl GrayColors {
    /// The number of a colour, from 1, or [`OTHER`] beyond the first 64 colours. A new colour is added.
    pub(super) fn number(&mut self, rgb: [u8; 3]) -> u8 {
        let place = self.known.iter().position(|known| known.rgb == rgb);
        match place.unwrap_or(self.known.len()) {
            MOST_COLORS => OTHER,
            place => {
                if place == self.known.len() {
                    self.known.push(GrayColor { rgb, count: 0, first: UVec2::MAX });
                }
                place as u8 + 1
            }
        }
    }

    #[inline]
    fn add(&mut self, rgb: [u8; 3], number: u8, count: u64, first: UVec2) {
        match self.known.get_mut(usize::from(number).wrapping_sub(1)) {
            Some(color) => {
                color.count += count;
                if first.y <= color.first.y {
                    color.first = UVec2::new(color.first.x.min(first.x), first.y);
                }
            }
            None => {
                self.others += count;
                self.other_luma[usize::from(luma(rgb))] += count;
                self.other_vivid += if is_vivid(rgb) { count } else { 0 };
            }
        }
    }

    /// True if only a sample of the rows is counted from now on.
    fn is_sampled(&self) -> bool {
        let is_noise = || self.known.len() >= NOISE_COLORS && self.count() >= MANY_OF_NOISE;
        self.others >= MANY || is_noise()
    }

    /// The number of counted gray pixels, in all rows or in a sample of the rows.
    pub fn count(&self) -> u64 {
        self.others + self.known.iter().map(|color| color.count).sum::<u64>()
    }

    /// The number of counted gray pixels with a luma in this range.
    pub fn with_luma(&self, range: std::ops::RangeInclusive<u8>) -> u64 {
        let known = self.known.iter().filter(|color| range.contains(&luma(color.rgb)));
        let others = range.clone().map(|luma| self.other_luma[usize::from(luma)]);
        known.map(|color| color.count).sum::<u64>() + others.sum::<u64>()
    }

    /// The number of counted gray pixels in vivid colours.
    pub fn vivid(&self) -> u64 {
        let known = self.known.iter().filter(|color| is_vivid(color.rgb));
        self.other_vivid + known.map(|color| color.count).sum::<u64>()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Odd {
    #[default]
    No,
    Gray([u8; 3]),
    /// The opacity of a translucent pixel.
    Translucent(u8),
}

impl Odd {
    /// The colour of a gray pixel or the opacity of a translucent pixel, scaled from `pixel.max` to 255.
    pub(super) fn new(class: PixelClass, pixel: &Pixel) -> Self {
        // Samples have at most 16 bits: the product is below 2^24. For most pictures it needs no division.
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

/// The luma of a colour by Rec. 709, from 0 to 255.
pub fn luma(rgb: [u8; 3]) -> u8 {
    let [red, green, blue] = rgb.map(u64::from);
    let weighted = red * LUMA_WEIGHTS[0] + green * LUMA_WEIGHTS[1] + blue * LUMA_WEIGHTS[2];
    (weighted / LUMA_SCALE) as u8
}

pub(super) fn is_vivid([red, green, blue]: [u8; 3]) -> bool {
    red.max(green).max(blue) - red.min(green).min(blue) >= VIVID
}

/// One bit per pixel. Bit `i` of word `w` in a row is the pixel at x = 64 w + i; further bits are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    size: UVec2,
    stride: usize,
    words: Vec<u64>,
}

impl Bits {
    /// Returns a bit of 0 for each pixel, or `None` without enough memory.
    pub fn new(size: UVec2) -> Option<Self> {
        let stride = size.x.div_ceil(64) as usize;
        let count = stride.checked_mul(size.y as usize)?;
        let mut words = Vec::new();
        words.try_reserve_exact(count).ok()?;
        words.resize(count, 0);
        Some(Self { size, stride, words })
    }

    /// The width and height in pixels.
    pub fn size(&self) -> UVec2 {
        self.size
    }

    /// The words of row `y`; empty for a row outside the picture.
    pub fn row(&self, y: u32) -> &[u64] {
        let start = y as usize * self.stride;
        self.words.get(start..start + self.stride).unwrap_or_default()
    }

    /// The words of row `y` for writing. The caller must leave the bits beyond the width at 0.
    pub fn row_mut(&mut self, y: u32) -> &mut [u64] {
        let start = y as usize * self.stride;
        self.words.get_mut(start..start + self.stride).unwrap_or_default()
    }

    /// The bit of a pixel; false outside the picture.
    pub fn get(&self, x: u32, y: u32) -> bool {
        let word = if x < self.size.x { self.row(y).get((x / 64) as usize) } else { None };
        word.is_some_and(|word| word >> (x % 64) & 1 == 1)
    }

    /// The 64 pixels of row `y` from `x` on, as bits. Pixels outside the picture, even at negative `x` or
    /// `y`, are 0.
    pub fn word_at(&self, x: i64, y: i64) -> u64 {
        let row = u32::try_from(y).map_or(&[][..], |y| self.row(y));
        let word = |index: i64| {
            usize::try_from(index).ok().and_then(|index| row.get(index)).copied().unwrap_or(0)
        };
        let (first, place) = (x.div_euclid(64), x.rem_euclid(64));
        match place {
            0 => word(first),
            _ => word(first) >> place | word(first + 1) << (64 - place),
        }
    }

    /// Returns a grid with a solid cell for each bit of 1. O(pixels / 64).
    ///
    /// # Errors
    /// [`GridError`] if the memory does not suffice.
    pub fn to_grid(&self) -> Result<Grid, GridError> {
        let mut grid = RowBuilder::new(self.size.x, self.size.y)?;
        (0..self.size.y).for_each(|y| grid.or_row(y, self.row(y)));
        Ok(grid.finish())
    }

    /// The number of bits that are 1.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// Counts the sides between transparent and black or white pixels. The fields are the black, white and
/// transparent pixels of two rows, as bits.
#[derive(Default)]
pub(super) struct ClearEdge {
    above: [Vec<u64>; 3],
    here: [Vec<u64>; 3],
}

impl ClearEdge {
    pub(super) fn add(&mut self, kind: PixelKind, words: &[u64]) {
        let row = match kind {
            PixelKind::Black => &mut self.here[0],
            PixelKind::White => &mut self.here[1],
            PixelKind::Transparent => &mut self.here[2],
            PixelKind::Plane | PixelKind::Gray | PixelKind::Translucent => return,
        };
        row.resize(words.len(), 0);
        for (word, added) in row.iter_mut().zip(words) {
            *word |= added;
        }
    }

    /// Adds the sides within the current row, and those to the row above, to `counts`. Then starts a new row.
    pub(super) fn end_row(&mut self, counts: &mut MaskCounts) {
        let [black, white, clear] = &self.here;
        let [black_above, white_above, clear_above] = &self.above;
        let sides = |color: &[u64], color_above: &[u64]| {
            common(clear, color_above, 0)
                + common(color, clear_above, 0)
                + common(clear, color, 1)
                + common(color, clear, 1)
        };
        counts.black_at_clear += sides(black, black_above);
        counts.white_at_clear += sides(white, white_above);
        std::mem::swap(&mut self.above, &mut self.here);
        self.here.iter_mut().for_each(Vec::clear);
    }
}

/// The number of pixels set in both rows, after `other` is moved right by `by` pixels (0 or 1).
fn common(row: &[u64], other: &[u64], by: u32) -> u64 {
    let (mut count, mut before) = (0, 0);
    for (word, other) in row.iter().zip(other) {
        count += u64::from((word & (other << by | before)).count_ones());
        before = (other >> 63) * u64::from(by);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::mask::Pixel;

    #[test]
    fn the_kind_of_a_pixel_is_exact_at_every_bit_depth() {
        for max in [1, 3, 15, 255, 65_535] {
            let kind = |value, alpha| {
                let rgb = [value; 3];
                PixelKind::new(&Pixel { rgb, alpha, max })
            };
            assert_eq!(kind(0, max), PixelKind::Black);
            assert_eq!(kind(max, max), PixelKind::White);
            assert_eq!(kind(max, 0), PixelKind::Transparent);
            if max > 1 {
                assert_eq!(kind(1, max), PixelKind::Gray);
                assert_eq!(kind(0, max - 1), PixelKind::Translucent);
            }
        }
        let (rgb, alpha, max) = ([0, 0, 1], 1, 1);
        let blue = Pixel { rgb, alpha, max };
        assert_eq!(PixelKind::new(&blue), PixelKind::Gray, "any other colour");
    }

    #[test]
    fn the_first_gray_pixel_is_the_leftmost_of_the_top_row() {
        let mut counts = MaskCounts::default();
        let class = |solid| PixelClass { kind: PixelKind::Gray, solid, areas: 0 };
        counts.add(1, class(true), &[0, 0], 0);
        counts.add(2, class(true), &[1 << 7 | 1 << 9, 0], 2);
        counts.add(2, class(false), &[1 << 5, 0], 1);
        counts.add(8, class(true), &[0, 0b11], 2);
        assert_eq!(counts.first_gray, Some(UVec2::new(5, 2)));
        assert_eq!(counts.gray_extent, Some(Aabb::from_xywh(5, 2, 61, 7)));
        assert_eq!((counts.gray, counts.solid), (5, 4));
        assert_eq!((counts.translucent, counts.first_translucent), (0, None));
    }

    #[test]
    fn a_word_of_bits_at_any_offset_agrees_with_single_pixels() {
        for width in [1, 63, 64, 65, 130] {
            let mut bits = Bits::new(UVec2::new(width, 3)).expect("memory");
            let is_set = |x: u32, y: u32| (x * 7 + y * 3) % 5 < 2;
            for (x, y) in (0..3).flat_map(|y| (0..width).map(move |x| (x, y))) {
                bits.row_mut(y)[(x / 64) as usize] |= u64::from(is_set(x, y)) << (x % 64);
            }
            for y in -1..4 {
                for x in (-70..200).chain([i64::MIN / 2, i64::MAX / 2]) {
                    let pixel = |x: i64| {
                        let (x, y) = (u32::try_from(x).ok(), u32::try_from(y).ok());
                        x.zip(y).is_some_and(|(x, y)| x < width && y < 3 && is_set(x, y))
                    };
                    let naive =
                        (0..64).fold(0, |word, bit| word | u64::from(pixel(x + bit)) << bit);
                    assert_eq!(bits.word_at(x, y), naive, "{width}: {x} {y}");
                }
            }
            let naive = (0..3).flat_map(|y| (0..width).map(move |x| (x, y)));
            assert_eq!(bits.count(), naive.filter(|(x, y)| bits.get(*x, *y)).count() as u64);
        }
    }

    #[test]
    fn only_the_first_64_gray_colours_have_counts_of_their_own() {
        let mut colors = GrayColors::default();
        for round in 0..3_u32 {
            for value in 1..=100_u8 {
                let first = UVec2::new(u32::from(value), round);
                let rgb = [value, value, 200];
                let number = colors.number(rgb);
                colors.add(rgb, number, 2, first);
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
