//! The kernel: classifies a row of packed samples, 64 pixels at a time.
//!
//! Free functions over plain bytes; no file, no grid. A block of 64 pixels is split into one word of bits for
//! each class in it, so that the cost depends on the number of different values in a block, and not on the
//! number of times that they take turns. A block of one value, the common case, is a few vector instructions.

use super::class::{MaskRules, PixelClass};
use super::picture::Header;
use crate::rules::mask::Pixel;

/// Pixels that are classified together: the bits of a word.
const BLOCK: usize = 64;

/// Pixels of one class among 64 of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pixels {
    /// The x of the first of the 64, a multiple of 64.
    pub(super) x: u32,
    /// Bit `i` is set if the pixel at `x + i` is one of them; at least one is.
    pub(super) bits: u64,
}

/// A pixel whose value has no entry in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoColor {
    pub(super) x: u32,
    pub(super) value: u8,
}

/// Classifies the pixels of one picture.
pub(super) enum Classifier<'a> {
    /// By their value: the pixels of a palette, or of gray of at most 8 bits.
    Values {
        depth: u8,
        /// By value; shorter than the range of values if the palette is.
        classes: Vec<PixelClass>,
    },
    /// By their 8 or 16 bit samples.
    Samples {
        rules: MaskRules<'a>,
        pixel_bytes: usize,
        wide: bool,
        /// The colour that is transparent.
        key: Option<[u32; 3]>,
    },
}

impl<'a> Classifier<'a> {
    pub(super) fn new(rules: MaskRules<'a>, header: &Header) -> Self {
        let (depth, max) = (header.depth, (1 << header.depth) - 1);
        if let Some(palette) = &header.palette {
            let pixels = palette.iter().map(|[red, green, blue, alpha]| Pixel {
                rgb: [red, green, blue].map(|byte| u32::from(*byte)),
                alpha: u32::from(*alpha),
                max: 255,
            });
            let classes = pixels.map(|pixel| rules.classify(&pixel)).collect();
            return Self::Values { depth, classes };
        }
        if header.channels == 1 && depth <= 8 {
            let pixels = (0..=max).map(|value| pixel_of(&[value], max, header.key));
            let classes = pixels.map(|pixel| rules.classify(&pixel)).collect();
            return Self::Values { depth, classes };
        }
        Self::Samples {
            rules,
            pixel_bytes: header.channels * usize::from(depth) / 8,
            wide: depth == 16,
            key: header.key,
        }
    }

    /// Gives the first `width` pixels of `row` to `each`, by class, blocks from left to right.
    #[inline]
    pub(super) fn classify(
        &self,
        row: &[u8],
        width: usize,
        each: impl FnMut(Pixels, PixelClass),
    ) -> Result<(), NoColor> {
        match self {
            Self::Values { depth: 1, classes } => bit_blocks(row, width, classes, each),
            Self::Values { depth: 2, classes } => packed_blocks::<2>(row, width, classes, each),
            Self::Values { depth: 4, classes } => packed_blocks::<4>(row, width, classes, each),
            Self::Values { classes, .. } => {
                let class_of = |[value]: [u8; 1]| class_of_value(classes, value);
                blocks(row[..width].as_chunks().0, class_of, each)
            }
            Self::Samples { rules, pixel_bytes, wide, key } => match (pixel_bytes, *wide) {
                (2, false) => sample_blocks::<2, false>(row, rules, *key, each),
                (2, true) => sample_blocks::<2, true>(row, rules, *key, each),
                (3, _) => sample_blocks::<3, false>(row, rules, *key, each),
                (4, false) => sample_blocks::<4, false>(row, rules, *key, each),
                (4, true) => sample_blocks::<4, true>(row, rules, *key, each),
                (6, _) => sample_blocks::<6, true>(row, rules, *key, each),
                _ => sample_blocks::<8, true>(row, rules, *key, each),
            },
        }
    }
}

/// The class of a value, or the value itself if it has none.
#[inline]
fn class_of_value(classes: &[PixelClass], value: u8) -> Result<PixelClass, u8> {
    classes.get(usize::from(value)).copied().ok_or(value)
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

/// Pixels of `BYTES` bytes, of 16-bit samples if `WIDE`.
fn sample_blocks<const BYTES: usize, const WIDE: bool>(
    row: &[u8],
    rules: &MaskRules<'_>,
    key: Option<[u32; 3]>,
    each: impl FnMut(Pixels, PixelClass),
) -> Result<(), NoColor> {
    let classify = |pixel: [u8; BYTES]| {
        let mut samples = [0; BYTES];
        let (count, max) = if WIDE { (BYTES / 2, 65_535) } else { (BYTES, 255) };
        for (place, sample) in samples[..count].iter_mut().enumerate() {
            *sample = if WIDE {
                u32::from(u16::from_be_bytes([pixel[place * 2], pixel[place * 2 + 1]]))
            } else {
                u32::from(pixel[place])
            };
        }
        rules.classify(&pixel_of(&samples[..count], max, key))
    };
    // Two are remembered, because most masks have two colours.
    let mut known = [[0; BYTES], [255; BYTES]].map(|pixel| (pixel, classify(pixel)));
    let class_of = |pixel| {
        if known[0].0 != pixel {
            known.swap(0, 1);
            if known[0].0 != pixel {
                known[0] = (pixel, classify(pixel));
            }
        }
        Ok(known[0].1)
    };
    blocks(row.as_chunks().0, class_of, each)
}

/// Pixels of 1 bit, the left one in the highest bit.
fn bit_blocks(
    row: &[u8],
    width: usize,
    classes: &[PixelClass],
    mut each: impl FnMut(Pixels, PixelClass),
) -> Result<(), NoColor> {
    for (x, bytes) in (0..).step_by(BLOCK).zip(row.chunks(BLOCK / 8)) {
        let mut word = [0; BLOCK / 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let ones = u64::from_be_bytes(word).reverse_bits();
        let inside = first_bits(width - x);
        for (value, bits) in [(0, !ones & inside), (1, ones & inside)] {
            if bits != 0 {
                give(x, bits, class_of_value(classes, value), &mut each)?;
            }
        }
    }
    Ok(())
}

/// Pixels of 2 or 4 bits, the left one in the highest bits.
fn packed_blocks<const DEPTH: usize>(
    row: &[u8],
    width: usize,
    classes: &[PixelClass],
    mut each: impl FnMut(Pixels, PixelClass),
) -> Result<(), NoColor> {
    let mut values = [[0]; BLOCK];
    for (x, bytes) in (0..).step_by(BLOCK).zip(row.chunks(BLOCK * DEPTH / 8)) {
        for (values, byte) in values.chunks_mut(8 / DEPTH).zip(bytes) {
            for (place, value) in values.iter_mut().enumerate() {
                *value = [(byte >> (8 - DEPTH - place * DEPTH)) & ((1 << DEPTH) - 1)];
            }
        }
        let class_of = |[value]: [u8; 1]| class_of_value(classes, value);
        block(&values, x, first_bits(width - x), class_of, &mut each)?;
    }
    Ok(())
}

/// Pixels of whole bytes.
#[inline(always)]
fn blocks<const BYTES: usize>(
    pixels: &[[u8; BYTES]],
    mut class_of: impl FnMut([u8; BYTES]) -> Result<PixelClass, u8>,
    mut each: impl FnMut(Pixels, PixelClass),
) -> Result<(), NoColor> {
    let (whole, rest) = pixels.as_chunks::<BLOCK>();
    let places = (0..).step_by(BLOCK);
    for (x, pixels) in places.zip(whole) {
        block(pixels, x, u64::MAX, &mut class_of, &mut each)?;
    }
    if let [first, ..] = rest {
        let mut last = [*first; BLOCK];
        last[..rest.len()].copy_from_slice(rest);
        let x = whole.len() * BLOCK;
        block(&last, x, first_bits(rest.len()), class_of, each)?;
    }
    Ok(())
}

/// Splits a block, those of its pixels whose bits are set in `rest`, by value.
#[inline(always)]
fn block<const BYTES: usize>(
    pixels: &[[u8; BYTES]; BLOCK],
    x: usize,
    mut rest: u64,
    mut class_of: impl FnMut([u8; BYTES]) -> Result<PixelClass, u8>,
    mut each: impl FnMut(Pixels, PixelClass),
) -> Result<(), NoColor> {
    if is_equal(pixels.as_flattened(), [pixels[0]; BLOCK].as_flattened()) {
        return give(x, rest, class_of(pixels[0]), each);
    }
    while rest != 0 {
        let value = pixels[rest.trailing_zeros() as usize];
        let bits = rest & equal_pixels(pixels, value);
        give(x, bits, class_of(value), &mut each)?;
        rest &= !bits;
    }
    Ok(())
}

/// Gives pixels of one value to `each`.
#[inline(always)]
fn give(
    x: usize,
    bits: u64,
    class: Result<PixelClass, u8>,
    mut each: impl FnMut(Pixels, PixelClass),
) -> Result<(), NoColor> {
    let x = x as u32;
    match class {
        Ok(class) => {
            each(Pixels { x, bits }, class);
            Ok(())
        }
        Err(value) => Err(NoColor { x: x + bits.trailing_zeros(), value }),
    }
}

/// The bits of the first `count` pixels of a block, of which there is at least one.
#[inline]
fn first_bits(count: usize) -> u64 {
    u64::MAX >> (BLOCK - count.min(BLOCK))
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
