//! The options for each file. They come from the arguments and from each `bitwall.toml` in or above the
//! file's folder.
//!
//! A lower `bitwall.toml` overrides an upper one key by key in the section `[verify]`. Its load options
//! replace all load options of the upper one. With `--diff`, the configurations of the revision count.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::commands::Failure;
use crate::commands::files::{PathKind, Patterns, identity, unmatched};
use crate::commands::verify::VerifyArgs;
use crate::commands::verify::then::{Then, real_folder};
use crate::lint::config::MASK_PATTERNS;
use crate::lint::rules::configs::unmet_markers;
use crate::lint::{
    Finding, Report, RuleLevel, Selection, VerifyConfig, VerifyOptions, verify_config,
};
use bitwall::load::{CONFIG, configs_of};
use bitwall::paths::plain;
use bitwall::{LoadError, LoadOptions, Project};

/// The configurations of all checked files, each read once.
pub(super) struct Settings {
    args: VerifyArgs,
    /// The configurations of the revision of `--diff`, which judge instead of the present ones.
    pub(super) then: Option<Then>,
    by_folder: HashMap<PathBuf, Rc<Config>>,
    by_path: BTreeMap<PathBuf, Rc<Config>>,
    pub(super) findings: Vec<Finding>,
    /// The settings by the present configurations, for what [`findings`](Self::findings) must not have.
    others: Option<Box<Self>>,
}

impl Settings {
    /// The settings by the present configurations.
    pub(super) fn new(args: VerifyArgs) -> Self {
        let (by_folder, by_path) = Default::default();
        Self { args, then: None, by_folder, by_path, findings: Vec::new(), others: None }
    }

    /// The settings by the configurations of a revision.
    pub(super) fn of_revision(then: Then) -> Self {
        let settings = Self::new(then.args.clone());
        Self { then: Some(then), ..settings }
    }

    /// Yields the paths of all configurations read so far.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.by_path.keys().map(|path| self.back(path))
    }

    /// Returns the path of `file` in the repository of `--diff`, or `None` for a file outside of it.
    pub(super) fn name_of(&mut self, file: &Path) -> Option<PathBuf> {
        self.then.as_mut()?.name_of(file)
    }

    /// Yields the real paths of the art in the `[[verify.pair]]` entries of all configurations read so far.
    pub(super) fn arts(&self) -> impl Iterator<Item = PathBuf> {
        let configs = self.by_path.values();
        let arts = configs.flat_map(|config| {
            config.verify.pairs.iter().map(|pair| config.folder.join(&pair.art))
        });
        arts.map(|art| identity(&self.back(&art)))
    }

    fn back(&self, place: &Path) -> PathBuf {
        self.then.as_ref().map_or(place.to_owned(), |then| then.back(place))
    }

    /// Returns the path at which `path` is judged: with `--diff`, its place among the configurations of the
    /// revision. A file that the revision has under another name is new if it looks at it under neither name.
    pub(super) fn place(&mut self, path: &Path) -> Result<PathBuf, Failure> {
        let Some(then) = &mut self.then else {
            return Ok(path.to_owned());
        };
        let Some(name) = then.name_of(path) else {
            return Ok(path.to_owned());
        };
        if then.has(&name) {
            return then.place_then(&name);
        }
        for place in then.places_of_renamed(&name)? {
            if self.config_at(&place)?.looks_at(&place) {
                return Ok(place);
            }
        }
        match &mut self.then {
            Some(then) => then.new_place(&name),
            None => Ok(path.to_owned()),
        }
    }

    /// True if a search at the revision of `--diff` looks at its file `name`, by the configuration of that
    /// revision.
    pub(super) fn looked_at(&mut self, name: &Path) -> Result<bool, Failure> {
        let Some(then) = &self.then else {
            return Ok(false);
        };
        let place = then.place_then(name)?;
        Ok(self.config_at(&place)?.looks_at(&place))
    }

    pub(super) fn looks_at(&mut self, path: &Path) -> Result<bool, Failure> {
        let (config, place) = self.judge(path)?;
        Ok(config.looks_at(&place))
    }

    /// Returns the path of the broken configuration that judges the file `path`, if it is broken.
    pub(super) fn broken(&mut self, path: &Path) -> Result<Option<PathBuf>, Failure> {
        let (config, _) = self.judge(path)?;
        // A configuration below a broken one counts as broken, too.
        let chain = std::iter::successors(Some(&config), |config| config.above.as_ref());
        let broken = chain.filter(|config| config.is_broken).last();
        Ok(broken.map(|config| self.back(&config.path)))
    }

    /// Returns `finding` with the severity that the rules of the revision state for its file, or `None` if
    /// its rule is off.
    pub(super) fn stated(&mut self, finding: Finding) -> Result<Option<Finding>, Failure> {
        let mut place = finding.path.clone();
        if let Some(then) = &mut self.then
            && let Some(name) = then.name_of(&finding.path)
        {
            place = then.place_then(&then.name_then(&name))?;
        }
        let levels = self.options_at(&place)?.map(|options| options.levels).unwrap_or_default();
        let severity = levels.severity_of(finding.rule);
        Ok(severity.map(|severity| Finding { severity, ..finding }))
    }

    /// Returns the configuration that judges the file `path`, and the path at which it does.
    pub(super) fn judge(&mut self, path: &Path) -> Result<(Rc<Config>, PathBuf), Failure> {
        let place = self.place(path)?;
        Ok((self.config_at(&place)?, place))
    }

    /// Adds a finding with the severity that the rules for its file state, unless its rule is off.
    pub(super) fn add_note(&mut self, note: Finding) -> Result<(), Failure> {
        let stated = self.stated(note)?;
        self.findings.extend(stated);
        Ok(())
    }

    fn is_ignored(&self, finding: &Finding) -> bool {
        let is_off = self.args.ignore.iter().any(|rules| rules.holds(finding.rule));
        is_off && !finding.rule.fixed
    }

    fn config_at(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
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
        // The configurations of a revision judge, but are not checked.
        if self.then.is_none() {
            self.findings.extend(report.findings);
        }
        Ok(self.keep(path, config))
    }

    fn keep(&mut self, path: &Path, config: Config) -> Rc<Config> {
        Rc::clone(self.by_path.entry(path.to_owned()).or_insert(Rc::new(config)))
    }

    fn others(&mut self) -> &mut Self {
        self.others.get_or_insert_with(|| Box::new(Self::new(self.args.clone())))
    }

    /// Returns the findings in the configuration at `path`, without those in configurations above it.
    pub(super) fn check(&mut self, path: &Path) -> Result<Report, Failure> {
        let above = above(path).map(|above| self.others().found_config(&above)).transpose()?;
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
        let inherited = above.as_ref().filter(|_| !is_above_broken);
        let inherited = inherited.map(|above| above.levels_of(path)).unwrap_or_default();
        let unmatched = match &read {
            // The configurations of a revision judge, but are not checked.
            Ok(_) if self.then.is_some() => Vec::new(),
            Ok((verify, _)) => {
                let of_paths = verify.per_path.iter().flat_map(|rules| &rules.paths);
                // Patterns that equal a default pattern need not match a file: many projects copy the
                // defaults.
                let is_own = |pattern: &&String| !MASK_PATTERNS.contains(&pattern.as_str());
                let patterns = of_paths.chain(verify.masks.iter().flatten().filter(is_own));
                let folder = real_folder(path);
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
        let mut report = verify_config(path, verify.as_ref(), &inherited, &unmatched);
        report.findings.retain(|it| !self.is_ignored(it));
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
        found.retain(|finding| !self.is_ignored(finding));
        self.findings.extend(found);
    }

    /// Returns the options for the file `path`, or `None` if its configuration is broken.
    pub(super) fn options(&mut self, path: &Path) -> Result<Option<VerifyOptions>, Failure> {
        let place = self.place(path)?;
        let options = self.options_at(&place)?;
        let Some((then, options)) = self.then.as_ref().zip(options.clone()) else {
            return Ok(options);
        };
        let mut options = then.present(options, &place, path);
        // The art of a pair may have a new name that git does not find, and then has the present one.
        if options.art.as_ref().is_some_and(|art| self.args.art.is_none() && !art.exists()) {
            let art = self.others().options(path)?.and_then(|present| present.art);
            options.art = art.or(options.art);
        }
        Ok(Some(options))
    }

    /// Returns the options for the file at `path`, which with `--diff` is its place among the files of the
    /// revision.
    pub(super) fn options_at(&mut self, path: &Path) -> Result<Option<VerifyOptions>, Failure> {
        let config = self.config_at(path)?;
        if config.is_broken {
            return Ok(None);
        }
        let args = &self.args;
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
    let folder = real_folder(path);
    let is_above = |other: &PathBuf| match real_folder(other) {
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

impl Config {
    fn new(
        verify: VerifyConfig,
        load: LoadOptions,
        path: &Path,
        above: Option<Rc<Self>>,
    ) -> Result<Self, Failure> {
        let folder = real_folder(path);
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
            let mask = plain(&folder.join(&pair.mask));
            // The mask of a revision may not be written yet, but the links above it are there.
            let absent = || real_folder(&mask).join(mask.file_name().unwrap_or_default());
            let mask = fs::canonicalize(&mask).unwrap_or_else(|_| absent());
            by_mask.entry(mask).or_insert_with(|| folder.join(&pair.art));
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
            false => self.by_mask.get(&identity(path)),
        };
        let above = || self.above.as_ref().and_then(|above| above.art_of(path));
        own.cloned().or_else(above)
    }
}
