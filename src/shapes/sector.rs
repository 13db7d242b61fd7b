//! The sector: a slice of a disc, as what a guard sees or a tower reaches.
//!
//! It is bounded by two rays and asks for no angle and no root: a point lies between the rays if it lies on
//! the right sides of both. It may be wider than half a disc, so it is not one of the convex shapes.

use glam::Vec2;

use super::core::Core;
use super::number::{Coordinate, Number, Vector};
use super::{Circle, Convex, ConvexPolygon, Rectangle, Segment, Touch, Triangle};

/// All points within `radius` of `center` in a direction between `from` and, clockwise on the screen, `to`.
///
/// `from` and `to` are vectors of any length. If they point the same way the sector is the whole disc; if one
/// of them is 0 it is empty. Of radius 0 it is the point `center`.
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
    /// The tip.
    pub center: V,
    /// In pixels; empty if negative.
    pub radius: V::Scalar,
    /// The way of the first ray from the center.
    pub from: V,
    /// The way of the last ray from the center.
    pub to: V,
}

impl Sector<Vec2> {
    /// The sector around `direction` (of any length) that reaches `half_angle` radians to either side; from
    /// a half turn on it is the whole disc. `None` if the direction is 0, a number is not finite, or the half
    /// angle is not positive or too small to turn the direction in `f32`.
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
        let turned = |angle: f64| middle.rotate(glam::DVec2::from_angle(angle)).as_vec2();
        let (from, to) = if is_whole {
            (turned(0.0), turned(0.0))
        } else {
            let angle = f64::from(half_angle);
            (turned(-angle), turned(angle))
        };
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
    /// True if `point` lies in the sector. With [`Touch::Ignored`] a point of its outline does not.
    pub fn contains(&self, point: V, touch: Touch) -> bool {
        let radius = V::Scalar::default();
        self.overlaps(
            &Circle {
                center: point,
                radius,
            },
            touch,
        )
    }

    /// True if the sector and the shape share a point, or, with [`Touch::Ignored`], if they do so however
    /// little either is moved. O(n) for n corners.
    ///
    /// In whole numbers this is exact for every value. In `f32` a distance that is compared with a radius is
    /// good to one part in 10^14; which side of a ray a corner is on is exact in the range of the module's
    /// page. Capsules are left out: of those the exact answer needs roots of roots.
    pub fn overlaps<S>(&self, other: &S, touch: Touch) -> bool
    where
        S: MeetsSector<Point = V>,
    {
        let (Some(wide), Some(core)) = (Wide::new(self), other.core()) else {
            return false;
        };
        let tip = Circle {
            center: self.center,
            radius: self.radius,
        };
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
        // Wider than half a disc: it is the half disc after the first ray and that before the last.
        let halves = [(wide.from, -wide.from), (-wide.to, wide.to)];
        halves
            .into_iter()
            .any(|(from, to)| Wide { from, to, ..wide }.overlaps(&core, touch))
    }
}

/// The shapes that a sector can be tested against.
pub trait MeetsSector: Convex {}

impl<V: Coordinate> MeetsSector for Rectangle<V> {}
impl<V: Coordinate> MeetsSector for Circle<V> {}
impl<V: Coordinate> MeetsSector for Segment<V> {}
impl<V: Coordinate> MeetsSector for Triangle<V> {}
impl<V: Coordinate> MeetsSector for ConvexPolygon<V> {}

/// A sector of at most half a disc and some radius, in wider numbers.
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
            center: sector.center.widen()?,
            radius: V::widen_scalar(sector.radius)?,
            from: sector.from.widen()?,
            to: sector.to.widen()?,
        };
        let is_empty =
            wide.radius < N::ZERO || wide.from == Vector::ZERO || wide.to == Vector::ZERO;
        (!is_empty).then_some(wide)
    }

    fn overlaps<V: Coordinate<Number = N>>(&self, core: &Core<'_, V>, touch: Touch) -> bool {
        if core.radius > N::ZERO {
            // A circle, and one that meets the disc: so it does where its center lies between the rays.
            return core.places().any(|place| {
                let center = place - self.center;
                self.has_between(center)
                    || is_ray_near(self.from, self.radius, center, core.radius, touch)
                    || is_ray_near(self.to, self.radius, center, core.radius, touch)
            });
        }
        // Of the part of a polygon that lies between the rays, the point nearest to the tip is the tip itself
        // or lies on a side.
        let sides = || {
            core.sides()
                .map(|(start, end)| (start - self.center, end - self.center))
        };
        let is_tip_inside = sides().all(|(start, end)| start.cross(end) > N::ZERO);
        let is_within_reach =
            is_tip_inside || sides().any(|(start, end)| self.reaches(start, end, touch));
        is_within_reach
            && (touch == Touch::Counts || sides().any(|(start, end)| self.opens_on(start, end)))
    }

    /// True if the direction `way` lies between the rays, or on one of them.
    fn has_between(&self, way: Vector<N>) -> bool {
        self.from.cross(way) >= N::ZERO && way.cross(self.to) >= N::ZERO
    }

    /// True if the part of a side that lies between the rays has a point within the radius.
    fn reaches(&self, start: Vector<N>, end: Vector<N>, touch: Touch) -> bool {
        let (along, radius) = (end - start, self.radius);
        let beside = start.cross(along);
        let is_near = |point: Vector<N>| {
            let room = radius * radius - point.square();
            self.has_between(point) && touch.counts(room.to_f64())
        };
        if along.dot(start) >= N::ZERO {
            if is_near(start) {
                return true;
            }
        } else if along.dot(end) <= N::ZERO {
            if is_near(end) {
                return true;
            }
        } else {
            let out = along.turned_out();
            let foot = if beside < N::ZERO { -out } else { out };
            let room = N::products(radius * radius, along.square(), beside, beside);
            let is_between = beside == N::ZERO || self.has_between(foot);
            if is_between && touch.counts(room) {
                return true;
            }
        }
        // The point of the side that is nearest of all is not between the rays: then it is one on a ray.
        [self.from, self.to].into_iter().any(|ray| {
            let (one, other) = (ray.cross(start), ray.cross(end));
            let is_crossed =
                (one <= N::ZERO && other >= N::ZERO) || (one >= N::ZERO && other <= N::ZERO);
            let crossing = other - one;
            let is_ahead = if crossing > N::ZERO {
                beside >= N::ZERO
            } else {
                beside <= N::ZERO
            };
            let order = || N::squares(radius * crossing, N::ONE, beside, ray.square());
            is_crossed && crossing != N::ZERO && is_ahead && touch.admits(order())
        })
    }

    /// True if a point of the side lies between the rays and on neither.
    fn opens_on(&self, start: Vector<N>, end: Vector<N>) -> bool {
        let [from_start, from_end] = [start, end].map(|place| self.from.cross(place));
        let [to_start, to_end] = [start, end].map(|place| place.cross(self.to));
        if (from_start > N::ZERO && to_start > N::ZERO) || (from_end > N::ZERO && to_end > N::ZERO)
        {
            return true;
        }
        // Past one ray at one end and past the other at the other, it may go by in front of the tip.
        (from_start > N::ZERO
            && to_end > N::ZERO
            && N::products(from_start, to_end, from_end, to_start) > 0.0)
            || (from_end > N::ZERO
                && to_start > N::ZERO
                && N::products(from_end, to_start, from_start, to_end) > 0.0)
    }
}

/// True if `point` lies within `distance` of the part of a ray from the origin that is `radius` long.
fn is_ray_near<N: Number>(
    ray: Vector<N>,
    radius: N,
    point: Vector<N>,
    distance: N,
    touch: Touch,
) -> bool {
    let (ahead, square) = (ray.dot(point), ray.square());
    let room = distance * distance;
    if ahead <= N::ZERO {
        return touch.counts((room - point.square()).to_f64());
    }
    if N::squares(ahead, N::ONE, radius, square).is_lt() {
        let across = ray.cross(point);
        return touch.counts(N::products(room, square, across, across));
    }
    // Nearest is the end of the ray: the law of cosines, with the root of `square` on one side.
    let beyond = point.square() + radius * radius - room;
    let twice = radius * ahead + radius * ahead;
    beyond <= N::ZERO || touch.admits(N::squares(twice, N::ONE, beyond, square))
}
