//! The legend below a picture: swatches with words and numbers, in lines as wide as the picture.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};
use glam::{I64Vec2, UVec2};

use super::ink::{Ink, Paint};
use super::labels::text_width;
use super::pattern::Pattern;
use crate::geometry::Dir;

const BACK: Ink = Ink::new(28, 30, 40);
const SAMPLE: Ink = Ink::new(150, 152, 156);
const TEXT: Ink = Ink::new(226, 228, 236);

/// The space around entries, and between a swatch and its text.
const GAP: u32 = 5;

/// The legend of a picture.
#[derive(Clone, Debug)]
pub(super) struct Legend {
    entries: Vec<(Option<Swatch>, String)>,
    font: &'static MonoFont<'static>,
}

/// A sample of what an entry explains.
#[derive(Clone, Copy, Debug)]
pub(super) enum Swatch {
    /// A set of cells.
    Cells(Pattern),
    /// One-way cells with the guarded side, and the ink of their lines.
    OneWay(Dir, Ink),
    /// A point.
    Marker(Ink),
    /// A box.
    Body(Ink),
}

impl Legend {
    pub(super) fn new(font: &'static MonoFont<'static>) -> Self {
        Self { entries: Vec::new(), font }
    }

    /// Adds an entry.
    pub(super) fn add(&mut self, swatch: Option<Swatch>, text: String) {
        self.entries.push((swatch, text));
    }

    /// The size of a legend for a picture of this width; it is wider if an entry is.
    pub(super) fn size(&self, width: u32) -> UVec2 {
        let widest = self.entries.iter().map(|entry| self.width(entry)).max().unwrap_or(0);
        let width = width.max(widest + 2 * GAP);
        let last = self.places(width).last().map_or(0, |place| place.y as u32);
        UVec2::new(width, last + self.line() + GAP)
    }

    /// Draws the legend into a box of its size.
    pub(super) fn draw(&self, paint: &mut Paint<'_>, area: Rectangle) {
        paint.fill(area, |_, _| BACK);
        let places: Vec<Point> = self.places(area.size.width).collect();
        for ((swatch, text), place) in self.entries.iter().zip(places) {
            let mut at = area.top_left + place;
            if let Some(swatch) = swatch {
                let size = self.swatch();
                draw_swatch(paint, Rectangle::new(at, size), swatch);
                at.x += (size.width + GAP) as i32;
            }
            let style = MonoTextStyle::new(self.font, TEXT);
            paint.draw(&Text::with_baseline(text, at, style, Baseline::Top));
        }
    }

    /// The places of the entries, from the legend's corner.
    fn places(&self, width: u32) -> impl Iterator<Item = Point> {
        let (gap, line) = (GAP as i32, self.line() as i32);
        let mut next = Point::new(gap, gap);
        self.entries.iter().map(move |entry| {
            let wide = self.width(entry) as i32;
            if next.x > gap && next.x + wide + gap > width as i32 {
                next = Point::new(gap, next.y + line);
            }
            let place = next;
            next.x += wide + 3 * gap;
            place
        })
    }

    fn width(&self, (swatch, text): &(Option<Swatch>, String)) -> u32 {
        let sample = swatch.map_or(0, |_| self.swatch().width + GAP);
        sample + text_width(self.font, text)
    }

    /// The height of a line with the space below it.
    fn line(&self) -> u32 {
        self.font.character_size.height + GAP
    }

    fn swatch(&self) -> Size {
        let height = self.font.character_size.height;
        Size::new(2 * height, height)
    }
}

fn draw_swatch(paint: &mut Paint<'_>, area: Rectangle, swatch: &Swatch) {
    let inner = area.offset(-1);
    let (first, end) = (inner.top_left, inner.top_left + inner.size);
    paint.fill(area, |_, _| Ink::DARK);
    paint.fill(inner, |_, _| SAMPLE);
    let part = |x: i32, y: i32, width: i32, height: i32| {
        Rectangle::new(Point::new(x, y), Size::new(width as u32, height as u32))
    };
    let (width, height) = (inner.size.width as i32, inner.size.height as i32);
    match swatch {
        Swatch::Cells(pattern) => {
            paint.fill(inner, |_, _| pattern.ink);
            let inside = inner.offset(-1);
            paint.fill(inside, |_, _| SAMPLE);
            paint.fill(inside, |x, y| pattern.inside(I64Vec2::new(x.into(), y.into())));
        }
        Swatch::OneWay(side, ink) => {
            let (line, back) = match side {
                Dir::Up => (part(first.x, first.y, width, 2), part(first.x, first.y + 2, width, 1)),
                Dir::Down => {
                    (part(first.x, end.y - 2, width, 2), part(first.x, end.y - 3, width, 1))
                }
                Dir::Left => {
                    (part(first.x, first.y, 2, height), part(first.x + 2, first.y, 1, height))
                }
                Dir::Right => {
                    (part(end.x - 2, first.y, 2, height), part(end.x - 3, first.y, 1, height))
                }
            };
            paint.fill(back, |_, _| Ink::DARK);
            paint.fill(line, |_, _| *ink);
        }
        Swatch::Marker(ink) => {
            let centre = inner.center();
            let reach = height / 2;
            for y in -reach..=reach {
                let half = reach - y.abs();
                paint.fill(part(centre.x - half, centre.y + y, 2 * half + 1, 1), |_, _| *ink);
            }
        }
        Swatch::Body(ink) => {
            paint.fill(inner.offset(-1), |_, _| Ink::WHITE);
            paint.fill(inner.offset(-2), |_, _| *ink);
        }
    }
}
