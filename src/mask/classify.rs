//! The kernel: splits a row of packed samples by the classes of its pixels.
//!
//! Plain bytes in, words of 64 bits out; no file, no grid. A row of 1-bit pixels is split by whole words. Of
//! other rows a block of 64 pixels is split at a time, value by value: the cost depends on the number of
//! different values in a block, and not on the number of times that they take turns. A block with the bytes
//! of the one before it, the common case, is split like that one.

use glam::UVec2;

use super::class::{MaskRules, PixelClass};
use super::odd::{Odd, OddPixels};
use super::picture::Header;
use crate::rules::mask::Pixel;

/// Pixels that are split together: the bits of a word.
const BLOCK: usize = 64;

/// The values of a block whose pixels are looked for all at once. In a block with more values, as of a
/// photo, most values have one pixel, and each pixel is taken by itself.
const MAX_SEARCHES: usize = 4;

/// The values of a row that are remembered with their classes: those of 8 bits of a hash.
const REMEMBERED: usize = 256;

/// More classes than these are not split by class: their numbers must fit in a byte, with those of a block.
const MOST_BY_CLASS: usize = 128;

/// The pixels of one class in a row.
#[derive(Debug)]
pub(super) struct ClassRow {
    pub(super) class: PixelClass,
    /// Bit `i` of word `w` is set if the pixel at x = 64 w + i is one of them.
    pub(super) words: Vec<u64>,
    /// False only if all words are 0.
    is_used: bool,
}

/// A pixel whose value has no entry in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoColor {
    pub(super) x: u32,
    pub(super) value: u8,
}

/// Splits the rows of one picture.
pub(super) struct Classifier<'a> {
    depth: u8,
    lookup: Lookup<'a>,
    rows: Rows,
}

/// The class of a pixel's value: its number in [`Rows`], and what is odd about the value.
#[derive(Clone, Copy)]
struct Known {
    class: usize,
    odd: Odd,
}

/// How the class of a pixel is found.
enum Lookup<'a> {
    /// By its value, an index of a palette or gray of at most 8 bits. A value past a short palette has no
    /// class.
    Value(Vec<Known>),
    /// By its 8 or 16 bit samples.
    Samples {
        rules: MaskRules<'a>,
        channels: usize,
        /// The colour that is transparent.
        key: Option<[u32; 3]>,
    },
}

impl NoColor {
    /// The same pixel of a row, by its x in a block.
    fn in_block(self, at: usize) -> Self {
        Self { x: self.x + (at * BLOCK) as u32, ..self }
    }
}

impl<'a> Classifier<'a> {
    pub(super) fn new(rules: MaskRules<'a>, header: &Header) -> Self {
        let mut rows = Rows { width: header.size.x as usize, ..Rows::default() };
        let (depth, max) = (header.depth, (1 << header.depth) - 1);
        let mut class_of = |pixel| rows.know(&rules, &pixel);
        let lookup = if let Some(palette) = &header.palette {
            let pixel = |[red, green, blue, alpha]: &[u8; 4]| {
                let samples = [*red, *green, *blue, *alpha].map(u32::from);
                pixel_of(&samples, 255, None)
            };
            Lookup::Value(palette.iter().map(pixel).map(class_of).collect())
        } else if header.channels == 1 && depth <= 8 {
            let pixels = (0..=max).map(|value| pixel_of(&[value], max, header.key));
            Lookup::Value(pixels.map(&mut class_of).collect())
        } else {
            Lookup::Samples { rules, channels: header.channels, key: header.key }
        };
        Self { depth, lookup, rows }
    }

    /// Splits row `y` of samples: gives each class that has pixels in it once. Of the two classes of 1-bit
    /// pixels it gives both. The rows come from top to bottom.
    pub(super) fn split(
        &mut self,
        y: u32,
        row: &[u8],
    ) -> Result<impl Iterator<Item = &ClassRow>, NoColor> {
        let Self { depth, lookup, rows } = self;
        rows.clear();
        rows.y = y;
        rows.is_passed_over = rows.odd.as_ref().is_some_and(|odd| odd.is_passed_over(y));
        match lookup {
            Lookup::Value(classes) => match (*depth, &classes[..]) {
                (1, [zeros, ones, ..]) => {
                    split_bits(row, [*zeros, *ones], rows);
                    Ok(())
                }
                (1, classes) => values::<1, 8>(row, classes, rows),
                (2, classes) => values::<2, 16>(row, classes, rows),
                (4, classes) => values::<4, 32>(row, classes, rows),
                (_, classes) => values::<8, 64>(row, classes, rows),
            },
            Lookup::Samples { rules, channels, key } => {
                let (rules, key) = (&*rules, *key);
                match (*depth, *channels) {
                    (8, 2) => samples::<2, 128, false>(row, rules, key, rows),
                    (8, 3) => samples::<3, 192, false>(row, rules, key, rows),
                    (8, _) => samples::<4, 256, false>(row, rules, key, rows),
                    (_, 1) => samples::<2, 128, true>(row, rules, key, rows),
                    (_, 2) => samples::<4, 256, true>(row, rules, key, rows),
                    (_, 3) => samples::<6, 384, true>(row, rules, key, rows),
                    _ => samples::<8, 512, true>(row, rules, key, rows),
                }
            }
        }?;
        Ok(rows.classes.iter().filter(|row| row.is_used))
    }

    /// The colours of the odd pixels of all rows, without their bits.
    pub(super) fn into_odd(self) -> Option<Box<OddPixels>> {
        self.rows.odd
    }
}

/// The classes met so far, and their pixels in one row.
#[derive(Default)]
struct Rows {
    /// Each class once. There are few: one for each kind of pixel, solid or not, and each set of areas.
    classes: Vec<ClassRow>,
    /// The pixels of one block by their class; a class may come more than once.
    block: Vec<(Known, u64)>,
    /// The bits of a row of 1-bit pixels.
    ones: Vec<u64>,
    width: usize,
    /// The row that is split.
    y: u32,
    /// `None` before the first odd pixel.
    odd: Option<Box<OddPixels>>,
    /// True if the colours of odd pixels in this row are not looked at.
    is_passed_over: bool,
}

impl Rows {
    /// The number of a class, that is, its place in `classes`.
    fn number(&mut self, class: PixelClass) -> usize {
        let known = self.classes.iter().position(|row| row.class == class);
        known.unwrap_or_else(|| {
            let words = vec![0; self.width.div_ceil(BLOCK)];
            self.classes.push(ClassRow { class, words, is_used: false });
            self.classes.len() - 1
        })
    }

    fn know(&mut self, rules: &MaskRules<'_>, pixel: &Pixel) -> Known {
        let class = rules.classify(pixel);
        Known { class: self.number(class), odd: Odd::of(class, pixel) }
    }

    fn clear(&mut self) {
        for row in self.classes.iter_mut().filter(|row| row.is_used) {
            row.words.fill(0);
            row.is_used = false;
        }
    }

    /// Adds the pixels of 1 bit that are 1 after the flips.
    #[cold]
    fn add_odd_bits(&mut self, odd: Odd, flips: u64) {
        let last = self.width.div_ceil(BLOCK) - 1;
        let words = self.ones.iter().take(last + 1).enumerate().map(|(at, ones)| {
            let inside = if at == last { in_last_block(self.width) } else { u64::MAX };
            (at, (ones ^ flips) & inside)
        });
        let used: Vec<(usize, u64)> = words.filter(|(_, word)| *word != 0).collect();
        if let Some((at, word)) = used.first() {
            let count = used.iter().map(|(_, word)| u64::from(word.count_ones())).sum();
            let first = UVec2::new((at * BLOCK) as u32 + word.trailing_zeros(), self.y);
            self.odd.get_or_insert_default().add_color(odd, count, first);
        }
    }

    /// Adds the pixels in `block` to the rows of their classes, as word `at`.
    #[inline(always)]
    fn add_block(&mut self, at: usize) {
        for (known, bits) in &self.block {
            let row = &mut self.classes[known.class];
            row.words[at] |= bits;
            row.is_used = true;
            if known.odd != Odd::No && !self.is_passed_over {
                let first = UVec2::new((at * BLOCK) as u32 + bits.trailing_zeros(), self.y);
                let odd = self.odd.get_or_insert_default();
                odd.add_color(known.odd, bits.count_ones().into(), first);
            }
        }
    }
}

/// The pixel of 1 (gray), 2 (gray, alpha), 3 (red, green, blue) or 4 samples.
#[inline]
fn pixel_of(samples: &[u32], max: u32, key: Option<[u32; 3]>) -> Pixel {
    let (rgb, alpha) = match *samples {
        [gray] => ([gray; 3], None),
        [gray, alpha] => ([gray; 3], Some(alpha)),
        [red, green, blue] => ([red, green, blue], None),
        [red, green, blue, alpha, ..] => ([red, green, blue], Some(alpha)),
        [] => ([0; 3], None),
    };
    let by_key = if key == Some(rgb) { 0 } else { max };
    Pixel { rgb, alpha: alpha.unwrap_or(by_key), max }
}

/// Splits pixels of 1 bit, the left one in the highest bit.
fn split_bits(row: &[u8], classes: [Known; 2], rows: &mut Rows) {
    let (whole, rest) = row.as_chunks();
    let mut last = [0; BLOCK / 8];
    last[..rest.len()].copy_from_slice(rest);
    let ones = |bytes: &[u8; BLOCK / 8]| u64::from_be_bytes(*bytes).reverse_bits();
    rows.ones.clear();
    rows.ones.extend(whole.iter().map(ones));
    rows.ones.push(ones(&last));
    for (known, flips) in classes.into_iter().zip([u64::MAX, 0]) {
        let row = &mut rows.classes[known.class];
        for (word, ones) in row.words.iter_mut().zip(&rows.ones) {
            *word |= ones ^ flips;
        }
        if let Some(word) = row.words.last_mut() {
            *word &= in_last_block(rows.width);
        }
        row.is_used = true;
        if known.odd != Odd::No {
            rows.add_odd_bits(known.odd, flips);
        }
    }
}

/// Splits pixels of `DEPTH` bits by their value; `BLOCK_BYTES` are 64 of them.
fn values<const DEPTH: usize, const BLOCK_BYTES: usize>(
    row: &[u8],
    classes: &[Known],
    rows: &mut Rows,
) -> Result<(), NoColor> {
    let class_of =
        |[value]: [u8; 1], _: &mut Rows| classes.get(usize::from(value)).copied().ok_or(value);
    blocks::<BLOCK_BYTES>(row, rows, |block, rest, rows| {
        split(&unpacked::<DEPTH>(block), rest, rows, class_of)
    })
}

/// Splits pixels of `BYTES` bytes, of 16-bit samples if `WIDE`; `BLOCK_BYTES` are 64 of them.
fn samples<const BYTES: usize, const BLOCK_BYTES: usize, const WIDE: bool>(
    row: &[u8],
    rules: &MaskRules<'_>,
    key: Option<[u32; 3]>,
    rows: &mut Rows,
) -> Result<(), NoColor> {
    let classify = |pixel: [u8; BYTES], rows: &mut Rows| {
        let mut samples = [0; BYTES];
        let (count, max) = if WIDE { (BYTES / 2, 65_535) } else { (BYTES, 255) };
        for (place, sample) in samples[..count].iter_mut().enumerate() {
            *sample = if WIDE {
                u32::from(u16::from_be_bytes([pixel[place * 2], pixel[place * 2 + 1]]))
            } else {
                u32::from(pixel[place])
            };
        }
        rows.know(rules, &pixel_of(&samples[..count], max, key))
    };
    // Two are remembered, because most masks have two colours.
    let mut known = [[0; BYTES], [255; BYTES]].map(|pixel| (pixel, classify(pixel, rows)));
    // Filled at the third value of a row: noise and soft edges have some hundred.
    let mut many: Vec<([u8; BYTES], Known)> = Vec::new();
    let mut of_many = |pixel: [u8; BYTES], rows: &mut Rows| {
        if many.is_empty() {
            let known = classify(pixel, rows);
            many.resize(REMEMBERED, (pixel, known));
        }
        let mixed = pixel.iter().fold(0_u32, |mixed, byte| mixed.rotate_left(5) ^ u32::from(*byte));
        let slot = (mixed.wrapping_mul(0x9e37_79b1) >> 24) as usize;
        if many[slot].0 != pixel {
            many[slot] = (pixel, classify(pixel, rows));
        }
        many[slot].1
    };
    let mut class_of = |pixel: [u8; BYTES], rows: &mut Rows| {
        if known[0].0 != pixel {
            known.swap(0, 1);
            if known[0].0 != pixel {
                known[0] = (pixel, of_many(pixel, rows));
            }
        }
        Ok(known[0].1)
    };
    blocks::<BLOCK_BYTES>(row, rows, |block, rest, rows| {
        split::<BYTES>(block.as_chunks().0, rest, rows, &mut class_of)
    })
}

/// Splits a row by blocks of `BYTES` bytes. `split` fills [`Rows::block`] from the bytes of a block and the
/// bits of its pixels that are in the row.
#[inline(always)]
fn blocks<const BYTES: usize>(
    row: &[u8],
    rows: &mut Rows,
    mut split: impl FnMut(&[u8; BYTES], u64, &mut Rows) -> Result<(), NoColor>,
) -> Result<(), NoColor> {
    let whole = &row.as_chunks().0[..rows.width / BLOCK];
    let mut before = None;
    for (at, block) in whole.iter().enumerate() {
        if !before.is_some_and(|before| is_equal(before, block)) {
            split(block, u64::MAX, rows).map_err(|missing| missing.in_block(at))?;
        }
        rows.add_block(at);
        before = Some(block);
    }
    if !rows.width.is_multiple_of(BLOCK) {
        let mut last = [0; BYTES];
        let rest = &row[whole.len() * BYTES..];
        last[..rest.len()].copy_from_slice(rest);
        split(&last, in_last_block(rows.width), rows)
            .map_err(|missing| missing.in_block(whole.len()))?;
        rows.add_block(whole.len());
    }
    Ok(())
}

/// Splits the pixels of a block whose bits are set in `rest`, by value.
#[inline(always)]
fn split<const BYTES: usize>(
    pixels: &[[u8; BYTES]],
    mut rest: u64,
    rows: &mut Rows,
    mut class_of: impl FnMut([u8; BYTES], &mut Rows) -> Result<Known, u8>,
) -> Result<(), NoColor> {
    let Some(pixels) = pixels.first_chunk::<BLOCK>() else {
        return Ok(());
    };
    rows.block.clear();
    while rest != 0 {
        let x = rest.trailing_zeros();
        let value = pixels[x as usize];
        let is_noise = rows.is_passed_over && rows.block.len() >= MAX_SEARCHES;
        if is_noise && rows.classes.len() <= MOST_BY_CLASS {
            return split_by_class(pixels, rest, rows, class_of);
        }
        let class = class_of(value, rows).map_err(|value| NoColor { x, value })?;
        let bits = match rows.block.len() {
            ..MAX_SEARCHES => rest & equal_pixels(pixels, value),
            _ => 1 << x,
        };
        rows.block.push((class, bits));
        rest &= !bits;
    }
    Ok(())
}

/// Splits the pixels of a block whose bits are set in `rest`, by class: of noise, in which almost each pixel
/// has a value of its own. Classes are few.
#[inline(always)]
fn split_by_class<const BYTES: usize>(
    pixels: &[[u8; BYTES]; BLOCK],
    rest: u64,
    rows: &mut Rows,
    mut class_of: impl FnMut([u8; BYTES], &mut Rows) -> Result<Known, u8>,
) -> Result<(), NoColor> {
    let mut classes = [[0]; BLOCK];
    let mut left = rest;
    while left != 0 {
        let x = left.trailing_zeros();
        let known = class_of(pixels[x as usize], rows);
        classes[x as usize] = [known.map_err(|value| NoColor { x, value })?.class as u8];
        left &= left - 1;
    }
    left = rest;
    while left != 0 {
        let class = classes[left.trailing_zeros() as usize];
        let bits = left & equal_pixels(&classes, class);
        // The colours of this row are not looked at.
        rows.block.push((Known { class: class[0].into(), odd: Odd::No }, bits));
        left &= !bits;
    }
    Ok(())
}

/// The values of 64 pixels of up to 8 bits, the left one in the highest bits.
#[inline(always)]
fn unpacked<const DEPTH: usize>(block: &[u8]) -> [[u8; 1]; BLOCK] {
    let mut values = [[0]; BLOCK];
    for (values, byte) in values.chunks_mut(8 / DEPTH).zip(block) {
        for (place, value) in values.iter_mut().enumerate() {
            *value = [(byte >> (8 - DEPTH - place * DEPTH)) & (u8::MAX >> (8 - DEPTH))];
        }
    }
    values
}

/// The bits of the last block of a row that are pixels.
fn in_last_block(width: usize) -> u64 {
    u64::MAX >> (width.wrapping_neg() % BLOCK)
}

/// The bits of the pixels that are of this value.
#[inline(always)]
fn equal_pixels<const BYTES: usize>(pixels: &[[u8; BYTES]; BLOCK], value: [u8; BYTES]) -> u64 {
    // A byte of 0 or 1 for each pixel first, because that is done by vector instructions.
    let mut equal = [0; BLOCK];
    for (equal, pixel) in equal.iter_mut().zip(pixels) {
        *equal = u8::from(*pixel == value);
    }
    let bytes = equal.as_chunks::<8>().0.iter();
    // The product has the lowest bits of the eight bytes in its highest byte, the first byte's lowest.
    let eight =
        |bytes: &[u8; 8]| u64::from_le_bytes(*bytes).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    bytes.rev().fold(0, |bits, bytes| bits << 8 | eight(bytes))
}

/// As `==`, which would be a call of `memcmp`; this is a few vector instructions in place.
#[inline(always)]
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}
