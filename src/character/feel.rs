//! The settings of a character ([`Feel`]), the keys held in a step ([`Input`]), the character's stance
//! ([`Stance`]), and the outcome of a step ([`Outcome`]). All are plain data. An [`Input`] has only the held
//! keys: the character detects a press by comparing two steps.

use glam::UVec2;

use crate::geometry::{Dir, SUBPIXELS};
use crate::mover::Move;

/// The settings that decide how a [`Platformer`](super::Platformer) moves. A setting of 0 turns its feature
/// off.
///
/// Speeds are in 65,536ths of a pixel a step ([`Mover::SUBPIXELS`](crate::Mover::SUBPIXELS)) and have no
/// sign. Accelerations are changes of such a speed in a step. [`Feel::speed`] converts speeds and
/// accelerations from pixels. Times are in steps (most games make 60 steps a second), and distances are in
/// pixels. [`Feel::per_second`] converts from pixels and seconds.
///
/// ```
/// use bitwall::character::Feel;
///
/// // A jump is 44 pixels high, and at its highest place after 21 steps.
/// let feel = Feel { coyote_steps: 4, top_speed: Feel::speed(2.5), ..Feel::from_jump(44, 21) };
/// assert_eq!(feel.jump_speed, 21 * feel.gravity);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Feel {
    /// The speed along x to which a fully held direction key accelerates the body.
    pub top_speed: u32,
    /// The speed that a body on the floor gains in a step toward the held direction, or loses while it still
    /// moves in the other direction.
    pub acceleration: u32,
    /// The speed that a body on the floor loses in a step while no direction key is held, or while it is
    /// faster than the speed that the keys request.
    pub friction: u32,
    /// Like [`Feel::acceleration`], for a body in the air.
    pub air_acceleration: u32,
    /// Like [`Feel::friction`], for a body in the air.
    pub air_friction: u32,
    /// The downward acceleration while the body rises.
    pub gravity: u32,
    /// The downward acceleration while the body falls.
    pub fall_gravity: u32,
    /// The highest speed of a fall; `u32::MAX` for a fall without a limit.
    pub fall_limit: u32,
    /// The speed along y below which gravity is halved while the jump key is held (near the apex of a jump).
    pub apex_speed: u32,
    /// The speed at the start of a jump from a floor, a ladder, a ledge or the surface of water.
    pub jump_speed: u32,
    /// The highest speed of a rising jump after the jump key was released, so a short press makes a low jump.
    /// `None` if a release does not shorten the jump.
    pub released_speed: Option<u32>,
    /// The number of steps in which the body can still jump after it left a floor or a ladder (coyote time).
    pub coyote_steps: u16,
    /// The number of steps in which a press of the jump key still counts (jump buffering). The jump starts as
    /// soon as it is possible.
    pub buffer_steps: u16,
    /// The highest speed of a fall along a wall while the direction keys point toward the wall.
    pub wall_slide_speed: u32,
    /// The body can jump from a wall that is less than this many pixels away. With 1, the body must touch the
    /// wall.
    pub wall_reach: u32,
    /// The speed at the start of a jump from a wall: x away from the wall, y upward.
    pub wall_jump: UVec2,
    /// The number of steps in which keys do not change the speed along x after a jump from a wall.
    pub wall_jump_steps: u16,
    /// The largest distance, in pixels, from the body's top up to a ledge that the body grabs. The body also
    /// grabs a ledge that it passes in a step of its fall.
    pub ledge_reach: u32,
    /// The speed of a climb, on a ladder or onto a ledge.
    pub climb_speed: u32,
    /// The name of the level's area that consists of the ladders; empty for a level without ladders.
    pub ladder: String,
    /// The highest speed in water.
    pub swim_speed: u32,
    /// The change of the speed in each step in water.
    pub swim_acceleration: u32,
    /// The speed at which a body in water rises while neither up nor down is held.
    pub float_speed: u32,
    /// The name of the level's area that consists of the water; empty for a level without water.
    pub water: String,
}

impl Feel {
    /// Returns typical settings for tiles of 16 pixels, with a jump of `height` pixels that reaches its
    /// highest point after `steps` steps.
    ///
    /// `steps` counts as at least 1 and at most 361.
    ///
    /// With P = 65,536: `gravity` is 2·`height`·P / (`steps`·(`steps` + 1)), rounded up, and `jump_speed` is
    /// `steps`·`gravity`. The body rises by `steps`·`gravity` in the first step, and by one `gravity` less in
    /// each later step. So while the jump key is held, the body has risen by exactly `height` whole pixels
    /// after `steps` steps, and rises no higher. (The rounding adds less than `steps`·(`steps` + 1) / 2
    /// 65,536ths of a pixel, which is less than a pixel.) The body falls by the same gravity.
    pub fn from_jump(height: u16, steps: u16) -> Self {
        let steps = u64::from(steps.clamp(1, 361));
        let height = u64::from(height) * SUBPIXELS as u64;
        // The result is at most 2^32 - 2^16 for one step, and less than half of that for more steps.
        let gravity = (2 * height).div_ceil(steps * (steps + 1)) as u32;
        Self {
            gravity,
            fall_gravity: gravity,
            jump_speed: gravity * steps as u32,
            ..Self::without_jump(Rate::COMMON)
        }
    }

    /// Returns a converter from pixels and seconds to the units of [`Feel`], for a game with `steps` steps a
    /// second; 0 counts as 1.
    ///
    /// ```
    /// use bitwall::character::Feel;
    ///
    /// let rate = Feel::per_second(60);
    /// let feel = Feel {
    ///     top_speed: rate.speed(120.0),           // pixels a second
    ///     acceleration: rate.acceleration(900.0), // pixels a second²
    ///     coyote_steps: rate.steps(0.1),          // seconds
    ///     ..rate.jump(48.0, 0.4)                  // pixels, seconds to the highest point
    /// };
    /// assert_eq!(feel.top_speed, Feel::speed(2.0));
    /// assert_eq!(feel.coyote_steps, 6);
    /// assert_eq!(rate.jump(44.0, 0.35), Feel::default());
    /// ```
    pub fn per_second(steps: u16) -> Rate {
        Rate(f64::from(steps.max(1)))
    }

    /// Converts `pixels` a step to the unit of speeds and accelerations, rounded to the nearest 65,536th of a
    /// pixel.
    ///
    /// A negative number or NaN gives 0, and the largest result is `u32::MAX`.
    ///
    /// ```
    /// use bitwall::character::Feel;
    ///
    /// assert_eq!(Feel::speed(1.5), 98_304);
    /// ```
    pub const fn speed(pixels: f32) -> u32 {
        to_speed(pixels as f64)
    }

    /// Typical settings without a jump and without gravity.
    fn without_jump(rate: Rate) -> Self {
        Self {
            top_speed: rate.speed(105.0),
            acceleration: rate.acceleration(720.0),
            friction: rate.acceleration(720.0),
            air_acceleration: rate.acceleration(540.0),
            air_friction: rate.acceleration(360.0),
            gravity: 0,
            fall_gravity: 0,
            fall_limit: rate.speed(240.0),
            apex_speed: 0,
            jump_speed: 0,
            released_speed: Some(rate.speed(90.0)),
            coyote_steps: rate.steps(0.1),
            buffer_steps: rate.steps(0.1),
            wall_slide_speed: rate.speed(45.0),
            wall_reach: 3,
            wall_jump: UVec2::new(rate.speed(120.0), rate.speed(210.0)),
            wall_jump_steps: rate.steps(10.0 / 60.0),
            ledge_reach: 4,
            climb_speed: rate.speed(60.0),
            ladder: "ladder".to_owned(),
            swim_speed: rate.speed(90.0),
            swim_acceleration: rate.acceleration(450.0),
            float_speed: rate.speed(30.0),
            water: "water".to_owned(),
        }
    }
}

impl Default for Feel {
    fn default() -> Self {
        Self::from_jump(44, 21)
    }
}

/// The direction keys and the jump key that a player holds in a step.
///
/// ```
/// use bitwall::character::Input;
///
/// let right_and_jump = Input { x: 100, jump: true, ..Input::NONE };
/// assert_ne!(right_and_jump, Input::NONE);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Input {
    /// The direction along x, in percent: -100 for a key to the left, 100 for a key to the right, and a
    /// number between them for a stick.
    ///
    /// A number below -100 counts as -100, a number above 100 as 100.
    pub x: i8,
    /// The direction along y, in percent: -100 for a key up, 100 for a key down, with the limits of `x`.
    pub y: i8,
    /// True while the jump key is held.
    pub jump: bool,
}

impl Input {
    /// Returns the input of these keys. A key is true while it is held. Two opposite keys cancel each other.
    ///
    /// ```
    /// use bitwall::character::Input;
    ///
    /// let right_and_jump = Input::from_keys(false, true, false, false, true);
    /// assert_eq!(right_and_jump, Input { x: 100, y: 0, jump: true });
    /// ```
    pub const fn from_keys(left: bool, right: bool, up: bool, down: bool, jump: bool) -> Self {
        Self { x: 100 * (right as i8 - left as i8), y: 100 * (down as i8 - up as i8), jump }
    }

    /// Returns the input of a stick: `x` from -1 (left) to 1 (right), `y` from -1 (up) to 1 (down), rounded
    /// to hundredths.
    ///
    /// A number outside this range is clamped to it; NaN counts as 0. For a stick whose y points up, pass
    /// `-y`.
    ///
    /// ```
    /// use bitwall::character::Input;
    ///
    /// assert_eq!(Input::from_axes(0.5, -1.0, false), Input { x: 50, y: -100, jump: false });
    /// ```
    pub fn from_axes(x: f32, y: f32, jump: bool) -> Self {
        let [x, y] = [x, y].map(|part| (part.clamp(-1.0, 1.0) * 100.0).round() as i8);
        Self { x, y, jump }
    }

    /// The input without a held key.
    pub const NONE: Self = Self { x: 0, y: 0, jump: false };

    /// The smallest deflection of a stick, in percent, that counts as a held key.
    const KEY: i8 = 50;

    /// The side to which `x` points: the stick must be deflected by at least `KEY` percent. `None` if it is
    /// deflected less.
    pub(super) const fn side(self) -> Option<Dir> {
        match self.x {
            x if x <= -Self::KEY => Some(Dir::Left),
            x if x >= Self::KEY => Some(Dir::Right),
            _ => None,
        }
    }

    pub(super) const fn is_up(self) -> bool {
        self.y <= -Self::KEY
    }

    pub(super) const fn is_down(self) -> bool {
        self.y >= Self::KEY
    }
}

/// A converter from pixels and seconds to the units of a [`Feel`], for a game with a fixed number of steps a
/// second. Made by [`Feel::per_second`].
///
/// Speeds and accelerations are rounded to the nearest 65,536th of a pixel a step, and times to the nearest
/// step. A negative number or NaN gives 0. A number that is too large gives the largest value of the result
/// type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate(f64);

impl Rate {
    /// The converter for 60 steps a second.
    const COMMON: Self = Self(60.0);

    /// Converts a speed in pixels a second. Infinity gives `u32::MAX`, a speed without a limit.
    pub fn speed(self, pixels_a_second: f32) -> u32 {
        to_speed(f64::from(pixels_a_second) / self.0)
    }

    /// Converts an acceleration in pixels a second².
    pub fn acceleration(self, pixels_a_second2: f32) -> u32 {
        to_speed(f64::from(pixels_a_second2) / (self.0 * self.0))
    }

    /// Converts a time in seconds to steps.
    pub fn steps(self, seconds: f32) -> u16 {
        (f64::from(seconds) * self.0).round() as u16
    }

    /// Returns typical settings for tiles of 16 pixels, like [`Feel::from_jump`], with a jump of `height`
    /// pixels that reaches its highest point after `seconds`.
    ///
    /// The height is rounded to whole pixels, at most 65,535, and the jump has exactly this height. The time
    /// counts as at least 1 and at most 361 steps.
    pub fn jump(self, height: f32, seconds: f32) -> Feel {
        let jump = Feel::from_jump(height.round() as u16, self.steps(seconds));
        let Feel { gravity, fall_gravity, jump_speed, .. } = jump;
        Feel { gravity, fall_gravity, jump_speed, ..Feel::without_jump(self) }
    }
}

/// Converts `pixels` to 65,536ths of a pixel, rounded to the nearest. The conversion saturates.
const fn to_speed(pixels: f64) -> u32 {
    (pixels * SUBPIXELS as f64 + 0.5) as u32
}

/// Returns `hundredths` percent of `speed`, rounded toward zero, so that opposite directions have opposite
/// speeds.
pub(super) fn part(speed: u32, hundredths: i8) -> i64 {
    i64::from(speed) * i64::from(hundredths.clamp(-100, 100)) / 100
}

/// The stance of a character, which selects the rules for its next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Stance {
    /// The character stands on a floor.
    Ground,
    /// The character rises or falls.
    #[default]
    Air,
    /// The character falls along the wall on this side.
    WallSlide(Dir),
    /// The character hangs on the ledge on this side.
    Ledge(Dir),
    /// The character climbs onto the ledge on this side.
    LedgeClimb(Dir),
    /// The character is on a ladder.
    Ladder,
    /// The character swims.
    Water,
}

impl Stance {
    /// The side by which the character holds on to a wall or a ledge.
    pub(crate) const fn holds(self) -> Option<Dir> {
        match self {
            Self::WallSlide(side) | Self::Ledge(side) | Self::LedgeClimb(side) => Some(side),
            _ => None,
        }
    }
}

/// The outcome of a [`Platformer`](super::Platformer)'s step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Outcome {
    /// The outcome of the mover's step.
    pub motion: Move,
    /// The character's stance before the step.
    pub from: Stance,
    /// The character's stance after the step.
    pub to: Stance,
    /// The stance from which the character jumped in this step; `None` if it did not jump. A jump in coyote
    /// time has [`Stance::Air`].
    ///
    /// A jump from a wall has [`Stance::WallSlide`] with the side of the wall, even if the character did not
    /// slide.
    pub jumped_from: Option<Stance>,
    /// True if the character dropped through the one-way floor on which it stood.
    pub dropped: bool,
}

impl Outcome {
    /// True if the character's stance is `stance` after the step, and was not before the step.
    ///
    /// ```
    /// use bitwall::character::{Feel, Input, Platformer, Stance};
    /// use bitwall::glam::UVec2;
    /// use bitwall::{Aabb, Grid, Level, Mover, MoverSettings};
    ///
    /// let level = Level::from_grid(Grid::new(4, 4)?, UVec2::splat(16))?;
    /// let mut mover = Mover::new(Aabb::from_xywh(8, 40, 12, 24), MoverSettings::platformer());
    /// let mut player = Platformer::default();
    /// let outcome = player.step(&level, &mut mover, Input::NONE, &Feel::default());
    /// assert!(outcome.became(Stance::Ground), "for a splash, it would be Stance::Water");
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn became(&self, stance: Stance) -> bool {
        self.to == stance && self.from != stance
    }
}
