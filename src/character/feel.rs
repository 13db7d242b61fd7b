//! The settings of a character ([`Feel`]), the character's stance ([`Stance`]), and the outcome of a step
//! ([`Outcome`]). All are plain data. A step converts each setting that it reads to a whole number. These
//! numbers alone decide the motion.

use glam::Vec2;

use crate::geometry::{Dir, Rate, SUBPIXELS};

/// The settings that decide how a [`Platformer`](super::Platformer) moves, in pixels and seconds. A setting
/// of 0 turns its feature off.
///
/// A game with any number of steps a second uses the same settings. A step rounds speeds and accelerations to
/// the nearest 65,536th of a pixel a step, and times to the nearest step. A negative number or NaN counts as
/// 0, and a number that is too large as the largest possible one.
///
/// ```
/// use bitwall::character::Feel;
///
/// // A jump is 48 pixels high, and at its highest place after 0.4 seconds.
/// let feel = Feel { jump_height: 48.0, jump_time: 0.4, top_speed: 150.0, ..Feel::default() };
/// assert_eq!(feel.coyote_time, 0.1);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
pub struct Feel {
    /// The direction in which the character falls, and in which its floor is.
    ///
    /// All else is turned with it: with the floor up, the character jumps and climbs down the screen, and x
    /// is mirrored nowhere. In the other documentation of the module `character`, the floor is down. The
    /// directions of an [`Input`](super::Input) are those of the level: with the floor up, the keys up and
    /// jump drop through a one-way floor. A change of the floor lets the character fall.
    pub floor: Dir,
    /// The speed along x to which a fully held direction key accelerates the body, in pixels a second.
    pub top_speed: f32,
    /// The acceleration of a body on the floor toward the held direction, in pixels a second². It also stops
    /// a body that still moves in the other direction.
    pub acceleration: f32,
    /// The loss of speed of a body on the floor while no direction key is held, or while it is faster than
    /// the speed that the keys request, in pixels a second².
    pub friction: f32,
    /// Like [`Feel::acceleration`], for a body in the air.
    pub air_acceleration: f32,
    /// Like [`Feel::friction`], for a body in the air.
    pub air_friction: f32,
    /// The height of a jump in pixels while the jump key is held, rounded to whole pixels, at most 65,535.
    ///
    /// It decides the gravity together with [`Feel::jump_time`]. A jump has exactly this height with any
    /// number of steps a second. With 0 the character neither jumps nor falls.
    pub jump_height: f32,
    /// The time of a jump to its highest point, in seconds. It counts as at least 1 and at most 361 steps.
    ///
    /// With P = 65,536 subpixels in a pixel and N steps in this time, the gravity is 2·height·P / (N·(N + 1))
    /// subpixels a step for each step, rounded up, and a jump starts with N times the gravity. So the body
    /// has risen by exactly the height after N steps, and rises no higher: the rounding adds less than N·(N +
    /// 1) / 2 subpixels, which is less than a pixel.
    pub jump_time: f32,
    /// The gravity of a falling body, as a multiple of the gravity of a rising body.
    pub fall_scale: f32,
    /// The highest speed of a fall, in pixels a second; `f32::MAX` for a fall without a limit.
    pub fall_limit: f32,
    /// The speed along y, in pixels a second, below which gravity is halved while the jump key is held (near
    /// the apex of a jump).
    pub apex_speed: f32,
    /// The highest speed of a rising jump after the jump key was released, in pixels a second, so a short
    /// press makes a low jump. `f32::MAX` if a release does not shorten the jump.
    pub released_speed: f32,
    /// The time in which the body can still jump after it left a floor or a ladder (coyote time), in seconds.
    pub coyote_time: f32,
    /// The number of jumps that the body can make in the air, one after the other, until it is on a floor, a
    /// ladder, a wall or a ledge again, or in water. Each has the height of a jump from a floor.
    pub air_jumps: u8,
    /// The time for which a press of the jump key counts (jump buffering), in seconds. The jump starts as
    /// soon as it is possible.
    pub buffer_time: f32,
    /// The highest speed of a fall along a wall while the direction keys point toward the wall, in pixels a
    /// second.
    pub wall_slide_speed: f32,
    /// The body can jump from a wall that is less than this many pixels away. With 1, the body must touch the
    /// wall.
    pub wall_reach: u32,
    /// The part of the body's height that must touch a wall, from 0 to 1, for a slide or a jump. A ledge,
    /// such as the edge of a thin platform, needs half of it.
    ///
    /// The distance from the highest to the lowest pixel of the wall in the two columns beside the body
    /// counts. A slope is no wall if two of its columns are lower than this part. So with 0.5, slopes of 4:1
    /// are no walls for bodies of at least 17 pixels; a lower body on slopes needs a larger part.
    pub wall_contact: f32,
    /// The speed at the start of a jump from a wall, in pixels a second: x away from the wall, y upward.
    pub wall_jump: Vec2,
    /// The time in which keys do not change the speed along x after a jump from a wall, in seconds.
    pub wall_jump_time: f32,
    /// The largest distance, in pixels, from the body's top up to a ledge that the body grabs. The body also
    /// grabs a ledge that it passes in a step of its fall.
    pub ledge_reach: u32,
    /// The time in which a hanging body climbs by its own height, up to the ledge, in seconds. One step later
    /// it stands on the ledge.
    pub ledge_time: f32,
    /// The speed of a dash, in pixels a second: see [`Input::with_dash`](super::Input::with_dash).
    ///
    /// A dash leads toward the held directions, one of eight, or else to the side to which the body faces. It
    /// is a [`Platformer::force`](super::Platformer::force). After it, the speed on each axis is at most
    /// [`Feel::top_speed`]. The next dash needs a floor, a ladder, a wall, a ledge or water first.
    pub dash_speed: f32,
    /// The time of a dash, in seconds. It counts as at least one step.
    pub dash_time: f32,
    /// The time after a dash in which no other dash starts, in seconds.
    pub dash_wait: f32,
    /// The height of the body while it crouches, in pixels.
    ///
    /// The body crouches while it is on a floor and the key down is held. It stands up as soon as there is
    /// room; until then it does not jump. Its feet stay where they are.
    pub crouch_height: u32,
    /// Like [`Feel::top_speed`], while the body crouches.
    pub crouch_speed: f32,
    /// The velocity with which wind or a stream moves the body, in pixels a second, beside its own velocity.
    /// Solids stop it. The directions are those of the level.
    pub carry: Vec2,
    /// The highest speed along each axis that a jump takes over from the platform that carries the body, in
    /// pixels a second; `f32::MAX` without a limit.
    ///
    /// A jump takes over the platform's motion along x, and its rise. Without a world
    /// ([`Player`](crate::world::Player)) nothing carries the body.
    pub momentum_limit: f32,
    /// The time, in seconds, for which a jump still takes over the motion of a platform that has stopped or
    /// that the body has left.
    ///
    /// With more than 0, a body that leaves a moving platform without a jump takes the motion over at once.
    pub momentum_time: f32,
    /// The speed of a climb on a ladder, in pixels a second.
    pub climb_speed: f32,
    /// The largest distance, in pixels, by which a climbing body moves aside to the middle of its ladder, or
    /// to the hole in the floor through which it climbs down.
    pub ladder_snap: u32,
    /// The name of the level's area that consists of the ladders; empty for a level without ladders.
    pub ladder: String,
    /// The highest speed in water, in pixels a second.
    pub swim_speed: f32,
    /// The acceleration in water, in pixels a second².
    pub swim_acceleration: f32,
    /// The speed at which a body in water rises while neither up nor down is held, in pixels a second.
    pub float_speed: f32,
    /// The name of the level's area that consists of the water; empty for a level without water.
    pub water: String,
}

impl Default for Feel {
    /// Typical settings for tiles of 16 pixels, with a jump of 44 pixels that takes 0.35 seconds to its
    /// highest point.
    fn default() -> Self {
        Self {
            floor: Dir::Down,
            top_speed: 105.0,
            acceleration: 720.0,
            friction: 720.0,
            air_acceleration: 540.0,
            air_friction: 360.0,
            jump_height: 44.0,
            jump_time: 0.35,
            fall_scale: 1.0,
            fall_limit: 240.0,
            apex_speed: 0.0,
            released_speed: 90.0,
            coyote_time: 0.1,
            air_jumps: 0,
            buffer_time: 0.1,
            wall_slide_speed: 45.0,
            wall_reach: 3,
            wall_contact: 0.5,
            wall_jump: Vec2::new(120.0, 210.0),
            wall_jump_time: 10.0 / 60.0,
            ledge_reach: 4,
            ledge_time: 0.4,
            dash_speed: 0.0,
            dash_time: 0.15,
            dash_wait: 0.1,
            crouch_height: 0,
            crouch_speed: 45.0,
            carry: Vec2::ZERO,
            momentum_limit: f32::MAX,
            momentum_time: 0.0,
            climb_speed: 60.0,
            ladder_snap: 8,
            ladder: "ladder".to_owned(),
            swim_speed: 90.0,
            swim_acceleration: 450.0,
            float_speed: 30.0,
            water: "water".to_owned(),
        }
    }
}

impl Feel {
    /// The downward acceleration of a rising body, in subpixels a step for each step, and the upward speed at
    /// the start of a jump, in subpixels a step: see [`Feel::jump_time`].
    pub(crate) fn jump(&self, rate: Rate) -> [i64; 2] {
        let steps = i64::from(rate.steps(self.jump_time).clamp(1, 361));
        let height = i64::from(self.jump_height.round() as u16) * i64::from(SUBPIXELS);
        // At most 2^32 - 2^16 for one step, and less than half of that for more steps.
        let gravity = (2 * height + steps * (steps + 1) - 1) / (steps * (steps + 1));
        [gravity, gravity * steps]
    }
}

/// A negative number or NaN counts as 0 in these conversions, infinity as `f32::MAX`, and the result is at
/// most `u32::MAX`.
impl Rate {
    /// Converts a speed in pixels a second to subpixels a step.
    pub(crate) fn speed(self, pixels: f32) -> i64 {
        self.subpixels(pixels.clamp(0.0, f32::MAX), 1).min(u32::MAX.into())
    }

    /// Converts an acceleration in pixels a second² to subpixels a step for each step.
    pub(crate) fn acceleration(self, pixels: f32) -> i64 {
        self.subpixels(pixels.clamp(0.0, f32::MAX), 2).min(u32::MAX.into())
    }
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
    /// True if a platform can carry the character: it stands, climbs a ladder or holds on.
    pub(crate) fn is_carried(self) -> bool {
        matches!(self, Self::Ground | Self::Ladder) || self.holds().is_some()
    }

    /// The side by which the character holds on to a wall or a ledge.
    pub(crate) const fn holds(self) -> Option<Dir> {
        match self {
            Self::WallSlide(side) | Self::Ledge(side) | Self::LedgeClimb(side) => Some(side),
            _ => None,
        }
    }
}

/// The stances, the jump and the drop of a [`Platformer`](super::Platformer)'s step, beside the motion of its
/// mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[non_exhaustive]
pub struct Outcome {
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
