//! Drawing with crate `embedded-graphics` on a picture, with alpha.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Point, Size};
use embedded_graphics::pixelcolor::PixelColor;
use embedded_graphics::prelude::Primitive;
use embedded_graphics::primitives::{
    Polyline, PrimitiveStyle, PrimitiveStyleBuilder, Rectangle, StrokeAlignment,
};
use glam::{DVec2, I64Vec2, UVec2};
use image::{Rgba, RgbaImage};

use super::blend;
use super::scanline::span;
use super::screen::Screen;
use crate::geometry::Aabb;

/// A colour with straight alpha, drawn over the pixels below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink(Rgba<u8>);

impl PixelColor for Ink {
    type Raw = ();
}

impl Ink {
    pub(super) const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self(Rgba([red, green, blue, 255]))
    }

    pub(super) const fn with_alpha(self, alpha: u8) -> Self {
        let [red, green, blue, _] = self.0.0;
        Self(Rgba([red, green, blue, alpha]))
    }
}

/// A level's picture at a scale.
///
/// Boxes of the level are drawn as the screen shows them: as boxes, or slanted if the level is in the own
/// space of an isometric or oblique map. They are given as rectangles of the level's pixels times the scale.
pub(super) struct Canvas<'m> {
    pub(super) picture: RgbaImage,
    /// The side of a level's pixel in the picture.
    pub(super) scale: u32,
    /// The level's size in pixels times the scale.
    level: UVec2,
    /// The projection from the level to the picture; `None` if they are the same.
    slant: Option<&'m Screen<'m>>,
}

impl<'m> Canvas<'m> {
    /// A canvas for a level of `level` pixels, which is slanted if there is a `slant`.
    pub(super) fn new(
        picture: RgbaImage,
        scale: u32,
        level: UVec2,
        slant: Option<&'m Screen<'m>>,
    ) -> Self {
        Self {
            picture,
            scale,
            level: level.saturating_mul(UVec2::splat(scale)).min(UVec2::splat(FARTHEST)),
            slant,
        }
    }

    /// Draws anything that `embedded-graphics` can draw, in pixels of the picture.
    pub(super) fn draw<T>(
        &mut self,
        item: &impl embedded_graphics::Drawable<Color = Ink, Output = T>,
    ) -> T {
        let Ok(output) = item.draw(self);
        output
    }

    /// The width and height of the picture.
    pub(super) fn size(&self) -> UVec2 {
        self.picture.dimensions().into()
    }

    /// The width of lines; it grows slowly with the scale.
    pub(super) fn line_width(&self) -> u32 {
        1 + self.scale / 4
    }

    /// The width and height of the level times the scale.
    pub(super) fn level_size(&self) -> UVec2 {
        self.level
    }

    /// A box of the level times the scale; `None` if no part of it is visible. Corners far outside are
    /// clamped near the picture, so that sums of coordinates fit.
    pub(super) fn place(&self, area: Aabb) -> Option<Rectangle> {
        let scale = i64::from(self.scale);
        let far = I64Vec2::splat(NEAR);
        let size = self.level.as_i64vec2();
        let near = |corner: glam::IVec2| (corner.as_i64vec2() * scale).clamp(-far, size + far);
        let (min, max) = (near(area.min), near(area.max));
        let is_seen =
            max.cmpgt(I64Vec2::ZERO).all() && min.cmplt(size).all() && min.cmplt(max).all();
        is_seen.then(|| rectangle(min, max))
    }

    /// The smallest box of the picture around a box of the level.
    pub(super) fn seen(&self, place: Rectangle) -> Rectangle {
        let Some(slant) = self.slant else {
            return place;
        };
        let [a, b, c, d] = corners(place).map(|corner| self.near(slant.of_level(corner)));
        let min = a.component_min(b).component_min(c).component_min(d);
        let max = a.component_max(b).component_max(c).component_max(d);
        Rectangle::with_corners(min, max)
    }

    /// The whole pixel of the picture at a point. One that is far outside is clamped near the picture, so
    /// that no line takes long.
    pub(super) fn near(&self, point: DVec2) -> Point {
        let size = self.size().as_dvec2();
        let near = point.clamp(-size, size * 2.0);
        Point::new(near.x.round() as i32, near.y.round() as i32)
    }

    /// Fills a box of the level.
    pub(super) fn fill(&mut self, place: Rectangle, ink: Ink) {
        self.fill_striped(place, ink, ink);
    }

    /// Fills a box of the level, with `stripe` along diagonals that continue from one box to the next.
    pub(super) fn fill_striped(&mut self, place: Rectangle, ink: Ink, stripe: Ink) {
        let Some(slant) = self.slant else {
            return self.fill_seen(place, ink, stripe);
        };
        let corners = corners(place).map(|corner| slant.of_level(corner));
        let rows = corners.map(|corner| corner.y);
        let top = rows.into_iter().fold(f64::INFINITY, f64::min).max(0.0) as i32;
        let bottom = rows.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil();
        let bottom = bottom.min(f64::from(self.picture.height())) as i32;
        for y in top..bottom {
            if let Some((left, right)) = span(&corners, f64::from(y) + 0.5) {
                let within = |x: i64| x.clamp(0, self.picture.width().into()) as i32;
                let (left, right) = (within(left), within(right));
                let row = Rectangle::new(Point::new(left, y), Size::new((right - left) as u32, 1));
                self.fill_seen(row, ink, stripe);
            }
        }
    }

    /// Fills a box of the picture.
    pub(super) fn fill_seen(&mut self, area: Rectangle, ink: Ink, stripe: Ink) {
        const PERIOD: u32 = 8;
        const WIDTH: u32 = 2;
        let area = area.intersection(&self.bounding_box());
        let (left, top) = (area.top_left.x.max(0) as u32, area.top_left.y.max(0) as u32);
        for y in top..top + area.size.height {
            for x in left..left + area.size.width {
                let ink = if (x + y) % PERIOD < WIDTH { stripe } else { ink };
                blend::over(self.picture.get_pixel_mut(x, y), ink.0);
            }
        }
    }

    /// Draws a line of `width` pixels along the inner side of the edge of a box of the level, or along the
    /// edge itself if it is slanted.
    pub(super) fn outline(&mut self, place: Rectangle, ink: Ink, width: u32) {
        if let Some(slant) = self.slant {
            let [a, b, c, d] = corners(place).map(|corner| self.near(slant.of_level(corner)));
            let style = PrimitiveStyle::with_stroke(ink, width);
            self.draw(&Polyline::new(&[a, b, c, d, a]).into_styled(style));
            return;
        }
        let style = PrimitiveStyleBuilder::new()
            .stroke_color(ink)
            .stroke_width(width)
            .stroke_alignment(StrokeAlignment::Inside);
        self.draw(&place.into_styled(style.build()));
    }
}

/// The corners of a box, clockwise from the top-left one.
fn corners(place: Rectangle) -> [DVec2; 4] {
    let (first, end) = (place.top_left, place.top_left + place.size);
    let corner = |x: i32, y: i32| DVec2::new(x.into(), y.into());
    [corner(first.x, first.y), corner(end.x, first.y), corner(end.x, end.y), corner(first.x, end.y)]
}

/// The longest side of a level times the scale; no picture has room for more.
const FARTHEST: u32 = 1 << 30;

/// The distance from the picture to which far corners are clamped, in pixels: far enough to hide an outline.
const NEAR: i64 = 64;

/// The box between two corners near a picture.
fn rectangle(min: I64Vec2, max: I64Vec2) -> Rectangle {
    let size = max - min;
    Rectangle::new(Point::new(min.x as i32, min.y as i32), Size::new(size.x as u32, size.y as u32))
}

impl Dimensions for Canvas<'_> {
    fn bounding_box(&self) -> Rectangle {
        let size = self.size();
        Rectangle::new(Point::zero(), Size::new(size.x, size.y))
    }
}

impl DrawTarget for Canvas<'_> {
    type Color = Ink;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Ink>>,
    {
        for Pixel(at, ink) in pixels {
            if let (Ok(x), Ok(y)) = (u32::try_from(at.x), u32::try_from(at.y))
                && let Some(pixel) = self.picture.get_pixel_mut_checked(x, y)
            {
                blend::over(pixel, ink.0);
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, ink: Ink) -> Result<(), Infallible> {
        self.fill_seen(*area, ink, ink);
        Ok(())
    }
}
