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

use std::ops::{Range, RangeInclusive};

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
    squares: Squares,
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
    let mut simplifier = Simplifier {
        old,
        stays: vec![false; old.points.len()],
        square: u128::from(distance).pow(2),
        squares: Squares::new(&old.points),
    };
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
        // For points beside the edge, the distance times the edge's length: this is twice the area of a
        // triangle.
        let mut beside = -1i64;
        let mut at_beside = 0;
        // For points beyond an end of the edge, the square of the distance to that end.
        let mut beyond = -1i64;
        let mut at_beyond = 0;
        for at in from + 1..past {
            let way = self.point(at) - a;
            let place = way.dot(along);
            if place > 0 && place < length {
                let area = along.perp_dot(way).abs();
                if area > beside {
                    beside = area;
                    at_beside = at;
                }
            } else {
                let way = if place <= 0 { way } else { self.point(at) - b };
                if way.length_squared() > beyond {
                    beyond = way.length_squared();
                    at_beyond = at;
                }
            }
        }
        let beside_square = u128::from(beside.unsigned_abs()).pow(2);
        let length = length as u128;
        if beyond < 0 && beside < 0 {
            None
        } else if beyond < 0 || (beside >= 0 && beside_square > beyond as u128 * length) {
            // Both sides of the comparison are whole numbers, so the bits that the shift drops cannot change
            // the result.
            let allowed = (self.square * length) >> (2 * SUBPIXELS.ilog2());
            Some((at_beside, beside_square > allowed))
        } else {
            Some((at_beyond, beyond as u128 > self.square >> (2 * SUBPIXELS.ilog2())))
        }
    }

    /// True if another point lies between the edge and the part of the outline that it replaces, or on that
    /// part. Also true if the test would take more than [`MAX_WORK`].
    fn passes_over_points(&self, edge: Shortcut) -> bool {
        let a = self.point(edge.from);
        let b = self.point(edge.to);
        let along = b - a;
        // The bounding box of the part, and the largest distance of its points on each side of the edge,
        // times the edge's length.
        let mut min = a.min(b);
        let mut max = a.max(b);
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
        // The edge has the length 0 if the loop visits its point twice.
        let beside = right.max(-left) / along.length_squared().isqrt().max(1) + 1;
        let beyond = (a.min(b) - min).max(max - a.max(b)).max_element();
        let mut work = 0;
        self.squares.any_near([a, b], 3 * (beside + beyond), [min, max], |index| {
            let point = self.point(index);
            let is_near = point.cmpge(min).all()
                && point.cmple(max).all()
                && (left..=right).contains(&along.perp_dot(point - a));
            let is_own = (edge.from..edge.past).contains(&index) || index == edge.to;
            work += if is_near && !is_own { edge.past - edge.from } else { 0 };
            is_near && !is_own && (work > MAX_WORK || self.holds(edge, point))
        })
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

/// An index of points by position: a grid of squares with about two points in each.
struct Squares {
    min: I64Vec2,
    size: I64Vec2,
    shift: u32,
    /// For each square of the index, the end of its points in the list `points`. They start where the points
    /// of the square before end; the points of the first square start at 0.
    ends: Vec<u32>,
    points: Vec<u32>,
}

impl Squares {
    fn new(points: &[IVec2]) -> Self {
        let min = points.iter().copied().reduce(IVec2::min).unwrap_or_default().as_i64vec2();
        let max = points.iter().copied().reduce(IVec2::max).unwrap_or_default().as_i64vec2();
        let most = points.len() as i64 / 2 + 64;
        let mut shift = 0u32;
        while shift < 31 && (((max - min) >> shift) + 1).element_product() > most {
            shift += 1;
        }
        let size = ((max - min) >> shift) + 1;
        let ends = vec![0; size.element_product() as usize];
        let mut found = Self { min, size, shift, ends, points: vec![0; points.len()] };
        for point in points {
            let at = found.square(*point);
            found.ends[at] += 1;
        }
        let mut end = 0;
        for count in &mut found.ends {
            // At first, `ends` has the start of each square's items. It becomes their end while the items are
            // stored.
            end += *count;
            *count = end - *count;
        }
        for (index, point) in (0..).zip(points) {
            let square = found.square(*point);
            let at = &mut found.ends[square];
            found.points[*at as usize] = index;
            *at += 1;
        }
        found
    }

    /// The number of the square that has `point`.
    fn square(&self, point: IVec2) -> usize {
        let place = (point.as_i64vec2() - self.min) >> self.shift;
        (place.y * self.size.x + place.x) as usize
    }

    /// The columns (or rows) of squares from `first` to `last`, which are relative to [`Self::min`]. The
    /// index has `count` of them.
    fn squares(&self, first: i64, last: i64, count: i64) -> RangeInclusive<i64> {
        (first >> self.shift).clamp(0, count - 1)..=(last >> self.shift).clamp(0, count - 1)
    }

    /// True if `is_it` is true for any tested point. All points are tested that are in the box `area` and
    /// within `margin` of the segment, and some points near them.
    fn any_near(
        &self,
        segment: [I64Vec2; 2],
        margin: i64,
        area: [I64Vec2; 2],
        mut is_it: impl FnMut(u32) -> bool,
    ) -> bool {
        let [min, max] = area.map(|point| point - self.min);
        let [mut a, mut b] = segment.map(|point| point - self.min);
        if a.x > b.x {
            std::mem::swap(&mut a, &mut b);
        }
        let columns = self.squares(min.x, max.x, self.size.x);
        let is_upright = columns.start() == columns.end() || a.x == b.x;
        for column in columns {
            let mut top = min.y;
            let mut bottom = max.y;
            if !is_upright {
                let sides =
                    [(column << self.shift) - margin, ((column + 1) << self.shift) + margin];
                let ends = sides.map(|x| (b.y - a.y) * (x.clamp(a.x, b.x) - a.x));
                let width = b.x - a.x;
                top = top.max(a.y + ends[0].min(ends[1]).div_euclid(width) - margin);
                bottom = bottom.min(a.y - (-ends[0].max(ends[1])).div_euclid(width) + margin);
            }
            for row in self.squares(top, bottom, self.size.y) {
                let at = (row * self.size.x + column) as usize;
                let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
                let points = &self.points[start as usize..self.ends[at] as usize];
                if points.iter().any(|index| is_it(*index)) {
                    return true;
                }
            }
        }
        false
    }
}
