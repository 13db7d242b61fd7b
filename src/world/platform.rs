//! Moving platforms: they carry the bodies that stand on them, push those in front, and report those they
//! crush.
//!
//! As in Celeste and TowerFall (M. Thorson, "Celeste and TowerFall Physics"), in whole pixels: a platform's
//! place is rounded, and a rider moves by the same whole pixels and keeps its own subpixel, so it never
//! slides or jitters on it. One axis after the other, x first. Nothing stops a platform. Nothing here knows
//! the velocities of riders.
//!
//! A pushed body pushes others in turn. A rider that meets a solid stops and stays behind.

use glam::IVec2;

use super::bodies::Bodies;
use super::body::{Body, BodyKind};
use super::events::Event;
use super::near::Near;
use super::riders::Riders;
use super::solids::BodySolids;
use crate::Level;
use crate::geometry::{Aabb, Axis, Dir, Sides, split};
use crate::mover::ObeyedSolids;

/// Memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    order: Vec<u32>,
    riders: Riders,
    /// The distance that the body in each slot has to go in the current motion.
    due: Vec<u32>,
    /// The slots in front of the motion.
    pushed: Vec<u32>,
    /// Those of `pushed`, and the platform, whose paths are still to be searched.
    open: Vec<u32>,
    /// The slots that move, pushed or carried.
    going: Vec<u32>,
    /// The place of the body in each slot before the step.
    starts: Vec<IVec2>,
}

/// Moves all platforms by their velocities, lowest first, then leftmost. The work for each platform and axis
/// is in proportion to the bodies that it carries and pushes, directly or through others.
pub(super) fn step(
    bodies: &mut Bodies,
    near: &mut Near,
    scratch: &mut Scratch,
    level: &Level,
    events: &mut Vec<Event>,
) {
    bodies.sorted(&mut scratch.order, |body| matches!(body.kind, BodyKind::Platform { .. }));
    if scratch.order.is_empty() {
        return;
    }
    scratch.riders.find(bodies, near);
    scratch.due.clear();
    scratch.due.resize(scratch.riders.slots(), 0);
    scratch.starts.clear();
    let starts = bodies.slots().map(|body| body.map(|body| body.aabb.min));
    scratch.starts.extend(starts.map(Option::unwrap_or_default));
    for at in 0..scratch.order.len() {
        let platform = scratch.order[at];
        let Some(body) = bodies.at_mut(platform) else {
            continue;
        };
        let (pixels, subpixel) = split(body.subpixel, body.velocity);
        body.subpixel = subpixel;
        for (axis, along) in [(Axis::X, pixels.x), (Axis::Y, pixels.y)] {
            let dir = Dir::along(axis, along > 0);
            let mut carrier = Carrier { bodies, near, level, platform, dir };
            carrier.advance(scratch, along.unsigned_abs(), events);
        }
    }
}

struct Carrier<'a> {
    bodies: &'a mut Bodies,
    near: &'a mut Near,
    level: &'a Level,
    platform: u32,
    dir: Dir,
}

impl Carrier<'_> {
    /// Moves the platform by whole pixels, and with it the bodies that it carries and pushes.
    fn advance(&mut self, scratch: &mut Scratch, distance: u32, events: &mut Vec<Event>) {
        let Some(platform) = self.bodies.at(self.platform).copied() else {
            return;
        };
        let distance = distance.min(platform.aabb.room(self.dir));
        if distance == 0 {
            return;
        }
        scratch.pushed.clear();
        if !platform.is_one_way() || self.dir == Dir::Up {
            self.push(scratch, distance);
        }
        scratch.going.clone_from(&scratch.pushed);
        for rider in scratch.riders.of(self.platform) {
            let start = scratch.starts[rider as usize];
            let distance = distance.saturating_sub(self.gone(rider, start));
            let due = &mut scratch.due[rider as usize];
            if *due == 0 {
                scratch.going.push(rider);
            }
            *due = distance.max(*due);
        }
        let moved = platform.aabb.shifted(self.dir, distance);
        self.put(self.platform, moved);
        self.go(scratch);
        scratch.due[self.platform as usize] = 0;
        for slot in &scratch.going {
            scratch.due[*slot as usize] = 0;
        }
        if platform.is_one_way() {
            return;
        }
        let first_event = events.len();
        for body in &scratch.pushed {
            if self.bodies.at(*body).is_some_and(|body| body.aabb.overlaps(moved)) {
                let (body, by) = (self.bodies.id(*body), self.bodies.id(self.platform));
                events.push(Event::Crushed { body, by });
            }
        }
        events[first_event..].sort_unstable();
    }

    /// The distance toward `dir` that other platforms have moved a body in this step, so that it is not
    /// carried that distance again. A wall and a floor that move together take a body along once, whichever
    /// of them moves first.
    fn gone(&self, slot: u32, start: IVec2) -> u32 {
        let now = self.bodies.at(slot).map_or(start, |body| body.aabb.min);
        let axis = self.dir.axis().index();
        let (now, start) = (now.to_array()[axis], start.to_array()[axis]);
        match (now > start) == self.dir.is_positive() {
            true => now.abs_diff(start),
            false => 0,
        }
    }

    /// Finds the bodies in front of the platform and of those that it pushes, and the distance that each has
    /// to move.
    fn push(&self, scratch: &mut Scratch, distance: u32) {
        let Scratch { due, pushed, open, .. } = scratch;
        due[self.platform as usize] = distance;
        open.push(self.platform);
        while let Some(pusher) = open.pop() {
            let Some(by) = self.bodies.at(pusher) else {
                continue;
            };
            let distance = due[pusher as usize];
            let strip = by.aabb.strip(self.dir, distance);
            self.near.visit(strip, |slot| {
                let Some(body) = self.bodies.at(slot) else {
                    return;
                };
                let gap = by.aabb.gap(self.dir, body.aabb);
                let is_met = !by.is_one_way() || obeyed(body).up;
                let is_pushed = body.is_pushable() && is_met && gap >= 0 && by.meets(body);
                if !is_pushed || !body.aabb.overlaps(strip) {
                    return;
                }
                // Not below 1, because the strip ends after `distance`.
                let needed = distance - gap as u32;
                let due = &mut due[slot as usize];
                if *due == 0 {
                    pushed.push(slot);
                }
                if needed > *due {
                    *due = needed;
                    open.push(slot);
                }
            });
        }
    }

    /// Moves each body by the distance that it has to move, or until a solid stops it. The body furthest
    /// ahead moves first, to make room.
    fn go(&mut self, scratch: &mut Scratch) {
        let is_positive = self.dir.is_positive();
        let bodies = &*self.bodies;
        scratch.going.sort_unstable_by_key(|slot| {
            let body = bodies.at(*slot);
            let front = body.map(|body| {
                let axis = self.dir.axis().index();
                match is_positive {
                    true => -i64::from(body.aabb.max.to_array()[axis]),
                    false => i64::from(body.aabb.min.to_array()[axis]),
                }
            });
            (front, body.map(Body::key), *slot)
        });
        for slot in scratch.going.iter().copied() {
            let Some(body) = self.bodies.at(slot).copied() else {
                continue;
            };
            let solids = BodySolids {
                level: self.level,
                bodies: self.bodies,
                near: self.near,
                body,
                slot,
                except: Some(self.platform),
            };
            let solids = ObeyedSolids::new(&solids, obeyed(&body));
            let due = scratch.due[slot as usize];
            let free = solids.sweep(body.aabb, self.dir, due).moved;
            self.put(slot, body.aabb.shifted(self.dir, free));
        }
    }

    fn put(&mut self, slot: u32, aabb: Aabb) {
        if let Some(body) = self.bodies.at_mut(slot) {
            body.aabb = aabb;
            self.near.moved(slot, aabb);
        }
    }
}

/// The one-way cells and platforms that hold a body.
fn obeyed(body: &Body) -> Sides<bool> {
    match body.kind {
        BodyKind::Character(character) => character.settings.one_way,
        _ => Sides::all(false),
    }
}
