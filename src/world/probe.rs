//! What a character meets in a world: the level, and the solid boxes of other bodies.
//!
//! The same questions as a level answers ([`Probe`]), with the same meaning: a strip that the leading edge
//! sweeps, and no epsilon. Nothing here moves anything.

use super::bodies::Bodies;
use super::body::Body;
use super::near::Near;
use crate::Level;
use crate::geometry::{Aabb, Dir, Sides};
use crate::mover::{BoxProbe, Probe};
use crate::sweep::{Contact, Sweep};

/// The solids around one body.
pub(super) struct Among<'a> {
    pub(super) level: &'a Level,
    pub(super) bodies: &'a Bodies,
    pub(super) near: &'a Near,
    /// The body that asks, and its slot: it does not meet itself.
    pub(super) body: Body,
    pub(super) slot: u32,
    /// A platform that moves it, and does not stop it.
    pub(super) except: Option<u32>,
    pub(super) one_way: Sides<bool>,
}

impl Among<'_> {
    fn level(&self) -> BoxProbe<'_> {
        BoxProbe::new(self.level, self.one_way)
    }

    /// How far a box goes toward `dir` until another body stops it, and the contact, of which the cell is the
    /// level's; `None` if that is not within `step`.
    fn meeting(&self, body: Aabb, dir: Dir, step: u32, other: &Body) -> Option<(u32, Contact)> {
        let gap = gap(body, dir, other.aabb);
        let is_held = !other.is_one_way() || (dir == Dir::Down && gap >= 0 && self.one_way.up);
        let moved = gap.clamp(0, i64::from(step)) as u32;
        if !is_held || moved == step {
            return None;
        }
        let ahead = strip(body.shifted(dir, moved), dir, 1);
        let cell = self.level.cell_at(ahead.min.max(other.aabb.min));
        let normal = -dir.vector();
        Some((moved, Contact { cell, normal }))
    }

    /// Gives `found` the solid bodies that may overlap `area`, perhaps more than once.
    fn visit(&self, area: Aabb, mut found: impl FnMut(&Body)) {
        self.near.visit(area, |slot| {
            let is_other = slot != self.slot && Some(slot) != self.except;
            if is_other
                && let Some(other) = self.bodies.at(slot)
                && other.is_solid_box()
                && other.aabb.overlaps(area)
                && other.meets(&self.body)
            {
                found(other);
            }
        });
    }
}

/// What the leading edge of a box passes over as it goes `step` toward `dir`.
pub(super) fn strip(body: Aabb, dir: Dir, step: u32) -> Aabb {
    let edge = body.edge(dir);
    edge.hull(edge.shifted(dir, step))
}

/// How far it is from the front of a box toward `dir` to the near side of another one; below 0 if it is past
/// it.
pub(super) fn gap(from: Aabb, dir: Dir, to: Aabb) -> i64 {
    let distance = |from: i32, to: i32| i64::from(to) - i64::from(from);
    match dir {
        Dir::Left => distance(to.max.x, from.min.x),
        Dir::Right => distance(from.max.x, to.min.x),
        Dir::Up => distance(to.max.y, from.min.y),
        Dir::Down => distance(from.max.y, to.min.y),
    }
}

impl Probe for Among<'_> {
    fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        let mut sweep = self.level().sweep(body, dir, step);
        // A contact that is as near counts, if its cell comes first.
        let reach = sweep.moved.saturating_add(u32::from(sweep.moved < step));
        let order = |moved: u32, contact: Contact| (moved, contact.cell.y, contact.cell.x);
        self.visit(strip(body, dir, reach), |other| {
            let Some((moved, contact)) = self.meeting(body, dir, step, other) else {
                return;
            };
            let is_first = |known| order(moved, contact) < order(sweep.moved, known);
            if sweep.contact.is_none_or(is_first) {
                sweep = Sweep {
                    step,
                    moved,
                    contact: Some(contact),
                };
            }
        });
        sweep
    }

    fn overlaps(&self, body: Aabb) -> bool {
        let mut overlaps = self.level().overlaps(body);
        self.visit(body, |other| overlaps |= !other.is_one_way());
        overlaps
    }

    fn nearest_free(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        let mut distance = 0;
        loop {
            let there = body.shifted(dir, distance);
            distance += self.level().nearest_free(there, dir, limit - distance)?;
            let there = body.shifted(dir, distance);
            // All that it overlaps there must be left behind.
            let mut needed = 0;
            self.visit(there, |other| {
                if !other.is_one_way() {
                    needed = needed.max(-gap(other.aabb, dir, there));
                }
            });
            if needed <= 0 {
                return Some(distance);
            }
            let further = u32::try_from(needed).ok()?;
            distance = distance
                .checked_add(further)
                .filter(|distance| *distance <= limit)?;
            if distance > body.room(dir) {
                return None;
            }
        }
    }

    fn is_held_along(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> bool {
        let shared = body.intersection(body.shifted(dir, distance));
        self.level().is_held_along(body, dir, distance, floor)
            || (!shared.is_empty() && !self.can_move(shared, floor, 1))
    }

    fn has_areas(&self) -> bool {
        self.level().has_areas()
    }

    fn areas(&self, body: Aabb, passing: Option<(Dir, u32)>) -> u64 {
        self.level().areas(body, passing)
    }
}
