//! The sector: a slice of a disc, such as the view of a guard or the range of a tower. Its two straight sides
//! (rays) are given by vectors, so tests need neither an angle nor a square root. A sector may be wider than
//! half a disc, so it is not always convex.

use std::cmp::Ordering;

use glam::Vec2;

use crate::geometry;

use super::core::Core;
use super::number::{Coordinate, Number, Vector};
use super::{Circle, Convex, ConvexPolygon, Rectangle, Segment, Touch, Triangle};

/// A sector of a disc: the points within `radius` of `center` between two directions, clockwise on the screen
/// from `from` to `to`.
///
/// `from` and `to` are vectors of any length. Equal directions make the whole disc. A vector of 0 makes the
/// sector empty. With radius 0 the sector is the point `center`.
///
/// ```
/// use bitwall::glam::IVec2;
/// use bitwall::shapes::{Rectangle, Sector, Touch};
///
/// // A guard at (50, 50) looks down, 45 degrees to either side, 20 pixels far.
/// let sight = Sector {
///     center: IVec2::new(50, 50),
///     radius: 20,
///     from: IVec2::new(1, 1),
///     to: IVec2::new(-1, 1),
/// };
/// assert!(sight.contains(IVec2::new(50, 70), Touch::Counts));
/// assert!(!sight.contains(IVec2::new(50, 40), Touch::Counts), "behind the guard");
/// let crate_on_the_right = Rectangle { min: IVec2::new(60, 50), max: IVec2::new(80, 59) };
/// assert!(!sight.overlaps(&crate_on_the_right, Touch::Counts));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Sector<V: Coordinate> {
    /// The center of the disc, which is the tip of the sector.
    pub center: V,
    /// The radius in pixels. A negative radius makes the sector empty.
    pub radius: V::Scalar,
    /// The direction of the first ray from the center.
    pub from: V,
    /// The direction of the second ray from the center.
    pub to: V,
}

impl Sector<Vec2> {
    /// Returns the sector that extends `half_angle` radians to either side of `direction`. `direction` may
    /// have any length.
    ///
    /// A half angle of pi or more gives the whole disc. Returns `None` if `direction` is 0, if a number is
    /// not finite, or if `half_angle` is not positive or too small to turn the direction in `f32`.
    ///
    /// ```
    /// use bitwall::glam::Vec2;
    /// use bitwall::shapes::{Sector, Touch};
    ///
    /// let sight = Sector::from_angle(Vec2::ZERO, 20.0, Vec2::X, 0.5).expect("a sector");
    /// assert!(sight.contains(Vec2::new(10.0, 5.0), Touch::Counts));
    /// assert!(!sight.contains(Vec2::new(10.0, 6.0), Touch::Counts));
    /// ```
    pub fn from_angle(center: Vec2, radius: f32, direction: Vec2, half_angle: f32) -> Option<Self> {
        let is_whole = half_angle >= std::f32::consts::PI;
        let middle = direction.as_dvec2().try_normalize()?;
        let angle = f64::from(half_angle);
        let angles = if is_whole { [0.0; 2] } else { [-angle, angle] };
        let [from, to] = angles.map(|angle| middle.rotate(geometry::direction(angle)).as_vec2());
        let is_sector = half_angle > 0.0 && half_angle.is_finite() && (is_whole || from != to);
        (is_sector && center.is_finite() && radius.is_finite()).then_some(Self {
            center,
            radius,
            from,
            to,
        })
    }
}

impl<V: Coordinate> Sector<V> {
    /// Returns true if `point` is in the sector. With [`Touch::Ignored`] the outline of the sector does not
    /// count.
    pub fn contains(&self, point: V, touch: Touch) -> bool {
        let radius = V::Scalar::default();
        self.overlaps(&Circle { center: point, radius }, touch)
    }

    /// Returns true if the sector and `other` share a point. With [`Touch::Ignored`] they must share a point
    /// even after any sufficiently small translation.
    ///
    /// O(n) for n corners.
    ///
    /// With whole numbers the answer is exact for every value. With `f32` the comparison of a distance with a
    /// radius has a relative error of at most 10^-14. The side of a ray on which a corner lies is exact in
    /// the range that the docs of [`shapes`](super) state. Capsules are not supported, because their exact
    /// answer needs nested roots.
    pub fn overlaps<S>(&self, other: &S, touch: Touch) -> bool
    where
        S: MeetsSector<Point = V>,
    {
        let (Some(wide), Some(core)) = (Wide::new(self), other.core()) else { return false };
        let tip = Circle { center: self.center, radius: self.radius };
        if !tip.overlaps(other, touch) {
            return false;
        }
        let turn = wide.from.cross(wide.to);
        let is_disc = turn == V::Number::ZERO && wide.from.dot(wide.to) > V::Number::ZERO;
        if is_disc || wide.radius == V::Number::ZERO {
            return true;
        }
        if turn >= V::Number::ZERO {
            return wide.overlaps(&core, touch);
        }
        // A sector wider than half a disc is the union of two half discs: one that starts at the first ray,
        // and one that ends at the second ray.
        let halves = [(wide.from, -wide.from), (-wide.to, wide.to)];
        halves.into_iter().any(|(from, to)| Wide { from, to, ..wide }.overlaps(&core, touch))
    }
}

/// A convex shape that can be tested for overlap with a sector: every shape except
/// [`Capsule`](super::Capsule).
pub trait MeetsSector: Convex {}

impl<V: Coordinate> MeetsSector for Rectangle<V> {}
impl<V: Coordinate> MeetsSector for Circle<V> {}
impl<V: Coordinate> MeetsSector for Segment<V> {}
impl<V: Coordinate> MeetsSector for Triangle<V> {}
impl<V: Coordinate> MeetsSector for ConvexPolygon<V> {}

/// A sector of at most half a disc and with a positive radius, in the wider numbers of the tests.
#[derive(Clone, Copy)]
struct Wide<N> {
    center: Vector<N>,
    radius: N,
    from: Vector<N>,
    to: Vector<N>,
}

impl<N: Number> Wide<N> {
    fn new<V: Coordinate<Number = N>>(sector: &Sector<V>) -> Option<Self> {
        let wide = Self {
            center: Vector::widen(sector.center)?,
            radius: V::widen_scalar(sector.radius)?,
            from: Vector::widen(sector.from)?,
            to: Vector::widen(sector.to)?,
        };
        let is_empty =
            wide.radius < N::ZERO || wide.from == Vector::ZERO || wide.to == Vector::ZERO;
        (!is_empty).then_some(wide)
    }

    fn overlaps<V: Coordinate<Number = N>>(&self, core: &Core<'_, V>, touch: Touch) -> bool {
        if core.radius > N::ZERO {
            // The shape is a circle that overlaps the disc. It overlaps the sector if its center is between
            // the rays, or if it overlaps one of the rays.
            return core.places().any(|place| {
                let center = place - self.center;
                self.has_between(center)
                    || is_ray_near(self.from, self.radius, center, core.radius, touch)
                    || is_ray_near(self.to, self.radius, center, core.radius, touch)
            });
        }
        // The point nearest to the tip, in the part of a polygon between the rays, is the tip itself or a
        // point of a side.
        let mut is_tip_inside = true;
        let mut is_reached = false;
        let mut is_open = touch == Touch::Counts;
        for (start, end) in core.sides() {
            let start = start - self.center;
            let end = end - self.center;
            is_tip_inside &= start.cross(end) > N::ZERO;
            is_reached = is_reached || self.reaches(start, end, touch);
            is_open = is_open || self.opens_on(start, end);
        }
        (is_tip_inside || is_reached) && is_open
    }

    /// True if `direction` is between the rays or along a ray.
    fn has_between(&self, direction: Vector<N>) -> bool {
        self.from.cross(direction) >= N::ZERO && direction.cross(self.to) >= N::ZERO
    }

    /// True if a point of the side from `start` to `end` is between the rays and within the radius.
    fn reaches(&self, start: Vector<N>, end: Vector<N>, touch: Touch) -> bool {
        let along = end - start;
        let radius = self.radius;
        let beside = start.cross(along);
        // The direction of the nearest point of the side, or 0 if that is the tip.
        let (toward, room) = if along.dot(start) >= N::ZERO {
            (start, (radius * radius - start.square()).to_f64())
        } else if along.dot(end) <= N::ZERO {
            (end, (radius * radius - end.square()).to_f64())
        } else {
            let out = along.turned_out();
            let foot = match beside.partial_cmp(&N::ZERO) {
                Some(Ordering::Less) => -out,
                Some(Ordering::Greater) => out,
                _ => Vector::ZERO,
            };
            (foot, N::products(radius * radius, along.square(), beside, beside))
        };
        if self.has_between(toward) && touch.counts(room) {
            return true;
        }
        // The nearest point of the whole side is not between the rays. So the nearest point of the part
        // between the rays is on a ray.
        [self.from, self.to].into_iter().any(|ray| {
            let one = ray.cross(start);
            let other = ray.cross(end);
            let is_crossed =
                (one <= N::ZERO && other >= N::ZERO) || (one >= N::ZERO && other <= N::ZERO);
            let crossing = other - one;
            let is_ahead = if crossing > N::ZERO { beside >= N::ZERO } else { beside <= N::ZERO };
            is_crossed
                && crossing != N::ZERO
                && is_ahead
                && touch.counts(N::squares(radius * crossing, N::ONE, beside, ray.square()))
        })
    }

    /// True if a point of the side from `start` to `end` is strictly between the rays.
    fn opens_on(&self, start: Vector<N>, end: Vector<N>) -> bool {
        let one = [self.from.cross(start), start.cross(self.to)];
        let other = [self.from.cross(end), end.cross(self.to)];
        is_open_from(one, other) || is_open_from(other, one)
    }
}

/// True if a point of a side is strictly between the rays, counted from the end of the side inside the first
/// ray. `from` is positive if an end is inside the first ray, and `to` if it is inside the second ray.
fn is_open_from<N: Number>([from, to]: [N; 2], [other_from, other_to]: [N; 2]) -> bool {
    // If the two ends are outside of different rays, the side may pass in front of the tip.
    let passes =
        to > N::ZERO || (other_to > N::ZERO && N::products(from, other_to, other_from, to) > 0.0);
    from > N::ZERO && passes
}

/// True if `point` is within `distance` of a segment: the segment starts at the origin, has the direction
/// `ray` and the length `radius`.
fn is_ray_near<N: Number>(
    ray: Vector<N>,
    radius: N,
    point: Vector<N>,
    distance: N,
    touch: Touch,
) -> bool {
    let ahead = ray.dot(point);
    let square = ray.square();
    let room = distance * distance;
    if ahead <= N::ZERO {
        return touch.counts((room - point.square()).to_f64());
    }
    if N::squares(ahead, N::ONE, radius, square) < 0.0 {
        let across = ray.cross(point);
        return touch.counts(N::products(room, square, across, across));
    }
    // The end of the segment is nearest. The test is the law of cosines, with the square root of `square`
    // alone on one side.
    let beyond = point.square() + radius * radius - room;
    let twice = radius * ahead + radius * ahead;
    beyond <= N::ZERO || touch.counts(N::squares(twice, N::ONE, beyond, square))
}
