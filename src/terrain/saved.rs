//! Serialization of a terrain with serde, and the checks of a deserialized terrain.

use std::borrow::Cow;

use glam::UVec2;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::Terrain;
use super::kernel::each_side;
use crate::geometry::{Outside, Sides};
use crate::grid::{Grid, GridError};

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Terrain", deny_unknown_fields)]
struct SavedTerrain<'t> {
    grid: Cow<'t, Grid>,
    cell_size: UVec2,
    outside: Sides<Outside>,
    /// The one-way cells for each side through which they stop bodies; `None` if the terrain has no one-way
    /// cells.
    one_way: Option<Sides<Cow<'t, Grid>>>,
}

impl Serialize for Terrain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let guards = self.cells.guards.as_ref();
        let saved = SavedTerrain {
            grid: Cow::Borrowed(&self.cells.grid),
            cell_size: self.cell_size(),
            outside: self.outside(),
            one_way: guards.map(|guards| each_side(|side| Cow::Borrowed(guards.get(side)))),
        };
        saved.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Terrain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        checked(SavedTerrain::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

fn checked(saved: SavedTerrain<'_>) -> Result<Terrain, GridError> {
    let SavedTerrain { grid, cell_size, outside, one_way } = saved;
    let terrain = Terrain::new(grid.into_owned(), cell_size)?.with_outside(outside);
    let Some(Sides { left, right, up, down }) = one_way else {
        return Ok(terrain);
    };
    let guards = [left, right, up, down].map(Cow::into_owned);
    let expected = terrain.grid().size();
    match guards.iter().map(Grid::size).find(|size| *size != expected) {
        Some(found) => Err(GridError::OtherSize { found, expected }),
        None => Ok(terrain.with_guards(guards)),
    }
}
