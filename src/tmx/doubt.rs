//! The faults of a document that may change a solid pixel. The document has no notion of solids, so the
//! module `convert` decides whether they do.

use crate::error::LoadError;

/// A fault that is an error if it can change a solid pixel, or else a warning.
///
/// The rules decide when a level is made of the map.
#[derive(Clone, Debug)]
pub struct Doubt {
    pub(crate) about: About,
    /// The error, with the file and the place.
    pub error: LoadError,
}

/// The part of a map that a fault may change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum About {
    /// The layer with this index in [`Map::walk`](super::Map::walk).
    Layer(usize),
    /// An object: the index of its layer, and its index in the layer.
    Object(usize, usize),
    /// The tiles of the tileset with this index in [`Map::tilesets`](super::Map::tilesets), whose file cannot
    /// be read.
    Tileset(usize),
    /// All layers, tiles and objects that have the property with this name.
    Property(String),
}

impl PartialEq for Doubt {
    fn eq(&self, other: &Self) -> bool {
        self.about == other.about && self.error.to_string() == other.error.to_string()
    }
}
