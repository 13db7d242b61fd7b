//! The motion of a body on foot, up and down steps and slopes, at an even speed and without leaving the
//! floor. Also slides down slopes that are too steep to walk on, and bounces off slopes. The module `surface`
//! measures the slopes. The code uses no floats and allocates nothing.

use std::ops::Range;

use glam::IVec2;

use super::{MAX_LOOKS, Motion, PIXEL, Travel, signed};
use crate::geometry::{Aabb, Axis, Dir};
use crate::mover::Surface;
use crate::mover::obeyed::ObeyedSolids;
use crate::mover::settings::{MovePath, MoverSettings, Reflection, Response, SURFACE_REACH};
use crate::terrain::Contact;

impl Motion<'_> {
    /// Walks `distance` pixels toward `dir`. Where the floor ends, the body flies the rest. If `is_next` and
    /// [`Motion::part`] is not 0, the next pixel is tested as well.
    pub(super) fn walk(&mut self, floor: Dir, dir: Dir, distance: u32, is_next: bool) -> Travel {
        let ahead = is_next && self.part > 0;
        let mut moved = 0;
        let mut looks = MAX_LOOKS;
        while looks > 0 {
            let due = distance - moved;
            let start = self.body;
            let sweep = self.solids.sweep(start, dir, due + u32::from(ahead));
            let free = sweep.moved.min(due);
            if free > 0 {
                // The rest of the sweep is known to be free while the body stays at the same height.
                let mut left = free;
                while left > 0
                    && looks > 0
                    && self.on_foot.is_some()
                    && self.body == start.shifted(dir, free - left)
                {
                    let before = (self.body, self.done.areas.1);
                    let run = self.plain_run(floor, dir, left);
                    let gone = self.walk_some(floor, dir, run, &mut looks);
                    if let Some(riser) = self.riser(floor, dir, before.0) {
                        // The slope under the body is now too steep. The body would slide back, so the last
                        // pixel of the walk is undone.
                        (self.body, self.done.areas.1) = before;
                        self.touch(dir, Some(riser));
                        moved += free - left;
                        return Travel { is_stopped: true, ..Travel::free(moved) };
                    }
                    left -= gone;
                }
                moved += free - left;
                if self.on_foot.is_none() {
                    let flown = self.fly(dir, distance - moved, is_next);
                    moved += flown.moved;
                    return Travel { moved, ..flown };
                }
                let is_done = moved == distance && (!ahead || sweep.is_clear());
                if !is_done || self.body != start.shifted(dir, free) {
                    continue;
                }
            } else if let Some(contact) = sweep.contact {
                let up = floor.opposite();
                let limit = self.settings.step();
                let climb = self.solids.around(start, dir, contact, up, limit);
                match climb.filter(|(_, place)| !self.is_too_steep(*place, dir, floor)) {
                    Some((climbed, place)) if due > 0 => {
                        self.put(place);
                        if self.may_step_up(floor, start) {
                            self.step_onto_edge(floor, start, climbed);
                        }
                        (moved, looks) = (moved + 1, looks - 1);
                        continue;
                    }
                    Some(_) => {}
                    None if due == 0 && self.solids.can_move_part(self.body, dir, self.part) => {}
                    None => {
                        self.touch(dir, sweep.contact);
                        return Travel { is_stopped: true, ..Travel::free(moved) };
                    }
                }
            }
            return Travel::free(moved);
        }
        Travel { is_cut: moved < distance, ..Travel::free(moved) }
    }

    /// The contact with the next stair of the slope, if the walk from `before` toward `dir` led onto a slope
    /// that is too steep. `None` if the slope is not too steep.
    fn riser(&self, floor: Dir, dir: Dir, before: Aabb) -> Option<Contact> {
        if self.on_foot.is_none() || !self.is_too_steep(self.body, dir, floor) {
            return None;
        }
        self.solids.sweep(before, dir, 2 * SURFACE_REACH as u32).contact
    }

    /// The number of pixels, 1 to `free`, that the body can walk before the slope must be measured again. On
    /// these pixels, the floor is level as far as the measurement would reach.
    fn plain_run(&self, floor: Dir, dir: Dir, free: u32) -> u32 {
        if self.settings.max_slope.is_vertical() {
            return free;
        }
        let reach = SURFACE_REACH as u32;
        if self.solids.level_run(self.body, dir.opposite(), reach, floor) < reach {
            return 1;
        }
        let run = self.solids.level_run(self.body, dir, free, floor);
        run.saturating_sub(reach).max(1)
    }

    /// Walks some of `free` pixels, which have no solid, and returns their number: many pixels at once on a
    /// level floor, and one pixel elsewhere.
    ///
    /// Of `looks`, which limits the work, a level floor takes none: the number of pixels per query differs
    /// between types of [`Solids`](crate::Solids), and the motion must not.
    fn walk_some(&mut self, floor: Dir, dir: Dir, free: u32, looks: &mut u32) -> u32 {
        let run = self.solids.floor_run(self.body, dir, free, floor);
        let run = self.without_edges(floor, dir, run);
        if run > 0 {
            self.advance(dir, run);
            return run;
        }
        *looks -= u32::from(self.walk_pixel(floor, dir));
        1
    }

    /// Walks one pixel, which has no solid. Then steps up onto a one-way edge, or down to a floor at most
    /// `snap_distance` below. If there is neither, the body is in the air. Returns true near a one-way edge
    /// and after a step down.
    fn walk_pixel(&mut self, floor: Dir, dir: Dir) -> bool {
        let before = self.body;
        self.advance(dir, 1);
        let is_near = self.may_step_up(floor, before);
        if is_near && self.step_onto_edge(floor, before, 0) {
            return true;
        }
        let reach = self.settings.snap_distance.min(MoverSettings::MAX_CORRECTION) + 1;
        let down = self.solids.sweep(self.body, floor, reach.min(self.body.room(floor)));
        if down.is_clear() {
            self.on_foot = None;
        } else {
            self.advance(floor, down.moved);
        }
        is_near || down.moved > 0
    }

    /// The number of the next `run` pixels toward `dir`, or of a part of them, that have no one-way edge near
    /// the body's feet.
    fn without_edges(&self, floor: Dir, dir: Dir, mut run: u32) -> u32 {
        while run > 0 && self.may_step_up(floor, self.body.shifted(dir, run)) {
            run /= 2;
        }
        run
    }

    /// False only if no one-way edge lies within step height of the body's feet on its straight path to
    /// `there`. May be true without such an edge.
    fn may_step_up(&self, floor: Dir, there: Aabb) -> bool {
        let swept = self.body.hull(there);
        let up = floor.opposite();
        let reach = self.settings.step().min(swept.room(up));
        // The edges of a footprint can be anywhere in its box.
        let area = match self.solids.footprint {
            None => swept.edge(floor).strip(up, reach),
            Some(_) => swept.hull(swept.shifted(up, reach)),
        };
        self.solids.has_one_way(area, floor)
    }

    /// Moves the body up onto the next one-way edge ([`Motion::step_up`]). Returns false if no edge is a
    /// step. The body was at `before` one pixel of its walk earlier, and was lifted by `climbed` pixels since
    /// then.
    fn step_onto_edge(&mut self, floor: Dir, before: Aabb, climbed: u32) -> bool {
        let limit = self.settings.step().saturating_sub(climbed);
        let height = self.step_up(floor, before, limit, climbed);
        self.advance(floor.opposite(), height);
        height > 0
    }

    /// The height above the body's feet, in pixels, of the highest one-way edge that is a step; 0 if no edge
    /// is a step. The body was at `before` one pixel of its walk earlier, and was lifted by `climbed` pixels
    /// since then.
    ///
    /// An edge is a step if it is at most `limit` pixels above the feet, and the body can be moved up to it.
    /// No edge is a step if the body was already below the one-way floor at `before`: an edge was above its
    /// feet, at most `step_height` higher than the new edge.
    fn step_up(&self, floor: Dir, before: Aabb, limit: u32, climbed: u32) -> u32 {
        let height = edge_above(self.solids, self.body, floor, limit);
        let near = self.settings.step().saturating_add(climbed).saturating_add(height);
        let is_step = height > 0 && edge_above(self.solids, before, floor, near) == 0;
        if is_step { height } else { 0 }
    }

    /// Flies up to `free` pixels toward `dir`, which have no solid. Returns the number of pixels flown, and
    /// true if the whole flight was straight. Returns false after a lift onto a one-way edge, or when
    /// `looks`, which limits the work, is empty.
    ///
    /// A one-way slope can rise into the path of a body that flies just above it. The body is lifted onto the
    /// next edge if a walk from the floor below would step up onto that edge. Each pixel near a one-way edge
    /// takes one item from `looks`.
    pub(super) fn glide(&mut self, dir: Dir, free: u32, looks: &mut Range<u32>) -> (u32, bool) {
        let floor = self.settings.floor.filter(|floor| floor.axis() != dir.axis());
        let may_lift = self.settings.step_height > 0 && !self.done.started_solid;
        let there = self.body.shifted(dir, free);
        let Some(floor) = floor.filter(|floor| may_lift && self.may_step_up(*floor, there)) else {
            self.advance(dir, free);
            return (free, true);
        };
        let mut left = free;
        while left > 0 {
            let run = self.without_edges(floor, dir, left);
            if run > 0 {
                self.advance(dir, run);
                left -= run;
                continue;
            }
            if looks.next().is_none() {
                return (free - left, false);
            }
            let before = self.body;
            self.advance(dir, 1);
            left -= 1;
            if self.is_lifted(floor, before) {
                return (free - left, false);
            }
        }
        (free, true)
    }

    /// Lifts a flying body onto a one-way edge, after it moved one pixel from `before`. Returns false if it
    /// is not lifted. It is lifted only if a floor is less than `step_height` below `before`, and only if a
    /// body that walks on this floor would step up onto the edge.
    fn is_lifted(&mut self, floor: Dir, before: Aabb) -> bool {
        let reach = self.settings.step().min(before.room(floor));
        let down = self.solids.sweep(before, floor, reach);
        if down.is_clear() {
            return false;
        }
        // An edge above the body's head does not count.
        let limit = (reach - down.moved).min(before.extent(floor.axis()));
        let height = self.step_up(floor, before, limit, 0);
        self.advance(floor.opposite(), height);
        self.lifted += height;
        height > 0
    }

    /// Subtracts [`Motion::lifted`] from the motion away from the floor. So a jump from a slope rises as high
    /// as a jump from level ground.
    pub(super) fn take_lift(&mut self, floor: Dir) {
        let lifted = (u64::from(std::mem::take(&mut self.lifted)) * PIXEL) as i64;
        let due = &mut self.due[floor.axis().index()];
        *due = if floor.is_positive() {
            (*due).max((*due + lifted).min(0))
        } else {
            (*due).min((*due - lifted).max(0))
        };
    }

    /// Lands a falling body on the floor in front of a slope's step, if the step stops it toward `dir`. The
    /// body then continues toward `dir` on foot and keeps its speed. Returns the direction of the floor, or
    /// `None` if the body does not land.
    ///
    /// The fall in this step of the mover must reach the floor, and the body must be able to step up from the
    /// floor. The fall counts as a part of the height of the slope's step. So a body in the air cannot climb
    /// a wall.
    pub(super) fn land_at_step(&mut self, dir: Dir, contact: Contact) -> Option<Dir> {
        let floor = self.settings.floor.filter(|floor| floor.axis() != dir.axis())?;
        let due = self.due[floor.axis().index()];
        let falls = due != 0 && (due > 0) == floor.is_positive();
        let is_first = match self.settings.path {
            MovePath::XThenY => dir.axis() == Axis::X,
            _ => dir.axis() == Axis::Y,
        };
        let slides = matches!(self.settings.response, Response::Slide | Response::Bounce { .. });
        if self.has_landed || !falls || !is_first || !slides || !self.may_slide() {
            return None;
        }
        let due = due.unsigned_abs();
        let step = self.settings.step();
        let fall = due / PIXEL;
        let part = (due % PIXEL) as u32;
        let sweep = self.solids.sweep(self.body, floor, fall.min(step.into()) as u32 + 1);
        let fallen = sweep.moved;
        let there = self.body.shifted(floor, fallen);
        let slides = self.surface(there, floor).slid_down(sweep.contact?, self.settings.max_slope);
        let moves_part = u64::from(fallen) == fall && self.solids.can_move_part(there, floor, part);
        if slides.is_some() || moves_part {
            return None;
        }
        let up = floor.opposite();
        let rise = step.checked_sub(fallen)?;
        let (_, place) = self.solids.around(self.body, dir, contact, up, rise)?;
        if self.is_too_steep(place, dir, floor) {
            return None;
        }
        self.advance(floor, fallen);
        self.due[floor.axis().index()] -= signed(floor, u64::from(fallen) * PIXEL);
        (self.on_foot, self.has_landed) = (Some(floor), true);
        Some(floor)
    }

    fn surface(&self, body: Aabb, floor: Dir) -> Surface<'_> {
        Surface { solids: self.solids, body, floor }
    }

    /// True if the body at `place` is on a slope that is too steep and rises toward `dir`.
    pub(super) fn is_too_steep(&self, place: Aabb, dir: Dir, floor: Dir) -> bool {
        let limit = self.settings.max_slope;
        !limit.is_vertical() && self.surface(place, floor).downhill(limit) == Some(dir.opposite())
    }

    /// True if the body may slide along slopes and walls: it is in the air, did not start in a solid and does
    /// not bounce.
    pub(super) fn may_slide(&self) -> bool {
        self.on_foot.is_none() && !self.done.started_solid && !self.settings.bounces()
    }

    /// The next position of a body that falls toward `dir` onto a floor that is too steep: one pixel further
    /// down the slope. `None` if the body does not slide.
    pub(super) fn slid_down(&self, dir: Dir, contact: Contact) -> Option<Aabb> {
        if self.settings.floor != Some(dir) || !self.may_slide() {
            return None;
        }
        self.surface(self.body, dir).slid_down(contact, self.settings.max_slope)
    }

    /// The normal of the slanted surface that stopped a bouncing body toward `dir`; `None` for a wall or a
    /// level floor. On a straight line the body may be between two whole pixels. The direction `aside` then
    /// leads from the first to the second of these pixels.
    pub(super) fn slant(&self, dir: Dir, aside: Option<Dir>) -> Option<IVec2> {
        if !self.settings.bounces() || self.done.started_solid {
            return None;
        }
        let next = aside.map(|aside| self.body.shifted(aside, 1));
        let mut places = [Some(self.body), next].into_iter().flatten();
        let place = places.find(|place| !self.solids.can_move(*place, dir, 1))?;
        self.surface(place, dir).slant()
    }

    /// Records a bounce off a slanted surface and returns it. Returns `None` after an earlier such bounce in
    /// the step: the body then stops, because the stairs of the surface would stop it again and again.
    pub(super) fn reflect(&mut self, normal: IVec2) -> Option<Reflection> {
        let Response::Bounce { restitution } = self.settings.response else { return None };
        let normal = normal.to_array().map(|part| part as i16);
        match &mut self.done.reflection {
            Some(reflection) => {
                reflection.second = normal;
                None
            }
            None => {
                self.done.reflection =
                    Some(Reflection::new(normal, restitution, self.done.bounces));
                self.done.reflection
            }
        }
    }

    /// Bounces off one stair of a slanted surface as off a wall, and returns the new motion along `axis`.
    /// `left` is the remaining motion before the bounce. Returns `None` if the body stops instead. It stops
    /// if the motion on both axes leads into the surface (`leads_in`), after a slanted bounce in this step,
    /// and after [`MoverSettings::MAX_BOUNCES`] bounces.
    pub(super) fn bounce_from_step(
        &mut self,
        axis: Axis,
        left: i64,
        leads_in: bool,
    ) -> Option<i64> {
        if leads_in || self.done.reflection.is_some() {
            return None;
        }
        let back = self.bounce(axis, left.unsigned_abs())?;
        Some(signed(Dir::along(axis, left < 0), back))
    }
}

/// The height in pixels of the highest one-way edge above the body's feet to which the body can be moved up:
/// at most `reach`, and 0 without such an edge.
fn edge_above(solids: &ObeyedSolids<'_>, body: Aabb, floor: Dir, reach: u32) -> u32 {
    let up = floor.opposite();
    let raised = solids.sweep(body, up, reach.min(body.room(up))).moved;
    // The path back down has no solids, so only a one-way cell can stop the body there.
    raised - solids.sweep(body.shifted(up, raised), floor, raised).moved
}
