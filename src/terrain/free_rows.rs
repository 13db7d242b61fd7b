//! The free positions of a body, row by row. This is the one source of free positions: the ways of a body
//! store them as bits, and the analysis of a level as runs. A position is the top-left pixel of the body.
//! The rows of cells that a body covers are combined by a bitwise or; a body fits where the result has a gap.

use std::ops::Range;

use glam::IVec2;

use super::kernel::{SolidCells, row_word};
use crate::geometry::{Axis, Dir};
use crate::grid::{runs_of_bits, zeros};

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

    /// Returns the largest number of rows of walls that a body of `height` pixels covers.
    fn depth(&self, height: i64) -> i64 {
        let (high, rows) = self.sides(Axis::Y);
        ((height + high - 2) / high + 1).min(rows)
    }

    /// Returns the largest number of bytes that [`free_rows`] uses for bodies of `height` pixels.
    pub(super) fn bytes_in_use(&self, height: i32) -> u64 {
        let (_, columns) = self.sides(Axis::X);
        8 * (self.depth(height.into()) as u64 + 2) * (columns as u64 / 64 + 1)
    }
}

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
    let mut window = Window::new(walls, first..end, height)?;
    let mut gaps = Vec::new();
    let mut y = ys.start;
    while y < ys.end {
        let top = y.div_euclid(high);
        let bottom = (y + height - 1).div_euclid(high) + 1;
        let next = ((top + 1) * high).min(bottom * high - (height - 1)).min(ys.end);
        gaps.clear();
        let walls = window.joined(top.max(0)..bottom.min(rows));
        for gap in runs_of_bits((end - first) as u32, |at| !walls[at as usize]) {
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

/// The rows of walls that a body covers while it moves down, and their bitwise or. Each row is read once and
/// combined twice, for a body of any height (the algorithm of van Herk, Gil and Werman): the window is cut at
/// the row `cut`. For each row above the cut, `kept` has the bitwise or of this row and the next ones up to
/// the cut. For each row below, it has the row itself, and `below` has the bitwise or of all of these.
struct Window<'t> {
    walls: Walls<'t>,
    /// The column of the first wall.
    column: i64,
    /// The row after the last row that was read.
    end: i64,
    cut: i64,
    /// The rows of the window: `stride` words for each of `depth` rows. The place of a row is its number
    /// modulo `depth`.
    kept: Vec<u64>,
    stride: usize,
    depth: i64,
    below: Vec<u64>,
    /// The bitwise or of the rows that were asked for last.
    joined: Vec<u64>,
}

impl<'t> Window<'t> {
    fn new(walls: Walls<'t>, columns: Range<i64>, height: i64) -> Option<Self> {
        let stride = ((columns.end - columns.start) as usize).div_ceil(64);
        let depth = walls.depth(height);
        Some(Self {
            walls,
            column: columns.start,
            end: 0,
            cut: 0,
            kept: zeros(depth as usize * stride)?,
            stride,
            depth,
            below: zeros(stride)?,
            joined: zeros(stride)?,
        })
    }

    /// Returns the bitwise or of `rows` of the level. From call to call, their start and their end may only
    /// grow.
    fn joined(&mut self, rows: Range<i64>) -> &[u64] {
        self.joined.fill(0);
        if rows.is_empty() {
            return &self.joined;
        }
        self.end = self.end.max(rows.start);
        while self.end < rows.end {
            let kept = self.place(self.end);
            for (column, word) in (self.column..).step_by(64).zip(kept.clone()) {
                self.kept[word] = self.walls.word(column, self.end);
                self.below[word - kept.start] |= self.kept[word];
            }
            self.end += 1;
        }
        if self.cut <= rows.start {
            self.cut = rows.end;
            for row in rows.clone().rev() {
                let kept = self.place(row);
                for (word, joined) in self.kept[kept].iter_mut().zip(&mut self.joined) {
                    *joined |= *word;
                    *word = *joined;
                }
            }
            self.below.fill(0);
            return &self.joined;
        }
        let kept = &self.kept[self.place(rows.start)];
        for (joined, (above, below)) in self.joined.iter_mut().zip(kept.iter().zip(&self.below)) {
            *joined = above | below;
        }
        &self.joined
    }

    /// Returns the indices of the words of a row in [`Window::kept`].
    fn place(&self, row: i64) -> Range<usize> {
        let start = (row % self.depth) as usize * self.stride;
        start..start + self.stride
    }
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
