//! The broad phase: boxes in a hash table by the cells of a uniform grid, to find those near a place.
//!
//! Each box lies in one bucket, by the cell of its top-left corner. A counting sort builds the table, and
//! allocates nothing when it is built again. Integers only; neither the cell size nor the hash affects an
//! answer. It knows boxes and their numbers, no bodies.

use std::ops::Range;

use glam::{I64Vec2, IVec2};

use crate::geometry::Aabb;

/// A box that [`meets`] no area.
const NOWHERE: Aabb = Aabb { min: IVec2::MAX, max: IVec2::MIN };

#[derive(Clone, Debug, Default)]
pub(super) struct Table {
    /// A cell is 2^shift pixels wide and high.
    shift: u32,
    /// The largest width and the largest height of the boxes in the buckets.
    largest: IVec2,
    /// The first of `items` of each bucket, and their number: one more than a power of two.
    starts: Vec<u32>,
    /// The numbers of the boxes, bucket by bucket.
    items: Vec<u32>,
    /// The box that each item covers, within the one that chose its bucket; [`NOWHERE`] for an empty one.
    boxes: Vec<Aabb>,
    /// The numbers of the boxes that are too large for the buckets, in ascending order.
    large: Vec<u32>,
}

impl Table {
    /// Builds the table anew, with cells of 2^`shift` pixels, of boxes up to `longest` pixels wide and high;
    /// larger ones are listed apart. `boxes` give the buckets; empty ones are left out. The item of a number
    /// covers `covered` of it, a part of its box. O(n).
    pub(super) fn build(
        &mut self,
        boxes: &[Aabb],
        shift: u32,
        longest: u32,
        covered: impl Fn(usize) -> Aabb,
    ) {
        let Self { largest, starts, items, large, .. } = self;
        self.shift = shift;
        *largest = IVec2::ONE;
        large.clear();
        let buckets = (boxes.len() * 2).next_power_of_two().max(16);
        starts.clear();
        starts.resize(buckets + 1, 0);
        let is_large = |aabb: Aabb| aabb.width().max(aabb.height()) > longest;
        for (number, aabb) in boxes.iter().enumerate().filter(|(_, aabb)| !aabb.is_empty()) {
            if is_large(*aabb) {
                large.push(number as u32);
            } else {
                *largest = largest.max(aabb.max - aabb.min);
                starts[bucket(aabb.min >> shift, buckets)] += 1;
            }
        }
        // Each start becomes the end of its bucket, and then moves down to the start while it is filled.
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        items.resize(end as usize, 0);
        self.boxes.resize(end as usize, NOWHERE);
        for (number, aabb) in boxes.iter().enumerate() {
            if !aabb.is_empty() && !is_large(*aabb) {
                let start = &mut starts[bucket(aabb.min >> shift, buckets)];
                *start -= 1;
                items[*start as usize] = number as u32;
                self.boxes[*start as usize] = covered(number);
            }
        }
    }

    /// The numbers of the boxes in the buckets. An item keeps its index until the table is built anew.
    pub(super) fn items(&self) -> &[u32] {
        &self.items
    }

    /// The numbers of the boxes that are too large for the buckets, in ascending order. [`Table::visit`]
    /// leaves them out.
    pub(super) fn large(&self) -> &[u32] {
        &self.large
    }

    /// Notes what an item covers from now on, within its box; an empty box covers nothing. An index past the
    /// last item is ignored.
    pub(super) fn cover(&mut self, item: u32, aabb: Aabb) {
        if let Some(covered) = self.boxes.get_mut(item as usize) {
            *covered = if aabb.is_empty() { NOWHERE } else { aabb };
        }
    }

    /// Calls `found` once with the number of each item that overlaps `area`, which is not empty. `boxes` are
    /// those that it was built of. O(1) for a small area in which few boxes lie.
    pub(super) fn visit(&self, boxes: &[Aabb], area: Aabb, found: impl FnMut(u32)) {
        self.visit_from(area.min.saturating_sub(self.largest - 1), boxes, area, found);
    }

    /// Calls `found` once with the numbers of each two items that overlap, in any order. `boxes` are those
    /// that it was built of, and each item covers its box.
    pub(super) fn visit_pairs(&self, boxes: &[Aabb], mut found: impl FnMut(u32, u32)) {
        for one in &self.items {
            let aabb = boxes[*one as usize];
            let place = |number: u32| (boxes[number as usize].min.y >> self.shift, number);
            // Of two boxes the one in the higher row of cells finds the other.
            let first = IVec2::new(aabb.min.x.saturating_sub(self.largest.x - 1), aabb.min.y);
            self.visit_from(first, boxes, aabb, |two| {
                if place(*one) < place(two) {
                    found(*one, two);
                }
            });
        }
    }

    /// [`Table::visit`] for items whose corner lies in the cell of `first`, or in cells further right and
    /// down.
    #[inline(always)]
    fn visit_from(&self, first: IVec2, boxes: &[Aabb], area: Aabb, mut found: impl FnMut(u32)) {
        let buckets = self.starts.len().saturating_sub(1);
        let (first, last) = (first >> self.shift, (area.max - 1) >> self.shift);
        let span = last.as_i64vec2() - first.as_i64vec2() + I64Vec2::ONE;
        if span.x.saturating_mul(span.y) >= buckets as i64 {
            self.scan(0..self.items.len(), area, found);
            return;
        }
        for row in first.y..=last.y {
            let start = bucket(IVec2::new(first.x, row), buckets);
            let end = start + span.x as usize;
            let items = |start, end| self.starts[start] as usize..self.starts[end] as usize;
            let mut found = |number| {
                // Rows of cells can share buckets: a box counts in its own row.
                if boxes[number as usize].min.y >> self.shift == row {
                    found(number);
                }
            };
            self.scan(items(start, end.min(buckets)), area, &mut found);
            if end > buckets {
                // The buckets of a row of cells lie in a row, which goes on from the last to the first.
                self.scan(items(0, end - buckets), area, &mut found);
            }
        }
    }

    /// Calls `found` with the numbers of a part of the items that overlap `area`.
    #[inline(always)]
    fn scan(&self, items: Range<usize>, area: Aabb, mut found: impl FnMut(u32)) {
        if items.is_empty() {
            return;
        }
        let boxes = self.boxes[items.clone()].chunks(64);
        for (boxes, numbers) in boxes.zip(self.items[items].chunks(64)) {
            // Without a branch, for a processor cannot predict which of the boxes overlap.
            let mut hits = 0_u64;
            for (at, aabb) in boxes.iter().enumerate() {
                hits |= u64::from(meets(*aabb, area)) << at;
            }
            while hits != 0 {
                found(numbers[hits.trailing_zeros() as usize]);
                hits &= hits - 1;
            }
        }
    }
}

/// True if two boxes that are not empty overlap.
#[inline(always)]
fn meets(one: Aabb, other: Aabb) -> bool {
    (one.min.x < other.max.x)
        & (other.min.x < one.max.x)
        & (one.min.y < other.max.y)
        & (other.min.y < one.max.y)
}

/// The bucket of a cell, of a power of two. Cells in a row have buckets in a row.
fn bucket(cell: IVec2, buckets: usize) -> usize {
    let row = (cell.y as u32).wrapping_mul(0x9E37_79B1);
    (row.rotate_left(16).wrapping_add(cell.x as u32)) as usize & (buckets - 1)
}

/// The bits of a cell's side into which five in six of these boxes fit.
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
    bits.min(30)
}
