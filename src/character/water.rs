//! Water: swimming, floating up, and the surface. A body is in water if its centre is. Nothing here changes a
//! state.

use glam::I64Vec2;

use super::area::center;
use super::feel::Feel;
use super::input::{Input, part};
use super::ledge::whole;
use super::run::approach;
use crate::geometry::{Aabb, Dir, SUBPIXELS};
use crate::mover::Mover;
use crate::sweep::Terrain;

pub(super) fn is_in(water: Option<&Terrain>, body: Aabb) -> bool {
    water.is_some_and(|water| water.overlaps(center(body)))
}

/// True if the centre of the body is in the topmost pixels of the water, from where it can jump.
pub(super) fn is_at_surface(water: Option<&Terrain>, body: Aabb) -> bool {
    is_in(water, body) && !is_in(water, body.shifted(Dir::Up, 1))
}

/// The velocity of a swimmer, which is slowed to its highest speed at once. Along y it floats up without a
/// key, and its centre does not leave the water.
pub(super) fn swim(
    water: Option<&Terrain>,
    mover: &Mover,
    velocity: I64Vec2,
    input: Input,
    feel: &Feel,
) -> I64Vec2 {
    let most = i64::from(feel.swim_speed);
    let along =
        |speed: i64, target| approach(speed.clamp(-most, most), target, feel.swim_acceleration);
    let float =
        if input.y == 0 { -i64::from(feel.float_speed) } else { part(feel.swim_speed, input.y) };
    let x = along(velocity.x, part(feel.swim_speed, input.x));
    let y = along(velocity.y, float);
    I64Vec2::new(x, up_to_surface(water, mover, y))
}

/// `speed` along y, or that with which the centre of the body stays in the water.
fn up_to_surface(water: Option<&Terrain>, mover: &Mover, speed: i64) -> i64 {
    let reach = (speed.min(0).unsigned_abs() / SUBPIXELS as u64 + 2) as u32;
    let Some(water) = water else {
        return speed;
    };
    let above = water.nearest_free(center(mover.body), Dir::Up, reach);
    let most = above.map(|above| whole(1 - i64::from(above), mover).min(0));
    most.map_or(speed, |most| speed.max(most))
}
