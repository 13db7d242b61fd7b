//! What a caller can say about how a level is loaded.

use std::path::PathBuf;

use crate::geometry::{Outside, Sides};
use crate::limits::Limits;
use crate::rules::{AreaRule, SolidRules};
use crate::rules::{MaskPlane, MaskRule};
use crate::tmx::Space;

/// How to load a level. [`crate::Level::load`] uses [`LoadOptions::for_level`]: the nearest `bitwall.toml`,
/// or else `LoadOptions::default()`.
///
/// ```
/// use bitwall::{Level, LoadOptions, Outside};
///
/// let options = LoadOptions::default().with_outside(Outside::Open);
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
    /// The named areas of a Tiled map, such as water, and what belongs to them; each name once. Default:
    /// none.
    pub areas: Vec<AreaRule>,
    /// How much a file may ask for. Default: see [`Limits`].
    pub limits: Limits,
    /// The folder that a map may not reach out of with the files that it names. Default: the nearest folder
    /// above the map with a `bitwall.toml`, a `.tiled-project` or a `.git`, else the current folder if the
    /// map lies in it, else the map's own folder.
    pub root: Option<PathBuf>,
    /// The file that these options were read from, for messages. Default: none.
    pub config: Option<PathBuf>,
    /// True to keep the cells of a map, for pictures and for [`crate::Level::provenance`]; 4 bytes a cell
    /// of each tile layer. Default: false.
    pub keep_map: bool,
    /// The space that a map's level is in. Default: the map's own.
    pub space: Space,
    /// True to load a map with too few or too many cells in a layer, or with tiles that no tileset has: such
    /// cells count as empty, and [`crate::Level::warnings`] counts them. Default: false.
    pub lenient: bool,
    /// True to load a map in which nothing is solid, instead of an error that says what it has.
    /// Default: false.
    pub allow_nothing_solid: bool,
}

impl LoadOptions {
    /// These options with something else beyond the sides of the level: one [`Outside`], or [`Sides`].
    #[must_use]
    pub fn with_outside(mut self, outside: impl Into<Sides<Outside>>) -> Self {
        self.outside = outside.into();
        self
    }

    /// These options with other pixels of a mask solid.
    #[must_use]
    pub fn with_mask_rule(mut self, rule: MaskRule) -> Self {
        self.mask_rule = rule;
        self
    }

    /// These options with other rules for what is solid in a Tiled map.
    #[must_use]
    pub fn with_solid_rules(mut self, rules: SolidRules) -> Self {
        self.solid_rules = rules;
        self
    }

    /// These options with one named area more.
    #[must_use]
    pub fn with_area(mut self, area: AreaRule) -> Self {
        self.areas.push(area);
        self
    }

    /// These options with other limits.
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// These options with this folder as the one that a map may not reach out of.
    #[must_use]
    pub fn with_root(mut self, root: impl Into<PathBuf>) -> Self {
        self.root = Some(root.into());
        self
    }

    /// These options with the cells of a map kept: see [`LoadOptions::keep_map`].
    #[must_use]
    pub fn with_map_kept(mut self, keep: bool) -> Self {
        self.keep_map = keep;
        self
    }

    /// These options with a map allowed in which nothing is solid, or not.
    #[must_use]
    pub fn with_nothing_solid_allowed(mut self, allowed: bool) -> Self {
        self.allow_nothing_solid = allowed;
        self
    }
}
