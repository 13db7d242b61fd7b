//! The shapes that are made of a few numbers. They are plain data, and any numbers are allowed: see the page
//! of [`shapes`](super) on empty ones. They have no tests of their own.

use glam::IVec2;

use super::core::Core;
use super::number::Coordinate;
use super::sealed::Shape;
use super::{Convex, Touch};
use crate::geometry::Aabb;

/// A rectangle along the axes, both corners and all edges included.
///
/// ```
/// use bitwall::{Aabb, shapes::Rectangle};
///
/// let area = Rectangle::from(Aabb::from_xywh(10, 20, 16, 32));
/// assert_eq!((area.min.x, area.max.x), (10, 26), "16 pixels have 17 edges");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rectangle<V> {
    /// The top-left corner.
    pub min: V,
    /// The bottom-right corner.
    pub max: V,
}

impl From<Aabb> for Rectangle<IVec2> {
    /// The area of the box's pixels; an empty rectangle if it covers none.
    fn from(pixels: Aabb) -> Self {
        if pixels.is_empty() {
            return Self { min: IVec2::ZERO, max: IVec2::NEG_ONE };
        }
        Self { min: pixels.min, max: pixels.max }
    }
}

impl<V: Coordinate> Rectangle<V> {
    /// The rectangle that two overlapping rectangles share; `None` if they do not overlap. With
    /// [`Touch::Counts`] it may have no width or no height.
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
        self.overlaps(&other, touch)
            .then(|| Self { min: self.min.most(other.min), max: self.max.least(other.max) })
    }
}

impl<V: Coordinate> Shape for Rectangle<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        let Self { min, max } = *self;
        Core::rectangle([min, V::mixed(max, min), max, V::mixed(min, max)])
    }
}

/// All points within `radius` of `center`; of radius 0 a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Circle<V: Coordinate> {
    /// The center.
    pub center: V,
    /// In pixels; empty if negative.
    pub radius: V::Scalar,
}

impl<V: Coordinate> Shape for Circle<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Core::point(self.center, self.radius)
    }
}

/// All points within `radius` of a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Capsule<V: Coordinate> {
    /// One end of the segment.
    pub start: V,
    /// The other end; the capsule is a circle if it is the same.
    pub end: V,
    /// In pixels; empty if negative, the segment itself if 0.
    pub radius: V::Scalar,
}

impl<V: Coordinate> Shape for Capsule<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Core::segment(self.start, self.end, self.radius)
    }
}

/// The straight line from `start` to `end`, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Segment<V> {
    /// One end.
    pub start: V,
    /// The other end; the segment is a point if it is the same.
    pub end: V,
}

impl<V: Coordinate> Shape for Segment<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Core::segment(self.start, self.end, V::Scalar::default())
    }
}

/// The triangle between three points, in any order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Triangle<V> {
    /// The corners; on one line they make a segment.
    pub points: [V; 3],
}

impl<V: Coordinate> Shape for Triangle<V> {
    type Point = V;

    fn core(&self) -> Option<Core<'_, V>> {
        Core::triangle(self.points)
    }
}
