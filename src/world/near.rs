//! The index of the bodies near a place, which is kept from step to step while they move.
//!
//! Each body lies in one bucket of a hash table, by the cell of its larger box: its own box, with its path in
//! a step and a margin. The table is built again by a counting sort when too many bodies have left their
//! larger boxes. No answer depends on the size of the boxes. It knows boxes and categories, and moves no
//! body.

use glam::{I64Vec2, IVec2};

use super::body::{Ball, Body};
use super::cells;
use super::kinds::role;
use crate::geometry::{Aabb, SUBPIXELS};

/// The margin of a larger box on each side, in pixels.
const MARGIN: i32 = 12;

/// The facts of a body that its neighbours ask for. They fill one line of a processor's cache.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Known {
    /// Its box; empty for a slot without a body.
    pub(super) aabb: Aabb,
    pub(super) category: u64,
    pub(super) collides_with: u64,
    pub(super) generation: u32,
    /// True for a body that stops characters ([`Body::is_solid_box`]).
    pub(super) is_solid: bool,
    pub(super) is_one_way: bool,
    pub(super) is_character: bool,
    /// The lists of [`Kinds`](super::kinds::Kinds) in which it is.
    pub(super) role: u8,
    /// True for a character that has still to move in this step.
    pub(super) is_waiting: bool,
    /// The direction along each axis in which it was moving on before this step: -1, 0 or 1.
    pub(super) heading: [i8; 2],
    /// The pixels by which others have carried and pushed it in this step.
    pub(super) carried: IVec2,
}

impl Known {
    pub(super) fn of(body: &Body, generation: u32) -> Self {
        Self {
            aabb: body.aabb,
            category: body.category,
            collides_with: body.collides_with,
            generation,
            is_solid: body.is_solid_box(),
            is_one_way: body.is_one_way(),
            is_character: body.is_character(),
            role: role(body),
            is_waiting: false,
            heading: [0; 2],
            carried: IVec2::ZERO,
        }
    }

    /// As [`Body::meets`].
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.category & other.collides_with != 0 && other.category & self.collides_with != 0
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    /// The bodies by their slots.
    pub(super) known: Vec<Known>,
    /// The larger box of each; empty for one that is not in the table.
    wide: Vec<Aabb>,
    /// A cell is 2^shift pixels wide and high, and no box in the table is larger.
    shift: u32,
    /// The first of `items` of each bucket, and their number: one more than a power of two.
    starts: Vec<u32>,
    /// The slots in the table, bucket by bucket.
    items: Vec<u32>,
    /// The slots of the boxes that are too large for the table, which every query visits.
    large: Vec<u32>,
    /// The slots whose boxes have left their larger boxes, which every query visits; sorted.
    strays: Vec<u32>,
    /// The slots that were carried in this step, perhaps more than once.
    carried: Vec<u32>,
}

impl Near {
    /// True if it is worth to build the table anew before the bodies of `paths` move: each of them visits
    /// every body that has left its larger box, or may leave it on its path.
    pub(super) fn is_worn(&self, paths: impl Iterator<Item = (u32, Aabb)>) -> bool {
        let (mut moving, mut strays) = (0, self.strays.len());
        for (slot, path) in paths {
            moving += 1;
            strays += usize::from(!self.is_within(slot, widened(path, 2)));
        }
        moving * strays > self.known.len()
    }

    fn is_within(&self, slot: u32, aabb: Aabb) -> bool {
        let wide = self.wide[slot as usize];
        aabb.is_empty() || !wide.is_empty() && wide.intersection(aabb) == aabb
    }

    /// Builds the table anew. `reach` gives the larger box of a slot without its margin. An empty box is
    /// never found. O(n).
    pub(super) fn build(&mut self, reach: impl Fn(u32) -> Aabb) {
        let Self { known, wide, shift, starts, items, large, strays, .. } = self;
        wide.clear();
        wide.extend(known.iter().enumerate().map(|(slot, known)| match known.aabb.is_empty() {
            true => Aabb::default(),
            false => widened(reach(slot as u32), MARGIN),
        }));
        large.clear();
        strays.clear();
        // Five in six boxes fit into a cell.
        *shift = cells::shift(wide) - 1;
        let buckets = (known.len() * 2).next_power_of_two().max(16);
        starts.clear();
        starts.resize(buckets + 1, 0);
        for (slot, aabb) in wide.iter_mut().enumerate().filter(|(_, aabb)| !aabb.is_empty()) {
            if aabb.width().max(aabb.height()) > 1 << *shift {
                large.push(slot as u32);
                *aabb = Aabb { min: IVec2::MIN, max: IVec2::MAX };
            } else {
                starts[bucket(aabb.min >> *shift, buckets)] += 1;
            }
        }
        // Each start becomes the end of its bucket, and then moves down to the start while it is filled.
        let mut end = 0;
        for start in starts.iter_mut() {
            end += *start;
            *start = end;
        }
        items.clear();
        items.resize(end as usize, 0);
        for (slot, aabb) in wide.iter().enumerate() {
            let is_in_table = !aabb.is_empty() && aabb.width().max(aabb.height()) <= 1 << *shift;
            if is_in_table {
                let start = &mut starts[bucket(aabb.min >> *shift, buckets)];
                *start -= 1;
                items[*start as usize] = slot as u32;
            }
        }
    }

    /// Notes the facts of the body in a slot, old or new.
    pub(super) fn set(&mut self, slot: u32, known: Known) {
        let at = slot as usize;
        if at >= self.known.len() {
            self.known.resize(at + 1, Known::default());
            self.wide.resize(at + 1, Aabb::default());
        }
        self.known[at] = known;
        self.moved(slot, known.aabb);
    }

    /// Notes the new place of a body.
    pub(super) fn moved(&mut self, slot: u32, aabb: Aabb) {
        self.known[slot as usize].aabb = aabb;
        if !self.is_within(slot, aabb)
            && let Err(at) = self.strays.binary_search(&slot)
        {
            self.strays.insert(at, slot);
        }
    }

    /// Notes the new place of a body that others have carried or pushed by `distance`.
    pub(super) fn carry(&mut self, slot: u32, aabb: Aabb, distance: IVec2) {
        self.moved(slot, aabb);
        let known = &mut self.known[slot as usize];
        known.carried = known.carried.saturating_add(distance);
        self.carried.push(slot);
    }

    /// Forgets the pixels by which bodies were carried in a step.
    pub(super) fn forget_carried(&mut self) {
        for slot in self.carried.drain(..) {
            self.known[slot as usize].carried = IVec2::ZERO;
        }
    }

    /// Calls `found` once with each body whose box overlaps `area`. O(1) for a small area in which few bodies
    /// lie, plus the number of strays.
    pub(super) fn visit(&self, area: Aabb, mut found: impl FnMut(u32, &Known)) {
        if area.is_empty() {
            return;
        }
        let mut offer = |slot: u32| {
            let known = &self.known[slot as usize];
            if known.aabb.overlaps(area) {
                found(slot, known);
            }
        };
        self.large.iter().chain(&self.strays).for_each(|slot| offer(*slot));
        let is_stray = |slot| !self.strays.is_empty() && self.strays.binary_search(&slot).is_ok();
        let buckets = self.starts.len().saturating_sub(1);
        let side = (1 << self.shift) - 1;
        let first = area.min.saturating_sub(IVec2::splat(side)) >> self.shift;
        let last = (area.max - 1) >> self.shift;
        let span = last.as_i64vec2() - first.as_i64vec2() + I64Vec2::ONE;
        if span.x.saturating_mul(span.y) >= buckets as i64 {
            self.items.iter().filter(|slot| !is_stray(**slot)).for_each(|slot| offer(*slot));
            return;
        }
        for row in first.y..=last.y {
            let start = bucket(IVec2::new(first.x, row), buckets);
            let end = start + span.x as usize;
            // The buckets of a row of cells lie in a row, which may go on from the last to the first.
            let parts = [(start, end.min(buckets)), (0, end.saturating_sub(buckets))];
            for (start, end) in parts {
                for slot in self.in_buckets(start, end) {
                    // Rows of cells can share buckets: a body counts in its own row.
                    let is_in_row = || self.wide[*slot as usize].min.y >> self.shift == row;
                    if self.known[*slot as usize].aabb.overlaps(area)
                        && is_in_row()
                        && !is_stray(*slot)
                    {
                        offer(*slot);
                    }
                }
            }
        }
    }

    fn in_buckets(&self, start: usize, end: usize) -> &[u32] {
        let (start, end) = (self.starts[start] as usize, self.starts[end] as usize);
        self.items.get(start..end).unwrap_or_default()
    }
}

/// The bucket of a cell, of a power of two. Cells in a row have buckets in a row.
fn bucket(cell: IVec2, buckets: usize) -> usize {
    let row = (cell.y as u32).wrapping_mul(0x9E37_79B1);
    (row.rotate_left(16).wrapping_add(cell.x as u32)) as usize & (buckets - 1)
}

/// The box around a body and its path in this step, or the first pixels of a very long path.
pub(super) fn reach(body: &Body) -> Aabb {
    if body.aabb.is_empty() {
        return body.aabb;
    }
    let limit = i64::from(Ball::MAX_SPEED);
    let along = |speed: i64| (speed / i64::from(SUBPIXELS)).clamp(-limit, limit) as i32;
    let displacement = IVec2::new(along(body.velocity.x), along(body.velocity.y));
    body.aabb.hull(body.aabb.translated(displacement))
}

/// The box with so many pixels more on each side.
pub(super) fn widened(aabb: Aabb, margin: i32) -> Aabb {
    Aabb {
        min: aabb.min.saturating_sub(IVec2::splat(margin)),
        max: aabb.max.saturating_add(IVec2::splat(margin)),
    }
}
