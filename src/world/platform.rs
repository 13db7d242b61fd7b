//! Moving platforms: they carry the bodies that stand on them, push those in front, and report those they
//! crush.
//!
//! As in Celeste and TowerFall (M. Thorson, "Celeste and TowerFall Physics"), in whole pixels: a platform's
//! place is rounded, and a rider moves by the same whole pixels and keeps its own subpixel, so it never
//! slides or jitters on it. One axis after the other, x first. Nothing stops a platform. Nothing here knows
//! the velocities of riders.
//!
//! A pushed body pushes others in turn. A rider that meets a solid stops and stays behind.

use glam::I64Vec2;

use super::body::Turn;
use super::events::Event;
use super::parts::Parts;
use super::riders::Riders;
use super::solids::{Asker, BodySolids, Other, gather};
use crate::geometry::{Axis, Dir, split};
use crate::mover::ObeyedSolids;

/// Memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    order: Vec<Turn>,
    riders: Riders,
    /// The distance that the body in each slot has to go in the current motion.
    due: Vec<u32>,
    /// The slots in front of the motion.
    pushed: Vec<u32>,
    /// Those of `pushed`, and the platform, whose paths are still to be searched.
    open: Vec<u32>,
    /// The slots that move, pushed or carried.
    going: Vec<u32>,
    others: Vec<Other>,
}

/// The platforms of a world that is moved.
pub(super) struct Platforms<'a, 'w> {
    pub(super) parts: &'a mut Parts<'w>,
    pub(super) events: &'a mut Vec<Event>,
}

impl Platforms<'_, '_> {
    /// Moves all platforms, those in `slots`, by their velocities, in the order of
    /// [`Body::turn`](super::body::Body::turn). The work for each platform and axis is in proportion to the
    /// bodies that it carries and pushes, directly or through others.
    pub(super) fn step(&mut self, slots: &[u32], scratch: &mut Scratch) {
        scratch.order.clear();
        scratch.riders.clear();
        let Parts { bodies, near, .. } = &mut *self.parts;
        for slot in slots.iter().copied() {
            let Some(body) = bodies.at_mut(slot) else { continue };
            body.velocity = body.velocity.saturating_add(body.acceleration);
            if body.velocity != I64Vec2::ZERO || body.belt() != I64Vec2::ZERO {
                scratch.order.push(body.turn(slot));
                scratch.riders.find(bodies, near, slot);
            }
        }
        scratch.order.sort_unstable();
        scratch.riders.sort();
        scratch.due.resize(bodies.slots.len(), 0);
        for at in 0..scratch.order.len() {
            self.step_one(scratch.order[at].slot, scratch);
        }
    }

    /// Moves a platform, then the bodies on its belt.
    fn step_one(&mut self, platform: u32, scratch: &mut Scratch) {
        let Some(body) = self.parts.bodies.at_mut(platform) else { return };
        let (pixels, subpixel) = split(body.subpixel, body.velocity);
        body.subpixel = subpixel;
        let belt = body.turn_belt();
        for (pixels, is_belt) in [(pixels, false), (belt, true)] {
            for (axis, along) in [(Axis::X, pixels.x), (Axis::Y, pixels.y)] {
                let dir = Dir::along(axis, along > 0);
                let Self { parts, events } = self;
                let mut carrier = Carrier { parts, events, platform, dir, is_belt };
                carrier.advance(scratch, along.unsigned_abs());
            }
        }
    }
}

struct Carrier<'a, 'w> {
    parts: &'a mut Parts<'w>,
    events: &'a mut Vec<Event>,
    platform: u32,
    dir: Dir,
    /// True for a motion of the belt alone: the platform stays.
    is_belt: bool,
}

impl Carrier<'_, '_> {
    /// Moves the platform by whole pixels, and with it the bodies that it carries and pushes.
    fn advance(&mut self, scratch: &mut Scratch, distance: u32) {
        let Some(platform) = self.parts.bodies.at(self.platform).copied() else {
            return;
        };
        let distance = distance.min(platform.aabb.room(self.dir));
        if distance == 0 {
            return;
        }
        scratch.pushed.clear();
        if !self.is_belt && (!platform.is_one_way() || self.dir == Dir::Up) {
            self.push(scratch, distance);
        }
        scratch.going.clone_from(&scratch.pushed);
        for rider in scratch.riders.of(self.platform) {
            let distance = distance.saturating_sub(self.gone(rider));
            let due = &mut scratch.due[rider as usize];
            if *due == 0 {
                scratch.going.push(rider);
            }
            *due = distance.max(*due);
        }
        let moved = platform.aabb.shifted(self.dir, distance);
        if !self.is_belt {
            self.parts.put(self.platform, moved);
        }
        self.go(scratch);
        scratch.due[self.platform as usize] = 0;
        for slot in &scratch.going {
            scratch.due[*slot as usize] = 0;
        }
        if platform.is_one_way() {
            return;
        }
        scratch.pushed.sort_unstable();
        for body in &scratch.pushed {
            if self.parts.bodies.at(*body).is_some_and(|body| body.aabb.overlaps(moved)) {
                let (body, by) = (self.parts.bodies.id(*body), self.parts.bodies.id(self.platform));
                self.events.push(Event::Crushed { body, by });
            }
        }
    }

    /// The distance toward `dir` that other platforms have moved a body in this step, so that it is not
    /// carried that distance again. A wall and a floor that move together take a body along once, whichever
    /// of them moves first.
    fn gone(&self, slot: u32) -> u32 {
        let carried = self.parts.near.known[slot as usize].carried[self.dir.axis().index()];
        match (carried > 0) == self.dir.is_positive() && !self.is_belt {
            true => carried.unsigned_abs(),
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
            let Some(by) = self.parts.bodies.at(pusher) else {
                continue;
            };
            let distance = due[pusher as usize];
            let strip = by.aabb.strip(self.dir, distance);
            self.parts.near.visit(strip, |slot, _| {
                let Some(body) = self.parts.bodies.at(slot) else {
                    return;
                };
                let gap = by.aabb.gap(self.dir, body.aabb);
                let is_met = !by.is_one_way() || body.one_way_obeyed().up;
                let is_pushed = body.is_pushable() && is_met && gap >= 0 && by.meets(body);
                if !is_pushed {
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
        let bodies = &*self.parts.bodies;
        scratch.going.sort_unstable_by_key(|slot| {
            let body = bodies.at(*slot);
            let front = body.map(|body| {
                let axis = self.dir.axis().index();
                match is_positive {
                    true => -i64::from(body.aabb.max.to_array()[axis]),
                    false => i64::from(body.aabb.min.to_array()[axis]),
                }
            });
            (front, body.map(|body| body.turn(*slot)))
        });
        for slot in scratch.going.iter().copied() {
            let known = self.parts.near.known[slot as usize];
            let Some(body) = self.parts.bodies.at(slot) else { continue };
            // A platform whose belt alone moves stays in the way of what stands on another side of it.
            let except = Some(self.platform).filter(|_| !self.is_belt);
            let asker = Asker { slot, known, except, yields: [false; 2] };
            let due = scratch.due[slot as usize];
            let region = body.aabb.strip(self.dir, due);
            gather(self.parts.near, &asker, region, &mut scratch.others);
            let (level, others) = (self.parts.level, &scratch.others);
            let solids =
                BodySolids::new(level, self.parts.bodies, self.parts.near, &asker, others, region);
            let solids = ObeyedSolids::new(&solids, body.one_way_obeyed());
            let free = solids.sweep(body.aabb, self.dir, due).moved;
            let (aabb, dir) = (body.aabb, self.dir);
            self.parts.put(slot, aabb.shifted(dir, free));
        }
    }
}
