//! The last work on the bands of a picture, when they have their size: rulers, a legend and, if it was
//! reduced, the labels, whose letters would be too small if they were reduced too.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::primitives::Rectangle;
use glam::UVec2;
use image::RgbaImage;

use super::RenderError;
use super::bands::Plan;
use super::canvas::Canvas;
use super::ink::Paint;
use super::labels::Placed;
use super::lettering;
use super::margins::Sheet;

/// The last work on the bands of a picture.
pub(super) struct Finish {
    labels: Vec<Placed>,
    font: &'static MonoFont<'static>,
    sheet: Sheet,
}

impl Finish {
    /// The last work on a picture with the labels and the margins of a canvas, which may show a part of it.
    /// The finished picture has at most twice `limit` pixels.
    pub(super) fn new(mut canvas: Canvas<'_>, plan: Plan, limit: u64) -> Result<Self, RenderError> {
        let (inner, font) = (plan.size, canvas.font());
        let labels = std::mem::take(&mut canvas.labels).reduced(canvas.size(), inner);
        let within = Rectangle::new(Point::zero(), Size::new(inner.x, inner.y));
        let (labels, left_out) = labels.placed(within, font);
        let mut margins = canvas.margins;
        if let Some(rulers) = &mut margins.rulers {
            rulers.shown = inner;
        }
        // Others are written by the canvas of each band.
        let labels = if plan.scale.reduced > 1 { labels } else { Vec::new() };
        Ok(Self { labels, font, sheet: Sheet::new(margins, inner, left_out, limit)? })
    }

    /// The width and height of the finished picture.
    pub(super) fn size(&self) -> UVec2 {
        self.sheet.size()
    }

    /// A band, finished, that begins with the row `row` of the picture.
    pub(super) fn band(&self, mut band: RgbaImage, row: u32) -> Result<RgbaImage, RenderError> {
        let mut paint = Paint::new(&mut band, Point::new(0, row as i32));
        lettering::write(&mut paint, &self.labels, self.font);
        self.sheet.band(band, row)
    }
}
