//! Free flight: the step of a body in the air with nothing near its path, which one look around it tells.
//!
//! It is a shortcut, with the answers of the whole motion. Where anything is near, nothing here decides.

use glam::IVec2;

use super::Mover;
use super::obeyed::ObeyedSolids;
use super::outcome::Move;
use crate::geometry::{Aabb, Axis, Dir, Sides};
use crate::level::Solids;

/// The longest step on each axis, in pixels. The box around the path of a longer one has far more pixels than
/// the strips that the body sweeps.
const LONGEST: u32 = 32;

impl Mover {
    /// The step by `pixels`, and by `subpixel` of the next one, of a body that stood on no floor after the
    /// last step. `None` if the body may meet a solid, or if a floor may be below it.
    pub(super) fn fly_free(
        &mut self,
        solids: &ObeyedSolids<'_, impl Solids>,
        pixels: IVec2,
        subpixel: IVec2,
    ) -> Option<Move> {
        let is_candidate = self.steps_since_grounded > 0
            && pixels.to_array().iter().all(|pixels| pixels.unsigned_abs() <= LONGEST)
            && solids.footprint().is_none()
            && !solids.has_areas();
        let there = self.body.translated(pixels);
        if !is_candidate || !is_free(solids, self.body.hull(there), self.dirs(pixels + subpixel)) {
            return None;
        }
        self.body = there;
        self.subpixel = subpixel;
        self.steps_since_grounded = self.steps_since_grounded.saturating_add(1);
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
            response: self.settings.response,
            areas: [0; 3],
        })
    }

    /// The directions in which the body looks for solids on a motion with these signs.
    fn dirs(&self, motion: IVec2) -> impl Iterator<Item = Dir> + use<> {
        let along = |axis: Axis| Dir::along(axis, motion[axis.index()] > 0);
        let [x, y] = [along(Axis::X), along(Axis::Y)];
        let floor = self.settings.floor.filter(|floor| *floor != x && *floor != y);
        [Some(x), Some(y), floor].into_iter().flatten()
    }
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
