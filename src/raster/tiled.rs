//! Tiled's shapes as outlines, before they are turned: each in the box that its object has.

use super::{Outline, Point};
use crate::geometry::decimal::Decimal;

/// A rectangle.
pub(crate) fn rectangle(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Outline {
    let (right, bottom) = (x + width, y + height);
    Outline::Polygon(vec![
        Point { x, y },
        Point { x: right, y },
        Point {
            x: right,
            y: bottom,
        },
        Point { x, y: bottom },
    ])
}

/// The ellipse that fills the box.
pub(crate) fn ellipse(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Outline {
    let (across, down) = (half(width), half(height));
    Outline::Ellipse {
        centre: Point {
            x: x + across,
            y: y + down,
        },
        a: Point {
            x: across,
            y: Decimal::ZERO,
        },
        b: Point {
            x: Decimal::ZERO,
            y: down,
        },
    }
}

/// The box with half circles as its two shorter ends; only the ellipse, if the box is a square.
///
/// Its parts are a circle at each end and, not to be too thin where the ends nearly meet, the hexagon
/// between the corners of the rectangle in the middle and the tips. An end of less than 1.5 pixels may hold
/// no centre; it is drawn as a thin area of its own.
pub(crate) fn capsule(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Vec<Outline> {
    if width == height {
        return vec![ellipse(x, y, width, height)];
    }
    let size = width.min(height);
    let radius = half(size);
    let (right, bottom) = (x + width, y + height);
    let corners = if width > height {
        [
            (x, y + radius),
            (x + radius, y),
            (right - radius, y),
            (right, y + radius),
            (right - radius, bottom),
            (x + radius, bottom),
        ]
    } else {
        [
            (x + radius, y),
            (right, y + radius),
            (right, bottom - radius),
            (x + radius, bottom),
            (x, bottom - radius),
            (x, y + radius),
        ]
    };
    vec![
        ellipse(x, y, size, size),
        Outline::Polygon(corners.map(|(x, y)| Point { x, y }).to_vec()),
        ellipse(right - size, bottom - size, size, size),
    ]
}

/// A polygon, whose points are relative to the object's place.
pub(crate) fn polygon(x: Decimal, y: Decimal, points: &[Point]) -> Outline {
    Outline::Polygon(placed(x, y, points))
}

/// A line, whose points are relative to the object's place.
pub(crate) fn polyline(x: Decimal, y: Decimal, points: &[Point]) -> Outline {
    Outline::Path(placed(x, y, points))
}

fn placed(x: Decimal, y: Decimal, points: &[Point]) -> Vec<Point> {
    points.iter().map(|point| *point + Point { x, y }).collect()
}

/// Rounded down to a millionth.
fn half(length: Decimal) -> Decimal {
    Decimal::from_millionths(length.millionths().div_euclid(2))
}
