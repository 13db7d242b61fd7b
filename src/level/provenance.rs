//! Why a cell is solid, for a person to read.
//!
//! Plain data; nothing here finds it out.

/// Why a cell is solid.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Provenance {
    /// The layer, with the groups around it.
    pub layer: String,
    /// The tileset and the tile's local id in it, if a tile made the cell solid.
    pub tile: Option<(String, u32)>,
    /// The object's id, if an object made the cell solid.
    pub object: Option<u32>,
    /// The line in the map's file, from 1, at which the layer or the object starts; `None` for a map that
    /// was not XML.
    pub line: Option<u32>,
    /// The reason in words: "its name", "property `solid`".
    pub because: String,
}
