//! An animated picture (GIF) with few colours. Each frame contains only the rectangle that has changed.

use std::borrow::Cow;
use std::convert::Infallible;
use std::error::Error;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use bitwall::Aabb;
use bitwall::glam::{IVec2, UVec2};
use embedded_graphics::mono_font::{MonoTextStyle, ascii::FONT_6X10};
use embedded_graphics::pixelcolor::Gray8;
use embedded_graphics::prelude::{DrawTarget, Drawable, GrayColor, OriginDimensions, Point, Size};
use embedded_graphics::{Pixel, text::Baseline, text::Text};
use gif::{DisposalMethod, Encoder, Frame, Repeat};

/// A picture whose pixels are indices of a palette.
#[derive(Clone, PartialEq)]
pub(crate) struct Page {
    size: UVec2,
    pixels: Vec<u8>,
}

impl Page {
    pub(crate) fn new(size: UVec2, color: u8) -> Self {
        Self { size, pixels: vec![color; (size.x * size.y) as usize] }
    }

    /// Colours the pixels of `area` for which `is_inside` is true.
    pub(crate) fn paint(&mut self, area: Aabb, color: u8, is_inside: impl Fn(IVec2) -> bool) {
        let size = self.size.as_ivec2();
        for y in area.min.y.max(0)..area.max.y.min(size.y) {
            for x in area.min.x.max(0)..area.max.x.min(size.x) {
                if is_inside(IVec2::new(x, y)) {
                    self.pixels[(y * size.x + x) as usize] = color;
                }
            }
        }
    }

    pub(crate) fn fill(&mut self, area: Aabb, color: u8) {
        self.paint(area, color, |_| true);
    }

    /// Writes a line of text, with 6 pixels per letter.
    pub(crate) fn write(&mut self, at: IVec2, text: &str, color: u8) {
        let style = MonoTextStyle::new(&FONT_6X10, Gray8::new(color));
        let text = Text::with_baseline(text, Point::new(at.x, at.y), style, Baseline::Top);
        let Ok(_) = text.draw(self);
    }

    /// Returns the smallest rectangle that contains all differences between two pages of the same size, as
    /// its first corner and its end.
    fn changed(&self, other: &Self) -> Option<(UVec2, UVec2)> {
        let mut found: Option<(UVec2, UVec2)> = None;
        for (at, _) in
            self.pixels.iter().zip(&other.pixels).enumerate().filter(|(_, (a, b))| a != b)
        {
            let place = UVec2::new(at as u32 % self.size.x, at as u32 / self.size.x);
            let (low, high) = found.unwrap_or((place, place));
            found = Some((low.min(place), high.max(place + 1)));
        }
        found
    }
}

impl OriginDimensions for Page {
    fn size(&self) -> Size {
        Size::new(self.size.x, self.size.y)
    }
}

impl DrawTarget for Page {
    type Color = Gray8;
    type Error = Infallible;

    fn draw_iter<I: IntoIterator<Item = Pixel<Gray8>>>(
        &mut self,
        pixels: I,
    ) -> Result<(), Infallible> {
        for Pixel(point, color) in pixels {
            let area = Aabb::from_xywh(point.x, point.y, 1, 1);
            self.fill(area, color.luma());
        }
        Ok(())
    }
}

/// A film to which pages of the same size are added.
pub(crate) struct FlipBook {
    encoder: Encoder<BufWriter<File>>,
    /// The page that is shown now, and its time in hundredths of a second. It is written when the page
    /// changes.
    shown: Option<(Page, u16)>,
    written: Option<Page>,
    pub(crate) frames: u32,
}

impl FlipBook {
    pub(crate) fn create(
        path: &Path,
        size: UVec2,
        palette: &[[u8; 3]],
    ) -> Result<Self, Box<dyn Error>> {
        let file = File::create(path).map_err(|error| format!("{}: {error}", path.display()))?;
        let (width, height) = (u16::try_from(size.x)?, u16::try_from(size.y)?);
        let mut encoder =
            Encoder::new(BufWriter::new(file), width, height, palette.as_flattened())?;
        encoder.set_repeat(Repeat::Infinite)?;
        Ok(Self { encoder, shown: None, written: None, frames: 0 })
    }

    /// Shows a page for `hundredths` hundredths of a second.
    pub(crate) fn add(&mut self, page: Page, hundredths: u16) -> Result<(), Box<dyn Error>> {
        match &mut self.shown {
            Some((shown, time)) if *shown == page => *time += hundredths,
            _ => {
                self.turn()?;
                self.shown = Some((page, hundredths));
            }
        }
        Ok(())
    }

    /// Writes the part of the shown page that differs from the page before it.
    pub(crate) fn turn(&mut self) -> Result<(), Box<dyn Error>> {
        let Some((page, delay)) = self.shown.take() else {
            return Ok(());
        };
        let everything = (UVec2::ZERO, page.size);
        let before = self.written.as_ref();
        let (low, high) =
            before.map_or(Some(everything), |old| page.changed(old)).unwrap_or(everything);
        let row = |y: u32| {
            let start = (y * page.size.x + low.x) as usize;
            &page.pixels[start..start + (high.x - low.x) as usize]
        };
        let pixels: Vec<u8> = (low.y..high.y).flat_map(|y| row(y).iter().copied()).collect();
        self.encoder.write_frame(&Frame {
            delay,
            dispose: DisposalMethod::Keep,
            left: u16::try_from(low.x)?,
            top: u16::try_from(low.y)?,
            width: u16::try_from(high.x - low.x)?,
            height: u16::try_from(high.y - low.y)?,
            buffer: Cow::Owned(pixels),
            ..Frame::default()
        })?;
        self.written = Some(page);
        self.frames += 1;
        Ok(())
    }
}
