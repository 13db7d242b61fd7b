//! Collision tests between geometric shapes, without a level: rectangle, circle, capsule, segment, triangle,
//! convex polygon and sector.
//!
//! Every shape except [`Sector`] implements [`Convex`]. Any two convex shapes can be tested for overlap, for
//! the first overlap during a motion, and for the shortest translation that separates them.
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
//! * **Space** is the same as in a level: x to the right, y down; "clockwise" is as seen on the screen. A
//!   shape is a closed set of points, not of pixels: a [`Rectangle`] includes its edges. The rectangle of an
//!   [`Aabb`] has the same `min` and `max`, because each pixel counts as a square.
//! * **Touching** counts as overlapping or not, as the caller chooses: see [`Touch`].
//! * **Whole numbers** ([`IVec2`](glam::IVec2), radius `i32`): tests for overlap, containment and first
//!   overlap are exact for every `i32`; the whole translation of a push-out is exact too. Nothing saturates.
//!   Fractions, normals and penetrations are `f64`, with a relative error of at most 1e-14.
//! * **`f32`** ([`Vec2`](glam::Vec2)): the tests compute in `f64`. They are exact if all coordinates and
//!   radii are multiples of one power of two and at most 2^24 times as large, such as all whole numbers up to
//!   16,777,216 or all multiples of 1/256 up to 65,536. Otherwise an answer is exact for points that differ
//!   from the given points by one part in 2^50. (Two comparisons need wider products: see
//!   [`Sector::overlaps`], and [`Convex::push_out`] on equally near edges.)
//! * **Symmetry**: mirrored, quarter-turned or translated shapes give the same answer. An overlap does not
//!   depend on the order of the two shapes. If several answers are equally good, the docs define the returned
//!   answer.
//! * **Any value is allowed**. A negative radius, `max` less than `min`, or a coordinate that is not finite
//!   makes a shape empty. An empty shape contains nothing, overlaps nothing and is not pushed. A shape
//!   without an area (radius 0, `min` equal to `max`, or points on a line) is a point or a segment.
//! * **Cost**: a test of two shapes with n and m corners takes O(n + m) steps and allocates nothing.

mod core;
mod kinds;
mod number;
mod sector;

#[cfg(test)]
mod tests;

use glam::DVec2;

use self::core::{Core, Difference};
pub use self::core::{PushOut, SweptOverlap};
pub use self::kinds::{Capsule, Circle, ConvexPolygon, PolygonError, Rectangle, Segment, Triangle};
pub use self::number::Coordinate;
use self::number::{Number, Vector};
pub use self::sector::Sector;

#[cfg(doc)]
use crate::geometry::Aabb;

/// The rule for shapes that only touch: whether they count as overlapping.
///
/// Two shapes touch if they share a point, but an arbitrarily small translation separates them: rectangles at
/// a shared edge, segments on one line, or a segment and a point on it. A segment overlaps a rectangle or a
/// segment that it crosses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Touch {
    /// Touching counts as overlapping: shapes overlap if they share a point.
    Counts,
    /// Touching does not count as overlapping, as in [`Aabb::overlaps`].
    Ignored,
}

impl Touch {
    /// True if shapes that overlap by `room` count as overlapping. `room` is 0 if they only touch, and
    /// negative if they are apart.
    fn counts(self, room: f64) -> bool {
        room > 0.0 || (room == 0.0 && self == Self::Counts)
    }
}

/// A convex shape: [`Rectangle`], [`Circle`], [`Capsule`], [`Segment`], [`Triangle`] or [`ConvexPolygon`].
///
/// A test of two shapes uses their Minkowski difference: the set of all translations after which the shapes
/// share a point. For polygons this is the separating axis test.
pub trait Convex: sealed::Shape {
    /// Returns true if `point` is in the shape. With [`Touch::Ignored`] points on the edge of the shape are
    /// not in it.
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

    /// Returns true if the shapes share a point. With [`Touch::Ignored`] they must share a point even after
    /// any sufficiently small translation.
    fn overlaps<S>(&self, other: &S, touch: Touch) -> bool
    where
        S: Convex<Point = Self::Point> + ?Sized,
    {
        let (Some(one), Some(other)) = (self.core(), other.core()) else { return false };
        one.may_overlap(&other, touch)
            && (one.is_box() && other.is_box() || {
                let difference = Difference::new(&one, &other);
                let gap = difference.gap(Vector::ZERO);
                gap.is_within(difference.radius, touch)
            })
    }

    /// Returns the first overlap with `still` while `self` moves by `translation`, or `None` if the shapes do
    /// not overlap on the way. `translation` may have any length. Shapes that overlap at the start give the
    /// fraction 0.
    ///
    /// With [`Touch::Counts`] any touch is an overlap, even if the shapes only graze each other. With
    /// [`Touch::Ignored`] a touch counts only if the shapes would overlap just after it. So a body can slide
    /// along a wall, and can end a motion where it touches the wall. A body on the ground that moves down is
    /// stopped at the fraction 0, with the normal of the ground.
    ///
    /// At a corner the motion hits two edges at once. The result then has the normal that is more directly
    /// opposite to the motion. If both are equally opposite, it has the first normal clockwise from up. If a
    /// point hits a point or the end of a segment, the normal is opposite to the motion.
    fn swept_overlap<S>(
        &self,
        translation: Self::Point,
        still: &S,
        touch: Touch,
    ) -> Option<SweptOverlap>
    where
        S: Convex<Point = Self::Point> + ?Sized,
    {
        let moving = self.core()?;
        let still = still.core()?;
        let difference = Difference::new(&moving, &still);
        Ray { difference, path: Vector::widen(translation)?, touch }.first_overlap()
    }

    /// Returns the shortest translation of `self` that ends the overlap with `still`, or `None` if the shapes
    /// do not overlap. The shapes may still touch after the translation.
    ///
    /// If several edges are equally near, `self` is pushed out of the edge whose normal comes first clockwise
    /// from up. A circle with the same centre as another circle is pushed up. (In `f32` rounding may change
    /// the choice between two equally near slanted edges.)
    fn push_out<S>(&self, still: &S) -> Option<PushOut<Self::Point>>
    where
        S: Convex<Point = Self::Point> + ?Sized,
    {
        let moving = self.core()?;
        let still = still.core()?;
        core::push_out(&Difference::new(&moving, &still))
    }

    /// Returns the smallest rectangle around the shape; in `f32` its sides are rounded outward. Returns
    /// `None` if the shape is empty, or if the rectangle does not fit in the range of the coordinates, such
    /// as for a circle at the end of the range of `i32`.
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
        Some(Rectangle { min: min.narrow(false)?, max: max.narrow(true)? })
    }
}

impl<S: sealed::Shape + ?Sized> Convex for S {}

mod sealed {
    use super::{Coordinate, Core};

    /// The private supertrait of [`Convex`](super::Convex), so that only the shapes of this crate implement
    /// it.
    pub trait Shape {
        /// The type of the shape's points: `IVec2` or `Vec2`.
        type Point: Coordinate;

        /// Returns the corners and the radius of the shape, or `None` if the shape is empty.
        fn core(&self) -> Option<Core<'_, Self::Point>>;
    }
}

/// The motion of a shape: the path of the ray and the difference that it may enter.
struct Ray<'c, V: Coordinate> {
    difference: Difference<'c, V>,
    path: Vector<V::Number>,
    touch: Touch,
}

impl<N: Number> Vector<N> {
    /// Converts a point to wider numbers; `None` if it is not finite.
    fn widen<V: Coordinate<Number = N>>(point: V) -> Option<Self> {
        let [x, y] = point.into();
        Some(Self { x: V::widen_scalar(x)?, y: V::widen_scalar(y)? })
    }

    /// Converts the vector to a caller's point, each coordinate like `narrow_scalar`.
    fn narrow<V: Coordinate<Number = N>>(self, is_up: bool) -> Option<V> {
        Some([V::narrow_scalar(self.x, is_up)?, V::narrow_scalar(self.y, is_up)?].into())
    }

    const ZERO: Self = Self { x: N::ZERO, y: N::ZERO };

    /// The cross product. It is positive if `other` is clockwise from `self` on the screen, by less than half
    /// a turn.
    fn cross(self, other: Self) -> N {
        self.x * other.y - self.y * other.x
    }

    fn dot(self, other: Self) -> N {
        self.x * other.x + self.y * other.y
    }

    fn square(self) -> N {
        self.dot(self)
    }

    /// The vector after a quarter turn counter-clockwise on the screen. For an edge of a clockwise outline,
    /// the result points out of the shape.
    fn turned_out(self) -> Self {
        Self { x: self.y, y: -self.x }
    }

    fn to_f64(self) -> DVec2 {
        DVec2::new(self.x.to_f64(), self.y.to_f64())
    }

    /// The vector of length 1 in the same direction.
    fn direction(self) -> DVec2 {
        self.to_f64().normalize()
    }

    /// The smaller of both coordinates along each axis.
    fn min(self, other: Self) -> Self {
        Self {
            x: if other.x < self.x { other.x } else { self.x },
            y: if other.y < self.y { other.y } else { self.y },
        }
    }

    /// The greater of both coordinates along each axis.
    fn max(self, other: Self) -> Self {
        -(-self).min(-other)
    }

    /// True if this point is above `other`, or left of it at the same height.
    fn is_before(self, other: Self) -> bool {
        (self.y, self.x) < (other.y, other.x)
    }

    /// True for directions from right (inclusive) clockwise on the screen to left (exclusive).
    fn is_in_first_half(self) -> bool {
        self.y > N::ZERO || (self.y == N::ZERO && self.x > N::ZERO)
    }
}
