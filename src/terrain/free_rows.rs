//! The free positions of a body, row by row. This is the one source of free positions: the ways of a body
//! store them as bits, and the analysis of a level as runs. A position is the top-left pixel of the body.
//! The rows of cells that a body covers are combined by a bitwise or; a body fits where such a line has a
//! gap.

use std::ops::Range;

use glam::IVec2;

use super::kernel::{SolidCells, row_word};
use super::sliding_or::sliding_or;
use crate::geometry::{Axis, Dir};

/// A function that takes the rows of a stretch and the runs of free positions in each of these rows, and
/// returns `None` to end the search.
pub(crate) type TakeFreeRows<'f> =
    dyn FnMut(Range<i64>, &mut dyn Iterator<Item = Range<i64>>) -> Option<()> + 'f;

/// Returns the coordinates on `axis` at which a body of `size` pixels has positions: inside the level, and
/// beyond an open side those at which it touches the level. Positions farther away are not needed, because
/// a path around the outside of the level can use these.
pub(super) fn position_range(cells: &SolidCells, size: IVec2, axis: Axis) -> Range<i64> {
    let size = i64::from(size.to_array()[axis.index()]);
    let frame = &cells.frame;
    let start = if frame.is_solid_beyond(axis, false) { 0 } else { -size };
    let beyond = if frame.is_solid_beyond(axis, true) { size } else { 0 };
    start..(frame.size[axis.index()] + 1 - beyond).max(start)
}

/// The cells that stop a body: the solid cells or, if one-way cells count, single pixels.
#[derive(Clone, Copy)]
pub(super) struct Walls<'t> {
    cells: &'t SolidCells,
    /// True if the pixels along the edges at which one-way cells stop bodies count as solid. Such an edge is
    /// one pixel wide, so the walls are then single pixels.
    has_edges: bool,
}

impl<'t> Walls<'t> {
    pub(super) fn new(cells: &'t SolidCells, with_one_way: bool) -> Self {
        Self { cells, has_edges: with_one_way && cells.guards.is_some() }
    }

    /// Returns the side of a wall in pixels along `axis`, and the number of walls in the level.
    fn sides(&self, axis: Axis) -> (i64, i64) {
        let frame = &self.cells.frame;
        let side = if self.has_edges { 1 } else { frame.cell[axis.index()].divisor.into() };
        (side, frame.size[axis.index()] / side)
    }

    /// Returns 64 walls of a row, from `column` to the right, as bits.
    fn word(&self, column: i64, row: i64) -> u64 {
        if self.has_edges {
            wall_word(self.cells, column, row)
        } else {
            self.cells.grid.row_word(column, row as u32)
        }
    }

    /// Returns the number of rows of walls in the window of a body of `height` pixels.
    fn depth(&self, height: i64) -> i64 {
        let (high, rows) = self.sides(Axis::Y);
        ((height + high - 1) / high).min(rows)
    }

    /// Returns the largest number of bytes that [`free_rows`] uses for bodies of `height` pixels.
    pub(super) fn bytes_in_use(&self, height: i32) -> u64 {
        let depth = self.depth(height.into()) as u64;
        let (_, columns) = self.sides(Axis::X);
        let stride = columns as u64 / 64 + 1;
        8 * (depth.max(LINES) * (stride + 1) + depth + stride)
    }
}

/// The number of lines that are computed together at the least.
const LINES: u64 = 64;

/// Calls `found` with each stretch of rows in `ys` that have the same free positions, from the top, and with
/// the runs of these positions in `xs`, from the left. The positions must be in [`position_range`]. Returns
/// `None` if `found` does, or if memory runs out. Takes O(words of the walls + runs), for any size of the
/// body.
pub(super) fn free_rows(
    walls: Walls<'_>,
    size: IVec2,
    [xs, ys]: [Range<i64>; 2],
    found: &mut TakeFreeRows<'_>,
) -> Option<()> {
    let frame = &walls.cells.frame;
    let [(wide, columns), (high, rows)] = [walls.sides(Axis::X), walls.sides(Axis::Y)];
    let width = i64::from(size.x);
    let height = i64::from(size.y);
    // The columns of walls that the bodies cover.
    let first = (xs.start.max(0) / wide).min(columns);
    let end = ((xs.end - 1 + width + wide - 1) / wide).clamp(first, columns);
    // The first pixel and the end of the pixels that are free where no wall is.
    let open_left = if frame.is_solid_beyond(Axis::X, false) { 0 } else { width };
    let open_right = if frame.is_solid_beyond(Axis::X, true) { 0 } else { width };
    let left = if first > 0 { first * wide } else { -open_left };
    let right = if end < columns { end * wide } else { frame.size[0] + open_right };
    let depth = walls.depth(height);
    let most = (ys.end - ys.start) / high + 2;
    let mut lines = Lines::new(walls, first..end, depth, most)?;
    let mut gaps = Vec::new();
    let mut y = ys.start;
    while y < ys.end {
        let top = y.div_euclid(high);
        let bottom = (y + height - 1).div_euclid(high) + 1;
        let next = ((top + 1) * high).min(bottom * high - (height - 1)).min(ys.end);
        gaps.clear();
        for gap in runs(lines.of_rows(top.max(0)..bottom.min(rows)), (end - first) as u32, false) {
            gaps.push([gap.start, gap.end].map(|at| (first + i64::from(at)) * wide));
        }
        // A gap at an open side continues outside the level. If a wall is at the side, the space outside is a
        // gap of its own.
        match gaps.first_mut() {
            Some([start, _]) if *start == first * wide => *start = left,
            _ => gaps.insert(0, [left, first * wide]),
        }
        match gaps.last_mut() {
            Some([_, last]) if *last == end * wide => *last = right,
            _ => gaps.push([end * wide, right]),
        }
        let free =
            gaps.iter().map(|[start, end]| (*start).max(xs.start)..(end - width + 1).min(xs.end));
        found(y..next, &mut free.filter(|run| !run.is_empty()))?;
        y = next;
    }
    Some(())
}

/// The bitwise or of each `depth` rows of walls that follow one another. The lines of some rows are computed
/// together. A row above or below the level has no wall.
struct Lines<'t> {
    walls: Walls<'t>,
    columns: Range<i64>,
    depth: i64,
    /// The first row of the first line.
    start: i64,
    count: i64,
    /// The number of words in a line.
    stride: usize,
    words: Vec<u64>,
    /// A column of words, then the line that was asked for last.
    column: Vec<u64>,
    joined: Vec<u64>,
}

impl<'t> Lines<'t> {
    /// `most` is the largest number of lines that will be asked for.
    fn new(walls: Walls<'t>, columns: Range<i64>, depth: i64, most: i64) -> Option<Self> {
        let stride = ((columns.end - columns.start) as usize).div_ceil(64);
        let count = depth.max(LINES as i64).min(most);
        Some(Self {
            walls,
            columns,
            depth,
            start: i64::MIN / 2,
            count,
            stride,
            words: zeros(count as usize * stride)?,
            column: zeros((count + depth - 1) as usize)?,
            joined: zeros(stride)?,
        })
    }

    /// Returns the bitwise or of some rows of the level: `depth` rows or one more, or fewer at the top or the
    /// bottom of the level. From call to call, the start and the end of `rows` may only grow.
    fn of_rows(&mut self, rows: Range<i64>) -> &[u64] {
        if rows.is_empty() {
            self.joined.fill(0);
            return &self.joined;
        }
        let from_end = rows.end - self.depth;
        let one = if rows.start == 0 { rows.start.min(from_end) } else { rows.start };
        let other = one.max(from_end.min(rows.start + 1));
        if other >= self.start + self.count {
            self.compute(one);
        }
        let [one, other] = [one, other].map(|row| {
            let at = (row - self.start) as usize * self.stride;
            &self.words[at..at + self.stride]
        });
        for (joined, (one, other)) in self.joined.iter_mut().zip(one.iter().zip(other)) {
            *joined = one | other;
        }
        &self.joined
    }

    fn compute(&mut self, start: i64) {
        self.start = start;
        let (_, rows) = self.walls.sides(Axis::Y);
        for stripe in 0..self.stride {
            for (word, row) in self.column.iter_mut().zip(start..) {
                let is_inside = (0..rows).contains(&row);
                let column = self.columns.start + 64 * stripe as i64;
                *word = if is_inside { self.walls.word(column, row) } else { 0 };
            }
            let words = self.words[stripe..].iter_mut().step_by(self.stride);
            sliding_or([&self.column], [0], self.depth as usize, words, |word, [or]| *word = or);
        }
    }
}

fn zeros(count: usize) -> Option<Vec<u64>> {
    let mut words = Vec::new();
    words.try_reserve_exact(count).ok()?;
    words.resize(count, 0);
    Some(words)
}

/// Returns 64 pixels from (`x`, `y`) to the right as bits, first pixel in bit 0. A bit is set if the pixel is
/// solid, or lies along the edge at which a one-way cell stops bodies.
fn wall_word(cells: &SolidCells, x: i64, y: i64) -> u64 {
    let solid = row_word(&cells.frame, &cells.grid, x, y);
    let Some(guards) = &cells.guards else {
        return solid;
    };
    let edges = Dir::ALL.into_iter().map(|side| {
        let length = i64::from(cells.frame.cell[side.axis().index()].divisor);
        let edge = if side.is_positive() { length - 1 } else { 0 };
        let on_edge = match side.axis() {
            Axis::Y if y.rem_euclid(length) == edge => u64::MAX,
            Axis::Y => return 0,
            Axis::X => {
                let first = (edge - x).rem_euclid(length);
                let places = (first..64).step_by(length as usize);
                places.fold(0, |bits, place| bits | 1 << place)
            }
        };
        on_edge & row_word(&cells.frame, guards.get(side), x, y)
    });
    edges.fold(solid, |bits, edge| bits | edge)
}

/// The runs of 1 bits among the first `len` bits of `words` if `set` is true, else the runs of 0 bits.
pub(crate) fn runs(words: &[u64], len: u32, set: bool) -> impl Iterator<Item = Range<i32>> {
    let flips = if set { 0 } else { u64::MAX };
    let mut place = 0;
    std::iter::from_fn(move || {
        let start = next(words, place, len, flips)?;
        let end = next(words, start, len, !flips).unwrap_or(len);
        place = end;
        Some(start as i32..end as i32)
    })
}

/// The index of the first 1 bit of `words` from the index `place` on and below `len`, after an xor of each
/// word with `flips`. If all bits of `flips` are 1, this is the first 0 bit. Such a bit starts or ends a run.
fn next(words: &[u64], mut place: u32, len: u32, flips: u64) -> Option<u32> {
    while place < len {
        let word = (words.get((place / 64) as usize)? ^ flips) >> (place % 64);
        if word != 0 {
            let found = place.saturating_add(word.trailing_zeros());
            return (found < len).then_some(found);
        }
        place = (place | 63).saturating_add(1);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::runs;

    #[test]
    fn runs_of_ones_and_of_zeros_agree_with_single_bits() {
        let mut random = fastrand::Rng::with_seed(5);
        for len in [1, 2, 63, 64, 65, 127, 128, 129, 200] {
            for _ in 0..200 {
                let mut words: Vec<u64> = (0..4).map(|_| random.u64(..) & random.u64(..)).collect();
                if random.bool() {
                    words.iter_mut().for_each(|word| *word |= u64::MAX << random.u32(0..64));
                }
                let bit = |at: i32| words[at as usize / 64] >> (at % 64) & 1 == 1;
                let places = |set| (0..len as i32).filter(move |at| bit(*at) == set);
                let found: Vec<i32> = runs(&words, len, true).flatten().collect();
                assert_eq!(found, places(true).collect::<Vec<_>>());
                let found: Vec<i32> = runs(&words, len, false).flatten().collect();
                assert_eq!(found, places(false).collect::<Vec<_>>());
                let all: Vec<_> = runs(&words, len, true).collect();
                assert!(all.windows(2).all(|two| two[0].end < two[1].start), "{all:?}");
            }
        }
    }
}
