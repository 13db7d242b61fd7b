//! The walk of a line from cell to cell, in a grid that has its words.
//!
//! The line enters its next cells along both axes at (2 n - 1) / (2 d) of its length each, so the sign of the
//! difference of these two parts, times both divisors, tells which border comes first. A step changes the
//! difference by one addition: there is no division, and no branch on the direction. After some steps the
//! box around the next cells is tested as words, and skipped if it is empty.

use super::{Line, Steps};
use crate::geometry::{Axis, Corners};
use crate::grid::{Plane, words};

/// The steps of a line along each axis are fewer, so that the products of two of them fit 62 bits.
const LONGEST: u64 = 1 << 30;

/// The number of borders that a line crosses before the next cells are tested together.
const SPAN: u32 = 32;

/// The number of cells along the longer axis that are tested together.
const TESTED: u32 = 64;

/// A cell: its row and its column.
type Cell = [u32; 2];

/// The axis across the rows, and the one along them: the order of all pairs here.
const AXES: [Axis; 2] = [Axis::Y, Axis::X];

/// The part of a line inside the level.
pub(super) struct Walk<'l> {
    line: &'l Line<'l>,
    plane: &'l Plane,
    /// The first pixel.
    start: Steps,
    /// The last pixel, and its cell.
    end: Steps,
    last: Cell,
}

/// The end of some steps of a walk.
enum Reached {
    Solid(Steps),
    Free(Cell),
}

/// The cell of a pixel on the line.
#[inline(always)]
fn cell(line: &Line<'_>, pixel: Steps) -> Cell {
    AXES.map(|axis| line.cell(axis, pixel[axis.index()]))
}

impl<'l> Walk<'l> {
    /// The walk between two pixels; `None` if the grid has no words of its rows, or the line is too long.
    #[inline(always)]
    pub(super) fn new(line: &'l Line<'l>, start: Steps, end: Steps) -> Option<Self> {
        let plane = line.grid.plane(Axis::Y)?;
        let is_short = line.all[0] < LONGEST && line.all[1] < LONGEST;
        is_short.then_some(Self { line, plane, start, end, last: cell(line, end) })
    }

    /// The first pixel in a solid cell.
    pub(super) fn first_solid(&self) -> Option<Steps> {
        let mut cell = cell(self.line, self.start);
        if self.is_solid(cell) {
            return Some(self.start);
        }
        let mut span = SPAN;
        while cell != self.last {
            match self.go(cell, span) {
                Reached::Solid(pixel) => return Some(pixel),
                Reached::Free(reached) => cell = reached,
            }
            // Among solids a test rarely succeeds, so it is tried less and less often.
            span = span.saturating_mul(2);
            while let Some(beyond) = self.skipped(cell) {
                (cell, span) = (beyond, SPAN);
            }
        }
        None
    }

    #[inline(always)]
    fn is_solid(&self, [row, column]: Cell) -> bool {
        self.plane.get(row, column)
    }

    /// Walks over at most `span` borders, and one more at a corner.
    fn go(&self, [mut row, mut column]: Cell, span: u32) -> Reached {
        let sides = AXES.map(|axis| 2 * self.line.side(axis));
        let all = AXES.map(|axis| self.line.all[axis.index()] as i64);
        // As numbers that wrap round.
        let steps = AXES.map(|axis| self.line.sign(axis) as u32);
        let past = [sides[0] * all[1], sides[1] * all[0]];
        let next = [row, column].map(i64::from);
        let mut order = self.entry(1, next[1] + self.line.sign(AXES[1])) * all[0]
            - self.entry(0, next[0] + self.line.sign(AXES[0])) * all[1];
        let borders = row.abs_diff(self.last[0]) + column.abs_diff(self.last[1]);
        let mut left = borders.min(span);
        while left > 0 {
            if order == 0 {
                let beyond = [row.wrapping_add(steps[0]), column.wrapping_add(steps[1])];
                if let Some(pixel) = self.first_at_corner([row, column], beyond) {
                    return Reached::Solid(pixel);
                }
                if row == self.last[0] || column == self.last[1] {
                    // The line leaves the level through this corner.
                    return Reached::Free(self.last);
                }
                [row, column] = beyond;
                order = past[1] - past[0];
                left = left.saturating_sub(2);
                continue;
            }
            // All ones if the line enters the next row, and all zeros if the next column.
            let is_row = (-order) >> 63;
            order += (past[1] & !is_row) - (past[0] & is_row);
            row = row.wrapping_add(steps[0] & is_row as u32);
            column = column.wrapping_add(steps[1] & !is_row as u32);
            if self.is_solid([row, column]) {
                return Reached::Solid(self.entered(usize::from(is_row == 0), [row, column]));
            }
            left -= 1;
        }
        Reached::Free([row, column])
    }

    /// Twice the step with which the line enters a cell along one of the axes, without a half: positive for
    /// cells ahead.
    fn entry(&self, axis: usize, cell: i64) -> i64 {
        2 * self.line.entered(AXES[axis], cell) - 1
    }

    /// The first pixel in a cell that the line enters through a border across one of the axes.
    #[inline(always)]
    fn entered(&self, axis: usize, cell: Cell) -> Steps {
        let axes = [AXES[axis], AXES[1 - axis]];
        let step = self.line.entered(axes[0], i64::from(cell[axis])) as u64;
        // At the corner by which it enters the level, the line visits no pixel before the start.
        let across = self.line.first(axes[0], step).max(self.start[axes[1].index()]);
        super::steps(axes[0], step, across)
    }

    /// The first pixel in a solid cell that the line visits at a corner between two cells.
    fn first_at_corner(&self, cell: Cell, beyond: Cell) -> Option<Steps> {
        let has_next = [0, 1].map(|axis| cell[axis] != self.last[axis]);
        if self.line.corners == Corners::Block {
            let beside = [[beyond[0], cell[1]], [cell[0], beyond[1]]];
            if let Some(axis) =
                [0, 1].into_iter().find(|&at| has_next[at] && self.is_solid(beside[at]))
            {
                return Some(self.entered(axis, beside[axis]));
            }
        }
        let is_met = has_next == [true; 2] && self.is_solid(beyond);
        is_met.then(|| {
            let [row, column] =
                [0, 1].map(|at| self.line.entered(AXES[at], i64::from(beyond[at])) as u64);
            super::steps(AXES[0], row, column)
        })
    }

    /// The cell that the line reaches after many cells in a box without solids; `None` if there is one, or
    /// the line ends before.
    fn skipped(&self, cell: Cell) -> Option<Cell> {
        let left = [0, 1].map(|axis| cell[axis].abs_diff(self.last[axis]));
        let along = usize::from(left[1] >= left[0]);
        if left[along] < SPAN {
            return None;
        }
        let (axis, across) = (AXES[along], AXES[1 - along]);
        let count = i64::from(left[along].min(TESTED)) * self.line.sign(axis);
        let beyond = i64::from(cell[along]) + count;
        let after = self.line.entered(axis, beyond + self.line.sign(axis)) as u64;
        let step = self.line.before(axis, after - 1).min(self.end[across.index()]);
        let mut reached = [beyond as u32; 2];
        reached[1 - along] = self.line.cell(across, step);
        let range = |at: usize| cell[at].min(reached[at])..cell[at].max(reached[at]) + 1;
        let (lines, places) = (range(1 - along), range(along));
        (!words::any_solid(self.line.grid, across, lines, places)).then_some(reached)
    }
}

#[cfg(test)]
mod tests {
    use glam::{IVec2, UVec2};

    use super::super::Line;
    use crate::geometry::{Axis, Corners};
    use crate::{Grid, Terrain};

    #[test]
    fn a_walk_meets_the_same_pixel_as_tests_of_all_bands() {
        let mut random = fastrand::Rng::with_seed(81);
        let sides = [1, 2, 63, 64, 65, 127, 129, 300];
        let mut hits = 0;
        for _ in 0..600 {
            let mut side = || sides[random.u32(0..sides.len() as u32) as usize];
            let (width, height) = (side(), side());
            let mut grid = Grid::new(width, height).unwrap();
            let solids =
                [0, 2, width * height / 300, width * height / 9][random.u32(0..4) as usize];
            for _ in 0..solids {
                grid.set(random.u32(0..width), random.u32(0..height), true).unwrap();
            }
            let cell = [[1, 1], [2, 3], [16, 5], [7, 40]][random.u32(0..4) as usize];
            let terrain = Terrain::new(grid, UVec2::from_array(cell)).unwrap();
            let size = terrain.size().as_ivec2();
            for _ in 0..60 {
                let margin = random.i32(0..90);
                let mut pixel = || {
                    let mut along = |side| random.i32(-margin..side + margin);
                    IVec2::new(along(size.x), along(size.y))
                };
                let (from, other) = (pixel(), pixel());
                // Slopes of small numbers meet corners; far ends are beyond the longest walk.
                let to = match random.u8(0..4) {
                    0 => other,
                    1 => from + (other - from).clamp(IVec2::splat(-3), IVec2::splat(3)) * 60,
                    2 => from + (other - from).signum() * random.i32(0..400) * IVec2::new(1, 3),
                    _ => from + (other - from) * random.i32(0..100_000),
                };
                for corners in [Corners::Block, Corners::Pass] {
                    let line = Line::new(&terrain.grid, &terrain.frame, from, to, corners);
                    let spans = [line.inside(Axis::X), line.inside(Axis::Y)];
                    let expected = match spans {
                        [Some(x), Some(y)] => line.first_of_all_bands([x, y]),
                        _ => None,
                    };
                    let [walked, expected] =
                        [line.first_inside(), expected].map(|first| first.map(|at| line.hit(at)));
                    assert_eq!(walked, expected, "{from} {to} {corners:?} {terrain:?}");
                    hits += u32::from(walked.is_some());
                }
            }
        }
        assert!(hits > 3_000, "{hits}");
    }
}
