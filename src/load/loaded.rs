//! Defines [`LoadedLevel`]: a level with facts about its source, warnings, and the parsed maps.

#[cfg(feature = "tmx")]
pub(super) mod tiled;

use std::sync::{Arc, LazyLock};

#[cfg(feature = "tmx")]
use crate::convert::SolidCount;
use crate::error::LoadWarning;
use crate::level::Level;
#[cfg(feature = "mask")]
use crate::mask::MaskSource;
use crate::options::LoadOptions;
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
    /// A text of `#` and `.`.
    Drawing,
    /// A baked level.
    #[cfg(feature = "baked")]
    Baked {
        /// The hash of the level's content: see
        /// [`BakedLevel::content_hash`](crate::baked::BakedLevel::content_hash).
        content_hash: u64,
    },
}

/// The default options, for loads without options and for all levels. To make and drop them takes 65,000
/// instructions, a twelfth of the load of assets/cave.tmx.
pub(super) static DEFAULT: LazyLock<Arc<LoadOptions>> = LazyLock::new(Arc::default);

impl LoadedLevel {
    /// Returns the options with which the level was loaded.
    ///
    /// If the level relies on a last resort of the solid rules, their words include those of that rule.
    pub fn options(&self) -> &LoadOptions {
        &self.options
    }

    pub(super) fn new(level: Level, source: Source, warnings: Vec<LoadWarning>) -> Self {
        Self {
            level,
            source,
            warnings,
            #[cfg(feature = "tmx")]
            maps: Vec::new(),
            options: Arc::clone(&DEFAULT),
            #[cfg(feature = "tmx")]
            solids: Vec::new(),
        }
    }

    /// Sets the options, unless they are set already, as by a last resort of the rules.
    pub(super) fn with_options(self, options: &LoadOptions) -> Self {
        if !Arc::ptr_eq(&self.options, &DEFAULT) {
            return self;
        }
        Self { options: Arc::new(options.clone()), ..self }
    }
}
