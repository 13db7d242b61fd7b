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
    let most = grid.sparse.as_ref().filter(|_| solid).map_or(u32::MAX, |blocks| blocks.limit);
    let mut edit = Edit { grid, solid, most: most as usize, blocks: Vec::new(), row: 0, start: 0 };
    runs(&mut |row, columns| edit.add(row, &columns));
    let blocks = edit.blocks;
    if let Some(sparse) = grid.sparse.as_ref().filter(|_| solid) {
        let new = blocks.iter().filter(|(at, _)| sparse.get(*at).is_none()).count();
        if sparse.block_count() + new as u64 > u64::from(sparse.limit) {
            return Err(sparse.too_many());
        }
    }
    let mut changed = None;
    for (at, mask) in blocks {
        let cells = grid.write(at, &mask, solid)?;
        changed = Changed::hull(changed, Changed::of(cells.into_iter(), UVec2::from(at) * SIDE));
    }
    Ok(changed)
}

/// Collects the runs of an edit as blocks.
struct Edit<'g> {
    grid: &'g Grid,
    solid: bool,
    /// The block limit of the grid. With more blocks than that the edit fails, so no more are collected.
    most: usize,
    /// The block columns and block rows with cells to write, and the rows of their blocks. In each block row,
    /// the block columns are in ascending order.
    blocks: Vec<([u32; 2], Words)>,
    /// The current block row, and the index of its first block.
    row: u32,
    start: usize,
}

impl Edit<'_> {
    fn add(&mut self, row: u32, columns: &Range<u32>) {
        if row / SIDE != self.row {
            self.row = row / SIDE;
            self.start = self.blocks.len();
        }
        let line = (row % SIDE) as usize;
        if let Some(sparse) = &self.grid.sparse
            && !self.solid
        {
            // The run may be much longer than the blocks that have a solid cell.
            for [column, _] in sparse.places_in(columns, &(row..row + 1)) {
                let start = columns.start.max(column * SIDE);
                let end = columns.end.min((column * SIDE).saturating_add(SIDE));
                self.add_within(line, &(start..end));
            }
        } else {
            self.add_within(line, columns);
        }
    }

    fn add_within(&mut self, line: usize, columns: &Range<u32>) {
        let known = &self.blocks[self.start..];
        let before = known.partition_point(|([column, _], _)| *column < columns.start / SIDE);
        for (index, (column, mask)) in (self.start + before..).zip(stripes(columns)) {
            if self.blocks.get(index).is_none_or(|([found, _], _)| *found != column) {
                if self.blocks.len() > self.most {
                    return;
                }
                self.blocks.insert(index, ([column, self.row], NONE));
            }
            self.blocks[index].1[line] |= mask;
        }
    }
}

#[cfg(test)]
mod tests;
