//! Characters and blocks: each moves as a mover does, among the level and the bodies that are solid.
//!
//! Lowest first, then leftmost first, whenever they were added: a body that stands below another has made
//! room for it. That order is not the same in a mirror: of two that walk into each other on one row, the left
//! one comes a step nearer; of two that touch and walk to the right, the left one is stopped by the other,
//! and to the left both go; and of two that fall up, the lower one is stopped. Nothing here knows platforms'
//! ways or balls.

use glam::I64Vec2;

use super::bodies::Bodies;
use super::body::Kind;
use super::near::Near;
use super::probe::Among;
use crate::Level;
use crate::geometry::{Axis, Dir};
use crate::mover::{Move, Mover, MoverSettings, Response};

/// Moves all characters by their velocities. A few sweeps for each of them, and what is near it.
pub(super) fn step(bodies: &mut Bodies, near: &mut Near, order: &mut Vec<u32>, level: &Level) {
    bodies.sorted(order, |body| matches!(body.kind, Kind::Character(_)));
    for slot in order.iter().copied() {
        let Some(mut body) = bodies.at(slot).copied() else {
            continue;
        };
        let Kind::Character(mut character) = body.kind else {
            continue;
        };
        let settings = character.settings;
        let probe = Among {
            level,
            bodies,
            near,
            body,
            slot,
            except: None,
            one_way: settings.one_way,
        };
        let mut mover = Mover {
            body: body.aabb,
            subpixel: body.subpixel,
            settings,
            steps_since_grounded: character.steps_since_grounded,
        };
        let done = mover.step_among(&probe, body.velocity);
        (body.aabb, body.subpixel) = (mover.body, mover.subpixel);
        body.velocity = velocity_after(&done, &settings, body.velocity);
        character.steps_since_grounded = mover.steps_since_grounded;
        character.last = Some(done);
        body.kind = Kind::Character(character);
        near.moved(slot, body.aabb);
        if let Some(kept) = bodies.at_mut(slot) {
            *kept = body;
        }
    }
}

/// As [`Move::velocity`], in integers.
fn velocity_after(done: &Move, settings: &MoverSettings, velocity: I64Vec2) -> I64Vec2 {
    let along = |axis: Axis, speed: i64| match (settings.response, done.bounces(axis)) {
        (Response::Bounce { restitution }, bounces @ 1..) => {
            let part = i64::from(restitution.min(100));
            // In two parts, so that no product leaves the range.
            let slowed = |speed: i64| speed / 100 * part + speed % 100 * part / 100;
            (0..bounces).fold(speed, |speed, _| -slowed(speed))
        }
        _ if speed == 0 || done.contacts.get(Dir::along(axis, speed > 0)).is_none() => speed,
        _ => 0,
    };
    match settings.response {
        Response::Cross => velocity,
        Response::Stop if done.is_stopped() => I64Vec2::ZERO,
        _ => I64Vec2::new(along(Axis::X, velocity.x), along(Axis::Y, velocity.y)),
    }
}
