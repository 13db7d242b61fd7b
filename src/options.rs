//! The options of a load. This module reads no file: `load::config` makes options from a `bitwall.toml`.

use std::path::PathBuf;

use crate::geometry::{Outside, Sides};
use crate::limits::Limits;
use crate::rules::{
    AreaRule, MaskPlane, MaskRule, PropertyIs, Setting, SolidRules, TileIds, TileRange,
};
#[cfg(feature = "tmx")]
use crate::tmx::Space;

/// The options of a load. A `Project` (feature `config`) has the options of a `bitwall.toml`.
///
/// ```
/// use bitwall::{Level, LoadOptions, Outside};
///
/// let options = LoadOptions { outside: Outside::Open.into(), ..LoadOptions::default() };
/// let level = Level::load_with("assets/bricks.tmx", &options)?;
/// # Ok::<(), bitwall::LoadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct LoadOptions {
    /// Whether the space beyond each side of the level is solid. Default: solid.
    pub outside: Sides<Outside>,
    /// The pixels of a mask that are solid. Default: the dark ones.
    pub mask_rule: MaskRule,
    /// Colours of a mask that make named areas ([`crate::Level::area`]). Default: none.
    pub planes: Vec<MaskPlane>,
    /// The rules for the solid layers, tiles and objects of a Tiled map. Default: see [`SolidRules`].
    pub solid_rules: SolidRules,
    /// The named areas of a Tiled map, such as water: the layers, tiles and objects of each, and the
    /// categories of the bodies that it stops. Names must be unique. Default: none.
    pub areas: Vec<AreaRule>,
    /// The limits on the content of a file. Default: see [`Limits`].
    pub limits: Limits,
    /// The root folder of a level on the disk: the level can only name files in it. Default: the nearest
    /// folder above the level with a `bitwall.toml`, a `.tiled-project` or a `.git`; else the current folder,
    /// if the level is in it; else the level's own folder. The folder of all files (`/`, or that of a drive)
    /// is used only if it is set here.
    pub root: Option<PathBuf>,
    /// The path of the file that these options were read from, for messages. Default: none.
    pub config: Option<PathBuf>,
    /// The space of the level's pixels: the map's own or the screen. Default: the map's own.
    #[cfg(feature = "tmx")]
    pub space: Space,
    /// True to load a map with too few or too many cells in a layer, or with tiles that no tileset has. Such
    /// cells count as empty, and [`crate::LoadedLevel::warnings`] counts them. Default: false.
    pub lenient: bool,
    /// True to load a map without solids, which is otherwise an error. Default: false.
    pub allow_nothing_solid: bool,
}

impl LoadOptions {
    /// Applies a setting of a [`Suggestion`](crate::rules::Suggestion). A mask setting with a text that is
    /// not a mask rule changes nothing.
    pub fn apply(&mut self, setting: &Setting) {
        let ids = |tiles: TileRange| {
            let (first, last) = tiles.ids.unwrap_or((0, u32::MAX));
            TileIds::new(tiles.tileset, first..=last)
        };
        let rules = &mut self.solid_rules;
        match setting {
            Setting::SolidLayer(word)
            | Setting::WalkableLayer(word)
            | Setting::PassableLayer(word)
            | Setting::SolidClass(word)
            | Setting::SolidProperty(word)
            | Setting::PassableProperty(word)
            | Setting::SolidValue { name: word, .. } => rules.author_words.push(word.clone()),
            _ => {}
        }
        match setting.clone() {
            Setting::SolidLayer(name) => rules.layer_names.push(name),
            Setting::WalkableLayer(name) => rules.walkable_layers.push(name),
            Setting::PassableLayer(name) => rules.passable_layers.push(name),
            Setting::SolidClass(name) => {
                rules.layer_classes.push(name.clone());
                rules.tile_classes.push(name.clone());
                rules.object_classes.push(name);
            }
            Setting::SolidProperty(name) => {
                rules.layer_properties.push(name.clone());
                rules.solid_properties.push(name.clone());
                rules.object_properties.push(name);
            }
            Setting::PassableProperty(name) => rules.passable_properties.push(name),
            Setting::SolidValue { name, value } => {
                rules.solid_values.push(PropertyIs::new(name, value));
            }
            Setting::SolidTiles(tiles) => rules.solid_tiles.push(ids(tiles)),
            Setting::PassableTiles(tiles) => rules.passable_tiles.push(ids(tiles)),
            Setting::ShapesOnly => rules.shapes_only = true,
            Setting::Mask(rule) => {
                if let Ok(rule) = rule.parse() {
                    self.mask_rule = rule;
                }
            }
            Setting::Plane { name, color } => self.planes.push(MaskPlane::new(name, color)),
            Setting::Lenient => self.lenient = true,
        }
    }
}
