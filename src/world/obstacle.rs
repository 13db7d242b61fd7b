//! Solid bodies as another body meets them: a character is a box, and a platform is a box or a piece of
//! level. [`Obstacle`] alone tests a box against a solid body; a piece asks its own terrain. Nothing moves
//! here.

use glam::IVec2;

use super::body::Body;
use super::circle::Disc;
use super::{Bodies, Known, Obstacle};
use crate::footprint::{nearest_free_parts, sweep_parts};
use crate::geometry::{Aabb, Axis, Dir, SUBPIXELS, Sides};
use crate::level::Solids;
use crate::mover::ObeyedSolids;
use crate::terrain::{BodyId, Contact, Sweep};
use crate::{Footprint, Level};

/// The strip in front of a box that moves must overlap the box of the body. A contact has no body and, for a
/// box, no cell.
impl Solids for Obstacle<'_> {
    #[inline(always)]
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        if let Some(footprint) = self.footprint {
            return self.sweep_pixels(footprint, body, dir, (step, one_way));
        }
        if let Some(piece) = &self.piece {
            return piece.sweep_aabb(body, dir, step, one_way);
        }
        let gap = body.gap(dir, self.aabb);
        let is_held = !self.is_one_way || (dir == Dir::Down && gap >= 0 && one_way);
        let moved = gap.clamp(0, i64::from(step)) as u32;
        if is_held && moved < step {
            Sweep::stopped(step, moved, Contact::new(IVec2::ZERO, -dir.vector()))
        } else {
            Sweep::clear(step)
        }
    }

    #[inline(always)]
    fn overlaps_aabb(&self, body: Aabb) -> bool {
        if let Some(footprint) = self.footprint {
            let mut parts = footprint.leading(Axis::X, body.min);
            return parts.any(|part| self.boxed().overlaps_aabb(part));
        }
        match &self.piece {
            Some(piece) => piece.overlaps_aabb(body),
            None => !self.is_one_way && self.aabb.overlaps(body),
        }
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        if let Some(footprint) = self.footprint {
            return nearest_free_parts(footprint, body.min, dir, limit, &|part, left| {
                let is_on = part.overlaps(self.aabb);
                if is_on { self.boxed().nearest_free_aabb(part, dir, left) } else { Some(0) }
            });
        }
        match &self.piece {
            Some(piece) => piece.nearest_free_aabb(body, dir, limit),
            None if self.is_one_way => Some(0),
            None => {
                let out = (-self.aabb.gap(dir, body)).max(0);
                u32::try_from(out).ok().filter(|out| *out <= limit)
            }
        }
    }

    #[inline(always)]
    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        match &self.piece {
            Some(piece) if self.footprint.is_none() => {
                piece.can_move_aabb(body, dir, step, one_way)
            }
            _ => self.sweep_aabb(body, dir, step, one_way).is_clear(),
        }
    }

    fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        match &self.piece {
            Some(piece) => piece.has_one_way(area, dir),
            None => self.is_one_way && dir == Dir::Down,
        }
    }

    /// The box of the body, or of the cell of a piece.
    #[inline(always)]
    fn contact_area(&self, contact: Contact) -> Option<Aabb> {
        self.piece.map_or(Some(self.aabb), |piece| piece.contact_area(contact))
    }
}

/// The point where another body stops the motion of a box. Points are ordered by distance, then by row, then
/// by column.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BodyMet {
    moved: u32,
    y: i32,
    x: i32,
    /// The edges of the body, or of the cell of a piece, that stops the box. They decide between two bodies
    /// at the same point, so the order in which bodies were added matters only for equal boxes.
    edges: [i32; 4],
    id: BodyId,
}

impl BodyMet {
    /// The earlier of `in_level`, a sweep toward `dir` in the level, and the sweep that ends at `met`.
    #[inline]
    pub(super) fn earlier(met: Option<Self>, level: &Level, in_level: Sweep, dir: Dir) -> Sweep {
        let Some(met) = met else { return in_level };
        let cell = level.cell_at(IVec2::new(met.x, met.y));
        let contact = Contact::new(cell, -dir.vector()).with_body(met.id);
        in_level.earlier(Sweep::stopped(in_level.step, met.moved, contact))
    }
}

impl Obstacle<'_> {
    /// The point where this body, `id` of its world, stops `body` on its next `step` pixels toward `dir`;
    /// `None` if it does not stop it.
    #[inline]
    pub(super) fn met(
        &self,
        id: BodyId,
        body: Aabb,
        dir: Dir,
        (step, one_way): (u32, bool),
    ) -> Option<BodyMet> {
        let Sweep { moved, contact, .. } = self.sweep_aabb(body, dir, step, one_way);
        let Aabb { min, max } = self.contact_area(contact?)?;
        let IVec2 { x, y } = body.shifted(dir, moved).strip(dir, 1).min.max(min);
        let edges = [min.y, min.x, max.y, max.x];
        Some(BodyMet { moved, y, x, edges, id })
    }

    /// This body as a box meets it.
    fn boxed(&self) -> Self {
        Self { footprint: None, ..*self }
    }

    fn sweep_pixels(
        &self,
        footprint: &Footprint,
        body: Aabb,
        dir: Dir,
        (step, one_way): (u32, bool),
    ) -> Sweep {
        let parts = footprint.leading(dir.axis(), body.min);
        let met = parts.filter(|part| part.strip(dir, step).overlaps(self.aabb));
        sweep_parts(met, step, |part, reach| self.boxed().sweep_aabb(part, dir, reach, one_way))
    }

    /// The distance in pixels, at most `step`, that `body` can move toward `dir` up to this body. A body that
    /// overlaps this body, or is past it, is not stopped. The path of a box must overlap the box of this
    /// body.
    pub(super) fn lets(&self, body: &Body, dir: Dir, step: u32, one_way: Sides<bool>) -> u32 {
        if self.piece.is_none() && self.footprint.is_none() {
            let gap = body.aabb.gap(dir, self.aabb);
            let is_met = !self.is_one_way || dir == Dir::Down && one_way.up;
            return if is_met && gap >= 0 { gap.min(step.into()) as u32 } else { step };
        }
        let Some(circle) = body.circle() else {
            let moved = ObeyedSolids::new(self, one_way).sweep(body.aabb, dir, step).moved;
            return if moved < step && self.overlaps_aabb(body.aabb) { step } else { moved };
        };
        let pixel = dir.vector().as_i64vec2() * i64::from(SUBPIXELS);
        let is_met = |moved: &u32| self.overlaps_disc(circle.moved(pixel * i64::from(*moved)));
        (0..=step).find(is_met).and_then(|met| met.checked_sub(1)).unwrap_or(step)
    }

    fn overlaps_disc(&self, circle: Disc) -> bool {
        let bounds = circle.bounds();
        let mut rows = bounds.min.y..bounds.max.y;
        self.overlaps_aabb(bounds) && rows.any(|y| self.overlaps_aabb(circle.row(y)))
    }

    /// True if the two bodies have a solid pixel in common in `area`.
    fn overlaps_in(&self, other: &Self, area: Aabb) -> bool {
        if area.is_empty() || !self.overlaps_aabb(area) || !other.overlaps_aabb(area) {
            return false;
        }
        let axis = usize::from(area.height() > area.width());
        let half = area.size()[axis] / 2;
        let [mut one, mut two] = [area; 2];
        one.max[axis] = area.min[axis] + half as i32;
        two.min[axis] = one.max[axis];
        half == 0 || self.overlaps_in(other, one) || self.overlaps_in(other, two)
    }

    /// The length in pixels of the edge that this body shares with the side `dir` of a box, also one pixel
    /// toward `below`. `None` if it does not touch the side. One-way solids touch it only with `one_way`.
    pub(super) fn shared(
        &self,
        body: Aabb,
        (dir, below): (Dir, Option<Dir>),
        one_way: bool,
    ) -> Option<u32> {
        if let Some(footprint) = self.footprint {
            let parts = footprint.leading(dir.axis(), body.min);
            return parts.filter_map(|part| self.boxed().shared(part, (dir, below), one_way)).max();
        }
        let beside = beside(body, dir, below).intersection(self.aabb);
        let length = beside.extent(dir.axis().other());
        let shared = match &self.piece {
            None => {
                let is_solid = !self.is_one_way || dir == Dir::Down && one_way;
                if is_solid && body.gap(dir, self.aabb) == 0 { length } else { 0 }
            }
            Some(_) if length == 0 || self.overlaps_aabb(body) => 0,
            Some(piece) if !one_way || piece.terrain.one_way(dir.opposite()).is_none() => {
                piece.solid_area(beside) as u32
            }
            Some(piece) => {
                let along = if dir.axis() == Axis::X { IVec2::Y } else { IVec2::X };
                let pixels = (0..length as i32).map(|at| {
                    let min = beside.min - dir.vector() + along * at;
                    Aabb { min, max: min + IVec2::ONE }
                });
                pixels.filter(|pixel| !piece.can_move_aabb(*pixel, dir, 1, true)).count() as u32
            }
        };
        (shared > 0).then_some(shared)
    }
}

/// The pixels at the side `dir` of a box, with those one pixel toward `below`.
pub(super) fn beside(body: Aabb, dir: Dir, below: Option<Dir>) -> Aabb {
    below.map_or(body, |floor| body.hull(body.shifted(floor, 1))).strip(dir, 1)
}

impl Known {
    /// The body of this entry in `slot` as an obstacle, at its position in the index, for a body with
    /// `footprint` or a box.
    #[inline(always)]
    pub(super) fn obstacle<'a>(
        &self,
        bodies: &'a Bodies,
        slot: u32,
        footprint: Option<&'a Footprint>,
    ) -> Obstacle<'a> {
        let piece = if self.is_piece { bodies.placed_piece(slot, self.aabb.min) } else { None };
        let footprint = footprint.filter(|_| !self.is_character);
        Obstacle { aabb: self.aabb, is_one_way: self.is_one_way, piece, footprint }
    }
}

impl Bodies {
    /// Like [`Body::overlaps`], with the pixels of pieces.
    pub(super) fn overlap(&self, one: u32, other: u32) -> bool {
        let Some((body, other_body)) = self.at(one).zip(self.at(other)) else { return false };
        let obstacle = self.obstacle(one, body);
        let met = self.obstacle(other, other_body);
        match (obstacle.piece.and(met.piece), obstacle.piece.or(met.piece)) {
            (None, None) => body.overlaps(other_body),
            (Some(_), _) => obstacle.overlaps_in(&met, obstacle.aabb.intersection(met.aabb)),
            (None, Some(_)) if obstacle.piece.is_none() => self.overlap(other, one),
            (None, Some(_)) => match other_body.circle() {
                Some(circle) => obstacle.overlaps_disc(circle),
                None => obstacle.overlaps_aabb(other_body.aabb),
            },
        }
    }
}
