//! The rules for Tiled maps and worlds.

pub(in crate::lint) mod names;
pub(super) mod objects;
pub(super) mod stray;
pub(super) mod tilesets;

pub use names::*;
pub use objects::*;
pub use stray::*;
pub use tilesets::*;
