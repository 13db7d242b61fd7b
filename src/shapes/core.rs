//! The common form of the convex shapes: a core, which is a convex polygon, and a radius around the core. The
//! core of a circle is one point, and the core of a capsule is a segment. The other shapes have the radius 0.
//!
//! A test of two shapes uses their Minkowski difference: the set of all translations of the moving shape
//! after which the shapes share a point. A motion is a path from the origin, also called the ray. The first
//! overlap is the point where the ray enters the difference. The shortest push-out is the vector from the
//! origin to the nearest edge of the difference.

use glam::DVec2;

use super::number::{Coordinate, Number, Vector};
use super::{Ray, Touch};

/// The core of a shape, as its corners, and the `radius` by which the shape extends beyond the core. The
/// radius is never negative.
#[derive(Clone, Copy, Debug)]
pub struct Core<'s, V: Coordinate> {
    corners: CoreCorners<'s, V>,
    pub(super) radius: V::Number,
    /// True if the shape is known to equal its bounding box.
    is_box: bool,
}

/// The corners of a core, clockwise on the screen. No three of them are on a line.
#[derive(Clone, Copy, Debug)]
enum CoreCorners<'s, V> {
    Few([V; 4], usize),
    Many(&'s [V]),
}

impl<'s, V: Coordinate> Core<'s, V> {
    /// A core without a radius: the polygon with these `corners`, which must be convex, finite and clockwise.
    pub(super) fn polygon(corners: &'s [V]) -> Self {
        Self { corners: CoreCorners::Many(corners), radius: V::Number::ZERO, is_box: false }
    }

    /// All points within `radius` of `center`; `None` if `radius` is negative or a number is not finite.
    pub(super) fn point(center: V, radius: V::Scalar) -> Option<Self> {
        Vector::widen(center)?;
        Self::few([center; 4], 1, radius)
    }

    /// All points within `radius` of a segment; `None` if `radius` is negative or a number is not finite.
    pub(super) fn segment(start: V, end: V, radius: V::Scalar) -> Option<Self> {
        if start == end {
            return Self::point(start, radius);
        }
        Vector::widen(start).and(Vector::widen(end))?;
        Self::few([start, end, end, end], 2, radius)
    }

    /// The triangle of `points` in either order, or a segment if they are on a line. `None` if a point is not
    /// finite.
    pub(super) fn triangle(points: [V; 3]) -> Option<Self> {
        let [a, b, c] = points;
        let start = Vector::widen(a)?;
        let turn = (Vector::widen(b)? - start).cross(Vector::widen(c)? - start);
        let none = V::Scalar::default();
        if turn > V::Number::ZERO {
            return Self::few([a, b, c, c], 3, none);
        }
        if turn < V::Number::ZERO {
            return Self::few([a, c, b, b], 3, none);
        }
        // Of points on a line, the two furthest apart are the first and the last in lexicographic order.
        let [mut first, mut last] = [a, a];
        for point in [b, c] {
            first = if is_before(point, first) { point } else { first };
            last = if is_before(last, point) { point } else { last };
        }
        Self::segment(first, last, none)
    }

    /// The rectangle of `corners`, clockwise from the top-left; `None` if it is empty or not finite.
    pub(super) fn rectangle(corners: [V; 4]) -> Option<Self> {
        let [top_left, top_right, bottom_right, _] = corners;
        let min = Vector::widen(top_left)?;
        let max = Vector::widen(bottom_right)?;
        if min.x > max.x || min.y > max.y {
            return None;
        }
        if min.x == max.x || min.y == max.y {
            return Self::segment(top_left, bottom_right, V::Scalar::default());
        }
        Vector::widen(top_right)?;
        let rectangle = Self::few(corners, 4, V::Scalar::default())?;
        Some(Self { is_box: true, ..rectangle })
    }

    /// A core with the first `count` of `corners`, and with `radius` around it; `None` if `radius` is
    /// negative or not finite.
    fn few(corners: [V; 4], count: usize, radius: V::Scalar) -> Option<Self> {
        let radius = V::widen_scalar(radius)?;
        (radius >= V::Number::ZERO).then_some(Self {
            corners: CoreCorners::Few(corners, count),
            radius,
            is_box: count == 1 && radius == V::Number::ZERO,
        })
    }

    fn corners(&self) -> &[V] {
        match &self.corners {
            CoreCorners::Few(corners, count) => corners.get(..*count).unwrap_or_default(),
            CoreCorners::Many(corners) => corners,
        }
    }

    /// The corners, converted to the number type of the tests: `i128` or `f64`.
    pub(super) fn places(&self) -> impl Iterator<Item = Vector<V::Number>> {
        self.corners().iter().filter_map(|corner| Vector::widen(*corner))
    }

    /// The start and end of each side of the core, clockwise on the screen. A point has one side of length 0.
    pub(super) fn sides(&self) -> impl Iterator<Item = (Vector<V::Number>, Vector<V::Number>)> {
        let ends = self.places().chain(self.places()).skip(1);
        self.places().zip(ends)
    }

    pub(super) fn is_box(&self) -> bool {
        self.is_box
    }

    /// True if the bounding boxes of the shapes overlap. Otherwise the shapes do not overlap either.
    pub(super) fn may_overlap(&self, other: &Self, touch: Touch) -> bool {
        let [min, max] = self.bounds();
        let [other_min, other_max] = other.bounds();
        let ends = [
            (min.x, other_max.x),
            (other_min.x, max.x),
            (min.y, other_max.y),
            (other_min.y, max.y),
        ];
        ends.iter().all(|(start, end)| start < end || (start == end && touch == Touch::Counts))
    }

    /// The top-left and bottom-right corners of the shape's bounding box, including the radius.
    pub(super) fn bounds(&self) -> [Vector<V::Number>; 2] {
        let around = Vector { x: self.radius, y: self.radius };
        let least = self.places().reduce(Vector::min).unwrap_or(Vector::ZERO);
        let most = self.places().reduce(Vector::max).unwrap_or(Vector::ZERO);
        [least - around, most + around]
    }
}

/// A position on a walk around a core, clockwise on the screen from the highest corner (from the left one, if
/// two are equally high). If `mirrored`, all corners have the opposite signs.
#[derive(Clone, Copy, Debug)]
struct Around<'c, V: Coordinate> {
    corners: &'c [V],
    first: usize,
    taken: usize,
    mirrored: bool,
}

impl<'c, V: Coordinate> Around<'c, V> {
    fn new(core: &'c Core<'_, V>, mirrored: bool) -> Self {
        let mut around = Self { corners: core.corners(), first: 0, taken: 0, mirrored };
        let mut first = around.corner(0);
        for index in 1..around.corners.len() {
            let corner = around.corner(index);
            if corner.is_before(first) {
                around.first = index;
                first = corner;
            }
        }
        around
    }

    /// The current corner of the walk around the core: the start of the next edge.
    fn place(&self) -> Vector<V::Number> {
        self.corner(self.first + self.taken)
    }

    /// The vector of the next edge, from its start to its end; `None` after the last edge.
    fn edge(&self) -> Option<Vector<V::Number>> {
        let count = self.corners.len();
        if count < 2 || self.taken == count {
            return None;
        }
        Some(self.corner(self.first + self.taken + 1) - self.place())
    }

    /// Moves this walk to the next corner of the core.
    fn take(&mut self) {
        self.taken += 1;
    }

    /// The corner at `index` modulo the number of corners.
    fn corner(&self, index: usize) -> Vector<V::Number> {
        let corner = self.corners.get(index % self.corners.len().max(1));
        let place = corner.and_then(|corner| Vector::widen(*corner)).unwrap_or(Vector::ZERO);
        if self.mirrored { -place } else { place }
    }
}

/// The Minkowski difference: all translations after which the moving shape shares a point with the still
/// shape.
#[derive(Clone, Copy, Debug)]
pub(super) struct Difference<'c, V: Coordinate> {
    still: Around<'c, V>,
    moving: Around<'c, V>,
    pub(super) radius: V::Number,
}

/// An edge of the core of a [`Difference`]. Seen in the direction `along`, the core is on the right.
#[derive(Clone, Copy, Debug)]
struct Edge<N> {
    start: Vector<N>,
    /// The vector from the start to the end of the edge; 0 if the core is a point.
    along: Vector<N>,
}

/// The distance from a core to a point: `times_length` divided by the length of `normal`.
#[derive(Clone, Copy, Debug)]
pub(super) struct CoreGap<N> {
    /// The direction from the core to the point, or out of the nearest edge if the point is inside. The
    /// length is arbitrary.
    normal: Vector<N>,
    /// The distance from the core to the point, times the length of `normal`; negative inside the core.
    times_length: N,
}

impl<N: Number> CoreGap<N> {
    /// True if the point is in the core, or if its distance from the core is less than `radius`, or equal to
    /// it and touching counts. The distances are compared by their squares.
    pub(super) fn is_within(&self, radius: N, touch: Touch) -> bool {
        let gap = self.times_length;
        let is_in_core = gap < N::ZERO;
        let square = self.normal.square();
        is_in_core || touch.counts(N::products(radius * radius, square, gap, gap))
    }

    /// The depth of the point inside the radius: `radius` minus the distance, without a loss of precision if
    /// they are nearly equal.
    fn depth(&self, radius: N) -> f64 {
        let gap = self.times_length;
        let square = self.normal.square();
        let reach = radius.to_f64();
        let length = square.to_f64().sqrt();
        let far = reach + gap.to_f64() / length;
        if gap <= N::ZERO || far == 0.0 {
            return reach - gap.to_f64() / length;
        }
        N::products(radius * radius, square, gap, gap) / square.to_f64() / far
    }

    /// True if the distance of this gap is smaller than the distance of `other`. Both must be inside the
    /// core.
    fn is_nearer(&self, other: &Self) -> bool {
        let square = self.normal.square();
        let other_square = other.normal.square();
        N::squares(self.times_length, other_square, other.times_length, square) < 0.0
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

    /// The edges of the core of this Minkowski difference, clockwise from the highest corner. A point has one
    /// edge of length 0.
    fn edges(&self) -> Edges<'c, V> {
        Edges {
            still: self.still,
            moving: self.moving,
            is_point: self.still.edge().is_none() && self.moving.edge().is_none(),
        }
    }

    /// The distance of `point` from the core. Inside the core this is the distance from the nearest edge. Of
    /// equally near edges, the first edge clockwise from the top is used.
    pub(super) fn gap(&self, point: Vector<V::Number>) -> CoreGap<V::Number> {
        let zero = V::Number::ZERO;
        let mut inside: Option<CoreGap<V::Number>> = None;
        let mut corner: Option<Vector<V::Number>> = None;
        for Edge { start, along } in self.edges() {
            let from_start = point - start;
            let beside = -along.cross(from_start);
            if beside < zero {
                let gap = CoreGap { normal: along.turned_out(), times_length: beside };
                if inside.is_none_or(|least| gap.is_nearer(&least)) {
                    inside = Some(gap);
                }
                continue;
            }
            let ahead = along.dot(from_start);
            if along != Vector::ZERO && ahead >= zero && ahead <= along.square() {
                return CoreGap { normal: along.turned_out(), times_length: beside };
            }
            // The point is not beside the edge, so one of the edge's corners may be nearest.
            for from_corner in [from_start, from_start - along] {
                if corner.is_none_or(|least| from_corner.square() < least.square()) {
                    corner = Some(from_corner);
                }
            }
        }
        match (corner, inside) {
            (None, Some(gap)) => gap,
            (Some(from_corner), _) if from_corner != Vector::ZERO => {
                CoreGap { normal: from_corner, times_length: from_corner.square() }
            }
            // If the core is a single point and equals `point`, all directions are equally good. The normal
            // is up.
            _ => CoreGap { normal: Vector { x: zero, y: -V::Number::ONE }, times_length: zero },
        }
    }
}

/// The edges of the core of a [`Difference`]: the edges of both cores, merged by direction.
struct Edges<'c, V: Coordinate> {
    still: Around<'c, V>,
    moving: Around<'c, V>,
    is_point: bool,
}

impl<V: Coordinate> Iterator for Edges<'_, V> {
    type Item = Edge<V::Number>;

    fn next(&mut self) -> Option<Edge<V::Number>> {
        let start = self.still.place() + self.moving.place();
        let still = self.still.edge();
        let moving = self.moving.edge();
        // The edge that comes first clockwise is taken. The cross product decides, because the two edges are
        // less than half a turn apart. Only a segment turns by half a turn at a corner. When its first edge
        // was taken, a parallel edge of the other core was taken with it.
        let turn = match (still, moving) {
            (Some(still), Some(moving)) => still.cross(moving),
            (Some(_), None) => V::Number::ONE,
            (None, Some(_)) => -V::Number::ONE,
            (None, None) if std::mem::take(&mut self.is_point) => V::Number::ZERO,
            (None, None) => return None,
        };
        let mut along = Vector::ZERO;
        if let Some(still) = still.filter(|_| turn >= V::Number::ZERO) {
            self.still.take();
            along = along + still;
        }
        if let Some(moving) = moving.filter(|_| turn <= V::Number::ZERO) {
            self.moving.take();
            along = along + moving;
        }
        Some(Edge { start, along })
    }
}

/// The first overlap of a motion, returned by [`Convex::swept_overlap`](super::Convex::swept_overlap).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SweptOverlap {
    /// The fraction of the translation at the first touch, from 0 to 1. It is 0 if the shapes overlap at the
    /// start.
    pub fraction: f64,
    /// The unit vector out of the still shape toward the moving shape, at the point of contact. `None` if the
    /// shapes overlap at the start.
    pub normal: Option<DVec2>,
}

/// The fraction of the path at which the ray (the path from the origin) enters the Minkowski difference, and
/// the normal at this point.
type Entry = (f64, DVec2);

impl<V: Coordinate> Ray<'_, V> {
    pub(super) fn first_overlap(&self) -> Option<SweptOverlap> {
        let radius = self.difference.radius;
        if self.difference.gap(Vector::ZERO).is_within(radius, self.touch) {
            return Some(SweptOverlap { fraction: 0.0, normal: None });
        }
        if self.path == Vector::ZERO {
            return None;
        }
        let entry = if radius > V::Number::ZERO {
            self.is_met().then(|| self.rounded_entry())
        } else {
            self.polygon_entry()
        };
        entry.map(|(fraction, normal)| SweptOverlap {
            fraction: fraction.clamp(0.0, 1.0),
            normal: Some(normal),
        })
    }

    /// True if the path comes within the radius of the core of the Minkowski difference: at its end, near a
    /// corner, or through an edge. The path must start at the origin, at a distance from the core greater
    /// than the radius.
    fn is_met(&self) -> bool {
        self.difference.gap(self.path).is_within(self.difference.radius, self.touch)
            || self.difference.edges().any(|edge| self.meets(edge))
    }

    /// True if the path passes the start of `edge` within the radius, or goes through the edge.
    fn meets(&self, edge: Edge<V::Number>) -> bool {
        let Edge { start, along } = edge;
        let zero = V::Number::ZERO;
        let path = self.path;
        let ahead = path.dot(start);
        let is_beside = ahead >= zero && ahead <= path.square();
        if is_beside && self.touch.counts(self.clearance(start)) {
            return true;
        }
        let one = path.cross(start);
        let other = path.cross(start + along);
        along.cross(-start) < zero
            && along.cross(path - start) > zero
            && ((one < zero && other > zero) || (one > zero && other < zero))
    }

    /// Returns `(radius^2 - distance^2) * |path|^2`, where `distance` is the distance of `corner` from the
    /// line along the path. The result is positive if the line passes through the circle around `corner`, and
    /// 0 if it touches the circle.
    fn clearance(&self, corner: Vector<V::Number>) -> f64 {
        let radius = self.difference.radius;
        let across = self.path.cross(corner);
        V::Number::products(radius * radius, self.path.square(), across, across)
    }

    /// The first entry of the ray into a Minkowski difference with a radius: through an edge moved out by the
    /// radius, or into the circle around a corner. The ray must come within the radius of the core. If no
    /// entry is found because of rounding, the result is the path's end.
    fn rounded_entry(&self) -> Entry {
        let mut first: Option<Entry> = None;
        for edge in self.difference.edges() {
            let entries = [self.circle_entry(edge.start), self.edge_entry(edge)];
            for entry in entries.into_iter().flatten() {
                if first.is_none_or(|(fraction, _)| entry.0 < fraction) {
                    first = Some(entry);
                }
            }
        }
        first.unwrap_or((1.0, -self.path.direction()))
    }

    /// The entry of the ray, from outside, into the circle around `corner`; `None` if the ray misses it.
    fn circle_entry(&self, corner: Vector<V::Number>) -> Option<Entry> {
        let radius = self.difference.radius;
        let ahead = self.path.dot(corner);
        let clearance = self.clearance(corner);
        if ahead <= V::Number::ZERO || !self.touch.counts(clearance) {
            return None;
        }
        // The smaller solution of a quadratic equation, in the form that loses no precision.
        let start = V::Number::products(corner.square(), V::Number::ONE, radius, radius);
        let fraction = start / (ahead.to_f64() + clearance.sqrt());
        let normal = self.path.to_f64() * fraction - corner.to_f64();
        Some((fraction, normal.normalize_or(-self.path.direction())))
    }

    /// The entry of the ray through `edge` moved out by the radius; `None` if the ray misses the moved edge.
    fn edge_entry(&self, edge: Edge<V::Number>) -> Option<Entry> {
        let Edge { start, along } = edge;
        let radius = self.difference.radius;
        let beside = along.cross(start);
        let inward = along.cross(self.path);
        if inward <= V::Number::ZERO || beside <= V::Number::ZERO {
            return None;
        }
        let square = along.square();
        let outside = V::Number::products(beside, beside, radius * radius, square);
        if outside < 0.0 {
            return None;
        }
        let reach = beside.to_f64() + radius.to_f64() * square.to_f64().sqrt();
        let fraction = outside / reach / inward.to_f64();
        let ahead = along.dot(self.path).to_f64() * fraction - along.dot(start).to_f64();
        let is_between = ahead >= 0.0 && ahead <= square.to_f64();
        is_between.then(|| (fraction, along.turned_out().direction()))
    }

    /// The entry of the ray into a Minkowski difference without a radius, a convex polygon. Each edge lies on
    /// a line. The ray is in the polygon from the last line that it crosses inward, `enter`, to the first
    /// line that it crosses outward, `leave` (Cyrus and Beck, "Generalized two- and three-dimensional
    /// clipping", 1978).
    fn polygon_entry(&self) -> Option<Entry> {
        let zero = V::Number::ZERO;
        let touch = self.touch;
        let mut enter: Option<Line<V::Number>> = None;
        let mut leave: Option<Line<V::Number>> = None;
        let is_flat = self.difference.edges().nth(2).is_none();
        for edge in self.difference.edges() {
            for line in lines(edge, is_flat, self.path).into_iter().flatten() {
                if line.inward == zero && !touch.counts(-line.beside.to_f64()) {
                    return None; // The whole ray is outside this line.
                }
                if line.inward > zero && enter.is_none_or(|last| line.is_entered_after(&last)) {
                    enter = Some(line);
                }
                if line.inward < zero && leave.is_none_or(|first| line.order(&first) < 0.0) {
                    leave = Some(line);
                }
            }
        }
        let enter = enter?;
        let Line { beside, inward, out } = enter;
        let is_on_path = beside >= zero && touch.counts((inward - beside).to_f64());
        let is_before_leave = leave.is_none_or(|leave| touch.counts(leave.order(&enter)));
        let fraction = beside.to_f64() / inward.to_f64();
        (is_on_path && is_before_leave).then(|| (fraction, out.direction()))
    }
}

/// The line through an edge of the [`Core`] of a shape. A ray crosses the line at the fraction
/// `beside / inward` of its length. If `inward` is positive, the ray crosses toward the side with the core.
#[derive(Clone, Copy)]
struct Line<N> {
    beside: N,
    inward: N,
    out: Vector<N>,
}

impl<N: Number> Line<N> {
    /// The line through the point `place` in the direction `along`, with the core on the right as in an
    /// [`Edge`].
    fn new(place: Vector<N>, along: Vector<N>, path: Vector<N>) -> Self {
        Self { beside: along.cross(place), inward: along.cross(path), out: along.turned_out() }
    }

    /// Negative if the ray crosses `self` before `other`. Neither line may be parallel to the ray.
    fn order(&self, other: &Self) -> f64 {
        let order = N::products(self.beside, other.inward, other.beside, self.inward);
        if (self.inward < N::ZERO) == (other.inward < N::ZERO) { order } else { -order }
    }

    /// True if the ray crosses `self` after `other`, or at the same time and at an angle nearer to 90
    /// degrees. It must cross both lines inward.
    fn is_entered_after(&self, other: &Self) -> bool {
        let order = self.order(other);
        let square = self.out.square();
        let other_square = other.out.square();
        order > 0.0
            || order == 0.0 && N::squares(self.inward, other_square, other.inward, square) > 0.0
    }
}

/// The lines that bound the core at `edge`. A core that is a segment (`is_flat`) has two edges, and a line
/// across each of them at its start. A core that is a point has four lines: along and across the path, on
/// both sides.
fn lines<N: Number>(edge: Edge<N>, is_flat: bool, path: Vector<N>) -> [Option<Line<N>>; 4] {
    let Edge { start, along } = edge;
    if along == Vector::ZERO {
        let across = path.turned_out();
        return [path, -path, across, -across].map(|along| Some(Line::new(start, along, path)));
    }
    let end = is_flat.then(|| Line::new(start, along.turned_out(), path));
    [Some(Line::new(start, along, path)), end, None, None]
}

/// The shortest translation that ends an overlap, returned by [`Convex::push_out`](super::Convex::push_out).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushOut<V: Coordinate> {
    /// The translation of the pushed shape: `normal * penetration`. For `IVec2` each component is rounded
    /// away from 0, so that the overlap always ends.
    ///
    /// Each component is then too long by less than 1.
    pub translation: V::Push,
    /// The unit vector out of the still shape toward the pushed shape.
    pub normal: DVec2,
    /// The depth of the overlap along `normal`, in pixels. No shorter translation ends the overlap.
    pub penetration: f64,
}

/// True if `one` comes before `other` in lexicographic order.
fn is_before<V: Coordinate>(one: V, other: V) -> bool {
    Into::<[V::Scalar; 2]>::into(one) < other.into()
}

pub(super) fn push_out<V: Coordinate>(difference: &Difference<'_, V>) -> Option<PushOut<V>> {
    let radius = difference.radius;
    let gap = difference.gap(Vector::ZERO);
    gap.is_within(radius, Touch::Ignored).then(|| {
        let depth = gap.depth(radius);
        PushOut {
            translation: V::push(gap.normal, gap.times_length, radius, depth),
            normal: gap.normal.direction(),
            penetration: depth,
        }
    })
}
