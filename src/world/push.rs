//! The motion of characters that another character (the pusher or carrier) pushes in front of it or carries.
//! The pushed bodies of one pusher are called its row. The row moves before the pusher, in whole pixels, as
//! far as all of its bodies can move. Riders are the characters that stand on a carrier. They are found
//! before the carrier moves, and move after it. Platforms use [`Riders`], [`front_first`] and [`Parts::free`]
//! too.

use std::cmp::Reverse;

use glam::IVec2;

use super::Parts;
use super::body::{Bodies, Body, Character, TurnOrder};
use super::circle::Disc;
use super::near::{Near, widened};
use super::solids::{Asker, BodySolids, Other, gather};
use crate::character::LadderSolids;
use crate::geometry::{Aabb, Axis, Dir, split};
use crate::mover::{MovePath, ObeyedSolids};

#[derive(Clone, Debug, Default)]
pub(super) struct PushScratch {
    riders: Riders,
    /// The riders of the pusher, with their boxes before the step.
    starts: Vec<Pushed>,
    /// The bodies that the pusher pushes along the current axis.
    row: Vec<Pushed>,
    /// The distance and the mass of each pushed body.
    masses: Vec<(u32, u32)>,
    /// The riders of all pushed bodies.
    of_row: Riders,
    /// The riders to move, the one in front first.
    riding: Vec<Pushed>,
    others: Vec<Other>,
}

/// A pushed or carried body: its box before the motion, the distance that it has to move in pixels, and its
/// mass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pushed {
    pub(super) slot: u32,
    pub(super) start: Aabb,
    pub(super) due: u32,
    pub(super) mass: u32,
}

/// The room that the pushed bodies leave for the motion of the pusher.
pub(super) struct PushRoom {
    /// For x and y, true if after this step all bodies pushed along this axis can move one pixel further.
    pub(super) yields: [bool; 2],
    /// The area in which solids affect `yields` and the step of the character. `None` if the character pushed
    /// other bodies in this step.
    pub(super) view: Option<Aabb>,
}

impl Parts<'_> {
    /// Moves the bodies in front of a character that pushes, as far as its own motion needs, and finds the
    /// riders of a character that carries. `region` is the area in which solids can affect the character's
    /// own step.
    pub(super) fn make_way(
        &mut self,
        slot: u32,
        region: Aabb,
        scratch: &mut PushScratch,
    ) -> PushRoom {
        scratch.starts.clear();
        let mut way = PushRoom { yields: [false; 2], view: Some(region) };
        let Some(body) = self.bodies.at(slot) else { return way };
        let Some(character) = body.as_character().copied() else { return way };
        let motion = body.own_motion(self.near.known[slot as usize].carried);
        let (pixels, parts) = split(body.subpixel, motion);
        let mut place = body.aabb;
        if character.carries {
            scratch.riders.clear();
            scratch.riders.find(self.bodies, self.near, slot);
            for slot in scratch.riders.of(slot) {
                let Some(body) = self.bodies.at(slot) else { continue };
                scratch.starts.push(Pushed { slot, start: body.aabb, due: 0, mass: 0 });
            }
        }
        let axes = match character.settings.path {
            MovePath::YThenX => [Axis::Y, Axis::X],
            MovePath::XThenY | MovePath::Straight(_) => [Axis::X, Axis::Y],
        };
        for axis in axes {
            let along = pixels[axis.index()];
            let part = parts[axis.index()];
            if along == 0 && part == 0 {
                continue;
            }
            let dir = Dir::along(axis, along > 0 || along == 0 && part > 0);
            let moved = self.push(slot, &character, place, (dir, along.unsigned_abs()), scratch);
            self.settle_row(slot, dir, scratch);
            let has_moved = moved > 0 && !scratch.row.is_empty();
            way.view =
                way.view.filter(|_| !has_moved).map(|view| self.view(view, slot, dir, scratch));
            place = place.shifted(dir, moved);
            if moved == along.unsigned_abs() && part != 0 {
                let goes_on = self.push(slot, &character, place, (dir, 1), scratch) == 1;
                way.yields[axis.index()] = goes_on && !scratch.row.is_empty();
                self.restore_row(scratch);
                way.view = way.view.map(|view| self.view(view, slot, dir, scratch));
            }
        }
        way
    }

    /// Returns `view`, the area in which solids can affect the step, enlarged by the area in which a change
    /// of another body can add pushed bodies or change their masses.
    fn view(&self, view: Aabb, pusher: u32, dir: Dir, scratch: &PushScratch) -> Aabb {
        let paths = scratch.row.iter().map(|row| row.start.hull(row.start.shifted(dir, row.due)));
        let mut view = paths.fold(view, Aabb::hull);
        let Some(carrier) = self.bodies.at(pusher).filter(|body| body.carries()) else {
            return view;
        };
        // Riders count with mass 0. A rider whose floor is toward `dir` is behind the pusher, so it cannot be
        // pushed.
        let mut standing = carrier.aabb;
        let mut can_be_in_row = false;
        let riders = scratch.starts.iter().map(|rider| rider.slot);
        for on in std::iter::once(pusher).chain(riders) {
            let on = self.near.known[on as usize].aabb;
            self.near.visit(widened(on, 1), &mut |slot, known| {
                let Some(floor) = self.bodies.at(slot).and_then(Body::floor) else { return };
                if known.aabb.strip(floor, 1).overlaps(on) {
                    standing = standing.hull(known.aabb);
                    // A body that also stands on other bodies may become a rider, and the bodies on it too.
                    let is_rider = scratch.starts.iter().any(|rider| rider.slot == slot);
                    can_be_in_row |= floor != dir || !is_rider;
                }
            });
        }
        if can_be_in_row {
            view = view.hull(widened(standing, 1)); // It includes the bodies below.
        }
        view
    }

    /// Finds the bodies that a pusher at `place` pushes, and moves them in the index of body positions
    /// ([`Near`]), but not yet in the world. Returns the distance in pixels, at most `distance`, that the
    /// pusher can move toward `dir`.
    fn push(
        &mut self,
        slot: u32,
        pusher: &Character,
        place: Aabb,
        (dir, distance): (Dir, u32),
        scratch: &mut PushScratch,
    ) -> u32 {
        scratch.row.clear();
        if distance == 0 {
            return 0;
        }
        let limit = u32::from(pusher.push);
        self.find_row(slot, place, (dir, distance), limit, scratch);
        let heavy = too_heavy(&scratch.row, &mut scratch.masses, limit);
        scratch.of_row.clear();
        for pushed in &scratch.row {
            if self.bodies.at(pushed.slot).is_some_and(Body::carries) {
                scratch.of_row.find(self.bodies, self.near, pushed.slot);
            }
        }
        scratch.of_row.sort();
        front_first(self.bodies, &mut scratch.row, dir);
        // The pusher itself is not moved in the index of body positions.
        let pusher = Pushed { slot, start: place, due: distance, mass: 0 };
        let short = self.shift_row(&pusher, dir, heavy, scratch);
        if short > 0 {
            self.restore_row(scratch); // No body is stopped within the smaller distance.
            self.shift_row(&pusher, dir, heavy + short, scratch);
        }
        distance - heavy - short
    }

    /// Finds the pushed bodies: the bodies that must move before the pusher can move by `distance`. Riders of
    /// the pusher count with mass 0. A single body heavier than `limit` cannot move, so the search does not
    /// continue behind it.
    fn find_row(
        &self,
        pusher: u32,
        place: Aabb,
        (dir, distance): (Dir, u32),
        limit: u32,
        PushScratch { row, starts, .. }: &mut PushScratch,
    ) {
        let mut at = 0;
        let mut next = Some(Pushed { slot: pusher, start: place, due: distance, mass: 0 });
        while let Some(by) = next {
            let mut again = at;
            let known = &self.near.known[by.slot as usize];
            self.near.visit(by.start.strip(dir, by.due), &mut |slot, other| {
                let gap = by.start.gap(dir, other.aabb);
                let Some(mass) = self.mass(slot, starts) else { return };
                if slot == pusher || gap < 0 || !other.meets(known) {
                    return;
                }
                let due = by.due - gap as u32; // At least 1, because the body is in the strip.
                match row.iter().position(|pushed| pushed.slot == slot) {
                    Some(found) if row[found].due < due => {
                        row[found].due = due;
                        again = again.min(found);
                    }
                    Some(_) => {}
                    None => row.push(Pushed { slot, start: other.aabb, due, mass }),
                }
            });
            // If a body has to move further than found before, its path is searched again.
            let mut rest = row.iter().enumerate().skip(again);
            let found = rest.find(|(_, pushed)| pushed.mass <= limit);
            next = found.map(|(_, pushed)| *pushed);
            at = found.map_or(row.len(), |(found, _)| found + 1);
        }
    }

    /// The mass of a body that can be pushed, or 0 if it is one of the pusher's `riders`. `None` if it cannot
    /// be pushed.
    fn mass(&self, slot: u32, riders: &[Pushed]) -> Option<u32> {
        let character = self.bodies.at(slot)?.as_character()?;
        if riders.iter().any(|rider| rider.slot == slot) {
            return Some(0);
        }
        Some(u32::from(character.mass)).filter(|mass| *mass > 0)
    }

    /// Moves each pushed body in the index of body positions ([`Near`]), by its [`Pushed::due`] minus `cut`,
    /// or until a solid stops it. Returns the largest distance that is left to a stopped body; 0 if none is
    /// stopped. The pusher counts too: its motion is only tested.
    fn shift_row(&mut self, pusher: &Pushed, dir: Dir, cut: u32, scratch: &mut PushScratch) -> u32 {
        let PushScratch { row, others, .. } = scratch;
        let mut short = 0;
        for pushed in row.iter() {
            let due = pushed.due.saturating_sub(cut);
            let free = self.free((pushed.slot, None), pushed.start, dir, due, others);
            short = short.max(due - free);
            self.near.moved(pushed.slot, pushed.start.shifted(dir, free));
        }
        let due = pusher.due.saturating_sub(cut);
        short.max(due - self.free((pusher.slot, None), pusher.start, dir, due, others))
    }

    /// The distance in pixels, at most `due`, that the body in `slot` can move from `place` toward `dir`. The
    /// platform in the slot `except` does not stop it.
    pub(super) fn free(
        &self,
        (slot, except): (u32, Option<u32>),
        place: Aabb,
        dir: Dir,
        due: u32,
        others: &mut Vec<Other>,
    ) -> u32 {
        let known = self.near.known[slot as usize];
        let asker = Asker { slot, known, except, yields: [false; 2] };
        let region = place.strip(dir, due);
        gather(self.near, &asker, region, others);
        let solids = BodySolids::new(self.level, self.bodies, self.near, &asker, others, region);
        let one_way = self.bodies.at(slot).map_or_else(Default::default, Body::one_way_obeyed);
        match self.player(slot) {
            None => ObeyedSolids::new(&solids, one_way).sweep(place, dir, due).moved,
            Some(player) => {
                let solids = LadderSolids::new(&solids, &player.feel);
                ObeyedSolids::new(&solids, one_way).sweep(place, dir, due).moved
            }
        }
    }

    /// The largest distance in pixels toward `dir` that the rider in `slot` may still be carried by a
    /// character in this step: the rest of the rider's fall limit.
    fn may_ride(&self, slot: u32, dir: Dir) -> u32 {
        let character = self.bodies.at(slot).and_then(Body::as_character);
        let carried = self.near.known[slot as usize].carried;
        character.map_or(u32::MAX, |character| character.may_ride(dir, carried))
    }

    /// Moves the pushed bodies back to their positions before the motion, in the index of body positions.
    fn restore_row(&mut self, scratch: &PushScratch) {
        for pushed in &scratch.row {
            self.near.moved(pushed.slot, pushed.start);
        }
    }

    /// Moves each pushed body in the world to its new position from the index [`Near`], and its riders by the
    /// same distance. The pusher is not moved, because its own step moves it.
    fn settle_row(&mut self, pusher: u32, dir: Dir, scratch: &mut PushScratch) {
        let PushScratch { row, of_row, riding, others, .. } = scratch;
        riding.clear();
        for pushed in row.iter() {
            let place = self.near.known[pushed.slot as usize].aabb;
            let moved = pushed.start.edge(dir).min - place.edge(dir).min;
            let due = moved.abs().max_element().unsigned_abs();
            self.put(pushed.slot, place);
            for slot in of_row.of(pushed.slot) {
                let goes_itself = slot == pusher || row.iter().any(|pushed| pushed.slot == slot);
                let Some(body) = self.bodies.at(slot).filter(|_| !goes_itself) else { continue };
                let due = due.min(self.may_ride(slot, dir));
                // A rider can be carried by two pushed bodies, one on top of the other. The longer distance
                // counts.
                match riding.iter_mut().find(|rider| rider.slot == slot) {
                    Some(rider) => rider.due = rider.due.max(due),
                    None => riding.push(Pushed { slot, start: body.aabb, due, mass: 0 }),
                }
            }
        }
        front_first(self.bodies, riding, dir);
        for rider in riding.iter() {
            let free = self.free((rider.slot, None), rider.start, dir, rider.due, others);
            self.put(rider.slot, rider.start.shifted(dir, free));
        }
    }

    /// Moves the riders of a carrier that has moved by `distance`. If a rider has already moved in this
    /// direction in this step, it moves only by the rest of `distance`.
    pub(super) fn carry_riders(&mut self, distance: IVec2, scratch: &mut PushScratch) {
        for axis in [Axis::X, Axis::Y] {
            let along = distance[axis.index()];
            let dir = Dir::along(axis, along > 0);
            if along == 0 {
                continue;
            }
            let PushScratch { starts, riding, others, .. } = &mut *scratch;
            riding.clear();
            for rider in starts.iter() {
                let Some(body) = self.bodies.at(rider.slot) else { continue };
                let moved = body.aabb.min[axis.index()] - rider.start.min[axis.index()];
                let gone = if (moved > 0) == dir.is_positive() { moved.unsigned_abs() } else { 0 };
                let due = along.unsigned_abs().saturating_sub(gone);
                let due = due.min(self.may_ride(rider.slot, dir));
                riding.push(Pushed { start: body.aabb, due, ..*rider });
            }
            front_first(self.bodies, riding, dir);
            for rider in riding.iter() {
                let free = self.free((rider.slot, None), rider.start, dir, rider.due, others);
                self.put(rider.slot, rider.start.shifted(dir, free));
            }
        }
    }
}

/// The part of the distance that the pusher cannot move because the pushed bodies are heavier than `limit`
/// together; 0 if they are lighter. The pusher reaches the bodies with the largest distance first. So the
/// result is the distance of the body at which the sum of the masses exceeds `limit`.
fn too_heavy(row: &[Pushed], masses: &mut Vec<(u32, u32)>, limit: u32) -> u32 {
    masses.clear();
    masses.extend(row.iter().map(|pushed| (pushed.due, pushed.mass)));
    masses.sort_unstable();
    let mut sum = 0_u32;
    // The bodies with the largest distance come first.
    for (due, mass) in masses.iter().rev() {
        sum = sum.saturating_add(*mass);
        if sum > limit {
            return *due;
        }
    }
    0
}

/// Sorts the bodies in `list` by their centre, the furthest toward `dir` first, so that no body blocks the
/// bodies behind it.
pub(super) fn front_first(bodies: &Bodies, list: &mut [Pushed], dir: Dir) {
    let axis = dir.axis().index();
    list.sort_unstable_by_key(|pushed| {
        let body = bodies.at(pushed.slot);
        let ball = body.filter(|body| body.circle().is_some());
        let subpixel = ball.map_or(IVec2::ZERO, |ball| ball.subpixel); // The subpixel moves only a circle.
        let middle = Disc::of(pushed.start, subpixel).center[axis];
        let front = if dir.is_positive() { -middle } else { middle };
        (front, body.map(|body| body.turn(pushed.slot)))
    });
}

/// The characters that stand on carriers: on platforms, or on characters that carry.
#[derive(Clone, Debug, Default)]
pub(super) struct Riders {
    /// Pairs of slots: a carrier and its rider. The search adds them in any order, then [`Riders::sort`]
    /// sorts them by carrier.
    carried: Vec<(u32, u32)>,
}

impl Riders {
    pub(super) fn clear(&mut self) {
        self.carried.clear();
    }

    /// The slots of the riders of `carrier`. Call [`Riders::sort`] first.
    pub(super) fn of(&self, carrier: u32) -> impl Iterator<Item = u32> {
        let first = self.carried.partition_point(|(by, _)| *by < carrier);
        let own = self.carried[first..].iter().take_while(move |(by, _)| *by == carrier);
        own.map(|(_, rider)| *rider)
    }

    pub(super) fn sort(&mut self) {
        self.carried.sort_unstable();
    }

    /// Adds the characters that stand on `carrier`, directly or on other characters. O(n) for n such
    /// characters and the bodies near them.
    pub(super) fn find(&mut self, bodies: &Bodies, near: &Near, carrier: u32) {
        let first = self.carried.len();
        self.find_on(bodies, near, carrier, carrier);
        let mut at = first;
        while let Some((_, rider)) = self.carried.get(at).copied() {
            self.find_on(bodies, near, carrier, rider);
            at += 1;
        }
    }

    /// Adds the characters that stand on the body `on` as riders of `carrier`.
    fn find_on(&mut self, bodies: &Bodies, near: &Near, carrier: u32, on: u32) {
        let Some(known) = near.known.get(on as usize) else { return };
        near.visit(widened(known.aabb, 1), &mut |slot, rider| {
            if !rider.is_character || slot == carrier {
                return;
            }
            let support = support_of(bodies, slot, &|area, found| {
                near.visit(area, &mut |slot, _| found(slot));
            });
            if support == Some(on) {
                self.carried.push((carrier, slot));
            }
        });
    }
}

/// A function that calls its second argument with each slot whose body overlaps its first argument.
type VisitSlots<'v> = dyn Fn(Aabb, &mut dyn FnMut(u32)) + 'v;

/// The slot of the body on which a character stands; `None` if there is no such body. Of several bodies, the
/// result is the body with the longest shared edge, and of equally long edges, the body that is first in the
/// order of motion ([`Body::turn`]).
pub(super) fn support_of(bodies: &Bodies, slot: u32, visit: &VisitSlots<'_>) -> Option<u32> {
    let body = bodies.at(slot)?;
    let floor = body.floor()?;
    let below = body.aabb.strip(floor, 1);
    let mut best: Option<(Reverse<u32>, TurnOrder)> = None;
    visit(below, &mut |at| {
        let Some(other) = bodies.at(at).filter(|_| at != slot) else { return };
        if holds(body, floor, other) {
            let shared = below.intersection(other.aabb);
            let edge = Reverse(shared.width().max(shared.height()));
            let offer = (edge, other.turn(at));
            if best.is_none_or(|best| offer < best) {
                best = Some(offer);
            }
        }
    });
    best.map(|(_, turn)| turn.slot)
}

/// True if `other` touches the side of `body` toward `dir`, and is solid to `body` there.
pub(super) fn holds(body: &Body, dir: Dir, other: &Body) -> bool {
    let is_solid = !other.is_one_way() || dir == Dir::Down && body.touches_one_way(dir);
    let touches = body.aabb.gap(dir, other.aabb) == 0;
    other.is_solid_box() && is_solid && touches && body.meets(other)
}
