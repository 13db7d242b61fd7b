//! Defines [`LoadedLevel`]: a level with facts about its source, warnings, and the parsed maps.

#[cfg(feature = "tmx")]
use std::path::Path;
use std::sync::{Arc, LazyLock};

#[cfg(feature = "tmx")]
use glam::IVec2;

use super::LoadOptions;
#[cfg(feature = "tmx")]
use crate::convert::explain::Survey;
#[cfg(feature = "tmx")]
use crate::convert::{MapExplainer, MapSource, PlacedShape, TileCounts, WorldSource, add_shapes};
#[cfg(feature = "tmx")]
use crate::error::LoadError;
use crate::error::warning::LoadWarning;
#[cfg(feature = "tmx")]
use crate::geometry::Dir;
use crate::level::Level;
#[cfg(feature = "tmx")]
use crate::level::{ONE_WAY, Provenance};
#[cfg(feature = "mask")]
use crate::mask::MaskSource;
#[cfg(feature = "tmx")]
use crate::tmx::{Map, PlacedMap, Projection};

/// A level with facts about its source, warnings, and the parsed maps. [`LoadedLevel::load`] makes one.
///
/// ```
/// use bitwall::glam::IVec2;
/// use bitwall::{LoadOptions, LoadedLevel};
///
/// let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
/// let map = loaded.map().expect("a map, not a mask");
/// assert_eq!(map.tilesets[0].name, "cave");
/// let provenance = loaded.provenance(IVec2::ZERO).expect("a tile made it solid");
/// assert_eq!((provenance.layer.as_str(), provenance.because.as_str()), ("Collision", "its name"));
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct LoadedLevel {
    /// The level.
    pub level: Level,
    /// Facts about the level's source: a mask, a map, a world or a baked level.
    pub source: Source,
    /// The faults that a lenient load ignored ([`LoadOptions::lenient`]), and other suspicious content of the
    /// source.
    pub warnings: Vec<LoadWarning>,
    /// The maps of a world in the world's order, or the single map. Empty for a mask or a baked level.
    #[cfg(feature = "tmx")]
    pub maps: Vec<PlacedMap>,
    pub(super) options: Arc<LoadOptions>,
    /// For each map of the level: the tilesets whose pictures have more tiles than the tilesets state, with
    /// the tile counts of these pictures.
    #[cfg(feature = "tmx")]
    pub(super) tile_counts: Vec<TileCounts>,
}

/// Facts about a level's source.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Source {
    /// A mask picture.
    #[cfg(feature = "mask")]
    Mask(MaskSource),
    /// A Tiled map.
    #[cfg(feature = "tmx")]
    Map(MapSource),
    /// A world of Tiled maps.
    #[cfg(feature = "tmx")]
    World(WorldSource),
    /// A baked level.
    #[cfg(feature = "baked")]
    Baked(BakedSource),
}

/// Facts about a baked level.
#[cfg(feature = "baked")]
#[derive(Clone, Debug, PartialEq)]
pub struct BakedSource {
    /// The hash of the level's content: see
    /// [`BakedLevel::content_hash`](crate::baked::BakedLevel::content_hash).
    pub content_hash: u64,
}

impl LoadedLevel {
    /// Returns the options with which the level was loaded.
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }
}

#[cfg(feature = "tmx")]
impl LoadedLevel {
    /// Returns the map, or the first map of a world. Returns `None` for a mask or a baked level.
    pub fn map(&self) -> Option<&Map> {
        self.maps.first().map(|placed| &*placed.map)
    }

    /// Returns the projection that converts between map pixels, screen pixels and cells of a single map.
    /// Returns `None` for a world, a mask or a baked level. The level's pixel (0, 0) is at [`Level::origin`],
    /// in the space that [`MapSource::space`] names.
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
            (Source::Map(_), Some(map)) => Some(map.projection()),
            _ => None,
        }
    }

    /// Returns the role of each layer and object of a single map, such as solid or area. Returns `None` for a
    /// world, a mask or a baked level. O(cells + objects + tiles listed in the files).
    #[cfg(feature = "tmx")]
    pub fn survey(&self) -> Option<Survey<'_>> {
        let (Source::Map(_), Some(map), Some(counts)) =
            (&self.source, self.map(), self.tile_counts.first())
        else {
            return None;
        };
        Survey::new(map, counts, &self.options).ok()
    }

    /// Returns the shapes of the solids, one-way solids and areas as the author of the maps drew them: the
    /// collision shapes of tiles, flipped and placed with their cells, whole cells for tiles without shapes,
    /// and objects. They are in the order of the maps, then of the layers, then of the cells or objects. A
    /// mask or a baked level has no shapes. A cell that is solid because a walkable layer has no tile in it
    /// has none either. The cells of the level and of its areas are the pixels that these shapes cover inside
    /// the level. Overlapping and adjacent shapes are not joined, and a shape that reaches out of the level
    /// is not cut off. For joined outlines, use [`Terrain::outlines`](crate::Terrain::outlines). O(points).
    ///
    /// ```
    /// use bitwall::load::{Outline, ShapePurpose};
    /// use bitwall::{LoadOptions, LoadedLevel};
    ///
    /// let loaded = LoadedLevel::load("assets/hills.tmx", &LoadOptions::default())?;
    /// let shapes = loaded.shapes()?;
    /// let slope = shapes.iter().find(|shape| match &shape.outline {
    ///     Outline::Polygon(points) => points.len() == 3 && shape.purpose == ShapePurpose::Solid,
    ///     _ => false,
    /// });
    /// assert!(slope.expect("a triangle").provenance.tile.is_some());
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// Fails with [`LoadErrorKind::TooLarge`](crate::load::LoadErrorKind::TooLarge) if the shapes have more
    /// points than [`Limits::cells`](crate::Limits::cells).
    pub fn shapes(&self) -> Result<Vec<PlacedShape>, LoadError> {
        let mut found = Vec::new();
        for (map, counts) in self.maps.iter().zip(&self.tile_counts) {
            add_shapes(map, counts, &self.options, &mut found).map_err(|error| {
                let name = map.file.as_deref().unwrap_or("map");
                LoadError::new(Path::new(name), error.place, error.kind)
            })?;
        }
        Ok(found)
    }

    /// Returns the reason that a cell is solid or one-way, or `None` as [`Explainer::provenance`]. For many
    /// cells, [`LoadedLevel::explainer`] is faster. O(tiles and objects of the maps).
    pub fn provenance(&self, cell: IVec2) -> Option<Provenance> {
        self.explainer().provenance(cell)
    }

    /// Returns an explainer, which finds the reasons that cells are solid. O(tiles and objects of the maps).
    pub fn explainer(&self) -> Explainer<'_> {
        let mut maps = Vec::with_capacity(self.maps.len());
        for (map, counts) in self.maps.iter().zip(&self.tile_counts) {
            // This cannot fail, because the level was built from the same input.
            maps.extend(MapExplainer::new(map, counts, &self.options));
        }
        Explainer { level: &self.level, maps }
    }
}

/// Finds the reasons that the cells of a level are solid. [`LoadedLevel::explainer`] returns it.
#[cfg(feature = "tmx")]
pub struct Explainer<'l> {
    level: &'l Level,
    maps: Vec<MapExplainer<'l>>,
}

#[cfg(feature = "tmx")]
impl Explainer<'_> {
    /// Returns the layer, tile or object that made a cell solid or one-way. If there are several, returns the
    /// first in the order of the rules. Returns `None` for any other cell, for a cell that is solid because a
    /// walkable layer has no tile in it, for a mask, and for a baked level. O(n) for n tile layers and solid
    /// objects.
    pub fn provenance(&mut self, cell: IVec2) -> Option<Provenance> {
        let (column, row) = (u32::try_from(cell.x).ok()?, u32::try_from(cell.y).ok()?);
        let mut guards = Dir::ALL.into_iter().filter_map(|side| self.level.one_way(side));
        let is_guarded = guards.any(|grid| grid.is_solid(column, row));
        let is_solid = self.level.grid().is_solid(column, row);
        if !is_guarded && !is_solid {
            return None;
        }
        let pixel = self.level.cell_area(cell).min;
        let mut found = self.maps.iter_mut().find_map(|map| map.explain(pixel))?;
        if !is_solid {
            ONE_WAY.clone_into(&mut found.because);
        }
        Some(found)
    }
}

/// The default options, shared by all levels. A copy for each level would take longer than the load of a
/// small map.
static NO_OPTIONS: LazyLock<Arc<LoadOptions>> = LazyLock::new(Arc::default);

impl LoadedLevel {
    pub(super) fn new(level: Level, source: Source, warnings: Vec<LoadWarning>) -> Self {
        Self {
            level,
            source,
            warnings,
            #[cfg(feature = "tmx")]
            maps: Vec::new(),
            options: Arc::clone(&NO_OPTIONS),
            #[cfg(feature = "tmx")]
            tile_counts: Vec::new(),
        }
    }

    pub(super) fn with_options(self, options: &LoadOptions) -> Self {
        Self { options: Arc::new(options.clone()), ..self }
    }
}
