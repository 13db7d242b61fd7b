//! Short texts on a dark backing. Labels hide neither each other nor the small boxes that they name. They are
//! collected, then placed together, then written.

use std::collections::HashMap;
use std::ops::Range;

use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_graphics::prelude::{DrawTarget, Drawable, OriginDimensions, Pixel, Size};
use embedded_graphics::text::{Baseline, Text};
use glam::{I64Vec2, UVec2};
use image::{Rgba, RgbaImage};

use super::super::picture::{DARK, Rect, fill, over, with_alpha};
use super::Canvas;
use crate::terrain::Terrain;
use crate::text::printable;

/// The space around the letters of a label, in pixels.
const PADDING: i64 = 2;

/// The gaps between a label and the box that it names, in pixels, in the order in which they are tried.
const DISTANCES: [i64; 4] = [2, 14, 26, 38];

/// The largest number of characters of a name in a picture. Longer names are cut; `bitwall info` prints them
/// in full.
pub(super) const MAX_NAME: usize = 28;

pub(super) const MAX_TEXT: usize = 60;

/// The side above which a box is large, in pixels. If both sides of a box are large, labels may cover it.
const LARGE: i64 = 64;

/// The largest numbers of labels that are placed, and of boxes that they avoid. A picture has no room for
/// more, and each label is compared with all others.
const MOST: usize = 1024;

/// A text whose position is not chosen yet, and the box that it names.
#[derive(Clone, Debug)]
struct Label {
    text: String,
    named: Rect,
    ink: Rgba<u8>,
    wish: Wish,
}

/// The position that is tried first for a label. The named box is the box that the label names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wish {
    /// The label is beside the named box.
    Beside,
    /// The label is in the middle of the named box.
    On,
    /// The label is in the top-left corner of the named box.
    Within,
}

/// The texts to place, and the boxes that they avoid.
#[derive(Clone, Debug, Default)]
pub(super) struct Labels {
    queue: Vec<Label>,
    kept: Vec<Rect>,
}

impl Labels {
    pub(super) fn keep_off(&mut self, area: Rect) {
        self.kept.push(area);
    }

    /// Adds a text at the position `wish`. If this position is taken, the text is near the box `named`.
    /// Earlier texts are placed first.
    pub(super) fn add(&mut self, text: &str, named: Rect, ink: Rgba<u8>, wish: Wish) {
        self.queue.push(Label { text: shortened(text, MAX_TEXT), named, ink, wish });
    }

    /// Writes the labels on a picture of the region `frame`, which may be reduced. Returns the number of
    /// labels without room.
    pub(super) fn write(
        mut self,
        picture: &mut RgbaImage,
        frame: Rect,
        font: &MonoFont<'_>,
    ) -> usize {
        let size = UVec2::from(picture.dimensions());
        for label in &mut self.queue {
            label.named = shown(label.named, frame, size);
        }
        for area in &mut self.kept {
            *area = shown(*area, frame, size);
        }
        let within = Rect::new(I64Vec2::ZERO, size.as_i64vec2());
        let (placed, left_out) = self.placed(within, font);
        for (label, backing) in placed {
            fill(picture, backing, with_alpha(DARK, 210));
            write(picture, &label.text, backing.min + PADDING, font, label.ink);
        }
        left_out
    }

    /// Chooses a position for each label that names a box in `within`. Returns the placed labels with
    /// their backings, and the number of labels without room. Labels of one text become one label with
    /// their number, at the first box. The first free position is taken: the label's [`Wish`], then the
    /// four sides of its box, from near to far.
    fn placed(self, within: Rect, font: &MonoFont<'_>) -> (Vec<(Label, Rect)>, usize) {
        let is_seen = |area: &Rect| !area.intersection(within).is_empty();
        let small = self.kept.into_iter().filter(|area| area.size().min_element() <= LARGE);
        let mut taken: Vec<Rect> = small.filter(is_seen).take(MOST).collect();
        let mut labels: Vec<(Label, u64)> = Vec::new();
        let mut by_text = HashMap::new();
        for label in self.queue.into_iter().filter(|label| is_seen(&label.named)) {
            let index = *by_text.entry(label.text.clone()).or_insert(labels.len());
            match labels.get_mut(index) {
                Some((_, count)) => *count += 1,
                None => labels.push((label, 1)),
            }
        }
        let count = labels.len();
        let mut placed = Vec::new();
        for (mut label, count) in labels.into_iter().take(MOST) {
            if count > 1 {
                label.text += &format!(" x {count}");
            }
            let size = text_size(font, &label.text) + 2 * PADDING;
            let free = places(label.named, size, label.wish)
                .map(|at| Rect::new(at.min(within.max - size).max(within.min), size))
                .find(|place| {
                    place.intersection(within) == *place
                        && taken.iter().all(|other| other.intersection(*place).is_empty())
                });
            if let Some(backing) = free {
                taken.push(backing);
                placed.push((label, backing));
            }
        }
        let left_out = count - placed.len();
        (placed, left_out)
    }
}

/// Boxes beyond this distance from the frame are cut, so that their products with a size do not overflow.
const FARTHEST: I64Vec2 = I64Vec2::splat(1 << 32);

/// The place of `area` in a picture of `size` pixels that shows the region `frame`.
fn shown(area: Rect, frame: Rect, size: UVec2) -> Rect {
    let [min, end] = [area.min, area.max].map(|at| {
        (at - frame.min).clamp(-FARTHEST, FARTHEST) * size.as_i64vec2()
            / frame.size().max(I64Vec2::ONE)
    });
    Rect { min, max: end.max(min + 1) }
}

/// The positions of a label of `size` pixels that names a box, in the order in which they are tried.
fn places(named: Rect, size: I64Vec2, wish: Wish) -> impl Iterator<Item = I64Vec2> {
    let middle = named.center() - size / 2;
    let first = match wish {
        Wish::Beside => None,
        Wish::On => Some(middle),
        Wish::Within => Some(named.min),
    };
    let beside = DISTANCES.into_iter().flat_map(move |distance| {
        let around = named.grown(distance);
        [
            I64Vec2::new(middle.x, around.min.y - size.y),
            I64Vec2::new(middle.x, around.max.y),
            I64Vec2::new(around.max.x, middle.y),
            I64Vec2::new(around.min.x - size.x, middle.y),
        ]
    });
    first.into_iter().chain(beside)
}

/// Returns the text on one line, cut after `most` characters. A character without a glyph in the fonts
/// (visible Latin-1) becomes `?`.
pub(super) fn shortened(text: &str, most: usize) -> String {
    let text = printable(text).to_string();
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push_str("..");
    }
    short
}

/// The width and height of a text in pixels.
pub(super) fn text_size(font: &MonoFont<'_>, text: &str) -> I64Vec2 {
    let letter = font.character_size;
    let advance = i64::from(letter.width + font.character_spacing);
    I64Vec2::new(text.chars().count() as i64 * advance, letter.height.into())
}

/// Writes a text with its top-left corner at `at`.
pub(super) fn write(
    picture: &mut RgbaImage,
    text: &str,
    at: I64Vec2,
    font: &MonoFont<'_>,
    ink: Rgba<u8>,
) {
    let at = at.as_ivec2();
    let at = embedded_graphics::prelude::Point::new(at.x, at.y);
    let style = MonoTextStyle::new(font, BinaryColor::On);
    let text = Text::with_baseline(text, at, style, Baseline::Top);
    let Ok(_) = text.draw(&mut InOneInk { picture, ink });
}

/// A picture on which embedded-graphics draws in one colour.
struct InOneInk<'p> {
    picture: &'p mut RgbaImage,
    ink: Rgba<u8>,
}

impl OriginDimensions for InOneInk<'_> {
    fn size(&self) -> Size {
        Size::new(self.picture.width(), self.picture.height())
    }
}

impl DrawTarget for InOneInk<'_> {
    type Color = BinaryColor;
    type Error = std::convert::Infallible;

    fn draw_iter<I>(&mut self, pixels: I) -> Result<(), Self::Error>
    where
        I: IntoIterator<Item = Pixel<BinaryColor>>,
    {
        for Pixel(at, _) in pixels {
            if let (Ok(x), Ok(y)) = (u32::try_from(at.x), u32::try_from(at.y))
                && let Some(pixel) = self.picture.get_pixel_mut_checked(x, y)
            {
                over(pixel, self.ink);
            }
        }
        Ok(())
    }
}

/// The position for the name of an area: the middle of a longest run of its cells in the picture. `None` if
/// the picture shows none.
pub(super) fn area_name_place(canvas: &Canvas<'_>, area: &Terrain) -> Option<Rect> {
    let (columns, rows) = canvas.cells_in(area, canvas.frame);
    let runs: Vec<(u32, Range<u32>)> = area.grid().runs_in(columns, rows).collect();
    let longest = runs.iter().map(|(_, run)| run.len()).max()?;
    let longest: Vec<_> = runs.iter().filter(|(_, run)| run.len() == longest).collect();
    let (row, run) = longest[longest.len() / 2];
    let cell = UVec2::new(run.start + (run.end - run.start) / 2, *row).as_ivec2();
    canvas.place(area.cell_box(cell)).map(|place| canvas.seen(place))
}

#[cfg(test)]
mod tests {
    use super::super::super::picture::WHITE;
    use super::*;
    use embedded_graphics::mono_font::iso_8859_1::FONT_6X10;

    #[test]
    fn crowded_labels_do_not_overlap_and_labels_without_room_are_counted() {
        let within = Rect::new(I64Vec2::new(-30, 7), I64Vec2::new(400, 300));
        let mut random = fastrand::Rng::with_seed(3);
        let mut labels = Labels::default();
        let count = 400;
        for number in 0..count {
            let at = I64Vec2::new(random.i64(100..200), random.i64(100..200));
            let place = Rect::new(at, I64Vec2::splat(8));
            labels.keep_off(place);
            labels.add(&format!("name {number}"), place, WHITE, Wish::Beside);
        }
        let (placed, left_out) = labels.placed(within, &FONT_6X10);
        assert_eq!(placed.len() + left_out, count);
        assert!(placed.len() >= 20 && left_out > 40, "{}", placed.len());
        for (index, (_, backing)) in placed.iter().enumerate() {
            assert_eq!(backing.intersection(within), *backing);
            for (_, other) in &placed[..index] {
                assert!(backing.intersection(*other).is_empty());
            }
        }
    }

    #[test]
    fn labels_of_65536_large_boxes_are_placed_within_5_seconds() {
        let within = Rect::new(I64Vec2::ZERO, I64Vec2::splat(8192));
        let mut labels = Labels::default();
        for number in 0..65_536 {
            let place = Rect::new(I64Vec2::new(number % 64, 0), I64Vec2::splat(8100));
            labels.keep_off(place);
            labels.add(&format!("crowd {number}"), place, WHITE, Wish::Beside);
        }
        let start = std::time::Instant::now();
        let (placed, left_out) = labels.placed(within, &FONT_6X10);
        assert_eq!(placed.len() + left_out, 65_536);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }

    #[test]
    fn labels_of_one_text_become_one_label_with_their_number() {
        let within = Rect::new(I64Vec2::ZERO, I64Vec2::splat(300));
        let mut labels = Labels::default();
        for (x, name) in [(10, "coin"), (90, "goal"), (150, "coin"), (999, "coin"), (200, "coin")] {
            let place = Rect::new(I64Vec2::new(x, 50), I64Vec2::splat(8));
            labels.add(name, place, WHITE, Wish::Beside);
        }
        let (placed, left_out) = labels.placed(within, &FONT_6X10);
        let texts: Vec<&str> = placed.iter().map(|(label, _)| &*label.text).collect();
        assert_eq!((texts, left_out), (vec!["coin x 3", "goal"], 0));
        assert!(placed[0].1.min.x < 20, "it is at the first box");
    }
}
