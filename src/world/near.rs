//! The index of the bodies near a place, which is kept from step to step while they move.
//!
//! Each body lies in the table by its larger box: its own box, with its path in a step and a margin. The
//! table is built again when too many bodies have left their larger boxes. No answer depends on the size of
//! the boxes. It knows boxes and categories, and moves no body.

use glam::IVec2;

use super::body::{Ball, Body};
use super::kinds::role;
use super::table::{Table, shift};
use crate::geometry::{Aabb, SUBPIXELS};

/// The margin of a larger box on each side, in pixels.
const MARGIN: i32 = 12;

/// The item of a slot that is not in the table.
const NO_ITEM: u32 = u32::MAX;

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
    table: Table,
    /// The item of each slot in the table; [`NO_ITEM`] for those that are not in it.
    places: Vec<u32>,
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
        let Self { known, wide, table, places, .. } = self;
        wide.clear();
        wide.extend(known.iter().enumerate().map(|(slot, known)| match known.aabb.is_empty() {
            true => Aabb::default(),
            false => widened(reach(slot as u32), MARGIN),
        }));
        self.strays.clear();
        let shift = shift(wide);
        table.build(wide, shift, 1 << shift, |slot| known[slot].aabb);
        for slot in table.large() {
            // Every query visits these, wherever they are.
            wide[*slot as usize] = Aabb { min: IVec2::MIN, max: IVec2::MAX };
        }
        places.clear();
        places.resize(known.len(), NO_ITEM);
        for (item, slot) in (0..).zip(table.items()) {
            places[*slot as usize] = item;
        }
    }

    /// Notes the facts of the body in a slot, old or new.
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

    /// Notes the new place of a body.
    pub(super) fn moved(&mut self, slot: u32, aabb: Aabb) {
        self.known[slot as usize].aabb = aabb;
        let is_within = self.is_within(slot, aabb);
        let place = &mut self.places[slot as usize];
        self.table.cover(*place, if is_within { aabb } else { Aabb::default() });
        if !is_within && let Err(at) = self.strays.binary_search(&slot) {
            *place = NO_ITEM;
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
        let listed = self.table.large().iter().chain(&self.strays);
        for (slot, known) in listed.map(|slot| (*slot, &self.known[*slot as usize])) {
            if known.aabb.overlaps(area) {
                found(slot, known);
            }
        }
        self.table.visit(&self.wide, area, |slot| found(slot, &self.known[slot as usize]));
    }
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

#[cfg(test)]
mod tests {
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
    fn each_body_in_an_area_is_visited_once_wherever_bodies_moved_since() {
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
                    0 => near.build(|slot| boxes[slot as usize]),
                    1 => boxes[slot] = random_box(&mut random, spread),
                    _ => {
                        let distance = IVec2::new(random.i32(-9..=9), random.i32(-9..=9));
                        boxes[slot] = boxes[slot].translated(distance);
                    }
                }
                near.moved(slot as u32, boxes[slot]);
                let area = random_box(&mut random, spread);
                let mut found = Vec::new();
                near.visit(area, |slot, known| {
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
}
