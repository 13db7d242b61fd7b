//! Undo of edits: the cells of a box, taken out of a level before an edit and put back after it. Markers and
//! categories are never part of it.

use glam::{I64Vec2, IVec2};

use super::{Area, Level, same_cell_size};
use crate::geometry::Aabb;
use crate::grid::GridError;
use crate::terrain::{Chunk, Terrain};

/// The cells of a box of a level, to undo edits: its solid cells, its one-way cells, and the cells of all its
/// areas. Returned by [`Level::patch`].
///
/// It takes about 1 KiB for each block of 64 x 64 cells with a cell in the box, of the terrain and of each
/// area, and nothing for blocks without such a cell. A clone of the level takes the memory and the time of
/// the whole level.
#[derive(Clone, Debug)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
pub struct Patch {
    area: Aabb,
    /// A level of the same size that has only the cells of the box. All its grids are sparse.
    cells: Level,
}

impl Level {
    /// Returns the cells with a pixel in `area`, solid and one-way, of the terrain and of all areas. Take
    /// them before an edit, and [`Level::apply`] undoes the edit.
    ///
    /// The box may be anywhere; it need not consist of whole cells. Pixels outside the level, or at
    /// `i32::MAX` and beyond, do not count. A rollback keeps a patch for each edit and applies them from the
    /// last to the first. O(words of the cells in the box).
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::shapes::Circle;
    /// use bitwall::{Aabb, Grid, Level};
    ///
    /// let mut level = Level::from_grid(Grid::new(320, 200)?, UVec2::ONE)?;
    /// level.paint(&Aabb::from_xywh(0, 100, 320, 100), IVec2::ZERO)?;
    /// let before = level.checksum();
    ///
    /// let crater = Aabb::from_xywh(40, 90, 40, 40);
    /// let undo = level.patch(crater);
    /// level.carve(&Circle { center: crater.center(), radius: 20 }, IVec2::ZERO);
    /// let redo = level.patch(crater);
    ///
    /// assert_eq!(level.apply(&undo)?, Some(Aabb::from_xywh(40, 100, 40, 30)), "the cells that changed");
    /// assert_eq!(level.checksum(), before);
    /// level.apply(&redo)?;
    /// assert_ne!(level.checksum(), before);
    /// # Ok::<(), bitwall::grid::GridError>(())
    /// ```
    pub fn patch(&self, area: Aabb) -> Patch {
        let areas = self.areas.iter().map(|known| Area {
            name: known.name.clone(),
            terrain: known.terrain.cut(area),
            category: known.category,
        });
        let cells = Self {
            terrain: self.terrain.cut(area),
            areas: areas.collect(),
            markers: Vec::new(),
            origin: IVec2::ZERO,
        };
        Patch { area, cells }
    }

    /// Puts the cells of `patch` back: in its box, the terrain and all areas are as they were when it was
    /// taken. Cells outside the box, markers and categories stay as they are.
    ///
    /// Returns the smallest box around the pixels of all changed cells, or `None` if no cell changed.
    /// Prepared sizes and ways are up to date, as after any edit. An area that was added since is cleared in
    /// the box. The patch also fits a clone of the level, and a loaded level. O(words of the cells in the
    /// box), and for each prepared size the time of an edit.
    ///
    /// # Errors
    /// The level stays unchanged if an error is returned. If the edits since the patch was taken are undone in
    /// the reverse order, there is no error.
    /// * [`GridError::TooManyBlocks`] if a sparse grid would exceed its
    ///   [`Grid::block_limit`](crate::Grid::block_limit), because of cells that were added outside the box.
    /// * [`GridError::OtherCellSize`] if the patch is of a level with cells of another size.
    /// * [`GridError::TooManyCells`] if memory runs out.
    pub fn apply(&mut self, patch: &Patch) -> Result<Option<Aabb>, GridError> {
        let terrain = chunk(&self.terrain, patch.area, Some(&patch.cells.terrain))?;
        let mut areas = Vec::with_capacity(self.areas.len());
        for area in &self.areas {
            areas.push(chunk(&area.terrain, patch.area, patch.cells.area(&area.name))?);
        }
        let mut changed = terrain.apply(&mut self.terrain);
        for (area, chunk) in self.areas.iter_mut().zip(areas) {
            let also = chunk.apply(&mut area.terrain);
            changed = changed.into_iter().chain(also).reduce(Aabb::hull);
        }
        Ok(changed)
    }
}

/// Returns the chunk that replaces the cells of `target` in `area` with those of `source`, or clears them.
fn chunk(target: &Terrain, area: Aabb, source: Option<&Terrain>) -> Result<Chunk, GridError> {
    let cells = target.cells_in(area, I64Vec2::ZERO);
    let Some(source) = source else {
        return Ok(Chunk::blank(target, cells));
    };
    same_cell_size(target, source)?;
    Chunk::new(target, cells, source, IVec2::ZERO)
}
