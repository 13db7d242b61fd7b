//! The options for each file. They come from the arguments and from each `bitwall.toml` in or above the
//! file's folder.
//!
//! A lower `bitwall.toml` overrides an upper one key by key in the section `[verify]`. Its load options
//! replace all load options of the upper one. With `--diff`, the configurations of the revision count, for
//! both states of a level.

pub(super) mod since;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::commands::Failure;
use crate::commands::projects::verify::VerifyArgs;
use crate::commands::projects::verify::settings::since::Since;
use crate::commands::projects::{Config, PathKind, folder_of, identity, real_folder};
use crate::lint::rules::configs::unmet_markers;
use crate::lint::{
    Finding, MarkerSpec, Report, RuleLevel, VerifyConfig, VerifyOptions, verify_config,
};
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{CONFIG, Links, read_file};
use bitwall::{LoadError, LoadOptions, Project};

/// The configurations of all checked files, each read once.
pub(super) struct Settings {
    args: VerifyArgs,
    /// The change of `--diff`, whose earlier configurations judge instead of the present ones.
    since: Option<Rc<Since>>,
    by_folder: HashMap<PathBuf, Rc<Config>>,
    by_path: BTreeMap<PathBuf, Rc<Config>>,
    pub(super) findings: Vec<Finding>,
}

impl Settings {
    /// The settings by the present configurations or, with `since`, by those of a revision.
    pub(super) fn new(args: VerifyArgs, since: Option<Rc<Since>>) -> Self {
        Self {
            args,
            since,
            by_folder: HashMap::new(),
            by_path: BTreeMap::new(),
            findings: Vec::new(),
        }
    }

    /// Yields the paths of all configurations read so far.
    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.by_path.values().map(|config| &*config.path)
    }

    /// Yields the real paths of the art in the `[[verify.pair]]` entries of all configurations read so far.
    pub(super) fn arts(&self) -> impl Iterator<Item = PathBuf> {
        let arts = self.by_path.values().flat_map(|config| config.arts());
        arts.map(|art| identity(&self.now(art)))
    }

    /// Returns the present path of a file that a configuration names.
    fn now(&self, path: PathBuf) -> PathBuf {
        match &self.since {
            Some(since) => since.now(&path),
            None => path,
        }
    }

    /// Adds a finding with the severity that the rules for its file state, unless its rule is off.
    fn add_note(&mut self, note: Finding) -> Result<(), Failure> {
        let levels = self.options(&note.path)?.map(|options| options.levels).unwrap_or_default();
        if let Some(severity) = levels.severity_of(note.rule) {
            self.findings.push(Finding { severity, ..note });
        }
        Ok(())
    }

    fn is_ignored(&self, finding: &Finding) -> bool {
        let is_off = self.args.ignore.iter().any(|rules| rules.holds(finding.rule));
        is_off && !finding.rule.fixed
    }

    /// Returns the configuration that judges the file `path`.
    pub(super) fn judge(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        if let Some(config) = self.by_folder.get(&folder) {
            return Ok(Rc::clone(config));
        }
        let nearest = match self.args.load.config.clone() {
            Some(config) => Some(self.named(&config)?),
            None if self.args.load.no_config => None,
            None => {
                let first = self.configs_above(path).into_iter().next();
                first.map(|config| self.found(&config)).transpose()?
            }
        };
        let config = match nearest {
            Some(config) => config,
            None => {
                // Without a `bitwall.toml`, the default patterns of masks are relative to the root of the
                // file system.
                let top = identity(path).ancestors().last().map(|top| top.join(CONFIG));
                let path = top.as_deref().unwrap_or(path);
                let parts = (VerifyConfig::default(), LoadOptions::default());
                Rc::new(self.config(parts, &[], path, None)?)
            }
        };
        self.by_folder.insert(folder, Rc::clone(&config));
        Ok(config)
    }

    /// Returns the paths of the configurations in and above the folder of `path`, the nearest first.
    fn configs_above(&self, path: &Path) -> Vec<PathBuf> {
        let of_revision = self.since.as_ref().and_then(|since| since.configs_above(path));
        of_revision.unwrap_or_else(|| self.args.load.configs_above(path))
    }

    /// Returns the content of the configuration at `path` that the revision of `--diff` has; `None` if the
    /// present one judges.
    fn of_revision(&self, path: &Path) -> Result<Option<Vec<u8>>, Failure> {
        self.since.as_ref().map_or(Ok(None), |since| since.config(path))
    }

    /// Creates the configuration at `path` from its `parts`, with the keys of `-c` in its `content`.
    fn config(
        &self,
        parts: (VerifyConfig, LoadOptions),
        content: &[u8],
        path: &Path,
        above: Option<Rc<Config>>,
    ) -> Result<Config, Failure> {
        let (mut verify, mut load) = parts;
        if let Some(text) = self.args.load.merged(content) {
            verify = VerifyConfig::decode(path, text)?;
            load = self.args.load.with_keys(load, content)?;
        }
        Config::new((verify, load), path, above)
    }

    /// Reads the file of `--config`. A fault in the file is an error, and configurations above it are not
    /// used.
    fn named(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        if let Some(config) = self.by_path.get(path) {
            return Ok(Rc::clone(config));
        }
        let content = match self.of_revision(path)? {
            Some(bytes) => bytes,
            None => {
                LoadOptions::load(path)?;
                read_file(path, Links::Followed, CONFIG_BYTES).unwrap_or_default()
            }
        };
        let config = self.config(decode(path, &content)?, &content, path, None)?;
        Ok(self.keep(path, config))
    }

    /// Reads the `bitwall.toml` at `path`, found in or above the folder of a level. A fault in this file is a
    /// finding, unless a revision has another one that judges.
    fn found(&mut self, path: &Path) -> Result<Rc<Config>, Failure> {
        if let Some(config) = self.by_path.get(path) {
            return Ok(Rc::clone(config));
        }
        let above = self.above(path)?;
        let (config, report) = self.read(path, above)?;
        self.findings.extend(report.findings);
        Ok(self.keep(path, config))
    }

    /// Returns the next configuration above the one at `path`. A configuration with another name inherits
    /// from the `bitwall.toml` in its own folder.
    fn above(&mut self, path: &Path) -> Result<Option<Rc<Config>>, Failure> {
        let own = identity(path);
        let mut configs = self.configs_above(path).into_iter();
        let above = configs.find(|other| identity(other) != own);
        above.map(|above| self.found(&above)).transpose()
    }

    fn keep(&mut self, path: &Path, config: Config) -> Rc<Config> {
        Rc::clone(self.by_path.entry(path.to_owned()).or_insert(Rc::new(config)))
    }

    /// Returns the findings in the present configuration at `path`, without those in configurations above it.
    pub(super) fn check(&self, path: &Path) -> Result<Report, Failure> {
        let mut present = Self::new(self.args.clone(), None);
        let above = present.above(path)?;
        Ok(present.read(path, above)?.1)
    }

    /// Reads the configuration at `path`, and returns it with its findings. `above` is the next configuration
    /// above it. If `above` is broken, the configuration counts as broken too, because it inherits from
    /// `above`.
    fn read(&self, path: &Path, above: Option<Rc<Config>>) -> Result<(Config, Report), Failure> {
        let earlier = self.of_revision(path)?;
        let (content, read) = match &earlier {
            Some(bytes) => (bytes.clone(), read_earlier(path, bytes)),
            None => {
                let bytes = read_file(path, Links::Refused, CONFIG_BYTES).unwrap_or_default();
                (bytes, read_present(path))
            }
        };
        let mut report = Report::default();
        if earlier.is_none() {
            report = verify_config(path, read.as_ref().map(|(verify, _)| verify));
            report.findings.retain(|it| !self.is_ignored(it));
        }
        let is_broken = read.is_err() || above.as_ref().is_some_and(|above| above.is_broken);
        let above = above.filter(|_| read.is_ok());
        let mut config = self.config(read.unwrap_or_default(), &content, path, above)?;
        config.is_broken = is_broken;
        Ok((config, report))
    }

    /// Returns a finding for each marker name in a configuration that no level has. Only checks
    /// configurations whose whole folder was searched.
    pub(super) fn unmet_markers(&self, reports: &[(PathBuf, Report)]) -> Vec<Finding> {
        let folders = self.args.paths.iter().filter(|path| path.is_dir());
        let roots: Vec<PathBuf> = folders.map(|path| identity(path)).collect();
        let mut found = Vec::new();
        for config in self.by_path.values().filter(|config| !config.is_broken) {
            // A marker with `at-least` is required in each level; another rule reports it.
            let markers = &config.verify.options.markers;
            let is_inherited =
                config.above.as_ref().is_some_and(|it| it.verify.options.markers == *markers);
            let mut open: Vec<&MarkerSpec> =
                markers.iter().filter(|it| it.at_least == 0 && !is_inherited).collect();
            if open.is_empty() || !roots.iter().any(|root| config.folder.starts_with(root)) {
                continue;
            }
            let mut is_below = HashMap::new();
            let below = reports.iter().filter(|(path, _)| {
                let is_map = PathKind::from_path(path) != Some(PathKind::Picture);
                // The real path of each folder is found once: that of each of 4,000 maps takes 40 ms.
                is_map
                    && *is_below
                        .entry(folder_of(path))
                        .or_insert_with(|| real_folder(path).starts_with(&config.folder))
            });
            let mut has_maps = false;
            for (_, report) in below {
                has_maps = true;
                match &report.markers {
                    Some(names) => open.retain(|marker| !names.contains(&marker.name)),
                    // A map that cannot be loaded may have all markers.
                    None => open.clear(),
                }
            }
            if has_maps {
                found.extend(unmet_markers(&config.path, &config.verify, &open));
            }
        }
        found.retain(|finding| !self.is_ignored(finding));
        found
    }

    /// Returns the options for the file `path`, or `None` if its configuration is broken.
    pub(super) fn options(&mut self, path: &Path) -> Result<Option<VerifyOptions>, Failure> {
        let config = self.judge(path)?;
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
        options.bodies.extend(args.body.iter().cloned());
        let art = args.art.clone().or_else(|| config.art_of(path));
        options.art = art.map(|art| self.now(art));
        Ok(Some(options))
    }
}

fn read_present(path: &Path) -> Result<(VerifyConfig, LoadOptions), LoadError> {
    let project = Project::of(path.to_owned())?;
    Ok((VerifyConfig::load(path)?, project.options().clone()))
}

/// Decodes a `bitwall.toml` of a revision. Its folder is the root folder of its levels, as that of a present
/// one is.
fn read_earlier(path: &Path, bytes: &[u8]) -> Result<(VerifyConfig, LoadOptions), LoadError> {
    let (verify, mut load) = decode(path, bytes)?;
    load.root.get_or_insert_with(|| real_folder(path));
    Ok((verify, load))
}

fn decode(path: &Path, bytes: &[u8]) -> Result<(VerifyConfig, LoadOptions), LoadError> {
    let verify = VerifyConfig::decode(path, bytes)?;
    Ok((verify, LoadOptions::decode(path, bytes)?))
}
