//! The frame of a grid in pixels: the size of its cells, its extent, and its outside.
//!
//! Plain data and its arithmetic, in `i64`, where no sum of a position and a step can overflow. Nothing here
//! reads a grid.

use std::ops::Range;

use glam::UVec2;

use super::divisor::Divisor;
use crate::geometry::{Axis, Dir, Outside, Sides, saturated};

/// The frame of a grid in pixels: its cell size, its extent, and its outside.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub(super) cell: [Divisor; 2],
    /// Width and height in pixels: fewer than 2^32 cells of at most 2^16 pixels.
    pub(super) size: [i64; 2],
    pub(super) outside: Sides<Outside>,
}

impl Frame {
    /// The frame of a grid of `cells` cells; a side of `cell_size` is 1 to 2^16.
    pub(super) fn new(cells: UVec2, cell_size: UVec2, outside: Sides<Outside>) -> Self {
        let size = [
            i64::from(cells.x) * i64::from(cell_size.x),
            i64::from(cells.y) * i64::from(cell_size.y),
        ];
        Self { cell: [Divisor::new(cell_size.x), Divisor::new(cell_size.y)], size, outside }
    }

    pub(super) fn cell_size(&self) -> UVec2 {
        UVec2::new(self.cell[0].divisor, self.cell[1].divisor)
    }

    pub(super) fn outside(&self) -> Sides<Outside> {
        self.outside
    }

    /// True if a side of a cell is longer than a pixel.
    #[inline(always)]
    pub(super) fn has_large_cells(&self) -> bool {
        self.cell[0].divisor + self.cell[1].divisor > 2
    }

    pub(super) fn set_outside(&mut self, outside: Sides<Outside>) {
        self.outside = outside;
    }

    /// The cells that the pixels `range` touch on `axis`; not empty, and inside the level.
    #[inline(always)]
    pub(super) fn cells(&self, axis: Axis, range: &Range<i64>) -> Range<u32> {
        let cell = self.cell[axis.index()];
        cell.divide(range.start)..cell.divide(range.end - 1) + 1
    }

    /// The cell that holds the pixel `at` on `axis`, inside the level or not.
    pub(super) fn cell_of(&self, axis: Axis, at: i64) -> i32 {
        let cell = self.cell[axis.index()];
        if 0 <= at && at < self.size[axis.index()].min(i64::from(i32::MAX)) {
            return cell.divide(at) as i32;
        }
        saturated(at.div_euclid(i64::from(cell.divisor)))
    }

    #[inline]
    pub(super) fn is_solid_beyond(&self, axis: Axis, positive: bool) -> bool {
        self.outside.get(Dir::along(axis, positive)) == Outside::Solid
    }

    /// True if the pixel coordinate `at` lies beyond a solid side on `axis`.
    #[inline]
    pub(super) fn is_solid_at(&self, axis: Axis, at: i64) -> bool {
        (at < 0 && self.is_solid_beyond(axis, false))
            || (at >= self.size[axis.index()] && self.is_solid_beyond(axis, true))
    }

    /// True if one of the pixel coordinates `range` lies beyond a solid side on `axis`.
    pub(super) fn any_solid_at(&self, axis: Axis, range: &Range<i64>) -> bool {
        !range.is_empty()
            && (self.is_solid_at(axis, range.start) || self.is_solid_at(axis, range.end - 1))
    }

    /// The part of the pixel coordinates `range` that lies inside the level on `axis`.
    pub(super) fn inside(&self, axis: Axis, range: &Range<i64>) -> Range<i64> {
        range.start.max(0)..range.end.min(self.size[axis.index()])
    }
}
