//! The solid area of a rectangle, and the free room around a box.

use std::ops::Range;

use super::frame::Frame;
use super::solid::any_in;
use crate::geometry::{Aabb, Axis};
use crate::grid::Grid;

/// The number of solid pixels of `area`, inside the level and outside it.
pub(super) fn solid_area(grid: &Grid, frame: &Frame, area: Aabb) -> u64 {
    if area.is_empty() {
        return 0;
    }
    let x = i64::from(area.min.x)..i64::from(area.max.x);
    let y = i64::from(area.min.y)..i64::from(area.max.y);
    let all = length(&x) * length(&y);
    let open = length(&open_part(frame, Axis::X, &x)) * length(&open_part(frame, Axis::Y, &y));
    all - open + solid_inside(grid, frame, &x, &y)
}

fn length(range: &Range<i64>) -> u64 {
    (range.end - range.start).max(0) as u64
}

/// The pixels of `range` on `axis` that are inside the level or beyond an open side.
fn open_part(frame: &Frame, axis: Axis, range: &Range<i64>) -> Range<i64> {
    let mut open = range.clone();
    if frame.is_solid_beyond(axis, false) {
        open.start = open.start.max(0);
    }
    if frame.is_solid_beyond(axis, true) {
        open.end = open.end.min(frame.size[axis.index()]);
    }
    open
}

fn solid_inside(grid: &Grid, frame: &Frame, x: &Range<i64>, y: &Range<i64>) -> u64 {
    let mut solid = 0;
    for (columns, width) in pieces(frame, Axis::X, x) {
        for (rows, height) in pieces(frame, Axis::Y, y) {
            solid += grid.solid_count_in(columns.clone(), rows) * width * height;
        }
    }
    solid
}

/// The cells that the pixels `range` touch inside the level on `axis`, with the number of pixels in each: a
/// first cell in part, whole cells, and a last cell in part.
fn pieces(frame: &Frame, axis: Axis, range: &Range<i64>) -> [(Range<u32>, u64); 3] {
    let Range { start, end } = frame.inside(axis, range);
    let side = i64::from(frame.cell[axis.index()].divisor);
    if start >= end {
        return [(0..0, 0), (0..0, 0), (0..0, 0)];
    }
    // The whole cells are `first..last`; there are none if both ends lie in one cell.
    let (first, last) = ((start + side - 1) / side, end / side);
    if first > last {
        let cell = last as u32..first as u32;
        return [(cell, (end - start) as u64), (0..0, 0), (0..0, 0)];
    }
    [
        ((start / side) as u32..first as u32, (first * side - start) as u64),
        (first as u32..last as u32, side as u64),
        (last as u32..((end + side - 1) / side) as u32, (end - last * side) as u64),
    ]
}

/// The largest distance, at most `limit`, by which `body` can grow on all four sides without overlapping a
/// solid.
pub(super) fn clearance(grid: &Grid, frame: &Frame, body: Aabb, limit: u32) -> u32 {
    let is_free = |distance: u32| {
        let by = i64::from(distance);
        let x = i64::from(body.min.x) - by..i64::from(body.max.x) + by;
        let y = i64::from(body.min.y) - by..i64::from(body.max.y) + by;
        !any_in(grid, frame, Axis::X, x, y)
    };
    // Doubling first, so that a solid close by is found without reading cells far away.
    let (mut free, mut step) = (0, 1);
    while free < limit {
        let next = limit.min(free.saturating_add(step));
        if !is_free(next) {
            break;
        }
        free = next;
        step = next;
    }
    let mut taken = limit.min(free.saturating_add(step));
    while taken - free > 1 {
        let middle = free + (taken - free) / 2;
        if is_free(middle) {
            free = middle;
        } else {
            taken = middle;
        }
    }
    free
}
