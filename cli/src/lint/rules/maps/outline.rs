//! Faults of outlines: polygons that cross themselves, shapes without size. Kernels over plain points.

use bitwall::tmx::{Object, Point, Shape};

/// Pairs of edges that may be compared in all shapes of a map. A polygon of 10,000 points around an island
/// needs about 60,000.
pub(super) const MOST_PAIRS: u64 = 4_000_000;

/// The limit of [`MOST_PAIRS`] was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooTangled;

/// A point as two whole numbers, in millionths of a pixel.
type Spot = (i64, i64);

fn spot(point: &Point) -> Spot {
    (point.x.millionths(), point.y.millionths())
}

/// The first two edges of a closed polygon that cross each other within both, by the indices of their first
/// points; `None` if no two do. Edges that only touch do not cross.
///
/// Sweeps over the edges from left to right: O(n log n + pairs whose extents meet), at most `pairs` of them,
/// which are taken off.
pub(super) fn crossing(
    points: &[Point],
    pairs: &mut u64,
) -> Result<Option<(usize, usize)>, TooTangled> {
    let spots: Vec<Spot> = points.iter().map(spot).collect();
    let ends = spots.iter().skip(1).chain(spots.first());
    let mut edges: Vec<(usize, Spot, Spot)> =
        spots.iter().zip(ends).enumerate().map(|(index, (a, b))| (index, *a, *b)).collect();
    edges.sort_by_key(|(index, a, b)| (a.0.min(b.0), *index));
    // The edges whose extent in x is not over.
    let mut open: Vec<(usize, Spot, Spot)> = Vec::new();
    for edge in edges {
        let left = edge.1.0.min(edge.2.0);
        open.retain(|(_, a, b)| a.0.max(b.0) > left);
        for other in &open {
            *pairs = pairs.checked_sub(1).ok_or(TooTangled)?;
            if cross((edge.1, edge.2), (other.1, other.2)) {
                return Ok(Some((edge.0.min(other.0), edge.0.max(other.0))));
            }
        }
        open.push(edge);
    }
    Ok(None)
}

/// True if two segments cross at a point within both.
fn cross((a, b): (Spot, Spot), (c, d): (Spot, Spot)) -> bool {
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

/// On which side of the line from `a` to `b` a point lies: -1, 0 or 1.
fn side(a: Spot, b: Spot, point: Spot) -> i32 {
    let wide = |to: i64, from: i64| i128::from(to) - i128::from(from);
    let area = wide(b.0, a.0) * wide(point.1, a.1) - wide(b.1, a.1) * wide(point.0, a.0);
    area.signum() as i32
}

/// True if the points are all on one line, so that a polygon of them holds nothing.
pub(super) fn is_flat(points: &[Point]) -> bool {
    let spots: Vec<Spot> = points.iter().map(spot).collect();
    let Some(first) = spots.first() else {
        return true;
    };
    let Some(other) = spots.iter().find(|spot| *spot != first) else {
        return true;
    };
    spots.iter().all(|spot| side(*first, *other, *spot) == 0)
}

/// True if a shape that is not a point has neither width nor height, or all its points in one place.
pub(super) fn has_no_size(object: &Object) -> bool {
    let zero = |size: Point| size == Point::default();
    match &object.shape {
        Shape::Rectangle | Shape::Ellipse | Shape::Capsule => zero(object.size),
        Shape::Polygon(points) | Shape::Polyline(points) => {
            points.iter().all(|point| Some(point) == points.first())
        }
        Shape::Point | Shape::Text(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bitwall::tmx::Decimal;

    fn polygon(points: &[(i32, i32)]) -> Vec<Point> {
        let at = Decimal::from_pixels;
        points.iter().map(|(x, y)| Point { x: at(*x), y: at(*y) }).collect()
    }

    fn found(points: &[(i32, i32)]) -> Option<(usize, usize)> {
        crossing(&polygon(points), &mut MOST_PAIRS.clone()).unwrap()
    }

    #[test]
    fn crossings_are_found() {
        assert_eq!(found(&[(0, 0), (10, 10), (10, 0), (0, 10)]), Some((0, 2)));
        assert_eq!(found(&[(0, 0), (10, 0), (10, 10), (5, -5), (0, 10)]), Some((0, 3)));
    }

    #[test]
    fn touching_edges_do_not_cross() {
        for points in [
            &[][..],
            &[(3, 3)],
            &[(0, 0), (10, 0)],
            &[(0, 0), (10, 0), (10, 10), (0, 10)],
            // A corner on an edge, two corners in one place, and a spike.
            &[(0, 0), (10, 0), (10, 10), (5, 0), (0, 10)],
            &[(0, 0), (5, 5), (10, 0), (10, 10), (5, 5), (0, 10)],
            &[(0, 0), (10, 0), (5, 0), (5, 9)],
            &[(0, 0), (0, 0), (10, 0), (10, 0), (10, 10)],
        ] {
            assert_eq!(found(points), None, "{points:?}");
        }
    }

    /// Compares every pair of edges.
    fn naive(points: &[Point]) -> bool {
        let spots: Vec<Spot> = points.iter().map(spot).collect();
        let edge = |i: usize| (spots[i], spots[(i + 1) % spots.len()]);
        (0..spots.len()).any(|i| (0..i).any(|j| cross(edge(i), edge(j))))
    }

    #[test]
    fn the_sweep_finds_what_all_pairs_have() {
        let mut rng = fastrand::Rng::with_seed(13);
        let mut crossed = 0;
        for _ in 0..4_000 {
            let (count, side) = (rng.usize(0..9), [3, 9, 1 << 20][rng.usize(0..3)]);
            let points: Vec<(i32, i32)> =
                (0..count).map(|_| (rng.i32(-side..side), rng.i32(-side..side))).collect();
            let points = polygon(&points);
            let found = crossing(&points, &mut MOST_PAIRS.clone()).unwrap();
            assert_eq!(found.is_some(), naive(&points), "{points:?}");
            crossed += u32::from(found.is_some());
        }
        assert!(crossed > 500, "{crossed}");
    }

    #[test]
    fn a_tangle_is_given_up() {
        // Nested tips of a comb: every edge's extent meets those of all others.
        let comb: Vec<(i32, i32)> =
            (0..5_000).map(|i| (if i % 2 == 0 { 0 } else { 9_000 }, i)).collect();
        assert_eq!(crossing(&polygon(&comb), &mut 1_000_000), Err(TooTangled));
    }

    #[test]
    fn shapes_without_content_are_known() {
        assert!(is_flat(&polygon(&[])) && is_flat(&polygon(&[(1, 1), (1, 1)])));
        assert!(is_flat(&polygon(&[(0, 0), (2, 2), (5, 5)])));
        assert!(!is_flat(&polygon(&[(0, 0), (2, 2), (5, 6)])));
        let object = |shape| Object { shape, ..Object::default() };
        assert!(has_no_size(&object(Shape::Rectangle)) && !has_no_size(&object(Shape::Point)));
        assert!(has_no_size(&object(Shape::Polyline(polygon(&[(4, 4), (4, 4)])))));
        assert!(!has_no_size(&object(Shape::Polyline(polygon(&[(4, 4), (4, 5)])))));
    }
}
