//! Removes points from outlines, within a given distance. No two edges cross afterwards, and loops stay
//! inside or outside of each other.
//!
//! A new edge and the part of the outline that it replaces enclose an area. A new edge is used only if no
//! other point of the old outlines lies in this area or on its border, and if no other outline touches its
//! ends. Then two new edges never cross, and touch only at a common end:
//! * An edge of the old outlines does not enter the area. It cannot end there. It cannot leave the area
//!   through the replaced part, because old edges do not cross. It cannot cross the new edge twice, because
//!   both are straight.
//! * So a new edge does not enter the area of another new edge: the two would cross in one point, and then
//!   the first could not leave the area, for the same reasons.
//!
//! A point that is kept is inside the same loops as before, because no edge has moved across it.

use std::ops::Range;

use glam::{I64Vec2, IVec2};

use super::Outlines;
use crate::geometry::SUBPIXELS;

/// A possible new edge from the point `from` to the point `to`, which replaces all points of the loop between
/// them. Points are given by their indices.
#[derive(Clone, Copy)]
struct Shortcut {
    from: u32,
    /// The index of the point after the last point that this edge removes. If it is `from + 1`, the edge
    /// removes no point.
    past: u32,
    to: u32,
}

struct Simplifier<'o> {
    old: &'o Outlines,
    /// For each point of the old outlines, true if the new outlines keep it.
    stays: Vec<bool>,
    /// The square of the allowed distance, which is in 65,536ths of a pixel.
    square: u128,
    /// The indices of all points, sorted by y, then by x.
    rows: Vec<u32>,
}

/// The largest depth at which parts of an outline are split at their farthest point, recursively. Deeper
/// parts are split in the middle: otherwise each split of a hostile outline could remove only one point from
/// a part, which takes quadratic time.
const MAX_DEPTH: u32 = 64;

/// The largest number of comparisons between the points of a part of an outline and the points near it, in
/// the test of one new edge. A part that needs more, such as a long slope among many islands, is split
/// without these comparisons.
const MAX_WORK: u32 = 1 << 20;

/// The outlines with fewer points. `distance` is the allowed distance in 65,536ths of a pixel.
pub(super) fn simplify(old: &Outlines, distance: u64) -> Outlines {
    let mut rows: Vec<u32> = (0..old.points.len() as u32).collect();
    rows.sort_unstable_by_key(|at| {
        let IVec2 { x, y } = old.points[*at as usize];
        (y, x)
    });
    let square = u128::from(distance).pow(2);
    let mut simplifier = Simplifier { old, stays: vec![false; old.points.len()], square, rows };
    let mut new = Outlines { points: Vec::new(), ends: Vec::with_capacity(old.ends.len()) };
    for (index, (_, parent)) in old.ends.iter().enumerate() {
        let range = old.range(index);
        simplifier.split(range.clone());
        let points = old.points[range.clone()].iter().zip(&simplifier.stays[range.clone()]);
        let first = new.points.len();
        new.points.extend(points.filter(|(_, stays)| **stays).map(|(point, _)| *point));
        if turning(&new.points[first..]) != turning(&old.points[range.clone()]) {
            new.points.truncate(first);
            new.points.extend(&old.points[range]);
        }
        new.ends.push((new.points.len(), *parent));
    }
    new
}

/// The sign of the area of a loop, which depends on its winding.
fn turning(points: &[IVec2]) -> i128 {
    let next = points.iter().cycle().skip(1);
    let areas = points.iter().zip(next).map(|(a, b)| a.as_i64vec2().perp_dot(b.as_i64vec2()));
    areas.map(i128::from).sum::<i128>().signum()
}

impl Simplifier<'_> {
    fn point(&self, index: u32) -> I64Vec2 {
        self.old.points[index as usize].as_i64vec2()
    }

    /// Selects the points that the new outline keeps, for a loop whose points have these indices.
    fn split(&mut self, Range { start, end }: Range<usize>) {
        let start = start as u32;
        let end = end as u32;
        let first = self.point(start);
        let far = (start..end).max_by_key(|at| (self.point(*at) - first).length_squared());
        let Some(far) = far else { return };
        self.stays[start as usize] = true;
        let whole = Shortcut { from: start, past: end, to: start };
        if self.split_at(whole, far) == 1 {
            // A loop needs at least three points, so a third point is kept.
            for half in halves(whole, far) {
                if let Some((at, _)) = self.farthest(half) {
                    self.split_at(half, at);
                    return;
                }
            }
        }
    }

    /// Splits an edge at the point `at`, then splits its parts until each part can be replaced by a straight
    /// edge. Returns the number of points that are kept, without the two ends.
    fn split_at(&mut self, edge: Shortcut, at: u32) -> usize {
        self.stays[at as usize] = true;
        let mut parts = halves(edge, at).map(|part| (part, 0)).to_vec();
        let mut count = 1;
        while let Some((part, depth)) = parts.pop() {
            let Some((mut at, is_far)) = self.farthest(part) else { continue };
            if !is_far && !self.passes_over_points(part) {
                continue;
            }
            if depth > MAX_DEPTH {
                at = part.from + (part.past - part.from) / 2;
            }
            self.stays[at as usize] = true;
            count += 1;
            parts.extend(halves(part, at).map(|part| (part, depth + 1)));
        }
        count
    }

    /// The point farthest from the edge among the points that the edge removes, and true if it is farther
    /// than allowed. `None` if the edge removes no point.
    fn farthest(&self, Shortcut { from, past, to }: Shortcut) -> Option<(u32, bool)> {
        let a = self.point(from);
        let b = self.point(to);
        let along = b - a;
        let length = along.length_squared();
        // The square of the distance to the edge, times the square of the edge's length. Beside the edge,
        // the distance times the length is twice the area of a triangle.
        let distance = |at: u32| {
            let way = self.point(at) - a;
            let place = way.dot(along);
            if place > 0 && place < length {
                u128::from(along.perp_dot(way).unsigned_abs()).pow(2)
            } else {
                let way = if place <= 0 { way } else { self.point(at) - b };
                way.length_squared() as u128 * length.max(1) as u128
            }
        };
        let (far, at) = (from + 1..past).map(|at| (distance(at), at)).max_by_key(|far| far.0)?;
        // Both sides of the comparison are whole numbers, so the bits that the shift drops cannot change the
        // result.
        let allowed = (self.square * length.max(1) as u128) >> (2 * SUBPIXELS.ilog2());
        Some((at, far > allowed))
    }

    /// True if another point lies between the edge and the part of the outline that it replaces, or on that
    /// part. Also true if the test would take more than [`MAX_WORK`].
    fn passes_over_points(&self, edge: Shortcut) -> bool {
        let a = self.point(edge.from);
        let along = self.point(edge.to) - a;
        // The bounding box of the part, and the largest distance of its points on each side of the edge,
        // times the edge's length.
        let mut min = a.min(a + along);
        let mut max = a.max(a + along);
        let mut left = 0;
        let mut right = 0;
        for at in edge.from + 1..edge.past {
            let point = self.point(at);
            min = min.min(point);
            max = max.max(point);
            let side = along.perp_dot(point - a);
            left = left.min(side);
            right = right.max(side);
        }
        // The columns of a row whose points are at most that far beside the edge.
        let columns = |y: i64| {
            if along.y == 0 {
                return [min.x, max.x];
            }
            let sides = [left, right].map(|side| {
                let across = i128::from(along.x) * i128::from(y - a.y) - i128::from(side);
                a.x + across.div_euclid(along.y.into()) as i64
            });
            [sides[0].min(sides[1]).max(min.x), (sides[0].max(sides[1]) + 1).min(max.x)]
        };
        let mut work = 0;
        let mut rows = self.rows_from(&self.rows, min.y, i64::MIN);
        while let Some(y) = rows.first().map(|at| self.point(*at).y).filter(|y| *y <= max.y) {
            let [first, last] = columns(y);
            for index in self.rows_from(rows, y, first).iter().copied() {
                let point = self.point(index);
                if point.y > y || point.x > last {
                    break;
                }
                let is_near = (left..=right).contains(&along.perp_dot(point - a));
                let is_own = (edge.from..edge.past).contains(&index) || index == edge.to;
                if is_near && !is_own {
                    work += edge.past - edge.from;
                    if work > MAX_WORK || self.holds(edge, point) {
                        return true;
                    }
                }
            }
            rows = self.rows_from(rows, y + 1, i64::MIN);
        }
        false
    }

    /// The part of `rows` from row `y` and column `x` on.
    fn rows_from<'r>(&self, rows: &'r [u32], y: i64, x: i64) -> &'r [u32] {
        let before = |at: &u32| {
            let point = self.point(*at);
            (point.y, point.x) < (y, x)
        };
        &rows[rows.partition_point(before)..]
    }

    /// True if `point` is in the area between `edge` and the part of the outline that it replaces, or on that
    /// part.
    fn holds(&self, edge: Shortcut, point: I64Vec2) -> bool {
        let mut is_inside = false;
        let mut a = self.point(edge.to);
        for index in (edge.from..edge.past).chain([edge.to]) {
            let b = self.point(index);
            let side = (b - a).perp_dot(point - a);
            if side == 0 && point.cmpge(a.min(b)).all() && point.cmple(a.max(b)).all() {
                return true;
            }
            if (a.y <= point.y) != (b.y <= point.y) && (side > 0) == (b.y > a.y) {
                is_inside = !is_inside;
            }
            a = b;
        }
        is_inside
    }
}

/// The two edges that result from a split of `edge` at the point `at`.
fn halves(edge: Shortcut, at: u32) -> [Shortcut; 2] {
    [Shortcut { past: at, to: at, ..edge }, Shortcut { from: at, ..edge }]
}
