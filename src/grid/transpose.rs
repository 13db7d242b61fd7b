//! Rows to columns, by blocks of 64 x 64 bits.

use super::plane::Plane;

/// Writes the transposed copy of `rows` into `columns`, which must be zeroed and as many lines long as
/// the rows have places, and the other way about.
///
/// O(cells / 64): 6 rounds of 64 word operations for each block of 4,096 cells.
pub(super) fn transpose(rows: &Plane, columns: &mut Plane) {
    debug_assert!(rows.count() == columns.len() && rows.len() == columns.count());
    for row in (0..rows.count()).step_by(64) {
        for column in (0..columns.count()).step_by(64) {
            let lines = rows.lines_of_stripe(row, column);
            // Of large levels most blocks are empty, and the columns are zero already.
            if lines.iter().fold(0, |bits, line| bits | line) == 0 {
                continue;
            }
            let mut block = [0; 64];
            block[..lines.len()].copy_from_slice(lines);
            transpose_block(&mut block);
            let lines = columns.lines_of_stripe_mut(column, row);
            lines.copy_from_slice(&block[..lines.len()]);
        }
    }
}

/// Transposes a block in place: bit `c` of word `r` becomes bit `r` of word `c`. Swaps the off-diagonal
/// quarters of ever smaller squares (Warren, Hacker's Delight, section 7-3), with bit 0 in column 0.
pub(super) fn transpose_block(block: &mut [u64; 64]) {
    let mut size = 32;
    let mut mask = u64::MAX >> 32;
    while size != 0 {
        let mut r = 0;
        while r < 64 {
            let swap = ((block[r] >> size) ^ block[r + size]) & mask;
            block[r] ^= swap << size;
            block[r + size] ^= swap;
            r = (r + size + 1) & !size;
        }
        size /= 2;
        mask ^= mask << size;
    }
}

#[cfg(test)]
mod tests {
    use crate::Grid;

    #[test]
    fn columns_are_the_rows_turned_at_every_word_edge() {
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
