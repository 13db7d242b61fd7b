//! Finds the first solids on a ball's path in a round (one of the equal periods of a world's step), and their
//! normals. Solids are the solid pixels of the level and the boxes of bodies. The ball hits a solid if the
//! point of the solid nearest to the ball's centre is inside the ball's circle. The path is tested in path
//! steps of half a pixel, so no solid pixel is skipped. Rows of pixels that the ball cannot reach, and solids
//! behind the ball, are left out first.

use std::ops::Range;

use glam::{I64Vec2, IVec2};

use super::{PIXEL, Rolling};
use crate::Level;
use crate::geometry::{Aabb, Dir, saturated};
use crate::level::{AreaSolids, Solids};
use crate::world::body::{Bodies, Body};
use crate::world::circle::{Circle, dot, nearest, square};
use crate::world::near::Near;

/// A path step: half a pixel of a ball's path.
pub(super) struct PathStep<'a> {
    /// The ball's circle at the end of the path step.
    ahead: Circle,
    /// The ball's centre at the start of the path step.
    from: I64Vec2,
    /// The ball's displacement in the path step.
    step: I64Vec2,
    /// The normals of the nearest solids found so far: vectors from the nearest point of a solid to the
    /// ball's centre at the start of the path step. Each of several equally near solids has a normal.
    normals: &'a mut Vec<I64Vec2>,
}

impl<'a> PathStep<'a> {
    #[inline(always)]
    pub(super) fn new(
        ball: &Rolling,
        [from, to]: [I64Vec2; 2],
        normals: &'a mut Vec<I64Vec2>,
    ) -> Self {
        let ahead = ball.circle.moved(to);
        Self { ahead, from: ball.circle.center + from, step: to - from, normals }
    }

    /// Adds the normal of a solid box that the ball hits in this path step, unless a nearer solid is known. A
    /// box from which the ball moves away does not count.
    pub(super) fn test_box(&mut self, aabb: Aabb) {
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

    /// Like [`PathStep::test_box`], for the nearest solid pixel of the level in each row that the circle
    /// overlaps.
    pub(super) fn test_level(&mut self, solids: &AreaSolids<'_>) {
        let bounds = self.ahead.bounds();
        if solids.overlaps_aabb(bounds) {
            (bounds.min.y..bounds.max.y).for_each(|y| self.test_row(solids, y));
        }
    }

    /// Like [`PathStep::test_level`], but only in `rows`, which must be sorted from top to bottom. Tests the
    /// row of the ball's centre first, then the rows further and further away, until a row is further away
    /// than the nearest known solid.
    pub(super) fn test_rows(&mut self, solids: &AreaSolids<'_>, rows: &[i32]) {
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

    /// True if no known solid is nearer to the centre than `distance`.
    fn may_be_nearest(&self, distance: i64) -> bool {
        let distance = i128::from(distance.max(0));
        self.normals.first().is_none_or(|known| distance * distance <= square(*known))
    }

    /// Tests the nearest solid pixel of the level in row `y`.
    #[inline(always)]
    pub(super) fn test_row(&mut self, solids: &AreaSolids<'_>, y: i32) {
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

/// The number of rows that [`Front::first`] and [`is_clear`] test at once. If the ball may hit a solid in
/// these rows, [`Front::first`] tests each half of them again.
const BAND: usize = 64;

/// The number of rows that [`add_taken_rows`] tests at once for solids that the ball overlaps.
const FEW: usize = 16;

/// A search for the first path step in which a ball comes to overlap a solid of the level. Most solids are
/// found at the ball's front: the edge of its circle in the direction of motion.
pub(super) struct Front<'a> {
    solids: &'a AreaSolids<'a>,
    pub(super) circle: Circle,
    pub(super) displacement: I64Vec2,
    /// The number of path steps into which `displacement` is divided.
    pub(super) steps: i64,
    /// The rows, from top to bottom, in which the ball overlaps a solid at its start. [`Front::first`] leaves
    /// them out.
    pub(super) taken: &'a [i32],
}

impl Front<'_> {
    /// A circle that contains the ball on its whole path.
    pub(super) fn around(&self) -> Circle {
        let middle = self.circle.moved(self.displacement / 2);
        let length = self.displacement.abs();
        Circle { radius: middle.radius + (length.x + length.y) / 2 + 2, ..middle }
    }

    /// The number of the first path step, at most `last`, at whose end the ball overlaps a solid in a row
    /// outside `taken`; `None` if there is none. Fills `rows` with the rows of these solids, in any order.
    pub(super) fn first(&self, mut last: i64, rows: &mut Vec<i32>) -> Option<i64> {
        rows.clear();
        let Aabb { min, max } = self.circle.bounds().hull(self.at(last).bounds());
        let lead = self.lead().clamp(min.y, max.y);
        // The search starts at the foremost row, because most first contacts are near it, and each contact
        // shortens the rest of the search.
        let below = (lead..max.y).step_by(BAND);
        let above = (min.y..lead).rev().step_by(BAND);
        for start in below {
            self.search(start..start.saturating_add(BAND as i32).min(max.y), &mut last, rows);
        }
        for end in above {
            self.search((end + 1).saturating_sub(BAND as i32).max(min.y)..end + 1, &mut last, rows);
        }
        (!rows.is_empty()).then_some(last)
    }

    /// The row of the ball's foremost point in the direction of motion, or a neighbouring row.
    fn lead(&self) -> i32 {
        let Circle { center, radius } = self.circle;
        let length = i64::try_from(square(self.displacement)).unwrap_or(i64::MAX).isqrt().max(1);
        saturated((center.y + radius * self.displacement.y / length).div_euclid(PIXEL))
    }

    /// Searches the rows of `band` for the first path step, at most `last`, in which the ball comes to
    /// overlap a solid. On success, `last` becomes the number of this path step, and `rows` keeps only the
    /// rows of solids that belong to it.
    fn search(&self, band: Range<i32>, last: &mut i64, rows: &mut Vec<i32>) {
        if !self.may_meet(&band, [0, *last]) {
            return;
        }
        if let Some(halves) = halves(&band) {
            halves.into_iter().for_each(|half| self.search(half, last, rows));
        } else if self.taken.binary_search(&band.start).is_err()
            && let Some(first) = self.first_in_row(band.start, [0, *last])
        {
            if first < *last {
                rows.clear();
                *last = first;
            }
            rows.push(band.start);
        }
    }

    /// The first path step after `from`, at most `to`, in which the ball overlaps a solid in row `y`; `None`
    /// if there is none. At `from` the ball must overlap no solid in this row.
    fn first_in_row(&self, y: i32, [from, to]: [i64; 2]) -> Option<i64> {
        if to - from == 1 {
            return self.solids.overlaps_aabb(self.at(to).row(y)).then_some(to);
        }
        let middle = from + (to - from) / 2;
        [[from, middle], [middle, to]].into_iter().find_map(|part| {
            self.may_meet(&(y..y + 1), part).then(|| self.first_in_row(y, part)).flatten()
        })
    }

    /// True if the ball may hit a solid in `rows` between the path steps `from` and `to`; false only if it
    /// hits none. At `from` the ball must overlap no solid in `rows`.
    fn may_meet(&self, rows: &Range<i32>, [from, to]: [i64; 2]) -> bool {
        let (start, end) = (self.at(from), self.at(to));
        let swept = start.swept_rows(end.center - start.center, rows.clone());
        overlap_beside(self.solids, swept, start.common_rows(rows.clone()))
    }

    /// The ball's displacements from its start, before and after path step number `at`. The first path step
    /// has the number 1.
    pub(super) fn step(&self, at: i64) -> [I64Vec2; 2] {
        [self.displacement * (at - 1) / self.steps, self.displacement * at / self.steps]
    }

    /// The ball's circle at the end of a path step; 0 is the start.
    fn at(&self, step: i64) -> Circle {
        self.circle.moved(self.displacement * step / self.steps)
    }
}

/// True if the circle overlaps no solid of the level. O(n) for n 64-bit words of pixels under the circle.
fn is_clear(solids: &AreaSolids<'_>, circle: &Circle) -> bool {
    let Aabb { min, max } = circle.bounds();
    let mut start = min.y;
    while start < max.y {
        let end = start.saturating_add(BAND as i32).min(max.y);
        if !is_clear_in(solids, circle, start..end, Aabb::default()) {
            return false;
        }
        start = end;
    }
    true
}

/// Adds to `taken` the rows in which the circle overlaps a solid, from top to bottom. O(n) for n 64-bit words
/// of pixels under the circle.
fn add_taken_rows(solids: &AreaSolids<'_>, circle: &Circle, taken: &mut Vec<i32>) {
    let Aabb { min, max } = circle.bounds();
    for start in (min.y..max.y).step_by(FEW) {
        let rows = start..start.saturating_add(FEW as i32).min(max.y);
        if solids.overlaps_aabb(circle.swept_rows(I64Vec2::ZERO, rows.clone())) {
            taken.extend(rows.filter(|y| solids.overlaps_aabb(circle.row(*y))));
        }
    }
}

/// Like [`is_clear`], but only in `rows`. The caller knows that the columns of `known` have no solid in these
/// rows.
fn is_clear_in(solids: &AreaSolids<'_>, circle: &Circle, rows: Range<i32>, known: Aabb) -> bool {
    let all = circle.swept_rows(I64Vec2::ZERO, rows.clone());
    let common = circle.common_rows(rows.clone());
    if !overlap_beside(solids, all, known) {
        return true;
    }
    let Some(halves) = halves(&rows) else {
        return false;
    };
    !overlap_beside(solids, common, known)
        && halves.into_iter().all(|half| is_clear_in(solids, circle, half, common))
}

/// True if the box `all` has a solid to the left or right of the columns of `free`. If `free` is empty, the
/// whole box is tested.
fn overlap_beside(solids: &AreaSolids<'_>, all: Aabb, free: Aabb) -> bool {
    if free.min.x >= free.max.x {
        return solids.overlaps_aabb(all);
    }
    let left = Aabb { max: IVec2::new(free.min.x.min(all.max.x), all.max.y), ..all };
    let right = Aabb { min: IVec2::new(free.max.x.max(all.min.x), all.min.y), ..all };
    solids.overlaps_aabb(left) || solids.overlaps_aabb(right)
}

/// The two halves of `rows`; `None` if there is only one row.
fn halves(rows: &Range<i32>) -> Option<[Range<i32>; 2]> {
    let middle = rows.start + (rows.end - rows.start) / 2;
    (middle > rows.start).then_some([rows.start..middle, middle..rows.end])
}

/// The level and the bodies that a ball can hit.
pub(super) struct Surroundings<'a> {
    pub(super) level: &'a Level,
    pub(super) bodies: &'a Bodies,
    pub(super) near: &'a Near,
}

/// The number of rows on a ball's path from which the search of [`Front`] is used. A row counts once for each
/// path step. With fewer rows the search takes more time than it saves.
const MANY_ROWS: i64 = 256;

/// The radius of a large ball, in 65,536ths of a pixel. For a smaller ball, the box around its path is tested
/// first, and a free box saves the search. For a large ball, [`Front`] reads fewer 64-bit words of pixels
/// than this test would.
const LARGE: i64 = 128 * PIXEL;

/// The distance from the ball's centre, in 65,536ths of a pixel, within which rows are tested first if the
/// ball overlaps solids.
const NEAR: i64 = 32 * PIXEL;

#[derive(Clone, Debug, Default)]
pub(super) struct PathScratch {
    boxes: Vec<Aabb>,
    /// The rows of pixels that are tested in each path step, from top to bottom.
    rows: Vec<i32>,
    /// The rows in which the ball overlaps solids of the level, from top to bottom.
    taken: Vec<i32>,
    /// The rows of the solids that [`Front::first`] found.
    met: Vec<i32>,
    /// The ball's centre at the start of the path step in which the ball hits the solids.
    pub(super) center_at_hit: I64Vec2,
}

impl Surroundings<'_> {
    /// True only if `area` has no solid for the ball. May be false without such a solid.
    pub(super) fn is_free(&self, ball: &Rolling, area: Aabb) -> bool {
        if ball.circle.radius >= LARGE {
            return false;
        }
        let mut is_alone = true;
        self.visit_boxes(ball, area, &mut |_, _| is_alone = false);
        is_alone && !self.solids(ball).overlaps_aabb(area) && is_inside(area)
    }

    /// The solids of the level that stop the ball, including solid areas.
    pub(super) fn solids(&self, ball: &Rolling) -> AreaSolids<'_> {
        self.level.solids_for(ball.body.collides_with)
    }

    /// Calls `found` with the slot and the body of each solid box in `area` that collides with the ball.
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
        ball: &mut Rolling,
        scratch: &mut PathScratch,
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
        self.visit_boxes(ball, area, &mut |_, body| scratch.boxes.push(body.aabb));
        let solids = self.solids(ball);
        meet_among(&solids, (ball, area), scratch, normals);
    }
}

/// [`Surroundings::meet`] with the level's `solids` and the boxes of bodies in `scratch`. `area` is the box
/// around the ball's path.
fn meet_among(
    solids: &AreaSolids<'_>,
    (ball, area): (&mut Rolling, Aabb),
    scratch: &mut PathScratch,
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

/// [`meet_among`] with the search of [`Front`]. Only rows with solids that the ball already overlaps are
/// tested in each path step.
fn meet_along_front(
    solids: &AreaSolids<'_>,
    (ball, area): (&mut Rolling, Aabb),
    PathScratch { boxes, rows, taken, met, center_at_hit }: &mut PathScratch,
    normals: &mut Vec<I64Vec2>,
) {
    let (is_clear, steps) = (starts_clear(solids, ball), steps(ball));
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
        // A ball that overlaps many solids mostly hits a solid near its centre in the first path step.
        let row = |y: i64| saturated(y.div_euclid(PIXEL));
        let first = row(circle.center.y - NEAR).max(area.min.y);
        rows.extend(first..row(circle.center.y + NEAR).saturating_add(1).min(area.max.y));
        test(1, rows, normals);
        if normals.first().is_some_and(|normal| square(*normal) < i128::from(NEAR).pow(2)) {
            return;
        }
        normals.clear();
        add_taken_rows(solids, &circle, taken);
        rows.clear();
        rows.extend(taken.iter().filter(|y| may_meet(solids, ball, **y)));
    }
    let is_alone = boxes.is_empty() && rows.is_empty() && is_inside(area);
    let mut first = None;
    for at in if is_alone { 1..1 } else { 1..steps + 1 } {
        test(at, rows, normals);
        if !normals.is_empty() {
            first = Some(at);
            break;
        }
    }
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

/// True if the ball overlaps no solid of the level. The result is computed once in a step of the world, and
/// kept in [`Rolling::is_clear`].
fn starts_clear(solids: &AreaSolids<'_>, ball: &mut Rolling) -> bool {
    let circle = &ball.circle;
    *ball.is_clear.get_or_insert_with(|| is_clear(solids, circle))
}

/// True if `area` touches neither end of the range of `i32`.
fn is_inside(area: Aabb) -> bool {
    area.min.cmpgt(IVec2::MIN).all() && area.max.cmplt(IVec2::MAX).all()
}

/// True if the ball may hit a solid pixel of row `y` on its path; false only if it hits none.
pub(super) fn may_meet(solids: &AreaSolids<'_>, ball: &Rolling, y: i32) -> bool {
    let (circle, by) = (ball.circle, ball.displacement);
    let is_behind = is_behind(ball, y);
    if is_behind && (by.x == 0 || is_filled(solids, ball, y)) {
        // The ball does not come nearer to the pixels of this row straight above or below its centre, so it
        // cannot hit them.
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

/// The largest distance along x, in 65,536ths of a pixel, at which solids behind the ball's centre in row `y`
/// can stop the ball. The ball moves away from solids further behind. `None` if the ball moves too little
/// along x for such a limit.
fn back(ball: &Rolling, y: i32) -> Option<i64> {
    let (center, by) = (ball.circle.center.y, ball.displacement.abs());
    let (top, bottom) = (i64::from(y) * PIXEL, (i64::from(y) + 1) * PIXEL);
    let across = (center - top).abs().max((bottom - center).abs());
    // Path steps are rounded, so this is the steepest direction of any path step.
    let steps = steps(ball);
    let (along, down) = (by.x / steps, by.y / steps + 1);
    (along > 0).then(|| across * down / along + PIXEL)
}

/// The number of path steps in a ball's path: at least 1. Each path step is at most half a pixel long.
pub(super) fn steps(ball: &Rolling) -> i64 {
    ((ball.displacement.abs().max_element() * 2 + PIXEL - 1) / PIXEL).max(1)
}

/// True if the ball never comes nearer to row `y` on its path.
fn is_behind(ball: &Rolling, y: i32) -> bool {
    let (center, by) = (ball.circle.center.y, ball.displacement.y);
    let (top, bottom) = (i64::from(y) * PIXEL, (i64::from(y) + 1) * PIXEL);
    by == 0 || by > 0 && bottom <= center || by < 0 && top >= center
}

/// True if all pixels of row `y` straight above or below the ball's centre are solid on the whole path. These
/// pixels are then the nearest solids of the row. The ball must never come nearer to the row on its path.
fn is_filled(solids: &AreaSolids<'_>, ball: &Rolling, y: i32) -> bool {
    let (start, end) = (ball.circle, ball.circle.moved(ball.displacement));
    // Two pixels to each side of the centre must be in the circle, so that the pixel at the centre is in it
    // at every path step.
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
    // No pixel from `first` to `last` is free, so all of them are solid.
    reaches(start)
        && reaches(end)
        && solids.nearest_free_aabb(middle, Dir::Right, first.abs_diff(last)).is_none()
}

#[cfg(test)]
mod tests {
    use glam::{I64Vec2, UVec2};

    use super::{PathStep, *};
    use crate::Level;
    use crate::geometry::Outside;
    use crate::grid::Grid;
    use crate::terrain::Terrain;
    use crate::world::balls::rolling;
    use crate::world::body::Body;

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
    fn the_fast_search_for_a_balls_first_contacts_agrees_with_a_test_of_every_row() {
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
            let is_clear = starts_clear(&solids, &mut ball);
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
            let mut scratch = PathScratch { boxes, ..PathScratch::default() };
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

    fn level_with_gaps(random: &mut fastrand::Rng) -> Level {
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
    fn a_row_without_a_test_has_no_solid_that_the_ball_would_hit() {
        let mut random = fastrand::Rng::with_seed(44);
        let (mut left_out, mut met) = (0, 0);
        for _ in 0..3_000 {
            let level = level_with_gaps(&mut random);
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
