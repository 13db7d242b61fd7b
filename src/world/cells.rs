//! The broad phase: boxes sorted into the cells of a uniform grid, to find those near a place.
//!
//! Integers only. The cell size affects the cost of an answer, never the answer. A sorted list of (cell, box)
//! replaces a hash table: its order depends on the boxes alone, and building it again allocates nothing. It
//! knows boxes and their numbers, no bodies.

mod buckets;

use glam::IVec2;

use crate::geometry::Aabb;

use buckets::{Buckets, MAX_CELLS_OF_A_BOX, key};

#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    /// A cell is 2^shift pixels wide and high.
    shift: u32,
    /// (cell, box), sorted.
    entries: Vec<(u64, u32)>,
    /// The boxes that cover too many cells, in ascending order.
    large: Vec<u32>,
}

impl Cells {
    /// Sorts the boxes into cells; empty boxes are left out. Five in six boxes are shorter than half a cell,
    /// so a few huge boxes do not make the cells huge. O(n log n).
    pub(super) fn build(&mut self, boxes: &[Aabb]) {
        self.entries.clear();
        self.large.clear();
        self.shift = shift(boxes);
        for (number, aabb) in boxes.iter().enumerate() {
            if aabb.is_empty() {
                continue;
            }
            let number = number as u32;
            let (first, last) = self.range(*aabb);
            let span = last.as_i64vec2() - first.as_i64vec2() + 1;
            if span.x.saturating_mul(span.y) > MAX_CELLS_OF_A_BOX {
                self.large.push(number);
                continue;
            }
            for row in first.y..=last.y {
                for column in first.x..=last.x {
                    self.entries.push((key(column, row), number));
                }
            }
        }
        self.entries.sort_unstable();
    }

    /// The first and the last cell that a box covers.
    fn range(&self, aabb: Aabb) -> (IVec2, IVec2) {
        (aabb.min >> self.shift, (aabb.max - 1) >> self.shift)
    }

    /// Calls `found` once for each pair of boxes that overlap, the lower number first. O(n + pairs) for boxes
    /// of similar size that are spread out.
    pub(super) fn pairs(&self, boxes: &[Aabb], mut found: impl FnMut(u32, u32)) {
        for cell in self.entries.chunk_by(|one, two| one.0 == two.0) {
            for (at, (cell_key, one)) in cell.iter().enumerate() {
                let aabb = boxes[*one as usize];
                for (_, two) in &cell[at + 1..] {
                    let shared = aabb.intersection(boxes[*two as usize]);
                    // Two boxes may share several cells: the pair counts in the first cell of their
                    // intersection.
                    let home = shared.min >> self.shift;
                    if !shared.is_empty() && key(home.x, home.y) == *cell_key {
                        found(*one, *two);
                    }
                }
            }
        }
        for large in &self.large {
            for (number, aabb) in boxes.iter().enumerate() {
                let number = number as u32;
                let comes_later = number > *large || self.large.binary_search(&number).is_err();
                if number != *large && comes_later && aabb.overlaps(boxes[*large as usize]) {
                    found(number.min(*large), number.max(*large));
                }
            }
        }
    }
}

/// The bits of a cell's side for these boxes: five in six are shorter than half a cell.
pub(super) fn shift(boxes: &[Aabb]) -> u32 {
    // The number of boxes by the bits of their longer side.
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
    bits.min(30) + 1
}

/// Finds the pairs of boxes that overlap: the broad phase of a [`World`](super::World), for a game's own
/// boxes.
///
/// It keeps its memory, so that repeated searches allocate nothing.
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
    cells: Cells,
    buckets: Buckets,
    found: Vec<(u32, u32)>,
}

/// Up to this number of boxes, comparing every pair is fastest.
const FEW: usize = 24;

/// If one of two lists has at most this number of boxes, comparing every pair is fastest.
const FEW_OF_TWO: usize = 4;

impl Pairs {
    /// The pairs of boxes that overlap, as sorted pairs of numbers: each pair once, the lower number first,
    /// and no box with itself. O(n log n + pairs) for boxes of similar size. At most one box in six can be so
    /// much larger than the others that it is compared with all. Boxes from number 2^32 - 1 on are ignored.
    pub fn find(&mut self, boxes: &[Aabb]) -> &[(u32, u32)] {
        let boxes = &boxes[..boxes.len().min(u32::MAX as usize)];
        self.found.clear();
        if boxes.len() <= FEW {
            for (one, aabb) in boxes.iter().enumerate() {
                for (two, other) in boxes.iter().enumerate().skip(one + 1) {
                    if aabb.overlaps(*other) {
                        self.found.push((one as u32, two as u32));
                    }
                }
            }
            return &self.found;
        }
        self.cells.build(boxes);
        let found = &mut self.found;
        self.cells.pairs(boxes, |one, two| found.push((one, two)));
        self.found.sort_unstable();
        &self.found
    }

    /// The pairs of a box of `ones` and a box of `others` that overlap, such as bullets and enemies: their
    /// numbers in the two lists, sorted, each pair once. Boxes of one list are not compared with each other.
    ///
    /// O(n + pairs log pairs) for boxes of similar size in each list, where n is the number of both. At most
    /// one box in six of a list can be so much larger than the others that it is compared with all of the
    /// other list. Boxes from number 2^32 - 1 on are ignored.
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
        let [ones, others] =
            [ones, others].map(|boxes| &boxes[..boxes.len().min(u32::MAX as usize)]);
        let found = &mut self.found;
        found.clear();
        if ones.len().min(others.len()) <= FEW_OF_TWO {
            for (one, aabb) in (0..).zip(ones) {
                let met = (0..).zip(others).filter(|(_, other)| aabb.overlaps(**other));
                found.extend(met.map(|(other, _)| (one, other)));
            }
            return found;
        }
        let shift = shift(ones).max(shift(others));
        let is_swapped = ones.len() < others.len();
        let (few, many) = if is_swapped { (ones, others) } else { (others, ones) };
        self.buckets.build(few, shift);
        for (number, aabb) in (0..).zip(many) {
            self.buckets.visit(few, *aabb, |of_few| {
                found.push(if is_swapped { (of_few, number) } else { (number, of_few) });
            });
        }
        found.sort_unstable();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
