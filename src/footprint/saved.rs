//! A footprint in the files of the feature `serde`: the grid of its pixels.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::Footprint;
use crate::grid::Grid;

impl Serialize for Footprint {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.bits.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Footprint {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::from_grid(&Grid::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}
