//! The rows of pixels that a ball cannot meet on a path, though it may overlap solids there.
//!
//! A test for each row of a path spares most of those for each half pixel of it. Nothing here moves a ball.

use glam::IVec2;

use super::super::circle::Circle;
use super::{PIXEL, Rolling};
use crate::geometry::{Aabb, Dir, saturated};
use crate::level::Solids;

/// False only if the ball meets no pixel of row `y` on its path.
pub(super) fn may_meet(solids: &impl Solids, ball: &Rolling, y: i32) -> bool {
    let (circle, by) = (ball.circle, ball.displacement);
    let is_behind = is_behind(ball, y);
    if is_behind && (by.x == 0 || is_filled(solids, ball, y)) {
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
    solids.overlaps_aabb(line)
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
pub(super) fn steps(ball: &Rolling) -> i64 {
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
fn is_filled(solids: &impl Solids, ball: &Rolling, y: i32) -> bool {
    let (start, end) = (ball.circle, ball.circle.moved(ball.displacement));
    // Two pixels to both sides of the centre, so that they are in the circle at every half pixel.
    let reaches = |circle: Circle| {
        let line = circle.row(y);
        let (center, edge) = (circle.center.x, |x: i32, by: i64| (i64::from(x) + by) * PIXEL);
        edge(line.min.x, 3) <= center && center <= edge(line.max.x, -3)
    };
    let pixel = |x: i64| saturated(x.div_euclid(PIXEL));
    let first = pixel(start.center.x.min(end.center.x));
    let last = pixel(start.center.x.max(end.center.x));
    let min = IVec2::new(first, y);
    let middle = Aabb { min, max: min.saturating_add(IVec2::ONE) };
    // No place of one pixel is free up to the last one.
    reaches(start)
        && reaches(end)
        && solids.nearest_free_aabb(middle, Dir::Right, first.abs_diff(last)).is_none()
}

#[cfg(test)]
mod tests {
    use glam::{I64Vec2, UVec2};

    use super::super::path::PathStep;
    use super::super::rolling;
    use super::*;
    use crate::Level;
    use crate::geometry::Outside;
    use crate::grid::Grid;
    use crate::sweep::Terrain;
    use crate::world::body::Body;

    fn level(random: &mut fastrand::Rng) -> Level {
        let outside = [Outside::Solid, Outside::Open][random.usize(0..2)];
        let mut terrain = |count| {
            let mut grid = Grid::new(90, 90).unwrap();
            for _ in 0..random.u32(0..count) {
                let (x, y, most) = (random.u32(0..90), random.u32(0..90), random.u32(1..40));
                grid.fill(x..x + random.u32(0..most), y..y + random.u32(0..most), true).unwrap();
            }
            Terrain::new(grid, UVec2::ONE).unwrap().with_outside(outside)
        };
        Level::new(terrain(40)).with_solid_area("glass", terrain(9), 2)
    }

    #[test]
    fn a_row_that_is_left_out_has_no_solid_that_counts() {
        let mut random = fastrand::Rng::with_seed(44);
        let (mut left_out, mut met) = (0, 0);
        for _ in 0..3_000 {
            let level = level(&mut random);
            let solids = level.solids_for(random.u64(1..4));
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
                let is_tested = may_meet(&solids, &ball, y);
                let mut from = I64Vec2::ZERO;
                for at in 1..=steps {
                    let to = ball.displacement * at / steps;
                    PathStep::new(&ball, [from, to], &mut normals).test_row(&solids, y);
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
