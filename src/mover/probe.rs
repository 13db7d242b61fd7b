//! What a mover asks of the world around it, and the level's answers for a box and for a footprint.
//!
//! The mover's policy is written once, over [`Probe`]; the worlds of many bodies answer it, too. A probe
//! knows the body's shape; `body` is only the box around it, which says where the body is.

use crate::footprint::sweep_parts;
use crate::geometry::{Aabb, Dir, Outside, Sides};
use crate::sweep::{Contact, Sweep, Terrain};
use crate::{Footprint, Level};

/// The solids that a body meets. Every answer is for a body that is `body` large and where `body` is.
pub(crate) trait Probe {
    /// As [`Level::sweep`].
    fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> Sweep;

    /// True if the body overlaps a solid where it is.
    fn overlaps(&self, body: Aabb) -> bool;

    /// The smallest distance, at most `limit`, toward `dir` at which the body overlaps no solid if it is put
    /// there. One-way cells are no solids.
    fn nearest_free(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32>;

    /// True only if the body is held by something toward `floor` all along the `distance` toward `dir`; false
    /// if that is not so, or takes more than a look to find out.
    fn is_held_along(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> bool;

    /// True if the level has areas.
    fn has_areas(&self) -> bool;

    /// The level's areas that the body overlaps, or its leading edges pass over as it goes `distance` toward
    /// `dir`: a bit each, of the first 64 ones.
    fn areas(&self, body: Aabb, passing: Option<(Dir, u32)>) -> u64;

    /// As [`Level::can_move`].
    fn can_move(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        self.sweep(body, dir, step).is_clear()
    }

    /// False only if the solid of `contact`, which stopped the body, is still in its way after `limit` pixels
    /// toward `side`: the cheap answer to most of the places at which [`Probe::nearest_free`] would look.
    fn may_pass(&self, _body: Aabb, _contact: Contact, _side: Dir, _limit: u32) -> bool {
        true
    }

    /// True only if nothing stops a body that goes toward `dirs` and stays within `area`; false if that is
    /// not so, or takes more than a look to find out.
    fn is_free(&self, _area: Aabb, _dirs: [Dir; 2]) -> bool {
        false
    }

    /// How far, at most `distance`, what holds the body's leading edge toward `floor` holds it as it goes
    /// toward `dir`: 0 if nothing does, or if that takes more than a look to find out.
    fn held_run(&self, _body: Aabb, _dir: Dir, _distance: u32, _floor: Dir) -> u32 {
        0
    }

    /// The areas that a body which stays within `area` may overlap: a bit each, of the first 64 ones.
    fn areas_near(&self, _area: Aabb) -> u64 {
        u64::MAX
    }

    /// True only if the body meets the same things however much further it goes toward `dir`.
    fn is_beyond(&self, _body: Aabb, _dir: Dir) -> bool {
        false
    }
}

/// A body that is a box in a level.
pub(crate) struct BoxProbe<'a> {
    pub(crate) level: &'a Level,
    /// Which one-way cells hold the body, as [`super::MoverSettings::one_way`]; `None` if all do.
    one_way: Option<Sides<bool>>,
}

impl<'a> BoxProbe<'a> {
    pub(crate) fn new(level: &'a Level, one_way: Sides<bool>) -> Self {
        let one_way = Some(one_way).filter(|sides| *sides != Sides::all(true));
        Self { level, one_way }
    }

    #[inline]
    fn is_held_by_one_way(&self, dir: Dir) -> bool {
        self.one_way.is_none_or(|sides| sides.get(dir.opposite()))
    }
}

impl Probe for BoxProbe<'_> {
    fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        if self.is_held_by_one_way(dir) {
            self.level.sweep(body, dir, step)
        } else {
            self.level.sweep_through_one_way(body, dir, step)
        }
    }

    #[inline]
    fn can_move(&self, body: Aabb, dir: Dir, step: u32) -> bool {
        if self.is_held_by_one_way(dir) {
            self.level.can_move(body, dir, step)
        } else {
            self.level.sweep_through_one_way(body, dir, step).is_clear()
        }
    }

    fn may_pass(&self, body: Aabb, contact: Contact, side: Dir, limit: u32) -> bool {
        let solid = self.level.cell_area(contact.cell);
        let (body, solid) = match side {
            Dir::Left => (body.max.x, solid.min.x),
            Dir::Right => (solid.max.x, body.min.x),
            Dir::Up => (body.max.y, solid.min.y),
            Dir::Down => (solid.max.y, body.min.y),
        };
        i64::from(body) - i64::from(solid) <= i64::from(limit)
    }

    fn overlaps(&self, body: Aabb) -> bool {
        self.level.overlaps(body)
    }

    fn nearest_free(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.level.nearest_free(body, dir, limit)
    }

    fn is_held_along(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> bool {
        let shared = body.intersection(body.shifted(dir, distance));
        !self.can_move(shared, floor, 1)
            || self.is_beyond(body, dir) && !self.can_move(body, floor, 1)
    }

    fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        let is_free = |dir: Dir| {
            let edge = area.edge(dir.opposite());
            self.can_move(edge, dir, area.extent(dir.axis()))
        };
        dirs.into_iter().all(is_free)
    }

    fn held_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let is_solid_beyond = self.level.outside().get(floor) == Outside::Solid;
        if is_solid_beyond && self.is_beyond(body.edge(floor), floor) {
            return distance;
        }
        let lead = body.intersection(body.shifted(dir, body.extent(dir.axis()).saturating_sub(1)));
        let Some(contact) = self.sweep(lead, floor, 1).contact else {
            return 0;
        };
        // All of the cell holds it and, outside the level, all that lies before the level.
        let held = self.level.cell_area(contact.cell);
        let size = self.level.size().as_i64vec2();
        let [min, max] = [body.min, body.max].map(|corner| corner.as_i64vec2());
        let (run, gap) = match dir {
            Dir::Left => (max.x - 1 - i64::from(held.min.x), min.x - size.x),
            Dir::Right => (i64::from(held.max.x) - 1 - min.x, -max.x),
            Dir::Up => (max.y - 1 - i64::from(held.min.y), min.y - size.y),
            Dir::Down => (i64::from(held.max.y) - 1 - min.y, -max.y),
        };
        run.max(gap).clamp(0, i64::from(distance)) as u32
    }

    fn areas_near(&self, area: Aabb) -> u64 {
        self.areas(area, None)
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        let size = self.level.size();
        match dir {
            Dir::Left => body.max.x <= 0,
            Dir::Right => i64::from(body.min.x) >= i64::from(size.x),
            Dir::Up => body.max.y <= 0,
            Dir::Down => i64::from(body.min.y) >= i64::from(size.y),
        }
    }

    #[inline]
    fn has_areas(&self) -> bool {
        self.level.areas().next().is_some()
    }

    #[inline]
    fn areas(&self, body: Aabb, passing: Option<(Dir, u32)>) -> u64 {
        if !self.has_areas() {
            return 0;
        }
        areas(self.level, |area| match passing {
            None => area.overlaps(body),
            Some((dir, step)) => !area.can_move(body, dir, step),
        })
    }
}

/// A body that is a footprint in a level.
pub(super) struct FootprintProbe<'a> {
    pub(super) footprint: &'a Footprint,
    /// What each of its parts meets.
    pub(super) parts: BoxProbe<'a>,
}

impl FootprintProbe<'_> {
    /// The boxes whose edges lead in a motion toward `dir`.
    fn leading(&self, body: Aabb, dir: Dir) -> impl Iterator<Item = Aabb> {
        self.footprint.leading(dir.axis(), body.min)
    }
}

impl Probe for FootprintProbe<'_> {
    fn sweep(&self, body: Aabb, dir: Dir, step: u32) -> Sweep {
        let sweep = |part, reach| self.parts.sweep(part, dir, reach);
        sweep_parts(self.leading(body, dir), step, sweep)
    }

    fn overlaps(&self, body: Aabb) -> bool {
        self.parts.level.overlaps(self.footprint.at(body.min))
    }

    fn nearest_free(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        let limit = limit.min(body.room(dir));
        let mut distance = 0;
        loop {
            // The part that has to go farthest says how far all must go at least.
            let there = body.shifted(dir, distance);
            let mut farthest = 0;
            for part in self.leading(there, dir) {
                let more = self.parts.nearest_free(part, dir, limit - distance)?;
                farthest = farthest.max(more);
            }
            if farthest == 0 {
                return Some(distance);
            }
            distance += farthest;
        }
    }

    fn is_held_along(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> bool {
        let mut parts = self.leading(body, floor);
        parts.any(|part| self.parts.is_held_along(part, dir, distance, floor))
    }

    fn held_run(&self, body: Aabb, dir: Dir, distance: u32, floor: Dir) -> u32 {
        let run = |part| self.parts.held_run(part, dir, distance, floor);
        self.leading(body, floor).map(run).max().unwrap_or(0)
    }

    fn has_areas(&self) -> bool {
        self.parts.has_areas()
    }

    fn areas(&self, body: Aabb, passing: Option<(Dir, u32)>) -> u64 {
        areas(self.parts.level, |area| match passing {
            None => area.overlaps(self.footprint.at(body.min)),
            Some((dir, step)) => !area.can_move(self.footprint.at(body.min), dir, step),
        })
    }

    fn is_free(&self, area: Aabb, dirs: [Dir; 2]) -> bool {
        self.parts.is_free(area, dirs)
    }

    fn areas_near(&self, area: Aabb) -> u64 {
        self.parts.areas_near(area)
    }

    fn is_beyond(&self, body: Aabb, dir: Dir) -> bool {
        self.parts.is_beyond(body, dir)
    }
}

/// The first 64 areas of the level for which `is_met` is true, a bit each.
pub(super) fn areas(level: &Level, is_met: impl Fn(&Terrain) -> bool) -> u64 {
    let areas = level.areas().take(64).enumerate();
    areas.fold(0, |met, (at, (_, area))| {
        met | u64::from(is_met(area)) << at
    })
}
