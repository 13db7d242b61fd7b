//! What a caller can say about how a level is loaded.

use std::path::PathBuf;

use super::limits::Limits;
use super::mask::{MaskPlane, MaskRule};
use super::rules::SolidRules;
use crate::geometry::{Outside, Sides};

/// How to load a level. `LoadOptions::default()` is what [`crate::Level::load`] uses.
///
/// ```
/// use bitwall::{Level, LoadOptions, Outside};
///
/// let mut options = LoadOptions::default();
/// options.outside = Outside::Open.into();
/// let level = Level::load_with("assets/bricks.tmx", &options)?;
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct LoadOptions {
    /// What lies beyond each side of the level. Default: solid.
    pub outside: Sides<Outside>,
    /// Which pixels of a mask are solid. Default: the dark ones.
    pub mask_rule: MaskRule,
    /// Colours of a mask that make named areas: see [`MaskPlane`] and [`crate::Level::area`]. Default: none.
    pub planes: Vec<MaskPlane>,
    /// What in a Tiled map is solid. Default: see [`SolidRules`].
    pub solid_rules: SolidRules,
    /// How much a file may ask for. Default: see [`Limits`].
    pub limits: Limits,
    /// The folder that a map may not reach out of with the files that it names. Default: the nearest folder
    /// above the map with a `bitwall.toml`, a `.tiled-project` or a `.git`, else the current folder if the
    /// map lies in it, else the map's own folder.
    pub root: Option<PathBuf>,
    /// True to keep the cells of a map, for pictures and for [`crate::Level::provenance`]; 4 bytes a cell
    /// of each tile layer. Default: false.
    pub keep_map: bool,
    /// True to load a map in which nothing is solid, instead of an error that says what it has.
    /// Default: false.
    pub allow_nothing_solid: bool,
}
