//! The fault of a map whose path is not known where the fault is found.

use std::path::Path;

use super::{LoadError, LoadErrorKind, Place};

/// A fault of a map, at a place in the map. The path of the map is not known yet.
#[derive(Debug)]
pub(crate) struct MapFault {
    pub(crate) place: Place,
    pub(crate) kind: LoadErrorKind,
}

impl MapFault {
    pub(crate) fn new(place: Place, kind: LoadErrorKind) -> Box<Self> {
        Box::new(Self { place, kind })
    }

    pub(crate) fn in_file(self, path: &Path) -> LoadError {
        LoadError::new(path, self.place, self.kind)
    }
}

impl From<LoadErrorKind> for Box<MapFault> {
    fn from(kind: LoadErrorKind) -> Self {
        MapFault::new(Place::default(), kind)
    }
}
