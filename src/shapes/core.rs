//! The common form of the convex shapes: a convex core of corners, and a radius around it.
//!
//! A circle is a point and a radius, a capsule a segment and a radius; the others have the radius 0. So one
//! test serves all pairs of shapes. A core has no tests of its own and does not allocate.

use super::Touch;
use super::number::{Coordinate, Number, Vector};

/// The corners of a shape's core, and the distance that the shape extends beyond them.
#[derive(Clone, Copy, Debug)]
pub struct Core<'s, V: Coordinate> {
    corners: Corners<'s, V>,
    /// Never negative.
    pub(super) radius: V::Number,
    /// True if the shape equals its bounding box: a rectangle, or a point or segment along an axis.
    is_box: bool,
}

/// One to four corners, or as many as a polygon has: clockwise on the screen, no three of them on a line.
#[derive(Clone, Copy, Debug)]
enum Corners<'s, V> {
    Few([V; 4], usize),
    Many(&'s [V]),
}

impl<'s, V: Coordinate> Core<'s, V> {
    /// The core of a polygon with corners that were checked before.
    pub(super) fn polygon(corners: &'s [V]) -> Self {
        Self { corners: Corners::Many(corners), radius: V::Number::ZERO, is_box: false }
    }

    /// All points within `radius` of `center`; `None` if there are none, or if a number is not finite.
    pub(super) fn point(center: V, radius: V::Scalar) -> Option<Self> {
        center.widen()?;
        Self::few([center; 4], 1, radius)
    }

    /// All points within `radius` of the segment.
    pub(super) fn segment(start: V, end: V, radius: V::Scalar) -> Option<Self> {
        if start == end {
            return Self::point(start, radius);
        }
        start.widen().and(end.widen())?;
        Self::few([start, end, end, end], 2, radius)
    }

    /// A triangle of either winding; a segment if its points are on one line.
    pub(super) fn triangle(points: [V; 3]) -> Option<Self> {
        let [a, b, c] = points;
        let (wide_a, wide_b, wide_c) = (a.widen()?, b.widen()?, c.widen()?);
        let turn = (wide_b - wide_a).cross(wide_c - wide_a);
        let none = V::Scalar::default();
        if turn > V::Number::ZERO {
            return Self::few([a, b, c, c], 3, none);
        }
        if turn < V::Number::ZERO {
            return Self::few([a, c, b, b], 3, none);
        }
        // On a line, the two furthest apart are the first and the last in lexicographic order.
        let before = |p: &(V, Vector<V::Number>), q: &(V, Vector<V::Number>)| {
            (p.1.y, p.1.x) < (q.1.y, q.1.x)
        };
        let mut ends = ((a, wide_a), (a, wide_a));
        for place in [(b, wide_b), (c, wide_c)] {
            if before(&place, &ends.0) {
                ends.0 = place;
            }
            if before(&ends.1, &place) {
                ends.1 = place;
            }
        }
        Self::segment(ends.0.0, ends.1.0, none)
    }

    /// The rectangle with these corners: the top-left one first, then clockwise on the screen.
    pub(super) fn rectangle(corners: [V; 4]) -> Option<Self> {
        let [top_left, top_right, bottom_right, _] = corners;
        let (min, max) = (top_left.widen()?, bottom_right.widen()?);
        if min.x > max.x || min.y > max.y {
            return None;
        }
        if min.x == max.x || min.y == max.y {
            return Self::segment(top_left, bottom_right, V::Scalar::default());
        }
        top_right.widen()?;
        let rectangle = Self::few(corners, 4, V::Scalar::default())?;
        Some(Self { is_box: true, ..rectangle })
    }

    fn few(corners: [V; 4], count: usize, radius: V::Scalar) -> Option<Self> {
        let radius = V::widen_scalar(radius)?;
        (radius >= V::Number::ZERO).then_some(Self {
            corners: Corners::Few(corners, count),
            radius,
            is_box: count == 1 && radius == V::Number::ZERO,
        })
    }

    /// The corners, at least one.
    pub(super) fn corners(&self) -> &[V] {
        match &self.corners {
            Corners::Few(corners, count) => corners.get(..*count).unwrap_or_default(),
            Corners::Many(corners) => corners,
        }
    }

    /// The corners in wider numbers, all of which are finite.
    pub(super) fn places(&self) -> impl Iterator<Item = Vector<V::Number>> {
        self.corners().iter().filter_map(|corner| corner.widen())
    }

    /// The sides, each from its start to its end, clockwise on the screen; a point has one of no length.
    pub(super) fn sides(&self) -> impl Iterator<Item = (Vector<V::Number>, Vector<V::Number>)> {
        let ends = self.places().chain(self.places()).skip(1);
        self.places().zip(ends)
    }

    pub(super) fn is_box(&self) -> bool {
        self.is_box
    }

    /// True if the bounding boxes of the two overlap; if not, the shapes do not either.
    pub(super) fn may_overlap(&self, other: &Self, touch: Touch) -> bool {
        let ([min, max], [other_min, other_max]) = (self.bounds(), other.bounds());
        match touch {
            Touch::Counts => {
                min.x <= other_max.x
                    && other_min.x <= max.x
                    && min.y <= other_max.y
                    && other_min.y <= max.y
            }
            Touch::Ignored => {
                min.x < other_max.x
                    && other_min.x < max.x
                    && min.y < other_max.y
                    && other_min.y < max.y
            }
        }
    }

    /// The top-left and the bottom-right corner of the shape's bounding box, its radius included.
    pub(super) fn bounds(&self) -> [Vector<V::Number>; 2] {
        let mut bounds: Option<[Vector<V::Number>; 2]> = None;
        for place in self.places() {
            let [least, most] = bounds.get_or_insert([place; 2]);
            let less = |a, b| if a < b { a } else { b };
            let more = |a, b| if a > b { a } else { b };
            *least = Vector { x: less(least.x, place.x), y: less(least.y, place.y) };
            *most = Vector { x: more(most.x, place.x), y: more(most.y, place.y) };
        }
        let around = Vector { x: self.radius, y: self.radius };
        let [least, most] = bounds.unwrap_or([Vector::ZERO; 2]);
        [least - around, most + around]
    }
}

/// An iterator over the edges of a core, clockwise on the screen from its highest corner (of two, the left
/// one). If `mirrored`, the core is mirrored in the origin.
#[derive(Clone, Copy, Debug)]
pub(super) struct Around<'c, V: Coordinate> {
    corners: &'c [V],
    first: usize,
    taken: usize,
    mirrored: bool,
}

impl<'c, V: Coordinate> Around<'c, V> {
    pub(super) fn new(core: &'c Core<'_, V>, mirrored: bool) -> Self {
        let mut around = Self { corners: core.corners(), first: 0, taken: 0, mirrored };
        let mut first = around.corner(0);
        for index in 1..around.corners.len() {
            let corner = around.corner(index);
            if (corner.y, corner.x) < (first.y, first.x) {
                (around.first, first) = (index, corner);
            }
        }
        around
    }

    /// The start of the next edge.
    pub(super) fn place(&self) -> Vector<V::Number> {
        self.corner(self.first + self.taken)
    }

    /// The next edge, from its corner to the one after it; `None` when all have been taken.
    pub(super) fn edge(&self) -> Option<Vector<V::Number>> {
        let count = self.corners.len();
        if count < 2 || self.taken == count {
            return None;
        }
        Some(self.corner(self.first + self.taken + 1) - self.place())
    }

    pub(super) fn take(&mut self) {
        self.taken += 1;
    }

    /// The corner with this index, modulo their number.
    fn corner(&self, index: usize) -> Vector<V::Number> {
        let corner = self.corners.get(index % self.corners.len().max(1));
        let place = corner.and_then(|corner| corner.widen()).unwrap_or(Vector::ZERO);
        if self.mirrored { -place } else { place }
    }
}
