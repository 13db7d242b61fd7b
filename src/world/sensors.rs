//! Sensors: which bodies are in which sensor after a step, and which were before.
//!
//! A body is in a sensor if they overlap at the end of a step; one that is so fast that it passes a thin
//! sensor between two steps is not seen by it. Nothing here moves anything.

use super::bodies::{Bodies, BodyId};
use super::body::Kind;
use super::events::Event;
use super::near::Near;

/// Who is in which sensor: (sensor, body), sorted.
pub(super) type Touching = Vec<(BodyId, BodyId)>;

/// Finds out who is in which sensor now, and reports it next to what was: by sensor, then by body.
pub(super) fn sense(
    bodies: &Bodies,
    near: &Near,
    before: &mut Touching,
    now: &mut Touching,
    events: &mut Vec<Event>,
) {
    now.clear();
    for (slot, sensor) in bodies.iter().filter(|(_, body)| body.kind == Kind::Sensor) {
        let id = bodies.id(slot);
        near.visit(sensor.aabb, |other| {
            let Some(body) = bodies.at(other) else { return };
            if body.kind != Kind::Sensor && body.meets(sensor) && body.overlaps(sensor) {
                now.push((id, bodies.id(other)));
            }
        });
    }
    now.sort_unstable();
    now.dedup();
    let (mut old, mut new) = (before.iter().peekable(), now.iter().peekable());
    loop {
        let next = match (old.peek(), new.peek()) {
            (None, None) => break,
            (Some(one), Some(two)) => (*one).min(*two),
            (Some(one), None) => *one,
            (None, Some(two)) => *two,
        };
        let was = old.next_if_eq(&next).is_some();
        let is = new.next_if_eq(&next).is_some();
        let (sensor, body) = *next;
        events.push(match (was, is) {
            (true, true) => Event::Stay { sensor, body },
            (false, _) => Event::Enter { sensor, body },
            (true, false) => Event::Leave { sensor, body },
        });
    }
    std::mem::swap(before, now);
}
