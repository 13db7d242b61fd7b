//! The test whether a step is free: no solid and no guarded edge in the strip that a box sweeps.
//!
//! The fast path of the kernel: a strip inside the level, where no cell is one-way, is one test of words.

use super::frame::Frame;
use super::one_way::{self, Guards};
use super::solid::{any_in, any_within, is_within};
use super::strip::{Strip, strip};
use crate::geometry::{Aabb, Dir};
use crate::grid::Grid;

/// True if no solid pixel and no edge of the one-way cells `guards` lies in the strip that the leading edge
/// of `body` sweeps: see [`crate::Terrain::can_move`].
///
/// It is inlined everywhere: a call from `sweep` cost 14 instructions of 290.
#[inline(always)]
pub(crate) fn is_clear(
    grid: &Grid,
    frame: &Frame,
    guards: Option<&Guards>,
    body: Aabb,
    dir: Dir,
    step: u32,
) -> bool {
    let Strip { axis, along, across } = strip(body, dir, step);
    if along.is_empty() || across.is_empty() {
        return true;
    }
    if !is_within(&frame.near, axis, &along, &across) {
        let strip = Strip { axis, along, across };
        return is_clear_apart(grid, frame, guards, dir, strip);
    }
    !any_within(grid, frame, axis, &along, &across)
}

/// [`is_clear`] past the edge of the level, and in a level with one-way cells.
#[cold]
fn is_clear_apart(
    grid: &Grid,
    frame: &Frame,
    guards: Option<&Guards>,
    dir: Dir,
    strip: Strip,
) -> bool {
    guards.is_none_or(|guards| one_way::is_clear(guards.get(dir.opposite()), frame, dir, &strip))
        && !any_in(grid, frame, strip.axis, strip.along, strip.across)
}
