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
use crate::geometry::{Aabb, Dir, saturated};

/// The solids that balls bounce off.
pub(super) struct Surroundings<'a> {
    pub(super) level: &'a Level,
    pub(super) bodies: &'a Bodies,
    pub(super) near: &'a Near,
}

/// Rows are left out of paths of more steps than this. For a shorter path the search costs more than it
/// spares.
const LONG: i64 = 8;

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

/// Memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    boxes: Vec<Aabb>,
    /// The rows of pixels in which the ball can meet the level, from top to bottom.
    rows: Vec<i32>,
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
        if level.overlaps(bounds) {
            (bounds.min.y..bounds.max.y).for_each(|y| self.test_row(level, y));
        }
    }

    /// As [`PathStep::test_level`], in these rows only. From the centre outward, so that the rows beyond the
    /// nearest solid are not read.
    fn test_rows(&mut self, level: &Level, rows: &[i32]) {
        let row = saturated(self.from.y.div_euclid(PIXEL));
        let (above, below) = rows.split_at(rows.partition_point(|y| *y < row));
        for y in below {
            if !self.may_be_nearest(i64::from(*y) * PIXEL - self.from.y) {
                break;
            }
            self.test_row(level, *y);
        }
        for y in above.iter().rev() {
            if !self.may_be_nearest(self.from.y - (i64::from(*y) + 1) * PIXEL) {
                break;
            }
            self.test_row(level, *y);
        }
    }

    /// True if no solid is known that is nearer than `distance`.
    fn may_be_nearest(&self, distance: i64) -> bool {
        let distance = i128::from(distance.max(0));
        self.normals.first().is_none_or(|known| distance * distance <= square(*known))
    }

    #[inline(always)]
    fn test_row(&mut self, level: &Level, y: i32) {
        let line = self.ahead.row(y);
        if !level.overlaps(line) {
            return;
        }
        let column = self.from.x.div_euclid(PIXEL);
        let column = column.clamp(i64::from(line.min.x), i64::from(line.max.x) - 1) as i32;
        let middle = Aabb { min: IVec2::new(column, y), max: IVec2::new(column + 1, y + 1) };
        if level.overlaps(middle) {
            self.test_box(middle);
            return;
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
    /// True if the ball meets no solid as long as it stays in `area`.
    pub(super) fn is_free(&self, ball: &Rolling, area: Aabb, scratch: &mut Scratch) -> bool {
        let boxes = &mut scratch.boxes;
        boxes.clear();
        self.find_boxes(ball, area, boxes);
        boxes.is_empty() && !self.level.overlaps(area) && is_inside(area)
    }

    /// Adds the solid boxes in an area that the ball meets.
    fn find_boxes(&self, ball: &Rolling, area: Aabb, boxes: &mut Vec<Aabb>) {
        self.near.visit(area, |slot, _| {
            if slot != ball.slot
                && let Some(body) = self.bodies.at(slot)
                && body.is_solid_box()
                && !body.is_one_way()
                && body.meets(&ball.body)
            {
                boxes.push(body.aabb);
            }
        });
    }

    /// Fills `normals` with those of the first solids on the ball's path; none if it is free.
    pub(super) fn meet(&self, ball: &Rolling, scratch: &mut Scratch, normals: &mut Vec<I64Vec2>) {
        let Scratch { boxes, rows } = scratch;
        normals.clear();
        boxes.clear();
        rows.clear();
        if ball.displacement == I64Vec2::ZERO {
            return;
        }
        let area = ball.bounds();
        self.find_boxes(ball, area, boxes);
        let meets_level = self.level.overlaps(area);
        if boxes.is_empty() && !meets_level && is_inside(area) {
            return;
        }
        let steps = steps(ball);
        let is_long = steps > LONG;
        if is_long && meets_level {
            let may_meet = |y: &i32| may_meet(self.level, ball, *y);
            rows.extend((area.min.y..area.max.y).filter(may_meet));
        }
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
            match is_long {
                true => step.test_rows(self.level, rows),
                false => step.test_level(self.level),
            }
            step.test_ends();
            if !normals.is_empty() {
                return;
            }
            from = to;
        }
    }
}

/// True if an area touches no end of the range.
fn is_inside(area: Aabb) -> bool {
    area.min.cmpgt(IVec2::MIN).all() && area.max.cmplt(IVec2::MAX).all()
}

/// False only if the ball meets no pixel of row `y` on its path. A test for each row of a path spares most of
/// those for each half pixel of it.
fn may_meet(level: &Level, ball: &Rolling, y: i32) -> bool {
    let (circle, by) = (ball.circle, ball.displacement);
    let is_behind = is_behind(ball, y);
    if is_behind && (by.x == 0 || is_filled(level, ball, y)) {
        // Nothing straight above or below the centre counts.
        return false;
    }
    let mut line = circle.swept_row(by, y);
    let back = if is_behind { Some(0) } else { back(ball, y) };
    if let Some(back) = back {
        let column = |x: i64| saturated(x.div_euclid(PIXEL));
        match by.x > 0 {
            true => line.min.x = line.min.x.max(column(circle.center.x - back)),
            false => line.max.x = line.max.x.min(column(circle.center.x + back).saturating_add(1)),
        }
    }
    level.overlaps(line)
}

/// The distance behind the centre, along the row, beyond which no solid counts: there the ball moves away
/// from the nearest point of a pixel. `None` if there is no such distance.
fn back(ball: &Rolling, y: i32) -> Option<i64> {
    let (center, by) = (ball.circle.center.y, ball.displacement.abs());
    let (top, bottom) = (i64::from(y) * PIXEL, (i64::from(y) + 1) * PIXEL);
    let across = (center - top).abs().max((bottom - center).abs());
    // The steepest of the path's steps, which are rounded.
    let steps = steps(ball);
    let (along, down) = (by.x / steps, by.y / steps + 1);
    (along > 0).then(|| across * down / along + PIXEL)
}

/// The number of steps of at most half a pixel in which a path is tested; at least 1.
fn steps(ball: &Rolling) -> i64 {
    ((ball.displacement.abs().max_element() * 2 + PIXEL - 1) / PIXEL).max(1)
}

/// True if the ball does not come nearer to row `y` anywhere on its path.
fn is_behind(ball: &Rolling, y: i32) -> bool {
    let (center, by) = (ball.circle.center.y, ball.displacement.y);
    let (top, bottom) = (i64::from(y) * PIXEL, (i64::from(y) + 1) * PIXEL);
    by == 0 || by > 0 && bottom <= center || by < 0 && top >= center
}

/// True if the pixels of row `y` straight above or below the centre are solid all the way. They are the
/// nearest in the row, and the ball must not come nearer to it.
fn is_filled(level: &Level, ball: &Rolling, y: i32) -> bool {
    let (start, end) = (ball.circle, ball.circle.moved(ball.displacement));
    // Two pixels to both sides of the centre, so that they are in the circle at every half pixel.
    let reaches = |circle: Circle| {
        let line = circle.row(y);
        let (center, edge) = (circle.center.x, |x: i32, by: i64| (i64::from(x) + by) * PIXEL);
        edge(line.min.x, 3) <= center && center <= edge(line.max.x, -3)
    };
    let pixel = |x: i64| saturated(x.div_euclid(PIXEL));
    let min = IVec2::new(pixel(start.center.x.min(end.center.x)), y);
    let max = IVec2::new(pixel(start.center.x.max(end.center.x)), y);
    let middle = Aabb { min, max: max.saturating_add(IVec2::ONE) };
    reaches(start)
        && reaches(end)
        && level.is_solid(min)
        && level.solid_area(middle) == u64::from(middle.width())
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use super::super::rolling;
    use super::*;
    use crate::geometry::Outside;
    use crate::grid::Grid;
    use crate::world::body::Body;

    fn level(random: &mut fastrand::Rng) -> Level {
        let mut grid = Grid::new(90, 90).unwrap();
        for _ in 0..random.u32(0..40) {
            let (x, y, most) = (random.u32(0..90), random.u32(0..90), random.u32(1..40));
            grid.fill(x..x + random.u32(0..most), y..y + random.u32(0..most), true).unwrap();
        }
        let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
        Level::from_grid(grid, UVec2::ONE).unwrap().with_outside(outside)
    }

    #[test]
    fn a_row_that_is_left_out_has_no_solid_that_counts() {
        let mut random = fastrand::Rng::with_seed(44);
        let (mut left_out, mut met) = (0, 0);
        for _ in 0..3_000 {
            let level = level(&mut random);
            let at = IVec2::new(random.i32(-30..90), random.i32(-30..90));
            let mut body = Body::ball(at, random.u32(1..60), 1);
            body.subpixel = IVec2::new(random.i32(-65_535..65_536), random.i32(-65_535..65_536));
            let mut ball = rolling(0, &body).unwrap();
            let mut along = || match random.u8(0..4) {
                0 => 0,
                1 => random.i64(-9..9),
                2 => random.i64(-PIXEL..PIXEL),
                _ => random.i64(-8 * PIXEL..8 * PIXEL),
            };
            ball.displacement = I64Vec2::new(along(), along());
            let area = ball.bounds();
            let (steps, mut normals) = (steps(&ball), Vec::new());
            for y in area.min.y..area.max.y {
                let is_tested = may_meet(&level, &ball, y);
                let mut from = I64Vec2::ZERO;
                for at in 1..=steps {
                    let to = ball.displacement * at / steps;
                    let (ahead, start) = (ball.circle.moved(to), ball.circle.center + from);
                    let normals = &mut normals;
                    let mut step = PathStep { ahead, from: start, step: to - from, normals };
                    step.test_row(&level, y);
                    from = to;
                }
                assert!(is_tested || normals.is_empty(), "{ball:?} {y}");
                left_out += u32::from(!is_tested);
                met += u32::from(!normals.is_empty());
                normals.clear();
            }
        }
        assert!(left_out > 10_000 && met > 1_000, "{left_out} {met}");
    }
}
