//! The options for each file, by the nearest `bitwall.toml`, those above it and the arguments.
//!
//! A `bitwall.toml` below another one says only what differs: where it says nothing, the upper one counts.
//! That holds for the section `[verify]`; the load options are those of the nearest file alone.

mod config;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use self::config::Config;
pub(super) use self::config::folder_of;
use super::VerifyArgs;
use crate::cli::Failure;
use crate::cli::files::{identity, unmatched};
use crate::cli::patterns::Patterns;
use crate::load::root::configs_of;
use crate::verify::rules::WEAKENED_RULES;
use crate::verify::{Finding, Report, RuleLevel, VerifyConfig, VerifyOptions, verify_config};
use crate::{LoadError, LoadOptions, Project};

/// The configurations that were asked for, each read once.
pub(super) struct Settings<'a> {
    args: &'a VerifyArgs,
    by_folder: HashMap<PathBuf, Rc<Config>>,
    by_path: BTreeMap<PathBuf, Rc<Config>>,
    findings: Vec<Finding>,
    /// The patterns of `[[verify.path]]` that match no level, so far.
    unmatched: BTreeSet<String>,
    /// The files of a revision; no folder is walked then, for it holds a part of the files.
    revision: Option<Revision>,
}

/// Where the files of a revision lie.
#[derive(Clone)]
pub(super) struct Revision {
    /// The folder that stands for that of all files.
    pub(super) top: PathBuf,
    /// The configuration that an argument names, as it was; the defaults count if there is no such file.
    pub(super) named: Option<PathBuf>,
}

impl Revision {
    /// The place of a file or a folder with this real path.
    pub(super) fn place(&self, real: &Path) -> PathBuf {
        let names = real.components().filter(|part| matches!(part, Component::Normal(_)));
        names.fold(self.top.clone(), |place, name| place.join(name))
    }
}

impl<'a> Settings<'a> {
    pub(super) fn new(args: &'a VerifyArgs) -> Self {
        Self {
            args,
            by_folder: HashMap::new(),
            by_path: BTreeMap::new(),
            findings: Vec::new(),
            unmatched: BTreeSet::new(),
            revision: None,
        }
    }

    /// The settings for the files of a revision. A pattern that matches no level now did not match one then.
    pub(super) fn of_revision(&self, revision: Revision) -> Self {
        Self { revision: Some(revision), ..self.anew() }
    }

    /// These settings before a configuration was read.
    pub(super) fn anew(&self) -> Self {
        let (unmatched, revision) = (self.unmatched.clone(), self.revision.clone());
        Self { unmatched, revision, ..Self::new(self.args) }
    }

    /// The configurations that were read so far.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.by_path.keys().map(PathBuf::as_path)
    }

    /// The real paths of the arts of all pairs in the configurations that were read so far.
    pub(super) fn arts(&self) -> impl Iterator<Item = PathBuf> {
        self.by_path.values().flat_map(|config| {
            config.verify.pairs.iter().map(|pair| identity(&config.folder.join(&pair.art)))
        })
    }

    /// True if a configuration so far has a fault.
    pub(super) fn has_findings(&self) -> bool {
        !self.findings.is_empty()
    }

    /// The findings in the configurations so far.
    pub(super) fn into_findings(self) -> Vec<Finding> {
        self.findings
    }

    /// The findings in the configurations so far for which `is_kept` is true; the others are dropped.
    pub(super) fn retain_findings(&mut self, is_kept: impl FnMut(&Finding) -> bool) -> &[Finding] {
        self.findings.retain(is_kept);
        &self.findings
    }

    /// Adds findings in configurations, but for those of rules that the arguments turn off.
    pub(super) fn add_findings(&mut self, findings: Vec<Finding>) {
        let added = findings.into_iter().filter(|finding| !self.is_ignored(finding));
        let added: Vec<Finding> = added.collect();
        self.findings.extend(added);
    }

    /// True for a finding of a rule that the arguments turn off.
    fn is_ignored(&self, finding: &Finding) -> bool {
        let is_off = self.args.ignore.iter().any(|rules| rules.holds(finding.rule));
        is_off && !finding.rule.fixed
    }

    /// The configuration for a file.
    pub(super) fn of(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if let Some(config) = self.by_folder.get(&folder) {
            return Ok(Rc::clone(config));
        }
        let config = match self.args.load.config_for(path) {
            Some(config) if self.args.load.named_config().is_some() => self.named(&config)?,
            Some(config) => self.found(&config)?,
            None => Rc::new(Config::of_none(path)?),
        };
        self.by_folder.insert(folder, Rc::clone(&config));
        Ok(config)
    }

    /// A configuration that was named: a fault in it is an error, and none is above it. With a fault then,
    /// nothing was checked at a revision.
    fn named(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        if let Some(config) = self.by_path.get(path) {
            return Ok(Rc::clone(config));
        }
        let read = |path: &Path| {
            Ok((VerifyConfig::load_with(path, Patterns::check)?, LoadOptions::load(path)?))
        };
        let then = self.revision.as_ref().and_then(|revision| revision.named.as_deref());
        let config = match (read(then.unwrap_or(path)), then) {
            (Ok((verify, load)), _) => Config::new(verify, load, then.unwrap_or(path), None)?,
            (Err(error), None) => return Err(LoadError::into(error)),
            (Err(_), Some(then)) => Config::new_default(then)?.with_fault(then.exists()),
        };
        let config = Rc::new(config);
        self.by_path.insert(path.to_owned(), Rc::clone(&config));
        Ok(config)
    }

    /// A configuration that was found: a fault in it is a finding.
    fn found(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        if let Some(config) = self.by_path.get(path) {
            return Ok(Rc::clone(config));
        }
        let above = match above(path) {
            Some(above) => Some(self.found(&above)?),
            None => None,
        };
        let (config, report) = self.read(path, above)?;
        self.findings.extend(report.findings);
        let config = Rc::new(config);
        self.by_path.insert(path.to_owned(), Rc::clone(&config));
        Ok(config)
    }

    /// The findings in a configuration that is checked itself; those above it are not.
    pub(super) fn check(&mut self, path: &Path) -> Result<Report, Failure> {
        let mut others = self.anew();
        let above = match above(path) {
            Some(above) => Some(others.found(&above)?),
            None => None,
        };
        let (_, report) = self.read(path, above)?;
        Ok(report)
    }

    /// Reads a configuration. It is as broken as the one above it, whose facts it needs.
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
            Ok((verify, _)) => self.unmatched_of(path, verify)?,
            Err(_) => Vec::new(),
        };
        let (config, verify) = match read {
            Ok((verify, load)) => {
                let config = Config::new(verify.clone(), load, path, above.clone())?;
                (config.with_fault(is_above_broken), Ok(verify))
            }
            Err(error) => (Config::new_default(path)?.with_fault(true), Err(error)),
        };
        let of_levels = config.levels_below();
        let mut report = verify_config(path, verify.as_ref(), top, &unmatched, &of_levels);
        // Since a revision, a configuration is compared with itself then, not with the one above.
        let is_compared = self.args.known.diff.is_some();
        let is_left_out = |it: &Finding| is_compared && it.rule.code == WEAKENED_RULES.code;
        report.findings.retain(|it| !self.is_ignored(it) && !is_left_out(it));
        Ok((config, report))
    }

    /// The patterns of `[[verify.path]]` that match no level in the folder of the configuration.
    fn unmatched_of(&mut self, path: &Path, verify: &VerifyConfig) -> Result<Vec<String>, Failure> {
        let patterns = verify.per_path.iter().flat_map(|rules| &rules.paths);
        if self.revision.is_some() {
            return Ok(patterns.filter(|it| self.unmatched.contains(*it)).cloned().collect());
        }
        let unmatched = unmatched(&folder_of(path), patterns, &path.to_string_lossy())?;
        self.unmatched.extend(unmatched.iter().cloned());
        Ok(unmatched)
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
        if let Some((revision, root)) = self.revision.as_ref().zip(args.load.root()) {
            options.load.root = Some(revision.place(&identity(root)));
        }
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

/// The nearest configuration above another one.
fn above(path: &Path) -> Option<PathBuf> {
    let folder = folder_of(path);
    let is_above = |other: &PathBuf| match folder_of(other) {
        // The folder of a file with another name may have a `bitwall.toml`, which is above it.
        same if same == folder => identity(other) != identity(path),
        _ => true,
    };
    configs_of(path).into_iter().find(is_above)
}
