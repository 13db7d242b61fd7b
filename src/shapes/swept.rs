//! The first overlap of a moving shape with a still one.
//!
//! The translation made so far is a point on a straight path, and the two overlap while it is in their
//! difference: a ray cast against a convex core with a radius. Whether the ray hits is decided exactly; the
//! fraction and the normal are `f64`.

use glam::DVec2;

use super::Touch;
use super::difference::{Difference, Edge};
use super::number::{Coordinate, Number, Vector};

/// The first overlap of a motion. Made by [`Convex::swept_overlap`](super::Convex::swept_overlap).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptOverlap {
    /// The part of the translation done at the first touch, 0 to 1. Shapes that overlap from the start have
    /// 0.
    pub fraction: f64,
    /// The unit vector out of the still shape, toward the moving one, at the point of contact; `None` if they
    /// overlap from the start.
    pub normal: Option<DVec2>,
}

/// The fraction at which the ray enters, and the normal there.
type Entry = (f64, DVec2);

pub(super) fn swept_overlap<V: Coordinate>(
    difference: &Difference<'_, V>,
    path: Vector<V::Number>,
    touch: Touch,
) -> Option<SweptOverlap> {
    let radius = difference.radius;
    if difference.gap(Vector::ZERO).is_within(radius, touch) {
        return Some(SweptOverlap { fraction: 0.0, normal: None });
    }
    if path == Vector::ZERO {
        return None;
    }
    let entry = if radius > V::Number::ZERO {
        is_met(difference, path, touch).then(|| first_rounded(difference, path, touch))
    } else {
        first_sharp(difference, path, touch)
    };
    entry.map(|(fraction, normal)| SweptOverlap {
        fraction: fraction.clamp(0.0, 1.0),
        normal: Some(normal),
    })
}

/// True if the path comes within the radius of the core: at its end, near a corner, or through an edge. Its
/// start must not be within it.
fn is_met<V: Coordinate>(
    difference: &Difference<'_, V>,
    path: Vector<V::Number>,
    touch: Touch,
) -> bool {
    let zero = V::Number::ZERO;
    let passes = |Edge { start, along }: Edge<V::Number>| {
        let ahead = path.dot(start);
        let is_beside = ahead >= zero && ahead <= path.square();
        if is_beside && touch.counts(clearance(difference.radius, start, path)) {
            return true;
        }
        let (from, to) = (along.cross(-start), along.cross(path - start));
        let (one, other) = (path.cross(start), path.cross(start + along));
        from < zero && to > zero && ((one < zero && other > zero) || (one > zero && other < zero))
    };
    difference.gap(path).is_within(difference.radius, touch) || difference.edges().any(passes)
}

/// `(radius^2 - distance^2) * |path|^2`, with the distance of `corner` from the line of `path`.
fn clearance<N: Number>(radius: N, corner: Vector<N>, path: Vector<N>) -> f64 {
    let across = path.cross(corner);
    N::products(radius * radius, path.square(), across, across)
}

/// The first entry of the ray through an edge moved out by the radius, or into the circle around a corner.
/// The ray must come within the radius. If rounding loses the only entry, it is the end of the path.
fn first_rounded<V: Coordinate>(
    difference: &Difference<'_, V>,
    path: Vector<V::Number>,
    touch: Touch,
) -> Entry {
    let radius = difference.radius;
    let mut first: Option<Entry> = None;
    for edge in difference.edges() {
        let entries =
            [circle_entry(edge.start, radius, path, touch), edge_entry(edge, radius, path)];
        for entry in entries.into_iter().flatten() {
            if first.is_none_or(|(fraction, _)| entry.0 < fraction) {
                first = Some(entry);
            }
        }
    }
    first.unwrap_or((1.0, -path.direction()))
}

/// The entry of the ray into the circle around `corner`; its start must be outside.
fn circle_entry<N: Number>(
    corner: Vector<N>,
    radius: N,
    path: Vector<N>,
    touch: Touch,
) -> Option<Entry> {
    let ahead = path.dot(corner);
    let clearance = clearance(radius, corner, path);
    if ahead <= N::ZERO || !touch.counts(clearance) {
        return None;
    }
    // The smaller root of a quadratic equation, in the form without cancellation.
    let start = N::products(corner.square(), N::ONE, radius, radius);
    let fraction = start / (ahead.to_f64() + clearance.sqrt());
    let normal = path.to_f64() * fraction - corner.to_f64();
    Some((fraction, normal.normalize_or(-path.direction())))
}

/// The entry of the ray through the edge moved out by the radius; `None` if it misses the edge.
fn edge_entry<N: Number>(edge: Edge<N>, radius: N, path: Vector<N>) -> Option<Entry> {
    let Edge { start, along } = edge;
    let (beside, inward) = (along.cross(start), along.cross(path));
    if inward <= N::ZERO || beside <= N::ZERO {
        return None;
    }
    let square = along.square();
    let outside = N::products(beside, beside, radius * radius, square);
    if outside < 0.0 {
        return None;
    }
    let reach = beside.to_f64() + radius.to_f64() * square.to_f64().sqrt();
    let fraction = outside / reach / inward.to_f64();
    let ahead = along.dot(path).to_f64() * fraction - along.dot(start).to_f64();
    let is_between = ahead >= 0.0 && ahead <= square.to_f64();
    is_between.then(|| (fraction, along.turned_out().direction()))
}

/// A line that bounds the core. The ray crosses it at the fraction `beside / inward`: inward if `inward` is
/// positive, outward if it is negative.
#[derive(Clone, Copy)]
struct Line<N> {
    beside: N,
    inward: N,
    out: Vector<N>,
}

impl<N: Number> Line<N> {
    /// The line through `place` in the direction `along`; the core is clockwise of it.
    fn new(place: Vector<N>, along: Vector<N>, path: Vector<N>) -> Self {
        Self { beside: along.cross(place), inward: along.cross(path), out: along.turned_out() }
    }

    /// The order in which the ray crosses the two lines: negative if this one is first. Neither may be
    /// parallel to the ray.
    fn order(&self, other: &Self) -> f64 {
        let order = N::products(self.beside, other.inward, other.beside, self.inward);
        if (self.inward < N::ZERO) == (other.inward < N::ZERO) { order } else { -order }
    }

    /// True if the ray meets this line more squarely than the other; both are crossed inward.
    fn is_squarer(&self, other: &Self) -> bool {
        let (square, other_square) = (self.out.square(), other.out.square());
        N::squares(self.inward, other_square, other.inward, square).is_gt()
    }
}

/// The entry of the ray into a core without a radius. It must cross all lines inward before it crosses one
/// outward (Cyrus and Beck, "Generalized two- and three-dimensional clipping", 1978).
fn first_sharp<V: Coordinate>(
    difference: &Difference<'_, V>,
    path: Vector<V::Number>,
    touch: Touch,
) -> Option<Entry> {
    let zero = V::Number::ZERO;
    let mut enter: Option<Line<V::Number>> = None;
    let mut leave: Option<Line<V::Number>> = None;
    let is_flat = difference.edges().nth(2).is_none();
    for edge in difference.edges() {
        for line in lines(edge, is_flat, path).into_iter().flatten() {
            if line.inward > zero {
                if enter.is_none_or(|last| {
                    let order = line.order(&last);
                    order > 0.0 || (order == 0.0 && line.is_squarer(&last))
                }) {
                    enter = Some(line);
                }
            } else if line.inward < zero {
                if leave.is_none_or(|first| line.order(&first) < 0.0) {
                    leave = Some(line);
                }
            } else if !touch.counts(-line.beside.to_f64()) {
                return None;
            }
        }
    }
    let enter = enter?;
    let (beside, inward) = (enter.beside, enter.inward);
    let is_ahead = beside >= zero && touch.counts((inward - beside).to_f64());
    let is_before = leave.is_none_or(|leave| touch.counts(leave.order(&enter)));
    (is_ahead && is_before).then(|| (beside.to_f64() / inward.to_f64(), enter.out.direction()))
}

/// The lines that bound the core at this edge. A segment is also bounded at the start of each of its two
/// edges; a point is bounded along and across the path, from both sides.
fn lines<N: Number>(edge: Edge<N>, is_flat: bool, path: Vector<N>) -> [Option<Line<N>>; 4] {
    let Edge { start, along } = edge;
    let line = |along| Some(Line::new(start, along, path));
    if along == Vector::ZERO {
        let across = path.turned_out();
        return [line(path), line(-path), line(across), line(-across)];
    }
    let end = is_flat.then(|| along.turned_out());
    [line(along), end.and_then(line), None, None]
}
