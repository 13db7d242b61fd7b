//! Shapes without a level: rectangle, circle, capsule, segment, triangle, convex polygon and sector, tested
//! exactly against each other.
//!
//! The shapes other than [`Sector`] are [`Convex`], and each of them can be asked about each: does it contain
//! a point, do two overlap, when does one that moves first overlap another, and what is the shortest way out.
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
//! // A ball that rolls 10 to the right comes to the enemy's corner.
//! let ball = Circle { center: IVec2::new(-4, 0), radius: 5 };
//! let hit = ball.swept_overlap(IVec2::new(10, 0), &enemy, Touch::Counts).expect("it is met");
//! assert_eq!(hit.fraction, 0.4);
//! let normal = hit.normal.expect("they do not overlap from the start");
//! assert!((normal - DVec2::new(-0.6, -0.8)).length() < 1e-15, "from the corner toward the ball");
//!
//! // The shortest way out of a deeper overlap, in whole numbers that are sure to end it.
//! let body = Rectangle { min: IVec2::new(0, 0), max: IVec2::new(4, 20) };
//! let out = body.push_out(&enemy).expect("they overlap");
//! assert_eq!(out.translation.as_ivec2(), IVec2::new(-1, 0));
//! ```
//!
//! # What to rely on
//! * **Space** is as in a level: x to the right, y down; "clockwise" is as seen on the screen. The shapes are
//!   closed sets of points, not of pixels: a [`Rectangle`] holds both its corners. The pixels that an
//!   [`Aabb`] covers are the square areas between its `min` and its `max`, so a rectangle is made of one
//!   as it stands.
//! * **Touching** counts as overlapping or not as the caller says: see [`Touch`].
//! * **Whole numbers** ([`IVec2`](glam::IVec2), radius `i32`): whether two overlap, contain, or are met is
//!   exact for every value, up to both ends of `i32`; so is the whole translation that pushes out. Nothing
//!   saturates. Fractions, normals and penetrations are `f64`, with a relative error of at most 1e-14.
//! * **`f32`** ([`Vec2`](glam::Vec2)): reckoned in `f64`. The same tests are exact if all coordinates and
//!   radii are multiples of one power of two and at most 2^24 times as large: all whole numbers up to
//!   16,777,216, all multiples of 1/256 up to 65,536. Beyond that they decide as if places were moved by
//!   one part in 2^50. (Two answers compare products too wide for this: see [`Sector::overlaps`], and
//!   [`Convex::push_out`] on which of two equally near edges it takes.)
//! * **Symmetry**: mirrored, turned by quarters, or moved as a whole, shapes answer alike; overlaps do not
//!   depend on the order of the two. Where there are several best answers the docs say which is given.
//! * **Anything is allowed**: a shape without points (a negative radius, `max` less than `min`, a coordinate
//!   that is not finite) is empty: it contains nothing, overlaps nothing, meets nothing, and is not pushed.
//!   A shape of no size (radius 0, `min` equal to `max`, start equal to end, three points on a line) is the
//!   point or the segment that it looks like.
//! * **Cost**: a test of two shapes with n and m corners takes O(n + m) steps and allocates nothing.

mod core;
mod difference;
mod kinds;
mod number;
mod polygon;
mod push;
mod sector;
mod swept;

#[cfg(test)]
mod tests;

use std::cmp::Ordering;

use self::core::Core;
use self::difference::Difference;
use self::number::Widen;

pub use self::kinds::{Capsule, Circle, Rectangle, Segment, Triangle};
pub use self::number::Coordinate;
pub use self::polygon::{ConvexPolygon, PolygonError};
pub use self::push::PushOut;
pub use self::sector::Sector;
pub use self::swept::SweptOverlap;

#[cfg(doc)]
use crate::geometry::Aabb;

/// Whether shapes that touch overlap.
///
/// Touching is what the least translation can end: two shapes touch if they share a point, but can be moved
/// by as little as one likes so that they share none. Two rectangles that share an edge touch; so do a
/// point and a segment that it lies on, and two segments on one line. Two segments that cross do not touch
/// but overlap, as does a segment that runs through a rectangle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Touch {
    /// Touching is overlapping: shapes overlap if they share a point.
    Counts,
    /// Touching is not overlapping, as with [`Aabb::overlaps`].
    Ignored,
}

impl Touch {
    /// True if `room` for more overlap is positive, or is none and touching counts.
    fn counts(self, room: f64) -> bool {
        room > 0.0 || (room == 0.0 && self == Self::Counts)
    }

    /// As [`Touch::counts`], of how what may be used compares with what is needed.
    fn admits(self, order: Ordering) -> bool {
        order.is_gt() || (order.is_eq() && self == Self::Counts)
    }
}

/// A convex shape: [`Rectangle`], [`Circle`], [`Capsule`], [`Segment`], [`Triangle`] or [`ConvexPolygon`].
///
/// Each test takes both by their difference, the set of all translations that put one on the other
/// (Minkowski; for polygons this is the separating axis test, of which the edges of the difference are the
/// axes).
pub trait Convex: sealed::Shape {
    /// True if `point` lies in the shape. With [`Touch::Ignored`] a point of its edge does not.
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
        Circle {
            center: point,
            radius: Default::default(),
        }
        .overlaps(self, touch)
    }

    /// True if the two shapes share a point, or, with [`Touch::Ignored`], if they do so however little either
    /// is moved.
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

    /// The first overlap with `still` when this shape moves by `translation`, all of it, however long: none
    /// if it comes to the end without one. Shapes that overlap from the start answer with the fraction 0.
    ///
    /// With [`Touch::Counts`] shapes that come to touch have met, those that graze each other too. With
    /// [`Touch::Ignored`] they have only if they would overlap beyond: a body may slide along what it
    /// touches, and may end on it, and one that stands on the ground and moves into it is stopped at the
    /// fraction 0, with the ground's normal.
    ///
    /// Where two edges are met at once, at a corner, the normal is that of the edge that the motion meets
    /// more squarely; if it meets both alike, that of the first, clockwise from up. Two points that meet,
    /// or a point and the end of a segment, have the normal that points back.
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
        swept::swept_overlap(&difference, translation.widen()?, touch)
    }

    /// The shortest translation of this shape that ends its overlap with `still`, so that they touch at most;
    /// `None` if they do so already.
    ///
    /// Of equally near edges the first one counts, clockwise from up; two circles on one point part upward.
    /// (In `f32` this is so up to rounding: of two slanted edges that are just as near the other may be
    /// taken.)
    fn push_out<S>(&self, still: &S) -> Option<PushOut<Self::Point>>
    where
        S: Convex<Point = Self::Point> + ?Sized,
    {
        let (moving, still) = (self.core()?, still.core()?);
        push::push_out(&Difference::new(&moving, &still))
    }

    /// The least rectangle around the shape. `None` if the shape is empty, or reaches beyond the numbers of
    /// its form, as a circle at the end of `i32` does. In `f32` rounded outward.
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
        Some(Rectangle {
            min: Self::Point::narrow_down(min)?,
            max: Self::Point::narrow_up(max)?,
        })
    }
}

impl<S: sealed::Shape + ?Sized> Convex for S {}

/// What makes a shape convex, and keeps others from saying that they are.
mod sealed {
    use super::{Coordinate, Core};

    /// A shape with a convex core.
    pub trait Shape {
        /// What its points are: `IVec2` or `Vec2`.
        type Point: Coordinate;

        /// The core; `None` if the shape is empty.
        fn core(&self) -> Option<Core<'_, Self::Point>>;
    }
}
