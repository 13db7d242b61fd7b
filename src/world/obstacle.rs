//! Solid bodies as another body meets them: a character is a box, and a platform is a box or a piece of
//! level. [`Obstacle`] alone tests a box against a solid body. For a piece it brings the box into the space of
//! the piece and asks the piece's own terrain. Nothing moves here.

use glam::{I64Vec2, IVec2};

use super::Known;
use super::bodies::Bodies;
use super::body::Body;
use super::circle::Disc;
use crate::Level;
use crate::geometry::{Aabb, Axis, Dir, SUBPIXELS, Sides};
use crate::level::Solids;
use crate::mover::ObeyedSolids;

/// A solid body as a box meets it.
#[derive(Clone, Copy)]
pub(super) struct Obstacle<'a> {
    aabb: Aabb,
    /// True for a box that is solid only from above. The cells of a piece are one-way by themselves.
    is_one_way: bool,
    piece: Option<&'a Level>,
}

impl Known {
    /// The body of this entry in `slot` as an obstacle, at its position in the index.
    #[inline]
    pub(super) fn obstacle<'a>(&self, bodies: &'a Bodies, slot: u32) -> Obstacle<'a> {
        let piece = if self.is_piece { bodies.piece(slot) } else { None };
        Obstacle { aabb: self.aabb, is_one_way: self.is_one_way, piece }
    }
}

impl Bodies {
    /// The piece of level of the platform in `slot`; `None` for a box and for any other body.
    pub(super) fn piece(&self, slot: u32) -> Option<&Level> {
        let slot = self.slots.get(slot as usize)?;
        let body = slot.body.as_ref()?;
        slot.piece.as_deref().filter(|_| body.is_platform())
    }

    /// The body in `slot` as an obstacle.
    pub(super) fn obstacle(&self, slot: u32, body: &Body) -> Obstacle<'_> {
        let piece = self.piece(slot);
        let is_one_way = body.is_one_way() && piece.is_none();
        Obstacle { aabb: body.aabb, is_one_way, piece }
    }

    /// True if some point of the body in `slot` is in `area`. A ball is a circle, a piece has pixels, and any
    /// other body is a box.
    pub(super) fn covers(&self, slot: u32, body: &Body, area: Aabb) -> bool {
        match (self.piece(slot), body.circle()) {
            (Some(_), _) => self.obstacle(slot, body).overlaps(area),
            (None, Some(circle)) => circle.overlaps_box(area),
            (None, None) => body.aabb.overlaps(area),
        }
    }

    /// Like [`Body::overlaps`], with the pixels of pieces.
    pub(super) fn overlap(&self, one: u32, other: u32) -> bool {
        let Some((body, other_body)) = self.at(one).zip(self.at(other)) else { return false };
        let obstacle = self.obstacle(one, body);
        let other_obstacle = self.obstacle(other, other_body);
        match (obstacle.piece, other_obstacle.piece) {
            (None, None) => body.overlaps(other_body),
            (Some(_), None) => obstacle.overlaps_body(other_body),
            (None, Some(_)) => other_obstacle.overlaps_body(body),
            (Some(_), Some(_)) => obstacle.overlaps_piece(&other_obstacle),
        }
    }
}

impl<'a> Obstacle<'a> {
    /// The piece of level and the position of its first pixel; `None` for a box.
    pub(super) fn piece(&self) -> Option<(&'a Level, IVec2)> {
        self.piece.map(|piece| (piece, self.aabb.min))
    }

    /// A box in the space of the piece.
    fn local(&self, area: Aabb) -> Aabb {
        area.translated(IVec2::ZERO.saturating_sub(self.aabb.min))
    }

    /// The distance in pixels after which this body stops a box that moves toward `dir`, and the box or cell
    /// that stops it. `None` if it does not stop the box within `step`. The strip in front of the box must
    /// overlap the box of this body.
    #[inline]
    pub(super) fn meet(
        &self,
        body: Aabb,
        dir: Dir,
        step: u32,
        one_way: bool,
    ) -> Option<(u32, Aabb)> {
        if let Some(piece) = self.piece {
            let sweep = piece.sweep_aabb(self.local(body), dir, step, one_way);
            let cell = piece.cell_box(sweep.contact?.cell);
            return Some((sweep.moved, cell.translated(self.aabb.min)));
        }
        let gap = body.gap(dir, self.aabb);
        let is_held = !self.is_one_way || (dir == Dir::Down && gap >= 0 && one_way);
        let moved = gap.clamp(0, i64::from(step)) as u32;
        (is_held && moved < step).then_some((moved, self.aabb))
    }

    /// The distance in pixels, at most `step`, that `body` can move toward `dir` up to this body. A body that
    /// overlaps this body, or is past it, is not stopped. The path of a box must overlap the box of this body.
    pub(super) fn lets(&self, body: &Body, dir: Dir, step: u32, one_way: Sides<bool>) -> u32 {
        let Some(piece) = self.piece else {
            let gap = body.aabb.gap(dir, self.aabb);
            let is_met = !self.is_one_way || dir == Dir::Down && one_way.up;
            return if is_met && gap >= 0 { gap.min(step.into()) as u32 } else { step };
        };
        if self.overlaps_body(body) {
            return step;
        }
        if let Some(circle) = body.circle() {
            let pixel = dir.vector().as_i64vec2() * i64::from(SUBPIXELS);
            let mut free = 0..step;
            let is_met =
                |moved: &u32| self.overlaps_disc(circle.moved(pixel * i64::from(moved + 1)));
            return free.find(is_met).unwrap_or(step);
        }
        ObeyedSolids::new(piece, one_way).sweep(self.local(body.aabb), dir, step).moved
    }

    /// True if the box of this body overlaps `area`.
    pub(super) fn is_on(&self, area: Aabb) -> bool {
        self.aabb.overlaps(area)
    }

    /// True if a pixel of the box is solid.
    #[inline]
    pub(super) fn overlaps(&self, area: Aabb) -> bool {
        match self.piece {
            Some(piece) => piece.overlaps_aabb(self.local(area)),
            None => !self.is_one_way && self.aabb.overlaps(area),
        }
    }

    /// True if a pixel of the body is solid. For a box, a ball counts as the square around it.
    pub(super) fn overlaps_body(&self, body: &Body) -> bool {
        match body.circle().filter(|_| self.piece.is_some()) {
            Some(circle) => self.overlaps_disc(circle),
            None => self.overlaps(body.aabb),
        }
    }

    fn overlaps_disc(&self, circle: Disc) -> bool {
        let bounds = circle.bounds();
        self.overlaps(bounds) && (bounds.min.y..bounds.max.y).any(|y| self.overlaps(circle.row(y)))
    }

    /// True if the two pieces have a solid pixel at the same position.
    fn overlaps_piece(&self, other: &Self) -> bool {
        let both = self.aabb.intersection(other.aabb);
        let Some((one, two)) = self.piece.zip(other.piece) else { return false };
        let min = both.min.as_i64vec2();
        let from = [self, other].map(|piece| min - piece.aabb.min.as_i64vec2());
        let size = I64Vec2::new(both.width().into(), both.height().into());
        (0..size.y).any(|y| {
            (0..size.x).step_by(64).any(|x| {
                let left = size.x - x;
                let word = one.row_word(from[0].x + x, from[0].y + y)
                    & two.row_word(from[1].x + x, from[1].y + y);
                word << (64 - left.min(64)) != 0
            })
        })
    }

    /// The distance in pixels toward `dir`, at most `limit`, after which the box overlaps no solid pixel of
    /// this body; `None` if it is larger.
    pub(super) fn way_out(&self, area: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        match self.piece {
            Some(piece) => piece.nearest_free_aabb(self.local(area), dir, limit),
            None if self.is_one_way => Some(0),
            None => {
                let out = (-self.aabb.gap(dir, area)).max(0);
                u32::try_from(out).ok().filter(|out| *out <= limit)
            }
        }
    }

    /// [`Solids::has_one_way`].
    pub(super) fn has_one_way(&self, area: Aabb, dir: Dir) -> bool {
        match self.piece {
            Some(piece) => piece.has_one_way(self.local(area), dir),
            None => self.is_one_way && dir == Dir::Down,
        }
    }

    /// The length in pixels of the edge that this body shares with the side `dir` of a box, measured in
    /// `beside`, pixels at this side. `None` if it does not touch the side. One-way solids touch it only with
    /// `one_way`.
    pub(super) fn shared(&self, body: Aabb, beside: Aabb, dir: Dir, one_way: bool) -> Option<u32> {
        let beside = beside.intersection(self.aabb);
        let length = beside.extent(dir.axis().other());
        let Some(piece) = self.piece else {
            let is_solid = !self.is_one_way || dir == Dir::Down && one_way;
            let touches = is_solid && length > 0 && body.gap(dir, self.aabb) == 0;
            return touches.then_some(length);
        };
        if length == 0 || self.overlaps(body) {
            return None;
        }
        let shared = if one_way && piece.one_way(dir.opposite()).is_some() {
            let along = match dir.axis() {
                Axis::X => IVec2::Y,
                Axis::Y => IVec2::X,
            };
            let first = self.local(beside).min - dir.vector();
            let pixels = (0..length as i32).map(|at| first + along * at);
            let is_held = |min: &IVec2| {
                !piece.can_move_aabb(Aabb { min: *min, max: min + IVec2::ONE }, dir, 1, true)
            };
            pixels.filter(is_held).count() as u32
        } else {
            piece.solid_area(self.local(beside)) as u32
        };
        (shared > 0).then_some(shared)
    }
}
