//! The parts of a world that the motions of a step share.
//!
//! They are kept in step with each other: the bodies, the index of their places, and who is at rest. Nothing
//! here decides where a body goes.

use super::bodies::Bodies;
use super::body::{BodyKind, Character};
use super::near::Near;
use super::rest::Rest;
use crate::Level;
use crate::geometry::Aabb;

pub(super) struct Parts<'a> {
    pub(super) bodies: &'a mut Bodies,
    pub(super) near: &'a mut Near,
    pub(super) rest: &'a mut Rest,
    pub(super) level: &'a Level,
}

impl Parts<'_> {
    /// Puts a body that another one carries or pushes at a place, and wakes those that see it there, or saw
    /// it before.
    pub(super) fn put(&mut self, slot: u32, aabb: Aabb) {
        let is_waiting = self.near.known[slot as usize].is_waiting;
        let Some(body) = self.bodies.at_mut(slot).filter(|body| body.aabb != aabb) else {
            return;
        };
        let before = std::mem::replace(&mut body.aabb, aabb);
        let distance = aabb.min.saturating_sub(before.min);
        if let BodyKind::Character(Character { last: Some(last), .. }) = &mut body.kind
            && !is_waiting
        {
            // If its step is still to come in this one, it will note all of the distance again.
            last.carried = last.carried.saturating_add(distance);
        }
        self.near.carry(slot, aabb, distance);
        self.rest.wake(slot);
        self.rest.disturb(self.near, before);
        self.rest.disturb(self.near, aabb);
    }
}
