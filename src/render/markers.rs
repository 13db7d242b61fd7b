//! Markers: the places that a map's maker named.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;

use super::canvas::{Canvas, Ink};
use super::labels::Labels;
use super::solids::line_width;
use crate::geometry::Aabb;
use crate::level::Marker;

const INK: Ink = Ink::new(255, 214, 64);
const SHADOW: Ink = Ink::new(12, 14, 24);

/// From the middle of a point's diamond to its tips, in pixels of the picture.
const REACH: i32 = 5;

/// Draws points as diamonds and rectangles as outlines (filling them could take as long as a file has large
/// ones); then the names, so that no shape hides a name.
pub(super) fn draw(canvas: &mut Canvas, labels: &mut Labels, markers: &[Marker]) {
    let mut named = Vec::new();
    for marker in markers {
        let Some(place) = place(canvas, marker) else {
            continue;
        };
        if marker.is_point {
            draw_diamond(canvas, place.center());
        } else {
            draw_outline(canvas, place);
        }
        labels.keep_off(place);
        let name = if marker.name.is_empty() {
            &marker.class
        } else {
            &marker.name
        };
        if !name.is_empty() {
            named.push((name, place));
        }
    }
    for (name, place) in named {
        labels.write(canvas, name, place, INK);
    }
}

/// The part of the picture that a marker takes; `None` if it is not to be seen.
fn place(canvas: &Canvas, marker: &Marker) -> Option<Rectangle> {
    if !marker.is_point {
        return canvas.place(marker.area);
    }
    let pixel = Aabb::from_xywh(marker.area.min.x, marker.area.min.y, 1, 1);
    let centre = canvas.place(pixel)?.center();
    let reach = Point::new(REACH, REACH);
    Some(Rectangle::new(
        centre - reach,
        Size::new_equal(2 * REACH as u32 + 1),
    ))
}

fn draw_diamond(canvas: &mut Canvas, centre: Point) {
    for (reach, ink) in [(REACH, SHADOW), (REACH - 2, INK)] {
        for y in -reach..=reach {
            let half = reach - y.abs();
            let left = centre + Point::new(-half, y);
            canvas.fill(Rectangle::new(left, Size::new(2 * half as u32 + 1, 1)), ink);
        }
    }
}

fn draw_outline(canvas: &mut Canvas, area: Rectangle) {
    let width = line_width(canvas);
    canvas.outline(area, SHADOW, width + 2);
    // One pixel in from the edge, so that the line shows on any ground.
    let inner = Rectangle::new(
        area.top_left + Point::new(1, 1),
        area.size.saturating_sub(Size::new_equal(2)),
    );
    canvas.outline(inner, INK, width);
}
