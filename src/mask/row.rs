//! The kernel: a row of packed samples to runs of pixels that are judged alike.
//!
//! Free functions over plain bytes; no file, no grid. A mask is mostly long runs of one value, so pixels are
//! held against the first of a run, 64 at a time; the samples of a pixel are looked at once a run.

use std::ops::Range;

use super::count::Kind;
use super::header::Header;
use crate::rules::mask::{MaskRule, Pixel};
use crate::rules::planes::{Belongs, Planes};

/// Pixels that are looked at together.
const BLOCK: usize = 64;

/// What a rule made of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) kind: Kind,
    pub(super) solid: bool,
    /// The areas that it belongs to, as in [`Belongs`].
    pub(super) areas: u32,
}

impl Judged {
    fn is_plain(&self) -> bool {
        self.areas == 0 && !matches!(self.kind, Kind::Gray | Kind::Translucent)
    }
}

/// By what pixels are judged.
#[derive(Clone, Copy, Debug)]
pub(super) struct Law<'a> {
    pub(super) rule: &'a MaskRule,
    pub(super) planes: &'a Planes<'a>,
}

impl Law<'_> {
    fn judge(&self, pixel: &Pixel) -> Judged {
        let kind = Kind::of(pixel);
        match self.planes.of(pixel) {
            Some(Belongs { areas, solid }) => Judged {
                kind: kind.in_plane(),
                solid,
                areas,
            },
            None => Judged {
                kind,
                solid: self.rule.is_solid(pixel),
                areas: 0,
            },
        }
    }
}

/// A pixel whose value has no entry in the palette.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NoColor {
    /// Its place in the row.
    pub(super) place: usize,
    /// Its value.
    pub(super) index: u8,
}

/// How to judge the pixels of one picture.
pub(super) enum Judge<'a> {
    /// By their value: the pixels of a palette, or of gray of at most 8 bits.
    Values { depth: u8, table: Vec<Judged> },
    /// By their 8 or 16 bit samples.
    Samples {
        law: Law<'a>,
        pixel_bytes: usize,
        wide: bool,
        /// The colour that is transparent.
        key: Option<[u32; 3]>,
    },
}

impl<'a> Judge<'a> {
    pub(super) fn new(law: Law<'a>, header: &Header) -> Self {
        let max = (1 << header.depth) - 1;
        if let Some(palette) = &header.palette {
            let table = palette.iter().map(|[red, green, blue, alpha]| Pixel {
                rgb: [red, green, blue].map(|byte| u32::from(*byte)),
                alpha: u32::from(*alpha),
                max: 255,
            });
            return Self::Values {
                depth: header.depth,
                table: table.map(|pixel| law.judge(&pixel)).collect(),
            };
        }
        if header.channels == 1 && header.depth <= 8 {
            let table = (0..=max).map(|value| pixel_of(&[value], max, header.key));
            return Self::Values {
                depth: header.depth,
                table: table.map(|pixel| law.judge(&pixel)).collect(),
            };
        }
        Self::Samples {
            law,
            pixel_bytes: header.channels * usize::from(header.depth) / 8,
            wide: header.depth == 16,
            key: header.key,
        }
    }

    /// What 0 and 1 are judged if pixels are bits of which it matters only how many there are of each, and
    /// not where, but for the cells of the level: black and white.
    pub(super) fn plain_bits(&self) -> Option<[Judged; 2]> {
        let Self::Values { depth: 1, table } = self else {
            return None;
        };
        let pair = *table.first_chunk()?;
        pair.iter().all(Judged::is_plain).then_some(pair)
    }

    /// Gives the runs of the first `pixels` pixels of `row`, from left to right, to `found`.
    #[inline]
    pub(super) fn runs(
        &self,
        row: &[u8],
        pixels: usize,
        found: impl FnMut(Range<usize>, Judged),
    ) -> Result<(), NoColor> {
        match self {
            Self::Values { depth: 1, table } => bit_runs(row, pixels, table, found),
            Self::Values { depth: 2, table } => packed_runs::<2>(row, pixels, table, found),
            Self::Values { depth: 4, table } => packed_runs::<4>(row, pixels, table, found),
            Self::Values { table, .. } => value_runs(&row[..pixels], table, found),
            Self::Samples {
                law,
                pixel_bytes,
                wide,
                key,
            } => {
                match (pixel_bytes, *wide) {
                    (2, false) => sample_runs::<2, false>(row, law, *key, found),
                    (2, true) => sample_runs::<2, true>(row, law, *key, found),
                    (3, _) => sample_runs::<3, false>(row, law, *key, found),
                    (4, false) => sample_runs::<4, false>(row, law, *key, found),
                    (4, true) => sample_runs::<4, true>(row, law, *key, found),
                    (6, _) => sample_runs::<6, true>(row, law, *key, found),
                    _ => sample_runs::<8, true>(row, law, *key, found),
                }
                Ok(())
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
    Pixel {
        rgb,
        alpha: alpha.unwrap_or(by_key),
        max,
    }
}

/// Runs of pixels of `BYTES` bytes, of 16-bit samples if `WIDE`.
fn sample_runs<const BYTES: usize, const WIDE: bool>(
    row: &[u8],
    law: &Law<'_>,
    key: Option<[u32; 3]>,
    mut found: impl FnMut(Range<usize>, Judged),
) {
    let judge = |pixel: [u8; BYTES]| {
        let mut samples = [0; BYTES];
        let (count, max) = if WIDE {
            (BYTES / 2, 65_535)
        } else {
            (BYTES, 255)
        };
        for (place, sample) in samples[..count].iter_mut().enumerate() {
            *sample = if WIDE {
                u32::from(u16::from_be_bytes([pixel[place * 2], pixel[place * 2 + 1]]))
            } else {
                u32::from(pixel[place])
            };
        }
        law.judge(&pixel_of(&samples[..count], max, key))
    };
    // Two are remembered, because a mask goes from one to the other and back.
    let mut known: [Option<([u8; BYTES], Judged)>; 2] = [None; 2];
    equal_runs(row.as_chunks().0, |run, pixel| {
        let [last, before] = known;
        let judged = match before.filter(|(value, _)| *value == pixel) {
            Some((_, judged)) => judged,
            None => judge(pixel),
        };
        known = [Some((pixel, judged)), last];
        found(run, judged);
    });
}

/// Runs of pixels of one byte.
fn value_runs(
    row: &[u8],
    table: &[Judged],
    mut found: impl FnMut(Range<usize>, Judged),
) -> Result<(), NoColor> {
    let mut missing = None;
    equal_runs(row.as_chunks().0, |run, [index]| {
        match table.get(usize::from(index)) {
            Some(judged) => found(run, *judged),
            None => {
                missing.get_or_insert(NoColor {
                    place: run.start,
                    index,
                });
            }
        }
    });
    missing.map_or(Ok(()), Err)
}

/// Runs of pixels of 2 or 4 bits, the left one in the highest bits.
fn packed_runs<const DEPTH: usize>(
    row: &[u8],
    pixels: usize,
    table: &[Judged],
    mut found: impl FnMut(Range<usize>, Judged),
) -> Result<(), NoColor> {
    let mut values = [0; BLOCK];
    for (block, bytes) in row.chunks(BLOCK * DEPTH / 8).enumerate() {
        let start = block * BLOCK;
        for (values, byte) in values.chunks_mut(8 / DEPTH).zip(bytes) {
            for (place, value) in values.iter_mut().enumerate() {
                *value = (byte >> (8 - DEPTH - place * DEPTH)) & ((1 << DEPTH) - 1);
            }
        }
        let count = BLOCK.min(pixels.saturating_sub(start));
        let moved = |run: Range<usize>| run.start + start..run.end + start;
        value_runs(&values[..count], table, |run, judged| {
            found(moved(run), judged)
        })
        .map_err(|missing| NoColor {
            place: missing.place + start,
            ..missing
        })?;
    }
    Ok(())
}

/// Runs of pixels of 1 bit, the left one in the highest bit.
fn bit_runs(
    row: &[u8],
    pixels: usize,
    table: &[Judged],
    mut found: impl FnMut(Range<usize>, Judged),
) -> Result<(), NoColor> {
    let mut value = row.first().map_or(0, |byte| byte >> 7);
    let mut start = 0;
    let mut found = |run: Range<usize>, index: u8| match table.get(usize::from(index)) {
        Some(judged) => {
            found(run, *judged);
            Ok(())
        }
        None => Err(NoColor {
            place: run.start,
            index,
        }),
    };
    for (block, bytes) in row.chunks(BLOCK / 8).enumerate() {
        let mut word = [0; BLOCK / 8];
        word[..bytes.len()].copy_from_slice(bytes);
        let word = u64::from_be_bytes(word);
        // The bits that differ from the one to the left of them.
        let mut changes = word ^ (word >> 1 | u64::from(value) << 63);
        while changes != 0 {
            let place = changes.leading_zeros();
            let end = block * BLOCK + place as usize;
            if end >= pixels {
                break;
            }
            found(start..end, value)?;
            start = end;
            value ^= 1;
            changes ^= 1 << (63 - place);
        }
    }
    found(start..pixels, value)
}

/// The longest runs of equal pixels.
#[inline(always)]
fn equal_runs<const BYTES: usize>(
    pixels: &[[u8; BYTES]],
    mut found: impl FnMut(Range<usize>, [u8; BYTES]),
) {
    let mut start = 0;
    while let Some(pixel) = pixels.get(start) {
        let end = start + 1 + equal_pixels(&pixels[start + 1..], *pixel);
        found(start..end, *pixel);
        start = end;
    }
}

/// The number of pixels at the start that are of this value.
#[inline]
fn equal_pixels<const BYTES: usize>(pixels: &[[u8; BYTES]], value: [u8; BYTES]) -> usize {
    let (pattern, mut equal) = ([value; BLOCK], 0);
    for block in pixels.as_chunks::<BLOCK>().0 {
        if !is_equal(block.as_flattened(), pattern.as_flattened()) {
            break;
        }
        equal += BLOCK;
    }
    let rest = &pixels[equal..];
    equal + common_prefix(rest.as_flattened(), pattern.as_flattened()) / BYTES
}

/// The number of bytes at the start of both slices that are equal.
#[inline]
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let words = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0);
    let mut end = 0;
    for (a, b) in words {
        let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differ != 0 {
            return end + differ.trailing_zeros() as usize / 8;
        }
        end += 8;
    }
    end + a[end..]
        .iter()
        .zip(&b[end..])
        .take_while(|(a, b)| a == b)
        .count()
}

/// As `==`, which would be a call of `memcmp`; this is a few vector instructions in place.
#[inline(always)]
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.iter().zip(b).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}
