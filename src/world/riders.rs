//! Riders: the characters that a carrier carries. They stand on it, or hold on to its side. [`support_of`]
//! alone decides who carries whom. Nothing moves here.

use std::cmp::Reverse;

use super::Bodies;
use super::body::{Body, TurnOrder};
use super::near::{Near, widened};
use super::obstacle::beside;
use crate::geometry::{Aabb, Dir};

/// The characters that ride on carriers: on platforms, or on characters that carry.
#[derive(Clone, Debug, Default)]
pub(super) struct Riders {
    /// Pairs of slots: a carrier and its rider. The search adds them in any order, then [`Riders::sort`]
    /// sorts them by carrier.
    carried: Vec<(u32, u32)>,
}

impl Riders {
    pub(super) fn clear(&mut self) {
        self.carried.clear();
    }

    /// The slots of the riders of `carrier`. Call [`Riders::sort`] first.
    pub(super) fn of(&self, carrier: u32) -> impl Iterator<Item = u32> {
        let first = self.carried.partition_point(|(by, _)| *by < carrier);
        let own = self.carried[first..].iter().take_while(move |(by, _)| *by == carrier);
        own.map(|(_, rider)| *rider)
    }

    pub(super) fn sort(&mut self) {
        self.carried.sort_unstable();
    }

    /// Adds the characters that ride on `carrier`, directly or on other characters. O(n) for n such
    /// characters and the bodies near them.
    pub(super) fn find(&mut self, bodies: &Bodies, near: &Near, carrier: u32) {
        let mut at = self.carried.len();
        let mut next = Some(carrier);
        while let Some(on) = next {
            let area = near.known[on as usize].aabb;
            near.visit(widened(area, 1), &mut |slot, rider| {
                if !rider.is_character || slot == carrier {
                    return;
                }
                let Some(body) = bodies.at(slot) else { return };
                let support = support_of(bodies, slot, body, &|area, found| {
                    near.visit(area, &mut |slot, _| found(slot));
                });
                if support == Some(on) {
                    self.carried.push((carrier, slot));
                }
            });
            next = self.carried.get(at).map(|(_, rider)| *rider);
            at += 1;
        }
    }
}

/// A function that calls its second argument with each slot whose body overlaps its first argument.
type VisitSlots<'v> = dyn Fn(Aabb, &mut dyn FnMut(u32)) + 'v;

/// The slot of the body that carries or supports the character `body` of `slot`, on the side
/// [`Body::carried_by`]; `None` if there is no such body. Of several bodies, the result is the body with the
/// longest shared edge, and of equally long edges, the body that is first in the order of motion
/// ([`Body::turn`]).
pub(super) fn support_of(
    bodies: &Bodies,
    slot: u32,
    body: &Body,
    visit: &VisitSlots<'_>,
) -> Option<u32> {
    let character = body.as_character()?;
    if let Some(ridden) = character.rides.filter(|ridden| bodies.get(*ridden).is_some()) {
        return Some(ridden.slot);
    }
    let side = body.carried_by()?;
    // A character that climbs over a ledge is above the wall for some steps before it stands on it.
    let below = body.floor().filter(|floor| *floor != side);
    let mut best: Option<(Reverse<u32>, TurnOrder)> = None;
    let area = bodies.reach(slot, body.aabb, beside(body.aabb, side, below));
    visit(area, &mut |at| {
        let Some(other) = bodies.at(at).filter(|_| at != slot) else { return };
        if let Some(shared) = held_edge(bodies, (slot, body), (side, below), at) {
            let offer = (Reverse(shared), other.turn(at));
            best = Some(best.map_or(offer, |best| best.min(offer)));
        }
    });
    best.map(|(_, turn)| turn.slot)
}

/// True if the body in the slot `other` touches the side toward `dir` of the body in `slot`, and is solid to
/// it there.
pub(super) fn holds(bodies: &Bodies, slot: u32, dir: Dir, other: u32) -> bool {
    let edge = bodies.at(slot).and_then(|body| held_edge(bodies, (slot, body), (dir, None), other));
    edge.is_some()
}

/// The length in pixels of the edge by which the body in the slot `other` holds `body` of `slot` on its side
/// `dir`, also one pixel toward `below`. `None` if it does not touch it, or is not solid to it there.
fn held_edge(
    bodies: &Bodies,
    (slot, body): (u32, &Body),
    (dir, below): (Dir, Option<Dir>),
    other: u32,
) -> Option<u32> {
    bodies.at(other).filter(|other| {
        other.is_solid_box() && body.meets(other) && !(body.is_soft() && other.is_soft())
    })?;
    let obstacle = bodies.met_by(slot, other)?;
    obstacle.shared(body.aabb, (dir, below), body.touches_one_way(dir))
}
