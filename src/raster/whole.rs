//! The pixels whose centres are in a polygon or a disc of whole coordinates, at any place in the range of
//! `i32`.
//!
//! A pixel (x, y) is the square from the corner (x, y) to the corner (x + 1, y + 1).

use std::ops::ControlFlow;

use glam::IVec2;

use super::polygon::cover;
use super::scan::Corner;
use super::{Emit, Span};
use crate::geometry::Aabb;
use crate::geometry::decimal::Decimal;

/// Passes the pixels in `clip` whose centres are in a polygon to `emit`: row by row downward, in a row from
/// left to right, in spans that do not touch. The last corner is joined to the first one; parts that the
/// outline goes around an even number of times are holes. O(corners x log corners + corners of the edges in
/// each row).
pub(crate) fn polygon(corners: &[IVec2], clip: Aabb, emit: &mut dyn FnMut(Span)) {
    let corner = |at: &IVec2| -> Corner {
        let along = |pixels| Decimal::from_pixels(pixels).millionths();
        (along(at.x), along(at.y))
    };
    let back = corners.last().zip(corners.first());
    let edges = corners.iter().zip(corners.iter().skip(1)).chain(back);
    let edges = edges.map(|(from, to)| (corner(from), corner(to)));
    let emit: &mut Emit<'_> = &mut |span| {
        emit(span);
        ControlFlow::Continue(())
    };
    let _ = cover(edges, clip, emit);
}

/// As [`polygon()`], for the points within `radius` of `center`. It is the same after every quarter turn and
/// reflection: no pixel's centre is at a whole distance from a corner of pixels. O(rows in `clip`).
pub(crate) fn disc(center: IVec2, radius: i32, clip: Aabb, emit: &mut dyn FnMut(Span)) {
    let [x, y, radius] = [center.x, center.y, radius].map(i64::from);
    let first = (y - radius).max(clip.min.y.into());
    let last = (y + radius).min(clip.max.y.into());
    for row in first..last {
        // In half pixels: below 2^32, so that the square is below 2^64.
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

    /// Naive: the edges that cross the ray from a pixel's centre to the left, or pass through the centre.
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
    fn discs_and_polygons_cover_the_pixels_whose_centres_they_hold() {
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
    fn the_largest_shapes_have_their_pixels_too() {
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
