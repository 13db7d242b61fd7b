//! The broad phase: finds the boxes that overlap an area. [`Table`] is a hash table of boxes, filled by a
//! counting sort: the grid cell of a box's top-left corner selects its bucket. [`Near`] is the index of a
//! world's bodies, and is kept from step to step. Its table has an enlarged box for each body, which contains
//! the body, its path in a step, and a margin. [`Pairs`] finds the boxes in a list that overlap each other.

use std::ops::Range;

use glam::{I64Vec2, IVec2};

use super::body::{Ball, Body};
use super::{Bodies, Known};
use crate::geometry::{Aabb, SUBPIXELS};

/// The distance in pixels by which the enlarged box of a body in a [`Near`] extends beyond the body's path. A
/// body that stays in its enlarged box needs no new entry in the hash table.
const MARGIN: i32 = 4;

/// The value in [`Near::places`] for a slot whose body is not in [`Near::table`].
const NO_ITEM: u32 = u32::MAX;

/// The index of a world's bodies by position.
#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// The data of the body in each slot.
    pub(super) known: Vec<Known>,
    /// The enlarged box of the body in each slot, with its path and a margin; empty if the body is not in
    /// [`Self::table`].
    wide: Vec<Aabb>,
    table: Table,
    /// The index of each slot among the items of [`Self::table`], or [`NO_ITEM`].
    places: Vec<u32>,
    /// The strays: the slots of bodies that have left their enlarged boxes, sorted. Every query visits all
    /// strays.
    strays: Vec<u32>,
    /// The slots of bodies that other bodies moved in this step. A slot may occur more than once.
    carried: Vec<u32>,
}

impl Near {
    /// True if [`Self::table`] should be rebuilt before the bodies in `lists` move. A list has the slots of
    /// bodies. Every query visits each body that has left its enlarged box or leaves it on its path, so many
    /// such bodies make a step slow.
    pub(super) fn is_worn(&self, bodies: &Bodies, lists: &[&Vec<u32>]) -> bool {
        let moving = lists.iter().map(|list| list.len()).sum();
        let Some(most) = self.known.len().checked_div(moving) else { return false };
        let may_stray = lists.iter().copied().flatten().filter(|slot| {
            let path = bodies.at(**slot).map_or_else(Aabb::default, reach);
            !self.is_within(**slot, widened(path, 2))
        });
        // At most `most` + 1 bodies are counted, because the exact number of more bodies is not needed.
        self.strays.len() + may_stray.take(most + 1).count() > most
    }

    /// True if `aabb` is empty or inside the enlarged box (with its path and a margin) of the body in the
    /// slot.
    fn is_within(&self, slot: u32, aabb: Aabb) -> bool {
        let wide = self.wide[slot as usize];
        aabb.is_empty() || !wide.is_empty() && wide.intersection(aabb) == aabb
    }

    /// Rebuilds [`Self::table`] with an enlarged box around the path of each body in this step. Bodies with
    /// an empty box are left out. O(n) for n slots.
    pub(super) fn build(&mut self, bodies: &Bodies) {
        let Self { known, wide, table, places, .. } = self;
        wide.clear();
        wide.resize(known.len(), Aabb::default());
        for (slot, body) in bodies.iter() {
            if !body.aabb.is_empty() {
                wide[slot as usize] = widened(reach(body), MARGIN);
            }
        }
        self.strays.clear();
        // No box in the buckets is longer than 2^30 pixels, so no difference of coordinates overflows.
        let shift = shift(wide).min(29);
        table.build(wide, shift, 2 << shift);
        for slot in &table.large {
            // Every query visits the large boxes, so their bodies never leave their enlarged boxes.
            wide[*slot as usize] = Aabb { min: IVec2::MIN, max: IVec2::MAX };
        }
        places.clear();
        places.resize(known.len(), NO_ITEM);
        for (item, slot) in table.items.iter().enumerate() {
            places[*slot as usize] = item as u32;
            table.boxes[item] = known[*slot as usize].aabb;
        }
    }

    /// Sets the data in this index for the body in `slot`, which is new or which the game has changed.
    pub(super) fn set(&mut self, slot: u32, known: Known) {
        let at = slot as usize;
        if at >= self.known.len() {
            self.known.resize(at + 1, Known::default());
            self.wide.resize(at + 1, Aabb::default());
            self.places.resize(at + 1, NO_ITEM);
        }
        self.known[at] = known;
        self.moved(slot, known.aabb);
    }

    /// Updates this index after the body in `slot` moved to `aabb`.
    pub(super) fn moved(&mut self, slot: u32, aabb: Aabb) {
        self.known[slot as usize].aabb = aabb;
        let is_within = self.is_within(slot, aabb);
        let place = &mut self.places[slot as usize];
        if let Some(covered) = self.table.boxes.get_mut(*place as usize) {
            *covered = if is_within && !aabb.is_empty() { aabb } else { NOWHERE };
        }
        if !is_within && let Err(at) = self.strays.binary_search(&slot) {
            *place = NO_ITEM;
            self.strays.insert(at, slot);
        }
    }

    /// Updates this index after another body moved the body in `slot` by `distance` to `aabb`.
    pub(super) fn carry(&mut self, slot: u32, aabb: Aabb, distance: IVec2) {
        self.moved(slot, aabb);
        let known = &mut self.known[slot as usize];
        known.carried = known.carried.saturating_add(distance);
        self.carried.push(slot);
    }

    /// Sets [`Known::carried`] to 0 for all bodies.
    pub(super) fn forget_carried(&mut self) {
        for slot in self.carried.drain(..) {
            self.known[slot as usize].carried = IVec2::ZERO;
        }
    }

    /// Calls `found` once with each body whose box overlaps `area`. O(1 + s) for a small area with few
    /// bodies, with s bodies outside of their enlarged boxes.
    pub(super) fn visit(&self, area: Aabb, found: &mut dyn FnMut(u32, &Known)) {
        self.visit_with(area, found);
    }

    /// Like [`Near::visit`], but compiled for each type of `found`, which is faster.
    #[inline(always)]
    pub(super) fn visit_with(&self, area: Aabb, mut found: impl FnMut(u32, &Known)) {
        if area.is_empty() {
            return;
        }
        for list in [&self.table.large, &self.strays] {
            for slot in list {
                let known = &self.known[*slot as usize];
                if known.aabb.overlaps(area) {
                    found(*slot, known);
                }
            }
        }
        self.table.visit(&self.wide, area, |slot| found(slot, &self.known[slot as usize]));
    }
}

/// The box around a body and its path in this step. At most 1,024 pixels of the path along each axis count.
fn reach(body: &Body) -> Aabb {
    if body.aabb.is_empty() {
        return body.aabb;
    }
    let limit = I64Vec2::splat(i64::from(Ball::MAX_SPEED));
    let displacement = (body.velocity / i64::from(SUBPIXELS)).clamp(-limit, limit);
    body.aabb.hull(body.aabb.translated(displacement.as_ivec2()))
}

/// `aabb`, extended by `margin` pixels on each side.
pub(super) fn widened(aabb: Aabb, margin: i32) -> Aabb {
    Aabb {
        min: aabb.min.saturating_sub(IVec2::splat(margin)),
        max: aabb.max.saturating_add(IVec2::splat(margin)),
    }
}

/// A box that never overlaps another box in [`meets`].
const NOWHERE: Aabb = Aabb { min: IVec2::MAX, max: IVec2::MIN };

/// A hash table of boxes by the grid cell of their top-left corner. A cell has 2^`shift` pixels on each side.
#[derive(Clone, Debug, Default)]
struct Table {
    shift: u32,
    /// The largest width and the largest height of all boxes in the buckets.
    largest: IVec2,
    /// For each bucket, the index in `items` of its first box; after the last bucket, the number of items.
    /// The number of buckets is a power of two.
    starts: Vec<u32>,
    /// The indices of the boxes, ordered by bucket: the index of a box is its position in the list from which
    /// the table was built.
    items: Vec<u32>,
    /// The current box of each item. It is [`NOWHERE`] if the box is empty, or no longer inside the box from
    /// the last build.
    boxes: Vec<Aabb>,
    /// The indices of the boxes that are too large for the buckets, in ascending order.
    large: Vec<u32>,
}

impl Table {
    /// Rebuilds this table from `boxes`, with cells of 2^`shift` pixels. Boxes wider or higher than `longest`
    /// pixels are listed in `large` instead, and empty boxes are left out. O(n) for n boxes.
    fn build(&mut self, boxes: &[Aabb], shift: u32, longest: u32) {
        let Self { largest, starts, items, large, .. } = self;
        self.shift = shift;
        *largest = IVec2::ONE;
        large.clear();
        let buckets = (boxes.len() * 2).next_power_of_two().max(16);
        starts.clear();
        starts.resize(buckets + 1, 0);
        for (number, aabb) in boxes.iter().enumerate().filter(|(_, aabb)| !aabb.is_empty()) {
            if is_longer(*aabb, longest) {
                large.push(number as u32);
            } else {
                *largest = largest.max(aabb.max - aabb.min);
                starts[bucket(aabb.min >> shift, buckets)] += 1;
            }
        }
        // Each number in `starts` is first the end of its bucket, and is counted down to the start while the
        // bucket is filled.
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        items.resize(end as usize, 0);
        self.boxes.resize(end as usize, NOWHERE);
        for (number, aabb) in boxes.iter().enumerate() {
            if !aabb.is_empty() && !is_longer(*aabb, longest) {
                let start = &mut starts[bucket(aabb.min >> shift, buckets)];
                *start -= 1;
                items[*start as usize] = number as u32;
                self.boxes[*start as usize] = *aabb;
            }
        }
    }

    /// Calls `found` once with the index of each box in the buckets of this table that overlaps `area`.
    /// `area` must not be empty, and this table must have been built from `boxes`. O(1) for a small area with
    /// few boxes.
    #[inline(always)]
    fn visit(&self, boxes: &[Aabb], area: Aabb, found: impl FnMut(u32)) {
        self.visit_from(area.min.saturating_sub(self.largest - 1), boxes, area, found);
    }

    /// Like [`Table::visit`], but leaves out boxes whose top-left corner is in a cell to the left of the cell
    /// of `first` or above it.
    #[inline(always)]
    fn visit_from(&self, first: IVec2, boxes: &[Aabb], area: Aabb, mut found: impl FnMut(u32)) {
        let buckets = self.starts.len().saturating_sub(1);
        let first = first >> self.shift;
        let last = (area.max - 1) >> self.shift;
        let span = last.as_i64vec2() - first.as_i64vec2() + I64Vec2::ONE;
        if span.x.saturating_mul(span.y) >= buckets as i64 {
            self.scan(0..self.items.len(), area, found);
            return;
        }
        for row in first.y..=last.y {
            let start = bucket(IVec2::new(first.x, row), buckets);
            let end = start + span.x as usize;
            self.scan_row(row, start..end.min(buckets), boxes, area, &mut found);
            if end > buckets {
                // The buckets of a row of cells are consecutive; after the last bucket comes the first.
                self.scan_row(row, 0..end - buckets, boxes, area, &mut found);
            }
        }
    }

    /// Calls `found` with the index of each box that overlaps `area`, among the boxes in `buckets`. Two rows
    /// of cells can share buckets, so a box counts only in the row of its top-left corner.
    #[inline(always)]
    fn scan_row(
        &self,
        row: i32,
        buckets: Range<usize>,
        boxes: &[Aabb],
        area: Aabb,
        found: &mut impl FnMut(u32),
    ) {
        let items = self.starts[buckets.start] as usize..self.starts[buckets.end] as usize;
        self.scan(items, area, |number| {
            if boxes[number as usize].min.y >> self.shift == row {
                found(number);
            }
        });
    }

    /// Calls `found` with the index of each box that overlaps `area`, among the items in the range `items` of
    /// [`Self::items`].
    #[inline(always)]
    fn scan(&self, mut items: Range<usize>, area: Aabb, mut found: impl FnMut(u32)) {
        while !items.is_empty() {
            let first = items.start;
            items.start = items.end.min(first + 64);
            // The loop has no branch, because a processor cannot predict which boxes overlap.
            let mut hits = 0_u64;
            for (at, aabb) in self.boxes[first..items.start].iter().enumerate() {
                hits |= u64::from(meets(*aabb, area)) << at;
            }
            while hits != 0 {
                found(self.items[first + hits.trailing_zeros() as usize]);
                hits &= hits - 1;
            }
        }
    }
}

/// True if the longer side of the box has more than `longest` pixels.
fn is_longer(aabb: Aabb, longest: u32) -> bool {
    aabb.width().max(aabb.height()) > longest
}

/// True if two boxes that are not empty overlap.
#[inline(always)]
fn meets(one: Aabb, other: Aabb) -> bool {
    (one.min.x < other.max.x)
        & (other.min.x < one.max.x)
        & (one.min.y < other.max.y)
        & (other.min.y < one.max.y)
}

/// The bucket of `cell`. The number of `buckets` must be a power of two. Neighbouring cells in a row have
/// neighbouring buckets.
fn bucket(cell: IVec2, buckets: usize) -> usize {
    let row = (cell.y as u32).wrapping_mul(0x9E37_79B1);
    (row.rotate_left(16).wrapping_add(cell.x as u32)) as usize & (buckets - 1)
}

/// The binary logarithm of a cell's side in pixels: at least 3 and at most 30. At least five in six of
/// `boxes` are shorter than such a cell.
fn shift(boxes: &[Aabb]) -> u32 {
    // The number of boxes for each bit length of the longer side.
    let mut sides = [0_usize; u32::BITS as usize + 1];
    for aabb in boxes.iter().filter(|aabb| !aabb.is_empty()) {
        let side = aabb.width().max(aabb.height());
        sides[(u32::BITS - side.leading_zeros()) as usize] += 1;
    }
    let mut longer = sides.iter().sum::<usize>() / 6;
    let mut bits = u32::BITS;
    while bits > 3 && sides[bits as usize] <= longer {
        longer -= sides[bits as usize];
        bits -= 1;
    }
    bits.min(30)
}

/// A search for pairs of overlapping boxes: the broad phase of a [`World`](super::World), for a game's own
/// boxes.
///
/// A `Pairs` keeps its memory, so repeated searches allocate nothing.
///
/// ```
/// use bitwall::{Aabb, world::Pairs};
///
/// let boxes = [0, 10, 15, 40].map(|x| Aabb::from_xywh(x, 0, 10, 10));
/// let mut pairs = Pairs::default();
/// assert_eq!(pairs.find(&boxes), [(1, 2)], "touching is not overlapping");
/// ```
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    table: Table,
    found: Vec<(u32, u32)>,
}

/// The largest number of boxes for which [`Pairs::find`] compares all pairs. With more boxes a [`Table`] is
/// faster.
const FEW: usize = 24;

/// The largest number of boxes in the shorter of two lists for which [`Pairs::find_between`] compares all
/// pairs. With more boxes a [`Table`] is faster.
const FEW_OF_TWO: usize = 4;

impl Pairs {
    /// Returns the pairs of boxes that overlap, as sorted pairs of their indices in `boxes`.
    ///
    /// Each pair occurs once, with the lower index first; no box is paired with itself. O(n log n + pairs)
    /// for n boxes of similar size. Up to one box in six may be much larger: each of these is compared with
    /// all other boxes. Boxes at the index 2^32 - 1 and above are ignored.
    pub fn find(&mut self, boxes: &[Aabb]) -> &[(u32, u32)] {
        let boxes = &boxes[..boxes.len().min(u32::MAX as usize)];
        let Self { table, found } = self;
        found.clear();
        if boxes.len() <= FEW {
            for (one, aabb) in boxes.iter().enumerate() {
                for (two, other) in boxes.iter().enumerate().skip(one + 1) {
                    if aabb.overlaps(*other) {
                        found.push((one as u32, two as u32));
                    }
                }
            }
            return found;
        }
        let shift = cell(boxes);
        table.build(boxes, shift, 2 << shift);
        for one in table.items.iter().copied() {
            let aabb = boxes[one as usize];
            let place = (aabb.min.y >> shift, one);
            // Of each pair, only the search for the box in the upper row of cells finds the other box.
            let first = IVec2::new(aabb.min.x.saturating_sub(table.largest.x - 1), aabb.min.y);
            table.visit_from(first, boxes, aabb, |two| {
                if place < (boxes[two as usize].min.y >> shift, two) {
                    found.push((one.min(two), one.max(two)));
                }
            });
        }
        for large in table.large.iter().copied() {
            for (number, aabb) in (0..).zip(boxes) {
                let comes_later = number > large || table.large.binary_search(&number).is_err();
                if number != large && comes_later && aabb.overlaps(boxes[large as usize]) {
                    found.push((number.min(large), number.max(large)));
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// Returns the pairs of a box in `ones` and an overlapping box in `others`, such as bullets and enemies,
    /// as sorted pairs of their indices. Each pair occurs once.
    ///
    /// Boxes of the same list are not compared.
    ///
    /// O(n + pairs log pairs) for n boxes in both lists together, if the boxes in each list have a similar
    /// size. Up to one box in six of a list may be much larger: each of these is compared with the whole
    /// other list. Boxes at the index 2^32 - 1 and above are ignored.
    ///
    /// ```
    /// use bitwall::{Aabb, world::Pairs};
    ///
    /// let bullets = [4, 5, 90].map(|x| Aabb::from_xywh(x, 6, 4, 4));
    /// let enemies = [0, 40].map(|x| Aabb::from_xywh(x, 0, 16, 16));
    /// let mut pairs = Pairs::default();
    /// let hits = pairs.find_between(&bullets, &enemies);
    /// assert_eq!(hits, [(0, 0), (1, 0)], "bullets do not hit each other");
    /// ```
    pub fn find_between(&mut self, ones: &[Aabb], others: &[Aabb]) -> &[(u32, u32)] {
        let most = u32::MAX as usize;
        let ones = &ones[..ones.len().min(most)];
        let others = &others[..others.len().min(most)];
        let Self { table, found } = self;
        found.clear();
        if ones.len().min(others.len()) <= FEW_OF_TWO {
            for (one, aabb) in (0..).zip(ones) {
                for (two, other) in (0..).zip(others) {
                    if aabb.overlaps(*other) {
                        found.push((one, two));
                    }
                }
            }
            return found;
        }
        let shift = cell(ones).max(cell(others));
        table.build(others, shift, 2 << shift);
        for (one, aabb) in (0..).zip(ones).filter(|(_, aabb)| !aabb.is_empty()) {
            table.visit(others, *aabb, |two| found.push((one, two)));
            for two in &table.large {
                if others[*two as usize].overlaps(*aabb) {
                    found.push((one, *two));
                }
            }
        }
        found.sort_unstable();
        found
    }
}

/// The binary logarithm of a cell's side in pixels in the [`Table`] of [`Pairs`]: 1 more than [`shift`], at
/// most 29. Boxes of up to two cells are put into buckets, so few boxes count as large. No box in the buckets
/// is longer than 2^30 pixels, so no difference of coordinates overflows.
fn cell(boxes: &[Aabb]) -> u32 {
    (shift(boxes) + 1).min(29)
}

#[cfg(test)]
mod tests {
    use glam::IVec2;

    use super::*;

    fn random_box(random: &mut fastrand::Rng, spread: i32) -> Aabb {
        let place = |random: &mut fastrand::Rng| random.i32(-spread..=spread);
        match random.u8(0..12) {
            0 => Aabb::default(),
            1 => Aabb { min: IVec2::splat(place(random)), max: IVec2::MAX },
            _ => {
                let (w, h) = (random.i32(0..90), random.i32(1..40));
                Aabb::from_xywh(place(random), place(random), w, h)
            }
        }
    }

    #[test]
    fn after_bodies_moved_a_query_finds_each_body_in_an_area_once() {
        let mut random = fastrand::Rng::with_seed(31);
        let mut most = 0;
        for _ in 0..200 {
            let spread = [60, 1_000, i32::MAX / 2][random.usize(0..3)];
            let mut near = Near::default();
            let mut boxes = Vec::new();
            for slot in 0..random.u32(1..150) {
                boxes.push(random_box(&mut random, spread));
                near.set(slot, Known { aabb: boxes[slot as usize], ..Known::default() });
            }
            for _ in 0..30 {
                let slot = random.usize(0..boxes.len());
                match random.u8(0..9) {
                    0 => {
                        let mut bodies = Bodies::default();
                        for aabb in &boxes {
                            bodies.add(Body::sensor(*aabb));
                        }
                        near.build(&bodies);
                    }
                    1 => boxes[slot] = random_box(&mut random, spread),
                    _ => {
                        let distance = IVec2::new(random.i32(-9..=9), random.i32(-9..=9));
                        boxes[slot] = boxes[slot].translated(distance);
                    }
                }
                near.moved(slot as u32, boxes[slot]);
                let area = random_box(&mut random, spread);
                let mut found = Vec::new();
                near.visit(area, &mut |slot, known| {
                    assert_eq!(known.aabb, boxes[slot as usize]);
                    found.push(slot as usize);
                });
                found.sort_unstable();
                let met = |slot: &usize| boxes[*slot].overlaps(area);
                let expected: Vec<usize> = (0..boxes.len()).filter(met).collect();
                assert_eq!(found, expected, "{area:?} of {boxes:?}");
                most = most.max(found.len());
            }
        }
        assert!(most > 64, "{most}");
    }

    fn naive(boxes: &[Aabb]) -> Vec<(u32, u32)> {
        let mut pairs = Vec::new();
        for one in 0..boxes.len() {
            for two in one + 1..boxes.len() {
                if boxes[one].overlaps(boxes[two]) {
                    pairs.push((one as u32, two as u32));
                }
            }
        }
        pairs
    }

    fn scattered(random: &mut fastrand::Rng) -> Vec<Aabb> {
        let spread = [100, 3_000, i32::MAX / 2][random.usize(..3)];
        let side = [1, 9, 64, 5_000][random.usize(..4)];
        let count = random.usize(0..200);
        let place = |random: &mut fastrand::Rng| random.i32(-spread..spread);
        (0..count)
            .map(|at| {
                let large = if at % 17 == 0 { 40 } else { 1 };
                let (w, h) = (random.i32(0..=side * large), random.i32(0..=side));
                let (x, y) = (place(random), place(random));
                if random.u8(..) == 0 {
                    Aabb { min: IVec2::MIN, max: IVec2::new(x, i32::MAX) }
                } else {
                    Aabb::from_xywh(x, y, w, h)
                }
            })
            .collect()
    }

    #[test]
    fn each_pair_is_found_once_and_no_box_is_paired_with_itself() {
        let mut random = fastrand::Rng::with_seed(19);
        let mut pairs = Pairs::default();
        for _ in 0..400 {
            let boxes = scattered(&mut random);
            assert_eq!(pairs.find(&boxes), naive(&boxes));
        }
    }

    #[test]
    fn each_pair_between_two_lists_is_found_once() {
        let mut random = fastrand::Rng::with_seed(23);
        let (mut pairs, mut most) = (Pairs::default(), 0);
        for _ in 0..600 {
            let (ones, mut others) = (scattered(&mut random), scattered(&mut random));
            others.truncate(random.usize(1..200));
            let mut expected = Vec::new();
            for (one, aabb) in (0..).zip(&ones) {
                let met = (0..).zip(&others).filter(|(_, other)| aabb.overlaps(**other));
                expected.extend(met.map(|(other, _)| (one, other)));
            }
            assert_eq!(pairs.find_between(&ones, &others), expected);
            most = most.max(expected.len());
        }
        assert!(most > 1_000, "{most}");
    }
}
