//! Edits of a grid: of a rectangle, or of any shape given as runs of cells. An edit returns the smallest
//! rectangle around the changed cells. The cost of an edit does not depend on the size of the grid.

use std::ops::Range;

use glam::UVec2;

use super::block::{Changed, NONE};
use super::plane::{SIDE, Words, stripes};
use super::{Grid, GridError};

/// A callback for one run of cells. Its arguments are the row and the columns. The run is inside the grid and
/// not empty.
type Emit<'e> = dyn FnMut(u32, Range<u32>) + 'e;

/// Fills a rectangle like [`Grid::fill`], and returns the smallest rectangle around the changed cells; `None`
/// if no cell changed. The search for that rectangle reads the rows once.
pub(crate) fn fill(
    grid: &mut Grid,
    columns: Range<u32>,
    rows: Range<u32>,
    solid: bool,
) -> Result<Option<Changed>, GridError> {
    let (columns, rows) = grid.clamp(columns, rows);
    if columns.is_empty() || rows.is_empty() {
        return Ok(None);
    }
    if let Some(blocks) = &mut grid.sparse {
        return blocks.fill(&columns, &rows, solid);
    }
    let wanted = if solid { u64::MAX } else { 0 };
    let mut changed = None;
    for (stripe, mask) in stripes(&columns) {
        let lines = grid.rows().words_of_stripe(&rows, stripe * 64);
        let changes = lines.iter().map(|line| (line ^ wanted) & mask);
        let corner = UVec2::new(stripe * 64, rows.start);
        changed = Changed::hull(changed, Changed::of(changes, corner));
    }
    if let Some(Changed { min, max }) = changed {
        let [column_plane, row_plane] = &mut grid.planes;
        row_plane.fill(min.y..max.y, min.x..max.x, solid);
        column_plane.fill(min.x..max.x, min.y..max.y, solid);
    }
    Ok(changed)
}

/// Makes runs of cells solid or passable. Returns the smallest rectangle around the changed cells; `None` if
/// no cell changed. `runs` calls its argument with each run, row by row downward. The runs of a row may come
/// in any order and may overlap. Takes O(runs x log(runs of a row) + 64-bit words of cells in the runs).
/// Returns the errors of [`Grid::fill`]; the grid then stays unchanged.
pub(crate) fn edit(
    grid: &mut Grid,
    solid: bool,
    runs: impl FnOnce(&mut Emit<'_>),
) -> Result<Option<Changed>, GridError> {
    let blocks = Vec::new();
    let mut edit =
        Edit { grid, solid, row: 0, blocks, done: Vec::new(), changed: None, result: Ok(()) };
    runs(&mut |row, columns| edit.add(row, &columns));
    edit.write();
    edit.result.map(|()| edit.changed)
}

struct Edit<'g> {
    grid: &'g mut Grid,
    solid: bool,
    /// The block row of `blocks`.
    row: u32,
    /// The block columns with cells to write, in ascending order, and the rows of their blocks.
    blocks: Vec<(u32, Words)>,
    /// The cells of a sparse grid that became solid, with the place of their block. They are used to undo a
    /// failed edit.
    done: Vec<([u32; 2], Words)>,
    changed: Option<Changed>,
    result: Result<(), GridError>,
}

impl Edit<'_> {
    /// The largest number of blocks that are collected before they are written.
    const MOST: usize = 1 << 10;

    fn add(&mut self, row: u32, columns: &Range<u32>) {
        if row / SIDE != self.row {
            self.write();
            self.row = row / SIDE;
        }
        let line = (row % SIDE) as usize;
        if let Some(sparse) = &self.grid.sparse
            && !self.solid
        {
            // The run may be much longer than the blocks that have a solid cell.
            let places: Vec<u32> = sparse.columns_in(self.row, columns).collect();
            for place in places {
                let start = columns.start.max(place * SIDE);
                let end = columns.end.min((place * SIDE).saturating_add(SIDE));
                self.add_within(line, &(start..end));
            }
        } else {
            self.add_within(line, columns);
        }
    }

    fn add_within(&mut self, line: usize, columns: &Range<u32>) {
        let mut index = self.blocks.partition_point(|(column, _)| *column < columns.start / SIDE);
        for (column, mask) in stripes(columns) {
            if self.blocks.len() == Self::MOST {
                self.write();
                index = 0;
            }
            if self.result.is_err() {
                return;
            }
            if self.blocks.get(index).is_none_or(|(found, _)| *found != column) {
                self.blocks.insert(index, (column, NONE));
            }
            self.blocks[index].1[line] |= mask;
            index += 1;
        }
    }

    fn write(&mut self) {
        for (column, mask) in std::mem::take(&mut self.blocks) {
            if self.result.is_err() {
                return;
            }
            let at = [column, self.row];
            match self.grid.write(at, &mask, self.solid) {
                Ok(cells) => {
                    let changed = Changed::of(cells.into_iter(), UVec2::from(at) * SIDE);
                    if self.solid && changed.is_some() && self.grid.is_sparse() {
                        self.done.push((at, cells));
                    }
                    self.changed = Changed::hull(self.changed, changed);
                }
                Err(error) => {
                    for (at, cells) in self.done.drain(..) {
                        // Cells become passable, which cannot fail.
                        let _ = self.grid.write(at, &cells, false);
                    }
                    self.result = Err(error);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
