//! The outlines of a map's shapes and texts.

use glam::DVec2;

use super::art::{drawn_objects, float};
use super::canvas::Canvas;
use super::ink::Ink;
use super::screen::Screen;
use crate::geometry::decimal::direction;
use crate::tmx::{LayerContent, Object, Shape};

const SHAPE: Ink = Ink::new(64, 220, 232);
const SHADOW: Ink = Ink::DARK.with_alpha(160);

/// Draws the outlines of the shapes and texts of visible layers, except points and rectangles, which are
/// markers or solids.
pub(super) fn draw(canvas: &mut Canvas<'_>, screen: &Screen<'_>) {
    let projection = screen.projection();
    for context in screen.map.map.walk().filter(|context| context.visible) {
        let LayerContent::Objects(layer) = &context.layer.content else {
            continue;
        };
        let offset = float(context.offset);
        for object in drawn_objects(layer) {
            let turn = direction(object.rotation.as_f64().to_radians());
            let position = float(object.position);
            let pivot = projection.map_to_screen(position);
            // As in Tiled, the outline is projected first, then turned and moved.
            let seen = |point| {
                let displacement = projection.map_to_screen(position + point) - pivot;
                screen.of_screen(pivot + turn.rotate(displacement) + offset)
            };
            let points: Vec<DVec2> = outline(object).into_iter().map(seen).collect();
            draw_line(canvas, &points, SHAPE);
        }
    }
}

/// Draws a line in two shades, which shows on any background.
fn draw_line(canvas: &mut Canvas<'_>, points: &[DVec2], ink: Ink) {
    let width = canvas.line_width();
    for (ink, width) in [(SHADOW, width + 2), (ink, width)] {
        canvas.line_through(points, ink, width);
    }
}

/// The points of an object's outline, from its position, in order; none for an object without an outline.
fn outline(object: &Object) -> Vec<DVec2> {
    const STEPS: u32 = 32;
    let size = float(object.size);
    let all = |points: &[crate::tmx::Point]| points.iter().copied().map(float).collect();
    if object.gid.is_some() {
        return Vec::new();
    }
    match &object.shape {
        Shape::Rectangle | Shape::Point => Vec::new(),
        Shape::Text(_) => {
            vec![DVec2::ZERO, DVec2::new(size.x, 0.0), size, DVec2::new(0.0, size.y), DVec2::ZERO]
        }
        Shape::Polyline(line) => all(line),
        Shape::Polygon(ring) => {
            let mut ring: Vec<DVec2> = all(ring);
            ring.extend(ring.first().copied());
            ring
        }
        Shape::Ellipse | Shape::Capsule => {
            let radius = match object.shape {
                Shape::Capsule => DVec2::splat(size.min_element() / 2.0),
                _ => size / 2.0,
            };
            let around = |step: u32| {
                let angle = f64::from(step) * std::f64::consts::TAU / f64::from(STEPS);
                let ahead = direction(angle);
                // The straight sides of a capsule lie between its halves.
                let side = DVec2::new(ahead.x.signum(), ahead.y.signum());
                size / 2.0 + side * (size / 2.0 - radius) + ahead * radius
            };
            (0..=STEPS).map(around).collect()
        }
    }
}
