//! Finds the solid pixel nearest to a point. The search starts in the row of the point and goes outward, to
//! each row that can have a nearer solid. In each row it searches to the left and to the right. It reads 64
//! cells at a time.

use std::ops::Range;

use glam::IVec2;

use super::kernel::{SolidCells, Strip, is_solid, sweep_strip};
use crate::geometry::{Axis, Dir};

/// The solid pixel nearest to a point. Returned by [`crate::Terrain::nearest_solid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct NearestSolid {
    /// The nearest solid pixel. Among equally near pixels, it is the pixel with the smallest row, then the
    /// smallest column.
    pub pixel: IVec2,
    /// The column and row of the cell that contains `pixel`. Outside the level, it is clamped as in
    /// [`Contact::cell`](crate::Contact::cell).
    pub cell: IVec2,
    /// The square of the distance in pixels between the centres of `pixel` and of the point; 0 if the point
    /// is solid.
    pub distance_squared: u64,
}

const PLACES: Range<i64> = i32::MIN as i64..i32::MAX as i64 + 1;

struct NearestSearch<'l> {
    cells: &'l SolidCells,
    x: i64,
    y: i64,
    /// The squared distance, the row and the column of the nearest pixel so far. A smaller tuple is better.
    best: (u64, i64, i64),
}

pub(super) fn nearest_solid(cells: &SolidCells, point: IVec2, radius: u32) -> Option<NearestSolid> {
    let x = i64::from(point.x);
    let y = i64::from(point.y);
    // Every pixel within the radius is a smaller tuple than this bound.
    let none = (u64::from(radius).pow(2), i64::MAX, i64::MAX);
    let mut search = NearestSearch { cells, x, y, best: none };
    search.look_along_row(y);
    // Solids straight above and below are found quickly, and shorten the search of other rows.
    for dir in [Dir::Up, Dir::Down] {
        search.look_straight(dir);
    }
    for dir in [Dir::Up, Dir::Down] {
        search.look_through_rows(dir);
    }
    if search.best == none {
        return None;
    }
    let (distance_squared, row, column) = search.best;
    Some(NearestSolid {
        pixel: IVec2::new(column as i32, row as i32),
        cell: IVec2::new(cells.frame.cell_of(Axis::X, column), cells.frame.cell_of(Axis::Y, row)),
        distance_squared,
    })
}

impl NearestSearch<'_> {
    /// Returns the largest distance along one axis at which a pixel can be nearer than the nearest solid
    /// pixel so far. The pixel is `away` pixels off along the other axis. `None` if no pixel can be nearer.
    fn reach(&self, away: u64) -> Option<i64> {
        let left = self.best.0.checked_sub(away.checked_mul(away)?)?;
        Some(left.isqrt() as i64)
    }

    fn offer(&mut self, column: i64, row: i64) {
        if let Some(across) = column.abs_diff(self.x).checked_pow(2)
            && let Some(down) = row.abs_diff(self.y).checked_pow(2)
            && let Some(sum) = across.checked_add(down)
        {
            self.best = self.best.min((sum, row, column));
        }
    }

    /// Returns the distance that an edge moves toward `dir` over the range `along` before it meets a solid;
    /// `None` if it meets no solid. The edge covers the pixels `across` on the other axis.
    fn sweep(&self, dir: Dir, along: Range<i64>, across: Range<i64>) -> Option<i64> {
        let [along, across] =
            [along, across].map(|range| range.start.max(PLACES.start)..range.end.min(PLACES.end));
        let strip = Strip { axis: dir.axis(), along, across };
        if strip.along.is_empty() {
            return None;
        }
        let sweep = sweep_strip(self.cells, &strip, dir);
        sweep.contact.map(|_| i64::from(sweep.moved))
    }

    fn look_along_row(&mut self, row: i64) {
        let Some(reach) = self.reach(row.abs_diff(self.y)) else {
            return;
        };
        let x = self.x;
        if is_solid(self.cells, IVec2::new(x as i32, row as i32)) {
            self.offer(x, row);
            return;
        }
        if let Some(moved) = self.sweep(Dir::Left, x - reach..x, row..row + 1) {
            self.offer(x - 1 - moved, row);
        }
        if let Some(moved) = self.sweep(Dir::Right, x + 1..x + 1 + reach, row..row + 1) {
            self.offer(x + 1 + moved, row);
        }
    }

    /// Returns the rows from `row` toward `dir` that can have a pixel nearer than the nearest solid pixel so
    /// far.
    fn rows(&self, dir: Dir, row: i64) -> Option<Range<i64>> {
        let reach = self.reach(0)?;
        Some(if dir.is_positive() { row..self.y + reach + 1 } else { self.y - reach..row + 1 })
    }

    fn look_straight(&mut self, dir: Dir) {
        let next = self.y + i64::from(dir.vector().y);
        let moved = self.rows(dir, next).and_then(|rows| self.sweep(dir, rows, self.x..self.x + 1));
        if let Some(moved) = moved {
            self.offer(self.x, next + i64::from(dir.vector().y) * moved);
        }
    }

    /// Searches each row toward `dir` that can have a solid pixel nearer than the nearest one so far.
    fn look_through_rows(&mut self, dir: Dir) {
        let mut row = self.y;
        while let Some(next) = self.next_row(row, dir)
            && let Some(reach) = self.reach(next.abs_diff(self.y))
            && let Some(rows) = self.rows(dir, next)
            && let Some(moved) = self.sweep(dir, rows, self.x - reach..self.x + reach + 1)
        {
            row = next + i64::from(dir.vector().y) * moved;
            self.look_along_row(row);
        }
    }

    /// Returns the next row toward `dir` that may have other solids than `row`; `None` if there is no such
    /// row. All rows of pixels within one row of cells are alike, and so are all rows beyond one side of the
    /// level.
    fn next_row(&self, row: i64, dir: Dir) -> Option<i64> {
        let height = self.cells.frame.size[Axis::Y.index()];
        let side = i64::from(self.cells.frame.cell[Axis::Y.index()].divisor);
        let start = row.div_euclid(side) * side;
        match (dir.is_positive(), row < 0, row >= height) {
            (true, true, _) => Some(0),
            (false, _, true) => Some(height - 1),
            (true, _, true) | (false, true, _) => None,
            (true, false, false) => Some(start + side),
            (false, false, false) => Some(start - 1),
        }
    }
}
