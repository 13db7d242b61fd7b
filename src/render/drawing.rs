//! Methods with which a game or a tool draws on a canvas, in the pixels of the level: findings, paths,
//! differences. The
//! overlay itself draws with the same methods.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::MonoTextStyle;
use embedded_graphics::prelude::Primitive;
use embedded_graphics::primitives::{PrimitiveStyleBuilder, Rectangle, RoundedRectangle};
use embedded_graphics::text::{Baseline, Text};
use glam::{DVec2, IVec2};
use image::{Rgba, RgbaImage};

use super::canvas::Canvas;
use super::ink::{Ink, clearer};
use super::labels::text_width;
use super::lettering;
use super::margins::Sheet;
use super::pattern::Pattern;
use super::{MAX_PIXELS, RenderError};
use crate::geometry::Aabb;
use crate::sweep::Terrain;

impl Canvas<'_> {
    /// Fills a box with a colour, which may be half clear. O(its pixels in the picture).
    pub fn fill(&mut self, area: Aabb, color: Rgba<u8>) {
        if let Some(place) = self.place(area) {
            self.fill_place(place, color.into());
        }
    }

    /// Paints the solid cells of a terrain, such as those that differ between two levels: a tint with
    /// stripes, and lines in two tones along the edge. The terrain's pixels count from the level's corner.
    /// O(pixels of the picture).
    pub fn fill_cells(&mut self, cells: &Terrain, color: Rgba<u8>) {
        self.paint_cells(cells, &Pattern::striped(color.into()));
    }

    /// Draws a line in two tones along the inner side of a box's edge. Labels keep off it. O(its pixels).
    pub fn outline(&mut self, area: Aabb, color: Rgba<u8>) {
        let Some(place) = self.place(area) else {
            return;
        };
        let (width, unit) = (self.line_width(), self.unit);
        self.outline_place(place, Ink::DARK, width + 2 * unit);
        // Inside the edge, so that the line shows on any background.
        let size = place.size.saturating_sub(Size::new_equal(2 * unit));
        let inner = Rectangle::new(place.top_left + Point::new_equal(unit as i32), size);
        let inner = if size.width == 0 || size.height == 0 { place } else { inner };
        self.outline_place(inner, color.into(), width);
        let seen = self.seen(place);
        self.labels.keep_off(seen);
    }

    /// Draws a line in two tones through the middles of these pixels of the level. O(its pixels in the
    /// picture).
    pub fn line(&mut self, points: &[IVec2], color: Rgba<u8>) {
        let points: Vec<DVec2> = points.iter().map(|point| self.middle(*point)).collect();
        self.stroke_all(&points, color.into());
    }

    /// Draws an arrow in two tones from the middle of one pixel of the level to that of another. O(its pixels
    /// in the picture).
    pub fn arrow(&mut self, from: IVec2, to: IVec2, color: Rgba<u8>) {
        let (from, to) = (self.middle(from), self.middle(to));
        let back = (from - to).try_normalize().unwrap_or(DVec2::NEG_X);
        let length = 4.0 + 2.0 * f64::from(self.line_width());
        let barb = |side: f64| to + (back + back.perp() * side) * length;
        let head = [barb(0.6), to, barb(-0.6)];
        for (ink, width) in self.two_tones(color.into()) {
            self.stroke(&[from, to], ink, width);
            self.stroke(&head, ink, width);
        }
    }

    /// Draws a number on a disc, with its middle at a pixel of the level. Labels keep off it. O(1).
    pub fn badge(&mut self, at: IVec2, number: u32, color: Rgba<u8>) {
        let (font, text) = (self.font(), number.to_string());
        let middle = self.near(self.middle(at));
        let letters = Size::new(text_width(font, &text), font.character_size.height);
        let side = letters.height + 4;
        let size = Size::new(side.max(letters.width + 6), side);
        let area = Rectangle::new(middle - size / 2, size);
        let color = Ink::from(color);
        let style = PrimitiveStyleBuilder::new()
            .fill_color(color)
            .stroke_color(clearer(color.0, [Ink::DARK, Ink::WHITE]))
            .stroke_width(1)
            .build();
        let disc = RoundedRectangle::with_equal_corners(area, Size::new_equal(side / 2));
        let corner = area.top_left + (size - letters) / 2;
        let letter = MonoTextStyle::new(font, clearer(color.0, [Ink::DARK, Ink::WHITE]));
        let mut paint = self.paint();
        paint.draw(&disc.into_styled(style));
        paint.draw(&Text::with_baseline(&text, corner, letter, Baseline::Top));
        self.labels.keep_off(area);
    }

    /// Writes a text near a box of the level: beside it where nothing else is named, or at the end of a line.
    /// All labels get their places in [`Canvas::finish`], earlier ones first. One without room is left out,
    /// and the legend tells how many are. A text of more than 60 letters is cut.
    pub fn label(&mut self, area: Aabb, text: &str, color: Rgba<u8>) {
        if let Some(place) = self.place(area) {
            let seen = self.seen(place);
            self.labels.near(text, seen, Ink::from(color).lighter());
        }
    }

    /// The picture, with the labels, and with the rulers and the legend if the overlay has them. O(labels +
    /// pixels).
    ///
    /// # Errors
    /// [`RenderError::TooManyPixels`] if the picture with its rulers and its legend has more than twice
    /// [`MAX_PIXELS`], [`RenderError::TooMuchToDraw`] if so much was drawn on top of each
    /// other that it is more than [`DrawOptions::work`](super::DrawOptions::work) allows, and
    /// [`RenderError::NoMemory`].
    pub fn finish(mut self) -> Result<RgbaImage, RenderError> {
        let left_out = self.write_labels();
        self.budget().check()?;
        let size = self.size();
        Sheet::new(self.margins, size, left_out, MAX_PIXELS)?.band(self.picture, 0)
    }

    /// Writes the labels, and returns the number of those without room.
    pub(super) fn write_labels(&mut self) -> usize {
        let (frame, font) = (self.frame(), self.font());
        let (placed, left_out) = std::mem::take(&mut self.labels).placed(frame, font);
        lettering::write(&mut self.paint(), &placed, font);
        left_out
    }

    /// Draws a line in two tones through points of the picture.
    pub(super) fn stroke_all(&mut self, points: &[DVec2], ink: Ink) {
        for (ink, width) in self.two_tones(ink) {
            self.stroke(points, ink, width);
        }
    }

    /// The inks and widths of a line in two tones, the lower one first.
    fn two_tones(&self, ink: Ink) -> [(Ink, f64); 2] {
        let width = f64::from(self.line_width());
        [(Ink::DARK, width + 2.0 * f64::from(self.unit)), (ink, width)]
    }

    /// The point of the picture in the middle of a pixel of the level.
    fn middle(&self, pixel: IVec2) -> DVec2 {
        self.at(pixel.as_dvec2() + 0.5)
    }
}
