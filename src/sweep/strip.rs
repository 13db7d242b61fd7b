//! The strip that the leading edge of a box sweeps, in pixels.
//!
//! Toward right it is `[max.x, max.x + step) x [min.y, max.y)`, and likewise for the other three. Edges are
//! widened to `i64`, where no sum of a position and a step can overflow. Nothing here reads a grid.

use std::ops::Range;

use crate::geometry::{Aabb, Axis, Dir};

/// The strip in pixels: the coordinates that the leading edge passes over, along the motion's axis, and
/// the box's extent across it.
pub(super) struct Strip {
    pub(super) axis: Axis,
    pub(super) along: Range<i64>,
    pub(super) across: Range<i64>,
}

/// The strip of `body` toward `dir`. It has no branch on the direction, because a processor cannot predict
/// the directions of a game's characters.
#[inline(always)]
pub(super) fn strip(body: Aabb, dir: Dir, step: u32) -> Strip {
    let axis = dir.axis();
    let (along, across) = (axis.index(), 1 - axis.index());
    let edges = [body.min.x, body.min.y, body.max.x, body.max.y];
    let (positive, step) = (dir.is_positive(), i64::from(step));
    let front = i64::from(edges[along + 2 * usize::from(positive)]);
    let start = front - step * i64::from(!positive);
    Strip {
        axis,
        along: start..start + step,
        across: i64::from(edges[across])..i64::from(edges[across + 2]),
    }
}
