//! Replaces a rectangle of a grid with cells of another grid, or with passable cells. This loads and unloads
//! the chunks of a large world. Creating a placement can fail, but applying it cannot. So a caller can create
//! the placements for several grids first, and then change all of these grids or none.

use std::collections::BTreeMap;
use std::ops::Range;

use glam::IVec2;

use super::block::{NONE, moved};
use super::plane::{SIDE, Words};
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
            if left + solid.len() as u64 > u64::from(blocks.limit()) {
                return Err(GridError::TooManyBlocks { limit: blocks.limit() });
            }
        }
        Ok(placement)
    }

    pub(crate) fn blank((columns, rows): (Range<u32>, Range<u32>)) -> Self {
        Self { columns, rows, solid: BTreeMap::new() }
    }

    /// Applies the placement to `target`. It must be the grid that the placement was created for, without a
    /// change since.
    pub(crate) fn apply(&self, target: &mut Grid) {
        let mut applied = target.fill(self.columns.clone(), self.rows.clone(), false);
        for (at, words) in &self.solid {
            applied = applied.and(target.write(*at, words, true).map(drop));
        }
        debug_assert!(applied.is_ok(), "it was checked");
    }
}

#[cfg(test)]
mod tests;
