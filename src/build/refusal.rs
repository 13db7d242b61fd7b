//! Why no level can be made, and the errors of grids as errors of the files that ask for them.

use glam::IVec2;

use crate::error::{LoadErrorKind, Place};
use crate::grid::GridError;

/// Why no level can be made.
#[derive(Debug)]
pub(crate) struct BuildError {
    /// The index of the map at fault; `None` for all of them together.
    pub(crate) map: Option<usize>,
    pub(crate) place: Place,
    pub(crate) kind: LoadErrorKind,
}

impl BuildError {
    /// A fault at a place in a map.
    pub(super) fn at(place: Place, kind: LoadErrorKind) -> Box<Self> {
        Box::new(Self { map: None, place, kind })
    }

    /// A fault in a cell of a layer.
    pub(super) fn in_cell(cell: IVec2, kind: LoadErrorKind) -> Box<Self> {
        Self::at(Place { cell: Some(cell.into()), ..Place::default() }, kind)
    }
}

impl From<LoadErrorKind> for Box<BuildError> {
    fn from(kind: LoadErrorKind) -> Self {
        BuildError::at(Place::default(), kind)
    }
}

/// The error for a file whose grid of `cells` cells could not be made.
pub(super) fn refusal(error: &GridError, cells: u64) -> LoadErrorKind {
    match error {
        GridError::TooManyBlocks { limit } => LoadErrorKind::TooLarge {
            what: "blocks of 64 x 64 cells with something solid",
            limit: u64::from(*limit),
            found: u64::from(*limit) + 1,
        },
        // Only limits that the caller has raised let such a level come so far.
        GridError::LevelTooLarge { cells, cell_size } => {
            let side = |cells: u32, cell: u32| u64::from(cells) * u64::from(cell);
            LoadErrorKind::TooLarge {
                what: "pixels in a side of the level",
                limit: u64::from(u32::MAX),
                found: side(cells.x, cell_size.x).max(side(cells.y, cell_size.y)),
            }
        }
        _ => LoadErrorKind::NoMemory { cells },
    }
}
