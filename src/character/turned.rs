//! The frame of a character. Its rules are written for a floor below it: with another [`Feel::floor`], they
//! see the level, the mover and the keys turned so that the floor is down. Only this file turns them, there
//! and back. The mover itself moves in the level as it is.

use glam::{I64Vec2, IVec2};

use super::ladders::LadderSolids;
use super::{Feel, Input, Outcome, Platformer, Rules, Stance};
use crate::Rate;
use crate::geometry::{Aabb, Axis, Dir, Sides, clamped};
use crate::level::Solids;
use crate::mover::{Move, MovePath, Mover, MoverSettings};

/// The turn between the level and the frame of a character with this floor, which is the same in both
/// directions. With the floor up, y is mirrored; with the floor at the right, x and y change places; with the
/// floor at the left, both are also mirrored.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn(Dir);

impl Turn {
    fn long_vector(self, vector: I64Vec2) -> I64Vec2 {
        let I64Vec2 { x, y } = vector;
        match self.0 {
            Dir::Down => vector,
            Dir::Up => I64Vec2::new(x, y.saturating_neg()),
            Dir::Right => I64Vec2::new(y, x),
            Dir::Left => I64Vec2::new(y.saturating_neg(), x.saturating_neg()),
        }
    }

    fn vector(self, vector: IVec2) -> IVec2 {
        clamped(self.long_vector(vector.as_i64vec2()))
    }

    fn dir(self, dir: Dir) -> Dir {
        let turned = self.vector(dir.vector());
        let axis = if turned.x == 0 { Axis::Y } else { Axis::X };
        Dir::along(axis, turned.x + turned.y > 0)
    }

    fn aabb(self, aabb: Aabb) -> Aabb {
        let (one, other) = (self.vector(aabb.min), self.vector(aabb.max));
        Aabb { min: one.min(other), max: one.max(other) }
    }

    fn sides<T: Copy>(self, sides: Sides<T>) -> Sides<T> {
        Sides::from_fn(|dir| sides.get(self.dir(dir)))
    }

    fn stance(self, stance: Stance) -> Stance {
        match stance {
            Stance::WallSlide(side) => Stance::WallSlide(self.dir(side)),
            Stance::Ledge(side) => Stance::Ledge(self.dir(side)),
            Stance::LedgeClimb(side) => Stance::LedgeClimb(self.dir(side)),
            stance => stance,
        }
    }

    fn input(self, input: Input) -> Input {
        let [x, y] = self.vector(IVec2::new(input.x.into(), input.y.into())).to_array();
        let [x, y] = [x, y].map(|percent| percent.clamp(-100, 100) as i8);
        Input { x, y, ..input }
    }

    fn settings(self, settings: MoverSettings) -> MoverSettings {
        let path = match (self.0.axis(), settings.path) {
            (Axis::X, MovePath::XThenY) => MovePath::YThenX,
            (Axis::X, MovePath::YThenX) => MovePath::XThenY,
            (_, path) => path,
        };
        MoverSettings {
            corner_correction: self.sides(settings.corner_correction),
            one_way: self.sides(settings.one_way),
            path,
            ..settings
        }
    }
}

/// Solids, or an area of the level, in the frame of a character.
#[derive(Clone, Copy)]
pub(super) struct Turned<'a> {
    solids: &'a dyn Solids,
    turn: Turn,
}

impl Turned<'_> {
    /// The distance at which [`Solids::sweep_aabb`] meets a solid; `None` if it meets none.
    pub(super) fn distance(self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Option<u32> {
        let (body, dir) = (self.turn.aabb(body), self.turn.dir(dir));
        let sweep = self.solids.sweep_aabb(body, dir, step, one_way);
        sweep.contact.map(|_| sweep.moved)
    }

    pub(super) fn overlaps(self, body: Aabb) -> bool {
        self.solids.overlaps_aabb(self.turn.aabb(body))
    }

    pub(super) fn nearest_free(self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.solids.nearest_free_aabb(self.turn.aabb(body), self.turn.dir(dir), limit)
    }
}

impl<'a> Rules<'a> {
    pub(crate) fn new(level: &'a LadderSolids<'a>, input: Input, rate: Rate) -> Self {
        let feel = level.feel;
        let turn = Turn(feel.floor);
        let water = level.watched_areas().iter().find(|area| area.name == feel.water);
        Self {
            level,
            turn,
            solids: Turned { solids: level, turn },
            ladders: level.ladders.as_ref().map(|area| Turned { solids: area, turn }),
            water: water.map(|area| Turned { solids: &area.terrain, turn }),
            input: turn.input(input),
            feel,
            rate,
        }
    }
}

impl Platformer {
    /// Turns the settings of the character's mover to the floor `floor`, if they have another one. A floor
    /// that changes leaves the character in the air.
    pub(crate) fn stand_on(&mut self, floor: Dir, settings: &mut MoverSettings) {
        let Some(old) = settings.floor.replace(floor).filter(|old| *old != floor) else { return };
        *settings = Turn(floor).settings(Turn(old).settings(*settings));
        (self.stance, self.coyote, self.momentum) = (Stance::Air, 0, (I64Vec2::ZERO, 0));
        self.facing = self.facing.filter(|side| side.axis() != floor.axis());
        if self.is_crouching() && old.axis() != floor.axis() {
            self.lies_on = self.lies_on.is_none().then_some(old);
        }
    }

    /// The limit of the character's fall in subpixels a step; `u32::MAX` while a force moves it.
    pub(crate) fn fall_limit(&self, feel: &Feel) -> u32 {
        if self.forced > 0 { u32::MAX } else { self.rate.speed(feel.fall_limit) as u32 }
    }

    /// The motion of a step by [`Feel::carry`], in subpixels.
    pub(crate) fn carry(&self, feel: &Feel) -> I64Vec2 {
        self.rate.pair(feel.carry, 1)
    }

    /// Records whether the jump key is held in this step. Returns true if the keys ask for a drop through the
    /// floor: jump, and the direction of the floor.
    pub(crate) fn asks_to_drop(&mut self, input: Input, feel: &Feel) -> bool {
        if input.jump && !self.held_jump {
            self.buffer = self.rate.steps(feel.buffer_time).saturating_add(1);
        }
        self.held_jump = input.jump;
        let is_down = Turn(feel.floor).input(input).is_down();
        self.stance == Stance::Ground && self.buffer > 0 && is_down
    }

    /// Makes the body lower or higher as the keys ask for, and changes the velocity by the keys, before the
    /// character moves. `dropped` is true if the character has dropped through its floor. Returns the outcome
    /// so far.
    pub(crate) fn start(&mut self, rules: &Rules<'_>, mover: &mut Mover, dropped: bool) -> Outcome {
        let turn = rules.turn;
        let from = self.stance;
        self.crouch(rules, mover);
        self.turn(turn);
        // Of the mover, the rules read only these.
        let (body, subpixel) = (turn.aabb(mover.body), turn.vector(mover.subpixel));
        let jumped_from = self.start_in_frame(rules, &Mover { body, subpixel, ..*mover }, dropped);
        self.turn(turn);
        let jumped_from = jumped_from.map(|from| turn.stance(from));
        Outcome { from, to: from, jumped_from, dropped }
    }

    /// Makes the body lower if the keys ask for it, or as high as before if they do not and it has room.
    fn crouch(&mut self, rules: &Rules<'_>, mover: &mut Mover) {
        let asks = rules.feel.crouch_height > 0
            && self.stance == Stance::Ground
            && rules.input.is_down()
            && !rules.input.jump
            && !rules.starts_ladder(rules.turn.aabb(mover.body), true);
        if asks == self.is_crouching() {
            return;
        }
        let side = self.lies_on.unwrap_or(rules.turn.0);
        let mut size = mover.body.size();
        let height = &mut size[side.axis().index()];
        let before = *height;
        *height = if asks { rules.feel.crouch_height.min(before) } else { self.standing };
        // The side on which a body lies may be free, and the other one blocked.
        if mover.resize(rules.level, size, Some(side))
            || self.lies_on.is_some() && mover.resize(rules.level, size, Some(side.opposite()))
        {
            self.standing = if asks { before } else { 0 };
            self.lies_on = None;
        }
    }

    /// Lets the mover pass the one-way cells of its floor while the character climbs down a ladder.
    pub(crate) fn pass_one_way(&self, input: Input, floor: Dir, settings: &mut MoverSettings) {
        if self.stance == Stance::Ladder && Turn(floor).input(input).is_down() {
            *settings.one_way.get_mut(floor.opposite()) = false;
        }
    }

    /// Ends a step after the character has moved: updates the velocity, the stance, the counters of steps
    /// such as [`Platformer::coyote`], and the outcome.
    pub(crate) fn finish(
        &mut self,
        rules: &Rules<'_>,
        body: Aabb,
        motion: &Move,
        outcome: &mut Outcome,
    ) {
        let turn = rules.turn;
        self.turn(turn);
        // Of the motion, the rules read only this and `grounded`.
        let mut turned = *motion;
        turned.moved = turn.vector(motion.moved);
        self.settle(rules, turn.aabb(body), &turned, outcome.from);
        self.turn(turn);
        let leaves = outcome.from.is_carried() && self.stance == Stance::Air;
        if leaves && outcome.jumped_from.is_none() && !outcome.dropped {
            self.take_momentum(rules.feel, false);
        }
        outcome.to = self.stance;
    }

    /// Records `motion`, at which a platform carries the character in this step, in subpixels a step: zero
    /// without a platform.
    pub(crate) fn ride(&mut self, motion: I64Vec2, feel: &Feel) {
        let (kept, steps) = &mut self.momentum;
        if motion == I64Vec2::ZERO {
            *steps = steps.saturating_sub(1);
        } else {
            let limit = I64Vec2::splat(self.rate.speed(feel.momentum_limit));
            let turn = Turn(feel.floor);
            let motion = turn.long_vector(motion).min(I64Vec2::new(i64::MAX, 0));
            *kept = turn.long_vector(motion.clamp(-limit, limit));
            *steps = self.rate.steps(feel.momentum_time).saturating_add(1);
        }
        if *steps == 0 {
            *kept = I64Vec2::ZERO;
        }
    }

    /// Adds the motion of the platform that the character has left to its velocity. A later jump adds only
    /// the platform's rise, if the character left without a jump.
    pub(crate) fn take_momentum(&mut self, feel: &Feel, jumps: bool) {
        if jumps || self.rate.steps(feel.momentum_time) > 0 {
            self.velocity = self.velocity.saturating_add(self.momentum.0);
            self.momentum.0[feel.floor.axis().other().index()] = 0;
        }
        if jumps {
            self.momentum = (I64Vec2::ZERO, 0);
        }
    }

    /// Turns the state between the level and the frame.
    fn turn(&mut self, turn: Turn) {
        self.velocity = turn.long_vector(self.velocity);
        self.stance = turn.stance(self.stance);
        self.facing = self.facing.map(|side| turn.dir(side));
    }
}
