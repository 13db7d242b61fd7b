//! The bounce off a slanted surface: the reflection of a motion, and of a velocity, by its normal.
//!
//! All in integers, rounded toward zero, so that no bounce gains speed. Nothing here looks for a surface.

use glam::{I64Vec2, IVec2};

/// The bounces of a step of which one is off a slanted surface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(super) struct Reflection {
    /// Out of the surface, of any length but 0.
    pub(super) normal: [i16; 2],
    /// That of the last slanted surface that stopped the body after the first; (0, 0) without one.
    pub(super) second: [i16; 2],
    /// The part of the speed into the surface that comes back, in hundredths.
    restitution: u8,
    /// The number of bounces on each axis before it.
    before: [u8; 2],
}

impl Reflection {
    /// A bounce after `before` bounces on each axis.
    pub(super) const fn new(normal: [i16; 2], restitution: u8, before: [u8; 2]) -> Self {
        Self { normal, second: [0; 2], restitution, before }
    }

    /// The motion after the bounce.
    pub(super) fn of(&self, motion: [i64; 2]) -> [i64; 2] {
        reflected(motion, self.normal, self.restitution)
    }

    /// The velocity after all bounces of a step, of which there were so many on each axis.
    pub(super) fn velocity(&self, velocity: I64Vec2, bounces: [u8; 2]) -> I64Vec2 {
        let after = [0, 1].map(|at| bounces[at].saturating_sub(self.before[at]));
        let velocity = self.of(self.turned(velocity.to_array(), self.before));
        let velocity = reflected(velocity, self.second, self.restitution);
        self.turned(velocity, after).into()
    }

    /// The velocity after so many bounces on each axis.
    fn turned(&self, velocity: [i64; 2], times: [u8; 2]) -> [i64; 2] {
        // The opposite of `i64::MIN` is the highest speed.
        let back = |speed: i64| restored(speed, self.restitution).saturating_neg();
        [0, 1].map(|at| (0..times[at]).fold(velocity[at], |speed, _| back(speed)))
    }
}

/// True if a motion leads into the surface with this normal.
pub(super) fn leads_into(normal: IVec2, motion: [i64; 2]) -> bool {
    let [x, y] = [0, 1].map(|at| i128::from(motion[at]) * i128::from(normal.to_array()[at]));
    x + y < 0
}

/// The vector after a bounce off a surface. One that does not lead into the surface stays as it is.
///
/// Its part along the normal n is (v·n / |n|²) n, and comes back multiplied by the restitution.
fn reflected(vector: [i64; 2], normal: [i16; 2], restitution: u8) -> [i64; 2] {
    let normal = normal.map(i128::from);
    let along = i128::from(vector[0]) * normal[0] + i128::from(vector[1]) * normal[1];
    let square = normal[0] * normal[0] + normal[1] * normal[1];
    if along >= 0 || square == 0 {
        return vector;
    }
    let lost = (100 + i128::from(restitution.min(100))) * along;
    [0, 1].map(|at| {
        let whole = i128::from(vector[at]) * square * 100 - lost * normal[at];
        (whole / (square * 100)) as i64
    })
}

/// The rest of an amount after a bounce, rounded toward zero.
pub(super) fn restored(amount: i64, restitution: u8) -> i64 {
    let part = i64::from(restitution.min(100));
    // In two parts, so that no product overflows.
    amount / 100 * part + amount % 100 * part / 100
}
