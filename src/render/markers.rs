//! Markers: the named places of a map.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::primitives::Rectangle;
use glam::IVec2;

use super::canvas::Canvas;
use super::ink::Ink;
use super::labels::{MAX_NAME, shortened};
use crate::level::Marker;

pub(super) const INK: Ink = Ink::new(255, 214, 64);

/// The distance from the middle of a point's diamond to its tips, in pixels of the picture.
const REACH: i32 = 5;

/// Draws points as diamonds and rectangles as outlines, and names them. Rectangles are not filled, because a
/// hostile file could have many large ones.
pub(super) fn draw(canvas: &mut Canvas<'_>, markers: &[Marker]) {
    for marker in markers {
        let mut area = marker.area;
        if marker.is_point {
            area.max = area.min.saturating_add(IVec2::ONE);
        }
        let Some(place) = canvas.place(area) else {
            continue;
        };
        let seen = if marker.is_point {
            let diamond = draw_diamond(canvas, canvas.seen(place).center());
            canvas.labels.keep_off(diamond);
            diamond
        } else {
            canvas.outline(area, INK.0);
            canvas.seen(place)
        };
        let name = if marker.name.is_empty() { &marker.class } else { &marker.name };
        if !name.is_empty() {
            canvas.labels.near(&shortened(name, MAX_NAME), seen, INK);
        }
    }
}

/// Draws a diamond, and returns the part of the picture that it covers.
fn draw_diamond(canvas: &mut Canvas<'_>, centre: Point) -> Rectangle {
    let unit = canvas.unit as i32;
    for (reach, ink) in [(REACH * unit, Ink::DARK), ((REACH - 2) * unit, INK)] {
        for y in -reach..=reach {
            let half = reach - y.abs();
            let left = centre + Point::new(-half, y);
            let row = Rectangle::new(left, Size::new(2 * half as u32 + 1, 1));
            canvas.fill_seen(row, ink);
        }
    }
    let reach = REACH * unit;
    Rectangle::new(centre - Point::new(reach, reach), Size::new_equal(2 * reach as u32 + 1))
}
