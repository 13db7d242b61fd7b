//! One step of a mover: motion along each axis, on foot or in the air, and around corners. [`is_free`] is a
//! shortcut with the same outcome: if one query finds no solid in the box around the path, the step needs no
//! other query. The code works with any [`Solids`], without floats or allocations.

mod straight;
pub(super) mod surface;
mod walk;

use std::cmp::Ordering;

use glam::{I64Vec2, IVec2};

use super::obeyed::ObeyedSolids;
use super::settings::{
    Move, MovePath, MoverSettings, Response, SURFACE_REACH, leads_into, leaves, restored,
};
use super::{Mover, Surface};
use crate::geometry::{Aabb, Axis, Dir, SUBPIXELS, split};
use crate::level::Solids;
use crate::terrain::Contact;

/// The number of subpixels in a pixel: motions are computed in 65,536ths of a pixel.
const PIXEL: u64 = SUBPIXELS as u64;

/// The largest number of pixels that a motion along an axis examines one by one before it ends early.
const MAX_LOOKS: u32 = Mover::MAX_LOOKS;

/// The state of a mover's step while it is carried out.
struct Motion<'a> {
    solids: &'a ObeyedSolids<'a>,
    settings: &'a MoverSettings,
    body: Aabb,
    /// The outcome of the step, filled in during the step.
    done: &'a mut Move,
    /// True if the step records the named areas on its path in [`Move::areas`].
    watches_areas: bool,
    /// The direction of the floor that the body walks on; `None` while the body does not walk.
    on_foot: Option<Dir>,
    /// True if a floor supports the body at its current position; `None` if this is unknown.
    is_supported: Option<bool>,
    /// The translation of this step, without fractions from earlier steps, in 65,536ths of a pixel.
    intended: [i64; 2],
    /// The remaining motion on each axis, in 65,536ths of a pixel. After the step it is the fraction of a
    /// pixel that is carried to the next step.
    due: [i64; 2],
    /// The motion that was not done, because of a solid or of [`MAX_LOOKS`], in 65,536ths of a pixel.
    leftover: [i64; 2],
    /// The fraction of a pixel at the end of the current motion along an axis, in 65,536ths.
    part: u32,
    /// The part of the current motion that was spent on slides along slanted walls, in 65,536ths of a pixel.
    cost: u64,
    /// The motion to the side along slanted walls that is still to do on each axis, in 65,536ths of a pixel.
    slid: [i64; 2],
    /// The first contact with a wall along which the step has slid.
    slid_along: Option<(Dir, Contact)>,
    /// True if the body has landed on a slope from the side ([`Motion::land_at_step`]). This happens at most
    /// once in a step.
    has_landed: bool,
    /// True if the body has passed a corner in this step. Passing a further corner shortens the motion.
    has_turned: bool,
    /// The number of pixels by which one-way edges lifted the body in the air. The motion away from the floor
    /// becomes shorter by this number.
    lifted: u32,
}

/// The outcome of a motion along one axis.
struct Travel {
    /// The distance that the body moved along the axis, in whole pixels.
    moved: u32,
    is_stopped: bool,
    /// True if a solid in the next pixel does not stop the body, because it starts beyond the remaining
    /// fraction of the motion.
    moves_part: bool,
    /// True if the motion ended early, after [`MAX_LOOKS`] examined pixels.
    is_cut: bool,
}

impl Travel {
    fn free(moved: u32) -> Self {
        Self { moved, is_stopped: false, moves_part: false, is_cut: false }
    }
}

/// The outcome of a motion along one axis, including its bounces.
struct End {
    /// The remaining motion with its sign, in 65,536ths of a pixel.
    left: i64,
    is_stopped: bool,
    /// The normal of the slanted surface that stopped a bouncing body; `None` if no such surface stopped it.
    slant: Option<IVec2>,
}

/// A way for a body in the air to pass the solid that stops it.
enum WayAround {
    /// The body slides down a floor that is too steep, to this position one pixel further down.
    Down(Aabb),
    /// The body passes the first corner that it meets in the step, to this position one pixel ahead. There is
    /// free space behind the corner.
    Ahead(Aabb),
    /// The body slides along this slanted wall, or around this corner.
    Along(Wall),
}

/// A wall along which a body slides: a slanted wall, or a corner that is not the first corner in the step.
struct Wall {
    /// The direction, across its motion, in which the body slides along the wall.
    side: Dir,
    /// The distance in pixels to the side after which the body can move one pixel ahead: at least 1.
    aside: u32,
    /// The slope of the wall: `rise` pixels to the side for each `run` pixels ahead.
    rise: u32,
    run: u32,
}

/// The continuation of a motion that a slanted surface has stopped on one axis.
enum Detour {
    /// A slanted surface has reflected the motion on both axes: the body bounced.
    Reflected,
    /// The motion along the first axis leads into a slanted surface, but the motion along both axes does not.
    /// The body may pass the surface if it moves along the other axis first.
    OtherAxisFirst,
}

impl Mover {
    /// Moves the body by `due`, the whole pixels of `translation` and of [`Mover::subpixel`], and the rest.
    /// Stores the outcome in `done`. It is the part of a step that is compiled once for all [`Solids`].
    pub(super) fn travel(
        &mut self,
        solids: &ObeyedSolids<'_>,
        translation: I64Vec2,
        due: (IVec2, IVec2),
        done: &mut Move,
    ) {
        let start = self.body;
        done.areas.0 = solids.areas(start);
        let crosses = self.settings.response == Response::Cross;
        let is_walker = done.was_grounded && !done.started_solid && !crosses;
        let walks_on = self.settings.floor.filter(|_| is_walker);
        let (pixels, subpixel) = match walks_on {
            Some(floor) if self.settings.measures_slopes() => {
                let ground = Surface { solids, body: start, floor };
                split(self.subpixel, ground.along_slope(translation))
            }
            _ => due,
        };
        done.asked = pixels;
        let asked = pixels.as_i64vec2() * PIXEL as i64 + subpixel.as_i64vec2();
        let most = IVec2::splat(Self::MAX_TRANSLATION as i32);
        let is_long = pixels.clamp(-most, most) != pixels;
        let due = if is_long { self.shortened(asked) } else { asked };
        let on_foot = walks_on.filter(|floor| !leaves(asked, *floor));
        // A floor that came under a body in the air, or a one-way floor on which its rise ended, was not the
        // body's floor before the step: the body lands on it.
        done.was_grounded &= self.has_stood();
        let mut motion = Motion {
            watches_areas: solids.has_areas(),
            intended: translation.to_array(),
            due: due.to_array(),
            ..Motion::new(solids, &self.settings, start, on_foot, done)
        };
        motion.travel();
        let Motion { body, due: part, leftover, is_supported, .. } = motion;
        self.body = body;
        self.subpixel = I64Vec2::from_array(part).as_ivec2();
        done.moved = body.min - start.min;
        let leftover = I64Vec2::from_array(leftover) + (asked - due);
        done.leftover = (leftover / PIXEL as i64).as_ivec2();
        done.grounded = is_supported.unwrap_or_else(|| self.is_held(solids));
        if done.grounded
            && let Some(floor) = self.settings.floor
            && (self.settings.bounces() || leaves(translation, floor))
        {
            // A ceiling or a bounce may have changed the velocity.
            let velocity = done.velocity_subpixels(translation);
            done.grounded = self.counts_floor(solids, velocity, false);
        }
        done.areas.2 = solids.areas(body);
        self.count_step(done.grounded);
    }

    /// Returns the motion `asked` of a step, in 65,536ths of a pixel, without what is beyond
    /// [`Mover::MAX_TRANSLATION`].
    #[cold]
    fn shortened(&self, asked: I64Vec2) -> I64Vec2 {
        let most = i64::from(Self::MAX_TRANSLATION) * PIXEL as i64;
        if !matches!(self.settings.path, MovePath::Straight(_)) {
            return asked.clamp(I64Vec2::splat(-most), I64Vec2::splat(most));
        }
        let longest = i128::from(asked.abs().max_element());
        let parts = asked.to_array().map(i128::from);
        parts.map(|along| (along * i128::from(most) / longest) as i64).into()
    }
}

impl<'a> Motion<'a> {
    /// The state before a motion of 0 pixels that starts at `body`.
    #[inline]
    fn new(
        solids: &'a ObeyedSolids<'a>,
        settings: &'a MoverSettings,
        body: Aabb,
        on_foot: Option<Dir>,
        done: &'a mut Move,
    ) -> Self {
        Self {
            solids,
            settings,
            body,
            done,
            watches_areas: false,
            on_foot,
            is_supported: None,
            intended: [0; 2],
            due: [0; 2],
            leftover: [0; 2],
            part: 0,
            cost: 0,
            slid: [0; 2],
            slid_along: None,
            has_landed: false,
            has_turned: false,
            lifted: 0,
        }
    }
}

impl Motion<'_> {
    /// Moves the body by [`Motion::due`], on the path of [`MoverSettings::path`].
    fn travel(&mut self) {
        let mut axes = match self.settings.path {
            MovePath::XThenY => [Axis::X, Axis::Y],
            MovePath::YThenX => [Axis::Y, Axis::X],
            MovePath::Straight(corners) => return self.go_straight(corners),
        };
        let start = self.body;
        let mut may_turn = true;
        while let Some(detour) = self.go_by_axes(axes, may_turn) {
            if let Detour::OtherAxisFirst = detour {
                axes.reverse();
                may_turn = false;
            }
        }
        // The motion leads straight into a slanted wall, and the slide on one axis has undone the motion on
        // the other axis. The body is stopped, so the contact is reported.
        if let Some((dir, contact)) = self.slid_along
            && self.body == start
            && self.done.asked.cmpne(IVec2::ZERO).all()
        {
            self.touch(dir, Some(contact));
        }
    }

    /// Moves along the first of `axes`, then along the second. Returns early with a [`Detour`] if a slanted
    /// surface changes the motion; never with [`Detour::OtherAxisFirst`] unless `may_turn`.
    fn go_by_axes(&mut self, axes: [Axis; 2], may_turn: bool) -> Option<Detour> {
        self.leftover = [0; 2];
        let mut is_stopped = false;
        for axis in axes {
            let at = axis.index();
            if self.slid[at] != 0 || self.lifted != 0 {
                self.take_aside(axis);
            }
            let asked = self.due[at];
            if asked == 0 {
                continue;
            }
            if is_stopped {
                (self.due[at], self.leftover[at]) = (0, asked);
                continue;
            }
            // Only a body that bounces takes the other axis first, and then needs its earlier contacts again.
            let before = self.settings.bounces().then_some(self.done.contacts);
            let mut end = self.go_along(axis, asked);
            if let Some(normal) = end.slant {
                self.due[at] = end.left;
                let leads_in = leads_into(normal, self.due);
                if !leads_in && may_turn {
                    let dir = Dir::along(axis, end.left > 0);
                    *self.done.contacts.get_mut(dir) = before.and_then(|before| before.get(dir));
                    return Some(Detour::OtherAxisFirst);
                }
                if leads_in && let Some(reflection) = self.reflect(normal) {
                    self.due = reflection.of(self.due);
                    return Some(Detour::Reflected);
                }
                if let Some(back) = self.bounce_from_step(axis, end.left, leads_in) {
                    end = self.go_along(axis, back);
                }
            }
            is_stopped = end.is_stopped && self.settings.response == Response::Stop;
            self.keep(axis, &end);
        }
        if self.slid != [0; 2] {
            self.carry_slide(axes[0]);
        }
        None
    }

    /// Stores the remaining motion along `axis`: in `leftover` if the body is stopped, or else in `due`.
    fn keep(&mut self, axis: Axis, end: &End) {
        let (due, leftover) = if end.is_stopped { (0, end.left) } else { (end.left, 0) };
        (self.due[axis.index()], self.leftover[axis.index()]) = (due, leftover);
    }

    /// Adds to the motion along `axis` the slide along slanted walls that the motion along the other axis
    /// caused. If `axis` is the axis of the floor, subtracts [`Motion::lifted`].
    #[cold]
    fn take_aside(&mut self, axis: Axis) {
        let at = axis.index();
        self.due[at] += std::mem::take(&mut self.slid[at]);
        if let Some(floor) = self.settings.floor.filter(|floor| floor.axis() == axis) {
            self.take_lift(floor);
        }
    }

    /// Moves along the axis `first` again, by the slide along slanted walls that the motion along the other
    /// axis caused.
    fn carry_slide(&mut self, first: Axis) {
        let at = first.index();
        self.has_landed = true;
        self.due[at] += std::mem::take(&mut self.slid[at]);
        if self.due[at].unsigned_abs() >= PIXEL {
            let end = self.go_along(first, self.due[at]);
            self.keep(first, &end);
        }
        // This motion can cause a slide along the other axis as well. At most a fraction of a pixel of that
        // slide is carried to the next step.
        let last = first.other().index();
        let slid = self.due[last] + std::mem::take(&mut self.slid[last]);
        self.due[last] = slid.clamp(1 - PIXEL as i64, PIXEL as i64 - 1);
    }

    /// Moves along `axis` by `amount`, in 65,536ths of a pixel. Each bounce reverses the direction.
    fn go_along(&mut self, axis: Axis, amount: i64) -> End {
        let mut dir = Dir::along(axis, amount > 0);
        let mut amount = amount.unsigned_abs();
        loop {
            let room = u64::from(self.body.room(dir)) * PIXEL;
            let travel = self.go(dir, amount.min(room), amount < room);
            let left = amount - self.cost - u64::from(travel.moved) * PIXEL;
            if !travel.is_stopped && !travel.is_cut && amount <= room {
                return End { left: signed(dir, left), is_stopped: false, slant: None };
            }
            let stopped = End { left: signed(dir, left), is_stopped: true, slant: None };
            if travel.is_cut {
                return stopped;
            }
            if travel.is_stopped && self.settings.bounces() {
                let slant = self.slant(dir, None);
                if slant.is_some() {
                    return End { slant, ..stopped };
                }
            }
            let Some(back) = self.bounce(axis, left) else { return stopped };
            (amount, dir) = (back, dir.opposite());
        }
    }

    /// Counts a bounce on `axis` and returns the distance to move back, or `None` if the body does not
    /// bounce. `left` is the remaining distance before the bounce, in the unit of the result.
    fn bounce(&mut self, axis: Axis, left: u64) -> Option<u64> {
        let bounces = &mut self.done.bounces[axis.index()];
        match self.settings.response {
            Response::Bounce { restitution }
                if restitution > 0 && *bounces < MoverSettings::MAX_BOUNCES =>
            {
                *bounces += 1;
                Some(restored(left as i64, restitution) as u64)
            }
            _ => None,
        }
    }

    /// Moves toward `dir` by the whole pixels of `amount`, which is in 65,536ths of a pixel. If `is_next`,
    /// the next pixel is tested as well: a solid there stops the remaining fraction of a pixel.
    fn go(&mut self, dir: Dir, amount: u64, is_next: bool) -> Travel {
        self.is_supported = None;
        let distance = (amount / PIXEL) as u32;
        let part = (amount % PIXEL) as u32;
        (self.part, self.cost) = (part, 0);
        if self.settings.response == Response::Cross {
            self.cross(dir, distance);
            return Travel::free(distance);
        }
        match self.on_foot {
            Some(floor) if floor.axis() != dir.axis() => self.walk(floor, dir, distance, is_next),
            _ => self.fly(dir, distance, is_next),
        }
    }

    /// Moves the body through solids, and reports the first contact.
    fn cross(&mut self, dir: Dir, distance: u32) {
        let sweep = self.solids.sweep(self.body, dir, distance);
        self.touch(dir, sweep.contact);
        self.advance(dir, distance);
    }

    /// Moves a body that is in the air or has no floor by `distance` pixels toward `dir`, and around corners.
    /// If `is_next` and [`Motion::part`] is not 0, the next pixel is tested as well.
    fn fly(&mut self, dir: Dir, distance: u32, is_next: bool) -> Travel {
        let travel = self.fly_on(dir, distance, is_next);
        // The next pixel has been tested if a fraction of the motion remains and corners are not corrected.
        let is_known = is_next && self.part > 0 && self.settings.corner_correction.get(dir) == 0;
        let has_ended = travel.is_stopped || !travel.is_cut && is_known;
        if self.settings.floor == Some(dir) && has_ended {
            // A body that may not slide also stops on a floor that is too steep, so the stop does not prove
            // support.
            let is_sure = self.may_slide() || self.settings.max_slope.is_vertical();
            self.is_supported = Some(travel.is_stopped).filter(|_| !travel.moves_part && is_sure);
        }
        travel
    }

    fn fly_on(&mut self, dir: Dir, distance: u32, is_next: bool) -> Travel {
        let mut due = distance;
        let mut moved = 0;
        let mut looks = 0..MAX_LOOKS;
        loop {
            let ahead = is_next && self.part > 0;
            let sweep = self.solids.sweep(self.body, dir, due + u32::from(ahead));
            let free = sweep.moved.min(due);
            if free > 0 {
                let (gone, is_on_line) = self.glide(dir, free, &mut looks);
                (due, moved) = (due - gone, moved + gone);
                if !is_on_line && gone < free && looks.is_empty() {
                    return Travel { is_cut: true, ..Travel::free(moved) };
                }
                if !is_on_line {
                    continue;
                }
            }
            let Some(contact) = sweep.contact else { return Travel::free(moved) };
            if due == 0 && self.solids.can_move_part(self.body, dir, self.part) {
                return Travel { moves_part: true, ..Travel::free(moved) };
            }
            if let Some(floor) = self.land_at_step(dir, contact) {
                let walked = self.walk(floor, dir, due, is_next);
                return Travel { moved: moved + walked.moved, ..walked };
            }
            let around = self.corner(dir, contact);
            let Some(way) = around.or_else(|| self.slid_down(dir, contact).map(WayAround::Down))
            else {
                self.touch(dir, Some(contact));
                return Travel { is_stopped: true, ..Travel::free(moved) };
            };
            let may_go_on = match &way {
                WayAround::Along(wall) => due > 0 || self.slides_around(wall),
                _ => due > 0,
            };
            if !may_go_on {
                return Travel::free(moved);
            }
            if looks.next().is_none() {
                return Travel { is_cut: true, ..Travel::free(moved) };
            }
            let place = match way {
                WayAround::Down(place) => place,
                WayAround::Ahead(place) => {
                    self.has_turned = true;
                    place
                }
                WayAround::Along(wall) => {
                    self.slid_along = self.slid_along.or(Some((dir, contact)));
                    let left = u64::from(due) * PIXEL + u64::from(self.part);
                    let (cost, is_past) = self.slide(&wall, left);
                    self.cost += cost;
                    due = ((left - cost) / PIXEL) as u32;
                    self.part = ((left - cost) % PIXEL) as u32;
                    if is_past {
                        continue;
                    }
                    return Travel::free(moved);
                }
            };
            self.put(place);
            (due, moved) = (due - 1, moved + 1);
        }
    }

    /// Returns a way around the solid that stops the body, or `None` if [`MoverSettings::corner_correction`]
    /// allows none. A correction against the intended direction needs a larger intended motion along `dir`.
    /// Without this rule, a body that moves diagonally into a corner would stay there: the corrections on
    /// both axes would undo each other.
    fn corner(&self, dir: Dir, contact: Contact) -> Option<WayAround> {
        let limit = self.settings.corner_correction.get(dir).min(MoverSettings::MAX_CORRECTION);
        if limit == 0 || self.done.started_solid || self.on_foot == Some(dir) {
            return None;
        }
        let cross = dir.axis().other();
        let low = Dir::along(cross, false);
        let high = Dir::along(cross, true);
        let intended = self.intended[cross.index()];
        let along = self.intended[dir.axis().index()];
        // A bounce turns the body against its intended direction.
        let is_steered_on = (along > 0) == dir.is_positive();
        let is_weaker = is_steered_on && intended.unsigned_abs() < along.unsigned_abs();
        let [low, high] = [low, high].map(|side| {
            let is_against = intended != 0 && (intended > 0) != side.is_positive();
            if is_against && !is_weaker {
                return None;
            }
            let is_up = self.settings.floor == Some(side.opposite());
            // A body is lifted from its floor by at most `limit`, the corner correction toward `dir`.
            let longest = if is_up { limit } else { self.settings.longest_aside(dir) };
            let (distance, place) = self.solids.around(self.body, dir, contact, side, longest)?;
            let is_possible = !is_up || !self.is_too_steep(place, dir, side.opposite());
            is_possible.then_some((side, distance, place))
        });
        let (side, aside, place) = match (low, high) {
            (Some(low), Some(high)) => match low.1.cmp(&high.1).then(intended.cmp(&0)) {
                Ordering::Less => low,
                Ordering::Greater => high,
                Ordering::Equal => return None,
            },
            (low, high) => low.or(high)?,
        };
        let reach = SURFACE_REACH as u32;
        // The number of pixels ahead up to the next stair of a slanted wall. The slope follows from this
        // number.
        let run = 1 + self.solids.sweep(place, dir, reach).moved;
        let is_slanted = run <= reach;
        if aside > limit && run > 1 {
            return None;
        }
        if !is_slanted && !self.has_turned && !self.settings.slides_around_corners {
            return Some(WayAround::Ahead(place));
        }
        // The body may have passed a part of the stair already.
        let behind = self.solids.sweep(self.body, side.opposite(), reach);
        let behind = behind.contact.map_or(0, |_| behind.moved);
        Some(WayAround::Along(Wall { side, aside, rise: aside + behind, run }))
    }

    /// True if the body slides around this corner: each part of its motion is a motion to the side.
    fn slides_around(&self, wall: &Wall) -> bool {
        self.settings.slides_around_corners && wall.run > SURFACE_REACH as u32
    }

    /// Moves the body to the side along one stair of a slanted wall. `left` is the remaining motion toward
    /// the wall, in 65,536ths of a pixel. Returns the used part of `left`, and true if the body is past the
    /// stair.
    ///
    /// The projection of a motion v on the wall is v run^2 / (run^2 + rise^2) ahead and v run rise / (run^2 +
    /// rise^2) to the side. So the price of a pixel to the side is rise / run pixels of the motion.
    fn slide(&mut self, wall: &Wall, left: u64) -> (u64, bool) {
        let Wall { side, .. } = *wall;
        let [aside, rise, run] = [wall.aside, wall.rise, wall.run].map(u64::from);
        // The smallest price of a pixel to the side, in pixels of the motion. At the first corner of a step,
        // `aside` pixels to the side use `aside` - 1 pixels of the motion; at later corners they use `aside`
        // pixels. So only the first corner is passed without shortening the motion.
        let least = if self.has_turned { PIXEL } else { PIXEL * (aside - 1) / aside };
        let is_even = self.slides_around(wall);
        let price = if is_even { PIXEL } else { (PIXEL * rise).div_ceil(run).max(least) };
        let passed = aside.min(left / price);
        self.advance(side, passed as u32);
        let cost = passed * price;
        if passed == aside {
            return (cost, true);
        }
        let rest = left - cost;
        if is_even {
            self.slid[side.axis().index()] += signed(side, rest);
            return (left, false);
        }
        let square = rise * rise + run * run;
        self.slid[side.axis().index()] += signed(side, rest * rise * run / square);
        (cost + (rest * rise * rise).div_ceil(square), false)
    }

    /// Moves the body by `distance` pixels toward `dir` without a test for solids, and records the areas on
    /// the way.
    fn advance(&mut self, dir: Dir, distance: u32) {
        if self.watches_areas {
            self.done.areas.1 |= self.solids.areas_passed(self.body, dir, distance);
        }
        self.body = self.body.shifted(dir, distance);
    }

    /// Moves the body to the box `place` without a test for solids, and records the areas there.
    fn put(&mut self, place: Aabb) {
        if self.watches_areas {
            self.done.areas.1 |= self.solids.areas(place);
        }
        self.body = place;
    }

    /// Reports a contact that stops the body, or the first contact of a body that crosses solids.
    /// [`Move::contacts`] keeps the first contact on each side.
    fn touch(&mut self, dir: Dir, contact: Option<Contact>) {
        let first = self.done.contacts.get_mut(dir);
        *first = first.or(contact);
    }
}

/// Returns `amount`, negated if `dir` is left or up. The code has no branch, because it would often be
/// mispredicted.
fn signed(dir: Dir, amount: u64) -> i64 {
    amount as i64 * (2 * i64::from(dir.is_positive()) - 1)
}

/// The longest step on each axis, in pixels, for which the shortcut [`is_free`] is tried. The box around a
/// longer path has far more pixels than the body's leading edges sweep.
const LONGEST: i32 = 32;

/// The bounds of a body for which no sum in [`is_free`] overflows.
const NEAR: Aabb =
    Aabb { min: IVec2::splat(i32::MIN + LONGEST + 2), max: IVec2::splat(i32::MAX - LONGEST - 2) };

/// True only if a step of `mover` touches no solid and ends on no floor, so that the whole motion can be
/// done. The step is `pixels` and a fraction of the next pixel, `subpixel`. `was_grounded` is true if the
/// mover stands on a floor before the step. False if the shortcut cannot be used.
#[inline]
pub(super) fn is_free(
    mover: &Mover,
    (solids, obeyed): (&impl Solids, &ObeyedSolids<'_>),
    (pixels, subpixel): (IVec2, IVec2),
    was_grounded: bool,
) -> bool {
    let Mover { body, settings, .. } = mover;
    // A motion of a whole pixel away from the floor leaves the floor, so the path need not include the pixel
    // below.
    let below = settings.floor.filter(|floor| !leaves(pixels.as_i64vec2(), *floor));
    if was_grounded && (below.is_some() || settings.measures_slopes()) {
        return false;
    }
    // A box whose `min` is above its `max` is empty, but its leading edges are stopped by solids.
    let is_candidate = body.min.cmple(body.max).all()
        && body.min.cmpgt(NEAR.min).all()
        && body.max.cmplt(NEAR.max).all()
        && pixels.cmple(IVec2::splat(LONGEST)).all()
        && pixels.cmpge(IVec2::splat(-LONGEST)).all()
        && obeyed.footprint.is_none()
        && !obeyed.has_areas();
    if !is_candidate {
        return false;
    }
    let sum = pixels + subpixel; // The path includes the next pixel.
    let reach = pixels + sum.signum();
    let below = below.map_or(IVec2::ZERO, Dir::vector);
    let path = Aabb {
        min: body.min + reach.min(below).min(IVec2::ZERO),
        max: body.max + reach.max(below).max(IVec2::ZERO),
    };
    let x = (sum.x != 0).then(|| Dir::along(Axis::X, sum.x > 0));
    let y = (sum.y != 0).then(|| Dir::along(Axis::Y, sum.y > 0));
    let floor = settings.floor.filter(|floor| x != Some(*floor) && y != Some(*floor));
    !(solids.overlaps_aabb(path)
        || x.is_some_and(|dir| is_guarded(solids, obeyed, path, dir))
        || y.is_some_and(|dir| is_guarded(solids, obeyed, path, dir))
        || floor.is_some_and(|dir| is_guarded(solids, obeyed, path, dir)))
}

/// True if a one-way cell on the path may stop the mover's motion toward `dir`.
#[inline]
fn is_guarded(solids: &impl Solids, obeyed: &ObeyedSolids<'_>, path: Aabb, dir: Dir) -> bool {
    obeyed.obeys(dir) && solids.has_one_way(path, dir)
}
