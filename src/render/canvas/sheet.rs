//! The rulers at the top and left of a picture, and the legend below. Both are drawn last, on a larger
//! picture with room for them.

use std::ops::Range;

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::iso_8859_1::FONT_6X10;
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::primitives::{PointsIter, Rectangle};
use embedded_graphics::text::{Baseline, Text};
use glam::{I64Vec2, U64Vec2, UVec2};
use image::RgbaImage;

use super::super::picture::{Ink, Paint};
use super::super::picture::{checked_size, filled};
use super::super::{MAX_PIXELS, RenderError};
use super::cells::Pattern;
use super::labels::text_width;
use crate::geometry::Dir;

/// The rulers and the legend around a picture.
#[derive(Clone, Debug, Default)]
pub(crate) struct Margins {
    pub(crate) rulers: Option<Rulers>,
    pub(crate) legend: Option<Legend>,
}

impl Margins {
    /// Draws the rulers and the legend around `picture`; fails if the result has more than twice
    /// [`MAX_PIXELS`]. The legend shows `left_out`, the number of labels without room. The picture's own
    /// memory grows, so that two copies never exist.
    pub(crate) fn around(
        mut self,
        picture: RgbaImage,
        left_out: usize,
    ) -> Result<RgbaImage, RenderError> {
        if let Some(legend) = self.legend.as_mut().filter(|_| left_out > 0) {
            let word = if left_out == 1 { "label" } else { "labels" };
            legend.add(None, format!("{left_out} {word} without room"));
        }
        let inner = UVec2::from(picture.dimensions());
        let corner = self.rulers.as_ref().map_or(UVec2::ZERO, Rulers::size);
        let mut whole = corner.as_u64vec2() + inner.as_u64vec2();
        if let Some(legend) = &self.legend {
            let size = legend.size(whole.x.min(FARTHEST) as u32).as_u64vec2();
            whole = U64Vec2::new(whole.x.max(size.x), whole.y + size.y);
        }
        let size = checked_size(whole, 1, 2 * MAX_PIXELS)?;
        if size == inner {
            return Ok(picture);
        }
        let mut sheet = on_sheet(picture, size, corner)?;
        let mut paint = Paint(&mut sheet);
        let point = |at: UVec2| Point::new(at.x as i32, at.y as i32);
        if let Some(rulers) = &self.rulers {
            rulers.draw(&mut paint, point(corner));
        }
        if let Some(legend) = &self.legend {
            let below = UVec2::new(0, corner.y + inner.y);
            let size = size - below;
            legend.draw(&mut paint, Rectangle::new(point(below), Size::new(size.x, size.y)));
        }
        Ok(sheet)
    }
}

const FARTHEST: u64 = 1 << 30;

fn on_sheet(picture: RgbaImage, size: UVec2, corner: UVec2) -> Result<RgbaImage, RenderError> {
    let (width, height) = (picture.width() as usize * 4, picture.height() as usize);
    let mut bytes = picture.into_raw();
    let (row, left) = (size.x as usize * 4, corner.x as usize * 4);
    let length = row * size.y as usize;
    let missing = length.saturating_sub(bytes.len());
    bytes.try_reserve_exact(missing).map_err(|_| RenderError::NoMemory { bytes: length as u64 })?;
    bytes.resize(length, 0);
    // Each row of the picture moves to its place beside and below the rulers. The last row moves first, so
    // that no row is overwritten before it is read.
    for y in (0..height).rev() {
        let to = (y + corner.y as usize) * row + left;
        bytes.copy_within(y * width..(y + 1) * width, to);
    }
    let shown = corner.y as usize..corner.y as usize + height;
    for (y, row) in bytes.chunks_exact_mut(row.max(1)).enumerate() {
        let (pixels, _) = row.as_chunks_mut::<4>();
        if shown.contains(&y) {
            let (before, rest) = pixels.split_at_mut(left / 4);
            before.fill(BACK.0.0);
            rest[width / 4..].fill(BACK.0.0);
        } else {
            pixels.fill(BACK.0.0);
        }
    }
    Ok(filled(size, bytes))
}

/// The colour behind the rulers and the legend. Also the colour beside a picture that is narrower than its
/// legend.
const BACK: Ink = Ink::new(28, 30, 40);
const TICK: Ink = Ink::new(200, 202, 212);
const CELL: Ink = Ink::new(120, 200, 255);
const FONT: &MonoFont<'_> = &FONT_6X10;

/// The length of a ruler's tick with a number, in pixels. Other ticks are half as long.
const LONG: u32 = 6;

/// The space between the numbers of a ruler, and between a number and an edge, in pixels.
const GAP: u32 = 3;

/// The rulers above and to the left of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rulers {
    /// The first column and row of the level that the picture shows, in pixels at the scale 1.
    pub(crate) first: I64Vec2,
    /// The last column and row of the level that the picture shows, plus 1.
    pub(crate) end: I64Vec2,
    /// The size of the enlarged or reduced picture, in pixels.
    pub(crate) shown: UVec2,
    /// The size of the cells whose numbers are drawn, in pixels of the level; `None` for cells of one pixel.
    pub(crate) cell: Option<UVec2>,
}

/// The smallest of the numbers 1, 2, 5, 10, 20, 50 and so on that is at least `least`.
pub(crate) fn round_step(least: i64) -> i64 {
    let mut step = 1;
    for factor in [2, 5, 2].into_iter().cycle() {
        if step >= least || step > i64::MAX / 16 {
            break;
        }
        // The steps are 1, 2 and 5: the step after 2 is 2.5 times as large.
        step = if factor == 5 { step / 2 * 5 } else { step * 2 };
    }
    step
}

impl Rulers {
    /// The width of the left ruler and the height of the top ruler.
    pub(crate) fn size(&self) -> UVec2 {
        let widest = number_width(self.first.y).max(number_width(self.end.y));
        let cells = self.cell.map_or(UVec2::ZERO, |cell| {
            let end = self.end.y / i64::from(cell.y.max(1));
            let first = self.first.y / i64::from(cell.y.max(1));
            let widest = number_width(end).max(number_width(first));
            UVec2::new(widest + GAP, FONT.character_size.height)
        });
        UVec2::new(widest + 2 * GAP + LONG, FONT.character_size.height + GAP + LONG) + cells
    }

    /// Draws the rulers above and to the left of a picture with its top-left corner at `corner`.
    fn draw(&self, paint: &mut Paint<'_>, corner: Point) {
        let size = self.size();
        let (wide, high) = (size.x as i32, size.y as i32);
        let top = Size::new(self.shown.x + size.x, size.y);
        paint.fill(Rectangle::new(corner - Point::new(wide, high), top), BACK);
        let left = Size::new(size.x, self.shown.y);
        paint.fill(Rectangle::new(corner - Point::new(wide, 0), left), BACK);
        let height = FONT.character_size.height;
        let (first, end, shown) = (self.first, self.end, self.shown);
        let top = (RulerAxis::new(first.x..end.x, shown.x), number_width(end.x) + 4 * GAP);
        let left = (RulerAxis::new(first.y..end.y, shown.y), height + 2 * GAP);
        let height = height as i32;
        for (is_top, (along, room)) in [(true, top), (false, left)] {
            for (place, number) in along.ticks(room) {
                let long = if number.is_some() { LONG } else { LONG / 2 };
                let (line, size) = match is_top {
                    true => (Point::new(place, -(long as i32)), Size::new(1, long)),
                    false => (Point::new(-(long as i32), place), Size::new(long, 1)),
                };
                paint.fill(Rectangle::new(corner + line, size), TICK);
                let Some(number) = number else {
                    continue;
                };
                let width = number_width(number) as i32;
                let (at, last) = match is_top {
                    true => (Point::new(place + 2, -(LONG as i32) - height), place + 2 + width),
                    false => {
                        (Point::new(-((LONG + GAP) as i32) - width, place + 1), place + height + 1)
                    }
                };
                if i64::from(last) <= along.shown {
                    write(paint, corner + at, number, TICK);
                }
            }
            let Some(cell) = self.cell else {
                continue;
            };
            let side = if is_top { cell.x } else { cell.y };
            for (place, number) in along.cells(side, room) {
                let at = match is_top {
                    true => {
                        let x = place - number_width(number) as i32 / 2;
                        Point::new(x, -(LONG as i32) - 2 * height)
                    }
                    false => Point::new(GAP as i32 - wide, place - height / 2),
                };
                write(paint, corner + at, number, CELL);
            }
        }
    }
}

/// The ruler along one side of a picture: a range of the level's pixels, and its length in the picture.
struct RulerAxis {
    pixels: Range<i64>,
    /// The length in pixels of the side of the enlarged or reduced picture along which the ruler is drawn.
    shown: i64,
    /// The number of pixels of the level along that side, at the scale 1.
    count: i64,
}

impl RulerAxis {
    fn new(pixels: Range<i64>, shown: u32) -> Self {
        let count = (pixels.end - pixels.start).max(1);
        Self { pixels, shown: i64::from(shown).max(1), count }
    }

    /// The position of a pixel of the level along the enlarged or reduced picture, counted from the start of
    /// the ruler. `pixel` is in pixels of the level.
    fn place(&self, pixel: i64) -> i32 {
        ((pixel - self.pixels.start) * self.shown / self.count) as i32
    }

    /// The smallest round number (1, 2, 5, 10 and so on) of units that take at least `room` pixels of the
    /// picture. A unit is `side` pixels of the level long.
    fn step(&self, side: i64, room: u32) -> i64 {
        let needed = i64::from(room) * self.count;
        round_step((needed + self.shown * side - 1) / (self.shown * side))
    }

    /// The positions of a ruler's ticks, each with its number or `None`. A number takes `room` pixels of the
    /// picture.
    fn ticks(&self, room: u32) -> impl Iterator<Item = (i32, Option<i64>)> {
        let step = self.step(1, room);
        // Ticks between numbers divide a step into fifths, or a step of 2 into halves. They are at least a
        // pixel apart.
        let fine = match step {
            1 | 2 => 1,
            _ if step.to_string().starts_with('2') => step / 2,
            _ => step / 5,
        };
        let first = self.pixels.start;
        let from = first.div_euclid(fine) + i64::from(first.rem_euclid(fine) != 0);
        let marks = (from * fine..self.pixels.end).step_by(fine as usize);
        marks.map(move |mark| (self.place(mark), (mark.rem_euclid(step) == 0).then_some(mark)))
    }

    /// The numbered cells: the position of a cell's middle along the ruler, and the cell's number. A number
    /// takes `room` pixels of the picture. A cell is `side` pixels of the level long.
    fn cells(&self, side: u32, room: u32) -> impl Iterator<Item = (i32, i64)> {
        let side = i64::from(side.max(1));
        let step = self.step(side, room);
        let from = self.pixels.start.div_euclid(side * step) * step;
        let numbers = (from..=self.pixels.end / side).step_by(step as usize);
        numbers
            .map(move |number| {
                let half = (2 * number + 1) * side - 2 * self.pixels.start;
                (half * self.shown / (2 * self.count), number)
            })
            .filter(|(place, _)| (0..self.shown).contains(place))
            .map(|(place, number)| (place as i32, number))
    }
}

fn number_width(number: i64) -> u32 {
    text_width(FONT, &number.to_string())
}

fn write(paint: &mut Paint<'_>, at: Point, number: i64, ink: Ink) {
    let text = number.to_string();
    paint.draw(&Text::with_baseline(&text, at, MonoTextStyle::new(FONT, ink), Baseline::Top));
}

const SAMPLE: Ink = Ink::new(150, 152, 156);
const TEXT: Ink = Ink::new(226, 228, 236);

/// The space around the entries of a legend, and between a swatch and its text, in pixels.
const ENTRY_GAP: u32 = 5;

/// The legend below a picture: texts, each with a sample of a colour or mark.
#[derive(Clone, Debug)]
pub(crate) struct Legend {
    entries: Vec<(Option<Swatch>, String)>,
    font: &'static MonoFont<'static>,
}

/// The sample of a colour or mark beside an entry's text.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Swatch {
    Cells(Pattern),
    /// The side that a one-way cell guards, and the ink of its edge.
    OneWay(Dir, Ink),
    Marker(Ink),
    Body(Ink),
    Line(Ink),
    /// The two grays of the checkerboard for missing pictures.
    Checks([Ink; 2]),
}

impl Legend {
    pub(crate) fn new(font: &'static MonoFont<'static>) -> Self {
        Self { entries: Vec::new(), font }
    }

    pub(crate) fn add(&mut self, swatch: Option<Swatch>, text: String) {
        self.entries.push((swatch, text));
    }

    /// The size of a legend below a picture of this width. A long entry makes the legend wider.
    pub(crate) fn size(&self, width: u32) -> UVec2 {
        let widest = self.entries.iter().map(|entry| self.width(entry)).max().unwrap_or(0);
        let width = width.max(widest + 2 * ENTRY_GAP);
        let last = self.places(width).last().map_or(0, |place| place.y as u32);
        UVec2::new(width, last + self.line() + ENTRY_GAP)
    }

    pub(crate) fn draw(&self, paint: &mut Paint<'_>, area: Rectangle) {
        paint.fill(area, BACK);
        let places: Vec<Point> = self.places(area.size.width).collect();
        for ((swatch, text), place) in self.entries.iter().zip(places) {
            let mut at = area.top_left + place;
            if let Some(swatch) = swatch {
                let size = self.swatch();
                draw_swatch(paint, Rectangle::new(at, size), swatch);
                at.x += (size.width + ENTRY_GAP) as i32;
            }
            let style = MonoTextStyle::new(self.font, TEXT);
            paint.draw(&Text::with_baseline(text, at, style, Baseline::Top));
        }
    }

    /// The positions of the entries in a legend of this width, relative to the legend's corner.
    fn places(&self, width: u32) -> impl Iterator<Item = Point> {
        let (gap, line) = (ENTRY_GAP as i32, self.line() as i32);
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
        let sample = swatch.map_or(0, |_| self.swatch().width + ENTRY_GAP);
        sample + text_width(self.font, text)
    }

    /// The height of a row of entries in the legend, with the space below.
    fn line(&self) -> u32 {
        self.font.character_size.height + ENTRY_GAP
    }

    fn swatch(&self) -> Size {
        let height = self.font.character_size.height;
        Size::new(2 * height, height)
    }
}

fn draw_swatch(paint: &mut Paint<'_>, area: Rectangle, swatch: &Swatch) {
    let inner = area.offset(-1);
    let (first, end) = (inner.top_left, inner.top_left + inner.size);
    paint.fill(area, Ink::DARK);
    paint.fill(inner, SAMPLE);
    let part = |x: i32, y: i32, width: i32, height: i32| {
        Rectangle::new(Point::new(x, y), Size::new(width as u32, height as u32))
    };
    let (width, height) = (inner.size.width as i32, inner.size.height as i32);
    match swatch {
        Swatch::Cells(pattern) => {
            paint.fill(inner, pattern.ink);
            let inside = inner.offset(-1);
            paint.fill(inside, SAMPLE);
            for at in inside.points() {
                let ink = pattern.inside(I64Vec2::new(at.x.into(), at.y.into()));
                paint.fill(Rectangle::new(at, Size::new_equal(1)), ink);
            }
        }
        Swatch::OneWay(side, ink) => {
            // A line along the guarded side of the sample cell, `thick` pixels wide, at the distance `from`
            // from this side.
            let line = |from: i32, thick: i32| match side {
                Dir::Up => part(first.x, first.y + from, width, thick),
                Dir::Down => part(first.x, end.y - from - thick, width, thick),
                Dir::Left => part(first.x + from, first.y, thick, height),
                Dir::Right => part(end.x - from - thick, first.y, thick, height),
            };
            paint.fill(line(2, 1), Ink::DARK);
            paint.fill(line(0, 2), *ink);
        }
        Swatch::Marker(ink) => {
            let centre = inner.center();
            let reach = height / 2;
            for y in -reach..=reach {
                let half = reach - y.abs();
                paint.fill(part(centre.x - half, centre.y + y, 2 * half + 1, 1), *ink);
            }
        }
        Swatch::Body(ink) => {
            paint.fill(inner.offset(-1), Ink::WHITE);
            paint.fill(inner.offset(-2), *ink);
        }
        Swatch::Line(ink) => paint.fill(part(first.x, inner.center().y, width, 2), *ink),
        Swatch::Checks(inks) => {
            for at in inner.points() {
                let ink = inks[(at.x.div_euclid(4) + at.y.div_euclid(4)) as usize & 1];
                paint.fill(Rectangle::new(at, Size::new_equal(1)), ink);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_steps_of_a_ruler_are_round_numbers() {
        let steps = [1, 2, 3, 5, 6, 11, 21, 51, 101, 5_001].map(round_step);
        assert_eq!(steps, [1, 2, 5, 5, 10, 20, 50, 100, 200, 10_000]);
    }

    #[test]
    fn ruler_numbers_are_at_their_pixels_in_a_region_of_the_level() {
        let along = RulerAxis::new(73..173, 400);
        let ticks: Vec<_> = along.ticks(40).collect();
        assert!(ticks.contains(&(28, Some(80))) && ticks.contains(&(4 * 17, Some(90))));
        assert!(ticks.contains(&(4 * 3, None)) && ticks.iter().all(|(place, _)| *place < 400));
        let cells: Vec<_> = along.cells(16, 40).collect();
        assert_eq!(cells[0], ((5 * 16 - 73) * 4 + 32, 5));
    }

    #[test]
    fn a_ruler_of_a_reduced_picture_has_numbers_in_larger_steps() {
        let along = RulerAxis::new(0..10_000, 500);
        let ticks: Vec<_> = along.ticks(40).collect();
        assert!(ticks.contains(&(50, Some(1_000))) && !ticks.contains(&(25, Some(500))));
    }
}
