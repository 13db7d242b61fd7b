//! The faults of a document. The document has no notion of solids, so it keeps the faults that may change a
//! solid pixel, and the module `convert` decides.

use super::Map;
use super::kept::{keep, text};
use crate::error::{LoadError, LoadErrorKind, LoadWarning, Place};
use crate::limits::Spent;

/// A fault that is an error if it can change a solid pixel, or else a warning.
///
/// The rules decide when a level is made of the map.
#[derive(Clone, Debug)]
pub struct Doubt {
    pub(crate) about: About,
    pub(crate) error: LoadError,
}

/// The part of a map that a fault may change.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum About {
    /// The layer with this index in [`Map::walk`].
    Layer(usize),
    /// An object: the index of its layer, and its index in the layer.
    Object(usize, usize),
    /// The tiles of the tileset with this index in [`Map::tilesets`], whose file cannot be read.
    Tileset(usize),
    /// Whatever has the property with this name.
    Property(String),
}

impl PartialEq for Doubt {
    fn eq(&self, other: &Self) -> bool {
        self.about == other.about && self.error.to_string() == other.error.to_string()
    }
}

impl Map {
    /// Records a fault that cannot change a solid pixel.
    pub(super) fn warn(&mut self, place: Place, kind: &LoadErrorKind) {
        LoadWarning::fault(place, kind, 1).add_to(&mut self.faults);
    }

    /// Records a fault that may change a solid pixel. Fails if the names and values take too much memory.
    pub(super) fn doubt(
        &mut self,
        about: About,
        error: LoadError,
        spent: &mut Spent,
    ) -> Result<(), LoadErrorKind> {
        // An error has some allocations of its own.
        keep(spent, 512 + text(error.path().as_os_str().len()))?;
        self.doubts.push(Doubt { about, error });
        Ok(())
    }
}
