//! Replaces a rectangle of a grid with cells of another grid, or with passable cells. This loads and unloads
//! the chunks of a large world, and undoes edits. Creating a placement can fail, but applying it cannot. So a
//! caller can create the placements for several grids first, and then change all of these grids or none.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::{IVec2, UVec2};

use super::block::{Changed, NONE, moved, rectangle};
use super::plane::{SIDE, Words};
use super::sparse::Sparse;
use super::{Grid, GridError};

pub(crate) struct Placement {
    columns: Range<u32>,
    rows: Range<u32>,
    /// The new solid cells, all inside the replaced rectangle, by the block column and row of their block.
    solid: BTreeMap<[u32; 2], Words>,
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
        let (columns, rows) = target.clamp(columns, rows);
        let mut placement = Self::blank((columns.clone(), rows.clone()));
        if columns.is_empty() || rows.is_empty() {
            return Ok(placement);
        }
        let solid = &mut placement.solid;
        for ([column, row], words) in source.blocks() {
            let x = i64::from(column * SIDE) + i64::from(at.x);
            let y = i64::from(row * SIDE) + i64::from(at.y);
            for (place, part) in moved(&words, [x, y], &columns, &rows) {
                let words = solid.entry(place).or_insert(NONE);
                words.iter_mut().zip(part).for_each(|(word, part)| *word |= part);
            }
        }
        if let Some(blocks) = &target.sparse {
            let left = blocks.count_replaced(&columns, &rows, |place| solid.contains_key(&place));
            if left + solid.len() as u64 > u64::from(blocks.limit) {
                return Err(blocks.too_many());
            }
        }
        Ok(placement)
    }

    pub(crate) fn blank((columns, rows): (Range<u32>, Range<u32>)) -> Self {
        Self { columns, rows, solid: BTreeMap::new() }
    }

    /// Applies the placement to `target`, and returns the smallest rectangle around the changed cells; `None`
    /// if no cell changed. The target must be the grid that the placement was created for, without a change
    /// since.
    pub(crate) fn apply(&self, target: &mut Grid) -> Option<Changed> {
        let (columns, rows) = target.clamp(self.columns.clone(), self.rows.clone());
        let mut changed = None;
        // First the cells that become passable: at its block limit, a sparse grid has no room for new blocks
        // before old ones are gone.
        for at in places(target, &columns, &rows) {
            let mut passable = rectangle(at, &columns, &rows);
            if let Some(solid) = self.solid.get(&at) {
                passable.iter_mut().zip(solid).for_each(|(line, solid)| *line &= !solid);
            }
            changed = Changed::hull(changed, write(target, at, &passable, false));
        }
        for (at, words) in &self.solid {
            changed = Changed::hull(changed, write(target, *at, words, true));
        }
        changed
    }
}

/// Makes cells of a block solid or passable, which must not fail, and returns the rectangle around those that
/// changed.
fn write(target: &mut Grid, at: [u32; 2], mask: &Words, solid: bool) -> Option<Changed> {
    let written = target.write(at, mask, solid);
    debug_assert!(written.is_ok(), "it was checked");
    Changed::of(written.ok()?.into_iter(), UVec2::from(at) * SIDE)
}

/// Returns the block column and block row of each block with a cell in a rectangle inside `grid`. Blocks of a
/// sparse grid without a solid cell are left out.
fn places(grid: &Grid, columns: &Range<u32>, rows: &Range<u32>) -> Vec<[u32; 2]> {
    if columns.is_empty() || rows.is_empty() {
        return Vec::new();
    }
    if let Some(blocks) = &grid.sparse {
        return blocks.places_in(columns, rows);
    }
    let mut places = Vec::new();
    for row in rows.start / SIDE..rows.end.div_ceil(SIDE) {
        places
            .extend((columns.start / SIDE..columns.end.div_ceil(SIDE)).map(|column| [column, row]));
    }
    places
}

/// Returns a grid of the size of `grid` with only its cells in a rectangle. It is sparse, so that its memory
/// depends on the rectangle and not on the size.
pub(crate) fn cut(grid: &Grid, columns: Range<u32>, rows: Range<u32>) -> Grid {
    let (columns, rows) = grid.clamp(columns, rows);
    let mut blocks = Sparse::default();
    blocks.limit = u32::MAX;
    for at in places(grid, &columns, &rows) {
        let mut words = rectangle(at, &columns, &rows);
        for (row, word) in (at[1] * SIDE..).zip(&mut words) {
            *word &= grid.row_word(i64::from(at[0] * SIDE), row);
        }
        let written = blocks.write(at, &words, true);
        debug_assert!(written.is_ok(), "no grid has 2^32 blocks");
    }
    Grid::from_blocks(grid.width(), grid.height(), blocks)
}

#[cfg(test)]
mod tests;
