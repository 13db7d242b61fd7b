//! A projection in the files of the feature `serde`: the numbers that it is made of.

use glam::UVec2;

use super::Projection;
use crate::tmx::Orientation;

/// The form of a projection in a file.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Projection", deny_unknown_fields)]
pub(super) struct Saved {
    orientation: Orientation,
    rows: u32,
    tile_size: UVec2,
}

impl From<Projection> for Saved {
    fn from(projection: Projection) -> Self {
        let Projection { orientation, rows, lattice } = projection;
        Self { orientation, rows, tile_size: lattice.tile.as_uvec2() }
    }
}

impl From<Saved> for Projection {
    fn from(saved: Saved) -> Self {
        let Saved { orientation, rows, tile_size } = saved;
        Self::new(orientation, UVec2::new(0, rows), tile_size)
    }
}
