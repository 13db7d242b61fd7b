//! The kernel: splits a row of packed samples by the classes of its pixels.
//!
//! Plain bytes in, words of 64 bits out; no file, no grid. A row of 1-bit pixels is split by whole words. Of
//! other rows a block of 64 pixels is split at a time. One with the bytes of the block before it, the common
//! case, is split like that one. One of few values is split value by value: the cost depends on their number,
//! and not on the number of times that they take turns. Others are split by their lightness, if that decides,
//! or else by the class of each pixel.

use super::class::MaskRules;
use super::lanes::{Lanes, shades_of_gray_alpha, shades_of_rgb, shades_of_rgba, which};
use super::odd::{Odd, OddPixels};
use super::picture::Header;
use super::rows::{BLOCK, ClassRow, Known, Rows, in_last_block};
use super::shades::{Lights, Shades};
use crate::rules::mask::Pixel;

/// The blocks after one of many values that are taken for such ones too.
const NOISY: u32 = 16;

/// The values of a row that are remembered with their classes: those of 8 bits of a hash.
const REMEMBERED: usize = 256;

/// More classes than these are not split by class: their numbers must fit in a byte.
const MOST_BY_CLASS: usize = 256;

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

/// How the class of a pixel is found.
enum Lookup<'a> {
    /// By its value, an index of a palette or gray of at most 8 bits. A value past a short palette has no
    /// class.
    Value(Vec<Known>),
    /// By its value, gray of 8 bits.
    Shade(Shades),
    /// By its 8 or 16 bit samples.
    Samples(Samples<'a>),
}

/// How pixels of several samples, or of 16 bits a sample, are classified.
struct Samples<'a> {
    rules: MaskRules<'a>,
    channels: usize,
    /// The colour that is transparent.
    key: Option<[u32; 3]>,
    /// For blocks of opaque gray of 8 bits a sample.
    shades: Option<Shades>,
    /// For blocks of opaque colours of 8 bits a sample.
    lights: Option<Lights>,
}

impl NoColor {
    /// The same pixel of a row, by its x in a block.
    fn in_block(self, at: usize) -> Self {
        Self { x: self.x + (at * BLOCK) as u32, ..self }
    }
}

impl<'a> Classifier<'a> {
    pub(super) fn new(rules: MaskRules<'a>, header: &Header) -> Self {
        let mut rows = Rows::new(header.size.x);
        let (depth, max) = (header.depth, (1 << header.depth) - 1);
        let lookup = if let Some(palette) = &header.palette {
            let pixel = |[red, green, blue, alpha]: &[u8; 4]| {
                let samples = [*red, *green, *blue, *alpha].map(u32::from);
                pixel_of(&samples, 255, None)
            };
            Lookup::Value(palette.iter().map(|color| rows.know(&rules, &pixel(color))).collect())
        } else if header.channels == 1 && depth <= 8 {
            let of = |value| pixel_of(&[value], max, header.key);
            let shades = if depth == 8 { Shades::new(&rules, &mut rows, of) } else { None };
            let values =
                |rows: &mut Rows| (0..=max).map(|value| rows.know(&rules, &of(value))).collect();
            shades.map_or_else(|| Lookup::Value(values(&mut rows)), Lookup::Shade)
        } else {
            let (channels, key) = (header.channels, header.key);
            let gray = |shade| pixel_of(&[shade; 3], 255, key);
            let is_short = depth == 8;
            let shades = if is_short { Shades::new(&rules, &mut rows, gray) } else { None };
            let is_plain = is_short && channels > 2 && key.is_none();
            let lights = if is_plain { Lights::new(&rules, &mut rows) } else { None };
            Lookup::Samples(Samples { rules, channels, key, shades, lights })
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
        rows.start(y);
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
            Lookup::Shade(shades) => blocks::<64>(row, rows, |block, rest, rows, at| {
                match is_uniform(block) {
                    true => shades.add_uniform(block[0], rest, rows, at),
                    false => return Ok(shades.split(&Lanes::<1>(*block), rest, rows, at)),
                }
                Ok(true)
            }),
            Lookup::Samples(look) => match (*depth, look.channels) {
                (8, 2) => samples::<2, 128, 1, false>(row, look, rows, shades_of_gray_alpha),
                (8, 3) => samples::<3, 192, 3, false>(row, look, rows, shades_of_rgb),
                (8, _) => samples::<4, 256, 1, false>(row, look, rows, shades_of_rgba),
                (_, 1) => samples::<2, 128, 1, true>(row, look, rows, |_| None),
                (_, 2) => samples::<4, 256, 1, true>(row, look, rows, |_| None),
                (_, 3) => samples::<6, 384, 1, true>(row, look, rows, |_| None),
                _ => samples::<8, 512, 1, true>(row, look, rows, |_| None),
            },
        }?;
        Ok(rows.classes.iter().filter(|row| row.is_used))
    }

    /// The colours of the odd pixels of all rows, without their bits.
    pub(super) fn into_odd(self) -> Option<Box<OddPixels>> {
        self.rows.odd
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
        let row = &mut rows.classes[known.class as usize];
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
    let mut class_of =
        |[value]: [u8; 1], _: &mut Rows| classes.get(usize::from(value)).copied().ok_or(value);
    blocks::<BLOCK_BYTES>(row, rows, |block, rest, rows, at| {
        let pixels = unpacked::<DEPTH>(block);
        match split_few(&pixels, rest, rows, at, &mut class_of)? {
            true => Ok(true),
            false => split_by_class(&pixels, rest, rows, at, &mut class_of),
        }
    })
}

/// Splits pixels of `BYTES` bytes, of 16-bit samples if `WIDE`; `BLOCK_BYTES` are 64 of them. `shades_of`
/// gives the shades of a block of opaque gray.
fn samples<const BYTES: usize, const BLOCK_BYTES: usize, const STEP: usize, const WIDE: bool>(
    row: &[u8],
    look: &mut Samples<'_>,
    rows: &mut Rows,
    shades_of: impl Fn(&[u8; BLOCK_BYTES]) -> Option<Lanes<STEP>>,
) -> Result<(), NoColor> {
    let Samples { rules, key, shades, lights, .. } = look;
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
        rows.know(rules, &pixel_of(&samples[..count], max, *key))
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
    // The blocks that are taken for noise without a look at their values.
    let mut noisy = 0;
    blocks::<BLOCK_BYTES>(row, rows, |block, rest, rows, at| {
        if let Some(shades) = shades {
            // Of a block of equal bytes each sample is a shade, and alpha is full for white only.
            if is_uniform(block) && (BYTES == 3 || block[0] == u8::MAX) {
                shades.add_uniform(block[0], rest, rows, at);
                return Ok(true);
            }
            if let Some(lanes) = shades_of(block) {
                return Ok(shades.split(&lanes, rest, rows, at));
            }
        }
        let Some(pixels) = block.as_chunks().0.first_chunk::<BLOCK>() else {
            return Ok(false);
        };
        if noisy == 0 && split_few::<BYTES>(pixels, rest, rows, at, &mut class_of)? {
            return Ok(true);
        }
        noisy = if noisy == 0 { NOISY } else { noisy - 1 };
        match lights {
            Some(lights) if lights.split(pixels, rest, rows, at) => Ok(false),
            _ => split_by_class(pixels, rest, rows, at, &mut class_of),
        }
    })
}

/// Splits a row by blocks of `BYTES` bytes. `split` gets the bytes of a block, the bits of its pixels that
/// are in the row, and the number of its word. It returns true if the block of [`Rows`] has the pixels.
#[inline(always)]
fn blocks<const BYTES: usize>(
    row: &[u8],
    rows: &mut Rows,
    mut split: impl FnMut(&[u8; BYTES], u64, &mut Rows, usize) -> Result<bool, NoColor>,
) -> Result<(), NoColor> {
    let whole = &row.as_chunks().0[..rows.width / BLOCK];
    let mut before = None;
    for (at, block) in whole.iter().enumerate() {
        if before.is_some_and(|before| is_equal(before, block)) {
            rows.add_block(at);
            continue;
        }
        let is_kept = split(block, u64::MAX, rows, at);
        before = is_kept.map_err(|missing| missing.in_block(at))?.then_some(block);
    }
    if !rows.width.is_multiple_of(BLOCK) {
        let mut last = [0; BYTES];
        let rest = &row[whole.len() * BYTES..];
        last[..rest.len()].copy_from_slice(rest);
        // The last pixel goes on, so that the block is as plain as the row is.
        for place in rest.len()..BYTES {
            last[place] = last[place.saturating_sub((BYTES / BLOCK).max(1))];
        }
        split(&last, in_last_block(rows.width), rows, whole.len())
            .map_err(|missing| missing.in_block(whole.len()))?;
    }
    Ok(())
}

/// Splits the pixels of a block whose bits are set in `rest`, by value. False, and nothing is done, if there
/// are many values.
#[inline(always)]
fn split_few<const BYTES: usize>(
    pixels: &[[u8; BYTES]; BLOCK],
    mut rest: u64,
    rows: &mut Rows,
    at: usize,
    mut class_of: impl FnMut([u8; BYTES], &mut Rows) -> Result<Known, u8>,
) -> Result<bool, NoColor> {
    rows.start_block();
    while rest != 0 {
        let x = rest.trailing_zeros();
        let value = pixels[x as usize];
        let known = class_of(value, rows).map_err(|value| NoColor { x, value })?;
        let bits = rest & which(pixels, |pixel| pixel == value);
        // In a block of more values, as of a photo, most values have one pixel.
        if !rows.put(known, bits) {
            return Ok(false);
        }
        rest ^= bits;
    }
    rows.add_block(at);
    Ok(true)
}

/// Splits the pixels of a block whose bits are set in `rest`, by the class of each pixel: of noise and soft
/// edges, in which almost each pixel has a value of its own. Classes are few. Always false: the block before
/// is not kept.
#[inline(always)]
fn split_by_class<const BYTES: usize>(
    pixels: &[[u8; BYTES]; BLOCK],
    rest: u64,
    rows: &mut Rows,
    at: usize,
    mut class_of: impl FnMut([u8; BYTES], &mut Rows) -> Result<Known, u8>,
) -> Result<bool, NoColor> {
    let mut classes = Lanes::<1>([0; BLOCK]);
    let mut by_class = rest;
    let mut left = rest;
    while left != 0 {
        let x = left.trailing_zeros();
        let known = class_of(pixels[x as usize], rows);
        let known = known.map_err(|value| NoColor { x, value })?;
        let bit = left & left.wrapping_neg();
        if known.class < MOST_BY_CLASS as u32 {
            classes.0[x as usize] = known.class as u8;
        } else {
            rows.add(at, known.class, bit);
            by_class ^= bit;
        }
        rows.add_color(at, known.odd, bit);
        left ^= bit;
    }
    while by_class != 0 {
        let class = classes.get(by_class.trailing_zeros());
        let bits = by_class & classes.equal(class);
        rows.add(at, class.into(), bits);
        by_class ^= bits;
    }
    Ok(false)
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

/// As `==`, which would be a call of `memcmp`; this is a few vector instructions in place.
#[inline(always)]
fn is_equal<const BYTES: usize>(a: &[u8; BYTES], b: &[u8; BYTES]) -> bool {
    // Most blocks that differ do so at an end.
    let is_candidate = a.first() == b.first() && a.last() == b.last();
    is_candidate && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

/// True for a block of one byte's value.
#[inline(always)]
fn is_uniform<const BYTES: usize>(block: &[u8; BYTES]) -> bool {
    let [first, .., last] = block[..] else {
        return true;
    };
    first == last && block.iter().fold(0, |differ, byte| differ | (byte ^ first)) == 0
}
