//! The kernel: the strip that a box's leading edge sweeps, tested over the words of a grid.
//!
//! Free functions over plain data: a grid, a frame (the grid's place in pixels, and its outside), a box, a
//! direction and a step. [`Terrain`] holds the data together and has the functions as methods. No IO, no
//! allocation, no floats, and an answer for every integer.

mod batch;
mod brush;
mod chunk;
mod collider;
mod config_space;
mod contact;
mod edge_lines;
mod edit;
mod frame;
mod kernel;
mod nearest;
mod one_way;
mod queries;
mod ray;
mod ray_box;
#[cfg(feature = "serde")]
mod saved;
mod spaces;
mod stamp;
mod terrain;

pub use brush::Brush;
pub(crate) use brush::{Emit, Pixels, runs};
pub(crate) use chunk::{Cells, Chunk};
pub use collider::Collider;
pub(crate) use collider::InTerrain;
pub use config_space::ConfigSpace;
pub use contact::{BodyId, Contact, Hit, Sweep};
pub use nearest::NearestSolid;
pub use ray::RayHit;
pub(crate) use ray::greatest_common_divisor;
pub(crate) use ray_box::ray_to_box;
pub use terrain::Terrain;
