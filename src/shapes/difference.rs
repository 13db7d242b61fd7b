//! The Minkowski difference of two shapes: all translations of the moving one that make them share a point.
//!
//! It is a convex core with a radius again: the still core minus each point of the moving one, and the sum
//! of both radii. Two shapes overlap if the origin is in it, so a push-out or a sweep is a question about a
//! point and a convex shape. Its edges are those of both, ordered by direction. They are merged while they
//! are iterated, so nothing is allocated, and n + m edges take O(n + m) steps.

use super::Touch;
use super::core::{Around, Core};
use super::number::{Coordinate, Number, Vector};

/// The translations that make a moving shape share a point with a still one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference<'c, V: Coordinate> {
    still: Around<'c, V>,
    moving: Around<'c, V>,
    pub(super) radius: V::Number,
}

/// An edge of the difference's core; the core is clockwise of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<N> {
    pub(super) start: Vector<N>,
    /// From the start to the end; 0 if the core is a point.
    pub(super) along: Vector<N>,
}

/// The distance of a point from a core, as a quotient, so that no root is needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Gap<N> {
    /// Out of the core toward the point; out of the nearest edge if the point is inside. Not of unit length.
    pub(super) normal: Vector<N>,
    /// The distance times the length of `normal`; negative only inside the core.
    pub(super) times_length: N,
}

impl<N: Number> Gap<N> {
    /// True if the distance is less than `radius`, or equals it and touching counts.
    pub(super) fn is_within(&self, radius: N, touch: Touch) -> bool {
        if self.times_length < N::ZERO {
            return true;
        }
        let (gap, square) = (self.times_length, self.normal.square());
        touch.counts(N::products(radius * radius, square, gap, gap))
    }

    /// `radius` minus the distance, without cancellation where the two are nearly equal.
    pub(super) fn depth(&self, radius: N) -> f64 {
        let (gap, square) = (self.times_length, self.normal.square());
        let (reach, length) = (radius.to_f64(), square.to_f64().sqrt());
        let far = reach + gap.to_f64() / length;
        if gap <= N::ZERO || far == 0.0 {
            return reach - gap.to_f64() / length;
        }
        N::products(radius * radius, square, gap, gap) / square.to_f64() / far
    }

    /// True if the point is less deep behind this edge than behind the other.
    fn is_nearer(&self, other: &Self) -> bool {
        let (square, other_square) = (self.normal.square(), other.normal.square());
        N::squares(self.times_length, other_square, other.times_length, square).is_lt()
    }
}

impl<'c, V: Coordinate> Difference<'c, V> {
    pub(super) fn new(moving: &'c Core<'_, V>, still: &'c Core<'_, V>) -> Self {
        Self {
            still: Around::new(still, false),
            moving: Around::new(moving, true),
            radius: still.radius + moving.radius,
        }
    }

    /// The edges of the core, clockwise on the screen from its highest corner. A segment has two; a point has
    /// one of length 0.
    pub(super) fn edges(&self) -> Edges<'c, V> {
        Edges {
            still: self.still,
            moving: self.moving,
            is_point: self.still.edge().is_none() && self.moving.edge().is_none(),
        }
    }

    /// The distance of `point` from the core. If it is inside, of equally near edges the first one is used,
    /// clockwise from the top.
    pub(super) fn gap(&self, point: Vector<V::Number>) -> Gap<V::Number> {
        let zero = V::Number::ZERO;
        let mut inside: Option<Gap<V::Number>> = None;
        let mut corner: Option<Vector<V::Number>> = None;
        for Edge { start, along } in self.edges() {
            let from_start = point - start;
            let beside = -along.cross(from_start);
            if beside < zero {
                let gap = Gap { normal: along.turned_out(), times_length: beside };
                if inside.is_none_or(|least| gap.is_nearer(&least)) {
                    inside = Some(gap);
                }
                continue;
            }
            let ahead = along.dot(from_start);
            if along != Vector::ZERO && ahead >= zero && ahead <= along.square() {
                return Gap { normal: along.turned_out(), times_length: beside };
            }
            // Not beside the edge: one of its corners may be the nearest.
            for from_corner in [from_start, from_start - along] {
                if corner.is_none_or(|least| from_corner.square() < least.square()) {
                    corner = Some(from_corner);
                }
            }
        }
        match (corner, inside) {
            (None, Some(gap)) => gap,
            (Some(from_corner), _) if from_corner != Vector::ZERO => {
                Gap { normal: from_corner, times_length: from_corner.square() }
            }
            // On a point every direction is equally near: up.
            _ => Gap { normal: Vector { x: zero, y: -V::Number::ONE }, times_length: zero },
        }
    }
}

/// The iterator of [`Difference::edges`].
pub(super) struct Edges<'c, V: Coordinate> {
    still: Around<'c, V>,
    moving: Around<'c, V>,
    is_point: bool,
}

impl<V: Coordinate> Iterator for Edges<'_, V> {
    type Item = Edge<V::Number>;

    fn next(&mut self) -> Option<Edge<V::Number>> {
        let start = self.still.place() + self.moving.place();
        let along = match (self.still.edge(), self.moving.edge()) {
            (Some(still), Some(moving)) => {
                // Neither is half a turn or more ahead of the other: no core turns that far at once, but a
                // segment, which turns by just half, and of it the other edge would have been taken too.
                let turn = still.cross(moving);
                if turn > V::Number::ZERO {
                    self.still.take();
                    still
                } else if turn < V::Number::ZERO {
                    self.moving.take();
                    moving
                } else {
                    self.still.take();
                    self.moving.take();
                    still + moving
                }
            }
            (Some(still), None) => {
                self.still.take();
                still
            }
            (None, Some(moving)) => {
                self.moving.take();
                moving
            }
            (None, None) if self.is_point => {
                self.is_point = false;
                Vector::ZERO
            }
            (None, None) => return None,
        };
        Some(Edge { start, along })
    }
}
