//! One configuration: its patterns and pairs, and the rules for a file by it and those above it.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::LoadOptions;
use crate::cli::Failure;
use crate::cli::files::{FileKind, all_files, identity};
use crate::cli::patterns::Patterns;
use crate::paths::plain;
use crate::verify::config::MASK_PATTERNS;
use crate::verify::{Selection, VerifyConfig};

/// A `bitwall.toml`, or the defaults where there is none.
pub(in crate::cli::verify) struct Config {
    pub(super) path: PathBuf,
    /// With the rules and the facts of those above it, where it says nothing.
    pub(super) verify: VerifyConfig,
    /// The states of rules that it names itself.
    own: Selection,
    /// True if it has patterns of masks itself.
    has_masks: bool,
    pub(super) load: LoadOptions,
    /// The real path of its folder, from which its patterns and pairs count.
    pub(super) folder: PathBuf,
    masks: Patterns,
    exclude: Patterns,
    per_path: Vec<(Patterns, Selection)>,
    above: Option<Rc<Self>>,
    by_mask: RefCell<ByMask>,
    /// True if it cannot be read, so that its levels cannot be checked.
    pub(in crate::cli::verify) is_broken: bool,
}

/// The pairs of a configuration by the real paths of their masks. A mask that is not there is looked for
/// again: the files of a revision are written one after the other.
#[derive(Default)]
struct ByMask {
    /// The places of pairs in the list.
    known: HashMap<PathBuf, usize>,
    missing: Vec<usize>,
}

/// The real path of a configuration's folder.
pub(in crate::cli::verify) fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    identity(folder.unwrap_or(Path::new(".")))
}

impl Config {
    pub(super) fn new_default(path: &Path) -> Result<Self, Failure> {
        Self::new(VerifyConfig::default(), LoadOptions::default(), path, None)
    }

    /// The defaults for a file without a `bitwall.toml`. Their patterns count from the folder of all files.
    pub(super) fn of_none(path: &Path) -> Result<Self, Failure> {
        let top = identity(path).ancestors().last().map(|top| top.join("bitwall.toml"));
        Self::new_default(top.as_deref().unwrap_or(path))
    }

    /// The configuration that was read from `path`.
    pub(super) fn new(
        verify: VerifyConfig,
        load: LoadOptions,
        path: &Path,
        above: Option<Rc<Self>>,
    ) -> Result<Self, Failure> {
        let folder = folder_of(path);
        let place = path.to_string_lossy();
        let patterns = |patterns: &[String]| {
            Patterns::new(&folder, patterns.iter().map(String::as_str), &place)
        };
        let masks = match &verify.masks {
            Some(masks) => patterns(masks)?,
            None => Patterns::new(&folder, MASK_PATTERNS, &place)?,
        };
        let exclude = patterns(&verify.exclude)?;
        let per_path = verify.per_path.iter();
        let per_path = per_path.map(|rules| Ok((patterns(&rules.paths)?, rules.levels.clone())));
        let per_path = per_path.collect::<Result<_, Failure>>()?;
        let missing = (0..verify.pairs.len()).collect();
        let by_mask = RefCell::new(ByMask { known: HashMap::new(), missing });
        let (own, has_masks) = (verify.options.levels.clone(), verify.masks.is_some());
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
            masks,
            exclude,
            per_path,
            above,
            by_mask,
            is_broken: false,
        })
    }

    /// This configuration, whose levels cannot be checked if it `is_broken`.
    pub(super) fn with_fault(self, is_broken: bool) -> Self {
        Self { is_broken, ..self }
    }

    /// The states of rules for a file: those of the file above, its own, and those for the path.
    pub(super) fn levels_of(&self, path: &Path) -> Selection {
        let mut levels = self.above.as_ref().map(|above| above.levels_of(path)).unwrap_or_default();
        levels.extend(&self.own);
        for (patterns, of_path) in &self.per_path {
            if patterns.match_file(path) {
                levels.extend(of_path);
            }
        }
        levels
    }

    /// The states of rules for the levels in its folder, by it and by the one above alone. None if that one
    /// has no rules for paths: they are those of the folder then.
    pub(super) fn levels_below(&self) -> Vec<(Selection, Selection)> {
        let Some(above) = self.above.as_ref().filter(|above| above.has_path_rules()) else {
            return Vec::new();
        };
        let levels = all_files(&self.folder).flatten();
        self.beside(above, levels.map(|level| [level.clone(), level])).0
    }

    /// The states of rules for levels, by it and by another configuration that looks at them; and the number
    /// of those at which it does not look. Each level has a path for the one and for the other.
    pub(in crate::cli::verify) fn beside(
        &self,
        other: &Self,
        levels: impl Iterator<Item = [PathBuf; 2]>,
    ) -> (Vec<(Selection, Selection)>, usize) {
        let (mut known, mut left_out) = (HashMap::new(), 0);
        for [own, others] in levels.filter(|[_, others]| other.looks_at(others)) {
            left_out += usize::from(!self.looks_at(&own));
            let places = (self.places_of(&own), other.places_of(&others));
            let levels = || (self.levels_of(&own), other.levels_of(&others));
            known.entry(places).or_insert_with(levels);
        }
        (known.into_values().collect(), left_out)
    }

    /// The section `[verify]` and the load options as they hold for the file `path`, with those of the files
    /// above. Pairs and the root count from `top`.
    pub(in crate::cli::verify) fn held(
        &self,
        path: &Path,
        top: &Path,
    ) -> (VerifyConfig, LoadOptions) {
        let chain = || std::iter::successors(Some(self), |config| config.above.as_deref());
        let below = |path: PathBuf| path.strip_prefix(top).map(Path::to_owned).unwrap_or(path);
        let mut verify = self.verify_at(path);
        verify.pairs.clear();
        verify.masks = chain().find_map(|config| config.verify.masks.clone());
        verify.exclude = chain().flat_map(|config| config.verify.exclude.clone()).collect();
        for config in chain() {
            verify.pairs.extend(config.verify.pairs.iter().cloned().map(|mut pair| {
                pair.mask = plain(&below(config.folder.join(pair.mask)));
                pair.art = plain(&below(config.folder.join(pair.art)));
                pair
            }));
        }
        let mut load = self.load.clone();
        load.root = load.root.map(below);
        (verify, load)
    }

    /// True if it, or one above it, has rules for paths.
    fn has_path_rules(&self) -> bool {
        !self.per_path.is_empty() || self.above.as_ref().is_some_and(|above| above.has_path_rules())
    }

    /// For each of the rules for paths, also of those above, whether they hold for a file.
    fn places_of(&self, path: &Path) -> Vec<bool> {
        let own = self.per_path.iter().map(|(patterns, _)| patterns.match_file(path));
        let above = self.above.iter().flat_map(|above| above.places_of(path));
        own.chain(above).collect()
    }

    /// The section `[verify]` as it holds for a file below, with the rules for paths of all files above.
    pub(super) fn verify_at(&self, path: &Path) -> VerifyConfig {
        let mut verify = self.verify.clone();
        verify.options.levels = self.levels_of(path);
        let mut above = self.above.as_ref();
        while let Some(config) = above {
            verify.per_path.splice(0..0, config.verify.per_path.iter().cloned());
            above = config.above.as_ref();
        }
        verify
    }

    /// True if the file is not to be looked at.
    pub(in crate::cli::verify) fn excludes(&self, path: &Path) -> bool {
        let above = self.above.as_ref();
        self.exclude.match_file(path) || above.is_some_and(|above| above.excludes(path))
    }

    /// True if a level that is found in a folder is checked.
    pub(in crate::cli::verify) fn looks_at(&self, path: &Path) -> bool {
        let is_level = FileKind::of(path) != Some(FileKind::Picture) || self.is_mask(path);
        is_level && !self.excludes(path)
    }

    /// True if the picture is a mask by its name, or by a pair.
    pub(in crate::cli::verify) fn is_mask(&self, path: &Path) -> bool {
        self.is_named_as_mask(path) || self.is_in_pair(path)
    }

    fn is_named_as_mask(&self, path: &Path) -> bool {
        match (&self.above, self.has_masks) {
            (_, true) => self.masks.match_file(path),
            (Some(above), false) => above.is_named_as_mask(path),
            // A folder by a default pattern, such as `collision_tests`, does not make masks of its pictures.
            (None, false) => self.masks.match_name(path),
        }
    }

    /// True if the picture is the mask of a pair.
    pub(in crate::cli::verify) fn is_in_pair(&self, path: &Path) -> bool {
        self.art_of(path).is_some()
    }

    /// The art of a mask, by a pair.
    pub(super) fn art_of(&self, path: &Path) -> Option<PathBuf> {
        let own = self.own_art_of(path);
        own.or_else(|| self.above.as_ref().and_then(|above| above.art_of(path)))
    }

    fn own_art_of(&self, path: &Path) -> Option<PathBuf> {
        if self.verify.pairs.is_empty() {
            return None;
        }
        let real = fs::canonicalize(path).ok()?;
        let pairs = &self.verify.pairs;
        let ByMask { known, missing } = &mut *self.by_mask.borrow_mut();
        if !known.contains_key(&real) {
            missing.retain(|place| {
                let mask = pairs.get(*place).map(|pair| self.folder.join(&pair.mask));
                let mask = mask.and_then(|mask| fs::canonicalize(mask).ok());
                let is_there = mask.is_some();
                if let Some(mask) = mask {
                    // The first pair of a mask counts.
                    known
                        .entry(mask)
                        .and_modify(|known| *known = *place.min(known))
                        .or_insert(*place);
                }
                !is_there
            });
        }
        let pair = pairs.get(*known.get(&real)?)?;
        Some(self.folder.join(&pair.art))
    }
}
