//! The overlay of a level whose bodies move in a map's own space, drawn as it is seen on the screen.

use embedded_graphics::primitives::Rectangle;
use glam::IVec2;

use super::canvas::{Canvas, Ink};
use super::labels::Labels;
use super::overlay::Overlay;
use super::screen::{Screen, draw_line, fill};
use super::solids::cell_area;
use crate::Level;
use crate::geometry::Aabb;

const SOLID: Ink = Ink::new(235, 20, 60).with_alpha(110);
const MARKER: Ink = Ink::new(255, 214, 64);
const BODY: Ink = Ink::new(24, 120, 255);
const STRIP: Ink = Ink::new(60, 190, 255);
const CONTACT: Ink = Ink::new(255, 150, 0);

/// Draws solid cells, markers with their names, and the body with its sweep.
pub(super) fn draw(canvas: &mut Canvas, screen: &Screen<'_>, level: &Level, overlay: &Overlay) {
    let grid = level.grid();
    for row in 0..grid.height() {
        for column in (0..grid.width()).filter(|column| grid.is_solid(*column, row)) {
            let cell = IVec2::new(column as i32, row as i32);
            let corners = screen.corners(canvas, cell_area(level, cell));
            fill(canvas, &corners, SOLID);
        }
    }
    if let Some((body, moves)) = overlay.body {
        if let Some((dir, step)) = moves {
            let sweep = level.sweep(body, dir, step);
            ring(canvas, screen, body.shifted(dir, step), STRIP);
            if let Some(contact) = sweep.contact {
                ring(canvas, screen, cell_area(level, contact.cell), CONTACT);
            }
            ring(canvas, screen, body.shifted(dir, sweep.moved), BODY);
        }
        let corners = screen.corners(canvas, body);
        fill(canvas, &corners, BODY.with_alpha(190));
    }
    let mut labels = Labels::default();
    for marker in level.markers() {
        let mut area = marker.area;
        if marker.is_point {
            area.max = area.max.saturating_add(IVec2::ONE);
        }
        let place = ring(canvas, screen, area, MARKER);
        if !marker.name.is_empty() {
            labels.write(canvas, &marker.name, place, MARKER);
        }
    }
}

/// Outlines a box of the level; gives the part of the picture that it takes.
fn ring(canvas: &mut Canvas, screen: &Screen<'_>, area: Aabb, ink: Ink) -> Rectangle {
    let [a, b, c, d] = screen.corners(canvas, area);
    draw_line(canvas, &[a, b, c, d, a], ink);
    let min = a.component_min(b).component_min(c).component_min(d);
    let max = a.component_max(b).component_max(c).component_max(d);
    Rectangle::with_corners(min, max)
}
