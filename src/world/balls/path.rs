//! Finds the first solids on a ball's path in a round (one of the equal periods of a world's step), and their
//! normals. Solids are the solid pixels of the level and the boxes of bodies. The ball hits a solid if the
//! point of the solid nearest to the ball's centre is inside the ball's circle. The path is tested in path
//! steps of half a pixel, so no solid pixel is skipped.

use glam::{I64Vec2, IVec2};

use super::{PIXEL, Rolling, Surroundings};
use crate::geometry::{Aabb, Dir};
use crate::level::{AreaSolids, Solids};
use crate::world::body::Body;
use crate::world::circle::{Disc, dot, nearest, square};

/// A path step: half a pixel of a ball's path.
struct PathStep<'a> {
    /// The ball's circle at the end of the path step.
    ahead: Disc,
    /// The ball's centre at the start of the path step.
    from: I64Vec2,
    /// The ball's displacement in the path step.
    step: I64Vec2,
    /// The normals of the nearest solids found so far: vectors from the nearest point of a solid to the
    /// ball's centre at the start of the path step. Each of several equally near solids has a normal.
    normals: &'a mut Vec<I64Vec2>,
}

impl PathStep<'_> {
    /// Adds the normal of a solid box that the ball hits in this path step, unless a nearer solid is known. A
    /// box from which the ball moves away does not count.
    fn test_box(&mut self, aabb: Aabb) {
        if self.ahead.overlaps_box(aabb) {
            self.test_point(nearest(aabb, self.from));
        }
    }

    /// Adds the normal of a solid whose nearest point is `point`, unless a nearer solid is known.
    fn test_point(&mut self, point: I64Vec2) {
        let normal = self.from - point;
        if dot(normal, self.step) >= 0 || self.normals.contains(&normal) {
            return;
        }
        if let Some(known) = self.normals.first() {
            if square(*known) < square(normal) {
                return;
            }
            if square(*known) > square(normal) {
                self.normals.clear();
            }
        }
        self.normals.push(normal);
    }

    /// Like [`PathStep::test_box`], for the nearest solid pixel of the level, or of a piece of level, in each
    /// row that the circle overlaps.
    fn test_level(&mut self, solids: &dyn Solids) {
        let bounds = self.ahead.bounds();
        if solids.overlaps_aabb(bounds) {
            (bounds.min.y..bounds.max.y).for_each(|y| self.test_row(solids, y));
        }
    }

    /// Tests the nearest solid pixel of the level in row `y`.
    fn test_row(&mut self, solids: &dyn Solids, y: i32) {
        let line = self.ahead.row(y);
        if !solids.overlaps_aabb(line) {
            return;
        }
        let column = self.from.x.div_euclid(PIXEL);
        let column = column.clamp(i64::from(line.min.x), i64::from(line.max.x) - 1) as i32;
        let middle = Aabb { min: IVec2::new(column, y), max: IVec2::new(column + 1, y + 1) };
        if solids.overlaps_aabb(middle) {
            self.test_box(middle);
            return;
        }
        for (dir, room) in [
            (Dir::Left, middle.min.x.abs_diff(line.min.x)),
            (Dir::Right, line.max.x.abs_diff(middle.max.x)),
        ] {
            let sweep = solids.sweep_aabb(middle, dir, room, false);
            if sweep.contact.is_some() {
                self.test_box(middle.shifted(dir, sweep.moved + 1));
            }
        }
    }

    /// Tests the ends of the range of `i32`, which stop a ball like walls.
    fn test_ends(&mut self) {
        for axis in 0..2 {
            for (end, sign) in [(i32::MIN, -1), (i32::MAX, 1)] {
                let end = i64::from(end) * PIXEL;
                if (self.ahead.center[axis] - end) * sign + self.ahead.radius > 0 {
                    let mut point = self.from;
                    point[axis] = end;
                    self.test_point(point);
                }
            }
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct PathScratch {
    boxes: Vec<Aabb>,
    /// The slots of the pieces of level.
    pieces: Vec<u32>,
    /// The ball's centre at the start of the path step in which the ball hits the solids.
    pub(super) center_at_hit: I64Vec2,
}

impl Surroundings<'_> {
    /// True only if `area` has no solid for the ball. May be false without such a solid.
    pub(super) fn is_free(&self, ball: &Rolling, area: Aabb) -> bool {
        let mut is_alone = true;
        self.visit_boxes(ball, area, &mut |_, _| is_alone = false);
        is_alone && is_inside(area) && !self.solids(ball).overlaps_aabb(area)
    }

    /// The solids of the level that stop the ball, including solid areas.
    pub(super) fn solids(&self, ball: &Rolling) -> AreaSolids<'_> {
        self.level.solids_for(ball.body.collides_with)
    }

    /// Calls `found` with the slot and the body of each solid box in `area` that collides with the ball, and
    /// of each piece of level whose box is in `area`.
    pub(super) fn visit_boxes(
        &self,
        ball: &Rolling,
        area: Aabb,
        found: &mut dyn FnMut(u32, &Body),
    ) {
        self.near.visit(area, &mut |slot, known| {
            if known.is_solid
                && !known.is_one_way
                && slot != ball.slot
                && let Some(body) = self.bodies.at(slot)
                && body.meets(&ball.body)
            {
                found(slot, body);
            }
        });
    }

    /// Fills `normals` with the normals of the first solids on the ball's path; empty for a free path.
    pub(super) fn meet(
        &self,
        ball: &Rolling,
        scratch: &mut PathScratch,
        normals: &mut Vec<I64Vec2>,
    ) {
        let PathScratch { boxes, pieces, center_at_hit } = scratch;
        normals.clear();
        boxes.clear();
        pieces.clear();
        let area = ball.bounds();
        self.visit_boxes(ball, area, &mut |slot, body| match self.bodies.piece(slot) {
            None => boxes.push(body.aabb),
            Some(_) => pieces.push(slot),
        });
        let solids = self.solids(ball);
        if boxes.is_empty() && pieces.is_empty() && is_inside(area) && !solids.overlaps_aabb(area) {
            return;
        }
        let length = ball.displacement.abs().max_element();
        let steps = (length * 2 + PIXEL - 1) / PIXEL;
        let mut from = I64Vec2::ZERO;
        for at in 1..=steps {
            let to = ball.displacement * at / steps;
            *center_at_hit = ball.circle.center + from;
            let mut step = PathStep {
                ahead: ball.circle.moved(to),
                from: *center_at_hit,
                step: to - from,
                normals: &mut *normals,
            };
            boxes.iter().for_each(|aabb| step.test_box(*aabb));
            for slot in pieces.iter().copied() {
                let body = self.bodies.at(slot);
                if let Some(piece) = body.and_then(|body| self.bodies.obstacle(slot, body).piece) {
                    step.test_level(&piece);
                }
            }
            step.test_level(&solids);
            step.test_ends();
            if !normals.is_empty() {
                return;
            }
            from = to;
        }
    }
}

/// True if `area` touches neither end of the range of `i32`.
fn is_inside(area: Aabb) -> bool {
    area.min.cmpgt(IVec2::MIN).all() && area.max.cmplt(IVec2::MAX).all()
}
