//! When a moving shape first overlaps a still one.
//!
//! The translation that was made so far is a point that runs along a straight line, and the two overlap when
//! it lies in their difference: a ray against a convex core with a radius. Whether it comes there is decided
//! exactly; the fraction and the normal are `f64`.

use glam::DVec2;

use super::Touch;
use super::difference::{Difference, Edge};
use super::number::{Coordinate, Number, Vector};

/// The first overlap of a motion. Made by [`Convex::swept_overlap`](super::Convex::swept_overlap).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct SweptOverlap {
    /// The part of the translation that is done when the two first touch: 0 to 1. Beyond it they overlap;
    /// shapes that overlap from the start have 0.
    pub fraction: f64,
    /// The unit vector out of the still shape, toward the moving one, where they meet; `None` if they overlap
    /// from the start.
    pub normal: Option<DVec2>,
}

/// A place where the ray enters, and the way out again.
type Entry = (f64, DVec2);

pub(super) fn swept_overlap<V: Coordinate>(
    difference: &Difference<'_, V>,
    way: Vector<V::Number>,
    touch: Touch,
) -> Option<SweptOverlap> {
    let radius = difference.radius;
    if difference.gap(Vector::ZERO).is_within(radius, touch) {
        return Some(SweptOverlap {
            fraction: 0.0,
            normal: None,
        });
    }
    if way == Vector::ZERO {
        return None;
    }
    let entry = if radius > V::Number::ZERO {
        is_met(difference, way, touch).then(|| first_rounded(difference, way, touch))
    } else {
        first_sharp(difference, way, touch)
    };
    entry.map(|(fraction, normal)| SweptOverlap {
        fraction: fraction.clamp(0.0, 1.0),
        normal: Some(normal),
    })
}

/// True if the way comes within the radius of the core: at its end, beside one of the corners, or through an
/// edge. (It is not within it at the start.)
fn is_met<V: Coordinate>(
    difference: &Difference<'_, V>,
    way: Vector<V::Number>,
    touch: Touch,
) -> bool {
    let zero = V::Number::ZERO;
    let passes = |Edge { start, along }: Edge<V::Number>| {
        let ahead = way.dot(start);
        let is_beside = ahead >= zero && ahead <= way.square();
        if is_beside && touch.counts(clearance(difference.radius, start, way)) {
            return true;
        }
        let (from, to) = (along.cross(-start), along.cross(way - start));
        let (one, other) = (way.cross(start), way.cross(start + along));
        from < zero && to > zero && ((one < zero && other > zero) || (one > zero && other < zero))
    };
    difference.gap(way).is_within(difference.radius, touch) || difference.edges().any(passes)
}

/// The squares of `radius` less the distance of `corner` from the line of `way`, times that of its length.
fn clearance<N: Number>(radius: N, corner: Vector<N>, way: Vector<N>) -> f64 {
    let across = way.cross(corner);
    N::products(radius * radius, way.square(), across, across)
}

/// The first of the places where the ray, which comes within the radius, meets an edge moved out by it, or
/// the circle around a corner. Where the one place is lost to rounding, it is the last of the way.
fn first_rounded<V: Coordinate>(
    difference: &Difference<'_, V>,
    way: Vector<V::Number>,
    touch: Touch,
) -> Entry {
    let radius = difference.radius;
    let mut first: Option<Entry> = None;
    for edge in difference.edges() {
        let entries = [
            circle_entry(edge.start, radius, way, touch),
            edge_entry(edge, radius, way),
        ];
        for entry in entries.into_iter().flatten() {
            if first.is_none_or(|(fraction, _)| entry.0 < fraction) {
                first = Some(entry);
            }
        }
    }
    first.unwrap_or((1.0, -way.direction()))
}

/// Where the ray enters the circle around `corner`, in which it does not start.
fn circle_entry<N: Number>(
    corner: Vector<N>,
    radius: N,
    way: Vector<N>,
    touch: Touch,
) -> Option<Entry> {
    let ahead = way.dot(corner);
    let clearance = clearance(radius, corner, way);
    if ahead <= N::ZERO || !touch.counts(clearance) {
        return None;
    }
    // The smaller root of a quadratic equation, in the form in which nothing cancels.
    let start = N::products(corner.square(), N::ONE, radius, radius);
    let fraction = start / (ahead.to_f64() + clearance.sqrt());
    let normal = way.to_f64() * fraction - corner.to_f64();
    Some((fraction, normal.normalize_or(-way.direction())))
}

/// Where the ray comes through the edge moved out by the radius, if it does so between its ends.
fn edge_entry<N: Number>(edge: Edge<N>, radius: N, way: Vector<N>) -> Option<Entry> {
    let Edge { start, along } = edge;
    let (beside, inward) = (along.cross(start), along.cross(way));
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
    let ahead = along.dot(way).to_f64() * fraction - along.dot(start).to_f64();
    let is_between = ahead >= 0.0 && ahead <= square.to_f64();
    is_between.then(|| (fraction, along.turned_out().direction()))
}

/// What the ray must cross to come inside: it is `beside / inward` of the way there, and outside until then
/// if `inward` is positive, from then on if it is negative.
#[derive(Clone, Copy)]
struct Line<N> {
    beside: N,
    inward: N,
    out: Vector<N>,
}

impl<N: Number> Line<N> {
    /// The line through `place` along `along`, inside clockwise of it.
    fn new(place: Vector<N>, along: Vector<N>, way: Vector<N>) -> Self {
        Self {
            beside: along.cross(place),
            inward: along.cross(way),
            out: along.turned_out(),
        }
    }

    /// The order in which the ray crosses the two: less if this one is first. Neither runs along the ray.
    fn order(&self, other: &Self) -> f64 {
        let order = N::products(self.beside, other.inward, other.beside, self.inward);
        if (self.inward < N::ZERO) == (other.inward < N::ZERO) {
            order
        } else {
            -order
        }
    }

    /// True if the ray meets this line more squarely than the other; both are crossed inward.
    fn is_squarer(&self, other: &Self) -> bool {
        let (square, other_square) = (self.out.square(), other.out.square());
        N::squares(self.inward, other_square, other.inward, square).is_gt()
    }
}

/// Where the ray enters the core itself: it must have crossed all lines inward before it crosses one outward
/// (Cyrus and Beck, "Generalized two- and three-dimensional clipping", 1978).
fn first_sharp<V: Coordinate>(
    difference: &Difference<'_, V>,
    way: Vector<V::Number>,
    touch: Touch,
) -> Option<Entry> {
    let zero = V::Number::ZERO;
    let mut enter: Option<Line<V::Number>> = None;
    let mut leave: Option<Line<V::Number>> = None;
    let is_flat = difference.edges().nth(2).is_none();
    for edge in difference.edges() {
        for line in lines(edge, is_flat, way).into_iter().flatten() {
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

/// The lines that bound the core along this edge. A core without an inside is also bounded at its ends: a
/// segment before each of its edges, a point before and behind it, and on both sides.
fn lines<N: Number>(edge: Edge<N>, is_flat: bool, way: Vector<N>) -> [Option<Line<N>>; 4] {
    let Edge { start, along } = edge;
    let line = |along| Some(Line::new(start, along, way));
    if along == Vector::ZERO {
        let across = way.turned_out();
        return [line(way), line(-way), line(across), line(-across)];
    }
    let end = is_flat.then(|| along.turned_out());
    [line(along), end.and_then(line), None, None]
}
