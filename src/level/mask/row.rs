//! Judges the rows of packed samples.
//!
//! Pixels that `values` does not judge are judged here by their samples. A mask is mostly long runs of one
//! value, so pixels are held against their neighbours, 64 at a time; the samples of a pixel are looked at
//! once a run. No file, no grid.

use super::cells::{BLOCK, RowCells};
use super::count::Kind;
use super::header::Header;
use super::planes::{Belongs, Planes};
use super::rule::{MaskRule, Pixel};
use super::values::Values;

/// What a rule made of a pixel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Judged {
    pub(super) kind: Kind,
    pub(super) solid: bool,
    /// The areas that it belongs to, as in [`Belongs`].
    pub(super) areas: u32,
}

impl Judged {
    /// True if it matters only how many such pixels there are, not where, but for the bits of the level.
    pub(super) fn is_plain(self) -> bool {
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
    Values { depth: u8, values: Values },
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
                values: Values::new(table.map(|pixel| law.judge(&pixel)).collect()),
            };
        }
        if header.channels == 1 && header.depth <= 8 {
            let table = (0..=max).map(|value| pixel_of(&[value], max, header.key));
            return Self::Values {
                depth: header.depth,
                values: Values::new(table.map(|pixel| law.judge(&pixel)).collect()),
            };
        }
        Self::Samples {
            law,
            pixel_bytes: header.channels * usize::from(header.depth) / 8,
            wide: header.depth == 16,
            key: header.key,
        }
    }

    /// Judges the first `pixels` pixels of `row`.
    pub(super) fn add_row(
        &self,
        row: &[u8],
        pixels: usize,
        cells: &mut RowCells<'_>,
    ) -> Result<(), NoColor> {
        match self {
            Self::Values { depth, values } => match depth {
                1 => values.add_bits(row, pixels, cells),
                2 => values.add_packed::<2>(row, pixels, cells),
                4 => values.add_packed::<4>(row, pixels, cells),
                _ => values.add_row(&row[..pixels], cells),
            },
            Self::Samples {
                law,
                pixel_bytes,
                wide,
                key,
            } => {
                match (pixel_bytes, *wide) {
                    (2, false) => add_samples::<2, false>(row, law, *key, cells),
                    (2, true) => add_samples::<2, true>(row, law, *key, cells),
                    (3, _) => add_samples::<3, false>(row, law, *key, cells),
                    (4, false) => add_samples::<4, false>(row, law, *key, cells),
                    (4, true) => add_samples::<4, true>(row, law, *key, cells),
                    (6, _) => add_samples::<6, true>(row, law, *key, cells),
                    _ => add_samples::<8, true>(row, law, *key, cells),
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

/// Judges pixels of `BYTES` bytes, of 16-bit samples if `WIDE`.
fn add_samples<const BYTES: usize, const WIDE: bool>(
    row: &[u8],
    law: &Law<'_>,
    key: Option<[u32; 3]>,
    cells: &mut RowCells<'_>,
) {
    // Two are remembered, because a mask goes from one to the other and back.
    let mut known: [Option<([u8; BYTES], Judged)>; 2] = [None; 2];
    let mut judge = |pixel: [u8; BYTES]| {
        let [last, before] = known;
        if let Some((_, judged)) = last.filter(|(value, _)| *value == pixel) {
            return judged;
        }
        let judged = match before.filter(|(value, _)| *value == pixel) {
            Some((_, judged)) => judged,
            None => law.judge(&pixel_of_bytes::<BYTES, WIDE>(pixel, key)),
        };
        known = [Some((pixel, judged)), last];
        judged
    };
    let (pixels, _) = row.as_chunks::<BYTES>();
    let mut block = 0;
    while block * BLOCK < pixels.len() {
        let start = block * BLOCK;
        let same = equal_blocks(pixels, start);
        if same > 0 {
            cells.add_blocks(block..block + same, judge(pixels[start]));
            block += same;
            continue;
        }
        let pixels = &pixels[start..pixels.len().min(start + BLOCK)];
        let mut first = 0;
        while let Some(pixel) = pixels.get(first) {
            let end = first + 1 + equal_pixels(pixels, first);
            let bits = (u64::MAX << first) & (u64::MAX >> (BLOCK - end));
            cells.add(block, bits, (end - first) as u32, judge(*pixel));
            first = end;
        }
        block += 1;
    }
}

/// The pixel of these bytes, which are 16-bit samples if `WIDE`.
fn pixel_of_bytes<const BYTES: usize, const WIDE: bool>(
    pixel: [u8; BYTES],
    key: Option<[u32; 3]>,
) -> Pixel {
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
    pixel_of(&samples[..count], max, key)
}

/// The number of whole blocks from pixel `start` on in which every pixel is as the one to the left of it.
#[inline]
fn equal_blocks<const BYTES: usize>(pixels: &[[u8; BYTES]], start: usize) -> usize {
    let Some(before) = start.checked_sub(1) else {
        return 0;
    };
    let (blocks, _) = pixels[start..].as_chunks::<BLOCK>();
    let (shifted, _) = pixels[before..].as_chunks::<BLOCK>();
    let pairs = blocks.iter().zip(shifted);
    pairs
        .take_while(|(a, b)| is_equal(a.as_flattened(), b.as_flattened()))
        .count()
}

/// The number of pixels to the right of pixel `first` that are as it is.
#[inline]
fn equal_pixels<const BYTES: usize>(pixels: &[[u8; BYTES]], first: usize) -> usize {
    let (this, next) = (&pixels[first..], &pixels[first + 1..]);
    common_prefix(next.as_flattened(), this.as_flattened()) / BYTES
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
