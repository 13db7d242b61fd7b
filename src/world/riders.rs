//! Riders: which bodies stand on which, and so are carried by it.
//!
//! They are found before the body that carries them moves. Nothing here moves a body.

use std::cmp::Reverse;

use super::bodies::Bodies;
use super::body::{Body, BodyKind, Turn};
use super::near::{Near, widened};
use crate::geometry::{Aabb, Dir};

/// The riders of each carrier, in memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Riders {
    /// (carrier, rider); sorted when all are found.
    carried: Vec<(u32, u32)>,
}

impl Riders {
    /// Forgets all riders.
    pub(super) fn clear(&mut self) {
        self.carried.clear();
    }

    /// The riders of a carrier.
    pub(super) fn of(&self, carrier: u32) -> impl Iterator<Item = u32> {
        let first = self.carried.partition_point(|(by, _)| *by < carrier);
        let own = self.carried[first..].iter().take_while(move |(by, _)| *by == carrier);
        own.map(|(_, rider)| *rider)
    }

    /// Sorts the riders of several carriers, so that they can be asked for.
    pub(super) fn sort(&mut self) {
        self.carried.sort_unstable();
    }

    /// Finds the characters that stand on a carrier, directly or through other characters. The work is in
    /// proportion to them and the bodies near them.
    pub(super) fn find(&mut self, bodies: &Bodies, near: &Near, carrier: u32) {
        let first = self.carried.len();
        self.find_on(bodies, near, carrier, carrier);
        let mut at = first;
        while let Some((_, rider)) = self.carried.get(at).copied() {
            self.find_on(bodies, near, carrier, rider);
            at += 1;
        }
    }

    /// Finds the characters that stand on `on` itself, and are carried by `carrier`.
    fn find_on(&mut self, bodies: &Bodies, near: &Near, carrier: u32, on: u32) {
        let Some(known) = near.known.get(on as usize) else { return };
        near.visit(widened(known.aabb, 1), |slot, rider| {
            if rider.is_character && slot != carrier && support_in(bodies, near, slot) == Some(on) {
                self.carried.push((carrier, slot));
            }
        });
    }
}

fn support_in(bodies: &Bodies, near: &Near, slot: u32) -> Option<u32> {
    support_of(bodies, slot, |area, found| near.visit(area, |at, _| found(at)))
}

/// The slot of the body that a character stands on, if it does. Of several solids under it, the one counts
/// that shares the longest edge with it, then the lower one, and so on ([`Body::turn`]). `visit` calls its
/// second argument with each slot whose body overlaps the first.
pub(super) fn support_of(
    bodies: &Bodies,
    slot: u32,
    visit: impl FnOnce(Aabb, &mut dyn FnMut(u32)),
) -> Option<u32> {
    let body = bodies.at(slot)?;
    let BodyKind::Character(character) = &body.kind else {
        return None;
    };
    let floor = character.settings.floor?;
    let below = body.aabb.strip(floor, 1);
    let mut best: Option<(Reverse<u32>, Turn)> = None;
    visit(below, &mut |at| {
        let other = bodies.at(at).filter(|_| at != slot);
        let obeys_one_way = character.settings.one_way.up;
        if let Some(other) = other.filter(|other| holds(body, obeys_one_way, floor, other)) {
            let shared = below.intersection(other.aabb);
            let edge = Reverse(shared.width().max(shared.height()));
            let offer = (edge, other.turn(at));
            best = Some(best.map_or(offer, |best| best.min(offer)));
        }
    });
    best.map(|(_, turn)| turn.slot)
}

/// True if `other` touches a body's side toward `dir`, and is solid to it there.
pub(super) fn holds(body: &Body, obeys_one_way: bool, dir: Dir, other: &Body) -> bool {
    let is_solid = !other.is_one_way() || dir == Dir::Down && obeys_one_way;
    let touches = body.aabb.gap(dir, other.aabb) == 0;
    other.is_solid_box() && is_solid && touches && body.meets(other)
}
