//! The points of a map's shapes: clamped so that products do not overflow, as edges, and the box around them.

use std::iter;

use glam::IVec2;

use super::scan::Corner;
use crate::geometry::{Aabb, Decimal, Point};

/// The largest magnitude of a coordinate, so that all products fit `i128`.
const LIMIT: i64 = 1 << 44;

/// A coordinate in millionths of a pixel, clamped to the limit.
pub(super) fn limited(coordinate: Decimal) -> i64 {
    coordinate.millionths().clamp(-LIMIT, LIMIT)
}

/// The edges from each of `points` to the next, and from the last to the first if `closed`.
pub(super) fn edges(points: &[Point], closed: bool) -> impl Iterator<Item = (Corner, Corner)> {
    let back = closed.then(|| points.last().zip(points.first())).flatten();
    let corner = |point: &Point| (limited(point.x), limited(point.y));
    iter::zip(points, points.iter().skip(1))
        .chain(back)
        .map(move |(from, to)| (corner(from), corner(to)))
}

/// A box around the pixels that contain `points`; an area that ends exactly at the start of a pixel does not
/// cover that pixel.
pub(super) fn around(points: &[Point], is_area: bool) -> Aabb {
    let ends = |axis: fn(&Point) -> Decimal| {
        let least = limited(points.iter().map(axis).min()?);
        let most = limited(points.iter().map(axis).max()?);
        let first = least.div_euclid(Decimal::PER_PIXEL);
        let last = (most - i64::from(is_area)).div_euclid(Decimal::PER_PIXEL);
        Some((first as i32, last.max(first) as i32 + 1))
    };
    match (ends(|point| point.x), ends(|point| point.y)) {
        (Some((left, right)), Some((top, bottom))) => {
            Aabb { min: IVec2::new(left, top), max: IVec2::new(right, bottom) }
        }
        _ => Aabb::default(),
    }
}
