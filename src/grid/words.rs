//! Queries of a rectangle of cells: whether a cell is solid, the first solid cell that an edge meets, the
//! number of solid cells, and 64 cells of a row as a word. Ranges must not be empty and must be inside the
//! grid. `lines` are columns if the axis is x, or rows if it is y. `places` are indices along a line. In a
//! sparse grid the blocks are read.

use std::ops::Range;

use glam::UVec2;

use super::Grid;
use super::plane::{LANES, Plane, stripes};
use crate::geometry::{Axis, Dir};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MetCell {
    pub(crate) line: u32,
    pub(crate) place: u32,
}

/// Returns true if a cell in the rectangle `lines` x `places` is solid. `lines` are columns for [`Axis::X`]
/// and rows for [`Axis::Y`], and `places` are the range on the other axis. Takes O(lines x words of a line),
/// over the rows or the columns of the rectangle, whichever are fewer.
#[inline(always)]
pub(crate) fn any_solid(grid: &Grid, axis: Axis, lines: Range<u32>, places: Range<u32>) -> bool {
    let plane = &grid.planes[axis.index()];
    let few = lines.end - lines.start <= LANES as u32 && places.end - places.start <= 64;
    if few && let Some(any) = any_in_few_lines(plane, &lines, &places) {
        return any;
    }
    any_solid_apart(grid, axis, lines, places)
}

fn any_solid_apart(grid: &Grid, axis: Axis, lines: Range<u32>, places: Range<u32>) -> bool {
    match &grid.sparse {
        Some(sparse) => sparse.any_solid(axis, lines, places),
        None => any_in_many_lines(grid, axis, lines, places),
    }
}

/// Returns true if a bit in `lines` x `places` is set; `None` if the plane has no words. The rectangle must
/// have 1 to [`LANES`] lines and 1 to 64 places. For the first and for the last place, the function always
/// reads the words of [`LANES`] lines. A branch on the number of lines would be slower, because a processor
/// cannot predict the length of a random step.
#[inline(always)]
fn any_in_few_lines(plane: &Plane, lines: &Range<u32>, places: &Range<u32>) -> Option<bool> {
    let start = places.start;
    let end = places.end - 1;
    let [from, to] = masks(start, end);
    let words = plane.words();
    let keep = &KEEP[(lines.end - lines.start) as usize];
    let first = join(words, plane.word(lines.start, start), keep)?;
    let last = join(words, plane.word(lines.start, end), keep)?;
    Some((first & from) | (last & to) != 0)
}

/// Returns a mask of the places from `start` to `end`, both inclusive, in the word of `start`, and a mask of
/// those in the word of `end`, which is 0 if it is the same word.
#[inline(always)]
fn masks(start: u32, end: u32) -> [u64; 2] {
    let from = u64::MAX << (start % 64);
    let to = u64::MAX >> (63 - end % 64);
    if start / 64 == end / 64 { [from & to, 0] } else { [from, to] }
}

/// `KEEP[count]` is a mask that keeps the first `count` of [`LANES`] words and clears the others. A table is
/// used because the compiler would make branches of comparisons.
const KEEP: [[u64; LANES]; LANES + 1] = {
    let mut keep = [[0; LANES]; LANES + 1];
    let mut count = 1;
    while count <= LANES {
        keep[count] = keep[count - 1];
        keep[count][count - 1] = u64::MAX;
        count += 1;
    }
    keep
};

/// Returns the bitwise or of [`LANES`] words from `index` on, masked by `keep`; `None` past the end of
/// `words`.
#[inline(always)]
fn join(words: &[u64], index: usize, keep: &[u64; LANES]) -> Option<u64> {
    let lanes = words.get(index..index.wrapping_add(LANES))?;
    Some(lanes.iter().zip(keep).fold(0, |joined, (word, keep)| joined | (word & keep)))
}

/// Returns true if a cell in the rectangle is solid, like [`any_solid`], for cells that are larger than
/// pixels. A step covers few such cells: mostly one or two lines, and one word of each line. Then two loads
/// give the answer, and a processor can predict the branch.
#[inline(always)]
pub(crate) fn any_solid_cell(
    grid: &Grid,
    axis: Axis,
    lines: Range<u32>,
    places: Range<u32>,
) -> bool {
    let plane = &grid.planes[axis.index()];
    let start = places.start;
    let end = places.end - 1;
    if lines.end - lines.start > 2 || start / 64 != end / 64 || plane.is_absent() {
        return any_solid(grid, axis, lines, places);
    }
    let mask = (u64::MAX << (start % 64)) & (u64::MAX >> (63 - end % 64));
    let words = plane.words();
    let stripe = plane.word(0, start);
    (words[stripe + lines.start as usize] | words[stripe + lines.end as usize - 1]) & mask != 0
}

fn any_in_many_lines(grid: &Grid, axis: Axis, lines: Range<u32>, places: Range<u32>) -> bool {
    // The axis with fewer lines has fewer words.
    let is_turned = lines.end - lines.start > places.end - places.start;
    let plane = &grid.planes[if is_turned { 1 - axis.index() } else { axis.index() }];
    let [lines, places] = if is_turned { [places, lines] } else { [lines, places] };
    stripes(&places).any(|(stripe, mask)| {
        let start = plane.word(lines.start, stripe * 64);
        let words = &plane.words()[start..start + (lines.end - lines.start) as usize];
        // All words of a chunk are combined before a branch, so that the compiler can use vector
        // instructions.
        words
            .chunks(CHUNK)
            .any(|words| words.iter().fold(0, |joined, word| joined | word) & mask != 0)
    })
}

/// The number of words that are combined by a bitwise or before a test for 0.
const CHUNK: usize = 64;

/// Returns the first solid cell that an edge meets while it moves toward `dir` over the rectangle `lines` x
/// `places`; `None` if no cell there is solid. `lines` are the columns (for motions up and down: rows) that
/// the edge passes. If the edge meets several cells at once, returns the cell with the smallest index in
/// `places`. Takes O(lines x words of a line), for the rows or the columns of the rectangle, whichever are
/// fewer.
pub(crate) fn first_solid(
    grid: &Grid,
    dir: Dir,
    lines: Range<u32>,
    places: Range<u32>,
) -> Option<MetCell> {
    let line_count = lines.end - lines.start;
    let place_count = places.end - places.start;
    let plane = &grid.planes[dir.axis().index()];
    // The number of words is read in any case.
    if plane.is_absent()
        && let Some(sparse) = &grid.sparse
    {
        return sparse.first_solid(dir, lines, places);
    }
    if line_count <= LANES as u32 && place_count <= 64 {
        return first_in_few_lines(plane, dir, lines, places);
    }
    if line_count > LANES as u32 && line_count > place_count {
        let transposed = &grid.planes[dir.axis().other().index()];
        return first_by_places(transposed, dir, lines, places);
    }
    let (mut line, step) = motion(dir, &lines);
    for _ in lines {
        if let Some(place) = first_bit(plane, line, &places) {
            return Some(MetCell { line, place });
        }
        line = line.wrapping_add(step);
    }
    None
}

/// Returns the first solid cell, like [`first_solid`], for 1 to [`LANES`] lines and 1 to 64 places. The
/// places of a line are in one or two words.
fn first_in_few_lines(
    plane: &Plane,
    dir: Dir,
    lines: Range<u32>,
    places: Range<u32>,
) -> Option<MetCell> {
    let start = places.start;
    let end = places.end - 1;
    let [from, to] = masks(start, end);
    let words = plane.words();
    let (mut line, step) = motion(dir, &lines);
    for _ in lines {
        let first = words[plane.word(line, start)] & from;
        let last = words[plane.word(line, end)] & to;
        if first != 0 {
            return Some(MetCell { line, place: (start & !63) + first.trailing_zeros() });
        }
        if last != 0 {
            return Some(MetCell { line, place: (end & !63) + last.trailing_zeros() });
        }
        line = line.wrapping_add(step);
    }
    None
}

/// Returns the first of `lines` that a motion toward `dir` meets, and the step from line to line. The step is
/// 1, or `u32::MAX`, which acts as -1 in wrapping additions.
#[inline(always)]
fn motion(dir: Dir, lines: &Range<u32>) -> (u32, u32) {
    if dir.is_positive() { (lines.start, 1) } else { (lines.end - 1, u32::MAX) }
}

/// Returns the first solid cell, like [`first_solid`], for a rectangle with fewer places than lines. Each
/// place is a line of `transposed`, the plane of the other axis, and is searched along the motion. A later
/// place counts only if its cell comes strictly earlier, so the lowest place wins a tie.
fn first_by_places(
    transposed: &Plane,
    dir: Dir,
    lines: Range<u32>,
    places: Range<u32>,
) -> Option<MetCell> {
    let mut open = lines;
    let mut best = None;
    for place in places {
        let found = if dir.is_positive() {
            first_bit(transposed, place, &open)
        } else {
            last_bit(transposed, place, &open)
        };
        if let Some(line) = found {
            best = Some(MetCell { line, place });
            if dir.is_positive() {
                open.end = line;
            } else {
                open.start = line + 1;
            }
        }
    }
    best
}

/// Returns the index of the first solid cell in the range `places` of column number `line` if `axis` is x, or
/// of row number `line` if it is y. Returns `None` if no cell there is solid, or if the grid is sparse.
#[inline]
pub(crate) fn first_on_line(grid: &Grid, axis: Axis, line: u32, places: Range<u32>) -> Option<u32> {
    let plane = &grid.planes[axis.index()];
    if plane.is_absent() { None } else { first_bit(plane, line, &places) }
}

/// Returns the index of the first set bit in the range `places` of line number `line`; `None` if no bit is
/// set.
pub(crate) fn first_bit(plane: &Plane, line: u32, places: &Range<u32>) -> Option<u32> {
    stripes(places).find_map(|(stripe, mask)| {
        let word = plane.words()[plane.word(line, stripe * 64)] & mask;
        (word != 0).then(|| stripe * 64 + word.trailing_zeros())
    })
}

/// Returns the index of the last set bit in the range `places` of line number `line`; `None` if no bit is
/// set.
pub(crate) fn last_bit(plane: &Plane, line: u32, places: &Range<u32>) -> Option<u32> {
    stripes(places).rev().find_map(|(stripe, mask)| {
        let word = plane.words()[plane.word(line, stripe * 64)] & mask;
        (word != 0).then(|| stripe * 64 + 63 - word.leading_zeros())
    })
}

/// Returns a word with the lowest `count` bits set: no bits if `count` is below 1, all bits if it is at least
/// 64.
#[inline(always)]
pub(crate) fn low_bits(count: i64) -> u64 {
    match count {
        ..=0 => 0,
        1..=63 => (1 << count) - 1,
        64.. => u64::MAX,
    }
}

/// Returns the number of set bits in `lines` x `places`.
fn count_ones(plane: &Plane, lines: &Range<u32>, places: &Range<u32>) -> u64 {
    let mut count = 0;
    for (stripe, mask) in stripes(places) {
        let words = plane.words_of_stripe(lines, stripe * 64);
        count += words.iter().map(|word| u64::from((word & mask).count_ones())).sum::<u64>();
    }
    count
}

/// Joins runs of cells into rectangles. A rectangle is a run together with the runs in the next lines that
/// have the same start and end. `runs` has the line, start and end of each run, in order. The rectangles are
/// sorted by their first line, then by the start of their runs. Takes O(runs).
pub(crate) fn rectangles(
    runs: impl IntoIterator<Item = (u32, Range<u32>)>,
) -> Vec<[Range<u32>; 2]> {
    let mut rectangles = Vec::<[Range<u32>; 2]>::new();
    // The indices of the rectangles that reach the previous line (`before`) and this line (`reached`), sorted
    // by the start of their runs.
    let mut before = Vec::<usize>::new();
    let mut reached = Vec::new();
    // `this` is the number of the current line. `first` is an index in `before`: the first rectangle that may
    // start where the next run starts.
    let mut this = 0;
    let mut first = 0;
    for (line, run) in runs {
        if line != this {
            before.clear();
            if line == this + 1 {
                std::mem::swap(&mut before, &mut reached);
            }
            reached.clear();
            this = line;
            first = 0;
        }
        while before.get(first).is_some_and(|index| rectangles[*index][1].start < run.start) {
            first += 1;
        }
        let index = match before.get(first) {
            Some(index) if rectangles[*index][1] == run => *index,
            _ => {
                rectangles.push([line..line, run]);
                rectangles.len() - 1
            }
        };
        rectangles[index][0].end = line + 1;
        reached.push(index);
    }
    rectangles
}

/// Reads the runs of set bits on the lines of a bitmap, in blocks of 64 lines. The words of a line are
/// adjacent in a block.
struct RunBlock<'p> {
    plane: &'p Plane,
    places: Range<u32>,
    lines: Range<u32>,
    /// The number of words that `words` has for each line.
    width: usize,
    words: Vec<u64>,
    /// The lines of the current block of 64 lines that have not been read yet.
    block: Range<u32>,
    /// The next bit to read on the first line of `block`, counted from the line's first word in `words`.
    place: u32,
}

impl<'p> RunBlock<'p> {
    fn new(plane: &'p Plane, places: Range<u32>, lines: Range<u32>) -> Self {
        let width = (places.end.div_ceil(64) - places.start / 64) as usize;
        let block = lines.start..lines.start;
        Self { plane, places, lines, width, words: Vec::new(), block, place: 0 }
    }

    fn next(&mut self) -> Option<(u32, Range<u32>)> {
        let first = self.places.start & !63;
        loop {
            while !self.block.is_empty() {
                let start = self.words.len() - self.block.len() * self.width;
                let line = &self.words[start..start + self.width];
                let word = |number: u32| line[number as usize];
                let end = 64 * self.width as u32;
                if let Some(start) = next_bit(word, self.place..end, 0) {
                    self.place = next_bit(word, start..end, u64::MAX).unwrap_or(end);
                    return Some((self.block.start, first + start..first + self.place));
                }
                self.block.start += 1;
                self.place = 0;
            }
            if self.block.end == self.lines.end {
                return None;
            }
            self.load();
        }
    }

    fn load(&mut self) {
        let lines = self.block.end..(self.block.end | 63).saturating_add(1).min(self.lines.end);
        self.words.clear();
        self.words.resize(lines.len() * self.width, 0);
        let mut all = 0;
        for ((stripe, mask), column) in stripes(&self.places).zip(0..) {
            let words = self.plane.words_of_stripe(&lines, stripe * 64);
            let places = self.words.iter_mut().skip(column).step_by(self.width);
            for (place, word) in places.zip(words) {
                *place = word & mask;
                all |= word & mask;
            }
        }
        // Most blocks of a large level may be empty, so an empty block is skipped.
        self.block = if all == 0 { lines.end..lines.end } else { lines };
        self.place = 0;
    }
}

/// Returns the runs of set bits among the first `len` bits of a line. `word(n)` has the 64 bits of the line
/// from bit number 64 n on.
pub(crate) fn runs_of_bits(
    len: u32,
    word: impl Fn(u32) -> u64,
) -> impl Iterator<Item = Range<u32>> {
    let mut place = 0;
    std::iter::from_fn(move || {
        let start = next_bit(&word, place..len, 0)?;
        place = next_bit(&word, start..len, u64::MAX).unwrap_or(len);
        Some(start..place)
    })
}

/// Returns the first bit in the range `places` that is set after a bitwise xor of each word with `flips`.
/// `word(n)` has the bits from bit number 64 n on.
#[inline]
fn next_bit(word: impl Fn(u32) -> u64, places: Range<u32>, flips: u64) -> Option<u32> {
    if places.is_empty() {
        return None;
    }
    let mut number = places.start / 64;
    let mut bits = (word(number) ^ flips) & (u64::MAX << (places.start % 64));
    while bits == 0 {
        if number == (places.end - 1) / 64 {
            return None;
        }
        number += 1;
        bits = word(number) ^ flips;
    }
    let place = number * 64 + bits.trailing_zeros();
    (place < places.end).then_some(place)
}

impl Grid {
    /// Returns true if the grid is sparse: it stores only the blocks that have a solid cell. See [`Grid`].
    pub fn is_sparse(&self) -> bool {
        self.sparse.is_some()
    }

    /// Returns 64 cells of a row as bits, starting at `column`, which may be negative. Bit 0 is the cell in
    /// `column`. Cells outside the grid are 0.
    #[inline]
    pub fn row_word(&self, column: i64, row: u32) -> u64 {
        if row >= self.height() || column <= -64 || column >= i64::from(self.width()) {
            return 0;
        }
        if column < 0 {
            return self.stripe_word(0, row) << -column;
        }
        let stripe = (column / 64) as u32;
        let place = column % 64;
        let word = self.stripe_word(stripe, row) >> place;
        if place == 0 || stripe >= (self.width() - 1) / 64 {
            word
        } else {
            word | self.stripe_word(stripe + 1, row) << (64 - place)
        }
    }

    /// Returns the 64 cells of `row` from column `64 * stripe` on. Bit 0 is the first cell. The column must
    /// be inside the grid.
    #[inline]
    fn stripe_word(&self, stripe: u32, row: u32) -> u64 {
        match &self.sparse {
            None => self.rows().stripe(row, stripe * 64),
            Some(blocks) => blocks.row_word(stripe, row),
        }
    }

    /// Returns the runs of solid cells of column `line` if `axis` is x, or of row `line` if it is y, in
    /// order. The grid must be dense.
    pub(crate) fn runs(&self, axis: Axis, line: u32) -> impl Iterator<Item = Range<u32>> {
        self.planes[axis.index()].runs(line)
    }

    /// Returns each run of solid cells in a rectangle, row by row from the top: the row, and the columns of
    /// the run. The rectangle must be inside the grid. Takes O(words of the rectangle + runs). In a sparse
    /// grid, or for fewer than 4 rows, it takes one [`Grid::first_solid`] for each run and for each row with
    /// a run.
    pub(crate) fn runs_in(
        &self,
        columns: Range<u32>,
        rows: Range<u32>,
    ) -> impl Iterator<Item = (u32, Range<u32>)> {
        let is_block = !self.is_sparse() && rows.len() >= 4 && !columns.is_empty();
        let mut block = is_block.then(|| RunBlock::new(self.rows(), columns.clone(), rows.clone()));
        let mut at = UVec2::new(columns.start, rows.start);
        std::iter::from_fn(move || {
            if let Some(block) = &mut block {
                return block.next();
            }
            let mut first = None;
            if at.x > columns.start {
                first = self.first_solid(Dir::Right, at.x..columns.end, at.y..at.y + 1);
                at.y += u32::from(first.is_none());
            }
            let first =
                first.or_else(|| self.first_solid(Dir::Down, columns.clone(), at.y..rows.end))?;
            let end = self.end_of_run(first.x, first.y).min(columns.end);
            at = UVec2::new(end, first.y);
            Some((first.y, first.x..end))
        })
    }

    /// Returns the [`rectangles`] of solid cells in a rectangle inside the grid. Each has a range of rows and
    /// a range of columns.
    pub(crate) fn rectangles_in(
        &self,
        columns: Range<u32>,
        rows: Range<u32>,
    ) -> Vec<[Range<u32>; 2]> {
        rectangles(self.runs_in(columns, rows))
    }

    /// Returns the columns of the whole run of solid cells around a solid cell.
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

    /// Returns the number of solid cells of a rectangle. Cells outside the grid are not solid.
    ///
    /// This takes O(words of the rectangle), or O(blocks in the rectangle) in a sparse grid.
    pub fn solid_count_in(&self, columns: Range<u32>, rows: Range<u32>) -> u64 {
        let (columns, rows) = self.clamp(columns, rows);
        if columns.is_empty() || rows.is_empty() {
            return 0;
        }
        if let Some(blocks) = &self.sparse {
            blocks.count_in(&columns, &rows)
        } else if columns.len() < rows.len() / 64 {
            count_ones(self.columns(), &columns, &rows)
        } else {
            count_ones(self.rows(), &rows, &columns)
        }
    }

    /// Returns the columns and rows of all solid cells, row by row from the top, and from left to right in
    /// each row. Their number is [`Grid::solid_count`].
    ///
    /// This takes O(words + solid cells). In a sparse grid it takes O(blocks) for each run of solid cells.
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
        let runs = self.runs_in(0..self.width(), 0..self.height());
        runs.flat_map(|(row, run)| run.map(move |column| UVec2::new(column, row)))
    }

    /// Returns the transposed grid: the cell in column c and row r moves to column r and row c. Takes
    /// O(memory).
    #[must_use]
    pub fn transposed(&self) -> Self {
        let [columns, rows] = self.planes.clone();
        let sparse = self.sparse.as_ref().map(|blocks| Box::new(blocks.transposed()));
        Self { planes: [rows, columns], sparse }
    }
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use crate::{Axis, Dir, Grid};

    fn first_solid_cell_by_cell(
        grid: &Grid,
        dir: Dir,
        columns: std::ops::Range<u32>,
        rows: std::ops::Range<u32>,
    ) -> Option<UVec2> {
        let cells = columns.flat_map(|c| rows.clone().map(move |r| UVec2::new(c, r)));
        let solid = cells.filter(|cell| grid.is_solid(cell.x, cell.y));
        solid.min_by_key(|cell| {
            let along = match dir.axis() {
                Axis::X => i64::from(cell.x),
                Axis::Y => i64::from(cell.y),
            };
            (if dir.is_positive() { along } else { -along }, cell.y, cell.x)
        })
    }

    #[test]
    fn rectangle_queries_at_word_edges_agree_with_a_loop_over_cells() {
        let mut random = fastrand::Rng::with_seed(11);
        let sides = [1, 2, 7, 31, 63, 64, 65, 66, 127, 128, 129, 200];
        for _ in 0..40_000 {
            let (width, height) =
                (*random.choice(&sides).unwrap_or(&1), *random.choice(&sides).unwrap_or(&1));
            let mut grid = Grid::new(width, height).unwrap();
            for _ in 0..random.u32(0..6) {
                grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
            }
            let columns = random.u32(0..width + 2)..random.u32(0..width + 70);
            let rows = random.u32(0..height + 2)..random.u32(0..height + 70);
            for dir in Dir::ALL {
                let expected = first_solid_cell_by_cell(&grid, dir, columns.clone(), rows.clone());
                assert_eq!(
                    grid.first_solid(dir, columns.clone(), rows.clone()),
                    expected,
                    "{dir:?} {columns:?} {rows:?} {grid:?}"
                );
                let any = grid.any_solid(columns.clone(), rows.clone());
                assert_eq!(any, expected.is_some());
            }
        }
    }

    #[test]
    fn a_column_of_two_to_the_31_cells_fits_in_memory_and_answers_queries() {
        let mut grid = Grid::new(1, 1 << 31).unwrap();
        assert!(grid.memory_bytes() < 1 << 29);
        grid.set(0, 1 << 30, true).unwrap();
        grid.fill(0..1, (1 << 31) - 5..1 << 31, true).unwrap();
        assert_eq!(grid.solid_count(), 6);
        assert!(grid.is_solid(0, 1 << 30) && !grid.is_solid(0, (1 << 30) + 1));
        let all = 0..1 << 31;
        let first = |dir| grid.first_solid(dir, 0..1, all.clone());
        assert_eq!(first(Dir::Down), Some(UVec2::new(0, 1 << 30)));
        assert_eq!(first(Dir::Up), Some(UVec2::new(0, (1 << 31) - 1)));
        assert_eq!(first(Dir::Left), first(Dir::Right));
        assert!(!grid.any_solid(0..1, 0..1 << 30));
        assert!(grid.any_solid(0..1, (1 << 30) - 3..(1 << 30) + 1));
        assert!(Grid::new(2, (1 << 30) + 1).is_err());
    }

    #[test]
    fn a_fill_changes_the_same_cells_as_a_loop_over_cells() {
        let mut random = fastrand::Rng::with_seed(13);
        for _ in 0..300 {
            let (width, height) = (random.u32(1..140), random.u32(1..140));
            let (mut filled, mut set) =
                (Grid::new(width, height).unwrap(), Grid::new(width, height).unwrap());
            for _ in 0..4 {
                let columns = random.u32(0..width + 5)..random.u32(0..width + 5);
                let rows = random.u32(0..height + 5)..random.u32(0..height + 5);
                let solid = random.u8(0..4) > 0;
                filled.fill(columns.clone(), rows.clone(), solid).unwrap();
                for r in rows {
                    for c in columns.clone() {
                        set.set(c, r, solid).unwrap();
                    }
                }
            }
            assert_eq!(filled, set);
            assert_eq!(filled, Grid::from_text(&set.to_string()).unwrap());
            let count = set.to_string().matches('#').count() as u64;
            assert_eq!(filled.solid_count(), count);
        }
    }

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

    fn in_blocks(grid: &Grid) -> Grid {
        crate::grid::tests::in_blocks(grid, 1 << 20, 1 << 20)
    }

    #[test]
    fn iter_solid_visits_the_solid_cells_row_by_row() {
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
    fn row_words_and_solid_counts_agree_with_a_loop_over_cells() {
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
    fn row_words_and_solid_counts_are_right_in_long_narrow_grids() {
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
    fn a_transposed_grid_has_columns_and_rows_swapped() {
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

    #[test]
    fn queries_of_a_long_narrow_grid_agree_with_a_loop_over_cells() {
        let mut random = fastrand::Rng::with_seed(17);
        let mut tall = Grid::new(31, (1 << 22) + 1).unwrap();
        for _ in 0..40 {
            tall.set(random.u32(0..31), random.u32(0..200), true).unwrap();
        }
        let wide = tall.transposed();
        assert!(tall.is_sparse() && wide.is_sparse());
        for _ in 0..2_000 {
            let (c, r) = (random.u32(0..31), random.u32(0..200));
            let (c, r) = (c..random.u32(c + 1..32), r..random.u32(r + 1..202));
            for (grid, columns, rows) in [(&tall, c.clone(), r.clone()), (&wide, r, c)] {
                let cells = || rows.clone().flat_map(|r| columns.clone().map(move |c| (c, r)));
                let count = cells().filter(|(c, r)| grid.is_solid(*c, *r)).count() as u64;
                assert_eq!(grid.solid_count_in(columns.clone(), rows.clone()), count);
                assert_eq!(grid.any_solid(columns.clone(), rows.clone()), count > 0);
                let [x, y] = [(Axis::X, &columns, &rows), (Axis::Y, &rows, &columns)].map(
                    |(axis, lines, places)| {
                        super::any_solid(grid, axis, lines.clone(), places.clone())
                    },
                );
                assert_eq!((x, y), (count > 0, count > 0));
                for dir in Dir::ALL {
                    let expected =
                        first_solid_cell_by_cell(grid, dir, columns.clone(), rows.clone());
                    assert_eq!(grid.first_solid(dir, columns.clone(), rows.clone()), expected);
                }
            }
        }
    }

    #[test]
    fn runs_of_ones_and_of_zeros_agree_with_single_bits() {
        let mut random = fastrand::Rng::with_seed(5);
        for len in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
            for _ in 0..200 {
                let mut words: Vec<u64> = (0..4).map(|_| random.u64(..) & random.u64(..)).collect();
                if random.bool() {
                    words.iter_mut().for_each(|word| *word |= u64::MAX << random.u32(0..64));
                }
                let bit = |at: u32| words[at as usize / 64] >> (at % 64) & 1 == 1;
                for set in [true, false] {
                    let word = |at: u32| if set { words[at as usize] } else { !words[at as usize] };
                    let runs: Vec<_> = super::runs_of_bits(len, word).collect();
                    let places = (0..len).filter(|at| bit(*at) == set);
                    assert!(runs.iter().cloned().flatten().eq(places), "{runs:?}");
                    assert!(runs.windows(2).all(|two| two[0].end < two[1].start), "{runs:?}");
                }
            }
        }
    }

    #[test]
    fn a_rectangle_without_columns_or_rows_has_no_runs() {
        let mut grid = Grid::new(200, 100).unwrap();
        grid.fill(0..200, 0..100, true).unwrap();
        for (columns, rows) in [(0..0, 0..9), (64..64, 0..9), (5..5, 0..2), (0..9, 7..7)] {
            assert_eq!(grid.runs_in(columns, rows).count(), 0);
        }
    }
}
