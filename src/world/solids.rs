//! [`BodySolids`]: the solids that can stop one body of a world, from the level and from other bodies. They
//! implement [`Solids`], like a level. Other bodies near the moving body are collected once for its motion.

use std::cell::Cell;

use glam::IVec2;

use super::body::pushed_settings;
use super::near::{Near, widened};
use super::obstacle::BodyMet;
use super::{Asker, Bodies, Known, Obstacle, Other, toward};
use crate::geometry::{Aabb, Axis, Dir};
use crate::level::{Area, AreaSolids, PlacedTerrain, Solids, floor_run, is_free, supports};
use crate::mover::MoverSettings;
use crate::terrain::{BodyId, Contact, Sweep};
use crate::{Footprint, Level};

/// The solids for one moving body.
pub(super) struct BodySolids<'a> {
    level: AreaSolids<'a>,
    bodies: &'a Bodies,
    near: &'a Near,
    asker: &'a Asker,
    /// The solid bodies that overlap `region`. A query beyond `region` uses the index `near` instead.
    others: &'a [Other],
    region: Aabb,
    /// True after a query beyond `region`. The body may then not fall asleep.
    pub(super) has_looked_far: Cell<bool>,
}

/// Fills `others` with the bodies that are solid for `asker` and overlap `region`.
pub(super) fn gather(near: &Near, asker: &Asker, region: Aabb, others: &mut Vec<Other>) {
    others.clear();
    if asker.known.collides_with == 0 || asker.known.category == 0 {
        return;
    }
    near.visit_with(region, |slot, known| {
        if asker.is_stopped_by(slot, known) {
            others.push(Other { slot, known: *known });
        }
    });
}

impl<'a> BodySolids<'a> {
    pub(super) fn new(
        level: &'a Level,
        bodies: &'a Bodies,
        near: &'a Near,
        asker: &'a Asker,
        others: &'a [Other],
        region: Aabb,
    ) -> Self {
        let level = level.solids_for(asker.known.collides_with).for_size(asker.known.aabb.size());
        let level = level.for_footprint(bodies.footprint(asker.slot));
        Self { level, bodies, near, asker, others, region, has_looked_far: Cell::new(false) }
    }

    /// The body of `known` in `slot` as the moving body meets it.
    #[inline]
    fn obstacle(&self, slot: u32, known: &Known) -> Obstacle<'_> {
        known.obstacle(self.bodies, slot, self.level.footprint())
    }

    /// Calls `found` with each body that is solid for the moving body and overlaps `area`.
    fn visit(&self, area: Aabb, found: &mut dyn FnMut(u32, &Known)) {
        if area.is_empty() {
            return;
        }
        if area.intersection(self.region) == area {
            for other in self.others {
                if other.known.aabb.overlaps(area) {
                    found(other.slot, &other.known);
                }
            }
            return;
        }
        self.has_looked_far.set(true);
        self.near.visit(area, &mut |slot, known| {
            if self.asker.is_stopped_by(slot, known) {
                found(slot, known);
            }
        });
    }

    /// Calls `found` with each body that may stop the moving body on `step` pixels toward `dir`. What meets
    /// the pixels of a footprint may be within its box.
    #[inline]
    fn visit_ahead(&self, body: Aabb, dir: Dir, step: u32, found: &mut dyn FnMut(u32, &Known)) {
        let strip = body.strip(dir, step);
        let Some(footprint) = self.footprint() else { return self.visit(strip, found) };
        self.visit(footprint.bounds(body.min).hull(strip), &mut |slot, known| {
            if !known.is_character || known.aabb.overlaps(strip) {
                found(slot, known);
            }
        });
    }

    /// The box from which the level lets the moving body go on toward `dir`: `body`, or above a step if
    /// bodies that it pushes are before the step. `None` if the level stops it.
    fn raised(&self, body: Aabb, dir: Dir) -> Option<Aabb> {
        if self.level.can_move_aabb(body, dir, 1, true) {
            return Some(body);
        }
        let pushes = self.asker.yields[dir.axis().index()];
        let settings = self.bodies.at(self.asker.slot).filter(|_| pushes)?.as_character()?.settings;
        let up = settings.floor.filter(|floor| floor.axis() != dir.axis())?.opposite();
        let step = settings.step_height.min(MoverSettings::MAX_CORRECTION);
        let rise = self.level.nearest_free_aabb(body.shifted(dir, 1), up, step)?;
        Some(body.shifted(up, rise))
    }

    /// The translation that moves a body out of the pieces of level that it overlaps: zero if it overlaps
    /// none, and otherwise the shortest way, of at most its step height along an axis. Of equal ways, the way
    /// up comes first, then the way down; to neither of two sides, as in a mirrored world. `None` if there is
    /// no such way.
    pub(super) fn way_out_of_pieces(&self, body: Aabb) -> Option<IVec2> {
        let mut is_in = false;
        self.visit(body, &mut |slot, known| {
            is_in |= known.is_piece && self.obstacle(slot, known).overlaps_aabb(body);
        });
        if !is_in {
            return Some(IVec2::ZERO);
        }
        let settings = self.bodies.at(self.asker.slot)?.as_character().map(pushed_settings)?;
        let limit = settings.step_height.min(MoverSettings::MAX_CORRECTION);
        let ways = Dir::ALL.map(|dir| {
            let out = self.nearest_free_aabb(body, dir, limit)?;
            let is_aside = settings.floor.is_none_or(|floor| floor.axis() != dir.axis());
            let is_free = self.level.can_move_aabb(body, dir, out, false);
            is_free.then_some((out, is_aside, settings.floor == Some(dir)))
        });
        let is_only =
            |way: &_| ways.iter().filter(|other| other.as_ref() == Some(way)).count() == 1;
        let least = ways.into_iter().flatten().filter(is_only).min();
        let dir = Dir::ALL.into_iter().find(|dir| ways[*dir as usize] == least)?;
        least.map(|(out, ..)| dir.vector() * out as i32)
    }

    /// True if the character in `slot` does not stop a motion of `part` 65,536ths of a pixel toward `dir`.
    /// Either its subpixel is at least as far in this direction, or the moving body can push it. False for
    /// any other kind of body.
    fn is_ahead(&self, slot: u32, dir: Dir, part: u32) -> bool {
        let Some(body) = self.bodies.at(slot) else { return false };
        let Some(character) = body.as_character() else { return false };
        let axis = dir.axis().index();
        let can_be_pushed = self.asker.yields[axis] && character.mass > 0;
        can_be_pushed || toward(body.subpixel[axis].into(), dir) >= part.into()
    }
}

impl Solids for BodySolids<'_> {
    /// The earlier of two sweeps: in the level alone, and among the other bodies.
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        let level = self.level.sweep_aabb(body, dir, step, one_way);
        // Bodies at the same distance as the level's contact are searched too, because their cell may come
        // first.
        let reach = level.moved.saturating_add(u32::from(level.moved < step));
        let mut first: Option<BodyMet> = None;
        self.visit_ahead(body, dir, reach, &mut |slot, known| {
            let id = BodyId { slot, generation: known.generation };
            let met = self.obstacle(slot, known).met(id, body, dir, (step, one_way));
            if first.is_none_or(|first| met.is_some_and(|met| met < first)) {
                first = met;
            }
        });
        BodyMet::earlier(first, self.level.level(), level, dir)
    }

    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        if !self.level.can_move_aabb(body, dir, step, one_way) {
            return false;
        }
        let mut is_clear = true;
        self.visit_ahead(body, dir, step, &mut |slot, known| {
            is_clear &= self.obstacle(slot, known).can_move_aabb(body, dir, step, one_way);
        });
        is_clear
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        let mut overlaps = self.level.overlaps_aabb(body);
        self.visit(body, &mut |slot, known| {
            overlaps |= self.obstacle(slot, known).overlaps_aabb(body);
        });
        overlaps
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        let mut distance = 0;
        loop {
            let there = body.shifted(dir, distance);
            distance += self.level.nearest_free_aabb(there, dir, limit - distance)?;
            let there = body.shifted(dir, distance);
            // The distance toward `dir` after which the moving box overlaps none of the bodies that it
            // overlaps at `there`.
            let mut further = Some(0);
            self.visit(there, &mut |slot, known| {
                let other = self.obstacle(slot, known);
                let out = other.nearest_free_aabb(there, dir, limit - distance);
                further = further.zip(out).map(|(most, out)| most.max(out));
            });
            let further = further?;
            if further == 0 {
                return Some(distance);
            }
            distance = distance.checked_add(further).filter(|distance| *distance <= limit)?;
            if distance > body.room(dir) {
                return None;
            }
        }
    }

    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        let mut has_one_way = self.level.has_one_way(area, dir);
        // A box is one-way only from above.
        let is_within = area.intersection(self.region) == area;
        if dir == Dir::Down || !is_within || self.others.iter().any(|other| other.known.is_piece) {
            self.visit(area, &mut |slot, known| {
                has_one_way |= self.obstacle(slot, known).has_one_way(area, dir);
            });
        }
        has_one_way
    }

    fn watched_areas(&self) -> &[Area] {
        self.level.watched_areas()
    }

    /// The ladders of which the body covers the most pixels count: those of the level, or of a piece.
    fn placed_area(&self, name: &str) -> Option<PlacedTerrain<'_>> {
        let body = widened(self.asker.known.aabb, 1);
        let area = if self.region.is_empty() { body } else { self.region };
        let mut best = self.level.placed_area(name);
        let mut most =
            best.map_or((0, 0), |level| (level.solid_area(body), level.solid_area(area)));
        self.visit(area, &mut |slot, known| {
            let piece = if known.is_piece { self.bodies.piece(slot) } else { None };
            if let Some(terrain) = piece.and_then(|piece| piece.area(name)) {
                let body_id = BodyId { slot, generation: known.generation };
                let placed = PlacedTerrain { terrain, at: known.aabb.min, body: Some(body_id) };
                let covered = (placed.solid_area(body), placed.solid_area(area));
                if covered > most {
                    (most, best) = (covered, Some(placed));
                }
            }
        });
        best
    }

    fn footprint(&self) -> Option<&Footprint> {
        self.level.footprint()
    }

    fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        self.footprint().is_none() && is_free(self, area, dirs)
    }

    fn floor_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let run = self.level.floor_run(body, dir, distance, floor);
        if run == distance || self.footprint().is_some() {
            return run;
        }
        let below = body.hull(body.shifted(dir, distance)).strip(floor, 1);
        let mut is_alone = true;
        self.visit(below, &mut |_, _| is_alone = false);
        if is_alone {
            return run;
        }
        run.max(floor_run(
            body,
            dir,
            distance,
            &|run| supports(self, body, dir, run, floor),
            &|| run,
        ))
    }

    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        match contact.body {
            None => self.level.contact_area(contact),
            Some(body) => {
                let other = self.others.iter().find(|other| other.slot == body.slot);
                let known = other.map(|other| &other.known);
                let known = known.or_else(|| self.near.known.get(body.slot as usize))?;
                (!known.is_piece).then_some(known.aabb)
            }
        }
    }

    fn can_move_part(&self, body: Aabb, dir: Dir, part: u32) -> bool {
        let Some(body) = self.raised(body, dir) else { return false };
        let mut can_move = true;
        self.visit_ahead(body, dir, 1, &mut |slot, known| {
            let other = self.obstacle(slot, known);
            can_move &= other.can_move_aabb(body, dir, 1, true)
                || !other.overlaps_aabb(body) && self.is_ahead(slot, dir, part);
        });
        can_move
    }
}

/// The area in which solids can affect the step of a body: its box, widened on each side by
/// [`Known::look_aside`] and 2 pixels, and extended by its motion `due`. `due` is in 65,536ths of a pixel,
/// and at most 4,096 pixels of it count.
pub(super) fn region(known: &Known, due: [i64; 2]) -> Aabb {
    let mut region = widened(known.aabb, i32::from(known.look_aside) + 2);
    for (axis, due) in [Axis::X, Axis::Y].into_iter().zip(due) {
        let dir = Dir::along(axis, due > 0);
        let pixels = (due.unsigned_abs() >> 16).min(4096) as u32;
        region = region.hull(region.shifted(dir, pixels));
    }
    region
}
