//! The first pixel of a box that a straight line meets.
//!
//! It answers for one solid box as a ray through a grid does. Exact, in integers; it reads no grid.

use std::cmp::Ordering;

use glam::IVec2;

use super::ray::{RayHit, compare, greatest_common_divisor};
use crate::geometry::{Aabb, Corners};

/// The line along one axis, in steps of a pixel.
struct Along {
    from: i64,
    /// The number of steps.
    all: u64,
    is_positive: bool,
    /// The first and the last step in the box.
    first: u64,
    last: u64,
}

/// A part of the line: a numerator and a denominator.
type Part = (u64, u64);

impl Along {
    /// `None` if the line does not reach the range.
    fn new(from: i32, to: i32, (min, max): (i32, i32)) -> Option<Self> {
        let [from, to, min, max] = [from, to, min, max].map(i64::from);
        let is_positive = to >= from;
        let (first, last) =
            if is_positive { (min - from, max - 1 - from) } else { (from - (max - 1), from - min) };
        let all = from.abs_diff(to);
        let first = first.max(0) as u64;
        let last = u64::try_from(last).ok()?.min(all);
        (first <= last).then_some(Self { from, all, is_positive, first, last })
    }

    /// The part of the line before it enters the line of pixels of a step.
    fn entry(&self, step: u64) -> Part {
        if step == 0 { (0, 1) } else { (2 * step - 1, 2 * self.all) }
    }

    /// The part of the line before it leaves the box; `None` if it ends there.
    fn end(&self) -> Option<Part> {
        (self.last < self.all).then(|| self.entry(self.last + 1))
    }

    /// The step at a part of the line, within the box. At the border of two pixels it is the earlier one if
    /// corners block, and the later one if they let the line pass.
    fn step_at(&self, (numerator, denominator): Part, corners: Corners) -> u64 {
        let doubled = 2 * u128::from(numerator) * u128::from(self.all);
        let denominator = u128::from(denominator);
        let is_earlier = u128::from(corners == Corners::Block);
        let step = (doubled + denominator - is_earlier) / (2 * denominator);
        (step as u64).clamp(self.first, self.last)
    }

    fn place(&self, step: u64) -> i32 {
        let step = step as i64;
        (if self.is_positive { self.from + step } else { self.from - step }) as i32
    }
}

/// The first pixel of `aabb` that the line from the middle of a pixel to that of another one meets, as
/// [`crate::Terrain::ray`] in a terrain of one solid. Its `cell` is the pixel.
pub(crate) fn ray_to_box(aabb: Aabb, from: IVec2, to: IVec2, corners: Corners) -> Option<RayHit> {
    if aabb.is_empty() {
        return None;
    }
    let x = Along::new(from.x, to.x, (aabb.min.x, aabb.max.x))?;
    let y = Along::new(from.y, to.y, (aabb.min.y, aabb.max.y))?;
    let entries = [x.entry(x.first), y.entry(y.first)];
    let is_by_y = compare(entries[0], entries[1]).is_lt();
    let entry = entries[usize::from(is_by_y)];
    for end in [x.end(), y.end()].into_iter().flatten() {
        let is_in = match compare(entry, end) {
            Ordering::Less => true,
            Ordering::Equal => corners == Corners::Block,
            Ordering::Greater => false,
        };
        if !is_in {
            return None;
        }
    }
    let steps = [&x, &y].map(|along| along.step_at(entry, corners));
    let pixel = IVec2::new(x.place(steps[0]), y.place(steps[1]));
    let out = |along: &Along, step: u64| match along.is_positive {
        _ if step == 0 || compare(along.entry(step), entry).is_ne() => 0,
        true => -1,
        false => 1,
    };
    let divisor = greatest_common_divisor(entry.0, entry.1);
    Some(RayHit {
        pixel,
        cell: pixel,
        normal: IVec2::new(out(&x, steps[0]), out(&y, steps[1])),
        numerator: entry.0 / divisor,
        denominator: entry.1 / divisor,
        started_solid: pixel == from,
    })
}
