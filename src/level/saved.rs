//! Serialization of a level with serde, for the feature `serde`.

use std::borrow::Cow;
use std::collections::HashSet;

use glam::IVec2;
use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use super::{Area, Level, Marker};
use crate::terrain::Terrain;
use crate::text::printable;

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(rename = "Level", deny_unknown_fields)]
struct SavedLevel<'l> {
    terrain: Cow<'l, Terrain>,
    /// The name, cells and categories of each area. Each name occurs only once.
    areas: Vec<(Cow<'l, str>, Cow<'l, Terrain>, u64)>,
    markers: Cow<'l, [Marker]>,
    origin: IVec2,
}

impl Serialize for Level {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { terrain, areas, markers, origin } = self;
        let areas = areas.iter().map(|area| {
            (Cow::Borrowed(area.name.as_str()), Cow::Borrowed(&area.terrain), area.category)
        });
        let saved = SavedLevel {
            terrain: Cow::Borrowed(terrain),
            areas: areas.collect(),
            markers: Cow::Borrowed(markers),
            origin: *origin,
        };
        saved.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Level {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let SavedLevel { terrain, areas, markers, origin } = SavedLevel::deserialize(deserializer)?;
        let mut names = HashSet::new();
        if let Some((name, ..)) = areas.iter().find(|(name, ..)| !names.insert(name)) {
            let name = printable(name);
            return Err(D::Error::custom(format_args!("two areas of a level are named `{name}`")));
        }
        let areas = areas.into_iter().map(|(name, area, category)| Area {
            name: name.into_owned(),
            terrain: area.into_owned(),
            category,
        });
        Ok(Self {
            terrain: terrain.into_owned(),
            areas: areas.collect(),
            markers: markers.into_owned(),
            origin,
        })
    }
}
