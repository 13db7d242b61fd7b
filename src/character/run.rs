//! Running: the speed along x goes toward that of the keys. Nothing here knows solids.

use super::feel::Feel;
use super::input::{Input, part};

/// The speed along x after a step of running, on the floor or in the air.
///
/// It goes toward the speed that the keys ask for: by the friction if it only has to slow down, else by the
/// acceleration.
pub(super) fn run(speed: i64, input: Input, feel: &Feel, is_on_floor: bool) -> i64 {
    let target = part(feel.top_speed, input.x);
    let is_too_fast = target.signum() == speed.signum() && target.abs() < speed.abs();
    let change = match (is_on_floor, target == 0 || is_too_fast) {
        (true, true) => feel.friction,
        (true, false) => feel.acceleration,
        (false, true) => feel.air_friction,
        (false, false) => feel.air_acceleration,
    };
    approach(speed, target, change)
}

/// `speed`, changed by at most `change` toward `target`.
pub(super) fn approach(speed: i64, target: i64, change: u32) -> i64 {
    let change = i64::from(change);
    target.clamp(speed.saturating_sub(change), speed.saturating_add(change))
}
