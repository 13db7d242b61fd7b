//! The options of a load. `load::config` makes options from a `bitwall.toml`; no file is read here.

use std::path::PathBuf;

use crate::geometry::{Outside, Sides};
use crate::limits::Limits;
use crate::rules::{AreaRule, MaskPlane, MaskRule, SolidRules};
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
#[derive(Clone, Debug)]
pub struct LoadOptions {
    /// The space beyond each side of the level: solid or open. Default: solid.
    pub outside: Sides<Outside>,
    /// The rule for the solid pixels of a mask.
    ///
    /// Default: none. Then dark pixels are solid, with three exceptions, of which
    /// [`crate::LoadedLevel::warnings`] tells. Each depends on the counts of the mask's pixels:
    /// - In art on a transparent ground, opaque pixels are solid. At least 2% of the pixels are transparent,
    ///   and at least 25% of the opaque ones neither black nor white.
    /// - If all black is transparent beside opaque white, black is solid: [`MaskRule::BlackIsSolid`].
    /// - If at least 90% of an opaque mask is black or white, vivid colours are passable, by the same rule.
    pub mask_rule: Option<MaskRule>,
    /// The colours of a mask that make named areas ([`crate::Level::area`]). Default: none.
    pub planes: Vec<MaskPlane>,
    /// The rules for the solid layers, tiles and objects of a Tiled map. Default: see [`SolidRules`].
    pub solid_rules: SolidRules,
    /// The named areas of a Tiled map, such as water. A rule says which layers, tiles and objects form an
    /// area, and the categories of the bodies that the area stops.
    ///
    /// Names must be unique. Default: [`AreaRule::defaults`]. Other rules replace these, unless they are
    /// appended.
    pub areas: Vec<AreaRule>,
    /// The levels of an LDtk project to load, by their names or by the name of their world. Default: the
    /// levels of the first world at depth 0.
    #[cfg(feature = "ldtk")]
    pub levels: Vec<String>,
    /// The limits on the content of a file. Default: see [`Limits`].
    pub limits: Limits,
    /// The root folder of a level on the disk: the level cannot use files outside this folder.
    ///
    /// Default: the nearest folder above the level with a `bitwall.toml`, a `.tiled-project` or a `.git`.
    /// Without such a folder, the default is the current folder if the level is in it, or else the level's
    /// own folder. The top folder of the file system (`/`) or of a drive is the root only if this option
    /// names it.
    pub root: Option<PathBuf>,
    /// The file that defines the custom classes of the level's maps: a `.tiled-project`, or an export of its
    /// types (`propertytypes.json`, `objecttypes.xml`).
    ///
    /// A map does not state a member of a class that has the default of its class. Such a default counts like
    /// a property that the map states. The file is read only for a map that uses a class, and must be in the
    /// root folder. Without feature `json`, only an `objecttypes.xml` can be read. A file that cannot be read
    /// is an error if a class of the map stands in it, and a warning otherwise.
    ///
    /// Default: the nearest `.tiled-project`, from the folder of the level upward to the root folder. Of
    /// several in a folder, the one whose `folders` hold the level counts. Without a project, the nearest
    /// exported types count. For a level from bytes, only a collection of files is searched: see
    /// [`Files::absolute`](crate::load::Files::absolute).
    pub tiled_project: Option<PathBuf>,
    /// The path of the file from which these options were read, for messages. Default: none.
    pub config: Option<PathBuf>,
    /// The coordinate system of the level's pixels: the coordinates in the map's file, or the pixels of the
    /// map as it is drawn on the screen.
    ///
    /// The two differ only for isometric and oblique maps. Default: the coordinates in the map's file.
    #[cfg(feature = "tmx")]
    pub space: Space,
    /// True to load a map with a fault that can change a solid pixel, such as a solid layer with too few
    /// cells.
    ///
    /// Cells, objects and files that cannot be read count as empty or missing, and
    /// [`crate::LoadedLevel::warnings`] counts them. Faults that cannot change a solid pixel are warnings in
    /// any load. Text that is not well-formed, and limits, are errors in any load. Default: false.
    pub lenient: bool,
    /// True to load a map in which nothing is solid. Default: false, which makes it an error.
    pub allow_nothing_solid: bool,
}

impl Default for LoadOptions {
    fn default() -> Self {
        Self {
            outside: Sides::default(),
            mask_rule: None,
            planes: Vec::new(),
            solid_rules: SolidRules::default(),
            areas: AreaRule::defaults(),
            tiled_project: None,
            #[cfg(feature = "ldtk")]
            levels: Vec::new(),
            limits: Limits::default(),
            root: None,
            config: None,
            #[cfg(feature = "tmx")]
            space: Space::default(),
            lenient: false,
            allow_nothing_solid: false,
        }
    }
}
