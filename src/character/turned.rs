//! The frame of a character. Its rules are written for a floor below it: with another [`Feel::floor`], they
//! see the level, the mover and the keys turned so that the floor is down. Only this file turns them, there
//! and back. The mover itself moves in the level as it is.

use glam::{I64Vec2, IVec2};

use super::{CharacterScene, Feel, Input, Platformer, Stance};
use crate::Rate;
use crate::geometry::{Aabb, Axis, Dir, Sides, saturated};
use crate::level::{Area, Solids};
use crate::mover::{Move, MovePath, Mover, MoverSettings};
use crate::terrain::{Sweep, Terrain};

use super::ladders::LadderSolids;

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
        let I64Vec2 { x, y } = self.long_vector(vector.as_i64vec2());
        IVec2::new(saturated(x), saturated(y))
    }

    fn dir(self, dir: Dir) -> Dir {
        let across = dir.axis().other();
        match self.0 {
            Dir::Up if dir.axis() == Axis::Y => dir.opposite(),
            Dir::Down | Dir::Up => dir,
            Dir::Right => Dir::along(across, dir.is_positive()),
            Dir::Left => Dir::along(across, !dir.is_positive()),
        }
    }

    fn aabb(self, aabb: Aabb) -> Aabb {
        let (one, other) = (self.vector(aabb.min), self.vector(aabb.max));
        Aabb { min: one.min(other), max: one.max(other) }
    }

    fn sides<T: Copy>(self, sides: Sides<T>) -> Sides<T> {
        let mut turned = sides;
        for dir in Dir::ALL {
            *turned.get_mut(self.dir(dir)) = sides.get(dir);
        }
        turned
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
            floor: settings.floor.map(|floor| self.dir(floor)),
            corner_correction: self.sides(settings.corner_correction),
            one_way: self.sides(settings.one_way),
            path,
            ..settings
        }
    }

    /// Turns the place of a mover. The rules do not read its settings.
    fn mover(self, mover: &Mover) -> Mover {
        Mover { body: self.aabb(mover.body), subpixel: self.vector(mover.subpixel), ..*mover }
    }
}

/// An area of the level in the frame of a character.
#[derive(Clone, Copy, Debug)]
pub(super) struct Zone<'a> {
    area: &'a Terrain,
    turn: Turn,
}

impl Zone<'_> {
    /// [`Terrain::overlaps`] in the frame.
    pub(super) fn overlaps(self, body: Aabb) -> bool {
        self.area.overlaps(self.turn.aabb(body))
    }

    /// [`Terrain::nearest_free`] in the frame.
    pub(super) fn nearest_free(self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.area.nearest_free(self.turn.aabb(body), self.turn.dir(dir), limit)
    }
}

impl<'a> CharacterScene<'a> {
    /// The scene of a step with `feel`, for a game with this rate.
    pub(crate) fn new(solids: &'a dyn Solids, input: Input, feel: &'a Feel, rate: Rate) -> Self {
        let turn = Turn(feel.floor);
        let water = named(solids.watched_areas(), &feel.water);
        let solids = LadderSolids::new(solids, feel);
        Self {
            ladders: solids.ladders.map(|area| Zone { area, turn }),
            water: water.map(|area| Zone { area, turn }),
            solids,
            turn,
            input: turn.input(input),
            feel,
            rate,
        }
    }
}

/// The first area with this name.
pub(super) fn named<'a>(areas: &'a [Area], name: &str) -> Option<&'a Terrain> {
    areas.iter().find(|area| area.name == name).map(|area| &area.terrain)
}

/// The solids in the frame of the character. Contacts are those of the level, because the rules read no
/// normal.
impl Solids for CharacterScene<'_> {
    fn sweep_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> Sweep {
        self.solids.sweep_aabb(self.turn.aabb(body), self.turn.dir(dir), step, one_way)
    }

    fn overlaps_aabb(&self, body: Aabb) -> bool {
        self.solids.overlaps_aabb(self.turn.aabb(body))
    }

    fn nearest_free_aabb(&self, body: Aabb, dir: Dir, limit: u32) -> Option<u32> {
        self.solids.nearest_free_aabb(self.turn.aabb(body), self.turn.dir(dir), limit)
    }

    fn can_move_aabb(&self, body: Aabb, dir: Dir, step: u32, one_way: bool) -> bool {
        self.solids.can_move_aabb(self.turn.aabb(body), self.turn.dir(dir), step, one_way)
    }
}

impl Platformer {
    /// Turns the settings of the character's mover to the floor `floor`, if they have another one. A floor
    /// that changes leaves the character in the air.
    pub(crate) fn stand_on(&mut self, floor: Dir, settings: &mut MoverSettings) {
        let Some(old) = settings.floor.replace(floor).filter(|old| *old != floor) else { return };
        *settings = Turn(floor).settings(Turn(old).settings(*settings));
        settings.floor = Some(floor);
        (self.stance, self.coyote, self.momentum) = (Stance::Air, 0, (I64Vec2::ZERO, 0));
        self.facing = self.facing.filter(|side| side.axis() != floor.axis());
        self.lies_down ^= self.is_crouching() && old.axis() != floor.axis();
    }

    /// The limit of the character's fall in subpixels a step; `u32::MAX` while a force moves it.
    pub(crate) fn fall_limit(&self, feel: &Feel) -> u32 {
        if self.forced > 0 { u32::MAX } else { self.rate.magnitude(feel.fall_limit, 1) }
    }

    /// The motion of a step by [`Feel::carry`], in subpixels.
    pub(crate) fn carry(&self, feel: &Feel) -> I64Vec2 {
        feel.carry.to_array().map(|along| self.rate.subpixels(along, 1)).into()
    }

    /// Makes the body lower if the keys ask for it, or as high as before if they do not and it has room.
    pub(crate) fn crouch(&mut self, scene: &CharacterScene<'_>, mover: &mut Mover) {
        let crouches = self.is_crouching();
        if scene.feel.crouch_height == 0 && !crouches {
            return;
        }
        let floor = scene.turn.0;
        let body = scene.turn.aabb(mover.body);
        let asks = self.stance == Stance::Ground
            && scene.input.is_down()
            && scene.feel.crouch_height > 0
            && !scene.input.jump
            && !scene.starts_ladder(body, true);
        if asks == crouches {
            return;
        }
        let axis = if self.lies_down { floor.axis().other() } else { floor.axis() };
        let height = if asks { scene.feel.crouch_height.min(body.height()) } else { self.standing };
        let mut size = mover.body.size();
        size[axis.index()] = height;
        if mover.resize(&scene.solids, size, Some(floor)) {
            self.standing = if asks { body.height() } else { 0 };
            self.lies_down = false;
        }
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

    /// Changes the velocity by the keys, before the character moves. `dropped` is true if the character has
    /// dropped through its floor. Returns the stance from which the character jumps, or `None` if it does not
    /// jump.
    pub(crate) fn start(
        &mut self,
        scene: &CharacterScene<'_>,
        mover: &Mover,
        dropped: bool,
    ) -> Option<Stance> {
        self.turn(scene.turn);
        let jumped_from = self.start_in_frame(scene, &scene.turn.mover(mover), dropped);
        self.turn(scene.turn);
        jumped_from.map(|from| scene.turn.stance(from))
    }

    /// Lets the mover pass the one-way cells of its floor while the character climbs down a ladder.
    pub(crate) fn pass_one_way(&self, input: Input, floor: Dir, settings: &mut MoverSettings) {
        if self.stance == Stance::Ladder && Turn(floor).input(input).is_down() {
            *settings.one_way.get_mut(floor.opposite()) = false;
        }
    }

    /// Ends a step after the character has moved: updates the velocity, the stance, and the counters of steps
    /// such as [`Platformer::coyote`].
    pub(crate) fn finish(
        &mut self,
        scene: &CharacterScene<'_>,
        body: Aabb,
        motion: &Move,
        from: Stance,
    ) {
        let turn = scene.turn;
        self.turn(turn);
        // The rules read no other field that has a direction.
        let mut turned = *motion;
        turned.moved = turn.vector(motion.moved);
        self.finish_in_frame(scene, turn.aabb(body), &turned, turn.stance(from));
        self.turn(turn);
    }

    /// Records `motion`, at which a platform carries the character in this step, in subpixels a step: zero
    /// without a platform.
    pub(crate) fn ride(&mut self, motion: I64Vec2, feel: &Feel) {
        let limit = I64Vec2::splat(self.rate.magnitude(feel.momentum_limit, 1).into());
        let turn = Turn(feel.floor);
        let (kept, steps) = &mut self.momentum;
        if motion != I64Vec2::ZERO {
            let motion = turn.long_vector(motion);
            let rising = I64Vec2::new(motion.x, motion.y.min(0)).clamp(-limit, limit);
            *kept = turn.long_vector(rising);
            *steps = self.rate.steps(feel.momentum_time).saturating_add(1);
        } else {
            *steps = steps.saturating_sub(1);
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
