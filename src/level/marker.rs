//! Places named in a map: spawns, doors, triggers.
//!
//! Plain data; nothing here is solid.

use glam::IVec2;

use crate::geometry::Aabb;
use crate::property::PropertyValues;

/// A point or rectangle object that is not solid: a named place in a map, such as a spawn.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Marker {
    /// Its name, which may be empty.
    pub name: String,
    /// Its class (Tiled also calls it type), which may be empty.
    pub class: String,
    /// Its layer, with the groups around it.
    pub layer: String,
    /// Its id in the map.
    pub object: u32,
    /// Its place: the pixels that a rectangle covers, as if it were not rotated; for a point, an empty box at
    /// the pixel that holds it.
    pub area: Aabb,
    /// True for a point.
    pub is_point: bool,
    /// Its custom properties.
    pub properties: PropertyValues,
}

impl Marker {
    /// The pixel that holds a point, or the one in the middle of a rectangle ([`Aabb::center`]).
    pub fn position(&self) -> IVec2 {
        self.area.center()
    }
}
