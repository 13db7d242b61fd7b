//! Takes points out of outlines, within a distance and without a change of how the loops lie to each other.
//!
//! Two outlines of the same loops lie alike if no new edge crosses another one, and no point that stays lies
//! between a new edge and the part of the outline that it replaces. For then each point that stays is in the
//! same loops before and after, and a loop without crossings is wholly where one of its points is.

use std::ops::Range;

use glam::{I64Vec2, IVec2};

use super::Outlines;
use crate::geometry::SUBPIXELS;

/// An edge between two points that stay, and the part of the loop that it replaces.
#[derive(Clone, Copy)]
struct Edge {
    from: u32,
    /// The index past the last point that is left out: an edge with `from + 1 == past` is an old one.
    past: u32,
    to: u32,
    /// The number of the edge that ends at `from`.
    before: u32,
    /// Whether this edge or the one before it is new since the last round.
    is_new: bool,
}

/// The part of a point in the new outline.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Out,
    /// It stays, and the edge from it was checked.
    Known,
    /// It stays, and the edge from it is new.
    New,
}

struct Simplifier<'o> {
    old: &'o Outlines,
    roles: Vec<Role>,
    /// The square of the distance, in 65,536ths of a pixel.
    square: u128,
    /// The distance in pixels, rounded up.
    margin: i64,
}

/// The splits of a loop at its farthest point; deeper parts are split in the middle, so that a hostile
/// outline takes no longer than O(n log n).
const MAX_DEPTH: u32 = 64;

pub(super) fn simplify(old: &Outlines, distance: u64) -> Outlines {
    let mut simplifier = Simplifier {
        old,
        roles: vec![Role::Out; old.points.len()],
        square: u128::from(distance).pow(2),
        margin: distance.div_ceil(SUBPIXELS as u64) as i64,
    };
    (0..old.ends.len()).for_each(|index| simplifier.split(old.range(index)));
    while simplifier.repair() {}
    let mut new = Outlines { points: Vec::new(), ends: Vec::with_capacity(old.ends.len()) };
    for (index, (_, parent)) in old.ends.iter().enumerate() {
        let range = old.range(index);
        let points = old.points[range.clone()].iter().zip(&simplifier.roles[range]);
        new.points.extend(points.filter(|(_, role)| **role != Role::Out).map(|(point, _)| *point));
        new.ends.push((new.points.len(), *parent));
    }
    new
}

impl Simplifier<'_> {
    fn point(&self, index: u32) -> I64Vec2 {
        self.old.points[index as usize].as_i64vec2()
    }

    /// The point left out that is farthest from the edge, and whether it is too far.
    fn farthest(&self, Edge { from, past, to, .. }: Edge) -> Option<(u32, bool)> {
        let (a, b) = (self.point(from), self.point(to));
        let along = b - a;
        let length = along.length_squared();
        // Beside the edge: twice the area of the triangle with it, which is the distance times the length.
        let (mut beside, mut at_beside) = (-1, 0);
        // Beyond an end of the edge: the square of the distance.
        let (mut beyond, mut at_beyond) = (-1, 0);
        for at in from + 1..past {
            let way = self.point(at) - a;
            let place = way.dot(along);
            if place > 0 && place < length {
                let area = along.perp_dot(way).abs();
                if area > beside {
                    (beside, at_beside) = (area, at);
                }
            } else {
                let way = if place <= 0 { way } else { self.point(at) - b };
                if way.length_squared() > beyond {
                    (beyond, at_beyond) = (way.length_squared(), at);
                }
            }
        }
        let squared = |beside: i64| u128::from(beside.unsigned_abs()).pow(2);
        let (length, square) = (length as u128, self.square);
        if beyond < 0 && beside < 0 {
            None
        } else if beyond < 0 || (beside >= 0 && squared(beside) > beyond as u128 * length) {
            // All numbers are whole, so that nothing is lost by the shift.
            Some((at_beside, squared(beside) > (square * length) >> (2 * SUBPIXELS.ilog2())))
        } else {
            Some((at_beyond, beyond as u128 > square >> (2 * SUBPIXELS.ilog2())))
        }
    }

    /// Chooses the points of a loop that stay.
    fn split(&mut self, Range { start, end }: Range<usize>) {
        let (start, end) = (start as u32, end as u32);
        let first = self.point(start);
        let away = |at: &u32| (self.point(*at) - first).length_squared();
        let Some(far) = (start..end).max_by_key(away) else { return };
        let whole = Edge { from: start, past: end, to: start, before: 0, is_new: true };
        self.roles[start as usize] = Role::New;
        if self.split_at(whole, far) == 1 {
            // Two points are no loop.
            for half in halves(whole, far) {
                if let Some((at, _)) = self.farthest(half) {
                    self.split_at(half, at);
                    return;
                }
            }
        }
    }

    /// Puts a point back in an edge, and further ones until the new edges are near enough. Returns their
    /// number.
    fn split_at(&mut self, edge: Edge, at: u32) -> usize {
        self.roles[edge.from as usize] = Role::New;
        self.roles[at as usize] = Role::New;
        let mut parts = halves(edge, at).map(|part| (part, 0)).to_vec();
        let mut count = 1;
        while let Some((part, depth)) = parts.pop() {
            let Some((mut at, true)) = self.farthest(part) else { continue };
            if depth > MAX_DEPTH {
                at = part.from + (part.past - part.from) / 2;
            }
            self.roles[at as usize] = Role::New;
            count += 1;
            parts.extend(halves(part, at).map(|part| (part, depth + 1)));
        }
        count
    }

    /// Puts points back where edges cross or have passed over a point. False if there is no such place.
    fn repair(&mut self) -> bool {
        let (edges, mut is_bad) = self.edges();
        self.find_crossings(&edges, &mut is_bad);
        self.find_passed(&edges, &mut is_bad);
        self.roles
            .iter_mut()
            .filter(|role| **role == Role::New)
            .for_each(|role| *role = Role::Known);
        let mut is_any = false;
        for (edge, _) in edges.iter().zip(is_bad).filter(|(_, is_bad)| *is_bad) {
            if let Some((at, _)) = self.farthest(*edge) {
                self.split_at(*edge, at);
                is_any = true;
            }
        }
        is_any
    }

    /// The edges, loop by loop, and for each whether its loop has lost its winding.
    fn edges(&self) -> (Vec<Edge>, Vec<bool>) {
        let (mut edges, mut is_bad) = (Vec::new(), Vec::new());
        for index in 0..self.old.ends.len() {
            let Range { start, end } = self.old.range(index);
            let first = edges.len();
            for (at, role) in (start as u32..).zip(&self.roles[start..end]) {
                if *role == Role::Out {
                    continue;
                }
                let before = edges.len().wrapping_sub(1) as u32;
                if let Some(last) = edges[first..].last_mut() {
                    let last: &mut Edge = last;
                    (last.past, last.to) = (at, at);
                }
                let is_new = *role == Role::New;
                edges.push(Edge { from: at, past: end as u32, to: start as u32, before, is_new });
            }
            let last = edges.len().wrapping_sub(1) as u32;
            let of_loop = &mut edges[first..];
            if let Some(edge) = of_loop.first_mut() {
                edge.before = last;
            }
            let area = |points: &mut dyn Iterator<Item = (IVec2, IVec2)>| -> i128 {
                points.map(|(a, b)| i128::from(a.as_i64vec2().perp_dot(b.as_i64vec2()))).sum()
            };
            let mut has_turned = false;
            if of_loop.iter().any(|edge| edge.is_new) {
                let points = &self.old.points;
                let old = &points[start..end];
                let new = of_loop.iter();
                let was = area(&mut old.iter().copied().zip(old.iter().copied().cycle().skip(1)));
                let at = |index: u32| points[index as usize];
                let is = area(&mut new.map(|edge| (at(edge.from), at(edge.to))));
                has_turned = was.signum() != is.signum();
            }
            is_bad.resize(edges.len(), has_turned);
        }
        let is_new: Vec<bool> = edges.iter().map(|edge| edge.is_new).collect();
        edges.iter_mut().for_each(|edge| edge.is_new |= is_new[edge.before as usize]);
        (edges, is_bad)
    }

    fn find_crossings(&self, edges: &[Edge], is_bad: &mut [bool]) {
        let ends = |edge: &Edge| (self.point(edge.from), self.point(edge.to));
        let squares = Squares::new(self.old, edges.len());
        let lists = squares.lists(edges.len(), |index, visit| {
            let (from, to) = ends(&edges[index]);
            squares.visit(from, to, 0, visit);
        });
        let is_old = |edge: &Edge| edge.past == edge.from + 1;
        for list in lists.all() {
            for (at, &one) in list.iter().enumerate() {
                let edge = &edges[one as usize];
                let (a, b) = ends(edge);
                let (min, max) = (a.min(b), a.max(b));
                for &two in &list[at + 1..] {
                    let other = &edges[two as usize];
                    if !edge.is_new && !other.is_new {
                        continue;
                    }
                    let (c, d) = ends(other);
                    if c.min(d).cmpgt(max).any() || c.max(d).cmplt(min).any() {
                        continue;
                    }
                    if !(is_old(edge) && is_old(other)) && cross(a, b, c, d) {
                        is_bad[one as usize] = true;
                        is_bad[two as usize] = true;
                    }
                    let before = [edge, other].map(|edge| &edges[edge.before as usize]);
                    if a == c && cross_in_point(a, [b, d], before.map(|edge| ends(edge).0)) {
                        for index in [one, two, edge.before, other.before] {
                            is_bad[index as usize] = true;
                        }
                    }
                }
            }
        }
    }

    /// Finds the edges that have passed over a point of another edge.
    fn find_passed(&self, edges: &[Edge], is_bad: &mut [bool]) {
        let squares = Squares::new(self.old, edges.len());
        let lists = squares.lists(edges.len(), |index, visit| {
            let at = self.point(edges[index].from);
            squares.visit(at, at, 0, visit);
        });
        let is_new = |list: &[u32]| list.iter().any(|index| edges[*index as usize].is_new);
        let have_new: Vec<bool> = lists.all().map(is_new).collect();
        for (edge, is_bad) in edges.iter().zip(is_bad) {
            if edge.past == edge.from + 1 || *is_bad {
                continue;
            }
            let (a, b) = (self.point(edge.from), self.point(edge.to));
            let (min, max) = (a.min(b) - self.margin, a.max(b) + self.margin);
            squares.visit(a, b, self.margin, &mut |square| {
                if *is_bad || !(edge.is_new || have_new[square]) {
                    return;
                }
                *is_bad = lists.of(square).iter().any(|index| {
                    let other = &edges[*index as usize];
                    let point = self.point(other.from);
                    (edge.is_new || other.is_new)
                        && point.cmpge(min).all()
                        && point.cmple(max).all()
                        && point != a
                        && point != b
                        && self.holds(edge, point)
                });
            });
        }
    }

    /// True if a point is between an edge and the part of the loop that the edge replaces, or on that part.
    fn holds(&self, edge: &Edge, point: I64Vec2) -> bool {
        let mut is_inside = false;
        let old = (edge.from..edge.past)
            .map(|at| (at, if at + 1 < edge.past { at + 1 } else { edge.to }));
        for (from, to) in old.chain([(edge.to, edge.from)]) {
            let (a, b) = (self.point(from), self.point(to));
            let side = (b - a).perp_dot(point - a);
            if side == 0 && point.cmpge(a.min(b)).all() && point.cmple(a.max(b)).all() {
                return true;
            }
            if (a.y <= point.y) != (b.y <= point.y) && (side > 0) == (b.y > a.y) {
                is_inside = !is_inside;
            }
        }
        is_inside
    }
}

/// The two edges in place of one that gets back a point.
fn halves(edge: Edge, at: u32) -> [Edge; 2] {
    [Edge { past: at, to: at, ..edge }, Edge { from: at, ..edge }]
}

/// True if two edges have a point in common that is not an end of both, or both ends.
fn cross(a: I64Vec2, b: I64Vec2, c: I64Vec2, d: I64Vec2) -> bool {
    let side = |a: I64Vec2, b: I64Vec2, point: I64Vec2| (b - a).perp_dot(point - a).signum();
    let (sides, others) = ([side(a, b, c), side(a, b, d)], [side(c, d, a), side(c, d, b)]);
    if sides[0] * sides[1] < 0 && others[0] * others[1] < 0 {
        return true;
    }
    let is_on = |side: i64, a: I64Vec2, b: I64Vec2, point: I64Vec2| {
        let is_beside = point.cmplt(a.min(b)).any() || point.cmpgt(a.max(b)).any();
        side == 0 && !is_beside && point != a && point != b
    };
    is_on(sides[0], a, b, c)
        || is_on(sides[1], a, b, d)
        || is_on(others[0], c, d, a)
        || is_on(others[1], c, d, b)
        || (a == c && b == d)
        || (a == d && b == c)
}

/// True if two loops that meet in a point cross there, by the points after and before it on each.
fn cross_in_point(at: I64Vec2, after: [I64Vec2; 2], before: [I64Vec2; 2]) -> bool {
    let (from, to) = (after[0] - at, before[0] - at);
    // Strictly inside the turn from one direction to another; more than half a turn if the turn is negative.
    let is_between = |way: I64Vec2| {
        let (one, other) = (from.perp_dot(way), way.perp_dot(to));
        match from.perp_dot(to) {
            1.. => one > 0 && other > 0,
            0 => one > 0 && from.dot(to) < 0,
            _ => one > 0 || other > 0,
        }
    };
    let is_beyond = |way: I64Vec2| {
        let (one, other) = (from.perp_dot(way), way.perp_dot(to));
        match from.perp_dot(to) {
            1.. => one < 0 || other < 0,
            0 => one < 0 || from.dot(to) > 0,
            _ => one < 0 && other < 0,
        }
    };
    let ways = [after[1] - at, before[1] - at];
    (is_between(ways[0]) && is_beyond(ways[1])) || (is_between(ways[1]) && is_beyond(ways[0]))
}

/// A division of the plane into squares, some four edges to a square.
struct Squares {
    min: I64Vec2,
    size: I64Vec2,
    shift: u32,
}

impl Squares {
    fn new(outlines: &Outlines, edges: usize) -> Self {
        let all = || outlines.points.iter().copied();
        let min = all().reduce(IVec2::min).unwrap_or_default().as_i64vec2();
        let max = all().reduce(IVec2::max).unwrap_or_default().as_i64vec2();
        let size = |shift: u32| ((max - min) >> shift) + 1;
        let is_few = |shift: &u32| size(*shift).element_product() <= edges as i64 / 4 + 64;
        let shift = (2..32).find(is_few).unwrap_or(31);
        Self { min, size: size(shift), shift }
    }

    /// Calls `visit` with the number of each square that has a point of a segment, or may have a point within
    /// `margin` of it.
    fn visit(&self, a: I64Vec2, b: I64Vec2, margin: i64, visit: &mut dyn FnMut(usize)) {
        let (a, b) =
            if a.x <= b.x { (a - self.min, b - self.min) } else { (b - self.min, a - self.min) };
        let square = |place: i64, count: i64| (place >> self.shift).clamp(0, count - 1);
        let columns = square(a.x - margin, self.size.x)..=square(b.x + margin, self.size.x);
        let is_upright = columns.start() == columns.end() || a.x == b.x;
        for column in columns {
            let (mut top, mut bottom) = (a.y.min(b.y), a.y.max(b.y));
            if !is_upright {
                let at = |x: i64| (b.y - a.y) * (x.clamp(a.x, b.x) - a.x);
                let ends = [
                    at((column << self.shift) - margin),
                    at(((column + 1) << self.shift) + margin),
                ];
                let width = b.x - a.x;
                top = a.y + ends[0].min(ends[1]).div_euclid(width);
                bottom = a.y - (-ends[0].max(ends[1])).div_euclid(width);
            }
            for row in square(top - margin, self.size.y)..=square(bottom + margin, self.size.y) {
                visit((row * self.size.x + column) as usize);
            }
        }
    }

    /// The list of things in each square. `squares_of` calls a function with each square of a thing.
    fn lists(&self, things: usize, squares_of: impl Fn(usize, &mut dyn FnMut(usize))) -> Lists {
        let mut starts = vec![0; self.size.element_product() as usize + 2];
        (0..things).for_each(|thing| squares_of(thing, &mut |square| starts[square + 2] += 1));
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut items = vec![0; starts.last().map_or(0, |count: &usize| *count)];
        for thing in 0..things {
            squares_of(thing, &mut |square| {
                items[starts[square + 1]] = thing as u32;
                starts[square + 1] += 1;
            });
        }
        Lists { starts, items }
    }
}

struct Lists {
    starts: Vec<usize>,
    items: Vec<u32>,
}

impl Lists {
    fn of(&self, square: usize) -> &[u32] {
        &self.items[self.starts[square]..self.starts[square + 1]]
    }

    fn all(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.starts.len() - 2).map(|square| self.of(square))
    }
}
