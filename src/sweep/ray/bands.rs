//! The first solid cell on a line by tests of words, in bands of cells: for sparse grids, whose empty parts
//! are not read, and for very long lines.
//!
//! A band lies across the axis along which the line goes through fewer cells. The rectangle that the line
//! crosses is tested as words, and halved if it is not empty. No cell is visited one by one.

use std::ops::Range;

use super::{Line, Steps, steps};
use crate::geometry::Axis;
use crate::grid::words;

impl Line<'_> {
    /// As [`Line::first_inside`], for sparse grids and very long lines.
    #[cold]
    pub(super) fn first_of_all_bands(&self, spans: [(u64, u64); 2]) -> Option<Steps> {
        let cells = [0, 1].map(|axis| {
            let (first, last) = spans[axis];
            (last - first) / u64::from(self.frame.cell[axis].divisor) + 1
        });
        // Bands of cells lie across the axis with fewer cells; runs go along the other one.
        let across = if cells[0] < cells[1] { Axis::X } else { Axis::Y };
        let along = across.other();
        let (band, run) = (spans[across.index()], spans[along.index()]);
        let start = band.0.max(self.first(along, run.0));
        let end = band.1.min(self.last(along, run.1));
        // So many bands at a time that their runs fill one word. A sparse grid takes all bands at once,
        // because its empty parts are not read.
        let count = if self.grid.is_sparse() {
            cells[across.index()]
        } else {
            (64 * cells[across.index()] / cells[along.index()]).max(1)
        };
        let mut step = start;
        while step <= end {
            let stop = end.min(self.end_of_band(across, step, count - 1));
            if let Some(hit) = self.first_in_bands(across, step, stop, run) {
                return Some(hit);
            }
            step = stop + 1;
        }
        None
    }

    /// The last step across bands that is still in the band of `step`, or in the one that is `more` bands on.
    fn end_of_band(&self, across: Axis, step: u64, more: u64) -> u64 {
        let side = i64::from(self.frame.cell[across.index()].divisor);
        let place = self.place(across, step);
        let in_band = place.rem_euclid(side);
        let left = if self.dir(across).is_positive() { side - 1 - in_band } else { in_band };
        step + left as u64 + more * side as u64
    }

    /// The first solid that the line meets from step `start` to step `stop` across bands and within the steps
    /// `run` along them. It tests the rectangle that the line crosses, and halves one that is not empty.
    fn first_in_bands(
        &self,
        across: Axis,
        start: u64,
        stop: u64,
        run: (u64, u64),
    ) -> Option<Steps> {
        let along = across.other();
        let first = self.first(across, start).max(run.0);
        let last = self.last(across, stop).min(run.1);
        if first > last {
            return None;
        }
        let lines = self.cells(along, first, last);
        let places = self.cells(across, start, stop);
        if !words::any_solid(self.grid, along, lines.clone(), places.clone()) {
            return None;
        }
        let bands = places.end - places.start;
        if bands > 1 {
            let middle = self.end_of_band(across, start, u64::from(bands / 2) - 1);
            return self
                .first_in_bands(across, start, middle, run)
                .or_else(|| self.first_in_bands(across, middle + 1, stop, run));
        }
        let dir = self.dir(along);
        let hit = words::first_solid(self.grid, dir, lines, places)?;
        let entered = self.entered(along, i64::from(hit.line));
        let entered = first.max(entered.max(0) as u64);
        Some(steps(along, entered, start.max(self.first(along, entered))))
    }

    /// The cells from one step along `axis` to another; both are inside the level.
    fn cells(&self, axis: Axis, first: u64, last: u64) -> Range<u32> {
        let (first, last) = (self.place(axis, first), self.place(axis, last));
        self.frame.cells(axis, &(first.min(last)..first.max(last) + 1))
    }
}
