//! Scan conversion of polygons and discs, row by row from top to bottom. A shape covers the pixels whose
//! centres it contains.

use std::iter;
use std::ops::Range;

use glam::IVec2;

use super::{Emit, Span};
use crate::geometry::{Aabb, Decimal};

/// The x and y of a corner, in millionths of a pixel.
pub(super) type Corner = (i64, i64);

/// An edge of a shape, at its position in the current row of a scan, and the rows in which it has a position:
/// at least one.
pub(super) type ScanEdge<E> = (Range<i32>, E);

/// Calls `row` for each row, from top to bottom, with the edges that cross it. Rows without edges are
/// skipped. Each edge must be at its first row at the start, and `advance` moves it to its next row.
pub(super) fn scan<E>(
    mut edges: Vec<ScanEdge<E>>,
    advance: impl Fn(&mut E),
    mut row: impl FnMut(i32, &[ScanEdge<E>]),
) {
    edges.sort_unstable_by_key(|(rows, _)| rows.start);
    let mut waiting = edges.into_iter().peekable();
    let mut active = Vec::new();
    let mut y = i32::MIN;
    loop {
        if active.is_empty() {
            match waiting.peek() {
                Some((rows, _)) => y = rows.start,
                None => return,
            }
        }
        active.extend(iter::from_fn(|| waiting.next_if(|(rows, _)| rows.start <= y)));
        row(y, &active);
        y += 1;
        active.retain_mut(|(rows, edge)| {
            let goes_on = y < rows.end;
            if goes_on {
                advance(edge);
            }
            goes_on
        });
    }
}

/// The x at which an edge crosses a horizontal line; [`Crossing::advance`] moves the line down by one pixel.
/// The x is kept as whole pixels and the remainder of an exact division, so that no error accumulates.
pub(super) struct Crossing {
    whole: i64,
    rest: i128,
    step_whole: i64,
    step_rest: i128,
    divisor: i128,
}

impl Crossing {
    /// The crossing of the horizontal line at `y` with the edge from `from` down to `to`. The resulting x is
    /// relative to `origin`. All arguments are in millionths of a pixel.
    pub(super) fn new(from: Corner, to: Corner, y: i64, origin: i64) -> Self {
        let dx = i128::from(to.0) - i128::from(from.0);
        let dy = i128::from(to.1) - i128::from(from.1);
        let divisor = i128::from(Decimal::PER_PIXEL) * dy;
        let across = i128::from(from.0) - i128::from(origin);
        let down = i128::from(y) - i128::from(from.1);
        let x = across * dy + down * dx;
        let step = i128::from(Decimal::PER_PIXEL) * dx;
        Self {
            whole: x.div_euclid(divisor) as i64,
            rest: x.rem_euclid(divisor),
            step_whole: step.div_euclid(divisor) as i64,
            step_rest: step.rem_euclid(divisor),
            divisor,
        }
    }

    /// Returns the x of this crossing in whole pixels twice: rounded down and rounded up.
    pub(super) fn around(&self) -> (i64, i64) {
        (self.whole, self.whole + i64::from(self.rest != 0))
    }

    pub(super) fn advance(&mut self) {
        self.whole += self.step_whole;
        self.rest += self.step_rest;
        if self.rest >= self.divisor {
            self.whole += 1;
            self.rest -= self.divisor;
        }
    }
}

/// Joins spans that overlap or touch, and drops empty spans. Spans must be added in order of row, then of
/// start.
pub(super) struct Joiner<'e> {
    span: Option<Span>,
    emit: &'e mut Emit<'e>,
}

impl<'e> Joiner<'e> {
    pub(super) fn new(emit: &'e mut Emit<'e>) -> Self {
        Self { span: None, emit }
    }

    pub(super) fn add(&mut self, next: Span) {
        if next.start >= next.end {
            return;
        }
        match &mut self.span {
            Some(span) if span.y == next.y && next.start <= span.end => {
                span.end = span.end.max(next.end);
            }
            _ => {
                if let Some(span) = self.span.replace(next) {
                    (self.emit)(span);
                }
            }
        }
    }

    pub(super) fn finish(self) {
        if let Some(span) = self.span {
            (self.emit)(span);
        }
    }
}

const HALF: i64 = Decimal::PER_PIXEL / 2;

/// The edge of a polygon between two corners. Its crossing is with the middles of the rows, and measured from
/// the centre of column 0. `None` if it crosses the middle of no row in `clip`. The edge includes its upper
/// end, but not its lower end.
fn side(from: Corner, to: Corner, clip: Aabb) -> Option<ScanEdge<Crossing>> {
    if from.1 > to.1 {
        return side(to, from, clip);
    }
    let [first, end] = [from.1, to.1].map(|y| Decimal::from_millionths(y).pixel() as i32);
    let rows = first.max(clip.min.y)..end.min(clip.max.y);
    let centre = Decimal::from_pixels(rows.start).millionths() + HALF;
    (!rows.is_empty()).then(|| (rows, Crossing::new(from, to, centre, HALF)))
}

/// Emits the pixels in `clip` whose centres are inside the closed outline `edges`. Its coordinates must fit
/// `i32` in pixels.
pub(super) fn cover(
    edges: impl Iterator<Item = (Corner, Corner)>,
    clip: Aabb,
    emit: &mut Emit<'_>,
) {
    let sides = edges.filter_map(|(from, to)| side(from, to, clip)).collect();
    let left = i64::from(clip.min.x);
    let right = i64::from(clip.max.x);
    let mut columns = Vec::new();
    let mut joined = Joiner::new(emit);
    scan(sides, Crossing::advance, |y, sides| {
        columns.clear();
        // The first column whose pixel centre is on the edge or right of it.
        let firsts = sides.iter().map(|(_, crossing)| crossing.around().1);
        columns.extend(firsts.map(|column| column.clamp(left, right) as i32));
        columns.sort_unstable();
        // The row changes from outside to inside, or back, at each edge. Two edges at the same column give an
        // empty span.
        for pair in columns.chunks_exact(2) {
            joined.add(Span { y, start: pair[0], end: pair[1] });
        }
    });
    joined.finish();
}

/// Emits the pixels in `clip` whose centres are in the polygon, from top to bottom and from left to right, in
/// spans that do not touch. The last corner is joined to the first corner. Regions that the outline encloses
/// an even number of times are holes. O(n log n + edges in each row) for n corners.
pub(crate) fn polygon(corners: &[IVec2], clip: Aabb, emit: &mut dyn FnMut(Span)) {
    let back = corners.last().zip(corners.first());
    let edges = corners.iter().zip(corners.iter().skip(1)).chain(back);
    let edges = edges.map(|(from, to)| (corner(*from), corner(*to)));
    cover(edges, clip, emit);
}

fn corner(at: IVec2) -> Corner {
    (Decimal::from_pixels(at.x).millionths(), Decimal::from_pixels(at.y).millionths())
}

/// Like [`polygon()`], for a disc: the points within `radius` pixels of the top-left corner of the pixel
/// `center`. No pixel centre is exactly at this distance. O(rows in `clip`).
pub(crate) fn disc(center: IVec2, radius: i32, clip: Aabb, emit: &mut dyn FnMut(Span)) {
    let [x, y, radius] = [center.x, center.y, radius].map(i64::from);
    let first = (y - radius).max(clip.min.y.into());
    let last = (y + radius).min(clip.max.y.into());
    for row in first..last {
        // Lengths are in half pixels. They are below 2^32, so that squares are below 2^64.
        let down = (2 * (row - y) + 1).unsigned_abs();
        let diameter = radius.unsigned_abs() * 2;
        let reach = (diameter * diameter - down * down).isqrt() as i64;
        let beside = (reach + 1) / 2;
        let start = (x - beside).max(clip.min.x.into());
        let end = (x + beside).min(clip.max.x.into());
        if start < end {
            emit(Span { y: row as i32, start: start as i32, end: end as i32 });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn covered(cover: impl Fn(Aabb, &mut dyn FnMut(Span)), clip: Aabb) -> Vec<IVec2> {
        let mut pixels = Vec::new();
        cover(clip, &mut |span| {
            assert!(span.start < span.end);
            pixels.extend((span.start..span.end).map(|x| IVec2::new(x, span.y)));
        });
        pixels
    }

    fn pixels_of(clip: Aabb) -> impl Iterator<Item = IVec2> {
        let rows = clip.min.y..clip.max.y;
        rows.flat_map(move |y| (clip.min.x..clip.max.x).map(move |x| IVec2::new(x, y)))
    }

    /// True if the centre of `pixel` is in the polygon, by a naive test: an odd number of edges cross the ray
    /// from the centre to the left.
    fn is_in_polygon(corners: &[IVec2], pixel: IVec2) -> bool {
        let center = (2 * pixel + 1).as_i64vec2();
        let ends = corners.iter().zip(corners.iter().cycle().skip(1));
        let crosses = |(from, to): (&IVec2, &IVec2)| {
            let (a, b) = ((2 * from).as_i64vec2(), (2 * to).as_i64vec2());
            let (a, b) = if a.y < b.y { (a, b) } else { (b, a) };
            a.y <= center.y && center.y < b.y && (b - a).perp_dot(center - a) <= 0
        };
        ends.filter(|edge| crosses(*edge)).count() % 2 == 1
    }

    #[test]
    fn discs_and_polygons_cover_the_pixels_whose_centres_they_contain() {
        let mut random = fastrand::Rng::with_seed(3);
        for round in 0..3_000 {
            let far = if round % 3 == 0 { i32::MAX - 60 } else { 0 };
            let shift = IVec2::splat(if round % 2 == 0 { far } else { -far });
            let mut point = |reach: i32| {
                IVec2::new(random.i32(-reach..reach), random.i32(-reach..reach)) + shift
            };
            let clip = Aabb::from_xywh(point(30).x, point(30).y, 40, 40);
            let corners: Vec<IVec2> = (0..point(4).x.rem_euclid(8)).map(|_| point(30)).collect();
            let found = covered(|clip, emit| polygon(&corners, clip, emit), clip);
            let inside = pixels_of(clip).filter(|at| {
                let near = |at: IVec2| at - shift;
                let corners: Vec<IVec2> = corners.iter().map(|at| near(*at)).collect();
                is_in_polygon(&corners, near(*at))
            });
            assert_eq!(found, inside.collect::<Vec<_>>(), "{corners:?}");

            let (center, radius) = (point(20), point(25).x - shift.x);
            let found = covered(|clip, emit| disc(center, radius, clip, emit), clip);
            let square = 4 * i64::from(radius) * i64::from(radius);
            let inside = pixels_of(clip).filter(|at| {
                let from_center = 2 * (*at - center) + 1;
                radius > 0 && from_center.as_i64vec2().length_squared() <= square
            });
            assert_eq!(found, inside.collect::<Vec<_>>(), "{center} {radius}");
        }
    }

    #[test]
    fn polygons_and_discs_as_large_as_the_range_of_i32_cover_the_right_pixels() {
        let all = Aabb { min: IVec2::MIN, max: IVec2::MAX };
        for clip in [Aabb::from_xywh(-3, -3, 6, 6), Aabb { min: IVec2::MIN, max: IVec2::MIN + 6 }] {
            let corners = [all.min, IVec2::new(i32::MAX, i32::MIN), all.max];
            let found = covered(|clip, emit| polygon(&corners, clip, emit), clip);
            let upper = |at: &IVec2| at.x >= at.y;
            assert_eq!(found, pixels_of(clip).filter(upper).collect::<Vec<_>>());
            for center in [IVec2::ZERO, clip.min] {
                let found = covered(|clip, emit| disc(center, i32::MAX, clip, emit), clip);
                let expected = if clip.contains(center) { 36 } else { 0 };
                assert_eq!(found.len(), expected);
                assert_eq!(covered(|clip, emit| disc(center, i32::MIN, clip, emit), clip), []);
            }
        }
    }
}
