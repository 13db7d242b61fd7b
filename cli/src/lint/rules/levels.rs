//! The rules for levels from maps and masks.

pub(super) mod borders;
pub(super) mod hairs;
pub(super) mod reach;
pub(super) mod spawns;

pub use borders::*;
pub use hairs::*;
pub use reach::*;
pub use spawns::*;
