//! Short texts on dark backing, which hide neither each other nor the places that they name.

use std::collections::VecDeque;

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::iso_8859_1::{FONT_6X10, FONT_9X15};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::primitives::Rectangle;
use embedded_graphics::text::{Baseline, Text};
use glam::UVec2;

use super::canvas::{Canvas, Ink};
use crate::text::printable;

const BACKING: Ink = Ink::new(12, 14, 24).with_alpha(200);

/// The distance from the letters to the edge of their backing.
const PADDING: i32 = 2;

/// The distances from a label to the place that it names, the best first.
const DISTANCES: [i32; 4] = [2, 14, 26, 38];

/// Longer names are cut: the place matters, and `bitwall info` prints the name in full.
const MAX_LETTERS: usize = 28;

/// The number of earlier labels that a label does not hide. A map with thousands of names is not readable
/// anyway, and a comparison of all with all would take minutes.
const REMEMBERED: usize = 256;

/// The labels drawn so far.
#[derive(Default)]
pub(super) struct Labels {
    taken: VecDeque<Rectangle>,
}

impl Labels {
    /// Keeps later labels off a part of the picture.
    pub(super) fn keep_off(&mut self, area: Rectangle) {
        if self.taken.len() == REMEMBERED {
            self.taken.pop_front();
        }
        self.taken.push_back(area);
    }

    /// Writes `text` at the first free place: above `named`, below it, right of it or left of it, then
    /// farther away. A text for a place that is not in the picture is left out.
    pub(super) fn write(
        &mut self,
        canvas: &mut Canvas<'_>,
        text: &str,
        named: Rectangle,
        ink: Ink,
    ) {
        if !canvas.is_seen(named) {
            return;
        }
        let font = if canvas.scale < 4 { &FONT_6X10 } else { &FONT_9X15 };
        let text = shortened(text);
        let size = backing_size(font, &text);
        let places = |distance| places(canvas.size(), named, size, distance);
        let is_free = |place: &Rectangle| {
            self.taken.iter().all(|other| other.intersection(place).is_zero_sized())
        };
        let mut near_and_far = DISTANCES.into_iter().flat_map(places);
        let place = near_and_far.find(is_free).unwrap_or(places(DISTANCES[0])[0]);
        canvas.fill_seen(place, BACKING, BACKING);
        let corner = place.top_left + Point::new(PADDING, PADDING);
        let style = MonoTextStyle::new(font, ink);
        canvas.draw(&Text::with_baseline(&text, corner, style, Baseline::Top));
        self.keep_off(place);
    }
}

/// The places for a label at a distance, the best first, each moved into a picture of size `bounds`.
fn places(bounds: UVec2, named: Rectangle, size: Size, distance: i32) -> [Rectangle; 4] {
    let (width, height) = (size.width as i32, size.height as i32);
    let end = named.top_left + named.size;
    let centre = named.center();
    let (middle_x, middle_y) = (centre.x - width / 2, centre.y - height / 2);
    let last = Point::new(bounds.x as i32 - width, bounds.y as i32 - height);
    [
        Point::new(middle_x, named.top_left.y - distance - height),
        Point::new(middle_x, end.y + distance),
        Point::new(end.x + distance, middle_y),
        Point::new(named.top_left.x - distance - width, middle_y),
    ]
    .map(|at| {
        let inside = at.component_min(last).component_max(Point::zero());
        Rectangle::new(inside, size)
    })
}

/// One line of characters that the fonts have: the visible ones of Latin-1, `?` for others.
fn shortened(text: &str) -> String {
    let text = printable(text).to_string();
    let mut short: String = text.chars().take(MAX_LETTERS).collect();
    if short.len() < text.len() {
        short.push_str("..");
    }
    short
}

fn backing_size(font: &MonoFont<'_>, text: &str) -> Size {
    let letters = text.chars().count() as u32;
    let advance = font.character_size.width + font.character_spacing;
    let padding = Size::new_equal(2 * PADDING as u32);
    Size::new(letters * advance, font.character_size.height) + padding
}
