//! Compares bitwall's shapes with those of parry2d on random pairs of all kinds: whether they overlap, and
//! the first contact of a motion.
//!
//! Prints a table, and fails if the two differ by more than the tolerance of a test. All lengths are in
//! pixels. Shapes are within 100 pixels of the origin and up to 40 pixels large, in steps of 1/4, so that
//! many pairs touch and bitwall's `f32` shapes are exact.
//!
//! The known differences:
//! * **overlap**: parry computes in `f32` with square roots, so shapes that touch, or nearly touch, may
//!   overlap or not. The difference is the distance of the shapes if only parry sees an overlap, and the
//!   depth of their overlap if only bitwall does. Triangles are passed to parry counter-clockwise, as its
//!   docs require. With clockwise triangles its test against a cuboid uses inward normals and reports
//!   overlaps of shapes that are pixels apart. (bitwall accepts both.)
//! * **cast**: parry's cast of two general shapes is an iteration that ends near the contact, with its own
//!   tolerance. Contacts within a thousandth of a pixel along the path agree. If parry's contact is too
//!   early, or should not exist, the difference is the distance of the shapes there. If it is too late or
//!   missing, the difference is the depth of the overlap, because near a graze a small error of depth is a
//!   large one along the path. For shapes that overlap from the start, the cast sometimes finds nothing (for
//!   one of these pairs: two diamonds, one straight above the other). Then parry's own overlap test is used
//!   as its answer.

use bitwall::glam::{DVec2, Vec2};
use bitwall::shapes::{
    Capsule, Circle, Convex, ConvexPolygon, Rectangle, Segment, Touch, Triangle,
};
use parry2d::math::{Pose, Vector};
use parry2d::query::{self, ShapeCastOptions};
use parry2d::shape;

const PAIRS: u32 = 100_000;

/// The largest allowed difference between overlaps. It covers the rounding of parry's `f32` at 200 pixels,
/// and in its computations.
const OVERLAP_TOLERANCE: f64 = 5e-3;

/// The same as [`OVERLAP_TOLERANCE`] for contacts along a motion.
const CAST_TOLERANCE: f64 = 1e-2;

const KINDS: [&str; 6] = ["rectangle", "circle", "capsule", "segment", "triangle", "polygon"];

/// The core and radius of a shape, and the same shape in both libraries.
struct Body {
    points: Vec<DVec2>,
    radius: f64,
    ours: Ours,
    theirs: Box<dyn shape::Shape>,
    pose: Pose,
}

enum Ours {
    Rectangle(Rectangle<Vec2>),
    Circle(Circle<Vec2>),
    Capsule(Capsule<Vec2>),
    Segment(Segment<Vec2>),
    Triangle(Triangle<Vec2>),
    Polygon(ConvexPolygon<Vec2>),
}

/// Runs the same code for a shape of any type.
macro_rules! with_shape {
    ($ours:expr, $shape:ident => $body:expr) => {
        match $ours {
            Ours::Rectangle($shape) => $body,
            Ours::Circle($shape) => $body,
            Ours::Capsule($shape) => $body,
            Ours::Segment($shape) => $body,
            Ours::Triangle($shape) => $body,
            Ours::Polygon($shape) => $body,
        }
    };
}

/// Returns a random multiple of 1/4 within `reach` of 0.
fn quarters(random: &mut fastrand::Rng, reach: i32) -> f32 {
    random.i32(-4 * reach..=4 * reach) as f32 / 4.0
}

fn point(random: &mut fastrand::Rng, reach: i32) -> Vec2 {
    Vec2::new(quarters(random, reach), quarters(random, reach))
}

fn vector(point: Vec2) -> Vector {
    Vector::new(point.x, point.y)
}

fn body(random: &mut fastrand::Rng, kind: usize) -> Body {
    loop {
        if let Some(body) = try_body(random, kind) {
            return body;
        }
    }
}

/// Creates a shape of this kind, or `None` if it has no size, which parry's shapes need.
fn try_body(random: &mut fastrand::Rng, kind: usize) -> Option<Body> {
    let place = point(random, 80);
    let (a, b, c) = (place, place + point(random, 20), place + point(random, 20));
    let radius = random.i32(1..=60) as f32 / 4.0;
    let mut pose = Pose::IDENTITY;
    let (ours, theirs, points, radius): (_, Box<dyn shape::Shape>, _, _) = match KINDS[kind] {
        "rectangle" => {
            let (min, max) = (a.min(b), a.max(b));
            let half = (max - min) / 2.0;
            if half.min_element() <= 0.0 {
                return None;
            }
            pose = Pose::from_translation(vector(min + half));
            let corners = vec![min, Vec2::new(max.x, min.y), max, Vec2::new(min.x, max.y)];
            let ours = Ours::Rectangle(Rectangle { min, max });
            (ours, Box::new(shape::Cuboid::new(vector(half))), corners, 0.0)
        }
        "circle" => {
            pose = Pose::from_translation(vector(a));
            let ours = Ours::Circle(Circle { center: a, radius });
            (ours, Box::new(shape::Ball::new(radius)), vec![a], radius)
        }
        "capsule" => {
            if a == b {
                return None;
            }
            let ours = Ours::Capsule(Capsule { start: a, end: b, radius });
            let theirs = shape::Capsule::new(vector(a), vector(b), radius);
            (ours, Box::new(theirs), vec![a, b], radius)
        }
        "segment" => {
            if a == b {
                return None;
            }
            let ours = Ours::Segment(Segment { start: a, end: b });
            let theirs = shape::Segment::new(vector(a), vector(b));
            (ours, Box::new(theirs), vec![a, b], 0.0)
        }
        "triangle" => {
            if (b - a).perp_dot(c - a).abs() < 1.0 {
                return None;
            }
            let ours = Ours::Triangle(Triangle { points: [a, b, c] });
            let (left, right) = if (b - a).perp_dot(c - a) > 0.0 { (b, c) } else { (c, b) };
            let theirs = shape::Triangle::new(vector(a), vector(left), vector(right));
            (ours, Box::new(theirs), vec![a, b, c], 0.0)
        }
        _ => {
            // Four to eight points around a position, in the order of their directions.
            let count = random.u32(4..=8);
            let size = random.i32(6..=20) as f32;
            let corner = |index: u32| {
                let angle = index as f32 / count as f32 * std::f32::consts::TAU;
                a + (Vec2::from_angle(angle) * size * 4.0).round() / 4.0
            };
            let points: Vec<Vec2> = (0..count).map(corner).collect();
            let polygon = ConvexPolygon::new(&points).ok()?;
            let corners = polygon.corners().to_vec();
            let vectors = corners.iter().map(|corner| vector(*corner)).collect();
            let theirs = shape::ConvexPolygon::from_convex_polyline(vectors)?;
            (Ours::Polygon(polygon), Box::new(theirs), corners, 0.0)
        }
    };
    Some(Body {
        points: points.into_iter().map(|point| point.as_dvec2()).collect(),
        radius: f64::from(radius),
        ours,
        theirs,
        pose,
    })
}

impl Body {
    fn overlaps(&self, other: &Self) -> bool {
        with_shape!(&self.ours, a => with_shape!(&other.ours, b => a.overlaps(b, Touch::Counts)))
    }

    fn fraction(&self, by: Vec2, other: &Self) -> Option<f64> {
        let hit = with_shape!(&self.ours, a => {
            with_shape!(&other.ours, b => a.swept_overlap(by, b, Touch::Counts))
        });
        hit.map(|hit| hit.fraction)
    }

    /// Returns the distance between two shapes after this one is moved, or 0 if they overlap.
    fn apart(&self, by: DVec2, other: &Self) -> f64 {
        let mut least = f64::INFINITY;
        for (one, offset, of) in [(self, by, other), (other, -by, self)] {
            for corner in &one.points {
                for (index, start) in of.points.iter().enumerate() {
                    let end = of.points[(index + 1) % of.points.len()];
                    let (along, from) = (end - start, *corner + offset - start);
                    let part = (from.dot(along) / along.length_squared()).clamp(0.0, 1.0);
                    let part = if part.is_nan() { 0.0 } else { part };
                    least = least.min((from - along * part).length());
                }
            }
        }
        (least - self.radius - other.radius).max(0.0)
    }

    /// Returns the largest depth of the overlap along the path.
    fn deepest(&self, by: Vec2, other: &Self) -> f64 {
        const STEPS: u16 = 400;
        let depth = |step: u16| {
            let by = by * (f32::from(step) / f32::from(STEPS));
            let moved = match &self.ours {
                Ours::Rectangle(r) => {
                    Ours::Rectangle(Rectangle { min: r.min + by, max: r.max + by })
                }
                Ours::Circle(c) => Ours::Circle(Circle { center: c.center + by, ..*c }),
                Ours::Capsule(c) => {
                    Ours::Capsule(Capsule { start: c.start + by, end: c.end + by, ..*c })
                }
                Ours::Segment(s) => Ours::Segment(Segment { start: s.start + by, end: s.end + by }),
                Ours::Triangle(t) => Ours::Triangle(Triangle { points: t.points.map(|p| p + by) }),
                Ours::Polygon(p) => {
                    let corners: Vec<Vec2> = p.corners().iter().map(|p| *p + by).collect();
                    ConvexPolygon::new(&corners)
                        .map_or_else(|_| Ours::Polygon(p.clone()), Ours::Polygon)
                }
            };
            let out = with_shape!(&moved, a => {
                with_shape!(&other.ours, b => a.push_out(b).map(|out| out.penetration))
            });
            out.unwrap_or(0.0)
        };
        (0..=STEPS).map(depth).fold(0.0, f64::max)
    }
}

/// The results for two kinds of shapes.
#[derive(Default)]
struct Tally {
    agree: u32,
    differ: u32,
    largest: f64,
}

impl Tally {
    fn count(&mut self, difference: Option<f64>) {
        match difference {
            None => self.agree += 1,
            Some(difference) => {
                self.differ += 1;
                self.largest = self.largest.max(difference);
            }
        }
    }

    /// Prints a row of the table. Returns true if all differences are within the tolerance.
    fn print(&self, test: &str, kinds: [&str; 2], tolerance: f64) -> bool {
        let is_good = self.largest <= tolerance;
        println!(
            "{test:8} {:9} {:9} {:>8} {:>7} {:>12.6} {tolerance:>9} {}",
            kinds[0],
            kinds[1],
            self.agree,
            self.differ,
            self.largest,
            if is_good { "" } else { "OUTSIDE" }
        );
        is_good
    }
}

/// True if the shapes overlap according to parry.
fn theirs_overlap(a: &Body, b: &Body) -> bool {
    let found = query::intersection_test(&a.pose, &*a.theirs, &b.pose, &*b.theirs);
    found.is_ok_and(|found| found.intersecting)
}

/// Returns the difference between the two overlap tests, or `None` if they agree.
fn overlap_difference(a: &Body, b: &Body) -> Option<f64> {
    let ours = a.overlaps(b);
    let theirs = theirs_overlap(a, b);
    (ours != theirs).then(|| if ours { a.deepest(Vec2::ZERO, b) } else { a.apart(DVec2::ZERO, b) })
}

/// Returns the difference between the two first contacts, or `None` if they agree. Contacts within a
/// thousandth of a pixel agree.
fn cast_difference(a: &Body, by: Vec2, b: &Body) -> Option<f64> {
    let ours = a.fraction(by, b);
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let theirs = query::cast_shapes(
        &a.pose,
        vector(by),
        &*a.theirs,
        &b.pose,
        Vector::ZERO,
        &*b.theirs,
        options,
    );
    let theirs = theirs.ok().flatten().map(|hit| f64::from(hit.time_of_impact));
    let length = f64::from(by.length());
    match (ours, theirs) {
        (None, None) => None,
        (Some(0.0), None) if theirs_overlap(a, b) => None,
        (Some(ours), Some(theirs)) if (ours - theirs).abs() * length <= 1e-3 => None,
        (Some(ours), Some(theirs)) if ours < theirs => Some(a.deepest(by * theirs as f32, b)),
        (Some(_), None) => Some(a.deepest(by, b)),
        (_, Some(theirs)) => Some(a.apart(by.as_dvec2() * theirs, b)),
    }
}

/// Compares all pairs of kinds. Returns true if all differences are within the tolerances.
pub(crate) fn agree() -> bool {
    println!("test     moving    still        agree  differ      largest tolerance");
    let mut random = fastrand::Rng::with_seed(2026);
    let mut is_good = true;
    for (one, moving) in KINDS.iter().enumerate() {
        for (other, still) in KINDS.iter().enumerate().skip(one) {
            let (mut overlap, mut cast) = (Tally::default(), Tally::default());
            for _ in 0..PAIRS {
                let (a, b) = (body(&mut random, one), body(&mut random, other));
                overlap.count(overlap_difference(&a, &b));
                let by = point(&mut random, 100);
                cast.count(cast_difference(&a, by, &b));
            }
            is_good &= overlap.print("overlap", [moving, still], OVERLAP_TOLERANCE);
            is_good &= cast.print("cast", [moving, still], CAST_TOLERANCE);
        }
    }
    is_good
}
