//! The fault of a map or mask whose path is not known where the fault is found.

use std::path::Path;

use super::{LoadError, LoadErrorKind, Place};

/// A fault of a map or mask, at a place in it. Its path is not known yet.
#[derive(Debug)]
pub(crate) struct FileFault {
    pub(crate) place: Place,
    pub(crate) kind: LoadErrorKind,
}

impl FileFault {
    pub(crate) fn new(place: Place, kind: LoadErrorKind) -> Box<Self> {
        Box::new(Self { place, kind })
    }

    pub(crate) fn in_file(self, path: &Path) -> LoadError {
        LoadError::new(path, self.place, self.kind)
    }
}

impl From<LoadErrorKind> for Box<FileFault> {
    fn from(kind: LoadErrorKind) -> Self {
        FileFault::new(Place::default(), kind)
    }
}
