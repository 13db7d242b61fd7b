//! Undo of edits: the cells of a box, taken out of a level before an edit and put back after it. Markers and
//! categories are never part of it.

use glam::{I64Vec2, IVec2};

use super::{Area, Level, same_cell_size};
use crate::geometry::Aabb;
use crate::grid::GridError;
use crate::terrain::{Chunk, Terrain, cells_in, cut};

/// The cells of a box of a level, to undo edits: its solid cells, its one-way cells, and the cells of all its
/// areas. Returned by [`Level::patch`].
///
/// It takes about 1 KiB for each block of 64 x 64 cells with a cell in the box, of the terrain and of each
/// area, and nothing for blocks without such a cell. A clone of the level takes the memory and the time of
/// the whole level.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Patch {
    area: Aabb,
    /// A level of the same size that has only the cells of the box. All its grids are sparse.
    cells: Level,
}

impl Patch {
    pub(super) fn new(level: &Level, area: Aabb) -> Self {
        let areas = level.areas.iter().map(|known| Area {
            name: known.name.clone(),
            terrain: cut(&known.terrain, area),
            category: known.category,
        });
        let cells = Level {
            terrain: cut(&level.terrain, area),
            areas: areas.collect(),
            markers: Vec::new(),
            origin: IVec2::ZERO,
        };
        Self { area, cells }
    }

    pub(super) fn apply(&self, level: &mut Level) -> Result<Option<Aabb>, GridError> {
        let terrain = chunk(&level.terrain, self.area, Some(&self.cells.terrain))?;
        let mut areas = Vec::with_capacity(level.areas.len());
        for area in &level.areas {
            areas.push(chunk(&area.terrain, self.area, self.cells.area(&area.name))?);
        }
        let mut changed = terrain.apply(&mut level.terrain);
        for (area, chunk) in level.areas.iter_mut().zip(areas) {
            let also = chunk.apply(&mut area.terrain);
            changed = changed.into_iter().chain(also).reduce(Aabb::hull);
        }
        Ok(changed)
    }
}

/// Returns the chunk that replaces the cells of `target` in `area` with those of `source`, or clears them.
fn chunk(target: &Terrain, area: Aabb, source: Option<&Terrain>) -> Result<Chunk, GridError> {
    let cells = cells_in(target, area, I64Vec2::ZERO);
    let Some(source) = source else {
        return Ok(Chunk::blank(target, cells));
    };
    same_cell_size(target, source)?;
    Chunk::new(target, cells, source, IVec2::ZERO)
}
