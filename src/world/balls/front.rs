//! The first step of a path on which a large ball meets the level, from the solids before its front alone.
//!
//! In a row in which a ball overlaps no solid, it can only meet those that it comes to overlap: the pixels of
//! its path that it does not cover already. They form two narrow strips, one on each side of the ball. They
//! are looked through in bands of rows, and only the bands with a solid in their strips are divided. So the
//! cost grows with the circumference and with the number of contacts, not with the area. Nothing here moves a
//! ball.

use std::ops::Range;

use glam::{I64Vec2, IVec2};

use super::super::circle::{Circle, square};
use super::PIXEL;
use crate::geometry::{Aabb, saturated};
use crate::level::Solids;

/// The rows of a band, before it is divided.
const BAND: usize = 64;

/// The rows that are looked through at once for solids under a ball.
const FEW: usize = 16;

/// A ball and its path.
pub(super) struct Front<'a, S> {
    pub(super) solids: &'a S,
    pub(super) circle: Circle,
    pub(super) displacement: I64Vec2,
    /// The number of steps in which the path is tested.
    pub(super) steps: i64,
    /// The rows in which the ball overlaps a solid already, from top to bottom. They are left out.
    pub(super) taken: &'a [i32],
}

impl<S: Solids> Front<'_, S> {
    /// A circle around the ball at every step.
    pub(super) fn around(&self) -> Circle {
        let middle = self.circle.moved(self.displacement / 2);
        let length = self.displacement.abs();
        Circle { radius: middle.radius + (length.x + length.y) / 2 + 2, ..middle }
    }

    /// The first step, at most `last`, after which the ball overlaps a new solid. Fills `rows` with the rows
    /// in which it does, in any order.
    pub(super) fn first(&self, mut last: i64, rows: &mut Vec<i32>) -> Option<i64> {
        rows.clear();
        let Aabb { min, max } = self.circle.bounds().hull(self.at(last).bounds());
        let lead = self.lead().clamp(min.y, max.y);
        // From the foremost row outward, where the first contacts are in most cases: they shorten the path
        // that is left.
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

    /// The row of the foremost point of the ball, or one beside it.
    fn lead(&self) -> i32 {
        let Circle { center, radius } = self.circle;
        let length = i64::try_from(square(self.displacement)).unwrap_or(i64::MAX).isqrt().max(1);
        saturated((center.y + radius * self.displacement.y / length).div_euclid(PIXEL))
    }

    /// Searches the rows for the first step up to `last`, which becomes that step.
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

    /// The first step after `from`, at which the row is free, up to `to`.
    fn first_in_row(&self, y: i32, [from, to]: [i64; 2]) -> Option<i64> {
        if to - from == 1 {
            return self.solids.overlaps_aabb(self.at(to).row(y)).then_some(to);
        }
        let middle = from + (to - from) / 2;
        [[from, middle], [middle, to]].into_iter().find_map(|part| {
            self.may_meet(&(y..y + 1), part).then(|| self.first_in_row(y, part)).flatten()
        })
    }

    /// False only if the ball meets nothing after the step `from` and up to `to` in those of these rows in
    /// which it overlaps no solid after `from`.
    fn may_meet(&self, rows: &Range<i32>, [from, to]: [i64; 2]) -> bool {
        let (start, end) = (self.at(from), self.at(to));
        let swept = start.swept_rows(end.center - start.center, rows.clone());
        overlap_beside(self.solids, swept, start.common_rows(rows.clone()))
    }

    /// The displacements before and after a step; the first step is 1.
    pub(super) fn step(&self, at: i64) -> [I64Vec2; 2] {
        [at - 1, at].map(|at| self.displacement * at / self.steps)
    }

    fn at(&self, step: i64) -> Circle {
        self.circle.moved(self.displacement * step / self.steps)
    }
}

/// True if a circle overlaps no solid. O(words that it covers).
pub(super) fn is_clear(solids: &impl Solids, circle: &Circle) -> bool {
    let Aabb { min, max } = circle.bounds();
    let mut bands = (min.y..max.y).step_by(BAND);
    bands.all(|start| {
        let rows = start..start.saturating_add(BAND as i32).min(max.y);
        is_clear_in(solids, circle, rows, Aabb::default())
    })
}

/// Adds the rows in which a circle overlaps a solid, from top to bottom. O(words that it covers).
pub(super) fn add_taken_rows(solids: &impl Solids, circle: &Circle, taken: &mut Vec<i32>) {
    let Aabb { min, max } = circle.bounds();
    for start in (min.y..max.y).step_by(FEW) {
        let rows = start..start.saturating_add(FEW as i32).min(max.y);
        if solids.overlaps_aabb(circle.swept_rows(I64Vec2::ZERO, rows.clone())) {
            taken.extend(rows.filter(|y| solids.overlaps_aabb(circle.row(*y))));
        }
    }
}

/// As [`is_clear`] in these rows, in which the columns of `known` have no solid.
fn is_clear_in(solids: &impl Solids, circle: &Circle, rows: Range<i32>, known: Aabb) -> bool {
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

/// True if a solid lies in `all`, left or right of the columns of `free`, which may be empty.
fn overlap_beside(solids: &impl Solids, all: Aabb, free: Aabb) -> bool {
    if free.min.x >= free.max.x {
        return solids.overlaps_aabb(all);
    }
    let left = Aabb { max: IVec2::new(free.min.x.min(all.max.x), all.max.y), ..all };
    let right = Aabb { min: IVec2::new(free.max.x.max(all.min.x), all.min.y), ..all };
    solids.overlaps_aabb(left) || solids.overlaps_aabb(right)
}

/// The upper and lower half of rows; `None` for a single one.
fn halves(rows: &Range<i32>) -> Option<[Range<i32>; 2]> {
    let middle = rows.start + (rows.end - rows.start) / 2;
    (middle > rows.start).then_some([rows.start..middle, middle..rows.end])
}
