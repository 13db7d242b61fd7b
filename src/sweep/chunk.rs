//! A rectangle of a terrain's cells that becomes another terrain's, or passable: solid and one-way cells.
//!
//! A chunk is made first, which can fail, and then applied, which cannot. So several terrains change all
//! together or not at all. It knows no areas and no markers.

use std::ops::Range;

use glam::IVec2;

use super::one_way::Guards;
use super::terrain::{Terrain, blank_guards};
use crate::geometry::Dir;
use crate::grid::{GridError, Placement};

/// The cells that a rectangle of a terrain will have in place of its own.
pub(crate) struct Chunk {
    solid: Placement,
    /// By side, in the order of [`Dir::ALL`]; `None` if neither terrain has one-way cells.
    one_way: Option<[Placement; 4]>,
    /// For a terrain that has no one-way cells yet.
    guards: Option<Guards>,
}

/// Columns and rows.
pub(crate) type Cells = (Range<u32>, Range<u32>);

impl Chunk {
    /// For a rectangle of `target`: the cells of `source` with its first cell at column and row `at`, and
    /// passable ones beside them.
    ///
    /// # Errors
    /// [`GridError::TooManyBlocks`] if `target` is sparse and would come to have too many blocks,
    /// [`GridError::TooManyCells`] if there is no memory for its first one-way cells.
    pub(crate) fn new(
        target: &Terrain,
        cells: Cells,
        source: &Terrain,
        at: IVec2,
    ) -> Result<Self, GridError> {
        let solid = Placement::new(&target.grid, cells.clone(), &source.grid, at)?;
        let mut chunk = Self { solid, one_way: None, guards: None };
        let Some(sources) = &source.guards else {
            chunk.one_way = blank_sides(target, &cells);
            return Ok(chunk);
        };
        if target.guards.is_none() {
            chunk.guards = Some(blank_guards(&target.grid)?);
        }
        if let Some(targets) = target.guards.as_ref().or(chunk.guards.as_ref()) {
            let side =
                |side| Placement::new(targets.get(side), cells.clone(), sources.get(side), at);
            let [left, right, up, down] = Dir::ALL.map(side);
            chunk.one_way = Some([left?, right?, up?, down?]);
        }
        Ok(chunk)
    }

    /// For a rectangle of `target`: passable cells.
    pub(crate) fn blank(target: &Terrain, cells: Cells) -> Self {
        let one_way = blank_sides(target, &cells);
        Self { solid: Placement::blank(cells), one_way, guards: None }
    }

    /// Changes the terrain that the chunk was made for, which must be as it was then.
    pub(crate) fn apply(self, target: &mut Terrain) {
        let (grid, guards) = target.grids_mut(self.guards);
        self.solid.apply(grid);
        if let (Some(guards), Some(placements)) = (guards, &self.one_way) {
            for (grid, placement) in guards.0.iter_mut().zip(placements) {
                placement.apply(grid);
            }
        }
    }
}

fn blank_sides(target: &Terrain, cells: &Cells) -> Option<[Placement; 4]> {
    target.guards.as_ref().map(|_| Dir::ALL.map(|_| Placement::blank(cells.clone())))
}
