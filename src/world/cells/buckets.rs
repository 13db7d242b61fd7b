//! The cells of a uniform grid in a table by their hashes, to find the boxes of one list that overlap each
//! box of another.
//!
//! Integers only. A counting sort puts the boxes of each cell next to each other. Neither the cell size nor
//! the hash affects an answer. It is built for one list and never changed after that.

use glam::IVec2;

use crate::geometry::Aabb;

/// A box that covers more cells than this is kept in a list that every query visits.
pub(super) const MAX_CELLS_OF_A_BOX: i64 = 16;

#[derive(Clone, Debug, Default)]
pub(super) struct Buckets {
    /// A cell is 2^shift pixels wide and high.
    shift: u32,
    /// (cell, box), by the hash of the cell.
    entries: Vec<(u64, u32)>,
    /// For each hash the index of its first entry, and the end of the last; the length is 2^bits + 1.
    starts: Vec<u32>,
    bits: u32,
    /// The boxes that cover too many cells, in ascending order.
    large: Vec<u32>,
    /// The entries in the order of the boxes, while it is built.
    unsorted: Vec<(u64, u32)>,
}

impl Buckets {
    /// Sorts the boxes into cells of 2^`shift` pixels; empty boxes are left out. O(n).
    pub(super) fn build(&mut self, boxes: &[Aabb], shift: u32) {
        self.shift = shift;
        self.large.clear();
        self.unsorted.clear();
        for (number, aabb) in (0_u32..).zip(boxes).filter(|(_, aabb)| !aabb.is_empty()) {
            let (first, last) = self.range(*aabb);
            if count(first, last) > MAX_CELLS_OF_A_BOX {
                self.large.push(number);
                continue;
            }
            let cells = (first.y..=last.y).flat_map(|y| (first.x..=last.x).map(move |x| key(x, y)));
            self.unsorted.extend(cells.map(|cell| (cell, number)));
        }
        self.bits = (self.unsorted.len().max(1) * 2).next_power_of_two().trailing_zeros();
        self.starts.clear();
        self.starts.resize((1 << self.bits) + 1, 0);
        for (cell, _) in &self.unsorted {
            self.starts[hash(*cell, self.bits) + 1] += 1;
        }
        for at in 1..self.starts.len() {
            self.starts[at] += self.starts[at - 1];
        }
        self.entries.clear();
        self.entries.resize(self.unsorted.len(), (0, 0));
        for entry in self.unsorted.iter().rev() {
            // Each start counts down from the end of its bucket.
            let end = &mut self.starts[hash(entry.0, self.bits) + 1];
            *end -= 1;
            self.entries[*end as usize] = *entry;
        }
        self.starts.rotate_left(1);
        if let Some(end) = self.starts.last_mut() {
            *end = self.unsorted.len() as u32;
        }
    }

    /// Calls `found` once with the number of each box that overlaps `area`. `boxes` are those that it was
    /// built of. O(boxes in the cells that `area` covers).
    pub(super) fn visit(&self, boxes: &[Aabb], area: Aabb, mut found: impl FnMut(u32)) {
        if area.is_empty() {
            return;
        }
        let large = self.large.iter().filter(|number| area.overlaps(boxes[**number as usize]));
        large.for_each(|number| found(*number));
        let (first, last) = self.range(area);
        if count(first, last) > boxes.len() as i64 {
            for (number, aabb) in (0..).zip(boxes) {
                if area.overlaps(*aabb) && self.large.binary_search(&number).is_err() {
                    found(number);
                }
            }
            return;
        }
        for row in first.y..=last.y {
            for column in first.x..=last.x {
                let cell = key(column, row);
                let hash = hash(cell, self.bits);
                let [start, end] = [self.starts[hash], self.starts[hash + 1]];
                for (of, number) in &self.entries[start as usize..end as usize] {
                    let shared = area.intersection(boxes[*number as usize]);
                    // Two boxes may share several cells: the pair counts in the first cell of their
                    // intersection.
                    let home = shared.min >> self.shift;
                    if *of == cell && !shared.is_empty() && home == IVec2::new(column, row) {
                        found(*number);
                    }
                }
            }
        }
    }

    /// The first and the last cell that a box covers.
    fn range(&self, aabb: Aabb) -> (IVec2, IVec2) {
        (aabb.min >> self.shift, (aabb.max - 1) >> self.shift)
    }
}

/// The number of cells from the first to the last.
fn count(first: IVec2, last: IVec2) -> i64 {
    let span = last.as_i64vec2() - first.as_i64vec2() + 1;
    span.x.saturating_mul(span.y)
}

/// The sort key of a cell: row by row, from left to right.
pub(super) fn key(column: i32, row: i32) -> u64 {
    let place = |at: i32| at.wrapping_sub(i32::MIN) as u32;
    u64::from(place(row)) << 32 | u64::from(place(column))
}

/// The hash of a cell, below 2^bits: the highest bits of a product, as in Knuth, "The Art of Computer
/// Programming", volume 3, section 6.4. `bits` is at least 1.
fn hash(cell: u64, bits: u32) -> usize {
    (cell.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (u64::BITS - bits)) as usize
}
