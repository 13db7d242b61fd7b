//! The part of a loaded level that only Tiled maps have.

use std::path::Path;

use glam::IVec2;

use super::{LoadedLevel, Source};
use crate::convert::{InputMap, MapExplainer, Survey};
use crate::error::{LoadError, LoadErrorKind};
use crate::geometry::Dir;
use crate::level::{ONE_WAY, Provenance};
use crate::limits::Spent;
use crate::load::maps::{finish, from_document};
use crate::options::LoadOptions;
use crate::tmx::{Map, Projection};

impl LoadedLevel {
    /// Makes a level as [`Level::from_map`](crate::Level::from_map), and also returns facts about its source,
    /// warnings, and the map.
    pub fn from_map(map: impl Into<Map>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(from_document(map.into(), options)?.with_options(options))
    }

    /// Makes one level from several documents, without opening a file: for example, for a game's own map
    /// format.
    ///
    /// Each document comes with the position of its pixel (0, 0) in their world, in pixels. The maps are
    /// combined as in a Tiled world: where maps overlap, a cell is solid if it is solid in any of them. Cells
    /// outside all maps are passable. [`Level::origin`](crate::Level::origin) is the position of the level's
    /// pixel (0, 0) in the world. Errors name a map by its index in the list: `map/1`.
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::tmx::{CellBlock, Layer, LayerContent, Map, Tile, TileLayer, Tileset};
    /// use bitwall::{LoadOptions, LoadedLevel};
    ///
    /// let room = |cells: [u32; 4]| {
    ///     let wall = Tile { class: "wall".to_owned(), ..Tile::default() };
    ///     let tileset = Tileset { first_gid: 1, tiles: [(0, wall.into())].into(), ..Tileset::default() };
    ///     let size = UVec2::splat(2);
    ///     let block = CellBlock { origin: IVec2::ZERO, size, cells: cells.to_vec() };
    ///     let layer = LayerContent::Tiles(TileLayer { blocks: vec![block] });
    ///     Map {
    ///         size,
    ///         tile_size: UVec2::splat(8),
    ///         tilesets: vec![tileset],
    ///         layers: vec![Layer::new("room", layer)],
    ///         ..Map::default()
    ///     }
    /// };
    /// let rooms = [(room([1, 0, 0, 1]), IVec2::ZERO), (room([0, 1, 1, 1]), IVec2::new(16, 0))];
    /// let loaded = LoadedLevel::from_maps(rooms, &LoadOptions::default())?;
    /// assert_eq!(loaded.level.grid().to_string(), "#..#\n.###");
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// The same errors as [`Level::load`](crate::Level::load) for a world. Also fails if the list is empty.
    pub fn from_maps(
        maps: impl IntoIterator<Item = (Map, IVec2)>,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        let path = Path::new("map");
        let maps = maps.into_iter().enumerate().map(|(index, (map, position))| {
            let file = index.to_string();
            InputMap { map, path: path.join(&file), file: Some(file), position }
        });
        let maps: Vec<_> = maps.map(Ok).collect();
        if maps.is_empty() {
            return Err(LoadErrorKind::EmptyWorld { patterns: 0 }.in_file(path));
        }
        let loaded = finish(path, maps, options, &mut Spent::default(), &mut ())?;
        Ok(loaded.with_options(options))
    }

    /// Returns the map, or the first map of a world. Returns `None` for a mask or a baked level.
    pub fn map(&self) -> Option<&Map> {
        self.maps.first().map(|placed| &*placed.map)
    }

    /// Returns the projection that converts between map pixels, screen pixels and cells of a single map.
    /// Returns `None` for a world, a mask or a baked level.
    ///
    /// The level's pixel (0, 0) is at [`Level::origin`](crate::Level::origin), in the map's space or the
    /// screen's: see [`LoadOptions::space`].
    ///
    /// ```
    /// use bitwall::{LoadOptions, LoadedLevel, glam::DVec2};
    ///
    /// let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
    /// let projection = loaded.projection().expect("a map");
    /// let seen = projection.map_to_screen(loaded.level.origin().as_dvec2() + DVec2::new(40.0, 8.0));
    /// assert_eq!(seen, DVec2::new(40.0, 8.0), "an orthogonal map is not slanted");
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    pub fn projection(&self) -> Option<Projection> {
        match (&self.source, self.map()) {
            (Source::Map, Some(map)) => Some(map.projection()),
            _ => None,
        }
    }

    /// Returns the role of each layer and object of a single map, such as solid or area. Returns `None` for a
    /// world, a mask or a baked level.
    ///
    /// O(cells + objects + tiles listed in the files).
    pub fn survey(&self) -> Option<Survey<'_>> {
        let placed = self.maps.first().filter(|_| self.source == Source::Map)?;
        Survey::new(&placed.map, &placed.tile_counts, &self.options).ok()
    }

    /// Returns the layer, tile or object that made a cell solid or one-way. If there are several, returns the
    /// first in the order of the rules.
    ///
    /// Returns `None` for any other cell, for a cell that is solid because a walkable layer has no tile in
    /// it, for a mask, and for a baked level. O(cells and objects of the maps, and tiles that their tilesets
    /// list).
    pub fn provenance(&self, cell: IVec2) -> Option<Provenance> {
        let column = u32::try_from(cell.x).ok()?;
        let row = u32::try_from(cell.y).ok()?;
        let mut guards = Dir::ALL.into_iter().filter_map(|side| self.level.one_way(side));
        let is_guarded = guards.any(|grid| grid.is_solid(column, row));
        let is_solid = self.level.grid().is_solid(column, row);
        if !is_guarded && !is_solid {
            return None;
        }
        let pixel = self.level.cell_box(cell).min;
        let mut maps = self.maps.iter().filter_map(|map| MapExplainer::new(map, &self.options));
        let mut found = maps.find_map(|mut map| map.explain(pixel))?;
        if !is_solid {
            ONE_WAY.clone_into(&mut found.because);
        }
        Some(found)
    }
}
