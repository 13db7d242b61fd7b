//! Adds whole planes and grids to a builder, at any place. Only the loader of maps needs this.

use glam::IVec2;

use super::GridBuilder;
use crate::grid::block::{change, moved, rectangle};
use crate::grid::plane::{Plane, SIDE, Words};
use crate::grid::{Grid, GridError};

impl GridBuilder {
    /// Adds the solid cells of a bitmap of rows. Its first cell goes to column and row `at`. If it fails,
    /// some cells may have been added.
    pub(crate) fn or_plane(&mut self, plane: &Plane, at: IVec2) -> Result<(), GridError> {
        let is_whole = at == IVec2::ZERO
            && [self.grid.width(), self.grid.height()] == [plane.len(), plane.count()];
        if is_whole && !self.grid.is_sparse() {
            self.grid.planes[1].or(plane);
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
        let size = self.grid.size();
        for (place, cells) in moved(words, [x, y], &(0..size.x), &(0..size.y)) {
            if let Some(blocks) = &mut self.grid.sparse {
                blocks.write(place, &cells, true)?;
            } else {
                let [column, row] = place.map(|block| block * SIDE);
                change(self.grid.planes[1].lines_of_stripe_mut(row, column), &cells, true);
            }
        }
        Ok(())
    }
}
