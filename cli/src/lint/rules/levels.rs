//! The rules for levels from maps and masks.

pub(super) mod borders;
pub(super) mod reach;
pub(super) mod spawns;

pub use borders::*;
pub use reach::*;
pub use spawns::*;
