//! The motion of bullets: boxes that fly straight until the level or a solid body stops them. Bullets move
//! after all other bodies, and meet them at their places of this step. They are solid for no body, so each
//! bullet moves on its own, and their order does not matter.

use glam::I64Vec2;

use super::event::{Event, Impact};
use super::solids::{BodySolids, gather, region};
use super::{Asker, FLIGHT, Parts};
use crate::geometry::{Axis, Dir, SUBPIXELS};
use crate::mover::Mover;

/// Moves the bullets in `slots` by their velocities, and reports their hits.
pub(super) fn step(parts: &mut Parts<'_>, slots: &[u32]) {
    let Parts { bodies, near, level, others, events, .. } = parts;
    for slot in slots.iter().copied() {
        let Some(body) = bodies.at_mut(slot) else { continue };
        body.velocity = body.velocity.saturating_add(body.acceleration);
        let velocity = body.velocity;
        if velocity == I64Vec2::ZERO {
            continue;
        }
        let mut bullet = Mover::new(body.aabb, FLIGHT);
        bullet.subpixel = body.subpixel;
        let asker = Asker::new(slot, near.known[slot as usize]);
        let region = region(&asker.known, velocity.to_array());
        gather(near, &asker, region, others);
        let solids = BodySolids::new(level, bodies, near, &asker, others, region);
        let done = bullet.step_subpixels(&solids, velocity);
        // If a corner stops both axes at once, the axis of the faster motion counts.
        let is_steep = velocity.y.unsigned_abs() > velocity.x.unsigned_abs();
        let axes = if is_steep { [Axis::Y, Axis::X] } else { [Axis::X, Axis::Y] };
        let contact = axes
            .iter()
            .find_map(|axis| done.contacts.get(Dir::along(*axis, velocity[axis.index()] > 0)));
        let id = bodies.id(slot);
        let Some(body) = bodies.at_mut(slot) else { continue };
        (body.aabb, body.subpixel) = (bullet.body, bullet.subpixel);
        near.moved(slot, bullet.body);
        if let Some(contact) = contact {
            (body.velocity, body.acceleration) = (I64Vec2::ZERO, I64Vec2::ZERO);
            let normal = contact.normal * SUBPIXELS;
            events.push(Event::Hit(Impact { body: id, hit: contact.hit(), normal }));
        }
    }
}
