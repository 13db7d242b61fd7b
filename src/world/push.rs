//! The motion of characters that another character (the pusher or carrier) pushes in front of it or carries.
//! The pushed bodies of one pusher are called its row. The row moves before the pusher, in whole pixels, as
//! far as all of its bodies can move. A pushed body climbs where a solid stops it ([`Parts::shove`]).
//! [`Riders`] are found before the carrier moves, and move after it. Platforms use [`front_first`],
//! [`Parts::free`] and [`Parts::give_way`] too.

use glam::IVec2;

use super::body::{Body, pushed_settings};
use super::circle::Disc;
use super::near::widened;
use super::riders::Riders;
use super::solids::{BodySolids, gather};
use super::{Asker, Bodies, Obstacle, Parts, Pushed, Shove};
use crate::character::LadderSolids;
use crate::geometry::{Aabb, Axis, Dir, split};
use crate::level::Solids;
use crate::mover::{MovePath, Mover, MoverSettings, ObeyedSolids};

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
    /// The bodies on pushed bodies that climb, with their boxes before they were raised.
    lifted: Vec<Pushed>,
    /// True if a pushed body looked for a way up a step in this step.
    has_looked_up: bool,
}

/// A character that pushes in its own step.
struct Pusher {
    slot: u32,
    /// Its settings; without a step height if it does not climb in this step.
    settings: MoverSettings,
    /// The largest total mass of the bodies that it can push.
    limit: u32,
}

impl Shove {
    /// The pushed body, and the platform that does not stop it.
    fn mover(&self) -> (u32, Option<u32>) {
        (self.slot, Some(self.pusher).filter(|_| self.by_platform))
    }
}

/// The sides to which a pushed body makes way where a solid stops it, each with the largest distance in
/// pixels.
#[derive(Clone, Copy)]
struct Detours {
    sides: [(Dir, u32); 2],
    /// The first of `sides`, if it leads away from the body's floor: the way up a step. Of two equally near
    /// ways the body takes this way. Without it the body takes neither, as a mirrored body does.
    up: Option<Dir>,
}

impl Detours {
    /// The detour up steps of a body that is pushed along its floor; `None` if it takes no steps.
    fn up_steps(settings: &MoverSettings, dir: Dir) -> Option<Self> {
        let floor = settings.floor.filter(|floor| floor.axis() != dir.axis())?;
        let up = floor.opposite();
        let step = settings.step_height.min(MoverSettings::MAX_CORRECTION);
        (step > 0).then_some(Self { sides: [(up, step), (floor, 0)], up: Some(up) })
    }

    /// The detours of a body that is crushed if it does not make way; `None` if it has none.
    fn to_both_sides(settings: &MoverSettings, dir: Dir) -> Option<Self> {
        let up = settings.floor.filter(|floor| floor.axis() != dir.axis()).map(Dir::opposite);
        let first = up.unwrap_or(Dir::along(dir.axis().other(), false));
        let limit = settings.step_height.max(settings.corner_correction.get(dir));
        let limit = limit.min(MoverSettings::MAX_CORRECTION);
        (limit > 0)
            .then_some(Self { sides: [first, first.opposite()].map(|side| (side, limit)), up })
    }

    /// The box of the nearest of the two places that `place` returns for a side and its limit, each with its
    /// distance.
    fn nearest(&self, place: &mut dyn FnMut(Dir, u32) -> Option<(u32, Aabb)>) -> Option<Aabb> {
        let [one, two] =
            self.sides.map(|(side, limit)| if limit > 0 { place(side, limit) } else { None });
        match (one, two) {
            (Some(one), Some(two)) if one.0 == two.0 => self.up.map(|_| one.1),
            (Some(one), Some(two)) => Some(if one.0 < two.0 { one.1 } else { two.1 }),
            (one, two) => one.or(two).map(|(_, place)| place),
        }
    }

    /// The box of the nearest place beside `place` where the body does not overlap the pusher `by`.
    fn way_out(&self, by: &Obstacle<'_>, solids: &ObeyedSolids<'_>, place: Aabb) -> Option<Aabb> {
        self.nearest(&mut |side, limit| {
            let out = by.nearest_free_aabb(place, side, limit)?;
            solids.can_move(place, side, out).then(|| (out, place.shifted(side, out)))
        })
    }

    /// The box of a body that has `due` pixels to go toward `dir` from `place`: straight where it can, and
    /// around what stops it.
    fn way(&self, solids: &ObeyedSolids<'_>, place: Aabb, dir: Dir, due: u32) -> Aabb {
        let mut there = place;
        for _ in 0..Mover::MAX_LOOKS {
            let sweep = solids.sweep(there, dir, due - distance_along(place, there, dir));
            there = there.shifted(dir, sweep.moved);
            let Some(contact) = sweep.contact else { break };
            let next =
                self.nearest(&mut |side, limit| solids.around(there, dir, contact, side, limit));
            let Some(next) = next else { break };
            there = next;
        }
        there
    }
}

/// The distance in pixels along `dir` between two positions of a body.
fn distance_along(from: Aabb, to: Aabb, dir: Dir) -> u32 {
    let axis = dir.axis().index();
    from.min[axis].abs_diff(to.min[axis])
}

/// The room that the pushed bodies leave for the motion of the pusher.
pub(super) struct PushRoom {
    /// For x and y, true if after this step all bodies pushed along this axis can move one pixel further.
    pub(super) yields: [bool; 2],
    /// The area in which solids affect `yields` and the step of the character. `None` if the character pushed
    /// other bodies in this step, or if a body that it pushes looked for a way up a step.
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
        scratch.has_looked_up = false;
        let mut way = PushRoom { yields: [false; 2], view: Some(region) };
        let Some(body) = self.bodies.at(slot) else { return way };
        let Some(character) = body.as_character() else { return way };
        let motion = body.own_motion(self.near.known[slot as usize].carried);
        let motion = motion.saturating_add(self.aside(slot));
        let (pixels, parts) = split(body.subpixel, motion);
        let mut place = body.aabb;
        let mut settings = character.settings;
        if settings.floor.is_some_and(|floor| (floor.vector() * pixels).element_sum() < 0) {
            settings.step_height = 0; // It leaves the floor.
        }
        let pusher = Pusher { slot, settings, limit: u32::from(character.push) };
        if character.carries {
            scratch.riders.clear();
            scratch.riders.find(self.bodies, self.near, slot);
            for slot in scratch.riders.of(slot) {
                let Some(body) = self.bodies.at(slot) else { continue };
                scratch.starts.push(Pushed { slot, start: body.aabb, due: 0, mass: 0 });
            }
        }
        let mut axes = [Axis::X, Axis::Y];
        if settings.path == MovePath::YThenX {
            axes.reverse();
        }
        for axis in axes {
            let along = pixels[axis.index()];
            let part = parts[axis.index()];
            if along == 0 && part == 0 {
                continue;
            }
            let dir = Dir::along(axis, along > 0 || along == 0 && part > 0);
            let due = along.unsigned_abs();
            let before = place;
            place = self.push(&pusher, before, (dir, due), scratch);
            self.settle_row(slot, dir, scratch);
            let moved = distance_along(before, place, dir);
            let has_moved = moved > 0 && !scratch.row.is_empty();
            way.view =
                way.view.filter(|_| !has_moved).map(|view| self.view(view, slot, dir, scratch));
            if moved == due && part != 0 {
                let next = self.push(&pusher, place, (dir, 1), scratch);
                let goes_on = distance_along(place, next, dir) == 1;
                way.yields[axis.index()] = goes_on && !scratch.row.is_empty();
                self.restore_row(scratch);
                way.view = way.view.map(|view| self.view(view, slot, dir, scratch));
            }
        }
        way.view = way.view.filter(|_| !scratch.has_looked_up);
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
                let carried_by = self.bodies.at(slot).and_then(Body::carried_by);
                let Some(floor) = carried_by else { return };
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
    /// (`Near`), but not yet in the world. Returns the box of the pusher after its own motion toward `dir`,
    /// by at most `distance` pixels.
    fn push(
        &mut self,
        pusher: &Pusher,
        place: Aabb,
        (dir, distance): (Dir, u32),
        scratch: &mut PushScratch,
    ) -> Aabb {
        scratch.row.clear();
        scratch.lifted.clear();
        if distance == 0 {
            return place;
        }
        self.find_row(pusher, place, (dir, distance), scratch);
        let heavy = too_heavy(&scratch.row, &mut scratch.masses, pusher.limit);
        scratch.of_row.clear();
        for pushed in &scratch.row {
            if self.bodies.at(pushed.slot).is_some_and(Body::carries) {
                scratch.of_row.find(self.bodies, self.near, pushed.slot);
            }
        }
        scratch.of_row.sort();
        front_first(self.bodies, &mut scratch.row, dir);
        // The pusher itself is not moved in the index of body positions.
        let of_pusher = Pushed { slot: pusher.slot, start: place, due: distance, mass: 0 };
        let (short, there) = self.shift_row(pusher, &of_pusher, (dir, heavy), scratch);
        if short == 0 {
            return there;
        }
        self.restore_row(scratch); // No body is stopped within the smaller distance.
        scratch.lifted.clear();
        self.shift_row(pusher, &of_pusher, (dir, heavy + short), scratch).1
    }

    /// Finds the pushed bodies: the bodies that must move before the pusher can move by `distance`. Riders of
    /// the pusher count with mass 0. A single body heavier than the pusher's limit cannot move, so the search
    /// does not continue behind it.
    fn find_row(
        &self,
        pusher: &Pusher,
        place: Aabb,
        (dir, distance): (Dir, u32),
        PushScratch { row, starts, .. }: &mut PushScratch,
    ) {
        let mut at = 0;
        let mut next = Some(Pushed { slot: pusher.slot, start: place, due: distance, mass: 0 });
        while let Some(by) = next {
            let mut again = at;
            let known = &self.near.known[by.slot as usize];
            let path = if by.slot == pusher.slot {
                self.swept(&by, dir, &pusher.settings)
            } else {
                self.path(&by, dir)
            };
            self.near.visit(path, &mut |slot, other| {
                let gap = by.start.gap(dir, other.aabb);
                let Some(mass) = self.mass(slot, starts) else { return };
                if slot == pusher.slot || gap < 0 || !other.stops(known) {
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
            let found = rest.find(|(_, pushed)| pushed.mass <= pusher.limit);
            next = found.map(|(_, pushed)| *pushed);
            at = found.map_or(row.len(), |(found, _)| found + 1);
        }
    }

    /// The area in which bodies are in the way of a pushed body or of a platform, which never climbs.
    pub(super) fn path(&self, pushed: &Pushed, dir: Dir) -> Aabb {
        match self.bodies.at(pushed.slot).and_then(Body::as_character) {
            Some(character) => self.swept(pushed, dir, &pushed_settings(character)),
            None => pushed.start.strip(dir, pushed.due),
        }
    }

    /// The area in which bodies are in the way of a body with `settings`: the strip in front of it, and as
    /// far above as it climbs in the level. The level alone decides, because bodies in the way are pushed.
    fn swept(&self, pushed: &Pushed, dir: Dir, settings: &MoverSettings) -> Aabb {
        let Pushed { slot, start, due, .. } = *pushed;
        let strip = start.strip(dir, due);
        let Some(detours) = Detours::up_steps(settings, dir) else { return strip };
        let categories = self.near.known[slot as usize].collides_with;
        let level = self.level.solids_for(categories).for_size(start.size());
        let level = level.for_footprint(self.bodies.footprint(slot));
        let level = ObeyedSolids::new(&level, settings.one_way);
        if level.sweep(start, dir, due).is_clear() {
            return strip;
        }
        let there = detours.way(&level, start, dir, due);
        let up = detours.sides[0].0;
        strip.hull(start.shifted(up, distance_along(start, there, up)).strip(dir, due))
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

    /// Moves each pushed body in the index of body positions (`Near`), by its [`Pushed::due`] minus `cut`,
    /// or until a solid stops it. Returns the largest distance that is left to a stopped body, or 0 if none
    /// is stopped, and the box of the pusher after its motion. The pusher counts too: its motion is only
    /// tested.
    fn shift_row(
        &mut self,
        pusher: &Pusher,
        of_pusher: &Pushed,
        (dir, cut): (Dir, u32),
        scratch: &mut PushScratch,
    ) -> (u32, Aabb) {
        let PushScratch { row, lifted, has_looked_up, .. } = scratch;
        let mut short = 0;
        for pushed in row.iter() {
            let due = pushed.due.saturating_sub(cut);
            let before = self.near.known[pushed.slot as usize].aabb;
            let shove = Shove { slot: pushed.slot, pusher: pusher.slot, by_platform: false, dir };
            let there = self.shove(&shove, due, lifted);
            let is_straight = there == before.shifted(dir, due);
            *has_looked_up |= !is_straight && self.detours(&shove).is_some();
            short = short.max(due - distance_along(before, there, dir));
        }
        let due = of_pusher.due.saturating_sub(cut);
        let there = self.walked(pusher, of_pusher.start, dir, due);
        (short.max(due - distance_along(of_pusher.start, there, dir)), there)
    }

    /// The box of a pusher after its own motion by `due` pixels toward `dir`. Where a solid stops it, it
    /// takes steps as a [`Mover`] does, if it stands on its floor.
    fn walked(&mut self, pusher: &Pusher, place: Aabb, dir: Dir, due: u32) -> Aabb {
        let mover = (pusher.slot, None);
        let free = self.free(mover, place, dir, due);
        let there = place.shifted(dir, free);
        match Detours::up_steps(&pusher.settings, dir).filter(|_| free < due) {
            Some(detours) if self.free(mover, place, detours.sides[1].0, 1) == 0 => {
                self.detoured(mover, there, (dir, due - free), &detours)
            }
            _ => there,
        }
    }

    /// Moves a pushed body by `due` pixels in the index of body positions (`Near`), and returns its new box.
    ///
    /// It moves straight. Where a solid stops it, it climbs by at most its step height, with the bodies on
    /// it. Their boxes before are added to `lifted`. A body that a platform pushes makes way to each side, by
    /// at most its step height or its corner correction: around what stops it, or else out of the platform's
    /// way.
    fn shove(&mut self, shove: &Shove, due: u32, lifted: &mut Vec<Pushed>) -> Aabb {
        let Shove { slot, pusher, by_platform, dir } = *shove;
        let start = self.near.known[slot as usize].aabb;
        let free = self.free(shove.mover(), start, dir, due);
        let mut place = start.shifted(dir, free);
        // A crate that is pushed over a pit of its width falls in: in the air it takes no steps.
        if free < due
            && (by_platform || self.is_on_floor(shove, place))
            && let Some(detours) = self.detours(shove)
        {
            place = self.detoured(shove.mover(), place, (dir, due - free), &detours);
            let left = due - distance_along(start, place, dir);
            if left > 0 && detours.up.is_some() {
                place = self.climb_with_load(shove, place, left, &detours, lifted);
            }
            if by_platform {
                self.among(shove.mover(), place, &mut |parts, solids| {
                    let footprint = parts.bodies.footprint(slot);
                    let by = parts.near.known[pusher as usize];
                    let by = by.obstacle(parts.bodies, pusher, footprint);
                    if by.overlaps_aabb(place) {
                        place = detours.way_out(&by, solids, place).unwrap_or(place);
                    }
                });
            }
        }
        self.near.moved(slot, place);
        place
    }

    /// True if a solid supports a pushed body at `place`.
    fn is_on_floor(&mut self, shove: &Shove, place: Aabb) -> bool {
        let Some(floor) = self.bodies.at(shove.slot).and_then(Body::floor) else { return false };
        self.free(shove.mover(), place, floor, 1) == 0
    }

    /// The detours of a pushed body; `None` if it has none.
    fn detours(&self, shove: &Shove) -> Option<Detours> {
        let settings = pushed_settings(self.bodies.at(shove.slot)?.as_character()?);
        if shove.by_platform {
            Detours::to_both_sides(&settings, shove.dir)
        } else {
            Detours::up_steps(&settings, shove.dir)
        }
    }

    /// The box of a body that has `due` pixels to go from `place` toward `dir`, and takes `detours`.
    fn detoured(
        &mut self,
        mover: (u32, Option<u32>),
        place: Aabb,
        (dir, due): (Dir, u32),
        detours: &Detours,
    ) -> Aabb {
        let mut there = place;
        self.among(mover, place.strip(dir, due), &mut |_, solids| {
            there = detours.way(solids, place, dir, due);
        });
        there
    }

    /// Like [`Parts::detoured`], after the bodies that rest on the pushed body have made room for its climb.
    /// They rise as far as the pushed body does, the top of a stack first. Bodies that cannot rise stop it.
    fn climb_with_load(
        &mut self,
        shove: &Shove,
        place: Aabb,
        due: u32,
        detours: &Detours,
        lifted: &mut Vec<Pushed>,
    ) -> Aabb {
        let (up, step) = detours.sides[0];
        let first = lifted.len();
        self.find_load(shove, up, step.saturating_mul(due), lifted);
        if lifted.len() == first {
            return place;
        }
        let load = &mut lifted[first..];
        front_first(self.bodies, load, up);
        for on in load.iter_mut() {
            on.due = self.free((on.slot, None), on.start, up, on.due);
            self.near.moved(on.slot, on.start.shifted(up, on.due));
        }
        let there = self.detoured(shove.mover(), place, (shove.dir, due), detours);
        let rise = distance_along(place, there, up);
        for on in load.iter() {
            self.near.moved(on.slot, on.start.shifted(up, on.due.min(rise)));
        }
        there
    }

    /// Adds the bodies that rest on a pushed body, directly or on each other, to `load`. `up` leads away from
    /// their floors. The pusher is left out.
    fn find_load(&self, shove: &Shove, up: Dir, due: u32, load: &mut Vec<Pushed>) {
        let first = load.len();
        let mut next = Some(shove.slot);
        let mut at = first;
        while let Some(below) = next {
            let below = &self.near.known[below as usize];
            self.near.visit(below.aabb.strip(up, 1), &mut |slot, other| {
                let stands = self.bodies.at(slot).and_then(Body::floor) == Some(up.opposite());
                let is_new = load[first..].iter().all(|on| on.slot != slot);
                if stands
                    && is_new
                    && ![shove.slot, shove.pusher].contains(&slot)
                    && below.aabb.gap(up, other.aabb) == 0
                    && other.stops(below)
                {
                    load.push(Pushed { slot, start: other.aabb, due, mass: 0 });
                }
            });
            next = load.get(at).map(|on| on.slot);
            at += 1;
        }
    }

    /// Moves a body that a platform pushes by `due` pixels, and the bodies that it lifts. The platform has
    /// already moved.
    pub(super) fn give_way(&mut self, shove: &Shove, due: u32, scratch: &mut PushScratch) {
        let PushScratch { lifted, .. } = scratch;
        lifted.clear();
        self.shove(shove, due, lifted);
        self.settle(shove.slot);
        lifted.iter().for_each(|on| self.settle(on.slot));
    }

    /// Moves a body in the world to its position in the index of body positions (`Near`).
    fn settle(&mut self, slot: u32) {
        self.put(slot, self.near.known[slot as usize].aabb);
    }

    /// Calls `ask` with the solids that can stop the body in `slot`. The platform in the slot `except` does
    /// not stop it. Queries outside of `region` take longer.
    fn among(
        &mut self,
        (slot, except): (u32, Option<u32>),
        region: Aabb,
        ask: &mut dyn FnMut(&Self, &ObeyedSolids<'_>),
    ) {
        let known = self.near.known[slot as usize];
        let asker = Asker { except, ..Asker::new(slot, known) };
        let mut others = std::mem::take(self.others);
        gather(self.near, &asker, region, &mut others);
        let solids = BodySolids::new(self.level, self.bodies, self.near, &asker, &others, region);
        let one_way = self.bodies.at(slot).map_or_else(Default::default, Body::one_way_obeyed);
        match self.player(slot) {
            None => ask(self, &ObeyedSolids::new(&solids, one_way)),
            Some(player) => {
                let solids = LadderSolids::new(&solids, &player.feel);
                ask(self, &ObeyedSolids::new(&solids, one_way));
            }
        }
        *self.others = others;
    }

    /// The distance in pixels, at most `due`, that the body in `slot` can move from `place` toward `dir`. The
    /// platform in the slot `except` does not stop it.
    pub(super) fn free(
        &mut self,
        mover: (u32, Option<u32>),
        place: Aabb,
        dir: Dir,
        due: u32,
    ) -> u32 {
        let mut free = due;
        self.among(mover, place.strip(dir, due), &mut |_, solids| {
            free = solids.sweep(place, dir, due).moved;
        });
        free
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
        for pushed in scratch.lifted.iter().rev().chain(&scratch.row) {
            self.near.moved(pushed.slot, pushed.start);
        }
    }

    /// Moves each pushed body in the world to its new position from the index `Near`, and its riders by the
    /// same distance. The pusher is not moved, because its own step moves it.
    fn settle_row(&mut self, pusher: u32, dir: Dir, scratch: &mut PushScratch) {
        let PushScratch { row, of_row, riding, lifted, .. } = scratch;
        riding.clear();
        for pushed in row.iter() {
            let place = self.near.known[pushed.slot as usize].aabb;
            let due = distance_along(pushed.start, place, dir);
            self.put(pushed.slot, place);
            for slot in of_row.of(pushed.slot) {
                let goes_itself = slot == pusher || row.iter().any(|pushed| pushed.slot == slot);
                if goes_itself {
                    continue;
                }
                let start = self.near.known[slot as usize].aabb;
                let due = due.min(self.may_ride(slot, dir));
                // A rider can be carried by two pushed bodies, one on top of the other. The longer distance
                // counts.
                match riding.iter_mut().find(|rider| rider.slot == slot) {
                    Some(rider) => rider.due = rider.due.max(due),
                    None => riding.push(Pushed { slot, start, due, mass: 0 }),
                }
            }
        }
        lifted.iter().for_each(|on| self.settle(on.slot));
        self.move_riders(riding, dir);
    }

    /// Moves each rider by its own distance, or until a solid stops it.
    fn move_riders(&mut self, riders: &mut [Pushed], dir: Dir) {
        front_first(self.bodies, riders, dir);
        for rider in riders.iter() {
            let free = self.free((rider.slot, None), rider.start, dir, rider.due);
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
            let PushScratch { starts, riding, .. } = &mut *scratch;
            riding.clear();
            for rider in starts.iter() {
                let Some(body) = self.bodies.at(rider.slot) else { continue };
                let moved = body.aabb.min[axis.index()] - rider.start.min[axis.index()];
                let gone = if (moved > 0) == dir.is_positive() { moved.unsigned_abs() } else { 0 };
                let due = along.unsigned_abs().saturating_sub(gone);
                let due = due.min(self.may_ride(rider.slot, dir));
                riding.push(Pushed { start: body.aabb, due, ..*rider });
            }
            self.move_riders(riding, dir);
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
