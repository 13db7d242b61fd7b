//! The solids of a world that one body meets: the level, and the solid boxes of other bodies.
//!
//! They answer as a level does ([`Solids`]): for the strip that the leading edge sweeps, without an epsilon.
//! Nothing here moves a body.

use super::bodies::Bodies;
use super::body::Body;
use super::near::Near;
use crate::Level;
use crate::geometry::{Aabb, Dir};
use crate::level::{Solids, floor_run, supports};
use crate::sweep::{Contact, Sweep, Terrain};

/// The solids around one body.
pub(super) struct BodySolids<'a> {
    pub(super) level: &'a Level,
    pub(super) bodies: &'a Bodies,
    pub(super) near: &'a Near,
    /// The body that moves, and its slot: it does not meet itself.
    pub(super) body: Body,
    pub(super) slot: u32,
    /// The slot of a platform that moves the body, and so does not stop it.
    pub(super) except: Option<u32>,
}

impl BodySolids<'_> {
    /// The sweep of a box that another body stops; `None` if that does not stop it within `step`. The
    /// contact's cell is that of the level at the same place.
    fn meeting(&self, motion: &Motion, step: u32, other: &Body) -> Option<Sweep> {
        let Motion { body, dir, .. } = *motion;
        let gap = body.gap(dir, other.aabb);
        let is_held = !other.is_one_way() || (dir == Dir::Down && gap >= 0 && motion.obeys_one_way);
        let moved = gap.clamp(0, i64::from(step)) as u32;
        if !is_held || moved == step {
            return None;
        }
        let ahead = body.shifted(dir, moved).strip(dir, 1);
        let cell = self.level.cell_at(ahead.min.max(other.aabb.min));
        let contact = Contact::new(cell, -dir.vector());
        Some(Sweep::stopped(step, moved, contact))
    }

    /// The sweep among the other bodies and in the level, of which `level` is the answer.
    fn sweep_bodies(&self, motion: &Motion, level: Sweep) -> Sweep {
        let mut first = level;
        let step = level.step;
        // A contact at the same distance counts if its cell comes first.
        let reach = level.moved.saturating_add(u32::from(level.moved < step));
        self.visit(motion.body.strip(motion.dir, reach), |other| {
            if let Some(sweep) = self.meeting(motion, step, other) {
                first = first.earlier(sweep);
            }
        });
        first
    }

    /// Calls `found` with the solid bodies that overlap `area`, perhaps more than once.
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

/// A motion of a box, and whether one-way platforms hold it.
struct Motion {
    body: Aabb,
    dir: Dir,
    obeys_one_way: bool,
}

impl Solids for BodySolids<'_> {
    fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        let motion = Motion { body, dir, obeys_one_way: true };
        self.sweep_bodies(&motion, self.level.sweep(body, dir, step))
    }

    fn sweep_through_one_way(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        let motion = Motion { body, dir, obeys_one_way: false };
        let level = self.level.sweep_through_one_way(body, dir, step);
        self.sweep_bodies(&motion, level)
    }

    fn overlaps(&self, body: Aabb) -> bool {
        let mut overlaps = self.level.overlaps(body);
        self.visit(body, |other| overlaps |= !other.is_one_way());
        overlaps
    }

    fn nearest_free(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        let mut distance = 0;
        loop {
            let there = body.shifted(dir, distance);
            distance += self.level.nearest_free(there, dir, limit - distance)?;
            let there = body.shifted(dir, distance);
            // The box must leave every body that it overlaps there.
            let mut needed = 0;
            self.visit(there, |other| {
                if !other.is_one_way() {
                    needed = needed.max(-other.aabb.gap(dir, there));
                }
            });
            if needed <= 0 {
                return Some(distance);
            }
            let further = u32::try_from(needed).ok()?;
            distance = distance.checked_add(further).filter(|distance| *distance <= limit)?;
            if distance > body.room(dir) {
                return None;
            }
        }
    }

    fn watched_areas(&self) -> &[(String, Terrain)] {
        self.level.watched_areas()
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let run = self.level.floor_run(body, dir, distance, floor);
        if run == distance {
            return run;
        }
        let is_held = |run| supports(self, body, dir, run, floor);
        run.max(floor_run(body, dir, distance, is_held, || run))
    }
}
