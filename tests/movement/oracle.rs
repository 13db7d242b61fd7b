//! A second mover, written from the documentation. It moves one pixel at a time, and looks up every pixel.

mod slopes;
mod straight;

use crate::support::{SubpixelSteps, VelocityLeft};
use bitwall::glam::{I64Vec2, IVec2};
use bitwall::{
    Aabb, Axis, Dir, Level, Move, Mover, MoverSettings, Sides,
    mover::{MovePath, Response, WalkSpeed},
};

use crate::movement::random::{PIXEL, Plan};
use slopes::{along_slope, leads_into};

/// The parts of a step's outcome that the mover and the oracle must agree on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Seen {
    pub(crate) body: Aabb,
    pub(crate) subpixel: IVec2,
    pub(crate) asked: IVec2,
    pub(crate) moved: IVec2,
    pub(crate) leftover: IVec2,
    pub(crate) stopped: Sides<bool>,
    pub(crate) started_solid: bool,
    pub(crate) grounded: [bool; 2],
    pub(crate) bounces: [u8; 2],
    pub(crate) slant: Option<IVec2>,
}

impl Seen {
    pub(crate) fn of(mover: &Mover, step: &Move) -> Self {
        let contact = |dir| step.contacts.get(dir).is_some();
        Self {
            body: mover.body,
            subpixel: mover.subpixel,
            asked: step.asked,
            moved: step.moved,
            leftover: step.leftover,
            stopped: Sides {
                left: contact(Dir::Left),
                right: contact(Dir::Right),
                up: contact(Dir::Up),
                down: contact(Dir::Down),
            },
            started_solid: step.started_solid,
            grounded: [step.was_grounded, step.grounded],
            bounces: [step.bounces(Axis::X), step.bounces(Axis::Y)],
            slant: step.slanted_bounce(),
        }
    }
}

/// Computes the step by `translation`, in 65,536ths of a pixel.
pub(crate) fn step(plan: &Plan, level: &Level, mover: Mover, translation: I64Vec2) -> Seen {
    let intended = translation;
    let mut oracle = Oracle {
        plan,
        level,
        mover,
        body: mover.body,
        lean: intended,
        on_foot: None,
        is_forgiving: false,
        stopped: Sides::all(false),
        bounces: [0; 2],
        slant: None,
        slid: [0; 2],
        slid_along: None,
        later: 0,
        may_land: false,
        has_turned: false,
        lifted: 0,
    };
    let started_solid = oracle.overlaps(mover.body);
    let stood = [0, u32::MAX].contains(&mover.steps_since_grounded);
    let is_held = oracle.is_held(translation, stood);
    let was_grounded = is_held && stood;
    let is_walker = is_held && !started_solid && !oracle.crosses();
    let total = mover.subpixel.as_i64vec2()
        + match mover.settings.floor.filter(|_| is_walker && !oracle.is_straight()) {
            Some(floor) if mover.settings.walk_speed == WalkSpeed::AlongSlope => {
                along_slope(translation, floor, mover.surface_normal(level, floor).unwrap())
            }
            _ => translation,
        };
    let leaves = |floor: Dir| {
        let along = floor.vector().as_i64vec2() * total;
        along.x < 0 || along.y < 0
    };
    oracle.on_foot = (mover.settings.floor).filter(|floor| is_walker && !leaves(*floor));
    oracle.is_forgiving = !started_solid;
    let slides = !matches!(mover.settings.response, Response::Stop | Response::Cross);
    oracle.may_land = !started_solid && slides && !oracle.bounces();
    let rests = match mover.settings.path {
        MovePath::XThenY => oracle.axes(total, [0, 1], true),
        MovePath::YThenX => oracle.axes(total, [1, 0], true),
        MovePath::Straight(corners) => oracle.straight(total, corners),
    };
    // If the body moves straight into a slanted wall, a slide on one axis undoes the motion on the other.
    if total.to_array().iter().all(|amount| amount.abs() >= PIXEL)
        && oracle.body == mover.body
        && let Some(dir) = oracle.slid_along
    {
        oracle.stop(dir);
    }
    // The velocity that a ceiling or a bounce leaves has tests of its own.
    let velocity = { mover }.step_subpixels(level, translation).velocity_subpixels(translation);
    let grounded = oracle.is_held(velocity, false);
    Seen {
        body: oracle.body,
        subpixel: IVec2::from_array(rests.map(|rest| rest.subpixel as i32)),
        asked: IVec2::new((total.x / PIXEL) as i32, (total.y / PIXEL) as i32),
        moved: oracle.body.min - mover.body.min,
        leftover: IVec2::from_array(rests.map(|rest| (rest.leftover / PIXEL) as i32)),
        stopped: oracle.stopped,
        started_solid,
        grounded: [was_grounded, grounded],
        bounces: oracle.bounces,
        slant: oracle.slant,
    }
}

#[derive(Clone, Copy, Default)]
struct Rest {
    subpixel: i64,
    leftover: i64,
}

struct Oracle<'a> {
    plan: &'a Plan,
    level: &'a Level,
    mover: Mover,
    body: Aabb,
    lean: I64Vec2,
    on_foot: Option<Dir>,
    is_forgiving: bool,
    stopped: Sides<bool>,
    bounces: [u8; 2],
    slant: Option<IVec2>,
    /// The motion on each axis that slides along slanted walls add.
    slid: [i64; 2],
    /// The direction in which the body met the first slanted wall.
    slid_along: Option<Dir>,
    /// The motion on the second axis that is still to come.
    later: i64,
    may_land: bool,
    /// True after the body was moved past the first corner in the step.
    has_turned: bool,
    /// The pixels by which one-way edges lifted the body in the air. Its motion away from the floor is
    /// shorter by them.
    lifted: u32,
}

/// A way past a solid that stops the body.
enum Next {
    /// One pixel further.
    On(Aabb),
    /// One pixel further, past a corner.
    PastCorner(Aabb),
    /// To the side along a slanted wall: the direction, the largest number of pixels, and the rise and run of
    /// the wall.
    Along(Dir, u32, [i64; 2]),
}

fn dir(axis: usize, amount: i64) -> Dir {
    match (axis, amount > 0) {
        (0, false) => Dir::Left,
        (0, true) => Dir::Right,
        (_, false) => Dir::Up,
        (_, true) => Dir::Down,
    }
}

/// Returns the line of pixels next to the box toward `dir`.
pub(crate) fn line(body: Aabb, dir: Dir) -> Aabb {
    match dir {
        Dir::Left => Aabb::from_xywh(body.min.x - 1, body.min.y, 1, body.height() as i32),
        Dir::Right => Aabb::from_xywh(body.max.x, body.min.y, 1, body.height() as i32),
        Dir::Up => Aabb::from_xywh(body.min.x, body.min.y - 1, body.width() as i32, 1),
        Dir::Down => Aabb::from_xywh(body.min.x, body.max.y, body.width() as i32, 1),
    }
}

pub(crate) fn pixels(area: Aabb) -> impl Iterator<Item = IVec2> {
    (area.min.y..area.max.y)
        .flat_map(move |y| (area.min.x..area.max.x).map(move |x| IVec2::new(x, y)))
}

impl Oracle<'_> {
    fn crosses(&self) -> bool {
        self.mover.settings.response == Response::Cross
    }

    fn overlaps(&self, body: Aabb) -> bool {
        pixels(body).any(|pixel| self.plan.is_solid(pixel))
    }

    fn stops(&self, pixel: IVec2, dir: Dir) -> bool {
        self.plan.stops(pixel, dir, self.mover.settings.one_way)
    }

    /// True if the body can move one pixel toward `dir`.
    fn can(&self, body: Aabb, dir: Dir) -> bool {
        pixels(line(body, dir)).all(|pixel| !self.stops(pixel, dir))
    }

    fn is_straight(&self) -> bool {
        matches!(self.mover.settings.path, MovePath::Straight(_))
    }

    /// True if the body stands on its floor. A one-way floor counts only if the velocity does not lead away
    /// from it, or if the body stood on it after its last step.
    fn is_held(&mut self, velocity: I64Vec2, stood: bool) -> bool {
        let Some(floor) = self.mover.settings.floor else { return false };
        let along = (velocity * floor.vector().as_i64vec2()).element_sum();
        let obeyed = self.mover.settings.one_way;
        if along < 0 && !stood {
            self.mover.settings.one_way = obeyed.with(floor.opposite(), false);
        }
        let slides = !self.overlaps(self.body) && self.slid_down(floor).is_some();
        let is_held = !self.can(self.body, floor) && !slides;
        self.mover.settings.one_way = obeyed;
        is_held
    }

    /// Records a contact.
    fn stop(&mut self, dir: Dir) {
        self.stopped = self.stopped.with(dir, true);
    }

    /// Returns the part of `left` that a bounce returns; `None` if the body does not bounce.
    fn bounced(&self, left: i64) -> Option<i64> {
        match self.mover.settings.response {
            Response::Bounce { restitution: 0 } => None,
            Response::Bounce { restitution } => Some(left * i64::from(restitution.min(100)) / 100),
            _ => None,
        }
    }

    fn bounces(&self) -> bool {
        let response = self.mover.settings.response;
        matches!(response, Response::Bounce { restitution } if restitution > 0)
    }

    fn axes(&mut self, total: I64Vec2, order: [usize; 2], may_turn: bool) -> [Rest; 2] {
        let mut rests = [Rest::default(); 2];
        let mut is_stopped = false;
        let mut due = total.to_array();
        let mut motion = due;
        for (turn, axis) in [order[0], order[1], order[0]].into_iter().enumerate() {
            // A slide on the second axis may have added motion to the first axis.
            let before = if turn == 2 { motion[axis] } else { due[axis] };
            let mut amount = before + std::mem::take(&mut self.slid[axis]);
            let floor = self.mover.settings.floor.filter(|floor| floor.axis() as usize == axis);
            if let Some(floor) = floor.filter(|_| turn < 2) {
                let away = if floor.is_positive() { -1 } else { 1 };
                let lifted = PIXEL * i64::from(std::mem::take(&mut self.lifted));
                if amount * away > 0 {
                    amount = away * (amount.abs() - lifted).max(0);
                }
            }
            if turn == 2 && amount.abs() < PIXEL {
                motion[axis] = amount;
                rests[axis].subpixel = amount;
                continue;
            }
            motion[axis] = amount;
            if amount == 0 {
                continue;
            }
            if is_stopped && self.mover.settings.response == Response::Stop {
                rests[axis].leftover = amount;
                continue;
            }
            let stopped = self.stopped;
            let slant;
            if turn == 0 {
                self.later = std::mem::take(&mut due[1 - axis]);
            }
            (rests[axis], is_stopped, slant) = self.axis(axis, amount);
            due[1 - axis] += std::mem::take(&mut self.later);
            motion[axis] = rests[axis].subpixel;
            let Some(normal) = slant else { continue };
            motion[axis] = rests[axis].leftover;
            let leads_in = leads_into(normal, motion);
            if !leads_in && may_turn {
                // Starts again with the other axis first.
                let toward = dir(axis, motion[axis]);
                self.stopped = self.stopped.with(toward, stopped.get(toward));
                return self.axes(motion.into(), [order[1], order[0]], false);
            }
            if leads_in && self.slant.is_none() {
                self.slant = slant;
                return self.axes(self.after_slant(motion).into(), order, may_turn);
            }
            motion[axis] = 0;
            if let Some(back) = self.back_from_step(axis, rests[axis].leftover, leads_in) {
                (rests[axis], is_stopped, _) = self.axis(axis, back);
                motion[axis] = rests[axis].subpixel;
            }
        }
        let last = &mut rests[order[1]].subpixel;
        *last = (*last + std::mem::take(&mut self.slid[order[1]])).clamp(1 - PIXEL, PIXEL - 1);
        rests
    }

    /// Moves the whole distance along an axis, with bounces. Ends at a bounce off a slanted surface.
    fn axis(&mut self, axis: usize, mut amount: i64) -> (Rest, bool, Option<IVec2>) {
        loop {
            let toward = dir(axis, amount);
            let (left, is_stopped) = self.go(toward, amount.abs());
            let left = amount.signum() * left;
            if !is_stopped {
                let subpixel = left;
                return (Rest { subpixel, leftover: 0 }, false, None);
            }
            let slant = self.slant(toward, None);
            match self.bounced(left.abs()) {
                Some(back)
                    if slant.is_none() && self.bounces[axis] < MoverSettings::MAX_BOUNCES =>
                {
                    self.bounces[axis] += 1;
                    amount = -amount.signum() * back;
                }
                _ => {
                    let leftover = left;
                    return (Rest { subpixel: 0, leftover }, true, slant);
                }
            }
        }
    }

    /// Lets a falling body land that a step of a slope stops: once per step, if the floor is within its fall,
    /// and the step is low enough from there. The body then walks.
    fn land_at_step(&mut self, dir: Dir) {
        let MoverSettings { floor, step_height, .. } = self.mover.settings;
        let Some(floor) = floor.filter(|floor| floor.axis() != dir.axis()) else { return };
        let toward = if floor.is_positive() { 1 } else { -1 };
        let falls = self.later * toward > 0 && self.on_foot.is_none();
        if !self.may_land || !falls || self.can(self.body, dir) {
            return;
        }
        let start = self.body;
        let far = (0..step_height).take_while(|far| i64::from(*far) * PIXEL <= self.later.abs());
        let lands = |far: &u32| !self.can(start.shifted(floor, *far), floor);
        let Some(fallen) = far.into_iter().find(lands) else { return };
        let climb = self.around(dir, floor.opposite(), step_height - fallen);
        let climb = climb.filter(|(_, place)| self.downhill(*place, floor) != Some(dir.opposite()));
        self.body = start.shifted(floor, fallen);
        if climb.is_none() || self.slid_down(floor).is_some() {
            self.body = start;
            return;
        }
        self.later -= toward * i64::from(fallen) * PIXEL;
        (self.on_foot, self.may_land) = (Some(floor), false);
    }

    /// Moves pixel by pixel. For a fraction of a pixel, tests the next pixel. Returns the motion that is
    /// left, and true if a solid stopped the body.
    fn go(&mut self, dir: Dir, amount: i64) -> (i64, bool) {
        let mut left = amount;
        while left >= PIXEL {
            if self.crosses() {
                if !self.can(self.body, dir) {
                    self.stop(dir);
                }
                self.body = self.body.shifted(dir, 1);
                left -= PIXEL;
                continue;
            }
            self.land_at_step(dir);
            let before = self.body;
            match self.next(dir) {
                Some(Next::On(place)) => self.body = place,
                Some(Next::PastCorner(place)) => {
                    self.body = place;
                    self.has_turned = true;
                }
                Some(Next::Along(side, aside, slope)) => {
                    self.slid_along = self.slid_along.or(Some(dir));
                    let is_past;
                    (left, is_past) = self.slide(side, aside, slope, left);
                    if !is_past {
                        return (left, false);
                    }
                    continue;
                }
                None => {
                    self.stop(dir);
                    return (left, true);
                }
            }
            left -= PIXEL;
            match self.on_foot {
                None if self.body == before.shifted(dir, 1) => self.rise_with_slope(dir, before),
                _ => self.stay_on_floor(dir, before),
            }
            if let Some(floor) = self.walks(dir)
                && self.downhill(self.body, floor) == Some(dir.opposite())
                && (0..16).any(|ahead| !self.can(before.shifted(dir, ahead), dir))
            {
                // The body stands on a tread of a slope that is too steep, and the next step is in reach.
                self.body = before;
                self.stop(dir);
                return (left + PIXEL, true);
            }
        }
        if left > 0 {
            self.land_at_step(dir);
        }
        let is_stopped = left > 0 && !self.crosses() && self.next(dir).is_none();
        if is_stopped {
            self.stop(dir);
        }
        (left, is_stopped)
    }

    /// Moves to the side pixel by pixel. Each pixel uses a part of the motion `left`; the rest is divided
    /// between the axes.
    fn slide(
        &mut self,
        side: Dir,
        aside: u32,
        [rise, run]: [i64; 2],
        mut left: i64,
    ) -> (i64, bool) {
        let least =
            if self.has_turned { PIXEL } else { PIXEL * (i64::from(aside) - 1) / i64::from(aside) };
        let price = ((PIXEL * rise + run - 1) / run).max(least);
        for _ in 0..aside {
            if left < price {
                let square = rise * rise + run * run;
                let sign = if side.is_positive() { 1 } else { -1 };
                self.slid[side.axis() as usize] += sign * (left * rise * run / square);
                return (left - (left * rise * rise + square - 1) / square, false);
            }
            self.body = self.body.shifted(side, 1);
            left -= price;
        }
        (left, true)
    }

    fn walks(&self, dir: Dir) -> Option<Dir> {
        self.on_foot.filter(|floor| floor.axis() != dir.axis())
    }

    /// Returns the body's position after one more pixel, before it is moved down to the floor.
    fn next(&self, dir: Dir) -> Option<Next> {
        if self.can(self.body, dir) {
            return Some(Next::On(self.body.shifted(dir, 1)));
        }
        if let Some(floor) = self.walks(dir) {
            let climb = self.around(dir, floor.opposite(), self.mover.settings.step_height);
            let place = climb.map(|(_, place)| place);
            let place = place.filter(|place| self.downhill(*place, floor) != Some(dir.opposite()));
            return place.map(Next::On);
        }
        if !self.is_forgiving || self.on_foot == Some(dir) {
            return None;
        }
        let falls = self.mover.settings.floor == Some(dir) && self.on_foot.is_none();
        let falls = falls && !self.bounces();
        let slide = || self.slid_down(dir).filter(|_| falls).map(Next::On);
        self.past_corner(dir).or_else(slide)
    }

    /// Returns the way past the corner, or along the slanted wall, that stops the body.
    fn past_corner(&self, dir: Dir) -> Option<Next> {
        let limit = self.mover.settings.corner_correction.get(dir);
        if limit == 0 {
            return None;
        }
        let cross = 1 - dir.axis() as usize;
        // If the motion across `dir` is at least as large as the motion along `dir`, the body is moved aside
        // only in the direction of that motion.
        let lean = self.lean.to_array();
        let onward = lean[1 - cross] * if dir.is_positive() { 1 } else { -1 };
        let keeps = lean[cross].abs() >= onward;
        let side = |sign: i64| match keeps && lean[cross] * sign < 0 {
            true => None,
            false => {
                let side = self::dir(cross, sign);
                let floor = side.opposite();
                // A wall lifts the body from its floor by at most the corner correction.
                let is_up = self.mover.settings.floor == Some(floor);
                let longest = if is_up { limit } else { limit.max(8) };
                let place =
                    self.around(dir, side, longest).map(|(far, place)| (far, (place, side)));
                place.filter(|(_, (place, _))| {
                    self.mover.settings.floor != Some(floor)
                        || self.downhill(*place, floor) != Some(dir.opposite())
                })
            }
        };
        let (low, high) = (side(-1), side(1));
        let nearest = match (low, high) {
            (Some((near, _)), Some((far, _))) if near < far => low,
            (Some((far, _)), Some((near, _))) if near < far => high,
            (Some(_), Some(_)) => match self.lean.to_array()[cross].signum() {
                -1 => low,
                1 => high,
                _ => None,
            },
            _ => low.or(high),
        };
        let (aside, (place, side)) = nearest?;
        let run = 1 + (0..8).take_while(|ahead| self.can(place.shifted(dir, *ahead), dir)).count();
        if aside > limit && run > 1 {
            return None;
        }
        if run > 8 && !self.has_turned {
            return Some(Next::PastCorner(place));
        }
        let back = side.opposite();
        let behind = (0..8).find(|behind| !self.can(self.body.shifted(back, *behind), back));
        Some(Next::Along(side, aside, [i64::from(aside + behind.unwrap_or(0)), run as i64]))
    }

    /// Moves aside over free pixels until the next position is free of solids, then one pixel further. A
    /// one-way cell is not a corner.
    fn around(&self, dir: Dir, side: Dir, limit: u32) -> Option<(u32, Aabb)> {
        let mut aside = self.body;
        for distance in 1..=limit {
            if !self.overlaps(aside.shifted(dir, 1)) || !self.can(aside, side) {
                return None;
            }
            aside = aside.shifted(side, 1);
            let place = aside.shifted(dir, 1);
            if !self.overlaps(place) {
                return self.can(aside, dir).then_some((distance, place));
            }
        }
        None
    }

    /// Returns the height above the feet of the highest one-way edge inside the body. It is at most `limit`,
    /// and at most the distance that the body can move up.
    fn edge_above(&self, body: Aabb, floor: Dir, limit: u32) -> u32 {
        let up = floor.opposite();
        let free = (0..limit).take_while(|height| self.can(body.shifted(up, *height), up)).count();
        let is_held = |height: &u32| !self.can(body.shifted(up, *height), floor);
        (1..=free as u32).rev().find(is_held).unwrap_or(0)
    }

    /// Moves the body up onto a one-way edge after a pixel in the air, if the edge is within a step of the
    /// floor that was below. So the body does not cross a slope from above.
    fn rise_with_slope(&mut self, dir: Dir, before: Aabb) {
        let floor = self.mover.settings.floor.filter(|floor| floor.axis() != dir.axis());
        let Some(floor) = floor.filter(|_| self.is_forgiving) else { return };
        let limit = self.mover.settings.step_height;
        let below = (0..limit).find(|below| !self.can(before.shifted(floor, *below), floor));
        let Some(below) = below.filter(|_| self.mover.settings.one_way.get(floor.opposite()))
        else {
            return;
        };
        let head = if floor.axis() == Axis::X { before.width() } else { before.height() };
        let height = self.edge_above(self.body, floor, (limit - below).min(head));
        if height > 0 && self.edge_above(before, floor, limit + height) == 0 {
            self.body = self.body.shifted(floor.opposite(), height);
            self.lifted += height;
        }
    }

    /// Moves the body up onto a one-way edge after a pixel on foot, or down to a floor that is near enough.
    /// If there is none, the body flies. A body below a one-way floor is not moved up.
    fn stay_on_floor(&mut self, dir: Dir, before: Aabb) {
        let Some(floor) = self.walks(dir) else {
            return;
        };
        let along = self.body.min - before.min;
        let climbed = (along * -floor.vector()).element_sum() as u32;
        let limit = self.mover.settings.step_height;
        let height = match self.mover.settings.one_way.get(floor.opposite()) {
            true => self.edge_above(self.body, floor, limit - climbed),
            false => 0,
        };
        if height > 0 && self.edge_above(before, floor, limit + climbed + height) == 0 {
            self.body = self.body.shifted(floor.opposite(), height);
            return;
        }
        for distance in 0..=self.mover.settings.snap_distance {
            let place = self.body.shifted(floor, distance);
            if !self.can(place, floor) {
                self.body = place;
                return;
            }
        }
        self.on_foot = None;
    }
}
