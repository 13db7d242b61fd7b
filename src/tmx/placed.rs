//! A map in a level: the part of it that is shown, and its place.

use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::Map;
use crate::geometry::Aabb;

/// A map that is part of a level, and where it lies there.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedMap {
    /// The map.
    pub map: Arc<Map>,
    /// In a world its file, as the world names it.
    pub file: Option<String>,
    /// The pixels of the level that it takes.
    pub area: Aabb,
    /// Where in the level its own pixel (0, 0) lies.
    pub place: IVec2,
    /// Column and row of the first cell that the level shows: (0, 0), but for an infinite map.
    pub first_cell: IVec2,
    /// The number of columns and rows that the level shows.
    pub cells: UVec2,
    /// The part of the screen that the level shows, if the level's pixels are those of the screen; `None` for
    /// a level in the own space of an isometric or oblique map.
    pub on_screen: Option<Aabb>,
}
