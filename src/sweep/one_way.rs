//! One-way cells: a cell blocks only the crossing of its guarded edge, from the open side.
//!
//! So only cells whose guarded edge lies in the strip that a box's leading edge sweeps count. A body that is
//! past the edge already is not held.

use std::ops::Range;

use glam::IVec2;

use super::contact::{Contact, Sweep};
use super::frame::{Frame, Strip, strip};
use crate::geometry::{Aabb, Axis, Dir};
use crate::grid::{Grid, words};

/// The one-way cells of a terrain, by the side that they guard, in the order of [`Dir::ALL`].
#[derive(Clone)]
pub(super) struct Guards(pub(super) Box<[Grid; 4]>);

impl Guards {
    #[inline]
    pub(super) fn get(&self, side: Dir) -> &Grid {
        &self.0[side as usize]
    }

    pub(super) fn get_mut(&mut self, side: Dir) -> &mut Grid {
        &mut self.0[side as usize]
    }
}

/// The lines of cells across the motion whose guarded edges the body's leading edge crosses, and the range of
/// cells on them; `None` if there are none inside the level. A cell guards the side that faces the body.
fn crossed(frame: &Frame, dir: Dir, strip: &Strip) -> Option<(Axis, Range<u32>, Range<u32>)> {
    let axis = strip.axis;
    let cell = i64::from(frame.cell[axis.index()].divisor);
    let (start, end) = (strip.along.start, strip.along.end);
    let (first, last) = if dir.is_positive() {
        // The edges are multiples of the cell's side, the first of them at `start` or after it.
        ((start + cell - 1).div_euclid(cell), (end + cell - 1).div_euclid(cell))
    } else {
        (start.div_euclid(cell), end.div_euclid(cell))
    };
    let count = frame.size[axis.index()] / cell;
    let (first, last) = (first.clamp(0, count), last.clamp(0, count));
    let across = frame.inside(axis.other(), &strip.across);
    if first >= last || across.is_empty() {
        return None;
    }
    let places = frame.cells(axis.other(), &across);
    Some((axis, first as u32..last as u32, places))
}

/// True if the motion crosses no guarded edge of `grid`, whose cells guard the side that faces the body.
pub(super) fn is_clear(grid: &Grid, frame: &Frame, dir: Dir, strip: &Strip) -> bool {
    match crossed(frame, dir, strip) {
        Some((axis, lines, places)) => !words::any_solid(grid, axis, lines, places),
        None => true,
    }
}

/// The sweep, cut short where the body crosses a guarded edge before a solid stops it. If both happen at
/// once, the contact with the lower place counts.
pub(super) fn cut(grid: &Grid, frame: &Frame, body: Aabb, dir: Dir, sweep: Sweep) -> Sweep {
    // A guarded edge can lie just in front of the line of pixels with the solid.
    let reach = sweep.moved.saturating_add(1).min(sweep.step);
    let Some((moved, contact)) = first(grid, frame, body, dir, reach) else {
        return sweep;
    };
    let place = |contact: Contact| (contact.cell.y, contact.cell.x);
    let is_lower = |solid: Contact| place(contact) < place(solid);
    if moved < sweep.moved || sweep.contact.is_none_or(is_lower) {
        let contact = Some(contact);
        return Sweep { moved, contact, ..sweep };
    }
    sweep
}

/// The distance that the body can move before it crosses a guarded edge, and the cell of that edge.
fn first(grid: &Grid, frame: &Frame, body: Aabb, dir: Dir, step: u32) -> Option<(u32, Contact)> {
    let strip = strip(body, dir, step);
    let (axis, lines, places) = crossed(frame, dir, &strip)?;
    let hit = words::first_solid(grid, dir, lines, places)?;
    let cell = i64::from(frame.cell[axis.index()].divisor);
    let line = i64::from(hit.line);
    let moved = if dir.is_positive() {
        line * cell - strip.along.start
    } else {
        strip.along.end - (line + 1) * cell
    };
    let (line, place) = (hit.line as i32, hit.place as i32);
    let cell = match axis {
        Axis::X => IVec2::new(line, place),
        Axis::Y => IVec2::new(place, line),
    };
    let normal = dir.opposite().vector();
    Some((moved as u32, Contact::new(cell, normal)))
}
