//! A character for games seen from the side, built on [`Mover`]: it runs, jumps, slides down walls, climbs
//! and swims.
//!
//! The settings ([`Feel`]), the keys ([`Input`]) and the state ([`Platformer`]) are plain data.
//! [`guide::feel`](crate::guide::feel) explains each feature. A character moves its body only by the steps of
//! its [`Mover`] and by [`Mover::drop_through`].

mod feel;
mod ladders;
mod moves;
mod turned;

use glam::{I64Vec2, Vec2};

use crate::checksum;
use crate::geometry::{Dir, Rate};
use crate::level::Solids;
use crate::mover::{Move, Mover};

pub use feel::{Feel, Outcome, Stance};
pub(crate) use ladders::LadderSolids;
use turned::{Turn, Turned};

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
    /// The side to which the character last moved by its keys, or jumped from a wall; `None` before.
    pub facing: Option<Dir>,
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
    /// The number of jumps in the air since the character last held on to something.
    air_jumps: u8,
    /// The remaining steps of a force, in which only solids change the velocity.
    forced: u16,
    /// True if the force is a dash.
    is_dashing: bool,
    /// The remaining steps in which no dash can start.
    dash_wait: u16,
    /// True if the character has dashed since it last held on to something.
    has_dashed: bool,
    /// True if the dash key was held in the last step.
    held_dash: bool,
    /// The height of the body before it crouched; 0 while it stands.
    standing: u32,
    /// The floor on which the character crouched, if the floor then changed so that this height is now the
    /// body's width in the frame.
    lies_on: Option<Dir>,
    /// The motion of the platform that carried the character last, in subpixels a step, and the remaining
    /// steps in which it counts.
    momentum: (I64Vec2, u16),
}

/// The keys that a player holds in a step: directions, a jump key and a dash key.
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
    /// True while the dash key is held.
    dash: bool,
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
        Self {
            x: 100 * (right as i8 - left as i8),
            y: 100 * (down as i8 - up as i8),
            jump,
            dash: false,
        }
    }

    /// Returns the input of a stick: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1 (down), rounded
    /// to hundredths.
    ///
    /// A number outside this range is clamped to it; NaN counts as 0. For a stick whose y points up, pass
    /// `-y`.
    pub fn from_axes(x: f32, y: f32, jump: bool) -> Self {
        let [x, y] = [x, y].map(|part| (part.clamp(-1.0, 1.0) * 100.0).round() as i8);
        Self { x, y, jump, dash: false }
    }

    /// Returns this input with the jump key held or not held.
    #[must_use]
    pub const fn with_jump(self, jump: bool) -> Self {
        Self { jump, ..self }
    }

    /// Returns this input with the dash key held or not held. A press starts a dash if
    /// [`Feel::dash_speed`] is above 0.
    #[must_use]
    pub const fn with_dash(self, dash: bool) -> Self {
        Self { dash, ..self }
    }

    /// The input without a held key.
    pub const NONE: Self = Self { x: 0, y: 0, jump: false, dash: false };

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

/// The rules of one step, with all that they read: solids, ladders, water, keys and settings, in the frame of
/// the character. In it the floor is down.
pub(crate) struct Rules<'a> {
    level: &'a LadderSolids<'a>,
    turn: Turn,
    solids: Turned<'a>,
    ladders: Option<Turned<'a>>,
    water: Option<Turned<'a>>,
    input: Input,
    feel: &'a Feel,
    rate: Rate,
}

impl Platformer {
    /// Returns the state of a character at rest in the air, for a game with `rate` steps a second.
    pub const fn new(rate: Rate) -> Self {
        Self {
            stance: Stance::Air,
            facing: None,
            rate,
            velocity: I64Vec2::ZERO,
            coyote: 0,
            buffer: 0,
            unsteered: 0,
            is_jumping: false,
            held_jump: false,
            air_jumps: 0,
            forced: 0,
            is_dashing: false,
            dash_wait: 0,
            has_dashed: false,
            held_dash: false,
            standing: 0,
            lies_on: None,
            momentum: (I64Vec2::ZERO, 0),
        }
    }

    /// Moves the character by one step. The keys change the velocity, `mover` moves by it, and solids that
    /// stop the body reduce it.
    ///
    /// Returns the motion of the mover, and what the character did. Takes one step of the mover and at most a
    /// dozen queries of the body's size; allocates nothing.
    ///
    /// A step sets the floor of `mover` to [`Feel::floor`]. Its response must be
    /// [`Response::Slide`](crate::mover::Response::Slide), as in
    /// [`MoverSettings::platformer`](crate::MoverSettings::platformer). If it has another floor, its sides
    /// are turned with it: its corner corrections, its one-way sides and its path.
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
        self.stand_on(feel.floor, &mut mover.settings);
        let sized = solids.for_size(mover.body.size());
        let solids: &dyn Solids = match &sized {
            Some(sized) => sized,
            None => solids,
        };
        let solids = LadderSolids::new(solids, feel);
        let rules = Rules::new(&solids, input, self.rate);
        let dropped = self.asks_to_drop(input, feel) && mover.drop_through(&solids);
        let mut outcome = self.start(&rules, mover, dropped);
        let one_way = mover.settings.one_way;
        self.pass_one_way(input, feel.floor, &mut mover.settings);
        let translation = self.velocity.saturating_add(self.carry(feel));
        let motion = mover.step_subpixels(&solids, translation);
        mover.settings.one_way = one_way;
        self.velocity = motion.velocity_subpixels(self.velocity);
        self.finish(&rules, mover.body, &motion, &mut outcome);
        (motion, outcome)
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
        self.velocity = self.rate.pair(velocity, 1);
    }

    /// Returns the velocity in pixels a second, rounded to the nearest `f32`; 0 along y while the character
    /// climbs or hangs.
    pub fn velocity(&self) -> Vec2 {
        self.velocity.to_array().map(|speed| self.rate.pixels(speed, 1)).into()
    }

    /// Gives the character the velocity `velocity` in pixels a second, and keeps it for `seconds`: such as
    /// for a dash or a knockback.
    ///
    /// In this time, keys, gravity, friction and limits do not change the velocity, and the character holds
    /// on to nothing. A solid ends the motion along its axis, and a jump ends the force. The time is rounded
    /// to whole steps. For a player of a world, call [`World::force`](crate::world::World::force).
    ///
    /// ```
    /// use bitwall::character::{Feel, Input, Platformer};
    /// use bitwall::glam::UVec2;
    /// use bitwall::{Aabb, Grid, Level, Mover, MoverSettings, Rate};
    ///
    /// let level = Level::from_grid(Grid::new(20, 10)?, UVec2::splat(16))?;
    /// let mut mover = Mover::new(Aabb::from_xywh(20, 60, 12, 20), MoverSettings::platformer());
    /// let mut player = Platformer::new(Rate::per_second(60));
    /// player.force([300.0, 0.0], 0.2);
    /// for _ in 0..12 {
    ///     player.step(&level, &mut mover, Input::NONE, &Feel::default());
    /// }
    /// assert_eq!(mover.body, Aabb::from_xywh(80, 60, 12, 20), "it did not fall");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn force(&mut self, velocity: impl Into<[f32; 2]>, seconds: f32) {
        self.set_velocity(velocity);
        (self.stance, self.forced) = (Stance::Air, self.rate.steps(seconds));
        (self.coyote, self.unsteered, self.is_jumping, self.is_dashing) = (0, 0, false, false);
    }

    /// True in the steps of a dash.
    pub const fn is_dashing(&self) -> bool {
        self.is_dashing
    }

    /// True while the body is lower because the character crouches.
    pub const fn is_crouching(&self) -> bool {
        self.standing > 0
    }

    /// Returns a checksum of the state, without the mover's. Equal states have equal checksums on every
    /// platform, also after saving and loading.
    pub fn checksum(&self) -> u64 {
        checksum::of(self)
    }
}
