//! Solid pixels, inside the level and outside it: the test of a rectangle, and the first one that an edge
//! meets.

use std::ops::Range;

use glam::IVec2;

use super::contact::{Contact, Sweep};
use super::frame::Frame;
use super::strip::{Strip, strip};
use crate::geometry::{Aabb, Axis, Dir};
use crate::grid::{Grid, words};

/// True if the pixel is solid.
#[inline]
pub(super) fn is_solid(grid: &Grid, frame: &Frame, point: IVec2) -> bool {
    let (x, y) = (i64::from(point.x), i64::from(point.y));
    any_in(grid, frame, Axis::X, x..x + 1, y..y + 1)
}

/// True if some pixel of `area` is solid.
#[inline]
pub(super) fn any_solid(grid: &Grid, frame: &Frame, area: Aabb) -> bool {
    let x = i64::from(area.min.x)..i64::from(area.max.x);
    let y = i64::from(area.min.y)..i64::from(area.max.y);
    any_in(grid, frame, Axis::X, x, y)
}

/// True if some pixel of the rectangle `along` (on `axis`) x `across` is solid.
#[inline(always)]
pub(super) fn any_in(
    grid: &Grid,
    frame: &Frame,
    axis: Axis,
    along: Range<i64>,
    across: Range<i64>,
) -> bool {
    if along.is_empty() || across.is_empty() {
        return false;
    }
    if !is_within(&frame.size, axis, &along, &across) {
        return any_past_the_edge(grid, frame, axis, along, across);
    }
    any_within(grid, frame, axis, &along, &across)
}

/// True if the rectangle `along` (on `axis`) x `across` is inside a level of this size.
#[inline(always)]
pub(super) fn is_within(
    size: &[i64; 2],
    axis: Axis,
    along: &Range<i64>,
    across: &Range<i64>,
) -> bool {
    (along.start | across.start) >= 0
        && along.end <= size[axis.index()]
        && across.end <= size[axis.other().index()]
}

/// [`any_in`] for a rectangle that is not empty and inside the level.
#[inline(always)]
pub(super) fn any_within(
    grid: &Grid,
    frame: &Frame,
    axis: Axis,
    along: &Range<i64>,
    across: &Range<i64>,
) -> bool {
    if frame.has_large_cells() {
        let (lines, places) = (frame.cells(axis, along), frame.cells(axis.other(), across));
        words::any_solid_cell(grid, axis, lines, places)
    } else {
        let cells = |pixels: &Range<i64>| pixels.start as u32..pixels.end as u32;
        words::any_solid(grid, axis, cells(along), cells(across))
    }
}

#[cold]
fn any_past_the_edge(
    grid: &Grid,
    frame: &Frame,
    axis: Axis,
    along: Range<i64>,
    across: Range<i64>,
) -> bool {
    let cross = axis.other();
    frame.any_solid_at(axis, &along)
        || frame.any_solid_at(cross, &across)
        || any_in(grid, frame, axis, frame.inside(axis, &along), frame.inside(cross, &across))
}

/// The contact of a body that cannot move one pixel more toward `dir`. `None` if no solid holds it there
/// inside the level, or if the grid keeps no lines across the motion.
pub(super) fn contact(grid: &Grid, frame: &Frame, body: Aabb, dir: Dir) -> Option<Contact> {
    let Strip { axis, along, across } = strip(body, dir, 1);
    if !is_within(&frame.size, axis, &along, &across) || across.is_empty() {
        return None;
    }
    let line = frame.cell[axis.index()].divide(along.start);
    let place = words::first_on_line(grid, axis, line, frame.cells(axis.other(), &across))?;
    let cell = match axis {
        Axis::X => IVec2::new(line as i32, place as i32),
        Axis::Y => IVec2::new(place as i32, line as i32),
    };
    Some(Contact::new(cell, -dir.vector()))
}

/// The distance that `body` can move, and its contact: see [`crate::Terrain::sweep`].
pub(super) fn sweep(grid: &Grid, frame: &Frame, body: Aabb, dir: Dir, step: u32) -> Sweep {
    sweep_strip(grid, frame, &strip(body, dir, step), dir)
}

/// [`sweep`] of an edge that passes over this strip, which may reach beyond the range of `i32`; it is at most
/// `u32::MAX` pixels long.
pub(super) fn sweep_strip(grid: &Grid, frame: &Frame, strip: &Strip, dir: Dir) -> Sweep {
    let step = (strip.along.end - strip.along.start) as u32;
    if strip.along.is_empty() || strip.across.is_empty() {
        return Sweep::clear(step);
    }
    let beyond = first_beyond(frame, strip, dir.is_positive());
    let inside = first_inside(grid, frame, strip, dir);
    let moved = match (beyond, inside) {
        (None, None) => return Sweep::clear(step),
        (Some(moved), None) | (None, Some((moved, _))) => moved,
        (Some(beyond), Some((inside, _))) => beyond.min(inside),
    };
    let pixel = if dir.is_positive() {
        strip.along.start + i64::from(moved)
    } else {
        strip.along.end - 1 - i64::from(moved)
    };
    let in_grid = inside.filter(|(at, _)| *at == moved).map(|(_, cross)| cross);
    let line = frame.cell_of(strip.axis, pixel);
    let cross = lowest_cross(frame, strip, pixel, in_grid);
    Sweep {
        step,
        moved,
        contact: Some(Contact::new(
            match strip.axis {
                Axis::X => IVec2::new(line, cross),
                Axis::Y => IVec2::new(cross, line),
            },
            -dir.vector(),
        )),
    }
}

/// The distance that the edge moves before it meets a solid pixel outside the level, if it does.
fn first_beyond(frame: &Frame, strip: &Strip, positive: bool) -> Option<u32> {
    let (axis, along) = (strip.axis, &strip.along);
    let first = if positive { along.start } else { along.end - 1 };
    if frame.any_solid_at(axis.other(), &strip.across) || frame.is_solid_at(axis, first) {
        return Some(0);
    }
    // The edge starts inside the level or beyond an open side: it can only leave through the far side.
    if !frame.is_solid_beyond(axis, positive) {
        return None;
    }
    let moved = if positive { frame.size[axis.index()] - along.start } else { along.end };
    (moved < along.end - along.start).then_some(moved as u32)
}

/// The distance that the edge moves before it meets a solid cell of the grid, and that cell's place across.
fn first_inside(grid: &Grid, frame: &Frame, strip: &Strip, dir: Dir) -> Option<(u32, u32)> {
    let (axis, cross) = (strip.axis, strip.axis.other());
    let along = frame.inside(axis, &strip.along);
    let across = frame.inside(cross, &strip.across);
    if along.is_empty() || across.is_empty() {
        return None;
    }
    let hit =
        words::first_solid(grid, dir, frame.cells(axis, &along), frame.cells(cross, &across))?;
    // An edge that starts within the cell that it meets does not move at all.
    let side = i64::from(frame.cell[axis.index()].divisor);
    let start = i64::from(hit.line) * side;
    let moved = if dir.is_positive() {
        start.max(along.start) - strip.along.start
    } else {
        strip.along.end - (start + side).min(along.end)
    };
    Some((moved as u32, hit.place))
}

/// The lowest cell across the motion that is solid where the edge stops, on the pixel line `pixel`;
/// `in_grid` is the lowest one inside the grid, if there is one.
fn lowest_cross(frame: &Frame, strip: &Strip, pixel: i64, in_grid: Option<u32>) -> i32 {
    let (axis, cross) = (strip.axis, strip.axis.other());
    let lowest = strip.across.start;
    if frame.is_solid_at(axis, pixel) || frame.is_solid_at(cross, lowest) {
        return frame.cell_of(cross, lowest);
    }
    match in_grid {
        Some(cell) => cell as i32,
        // The far side is the last possibility: the first pixel beyond it that the box covers.
        None => frame.cell_of(cross, frame.size[cross.index()].max(lowest)),
    }
}
