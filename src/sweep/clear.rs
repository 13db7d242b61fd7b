//! The test whether a step is free: no solid and no guarded edge in the strip that a box sweeps.
//!
//! The fast path of the kernel: a strip inside the level is one test of words, and another one of the cells
//! that guard the side which the box comes to, if there are any.

use glam::IVec2;

use super::one_way;
use super::solid::{any_in, any_within, is_within};
use super::strip::{Strip, strip};
use super::terrain::Terrain;
use crate::geometry::{Aabb, Dir};

/// True if no solid pixel and no edge of a one-way cell lies in the strip that the leading edge of `body`
/// sweeps: see [`Terrain::can_move`].
///
/// It is inlined everywhere: a call from `sweep` cost 14 instructions of 290.
#[inline(always)]
pub(super) fn is_clear(terrain: &Terrain, body: Aabb, dir: Dir, step: u32) -> bool {
    let Terrain { grid, frame, guards, .. } = terrain;
    let Strip { axis, along, across } = strip(body, dir, step);
    let is_near =
        !along.is_empty() && !across.is_empty() && is_within(&frame.size, axis, &along, &across);
    if !is_near {
        return is_clear_apart(terrain, [body.min, body.max], dir, step);
    }
    !any_within(grid, frame, axis, &along, &across)
        && (guards.is_none() || crosses_none(terrain, [body.min, body.max], dir, step))
}

/// [`is_clear`] past the edge of the level, and of a strip without pixels.
///
/// It takes the corners of the box, which are in registers: the strip would have to be in memory.
#[cold]
#[inline(never)]
fn is_clear_apart(terrain: &Terrain, corners: [IVec2; 2], dir: Dir, step: u32) -> bool {
    let [min, max] = corners;
    let Strip { axis, along, across } = strip(Aabb { min, max }, dir, step);
    along.is_empty()
        || across.is_empty()
        || !any_in(&terrain.grid, &terrain.frame, axis, along, across)
            && crosses_none(terrain, corners, dir, step)
}

/// True if the box crosses no guarded edge.
#[inline(never)]
fn crosses_none(terrain: &Terrain, [min, max]: [IVec2; 2], dir: Dir, step: u32) -> bool {
    let strip = strip(Aabb { min, max }, dir, step);
    let guards = terrain.one_way(dir.opposite());
    guards.is_none_or(|grid| one_way::is_clear(grid, &terrain.frame, dir, &strip))
}
