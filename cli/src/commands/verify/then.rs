//! `--diff REV`: the configurations of the revision, which judge the levels as they are now.
//!
//! A level of the revision is judged by the configurations of the revision alone. A new level is judged by
//! those and, in folders that had none, by the present ones. A configuration that was broken in the revision
//! judged nothing, so the present one stands for it.
//!
//! A renamed level is judged at its new name if the revision has all configurations that are above it now,
//! and looks at it there; or else at its old name. So it takes no rules along into a folder that had its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use crate::commands::Failure;
use crate::commands::configs::folder_of;
use crate::commands::files::{Patterns, identity};
use crate::commands::snapshot::{Changes, Commit, is_inside};
use crate::commands::verify::settings::Judge;
use crate::git::Blob;
use crate::lint::VerifyConfig;
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{CONFIG, Links, TILED_PROJECT, read_file};
use bitwall::paths::plain;
use bitwall::text::printable_path;
use bitwall::{LoadError, LoadOptions};

/// The content of a configuration; `None` if it cannot be read.
type Content = Option<Vec<u8>>;

pub(super) struct Then {
    pub(super) commit: Arc<Commit>,
    pub(super) changes: Rc<Changes>,
    /// The links of the revision to its folders, and these folders.
    folder_links: BTreeMap<PathBuf, PathBuf>,
    /// The configurations of the revision, as they judge.
    configs: BTreeMap<PathBuf, Content>,
    /// The configurations that were broken in the revision, so that the present ones judge.
    broken: BTreeSet<PathBuf>,
    /// The configurations of the revision whose content the repository lacks.
    lacking: BTreeSet<PathBuf>,
    repositories: Repositories,
}

impl Then {
    /// Reads the configurations of the revision. `named` is the file of `--config`.
    pub(super) fn new(
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
            lacking: BTreeSet::new(),
            repositories: Repositories::default(),
            commit,
            changes,
        };
        let named = named.and_then(|config| then.typed_name(config));
        let named = named.map(|name| then.name_then(&name));
        let named = named.filter(|name| then.commit.tree.paths.contains(name));
        names.extend(named.clone());
        for name in names {
            let content = match then.commit.blob(&name, CONFIG_BYTES) {
                Blob::Content(bytes) => Some(bytes),
                // A link that leads nowhere and a file that is too large are broken configurations.
                Blob::NoFile | Blob::TooLarge(_) => None,
                Blob::Missing | Blob::NotFetched if named.as_ref() == Some(&name) => {
                    return Err(lacks(&name));
                }
                Blob::Missing | Blob::NotFetched => {
                    then.lacking.insert(name);
                    continue;
                }
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
    pub(super) fn root(&self) -> &Path {
        &self.commit.top
    }

    /// Returns the paths of the configurations that judge the file at `path`, the nearest first. Fails if the
    /// repository lacks one of them.
    pub(super) fn configs_above(&self, by: Judge, path: &Path) -> Result<Vec<PathBuf>, Failure> {
        let name = path.strip_prefix(self.root()).unwrap_or(path);
        let mut found = Vec::new();
        for config in configs_above(name) {
            if self.lacking.contains(&config) {
                return Err(lacks(&config));
            }
            let path = self.root().join(&config);
            let is_new = by == Judge::Both && path.symlink_metadata().is_ok();
            if self.configs.contains_key(&config) || is_new {
                found.push(path);
            }
        }
        Ok(found)
    }

    /// Returns the content of the configuration at `path`, as it judges; `None` if it cannot be read.
    pub(super) fn content(&self, path: &Path) -> Content {
        let name = path.strip_prefix(self.root()).unwrap_or(path);
        match self.configs.get(name) {
            Some(content) => content.clone(),
            None => read_file(path, Links::Refused, CONFIG_BYTES).ok(),
        }
    }

    /// Reads the configuration at `path` as it judges.
    pub(super) fn read(&self, path: &Path) -> Result<(VerifyConfig, LoadOptions), LoadError> {
        // A configuration that cannot be read is broken, as this text is.
        let content = self.content(path).unwrap_or_else(|| b"=".to_vec());
        let (verify, mut load) = decode(path, &content)?;
        load.root.get_or_insert_with(|| path.parent().unwrap_or(path).to_owned());
        Ok((verify, load))
    }

    /// Returns the path of the file of `--config` as it judges; `None` if the revision has no valid one.
    pub(super) fn named_config(&mut self, typed: &Path) -> Option<PathBuf> {
        let name = self.typed_name(typed)?;
        let name = self.name_then(&name);
        let path = self.root().join(&name);
        self.configs.get(&name).and_then(|content| decode(&path, content.as_ref()?).ok())?;
        Some(path)
    }

    /// Returns the path of `file` in the repository, or `None` for a file outside of it.
    pub(super) fn name_of(&mut self, file: &Path) -> Option<PathBuf> {
        let is_held = self.repositories.root_of(file).as_deref() == Some(self.root());
        is_held.then(|| self.repositories.path_in(file))
    }

    /// Returns the path in the repository of a file as it was typed, without following the links in the
    /// repository: the change may have made them. `None` for a path outside of it.
    pub(super) fn typed(&self, path: &Path) -> Option<PathBuf> {
        typed_in(self.root(), path)
    }

    /// Returns the path of `typed` in the repository: the one that the revision has, or else the one to which
    /// the present links lead. `None` for a file outside of the repository.
    pub(super) fn typed_name(&mut self, typed: &Path) -> Option<PathBuf> {
        let name = self.typed(typed).map(|name| self.real_name(&name));
        let name = name.filter(|name| self.commit.tree.paths.contains(&self.name_then(name)));
        name.or_else(|| self.name_of(typed))
    }

    /// Returns the path to which the folder links of the revision lead, if there is one above `name`.
    pub(super) fn through_links(&self, name: &Path) -> Option<PathBuf> {
        name.ancestors().find_map(|above| {
            let target = self.folder_links.get(above)?;
            Some(plain(&target.join(name.strip_prefix(above).ok()?)))
        })
    }

    fn real_name(&self, name: &Path) -> PathBuf {
        self.through_links(name).unwrap_or_else(|| name.to_owned())
    }

    /// Returns the real path, at the revision, of the file at the absolute path `path`.
    pub(super) fn real(&self, path: &Path) -> PathBuf {
        match path.strip_prefix(self.root()) {
            Ok(name) => self.root().join(self.real_name(name)),
            Err(_) => path.to_owned(),
        }
    }

    /// True if the configuration `name` was broken in the revision, so that the present one judges.
    pub(super) fn was_broken(&self, name: &Path) -> bool {
        self.broken.contains(name)
    }

    /// Returns the path that the revision has for the file that is `name` now. Returns `name` for a new file,
    /// and for a path that a hostile commit has and that leaves the repository.
    pub(super) fn name_then(&self, name: &Path) -> PathBuf {
        let then = self.changes.then(name);
        if is_inside(then) { then.to_owned() } else { name.to_owned() }
    }

    /// True if the revision has the file `name` under this name.
    pub(super) fn has(&self, name: &Path) -> bool {
        self.name_then(name) == name && self.commit.tree.paths.contains(name)
    }

    /// True if a configuration of the change, which the revision does not have, is above the file `name`.
    pub(super) fn has_new_config(&self, name: &Path) -> bool {
        configs_above(name).any(|config| {
            let is_there = self.root().join(&config).symlink_metadata().is_ok();
            is_there && !self.commit.tree.paths.contains(&config)
        })
    }

    /// Returns the path in the working tree of the file at a path at the revision.
    pub(super) fn back(&self, path: &Path) -> PathBuf {
        let path = std::path::absolute(path).map_or(path.to_owned(), |path| plain(&path));
        match path.strip_prefix(self.root()) {
            Ok(then) => self.root().join(self.changes.now(then)),
            Err(_) => path,
        }
    }

    /// Returns the root folder of the files that the level at `path` may name, by the files of the revision:
    /// the topmost one with a `bitwall.toml`, or the nearest one of a Tiled project, or that of the
    /// repository.
    pub(super) fn root_of(&self, path: &Path) -> PathBuf {
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
    let verify = VerifyConfig::decode_with(path, bytes, Patterns::check)?;
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
pub(super) fn typed_in(root: &Path, typed: &Path) -> Option<PathBuf> {
    let current = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let path = plain(&current.join(typed));
    let top = path.ancestors().filter(|above| identity(above) == root).last()?;
    path.strip_prefix(top).ok().map(Path::to_owned)
}

/// The error for a file of the revision that a clone without all files lacks.
pub(super) fn lacks(name: &Path) -> Failure {
    let name = printable_path(name);
    failed(format!(
        "the repository lacks `{name}` as it was in the revision, which judges the change; clone with all \
         files"
    ))
}

pub(super) fn is_config(path: &Path) -> bool {
    path.file_name() == Some(OsStr::new(CONFIG))
}

pub(super) fn failed(reason: String) -> Failure {
    Failure::Other(format!("--diff: {reason}"))
}

/// Yields the path of a possible `bitwall.toml` in each folder from the folder of `file` up to the root.
pub(super) fn configs_above(file: &Path) -> impl Iterator<Item = PathBuf> {
    file.ancestors().skip(1).map(|folder| folder.join(CONFIG))
}

/// Finds the repository of each folder once. The root of a repository has a `.git`.
#[derive(Default)]
pub(super) struct Repositories {
    by_folder: HashMap<PathBuf, Option<(PathBuf, PathBuf)>>,
}

impl Repositories {
    /// Returns `path` relative to the root of its repository, or else to the current folder. Returns `path`
    /// unchanged if it is outside both.
    pub(super) fn path_in(&mut self, path: &Path) -> PathBuf {
        match (self.home(path), path.file_name()) {
            (Some((_, folder)), Some(name)) => folder.join(name),
            _ => path.to_owned(),
        }
    }

    pub(super) fn root_of(&mut self, path: &Path) -> Option<PathBuf> {
        let (root, _) = self.home(path)?;
        root.join(".git").exists().then(|| root.clone())
    }

    fn home(&mut self, path: &Path) -> Option<&(PathBuf, PathBuf)> {
        let folder = folder_of(path);
        if !self.by_folder.contains_key(folder) {
            self.by_folder.insert(folder.to_owned(), find(folder));
        }
        self.by_folder.get(folder)?.as_ref()
    }
}

/// Returns the root of the repository around `folder`, or else the current folder, and the path from that
/// root to `folder`. `None` if `folder` is in neither. A repository has a `.git` folder or file.
fn find(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    // A folder may be gone since the revision of `--diff`.
    let there = folder.ancestors().find(|above| above.exists()).unwrap_or(Path::new("."));
    let gone = folder.strip_prefix(there).unwrap_or(folder);
    let real = fs::canonicalize(there).ok()?.join(gone);
    let root = real.ancestors().find(|above| above.join(".git").exists());
    let root = match root {
        Some(root) => root.to_owned(),
        None => std::env::current_dir().and_then(fs::canonicalize).ok()?,
    };
    let folder = real.strip_prefix(&root).ok()?.to_owned();
    Some((root, folder))
}
