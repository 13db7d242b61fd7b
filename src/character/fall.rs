//! Rising and falling: gravity, the apex of a jump, and its end when the key is released. Nothing here knows
//! solids.

use super::feel::Feel;

/// The speed along y after a step of gravity. It is halved near the apex of a jump whose key is held.
pub(super) fn fall(speed: i64, is_held: bool, limit: u32, feel: &Feel) -> i64 {
    let gravity = if speed < 0 { feel.gravity } else { feel.fall_gravity };
    let is_apex = is_held && speed.unsigned_abs() < u64::from(feel.apex_speed);
    let gravity = if is_apex { gravity / 2 } else { gravity };
    speed.saturating_add(i64::from(gravity)).min(i64::from(limit))
}

/// The speed along y of a jump whose key was released.
pub(super) fn released(speed: i64, feel: &Feel) -> i64 {
    feel.released_speed.map_or(speed, |most| speed.max(-i64::from(most)))
}
