//! The normals of the first solids, pixels of the level or boxes, on a ball's path.
//!
//! The path is tested in steps of half a pixel, so no solid pixel is skipped. Each test is exact: a pixel or
//! a box is met if its nearest point lies in the circle. Nothing here moves a ball.

use glam::{I64Vec2, IVec2};

use super::super::bodies::Bodies;
use super::super::circle::{Circle, dot, nearest, square};
use super::super::near::Near;
use super::{PIXEL, Rolling};
use crate::Level;
use crate::geometry::{Aabb, Dir};

/// The solids that balls bounce off.
pub(super) struct Surroundings<'a> {
    pub(super) level: &'a Level,
    pub(super) bodies: &'a Bodies,
    pub(super) near: &'a Near,
}

/// One step of the path, and the normals of the nearest solids on it.
struct PathStep<'a> {
    /// The circle half a pixel ahead.
    ahead: Circle,
    /// The centre before the step.
    from: I64Vec2,
    step: I64Vec2,
    /// From the nearest point of a solid toward the ball; several if they are equally near.
    normals: &'a mut Vec<I64Vec2>,
}

impl PathStep<'_> {
    /// Tests a solid box. A box that the ball already overlaps, and leaves, does not count.
    fn test_box(&mut self, aabb: Aabb) {
        if self.ahead.overlaps_box(aabb) {
            self.test_point(nearest(aabb, self.from));
        }
    }

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

    /// Tests the level: of the solid pixels that the circle overlaps, the nearest in each row.
    fn test_level(&mut self, level: &Level) {
        let bounds = self.ahead.bounds();
        if !level.overlaps(bounds) {
            return;
        }
        for y in bounds.min.y..bounds.max.y {
            let line = self.ahead.row(y);
            if !level.overlaps(line) {
                continue;
            }
            let column = self.from.x.div_euclid(PIXEL);
            let column = column.clamp(i64::from(line.min.x), i64::from(line.max.x) - 1) as i32;
            let middle = Aabb { min: IVec2::new(column, y), max: IVec2::new(column + 1, y + 1) };
            if level.overlaps(middle) {
                self.test_box(middle);
                continue;
            }
            for (dir, room) in [
                (Dir::Left, middle.min.x.abs_diff(line.min.x)),
                (Dir::Right, line.max.x.abs_diff(middle.max.x)),
            ] {
                let sweep = level.sweep_through_one_way(middle, dir, room);
                if sweep.contact.is_some() {
                    self.test_box(middle.shifted(dir, sweep.moved + 1));
                }
            }
        }
    }

    /// Tests the ends of the range, which are solid.
    fn test_ends(&mut self) {
        let (low, high) = (i64::from(i32::MIN) * PIXEL, i64::from(i32::MAX) * PIXEL);
        let (center, radius, from) = (self.ahead.center, self.ahead.radius, self.from);
        if center.x - radius < low {
            self.test_point(I64Vec2::new(low, from.y));
        }
        if center.x + radius > high {
            self.test_point(I64Vec2::new(high, from.y));
        }
        if center.y - radius < low {
            self.test_point(I64Vec2::new(from.x, low));
        }
        if center.y + radius > high {
            self.test_point(I64Vec2::new(from.x, high));
        }
    }
}

impl Surroundings<'_> {
    /// Fills `normals` with those of the first solids on the ball's path; none if it is free. `boxes` is
    /// memory to reuse.
    pub(super) fn meet(&self, ball: &Rolling, boxes: &mut Vec<Aabb>, normals: &mut Vec<I64Vec2>) {
        normals.clear();
        boxes.clear();
        let area = ball.bounds();
        self.near.visit(area, |slot| {
            if slot != ball.slot
                && let Some(body) = self.bodies.at(slot)
                && body.is_solid_box()
                && !body.is_one_way()
                && body.meets(&ball.body)
                && body.aabb.overlaps(area)
            {
                boxes.push(body.aabb);
            }
        });
        let (min, max) = (IVec2::splat(i32::MIN), IVec2::splat(i32::MAX));
        let is_inside = area.min.cmpgt(min).all() && area.max.cmplt(max).all();
        if boxes.is_empty() && is_inside && !self.level.overlaps(area) {
            return;
        }
        let steps = (ball.displacement.abs().max_element() * 2 + PIXEL - 1) / PIXEL;
        let mut from = I64Vec2::ZERO;
        for at in 1..=steps {
            let to = ball.displacement * at / steps;
            let mut step = PathStep {
                ahead: ball.circle.moved(to),
                from: ball.circle.center + from,
                step: to - from,
                normals: &mut *normals,
            };
            boxes.iter().for_each(|aabb| step.test_box(*aabb));
            step.test_level(self.level);
            step.test_ends();
            if !normals.is_empty() {
                return;
            }
            from = to;
        }
    }
}
