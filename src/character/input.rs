//! The keys, or the stick, of one step. Plain data: a press is found by the character, from one step to the
//! next.

use crate::geometry::Dir;

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

    /// The side toward which it is steered at least half.
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
