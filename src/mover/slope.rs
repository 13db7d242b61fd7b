//! Floors that are too steep to stand on, and the length of a walk on a slope.
//!
//! Nothing here moves a body.

use glam::I64Vec2;

use super::obeyed::ObeyedSolids;
use super::settings::{SURFACE_REACH, Slope};
use super::surface;
use crate::geometry::{Aabb, Dir};
use crate::level::Solids;
use crate::sweep::Contact;

/// The place one pixel further down of a body that `contact` stops on a floor steeper than `limit`: as near
/// beside its place as a pixel of such a floor can be. `None` where it stands.
pub(super) fn slid_down(
    solids: &ObeyedSolids<'_, impl Solids>,
    body: Aabb,
    floor: Dir,
    contact: Contact,
    limit: Slope,
) -> Option<Aabb> {
    if limit.is_vertical() {
        return None;
    }
    let side = surface::downhill(solids, body, floor, limit)?;
    let run = u32::from(limit.run.div_ceil(limit.rise.max(1)));
    let aside = run.min(2 * SURFACE_REACH as u32);
    solids.around(body, floor, contact, side, aside).map(|(_, place)| place)
}

/// True if `floor` holds a body and is at most as steep as `limit`: the body does not slide down.
pub(super) fn is_standing(
    solids: &ObeyedSolids<'_, impl Solids>,
    body: Aabb,
    floor: Dir,
    limit: Slope,
) -> bool {
    let sweep = solids.sweep(body, floor, 1);
    // A body in a solid, such as one that crosses it, does not slide.
    let slides = |contact| {
        !solids.overlaps(body) && slid_down(solids, body, floor, contact, limit).is_some()
    };
    !sweep.is_clear() && !sweep.contact.is_some_and(slides)
}

/// The translation of a body that stands on `floor`, if it is measured along the slope: its part along the
/// floor's axis is shorter by the cosine of the slope.
pub(super) fn along_slope(
    solids: &ObeyedSolids<'_, impl Solids>,
    body: Aabb,
    floor: Dir,
    translation: I64Vec2,
) -> I64Vec2 {
    let (up, across) = (floor.axis().index(), floor.axis().other().index());
    let normal = surface::normal(solids, body, floor).to_array();
    let mut translation = translation.to_array();
    if normal[across] != 0 && translation[across] != 0 {
        let square = normal.map(|part| u64::from(part.unsigned_abs()).pow(2)).iter().sum::<u64>();
        // In 65,536ths, so that the root is exact to a 65,536th of a pixel.
        let length = (u128::from(square) << 32).isqrt() as i128;
        let cosine = i128::from(normal[up].unsigned_abs()) << 16;
        translation[across] = (i128::from(translation[across]) * cosine / length) as i64;
    }
    translation.into()
}
