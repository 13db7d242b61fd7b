//! The number of steps that a game makes in a second, and the one place where pixels and seconds become
//! subpixels and steps. Each number is rounded once.

use std::num::NonZeroU16;

use glam::I64Vec2;

use super::decimal::{SUBPIXELS, subpixels};

/// The number of steps that a game makes in a second, with which a [`World`](crate::World) and a
/// [`Platformer`](crate::Platformer) convert pixels and seconds.
///
/// With one step a second, a pixel a second is a pixel a step.
///
/// ```
/// use bitwall::Rate;
///
/// let rate = Rate::per_second(60);
/// assert_eq!(rate.steps_per_second(), 60);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Rate(NonZeroU16);

impl Rate {
    /// Returns the rate of `steps` steps a second; 0 counts as 1.
    pub const fn per_second(steps: u16) -> Self {
        match NonZeroU16::new(steps) {
            Some(steps) => Self(steps),
            None => Self(NonZeroU16::MIN),
        }
    }

    /// The number of steps in a second, at least 1.
    pub const fn steps_per_second(self) -> u16 {
        self.0.get()
    }

    /// Converts a velocity in pixels a second to subpixels a step, and an acceleration with `power` 2. The
    /// result is rounded to the nearest; a half is rounded away from zero.
    ///
    /// NaN and infinity give 0. A magnitude above 2^31 pixels a step counts as 2^31.
    pub(crate) fn subpixels(self, pixels: f32, power: u32) -> i64 {
        subpixels(f64::from(pixels) / f64::from(self.factor(power)))
    }

    /// Converts both numbers of a pair like [`Rate::subpixels`].
    pub(crate) fn pair(self, pixels: impl Into<[f32; 2]>, power: u32) -> I64Vec2 {
        let [x, y] = pixels.into();
        I64Vec2::new(self.subpixels(x, power), self.subpixels(y, power))
    }

    /// Converts seconds to the nearest number of steps. A negative number or NaN gives 0, and a time that is
    /// too long gives `u16::MAX`.
    pub(crate) fn steps(self, seconds: f32) -> u16 {
        (f64::from(seconds) * f64::from(self.0.get())).round() as u16
    }

    /// Converts a velocity in subpixels a step to pixels a second, and an acceleration with `power` 2. The
    /// result is rounded to the nearest `f32`.
    pub(crate) fn pixels(self, subpixels: i64, power: u32) -> f32 {
        (subpixels as f64 * f64::from(self.factor(power)) / f64::from(SUBPIXELS)) as f32
    }

    /// The steps in a second, to the `power` of 1 or 2. A float's power could differ between platforms.
    fn factor(self, power: u32) -> u32 {
        u32::from(self.0.get()).pow(power)
    }
}
