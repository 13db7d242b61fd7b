//! Ledges: the top of a wall, on which a body hangs and climbs. Nothing here changes a state.

use glam::I64Vec2;

use super::feel::Feel;
use super::input::Input;
use crate::geometry::{Aabb, Dir, SUBPIXELS};
use crate::level::Solids;
use crate::mover::{Move, Mover};

/// The least distance up, at most `limit`, after which the wall beside the body is below its feet; 0 if there
/// is no wall. `None` if there is no such place, or if something is in the way up to it or over the ledge.
pub(super) fn rise(solids: &impl Solids, body: Aabb, side: Dir, limit: u32) -> Option<u32> {
    let rise = solids.nearest_free_aabb(body.shifted(side, 1), Dir::Up, limit)?;
    let aside = body.shifted(Dir::Up, rise);
    let is_free = solids.can_move_aabb(body, Dir::Up, rise, true)
        && solids.can_move_aabb(aside, side, 1, true);
    is_free.then_some(rise)
}

/// The side of the ledge that a body grabs: it falls, it is steered toward the ledge and not down, and the
/// ledge is at most `ledge_reach` pixels above its top, or was before it fell past in this step.
pub(super) fn grab(
    solids: &impl Solids,
    body: Aabb,
    motion: &Move,
    input: Input,
    feel: &Feel,
) -> Option<Dir> {
    let side = input.side().filter(|_| feel.ledge_reach > 0 && !input.is_down())?;
    let passed = motion.moved.y.max(0).unsigned_abs();
    let limit = body.height().saturating_add(feel.ledge_reach).saturating_add(passed);
    let rise = rise(solids, body, side, limit)?;
    (rise >= body.height()).then_some(side)
}

/// The motion of a body that hangs: its top goes to the height of the ledge. `None` if there is no ledge.
pub(super) fn hang(solids: &impl Solids, mover: &Mover, side: Dir, feel: &Feel) -> Option<I64Vec2> {
    let height = mover.body.height();
    // It may have fallen past the ledge by a step of its fall.
    let reach = feel.ledge_reach.saturating_add(feel.fall_limit / SUBPIXELS as u32 + 1);
    let rise = rise(solids, mover.body, side, height.saturating_add(reach))?;
    (rise > 0).then(|| I64Vec2::new(0, whole(i64::from(height) - i64::from(rise), mover)))
}

/// The motion of a body that climbs: up until the wall is below its feet, then over it. `None` if there is no
/// ledge.
pub(super) fn climb(
    solids: &impl Solids,
    mover: &Mover,
    side: Dir,
    feel: &Feel,
) -> Option<I64Vec2> {
    let speed = i64::from(feel.climb_speed);
    let rise = rise(solids, mover.body, side, mover.body.height())?;
    Some(match rise {
        0 => side.vector().as_i64vec2() * speed,
        _ => I64Vec2::new(0, whole(-i64::from(rise), mover).max(-speed)),
    })
}

/// The translation along y after which a body is `pixels` whole pixels further, and nothing is due.
pub(super) fn whole(pixels: i64, mover: &Mover) -> i64 {
    pixels * i64::from(SUBPIXELS) - i64::from(mover.subpixel.y)
}
