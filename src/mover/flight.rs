//! Free flight: a step with nothing near its path, decided by one query of the box around it.
//!
//! It is a shortcut, with the answers of the whole motion, or with none where anything is near. Nothing here
//! moves a body.

use glam::IVec2;

use super::Mover;
use super::obeyed::ObeyedSolids;
use crate::geometry::{Aabb, Axis, Dir};
use crate::level::Solids;

/// The longest step on each axis, in pixels. The box around the path of a longer one has far more pixels than
/// the strips that the body sweeps.
const LONGEST: i32 = 32;

/// The places for which no sum here leaves the range of `i32`, at whose ends a body stops.
const NEAR: Aabb =
    Aabb { min: IVec2::splat(i32::MIN + LONGEST + 2), max: IVec2::splat(i32::MAX - LONGEST - 2) };

/// True only if nothing is near a step of `mover` by `pixels`, and by `subpixel` of the next one, and it ends
/// on no floor. So it moves by all of it. `was_grounded` is true if it stands on a floor now.
#[inline]
pub(super) fn is_free(
    mover: &Mover,
    solids: &ObeyedSolids<'_, impl Solids>,
    (pixels, subpixel): (IVec2, IVec2),
    was_grounded: bool,
) -> bool {
    let Mover { body, settings, .. } = mover;
    // A whole pixel away from the floor takes the body off it, so that floor is not near the path.
    let below = settings.floor.filter(|floor| !leaves(pixels, *floor));
    if was_grounded && (below.is_some() || settings.measures_slopes()) {
        return false;
    }
    // A box whose corners are exchanged is empty, but its edges meet solids.
    let is_candidate = body.min.cmple(body.max).all()
        && body.min.cmpgt(NEAR.min).all()
        && body.max.cmplt(NEAR.max).all()
        && pixels.cmple(IVec2::splat(LONGEST)).all()
        && pixels.cmpge(IVec2::splat(-LONGEST)).all()
        && solids.footprint().is_none()
        && !solids.has_areas();
    if !is_candidate {
        return false;
    }
    // The next pixel counts too, toward the floor as well.
    let sum = pixels + subpixel;
    let (reach, below) = (pixels + sum.signum(), below.map_or(IVec2::ZERO, Dir::vector));
    let path = Aabb {
        min: body.min + reach.min(below).min(IVec2::ZERO),
        max: body.max + reach.max(below).max(IVec2::ZERO),
    };
    let (x, y) = (Dir::along(Axis::X, sum.x > 0), Dir::along(Axis::Y, sum.y > 0));
    let floor = settings.floor.filter(|floor| *floor != x && *floor != y);
    !solids.overlaps(path)
        && !solids.has_one_way(path, x)
        && !solids.has_one_way(path, y)
        && floor.is_none_or(|floor| !solids.has_one_way(path, floor))
}

/// True if a motion leads away from the floor.
#[inline]
pub(super) fn leaves(motion: IVec2, floor: Dir) -> bool {
    let along = motion[floor.axis().index()];
    if floor.is_positive() { along < 0 } else { along > 0 }
}
