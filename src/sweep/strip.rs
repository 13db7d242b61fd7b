//! The strip that the leading edge of a box sweeps, in pixels.
//!
//! Toward right it is `[max.x, max.x + step) x [min.y, max.y)`, and likewise for the other three. Edges are
//! widened to `i64`, where no sum of a position and a step can overflow. Nothing here reads a grid.

use std::ops::Range;

use glam::IVec2;

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
    let ([low, first], [high, last]) = (split(body.min, axis), split(body.max, axis));
    // The compiler makes a branch of a selection, which a processor cannot predict.
    let is_back = i64::from(dir.is_positive()) - 1;
    let front = high ^ ((low ^ high) & is_back as i32);
    let step = i64::from(step);
    let start = i64::from(front) - (step & is_back);
    Strip { axis, along: start..start + step, across: i64::from(first)..i64::from(last) }
}

/// The coordinates along an axis and across it.
#[inline(always)]
fn split(at: IVec2, axis: Axis) -> [i32; 2] {
    match axis {
        Axis::X => [at.x, at.y],
        Axis::Y => [at.y, at.x],
    }
}
