//! The motion of characters and platforms in a step of a world. A character moves like a
//! [`Mover`](crate::Mover), among the solids of the level and the solid bodies. A platform carries the bodies
//! that stand on it, pushes the bodies in front of it, and reports the bodies that it crushes. Bodies move
//! one after the other. Their order ([`Body::turn`]) does not depend on the order in which they were added.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::{I64Vec2, IVec2};

use super::body::{Body, BodyKind, Platform, TurnOrder};
use super::event::Event;
use super::near::widened;
use super::push::{PushScratch, front_first};
use super::rest::MAX_VIEW;
use super::riders::Riders;
use super::solids::{BodySolids, gather, region};
use super::{Asker, Known, Other, Parts, Player, Pushed, Shove, mover_of, toward};
use crate::character::LadderSolids;
use crate::geometry::{Aabb, Axis, Dir, Sides, split};
use crate::level::Solids;
use crate::mover::{Move, Response};

#[derive(Clone, Debug, Default)]
pub(super) struct MoverScratch {
    order: Vec<TurnOrder>,
    /// The [`TurnOrder`] (sort key) of each body that woke during the motion of other bodies and has not
    /// moved yet; the earliest first.
    late: BinaryHeap<Reverse<TurnOrder>>,
    /// A stack of the slots of the bodies to move: the body in the last item moves first.
    stack: Vec<u32>,
    others: Vec<Other>,
    push: PushScratch,
}

impl Parts<'_> {
    /// Moves all characters that are awake by their velocities. Each character takes a few sweeps among the
    /// level and the bodies near it.
    pub(super) fn move_characters(&mut self, scratch: &mut MoverScratch) {
        let mut awake = std::mem::take(&mut self.rest.awake);
        awake.append(&mut self.rest.woken);
        scratch.order.clear();
        let keys = awake.drain(..).filter_map(|slot| self.await_turn(slot));
        scratch.order.extend(keys);
        self.rest.awake = awake;
        scratch.order.sort_unstable();
        for at in 0..scratch.order.len() {
            let next = scratch.order[at];
            while let Some(Reverse(late)) = scratch.late.peek().copied()
                && late < next
            {
                scratch.late.pop();
                self.take_turn(late, scratch);
            }
            self.take_turn(next, scratch);
        }
        while let Some(Reverse(late)) = scratch.late.pop() {
            self.take_turn(late, scratch);
        }
    }

    /// Marks a character as waiting (not moved yet in this step), and returns its place in the order of
    /// motion. Returns `None` if the slot has no character.
    fn await_turn(&mut self, slot: u32) -> Option<TurnOrder> {
        let Some(body) = self.bodies.at(slot).filter(|body| body.as_character().is_some()) else {
            self.rest.forget(slot);
            return None;
        };
        let known = &mut self.near.known[slot as usize];
        known.is_waiting = true;
        known.heading = body.velocity.to_array().map(|speed| speed.signum() as i8);
        Some(body.turn(slot))
    }

    /// Moves the body in the slot of `turn`. Before it, moves the waiting bodies in front of it that move in
    /// the same direction. Afterwards queues the bodies that woke and come later in the order of motion.
    fn take_turn(&mut self, turn: TurnOrder, scratch: &mut MoverScratch) {
        self.open(turn.slot, &mut scratch.stack);
        while let Some(slot) = scratch.stack.last().copied() {
            let (asker, region) = self.surroundings(slot);
            gather(self.near, &asker, region, &mut scratch.others);
            match self.first_ahead(&asker.known, &scratch.others) {
                Some(ahead) => self.open(ahead.slot, &mut scratch.stack),
                None => {
                    scratch.stack.pop();
                    self.move_among(asker, region, scratch);
                }
            }
        }
        while let Some(woken) = self.rest.woken.pop() {
            match self.turn_before(woken) {
                Some(late) if late > turn => {
                    self.await_turn(woken);
                    scratch.late.push(Reverse(late));
                }
                _ => self.rest.awake.push(woken),
            }
        }
    }

    /// The place in the order of motion of a body that has not made its own motion in this step, computed at
    /// its position at the start of the step: without the pixels by which other bodies moved it. `None` if
    /// the slot has no body.
    fn turn_before(&self, slot: u32) -> Option<TurnOrder> {
        let body = self.bodies.at(slot)?;
        let carried = self.near.known[slot as usize].carried;
        let mut body = *body;
        body.aabb = body.aabb.translated(IVec2::ZERO.saturating_sub(carried));
        Some(body.turn(slot))
    }

    /// Puts a body on the stack if it is waiting (not moved yet in this step). It then no longer counts as
    /// waiting.
    fn open(&mut self, slot: u32, stack: &mut Vec<u32>) {
        let known = &mut self.near.known[slot as usize];
        if known.is_waiting {
            known.is_waiting = false;
            stack.push(slot);
        }
    }

    /// The earliest [`TurnOrder`] of all waiting bodies (not moved yet in this step) that are in front of the
    /// body `known` and move in its direction. `None` if there is no such body.
    fn first_ahead(&self, known: &Known, others: &[Other]) -> Option<TurnOrder> {
        let waiting = others.iter().filter(|other| other.known.is_waiting);
        let ahead = waiting.filter(|other| is_ahead(known, &other.known));
        ahead.filter_map(|other| Some(self.bodies.at(other.slot)?.turn(other.slot))).min()
    }

    /// The [`Asker`] for the body in a slot, and its region: the area in which solids can affect its step.
    fn surroundings(&self, slot: u32) -> (Asker, Aabb) {
        let known = self.near.known[slot as usize];
        let asker = Asker::new(slot, known);
        let Some(body) = self.bodies.at(slot) else { return (asker, known.aabb) };
        let mut due = body.next_velocity().saturating_add(self.aside(slot));
        if let Some(player) = self.player(slot) {
            due = due.saturating_add(player.state().carry(&player.feel));
        }
        (asker, region(&known, due.to_array()))
    }

    /// Moves the body of `asker` by one step, with the bodies that it pushes and carries.
    fn move_among(&mut self, mut asker: Asker, region: Aabb, scratch: &mut MoverScratch) {
        let slot = asker.slot;
        let character = self.bodies.at(slot).and_then(Body::as_character);
        if character.is_none_or(|character| character.push == 0 && !character.carries) {
            self.move_one(&asker, region, Some(region), &scratch.others);
            return;
        }
        let way = self.make_way(slot, region, &mut scratch.push);
        asker.yields = way.yields;
        gather(self.near, &asker, region, &mut scratch.others);
        self.move_one(&asker, region, way.view, &scratch.others);
        let now = self.near.known[slot as usize].aabb;
        self.carry_riders(now.min.saturating_sub(asker.known.aabb.min), &mut scratch.push);
    }

    /// Moves the body of `asker` by one step. Only solids in the area `view` affect this step. With `None`
    /// the area is unknown, and the body stays awake.
    fn move_one(&mut self, asker: &Asker, region: Aabb, view: Option<Aabb>, others: &[Other]) {
        let slot = asker.slot;
        let Some(body) = self.bodies.at(slot) else { return };
        let Some(mut mover) = mover_of(body) else { return };
        let velocity = body.next_velocity();
        let solids = BodySolids::new(self.level, self.bodies, self.near, asker, others, region);
        let motion = match asker.known.carried {
            IVec2::ZERO => velocity,
            carried => body.own_motion(carried),
        };
        let aside = self.aside(slot);
        let motion = motion.saturating_add(aside);
        // Most bodies have no piece near them.
        let mut way_out = Some(IVec2::ZERO);
        if others.iter().any(|other| other.known.is_piece)
            && mover.settings.response != Response::Cross
        {
            let found = solids.way_out_of_pieces(body.aabb);
            way_out = found.filter(|way| *way == IVec2::ZERO || !self.is_in_level(slot, body));
        }
        let out = way_out.unwrap_or_default();
        mover.body = mover.body.translated(out);
        let mut done = match self.player(slot) {
            None => mover.step_subpixels(&solids, motion),
            Some(player) => {
                let Player { feel, input, .. } = player;
                player.state().pass_one_way(*input, feel.floor, &mut mover.settings);
                let motion = motion.saturating_add(player.state().carry(feel));
                mover.step_subpixels(&LadderSolids::new(&solids, feel), motion)
            }
        };
        let is_buried = done.started_solid
            && done.response != Response::Cross
            && (way_out.is_none() || self.is_in_level(slot, body));
        done.carried = asker.known.carried.saturating_add(out);
        let has_looked_far = solids.has_looked_far.get();
        let velocity = self.velocity_after(&done, velocity, mover.body, asker);
        let Some(body) = self.bodies.at_mut(slot) else { return };
        let BodyKind::Character(character) = &mut body.kind else { return };
        let is_seen_to_change =
            (body.aabb, body.subpixel, body.velocity) != (mover.body, mover.subpixel, velocity);
        let has_changed = is_seen_to_change
            || character.steps_since_grounded != mover.steps_since_grounded
            || character.last != Some(done);
        let before = body.aabb;
        (body.aabb, body.subpixel, body.velocity) = (mover.body, mover.subpixel, velocity);
        character.steps_since_grounded = mover.steps_since_grounded;
        character.dropping = mover.dropping;
        character.last = Some(done);
        if is_buried && !character.was_buried {
            self.buried.push(slot);
        }
        character.was_buried = is_buried;
        if before != mover.body {
            self.near.moved(slot, mover.body);
        }
        if is_seen_to_change {
            if asker.known.is_soft {
                self.crowd.changes.push((before, mover.body));
            }
            self.rest.disturb(self.near, before, mover.body);
        }
        let is_at_rest = !has_changed && velocity == I64Vec2::ZERO && done.carried == IVec2::ZERO;
        let may_sleep =
            is_at_rest && aside == I64Vec2::ZERO && !has_looked_far && !before.is_empty();
        match view.filter(|view| may_sleep && is_near(before, *view)) {
            Some(view) => self.rest.sleep(slot, before, view),
            None => self.rest.awake.push(slot),
        }
    }

    /// True if the level alone overlaps the body in `slot`.
    fn is_in_level(&self, slot: u32, body: &Body) -> bool {
        let level = self.level.solids_for(body.collides_with);
        level.for_footprint(self.bodies.footprint(slot)).overlaps_aabb(body.aabb)
    }

    /// The velocity of a body after a step that began with the velocity `before` and ended at `aabb`. If a
    /// body with [`Response::Slide`] or [`Response::Stop`] is stopped by another body, it gets the speed of
    /// the slowest obstacle along that axis: at least 0, and at most its own speed.
    fn velocity_after(&self, done: &Move, before: I64Vec2, aabb: Aabb, asker: &Asker) -> I64Vec2 {
        let mut velocity = done.velocity_subpixels(before);
        if !matches!(done.response, Response::Slide | Response::Stop) {
            return velocity;
        }
        for axis in [Axis::X, Axis::Y] {
            let speed = before[axis.index()];
            let dir = Dir::along(axis, speed > 0);
            let contact = done.contacts.get(dir).filter(|_| velocity[axis.index()] == 0);
            if let Some(body) = contact.and_then(|contact| contact.body) {
                // `done` names one body for the contact. Other obstacles can be at the same distance.
                let start = asker.known.aabb;
                let gap = start.gap(dir, self.near.known[body.slot as usize].aabb);
                let met_at = start.shifted(dir, u32::try_from(gap).unwrap_or(0));
                let mut slowest = self.speed(body.slot, dir);
                for place in [met_at, aabb] {
                    slowest = slowest.min(self.slowest_ahead(place, dir, asker));
                }
                let kept = slowest.min(speed.unsigned_abs() as i64).max(0);
                velocity[axis.index()] = if speed > 0 { kept } else { -kept };
            }
        }
        velocity
    }

    /// The speed of a character toward `dir`; 0 for any other body.
    fn speed(&self, slot: u32, dir: Dir) -> i64 {
        let body = self.bodies.at(slot).filter(|body| body.as_character().is_some());
        body.map_or(0, |body| toward(body.velocity[dir.axis().index()], dir))
    }

    /// The lowest speed toward `dir` of all obstacles that touch this side of the box. The level's speed is
    /// 0. The highest number if there is no obstacle.
    fn slowest_ahead(&self, aabb: Aabb, dir: Dir, asker: &Asker) -> i64 {
        let footprint = self.bodies.footprint(asker.slot);
        let level = self.level.solids_for(asker.known.collides_with).for_footprint(footprint);
        let is_free = match self.player(asker.slot) {
            None => level.can_move_aabb(aabb, dir, 1, true),
            Some(player) => {
                LadderSolids::new(&level, &player.feel).can_move_aabb(aabb, dir, 1, true)
            }
        };
        let mut slowest = if is_free { i64::MAX } else { 0 };
        let strip = aabb.strip(dir, 1);
        self.near.visit(self.bodies.reach(asker.slot, aabb, strip), &mut |slot, other| {
            let obstacle = other.obstacle(self.bodies, slot, footprint);
            let is_met = (!other.is_character || other.aabb.overlaps(strip))
                && !obstacle.can_move_aabb(aabb, dir, 1, true);
            if asker.is_stopped_by(slot, other) && is_met {
                slowest = slowest.min(self.speed(slot, dir));
            }
        });
        slowest
    }
}

/// True if `view` extends at most [`MAX_VIEW`] pixels beyond `aabb`, so that the body may sleep.
fn is_near(aabb: Aabb, view: Aabb) -> bool {
    let limit = widened(aabb, MAX_VIEW);
    limit.intersection(view) == view
}

/// True if `other` is in front of `known` along x or y, and the two bodies have a velocity in that direction.
fn is_ahead(known: &Known, other: &Known) -> bool {
    [Axis::X, Axis::Y].into_iter().any(|axis| {
        let heading = known.heading[axis.index()];
        let dir = Dir::along(axis, heading > 0);
        let shared = known.aabb.intersection(other.aabb);
        heading != 0
            && heading == other.heading[axis.index()]
            && known.aabb.gap(dir, other.aabb) >= 0
            && shared.extent(axis.other()) > 0
    })
}

#[derive(Clone, Debug, Default)]
pub(super) struct PlatformScratch {
    order: Vec<TurnOrder>,
    riders: Riders,
    /// For each slot, the distance that its body has to move, in pixels.
    due: Vec<u32>,
    /// The slots of the pushed bodies.
    pushed: Vec<u32>,
    /// The work list of [`Parts::find_pushed`]: the slots of the platform and of pushed bodies whose paths
    /// have not been searched yet. [`Parts::carry`] then uses the empty list for the riders that are not
    /// pushed.
    open: Vec<u32>,
    /// The bodies that the platform moves; the body in front is the first.
    going: Vec<Pushed>,
    push: PushScratch,
}

impl Parts<'_> {
    /// Moves the platforms in `slots` by their velocities, in the order of motion ([`Body::turn`]), and the
    /// bodies on their belts. O(n log n + m) for n platforms that move m bodies.
    pub(super) fn move_platforms(&mut self, slots: &[u32], scratch: &mut PlatformScratch) {
        scratch.order.clear();
        scratch.riders.clear();
        for slot in slots.iter().copied() {
            let Some(body) = self.bodies.at_mut(slot) else { continue };
            let BodyKind::Platform(Platform { belt, .. }) = body.kind else { continue };
            body.velocity = body.velocity.saturating_add(body.acceleration);
            if body.velocity != I64Vec2::ZERO || belt != I64Vec2::ZERO {
                scratch.order.push(body.turn(slot));
                scratch.riders.find(self.bodies, self.near, slot);
            }
        }
        scratch.order.sort_unstable();
        scratch.riders.sort();
        scratch.due.resize(self.bodies.slots.len(), 0);
        for at in 0..scratch.order.len() {
            let platform = scratch.order[at].slot;
            let Some(body) = self.bodies.at_mut(platform) else { continue };
            let (pixels, subpixel) = split(body.subpixel, body.velocity);
            body.subpixel = subpixel;
            let belt = turned_belt(body);
            for (pixels, is_belt) in [(pixels, false), (belt, true)] {
                for (axis, along) in [(Axis::X, pixels.x), (Axis::Y, pixels.y)] {
                    let dir = Dir::along(axis, along > 0);
                    let carriage = Carriage { platform, dir, is_belt };
                    self.carry(carriage, along.unsigned_abs(), scratch);
                }
            }
        }
    }

    /// The distance, at most `due`, that the body in `slot` can move toward `dir`. A ball moves up to the
    /// next ball. For any other body the result is `due`.
    fn free_of_balls(&self, slot: u32, dir: Dir, due: u32) -> u32 {
        let mut free = due;
        if let Some(body) = self.bodies.at(slot)
            && let Some(ball) = body.circle()
        {
            self.near.visit(path_of_ball(body.aabb, dir, due), &mut |slot, _| {
                let other = self.bodies.at(slot).filter(|other| other.meets(body));
                if let Some(other) = other.and_then(Body::circle) {
                    free = ball.free(&other, dir, free);
                }
            });
        }
        free
    }

    /// Moves the platform, or only its belt, by `distance` whole pixels, together with all bodies that it
    /// carries and pushes.
    fn carry(&mut self, carriage: Carriage, distance: u32, scratch: &mut PlatformScratch) {
        let Carriage { platform: carrier, dir, is_belt } = carriage;
        let Some(platform) = self.bodies.at(carrier).copied() else { return };
        let distance = distance.min(platform.aabb.room(dir));
        if distance == 0 {
            return;
        }
        scratch.pushed.clear();
        if !is_belt {
            self.find_pushed(carrier, dir, distance, scratch);
        }
        for rider in scratch.riders.of(carrier) {
            let along = dir.vector().as_i64vec2();
            let rides = self.bodies.at(rider).map(|body| body.along_belt(along));
            if is_belt && rides != Some(along) {
                continue;
            }
            let gone = if is_belt { 0 } else { self.gone(rider, dir) };
            let distance = distance.saturating_sub(gone);
            let due = &mut scratch.due[rider as usize];
            if *due == 0 {
                scratch.open.push(rider);
            }
            *due = distance.max(*due);
        }
        scratch.going.clear();
        for slot in scratch.open.drain(..).chain(scratch.pushed.iter().copied()) {
            let due = std::mem::take(&mut scratch.due[slot as usize]);
            let Some(body) = self.bodies.at(slot) else { continue };
            scratch.going.push(Pushed { slot, start: body.aabb, due, mass: 0 });
        }
        scratch.due[carrier as usize] = 0;
        scratch.pushed.sort_unstable();
        let moved = platform.aabb.shifted(dir, distance);
        if !is_belt {
            self.put(carrier, moved);
        }
        // If only the belt moves, the platform still stops the bodies at its other sides.
        let except = Some(carrier).filter(|_| !is_belt);
        front_first(self.bodies, &mut scratch.going, dir);
        for Pushed { slot, due, .. } in scratch.going.iter().copied() {
            let Known { aabb: start, is_character, .. } = self.near.known[slot as usize];
            if is_character && scratch.pushed.binary_search(&slot).is_ok() {
                let shove = Shove { slot, pusher: carrier, by_platform: true, dir };
                self.give_way(&shove, due, &mut scratch.push);
                continue;
            }
            let free = self.free((slot, except), start, dir, due);
            let free = self.free_of_balls(slot, dir, free);
            self.put(slot, start.shifted(dir, free));
        }
        let is_one_way = self.near.known[carrier as usize].is_one_way;
        for body in &scratch.pushed {
            let bodies = &self.bodies;
            let met = bodies.at(*body).zip(bodies.met_by(*body, carrier));
            let is_in = met.is_some_and(|(crushed, by)| by.overlaps_aabb(crushed.aabb));
            if !is_one_way && is_in && bodies.overlap(carrier, *body) {
                let body = self.bodies.id(*body);
                let by = self.bodies.id(carrier);
                self.events.push(Event::Crushed { body, by });
            }
        }
    }

    /// The distance toward `dir` by which other platforms have already moved a body in this step. The
    /// platform does not carry the body by this distance again. So if a platform under the body and a
    /// platform behind it move together, the body moves only once, in either order of the two.
    fn gone(&self, slot: u32, dir: Dir) -> u32 {
        let carried = self.near.known[slot as usize].carried[dir.axis().index()];
        if (carried > 0) == dir.is_positive() { carried.unsigned_abs() } else { 0 }
    }

    /// Finds the bodies that the platform pushes, directly or through other bodies, and the distance that
    /// each body has to move.
    fn find_pushed(&self, platform: u32, dir: Dir, distance: u32, scratch: &mut PlatformScratch) {
        let PlatformScratch { due, pushed, open, .. } = scratch;
        due[platform as usize] = distance;
        open.push(platform);
        while let Some(pusher) = open.pop() {
            let Some(by) = self.bodies.at(pusher) else { continue };
            let distance = due[pusher as usize];
            let circle = by.circle();
            let of_pusher = Pushed { slot: pusher, start: by.aabb, due: distance, mass: 0 };
            let known = &self.near.known[pusher as usize];
            let obstacle = self.bodies.obstacle(pusher, by);
            let mut path = self.path(&of_pusher, dir);
            if obstacle.piece.is_some() {
                path = path.hull(by.aabb); // Each of its pixels pushes.
            }
            let area = if circle.is_some() { path_of_ball(by.aabb, dir, distance) } else { path };
            self.near.visit(area, &mut |slot, other| {
                let Some(body) = self.bodies.at(slot) else { return };
                if slot == pusher || !is_pushable(body) || !known.stops(other) {
                    return;
                }
                let back = dir.opposite();
                let obstacle = self.bodies.met_by(slot, pusher).unwrap_or(obstacle);
                let mut free = match circle.zip(body.circle()) {
                    Some((ball, other)) => ball.free(&other, dir, distance),
                    None if !body.aabb.overlaps(path) => distance,
                    None => obstacle.lets(body, back, distance, body.one_way_obeyed()),
                };
                // A one-way solid does not lift a body that rises clear of it in its own step.
                if free < distance && circle.is_none() && leaves_by(body, dir, distance - free) {
                    free = obstacle.lets(body, back, distance, Sides::all(false));
                }
                let needed = distance - free;
                if needed == 0 {
                    return;
                }
                let due = &mut due[slot as usize];
                if *due == 0 {
                    pushed.push(slot);
                }
                if needed > *due {
                    *due = needed;
                    open.push(slot);
                }
            });
        }
    }
}

/// Moves the belt of a platform by one step. Returns the whole pixels by which the belt moves the bodies on
/// it, or zero for any other body.
fn turned_belt(body: &mut Body) -> IVec2 {
    let BodyKind::Platform(platform) = &mut body.kind else { return IVec2::ZERO };
    let (pixels, subpixel) = split(platform.belt_subpixel, platform.belt);
    platform.belt_subpixel = subpixel;
    pixels
}

/// An area that overlaps the boxes of all balls in the path of the ball with the box `aabb`. A circle extends
/// beyond its box by less than a pixel.
fn path_of_ball(aabb: Aabb, dir: Dir, distance: u32) -> Aabb {
    widened(aabb.hull(aabb.shifted(dir, distance)), 2)
}

/// The motion of a platform, or of its belt, along one axis.
#[derive(Clone, Copy)]
struct Carriage {
    platform: u32,
    dir: Dir,
    is_belt: bool,
}

const fn is_pushable(body: &Body) -> bool {
    match body.kind {
        BodyKind::Character(_) => true,
        BodyKind::Ball(ball) => ball.mass > 0,
        BodyKind::Platform(_) | BodyKind::Sensor | BodyKind::Bullet => false,
    }
}

/// True if the body moves by at least `pixels` toward `dir` in its next step, if nothing stops it.
fn leaves_by(body: &Body, dir: Dir, pixels: u32) -> bool {
    let (due, _) = split(body.subpixel, body.next_velocity());
    toward(due[dir.axis().index()].into(), dir) >= pixels.into()
}
