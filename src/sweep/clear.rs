//! The test whether a step is free: no solid and no guarded edge in the strip that a box sweeps.
//!
//! The fast path of the kernel: a strip inside the level, where no cell is one-way, is one test of words.

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
    let Strip { axis, along, across } = strip(body, dir, step);
    let is_plain = !along.is_empty()
        && !across.is_empty()
        && is_within(&terrain.frame.near, axis, &along, &across);
    if is_plain {
        !any_within(&terrain.grid, &terrain.frame, axis, &along, &across)
    } else {
        is_clear_apart(terrain, [body.min, body.max], dir, step)
    }
}

/// [`is_clear`] past the edge of the level, in a level with one-way cells, and of a strip without pixels. It
/// takes the strip in parts: written to memory for it, the strip cost the fast path 6 instructions.
#[cold]
#[inline(never)]
fn is_clear_apart(terrain: &Terrain, [min, max]: [IVec2; 2], dir: Dir, step: u32) -> bool {
    let Terrain { grid, frame, .. } = terrain;
    let strip = strip(Aabb { min, max }, dir, step);
    if strip.along.is_empty() || strip.across.is_empty() {
        return true;
    }
    terrain.one_way(dir.opposite()).is_none_or(|grid| one_way::is_clear(grid, frame, dir, &strip))
        && !any_in(grid, frame, strip.axis, strip.along, strip.across)
}
