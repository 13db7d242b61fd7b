//! The kernel: splits a row of packed samples by the classes of its pixels.
//!
//! Plain bytes in, words of 64 bits out; no file, no grid. A row of 1-bit pixels is split by whole words. Of
//! other rows a block of 64 pixels is split at a time: one with the bytes of the block before it, the common
//! case, like that one; one of few values value by value; others by the class of each pixel. The class of a
//! value of a byte, and of an opaque gray, stands in a table; that of another colour is worked out.

use super::class::MaskRules;
use super::lanes::{Lanes, shades_of_gray_alpha, shades_of_rgb, shades_of_rgba, which};
use super::odd::{Odd, OddPixels};
use super::picture::Header;
use super::rows::{BLOCK, ClassRow, Known, Rows, in_last_block};
use crate::rules::mask::Pixel;

/// The blocks after one of many values that are taken for such ones too: noise.
const NOISY: u32 = 16;

/// The values of a row that are remembered with their classes: those of 8 bits of a hash.
const REMEMBERED: usize = 256;

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
    /// By its value, an index of a palette or gray of at most 8 bits.
    Value(Table),
    /// By its 8 or 16 bit samples.
    Samples(Samples<'a>),
}

/// The classes of the values of a byte.
struct Table {
    /// By the value. One past a short palette has none.
    known: Vec<Known>,
    /// The numbers of the classes. A table is made before any other class is met, so that they fit.
    classes: Box<[u8; 256]>,
    /// The blocks that are taken for noise without a look at their values.
    noisy: u32,
}

/// How pixels of several samples, or of 16 bits a sample, are classified.
struct Samples<'a> {
    rules: MaskRules<'a>,
    channels: usize,
    /// The colour that is transparent.
    key: Option<[u32; 3]>,
    /// For blocks of opaque gray of 8 bits a sample.
    shades: Option<Table>,
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
        let Header { depth, channels, key, .. } = *header;
        let lookup = if let Some(palette) = &header.palette {
            let pixels = palette.iter().map(|color| pixel_of(&color.map(u32::from), 255, None));
            Lookup::Value(Table::new(&rules, &mut rows, pixels))
        } else if channels == 1 && depth <= 8 {
            let max = (1 << depth) - 1;
            let pixels = (0..=max).map(|value| pixel_of(&[value], max, key));
            Lookup::Value(Table::new(&rules, &mut rows, pixels))
        } else {
            let pixels = (0..=255).map(|shade| pixel_of(&[shade; 3], 255, key));
            let shades = (depth == 8).then(|| Table::new(&rules, &mut rows, pixels));
            Lookup::Samples(Samples { rules, channels, key, shades })
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
            Lookup::Value(table) => match (*depth, &table.known[..]) {
                (1, [zeros, ones, ..]) => {
                    split_bits(row, [*zeros, *ones], rows);
                    Ok(())
                }
                (1, _) => values::<1, 8>(row, table, rows),
                (2, _) => values::<2, 16>(row, table, rows),
                (4, _) => values::<4, 32>(row, table, rows),
                _ => values::<8, 64>(row, table, rows),
            },
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

impl Table {
    /// The classes of these pixels, one for each value.
    fn new(rules: &MaskRules<'_>, rows: &mut Rows, pixels: impl Iterator<Item = Pixel>) -> Self {
        let known: Vec<Known> = pixels.map(|pixel| rows.know(rules, &pixel)).collect();
        let mut classes = Box::new([0; 256]);
        classes.iter_mut().zip(&known).for_each(|(class, known)| *class = known.class as u8);
        Self { known, classes, noisy: 0 }
    }

    fn get(&self, x: u32, value: u8) -> Result<Known, NoColor> {
        self.known.get(usize::from(value)).copied().ok_or(NoColor { x, value })
    }

    /// Splits the pixels of a block whose bits are set in `rest`, as word `at` of a row. True if the block of
    /// `rows` has them, so that the next one can be added like it.
    #[inline(always)]
    fn split<const STEP: usize>(
        &mut self,
        lanes: &Lanes<STEP>,
        rest: u64,
        rows: &mut Rows,
        at: usize,
    ) -> Result<bool, NoColor> {
        if self.noisy == 0 {
            let of_value = |x, _: &mut Rows| {
                let value = lanes.get(x);
                Ok((self.get(x, value)?, lanes.equal(value)))
            };
            if split_few(rest, rows, at, of_value)? {
                return Ok(true);
            }
            self.noisy = NOISY;
        }
        self.noisy -= 1;
        if self.known.len() < 256 {
            bits_of(rest).try_for_each(|x| self.get(x, lanes.get(x)).map(drop))?;
        }
        let classes = Lanes::<STEP>(lanes.0.map(|value| self.classes[usize::from(value)]));
        let (mut left, mut odd) = (rest, 0);
        while left != 0 {
            let x = left.trailing_zeros();
            let class = classes.get(x);
            let bits = classes.equal(class) & left;
            rows.add(at, class.into(), bits);
            // All pixels of a class are odd, or none.
            if self.known[usize::from(lanes.get(x))].odd != Odd::No {
                odd |= bits;
            }
            left ^= bits;
        }
        if !rows.is_passed_over {
            for x in bits_of(odd) {
                rows.add_color(at, self.known[usize::from(lanes.get(x))].odd, 1 << x);
            }
        }
        Ok(false)
    }
}

/// The places of the ones in a word, the lowest first.
#[inline(always)]
fn bits_of(mut word: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let x = word.trailing_zeros();
        word &= word.wrapping_sub(1);
        (x < u64::BITS).then_some(x)
    })
}

/// Splits pixels of `DEPTH` bits by their value; `BLOCK_BYTES` are 64 of them.
fn values<const DEPTH: usize, const BLOCK_BYTES: usize>(
    row: &[u8],
    table: &mut Table,
    rows: &mut Rows,
) -> Result<(), NoColor> {
    blocks::<BLOCK_BYTES>(row, rows, |block, rest, rows, at| {
        table.split(&unpacked::<DEPTH>(block), rest, rows, at)
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
    let Samples { rules, key, shades, .. } = look;
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
    // Filled at the first value: noise and soft edges have some hundred.
    let mut met: Vec<([u8; BYTES], Known)> = Vec::new();
    let mut class_of = |pixel: [u8; BYTES], rows: &mut Rows| {
        if met.is_empty() {
            let known = classify(pixel, rows);
            met.resize(REMEMBERED, (pixel, known));
        }
        let mixed = pixel.iter().fold(0_u32, |mixed, byte| mixed.rotate_left(5) ^ u32::from(*byte));
        let slot = (mixed.wrapping_mul(0x9e37_79b1) >> 24) as usize;
        if met[slot].0 != pixel {
            met[slot] = (pixel, classify(pixel, rows));
        }
        met[slot].1
    };
    // The blocks that are taken for noise without a look at their values.
    let mut noisy = 0;
    blocks::<BLOCK_BYTES>(row, rows, |block, rest, rows, at| {
        if let Some(shades) = shades
            && let Some(lanes) = shades_of(block)
        {
            return shades.split(&lanes, rest, rows, at);
        }
        let Some(pixels) = block.as_chunks().0.first_chunk::<BLOCK>() else {
            return Ok(false);
        };
        if noisy == 0 {
            let of_value = |x, rows: &mut Rows| {
                let value = pixels[x as usize];
                Ok((class_of(value, rows), which(pixels, |pixel| pixel == value)))
            };
            if split_few(rest, rows, at, of_value)? {
                return Ok(true);
            }
            noisy = NOISY;
        }
        noisy -= 1;
        for x in bits_of(rest) {
            let known = class_of(pixels[x as usize], rows);
            rows.add(at, known.class, 1 << x);
            rows.add_color(at, known.odd, 1 << x);
        }
        Ok(false)
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

/// Splits the pixels of a block whose bits are set in `rest`, by value. `of_value` gives the class of the
/// pixel at an x, and all pixels of the block with its value. False, and nothing is done, if there are many
/// values, as in a photo.
#[inline(always)]
fn split_few(
    mut rest: u64,
    rows: &mut Rows,
    at: usize,
    mut of_value: impl FnMut(u32, &mut Rows) -> Result<(Known, u64), NoColor>,
) -> Result<bool, NoColor> {
    rows.start_block();
    while rest != 0 {
        let (known, bits) = of_value(rest.trailing_zeros(), rows)?;
        let bits = bits & rest;
        if !rows.put(known, bits) {
            return Ok(false);
        }
        rest ^= bits;
    }
    rows.add_block(at);
    Ok(true)
}

/// The values of 64 pixels of up to 8 bits, the left one in the highest bits.
#[inline(always)]
fn unpacked<const DEPTH: usize>(block: &[u8]) -> Lanes<1> {
    let mut values = [0; BLOCK];
    for (values, byte) in values.chunks_mut(8 / DEPTH).zip(block) {
        for (place, value) in values.iter_mut().enumerate() {
            *value = (byte >> (8 - DEPTH - place * DEPTH)) & (u8::MAX >> (8 - DEPTH));
        }
    }
    Lanes(values)
}

/// As `==`, which would be a call of `memcmp`; this is a few vector instructions in place.
#[inline(always)]
fn is_equal<const BYTES: usize>(a: &[u8; BYTES], b: &[u8; BYTES]) -> bool {
    // Most blocks that differ do so at an end.
    let is_candidate = a.first() == b.first() && a.last() == b.last();
    is_candidate && a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}
