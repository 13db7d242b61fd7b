//! The rules for Tiled maps and worlds.

mod names;
mod objects;
mod stray;
pub(super) mod tilesets;

pub use names::*;
pub use objects::*;
pub use stray::*;
pub use tilesets::*;
