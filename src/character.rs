//! A character for games seen from the side, built on [`Mover`]: it runs, jumps, slides down walls, climbs
//! and swims.
//!
//! The settings ([`Feel`]), the keys ([`Input`]) and the state ([`Platformer`]) are plain data.
//! [`guide::feel`](crate::guide::feel) explains each feature. A character moves its body only by the steps of
//! its [`Mover`] and by [`Mover::drop_through`].

mod feel;
mod moves;

use glam::{I64Vec2, UVec2, Vec2};

use crate::Rate;
use crate::checksum;
use crate::geometry::{Aabb, Dir};
use crate::level::Solids;
use crate::mover::{Move, Mover};
use crate::terrain::Terrain;

pub use feel::{Feel, Outcome, Stance};

/// The state of a character between two steps, without its [`Mover`]: the game keeps the mover.
///
/// The state consists of whole numbers, so a copy saves it. The same steps give the same states on every
/// machine. Mirrored steps in a mirrored level give mirrored states.
///
/// ```
/// use bitwall::character::{Feel, Input, Platformer, Stance};
/// use bitwall::{Aabb, Level, Mover, MoverSettings, Rate};
///
/// let level = Level::load("assets/cave.tmx")?;
/// let spawn = level.marker("player").expect("the map has a spawn").position();
/// let body = Aabb::from_xywh(spawn.x - 6, spawn.y - 12, 12, 20);
/// let mut mover = Mover::new(body, MoverSettings::platformer());
/// let mut player = Platformer::new(Rate::per_second(60));
/// let feel = Feel { jump_height: 44.0, jump_time: 0.35, ..Feel::default() };
///
/// player.step(&level, &mut mover, Input::NONE, &feel);
/// assert_eq!(player.stance, Stance::Ground);
/// let jump = Input::from_keys(false, true, false, false, true);
/// let (motion, outcome) = player.step(&level, &mut mover, jump, &feel);
/// assert!(motion.moved.y < 0);
/// assert_eq!(outcome.jumped_from, Some(Stance::Ground));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Platformer {
    /// The character's stance, which decides the rules of its motion.
    pub stance: Stance,
    /// The rate of the steps. For a player of a world, the world's.
    pub(crate) rate: Rate,
    /// The velocity in subpixels a step; 0 along y while the character climbs or hangs.
    pub(crate) velocity: I64Vec2,
    /// The remaining steps in which the character can still jump after it left a floor or a ladder.
    pub(crate) coyote: u16,
    /// The remaining steps in which the last press of the jump key still counts.
    buffer: u16,
    /// The remaining steps in which keys do not change the character's speed along x.
    unsteered: u16,
    /// True while the character rises in a jump and the jump key has been held since the jump's start.
    is_jumping: bool,
    /// True if the jump key was held in the last step.
    pub(crate) held_jump: bool,
    /// The motion of the platform that carried the character last, in subpixels a step, and the remaining
    /// steps in which it counts.
    momentum: (I64Vec2, u16),
}

/// The keys that a player holds in a step: directions and a jump key.
///
/// It has only the held keys: the character detects a press by comparing two steps.
///
/// ```
/// use bitwall::character::Input;
///
/// let right = Input::from_keys(false, true, false, false, false);
/// assert_eq!(right.with_jump(true), Input::from_axes(1.0, 0.0, true));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Input {
    /// The direction along x in percent: -100 for a key to the left, 100 for a key to the right. A file may
    /// have other numbers; they count as -100 or 100.
    x: i8,
    /// The direction along y in percent: -100 for a key up, 100 for a key down.
    y: i8,
    /// True while the jump key is held.
    jump: bool,
}

impl Input {
    /// Returns the input of these keys. A key is true while it is held. Two opposite keys cancel each other.
    ///
    /// ```
    /// use bitwall::character::Input;
    ///
    /// let right_and_jump = Input::from_keys(false, true, false, false, true);
    /// assert_eq!(right_and_jump, Input::from_axes(1.0, 0.0, true));
    /// ```
    pub const fn from_keys(left: bool, right: bool, up: bool, down: bool, jump: bool) -> Self {
        Self { x: 100 * (right as i8 - left as i8), y: 100 * (down as i8 - up as i8), jump }
    }

    /// Returns the input of a stick: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1 (down), rounded
    /// to hundredths.
    ///
    /// A number outside this range is clamped to it; NaN counts as 0. For a stick whose y points up, pass
    /// `-y`.
    pub fn from_axes(x: f32, y: f32, jump: bool) -> Self {
        let [x, y] = [x, y].map(|part| (part.clamp(-1.0, 1.0) * 100.0).round() as i8);
        Self { x, y, jump }
    }

    /// Returns this input with the jump key held or not held.
    #[must_use]
    pub const fn with_jump(self, jump: bool) -> Self {
        Self { jump, ..self }
    }

    /// The input without a held key.
    pub const NONE: Self = Self { x: 0, y: 0, jump: false };

    /// The smallest deflection of a stick, in percent, that counts as a held key.
    const KEY: i8 = 50;

    /// The side to which `x` points: the stick must be deflected by at least `KEY` percent. `None` if it is
    /// deflected less.
    const fn side(self) -> Option<Dir> {
        match self.x {
            x if x <= -Self::KEY => Some(Dir::Left),
            x if x >= Self::KEY => Some(Dir::Right),
            _ => None,
        }
    }

    const fn is_up(self) -> bool {
        self.y <= -Self::KEY
    }

    const fn is_down(self) -> bool {
        self.y >= Self::KEY
    }
}

/// A [`Feel`] in the units of a step: speeds in subpixels a step, accelerations in subpixels a step for each
/// step, times in steps and distances in pixels. The rules of a character read only these whole numbers.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct StepFeel {
    top_speed: u32,
    acceleration: u32,
    friction: u32,
    air_acceleration: u32,
    air_friction: u32,
    /// The downward acceleration while the body rises.
    gravity: u32,
    /// The downward acceleration while the body falls.
    fall_gravity: u32,
    pub(crate) fall_limit: u32,
    apex_speed: u32,
    jump_speed: u32,
    released_speed: u32,
    coyote_steps: u16,
    buffer_steps: u16,
    wall_slide_speed: u32,
    wall_reach: u32,
    wall_jump: UVec2,
    wall_jump_steps: u16,
    ledge_reach: u32,
    momentum_limit: u32,
    momentum_steps: u16,
    climb_speed: u32,
    swim_speed: u32,
    swim_acceleration: u32,
    float_speed: u32,
}

/// The data that the rules of one step read: solids, ladders, water, keys and settings. A scene also
/// implements [`Solids`], with the solids of its field `solids` and the tops of the ladders as one-way
/// floors.
pub(crate) struct CharacterScene<'a> {
    solids: &'a dyn Solids,
    ladders: Option<&'a Terrain>,
    water: Option<&'a Terrain>,
    input: Input,
    feel: &'a StepFeel,
}

impl Platformer {
    /// Returns the state of a character at rest in the air, for a game with `rate` steps a second.
    pub const fn new(rate: Rate) -> Self {
        Self {
            stance: Stance::Air,
            rate,
            velocity: I64Vec2::ZERO,
            coyote: 0,
            buffer: 0,
            unsteered: 0,
            is_jumping: false,
            held_jump: false,
            momentum: (I64Vec2::ZERO, 0),
        }
    }

    /// Moves the character by one step. The keys change the velocity, `mover` moves by it, and solids that
    /// stop the body reduce it.
    ///
    /// Returns the motion of the mover, and what the character did. Takes one step of the mover and at most a
    /// dozen queries of the body's size; allocates nothing.
    ///
    /// The floor of `mover` must be [`Dir::Down`] and its response
    /// [`Response::Slide`](crate::mover::Response::Slide), as in
    /// [`MoverSettings::platformer`](crate::MoverSettings::platformer): without a floor the character never
    /// stands.
    ///
    /// The top of a ladder supports the character like a one-way cell. A [`Contact`](crate::Contact) with a
    /// ladder's top has the column and row of a cell in the area of the ladders.
    pub fn step(
        &mut self,
        solids: &impl Solids,
        mover: &mut Mover,
        input: Input,
        feel: &Feel,
    ) -> (Move, Outcome) {
        match solids.for_size(mover.body.size()) {
            Some(sized) => self.step_in(&sized, mover, input, feel),
            None => self.step_in(solids, mover, input, feel),
        }
    }

    fn step_in(
        &mut self,
        solids: &dyn Solids,
        mover: &mut Mover,
        input: Input,
        feel: &Feel,
    ) -> (Move, Outcome) {
        let rules = feel.at(self.rate);
        let scene = &CharacterScene::new(solids, input, feel, &rules);
        let from = self.stance;
        let dropped = self.asks_to_drop(scene) && mover.drop_through(scene);
        let jumped_from = self.start(scene, mover, dropped);
        let motion = self.go(scene, mover);
        self.finish(scene, mover.body, &motion, from);
        (motion, Outcome { from, to: self.stance, jumped_from, dropped })
    }

    /// Records whether the jump key is held in this step. Returns true if the keys ask for a drop through the
    /// floor: jump and down.
    pub(crate) fn asks_to_drop(&mut self, scene: &CharacterScene<'_>) -> bool {
        if scene.input.jump && !self.held_jump {
            self.buffer = scene.feel.buffer_steps.saturating_add(1);
        }
        self.held_jump = scene.input.jump;
        self.stance == Stance::Ground && self.buffer > 0 && scene.input.is_down()
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
        let lets_go = self.climbs() && self.buffer > 0 && scene.input.is_down();
        if dropped || lets_go {
            (self.stance, self.buffer, self.coyote) = (Stance::Air, 0, 0);
        }
        let jumped_from = self.jump(scene, mover.body);
        if jumped_from.is_none() {
            self.steer(scene, mover);
        }
        jumped_from
    }

    /// Records `motion`, at which a platform carries the character in this step, in subpixels a step: zero
    /// without a platform.
    pub(crate) fn ride(&mut self, motion: I64Vec2, feel: &StepFeel) {
        let limit = I64Vec2::splat(feel.momentum_limit.into());
        let (kept, steps) = &mut self.momentum;
        if motion != I64Vec2::ZERO {
            *kept = I64Vec2::new(motion.x, motion.y.min(0)).clamp(-limit, limit);
            *steps = feel.momentum_steps.saturating_add(1);
        } else {
            *steps = steps.saturating_sub(1);
        }
        if *steps == 0 {
            *kept = I64Vec2::ZERO;
        }
    }

    /// Adds the motion of the platform that the character has left to its velocity. A later jump adds only
    /// the platform's rise, if the character left without a jump.
    pub(crate) fn take_momentum(&mut self, feel: &StepFeel, jumps: bool) {
        if jumps || feel.momentum_steps > 0 {
            self.velocity = self.velocity.saturating_add(self.momentum.0);
            self.momentum.0.x = 0;
        }
        if jumps {
            self.momentum = (I64Vec2::ZERO, 0);
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
        if self.climbs() {
            self.velocity.y = 0;
        }
        self.settle(scene, body, motion);
        self.count(from, scene.feel);
    }

    /// Sets the velocity in pixels a second, such as for a knockback or a spring.
    ///
    /// `velocity` is any pair of `f32`, with the limits of
    /// [`Body::set_velocity`](crate::world::Body::set_velocity).
    ///
    /// ```
    /// use bitwall::{Rate, character::Platformer, glam::Vec2};
    ///
    /// let mut player = Platformer::new(Rate::per_second(60));
    /// player.set_velocity([-120.0, -210.0]);
    /// assert_eq!(player.velocity(), Vec2::new(-120.0, -210.0));
    /// ```
    pub fn set_velocity(&mut self, velocity: impl Into<[f32; 2]>) {
        self.velocity = velocity.into().map(|speed| self.rate.subpixels(speed, 1)).into();
    }

    /// Returns the velocity in pixels a second, rounded to the nearest `f32`; 0 along y while the character
    /// climbs or hangs.
    pub fn velocity(&self) -> Vec2 {
        self.velocity.to_array().map(|speed| self.rate.pixels(speed, 1)).into()
    }

    /// Returns a checksum of the state, without the mover's. Equal states have equal checksums on every
    /// platform, also after saving and loading.
    pub fn checksum(&self) -> u64 {
        checksum::of(self)
    }

    /// True if the character is on a ladder or a ledge.
    fn climbs(&self) -> bool {
        matches!(self.stance, Stance::Ladder | Stance::Ledge(_) | Stance::LedgeClimb(_))
    }

    /// Starts a jump if a press of the jump key still counts and a jump is possible. Returns the stance from
    /// which the character jumps, or `None` if it does not jump.
    fn jump(&mut self, scene: &CharacterScene<'_>, body: Aabb) -> Option<Stance> {
        if self.buffer == 0 {
            return None;
        }
        let from = match self.stance {
            // In water the character jumps only at the surface: its centre must be in the topmost pixels of
            // the water.
            Stance::Water => (scene.is_in_water(body)
                && !scene.is_in_water(body.shifted(Dir::Up, 1)))
            .then_some(Stance::Water),
            Stance::Air | Stance::WallSlide(_) if self.coyote == 0 => {
                scene.jump_side(body).map(Stance::WallSlide)
            }
            Stance::WallSlide(_) => Some(Stance::Air),
            stance => Some(stance),
        };
        let feel = scene.feel;
        let from =
            from.filter(|from| matches!(from, Stance::WallSlide(_)) || feel.jump_speed > 0)?;
        if let Stance::WallSlide(side) = from {
            let away = side.opposite().vector().as_i64vec2();
            let speed = feel.wall_jump.as_i64vec2();
            self.velocity = I64Vec2::new(away.x * speed.x, -speed.y);
            self.unsteered = feel.wall_jump_steps.saturating_add(1);
        } else {
            self.velocity.x = scene.run(self.velocity.x, from == Stance::Ground);
            self.velocity.y = -i64::from(feel.jump_speed);
            self.unsteered = 0;
        }
        (self.stance, self.is_jumping) = (Stance::Air, true);
        (self.buffer, self.coyote) = (0, 0);
        Some(from)
    }

    /// Changes the stance by the keys: the character grabs a ladder, climbs onto the ledge on which it hangs,
    /// or lets go of that ledge. Then changes the velocity by the rules of the stance.
    fn steer(&mut self, scene: &CharacterScene<'_>, mover: &Mover) {
        let input = scene.input;
        let feel = scene.feel;
        match self.stance {
            Stance::Ground | Stance::Air | Stance::WallSlide(_) => {
                let stands = self.stance == Stance::Ground;
                if self.velocity.y >= 0 && scene.starts_ladder(mover.body, stands) {
                    self.stance = Stance::Ladder;
                }
            }
            Stance::Ledge(side) | Stance::LedgeClimb(side) => {
                if input.is_down() || input.side() == Some(side.opposite()) {
                    (self.stance, self.velocity) = (Stance::Air, I64Vec2::ZERO);
                } else if input.is_up() && feel.climb_speed > 0 {
                    self.stance = Stance::LedgeClimb(side);
                }
            }
            Stance::Ladder | Stance::Water => {}
        }
        let velocity = match self.stance {
            Stance::Ledge(side) => scene.hang(mover, side),
            Stance::LedgeClimb(side) => scene.climb_ledge(mover, side),
            Stance::Ladder => Some(scene.climb_ladder(mover)),
            Stance::Water => Some(scene.swim(mover, self.velocity)),
            Stance::Ground | Stance::Air | Stance::WallSlide(_) => None,
        };
        match velocity {
            Some(velocity) => self.velocity = velocity,
            None => self.run_and_fall(scene),
        }
    }

    /// Changes the velocity by running, gravity and wall slides, for a character on a floor or in the air.
    fn run_and_fall(&mut self, scene: &CharacterScene<'_>) {
        let input = scene.input;
        let feel = scene.feel;
        let stands = self.stance == Stance::Ground;
        if self.unsteered == 0 || stands {
            self.velocity.x = scene.run(self.velocity.x, stands);
        }
        if self.is_jumping && !input.jump {
            self.velocity.y = self.velocity.y.max(-i64::from(feel.released_speed));
            self.is_jumping = false;
        }
        let limit = match self.stance {
            Stance::WallSlide(side) if input.side() == Some(side) => {
                feel.fall_limit.min(feel.wall_slide_speed)
            }
            _ => feel.fall_limit,
        };
        self.velocity.y = scene.fall(self.velocity.y, limit);
    }

    /// Moves the body of `mover` by one step with the character's velocity. Then reduces the velocity as the
    /// solids that stopped the body require.
    fn go(&mut self, scene: &CharacterScene<'_>, mover: &mut Mover) -> Move {
        let one_way = mover.settings.one_way;
        mover.settings.one_way.up &= self.is_held_by_one_way(scene.input);
        let motion = mover.step_subpixels(scene, self.velocity);
        mover.settings.one_way = one_way;
        self.velocity = motion.velocity_subpixels(self.velocity);
        motion
    }

    /// True if one-way floors stop the character; false while it climbs down a ladder.
    pub(crate) fn is_held_by_one_way(&self, input: Input) -> bool {
        self.stance != Stance::Ladder || !input.is_down()
    }

    /// Sets the stance that follows from the outcome `motion` of the mover's step.
    fn settle(&mut self, scene: &CharacterScene<'_>, body: Aabb, motion: &Move) {
        let rises = self.velocity.y < 0;
        let height = body.height();
        self.stance = match self.stance {
            Stance::Ladder if scene.is_kept(body, motion.grounded) => Stance::Ladder,
            _ if scene.is_in_water(body) => Stance::Water,
            _ if motion.grounded && !rises => Stance::Ground,
            Stance::Ledge(side) if scene.rise(body, side, height) == Some(height) => {
                Stance::Ledge(side)
            }
            Stance::LedgeClimb(side) if scene.rise(body, side, height).is_some() => {
                Stance::LedgeClimb(side)
            }
            _ => self.in_the_air(scene, body, motion),
        };
        if let Stance::Ledge(_) = self.stance {
            self.velocity = I64Vec2::ZERO;
        }
    }

    /// The stance of a character that is in the air and holds on to nothing yet.
    fn in_the_air(&self, scene: &CharacterScene<'_>, body: Aabb, motion: &Move) -> Stance {
        if self.velocity.y >= 0
            && let Some(side) = scene.grab(body, motion)
        {
            return Stance::Ledge(side);
        }
        scene.slide(body, self.velocity.y > 0).map_or(Stance::Air, Stance::WallSlide)
    }

    /// Updates the remaining steps and [`Platformer::is_jumping`] at the end of a step. `from` is the stance
    /// before the step.
    fn count(&mut self, from: Stance, feel: &StepFeel) {
        if matches!(self.stance, Stance::Ground | Stance::Ladder) {
            self.coyote = feel.coyote_steps;
        } else if !matches!(from, Stance::Ground | Stance::Ladder) {
            self.coyote = self.coyote.saturating_sub(1);
        }
        self.buffer = self.buffer.saturating_sub(1);
        let flies = matches!(self.stance, Stance::Air | Stance::WallSlide(_));
        let is_counted = flies && self.velocity.x != 0;
        self.unsteered = if is_counted { self.unsteered.saturating_sub(1) } else { 0 };
        self.is_jumping &= self.velocity.y < 0;
    }
}
