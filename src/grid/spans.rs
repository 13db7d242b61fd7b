//! Queries for many cells of a grid at once: 64 cells of a row as a word, and the solid cells of a rectangle
//! as a number. It knows no pixels and nothing outside the grid, and a query does not allocate.

use std::iter::successors;
use std::ops::Range;

use glam::UVec2;

use super::plane::stripes;
use super::{Bits, Grid};
use crate::geometry::{Axis, Dir};

/// A word with the bits 0 to `count - 1` set: none below 1, all from 64 on.
#[inline(always)]
pub(crate) fn low_bits(count: i64) -> u64 {
    match count {
        ..=0 => 0,
        1..=63 => (1 << count) - 1,
        64.. => u64::MAX,
    }
}

impl Grid {
    /// True if only blocks with a solid cell are kept: see [`Grid`].
    pub fn is_sparse(&self) -> bool {
        self.sparse.is_some()
    }

    /// 64 cells of a row; bit 0 is the cell in `column`, which may be negative. Cells outside the grid are 0.
    #[inline]
    pub fn row_word(&self, column: i64, row: u32) -> u64 {
        if row >= self.height() || column <= -64 || column >= i64::from(self.width()) {
            return 0;
        }
        if column < 0 {
            return self.stripe_word(0, row) << -column;
        }
        let (stripe, place) = ((column / 64) as u32, column % 64);
        let word = self.stripe_word(stripe, row) >> place;
        if place == 0 || stripe >= (self.width() - 1) / 64 {
            word
        } else {
            word | self.stripe_word(stripe + 1, row) << (64 - place)
        }
    }

    /// The cells `64 * stripe ..` of a row; both must be inside.
    #[inline]
    fn stripe_word(&self, stripe: u32, row: u32) -> u64 {
        match self.bits() {
            Bits::Rows(rows) => rows.words()[rows.word(row, stripe * 64)],
            // Rows are absent only if they are shorter than a word.
            Bits::Columns(columns) => (0..self.width())
                .fold(0, |word, column| word | u64::from(columns.get(column, row)) << column),
            Bits::Blocks(blocks) => blocks.row_word(stripe, row),
        }
    }

    /// The runs of solid cells on one line across `axis`, in order. The grid must keep both copies of its
    /// bits.
    pub(crate) fn runs(&self, axis: Axis, line: u32) -> impl Iterator<Item = Range<u32>> {
        self.planes[axis.index()].runs(line)
    }

    /// The runs of solid cells in a rectangle, which must be inside: a row and its columns, row by row from
    /// the top. Rows and words without a solid cell are passed over: the cost is that of
    /// [`Grid::first_solid`] for each run and each row with one.
    pub(crate) fn runs_in(
        &self,
        columns: Range<u32>,
        rows: Range<u32>,
    ) -> impl Iterator<Item = (u32, Range<u32>)> {
        let mut at = UVec2::new(columns.start, rows.start);
        std::iter::from_fn(move || {
            let on_row = || self.first_solid(Dir::Right, at.x..columns.end, at.y..at.y + 1);
            let begun = (at.x > columns.start).then(on_row).flatten();
            let below = || {
                let next = at.y + u32::from(at.x > columns.start);
                self.first_solid(Dir::Down, columns.clone(), next..rows.end)
            };
            let first = begun.or_else(below)?;
            let end = self.end_of_run(first.x, first.y).min(columns.end);
            at = UVec2::new(end, first.y);
            Some((first.y, first.x..end))
        })
    }

    /// All of the run of solid cells in a row that this solid cell belongs to.
    pub(crate) fn run_at(&self, column: u32, row: u32) -> Range<u32> {
        let mut start = i64::from(column);
        loop {
            // Bit 63 is the cell before `start`.
            let before = (!self.row_word(start - 64, row)).leading_zeros();
            start -= i64::from(before);
            if before < 64 {
                return start as u32..self.end_of_run(column, row);
            }
        }
    }

    /// The first column behind the run of solid cells that this solid cell belongs to.
    fn end_of_run(&self, column: u32, row: u32) -> u32 {
        let mut end = i64::from(column);
        loop {
            let more = (!self.row_word(end, row)).trailing_zeros();
            end += i64::from(more);
            if more < 64 {
                return end as u32;
            }
        }
    }

    /// The number of solid cells of a rectangle; the part outside the grid has none. O(words that the
    /// rectangle covers); in a sparse grid O(blocks in it).
    pub fn solid_count_in(&self, columns: Range<u32>, rows: Range<u32>) -> u64 {
        let (columns, rows) = self.clamp(columns, rows);
        if columns.is_empty() || rows.is_empty() {
            return 0;
        }
        let by_columns = self.rows().is_absent() || columns.len() < rows.len() / 64;
        let (plane, lines, places) = if by_columns && !self.columns().is_absent() {
            (self.columns(), columns, rows)
        } else {
            (self.rows(), rows, columns)
        };
        if let Some(blocks) = &self.sparse {
            return blocks.count_in(Axis::Y, &lines, &places);
        }
        let ones = stripes(&places).map(|(stripe, mask)| {
            let start = plane.word(lines.start, stripe * 64);
            let words = &plane.words()[start..start + lines.len()];
            let ones = words.iter().map(|word| u64::from((word & mask).count_ones()));
            ones.sum::<u64>()
        });
        ones.sum()
    }

    /// The solid cells, row by row from the top, and from left to right in each. [`Grid::solid_count`] is
    /// their number. They are found by words: O(words + solid cells); in a sparse grid O(blocks) for each row
    /// with a solid cell.
    ///
    /// ```
    /// use bitwall::Grid;
    ///
    /// let grid = Grid::from_text(".#.\n...\n#.#")?;
    /// let cells: Vec<(u32, u32)> = grid.iter_solid().map(Into::into).collect();
    /// assert_eq!(cells, [(1, 0), (0, 2), (2, 2)]);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn iter_solid(&self) -> impl Iterator<Item = UVec2> {
        let rows = successors(self.next_row(0), |row| self.next_row(row + 1));
        rows.flat_map(move |row| {
            let next = move |stripe| self.next_stripe(row, stripe);
            let stripes = successors(next(0), move |stripe| next(stripe + 1));
            stripes.flat_map(move |stripe| {
                let word = Some(self.stripe_word(stripe, row)).filter(|word| *word != 0);
                let words =
                    successors(word, |word| Some(word & (word - 1)).filter(|rest| *rest != 0));
                words.map(move |word| UVec2::new(stripe * 64 + word.trailing_zeros(), row))
            })
        })
    }

    /// The first row from `row` on that may have a solid cell.
    fn next_row(&self, row: u32) -> Option<u32> {
        if self.is_sparse() {
            let first = self.first_solid(Dir::Down, 0..self.width(), row..self.height());
            return first.map(|cell| cell.y);
        }
        Some(row).filter(|row| *row < self.height())
    }

    /// The first stripe from `stripe` on that may have a solid cell in a row.
    fn next_stripe(&self, row: u32, stripe: u32) -> Option<u32> {
        if self.is_sparse() {
            let columns = stripe.saturating_mul(64)..self.width();
            return self.first_solid(Dir::Right, columns, row..row + 1).map(|cell| cell.x / 64);
        }
        Some(stripe).filter(|stripe| *stripe < self.width().div_ceil(64))
    }

    /// The transposed grid: the cell in column c and row r moves to column r and row c. O(memory).
    #[must_use]
    pub fn transposed(&self) -> Self {
        let [columns, rows] = self.planes.clone();
        let sparse = self.sparse.clone().map(|mut blocks| {
            blocks.transpose();
            blocks
        });
        Self { planes: [rows, columns], sparse }
    }
}

#[cfg(test)]
mod tests {
    use super::super::GridBuilder;
    use crate::Grid;
    use glam::IVec2;

    fn random_grid(random: &mut fastrand::Rng) -> Grid {
        let sides = [1, 2, 63, 64, 65, 127, 128, 129, 200];
        let mut side = || sides[random.usize(0..sides.len())];
        let (width, height) = (side(), side());
        let mut grid = Grid::new(width, height).unwrap();
        for _ in 0..random.u32(0..2_000) {
            grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
        }
        grid
    }

    /// The same cells in a sparse grid that is far larger.
    fn in_blocks(grid: &Grid) -> Grid {
        let mut builder = GridBuilder::new(1 << 20, 1 << 20).unwrap();
        builder.or_grid(grid, IVec2::ZERO).unwrap();
        builder.finish().unwrap()
    }

    #[test]
    fn the_solid_cells_come_row_by_row() {
        let mut random = fastrand::Rng::with_seed(33);
        for _ in 0..60 {
            let grid = random_grid(&mut random);
            let all = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
            let solid: Vec<_> = all.filter(|(x, y)| grid.is_solid(*x, *y)).collect();
            for grid in [in_blocks(&grid), grid] {
                let found: Vec<(u32, u32)> = grid.iter_solid().map(Into::into).collect();
                assert_eq!(found, solid);
            }
        }
        let narrow = Grid::new(1, (1 << 22) + 1).unwrap();
        assert_eq!(narrow.iter_solid().count(), 0);
    }

    #[test]
    fn words_and_counts_equal_the_naive_loop_over_cells() {
        let mut random = fastrand::Rng::with_seed(29);
        for _ in 0..300 {
            let grid = random_grid(&mut random);
            let sparse = in_blocks(&grid);
            for _ in 0..20 {
                let column = random.i64(-70..210);
                let row = random.u32(0..210);
                let cell = |bit| u32::try_from(column + bit).is_ok_and(|c| grid.is_solid(c, row));
                let word = (0..64).fold(0, |word, bit| word | u64::from(cell(bit)) << bit);
                assert_eq!(grid.row_word(column, row), word, "{column} {row} {grid:?}");
                assert_eq!(sparse.row_word(column, row), word, "{column} {row} {grid:?}");

                let columns = random.u32(0..210)..random.u32(0..210);
                let rows = random.u32(0..210)..random.u32(0..210);
                let cells = columns.clone().flat_map(|c| rows.clone().map(move |r| (c, r)));
                let count = cells.filter(|(c, r)| grid.is_solid(*c, *r)).count() as u64;
                assert_eq!(grid.solid_count_in(columns.clone(), rows.clone()), count);
                assert_eq!(sparse.solid_count_in(columns, rows), count);
            }
        }
    }

    #[test]
    fn long_and_narrow_grids_have_words_and_counts_too() {
        let mut tall = Grid::new(3, (1 << 22) + 1).unwrap();
        tall.fill(1..2, 5..900, true).unwrap();
        for grid in [tall.clone(), tall.transposed().transposed()] {
            assert_eq!(grid.row_word(0, 5), 0b010);
            assert_eq!(grid.row_word(-2, 5), 0b1000);
            assert_eq!(grid.solid_count_in(0..9, 0..u32::MAX), 895);
        }
        let wide = tall.transposed();
        assert_eq!(wide.row_word(899, 1), 1);
        assert_eq!(wide.solid_count_in(800..u32::MAX, 1..2), 100);
    }

    #[test]
    fn a_transposed_grid_has_columns_for_rows() {
        let mut random = fastrand::Rng::with_seed(31);
        for _ in 0..60 {
            let grid = random_grid(&mut random);
            for (grid, transposed) in [
                (grid.clone(), grid.transposed()),
                (in_blocks(&grid), in_blocks(&grid).transposed()),
            ] {
                let (c, r) = (random.u32(0..200), random.u32(0..200));
                assert_eq!(transposed.get(r, c), grid.get(c, r));
                assert_eq!(
                    transposed.any_solid(r..r + 9, c..c + 9),
                    grid.any_solid(c..c + 9, r..r + 9)
                );
                assert_eq!(transposed.solid_count(), grid.solid_count());
                assert_eq!(transposed.transposed(), grid);
            }
        }
    }
}
