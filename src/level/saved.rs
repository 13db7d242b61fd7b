//! Serialization of a level with serde, for the feature `serde`.

use std::collections::HashSet;

use glam::IVec2;
use serde::de::{Deserialize, Deserializer, Error};

use super::{Area, Level, Marker};
use crate::terrain::Terrain;
use crate::text::printable;

/// A level as it is saved. Two of its areas may have the same name.
#[derive(serde::Deserialize)]
#[serde(rename = "Level", deny_unknown_fields)]
struct SavedLevel {
    terrain: Terrain,
    areas: Vec<Area>,
    markers: Vec<Marker>,
    origin: IVec2,
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedLevel { terrain, areas, markers, origin } = SavedLevel::deserialize(deserializer)?;
        let mut names = HashSet::new();
        if let Some(area) = areas.iter().find(|area| !names.insert(&area.name)) {
            let name = printable(&area.name);
            return Err(D::Error::custom(format_args!("two areas of a level are named `{name}`")));
        }
        Ok(Self { terrain, areas, markers, origin })
    }
}
