//! The source of a loaded level: its facts, its warnings and its maps.
//!
//! The loaders fill it in. No query of motion asks it.

use glam::{IVec2, UVec2};

use super::projection::Projection;
use super::provenance;
use super::source::{KeptMap, Provenance, Source, TileMap};
use super::{Level, Marker};
use crate::error::LoadErrorKind;
use crate::error::warning::LoadWarning;
use crate::geometry::Dir;
use crate::grid::Grid;
use crate::options::LoadOptions;
use crate::sweep::Terrain;

/// Facts that a loader leaves with a level.
#[derive(Clone)]
pub(super) struct Metadata {
    pub(super) source: Source,
    pub(super) warnings: Vec<LoadWarning>,
    pub(super) maps: Vec<KeptMap>,
}

impl Default for Metadata {
    fn default() -> Self {
        Self {
            source: Source::Grid,
            warnings: Vec::new(),
            maps: Vec::new(),
        }
    }
}

impl Metadata {
    /// The bytes of memory that the maps take.
    pub(super) fn memory_bytes(&self) -> u64 {
        self.maps.iter().map(|kept| kept.map.memory_bytes()).sum()
    }
}

impl Level {
    /// A level that a loader has put together.
    pub(crate) fn assemble(
        grid: Grid,
        cell_size: UVec2,
        options: &LoadOptions,
        source: Source,
        markers: Vec<Marker>,
        maps: Vec<KeptMap>,
    ) -> Result<Self, LoadErrorKind> {
        let terrain = loaded_terrain(grid, cell_size)?;
        let mut level = Self::new(terrain.with_outside(options.outside)).with_markers(markers);
        level.metadata.source = source;
        level.metadata.maps = maps;
        Ok(level)
    }

    /// The projection between the space of a map, the screen and the map's cells; `None` for a level that is no
    /// map. The level's pixel (0, 0) is [`Level::origin`] of the map's space or, as
    /// [`MapSource::space`](crate::MapSource::space) says, of the screen.
    ///
    /// ```
    /// use bitwall::{Level, glam::DVec2};
    ///
    /// let level = Level::load("assets/cave.tmx")?;
    /// let projection = level.projection().expect("it is a map");
    /// let seen = projection.map_to_screen(level.origin().as_dvec2() + DVec2::new(40.0, 8.0));
    /// assert_eq!(seen, DVec2::new(40.0, 8.0), "nothing is slanted on an orthogonal map");
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    pub fn projection(&self) -> Option<Projection> {
        let Source::Map(map) = &self.metadata.source else {
            return None;
        };
        let rows = if map.is_infinite { 0 } else { map.size.y };
        let size = UVec2::new(map.size.x, rows);
        Some(Projection::new(map.orientation, size, map.tile_size))
    }

    /// Column and row in the source of the level's first cell.
    pub(crate) fn first_cell(&self) -> IVec2 {
        self.origin.div_euclid(self.cell_size().as_ivec2())
    }

    /// What was wrong with the file and passed over: see
    /// [`LoadOptions::lenient`](crate::LoadOptions::lenient).
    pub fn warnings(&self) -> &[LoadWarning] {
        &self.metadata.warnings
    }

    /// What the level was made from.
    pub fn source(&self) -> &Source {
        &self.metadata.source
    }

    /// The map's cells and tilesets, if [`LoadOptions::keep_map`](crate::LoadOptions::keep_map) asked for
    /// them; of a world those of its first map.
    pub fn map(&self) -> Option<&TileMap> {
        self.maps().next().map(|(_, map)| map)
    }

    /// As [`Level::map`] for all the maps of a world, each with the place in this level of its own pixel
    /// (0, 0), in the order of [`WorldSource::maps`](crate::WorldSource::maps).
    pub fn maps(&self) -> impl Iterator<Item = (IVec2, &TileMap)> {
        self.metadata
            .maps
            .iter()
            .map(|kept| (kept.place, &kept.map))
    }

    /// Why a cell is solid: the first layer, tile or object that marked it. `None` for a cell that is not
    /// solid or outside the level, for a gap between the tiles of a floor layer, for a mask, and without
    /// [`LoadOptions::keep_map`](crate::LoadOptions::keep_map). O(solid layers and objects).
    pub fn provenance(&self, cell: IVec2) -> Option<Provenance> {
        let (column, row) = (u32::try_from(cell.x).ok()?, u32::try_from(cell.y).ok()?);
        let mut guards = Dir::ALL.into_iter().filter_map(|side| self.one_way(side));
        if !self.grid().is_solid(column, row) && !guards.any(|grid| grid.is_solid(column, row)) {
            return None;
        }
        provenance::find(&self.metadata.maps, self.cell_area(cell).min)
    }
}

/// The terrain of a grid that a loader has made. Only limits that the caller has raised let one be too large.
pub(crate) fn loaded_terrain(grid: Grid, cell_size: UVec2) -> Result<Terrain, LoadErrorKind> {
    let side = |cells: u32, cell: u32| u64::from(cells) * u64::from(cell);
    let width = side(grid.width(), cell_size.x);
    let height = side(grid.height(), cell_size.y);
    Terrain::new(grid, cell_size).map_err(|_| LoadErrorKind::TooLarge {
        what: "pixels in a side of the level",
        limit: u64::from(u32::MAX),
        found: width.max(height),
    })
}
