//! Compares the pixels of shapes with simple tests of each single pixel.

use glam::IVec2;

use super::exact::outline::REACH;
use super::*;
use crate::geometry::{Aabb, Decimal, Point};

mod area;
mod ellipse;
mod path;
mod set;
mod thin;
mod transform;

/// The point (x, y) in units of 1 / `unit` pixels.
fn point(x: i64, y: i64, unit: i64) -> Point {
    let micro = |n: i64| Decimal::from_millionths(n * Decimal::PER_PIXEL / unit);
    Point { x: micro(x), y: micro(y) }
}

/// The pixels that `cover` emits, in order. Panics if the spans are out of order or touch.
fn pixels(cover: impl FnOnce(&mut dyn FnMut(Span))) -> Vec<(i32, i32)> {
    let mut found = Vec::new();
    let mut last: Option<Span> = None;
    cover(&mut |span| {
        assert!(span.start < span.end, "{span:?}");
        if let Some(last) = last {
            let follows = last.y < span.y || last.y == span.y && last.end < span.start;
            assert!(follows, "{last:?} {span:?}");
        }
        last = Some(span);
        found.extend((span.start..span.end).map(|x| (span.y, x)));
    });
    found
}

/// The pixels whose centres are in the outline.
fn centres(outline: &Outline, clip: Aabb) -> Vec<(i32, i32)> {
    pixels(|emit| outline.cover_centres(clip, emit))
}

/// The pixels that the outline covers.
fn covered(outline: &Outline, clip: Aabb) -> Vec<(i32, i32)> {
    pixels(|mut emit| outline.cover(clip, &mut emit))
}

/// The pixels in `clip` for which `is_covered` is true.
fn by_pixel(clip: Aabb, is_covered: impl Fn(i32, i32) -> bool) -> Vec<(i32, i32)> {
    let rows = clip.min.y..clip.max.y;
    rows.flat_map(|y| (clip.min.x..clip.max.x).map(move |x| (y, x)))
        .filter(|(y, x)| is_covered(*x, *y))
        .collect()
}

fn random_box(rng: &mut fastrand::Rng) -> Aabb {
    Aabb::from_xywh(rng.i32(-12..4), rng.i32(-12..4), rng.i32(0..24), rng.i32(0..24))
}

/// `count` random points within 14 pixels of the origin on each axis, at multiples of 1 / `unit` pixels.
fn random_points(rng: &mut fastrand::Rng, count: usize, unit: i64) -> Vec<Point> {
    let mut at = || rng.i64(-14 * unit..=14 * unit);
    (0..count).map(|_| point(at(), at(), unit)).collect()
}

fn exact(point: &Point) -> (i128, i128) {
    (point.x.millionths().into(), point.y.millionths().into())
}

/// Twice the signed area of the triangle `a`, `b`, `c`; positive if it is clockwise on the screen.
fn cross(a: (i128, i128), b: (i128, i128), c: (i128, i128)) -> i128 {
    (b.0 - a.0) * (c.1 - a.1) - (c.0 - a.0) * (b.1 - a.1)
}

#[test]
fn shapes_at_the_ends_of_the_coordinate_range_do_not_overflow() {
    let far = [i64::MIN, i64::MIN + 1, -1 << 45, -1 << 44, -1, 0, 1, 1 << 44, i64::MAX];
    let everywhere = Aabb { min: IVec2::new(i32::MIN, -40), max: IVec2::new(i32::MAX, 40) };
    let mut rng = fastrand::Rng::with_seed(9);
    for _ in 0..2000 {
        let mut at = || Point {
            x: Decimal::from_millionths(far[rng.usize(..far.len())]),
            y: Decimal::from_millionths(far[rng.usize(..far.len())]),
        };
        let points: Vec<_> = (0..4).map(|_| at()).collect();
        let (centre, a, b) = (at(), at(), at());
        let turn = Rotation::degrees(at().x);
        let ratio = Ratio { over: at().x.millionths(), under: at().y.millionths() };
        let size = (at().x, at().y);
        let outlines = vec![
            Outline::Polygon(points.clone()),
            Outline::Path(points),
            Outline::Dot(centre),
            Outline::Capsule { centres: [centre; 2], a, b },
            rectangle(a.x, a.y, size.0, size.1),
            capsule(a.x, a.y, size.0, size.1),
            Outline::Capsule { centres: [centre, a], a, b },
        ];
        for outline in outlines {
            let turned = outline.map(&|p| scale(turn.about(centre, p), b, ratio, ratio));
            for outline in [outline, turned] {
                let bounds = outline.bounds();
                outline.cover(everywhere, &mut |span| {
                    let first = IVec2::new(span.start, span.y);
                    let last = IVec2::new(span.end - 1, span.y);
                    assert!(bounds.contains(first) && bounds.contains(last), "{outline:?}");
                });
                assert!(outline.work(everywhere) < 1 << 20);
            }
        }
    }
}

#[test]
fn a_shape_without_points_covers_nothing() {
    for outline in [Outline::Polygon(vec![]), Outline::Path(vec![])] {
        assert!(outline.bounds().is_empty());
        assert_eq!(covered(&outline, Aabb::from_xywh(-9, -9, 18, 18)), []);
    }
}

#[test]
fn the_estimated_work_of_a_tall_shape_counts_only_rows_near_the_clipping_box() {
    let far = Decimal::from_pixels(1 << 22);
    let (x, width) = (Decimal::ZERO, Decimal::from_pixels(40));
    let clip = Aabb::from_xywh(0, 0, 100, 1000);
    let rows = 1000 + 2 * REACH as u64;
    for (outline, limit) in [
        (rectangle(x, -far, width, far + far), 2 * rows + 8),
        (ellipse(x, -far, width, far + far), 16 * rows),
    ] {
        assert!(outline.work(clip) <= limit, "{}", outline.work(clip));
        assert_eq!(covered(&outline, clip).len(), 40 * 1000);
    }
}
