//! The errors of grids as errors of the files that ask for them.

use crate::error::LoadErrorKind;
use crate::grid::GridError;

/// The error for a file whose grid of `cells` cells could not be made.
pub(crate) fn refusal(error: &GridError, cells: u64) -> LoadErrorKind {
    match error {
        GridError::TooManyBlocks => LoadErrorKind::TooLarge {
            what: "blocks of 64 x 64 cells with something solid",
            limit: 1 << 16,
            found: (1 << 16) + 1,
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
