//! Follows a ray from one line of cells (a row or a column) to the next, in a dense grid. On each line the
//! ray crosses one run of cells, and one masked word tests this run. The ends of the runs are on a straight
//! line too. So each end is the previous end plus a quotient and a carried remainder, as in Bresenham's
//! algorithm. A walk of any length needs only two divisions.

use std::hint::select_unpredictable;
use std::ops::Range;

use glam::IVec2;

use super::{RayLine, Steps};
use crate::geometry::{Axis, Corners};
use crate::grid::{Plane, words};

/// The limit of a ray's steps along each axis. With fewer steps, the product of two numbers fits in 62 bits.
const LONGEST: u64 = 1 << 30;

pub(super) const UNLIMITED: [i64; 2] = [i64::MIN, i64::MAX];

/// A cell: the number of its line (column or row), and its index on that line.
type Cell = [i64; 2];

pub(super) struct Walk<'l> {
    line: &'l RayLine<'l>,
    plane: &'l Plane,
    /// The axis across the lines of cells (x if the lines are columns), then the axis along them. A [`Cell`]
    /// has its two numbers in this order.
    axes: [Axis; 2],
    start: Steps,
    first: Cell,
    last: Cell,
}

/// A solid cell that the ray meets. `is_from_line` is true if the ray enters it from the previous line, and
/// not from the previous cell of the same line.
#[derive(Clone, Copy)]
pub(super) struct Met {
    cell: Cell,
    is_from_line: bool,
}

impl<'l> Walk<'l> {
    /// Creates a walk from the pixel `start` to the pixel `end`; `None` if the grid is sparse or the ray is
    /// too long.
    #[inline(always)]
    pub(super) fn new(line: &'l RayLine<'l>, start: Steps, end: Steps) -> Option<Self> {
        if line.all[0] >= LONGEST || line.all[1] >= LONGEST {
            return None;
        }
        let first = line.cell(start);
        let last = line.cell(end);
        let is_steep = first[0].abs_diff(last[0]) < first[1].abs_diff(last[1]);
        let across = if is_steep { Axis::X } else { Axis::Y };
        let plane = line.cells?.grid.plane(across)?;
        let axes = [across, across.other()];
        let [first, last] = [first, last].map(|cell| axes.map(|axis| cell[axis.index()]));
        Some(Self { line, plane, axes, start, first, last })
    }

    /// Returns the lowest and the highest index along a line of the cells inside the level that the ray
    /// visits. They are limits for [`Walk::first_solid`].
    pub(super) fn limits(&self) -> [i64; 2] {
        [self.first[1].min(self.last[1]), self.first[1].max(self.last[1])]
    }

    /// Returns the first solid cell that the ray meets, walking row by row or column by column. A cell counts
    /// only if its column in its row, or its row in its column, is within `limits`, both inclusive. Only rays
    /// that enter or leave the level through a corner need limits. Other rays pass [`UNLIMITED`], which saves
    /// the tests.
    #[inline(always)]
    pub(super) fn first_solid(&self, limits: [i64; 2]) -> Option<Met> {
        let [across, along] = self.axes;
        let signs = self.axes.map(|axis| self.line.signs[axis.index()]);
        let all = self.axes.map(|axis| self.line.all[axis.index()] as i64);
        let sides = self.axes.map(|axis| self.line.side(axis));
        let entered = self.line.entered(across, self.first[0]) + sides[0];
        let begun = self.line.entered(along, self.first[1]);
        let divisor = (2 * all[0] * sides[1]).max(1) as u64;
        let dividend = ((2 * entered - 1) * all[1] + all[0] * (1 - 2 * begun)) as u64;
        let step = (2 * sides[0] * all[1]) as u64;
        let mut rest = dividend % divisor;
        let mut next = self.first[1] + signs[1] * (dividend / divisor) as i64;
        let more = signs[1] * (step / divisor) as i64;
        let more_rest = step % divisor;
        let is_block = self.line.corners == Corners::Block;
        let [block, pass] = [is_block, !is_block].map(|is| if is { signs[1] } else { 0 });
        let [mut line, mut place] = self.first;
        loop {
            let is_last = line == self.last[0];
            let is_corner = -i64::from(rest == 0);
            let end = if is_last { self.last[1] } else { next - (pass & is_corner) };
            if let Some(met) = self.first_in_run(line, place, end, limits) {
                return Some(Met { cell: [line, met], is_from_line: met == place });
            }
            if is_last {
                return None;
            }
            place = next - (block & is_corner);
            line += signs[0];
            rest += more_rest;
            // The compiler would make a branch here. Among tiles, a processor predicts this branch wrongly
            // once a ray, which costs 5 ns of 57.
            let carries = rest >= divisor;
            rest = select_unpredictable(carries, rest.wrapping_sub(divisor), rest);
            next += more + select_unpredictable(carries, signs[1], 0);
        }
    }

    /// Returns the index of the first solid cell on line number `line` from index `from` to index `to`,
    /// within `limits`; `None` if no cell there is solid.
    #[inline(always)]
    fn first_in_run(&self, line: i64, from: i64, to: i64, limits: [i64; 2]) -> Option<i64> {
        let low = from.min(to).max(limits[0]) as u32;
        let high = from.max(to).min(limits[1]) as u32;
        if low / 64 != high / 64 {
            return self.first_in_stripes(line as u32, low..high + 1);
        }
        let mask = (u64::MAX << (low % 64)) & (u64::MAX >> (63 - high % 64));
        let word = self.plane.stripe(line as u32, low) & mask;
        if word == 0 {
            return None;
        }
        let first = word.trailing_zeros();
        let last = 63 - word.leading_zeros();
        let place = if self.is_positive() { first } else { last };
        Some(i64::from((low & !63) + place))
    }

    #[inline(never)]
    fn first_in_stripes(&self, line: u32, places: Range<u32>) -> Option<i64> {
        let bit = if self.is_positive() { words::first_bit } else { words::last_bit };
        bit(self.plane, line, &places).map(i64::from)
    }

    /// Returns true if the ray moves toward higher cell indices along a line: right on a row, down on a
    /// column.
    #[inline(always)]
    fn is_positive(&self) -> bool {
        self.line.signs[self.axes[1].index()] > 0
    }

    /// Returns the column and row of the solid cell `met`. They fit in `i32`, because the cell's pixels do.
    #[inline(always)]
    pub(super) fn cell(&self, met: Met) -> IVec2 {
        let [line, place] = met.cell.map(|cell| cell as i32);
        self.axes[0].xy(line, place).into()
    }

    /// Returns the step along `axis` at which the walk enters the column (or row) number `cell`.
    #[inline(always)]
    fn entered(&self, axis: Axis, cell: i64) -> u64 {
        self.line.entered(axis, cell).max(self.start[axis.index()] as i64) as u64
    }

    #[inline(always)]
    pub(super) fn pixel(&self, met: Met) -> Steps {
        let [across, along] = self.axes;
        let mut line = self.entered(across, met.cell[0]);
        let mut place = self.entered(along, met.cell[1]);
        if self.line.frame.has_large_cells() {
            // The ray enters at the cell's border along one axis, and at any pixel along the other axis.
            let (axis, step) = if met.is_from_line { (across, line) } else { (along, place) };
            let other = self.line.first(axis, step);
            place = place.max(if met.is_from_line { other } else { 0 });
            line = line.max(if met.is_from_line { 0 } else { other });
        }
        across.xy(line, place)
    }
}

#[cfg(test)]
mod tests {
    use glam::{IVec2, UVec2};

    use super::super::RayLine;
    use crate::geometry::Corners;
    use crate::{Grid, Terrain};

    #[test]
    fn a_ray_finds_the_same_pixel_by_walking_and_by_the_search_for_sparse_grids() {
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
                // Slopes with small numerators and denominators make rays through corners. Some rays are too
                // long for a walk.
                let to = match random.u8(0..4) {
                    0 => other,
                    1 => from + (other - from).clamp(IVec2::splat(-3), IVec2::splat(3)) * 60,
                    2 => from + (other - from).signum() * random.i32(0..400) * IVec2::new(1, 3),
                    _ => from + (other - from) * random.i32(0..100_000),
                };
                for corners in [Corners::Block, Corners::Pass] {
                    let cells = &terrain.cells;
                    let ends = [from, to].map(IVec2::as_i64vec2);
                    let line = RayLine::new(&cells.frame, Some(cells), ends, corners);
                    let part = line.part_inside();
                    let expected = part.and_then(|(start, end)| line.first_in_bands(start, end));
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
