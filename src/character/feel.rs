//! The numbers of a character (how it runs, jumps, falls, climbs and swims), its keys, its stance, and the
//! outcome of a step. Plain data: the character finds a press by comparing two steps.

use glam::UVec2;

use crate::geometry::{Dir, SUBPIXELS};
use crate::mover::Move;

/// The numbers by which a [`Platformer`](super::Platformer) moves. A feature whose number is 0 is off.
///
/// Speeds are in 65,536ths of a pixel a step ([`Mover::SUBPIXELS`](crate::Mover::SUBPIXELS)), without a sign,
/// and accelerations in the same a step; [`Feel::speed`] makes both of pixels. Times are in steps, which are
/// a 60th of a second in most games, and distances in pixels.
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
    /// The speed of a run.
    pub top_speed: u32,
    /// The speed that it gains in a step on the floor, and loses when it turns round.
    pub acceleration: u32,
    /// The speed that it loses in a step on the floor without a key, or above its top speed.
    pub friction: u32,
    /// The acceleration in the air.
    pub air_acceleration: u32,
    /// The friction in the air.
    pub air_friction: u32,
    /// The gravity while it rises.
    pub gravity: u32,
    /// The gravity while it falls.
    pub fall_gravity: u32,
    /// The highest speed of a fall; `u32::MAX` if there is none.
    pub fall_limit: u32,
    /// While the jump key is held and the body rises or falls more slowly than this, gravity is halved.
    pub apex_speed: u32,
    /// The speed at which a jump from a floor, a ladder, a ledge or the surface of water starts.
    pub jump_speed: u32,
    /// The speed at which a jump goes on after its key was released, if it rises faster. `None` if every jump
    /// is a whole one.
    pub released_speed: Option<u32>,
    /// The steps in the air after the end of a floor in which a jump from it is still granted (coyote time).
    pub coyote_steps: u16,
    /// The steps after a press of the jump key in which the jump is still made as soon as it is possible
    /// (jump buffering).
    pub buffer_steps: u16,
    /// The highest speed of a fall along a wall toward which the body is steered.
    pub wall_slide_speed: u32,
    /// The largest distance to a wall from which it jumps: 1 for a wall that it touches.
    pub wall_reach: u32,
    /// The speed at which a jump from a wall starts: away from the wall, and up.
    pub wall_jump: UVec2,
    /// The steps after a jump from a wall in which keys do not change its speed along x.
    pub wall_jump_steps: u16,
    /// The largest distance above the top of its body at which it grabs a ledge. A ledge that it falls past
    /// is never missed.
    pub ledge_reach: u32,
    /// The speed on a ladder, and of a climb onto a ledge.
    pub climb_speed: u32,
    /// The name of the area of the level in which ladders are. Empty: none.
    pub ladder: String,
    /// The highest speed in water.
    pub swim_speed: u32,
    /// The speed that it gains or loses in a step in water.
    pub swim_acceleration: u32,
    /// The speed at which it rises in water without a key.
    pub float_speed: u32,
    /// The name of the area of the level in which water is. Empty: none.
    pub water: String,
}

impl Feel {
    /// The typical numbers for tiles of 16 pixels, with a jump that is `height` pixels high and takes `steps`
    /// steps, 1 to 361, to its highest place.
    ///
    /// With P = 65,536: `gravity` is 2·`height`·P / (`steps`·(`steps` + 1)), rounded up, and `jump_speed` is
    /// `steps`·`gravity`. The body rises by `steps`·`gravity`, then by one `gravity` less in each step. So
    /// with the key held it is exactly `height` whole pixels up after `steps` steps, and no higher. (The
    /// parts of a pixel due then are fewer than `steps`·(`steps` + 1) / 2 65,536ths.) It falls by the same
    /// gravity.
    pub fn from_jump(height: u16, steps: u16) -> Self {
        let steps = u64::from(steps.clamp(1, 361));
        let height = u64::from(height) * SUBPIXELS as u64;
        // At most 2^16 * 2^16 - 2^16 for one step, and less than half of it for more.
        let gravity = (2 * height).div_ceil(steps * (steps + 1)) as u32;
        Self {
            gravity,
            fall_gravity: gravity,
            jump_speed: gravity * steps as u32,
            ..Self::without_jump()
        }
    }

    /// A speed or an acceleration of `pixels` pixels a step, rounded to the nearest 65,536th. It is 0 for a
    /// negative number or NaN, and at most `u32::MAX`.
    ///
    /// ```
    /// use bitwall::character::Feel;
    ///
    /// assert_eq!(Feel::speed(1.5), 98_304);
    /// ```
    pub const fn speed(pixels: f32) -> u32 {
        // In f64 the product is exact, and the conversion saturates.
        (pixels as f64 * SUBPIXELS as f64 + 0.5) as u32
    }

    fn without_jump() -> Self {
        Self {
            top_speed: Self::speed(1.75),
            acceleration: Self::speed(0.2),
            friction: Self::speed(0.2),
            air_acceleration: Self::speed(0.15),
            air_friction: Self::speed(0.1),
            gravity: 0,
            fall_gravity: 0,
            fall_limit: Self::speed(4.0),
            apex_speed: 0,
            jump_speed: 0,
            released_speed: Some(Self::speed(1.5)),
            coyote_steps: 6,
            buffer_steps: 6,
            wall_slide_speed: Self::speed(0.75),
            wall_reach: 3,
            wall_jump: UVec2::new(Self::speed(2.0), Self::speed(3.5)),
            wall_jump_steps: 10,
            ledge_reach: 4,
            climb_speed: Self::speed(1.0),
            ladder: "ladder".to_owned(),
            swim_speed: Self::speed(1.5),
            swim_acceleration: Self::speed(0.125),
            float_speed: Self::speed(0.5),
            water: "water".to_owned(),
        }
    }
}

impl Default for Feel {
    fn default() -> Self {
        Self::from_jump(44, 21)
    }
}

/// The direction and the jump key that a player holds in a step.
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
    /// The direction along x, in hundredths: -100 is a key to the left, 100 one to the right, and a stick
    /// gives the numbers between. Beyond that they count as 100.
    pub x: i8,
    /// The direction along y, in hundredths: -100 is a key up, 100 one down.
    pub y: i8,
    /// True while the jump key is held.
    pub jump: bool,
}

impl Input {
    /// No key.
    pub const NONE: Self = Self { x: 0, y: 0, jump: false };

    /// The part of a direction from which a stick counts as a key, in hundredths.
    const KEY: i8 = 50;

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

/// The part of a speed in hundredths, rounded toward zero, so that the mirrored direction has the mirrored
/// speed.
pub(super) fn part(speed: u32, hundredths: i8) -> i64 {
    i64::from(speed) * i64::from(hundredths.clamp(-100, 100)) / 100
}

/// The state of a character: which rules move it in the next step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Stance {
    /// It stands on a floor.
    Ground,
    /// It rises or falls.
    #[default]
    Air,
    /// It falls along the wall on this side.
    WallSlide(Dir),
    /// It hangs on the ledge on this side.
    Ledge(Dir),
    /// It climbs onto the ledge on this side.
    LedgeClimb(Dir),
    /// It is on a ladder.
    Ladder,
    /// It swims.
    Water,
}

/// The outcome of a [`Platformer`](super::Platformer)'s step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The outcome of the mover's step.
    pub motion: Move,
    /// The stance before the step.
    pub from: Stance,
    /// The stance after it.
    pub to: Stance,
    /// The stance from which it jumped in this step: [`Stance::Air`] shortly after the end of a floor
    /// (coyote time), [`Stance::WallSlide`] from a wall on that side, whether it slid or not.
    pub jumped_from: Option<Stance>,
    /// True if it let itself through the one-way floor that it stood on.
    pub dropped: bool,
}

impl Outcome {
    /// True if its stance is this one, and was another before the step.
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
