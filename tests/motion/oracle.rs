//! A second mover, written from the documentation: one pixel at a time, with every pixel looked up.

use bitwall::glam::{I64Vec2, IVec2};
use bitwall::{
    Aabb, Axis, Dir, Level, Move, Mover, MoverSettings, Sides,
    geometry::Corners,
    mover::{MovePath, Response, Slope, WalkSpeed},
};

use crate::random::{PIXEL, Plan};

/// The outcome of a step on which the mover and its oracle agree.
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

/// The step by `translation` 65,536ths of a pixel.
pub(crate) fn step(plan: &Plan, level: &Level, mover: Mover, translation: I64Vec2) -> Seen {
    step_and_contacts(plan, level, mover, translation).0
}

/// As [`step`], with the sides of all contacts, in order.
pub(crate) fn step_and_contacts(
    plan: &Plan,
    level: &Level,
    mover: Mover,
    translation: I64Vec2,
) -> (Seen, Vec<Dir>) {
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
        met: Vec::new(),
        bounces: [0; 2],
        slant: None,
    };
    let started_solid = oracle.overlaps(mover.body);
    let was_grounded = oracle.is_held();
    let is_walker = was_grounded && !started_solid && !oracle.crosses();
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
    let rests = match mover.settings.path {
        MovePath::XThenY => oracle.axes(total, [0, 1], true),
        MovePath::YThenX => oracle.axes(total, [1, 0], true),
        MovePath::Straight(corners) => oracle.straight(total, corners),
    };
    let seen = Seen {
        body: oracle.body,
        subpixel: IVec2::from_array(rests.map(|rest| rest.subpixel as i32)),
        asked: IVec2::new((total.x / PIXEL) as i32, (total.y / PIXEL) as i32),
        moved: oracle.body.min - mover.body.min,
        leftover: IVec2::from_array(rests.map(|rest| (rest.leftover / PIXEL) as i32)),
        stopped: oracle.stopped,
        started_solid,
        grounded: [was_grounded, oracle.is_held()],
        bounces: oracle.bounces,
        slant: oracle.slant,
    };
    (seen, oracle.met)
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
    met: Vec<Dir>,
    bounces: [u8; 2],
    slant: Option<IVec2>,
}

/// The part of the motion along the normal comes back, multiplied by the restitution.
fn reflected(motion: [i64; 2], normal: IVec2, restitution: u8) -> [i64; 2] {
    let (motion, normal) = (motion.map(i128::from), normal.to_array().map(i128::from));
    let (square, along) = (
        normal[0].pow(2) + normal[1].pow(2),
        (motion[0] * normal[0] + motion[1] * normal[1]).min(0),
    );
    let part = 100 + i128::from(restitution.min(100));
    [0, 1]
        .map(|at| ((100 * motion[at] * square - part * along * normal[at]) / (100 * square)) as i64)
}

fn leads_into(normal: IVec2, motion: [i64; 2]) -> bool {
    let along = i128::from(motion[0]) * i128::from(normal.x);
    along + i128::from(motion[1]) * i128::from(normal.y) < 0
}

/// Two walks whose first pixels differ by more than one are not on one surface: the steeper does not count.
fn drop_the_other_side_of_a_corner(walks: &mut [Vec<i32>; 2]) {
    if let [Some(low), Some(high)] = [walks[0].first(), walks[1].first()].map(|to| to.copied())
        && (low + high).abs() > 1
    {
        let most = low.abs().max(high.abs());
        walks.iter_mut().filter(|walk| walk[0].abs() == most).for_each(Vec::clear);
    }
}

/// The part along the floor is shorter by the cosine of the slope, to a 65,536th of the length of the normal.
fn along_slope(translation: I64Vec2, floor: Dir, normal: IVec2) -> I64Vec2 {
    let across = 1 - floor.axis() as usize;
    let mut translation = translation.to_array();
    let [n, up] = [across, 1 - across].map(|at| i128::from(normal.to_array()[at]));
    let length = ((n * n + up * up) * PIXEL as i128 * PIXEL as i128).isqrt();
    if n != 0 {
        let cosine = up.abs() * PIXEL as i128;
        translation[across] = (i128::from(translation[across]) * cosine / length) as i64;
    }
    translation.into()
}

fn dir(axis: usize, amount: i64) -> Dir {
    match (axis, amount > 0) {
        (0, false) => Dir::Left,
        (0, true) => Dir::Right,
        (_, false) => Dir::Up,
        (_, true) => Dir::Down,
    }
}

/// The pixels that lie along the box toward `dir`.
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

    /// True if the body can move one pixel.
    fn can(&self, body: Aabb, dir: Dir) -> bool {
        pixels(line(body, dir)).all(|pixel| !self.stops(pixel, dir))
    }

    fn is_straight(&self) -> bool {
        matches!(self.mover.settings.path, MovePath::Straight(_))
    }

    fn is_held(&self) -> bool {
        let floor = self.mover.settings.floor;
        floor.is_some_and(|floor| {
            let slides = !self.overlaps(self.body) && self.slid_down(floor).is_some();
            !self.can(self.body, floor) && !slides
        })
    }

    /// The changes of the depth toward the floor on a walk of up to 8 px, up to a wall, an abyss and a step
    /// that differs from the last by more than a pixel.
    fn walk(&self, body: Aabb, floor: Dir, side: Dir) -> Vec<i32> {
        let settings = MoverSettings {
            floor: Some(floor),
            step_height: 8,
            snap_distance: 8,
            one_way: self.mover.settings.one_way,
            ..MoverSettings::PLAIN
        };
        let mut walker = Oracle {
            mover: Mover { settings, ..self.mover },
            body,
            on_foot: Some(floor),
            met: Vec::new(),
            ..*self
        };
        let mut changes = Vec::new();
        while changes.len() < 8 {
            let before = walker.body;
            let Some(place) = walker.next(side) else { break };
            walker.body = place;
            walker.stay_on_floor(side, before);
            let edge = |body: Aabb| match floor {
                Dir::Left => -body.min.x,
                Dir::Right => body.max.x,
                Dir::Up => -body.min.y,
                Dir::Down => body.max.y,
            };
            let change = edge(walker.body) - edge(before);
            let is_other = changes.last().is_some_and(|last: &i32| (last - change).abs() > 1);
            if walker.on_foot.is_none() || is_other {
                break;
            }
            changes.push(change);
        }
        changes
    }

    /// The side to which a floor falls that is steeper than the limit: a part of it around the body rises by
    /// more than a pixel too much.
    fn downhill(&self, body: Aabb, floor: Dir) -> Option<Dir> {
        let Slope { rise, run } = self.mover.settings.max_slope;
        if run == 0 || self.is_straight() {
            return None;
        }
        let across = 1 - floor.axis() as usize;
        let sides = [dir(across, -1), dir(across, 1)];
        let mut walks = sides.map(|side| self.walk(body, floor, side));
        drop_the_other_side_of_a_corner(&mut walks);
        let fall = |walk: &[i32]| walk.iter().sum::<i32>();
        let falls = [0, 1].map(|at| {
            let (down, up) = (&walks[at], &walks[1 - at]);
            (1..=down.len()).any(|below| {
                (0..=up.len()).any(|above| {
                    let (falls, rises) = (fall(&down[..below]), -fall(&up[..above]));
                    let length = (above + below) as i32 * i32::from(rise);
                    falls > 0 && (falls + rises - 1) * i32::from(run) > length
                })
            })
        });
        match falls {
            [true, false] => Some(sides[0]),
            [false, true] => Some(sides[1]),
            _ => None,
        }
    }

    /// The next place down a floor that is too steep.
    fn slid_down(&self, floor: Dir) -> Option<Aabb> {
        let side = self.downhill(self.body, floor)?;
        let Slope { rise, run } = self.mover.settings.max_slope;
        let aside = u32::from(run).div_ceil(u32::from(rise).max(1)).min(16);
        self.around(floor, side, aside).map(|(_, place)| place)
    }

    /// Notes a contact.
    fn stop(&mut self, dir: Dir) {
        self.stopped = self.stopped.with(dir, true);
        if !self.crosses() {
            self.met.push(dir);
        }
    }

    /// Notes the axes on which a body that crosses everything meets a solid, at these pixels of its motion. A
    /// contact without a free pixel since the last one on its axis belongs to that one.
    fn cross(&mut self, whole: [i64; 2], at: [i64; 2], stopped: [bool; 2], last: &mut [i64; 2]) {
        let minor = Self::minor(whole);
        for axis in [1 - minor, minor].into_iter().filter(|axis| stopped[*axis]) {
            if at[axis] > last[axis] + 1 {
                self.met.push(dir(axis, whole[axis]));
            }
            last[axis] = at[axis];
        }
    }

    /// The part of `left` that a bounce returns; `None` without a bounce.
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

    /// The normal of a slanted surface that stops a bouncing body toward `dir`.
    fn slant(&self, dir: Dir, aside: Option<Dir>) -> Option<IVec2> {
        if !self.bounces() || !self.is_forgiving {
            return None;
        }
        let next = aside.map(|aside| self.body.shifted(aside, 1));
        let places = [Some(self.body), next].into_iter().flatten();
        // That the normal is right is shown in `surface`.
        let mut normals = places.filter_map(|body| {
            let normal = Mover { body, ..self.mover }.surface_normal(self.level, dir)?;
            let across = 1 - dir.axis() as usize;
            let mut walks = [-1, 1].map(|sign| self.walk(body, dir, self::dir(across, sign)));
            drop_the_other_side_of_a_corner(&mut walks);
            let [low, high] = walks.map(|walk| walk.iter().sum::<i32>());
            Some(normal).filter(|_| (high - low).abs() > 1).or(Some(IVec2::ZERO))
        });
        normals.next().filter(|normal| normal.x != 0 && normal.y != 0)
    }

    /// The motion after the bounce off the slant.
    fn after_slant(&self, motion: [i64; 2]) -> [i64; 2] {
        match (self.slant, self.mover.settings.response) {
            (Some(normal), Response::Bounce { restitution }) => {
                reflected(motion, normal, restitution)
            }
            _ => motion,
        }
    }

    fn axes(&mut self, total: I64Vec2, order: [usize; 2], may_turn: bool) -> [Rest; 2] {
        let mut rests = [Rest::default(); 2];
        let mut is_stopped = false;
        let mut motion = total.to_array();
        for axis in order {
            let amount = total.to_array()[axis];
            if amount == 0 {
                continue;
            }
            if is_stopped && self.mover.settings.response == Response::Stop {
                rests[axis].leftover = amount;
                continue;
            }
            let stopped = self.stopped;
            let slant;
            (rests[axis], is_stopped, slant) = self.axis(axis, amount);
            motion[axis] = rests[axis].subpixel;
            let Some(normal) = slant else { continue };
            motion[axis] = rests[axis].leftover;
            let leads_in = leads_into(normal, motion);
            if !leads_in && may_turn {
                // The other axis first.
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
        rests
    }

    /// The motion after a bounce off a step of a slant into which the whole motion does not lead.
    fn back_from_step(&mut self, axis: usize, left: i64, leads_in: bool) -> Option<i64> {
        let may_bounce = !leads_in && self.slant.is_none();
        if !may_bounce || self.bounces[axis] == MoverSettings::MAX_BOUNCES {
            return None;
        }
        self.bounces[axis] += 1;
        self.bounced(left.abs()).map(|back| -left.signum() * back)
    }

    /// The whole motion along an axis, with its bounces, up to one off a slanted surface.
    fn axis(&mut self, axis: usize, mut amount: i64) -> (Rest, bool, Option<IVec2>) {
        loop {
            let toward = dir(axis, amount);
            let (gone, is_stopped) = self.go(toward, amount.abs());
            let left = amount - amount.signum() * gone * PIXEL;
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

    /// Pixel by pixel; for a part of a pixel the next one is tested.
    fn go(&mut self, dir: Dir, amount: i64) -> (i64, bool) {
        let due = amount / PIXEL;
        let mut was_free = true;
        for gone in 0..due {
            if self.crosses() {
                let is_free = self.can(self.body, dir);
                if !is_free {
                    self.stop(dir);
                }
                if was_free && !is_free {
                    self.met.push(dir);
                }
                was_free = is_free;
                self.body = self.body.shifted(dir, 1);
                continue;
            }
            let before = self.body;
            match self.next(dir) {
                Some(place) => self.body = place,
                None => {
                    self.stop(dir);
                    return (gone, true);
                }
            }
            self.stay_on_floor(dir, before);
            if let Some(floor) = self.walks(dir)
                && self.downhill(self.body, floor) == Some(dir.opposite())
                && (0..16).any(|ahead| !self.can(before.shifted(dir, ahead), dir))
            {
                // A tread of a slope that is too steep, with the next step in sight.
                self.body = before;
                self.stop(dir);
                return (gone, true);
            }
        }
        let is_stopped = amount % PIXEL > 0 && !self.crosses() && self.next(dir).is_none();
        if is_stopped {
            self.stop(dir);
        }
        (due, is_stopped)
    }

    fn walks(&self, dir: Dir) -> Option<Dir> {
        self.on_foot.filter(|floor| floor.axis() != dir.axis())
    }

    /// The body's place after one more pixel, before it is moved down.
    fn next(&self, dir: Dir) -> Option<Aabb> {
        if self.can(self.body, dir) {
            return Some(self.body.shifted(dir, 1));
        }
        if let Some(floor) = self.walks(dir) {
            let climb = self.around(dir, floor.opposite(), self.mover.settings.step_height);
            let place = climb.map(|(_, place)| place);
            return place.filter(|place| self.downhill(*place, floor) != Some(dir.opposite()));
        }
        if !self.is_forgiving || self.on_foot == Some(dir) {
            return None;
        }
        let falls = self.mover.settings.floor == Some(dir) && self.on_foot.is_none();
        let falls = falls && !self.bounces();
        let slide = || self.slid_down(dir).filter(|_| falls);
        self.past_corner(dir).or_else(slide)
    }

    /// The place past the corner that stops it.
    fn past_corner(&self, dir: Dir) -> Option<Aabb> {
        let limit = self.mover.settings.corner_correction.get(dir);
        let cross = 1 - dir.axis() as usize;
        // Steered across at least as strongly, it is only moved to that side.
        let lean = self.lean.to_array();
        let onward = lean[1 - cross] * if dir.is_positive() { 1 } else { -1 };
        let keeps = lean[cross].abs() >= onward;
        let side = |sign: i64| match keeps && lean[cross] * sign < 0 {
            true => None,
            false => {
                let side = self::dir(cross, sign);
                let place = self.around(dir, side, limit);
                let floor = side.opposite();
                place.filter(|(_, place)| {
                    self.mover.settings.floor != Some(floor)
                        || self.downhill(*place, floor) != Some(dir.opposite())
                })
            }
        };
        let (low, high) = (side(-1), side(1));
        match (low, high) {
            (Some((low, place)), Some((high, _))) if low < high => Some(place),
            (Some((low, _)), Some((high, place))) if high < low => Some(place),
            (Some((_, low)), Some((_, high))) => match self.lean.to_array()[cross].signum() {
                -1 => Some(low),
                1 => Some(high),
                _ => None,
            },
            (low, high) => low.or(high).map(|(_, place)| place),
        }
    }

    /// Moves aside over free pixels until the next place is free of solids, then one pixel on. A one-way cell
    /// is not a corner.
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

    /// The height above the feet of the highest one-way edge that lies in the body, at most `limit` and as
    /// far as the body can go up.
    fn edge_above(&self, body: Aabb, floor: Dir, limit: u32) -> u32 {
        let up = floor.opposite();
        let free = (0..limit).take_while(|height| self.can(body.shifted(up, *height), up)).count();
        let is_held = |height: &u32| !self.can(body.shifted(up, *height), floor);
        (1..=free as u32).rev().find(is_held).unwrap_or(0)
    }

    /// Moves up onto a one-way edge after a pixel on foot, or down to the floor, if there is one near enough;
    /// else the body flies. Below a one-way floor it is not moved up.
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

    fn straight(&mut self, total: I64Vec2, corners: Corners) -> [Rest; 2] {
        let mut rests = [Rest::default(); 2];
        let mut due = total.to_array();
        loop {
            let whole = due.map(|due| due / PIXEL);
            let (done, mut stopped) = match corners {
                Corners::Block => self.swept(whole),
                Corners::Pass => self.squeezed(whole),
            };
            let minor = Self::minor(whole);
            for axis in [1 - minor, minor].into_iter().filter(|axis| stopped[*axis]) {
                self.stop(dir(axis, due[axis]));
            }
            let done = if self.crosses() { whole } else { done };
            self.body = self.place(done);
            due = [0, 1].map(|axis| due[axis] - done[axis] * PIXEL);
            if self.crosses() {
                break;
            }
            if stopped == [false; 2] {
                for axis in 0..2 {
                    let toward = dir(axis, due[axis]);
                    if due[axis] != 0 && !self.can(self.body, toward) {
                        stopped[axis] = true;
                        self.stop(toward);
                    }
                }
            }
            if stopped == [false; 2] {
                break;
            }
            if self.mover.settings.response == Response::Stop {
                return due.map(|leftover| Rest { subpixel: 0, leftover });
            }
            if stopped[0] != stopped[1] {
                let axis = usize::from(stopped[1]);
                let aside = dir(1 - axis, due[1 - axis]);
                if let Some(normal) = self.slant(dir(axis, due[axis]), Some(aside)) {
                    let leads_in = leads_into(normal, due);
                    if leads_in && self.slant.is_none() {
                        self.slant = Some(normal);
                        due = self.after_slant(due);
                    } else if let Some(back) = self.back_from_step(axis, due[axis], leads_in) {
                        due[axis] = back;
                    } else {
                        rests[axis].leftover = due[axis];
                        due[axis] = 0;
                    }
                    continue;
                }
            }
            for axis in [0, 1].into_iter().filter(|axis| stopped[*axis]) {
                match self.bounced(due[axis].abs()) {
                    Some(back) if self.bounces[axis] < MoverSettings::MAX_BOUNCES => {
                        self.bounces[axis] += 1;
                        due[axis] = -due[axis].signum() * back;
                    }
                    _ => {
                        rests[axis].leftover = due[axis];
                        due[axis] = 0;
                    }
                }
            }
        }
        rests[0].subpixel = due[0];
        rests[1].subpixel = due[1];
        rests
    }

    fn place(&self, [x, y]: [i64; 2]) -> Aabb {
        self.body.translated(IVec2::new(x as i32, y as i32))
    }

    /// The axis that a corner stops: the shorter one, y if they are equally long.
    fn minor(whole: [i64; 2]) -> usize {
        usize::from(whole[0].abs() >= whole[1].abs())
    }

    /// The pixels that the body moves on the line, and the axes that are stopped. Every pixel counts that it
    /// overlaps at any moment. Time is in parts of the product of both lengths: an edge enters a new column
    /// every `rows` parts, and a new row every `columns` parts.
    fn swept(&mut self, whole: [i64; 2]) -> ([i64; 2], [bool; 2]) {
        let (mut first, mut last) = (None, [-2; 2]);
        let lengths = whole.map(i64::abs);
        let period = [lengths[1].max(1), lengths[0].max(1)];
        let end = lengths[0].max(1) * lengths[1].max(1);
        let signs = whole.map(i64::signum);
        let dirs = [dir(0, whole[0]), dir(1, whole[1])];
        for now in 0..end {
            let enters = [0, 1].map(|axis| lengths[axis] > 0 && now % period[axis] == 0);
            if enters == [false; 2] {
                continue;
            }
            let at = |round_up: i64| {
                self.place([0, 1].map(|axis| {
                    let place = (now * lengths[axis] + round_up * (end - 1)) / end;
                    signs[axis] * place
                }))
            };
            // The box around all that the body overlaps just before this moment.
            let (least, most) = (at(0), at(1));
            let covered = Aabb { min: least.min.min(most.min), max: least.max.max(most.max) };
            let mut stopped = [0, 1].map(|axis| enters[axis] && !self.can(covered, dirs[axis]));
            if stopped == [false; 2] && enters == [true; 2] {
                let beside = line(covered, dirs[0]);
                let corner = pixels(line(beside, dirs[1])).next().unwrap();
                let minor = Self::minor(whole);
                stopped[minor] = self.stops(corner, dirs[minor]);
                stopped[1 - minor] = !stopped[minor] && self.stops(corner, dirs[1 - minor]);
            }
            if stopped != [false; 2] {
                let at = lengths.map(|length| now * length / end);
                let done = [0, 1].map(|axis| signs[axis] * at[axis]);
                first = first.or(Some((done, stopped)));
                if !self.crosses() {
                    break;
                }
                self.cross(whole, at, stopped, &mut last);
            }
        }
        first.unwrap_or((whole, [false; 2]))
    }

    /// As [`Oracle::swept`], but only whole places count: the nearest one on the shorter axis, a half toward
    /// the start.
    fn squeezed(&mut self, whole: [i64; 2]) -> ([i64; 2], [bool; 2]) {
        let (mut first, mut last) = (None, [-2; 2]);
        let minor = Self::minor(whole);
        let major = 1 - minor;
        let (columns, rows) = (whole[major].abs(), whole[minor].abs());
        let dirs = [dir(0, whole[0]), dir(1, whole[1])];
        let row_at = |column: i64| (2 * column * rows + columns - 1) / (2 * columns);
        let at = |column: i64, row: i64| {
            let mut place = [0; 2];
            place[major] = column * whole[major].signum();
            place[minor] = row * whole[minor].signum();
            place
        };
        for column in 0..columns {
            let (row, next) = (row_at(column), row_at(column + 1));
            let here = self.place(at(column, row));
            let mut stopped = [false; 2];
            if next == row {
                stopped[major] = !self.can(here, dirs[major]);
            } else {
                let beside = self.can(self.place(at(column, next)), dirs[major]);
                let below = self.can(self.place(at(column + 1, row)), dirs[minor]);
                if !beside || !below {
                    stopped[major] = !self.can(here, dirs[major]);
                    stopped[minor] = !self.can(here, dirs[minor]);
                    if stopped == [false; 2] {
                        stopped[minor] = !below;
                        stopped[major] = below;
                    }
                }
            }
            if stopped != [false; 2] {
                first = first.or(Some((at(column, row), stopped)));
                if !self.crosses() {
                    break;
                }
                let place = at(column, row).map(i64::abs);
                self.cross(whole, place, stopped, &mut last);
            }
        }
        first.unwrap_or((whole, [false; 2]))
    }
}
