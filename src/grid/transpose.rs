//! Rows to columns, by blocks of 64 x 64 bits.

use super::plane::Plane;

/// Writes the transposed copy of `rows` into `columns`, which must be zeroed. It must have as many lines as
/// the rows have places, and as many places as there are rows.
///
/// O(cells / 64): 6 rounds of 64 word operations for each block of 4,096 cells.
pub(super) fn transpose(rows: &Plane, columns: &mut Plane) {
    debug_assert!(rows.count() == columns.len() && rows.len() == columns.count());
    for row in (0..rows.count()).step_by(64) {
        for column in (0..columns.count()).step_by(64) {
            write_block(rows.lines_of_stripe(row, column), columns, column, row);
        }
    }
}

/// Writes the transposed copy of up to 64 words, those of the rows from `row` on in the stripe of `column`,
/// into `columns`, whose words there are zero.
pub(super) fn write_block(words: &[u64], columns: &mut Plane, column: u32, row: u32) {
    // Most blocks of a large level are empty (the columns are zero already) or full.
    if words.iter().fold(0, |bits, word| bits | word) == 0 {
        return;
    }
    let mut block = [0; 64];
    block[..words.len()].copy_from_slice(words);
    if block.iter().fold(u64::MAX, |bits, word| bits & word) != u64::MAX {
        transpose_block(&mut block);
    }
    let lines = columns.lines_of_stripe_mut(column, row);
    lines.copy_from_slice(&block[..lines.len()]);
}

/// Transposes a block in place: bit `c` of word `r` becomes bit `r` of word `c`. Swaps the off-diagonal
/// quarters of ever smaller squares (Warren, Hacker's Delight, section 7-3), with bit 0 in column 0.
pub(super) fn transpose_block(block: &mut [u64; 64]) {
    round::<32>(block, u64::MAX >> 32);
    round::<16>(block, 0x0000_ffff_0000_ffff);
    round::<8>(block, 0x00ff_00ff_00ff_00ff);
    round::<4>(block, 0x0f0f_0f0f_0f0f_0f0f);
    round::<2>(block, 0x3333_3333_3333_3333);
    round::<1>(block, 0x5555_5555_5555_5555);
}

/// One round, over squares of 2 x `SIZE` cells a side; `mask` selects their left columns.
#[inline(always)]
fn round<const SIZE: usize>(block: &mut [u64; 64], mask: u64) {
    let (halves, _) = block.as_chunks_mut::<SIZE>();
    let (pairs, _) = halves.as_chunks_mut::<2>();
    for [upper, lower] in pairs {
        for (upper, lower) in upper.iter_mut().zip(lower) {
            let swap = ((*upper >> SIZE) ^ *lower) & mask;
            *upper ^= swap << SIZE;
            *lower ^= swap;
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Grid;

    #[test]
    fn columns_are_the_transposed_rows_at_every_word_edge() {
        let mut random = fastrand::Rng::with_seed(7);
        for width in [1, 2, 3, 31, 33, 63, 64, 65, 127, 128, 129] {
            for height in [1, 3, 17, 63, 64, 65, 130] {
                let mut rows = Grid::blank_rows(width, height).unwrap();
                let mut count = 0;
                for r in 0..height {
                    for c in 0..width {
                        let solid = random.bool();
                        rows.fill(r..r + 1, c..c + 1, solid);
                        count += u64::from(solid);
                    }
                }
                let grid = Grid::from_rows(rows).unwrap();
                for r in 0..height {
                    for c in 0..width {
                        assert_eq!(grid.columns().get(c, r), grid.rows().get(r, c));
                    }
                }
                assert_eq!(grid.columns().count_ones(), count, "a bit past the edge");
            }
        }
    }
}
