//! Rules for tiles by their id in their tileset. They never look into a tileset.

use std::ops::RangeInclusive;

#[cfg(feature = "tmx")]
use crate::text::names::is_name_like;

/// Tiles of a tileset by their local ids, which count from 0 as in Tiled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileIds {
    /// The tileset's name, without regard to case; `*` for every one, `cave*` for every name with that start.
    pub tileset: String,
    /// The ids.
    pub ids: Vec<RangeInclusive<u32>>,
}

impl TileIds {
    /// The tiles `ids` of the tileset, or of every tileset if it is `*`.
    pub fn new(tileset: impl Into<String>, ids: RangeInclusive<u32>) -> Self {
        Self { tileset: tileset.into(), ids: vec![ids] }
    }

    /// True if they are of the tileset `tileset`.
    #[cfg(feature = "tmx")]
    pub(crate) fn is_of(&self, tileset: &str) -> bool {
        is_name_like(&self.tileset, tileset)
    }

    /// True if the tile `id` of `tileset` is one of them.
    #[cfg(feature = "tmx")]
    pub(crate) fn has(&self, tileset: &str, id: u32) -> bool {
        self.is_of(tileset) && self.ids.iter().any(|range| range.contains(&id))
    }
}
