//! Colours with alpha, and the drawing with crate `embedded-graphics` on a picture.

use std::convert::Infallible;

use embedded_graphics::Pixel;
use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::geometry::{Dimensions, Point, Size};
use embedded_graphics::pixelcolor::PixelColor;
use embedded_graphics::primitives::Rectangle;
use image::{Rgba, RgbaImage};

use super::blend;

/// A colour with straight alpha, drawn over the pixels below.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ink(pub(super) Rgba<u8>);

impl PixelColor for Ink {
    type Raw = ();
}

impl From<Rgba<u8>> for Ink {
    fn from(color: Rgba<u8>) -> Self {
        Self(color)
    }
}

impl Ink {
    pub(super) const WHITE: Self = Self::new(255, 255, 255);
    /// The dark one of the two tones of a line.
    pub(super) const DARK: Self = Self::new(12, 14, 24);

    pub(super) const fn new(red: u8, green: u8, blue: u8) -> Self {
        Self(Rgba([red, green, blue, 255]))
    }

    pub(super) const fn with_alpha(self, alpha: u8) -> Self {
        let [red, green, blue, _] = self.0.0;
        Self(Rgba([red, green, blue, alpha]))
    }

    /// This ink halfway to white, to be read on dark backing.
    pub(super) fn lighter(self) -> Self {
        let [red, green, blue, alpha] = self.0.0;
        let half = |channel: u8| 255 - (255 - channel) / 2;
        Self(Rgba([half(red), half(green), half(blue), alpha]))
    }
}

/// The one of two inks that is easier to see beside a colour.
pub(super) fn clearer(beside: Rgba<u8>, inks: [Ink; 2]) -> Ink {
    let distance = |ink: Ink| -> u32 {
        (0..3).map(|channel| u32::from(beside[channel].abs_diff(ink.0[channel])).pow(2)).sum()
    };
    if distance(inks[0]) >= distance(inks[1]) { inks[0] } else { inks[1] }
}

/// A picture as a target to draw on.
pub(super) struct Paint<'p>(pub(super) &'p mut RgbaImage);

impl Paint<'_> {
    /// Draws anything that `embedded-graphics` can draw.
    pub(super) fn draw<T>(
        &mut self,
        item: &impl embedded_graphics::Drawable<Color = Ink, Output = T>,
    ) -> T {
        let Ok(output) = item.draw(self);
        output
    }

    /// Fills a box with the inks of its pixels.
    pub(super) fn fill(&mut self, area: Rectangle, ink: impl Fn(i32, i32) -> Ink) {
        let area = area.intersection(&self.bounding_box());
        for y in 0..area.size.height as i32 {
            for x in 0..area.size.width as i32 {
                let at = area.top_left + Point::new(x, y);
                let pixel = self.0.get_pixel_mut(at.x as u32, at.y as u32);
                blend::over(pixel, ink(at.x, at.y).0);
            }
        }
    }
}

impl Dimensions for Paint<'_> {
    fn bounding_box(&self) -> Rectangle {
        let (width, height) = self.0.dimensions();
        Rectangle::new(Point::zero(), Size::new(width, height))
    }
}

impl DrawTarget for Paint<'_> {
    type Color = Ink;
    type Error = Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Infallible>
    where
        I: IntoIterator<Item = Pixel<Ink>>,
    {
        for Pixel(at, ink) in pixels {
            if let (Ok(x), Ok(y)) = (u32::try_from(at.x), u32::try_from(at.y))
                && let Some(pixel) = self.0.get_pixel_mut_checked(x, y)
            {
                blend::over(pixel, ink.0);
            }
        }
        Ok(())
    }

    fn fill_solid(&mut self, area: &Rectangle, ink: Ink) -> Result<(), Infallible> {
        self.fill(*area, |_, _| ink);
        Ok(())
    }
}
