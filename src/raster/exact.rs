//! The shapes of a Tiled map, in exact coordinates.

pub(super) mod outline;
mod path;
mod points;
mod round;
mod set;

pub(crate) use outline::{Outline, capsule, ellipse, rectangle};
pub(crate) use points::{Ratio, Rotation, scale};
pub(crate) use set::{Coverage, Flips};
