//! Defines [`LoadedLevel`]: a level with facts about its source, warnings, and the parsed maps.

#[cfg(feature = "tmx")]
pub(super) mod tiled;

use std::sync::{Arc, LazyLock};

#[cfg(feature = "image")]
use glam::IVec2;

#[cfg(feature = "tmx")]
use crate::convert::SolidCount;
use crate::error::LoadWarning;
#[cfg(feature = "image")]
use crate::error::suggestion::{Setting, Suggestion};
use crate::level::Level;
#[cfg(feature = "image")]
use crate::level::Marker;
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
use crate::tmx::PlacedMap;

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
    /// The number of tiles and objects that each rule marked as solid, in all maps.
    #[cfg(feature = "tmx")]
    pub solids: Vec<SolidCount>,
    options: Arc<LoadOptions>,
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
    /// A Tiled map: see [`LoadedLevel::map`].
    Map,
    /// A world of Tiled maps: see [`LoadedLevel::maps`].
    World,
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
            Source::Map | Source::World => {
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
            (Source::Map | Source::World, _) => absence(&self.maps, setting),
        }
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
            solids: Vec::new(),
            #[cfg(feature = "mask")]
            odd: None,
        }
    }

    pub(super) fn with_options(self, options: &LoadOptions) -> Self {
        Self { options: Arc::new(options.clone()), ..self }
    }
}
