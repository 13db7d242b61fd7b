//! Markers: the named places of a map.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use glam::IVec2;

use super::canvas::{Canvas, Ink};
use super::labels::Labels;
use crate::level::Marker;

const INK: Ink = Ink::new(255, 214, 64);
const SHADOW: Ink = Ink::new(12, 14, 24);

/// The distance from the middle of a point's diamond to its tips, in pixels of the picture.
const REACH: i32 = 5;

/// Draws points as diamonds and rectangles as outlines, then the names, so that no shape hides a name.
/// Rectangles are not filled, because a hostile file could have many large ones.
pub(super) fn draw(canvas: &mut Canvas<'_>, labels: &mut Labels, markers: &[Marker]) {
    let mut named = Vec::new();
    for marker in markers {
        let mut area = marker.area;
        if marker.is_point {
            area.max = area.min.saturating_add(IVec2::ONE);
        }
        let Some(place) = canvas.place(area) else {
            continue;
        };
        let seen = if marker.is_point {
            draw_diamond(canvas, canvas.seen(place).center())
        } else {
            draw_outline(canvas, place);
            canvas.seen(place)
        };
        labels.keep_off(seen);
        let name = if marker.name.is_empty() { &marker.class } else { &marker.name };
        if !name.is_empty() {
            named.push((name, seen));
        }
    }
    for (name, seen) in named {
        labels.write(canvas, name, seen, INK);
    }
}

/// Draws a diamond, and returns the part of the picture that it covers.
fn draw_diamond(canvas: &mut Canvas<'_>, centre: Point) -> Rectangle {
    for (reach, ink) in [(REACH, SHADOW), (REACH - 2, INK)] {
        for y in -reach..=reach {
            let half = reach - y.abs();
            let left = centre + Point::new(-half, y);
            let row = Rectangle::new(left, Size::new(2 * half as u32 + 1, 1));
            canvas.fill_seen(row, ink, ink);
        }
    }
    let corner = centre - Point::new(REACH, REACH);
    Rectangle::new(corner, Size::new_equal(2 * REACH as u32 + 1))
}

fn draw_outline(canvas: &mut Canvas<'_>, area: Rectangle) {
    let width = canvas.line_width();
    canvas.outline(area, SHADOW, width + 2);
    // One pixel inside the edge, so that the line shows on any background.
    let inner = Rectangle::new(
        area.top_left + Point::new(1, 1),
        area.size.saturating_sub(Size::new_equal(2)),
    );
    canvas.outline(inner, INK, width);
}
