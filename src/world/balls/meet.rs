//! The normals of the first solids, pixels of the level or boxes, on a ball's path.
//!
//! The path is tested in steps of half a pixel, so no solid pixel is skipped. Nothing here moves a ball.

use glam::{I64Vec2, IVec2};

use super::super::bodies::Bodies;
use super::super::body::Body;
use super::super::circle::{Circle, square};
use super::super::near::Near;
use super::front::{self, Front};
use super::path::PathStep;
use super::rows::{may_meet, steps};
use super::{PIXEL, Rolling};
use crate::Level;
use crate::geometry::{Aabb, saturated};
use crate::level::{AreaSolids, Solids};

/// The solids that balls bounce off.
pub(super) struct Surroundings<'a> {
    pub(super) level: &'a Level,
    pub(super) bodies: &'a Bodies,
    pub(super) near: &'a Near,
}

/// A ball whose path has at least so many rows, counted once for each half pixel, searches along its front
/// alone. For fewer the search costs more than it spares.
const MANY_ROWS: i64 = 256;

/// The radius from which the level in the box around a ball's path is not looked through, in 65,536ths of a
/// pixel. The front has fewer words.
const LARGE: i64 = 128 * PIXEL;

/// A solid that is nearer to the centre than this is looked for first; in 65,536ths of a pixel.
const NEAR: i64 = 32 * PIXEL;

/// Memory that steps reuse.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    boxes: Vec<Aabb>,
    /// The rows of pixels that are tested step by step, from top to bottom.
    rows: Vec<i32>,
    /// The rows in which the ball overlaps solids of the level, from top to bottom.
    taken: Vec<i32>,
    /// The rows in which its front meets the level.
    met: Vec<i32>,
    /// The ball's centre before the half pixel on which it meets the solids.
    pub(super) center_at_hit: I64Vec2,
}

impl Surroundings<'_> {
    /// True only if the ball meets no solid as long as it stays in `area`.
    pub(super) fn is_free(&self, ball: &Rolling, area: Aabb, scratch: &mut Scratch) -> bool {
        if ball.circle.radius >= LARGE {
            return false;
        }
        let boxes = &mut scratch.boxes;
        boxes.clear();
        self.find_boxes(ball, area, boxes);
        boxes.is_empty() && !self.solids(ball).overlaps_aabb(area) && is_inside(area)
    }

    /// The level, with its areas that are solid for the ball.
    pub(super) fn solids(&self, ball: &Rolling) -> AreaSolids<'_> {
        self.level.solids_for(ball.body.collides_with)
    }

    /// Adds the solid boxes in an area that the ball meets.
    fn find_boxes(&self, ball: &Rolling, area: Aabb, boxes: &mut Vec<Aabb>) {
        self.visit_boxes(ball, area, |_, body| boxes.push(body.aabb));
    }

    /// Calls `found` with the slot and the body of each solid box in an area that the ball meets.
    pub(super) fn visit_boxes(
        &self,
        ball: &Rolling,
        area: Aabb,
        mut found: impl FnMut(u32, &Body),
    ) {
        self.near.visit(area, |slot, _| {
            if slot != ball.slot
                && let Some(body) = self.bodies.at(slot)
                && body.is_solid_box()
                && !body.is_one_way()
                && body.meets(&ball.body)
            {
                found(slot, body);
            }
        });
    }

    /// Fills `normals` with those of the first solids on the ball's path; none if it is free.
    pub(super) fn meet(
        &self,
        ball: &mut Rolling,
        scratch: &mut Scratch,
        normals: &mut Vec<I64Vec2>,
    ) {
        normals.clear();
        scratch.boxes.clear();
        scratch.rows.clear();
        scratch.taken.clear();
        if ball.displacement == I64Vec2::ZERO {
            return;
        }
        let area = ball.bounds();
        self.find_boxes(ball, area, &mut scratch.boxes);
        let solids = self.solids(ball);
        match solids.has_areas() {
            true => meet_among(&solids, (ball, area), scratch, normals),
            false => meet_among(self.level.terrain(), (ball, area), scratch, normals),
        }
    }
}

/// As [`Surroundings::meet`], among these solids and the boxes that were found in the area of the path.
fn meet_among(
    solids: &impl Solids,
    (ball, area): (&mut Rolling, Aabb),
    scratch: &mut Scratch,
    normals: &mut Vec<I64Vec2>,
) {
    let meets_level = ball.circle.radius >= LARGE || solids.overlaps_aabb(area);
    if scratch.boxes.is_empty() && !meets_level && is_inside(area) {
        return;
    }
    let steps = steps(ball);
    if meets_level && steps * i64::from(area.height()) >= MANY_ROWS {
        meet_along_front(solids, (ball, area), scratch, normals);
        return;
    }
    let mut from = I64Vec2::ZERO;
    for at in 1..=steps {
        let to = ball.displacement * at / steps;
        let mut step = PathStep::new(ball, [from, to], normals);
        scratch.boxes.iter().for_each(|aabb| step.test_box(*aabb));
        step.test_level(solids);
        step.test_ends();
        if !normals.is_empty() {
            scratch.center_at_hit = ball.circle.center + from;
            return;
        }
        from = to;
    }
}

/// As [`meet_among`], with a search along the ball's front. Only the rows in which the ball overlaps solids
/// already are tested step by step.
fn meet_along_front(
    solids: &impl Solids,
    (ball, area): (&mut Rolling, Aabb),
    Scratch { boxes, rows, taken, met, center_at_hit }: &mut Scratch,
    normals: &mut Vec<I64Vec2>,
) {
    let (is_clear, steps) = (is_clear(solids, ball), steps(ball));
    let (circle, displacement) = (ball.circle, ball.displacement);
    *center_at_hit = circle.center;
    let mut front = Front { solids, circle, displacement, steps, taken: &[] };
    let around = front.around();
    boxes.retain(|aabb| around.overlaps_box(*aabb));
    let test = |at: i64, rows: &[i32], normals: &mut Vec<I64Vec2>| {
        let mut step = PathStep::new(ball, front.step(at), normals);
        boxes.iter().for_each(|aabb| step.test_box(*aabb));
        step.test_rows(solids, rows);
        step.test_ends();
    };
    if !is_clear {
        // Among many solids it meets one near its centre at once.
        rows.extend(rows_around(&circle).filter(|y| area.min.y <= *y && *y < area.max.y));
        test(1, rows, normals);
        if normals.first().is_some_and(|normal| square(*normal) < i128::from(NEAR).pow(2)) {
            return;
        }
        normals.clear();
        front::add_taken_rows(solids, &circle, taken);
        rows.clear();
        rows.extend(taken.iter().filter(|y| may_meet(solids, ball, **y)));
    }
    let is_met = |at: &i64| {
        test(*at, rows, normals);
        !normals.is_empty()
    };
    let is_alone = boxes.is_empty() && rows.is_empty() && is_inside(area);
    let first = if is_alone { None } else { (1..=steps).find(is_met) };
    front.taken = taken;
    *center_at_hit += first.map_or(I64Vec2::ZERO, |first| front.step(first)[0]);
    let Some(of_front) = front.first(first.unwrap_or(steps), met) else {
        return;
    };
    if first.is_some_and(|first| first > of_front) {
        normals.clear();
    }
    let part = front.step(of_front);
    *center_at_hit = circle.center + part[0];
    let mut step = PathStep::new(ball, part, normals);
    met.iter().for_each(|y| step.test_row(solids, *y));
}

/// The rows within [`NEAR`] of a circle's centre, and the next ones.
fn rows_around(circle: &Circle) -> impl Iterator<Item = i32> + use<> {
    let row = |y: i64| saturated(y.div_euclid(PIXEL));
    row(circle.center.y - NEAR)..=row(circle.center.y + NEAR)
}

/// True if the ball overlaps no solid of the level; looked up once in a step.
fn is_clear(solids: &impl Solids, ball: &mut Rolling) -> bool {
    let circle = &ball.circle;
    *ball.is_clear.get_or_insert_with(|| front::is_clear(solids, circle))
}

/// True if an area touches no end of the range.
fn is_inside(area: Aabb) -> bool {
    area.min.cmpgt(IVec2::MIN).all() && area.max.cmplt(IVec2::MAX).all()
}

#[cfg(test)]
mod tests {
    use glam::UVec2;

    use super::super::rolling;
    use super::*;
    use crate::geometry::Outside;
    use crate::grid::Grid;
    use crate::sweep::Terrain;

    /// A level with an area, as noise or with a hole around `body`.
    fn level(random: &mut fastrand::Rng, body: Aabb) -> Level {
        let mut terrain = || {
            let cell = [1, 1, 2, 7][random.usize(0..4)];
            let mut grid = Grid::new(200 / cell, 180 / cell).unwrap();
            for _ in 0..[3, 40, 900][random.usize(0..3)] {
                let (x, y, most) = (random.u32(0..200), random.u32(0..180), random.u32(1..5));
                grid.fill(x..x + random.u32(0..most), y..y + random.u32(0..most), true).unwrap();
            }
            let gap = random.i32(-2..9);
            let hole = |low: i32| (low - gap).div_euclid(cell as i32).max(0) as u32;
            let end = |high: i32| ((high + gap).max(0) as u32).div_ceil(cell);
            let (x, y) = (hole(body.min.x)..end(body.max.x), hole(body.min.y)..end(body.max.y));
            grid.fill(x, y, false).unwrap();
            let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
            Terrain::new(grid, UVec2::splat(cell)).unwrap().with_outside(outside)
        };
        Level::new(terrain()).with_solid_area("glass", terrain(), 2)
    }

    #[test]
    fn the_front_of_a_ball_meets_what_its_half_pixels_meet_row_by_row() {
        let mut random = fastrand::Rng::with_seed(61);
        let mut met = [0; 2];
        for _ in 0..6_000 {
            let at = IVec2::new(random.i32(-40..180), random.i32(-40..160));
            let mut body = Body::ball(at, random.u32(1..140), 1);
            body.subpixel = IVec2::new(random.i32(-65_535..65_536), random.i32(-65_535..65_536));
            let level = level(&mut random, body.aabb);
            let mut ball = rolling(0, &body).unwrap();
            let mut along = || match random.u8(0..5) {
                0 => 0,
                1 => random.i64(-9..9),
                2 => random.i64(-PIXEL..PIXEL),
                _ => random.i64(-33 * PIXEL..33 * PIXEL),
            };
            ball.displacement = I64Vec2::new(along(), along());
            let solids = level.solids_for(random.u64(1..4));
            let boxes: Vec<Aabb> = (0..random.usize(0..3))
                .map(|_| Aabb::from_xywh(random.i32(0..200), random.i32(0..200), 9, 5))
                .collect();
            let is_clear = is_clear(&solids, &mut ball);
            let bounds = ball.circle.bounds();
            let mut rows = bounds.min.y..bounds.max.y;
            assert_eq!(
                is_clear,
                rows.all(|y| !solids.overlaps_aabb(ball.circle.row(y))),
                "{ball:?}"
            );
            let (mut expected, mut from, steps) = (Vec::new(), I64Vec2::ZERO, steps(&ball));
            for at in 1..=steps {
                let to = ball.displacement * at / steps;
                let mut step = PathStep::new(&ball, [from, to], &mut expected);
                boxes.iter().for_each(|aabb| step.test_box(*aabb));
                let rows = ball.circle.moved(to).bounds();
                (rows.min.y..rows.max.y).for_each(|y| step.test_row(&solids, y));
                if !expected.is_empty() {
                    break;
                }
                from = to;
            }
            let mut normals = Vec::new();
            let mut scratch = Scratch { boxes, ..Scratch::default() };
            let area = ball.bounds();
            meet_along_front(&solids, (&mut ball, area), &mut scratch, &mut normals);
            for normals in [&mut normals, &mut expected] {
                normals.sort_unstable_by_key(|normal| normal.to_array());
            }
            assert_eq!(normals, expected, "{ball:?}");
            met[usize::from(is_clear)] += u32::from(!normals.is_empty());
        }
        assert!(met.iter().all(|met| *met > 500), "{met:?}");
    }
}
