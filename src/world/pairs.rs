//! The pairs of boxes that overlap, of one list or of two.

use super::table::{Table, shift};
use crate::geometry::Aabb;

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
    table: Table,
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
        let Self { table, found } = self;
        let shift = cell(boxes);
        table.build(boxes, shift, 2 << shift, |number| boxes[number]);
        table.visit_pairs(boxes, |one, two| found.push((one.min(two), one.max(two))));
        for large in table.large() {
            for (number, aabb) in (0..).zip(boxes) {
                let comes_later = number > *large || table.large().binary_search(&number).is_err();
                if number != *large && comes_later && aabb.overlaps(boxes[*large as usize]) {
                    found.push((number.min(*large), number.max(*large)));
                }
            }
        }
        found.sort_unstable();
        found
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
        let is_swapped = ones.len() < others.len();
        let (few, many) = if is_swapped { (ones, others) } else { (others, ones) };
        let table = &mut self.table;
        let shift = cell(ones).max(cell(others));
        table.build(few, shift, 2 << shift, |number| few[number]);
        for (number, aabb) in (0..).zip(many).filter(|(_, aabb)| !aabb.is_empty()) {
            let mut met =
                |of_few| found.push(if is_swapped { (of_few, number) } else { (number, of_few) });
            table.visit(few, *aabb, &mut met);
            table
                .large()
                .iter()
                .filter(|of| few[**of as usize].overlaps(*aabb))
                .for_each(|of| met(*of));
        }
        found.sort_unstable();
        found
    }
}

/// The bits of a cell's side: one more than five in six boxes need. Boxes of up to two cells are in the
/// table, so that few are not; none of those is longer than 2^30 pixels, and so no difference overflows.
fn cell(boxes: &[Aabb]) -> u32 {
    (shift(boxes) + 1).min(29)
}

#[cfg(test)]
mod tests {
    use glam::IVec2;

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
