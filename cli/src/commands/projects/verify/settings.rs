//! The options for each file. They come from the arguments and from each `bitwall.toml` in or above the
//! file's folder.
//!
//! A lower `bitwall.toml` overrides an upper one key by key in the section `[verify]`. Its load options
//! replace all load options of the upper one. With `--diff`, the configurations of the revision count.

pub(super) mod since;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::commands::Failure;
use crate::commands::projects::verify::{Repositories, VerifyArgs};
use crate::commands::projects::{
    Changes, Commit, Config, PathKind, identity, is_inside, real_folder,
};
use crate::git::Blob;
use crate::lint::rules::configs::unmet_markers;
use crate::lint::{Finding, Report, RuleLevel, VerifyConfig, VerifyOptions, verify_config};
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{CONFIG, Links, TILED_PROJECT, configs_of, read_file};
use bitwall::paths::plain;
use bitwall::text::printable_path;
use bitwall::{LoadError, LoadOptions, Project};

/// The configurations that judge a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Judge {
    /// Those on the disk.
    Present,
    /// Those of the revision of `--diff`.
    Revision,
    /// Those of the revision, and in folders without one there the present ones: for new levels.
    Both,
}

/// A configuration of each kind, by its judge and its path.
type ByPath = BTreeMap<(Judge, PathBuf), Rc<Config>>;

/// The configurations of all checked files, each read once.
pub(super) struct Settings {
    args: VerifyArgs,
    /// The revision of `--diff`, whose configurations judge instead of the present ones.
    then: Option<Then>,
    by_folder: HashMap<(Judge, PathBuf), Rc<Config>>,
    by_path: ByPath,
    pub(super) findings: Vec<Finding>,
}

impl Settings {
    /// The settings by the present configurations or, with `then`, by those of a revision.
    pub(super) fn new(args: VerifyArgs, then: Option<Then>) -> Self {
        Self {
            args,
            then,
            by_folder: HashMap::new(),
            by_path: BTreeMap::new(),
            findings: Vec::new(),
        }
    }

    /// Yields the paths of all configurations read so far.
    pub(super) fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.judging().map(|config| self.back(&config.path))
    }

    /// Returns the path of `file` in the repository of `--diff`, or `None` for a file outside of it.
    fn name_of(&mut self, file: &Path) -> Option<PathBuf> {
        self.then.as_mut()?.name_of(file)
    }

    /// Yields the real paths of the art in the `[[verify.pair]]` entries of all configurations read so far.
    pub(super) fn arts(&self) -> impl Iterator<Item = PathBuf> {
        let arts = self.judging().flat_map(|config| config.arts());
        arts.map(|art| identity(&self.back(&art)))
    }

    /// Yields the configurations read so far that judge: with `--diff` none on the disk, which counts only
    /// after the merge.
    fn judging(&self) -> impl Iterator<Item = &Config> {
        let all = self.by_path.iter();
        all.filter(|((judge, _), _)| self.then.is_none() || *judge != Judge::Present)
            .map(|(_, config)| &**config)
    }

    fn back(&self, path: &Path) -> PathBuf {
        self.then.as_ref().map_or(path.to_owned(), |then| then.back(path))
    }

    /// Returns by what `path` is judged, and the path at which it is: with `--diff`, its real path at the
    /// revision. A file that the revision has under another name is new if it looks at it under neither name.
    fn place(&mut self, path: &Path) -> Result<(Judge, PathBuf), Failure> {
        let Some(then) = &mut self.then else {
            return Ok((Judge::Present, path.to_owned()));
        };
        let Some(name) = then.name_of(path) else {
            return Ok((Judge::Present, path.to_owned()));
        };
        let place = then.root().join(&name);
        if then.has(&name) {
            return Ok((Judge::Revision, place));
        }
        let before = then.name_then(&name);
        if before != name {
            let before = then.root().join(before);
            // The file of `--config` judges at all places.
            let is_found = self.args.load.config.is_none() && !self.args.load.no_config;
            let is_lenient = is_found && then.has_new_config(&name);
            for place in [&place, &before].into_iter().skip(usize::from(is_lenient)) {
                if self.config_at(Judge::Revision, place)?.looks_at(place) {
                    return Ok((Judge::Revision, place.clone()));
                }
            }
        }
        // The file of `--config` judges as it was.
        let is_named = self.args.load.config.is_some();
        Ok((if is_named { Judge::Revision } else { Judge::Both }, place))
    }

    /// True if a search at the revision of `--diff` looks at its file `name`, by the configuration of that
    /// revision.
    fn looked_at(&mut self, name: &Path) -> Result<bool, Failure> {
        Ok(self.judge_then(name)?.is_some_and(|(config, place)| config.looks_at(&place)))
    }

    /// True if a search at the revision takes its picture `name` as a mask although another file uses it.
    fn was_in_pair(&mut self, name: &Path) -> Result<bool, Failure> {
        Ok(self.judge_then(name)?.is_some_and(|(config, place)| config.is_in_pair(&place)))
    }

    fn judge_then(&mut self, name: &Path) -> Result<Option<(Rc<Config>, PathBuf)>, Failure> {
        let Some(then) = &self.then else {
            return Ok(None);
        };
        let place = then.root().join(name);
        Ok(Some((self.config_at(Judge::Revision, &place)?, place)))
    }

    /// True if a search looks at the file `path` after the merge.
    fn looks_at_now(&mut self, path: &Path) -> Result<bool, Failure> {
        Ok(self.config_at(Judge::Present, path)?.looks_at(path))
    }

    /// Returns the path of the broken configuration that judges the file `path`, if it is broken.
    fn broken(&mut self, path: &Path) -> Result<Option<PathBuf>, Failure> {
        let (config, _) = self.judge(path)?;
        // A configuration below a broken one counts as broken, too.
        let chain = std::iter::successors(Some(&config), |config| config.above.as_ref());
        let broken = chain.filter(|config| config.is_broken).last();
        Ok(broken.map(|config| self.back(&config.path)))
    }

    /// Returns `finding` with the severity that the rules of the revision state for its file, or `None` if
    /// its rule is off.
    fn stated(&mut self, finding: Finding) -> Result<Option<Finding>, Failure> {
        let mut judge = Judge::Present;
        let mut place = finding.path.clone();
        if let Some(then) = &mut self.then
            && let Some(name) = then.name_of(&finding.path)
        {
            judge = Judge::Revision;
            place = then.root().join(then.name_then(&name));
        }
        let options = self.options_at(judge, &place)?;
        let levels = options.map(|options| options.levels).unwrap_or_default();
        let severity = levels.severity_of(finding.rule);
        Ok(severity.map(|severity| Finding { severity, ..finding }))
    }

    /// Returns the configuration that judges the file `path`, and the path at which it does.
    pub(super) fn judge(&mut self, path: &Path) -> Result<(Rc<Config>, PathBuf), Failure> {
        let (judge, place) = self.place(path)?;
        Ok((self.config_at(judge, &place)?, place))
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

    fn config_at(&mut self, judge: Judge, path: &Path) -> Result<Rc<Config>, Failure> {
        let key = (judge, path.parent().unwrap_or(Path::new("")).to_owned());
        if let Some(config) = self.by_folder.get(&key) {
            return Ok(Rc::clone(config));
        }
        let nearest = match self.args.load.config.clone() {
            Some(config) => Some(self.named(judge, &config)?),
            None if self.args.load.no_config => None,
            None => {
                let first = self.configs_above(judge, path).into_iter().next();
                first.map(|config| self.found(judge, &config)).transpose()?
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
                Rc::new(self.config(judge, parts, path, None)?)
            }
        };
        self.by_folder.insert(key, Rc::clone(&config));
        Ok(config)
    }

    /// Returns the paths of the configurations in and above the folder of `path`, the nearest first.
    fn configs_above(&self, judge: Judge, path: &Path) -> Vec<PathBuf> {
        match &self.then {
            Some(then) if judge != Judge::Present => then.configs_above(judge, path),
            _ => configs_of(path),
        }
    }

    fn config(
        &self,
        judge: Judge,
        parts: (VerifyConfig, LoadOptions),
        path: &Path,
        above: Option<Rc<Config>>,
    ) -> Result<Config, Failure> {
        let then = self.then.as_ref().filter(|_| judge != Judge::Present);
        let content = match then {
            Some(then) => then.content(path),
            None => read_file(path, Links::Followed, CONFIG_BYTES).ok(),
        };
        let content = content.unwrap_or_default();
        let (mut verify, mut load) = parts;
        if let Some(text) = self.args.load.merged(&content) {
            verify = VerifyConfig::decode(path, text)?;
            load = self.args.load.with_keys(load, &content)?;
        }
        match then {
            Some(then) => Config::new((verify, load), path, above, Some(&|path| then.real(path))),
            None => Config::new((verify, load), path, above, None),
        }
    }

    /// Reads the file of `--config`. A fault in the file is an error, and configurations above it are not
    /// used.
    fn named(&mut self, judge: Judge, typed: &Path) -> Result<Rc<Config>, Failure> {
        let key = (judge, typed.to_owned());
        if let Some(config) = self.by_path.get(&key) {
            return Ok(Rc::clone(config));
        }
        let then = self.then.as_mut().filter(|_| judge != Judge::Present);
        let then = then.and_then(|then| then.named_config(typed));
        let config = match (&then, &self.then) {
            (Some(path), Some(then)) => self.config(judge, then.read(path)?, path, None)?,
            _ => {
                let verify = VerifyConfig::load(typed)?;
                self.config(judge, (verify, LoadOptions::load(typed)?), typed, None)?
            }
        };
        Ok(self.keep(key, config))
    }

    /// Reads the `bitwall.toml` at `path`, found in or above the folder of a level. A fault in this file is a
    /// finding.
    fn found(&mut self, judge: Judge, path: &Path) -> Result<Rc<Config>, Failure> {
        let key = (judge, path.to_owned());
        if let Some(config) = self.by_path.get(&key) {
            return Ok(Rc::clone(config));
        }
        let above = self.above(judge, path)?;
        let (config, report) = self.read(judge, path, above)?;
        // The configurations of a revision judge, but are not checked.
        if self.then.is_none() {
            self.findings.extend(report.findings);
        }
        Ok(self.keep(key, config))
    }

    /// Returns the next configuration above the one at `path`.
    fn above(&mut self, judge: Judge, path: &Path) -> Result<Option<Rc<Config>>, Failure> {
        let folder = real_folder(path);
        let mut configs = self.configs_above(judge, path).into_iter();
        // A configuration with another name inherits from the `bitwall.toml` in its own folder.
        let above = configs.find(|other| {
            if judge == Judge::Present && real_folder(other) == folder {
                identity(other) != identity(path)
            } else {
                other != path
            }
        });
        above.map(|above| self.found(judge, &above)).transpose()
    }

    fn keep(&mut self, key: (Judge, PathBuf), config: Config) -> Rc<Config> {
        Rc::clone(self.by_path.entry(key).or_insert(Rc::new(config)))
    }

    /// Returns the findings in the configuration at `path`, without those in configurations above it.
    pub(super) fn check(&mut self, path: &Path) -> Result<Report, Failure> {
        // What is found in the configurations above is left out.
        let above = Self::new(self.args.clone(), None).above(Judge::Present, path)?;
        Ok(self.read(Judge::Present, path, above)?.1)
    }

    /// Reads the configuration at `path`, and returns it with its findings. `above` is the next configuration
    /// above it. If `above` is broken, the configuration counts as broken too, because it inherits from
    /// `above`.
    fn read(
        &mut self,
        judge: Judge,
        path: &Path,
        above: Option<Rc<Config>>,
    ) -> Result<(Config, Report), Failure> {
        let read = match &self.then {
            Some(then) if judge != Judge::Present => then.read(path),
            _ => read_present(path),
        };
        let is_above_broken = above.as_ref().is_some_and(|above| above.is_broken);
        let verify = read.as_ref().map(|(verify, _)| verify);
        let mut report = verify_config(path, verify);
        report.findings.retain(|it| !self.is_ignored(it));
        let is_broken = is_above_broken || read.is_err();
        let above = above.filter(|_| read.is_ok());
        let mut config = self.config(judge, read.unwrap_or_default(), path, above)?;
        config.is_broken = is_broken;
        Ok((config, report))
    }

    /// Adds a finding for each marker name in a configuration that no level has. Only checks configurations
    /// whose whole folder was searched.
    pub(super) fn check_markers(&mut self, reports: &[(PathBuf, Report)]) {
        let folders = self.args.paths.iter().filter(|path| path.is_dir());
        let roots: Vec<PathBuf> = folders.map(|path| identity(path)).collect();
        let mut found = Vec::new();
        for config in self.by_path.values().filter(|config| !config.is_broken) {
            // A marker with `at-least` is required in each level; another rule reports it.
            let markers = config.verify.options.markers.iter().filter(|marker| {
                let entry = ("marker", marker.name.clone());
                marker.at_least == 0 && config.verify.lines.contains_key(&entry)
            });
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
        let (judge, place) = self.place(path)?;
        let options = self.options_at(judge, &place)?;
        let Some((then, mut options)) = self.then.as_ref().zip(options.clone()) else {
            return Ok(options);
        };
        let load = &mut options.load;
        options.art = options.art.map(|art| then.back(&art));
        load.config = load.config.take().map(|config| then.back(&config));
        if judge != Judge::Present && self.args.load.root.is_none() {
            // A level that was moved out of its root folder gets the nearest folder above both.
            let root = load.root.take().unwrap_or_else(|| then.root_of(&place));
            let folder = real_folder(path);
            let both = root.ancestors().find(|root| folder.starts_with(root));
            load.root = both.map(Path::to_owned);
        }
        // The art of a pair may have a new name that git does not find, and then has the present one.
        if options.art.as_ref().is_some_and(|art| self.args.art.is_none() && !art.exists()) {
            let art = self.options_at(Judge::Present, path)?.and_then(|present| present.art);
            options.art = art.or(options.art);
        }
        Ok(Some(options))
    }

    /// Returns the options for the file `name` of the revision of `--diff`, or `None` if its configuration is
    /// broken.
    fn options_then(&mut self, name: &Path) -> Result<Option<VerifyOptions>, Failure> {
        let Some(then) = &self.then else {
            return Ok(None);
        };
        let place = then.root().join(name);
        let root = then.root_of(&place);
        let mut options = self.options_at(Judge::Revision, &place)?;
        if let Some(options) = &mut options {
            options.load.root.get_or_insert(root);
        }
        Ok(options)
    }

    /// Returns the options for the file at `path`, its place for the judge.
    fn options_at(&mut self, judge: Judge, path: &Path) -> Result<Option<VerifyOptions>, Failure> {
        let config = self.config_at(judge, path)?;
        if config.is_broken {
            return Ok(None);
        }
        let art = self.named_art(judge).or_else(|| config.art_of(path));
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
        options.reach_work = args.reach_work.or(options.reach_work);
        options.bodies.extend(args.body.iter().cloned());
        options.art = art;
        Ok(Some(options))
    }

    /// Returns the picture of `--art`: for a judge of the revision, under its name there.
    fn named_art(&mut self, judge: Judge) -> Option<PathBuf> {
        let art = self.args.art.clone()?;
        let then = self.then.as_mut().filter(|_| judge != Judge::Present);
        let name = then.and_then(|then| then.typed_then(&art));
        match name.zip(self.then.as_ref()) {
            Some((name, then)) => Some(then.root().join(name)),
            None => Some(art),
        }
    }
}

fn read_present(path: &Path) -> Result<(VerifyConfig, LoadOptions), LoadError> {
    let project = Project::of(path.to_owned())?;
    Ok((VerifyConfig::load(path)?, project.options().clone()))
}

/// The content of a configuration; `None` if it cannot be read.
type Content = Option<Vec<u8>>;

pub(super) struct Then {
    commit: Arc<Commit>,
    changes: Rc<Changes>,
    /// The links of the revision to its folders, and these folders.
    folder_links: BTreeMap<PathBuf, PathBuf>,
    /// The configurations of the revision, as they judge.
    configs: BTreeMap<PathBuf, Content>,
    /// The configurations that were broken in the revision, so that the present ones judge.
    broken: BTreeSet<PathBuf>,
    repositories: Repositories,
}

impl Then {
    /// Reads the configurations of the revision. `named` is the file of `--config`.
    fn new(
        commit: Arc<Commit>,
        changes: Rc<Changes>,
        named: Option<&Path>,
    ) -> Result<Self, Failure> {
        let folder_links = folder_links(&commit);
        let configs = commit.tree.paths.iter().filter(|path| is_config(path) && is_inside(path));
        let mut names: BTreeSet<PathBuf> = configs.cloned().collect();
        let mut then = Self {
            folder_links,
            configs: BTreeMap::new(),
            broken: BTreeSet::new(),
            repositories: Repositories::default(),
            commit,
            changes,
        };
        let named = named.and_then(|config| then.typed_then(config));
        names.extend(named.filter(|name| then.commit.tree.paths.contains(name)));
        for name in names {
            let content = match then.commit.blob(&name, CONFIG_BYTES) {
                Blob::Content(bytes) => Some(bytes),
                // A link that leads nowhere and a file that is too large are broken configurations.
                Blob::NoFile | Blob::TooLarge(_) => None,
                Blob::Missing | Blob::NotFetched => return Err(lacks(&name)),
            };
            let content = then.judging(&name, content);
            then.configs.insert(name, content);
        }
        Ok(then)
    }

    /// Returns the content of a configuration that judges: that of the revision, or the present one if the
    /// revision has a broken one.
    fn judging(&mut self, name: &Path, content: Content) -> Content {
        let path = self.root().join(name);
        if content.as_ref().is_some_and(|bytes| decode(&path, bytes).is_ok()) {
            return content;
        }
        self.broken.insert(name.to_owned());
        let now = self.root().join(self.changes.now(name));
        read_file(&now, Links::Refused, CONFIG_BYTES).ok().or(content)
    }

    /// The real path of the repository.
    fn root(&self) -> &Path {
        &self.commit.top
    }

    /// Returns the paths of the configurations that judge the file at `path`, the nearest first.
    fn configs_above(&self, by: Judge, path: &Path) -> Vec<PathBuf> {
        let name = path.strip_prefix(self.root()).unwrap_or(path);
        let mut found = Vec::new();
        for config in configs_above(name) {
            let path = self.root().join(&config);
            let is_new = by == Judge::Both && path.symlink_metadata().is_ok();
            if self.configs.contains_key(&config) || is_new {
                found.push(path);
            }
        }
        found
    }

    /// Returns the content of the configuration at `path`, as it judges; `None` if it cannot be read.
    fn content(&self, path: &Path) -> Content {
        let name = path.strip_prefix(self.root()).unwrap_or(path);
        match self.configs.get(name) {
            Some(content) => content.clone(),
            None => read_file(path, Links::Refused, CONFIG_BYTES).ok(),
        }
    }

    /// Reads the configuration at `path` as it judges.
    fn read(&self, path: &Path) -> Result<(VerifyConfig, LoadOptions), LoadError> {
        // A configuration that cannot be read is broken, as this text is.
        let content = self.content(path).unwrap_or_else(|| b"=".to_vec());
        let (verify, mut load) = decode(path, &content)?;
        load.root.get_or_insert_with(|| path.parent().unwrap_or(path).to_owned());
        Ok((verify, load))
    }

    /// Returns the path of the file of `--config` as it judges; `None` if the revision has no valid one.
    fn named_config(&mut self, typed: &Path) -> Option<PathBuf> {
        let name = self.typed_then(typed)?;
        let path = self.root().join(&name);
        self.configs.get(&name).and_then(|content| decode(&path, content.as_ref()?).ok())?;
        Some(path)
    }

    /// Returns the path of `file` in the repository, or `None` for a file outside of it.
    fn name_of(&mut self, file: &Path) -> Option<PathBuf> {
        let is_held = self.repositories.root_of(file).as_deref() == Some(self.root());
        is_held.then(|| self.repositories.path_in(file))
    }

    /// Returns the path of `typed` in the repository: the one that the revision has, or else the one to which
    /// the present links lead. `None` for a file outside of the repository.
    fn typed_name(&mut self, typed: &Path) -> Option<PathBuf> {
        let name = typed_in(self.root(), typed).map(|name| self.real_name(&name));
        let name = name.filter(|name| self.commit.tree.paths.contains(&self.name_then(name)));
        name.or_else(|| self.name_of(typed))
    }

    /// Returns the path that the revision has for the file `typed`; `None` for one outside of the repository.
    fn typed_then(&mut self, typed: &Path) -> Option<PathBuf> {
        self.typed_name(typed).map(|name| self.name_then(&name))
    }

    /// Returns the path to which the folder links of the revision lead, if there is one above `name`.
    fn through_links(&self, name: &Path) -> Option<PathBuf> {
        name.ancestors().find_map(|above| {
            let target = self.folder_links.get(above)?;
            Some(plain(&target.join(name.strip_prefix(above).ok()?)))
        })
    }

    fn real_name(&self, name: &Path) -> PathBuf {
        self.through_links(name).unwrap_or_else(|| name.to_owned())
    }

    /// Returns the real path, at the revision, of the file at the absolute path `path`.
    fn real(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(self.root()) {
            Ok(name) => self.root().join(self.real_name(name)),
            Err(_) => path.to_owned(),
        }
    }

    /// Returns the path that the revision has for the file that is `name` now. Returns `name` for a new file,
    /// and for a path that a hostile commit has and that leaves the repository.
    fn name_then(&self, name: &Path) -> PathBuf {
        let then = self.changes.then(name);
        if is_inside(then) { then.to_owned() } else { name.to_owned() }
    }

    /// True if the revision has the file `name` under this name.
    fn has(&self, name: &Path) -> bool {
        self.name_then(name) == name && self.commit.tree.paths.contains(name)
    }

    /// True if a configuration of the change, which the revision does not have, is above the file `name`.
    fn has_new_config(&self, name: &Path) -> bool {
        configs_above(name).any(|config| {
            let is_there = self.root().join(&config).symlink_metadata().is_ok();
            is_there && !self.commit.tree.paths.contains(&config)
        })
    }

    /// Returns the path in the working tree of the file at a path at the revision.
    fn back(&self, path: &Path) -> PathBuf {
        let path = std::path::absolute(path).map_or(path.to_owned(), |path| plain(&path));
        match path.strip_prefix(self.root()) {
            Ok(then) => self.root().join(self.changes.now(then)),
            Err(_) => path,
        }
    }

    /// Returns the root folder of the files that the level at `path` may name, by the files of the
    /// revision: the topmost one with a `bitwall.toml`, or the nearest one of a Tiled project, or that of
    /// the repository.
    fn root_of(&self, path: &Path) -> PathBuf {
        let name = path.strip_prefix(self.root()).unwrap_or(path);
        let topmost = configs_above(name).filter(|it| self.configs.contains_key(it)).last();
        let is_project = |folder: &&Path| {
            let below = self.commit.tree.paths.range(folder.to_path_buf()..);
            let mut files = below.take_while(|path| path.starts_with(folder));
            let ending = Some(OsStr::new(TILED_PROJECT));
            files.any(|path| path.parent() == Some(folder) && path.extension() == ending)
        };
        let folder = match &topmost {
            Some(config) => config.parent(),
            None => name.ancestors().skip(1).find(is_project),
        };
        self.root().join(folder.unwrap_or(Path::new("")))
    }
}

fn decode(path: &Path, bytes: &[u8]) -> Result<(VerifyConfig, LoadOptions), LoadError> {
    let verify = VerifyConfig::decode(path, bytes)?;
    Ok((verify, LoadOptions::decode(path, bytes)?))
}

/// Returns the links of a commit that lead to a folder of it, and the folder. A link to another link is left
/// out.
fn folder_links(commit: &Commit) -> BTreeMap<PathBuf, PathBuf> {
    let mut found = BTreeMap::new();
    for link in commit.tree.links.keys().filter(|link| is_inside(link)) {
        let Some(target) = commit.target(link) else {
            continue;
        };
        let folder = link.parent().unwrap_or(Path::new(""));
        let target = plain(&folder.join(target));
        let first = commit.tree.paths.range(target.clone()..).next();
        let is_folder = first.is_some_and(|first| *first != target && first.starts_with(&target));
        if is_inside(&target) && is_folder {
            found.insert(link.clone(), target);
        }
    }
    found
}

/// Returns `typed` relative to the real path `root`. Only links above `root` are followed.
fn typed_in(root: &Path, typed: &Path) -> Option<PathBuf> {
    let current = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let path = plain(&current.join(typed));
    let top = path.ancestors().filter(|above| identity(above) == root).last()?;
    path.strip_prefix(top).ok().map(Path::to_owned)
}

/// The error for a file of the revision that a clone without all files lacks.
fn lacks(name: &Path) -> Failure {
    let name = printable_path(name);
    failed(format!(
        "the repository lacks `{name}` as it was in the revision, which judges the change; clone with all \
         files"
    ))
}

fn is_config(path: &Path) -> bool {
    path.file_name() == Some(OsStr::new(CONFIG))
}

fn failed(reason: String) -> Failure {
    format!("--diff: {reason}").into()
}

/// Yields the path of a possible `bitwall.toml` in each folder from the folder of `file` up to the root.
fn configs_above(file: &Path) -> impl Iterator<Item = PathBuf> {
    file.ancestors().skip(1).map(|folder| folder.join(CONFIG))
}
