//! Shapes without a level: rectangle, circle, capsule, segment, triangle, convex polygon and sector, tested
//! exactly against each other.
//!
//! All shapes but [`Sector`] are [`Convex`]. Any two of them can be tested against each other: for overlap,
//! for the first overlap of a motion, and for the shortest translation that separates them.
//!
//! ```
//! use bitwall::glam::{DVec2, IVec2};
//! use bitwall::shapes::{Circle, Convex, Rectangle, Touch};
//!
//! let tower = Circle { center: IVec2::new(0, 0), radius: 5 };
//! let enemy = Rectangle { min: IVec2::new(3, 4), max: IVec2::new(9, 20) };
//! assert!(tower.overlaps(&enemy, Touch::Counts), "(3, 4) is just 5 away");
//! assert!(!tower.overlaps(&enemy, Touch::Ignored));
//!
//! // A ball that rolls 10 to the right meets the enemy's corner.
//! let ball = Circle { center: IVec2::new(-4, 0), radius: 5 };
//! let hit = ball.swept_overlap(IVec2::new(10, 0), &enemy, Touch::Counts).expect("it is met");
//! assert_eq!(hit.fraction, 0.4);
//! let normal = hit.normal.expect("they do not overlap from the start");
//! assert!((normal - DVec2::new(-0.6, -0.8)).length() < 1e-15, "from the corner toward the ball");
//!
//! // The shortest translation that ends a deeper overlap, in whole numbers.
//! let body = Rectangle { min: IVec2::new(0, 0), max: IVec2::new(4, 20) };
//! let out = body.push_out(&enemy).expect("they overlap");
//! assert_eq!(out.translation.as_ivec2(), IVec2::new(-1, 0));
//! ```
//!
//! # Guarantees
//! * **Space** is as in a level: x to the right, y down; "clockwise" is as seen on the screen. The shapes are
//!   closed sets of points, not of pixels: a [`Rectangle`] holds both its corners. The pixels of an [`Aabb`]
//!   are the square areas between its `min` and its `max`, so its rectangle has the same corners.
//! * **Touching** counts as overlapping or not, at the caller's choice: see [`Touch`].
//! * **Whole numbers** ([`IVec2`](glam::IVec2), radius `i32`): tests for overlap, containment and first
//!   overlap are exact for every value, up to both ends of `i32`; so is the whole translation of a push-out.
//!   Nothing saturates. Fractions, normals and penetrations are `f64`, with a relative error of at most
//!   1e-14.
//! * **`f32`** ([`Vec2`](glam::Vec2)): computed in `f64`. The same tests are exact if all coordinates and
//!   radii are multiples of one power of two and at most 2^24 times as large: all whole numbers up to
//!   16,777,216, all multiples of 1/256 up to 65,536. Beyond that their answer is that of points displaced
//!   by one part in 2^50. (Two comparisons need products too wide for this: see [`Sector::overlaps`], and
//!   [`Convex::push_out`] on the choice between equally near edges.)
//! * **Symmetry**: shapes that are mirrored, turned by quarters or translated together give the same answer.
//!   Overlaps do not depend on the order of the two. Where several answers are equally good, the docs say
//!   which one is returned.
//! * **Any value is allowed**: a shape without points (a negative radius, `max` less than `min`, a coordinate
//!   that is not finite) is empty: it contains nothing, overlaps nothing and is not pushed. A shape without
//!   extent (radius 0, `min` equal to `max`, start equal to end, three points on a line) is the point or the
//!   segment that its points make.
//! * **Cost**: a test of two shapes with n and m corners takes O(n + m) steps and allocates nothing.

mod core;
mod kinds;
mod number;
mod sector;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use self::core::Core;
use self::number::Widen;
use core::Difference;

pub use self::kinds::{Capsule, Circle, Rectangle, Segment, Triangle};
pub use self::number::Coordinate;
pub use self::sector::Sector;
pub use core::PushOut;
pub use core::SweptOverlap;
pub use kinds::{ConvexPolygon, PolygonError};

#[cfg(doc)]
use crate::geometry::Aabb;

/// Whether shapes that only touch count as overlapping.
///
/// Two shapes touch if they share a point, but an arbitrarily small translation separates them. Two
/// rectangles that share an edge touch; so do a point and a segment through it, and two segments on one line.
/// Two segments that cross overlap, and so do a rectangle and a segment through it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Touch {
    /// Touching is overlapping: shapes overlap if they share a point.
    Counts,
    /// Touching is not overlapping, as with [`Aabb::overlaps`].
    Ignored,
}

impl Touch {
    /// True if `room` is positive, or if it is 0 and touching counts.
    fn counts(self, room: f64) -> bool {
        room > 0.0 || (room == 0.0 && self == Self::Counts)
    }

    /// True if `order` is `Greater`, or if it is `Equal` and touching counts.
    fn admits(self, order: Ordering) -> bool {
        order.is_gt() || (order.is_eq() && self == Self::Counts)
    }
}

/// A convex shape: [`Rectangle`], [`Circle`], [`Capsule`], [`Segment`], [`Triangle`] or [`ConvexPolygon`].
///
/// Each test uses the Minkowski difference of the two: the set of all translations that make them share a
/// point. For polygons this is the separating axis test; the normals of the difference's edges are its axes.
pub trait Convex: sealed::Shape {
    /// True if `point` is in the shape. With [`Touch::Ignored`] a point on its edge is not.
    ///
    /// ```
    /// use bitwall::glam::IVec2;
    /// use bitwall::shapes::{Convex, Touch, Triangle};
    ///
    /// let roof = Triangle { points: [IVec2::new(0, 10), IVec2::new(10, 0), IVec2::new(20, 10)] };
    /// assert!(roof.contains(IVec2::new(10, 9), Touch::Ignored));
    /// assert!(roof.contains(IVec2::new(5, 5), Touch::Counts), "on its edge");
    /// assert!(!roof.contains(IVec2::new(5, 5), Touch::Ignored));
    /// ```
    fn contains(&self, point: Self::Point, touch: Touch) -> bool {
        Circle { center: point, radius: Default::default() }.overlaps(self, touch)
    }

    /// True if the two shapes share a point. With [`Touch::Ignored`] they must still do so after any
    /// sufficiently small translation.
    fn overlaps<S>(&self, other: &S, touch: Touch) -> bool
    where
        S: Convex<Point = Self::Point> + ?Sized,
    {
        let (Some(one), Some(other)) = (self.core(), other.core()) else {
            return false;
        };
        one.may_overlap(&other, touch)
            && (one.is_box() && other.is_box() || {
                let difference = Difference::new(&one, &other);
                let gap = difference.gap(number::Vector::ZERO);
                gap.is_within(difference.radius, touch)
            })
    }

    /// The first overlap with `still` while this shape moves by `translation`, which may have any length;
    /// `None` if there is none. Shapes that overlap from the start give the fraction 0.
    ///
    /// With [`Touch::Counts`] a touch is an overlap, grazing included. With [`Touch::Ignored`] a touch counts
    /// only if the shapes overlap just after it. So a body can slide along another and can end in touch with
    /// it. A body on the ground that moves down is stopped at the fraction 0, with the normal of the ground.
    ///
    /// At a corner two edges are met at once: the normal is that of the edge that the motion meets more
    /// squarely. If it meets both equally squarely, the first edge counts, clockwise from up. The normal is
    /// opposite to the motion if two points meet, or a point and the end of a segment.
    fn swept_overlap<S>(
        &self,
        translation: Self::Point,
        still: &S,
        touch: Touch,
    ) -> Option<SweptOverlap>
    where
        S: Convex<Point = Self::Point> + ?Sized,
    {
        let (moving, still) = (self.core()?, still.core()?);
        let difference = Difference::new(&moving, &still);
        core::swept_overlap(&difference, translation.widen()?, touch)
    }

    /// The shortest translation of this shape that ends its overlap with `still`; the two may still touch
    /// then. `None` if they do not overlap.
    ///
    /// Of equally near edges the first one is used, clockwise from up; a circle at the centre of another is
    /// pushed up. (In `f32` rounding may select another one of two equally near slanted edges.)
    fn push_out<S>(&self, still: &S) -> Option<PushOut<Self::Point>>
    where
        S: Convex<Point = Self::Point> + ?Sized,
    {
        let (moving, still) = (self.core()?, still.core()?);
        core::push_out(&Difference::new(&moving, &still))
    }

    /// The smallest rectangle around the shape, in `f32` rounded outward. `None` if the shape is empty, or if
    /// the rectangle leaves the range of the coordinates, like that of a circle at the end of `i32`.
    ///
    /// ```
    /// use bitwall::glam::IVec2;
    /// use bitwall::shapes::{Circle, Convex, Rectangle};
    ///
    /// let ball = Circle { center: IVec2::new(7, 7), radius: 3 };
    /// let bounds = Rectangle { min: IVec2::new(4, 4), max: IVec2::new(10, 10) };
    /// assert_eq!(ball.bounds(), Some(bounds));
    /// ```
    fn bounds(&self) -> Option<Rectangle<Self::Point>> {
        let [min, max] = self.core()?.bounds();
        Some(Rectangle { min: Self::Point::narrow_down(min)?, max: Self::Point::narrow_up(max)? })
    }
}

impl<S: sealed::Shape + ?Sized> Convex for S {}

mod sealed {
    use super::{Coordinate, Core};

    /// A shape with a convex core.
    pub trait Shape {
        /// The type of the shape's points: `IVec2` or `Vec2`.
        type Point: Coordinate;

        /// The corners and the radius of the shape; `None` if the shape is empty.
        fn core(&self) -> Option<Core<'_, Self::Point>>;
    }
}
