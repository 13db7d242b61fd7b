//! A grid with a cell for every pixel of another one's cells.

use glam::UVec2;

use super::{Grid, GridBuilder, GridError};
use crate::geometry::Dir;

/// The pixels of a solid cell that become solid cells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// All of them.
    All,
    /// The line of pixels at one side.
    Side(Dir),
}

/// The grid of the pixels of cells of `cell_size` pixels; there must be fewer than 2^32 in each direction. It
/// is sparse if it is very large. O(words that become solid + runs of solid cells).
///
/// # Errors
/// [`GridError::TooManyCells`], [`GridError::TooManyBlocks`] if it is too large.
pub(crate) fn in_pixels(grid: &Grid, cell_size: UVec2, part: Part) -> Result<Grid, GridError> {
    let size = grid.size() * cell_size;
    let mut pixels = GridBuilder::new(size.x, size.y)?;
    for (row, run) in grid.runs_in(0..grid.width(), 0..grid.height()) {
        let (top, bottom) = (row * cell_size.y, (row + 1) * cell_size.y);
        let (left, right) = (run.start * cell_size.x, run.end * cell_size.x);
        match part {
            Part::All => pixels.fill(left..right, top..bottom)?,
            Part::Side(Dir::Up) => pixels.fill(left..right, top..top + 1)?,
            Part::Side(Dir::Down) => pixels.fill(left..right, bottom - 1..bottom)?,
            Part::Side(Dir::Left) => {
                for column in run {
                    let left = column * cell_size.x;
                    pixels.fill(left..left + 1, top..bottom)?;
                }
            }
            Part::Side(Dir::Right) => {
                for column in run {
                    let right = (column + 1) * cell_size.x;
                    pixels.fill(right - 1..right, top..bottom)?;
                }
            }
        }
    }
    pixels.finish()
}
