//! Defines [`LoadedLevel`]: a level with facts about its source, warnings, and the parsed maps.

#[cfg(feature = "tmx")]
use std::path::Path;
use std::sync::{Arc, LazyLock};

#[cfg(feature = "tmx")]
use glam::IVec2;

#[cfg(feature = "tmx")]
use crate::convert::Survey;
#[cfg(feature = "tmx")]
use crate::convert::{MapExplainer, MapSource, PlacedShape, TileCounts, WorldSource, add_shapes};
#[cfg(feature = "tmx")]
use crate::error::LoadError;
use crate::error::LoadWarning;
#[cfg(feature = "image")]
use crate::error::suggestion::{Setting, Suggestion};
#[cfg(feature = "tmx")]
use crate::geometry::Dir;
use crate::level::Level;
#[cfg(feature = "image")]
use crate::level::Marker;
#[cfg(feature = "tmx")]
use crate::level::{ONE_WAY, Provenance};
#[cfg(feature = "mask")]
use crate::mask::{MaskSource, OddPixels};
use crate::options::LoadOptions;
#[cfg(feature = "image")]
use crate::rules::names;
#[cfg(feature = "image")]
use crate::rules::suggest::{Doubt, Found, absence, suggest};
#[cfg(feature = "image")]
use crate::text::printable;
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
    /// The gray and translucent pixels of a decoded mask: see [`LoadedLevel::odd_pixels`]. A baked level
    /// stores none.
    #[cfg(feature = "mask")]
    pub(super) odd: Option<Arc<OddPixels>>,
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
    /// Returns the gray and translucent pixels of a mask: see [`OddPixels`]. Returns `None` for a map or a
    /// baked level.
    #[cfg(feature = "mask")]
    pub fn odd_pixels(&self) -> Option<&OddPixels> {
        self.odd.as_deref()
    }

    /// Returns the options with which the level was loaded.
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }

    /// Suggests options that may give the level the solids that its author meant, the best suggestion first.
    /// The result is empty if the solids seem right. `picture` is the picture of a mask, from which colours
    /// are suggested; a map needs none. Suggestions are guesses, and a person should choose from them: see
    /// [`LoadOptions::apply`](crate::LoadOptions::apply). O(cells + objects + names in the maps), or
    /// O(pixels) for a mask.
    ///
    /// ```
    /// use bitwall::{LoadOptions, LoadedLevel};
    ///
    /// let mut options = LoadOptions { allow_nothing_solid: true, ..LoadOptions::default() };
    /// let map = r#"<map orientation="orthogonal" width="2" height="1" tilewidth="8" tileheight="8">
    ///     <tileset firstgid="1" name="t" tilewidth="8" tileheight="8" tilecount="1" columns="1">
    ///         <image source="t.png" width="8" height="8"/>
    ///     </tileset>
    ///     <layer name="Colision" width="2" height="1"><data encoding="csv">1,0</data></layer>
    /// </map>"#;
    /// let loaded = LoadedLevel::decode("cave.tmx", map.as_bytes(), (), &options)?;
    /// let suggestions = loaded.suggestions(None);
    /// assert_eq!(suggestions[0].arguments(), ["--solid-layer", "Colision"]);
    /// assert_eq!(suggestions[0].why, "the name of the layer `Colision` is nearly `collision`");
    ///
    /// suggestions[0].options.iter().for_each(|setting| options.apply(setting));
    /// let loaded = LoadedLevel::decode("cave.tmx", map.as_bytes(), (), &options)?;
    /// assert_eq!((loaded.level.grid().solid_count(), loaded.suggestions(None).len()), (1, 0));
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    #[cfg(feature = "image")]
    pub fn suggestions(&self, picture: Option<&image::RgbaImage>) -> Vec<Suggestion> {
        let grid = self.level.grid();
        let found = match grid.solid_count() {
            _ if self.level.is_blank() => Found::Nothing,
            count if count == grid.cell_count() => Found::Everything,
            _ => Found::Part,
        };
        match &self.source {
            Source::Mask(source) => {
                let rules = &self.options.solid_rules;
                crate::mask::suggest(source, &self.level, rules, picture)
            }
            #[cfg(feature = "baked")]
            Source::Baked(_) => Vec::new(),
            Source::Map(_) | Source::World(_) => {
                let doubt = self.doubt();
                suggest(&self.maps, &self.options.solid_rules, found, doubt.as_ref())
            }
        }
    }

    /// Returns the reason that the solids of a map seem wrong, or `None` if they seem right.
    #[cfg(feature = "image")]
    fn doubt(&self) -> Option<Doubt> {
        /// The smallest number of cells for which the share of solid cells is judged. A smaller level may be
        /// a mere test.
        const LEAST: u64 = 64;
        let (level, rules) = (&self.level, &self.options.solid_rules);
        let (solid, all) = (level.grid().solid_count(), level.grid().cell_count());
        if level.is_blank() {
            return None;
        }
        let is_infinite = self.map().is_some_and(|map| map.is_infinite);
        let is_overfull = solid * 10 >= all * 9;
        if all >= LEAST && (is_overfull || (solid * 200 <= all && !is_infinite)) {
            let share = solid as f64 * 100.0 / all as f64;
            return Some(Doubt { why: format!("{share:.1}% of the level is solid"), is_overfull });
        }
        let tile = self.map().map_or(1, |map| map.tile_size.max_element().min(1 << 16));
        let is_inside = |marker: &&Marker| {
            // A point marker may be at the feet of its character, in the first row of pixels of the floor.
            let middle = marker.area.min + marker.area.size().as_ivec2() / 2;
            let head = if marker.is_point { tile as i32 / 2 } else { 0 };
            let places = [&marker.name, &marker.class];
            // A large area may contain walls, so a solid pixel at its center does not mean that the solids
            // are wrong.
            marker.area.size().max_element() <= 2 * tile
                && places.into_iter().any(|word| names(&rules.place_names, word))
                && [0, head].into_iter().all(|up| level.is_solid(middle - IVec2::new(0, up)))
        };
        let spawn = level.markers().iter().find(is_inside)?;
        let name = [&spawn.name, &spawn.class].into_iter().find(|word| !word.is_empty())?;
        let why = format!("`{}` is inside the solids", printable(name));
        Some(Doubt { why, is_overfull: true })
    }
}

#[cfg(feature = "image")]
impl LoadedLevel {
    /// Returns the reason that `setting` matches nothing in the level, with the nearest existing name: ``no
    /// layer is `Wals`; did you mean `Walls`?`` Returns `None` if the setting matches something, or has no
    /// name. O(cells + objects + names in the maps).
    pub fn absence(&self, setting: &Setting) -> Option<String> {
        match (&self.source, setting) {
            (Source::Mask(_), Setting::Mask(_) | Setting::Plane { .. } | Setting::Lenient) => None,
            (Source::Mask(_), _) => Some("a mask has neither layers nor tiles".to_owned()),
            #[cfg(feature = "baked")]
            (Source::Baked(_), _) => Some("a baked level is as it was baked".to_owned()),
            (Source::Map(_) | Source::World(_), _) => absence(&self.maps, setting),
        }
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
    /// use bitwall::convert::ShapePurpose;
    /// use bitwall::raster::Outline;
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
    /// Fails with [`LoadErrorKind::TooLarge`](crate::error::LoadErrorKind::TooLarge) if the shapes have more
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
            #[cfg(feature = "mask")]
            odd: None,
        }
    }

    pub(super) fn with_options(self, options: &LoadOptions) -> Self {
        Self { options: Arc::new(options.clone()), ..self }
    }
}
