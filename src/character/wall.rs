//! Walls: sliding down along them and jumping off. One-way cells are no walls. Nothing here changes a state.

use super::feel::Feel;
use super::input::Input;
use crate::geometry::{Aabb, Dir};
use crate::level::Solids;

/// The side of the wall along which a body slides: it falls, it is steered toward the wall, and touches it.
pub(super) fn slide(
    solids: &impl Solids,
    body: Aabb,
    falls: bool,
    input: Input,
    feel: &Feel,
) -> Option<Dir> {
    let is_on = falls && feel.wall_slide_speed > 0;
    input.side().filter(|side| is_on && gap(solids, body, *side, 1).is_some())
}

/// The side of the wall from which a body jumps: the nearest within its reach. Of two equally near ones it is
/// the one toward which it is steered, and neither without such a key.
pub(super) fn jump_side(
    solids: &impl Solids,
    body: Aabb,
    input: Input,
    feel: &Feel,
) -> Option<Dir> {
    if feel.wall_jump.y == 0 {
        return None;
    }
    let [left, right] =
        [Dir::Left, Dir::Right].map(|side| gap(solids, body, side, feel.wall_reach));
    match (left, right) {
        (Some(left), Some(right)) if left == right => input.side(),
        (Some(left), Some(right)) => Some(if left < right { Dir::Left } else { Dir::Right }),
        (left, right) => left.map(|_| Dir::Left).or(right.map(|_| Dir::Right)),
    }
}

/// The distance to the wall on a side, if it is less than `reach`.
fn gap(solids: &impl Solids, body: Aabb, side: Dir, reach: u32) -> Option<u32> {
    let sweep = solids.sweep_aabb(body, side, reach, false);
    sweep.contact.map(|_| sweep.moved)
}
