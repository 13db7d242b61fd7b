//! One step of a ball's path: the normals of the nearest solids that the ball meets on it.
//!
//! Each test is exact: a pixel or a box is met if its nearest point lies in the circle. Nothing here moves a
//! ball.

use glam::{I64Vec2, IVec2};

use super::super::circle::{Circle, dot, nearest, square};
use super::{PIXEL, Rolling};
use crate::geometry::{Aabb, Dir, saturated};
use crate::level::Solids;

/// One step of the path, and the normals of the nearest solids on it.
pub(super) struct PathStep<'a> {
    /// The circle half a pixel ahead.
    ahead: Circle,
    /// The centre before the step.
    from: I64Vec2,
    step: I64Vec2,
    /// From the nearest point of a solid toward the ball; several if they are equally near.
    normals: &'a mut Vec<I64Vec2>,
}

impl<'a> PathStep<'a> {
    /// The step of the ball's path after `from`, up to `to`.
    #[inline(always)]
    pub(super) fn new(
        ball: &Rolling,
        [from, to]: [I64Vec2; 2],
        normals: &'a mut Vec<I64Vec2>,
    ) -> Self {
        let ahead = ball.circle.moved(to);
        Self { ahead, from: ball.circle.center + from, step: to - from, normals }
    }

    /// Tests a solid box. A box that the ball already overlaps, and leaves, does not count.
    pub(super) fn test_box(&mut self, aabb: Aabb) {
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
    pub(super) fn test_level(&mut self, solids: &impl Solids) {
        let bounds = self.ahead.bounds();
        if solids.overlaps_aabb(bounds) {
            (bounds.min.y..bounds.max.y).for_each(|y| self.test_row(solids, y));
        }
    }

    /// As [`PathStep::test_level`], in these rows only. From the centre outward, so that the rows beyond the
    /// nearest solid are not read.
    pub(super) fn test_rows(&mut self, solids: &impl Solids, rows: &[i32]) {
        let row = saturated(self.from.y.div_euclid(PIXEL));
        let (above, below) = rows.split_at(rows.partition_point(|y| *y < row));
        for y in below {
            if !self.may_be_nearest(i64::from(*y) * PIXEL - self.from.y) {
                break;
            }
            self.test_row(solids, *y);
        }
        for y in above.iter().rev() {
            if !self.may_be_nearest(self.from.y - (i64::from(*y) + 1) * PIXEL) {
                break;
            }
            self.test_row(solids, *y);
        }
    }

    /// True if no solid is known that is nearer than `distance`.
    fn may_be_nearest(&self, distance: i64) -> bool {
        let distance = i128::from(distance.max(0));
        self.normals.first().is_none_or(|known| distance * distance <= square(*known))
    }

    #[inline(always)]
    pub(super) fn test_row(&mut self, solids: &impl Solids, y: i32) {
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

    /// Tests the ends of the range, which are solid.
    pub(super) fn test_ends(&mut self) {
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
