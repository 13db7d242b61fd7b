//! Any convex shape in a plain form, and a naive test of two shapes: their distance, computed corner by
//! corner.

use bitwall::glam::{IVec2, Vec2};
use bitwall::shapes::{
    Capsule, Circle, Convex, ConvexPolygon, PushOut, Rectangle, Segment, SweptOverlap, Touch,
    Triangle,
};

/// A convex shape: the corners of its core in order, and the radius around the core.
#[derive(Clone, Debug)]
pub(crate) struct Plain {
    pub(crate) points: Vec<IVec2>,
    pub(crate) radius: i32,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Rectangle,
    Circle,
    Capsule,
    Segment,
    Triangle,
    Polygon,
}

/// Runs the same code for a shape of any kind, with points of type `$point`.
macro_rules! with_shape {
    ($plain:expr, $point:ty, $shape:ident => $body:expr) => {{
        let plain: &Plain = $plain;
        let points: Vec<$point> = plain.points.iter().map(|p| <$point>::cast(*p)).collect();
        let radius = <$point>::scalar(plain.radius);
        match plain.kind {
            Kind::Rectangle => {
                let $shape = &Rectangle { min: points[0], max: points[2] };
                $body
            }
            Kind::Circle => {
                let $shape = &Circle { center: points[0], radius };
                $body
            }
            Kind::Capsule => {
                let $shape = &Capsule { start: points[0], end: points[1], radius };
                $body
            }
            Kind::Segment => {
                let $shape = &Segment { start: points[0], end: points[1] };
                $body
            }
            Kind::Triangle => {
                let $shape = &Triangle { points: [points[0], points[1], points[2]] };
                $body
            }
            Kind::Polygon => {
                let $shape = &ConvexPolygon::new(&points).unwrap();
                $body
            }
        }
    }};
}

trait Form {
    type Scalar;
    fn cast(point: IVec2) -> Self;
    fn scalar(number: i32) -> Self::Scalar;
}

impl Form for IVec2 {
    type Scalar = i32;
    fn cast(point: IVec2) -> Self {
        point
    }
    fn scalar(number: i32) -> i32 {
        number
    }
}

impl Form for Vec2 {
    type Scalar = f32;
    fn cast(point: IVec2) -> Self {
        point.as_vec2()
    }
    fn scalar(number: i32) -> f32 {
        number as f32
    }
}

impl Plain {
    /// Creates a shape of a random kind with its corners within `reach` of (0, 0). Some shapes have no size.
    pub(crate) fn random(random: &mut fastrand::Rng, reach: i32) -> Self {
        let mut point = || IVec2::new(random.i32(-reach..=reach), random.i32(-reach..=reach));
        let (a, b, c) = (point(), point(), point());
        let radius = random.i32(0..=reach / 2);
        let (kind, points, radius) = match random.u32(0..6) {
            0 => {
                let (min, max) = (a.min(b), a.max(b));
                let (right, left) = (IVec2::new(max.x, min.y), IVec2::new(min.x, max.y));
                (Kind::Rectangle, vec![min, right, max, left], 0)
            }
            1 => (Kind::Circle, vec![a], radius),
            2 => (Kind::Capsule, vec![a, b], radius),
            3 => (Kind::Segment, vec![a, b], 0),
            4 => (Kind::Triangle, vec![a, b, c], 0),
            _ => {
                let mut points: Vec<IVec2> = (0..random.usize(3..9))
                    .map(|_| IVec2::new(random.i32(-reach..=reach), random.i32(-reach..=reach)))
                    .collect();
                points = hull(&points);
                if points.len() < 3 {
                    return Self::random(random, reach);
                }
                if random.bool() {
                    points.reverse();
                }
                (Kind::Polygon, points, 0)
            }
        };
        Self { points, radius, kind }
    }

    pub(crate) fn point(point: IVec2) -> Self {
        Self { points: vec![point], radius: 0, kind: Kind::Circle }
    }

    pub(crate) fn mapped(&self, place: impl Fn(IVec2) -> IVec2, scale: i32) -> Self {
        let mut points: Vec<IVec2> = self.points.iter().map(|p| place(*p)).collect();
        if self.kind == Kind::Rectangle {
            let min = points.iter().copied().reduce(IVec2::min).unwrap();
            let max = points.iter().copied().reduce(IVec2::max).unwrap();
            points = vec![min, IVec2::new(max.x, min.y), max, IVec2::new(min.x, max.y)];
        }
        Self { points, radius: self.radius * scale, kind: self.kind }
    }

    pub(crate) fn moved(&self, by: IVec2) -> Self {
        self.mapped(|p| p + by, 1)
    }

    pub(crate) fn scaled(&self, scale: i32) -> Self {
        self.mapped(|p| p * scale, scale)
    }

    pub(crate) fn overlaps(&self, other: &Self, touch: Touch) -> bool {
        with_shape!(self, IVec2, a => with_shape!(other, IVec2, b => a.overlaps(b, touch)))
    }

    pub(crate) fn contains(&self, point: IVec2, touch: Touch) -> bool {
        with_shape!(self, IVec2, a => a.contains(point, touch))
    }

    pub(crate) fn swept(&self, by: IVec2, other: &Self, touch: Touch) -> Option<SweptOverlap> {
        with_shape!(self, IVec2, a => with_shape!(other, IVec2, b => a.swept_overlap(by, b, touch)))
    }

    pub(crate) fn push_out(&self, other: &Self) -> Option<PushOut<IVec2>> {
        with_shape!(self, IVec2, a => with_shape!(other, IVec2, b => a.push_out(b)))
    }

    pub(crate) fn bounds(&self) -> Option<Rectangle<IVec2>> {
        with_shape!(self, IVec2, a => a.bounds())
    }

    pub(crate) fn overlaps_f32(&self, other: &Self, touch: Touch) -> bool {
        with_shape!(self, Vec2, a => with_shape!(other, Vec2, b => a.overlaps(b, touch)))
    }

    pub(crate) fn swept_f32(&self, by: IVec2, other: &Self, touch: Touch) -> Option<SweptOverlap> {
        let by = by.as_vec2();
        with_shape!(self, Vec2, a => with_shape!(other, Vec2, b => a.swept_overlap(by, b, touch)))
    }

    pub(crate) fn push_out_f32(&self, other: &Self) -> Option<PushOut<Vec2>> {
        with_shape!(self, Vec2, a => with_shape!(other, Vec2, b => a.push_out(b)))
    }

    /// Returns the shape of all points that this shape covers while it moves. The new core is the convex hull
    /// of the cores at both ends.
    pub(crate) fn swept_over(&self, by: IVec2) -> Self {
        let mut points = self.points.clone();
        points.extend(self.points.iter().map(|p| *p + by));
        Self { points: hull(&points), radius: self.radius, kind: Kind::Polygon }
    }
}

/// Returns the convex hull, by Andrew's monotone chain. If all points lie on one line, it is the two ends.
pub(crate) fn hull(points: &[IVec2]) -> Vec<IVec2> {
    let mut sorted = points.to_vec();
    sorted.sort_by_key(|p| (p.x, p.y));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let half = |points: &mut dyn Iterator<Item = IVec2>| {
        let mut chain: Vec<IVec2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && cross(sub(b, a), sub(point, a)) <= 0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut hull = half(&mut sorted.iter().copied());
    hull.extend(half(&mut sorted.iter().rev().copied()));
    hull
}

type Wide = (i128, i128);

fn sub(a: IVec2, b: IVec2) -> Wide {
    (i128::from(a.x) - i128::from(b.x), i128::from(a.y) - i128::from(b.y))
}

fn cross(a: Wide, b: Wide) -> i128 {
    a.0 * b.1 - a.1 * b.0
}

fn dot(a: Wide, b: Wide) -> i128 {
    a.0 * b.0 + a.1 * b.1
}

fn sides(points: &[IVec2]) -> impl Iterator<Item = (IVec2, IVec2)> {
    let count = points.len();
    (0..count).map(move |i| (points[i], points[(i + 1) % count]))
}

/// Returns the square of the distance from a point to a segment, as a fraction.
fn point_segment(p: IVec2, (a, b): (IVec2, IVec2)) -> (i128, i128) {
    let (along, from_a) = (sub(b, a), sub(p, a));
    let (ahead, square) = (dot(along, from_a), dot(along, along));
    if ahead <= 0 {
        (dot(from_a, from_a), 1)
    } else if ahead >= square {
        let from_b = sub(p, b);
        (dot(from_b, from_b), 1)
    } else {
        (cross(along, from_a).pow(2), square)
    }
}

fn cross_each_other((a, b): (IVec2, IVec2), (c, d): (IVec2, IVec2)) -> bool {
    let side = |p, (from, to)| cross(sub(to, from), sub(p, from)).signum();
    side(a, (c, d)) * side(b, (c, d)) < 0 && side(c, (a, b)) * side(d, (a, b)) < 0
}

fn is_inside(p: IVec2, points: &[IVec2]) -> bool {
    let turns = || sides(points).map(|(a, b)| cross(sub(b, a), sub(p, a)));
    points.len() > 2 && (turns().all(|turn| turn > 0) || turns().all(|turn| turn < 0))
}

/// Returns the squared distances between the corners of each core and the sides of the other, as fractions.
/// The smallest one is the squared distance of the cores. It is 0 if one core is in the other.
fn distances(a: &Plain, b: &Plain) -> Vec<(i128, i128)> {
    let crosses = sides(&a.points).any(|s| sides(&b.points).any(|t| cross_each_other(s, t)));
    let inside = a.points.iter().any(|p| is_inside(*p, &b.points))
        || b.points.iter().any(|p| is_inside(*p, &a.points));
    if crosses || inside {
        return vec![(0, 1)];
    }
    let of = |a: &Plain, b: &Plain| -> Vec<(i128, i128)> {
        let from = |p: &IVec2| sides(&b.points).map(|s| point_segment(*p, s)).collect::<Vec<_>>();
        a.points.iter().flat_map(from).collect()
    };
    [of(a, b), of(b, a)].concat()
}

/// Returns the distance between the cores of two shapes, rounded to `f64`.
pub(crate) fn distance(a: &Plain, b: &Plain) -> f64 {
    let rounded = |(square, of): (i128, i128)| (square as f64 / of as f64).sqrt();
    distances(a, b).into_iter().map(rounded).fold(f64::INFINITY, f64::min)
}

/// True if the shapes share a point.
pub(crate) fn naive_overlaps(a: &Plain, b: &Plain) -> bool {
    let radius = i128::from(a.radius) + i128::from(b.radius);
    let is_near = |(square, of): (i128, i128)| square <= radius * radius * of;
    distances(a, b).into_iter().any(is_near)
}

/// True if the shapes still share a point after any displacement by one unit. It is for enlarged shapes, in
/// which less than a unit never changes the answer.
pub(crate) fn naive_overlaps_however(a: &Plain, b: &Plain) -> bool {
    [IVec2::X, IVec2::Y, -IVec2::X, -IVec2::Y].into_iter().all(|by| naive_overlaps(&a.moved(by), b))
}
