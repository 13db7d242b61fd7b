//! Sensors: which bodies are in which sensor after a step, and which were before.
//!
//! A body is in a sensor if they overlap at the end of a step. A body that passes a thin sensor within a step
//! enters and leaves it in that step. Nothing here moves a body.

use glam::I64Vec2;

use super::bodies::Bodies;
use super::body::{Body, BodyKind};
use super::circle::{Circle, cross};
use super::events::Event;
use super::near::Near;
use crate::geometry::SUBPIXELS;
use crate::sweep::BodyId;

/// The bodies in each sensor: (sensor, body), sorted.
pub(super) type Touching = Vec<(BodyId, BodyId)>;

/// Memory that steps reuse.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    /// The body in each slot before the step, if there are sensors.
    starts: Vec<Option<Body>>,
    now: Touching,
    passed: Touching,
}

impl Scratch {
    /// Notes the bodies' places before a step.
    pub(super) fn start(&mut self, bodies: &Bodies) {
        self.starts.clear();
        if bodies.iter().any(|(_, body)| body.kind == BodyKind::Sensor) {
            self.starts.extend(bodies.slots().map(Option::<&Body>::copied));
        }
    }
}

/// Finds the bodies in each sensor, and reports them and those that were in it before: by sensor, then by
/// body.
pub(super) fn sense(
    bodies: &Bodies,
    near: &Near,
    before: &mut Touching,
    scratch: &mut Scratch,
    events: &mut Vec<Event>,
) {
    let Scratch { starts, now, passed } = scratch;
    now.clear();
    passed.clear();
    for (slot, sensor) in bodies.iter().filter(|(_, body)| body.kind == BodyKind::Sensor) {
        let id = bodies.id(slot);
        // A body that has passed the sensor has a larger box that overlaps it, or has left that box: both are
        // visited.
        near.visit(sensor.aabb, |other| {
            let Some(body) = bodies.at(other) else { return };
            if body.kind == BodyKind::Sensor || !body.meets(sensor) {
                return;
            }
            if body.overlaps(sensor) {
                now.push((id, bodies.id(other)));
            } else if let Some(Some(start)) = starts.get(other as usize)
                && passes(start, body, sensor)
            {
                passed.push((id, bodies.id(other)));
            }
        });
    }
    now.sort_unstable();
    now.dedup();
    passed.sort_unstable();
    passed.dedup();
    let (mut old, mut new) = (before.iter().peekable(), now.iter().peekable());
    let mut gone = passed.iter().peekable();
    while let Some(next) = [old.peek(), new.peek(), gone.peek()].into_iter().flatten().min() {
        let next = **next;
        let was = old.next_if_eq(&&next).is_some();
        let is = new.next_if_eq(&&next).is_some();
        gone.next_if_eq(&&next);
        let (sensor, body) = next;
        if was && is {
            events.push(Event::Stay { sensor, body });
        }
        if !was {
            events.push(Event::Enter { sensor, body });
        }
        if !is {
            events.push(Event::Leave { sensor, body });
        }
    }
    std::mem::swap(before, now);
}

/// True if `body` comes to overlap `sensor` on the straight path from `start` to its place.
fn passes(start: &Body, body: &Body, sensor: &Body) -> bool {
    if start.aabb.is_empty() || sensor.aabb.is_empty() {
        return false;
    }
    let pixel = i64::from(SUBPIXELS);
    let (min, max) = (sensor.aabb.min.as_i64vec2(), sensor.aabb.max.as_i64vec2());
    let Some((circle, end)) = start.circle().zip(body.circle()) else {
        // The body's corner passes through the sensor enlarged by the body's size.
        let from = start.aabb.min.as_i64vec2();
        let size = start.aabb.max.as_i64vec2() - from;
        return crosses(from, body.aabb.min.as_i64vec2() - from, min - size, max);
    };
    // The centre passes through the sensor enlarged by the radius along one axis, or within it of a corner.
    let (from, by, radius) = (circle.center, end.center - circle.center, circle.radius);
    let (min, max) = (min * pixel, max * pixel);
    let (wide, high) = (I64Vec2::new(radius, 0), I64Vec2::new(0, radius));
    crosses(from, by, min - wide, max + wide)
        || crosses(from, by, min - high, max + high)
        || corners(min, max).into_iter().any(|center| {
            let radius = 0;
            circle.hits(&Circle { center, radius }, by)
        })
}

/// True if a point that moves from `from` by `by` enters the box from `min` to `max`: if neither an axis nor
/// the line of its path separates them (the separating axis test).
fn crosses(from: I64Vec2, by: I64Vec2, min: I64Vec2, max: I64Vec2) -> bool {
    let (low, high) = (from.min(from + by), from.max(from + by));
    let sides = corners(min, max).map(|corner| cross(by, corner - from).signum());
    high.cmpgt(min).all() && low.cmplt(max).all() && sides.contains(&1) && sides.contains(&-1)
}

fn corners(min: I64Vec2, max: I64Vec2) -> [I64Vec2; 4] {
    [min, max, I64Vec2::new(min.x, max.y), I64Vec2::new(max.x, min.y)]
}
