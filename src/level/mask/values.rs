//! The kernel for pixels that are judged by their value, of 1, 2, 4 or 8 bits: palettes and gray.
//!
//! A mask is mostly long runs of one value, and where it is not, a block of 64 pixels holds few judgements.
//! So values are held against a range of values that are judged alike, 64 at a time and without a branch, and
//! only as often as the block holds such ranges. No file, no grid.

use super::cells::{BLOCK, RowCells};
use super::row::{Judged, NoColor};

/// So many ranges are tried in a block before its values are looked up one by one.
const RANGES: usize = 4;

/// What to make of every value.
pub(super) struct Values {
    judged: Vec<Judged>,
    /// By value: the range around it that is judged as it is. The values without a colour are one.
    around: Vec<Values8>,
    /// By value: the least value that is judged as it is.
    alike: Vec<u8>,
}

/// A range of values.
#[derive(Clone, Copy, Debug)]
struct Values8 {
    first: u8,
    /// The last one less the first.
    span: u8,
}

impl Values8 {
    fn one(value: u8) -> Self {
        let (first, span) = (value, 0);
        Self { first, span }
    }

    #[inline(always)]
    fn holds(self, value: u8) -> bool {
        value.wrapping_sub(self.first) <= self.span
    }

    #[inline]
    fn holds_all(self, values: &[u8; BLOCK]) -> bool {
        let outside = values.iter().map(|value| u8::from(!self.holds(*value)));
        outside.fold(0, |any, outside| any | outside) == 0
    }

    /// A bit for each value, set if it is of the range.
    #[inline]
    fn bits(self, values: &[u8; BLOCK]) -> u64 {
        let flags = values.map(|value| u8::from(self.holds(value)));
        let bytes = flags.as_chunks::<8>().0.iter().map(|flags| {
            // The product moves flag `i`, which is bit `8 * i`, to bit `56 + i`, and none beside it.
            u64::from_le_bytes(*flags).wrapping_mul(0x0102_0408_1020_4080) >> 56
        });
        (0..)
            .zip(bytes)
            .fold(0, |bits, (place, byte)| bits | byte << (8 * place))
    }
}

impl Values {
    /// From the judgements by value.
    pub(super) fn new(judged: Vec<Judged>) -> Self {
        let is_alike = |a: u8, b: u8| judged.get(usize::from(a)) == judged.get(usize::from(b));
        let mut around: Vec<Values8> = Vec::with_capacity(256);
        let mut first = 0;
        for value in 0..=255 {
            if !is_alike(first, value) {
                first = value;
            }
            around.push(Values8 { first, span: 0 });
        }
        for value in (0..256).rev() {
            let next = around.get(value + 1).copied();
            let first = around[value].first;
            around[value].span = match next {
                Some(next) if next.first == first => next.span,
                _ => value as u8 - first,
            };
        }
        let least = |value| {
            (0..value)
                .find(|other| is_alike(*other, value))
                .unwrap_or(value)
        };
        let alike = (0..=255).map(least).collect();
        Self {
            judged,
            around,
            alike,
        }
    }

    /// What this value is judged, which is that of the pixel at `place` in the row.
    #[inline]
    fn judge(&self, index: u8, place: usize) -> Result<Judged, NoColor> {
        let judged = self.judged.get(usize::from(index)).copied();
        judged.ok_or(NoColor { place, index })
    }

    /// Judges a row of pixels of one byte.
    pub(super) fn add_row(&self, row: &[u8], cells: &mut RowCells<'_>) -> Result<(), NoColor> {
        let (blocks, rest) = row.as_chunks::<BLOCK>();
        let mut block = 0;
        while let Some(values) = blocks.get(block) {
            let around = self.around[usize::from(values[0])];
            let same = blocks[block..]
                .iter()
                .take_while(|values| around.holds_all(values));
            let end = block + same.count();
            if end == block {
                self.add_block(values, block, u64::MAX, cells)?;
                block += 1;
            } else {
                let judged = self.judge(values[0], block * BLOCK)?;
                cells.add_blocks(block..end, judged);
                block = end;
            }
        }
        let mut values = [0; BLOCK];
        values[..rest.len()].copy_from_slice(rest);
        self.add_block(&values, block, first_bits(rest.len()), cells)
    }

    /// Judges a row of pixels of 2 or 4 bits, the left one in the highest bits.
    pub(super) fn add_packed<const DEPTH: usize>(
        &self,
        row: &[u8],
        pixels: usize,
        cells: &mut RowCells<'_>,
    ) -> Result<(), NoColor> {
        for (block, bytes) in row.chunks(BLOCK * DEPTH / 8).enumerate() {
            let mut values = [0; BLOCK];
            for (values, byte) in values.chunks_exact_mut(8 / DEPTH).zip(bytes) {
                for (place, value) in values.iter_mut().enumerate() {
                    *value = (byte >> (8 - DEPTH - place * DEPTH)) & ((1 << DEPTH) - 1);
                }
            }
            let inside = first_bits(pixels - block * BLOCK);
            self.add_block(&values, block, inside, cells)?;
        }
        Ok(())
    }

    /// Judges a row of pixels of 1 bit, the left one in the highest bit.
    pub(super) fn add_bits(
        &self,
        row: &[u8],
        pixels: usize,
        cells: &mut RowCells<'_>,
    ) -> Result<(), NoColor> {
        let counted = self.add_plain_bits(&row[..pixels / BLOCK * 8], cells);
        for (block, bytes) in row.chunks(8).enumerate().skip(counted) {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            let ones = u64::from_be_bytes(word).reverse_bits();
            let inside = first_bits(pixels - block * BLOCK);
            for (value, bits) in [(0, !ones & inside), (1, ones & inside)] {
                if bits != 0 {
                    let place = block * BLOCK + bits.trailing_zeros() as usize;
                    let judged = self.judge(value, place)?;
                    cells.add(block, bits, bits.count_ones(), judged);
                }
            }
        }
        Ok(())
    }

    /// Judges whole blocks of pixels of 1 bit at a few instructions each, if it matters only how many of a
    /// judgement there are: black and white. Gives the number of blocks that it judged, all or none.
    fn add_plain_bits(&self, row: &[u8], cells: &mut RowCells<'_>) -> usize {
        let (words, _) = row.as_chunks::<8>();
        let [zero, one] = self.judged[..] else {
            return 0;
        };
        if words.is_empty() || !zero.is_plain() || !one.is_plain() {
            return 0;
        }
        let ones = words
            .iter()
            .map(|bytes| u64::from_ne_bytes(*bytes).count_ones());
        let (ones, pixels) = (u64::from(ones.sum::<u32>()), words.len() * BLOCK);
        cells.count(0..pixels, pixels as u64 - ones, zero);
        cells.count(0..pixels, ones, one);
        let [zero, one] = [zero, one].map(|judged| u64::from(judged.solid).wrapping_neg());
        for (block, bytes) in words.iter().enumerate() {
            let ones = u64::from_be_bytes(*bytes).reverse_bits();
            cells.set_solid(block, (ones & one) | (!ones & zero));
        }
        words.len()
    }

    /// Judges the pixels of a block that are `inside`.
    fn add_block(
        &self,
        values: &[u8; BLOCK],
        block: usize,
        inside: u64,
        cells: &mut RowCells<'_>,
    ) -> Result<(), NoColor> {
        let (mut left, mut count) = (inside, inside.count_ones());
        let mut alike = None;
        for turn in 0.. {
            if left == 0 {
                break;
            }
            let first = left.trailing_zeros() as usize;
            let value = usize::from(values[first]);
            let bits = if turn < RANGES {
                self.around[value].bits(values)
            } else {
                let alike = alike.get_or_insert_with(|| values.map(|v| self.alike[usize::from(v)]));
                Values8::one(self.alike[value]).bits(alike)
            };
            let bits = bits & left;
            let found = if bits == left {
                count
            } else {
                bits.count_ones()
            };
            let judged = self.judge(values[first], block * BLOCK + first)?;
            cells.add(block, bits, found, judged);
            (left, count) = (left & !bits, count - found);
        }
        Ok(())
    }
}

/// The first so many bits, or all.
#[inline]
fn first_bits(count: usize) -> u64 {
    match count {
        0..BLOCK => !(u64::MAX << count),
        _ => u64::MAX,
    }
}
