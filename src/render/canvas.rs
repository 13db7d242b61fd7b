//! Drawing with crate `embedded-graphics` on a picture, with alpha.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Point, Size};
use embedded_graphics::pixelcolor::PixelColor;
use embedded_graphics::prelude::Primitive;
use embedded_graphics::primitives::{PrimitiveStyleBuilder, Rectangle, StrokeAlignment};
use glam::{I64Vec2, UVec2};
use image::{Rgba, RgbaImage};

use super::blend;
use crate::geometry::Aabb;

/// A colour with straight alpha, laid over what is there.
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

/// A level's picture at some scale, to be drawn on.
pub(super) struct Canvas {
    pub(super) picture: RgbaImage,
    /// The side of a level's pixel in the picture.
    pub(super) scale: u32,
}

impl Canvas {
    /// Draws anything that `embedded-graphics` can draw.
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

    /// Where a box of the level lies in the picture. What is far outside is brought near, so that sums of
    /// coordinates fit; `None` if nothing of the box can be seen.
    pub(super) fn place(&self, area: Aabb) -> Option<Rectangle> {
        let scale = i64::from(self.scale);
        let far = I64Vec2::splat(NEAR);
        let size = self.size().as_i64vec2();
        let near = |corner: glam::IVec2| (corner.as_i64vec2() * scale).clamp(-far, size + far);
        let (min, max) = (near(area.min), near(area.max));
        let is_seen =
            max.cmpgt(I64Vec2::ZERO).all() && min.cmplt(size).all() && min.cmplt(max).all();
        is_seen.then(|| rectangle(min, max))
    }

    /// Fills a box.
    pub(super) fn fill(&mut self, area: Rectangle, ink: Ink) {
        self.fill_striped(area, ink, ink);
    }

    /// Fills a box, with `stripe` along diagonals that run on from one box to the next.
    pub(super) fn fill_striped(&mut self, area: Rectangle, ink: Ink, stripe: Ink) {
        const PERIOD: u32 = 8;
        const WIDTH: u32 = 2;
        let area = area.intersection(&self.bounding_box());
        let (left, top) = (area.top_left.x.max(0) as u32, area.top_left.y.max(0) as u32);
        for y in top..top + area.size.height {
            for x in left..left + area.size.width {
                let ink = if (x + y) % PERIOD < WIDTH {
                    stripe
                } else {
                    ink
                };
                blend::over(self.picture.get_pixel_mut(x, y), ink.0);
            }
        }
    }

    /// Draws a line of `width` pixels along the inner side of a box's edge.
    pub(super) fn outline(&mut self, area: Rectangle, ink: Ink, width: u32) {
        let style = PrimitiveStyleBuilder::new()
            .stroke_color(ink)
            .stroke_width(width)
            .stroke_alignment(StrokeAlignment::Inside);
        self.draw(&area.into_styled(style.build()));
    }
}

/// How far outside the picture something may lie, in its pixels: far enough for an outline not to be seen.
const NEAR: i64 = 64;

/// The box between two corners, which are near a picture.
fn rectangle(min: I64Vec2, max: I64Vec2) -> Rectangle {
    let size = max - min;
    Rectangle::new(
        Point::new(min.x as i32, min.y as i32),
        Size::new(size.x as u32, size.y as u32),
    )
}

impl Dimensions for Canvas {
    fn bounding_box(&self) -> Rectangle {
        let size = self.size();
        Rectangle::new(Point::zero(), Size::new(size.x, size.y))
    }
}

impl DrawTarget for Canvas {
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
        self.fill_striped(*area, ink, ink);
        Ok(())
    }
}
