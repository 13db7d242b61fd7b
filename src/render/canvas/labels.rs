//! Short texts on a dark backing. Labels hide neither each other nor the boxes that they name. They are
//! collected, then placed together, then written.

use embedded_graphics::geometry::{Point, Size};
use embedded_graphics::mono_font::{MonoFont, MonoTextStyle};
use embedded_graphics::prelude::Primitive;
use embedded_graphics::primitives::{Line, PrimitiveStyle, Rectangle};
use embedded_graphics::text::{Baseline, Text};
use glam::{DVec2, UVec2};

use super::super::picture::{Ink, Paint};
use super::Canvas;
use crate::geometry::saturated;
use crate::terrain::Terrain;
use crate::text::printable;

const PADDING: i32 = 2;

/// The gaps between a label and the box that it names, in pixels, in the order in which they are tried. From
/// the fifth gap on, a line joins the label to the box.
const DISTANCES: [i32; 10] = [2, 14, 26, 38, 56, 80, 110, 146, 190, 240];
const NEAR: usize = 4;

/// The largest number of characters of a name in a picture. Longer names are cut; `bitwall info` prints them
/// in full.
pub(crate) const MAX_NAME: usize = 28;

const MAX_TEXT: usize = 60;

/// The largest number of large boxes (see [`LARGE`]) that labels avoid. More boxes would leave no free space;
/// 65,536 boxes took seconds.
const MOST_LARGE: usize = 1024;

/// The side above which a box is large, in pixels. If both sides of a box are large, labels avoid only its
/// border.
const LARGE: u32 = 64;

/// The side in pixels of the squares into which the picture is divided. Each square is either free or taken
/// by a label or box.
const SQUARE: i32 = 4;

/// A text whose position is not chosen yet, and the box that it names.
#[derive(Clone, Debug)]
struct Label {
    text: String,
    named: Rectangle,
    ink: Ink,
    wish: Wish,
}

/// The position that is tried first for a label. The named box is the box that the label names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// The label is beside the named box.
    Beside,
    /// The label is in the middle of the named box.
    On,
    /// The label is inside the named box: in a corner, or in the middle of the top or bottom.
    Within,
}

/// A text at its position.
#[derive(Clone, Debug)]
pub(crate) struct PlacedLabel {
    pub(crate) text: String,
    backing: Rectangle,
    pub(crate) ink: Ink,
    /// The ends of the line from the label to the named box; `None` for a label close to the box.
    leader: Option<[Point; 2]>,
}

/// The texts to place, and the boxes that they avoid.
#[derive(Clone, Debug, Default)]
pub(crate) struct Labels {
    queue: Vec<Label>,
    kept: Vec<Rectangle>,
}

impl Labels {
    pub(crate) fn keep_off(&mut self, area: Rectangle) {
        self.kept.push(area);
    }

    /// Adds a text near the box `named`. Earlier texts are placed first.
    pub(crate) fn near(&mut self, text: &str, named: Rectangle, ink: Ink) {
        self.add(text, named, ink, Wish::Beside);
    }

    /// Adds a text at the position `wish`. If this position is taken, the text is near the box `named`.
    pub(crate) fn add(&mut self, text: &str, named: Rectangle, ink: Ink, wish: Wish) {
        self.queue.push(Label { text: shortened(text, MAX_TEXT), named, ink, wish });
    }

    /// Scales the labels for a picture that is reduced from the size `from` to the size `to`.
    pub(crate) fn reduced(mut self, from: UVec2, to: UVec2) -> Self {
        let scaled = |at: i32, from: u32, to: u32| {
            (i64::from(at) * i64::from(to) / i64::from(from.max(1))) as i32
        };
        let point = |at: Point| Point::new(scaled(at.x, from.x, to.x), scaled(at.y, from.y, to.y));
        let area = |area: &mut Rectangle| {
            let (first, end) = (point(area.top_left), point(area.top_left + area.size));
            let size = (end - first).component_max(Point::new(1, 1));
            *area = Rectangle::new(first, Size::new(size.x as u32, size.y as u32));
        };
        self.queue.iter_mut().for_each(|label| area(&mut label.named));
        self.kept.iter_mut().for_each(area);
        self
    }

    /// Chooses a position for each label that names a box in `within`. Returns the placed labels, and the
    /// number of labels without room. The first free position is taken: first the label's [`Wish`], then the
    /// eight positions around its box, from near to far. O(n * p / 256) for n labels and avoided boxes of p
    /// pixels.
    pub(crate) fn placed(
        self,
        within: Rectangle,
        font: &MonoFont<'_>,
    ) -> (Vec<PlacedLabel>, usize) {
        let mut taken = Taken::new(within);
        let mut large = 0;
        for area in self.kept {
            if area.size.width.min(area.size.height) <= LARGE {
                taken.take(area);
            } else if large < MOST_LARGE {
                large += 1;
                taken.take_border(area);
            }
        }
        let (mut placed, mut left_out) = (Vec::new(), 0);
        let mut places = Vec::new();
        for label in self.queue {
            if label.named.intersection(&within).is_zero_sized() {
                continue;
            }
            let letters = Size::new(text_width(font, &label.text), font.character_size.height);
            let size = letters + Size::new_equal(2 * PADDING as u32);
            places.clear();
            match label.wish {
                Wish::Beside => {}
                Wish::On => places.push(moved(within, label.named.center() - size / 2, size)),
                Wish::Within => places.extend(corners(label.named, size)),
            }
            let near_end = places.len() + 8 * NEAR;
            for distance in DISTANCES {
                places.extend(places_at(within, label.named, size, distance));
            }
            let is_free =
                |place: &Rectangle| place.intersection(&within) == *place && taken.is_free(*place);
            let Some(chosen) = places.iter().position(is_free) else {
                left_out += 1;
                continue;
            };
            let backing = places[chosen];
            taken.take(backing);
            let leader = (chosen >= near_end)
                .then(|| [backing.center(), nearest(label.named, backing.center())]);
            placed.push(PlacedLabel { text: label.text, backing, ink: label.ink, leader });
        }
        (placed, left_out)
    }
}

/// The eight positions of a label at `distance` from the box `named`, in the order in which they are tried. A
/// position outside `within` is moved inside.
fn places_at(within: Rectangle, named: Rectangle, size: Size, distance: i32) -> [Rectangle; 8] {
    let (width, height) = (size.width as i32, size.height as i32);
    let (first, end) = (named.top_left, named.top_left + named.size);
    let middle = named.center() - size / 2;
    let (left, right) = (first.x - distance - width, end.x + distance);
    let (above, below) = (first.y - distance - height, end.y + distance);
    [
        Point::new(middle.x, above),
        Point::new(middle.x, below),
        Point::new(right, middle.y),
        Point::new(left, middle.y),
        Point::new(right, above),
        Point::new(right, below),
        Point::new(left, above),
        Point::new(left, below),
    ]
    .map(|at| moved(within, at, size))
}

/// The positions of a label inside a box: in its corners, and in the middle of its top and bottom.
fn corners(area: Rectangle, size: Size) -> [Rectangle; 6] {
    let (first, last) = (area.top_left, area.top_left + area.size - size);
    let middle = area.center().x - size.width as i32 / 2;
    [
        (first.x, first),
        (last.x, first),
        (middle, first),
        (first.x, last),
        (last.x, last),
        (middle, last),
    ]
    .map(|(x, row)| Rectangle::new(Point::new(x, row.y), size))
}

/// The point of `area` nearest to the point `to`. For an area with sides under 16 pixels, its middle.
fn nearest(area: Rectangle, to: Point) -> Point {
    if area.size.width.max(area.size.height) < 16 {
        return area.center();
    }
    let last = area.top_left + area.size - Point::new(1, 1);
    to.component_min(last).component_max(area.top_left)
}

/// A box of `size` with its top-left corner at `at`. If the box is not inside `within`, it is moved inside.
fn moved(within: Rectangle, at: Point, size: Size) -> Rectangle {
    let last = within.top_left + within.size - size;
    Rectangle::new(at.component_min(last).component_max(within.top_left), size)
}

/// The squares of the picture that are taken by labels and boxes, as bits. A comparison of each label with
/// all others would take minutes for tens of thousands of labels.
struct Taken {
    within: Rectangle,
    words: usize,
    bits: Vec<u64>,
}

impl Taken {
    fn new(within: Rectangle) -> Self {
        let columns = within.size.width as usize / SQUARE as usize + 1;
        let rows = within.size.height as usize / SQUARE as usize + 1;
        let words = columns.div_ceil(64);
        Self { within, words, bits: vec![0; words * rows] }
    }

    /// The squares that overlap the box `area`, as pairs: the index of a word in `bits`, and the bits of
    /// these squares in that word.
    fn squares(&self, area: Rectangle) -> impl Iterator<Item = (usize, u64)> + use<> {
        let area = area.intersection(&self.within);
        let corner = area.top_left - self.within.top_left;
        let end = corner + area.size;
        let words = self.words;
        let square = |at: i32| (at.max(0) / SQUARE) as usize;
        let is_empty = area.is_zero_sized();
        let rows = if is_empty { 0..0 } else { square(corner.y)..square(end.y - 1) + 1 };
        let (left, right) = (square(corner.x), square(end.x - 1));
        rows.flat_map(move |row| {
            (left / 64..=right / 64).map(move |word| {
                let from = if word == left / 64 { u64::MAX << (left % 64) } else { u64::MAX };
                let to = if word == right / 64 { u64::MAX >> (63 - right % 64) } else { u64::MAX };
                (row * words + word, from & to)
            })
        })
    }

    fn is_free(&self, area: Rectangle) -> bool {
        self.squares(area).all(|(word, bits)| self.bits[word] & bits == 0)
    }

    fn take(&mut self, area: Rectangle) {
        for (word, bits) in self.squares(area) {
            self.bits[word] |= bits;
        }
    }

    fn take_border(&mut self, area: Rectangle) {
        let (width, height) = (area.size.width, area.size.height);
        let far = Point::new(width as i32 - SQUARE, height as i32 - SQUARE);
        let (wide, high) = (Size::new(width, SQUARE as u32), Size::new(SQUARE as u32, height));
        self.take(Rectangle::new(area.top_left, wide));
        self.take(Rectangle::new(area.top_left, high));
        self.take(Rectangle::new(area.top_left + Point::new(0, far.y), wide));
        self.take(Rectangle::new(area.top_left + Point::new(far.x, 0), high));
    }
}

/// Returns the text on one line, cut after `most` characters. A character without a glyph in the fonts
/// (visible Latin-1) becomes `?`.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    let text = printable(text).to_string();
    let mut short: String = text.chars().take(most).collect();
    if short.len() < text.len() {
        short.push_str("..");
    }
    short
}

pub(super) fn text_width(font: &MonoFont<'_>, text: &str) -> u32 {
    let advance = font.character_size.width + font.character_spacing;
    text.chars().count() as u32 * advance
}

const BACKING: Ink = Ink::DARK.with_alpha(210);

/// Writes labels at their positions. The lines from labels to boxes come first, so that no line hides a
/// label.
pub(super) fn write_labels(paint: &mut Paint<'_>, labels: &[PlacedLabel], font: &MonoFont<'_>) {
    for [from, to] in labels.iter().filter_map(|label| label.leader) {
        for (ink, width) in [(Ink::DARK.with_alpha(160), 3), (Ink::WHITE, 1)] {
            paint.draw(&Line::new(from, to).into_styled(PrimitiveStyle::with_stroke(ink, width)));
        }
    }
    for label in labels {
        paint.fill(label.backing, BACKING);
        let corner = label.backing.top_left + Point::new(PADDING, PADDING);
        let style = MonoTextStyle::new(font, label.ink);
        paint.draw(&Text::with_baseline(&label.text, corner, style, Baseline::Top));
    }
}

/// The largest number of blocks along a side of the picture. To find a position for an area's name, the
/// picture is divided into square blocks.
const MOST_BLOCKS: u32 = 192;

/// The smallest side of a block, in pixels of the picture.
const SMALLEST_BLOCK: u32 = 8;

const SAMPLES: u32 = 3;

/// The position for the name of an area: a block in the middle of the largest connected set of blocks that
/// show the area. A few pixels of each block are sampled. If no sample is in the area, one of its cells in or
/// near the picture is used; `None` if none is found. O(1) for a given size of the picture.
pub(crate) fn area_name_place(canvas: &Canvas<'_>, area: &Terrain) -> Option<Rectangle> {
    let frame = canvas.size();
    let side = (frame.x.max(frame.y).div_ceil(MOST_BLOCKS)).max(SMALLEST_BLOCK);
    let (columns, rows) = (frame.x.div_ceil(side) as usize, frame.y.div_ceil(side) as usize);
    let mut weights = vec![0_u32; columns * rows];
    for (index, weight) in weights.iter_mut().enumerate() {
        let (column, row) = ((index % columns) as u32, (index / columns) as u32);
        for sample in 0..SAMPLES * SAMPLES {
            let inside = |block: u32, place: u32, end: u32| {
                (block * side + (2 * place + 1) * side / (2 * SAMPLES)).min(end - 1)
            };
            let x = inside(column, sample % SAMPLES, frame.x);
            let y = inside(row, sample / SAMPLES, frame.y);
            let at = canvas.level_at(DVec2::new(f64::from(x) + 0.5, f64::from(y) + 0.5)).floor();
            let pixel = glam::IVec2::new(saturated(at.x as i64), saturated(at.y as i64));
            *weight += u32::from(area.is_solid(pixel));
        }
    }
    if let Some(block) = middle_of_largest(&weights, columns) {
        let corner = Point::new((block % columns) as i32, (block / columns) as i32) * side as i32;
        return Some(Rectangle::new(corner, Size::new_equal(side)));
    }
    let cells = area.grid().iter_solid().take((MOST_BLOCKS * MOST_BLOCKS) as usize);
    let mut places = cells.filter_map(|cell| canvas.place(area.cell_area(cell.as_ivec2())));
    places.next().map(|place| canvas.seen(place))
}

/// The index of the block nearest to the middle of the connected set of blocks with the largest sum of
/// weights. `None` if all weights are 0. `weights` has rows of `columns` blocks.
fn middle_of_largest(weights: &[u32], columns: usize) -> Option<usize> {
    let mut seen = vec![false; weights.len()];
    let mut largest: (u32, Vec<usize>) = (0, Vec::new());
    for start in 0..weights.len() {
        if weights[start] == 0 || seen[start] {
            continue;
        }
        let (mut part, mut weight, mut next) = (vec![start], 0, 0);
        seen[start] = true;
        while let Some(block) = part.get(next).copied() {
            next += 1;
            weight += weights[block];
            let column = block % columns;
            let beside = [
                (column > 0).then(|| block - 1),
                (column + 1 < columns).then(|| block + 1),
                block.checked_sub(columns),
                Some(block + columns).filter(|below| *below < weights.len()),
            ];
            for other in beside.into_iter().flatten() {
                if weights[other] > 0 && !seen[other] {
                    seen[other] = true;
                    part.push(other);
                }
            }
        }
        if weight > largest.0 {
            largest = (weight, part);
        }
    }
    let (_, part) = largest;
    let count = part.len().max(1);
    let middle_x = part.iter().map(|block| block % columns).sum::<usize>() / count;
    let middle_y = part.iter().map(|block| block / columns).sum::<usize>() / count;
    let distance = |block: usize| {
        let (x, y) = (block % columns, block / columns);
        x.abs_diff(middle_x).pow(2) + y.abs_diff(middle_y).pow(2)
    };
    part.into_iter().min_by_key(|block| distance(*block))
}

#[cfg(test)]
mod tests {
    use super::*;
    use embedded_graphics::mono_font::iso_8859_1::FONT_6X10;

    #[test]
    fn crowded_labels_do_not_overlap_and_labels_without_room_are_counted() {
        let within = Rectangle::new(Point::new(-30, 7), Size::new(400, 300));
        let mut random = fastrand::Rng::with_seed(3);
        let mut labels = Labels::default();
        let count = 400;
        for number in 0..count {
            let at = Point::new(random.i32(100..200), random.i32(100..200));
            let place = Rectangle::new(at, Size::new_equal(8));
            labels.keep_off(place);
            labels.near(&format!("name {number}"), place, Ink::WHITE);
        }
        let (placed, left_out) = labels.placed(within, &FONT_6X10);
        assert_eq!(placed.len() + left_out, count);
        assert!(placed.len() > 40 && left_out > 40, "{}", placed.len());
        for (index, label) in placed.iter().enumerate() {
            assert_eq!(label.backing.intersection(&within), label.backing);
            for other in &placed[..index] {
                assert!(label.backing.intersection(&other.backing).is_zero_sized());
            }
        }
        assert!(placed.iter().any(|label| label.leader.is_some()));
    }

    #[test]
    fn labels_of_65536_large_boxes_are_placed_within_5_seconds() {
        let within = Rectangle::new(Point::zero(), Size::new_equal(8192));
        let mut labels = Labels::default();
        for number in 0..65_536 {
            let place = Rectangle::new(Point::new(number % 64, 0), Size::new_equal(8100));
            labels.keep_off(place);
            labels.near("crowd", place, Ink::WHITE);
        }
        let start = std::time::Instant::now();
        let (placed, left_out) = labels.placed(within, &FONT_6X10);
        assert_eq!(placed.len() + left_out, 65_536);
        assert!(start.elapsed().as_secs() < 5, "{:?}", start.elapsed());
    }

    #[test]
    fn an_area_name_is_placed_inside_the_largest_part_of_the_area() {
        let ring = [1, 1, 1, 1, 0, 1, 1, 1, 1];
        assert_eq!(middle_of_largest(&ring, 3), Some(1));
        let parts = [9, 0, 1, 1, 0, 0, 0, 9, 9];
        assert_eq!(middle_of_largest(&parts, 3), Some(7));
        assert_eq!(middle_of_largest(&[0; 9], 3), None);
    }
}
