//! The rules for Tiled maps and worlds.

mod names;
mod objects;
pub(super) mod tilesets;

pub use names::*;
pub use objects::*;
pub use tilesets::*;
