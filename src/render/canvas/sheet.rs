//! The rulers at the top and left of a picture, and the legend below. Both are drawn last, on a larger
//! picture with room for them.

use std::ops::Range;

use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::iso_8859_1::FONT_6X10;
use glam::{I64Vec2, U64Vec2, UVec2};
use image::{Rgba, RgbaImage, imageops};

use super::super::picture::{Rect, checked_size, fill, ink, plain};
use super::super::{MAX_PIXELS, RenderError};
use super::labels::{text_size, write};

/// The rulers and the legend around a picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Margins {
    pub(super) rulers: Option<Rulers>,
    pub(super) legend: Option<Legend>,
}

impl Margins {
    /// Draws the rulers and the legend around `picture`; fails if the result has more than twice
    /// [`MAX_PIXELS`]. The legend shows `left_out`, the number of labels without room.
    pub(super) fn around(
        mut self,
        picture: RgbaImage,
        left_out: usize,
    ) -> Result<RgbaImage, RenderError> {
        if let Some(legend) = self.legend.as_mut().filter(|_| left_out > 0) {
            let word = if left_out == 1 { "label" } else { "labels" };
            legend.add(None, format!("{left_out} {word} without room"));
        }
        let inner = UVec2::from(picture.dimensions());
        let corner = self.rulers.as_ref().map_or(I64Vec2::ZERO, Rulers::size);
        let mut whole = corner.as_u64vec2() + inner.as_u64vec2();
        if let Some(legend) = &self.legend {
            let size = legend.size(whole.x.min(FARTHEST) as i64).as_u64vec2();
            whole = U64Vec2::new(whole.x.max(size.x), whole.y + size.y);
        }
        let size = checked_size(whole, 1, 2 * MAX_PIXELS)?;
        if size == inner {
            return Ok(picture);
        }
        let mut sheet = plain(size, BACK)?;
        imageops::replace(&mut sheet, &picture, corner.x, corner.y);
        let shown = Rect::new(corner, inner.as_i64vec2());
        if let Some(rulers) = &self.rulers {
            rulers.draw(&mut sheet, shown);
        }
        if let Some(legend) = &self.legend {
            legend.draw(&mut sheet, shown.max.y);
        }
        Ok(sheet)
    }
}

const FARTHEST: u64 = 1 << 30;

/// The colour behind the rulers and the legend. Also the colour beside a picture that is narrower than its
/// legend.
const BACK: Rgba<u8> = ink(28, 30, 40);
const TICK: Rgba<u8> = ink(200, 202, 212);
const CELL: Rgba<u8> = ink(120, 200, 255);
const FONT: &MonoFont<'_> = &FONT_6X10;

/// The height of the letters of [`FONT`].
const HEIGHT: i64 = 10;

/// The length of a ruler's tick with a number, in pixels. Other ticks are half as long.
const LONG: i64 = 6;

/// The space between the numbers of a ruler, and between a number and an edge, in pixels.
const GAP: i64 = 3;

/// The rulers above and to the left of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rulers {
    /// The columns and rows of the level that the picture shows, in pixels at the scale 1.
    pub(super) frame: Rect,
    /// The size of the cells whose numbers are drawn, in pixels of the level; `None` for cells of one pixel.
    pub(super) cell: Option<I64Vec2>,
}

/// The smallest of the numbers 1, 2, 5, 10, 20, 50 and so on that is at least `least`.
pub(super) fn round_step(least: i64) -> i64 {
    let mut step = 1;
    while step < least && step < i64::MAX / 16 {
        // A 2 is followed by a 5. A 1 and a 5 are doubled.
        step = if starts_with_2(step) { step / 2 * 5 } else { step * 2 };
    }
    step
}

fn starts_with_2(number: i64) -> bool {
    number.to_string().starts_with('2')
}

impl Rulers {
    /// The width of the left ruler and the height of the top ruler.
    fn size(&self) -> I64Vec2 {
        let rows = self.frame.min.y..self.frame.max.y;
        let mut size = I64Vec2::new(widest(&rows) + 2 * GAP + LONG, HEIGHT + GAP + LONG);
        if let Some(cell) = self.cell {
            let numbers = rows.start / cell.y..rows.end / cell.y;
            size += I64Vec2::new(widest(&numbers) + GAP, HEIGHT);
        }
        size
    }

    /// Draws the rulers above and to the left of a picture at `shown`.
    fn draw(&self, sheet: &mut RgbaImage, shown: Rect) {
        let Rect { min, max } = self.frame;
        let room_of_column = number_width(max.x) + 4 * GAP;
        for (along, room) in [(I64Vec2::X, room_of_column), (I64Vec2::Y, HEIGHT + 2 * GAP)] {
            let is_top = along == I64Vec2::X;
            let axis = RulerAxis::new(min.dot(along)..max.dot(along), shown.size().dot(along));
            for (place, number) in axis.ticks(room) {
                let at = shown.min + along * place;
                let long = if number.is_some() { LONG } else { LONG / 2 };
                let across = (I64Vec2::ONE - along) * long;
                fill(sheet, Rect { min: at - across, max: at + along }, TICK);
                let Some(number) = number else { continue };
                let width = number_width(number);
                let (left, top) =
                    if is_top { (2, -LONG - HEIGHT) } else { (-LONG - GAP - width, 1) };
                let corner = I64Vec2::new(left, top);
                let end = corner + I64Vec2::new(width, HEIGHT);
                if place + end.dot(along) <= axis.shown {
                    write_number(sheet, at + corner, number, TICK);
                }
            }
            let Some(cell) = self.cell else { continue };
            for (place, number) in axis.cells(cell.dot(along), room) {
                let corner = if is_top {
                    let left = place - number_width(number) / 2;
                    shown.min + I64Vec2::new(left, -LONG - 2 * HEIGHT)
                } else {
                    I64Vec2::new(GAP, shown.min.y + place - HEIGHT / 2)
                };
                write_number(sheet, corner, number, CELL);
            }
        }
    }
}

/// The ruler along one side of a picture: a range of the level's pixels, and its length in the picture.
struct RulerAxis {
    pixels: Range<i64>,
    /// The length in pixels of the side of the enlarged or reduced picture along which the ruler is drawn.
    shown: i64,
}

impl RulerAxis {
    fn new(pixels: Range<i64>, shown: i64) -> Self {
        Self { pixels, shown: shown.max(1) }
    }

    /// The number of pixels of the level along that side, at the scale 1.
    fn count(&self) -> i64 {
        (self.pixels.end - self.pixels.start).max(1)
    }

    /// The position of a pixel of the level along the enlarged or reduced picture, counted from the start of
    /// the ruler. `pixel` is in pixels of the level.
    fn place(&self, pixel: i64) -> i64 {
        (pixel - self.pixels.start) * self.shown / self.count()
    }

    /// The smallest round number (1, 2, 5, 10 and so on) of units that take at least `room` pixels of the
    /// picture. A unit is `side` pixels of the level long.
    fn step(&self, side: i64, room: i64) -> i64 {
        let needed = room * self.count();
        round_step((needed + self.shown * side - 1) / (self.shown * side))
    }

    /// The positions of a ruler's ticks, each with its number or `None`. A number takes `room` pixels of the
    /// picture.
    fn ticks(&self, room: i64) -> impl Iterator<Item = (i64, Option<i64>)> {
        let step = self.step(1, room);
        // Ticks between numbers divide a step into fifths, or a step of 2 into halves. They are at least a
        // pixel apart.
        let fine = if starts_with_2(step) { step / 2 } else { (step / 5).max(1) };
        let first = self.pixels.start;
        let from = first.div_euclid(fine) + i64::from(first.rem_euclid(fine) != 0);
        let marks = (from * fine..self.pixels.end).step_by(fine as usize);
        marks.map(move |mark| (self.place(mark), (mark.rem_euclid(step) == 0).then_some(mark)))
    }

    /// The numbered cells: the position of a cell's middle along the ruler, and the cell's number. A number
    /// takes `room` pixels of the picture. A cell is `side` pixels of the level long.
    fn cells(&self, side: i64, room: i64) -> impl Iterator<Item = (i64, i64)> {
        let step = self.step(side, room);
        let from = self.pixels.start.div_euclid(side * step) * step;
        let numbers = (from..=self.pixels.end / side).step_by(step as usize);
        numbers
            .map(move |number| {
                let half = (2 * number + 1) * side - 2 * self.pixels.start;
                (half * self.shown / (2 * self.count()), number)
            })
            .filter(|(place, _)| (0..self.shown).contains(place))
    }
}

fn number_width(number: i64) -> i64 {
    text_size(FONT, &number.to_string()).x
}

fn widest(numbers: &Range<i64>) -> i64 {
    number_width(numbers.start).max(number_width(numbers.end))
}

fn write_number(sheet: &mut RgbaImage, at: I64Vec2, number: i64, ink: Rgba<u8>) {
    write(sheet, &number.to_string(), at, FONT, ink);
}

const TEXT: Rgba<u8> = ink(226, 228, 236);

/// The space around the entries of a legend, and between a sample and its text, in pixels.
const ENTRY_GAP: i64 = 5;

/// The legend below a picture: texts, each with a sample of a colour or mark.
#[derive(Clone, Debug)]
pub(super) struct Legend {
    entries: Vec<(Option<RgbaImage>, String)>,
    font: &'static MonoFont<'static>,
}

impl Legend {
    pub(super) fn new(font: &'static MonoFont<'static>) -> Self {
        Self { entries: Vec::new(), font }
    }

    /// Adds a text, and a sample of [`Self::sample_size`].
    pub(super) fn add(&mut self, sample: Option<RgbaImage>, text: String) {
        self.entries.push((sample, text));
    }

    pub(super) fn sample_size(&self) -> UVec2 {
        let height = self.font.character_size.height;
        UVec2::new(2 * height, height)
    }

    /// The size of a legend below a picture of this width. A long entry makes the legend wider.
    fn size(&self, width: i64) -> I64Vec2 {
        let widest = self.entries.iter().map(|entry| self.width(entry)).max().unwrap_or(0);
        let width = width.max(widest + 2 * ENTRY_GAP);
        let last = self.places(width).last().map_or(0, |place| place.y);
        I64Vec2::new(width, last + self.line() + ENTRY_GAP)
    }

    /// Draws the legend from row `top` down.
    fn draw(&self, sheet: &mut RgbaImage, top: i64) {
        let places: Vec<I64Vec2> = self.places(sheet.width().into()).collect();
        for ((sample, text), place) in self.entries.iter().zip(places) {
            let mut at = place + I64Vec2::new(0, top);
            if let Some(sample) = sample {
                imageops::replace(sheet, sample, at.x, at.y);
                at.x += i64::from(sample.width()) + ENTRY_GAP;
            }
            write(sheet, text, at, self.font, TEXT);
        }
    }

    /// The positions of the entries in a legend of this width, relative to the legend's corner.
    fn places(&self, width: i64) -> impl Iterator<Item = I64Vec2> {
        let mut next = I64Vec2::splat(ENTRY_GAP);
        self.entries.iter().map(move |entry| {
            let wide = self.width(entry);
            if next.x > ENTRY_GAP && next.x + wide + ENTRY_GAP > width {
                next = I64Vec2::new(ENTRY_GAP, next.y + self.line());
            }
            let place = next;
            next.x += wide + 3 * ENTRY_GAP;
            place
        })
    }

    fn width(&self, (sample, text): &(Option<RgbaImage>, String)) -> i64 {
        let before = sample.as_ref().map_or(0, |sample| i64::from(sample.width()) + ENTRY_GAP);
        before + text_size(self.font, text).x
    }

    /// The height of a row of entries in the legend, with the space below.
    fn line(&self) -> i64 {
        i64::from(self.font.character_size.height) + ENTRY_GAP
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
