//! Free flight: the step of a body in the air with nothing near its path, decided by one query of the box
//! around it.
//!
//! It is a shortcut, with the answers of the whole motion, or with none where anything is near. Nothing here
//! stops a body.

use glam::IVec2;

use super::Mover;
use super::obeyed::ObeyedSolids;
use super::outcome::Move;
use crate::geometry::{Aabb, Axis, Dir, Sides};
use crate::level::Solids;

/// The longest step on each axis, in pixels. The box around the path of a longer one has far more pixels than
/// the strips that the body sweeps.
const LONGEST: u32 = 32;

/// The step by `pixels`, and by `subpixel` of the next one, of a body that stood on no floor after the last
/// step. `None` if the body may meet a solid, or if a floor may be below it.
pub(super) fn fly_free(
    mover: &mut Mover,
    solids: &ObeyedSolids<'_, impl Solids>,
    pixels: IVec2,
    subpixel: IVec2,
) -> Option<Move> {
    // A box whose corners are exchanged is empty, but its edges meet solids.
    let is_candidate = mover.steps_since_grounded > 0
        && mover.body.min.cmple(mover.body.max).all()
        && pixels.to_array().iter().all(|pixels| pixels.unsigned_abs() <= LONGEST)
        && solids.footprint().is_none()
        && !solids.has_areas();
    let there = mover.body.translated(pixels);
    let path = mover.body.hull(there);
    if !is_candidate || !is_free(solids, path, dirs(pixels + subpixel, mover.settings.floor)) {
        return None;
    }
    mover.body = there;
    mover.subpixel = subpixel;
    mover.steps_since_grounded = mover.steps_since_grounded.saturating_add(1);
    Some(Move {
        asked: pixels,
        moved: pixels,
        carried: IVec2::ZERO,
        leftover: IVec2::ZERO,
        contacts: Sides::all(None),
        started_solid: false,
        was_grounded: false,
        grounded: false,
        bounces: [0; 2],
        reflection: None,
        response: mover.settings.response,
        areas: [0; 3],
    })
}

/// The directions in which a body looks for solids on a motion with these signs, each once.
fn dirs(motion: IVec2, floor: Option<Dir>) -> impl Iterator<Item = Dir> {
    let [x, y] = [Axis::X, Axis::Y].map(|axis| Dir::along(axis, motion[axis.index()] > 0));
    let floor = floor.filter(|floor| *floor != x && *floor != y);
    [Some(x), Some(y), floor].into_iter().flatten()
}

/// True only if no solid, and no one-way edge that holds a motion toward one of `dirs`, lies in the box
/// around `path` or on the next pixels.
fn is_free(
    solids: &ObeyedSolids<'_, impl Solids>,
    path: Aabb,
    mut dirs: impl Iterator<Item = Dir>,
) -> bool {
    let around =
        Aabb { min: path.min.saturating_sub(IVec2::ONE), max: path.max.saturating_add(IVec2::ONE) };
    // At an end of the range of `i32` a body stops.
    let is_in_range = around.min.cmpgt(IVec2::MIN).all() && around.max.cmplt(IVec2::MAX).all();
    is_in_range && !solids.overlaps(around) && !dirs.any(|dir| solids.has_one_way(around, dir))
}
