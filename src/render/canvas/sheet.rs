//! The rulers at the top and left of a picture, and the legend below. Both are drawn last, on a larger
//! picture with room for them.

use std::ops::Range;

use embedded_graphics::mono_font::MonoFont;
use embedded_graphics::mono_font::iso_8859_1::FONT_6X10;
use glam::{I64Vec2, U64Vec2, UVec2};
use image::{Rgba, RgbaImage, imageops};

use super::super::picture::{Rect, checked_size, fill, ink, plain};
use super::super::{MAX_PIXELS, RenderError};
use super::cells::Pattern;
use super::labels::{text_size, write};
use crate::text::counted;

/// The rulers and the legend around a picture.
#[derive(Clone, Debug, Default)]
pub(super) struct Margins {
    /// The columns and rows of the level at the rulers, in pixels at the scale 1; `None` without rulers.
    pub(super) rulers: Option<Rect>,
    pub(super) legend: Option<Legend>,
    /// The width that the legend may take beside a narrow picture, in pixels.
    pub(super) room: u32,
}

impl Margins {
    /// The largest width and height that rulers and legend add to a picture.
    pub(super) fn size(mut self) -> UVec2 {
        let mut size = self.rulers.map_or(I64Vec2::ZERO, size_of_rulers);
        if let Some(legend) = &mut self.legend {
            legend.add_left_out(u16::MAX.into());
            size.y += legend.size(self.room.into()).y;
        }
        size.as_uvec2()
    }

    /// Draws the rulers and the legend around `picture`; fails if the result has more than twice
    /// [`MAX_PIXELS`]. The legend shows `left_out`, the number of labels without room.
    pub(super) fn around(
        mut self,
        picture: RgbaImage,
        left_out: usize,
    ) -> Result<RgbaImage, RenderError> {
        if let Some(legend) = self.legend.as_mut().filter(|_| left_out > 0) {
            legend.add_left_out(left_out as u64);
        }
        let inner = UVec2::from(picture.dimensions());
        let corner = self.rulers.map_or(I64Vec2::ZERO, size_of_rulers);
        let mut whole = corner.as_u64vec2() + inner.as_u64vec2();
        if let Some(legend) = &self.legend {
            let room = whole.x.clamp(self.room.into(), FARTHEST);
            let size = legend.size(room as i64).as_u64vec2();
            whole = U64Vec2::new(whole.x.max(size.x), whole.y + size.y);
        }
        let size = checked_size(whole, 1, 2 * MAX_PIXELS)?;
        if size == inner {
            return Ok(picture);
        }
        let mut sheet = plain(size, BACK)?;
        imageops::replace(&mut sheet, &picture, corner.x, corner.y);
        let shown = Rect::new(corner, inner.as_i64vec2());
        if let Some(frame) = self.rulers {
            draw_rulers(&mut sheet, frame, shown);
        }
        if let Some(legend) = &self.legend {
            legend.draw(&mut sheet, shown.max.y);
        }
        Ok(sheet)
    }
}

const FARTHEST: u64 = 1 << 32;

/// The colour behind the rulers and the legend. Also the colour beside a picture that is narrower than its
/// legend.
const BACK: Rgba<u8> = ink(28, 30, 40);
const TICK: Rgba<u8> = ink(200, 202, 212);
const FONT: &MonoFont<'_> = &FONT_6X10;

/// The height of the letters of [`FONT`].
const HEIGHT: i64 = 10;

/// The length of a ruler's tick, in pixels.
const TICK_LENGTH: i64 = 6;

/// The space between the numbers of a ruler, and between a number and an edge, in pixels.
const GAP: i64 = 3;

/// The smallest of the numbers 1, 2, 5, 10, 20, 50 and so on that is at least `least`.
pub(super) fn round_step(least: i64) -> i64 {
    let mut step = 1;
    while step < least && step < i64::MAX / 16 {
        // A 2 is followed by a 5. A 1 and a 5 are doubled.
        step = if step.to_string().starts_with('2') { step / 2 * 5 } else { step * 2 };
    }
    step
}

/// The width of the left ruler and the height of the top ruler.
fn size_of_rulers(frame: Rect) -> I64Vec2 {
    let widest = number_width(frame.min.y).max(number_width(frame.max.y));
    I64Vec2::new(widest + 2 * GAP + TICK_LENGTH, HEIGHT + GAP + TICK_LENGTH)
}

/// Draws the rulers of the pixels `frame` above and to the left of a picture at `shown`.
fn draw_rulers(sheet: &mut RgbaImage, frame: Rect, shown: Rect) {
    let room_of_column = number_width(frame.max.x) + 4 * GAP;
    for (along, room) in [(I64Vec2::X, room_of_column), (I64Vec2::Y, HEIGHT + 2 * GAP)] {
        let pixels = frame.min.dot(along)..frame.max.dot(along);
        let length = shown.size().dot(along);
        for (place, number) in ticks(pixels, length, room) {
            let at = shown.min + along * place;
            let across = (I64Vec2::ONE - along) * TICK_LENGTH;
            fill(sheet, Rect { min: at - across, max: at + along }, TICK);
            let width = number_width(number);
            let mut corner = I64Vec2::new(-TICK_LENGTH - GAP - width, 1);
            if along == I64Vec2::X {
                corner = I64Vec2::new(2, -TICK_LENGTH - HEIGHT);
            }
            let end = corner + I64Vec2::new(width, HEIGHT);
            if place + end.dot(along) <= length {
                write(sheet, &number.to_string(), at + corner, FONT, TICK);
            }
        }
    }
}

/// The ticks of a ruler beside the pixels `pixels` of the level, which are drawn on `length` pixels of the
/// picture: the place of each tick and the number of its pixel. A number takes `room` pixels of the picture.
fn ticks(pixels: Range<i64>, length: i64, room: i64) -> impl Iterator<Item = (i64, i64)> {
    let count = (pixels.end - pixels.start).max(1);
    let length = length.max(1);
    let step = round_step((room * count + length - 1) / length);
    let first = -(-pixels.start).div_euclid(step) * step;
    let numbers = (first..pixels.end).step_by(step as usize);
    numbers.map(move |number| ((number - pixels.start) * length / count, number))
}

fn number_width(number: i64) -> i64 {
    text_size(FONT, &number.to_string()).x
}

const TEXT: Rgba<u8> = ink(226, 228, 236);

/// The space around the entries of a legend, and between a sample and its text, in pixels.
const ENTRY_GAP: i64 = 5;

/// The height of a row of entries, with the space below, in pixels.
const LINE: i64 = HEIGHT + ENTRY_GAP;

/// The background of the samples in a legend.
const SAMPLE: Rgba<u8> = ink(150, 152, 156);

/// The legend below a picture: texts, most with a sample of a colour and its hatching.
#[derive(Clone, Debug, Default)]
pub(super) struct Legend {
    entries: Vec<(Option<Pattern>, String)>,
}

impl Legend {
    /// Adds a text, with a sample of a mark's colour and hatching.
    pub(super) fn add(&mut self, sample: Option<Pattern>, text: String) {
        self.entries.push((sample, text));
    }

    fn add_left_out(&mut self, labels: u64) {
        self.add(None, counted(labels, "label") + " without room");
    }

    /// The size of a legend that has room for this width. A longer entry makes the legend wider.
    fn size(&self, room: i64) -> I64Vec2 {
        let ends = self.places(room).zip(&self.entries);
        let ends = ends.map(|(at, entry)| at + I64Vec2::new(entry_width(entry), LINE));
        ends.fold(I64Vec2::ZERO, I64Vec2::max) + ENTRY_GAP
    }

    /// Draws the legend from row `top` down.
    fn draw(&self, sheet: &mut RgbaImage, top: i64) {
        let places: Vec<I64Vec2> = self.places(sheet.width().into()).collect();
        for ((sample, text), place) in self.entries.iter().zip(places) {
            let mut at = place + I64Vec2::new(0, top);
            if let Some(pattern) = sample {
                let area = Rect::new(at, I64Vec2::new(2, 1) * HEIGHT);
                fill(sheet, area, pattern.ink);
                fill(sheet, area.grown(-1), SAMPLE);
                for y in at.y..area.max.y {
                    for x in at.x..area.max.x {
                        let pixel = I64Vec2::new(x, y);
                        fill(sheet, Rect::new(pixel, I64Vec2::ONE), pattern.inside(pixel - at));
                    }
                }
                at.x = area.max.x + ENTRY_GAP;
            }
            write(sheet, text, at, FONT, TEXT);
        }
    }

    /// The positions of the entries in a legend of this width, relative to the legend's corner.
    fn places(&self, width: i64) -> impl Iterator<Item = I64Vec2> {
        let mut next = I64Vec2::splat(ENTRY_GAP);
        self.entries.iter().map(move |entry| {
            let wide = entry_width(entry);
            if next.x > ENTRY_GAP && next.x + wide + ENTRY_GAP > width {
                next = I64Vec2::new(ENTRY_GAP, next.y + LINE);
            }
            let place = next;
            next.x += wide + 3 * ENTRY_GAP;
            place
        })
    }
}

/// The width of an entry: its sample, which is twice as wide as high, and its text.
fn entry_width((sample, text): &(Option<Pattern>, String)) -> i64 {
    let before = if sample.is_some() { 2 * HEIGHT + ENTRY_GAP } else { 0 };
    before + text_size(FONT, text).x
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
        let found: Vec<_> = ticks(73..173, 400, 40).collect();
        assert_eq!(found[..3], [(28, 80), (68, 90), (108, 100)]);
        assert!(found.iter().all(|(place, _)| *place < 400));
    }

    #[test]
    fn a_ruler_of_a_reduced_picture_has_numbers_in_larger_steps() {
        let found: Vec<_> = ticks(0..10_000, 500, 40).collect();
        assert_eq!(found[..3], [(0, 0), (50, 1_000), (100, 2_000)]);
    }
}
