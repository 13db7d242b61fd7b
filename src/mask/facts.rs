//! Gathers facts about a mask: its format, the number of pixels of each kind, and its odd pixels. A *plane*
//! ([`MaskPlane`]) gives a name to a colour: all pixels of this colour are an area. A pixel is *odd* if it is
//! neither black, nor white, nor in the colour of a plane, nor fully transparent.
//!
//! The facts are gathered while a mask is decoded. So the linter can find the causes of gray pixels without
//! decoding the mask again. A mask without odd pixels costs no extra time.

use glam::{IVec2, UVec2};

use crate::geometry::Aabb;
use crate::grid::{Grid, GridError, RowBuilder};
use crate::rules::MaskPlane;
use crate::rules::mask::{Belongs, LUMA_SCALE, LUMA_WEIGHTS, MaskPlanes, MaskRule, Pixel};

/// Facts about a mask picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaskSource {
    /// The name of the mask's file, without its folder and extension. It may be empty.
    pub name: String,
    /// The rule that decided which pixels are solid.
    pub rule: MaskRule,
    /// The colours that make areas: for each, the name of the area and the colour of its pixels.
    pub planes: Vec<MaskPlane>,
    /// The number of pixels of each kind.
    pub counts: MaskCounts,
    /// The file format, colour type and bit depth in words, such as `PNG, 8-bit palette`.
    pub format: String,
    /// True for an animated picture. Only its first frame was read. For a PNG, this is its default image.
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
    /// The number of opaque pixels in the colour of a [`crate::rules::MaskPlane`], which makes an area or
    /// solid cells of them.
    pub in_planes: u64,
    /// The number of gray pixels. These are opaque, but neither black nor white, and no [`MaskPlane`] has
    /// their colour.
    pub gray: u64,
    /// The leftmost gray pixel of the topmost row that has one. `None` without gray pixels.
    pub first_gray: Option<UVec2>,
    /// The bounding box of the gray pixels. `None` without gray pixels.
    pub gray_extent: Option<Aabb>,
    /// The number of translucent pixels, which are neither opaque nor fully transparent.
    pub translucent: u64,
    /// The leftmost translucent pixel of the topmost row that has one. `None` without translucent pixels.
    pub first_translucent: Option<UVec2>,
    /// The bounding box of the translucent pixels. `None` without translucent pixels.
    pub translucent_extent: Option<Aabb>,
    /// The number of fully transparent pixels.
    pub transparent: u64,
    /// The number of pixel sides that a black and a transparent pixel share.
    pub black_at_clear: u64,
    /// The number of pixel sides that a white and a transparent pixel share.
    pub white_at_clear: u64,
}

impl MaskCounts {
    /// Adds `count` pixels of one class in row `y`: the set bits of `words`. Rows must be added from top to
    /// bottom.
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

/// Updates `first` (the leftmost pixel of the topmost row) and `extent` (the bounding box) with the pixels of
/// row `y`: the set bits of `words`.
fn include(first: &mut Option<UVec2>, extent: &mut Option<Aabb>, y: u32, words: &[u64]) {
    let mut used = (0..).step_by(64).zip(words).filter(|(_, word)| **word != 0);
    let Some((x, word)) = used.next() else {
        return;
    };
    let left = UVec2::new(x + word.trailing_zeros(), y);
    let (x, word) = used.last().unwrap_or((x, word));
    let right = x + 64 - word.leading_zeros();
    // The classes of a row are added in any order, so the pixels of a later class may start further left.
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
    /// The pixel is opaque, and a [`MaskPlane`] has its colour.
    Plane,
    /// The pixel is opaque and in any other colour.
    Gray,
    /// The pixel is neither opaque nor fully transparent.
    Translucent,
    Transparent,
}

impl PixelKind {
    /// Returns the kind of a pixel in a mask without [`MaskPlane`]s.
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
    /// The areas that contain the pixel. The bit of an area is at the area's number: see [`Belongs::areas`].
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

/// The pixels of a mask that are neither black, white, nor transparent: gray or translucent pixels.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct OddPixels {
    /// The gray pixels, as set bits. They are opaque, but neither black nor white, and no [`MaskPlane`] has
    /// their colour. `None` without gray pixels, or without enough memory for the bits.
    pub gray: Option<Bits>,
    /// The translucent pixels, as set bits. They are neither opaque nor fully transparent. `None` without
    /// such pixels, or without enough memory for the bits.
    pub translucent: Option<Bits>,
    /// The opacity of the first translucent pixel, scaled to the range from 0 to 255. `None` without
    /// translucent pixels.
    pub first_alpha: Option<u8>,
    /// The colours of the gray pixels.
    pub colors: GrayColors,
}

impl OddPixels {
    /// Returns the number of rows that row `y` stands for in the counts of gray colours: 1 if all rows are
    /// counted. Once the mask is sampled, a counted row stands for [`SAMPLED_ROWS`] rows, and any other row
    /// for none.
    #[inline]
    pub(super) fn row_weight(&self, y: u32) -> u64 {
        match self.colors.is_sampled() {
            false => 1,
            true if y.is_multiple_of(SAMPLED_ROWS) => SAMPLED_ROWS.into(),
            true => 0,
        }
    }

    /// Adds the gray or translucent pixels of row `y`: the set bits of `words`. `size` is the width and
    /// height of the picture.
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

    /// Counts `count` pixels with the same gray colour or opacity. `first` is the position of the first
    /// pixel. `number` is the result of [`GrayColors::number`] for a gray colour. Rows must be added from top
    /// to bottom.
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

/// The largest number of gray colours that are counted separately.
const MOST_COLORS: usize = 64;

/// A mask counts as a painting or noise if this many pixels have colours other than the first
/// [`MOST_COLORS`]. From then on, only one of [`SAMPLED_ROWS`] rows is counted.
const MANY: u64 = 4_096;

/// A mask with at least this many gray colours has soft edges or noise. The linter lists single colours only
/// for up to 16 colours.
const NOISE_COLORS: usize = 17;

/// The number of gray pixels after which a mask with soft edges or noise is sampled. From then on, only one
/// of [`SAMPLED_ROWS`] rows is counted.
const MANY_OF_NOISE: u64 = 8_192;

/// The distance in rows between the counted rows of a painting or noise. It has no common factor with the
/// height of JPEG blocks and of usual tiles, so all rows of a block or tile are sampled in turn.
const SAMPLED_ROWS: u32 = 31;

/// A colour is vivid if its largest and smallest channel differ by at least this amount, of 255.
const VIVID: u8 = 48;

/// The colours of the gray pixels, with 8 bits per channel. Gray pixels are opaque, but neither black nor
/// white, and no [`MaskPlane`] has their colour.
#[derive(Clone, Debug, PartialEq)]
pub struct GrayColors {
    /// The first 64 colours of gray pixels, in the order in which they were found.
    pub known: Vec<GrayColor>,
    /// The number of gray pixels in other colours than the first 64. For a painting or noise, it is estimated
    /// from a sample of the rows.
    pub others: u64,
    /// For each luma from 0 to 255: the number of gray pixels in other colours than the first 64.
    other_luma: Box<[u64; 256]>,
    /// The number of gray pixels in vivid colours other than the first 64 colours.
    other_vivid: u64,
}

/// The result of [`GrayColors::number`] for every colour after the first 64, which are not listed one by one.
const OTHER: u8 = u8::MAX;

/// A colour of gray pixels, with its number of pixels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GrayColor {
    /// Red, green and blue.
    pub rgb: [u8; 3],
    /// The number of pixels in this colour. For a painting or noise, it is estimated from a sample of the
    /// rows.
    pub count: u64,
    /// The column and row of the first counted pixel in this colour.
    pub first: UVec2,
}

impl Default for GrayColors {
    fn default() -> Self {
        Self { known: Vec::new(), others: 0, other_luma: Box::new([0; 256]), other_vivid: 0 }
    }
}

impl GrayColors {
    /// Returns the number of a gray colour in the list `self.known`: 1 for its first colour, 2 for the
    /// second. Adds a new colour to the list. Returns [`OTHER`] if the list already has 64 other colours.
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
                if color.count == 0 {
                    color.first = first;
                }
                color.count += count;
            }
            None => {
                self.others += count;
                self.other_luma[usize::from(luma(rgb))] += count;
                self.other_vivid += if is_vivid(rgb) { count } else { 0 };
            }
        }
    }

    /// True if only one of [`SAMPLED_ROWS`] rows is counted from now on, because the mask is a painting or
    /// noise.
    fn is_sampled(&self) -> bool {
        let is_noise = || self.known.len() >= NOISE_COLORS && self.count() >= MANY_OF_NOISE;
        self.others >= MANY || is_noise()
    }

    /// Returns the number of gray pixels. For a painting or noise, it is estimated from a sample of the rows.
    /// [`MaskCounts::gray`] is exact.
    pub fn count(&self) -> u64 {
        self.others + self.known.iter().map(|color| color.count).sum::<u64>()
    }

    /// Returns the number of gray pixels with a luma in this range, estimated as [`Self::count`].
    pub fn with_luma(&self, range: std::ops::RangeInclusive<u8>) -> u64 {
        let known = self.known.iter().filter(|color| range.contains(&luma(color.rgb)));
        let others = range.clone().map(|luma| self.other_luma[usize::from(luma)]);
        known.map(|color| color.count).sum::<u64>() + others.sum::<u64>()
    }

    /// Returns the number of gray pixels in vivid colours, estimated as [`Self::count`]. These colours are
    /// far from gray.
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
    /// The pixel is translucent, with this opacity scaled to the range from 0 to 255.
    Translucent(u8),
}

impl Odd {
    /// Returns the colour of a gray pixel, or the opacity of a translucent pixel. The samples are scaled from
    /// the range 0 to `pixel.max` to the range 0 to 255.
    pub(super) fn new(class: PixelClass, pixel: &Pixel) -> Self {
        // Samples have at most 16 bits, so the product is below 2^24. Samples of 8 bits need no division.
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

/// Returns the luma of a colour by Rec. 709, from 0 to 255.
pub fn luma(rgb: [u8; 3]) -> u8 {
    let [red, green, blue] = rgb.map(u64::from);
    let weighted = red * LUMA_WEIGHTS[0] + green * LUMA_WEIGHTS[1] + blue * LUMA_WEIGHTS[2];
    (weighted / LUMA_SCALE) as u8
}

pub(super) fn is_vivid([red, green, blue]: [u8; 3]) -> bool {
    red.max(green).max(blue) - red.min(green).min(blue) >= VIVID
}

/// A bit for each pixel of a picture. Each row is a list of words: bit `i` of word `w` is the pixel at x = 64
/// w + i. Bits beyond the width are 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits {
    size: UVec2,
    stride: usize,
    words: Vec<u64>,
}

impl Bits {
    /// Returns bits that are all 0, for a picture of `size` pixels. Returns `None` if the memory does not
    /// suffice.
    pub fn new(size: UVec2) -> Option<Self> {
        let stride = size.x.div_ceil(64) as usize;
        let count = stride.checked_mul(size.y as usize)?;
        let mut words = Vec::new();
        words.try_reserve_exact(count).ok()?;
        words.resize(count, 0);
        Some(Self { size, stride, words })
    }

    /// Returns the width and height of the picture in pixels.
    pub fn size(&self) -> UVec2 {
        self.size
    }

    /// Returns the bits of row `y` as words of 64 pixels. The result is empty for a row outside the picture.
    pub fn row(&self, y: u32) -> &[u64] {
        let start = y as usize * self.stride;
        self.words.get(start..start + self.stride).unwrap_or_default()
    }

    /// Returns the bits of row `y` for writing, as words of 64 pixels. The caller must leave the bits beyond
    /// the picture's width at 0.
    pub fn row_mut(&mut self, y: u32) -> &mut [u64] {
        let start = y as usize * self.stride;
        self.words.get_mut(start..start + self.stride).unwrap_or_default()
    }

    /// Returns the bit of the pixel (`x`, `y`), or false outside the picture.
    pub fn get(&self, x: u32, y: u32) -> bool {
        let word = if x < self.size.x { self.row(y).get((x / 64) as usize) } else { None };
        word.is_some_and(|word| word >> (x % 64) & 1 == 1)
    }

    /// Returns the bits of 64 pixels of row `y`. The lowest bit is the pixel at `x`, and the others follow to
    /// its right. Pixels outside the picture are 0; `x` and `y` may be negative.
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

    /// Returns a grid in which the cells with set bits are solid. O(pixels / 64).
    ///
    /// # Errors
    /// Fails with [`GridError`] if the memory does not suffice.
    pub fn to_grid(&self) -> Result<Grid, GridError> {
        let mut grid = RowBuilder::new(self.size.x, self.size.y)?;
        (0..self.size.y).for_each(|y| grid.or_row(y, self.row(y)));
        grid.finish()
    }

    /// Returns the number of bits that are 1.
    pub fn count(&self) -> u64 {
        self.words.iter().map(|word| u64::from(word.count_ones())).sum()
    }
}

/// Counts the pixel sides where a black or white pixel is next to a transparent pixel. Each of the fields,
/// for the row above and for the current row, has three rows of bits: the black, the white and the
/// transparent pixels.
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

    /// Adds to `counts` the pixel sides between pixels of the current row, and between this row and the row
    /// above. Then starts a new row.
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

/// Returns the number of bits that are 1 in both rows of pixels. Before the comparison, `other` is moved
/// right by `by` pixels (0 or 1).
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
    fn bits_common_to_two_rows_agree_with_single_bits() {
        let mut rng = fastrand::Rng::with_seed(41);
        for round in 0..300 {
            let words = round % 5;
            let mut row =
                || -> Vec<u64> { (0..words).map(|_| rng.u64(..) | rng.u64(..)).collect() };
            let (row, other) = (row(), row());
            let is_set = |row: &[u64], x: usize| row[x / 64] >> (x % 64) & 1 == 1;
            for by in 0..2 {
                let bits = by..64 * words;
                let naive = bits.filter(|x| is_set(&row, *x) && is_set(&other, *x - by)).count();
                assert_eq!(
                    common(&row, &other, by as u32),
                    naive as u64,
                    "{row:x?} {other:x?} {by}"
                );
            }
        }
    }

    /// 0.2126 red, 0.7152 green and 0.0722 blue, rounded down.
    #[test]
    fn the_luma_of_a_colour_weighs_red_green_and_blue() {
        for (rgb, expected) in [
            ([0, 0, 0], 0),
            ([255, 0, 0], 54),
            ([0, 255, 0], 182),
            ([0, 0, 255], 18),
            ([100, 0, 0], 21),
            ([10, 20, 30], 18),
            ([255, 255, 254], 254),
            ([255, 255, 255], 255),
        ] {
            assert_eq!(luma(rgb), expected, "{rgb:?}");
        }
    }

    #[test]
    fn only_the_first_64_gray_colours_are_counted_separately() {
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
