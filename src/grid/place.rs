//! Replaces a rectangle of a grid with cells of another grid, or with passable cells. This loads and unloads
//! the chunks of a large world. Creating a placement can fail, but applying it cannot. So a caller can create
//! the placements for several grids first, and then change all of these grids or none.

use std::ops::Range;

use glam::IVec2;

use super::builder::GridBuilder;
use super::plane::{Plane, SIDE, Words};
use super::sparse::{Block, Sparse};
use super::{Grid, GridError};

pub(crate) struct Placement {
    columns: Range<u32>,
    rows: Range<u32>,
    /// The new solid cells, all inside the replaced rectangle.
    solid: Sparse,
}

impl Placement {
    /// Creates a placement that replaces a rectangle of `target` with cells of `source`. The first cell of
    /// `source` goes to the column and row `at` of `target`. Cells of the rectangle outside `source` become
    /// passable.
    pub(crate) fn new(
        target: &Grid,
        (columns, rows): (Range<u32>, Range<u32>),
        source: &Grid,
        at: IVec2,
    ) -> Result<Self, GridError> {
        let (width, height) = (target.width(), target.height());
        let (columns, rows) = target.clamp(columns, rows);
        if columns.is_empty() || rows.is_empty() {
            return Ok(Self::blank((columns, rows)));
        }
        let mut builder = GridBuilder::sparse(width, height).with_block_limit(u32::MAX);
        builder.or_grid(source, at)?;
        let mut solid = builder.into_blocks();
        for (columns, rows) in [
            (0..columns.start, 0..height),
            (columns.end..width, 0..height),
            (columns.clone(), 0..rows.start),
            (columns.clone(), rows.end..height),
        ] {
            if !columns.is_empty() && !rows.is_empty() {
                solid.clear(&columns, &rows);
            }
        }
        if let Some(blocks) = &target.sparse {
            blocks.check_replaced(&columns, &rows, &solid)?;
        }
        Ok(Self { columns, rows, solid })
    }

    pub(crate) fn blank((columns, rows): (Range<u32>, Range<u32>)) -> Self {
        Self { columns, rows, solid: Sparse::default() }
    }

    /// Applies the placement to `target`. It must be the grid that the placement was created for, without a
    /// change since.
    pub(crate) fn apply(&self, target: &mut Grid) {
        let (columns, rows) = target.clamp(self.columns.clone(), self.rows.clone());
        if columns.is_empty() || rows.is_empty() {
            return;
        }
        if let Some(blocks) = &mut target.sparse {
            blocks.replace(&columns, &rows, &self.solid);
            return;
        }
        let [column_plane, row_plane] = &mut target.planes;
        column_plane.fill(columns.clone(), rows.clone(), false);
        row_plane.fill(rows, columns, false);
        for ([column, row], block) in self.solid.blocks() {
            let Block([columns, rows]) = block;
            or_lines(column_plane, [column, row], columns);
            or_lines(row_plane, [row, column], rows);
        }
    }
}

/// Sets the bits `added` in an aligned block of 64 x 64 bits of the plane. Word i of `added` belongs to line
/// (row or column) number `64 * line + i`, and its bit 0 to bit number `64 * place` of that line. A plane
/// without words ignores the call.
fn or_lines(plane: &mut Plane, [line, place]: [u32; 2], added: &Words) {
    if !plane.is_absent() {
        let lines = plane.lines_of_stripe_mut(line * SIDE, place * SIDE);
        for (line, added) in lines.iter_mut().zip(added) {
            *line |= added;
        }
    }
}

#[cfg(test)]
mod tests;
