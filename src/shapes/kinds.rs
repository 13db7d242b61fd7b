//! The convex shapes. The docs of [`shapes`](super) say which values make a shape empty.

use std::fmt;

use glam::IVec2;

use super::core::Core;
use super::number::{Coordinate, Number, Vector};
use super::sealed::Shape;
use super::{Convex, Touch};
use crate::geometry::Aabb;

/// A rectangle with sides along the axes. Its edges and corners belong to it.
///
/// ```
/// use bitwall::{Aabb, shapes::Rectangle};
///
/// let area = Rectangle::from(Aabb::from_xywh(10, 20, 16, 32));
/// assert_eq!((area.min.x, area.max.x), (10, 26), "16 pixels have 17 edges");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rectangle<V> {
    /// The top-left corner of the rectangle.
    pub min: V,
    /// The bottom-right corner of the rectangle.
    pub max: V,
}

impl From<Aabb> for Rectangle<IVec2> {
    /// Returns the rectangle that the box's pixels cover, or an empty rectangle if the box covers no pixel.
    fn from(pixels: Aabb) -> Self {
        if pixels.is_empty() {
            return Self { min: IVec2::ZERO, max: IVec2::NEG_ONE };
        }
        Self { min: pixels.min, max: pixels.max }
    }
}

impl<V: Coordinate> Rectangle<V> {
    /// Returns the intersection of `self` and `other`, or `None` if they do not overlap. With
    /// [`Touch::Counts`] the intersection may have no width or no height.
    ///
    /// ```
    /// use bitwall::{Aabb, shapes::{Rectangle, Touch}};
    ///
    /// let left = Rectangle::from(Aabb::from_xywh(0, 0, 10, 10));
    /// let right = Rectangle::from(Aabb::from_xywh(6, 4, 10, 10));
    /// let shared = Rectangle::from(Aabb::from_xywh(6, 4, 4, 6));
    /// assert_eq!(left.overlap(right, Touch::Ignored), Some(shared));
    /// ```
    pub fn overlap(self, other: Self, touch: Touch) -> Option<Self> {
        if !self.overlaps(&other, touch) {
            return None;
        }
        let min = Vector::widen(self.min)?.max(Vector::widen(other.min)?);
        let max = Vector::widen(self.max)?.min(Vector::widen(other.max)?);
        Some(Self { min: min.narrow(false)?, max: max.narrow(true)? })
    }
}

impl<V: Coordinate> Shape for Rectangle<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        let Self { min, max } = *self;
        let [left, top] = min.into();
        let [right, bottom] = max.into();
        Core::rectangle([min, [right, top].into(), max, [left, bottom].into()])
    }
}

/// The points within `radius` of `center`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Circle<V: Coordinate> {
    /// The center of the circle.
    pub center: V,
    /// The radius in pixels. A circle of radius 0 is a point; a negative radius makes the circle empty.
    pub radius: V::Scalar,
}

impl<V: Coordinate> Shape for Circle<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Core::point(self.center, self.radius)
    }
}

/// The points within `radius` of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Capsule<V: Coordinate> {
    /// The first end of the segment.
    pub start: V,
    /// The other end of the segment. If it equals `start`, the capsule is a circle.
    pub end: V,
    /// The radius in pixels. A capsule of radius 0 is the segment; a negative radius makes the capsule empty.
    pub radius: V::Scalar,
}

impl<V: Coordinate> Shape for Capsule<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Core::segment(self.start, self.end, self.radius)
    }
}

/// The straight line from `start` to `end`. Both ends belong to it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Segment<V> {
    /// The first end of the segment.
    pub start: V,
    /// The other end of the segment. If it equals `start`, the segment is a point.
    pub end: V,
}

impl<V: Coordinate> Shape for Segment<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Core::segment(self.start, self.end, V::Scalar::default())
    }
}

/// The triangle with three corners, in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Triangle<V> {
    /// The corners of the triangle. If they lie on one line, the triangle is a segment.
    pub points: [V; 3],
}

impl<V: Coordinate> Shape for Triangle<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Core::triangle(self.points)
    }
}

/// A convex polygon with at least three corners. Only its constructor allocates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConvexPolygon<V> {
    /// The corners, clockwise on the screen; no three of them are on a line.
    corners: Box<[V]>,
}

impl<V: Coordinate> ConvexPolygon<V> {
    /// Returns the polygon with these corners, clockwise or counter-clockwise. Repeated points, and points on
    /// the straight line between their neighbours, are dropped.
    ///
    /// O(n).
    ///
    /// # Errors
    /// Returns [`PolygonError`] if a coordinate is not finite, if there are fewer than three points, or if
    /// the outline is not convex. An outline that turns back on itself or goes around more than once is not
    /// convex.
    ///
    /// ```
    /// use bitwall::glam::IVec2;
    /// use bitwall::shapes::{ConvexPolygon, PolygonError};
    ///
    /// let kite = [(0, 0), (4, -3), (8, 0), (4, 9)].map(IVec2::from);
    /// assert_eq!(ConvexPolygon::new(&kite)?.corners(), kite);
    /// let arrow = [(0, 0), (4, 3), (8, 0), (4, 9)].map(IVec2::from);
    /// assert_eq!(ConvexPolygon::new(&arrow), Err(PolygonError::NotConvex));
    /// # Ok::<(), PolygonError>(())
    /// ```
    pub fn new(points: &[V]) -> Result<Self, PolygonError> {
        let mut places = Vec::with_capacity(points.len());
        for point in points {
            let place = Vector::widen(*point).ok_or(PolygonError::NotFinite)?;
            if places.last().is_none_or(|(_, last)| *last != place) {
                places.push((*point, place));
            }
        }
        while places.len() > 1 && places.first().map(|p| p.1) == places.last().map(|p| p.1) {
            places.pop();
        }
        if places.len() < 3 {
            return Err(PolygonError::TooFewCorners);
        }
        let mut corners = Vec::with_capacity(places.len());
        let mut edges = Vec::with_capacity(places.len());
        let mut is_clockwise = None;
        for (index, (corner, place)) in places.iter().enumerate() {
            let (_, before) = places[(index + places.len() - 1) % places.len()];
            let (_, after) = places[(index + 1) % places.len()];
            let come = *place - before;
            let go = after - *place;
            let turn = come.cross(go);
            if turn == V::Number::ZERO {
                if come.dot(go) < V::Number::ZERO {
                    return Err(PolygonError::NotConvex);
                }
                continue;
            }
            if *is_clockwise.get_or_insert(turn > V::Number::ZERO) != (turn > V::Number::ZERO) {
                return Err(PolygonError::NotConvex);
            }
            corners.push(*corner);
            edges.push(go);
        }
        // Edges that all turn in one direction can go around more than once, as in a star. They go around
        // exactly once if their directions change twice between the two half planes of
        // [`Vector::is_in_first_half`].
        let next = edges.iter().cycle().skip(1);
        let changes = edges.iter().zip(next).filter(|(edge, next)| {
            Vector::is_in_first_half(**edge) != Vector::is_in_first_half(**next)
        });
        if changes.count() != 2 {
            return Err(PolygonError::NotConvex);
        }
        if is_clockwise == Some(false) {
            corners.reverse();
        }
        Ok(Self { corners: corners.into_boxed_slice() })
    }
}

impl<V> ConvexPolygon<V> {
    /// Returns the corners, clockwise on the screen, without the points that [`ConvexPolygon::new`] dropped.
    pub fn corners(&self) -> &[V] {
        &self.corners
    }
}

impl<V: Coordinate> Shape for ConvexPolygon<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Some(Core::polygon(&self.corners))
    }
}

/// The reason why points do not make a [`ConvexPolygon`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PolygonError {
    /// A coordinate is infinite or NaN.
    NotFinite,
    /// The polygon has fewer than three points. Repeated points count once.
    TooFewCorners,
    /// The outline turns in both directions, or goes around more than once.
    NotConvex,
}

impl fmt::Display for PolygonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "a coordinate of the polygon is not finite",
            Self::TooFewCorners => "the polygon has fewer than three points",
            Self::NotConvex => "the polygon is not convex",
        })
    }
}

impl std::error::Error for PolygonError {}
