//! The kernel: the strip that a box's leading edge sweeps, tested over the words of a grid.
//!
//! Free functions over plain data: a grid, a frame (the grid's place in pixels, and its outside), a box, a
//! direction and a step. [`Terrain`] holds the data together and has the functions as methods. No IO, no
//! allocation, no floats, and an answer for every integer.

mod config_space;
mod contact;
mod edge_lines;
mod edit;
mod kernel;
mod nearest;
mod ray;
#[cfg(feature = "serde")]
mod saved;
mod terrain;

pub use config_space::ConfigSpace;
pub use contact::{BodyId, Contact, Hit, Sweep};
pub use edit::Brush;
pub(crate) use edit::{CellRange, Chunk, Emit, Pixels, runs};
pub use nearest::NearestSolid;
pub use ray::RayHit;
pub(crate) use ray::{greatest_common_divisor, ray_to_box};
pub(crate) use terrain::InTerrain;
pub use terrain::{Collider, Terrain};
