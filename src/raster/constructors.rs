//! Tiled's shapes as outlines, before they are turned: each in the box that its object has.

use super::Outline;
use crate::geometry::Point;
use crate::geometry::decimal::Decimal;

/// A rectangle.
pub(crate) fn rectangle(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Outline {
    let (right, bottom) = (x + width, y + height);
    Outline::Polygon(vec![
        Point { x, y },
        Point { x: right, y },
        Point { x: right, y: bottom },
        Point { x, y: bottom },
    ])
}

/// The ellipse that fills the box.
pub(crate) fn ellipse(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Outline {
    let (across, down) = (half(width), half(height));
    Outline::Ellipse {
        centre: Point { x: x + across, y: y + down },
        a: Point { x: across, y: Decimal::ZERO },
        b: Point { x: Decimal::ZERO, y: down },
    }
}

/// The box with half circles as its two shorter ends; an ellipse, if the box is a square.
pub(crate) fn capsule(x: Decimal, y: Decimal, width: Decimal, height: Decimal) -> Outline {
    if width == height {
        return ellipse(x, y, width, height);
    }
    let radius = half(width.min(height));
    let (across, down) =
        (Point { x: radius, y: Decimal::ZERO }, Point { x: Decimal::ZERO, y: radius });
    let first = Point { x, y } + across + down;
    let last = Point { x: x + width, y: y + height } - across - down;
    let (a, b) = if width > height { (across, down) } else { (down, across) };
    Outline::Capsule { centres: [first, last], a, b }
}

/// Rounded down to a millionth.
fn half(length: Decimal) -> Decimal {
    Decimal::from_millionths(length.millionths().div_euclid(2))
}
