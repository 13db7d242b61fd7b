//! The edge of the transparent ground of a mask: which colours lie along it.

use super::class::PixelKind;
use super::facts::MaskCounts;

/// The bits of the black, the white and the transparent pixels in a row and in the one above it.
#[derive(Default)]
pub(super) struct ClearEdge {
    above: [Vec<u64>; 3],
    here: [Vec<u64>; 3],
}

impl ClearEdge {
    /// Adds pixels of one kind to the row.
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

    /// Counts the edge in the row and between it and the one above, and begins the next row.
    pub(super) fn end_row(&mut self, counts: &mut MaskCounts) {
        let [black, white, clear] = &self.here;
        let [black_above, white_above, clear_above] = &self.above;
        let sides = |color: &[u64], color_above: &[u64]| {
            common(clear, color_above.iter().copied())
                + common(color, clear_above.iter().copied())
                + common(clear, moved(color))
                + common(color, moved(clear))
        };
        counts.black_at_clear += sides(black, black_above);
        counts.white_at_clear += sides(white, white_above);
        std::mem::swap(&mut self.above, &mut self.here);
        self.here.iter_mut().for_each(Vec::clear);
    }
}

/// The number of bits that both have.
fn common(row: &[u64], other: impl Iterator<Item = u64>) -> u64 {
    row.iter().zip(other).map(|(one, other)| u64::from((one & other).count_ones())).sum()
}

/// The row, each pixel of it at the next x.
fn moved(row: &[u64]) -> impl Iterator<Item = u64> {
    let before = std::iter::once(0).chain(row.iter().map(|word| word >> 63));
    row.iter().zip(before).map(|(word, last)| word << 1 | last)
}
