//! Riders: which platform carries which bodies.
//!
//! They are found once a step, before any platform moves. Nothing here moves a body.

use std::cmp::Reverse;

use super::bodies::Bodies;
use super::body::{Body, BodyKind};
use super::near::Near;
use crate::geometry::Dir;

/// The riders of each platform, in memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Riders {
    /// For each slot, the slot that its body stands on, or itself; after [`Riders::find`], the lowest one
    /// under it.
    support: Vec<u32>,
    /// (platform, rider), sorted.
    carried: Vec<(u32, u32)>,
}

impl Riders {
    /// The number of slots when the riders were found.
    pub(super) fn slots(&self) -> usize {
        self.support.len()
    }

    /// The riders of a platform.
    pub(super) fn of(&self, platform: u32) -> impl Iterator<Item = u32> {
        let first = self.carried.partition_point(|(by, _)| *by < platform);
        let carried = self.carried[first..].iter();
        let own = carried.take_while(move |(by, _)| *by == platform);
        own.map(|(_, rider)| *rider)
    }

    /// Finds the platform that carries each character: the one that it stands on, directly or through other
    /// characters. Of several solids under a character, the one counts that shares the longest edge with it,
    /// then the lower, then the left one. O(n log n), plus the bodies near each.
    pub(super) fn find(&mut self, bodies: &Bodies, near: &Near) {
        let Self { support, carried } = self;
        support.clear();
        let slots = bodies.slots().enumerate();
        support.extend(slots.map(|(slot, body)| match body {
            Some(body) => support_of(bodies, near, slot as u32, body),
            None => slot as u32,
        }));
        // Follows the supports down to the lowest one, in jumps whose length doubles each time. Characters
        // with opposite floors can stand on each other in a ring: then a jump ends at one of them.
        for _ in 0..usize::BITS - support.len().leading_zeros() {
            for slot in 0..support.len() {
                support[slot] = support[support[slot] as usize];
            }
        }
        carried.clear();
        for (rider, body) in bodies.iter().filter(|(_, body)| body.is_pushable()) {
            let root = support[rider as usize];
            let is_platform = |body: &Body| matches!(body.kind, BodyKind::Platform { .. });
            if root != rider && bodies.at(root).is_some_and(is_platform) && !body.aabb.is_empty() {
                carried.push((root, rider));
            }
        }
        carried.sort_unstable();
    }
}

/// The slot of the body that a body stands on; its own if it stands on no other body.
fn support_of(bodies: &Bodies, near: &Near, slot: u32, body: &Body) -> u32 {
    let BodyKind::Character(character) = body.kind else {
        return slot;
    };
    let Some(floor) = character.settings.floor else {
        return slot;
    };
    let below = body.aabb.strip(floor, 1);
    let mut best = None;
    near.visit(below, |at| {
        let Some(other) = bodies.at(at).filter(|_| at != slot) else {
            return;
        };
        let holds = !other.is_one_way() || floor == Dir::Down && character.settings.one_way.up;
        let shared = below.intersection(other.aabb);
        let stands = other.is_solid_box() && holds && body.aabb.gap(floor, other.aabb) == 0;
        if stands && !shared.is_empty() && other.meets(body) {
            let edge = shared.width().max(shared.height());
            let order = (Reverse(edge), other.key(), at);
            if best.as_ref().is_none_or(|best| order < *best) {
                best = Some(order);
            }
        }
    });
    best.map_or(slot, |(_, _, at)| at)
}
