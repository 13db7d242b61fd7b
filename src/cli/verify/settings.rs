//! The options for each file, by the nearest `bitwall.toml` and the arguments.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::VerifyArgs;
use crate::cli::Failure;
use crate::cli::files::identity;
use crate::cli::patterns::Patterns;
use crate::load::root::configs_of;
use crate::verify::config::MASK_PATTERNS;
use crate::verify::{
    Finding, Report, RuleLevel, Selection, VerifyConfig, VerifyOptions, verify_config,
};
use crate::{LoadError, LoadOptions, Project};

/// A `bitwall.toml`, or the defaults where there is none.
pub(super) struct Config {
    verify: VerifyConfig,
    load: LoadOptions,
    /// The real path of its folder, from which its patterns and pairs count.
    folder: PathBuf,
    masks: Patterns,
    exclude: Patterns,
    per_path: Vec<(Patterns, Selection)>,
    /// True if it cannot be read, so that its levels cannot be checked.
    is_broken: bool,
}

/// The configurations that were asked for, each read once.
pub(super) struct Settings<'a> {
    args: &'a VerifyArgs,
    by_folder: HashMap<PathBuf, Rc<Config>>,
    by_path: BTreeMap<PathBuf, Rc<Config>>,
    findings: Vec<Finding>,
}

impl<'a> Settings<'a> {
    pub(super) fn new(args: &'a VerifyArgs) -> Self {
        let (by_folder, by_path) = (HashMap::new(), BTreeMap::new());
        Self { args, by_folder, by_path, findings: Vec::new() }
    }

    /// The findings in the configurations so far.
    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    /// The configuration for a file.
    pub(super) fn of(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if let Some(config) = self.by_folder.get(&folder) {
            return Ok(Rc::clone(config));
        }
        let config = match self.args.load.config_for(path) {
            Some(config) if self.args.load.names_config() => self.named(&config)?,
            Some(config) => self.found(&config)?,
            None => Rc::new(Config::of_none(path)?),
        };
        self.by_folder.insert(folder, Rc::clone(&config));
        Ok(config)
    }

    /// A configuration that was named: a fault in it is an error.
    fn named(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        if let Some(config) = self.by_path.get(path) {
            return Ok(Rc::clone(config));
        }
        let config = Config::new(VerifyConfig::load(path)?, LoadOptions::load(path)?, path)?;
        let config = Rc::new(config);
        self.by_path.insert(path.to_owned(), Rc::clone(&config));
        Ok(config)
    }

    /// A configuration that was found: a fault in it is a finding.
    fn found(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        if let Some(config) = self.by_path.get(path) {
            return Ok(Rc::clone(config));
        }
        let (config, report) = read(path);
        self.findings.extend(report.findings);
        let config = match config {
            Ok((verify, load)) => Config::new(verify, load, path)?,
            Err(_) => Config { is_broken: true, ..Config::new_default(path)? },
        };
        let config = Rc::new(config);
        self.by_path.insert(path.to_owned(), Rc::clone(&config));
        Ok(config)
    }

    /// The options for a file; `None` if its configuration is broken.
    pub(super) fn options(&mut self, path: &Path) -> Result<Option<VerifyOptions>, Failure> {
        let config = self.of(path)?;
        if config.is_broken {
            return Ok(None);
        }
        let args = self.args;
        let mut options = config.verify.options.clone();
        options.load = args.load.apply(config.load.clone());
        for (patterns, levels) in &config.per_path {
            if patterns.match_file(path) {
                options.levels.extend(levels);
            }
        }
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

/// The options in a `bitwall.toml`, and its findings.
pub(super) fn read(path: &Path) -> (Result<(VerifyConfig, LoadOptions), LoadError>, Report) {
    let load = Project::of(path.to_owned()).map(|project| project.options().clone());
    let config = VerifyConfig::load(path).and_then(|verify| Ok((verify, load?)));
    // The folder of a file named otherwise may have a `bitwall.toml`, which is above it.
    let above = configs_of(path).into_iter().rev().find(|top| top != path);
    let is_same = |top: &Path| fs::canonicalize(top).ok() == fs::canonicalize(path).ok();
    // A broken one has a finding of its own, if levels are checked by it.
    let above = above.filter(|top| !is_same(top));
    let above = above.and_then(|top| VerifyConfig::load(&top).ok().map(|config| (top, config)));
    let top = above.as_ref().map(|(path, config)| (path.as_path(), config));
    let report = verify_config(path, config.as_ref().map(|(verify, _)| verify), top);
    (config, report)
}

impl Config {
    fn new_default(path: &Path) -> Result<Self, Failure> {
        Self::new(VerifyConfig::default(), LoadOptions::default(), path)
    }

    /// The defaults for a file without a `bitwall.toml`. Their patterns count from the folder of all files.
    fn of_none(path: &Path) -> Result<Self, Failure> {
        let top = identity(path).ancestors().last().map(|top| top.join("bitwall.toml"));
        Self::new_default(top.as_deref().unwrap_or(path))
    }

    /// The configuration that was read from `path`.
    fn new(verify: VerifyConfig, load: LoadOptions, path: &Path) -> Result<Self, Failure> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = identity(folder.unwrap_or(Path::new(".")));
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
        Ok(Self { verify, load, folder, masks, exclude, per_path, is_broken: false })
    }

    /// True if the file is not to be looked at.
    pub(super) fn excludes(&self, path: &Path) -> bool {
        self.exclude.match_file(path)
    }

    /// True if the picture is a mask by its name, or by a pair.
    pub(super) fn is_mask(&self, path: &Path) -> bool {
        // A folder by a default pattern, such as `collision_tests`, does not make masks of its pictures.
        let is_named = match self.verify.masks {
            Some(_) => self.masks.match_file(path),
            None => self.masks.match_name(path),
        };
        is_named || self.is_in_pair(path)
    }

    /// True if the picture is the mask of a pair.
    pub(super) fn is_in_pair(&self, path: &Path) -> bool {
        self.art_of(path).is_some()
    }

    /// The art of a mask, by a pair.
    fn art_of(&self, path: &Path) -> Option<PathBuf> {
        if self.verify.pairs.is_empty() {
            return None;
        }
        let real = fs::canonicalize(path).ok()?;
        let mut pairs = self.verify.pairs.iter();
        let pair = pairs.find(|pair| {
            fs::canonicalize(self.folder.join(&pair.mask)).is_ok_and(|mask| mask == real)
        })?;
        Some(self.folder.join(&pair.art))
    }
}
