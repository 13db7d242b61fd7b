//! Adds whole planes and grids to a builder, at any place. Only the loader of maps needs this.

use glam::IVec2;

use super::{BuilderCells, GridBuilder};
use crate::grid::block::{change, moved, rectangle};
use crate::grid::plane::{Plane, SIDE, Words};
use crate::grid::{Grid, GridError};

impl GridBuilder {
    /// Adds the solid cells of a bitmap of rows. Its first cell goes to column and row `at`. If it fails,
    /// some cells may have been added.
    pub(crate) fn or_plane(&mut self, plane: &Plane, at: IVec2) -> Result<(), GridError> {
        if let BuilderCells::Rows(rows) = &mut self.cells
            && at == IVec2::ZERO
            && (rows.len(), rows.count()) == (plane.len(), plane.count())
        {
            rows.or(plane);
            return Ok(());
        }
        for (block, words) in plane.blocks() {
            self.or_block(block, &words, at)?;
        }
        Ok(())
    }

    /// Adds a solid cell for each passable cell of `grid`. Its first cell goes to column and row `at`.
    pub(crate) fn or_passable(&mut self, grid: &Grid, at: IVec2) -> Result<(), GridError> {
        let mut blocks = grid.blocks().peekable();
        for row in 0..grid.height().div_ceil(SIDE) {
            for column in 0..grid.width().div_ceil(SIDE) {
                let block = [column, row];
                let mut cells = rectangle(block, &(0..grid.width()), &(0..grid.height()));
                if let Some((_, solid)) = blocks.next_if(|(at, _)| *at == block) {
                    cells.iter_mut().zip(solid).for_each(|(cells, solid)| *cells &= !solid);
                }
                self.or_block(block, &cells, at)?;
            }
        }
        Ok(())
    }

    /// Adds the solid cells of the block `[column, row]` of another grid, whose first cell goes to column and
    /// row `at`.
    fn or_block(
        &mut self,
        [column, row]: [u32; 2],
        words: &Words,
        at: IVec2,
    ) -> Result<(), GridError> {
        let x = i64::from(column * SIDE) + i64::from(at.x);
        let y = i64::from(row * SIDE) + i64::from(at.y);
        for (place, cells) in moved(words, [x, y], &(0..self.width), &(0..self.height)) {
            match &mut self.cells {
                BuilderCells::Rows(plane) => {
                    let lines = plane.lines_of_stripe_mut(place[1] * SIDE, place[0] * SIDE);
                    change(lines, &cells, true);
                }
                BuilderCells::Blocks(blocks) => drop(blocks.write(place, &cells, true)?),
            }
        }
        Ok(())
    }
}
