//! Characters and blocks: each moves as a mover does, among the level and the bodies that are solid.
//!
//! The lowest moves first, then the leftmost, whenever they were added: a body that stands below another has
//! made room for it. The order is not symmetric. Of two that walk into each other on one row, the left one
//! comes a step nearer. Of two that touch and walk right, the left one is stopped by the other; if they walk
//! left, both go. Of two that fall up, the lower one is stopped. Nothing here knows the paths of platforms or
//! balls.

use super::bodies::Bodies;
use super::body::BodyKind;
use super::near::Near;
use super::solids::BodySolids;
use crate::Level;
use crate::mover::Mover;

/// Moves all characters by their velocities. Each costs a few sweeps in the level and among the bodies near
/// it.
pub(super) fn step(bodies: &mut Bodies, near: &mut Near, order: &mut Vec<u32>, level: &Level) {
    bodies.sorted(order, |body| matches!(body.kind, BodyKind::Character(_)));
    for slot in order.iter().copied() {
        let Some(mut body) = bodies.at(slot).copied() else {
            continue;
        };
        let BodyKind::Character(mut character) = body.kind else {
            continue;
        };
        let settings = character.settings;
        let solids = BodySolids { level, bodies, near, body, slot, except: None };
        let mut mover = Mover {
            body: body.aabb,
            subpixel: body.subpixel,
            settings,
            steps_since_grounded: character.steps_since_grounded,
        };
        let done = mover.step_subpixels(&solids, body.velocity);
        (body.aabb, body.subpixel) = (mover.body, mover.subpixel);
        body.velocity = done.velocity_subpixels(body.velocity);
        character.steps_since_grounded = mover.steps_since_grounded;
        character.last = Some(done);
        body.kind = BodyKind::Character(character);
        near.moved(slot, body.aabb);
        if let Some(kept) = bodies.at_mut(slot) {
            *kept = body;
        }
    }
}
