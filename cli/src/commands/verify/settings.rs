//! The options for each file. They come from the arguments and from each `bitwall.toml` in or above the
//! file's folder.
//!
//! A lower `bitwall.toml` overrides an upper one key by key in the section `[verify]`. Its load options
//! replace all load options of the upper one.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::commands::Failure;
use crate::commands::files::{PathKind, Patterns, all_files, identity, unmatched};
use crate::commands::verify::VerifyArgs;
use crate::lint::config::MASK_PATTERNS;
use crate::lint::rules::WEAKENED_RULES;
use crate::lint::rules::configs::unmet_markers;
use crate::lint::{
    Finding, Report, RuleLevel, Selection, VerifyConfig, VerifyOptions, verify_config,
};
use bitwall::load::{CONFIG, configs_of, plain};
use bitwall::{LoadError, LoadOptions, Project};

/// The configurations of all checked files, each read once.
pub(super) struct Settings<'a> {
    args: &'a VerifyArgs,
    by_folder: HashMap<PathBuf, Rc<Config>>,
    by_path: BTreeMap<PathBuf, Rc<Config>>,
    pub(super) findings: Vec<Finding>,
}

impl<'a> Settings<'a> {
    pub(super) fn new(args: &'a VerifyArgs) -> Self {
        Self { args, by_folder: HashMap::new(), by_path: BTreeMap::new(), findings: Vec::new() }
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.by_path.keys().map(PathBuf::as_path)
    }

    /// Yields the real paths of the art in the `[[verify.pair]]` entries of all configurations read so far.
    pub(super) fn arts(&self) -> impl Iterator<Item = PathBuf> {
        self.by_path.values().flat_map(|config| {
            config.verify.pairs.iter().map(|pair| identity(&config.folder.join(&pair.art)))
        })
    }

    /// Adds `findings` in configurations, except findings of rules that the arguments turn off.
    pub(super) fn add_findings(&mut self, findings: Vec<Finding>) {
        let added = findings.into_iter().filter(|finding| !self.is_ignored(finding));
        let added: Vec<Finding> = added.collect();
        self.findings.extend(added);
    }

    fn is_ignored(&self, finding: &Finding) -> bool {
        let is_off = self.args.ignore.iter().any(|rules| rules.holds(finding.rule));
        is_off && !finding.rule.fixed
    }

    pub(super) fn config_for(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if let Some(config) = self.by_folder.get(&folder) {
            return Ok(Rc::clone(config));
        }
        let config = match self.args.load.config_for(path) {
            Some(config) if self.args.load.config.as_deref().is_some() => self.named(&config)?,
            Some(config) => self.found_config(&config)?,
            None => {
                // Without a `bitwall.toml`, the default patterns of masks are relative to the root of the
                // file system.
                let top = identity(path).ancestors().last().map(|top| top.join(CONFIG));
                let (verify, load) = (VerifyConfig::default(), LoadOptions::default());
                Rc::new(Config::new(verify, load, top.as_deref().unwrap_or(path), None)?)
            }
        };
        self.by_folder.insert(folder, Rc::clone(&config));
        Ok(config)
    }

    /// Reads the file of `--config`. A fault in the file is an error, and configurations above it are not
    /// used.
    fn named(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        if let Some(config) = self.by_path.get(path) {
            return Ok(Rc::clone(config));
        }
        let verify = VerifyConfig::load_with(path, Patterns::check)?;
        let config = Config::new(verify, LoadOptions::load(path)?, path, None)?;
        Ok(self.keep(path, config))
    }

    /// Reads the `bitwall.toml` at `path`, found in or above the folder of a level. A fault in this file is a
    /// finding.
    fn found_config(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        if let Some(config) = self.by_path.get(path) {
            return Ok(Rc::clone(config));
        }
        let above = above(path).map(|above| self.found_config(&above)).transpose()?;
        let (config, report) = self.read(path, above)?;
        self.findings.extend(report.findings);
        Ok(self.keep(path, config))
    }

    fn keep(&mut self, path: &Path, config: Config) -> Rc<Config> {
        Rc::clone(self.by_path.entry(path.to_owned()).or_insert(Rc::new(config)))
    }

    /// Returns the findings in the configuration at `path`, without those in configurations above it.
    pub(super) fn check(&mut self, path: &Path) -> Result<Report, Failure> {
        let mut others = Self::new(self.args);
        let above = above(path).map(|above| others.found_config(&above)).transpose()?;
        let (_, report) = self.read(path, above)?;
        Ok(report)
    }

    /// Reads the configuration at `path`, and returns it with its findings. `above` is the next configuration
    /// above it. If `above` is broken, the configuration counts as broken too, because it inherits from
    /// `above`.
    fn read(
        &mut self,
        path: &Path,
        above: Option<Rc<Config>>,
    ) -> Result<(Config, Report), Failure> {
        let read = || -> Result<_, LoadError> {
            let project = Project::of(path.to_owned())?;
            Ok((VerifyConfig::load_with(path, Patterns::check)?, project.options().clone()))
        };
        let read = read();
        let is_above_broken = above.as_ref().is_some_and(|above| above.is_broken);
        let top = above.as_ref().filter(|_| !is_above_broken);
        let top = top.map(|top| (&*top.path, top.verify_at(path)));
        let top = top.as_ref().map(|(path, verify)| (*path, verify));
        let unmatched = match &read {
            Ok((verify, _)) => {
                let of_paths = verify.per_path.iter().flat_map(|rules| &rules.paths);
                // Patterns that equal a default pattern need not match a file: many projects copy the
                // defaults.
                let is_own = |pattern: &&String| !MASK_PATTERNS.contains(&pattern.as_str());
                let patterns = of_paths.chain(verify.masks.iter().flatten().filter(is_own));
                let folder = folder_of(path);
                let excluded = verify.exclude.iter().filter(|it| !may_be_there(&folder, it));
                unmatched(&folder, patterns.chain(excluded), &path.to_string_lossy())?
            }
            Err(_) => Vec::new(),
        };
        let is_broken = is_above_broken || read.is_err();
        let (verify, load, above) = match &read {
            Ok((verify, load)) => (verify.clone(), load.clone(), above.clone()),
            Err(_) => (VerifyConfig::default(), LoadOptions::default(), None),
        };
        let config = Config { is_broken, ..Config::new(verify, load, path, above)? };
        let verify = read.map(|(verify, _)| verify);
        let levels = all_files(&config.folder).flatten().map(|level| [level.clone(), level]);
        let of_levels =
            config.above.as_ref().map(|above| config.beside(above, [path; 2], levels).0);
        let of_levels = of_levels.unwrap_or_default();
        let mut report = verify_config(path, verify.as_ref(), top, &unmatched, &of_levels);
        // With `--diff`, a configuration is compared with its earlier revision, not with the configuration
        // above it.
        let is_compared = self.args.known.diff.is_some();
        let is_left_out = |it: &Finding| is_compared && it.rule.code == WEAKENED_RULES.code;
        report.findings.retain(|it| !self.is_ignored(it) && !is_left_out(it));
        Ok((config, report))
    }

    /// Adds a finding for each marker name in a configuration that no level has. Only checks configurations
    /// whose whole folder was searched.
    pub(super) fn check_markers(&mut self, reports: &[(PathBuf, Report)]) {
        let roots: Vec<PathBuf> = self
            .args
            .paths
            .iter()
            .filter(|path| path.is_dir())
            .map(|path| identity(path))
            .collect();
        let mut found = Vec::new();
        for config in self.by_path.values().filter(|config| !config.is_broken) {
            let own = |name: &str| config.verify.lines.contains_key(&("marker", name.to_owned()));
            let markers = config.verify.options.markers.iter();
            // A marker with `at-least` is required in each level; another rule reports it.
            let markers = markers.filter(|marker| marker.at_least == 0 && own(&marker.name));
            let mut open: Vec<&str> = markers.map(|marker| &*marker.name).collect();
            if open.is_empty() || !roots.iter().any(|root| config.folder.starts_with(root)) {
                continue;
            }
            let below = reports.iter().filter(|(path, _)| {
                let is_map = PathKind::from_path(path) != Some(PathKind::Picture);
                is_map && identity(path).starts_with(&config.folder)
            });
            let mut has_maps = false;
            for (_, report) in below {
                has_maps = true;
                match &report.markers {
                    Some(names) => open.retain(|name| !names.contains(*name)),
                    // A map that cannot be loaded may have all markers.
                    None => open.clear(),
                }
            }
            if has_maps {
                found.extend(unmet_markers(&config.path, &config.verify, &open));
            }
        }
        self.add_findings(found);
    }

    /// Returns the options for the file `path`, or `None` if its configuration is broken.
    pub(super) fn options(&mut self, path: &Path) -> Result<Option<VerifyOptions>, Failure> {
        let config = self.config_for(path)?;
        if config.is_broken {
            return Ok(None);
        }
        let args = self.args;
        let mut options = config.verify.options.clone();
        options.load = args.load.apply(config.load.clone());
        options.levels = config.levels_of(path);
        for rules in &args.select {
            options.levels.set(*rules, RuleLevel::On);
        }
        for rules in &args.ignore {
            options.levels.set(*rules, RuleLevel::Off);
        }
        options.size = args.size.or(options.size);
        options.tile = args.tile.or(options.tile);
        options.bodies.extend(args.body.iter().cloned());
        options.art = args.art.clone().or_else(|| config.art_of(path));
        Ok(Some(options))
    }
}

/// True if a file or folder matches the `exclude` entry. Also true if a `.gitignore` in the repository names
/// the entry: such a folder, for example of a build, may exist only on other machines.
fn may_be_there(folder: &Path, entry: &str) -> bool {
    let name = entry.trim_matches('/');
    let in_repository = folder.ancestors().scan(false, |is_above, folder| {
        let was_above = std::mem::replace(is_above, folder.join(".git").exists());
        (!was_above).then_some(folder)
    });
    let is_ignored = |folder: &Path| {
        let lines = fs::read_to_string(folder.join(".gitignore")).unwrap_or_default();
        lines.lines().any(|line| line.trim().trim_matches('/') == name)
    };
    folder.join(name).exists() || in_repository.into_iter().any(is_ignored)
}

fn above(path: &Path) -> Option<PathBuf> {
    let folder = folder_of(path);
    let is_above = |other: &PathBuf| match folder_of(other) {
        // A configuration with another name inherits from the `bitwall.toml` in its own folder.
        same if same == folder => identity(other) != identity(path),
        _ => true,
    };
    configs_of(path).into_iter().find(is_above)
}

// A configuration decides which pictures are masks, which art they have, and which rules apply to a file. It
// inherits from the configurations above.

/// The content of a `bitwall.toml`, or the defaults if there is none.
pub(super) struct Config {
    path: PathBuf,
    /// The section `[verify]`, with the inherited settings. These say which rules are on, and state facts of
    /// the game.
    verify: VerifyConfig,
    /// The rules that this configuration itself turns on or off.
    own: Selection,
    has_masks: bool,
    load: LoadOptions,
    /// The real path of the configuration's folder. Its patterns and pairs are relative to this folder.
    folder: PathBuf,
    masks: Patterns,
    exclude: Patterns,
    per_path: Vec<(Patterns, Selection)>,
    above: Option<Rc<Self>>,
    /// Maps the real path of each mask that has separate art to the path of the art.
    by_mask: HashMap<PathBuf, PathBuf>,
    /// True if this configuration or one above it cannot be read. Levels in the folder are then not checked.
    pub(super) is_broken: bool,
}

pub(super) fn folder_of(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    identity(folder.unwrap_or(Path::new(".")))
}

impl Config {
    fn new(
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
        let mut by_mask = HashMap::new();
        for pair in &verify.pairs {
            // The first pair of a mask wins.
            if let Ok(mask) = fs::canonicalize(folder.join(&pair.mask)) {
                by_mask.entry(mask).or_insert_with(|| folder.join(&pair.art));
            }
        }
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

    /// Returns which rules are on for the file `path`. This configuration overrides inherited settings; a
    /// `[[verify.path]]` overrides both.
    fn levels_of(&self, path: &Path) -> Selection {
        let mut levels = self.above.as_ref().map(|above| above.levels_of(path)).unwrap_or_default();
        levels.extend(&self.own);
        for (patterns, of_path) in &self.per_path {
            if patterns.match_file(path) {
                levels.extend(of_path);
            }
        }
        levels
    }

    /// Compares the rules of this configuration with the rules of `other`. `folder` and each item of `levels`
    /// hold two paths: one for this configuration, one for `other`.
    ///
    /// Returns pairs of the rules that are on here and in `other`. There is one pair for the folder, and one
    /// for each distinct group of levels that `other` checks. Also returns the number of levels that `other`
    /// checks and this configuration does not.
    pub(super) fn beside(
        &self,
        other: &Self,
        folder: [&Path; 2],
        levels: impl Iterator<Item = [PathBuf; 2]>,
    ) -> (Vec<(Selection, Selection)>, usize) {
        let states = |[own, others]: [&Path; 2]| (self.levels_of(own), other.levels_of(others));
        let (mut pairs, mut left_out) = (vec![states(folder)], 0);
        let mut known = HashSet::new();
        for [own, others] in levels.filter(|[_, others]| other.looks_at(others)) {
            left_out += usize::from(!self.looks_at(&own));
            if known.insert((self.places_of(&own), other.places_of(&others))) {
                pairs.push(states([&own, &others]));
            }
        }
        (pairs, left_out)
    }

    /// Returns the section `[verify]` and the load options for the file `path`, inherited values included.
    /// The root folder, and the paths of pairs of masks and art, are relative to `top`.
    pub(super) fn held(&self, path: &Path, top: &Path) -> (VerifyConfig, LoadOptions) {
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

    /// Returns for each `[[verify.path]]` whether it applies to `path`. The entries of this configuration
    /// come first, then the inherited entries.
    fn places_of(&self, path: &Path) -> Vec<bool> {
        let own = self.per_path.iter().map(|(patterns, _)| patterns.match_file(path));
        let above = self.above.iter().flat_map(|above| above.places_of(path));
        own.chain(above).collect()
    }

    /// Returns the section `[verify]` with the rules that are on for the file `path`.
    fn verify_at(&self, path: &Path) -> VerifyConfig {
        let mut verify = self.verify.clone();
        verify.options.levels = self.levels_of(path);
        verify
    }

    pub(super) fn excludes(&self, path: &Path) -> bool {
        let above = self.above.as_ref();
        self.exclude.match_file(path) || above.is_some_and(|above| above.excludes(path))
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
            (_, true) => self.masks.match_file(path),
            (Some(above), false) => above.is_named_as_mask(path),
            // A default pattern must match the file itself. A folder such as `collision_tests` does not make
            // its pictures masks.
            (None, false) => self.masks.match_name(path),
        }
    }

    pub(super) fn is_in_pair(&self, path: &Path) -> bool {
        self.art_of(path).is_some()
    }

    fn art_of(&self, path: &Path) -> Option<PathBuf> {
        let own = match self.by_mask.is_empty() {
            true => None,
            false => fs::canonicalize(path).ok().and_then(|real| self.by_mask.get(&real)),
        };
        let above = || self.above.as_ref().and_then(|above| above.art_of(path));
        own.cloned().or_else(above)
    }
}
