//! The convex polygon: the one shape with any number of corners. They are checked once, by its constructor.

use std::fmt;

use super::core::Core;
use super::number::{Coordinate, Number, Vector};
use super::sealed::Shape;

/// A polygon with at least three corners that all turn in the same direction. It owns its corners, so its
/// constructor allocates; its tests do not.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ConvexPolygon<V> {
    /// Clockwise on the screen, no three on a line.
    corners: Box<[V]>,
}

impl<V: Coordinate> ConvexPolygon<V> {
    /// The polygon with these corners, in either order around it. Repeated points and points on the straight
    /// line between their neighbours are dropped. O(n).
    ///
    /// # Errors
    /// [`PolygonError`]: if a coordinate is not finite, if there are fewer than three points, or if the
    /// outline is not convex. An outline that turns back on itself is not (as if all points are on one line),
    /// nor is one that goes around more than once.
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
            let place = point.widen().ok_or(PolygonError::NotFinite)?;
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
            let before = places.get(index.wrapping_sub(1)).or(places.last());
            let after = places.get(index + 1).or(places.first());
            let (Some((_, before)), Some((_, after))) = (before, after) else {
                continue;
            };
            let (come, go) = (*place - *before, *after - *place);
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
        if !goes_around_once(&edges) {
            return Err(PolygonError::NotConvex);
        }
        if is_clockwise == Some(false) {
            corners.reverse();
        }
        Ok(Self { corners: corners.into_boxed_slice() })
    }
}

impl<V> ConvexPolygon<V> {
    /// The corners, without the dropped ones, clockwise on the screen.
    pub fn corners(&self) -> &[V] {
        &self.corners
    }
}

/// True if edges that all turn in one direction go around once, and not twice like those of a star.
fn goes_around_once<N: Number>(edges: &[Vector<N>]) -> bool {
    let next = edges.iter().cycle().skip(1);
    let changes = edges
        .iter()
        .zip(next)
        .filter(|(edge, next)| edge.is_in_first_half() != next.is_in_first_half());
    changes.count() == 2
}

impl<V: Coordinate> Shape for ConvexPolygon<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Some(Core::polygon(&self.corners))
    }
}

/// The reason that points do not make a [`ConvexPolygon`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PolygonError {
    /// A coordinate is infinite or not a number.
    NotFinite,
    /// Fewer than three points; repeated points count once.
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
