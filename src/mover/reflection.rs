//! The bounce off a slanted surface: the reflection of a motion, and of a velocity, by its normal.
//!
//! All in integers, rounded toward zero, so that no bounce gains speed. Nothing here looks for a surface.

use glam::I64Vec2;

/// A bounce off a slanted surface, and those off level ones and walls before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Reflection {
    /// Out of the surface, of any length but 0.
    pub(super) normal: [i16; 2],
    /// The part of the speed into the surface that comes back, in hundredths.
    pub(super) restitution: u8,
    /// The number of bounces on each axis before it.
    pub(super) before: [u8; 2],
}

impl Reflection {
    /// The vector after the bounce. One that does not lead into the surface stays as it is.
    ///
    /// Its part along the normal n is (v·n / |n|²) n, and comes back multiplied by the restitution.
    pub(super) fn of(&self, vector: [i64; 2]) -> [i64; 2] {
        let normal = self.normal.map(i128::from);
        let along = i128::from(vector[0]) * normal[0] + i128::from(vector[1]) * normal[1];
        let square = normal[0] * normal[0] + normal[1] * normal[1];
        if along >= 0 || square == 0 {
            return vector;
        }
        let lost = (100 + i128::from(self.restitution.min(100))) * along;
        [0, 1].map(|at| {
            let whole = i128::from(vector[at]) * square * 100 - lost * normal[at];
            (whole / (square * 100)) as i64
        })
    }

    /// The velocity after all bounces of a step, of which there were so many on each axis.
    pub(super) fn velocity(&self, velocity: I64Vec2, bounces: [u8; 2]) -> I64Vec2 {
        let after = [0, 1].map(|at| bounces[at].saturating_sub(self.before[at]));
        let velocity = self.of(self.turned(velocity.to_array(), self.before));
        self.turned(velocity, after).into()
    }

    /// The velocity after so many bounces on each axis.
    fn turned(&self, velocity: [i64; 2], times: [u8; 2]) -> [i64; 2] {
        // The opposite of `i64::MIN` is the highest speed.
        let back = |speed: i64| restored(speed, self.restitution).saturating_neg();
        [0, 1].map(|at| (0..times[at]).fold(velocity[at], |speed, _| back(speed)))
    }
}

/// The rest of an amount after a bounce, rounded toward zero.
pub(super) fn restored(amount: i64, restitution: u8) -> i64 {
    let part = i64::from(restitution.min(100));
    // In two parts, so that no product overflows.
    amount / 100 * part + amount % 100 * part / 100
}
