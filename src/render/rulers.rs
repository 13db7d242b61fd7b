//! Rulers at the top and the left of a picture: its pixels in round steps, and the numbers of cells.

use std::ops::Range;

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::iso_8859_1::FONT_6X10;
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};
use glam::{I64Vec2, UVec2};

use super::ink::{Ink, Paint};
use super::labels::text_width;

const BACK: Ink = Ink::new(28, 30, 40);
const TICK: Ink = Ink::new(200, 202, 212);
const CELL: Ink = Ink::new(120, 200, 255);
const FONT: &MonoFont<'_> = &FONT_6X10;

/// The length of the line at a number; others are half as long.
const LONG: u32 = 6;

/// The space between numbers, and between a number and an edge.
const GAP: u32 = 3;

/// The rulers of a picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rulers {
    /// The pixels that the picture shows, before they are enlarged.
    pub(super) first: I64Vec2,
    pub(super) end: I64Vec2,
    /// The side of one of them in the picture.
    pub(super) scale: u32,
    /// The size of the cells, where they are not pixels and stand upright.
    pub(super) cell: Option<UVec2>,
}

/// The smallest of 1, 2, 5, 10, 20, 50 and so on that is at least `least`.
pub(super) fn round_step(least: i64) -> i64 {
    let mut step = 1;
    for factor in [2, 5, 2].into_iter().cycle() {
        if step >= least || step > i64::MAX / 16 {
            break;
        }
        // 1, 2, then 2.5 times as much, which is 5.
        step = if factor == 5 { step / 2 * 5 } else { step * 2 };
    }
    step
}

impl Rulers {
    /// The width of the left one and the height of the top one.
    pub(super) fn size(&self) -> UVec2 {
        let letters = |number: i64| text_width(FONT, &number.to_string());
        let widest = letters(self.first.y).max(letters(self.end.y));
        let cells = self.cell.map_or(UVec2::ZERO, |cell| {
            let end = self.end.y / i64::from(cell.y.max(1));
            let first = self.first.y / i64::from(cell.y.max(1));
            UVec2::new(letters(end).max(letters(first)) + GAP, FONT.character_size.height)
        });
        UVec2::new(widest + 2 * GAP + LONG, FONT.character_size.height + GAP + LONG) + cells
    }

    /// Draws both: the top one above a picture with its corner at `corner`, the left one beside it.
    pub(super) fn draw(&self, paint: &mut Paint<'_>, corner: Point) {
        let size = self.size();
        let shown = (self.end - self.first) * i64::from(self.scale);
        let (width, height) = (shown.x as u32, shown.y as u32);
        let (wide, high) = (size.x as i32, size.y as i32);
        let top =
            Rectangle::new(corner - Point::new(wide, high), Size::new(width + size.x, size.y));
        let left = Rectangle::new(corner - Point::new(wide, 0), Size::new(size.x, height));
        paint.fill(top, |_, _| BACK);
        paint.fill(left, |_, _| BACK);
        self.draw_top(paint, corner);
        self.draw_left(paint, corner);
    }

    fn draw_top(&self, paint: &mut Paint<'_>, corner: Point) {
        let pixels = self.first.x..self.end.x;
        let room = text_width(FONT, &self.end.x.to_string()) + 4 * GAP;
        let height = FONT.character_size.height as i32;
        let last = corner.x + ((self.end.x - self.first.x) * i64::from(self.scale)) as i32;
        for (place, number) in self.ticks(&pixels, room) {
            let x = corner.x + place;
            let long = if number.is_some() { LONG } else { LONG / 2 };
            let line = Rectangle::new(Point::new(x, corner.y - long as i32), Size::new(1, long));
            paint.fill(line, |_, _| TICK);
            let fits = |number: &i64| x + 2 + text_width(FONT, &number.to_string()) as i32 <= last;
            if let Some(number) = number.filter(fits) {
                let y = corner.y - LONG as i32 - height;
                write(paint, Point::new(x + 2, y), number, TICK);
            }
        }
        if let Some(cell) = self.cell {
            for (place, number) in self.cells(&pixels, cell.x, room) {
                let width = text_width(FONT, &number.to_string()) as i32;
                let at =
                    Point::new(corner.x + place - width / 2, corner.y - LONG as i32 - 2 * height);
                write(paint, at, number, CELL);
            }
        }
    }

    fn draw_left(&self, paint: &mut Paint<'_>, corner: Point) {
        let pixels = self.first.y..self.end.y;
        let height = FONT.character_size.height as i32;
        let room = height as u32 + 2 * GAP;
        let last = corner.y + ((self.end.y - self.first.y) * i64::from(self.scale)) as i32;
        for (place, number) in self.ticks(&pixels, room) {
            let y = corner.y + place;
            let long = if number.is_some() { LONG } else { LONG / 2 };
            let line = Rectangle::new(Point::new(corner.x - long as i32, y), Size::new(long, 1));
            paint.fill(line, |_, _| TICK);
            if let Some(number) = number.filter(|_| y + height < last) {
                let width = text_width(FONT, &number.to_string()) as i32;
                let x = corner.x - (LONG + GAP) as i32 - width;
                write(paint, Point::new(x, y + 1), number, TICK);
            }
        }
        if let Some(cell) = self.cell {
            let left = corner.x - self.size().x as i32 + GAP as i32;
            for (place, number) in self.cells(&pixels, cell.y, room) {
                let y = corner.y + place - height / 2;
                write(paint, Point::new(left, y), number, CELL);
            }
        }
    }

    /// The places of the lines of a ruler in the picture, those at numbers with these. Numbers have `room`
    /// pixels of the picture.
    fn ticks(&self, pixels: &Range<i64>, room: u32) -> impl Iterator<Item = (i32, Option<i64>)> {
        let scale = i64::from(self.scale);
        let step = round_step((i64::from(room) + scale - 1) / scale);
        // Between numbers there are lines in fifths, or halves of 2; as far as they are pixels.
        let fine = match step {
            1 => 1,
            2 => 1,
            _ if step.to_string().starts_with('2') => step / 2,
            _ => step / 5,
        };
        let (first, end) = (pixels.start, pixels.end);
        let from = first.div_euclid(fine) + i64::from(first.rem_euclid(fine) != 0);
        let marks = (from * fine..end).step_by(fine.max(1) as usize);
        marks.map(move |mark| {
            let number = (mark.rem_euclid(step) == 0).then_some(mark);
            (((mark - first) * scale) as i32, number)
        })
    }

    /// The places of the middles of cells that have a number, with it.
    fn cells(&self, pixels: &Range<i64>, side: u32, room: u32) -> impl Iterator<Item = (i32, i64)> {
        let (scale, side) = (i64::from(self.scale), i64::from(side.max(1)));
        let step = round_step((i64::from(room) + scale * side - 1) / (scale * side));
        let (first, end) = (pixels.start, pixels.end);
        let from = first.div_euclid(side * step) * step;
        let numbers = (from..=end / side).step_by(step as usize);
        numbers
            .map(move |number| ((number * side - first) * scale + side * scale / 2, number))
            .filter(move |(place, _)| *place >= 0 && *place < (end - first) * scale)
            .map(|(place, number)| (place as i32, number))
    }
}

fn write(paint: &mut Paint<'_>, at: Point, number: i64, ink: Ink) {
    let text = number.to_string();
    paint.draw(&Text::with_baseline(&text, at, MonoTextStyle::new(FONT, ink), Baseline::Top));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_round() {
        let steps = [1, 2, 3, 5, 6, 11, 21, 51, 101, 5_001].map(round_step);
        assert_eq!(steps, [1, 2, 5, 5, 10, 20, 50, 100, 200, 10_000]);
    }

    #[test]
    fn numbers_stand_at_their_pixels_also_for_a_part_of_the_level() {
        let rulers = Rulers {
            first: I64Vec2::new(73, 5),
            end: I64Vec2::new(173, 105),
            scale: 4,
            cell: Some(UVec2::splat(16)),
        };
        let ticks: Vec<_> = rulers.ticks(&(73..173), 40).collect();
        assert!(ticks.contains(&(28, Some(80))) && ticks.contains(&(4 * 17, Some(90))));
        assert!(ticks.contains(&(4, None)) && ticks.iter().all(|(place, _)| *place < 400));
        let cells: Vec<_> = rulers.cells(&(73..173), 16, 40).collect();
        assert_eq!(cells[0], ((5 * 16 - 73) * 4 + 32, 5));
    }
}
