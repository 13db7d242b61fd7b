//! A Tiled map as it lies on the screen, in any orientation: where the points of its level are seen, and the
//! outlines of its shapes and texts.

use embedded_graphics::geometry::Point;
use embedded_graphics::prelude::Primitive;
use embedded_graphics::primitives::{Polyline, PrimitiveStyle};
use glam::{DVec2, UVec2};

use super::art::{drawn_objects, float};
use super::canvas::{Canvas, Ink};
use super::placement::Placement;
use super::solids::line_width;
use crate::tmx::{LayerContent, Object, PlacedMap, Shape};

const SHAPE: Ink = Ink::new(64, 220, 232);
const SHADOW: Ink = Ink::new(12, 14, 24).with_alpha(160);

/// A map as it lies on the screen.
pub(super) struct Screen<'m> {
    map: &'m PlacedMap,
    placement: Placement<'m>,
    /// The point of the screen that is the picture's corner.
    origin: DVec2,
    /// The side of a pixel of the screen in the picture.
    scale: f64,
}

impl<'m> Screen<'m> {
    pub(super) fn new(map: &'m PlacedMap, scale: u32) -> Self {
        let placement = Placement::new(map);
        Self {
            map,
            origin: placement.level().min.as_dvec2(),
            placement,
            scale: scale.into(),
        }
    }

    /// The size of the map's picture at a scale of 1.
    pub(super) fn size(&self) -> UVec2 {
        let size = self.placement.level().size();
        size.max(glam::I64Vec2::ZERO).as_uvec2()
    }

    /// True if the level's pixels are not those of the screen.
    pub(super) fn projects(&self) -> bool {
        self.map.on_screen.is_none()
    }

    /// Where a point of the level, enlarged as the picture is, lies in the picture.
    pub(super) fn of_level(&self, point: DVec2) -> DVec2 {
        let in_map = point / self.scale - self.map.place.as_dvec2();
        self.of_screen(self.placement.projection().map_to_screen(in_map))
    }

    /// Where a point of the screen lies in the picture.
    fn of_screen(&self, point: DVec2) -> DVec2 {
        (point - self.origin) * self.scale
    }

    /// Draws the outlines of shapes and texts of the layers that are visible, but for points and rectangles,
    /// which are markers or solids.
    pub(super) fn draw_shapes(&self, canvas: &mut Canvas<'_>) {
        let projection = self.placement.projection();
        for context in self.map.map.walk().filter(|context| context.visible) {
            let LayerContent::Objects(layer) = &context.layer.content else {
                continue;
            };
            let offset = float(context.offset);
            for object in drawn_objects(layer) {
                let turn = DVec2::from_angle(object.rotation.as_f64().to_radians());
                let position = float(object.position);
                let pivot = projection.map_to_screen(position);
                // As Tiled does it, what is seen is turned and moved.
                let seen = |point| {
                    let displacement = projection.map_to_screen(position + point) - pivot;
                    canvas.near(self.of_screen(pivot + turn.rotate(displacement) + offset))
                };
                let points: Vec<Point> = outline(object).into_iter().map(seen).collect();
                draw_line(canvas, &points, SHAPE);
            }
        }
    }
}

/// Draws a line in two shades, which shows on any ground.
fn draw_line(canvas: &mut Canvas<'_>, points: &[Point], ink: Ink) {
    let width = line_width(canvas);
    for (ink, width) in [(SHADOW, width + 2), (ink, width)] {
        let style = PrimitiveStyle::with_stroke(ink, width);
        canvas.draw(&Polyline::new(points).into_styled(style));
    }
}

/// The points of an object's outline, from its position, in order; none for what is not outlined.
fn outline(object: &Object) -> Vec<DVec2> {
    const STEPS: u32 = 32;
    let size = float(object.size);
    let all = |points: &[crate::tmx::Point]| points.iter().copied().map(float).collect();
    if object.gid.is_some() {
        return Vec::new();
    }
    match &object.shape {
        Shape::Rectangle | Shape::Point => Vec::new(),
        Shape::Text(_) => vec![
            DVec2::ZERO,
            DVec2::new(size.x, 0.0),
            size,
            DVec2::new(0.0, size.y),
            DVec2::ZERO,
        ],
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
                let ahead = DVec2::from_angle(angle);
                // The straight sides of a capsule lie between its halves.
                let side = DVec2::new(ahead.x.signum(), ahead.y.signum());
                size / 2.0 + side * (size / 2.0 - radius) + ahead * radius
            };
            (0..=STEPS).map(around).collect()
        }
    }
}
