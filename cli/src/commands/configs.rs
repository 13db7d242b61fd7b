//! A configuration, as the commands use it: it decides which pictures are masks, which art they have, and
//! which rules apply to a file. It inherits from the configurations above.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::commands::Failure;
use crate::commands::files::{PathKind, Patterns, identity};
use crate::lint::config::MASK_PATTERNS;
use crate::lint::{Selection, VerifyConfig};
use bitwall::LoadOptions;
use bitwall::paths::plain;

/// The content of a `bitwall.toml`, or the defaults if there is none.
pub(super) struct Config {
    pub(super) path: PathBuf,
    /// The section `[verify]`, with the inherited settings. These say which rules are on, and state facts of
    /// the game.
    pub(super) verify: VerifyConfig,
    /// The rules that this configuration itself turns on or off.
    own: Selection,
    has_masks: bool,
    pub(super) load: LoadOptions,
    /// The real path of the configuration's folder. Its patterns and pairs are relative to this folder.
    pub(super) folder: PathBuf,
    /// True if the paths of files are those of a revision, which are real, and not on the disk.
    is_of_revision: bool,
    masks: Patterns,
    exclude: Patterns,
    per_path: Vec<(Patterns, Selection)>,
    pub(super) above: Option<Rc<Self>>,
    /// Maps the real path of each mask that has separate art to the path of the art.
    by_mask: HashMap<PathBuf, PathBuf>,
    /// True if this configuration or one above it cannot be read. Levels in the folder are then not checked.
    pub(super) is_broken: bool,
}

impl Config {
    /// Creates the configuration in the file at `path`. `above` is the next one above it. `real` returns the
    /// real path of a file of a revision; `None` for the files on the disk.
    pub(super) fn new(
        (verify, load): (VerifyConfig, LoadOptions),
        path: &Path,
        above: Option<Rc<Self>>,
        real: Option<&dyn Fn(&Path) -> PathBuf>,
    ) -> Result<Self, Failure> {
        let folder = if real.is_some() {
            path.parent().unwrap_or(path).to_owned()
        } else {
            real_folder(path)
        };
        let masks = match &verify.masks {
            Some(masks) => Patterns::new(masks.iter().map(String::as_str), path)?,
            None => Patterns::new(MASK_PATTERNS, path)?,
        };
        let exclude = Patterns::new(verify.exclude.iter().map(String::as_str), path)?;
        let mut per_path = Vec::new();
        for rules in &verify.per_path {
            let paths = rules.paths.iter().map(String::as_str);
            per_path.push((Patterns::new(paths, path)?, rules.levels.clone()));
        }
        let mut by_mask = HashMap::new();
        for pair in &verify.pairs {
            // The first pair of a mask wins.
            let mask = plain(&folder.join(&pair.mask));
            let mask = match real {
                Some(real) => real(&mask),
                None => fs::canonicalize(&mask).unwrap_or(mask),
            };
            by_mask.entry(mask).or_insert_with(|| folder.join(&pair.art));
        }
        let own = verify.options.levels.clone();
        let has_masks = verify.masks.is_some();
        let verify = match &above {
            Some(above) => verify.with_above(&above.verify),
            None => verify,
        };
        Ok(Self {
            path: path.to_owned(),
            verify,
            own,
            has_masks,
            load,
            folder,
            is_of_revision: real.is_some(),
            masks,
            exclude,
            per_path,
            above,
            by_mask,
            is_broken: false,
        })
    }

    /// Creates a configuration that inherits nothing, for files that need not be on the disk.
    pub(super) fn of_paths(verify: VerifyConfig, path: &Path) -> Result<Self, Failure> {
        let parts = (verify, LoadOptions::default());
        Self::new(parts, path, None, Some(&|path| path.to_owned()))
    }

    /// Yields the paths of the art in the pairs.
    pub(super) fn arts(&self) -> impl Iterator<Item = PathBuf> {
        self.verify.pairs.iter().map(|pair| self.folder.join(&pair.art))
    }

    /// Returns the path of a file relative to the folder. `None` for a file outside of it.
    fn below(&self, path: &Path) -> Option<PathBuf> {
        if self.is_of_revision {
            return path.strip_prefix(&self.folder).ok().map(Path::to_owned);
        }
        // Resolves only the parent folder, so that a file that is a link keeps its own name.
        let real = real_folder(path).join(path.file_name()?);
        real.strip_prefix(&self.folder).ok().map(Path::to_owned)
    }

    /// Returns which rules are on for the file `path`. This configuration overrides inherited settings; a
    /// `[[verify.path]]` overrides both.
    pub(super) fn levels_of(&self, path: &Path) -> Selection {
        let mut levels = self.above.as_ref().map(|above| above.levels_of(path)).unwrap_or_default();
        levels.extend(&self.own);
        if self.per_path.is_empty() {
            return levels;
        }
        let below = self.below(path);
        for (patterns, of_path) in &self.per_path {
            if below.as_ref().is_some_and(|below| patterns.match_path(below)) {
                levels.extend(of_path);
            }
        }
        levels
    }

    pub(super) fn excludes(&self, path: &Path) -> bool {
        let is_own = !self.exclude.is_empty()
            && self.below(path).is_some_and(|below| self.exclude.match_path(&below));
        is_own || self.above.as_ref().is_some_and(|above| above.excludes(path))
    }

    pub(super) fn looks_at(&self, path: &Path) -> bool {
        let is_level = PathKind::from_path(path) != Some(PathKind::Picture) || self.is_mask(path);
        is_level && !self.excludes(path)
    }

    /// True if a file pattern makes the picture a mask, or if it is the mask in a `[[verify.pair]]` of mask
    /// and art.
    pub(super) fn is_mask(&self, path: &Path) -> bool {
        self.is_named_as_mask(path) || self.is_in_pair(path)
    }

    fn is_named_as_mask(&self, path: &Path) -> bool {
        match (&self.above, self.has_masks) {
            (Some(above), false) => above.is_named_as_mask(path),
            // A default pattern must match the file itself. A folder such as `collision_tests` does not make
            // its pictures masks.
            (None, false) => self.below(path).is_some_and(|below| self.masks.match_name(&below)),
            (_, true) => self.below(path).is_some_and(|below| self.masks.match_path(&below)),
        }
    }

    pub(super) fn is_in_pair(&self, path: &Path) -> bool {
        self.art_of(path).is_some()
    }

    pub(super) fn art_of(&self, path: &Path) -> Option<PathBuf> {
        let own = if self.by_mask.is_empty() {
            None
        } else if self.is_of_revision {
            self.by_mask.get(path)
        } else {
            self.by_mask.get(&identity(path))
        };
        match own {
            Some(art) => Some(art.clone()),
            None => self.above.as_ref()?.art_of(path),
        }
    }
}

/// Returns the folder of `path`; `.` for the current folder.
pub(super) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the real path of the folder of `path`.
pub(super) fn real_folder(path: &Path) -> PathBuf {
    identity(folder_of(path))
}
