//! Drawing on a part of a level's picture, with alpha. A part has the same pixels as the whole picture, and
//! takes no longer than its own pixels, however large the level is.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Point, Size};
use embedded_graphics::pixelcolor::PixelColor;
use embedded_graphics::prelude::Primitive;
use embedded_graphics::primitives::{PrimitiveStyleBuilder, Rectangle, StrokeAlignment};
use glam::{DVec2, I64Vec2, UVec2};
use image::{Rgba, RgbaImage};

use super::blend;
use super::rect::Rect;
use super::scanline::span;
use super::screen::Screen;
use super::stroke;
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

/// The parts of a picture, in pixels at a scale of 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
    /// The part of the whole picture that is asked for.
    pub(super) frame: Rect,
    /// The part of the whole picture that is drawn now, within the frame.
    pub(super) window: Rect,
}

/// A part of a level's picture at a scale. Its coordinates count from the corner of the frame: the part of
/// the picture that is asked for, which may be drawn window by window.
///
/// Boxes of the level are drawn as the screen shows them: as boxes, or slanted if the level is in the own
/// space of an isometric or oblique map. They are given as [`Canvas::place`] returns them.
pub(super) struct Canvas<'m> {
    /// The pixels of the window.
    pub(super) picture: RgbaImage,
    /// The side of a level's pixel in the picture.
    pub(super) scale: u32,
    /// The level's size in pixels times the scale.
    level: I64Vec2,
    /// The frame, in pixels of the whole picture.
    frame: Rect,
    /// The window, in pixels from the frame's corner.
    window: Rectangle,
    /// The projection from the level to the whole picture; `None` if they are the same.
    slant: Option<&'m Screen<'m>>,
    /// The number of pixels that may still be drawn.
    budget: i64,
}

impl<'m> Canvas<'m> {
    /// A canvas for a level of `level` pixels, which is slanted if there is a `slant`. `picture` has the
    /// pixels of the window times the scale. No more than `budget` pixels are drawn.
    pub(super) fn new(
        picture: RgbaImage,
        scale: u32,
        level: UVec2,
        parts: Parts,
        slant: Option<&'m Screen<'m>>,
        budget: i64,
    ) -> Self {
        let (frame, window) = (parts.frame.times(scale), parts.window.times(scale));
        let corner = window.min - frame.min;
        Self {
            window: rectangle(corner, corner + window.size()),
            picture,
            scale,
            level: level.as_i64vec2() * i64::from(scale),
            frame,
            slant,
            budget,
        }
    }

    /// The number of pixels that may still be drawn; below 0 the picture is not complete.
    pub(super) fn budget(&self) -> i64 {
        self.budget
    }

    /// Draws anything that `embedded-graphics` can draw, in pixels of the frame.
    pub(super) fn draw<T>(
        &mut self,
        item: &impl embedded_graphics::Drawable<Color = Ink, Output = T>,
    ) -> T {
        let Ok(output) = item.draw(self);
        output
    }

    /// The width and height of the frame.
    pub(super) fn size(&self) -> UVec2 {
        self.frame.pixels()
    }

    /// The width of lines; it grows slowly with the scale.
    pub(super) fn line_width(&self) -> u32 {
        1 + self.scale / 4
    }

    /// The width and height of the level times the scale.
    pub(super) fn level_size(&self) -> I64Vec2 {
        self.level
    }

    /// The part of the level times the scale that may be seen in the window.
    pub(super) fn level_seen(&self) -> Rect {
        let window = self.window_in_picture();
        let seen = match self.slant {
            None => window,
            Some(slant) => {
                let (min, max) = (window.min.as_dvec2(), window.max.as_dvec2());
                let corners = [min, DVec2::new(max.x, min.y), max, DVec2::new(min.x, max.y)];
                let [a, b, c, d] = corners.map(|corner| slant.to_level(corner));
                let (min, max) = (a.min(b).min(c.min(d)), a.max(b).max(c.max(d)));
                Rect { min: min.floor().as_i64vec2() - 1, max: max.ceil().as_i64vec2() + 1 }
            }
        };
        seen.intersection(Rect { min: I64Vec2::ZERO, max: self.level })
    }

    /// The window, in pixels of the whole picture.
    fn window_in_picture(&self) -> Rect {
        let corner = self.window.top_left;
        let corner = self.frame.min + I64Vec2::new(corner.x.into(), corner.y.into());
        Rect::new(corner, UVec2::from(self.picture.dimensions()).as_i64vec2())
    }

    /// A box of the level; `None` if no part of it is near the frame.
    pub(super) fn place(&self, area: Aabb) -> Option<Rectangle> {
        let scale = i64::from(self.scale);
        self.place_scaled(area.min.as_i64vec2() * scale, area.max.as_i64vec2() * scale)
    }

    /// A box between two corners of the level times the scale; `None` if no part of it is visible. Corners
    /// far outside are clamped near the frame, so that sums of coordinates fit.
    pub(super) fn place_scaled(&self, min: I64Vec2, max: I64Vec2) -> Option<Rectangle> {
        let is_in_level =
            max.cmpgt(I64Vec2::ZERO).all() && min.cmplt(self.level).all() && min.cmplt(max).all();
        let (corner, size) = match self.slant {
            None => (self.frame.min, self.frame.size()),
            Some(_) => (I64Vec2::ZERO, self.level.min(I64Vec2::splat(FARTHEST))),
        };
        // No box that is drawn around a point or along an edge is larger.
        let far = I64Vec2::splat(NEAR.max(2 * i64::from(self.scale)));
        let (min, max) = (min - corner, max - corner);
        let is_near = max.cmpgt(-far).all() && min.cmplt(size + far).all();
        let near = |corner: I64Vec2| corner.clamp(-far, size + far);
        (is_in_level && is_near).then(|| rectangle(near(min), near(max)))
    }

    /// The smallest box of the frame around a box of the level.
    pub(super) fn seen(&self, place: Rectangle) -> Rectangle {
        let Some(slant) = self.slant else {
            return place;
        };
        let [a, b, c, d] = corners(place).map(|corner| self.near(slant.of_level(corner)));
        let min = a.component_min(b).component_min(c).component_min(d);
        let max = a.component_max(b).component_max(c).component_max(d);
        Rectangle::with_corners(min, max)
    }

    /// True if a part of a box of the frame is in the frame, not only near it.
    pub(super) fn is_seen(&self, area: Rectangle) -> bool {
        let size = self.size();
        let frame = Rectangle::new(Point::zero(), Size::new(size.x, size.y));
        !area.intersection(&frame).is_zero_sized()
    }

    /// The whole pixel of the frame at a point of the whole picture. One that is far outside is clamped near
    /// the frame.
    fn near(&self, point: DVec2) -> Point {
        let size = self.frame.size().as_dvec2();
        let near = (point - self.frame.min.as_dvec2()).clamp(-size, size * 2.0);
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
        let window = self.window_in_picture();
        let rows = corners.map(|corner| corner.y);
        let top = rows.into_iter().fold(f64::INFINITY, f64::min) as i64;
        let bottom = rows.into_iter().fold(f64::NEG_INFINITY, f64::max).ceil() as i64;
        for y in top.max(window.min.y)..bottom.min(window.max.y) {
            if let Some((left, right)) = span(&corners, y as f64 + 0.5) {
                self.fill_row(y, left, right, ink, stripe);
            }
        }
    }

    /// Fills a part of a row of the whole picture, as far as it is in the window.
    fn fill_row(&mut self, y: i64, from: i64, to: i64, ink: Ink, stripe: Ink) {
        let row = Rect { min: I64Vec2::new(from, y), max: I64Vec2::new(to, y + 1) };
        let row = row.intersection(self.window_in_picture());
        self.fill_seen(rectangle(row.min - self.frame.min, row.max - self.frame.min), ink, stripe);
    }

    /// Fills a box of the frame.
    pub(super) fn fill_seen(&mut self, area: Rectangle, ink: Ink, stripe: Ink) {
        const PERIOD: i64 = 8;
        const WIDTH: i64 = 2;
        let area = area.intersection(&self.window);
        let size = area.size;
        self.budget -= i64::from(size.width) * i64::from(size.height);
        if self.budget < 0 || area.is_zero_sized() {
            return;
        }
        let corner = area.top_left - self.window.top_left;
        let (left, top) = (corner.x as u32, corner.y as u32);
        let whole = self.window_in_picture().min;
        for y in top..top + size.height {
            let phase = whole.x + whole.y + i64::from(y);
            for x in left..left + size.width {
                let is_stripe = (phase + i64::from(x)) % PERIOD < WIDTH;
                let ink = if is_stripe { stripe } else { ink };
                blend::over(self.picture.get_pixel_mut(x, y), ink.0);
            }
        }
    }

    /// Draws a line through points of the whole picture, each moved to the middle of its pixel.
    pub(super) fn line(&mut self, points: &[DVec2], ink: Ink, width: u32) {
        let middles: Vec<DVec2> = points.iter().map(|point| point.round() + 0.5).collect();
        let window = self.window_in_picture();
        // A segment that is not seen takes time too.
        self.budget -= points.len() as i64;
        stroke::runs(&middles, width.into(), window, |y, from, to| {
            self.fill_row(y, from, to, ink, ink);
            self.budget >= 0
        });
    }

    /// Draws a line of `width` pixels along the inner side of the edge of a box of the level, or along the
    /// edge itself if it is slanted.
    pub(super) fn outline(&mut self, place: Rectangle, ink: Ink, width: u32) {
        if let Some(slant) = self.slant {
            let [a, b, c, d] = corners(place).map(|corner| slant.of_level(corner));
            return self.line(&[a, b, c, d, a], ink, width);
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

/// The longest side of a slanted level times the scale; no picture has room for more.
const FARTHEST: i64 = 1 << 30;

/// The distance from the frame to which far corners are clamped, in pixels: far enough to hide an outline.
const NEAR: i64 = 64;

/// The box between two corners near a frame.
fn rectangle(min: I64Vec2, max: I64Vec2) -> Rectangle {
    let size = (max - min).max(I64Vec2::ZERO);
    Rectangle::new(Point::new(min.x as i32, min.y as i32), Size::new(size.x as u32, size.y as u32))
}

impl Dimensions for Canvas<'_> {
    fn bounding_box(&self) -> Rectangle {
        self.window
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
            let at = at - self.window.top_left;
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
