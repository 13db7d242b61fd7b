//! What lies over the art of a Tiled map in any orientation: outlines of its shapes and texts, and the level
//! itself where bodies move in the map's own space and not on the screen (isometric and oblique maps).

use embedded_graphics::geometry::Point;
use embedded_graphics::prelude::Primitive;
use embedded_graphics::primitives::{Polyline, PrimitiveStyle, Rectangle};
use glam::{DVec2, UVec2};

use super::canvas::{Canvas, Ink};
use super::placement::Placement;
use super::solids::line_width;
use crate::geometry::Aabb;
use crate::level::{LayerContent, MapObject, ObjectLook, TileMap};

const SHAPE: Ink = Ink::new(64, 220, 232);
const SHADOW: Ink = Ink::new(12, 14, 24).with_alpha(160);

/// A map as it lies on the screen.
pub(super) struct Screen<'m> {
    map: &'m TileMap,
    placement: Placement<'m>,
    /// The point of the screen that is the picture's corner.
    origin: DVec2,
}

impl<'m> Screen<'m> {
    pub(super) fn new(map: &'m TileMap) -> Self {
        let placement = Placement::new(map);
        Self {
            map,
            origin: placement.level().min.as_dvec2(),
            placement,
        }
    }

    /// The size of the map's picture.
    pub(super) fn size(&self) -> UVec2 {
        self.placement
            .level()
            .size()
            .max(glam::I64Vec2::ZERO)
            .as_uvec2()
    }

    /// True if the level's pixels are not those of the screen.
    pub(super) fn projects(&self) -> bool {
        self.map.on_screen.is_none()
    }

    /// Where a point in map pixels is in the picture.
    fn place(&self, canvas: &Canvas, point: DVec2) -> Point {
        self.place_seen(canvas, self.placement.projection().map_to_screen(point))
    }

    /// Where a point of the screen is in the picture.
    fn place_seen(&self, canvas: &Canvas, point: DVec2) -> Point {
        let on_screen = point - self.origin;
        let size = canvas.size().as_dvec2();
        // What is far outside is brought near, so that no line takes long.
        let near = (on_screen * f64::from(canvas.scale)).clamp(-size, size * 2.0);
        Point::new(near.x.round() as i32, near.y.round() as i32)
    }

    /// The corners of a box of the level, which has its corner at the map's first cell.
    pub(super) fn corners(&self, canvas: &Canvas, area: Aabb) -> [Point; 4] {
        let first = self.placement.projection().cell_to_map(self.map.first_cell);
        let (min, max) = (area.min.as_dvec2(), area.max.as_dvec2());
        [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)]
            .map(|corner| self.place(canvas, corner + first))
    }

    /// Draws the outlines of shapes and texts of the layers that are visible, but for points and rectangles,
    /// which are markers or solids.
    pub(super) fn draw_shapes(&self, canvas: &mut Canvas) {
        for layer in self.map.layers.iter().filter(|layer| layer.visible) {
            let LayerContent::Objects(objects) = &layer.content else {
                continue;
            };
            let offset = DVec2::from(layer.offset);
            for object in objects.iter().filter(|object| object.visible) {
                let turn = DVec2::from_angle(object.rotation.to_radians());
                let position = DVec2::from(object.position);
                let projection = self.placement.projection();
                let pivot = projection.map_to_screen(position);
                // As Tiled does it, what is seen is turned and moved.
                let seen = |point| {
                    let way = projection.map_to_screen(position + point) - pivot;
                    self.place_seen(canvas, pivot + turn.rotate(way) + offset)
                };
                let points: Vec<Point> = outline(object).into_iter().map(seen).collect();
                draw_line(canvas, &points, SHAPE);
            }
        }
    }
}

/// Draws a line in two shades, which shows on any ground.
pub(super) fn draw_line(canvas: &mut Canvas, points: &[Point], ink: Ink) {
    let width = line_width(canvas);
    for (ink, width) in [(SHADOW, width + 2), (ink, width)] {
        let style = PrimitiveStyle::with_stroke(ink, width);
        canvas.draw(&Polyline::new(points).into_styled(style));
    }
}

/// Fills a convex shape, row by row, by the centres of its pixels.
pub(super) fn fill(canvas: &mut Canvas, corners: &[Point; 4], ink: Ink) {
    let rows = corners.map(|corner| corner.y);
    let height = canvas.size().y as i32;
    let top = rows.into_iter().min().unwrap_or(0).max(0);
    let bottom = rows.into_iter().max().unwrap_or(0).min(height);
    for y in top..bottom {
        let middle = f64::from(y) + 0.5;
        let mut ends: Option<(f64, f64)> = None;
        for (index, from) in corners.iter().enumerate() {
            let to = corners[(index + 1) % corners.len()];
            let (above, below) = if from.y < to.y {
                (*from, to)
            } else {
                (to, *from)
            };
            if f64::from(above.y) < middle && middle < f64::from(below.y) {
                let slope = f64::from(below.x - above.x) / f64::from(below.y - above.y);
                let x = f64::from(above.x) + slope * (middle - f64::from(above.y));
                let (left, right) = ends.unwrap_or((x, x));
                ends = Some((left.min(x), right.max(x)));
            }
        }
        if let Some((left, right)) = ends {
            let (left, right) = (left.round() as i32, right.round() as i32);
            let row = Rectangle::with_corners(Point::new(left, y), Point::new(right - 1, y));
            if right > left {
                canvas.fill(row, ink);
            }
        }
    }
}

/// The points of an object's outline, from its position, in order; none for what is not outlined.
fn outline(object: &MapObject) -> Vec<DVec2> {
    const STEPS: u32 = 32;
    let size = DVec2::from(object.size);
    let points = |points: &[(f64, f64)]| points.iter().map(|at| DVec2::from(*at)).collect();
    match &object.look {
        ObjectLook::Tile(_) | ObjectLook::Rectangle | ObjectLook::Point => Vec::new(),
        ObjectLook::Text => vec![
            DVec2::ZERO,
            DVec2::new(size.x, 0.0),
            size,
            DVec2::new(0.0, size.y),
            DVec2::ZERO,
        ],
        ObjectLook::Polyline(line) => points(line),
        ObjectLook::Polygon(ring) => {
            let mut ring: Vec<DVec2> = points(ring);
            ring.extend(ring.first().copied());
            ring
        }
        ObjectLook::Ellipse | ObjectLook::Capsule => {
            let radius = match object.look {
                ObjectLook::Capsule => DVec2::splat(size.min_element() / 2.0),
                _ => size / 2.0,
            };
            let around = |step: u32| {
                let way =
                    DVec2::from_angle(f64::from(step) * std::f64::consts::TAU / f64::from(STEPS));
                // The straight sides of a capsule lie between its halves.
                let side = DVec2::new(way.x.signum(), way.y.signum());
                size / 2.0 + side * (size / 2.0 - radius) + way * radius
            };
            (0..=STEPS).map(around).collect()
        }
    }
}
