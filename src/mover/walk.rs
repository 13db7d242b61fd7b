//! Walking: up and down steps and slopes at an even speed, without leaving the floor; floors that are too
//! steep to stand on; the normal of a surface of pixels, and the bounce off it.
//!
//! A slope of pixels is a row of steps, and a single step says little of it. So a copy of the body walks a
//! short way, and the normal is that of a straight line through its places. All in integers, rounded toward
//! zero, so that no bounce gains speed.

use glam::{I64Vec2, IVec2};

use super::motion::{MAX_LOOKS, Motion, Travel, signed};
use super::obeyed::ObeyedSolids;
use super::settings::{Move, MoverSettings, Response, SURFACE_REACH, Slope};
use crate::geometry::{Aabb, Axis, Dir};
use crate::level::Solids;
use crate::sweep::{Contact, greatest_common_divisor};

impl<S: Solids> Motion<'_, '_, S> {
    /// Walks toward `dir`, and flies on from the place where the floor ends.
    pub(super) fn walk(&mut self, floor: Dir, dir: Dir, distance: u32, ahead: bool) -> Travel {
        let (mut moved, mut looks) = (0, MAX_LOOKS);
        while looks > 0 {
            let due = distance - moved;
            let start = self.body;
            let sweep = self.solids.sweep(start, dir, due + u32::from(ahead));
            let free = sweep.moved.min(due);
            if free > 0 {
                // The rest of the swept strip is free as long as the body stays on its line.
                let mut left = free;
                while left > 0
                    && looks > 0
                    && self.on_foot.is_some()
                    && self.body == start.shifted(dir, free - left)
                {
                    let before = (self.body, self.done.areas[1]);
                    let run = self.plain_run(floor, dir, left);
                    let gone = self.stride(floor, dir, run, &mut looks);
                    if let Some(riser) = self.riser(floor, dir, before.0) {
                        // A tread of a slope that is too steep, from which the body would slide back.
                        (self.body, self.done.areas[1]) = before;
                        self.touch(dir, Some(riser));
                        moved += free - left;
                        return Travel { is_stopped: true, ..Travel::free(moved) };
                    }
                    left -= gone;
                }
                moved += free - left;
                if self.on_foot.is_none() {
                    let flown = self.fly(dir, distance - moved, ahead);
                    moved += flown.moved;
                    return Travel { moved, ..flown };
                }
                let is_done = moved == distance && (!ahead || sweep.is_clear());
                if !is_done || self.body != start.shifted(dir, free) {
                    continue;
                }
            } else if let Some(contact) = sweep.contact {
                let (up, limit) = (floor.opposite(), self.settings.step_height);
                let climb = self.solids.around(start, dir, contact, up, limit);
                match climb.filter(|(_, place)| !self.is_climbed(*place, dir, floor)) {
                    Some((climbed, place)) if due > 0 => {
                        self.put(place);
                        if self.may_step_up(floor, start) {
                            self.step_onto_edge(floor, start, climbed);
                        }
                        (moved, looks) = (moved + 1, looks - 1);
                        continue;
                    }
                    Some(_) => {}
                    None if due == 0 && self.solids.gives_way(self.body, dir, self.part) => {}
                    None => {
                        self.touch(dir, sweep.contact);
                        return Travel { is_stopped: true, ..Travel::free(moved) };
                    }
                }
            }
            return Travel::free(moved);
        }
        Travel { is_cut: moved < distance, ..Travel::free(moved) }
    }

    /// The next step toward `dir` from the place `before`, if the body has walked from there onto a slope
    /// that is too steep.
    fn riser(&self, floor: Dir, dir: Dir, before: Aabb) -> Option<Contact> {
        let is_steep = self.on_foot.is_some() && self.is_climbed(self.body, dir, floor);
        let riser = || self.solids.sweep(before, dir, 2 * SURFACE_REACH as u32).contact;
        is_steep.then(riser).flatten()
    }

    /// The pixels, at most `free`, on which a walk need not look for a slope that is too steep, because the
    /// floor is level as far as it would look; at least 1.
    fn plain_run(&self, floor: Dir, dir: Dir, free: u32) -> u32 {
        if self.settings.max_slope.is_vertical() {
            return free;
        }
        let level = |dir: Dir, limit: u32| self.solids.level_run(self.body, dir, limit, floor);
        let reach = SURFACE_REACH as u32;
        match level(dir.opposite(), reach) {
            behind if behind < reach => 1,
            _ => level(dir, free).saturating_sub(reach).max(1),
        }
    }

    /// Goes up to `free` pixels, which are free, without leaving the floor: all of them on a level floor,
    /// else one. After one it stands on a floor at most `snap_distance` below it, or flies. A pixel on which
    /// it steps down, or near a one-way edge, takes one of `looks`; not one of a level floor, because its
    /// strides may be shorter or longer.
    fn stride(&mut self, floor: Dir, dir: Dir, free: u32, looks: &mut u32) -> u32 {
        let mut run = self.solids.floor_run(self.body, dir, free, floor);
        while run > 0 && self.may_step_up(floor, self.body.shifted(dir, run)) {
            run /= 2;
        }
        if run > 0 {
            self.advance(dir, run);
            return run;
        }
        let before = self.body;
        self.advance(dir, 1);
        let is_near = self.may_step_up(floor, before);
        if is_near && self.step_onto_edge(floor, before, 0) {
            *looks -= 1;
            return 1;
        }
        let reach = self.settings.snap_distance.saturating_add(1);
        let reach = reach.min(self.body.room(floor));
        let down = self.solids.sweep(self.body, floor, reach);
        if down.is_clear() {
            self.on_foot = None;
        } else {
            self.advance(floor, down.moved);
        }
        *looks -= u32::from(is_near || down.moved > 0);
        1
    }

    /// False only if no one-way edge is a step for the body on its straight path to `there`.
    fn may_step_up(&self, floor: Dir, there: Aabb) -> bool {
        let (swept, up) = (self.body.hull(there), floor.opposite());
        let reach = self.settings.step_height.min(swept.room(up));
        // The edges of a footprint lie anywhere in its box.
        let area = match self.solids.footprint() {
            None => swept.edge(floor).strip(up, reach),
            Some(_) => swept.hull(swept.shifted(up, reach)),
        };
        self.solids.has_one_way(area, floor)
    }

    /// After a pixel from the place `before`, on which the body climbed some pixels: moves it up onto the
    /// highest one-way edge that is a step for it, if it may step up. False if there is none.
    ///
    /// A step is at most `step_height` above the feet, less the pixels that were climbed, and the body can be
    /// moved up to it. A body that lies past an edge at most another `step_height` above that is below the
    /// floor to which the step belongs, and is not moved.
    fn step_onto_edge(&mut self, floor: Dir, before: Aabb, climbed: u32) -> bool {
        let limit = self.settings.step_height;
        let height = edge_above(self.solids, self.body, floor, limit.saturating_sub(climbed));
        let near = limit.saturating_add(climbed).saturating_add(height);
        if height == 0 || edge_above(self.solids, before, floor, near) > 0 {
            return false;
        }
        self.advance(floor.opposite(), height);
        true
    }

    /// True if a body that came to `place` toward `dir` climbed a slope that is too steep for it.
    pub(super) fn is_climbed(&self, place: Aabb, dir: Dir, floor: Dir) -> bool {
        let limit = self.settings.max_slope;
        !limit.is_vertical() && downhill(self.solids, place, floor, limit) == Some(dir.opposite())
    }

    /// True for a body in the air that neither started in a solid nor bounces.
    pub(super) fn may_slide(&self) -> bool {
        self.on_foot.is_none() && !self.done.started_solid && !self.settings.bounces()
    }

    /// The place one pixel further down of a body that falls onto a floor that is too steep for it.
    pub(super) fn slid_down(&self, dir: Dir, contact: Contact) -> Option<Aabb> {
        if self.settings.floor != Some(dir) || !self.may_slide() {
            return None;
        }
        slid_down(self.solids, self.body, dir, contact, self.settings.max_slope)
    }

    /// The normal of the slanted surface that stopped a bouncing body toward `dir`; `None` for a wall or a
    /// level floor. On a straight line the body may be on its way to the next pixel `aside`.
    pub(super) fn slant(&self, dir: Dir, aside: Option<Dir>) -> Option<IVec2> {
        if !self.settings.bounces() || self.done.started_solid {
            return None;
        }
        let next = aside.map(|aside| self.body.shifted(aside, 1));
        let mut places = [Some(self.body), next].into_iter().flatten();
        let place = places.find(|place| !self.solids.can_move(*place, dir, 1))?;
        slant(self.solids, place, dir)
    }

    /// Notes a bounce off a slanted surface. `None` if it is not the first one in the step: then the body
    /// stops, for along the surface its steps would stop the body again and again.
    pub(super) fn reflect(&mut self, normal: IVec2) -> Option<Reflection> {
        let Response::Bounce { restitution } = self.settings.response else {
            return None;
        };
        let normal = normal.to_array().map(|part| part as i16);
        match &mut self.done.reflection {
            Some(reflection) => {
                reflection.second = normal;
                None
            }
            None => {
                self.done.reflection =
                    Some(Reflection::new(normal, restitution, self.done.bounces));
                self.done.reflection
            }
        }
    }

    /// The motion on `axis` after a bounce off a step of a slanted surface, where `left` was still to go, if
    /// the whole motion did not lead into the surface. After a bounce off a slant the body stops instead.
    pub(super) fn bounce_from_step(
        &mut self,
        axis: Axis,
        left: i64,
        leads_in: bool,
    ) -> Option<i64> {
        if leads_in || self.done.reflection.is_some() {
            return None;
        }
        let back = self.bounce(axis, left.unsigned_abs())?;
        Some(signed(Dir::along(axis, left < 0), back))
    }
}

/// The height above the feet of the highest one-way edge that the body lies past, at most `reach` and as far
/// as the body can be moved up; 0 if there is none.
fn edge_above(solids: &ObeyedSolids<'_, impl Solids>, body: Aabb, floor: Dir, reach: u32) -> u32 {
    let up = floor.opposite();
    let raised = solids.sweep(body, up, reach.min(body.room(up))).moved;
    // The path down is free of solids: only a one-way cell stops the body on it.
    raised - solids.sweep(body.shifted(up, raised), floor, raised).moved
}

/// The place one pixel further down of a body that `contact` stops on a floor steeper than `limit`: as near
/// beside its place as a pixel of such a floor can be. `None` where it stands.
pub(super) fn slid_down(
    solids: &ObeyedSolids<'_, impl Solids>,
    body: Aabb,
    floor: Dir,
    contact: Contact,
    limit: Slope,
) -> Option<Aabb> {
    if limit.is_vertical() {
        return None;
    }
    let side = downhill(solids, body, floor, limit)?;
    let run = u32::from(limit.run.div_ceil(limit.rise.max(1)));
    let aside = run.min(2 * SURFACE_REACH as u32);
    solids.around(body, floor, contact, side, aside).map(|(_, place)| place)
}

/// True if `floor` holds a body and is at most as steep as `limit`: the body does not slide down.
pub(super) fn is_standing(
    solids: &ObeyedSolids<'_, impl Solids>,
    body: Aabb,
    floor: Dir,
    limit: Slope,
) -> bool {
    let sweep = solids.sweep(body, floor, 1);
    // A body in a solid, such as one that crosses it, does not slide.
    let slides = |contact| {
        !solids.overlaps(body) && slid_down(solids, body, floor, contact, limit).is_some()
    };
    !sweep.is_clear() && !sweep.contact.is_some_and(slides)
}

/// The translation of a body that stands on `floor`, if it is measured along the slope: its part along the
/// floor's axis is shorter by the cosine of the slope.
pub(super) fn along_slope(
    solids: &ObeyedSolids<'_, impl Solids>,
    body: Aabb,
    floor: Dir,
    translation: I64Vec2,
) -> I64Vec2 {
    let (up, across) = (floor.axis().index(), floor.axis().other().index());
    let normal = normal(solids, body, floor).to_array();
    let mut translation = translation.to_array();
    if normal[across] != 0 && translation[across] != 0 {
        let square = normal.map(|part| u64::from(part.unsigned_abs()).pow(2)).iter().sum::<u64>();
        // In 65,536ths, so that the root is exact to a 65,536th of a pixel.
        let length = (u128::from(square) << 32).isqrt() as i128;
        let cosine = i128::from(normal[up].unsigned_abs()) << 16;
        translation[across] = (i128::from(translation[across]) * cosine / length) as i64;
    }
    translation.into()
}

/// The most pixels that one pixel of the walk goes up or down: the steepest surface.
const STEEPEST: u32 = 8;

/// The changes of the depth toward the floor on the pixels of a walk to one side.
struct Walk {
    changes: [i32; SURFACE_REACH],
    length: usize,
}

impl Walk {
    /// The walk of a body that stands on `floor`. The steps of one straight surface differ by at most a
    /// pixel, so it ends before a step that differs from the last one by more, at a wall and at an abyss.
    fn new(solids: &ObeyedSolids<'_, impl Solids>, body: Aabb, floor: Dir, side: Dir) -> Self {
        let settings = MoverSettings {
            floor: Some(floor),
            step_height: STEEPEST,
            snap_distance: STEEPEST,
            ..MoverSettings::PLAIN
        };
        // A body that started in a solid looks for no slopes.
        let mut done = Move::free(IVec2::ZERO, true, settings.response);
        done.started_solid = true;
        let mut walker = Motion {
            solids,
            settings: &settings,
            body,
            done: &mut done,
            met: None,
            watches_areas: false,
            on_foot: Some(floor),
            is_supported: None,
            intended: [0; 2],
            part: 0,
        };
        let mut walk = Self { changes: [0; SURFACE_REACH], length: 0 };
        while walk.length < SURFACE_REACH && walker.body.room(side) > 0 {
            let before = walker.body;
            let travel = walker.walk(floor, side, 1, false);
            let change = walker.body.edge(floor).min - before.edge(floor).min;
            let change = (change * floor.vector()).element_sum();
            let last = walk.length.checked_sub(1).map(|last| walk.changes[last]);
            let is_other = last.is_some_and(|last| change.abs_diff(last) > 1);
            if travel.moved == 0 || walker.on_foot.is_none() || is_other {
                break;
            }
            walk.changes[walk.length] = change;
            walk.length += 1;
        }
        walk
    }

    /// The most by which a first part of the walk leads down (`sign` 1) or up (-1) more steeply than
    /// `limit`, in pixels times its run; `None` if no part leads there.
    fn excess(&self, sign: i32, limit: Slope) -> Option<i32> {
        let (mut length, mut depth) = (0, 0);
        let parts = self.changes[..self.length].iter().filter_map(|change| {
            (length, depth) = (length + 1, depth + change * sign);
            (depth > 0).then_some(depth * i32::from(limit.run) - length * i32::from(limit.rise))
        });
        parts.max()
    }

    /// The first change; `None` for a walk of no pixels.
    fn first(&self) -> Option<i32> {
        self.changes[..self.length].first().copied()
    }
}

/// The directions along a floor, toward lower and toward greater coordinates.
fn sides(floor: Dir) -> [Dir; 2] {
    [false, true].map(|is_positive| Dir::along(floor.axis().other(), is_positive))
}

/// The walks toward lower and toward greater coordinates along one surface.
fn walks(solids: &ObeyedSolids<'_, impl Solids>, body: Aabb, floor: Dir) -> [Walk; 2] {
    let mut walks = sides(floor).map(|side| Walk::new(solids, body, floor, side));
    // Two sides of a corner are not one surface: the steeper one does not count.
    if let [Some(low), Some(high)] = [walks[0].first(), walks[1].first()]
        && (low + high).abs() > 1
    {
        let steepest = low.abs().max(high.abs());
        for (walk, first) in walks.iter_mut().zip([low, high]) {
            if first.abs() == steepest {
                walk.length = 0;
            }
        }
    }
    walks
}

/// The side to which the surface toward `floor` falls, if it is steeper than `limit`.
///
/// The pixels of a straight surface rise by less than a pixel more than the line does, on any part of it. So
/// a part that rises by more than a pixel over the limit is too steep, and no part of one within it does.
pub(super) fn downhill(
    solids: &ObeyedSolids<'_, impl Solids>,
    body: Aabb,
    floor: Dir,
    limit: Slope,
) -> Option<Dir> {
    let sides = sides(floor);
    let reach = SURFACE_REACH as u32;
    if sides.iter().all(|side| solids.level_run(body, *side, reach, floor) == reach) {
        return None;
    }
    let [low, high] = walks(solids, body, floor);
    let falls = |up: &Walk, down: &Walk| {
        let above = up.excess(-1, limit).unwrap_or(0).max(0);
        down.excess(1, limit).is_some_and(|below| above + below > i32::from(limit.run))
    };
    match (falls(&high, &low), falls(&low, &high)) {
        (true, false) => Some(sides[0]),
        (false, true) => Some(sides[1]),
        // A peak falls to both sides, and the body stands on it.
        _ => None,
    }
}

/// The normal of the surface toward `floor`, which the body touches: out of the solid, without a common
/// divisor of its components.
pub(super) fn normal(solids: &ObeyedSolids<'_, impl Solids>, body: Aabb, floor: Dir) -> IVec2 {
    fitted(&walks(solids, body, floor), floor)
}

/// The normal of the surface toward `floor` off which a body bounces by it; `None` for a level one, on which
/// the walks come to places less than 2 px apart in height, so that a single bump turns no body aside.
pub(super) fn slant(
    solids: &ObeyedSolids<'_, impl Solids>,
    body: Aabb,
    floor: Dir,
) -> Option<IVec2> {
    let walks = walks(solids, body, floor);
    let [low, high] = [0, 1].map(|at| walks[at].changes[..walks[at].length].iter().sum::<i32>());
    let normal = ((high - low).abs() > 1).then(|| fitted(&walks, floor));
    normal.filter(|normal| normal.x != 0 && normal.y != 0)
}

/// The normal of the line of least squares through the places of both walks.
fn fitted(walks: &[Walk; 2], floor: Dir) -> IVec2 {
    // The sums of the line of least squares through the places (x, depth), from (0, 0) on.
    let [mut count, mut sum_x, mut sum_depth, mut sum_xx, mut product] = [1_i32, 0, 0, 0, 0];
    for (walk, step) in walks.iter().zip([-1, 1]) {
        let (mut x, mut depth) = (0, 0);
        for change in &walk.changes[..walk.length] {
            x += step;
            depth += change;
            count += 1;
            (sum_x, sum_depth) = (sum_x + x, sum_depth + depth);
            (sum_xx, product) = (sum_xx + x * x, product + x * depth);
        }
    }
    let rise = count * product - sum_x * sum_depth;
    let run = count * sum_xx - sum_x * sum_x;
    // Half of them is in the range of `i16`, to which a `Reflection` keeps them.
    let is_large = rise.unsigned_abs() > i16::MAX as u32;
    let [rise, run] = [rise, run].map(|part| if is_large { part / 2 } else { part });
    let divisor = greatest_common_divisor(rise.unsigned_abs().into(), run.unsigned_abs().into());
    match run {
        0 => -floor.vector(),
        _ => (sides(floor)[1].vector() * rise - floor.vector() * run) / divisor as i32,
    }
}

/// The bounces of a step of which one is off a slanted surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Reflection {
    /// Out of the surface, of any length but 0.
    pub(super) normal: [i16; 2],
    /// That of the last slanted surface that stopped the body after the first; (0, 0) without one.
    pub(super) second: [i16; 2],
    /// The part of the speed into the surface that comes back, in hundredths.
    restitution: u8,
    /// The number of bounces on each axis before it.
    before: [u8; 2],
}

impl Reflection {
    /// A bounce after `before` bounces on each axis.
    pub(super) const fn new(normal: [i16; 2], restitution: u8, before: [u8; 2]) -> Self {
        Self { normal, second: [0; 2], restitution, before }
    }

    /// The motion after the bounce.
    pub(super) fn of(&self, motion: [i64; 2]) -> [i64; 2] {
        reflected(motion, self.normal, self.restitution)
    }

    /// The velocity after all bounces of a step, of which there were so many on each axis.
    pub(super) fn velocity(&self, velocity: I64Vec2, bounces: [u8; 2]) -> I64Vec2 {
        let after = [0, 1].map(|at| bounces[at].saturating_sub(self.before[at]));
        let velocity = self.of(self.turned(velocity.to_array(), self.before));
        let velocity = reflected(velocity, self.second, self.restitution);
        self.turned(velocity, after).into()
    }

    /// The velocity after so many bounces on each axis.
    fn turned(&self, velocity: [i64; 2], times: [u8; 2]) -> [i64; 2] {
        // The opposite of `i64::MIN` is the highest speed.
        let back = |speed: i64| restored(speed, self.restitution).saturating_neg();
        [0, 1].map(|at| (0..times[at]).fold(velocity[at], |speed, _| back(speed)))
    }
}

/// True if a motion leads into the surface with this normal.
pub(super) fn leads_into(normal: IVec2, motion: [i64; 2]) -> bool {
    let [x, y] = [0, 1].map(|at| i128::from(motion[at]) * i128::from(normal.to_array()[at]));
    x + y < 0
}

/// The vector after a bounce off a surface. One that does not lead into the surface stays as it is.
///
/// Its part along the normal n is (v·n / |n|²) n, and comes back multiplied by the restitution.
fn reflected(vector: [i64; 2], normal: [i16; 2], restitution: u8) -> [i64; 2] {
    let normal = normal.map(i128::from);
    let along = i128::from(vector[0]) * normal[0] + i128::from(vector[1]) * normal[1];
    let square = normal[0] * normal[0] + normal[1] * normal[1];
    if along >= 0 || square == 0 {
        return vector;
    }
    let lost = (100 + i128::from(restitution.min(100))) * along;
    [0, 1].map(|at| {
        let whole = i128::from(vector[at]) * square * 100 - lost * normal[at];
        (whole / (square * 100)) as i64
    })
}

/// The rest of an amount after a bounce, rounded toward zero.
pub(super) fn restored(amount: i64, restitution: u8) -> i64 {
    let part = i64::from(restitution.min(100));
    // In two parts, so that no product overflows.
    amount / 100 * part + amount % 100 * part / 100
}
