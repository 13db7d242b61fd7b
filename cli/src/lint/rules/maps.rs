//! The rules for Tiled maps and worlds.

pub(super) mod names;
pub(super) mod objects;
pub(super) mod tilesets;

pub use names::*;
pub use objects::*;
pub use tilesets::*;
