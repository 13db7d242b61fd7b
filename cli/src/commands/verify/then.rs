//! `--diff REV`: the configurations of the revision, which judge the levels as they are now.
//!
//! They are written into a temporary folder that has two copies of the project's folders. A level of the
//! revision is judged at its place in the first copy: only the configurations of the revision are there. A
//! new level is judged at its place in the second copy. There a folder without a configuration in the
//! revision has its present one. A configuration that was broken in the revision judged nothing, so the
//! present one stands for it.
//!
//! A renamed level is judged at its new name if the revision has all configurations that are above it now,
//! and looks at it there; or else at its old name. So it takes no rules along into a folder that had its own.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::commands::Failure;
use crate::commands::files::{Patterns, identity};
use crate::commands::output::ScratchFolder;
use crate::commands::verify::VerifyArgs;
use crate::git::{Blob, Blobs, IndexChanges};
use crate::lint::{VerifyConfig, VerifyOptions};
use bitwall::LoadOptions;
use bitwall::error::io_reason;
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{CONFIG, Links, TILED_PROJECT, read_file, root_of};
use bitwall::paths::plain;
use bitwall::text::printable_path;

/// The differences between a revision and the working tree. All paths but `root` are relative to `root`.
pub(super) struct Changes {
    /// The real path of the repository.
    pub(super) root: PathBuf,
    /// The files of the revision.
    pub(super) tracked: BTreeSet<PathBuf>,
    /// The links and submodules of the revision.
    pub(super) links: BTreeSet<PathBuf>,
    /// The links of the revision to its folders, and these folders.
    pub(super) folder_links: BTreeMap<PathBuf, PathBuf>,
    pub(super) index: IndexChanges,
    /// The path of each renamed file in the revision -> its current path.
    pub(super) names_now: BTreeMap<PathBuf, PathBuf>,
}

impl Changes {
    pub(super) fn name_then(&self, now: &Path) -> PathBuf {
        self.index.renamed.get(now).map_or(now, PathBuf::as_path).to_owned()
    }

    /// Returns the path in the repository of a file as it was typed, without following the links in the
    /// repository: the change may have made them. `None` for a path outside of it.
    pub(super) fn typed(&self, path: &Path) -> Option<PathBuf> {
        typed_in(&self.root, path)
    }

    /// Returns the path to which the folder links of the revision lead, if there is one above `name`.
    pub(super) fn through_links(&self, name: &Path) -> Option<PathBuf> {
        name.ancestors().find_map(|above| {
            let target = self.folder_links.get(above)?;
            Some(plain(&target.join(name.strip_prefix(above).ok()?)))
        })
    }

    pub(super) fn name_now(&self, then: &Path) -> PathBuf {
        self.names_now.get(then).map_or(then, PathBuf::as_path).to_owned()
    }
}

pub(super) struct Then {
    changes: Rc<Changes>,
    /// The arguments for a check in the first copy: `--root`, `--config` and `--art` have their places in it.
    pub(super) args: VerifyArgs,
    scratch: ScratchFolder,
    /// The real path of the temporary folder.
    top: PathBuf,
    /// The folder of the repository in the first copy. In each copy, the file with the absolute path `/a/b`
    /// has the path `a/b`, even if it is outside the repository.
    pub(super) folder: PathBuf,
    /// The folder of the repository in the second copy.
    beside: PathBuf,
    /// The configurations that the second copy has.
    copied: BTreeSet<PathBuf>,
    /// The configurations that were broken in the revision, so that the present ones judge.
    broken: BTreeSet<PathBuf>,
    /// The configurations of the revision whose content the repository lacks.
    lacking: BTreeSet<PathBuf>,
    repositories: Repositories,
}

impl Then {
    /// Writes the configurations of the revision, and the other files that decide which files are levels.
    pub(super) fn new(
        changes: Rc<Changes>,
        blobs: &mut Blobs,
        args: &VerifyArgs,
    ) -> Result<Self, Failure> {
        let scratch = ScratchFolder::new()?;
        // The search for a `bitwall.toml` follows real paths.
        let top = fs::canonicalize(scratch.path()).map_err(unwritten)?;
        let mut then = Self {
            folder: place_in(&top.join("then"), &changes.root),
            beside: place_in(&top.join("new"), &changes.root),
            args: args.clone(),
            copied: BTreeSet::new(),
            broken: BTreeSet::new(),
            lacking: BTreeSet::new(),
            repositories: Repositories::default(),
            changes,
            scratch,
            top,
        };
        let changes = Rc::clone(&then.changes);
        for folder in [&then.folder, &then.beside] {
            // A `.git` folder stops the search for configurations at the root, as in the real repository.
            then.write(&folder.join(".git/HEAD"), b"")?;
        }
        for (link, target) in &changes.folder_links {
            then.link(&then.folder, link, target)?;
            // A folder of a new level may stand in its place now.
            if changes.root.join(link).is_symlink() {
                then.link(&then.beside, link, target)?;
            }
        }
        let config = args.load.config.as_deref().and_then(|config| then.typed_name(config));
        let config = config.map(|config| changes.name_then(&config));
        for path in changes.tracked.iter().filter(|path| is_inside(path)) {
            let is_config = is_config(path) || config.as_ref() == Some(path);
            let is_of_search = path.file_name() == Some(OsStr::new(".gitignore"))
                || path.extension() == Some(OsStr::new(TILED_PROJECT));
            if !is_config && !is_of_search {
                continue;
            }
            match blobs.read(path, CONFIG_BYTES) {
                Blob::Content(bytes) if is_config => then.write_judge(path, Some(&bytes))?,
                Blob::Content(bytes) => then.write(&then.folder.join(path), &bytes)?,
                // A link that leads nowhere and a file that is too large are broken configurations.
                Blob::NoFile | Blob::TooLarge(_) if is_config => then.write_judge(path, None)?,
                Blob::Missing | Blob::NotFetched if config.as_ref() == Some(path) => {
                    return Err(lacks(path));
                }
                Blob::Missing | Blob::NotFetched if is_config => {
                    then.lacking.insert(path.clone());
                }
                _ => {}
            }
        }
        then.place_args(config)?;
        Ok(then)
    }

    /// Changes the paths in `args` to their places in the first copy. `config` is the path of the file of
    /// `--config` in the revision.
    fn place_args(&mut self, config: Option<PathBuf>) -> Result<(), Failure> {
        let first = self.top.join("then");
        if let Some(root) = self.args.load.root.clone() {
            let place = place_in(&first, &identity(&root));
            self.scratch.make_folder(&place).map_err(unwritten)?;
            self.args.load.root = Some(place);
        }
        if let Some(typed) = self.args.load.config.clone() {
            let place = match config.filter(|config| self.changes.tracked.contains(config)) {
                Some(config) => self.folder.join(config),
                None => {
                    let name = typed.file_name().unwrap_or_default();
                    let place = place_in(&first, &real_folder(&typed).join(name));
                    let bytes = read_file(&typed, Links::Followed, CONFIG_BYTES);
                    self.write_config(&place, &bytes.unwrap_or_default())?;
                    place
                }
            };
            if !is_valid(&place) {
                // The error names the file as it was typed.
                VerifyConfig::load_with(&typed, Patterns::check)?;
                LoadOptions::load(&typed)?;
            }
            self.args.load.config = Some(place);
        }
        if let Some(art) = self.args.art.clone()
            && let Some(name) = self.typed_name(&art)
        {
            self.args.art = Some(self.folder.join(self.changes.name_then(&name)));
        }
        Ok(())
    }

    /// Writes a configuration of the revision, or the present one if that of the revision is broken. `bytes`
    /// is `None` if it cannot be read.
    fn write_judge(&mut self, path: &Path, bytes: Option<&[u8]>) -> Result<(), Failure> {
        let place = self.folder.join(path);
        if let Some(bytes) = bytes {
            self.write_config(&place, bytes)?;
            if is_valid(&place) {
                return Ok(());
            }
        }
        self.broken.insert(path.to_owned());
        let now = self.changes.root.join(self.changes.name_now(path));
        match read_file(&now, Links::Refused, CONFIG_BYTES) {
            Ok(now) => self.write_config(&place, &now),
            // A folder is a broken configuration, too.
            Err(_) if bytes.is_none() => self.scratch.make_folder(&place).map_err(unwritten),
            Err(_) => Ok(()),
        }
    }

    fn link(&self, top: &Path, link: &Path, target: &Path) -> Result<(), Failure> {
        self.scratch.link(&top.join(link), &top.join(target)).map_err(unwritten)
    }

    /// Writes a configuration, and makes the root folder that it names.
    fn write_config(&self, place: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let options = LoadOptions::decode(place, bytes).unwrap_or_default();
        if let Some(root) =
            options.root.map(|root| plain(&root)).filter(|it| it.starts_with(&self.top))
        {
            self.scratch.make_folder(&root).map_err(unwritten)?;
        }
        self.write(place, bytes)
    }

    pub(super) fn write(&self, place: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.scratch.write(place, bytes).map_err(unwritten)
    }

    /// Returns the path of `file` in the repository, or `None` for a file outside of it.
    pub(super) fn name_of(&mut self, file: &Path) -> Option<PathBuf> {
        let is_held = self.repositories.root_of(file).as_ref() == Some(&self.changes.root);
        is_held.then(|| self.repositories.path_in(file))
    }

    /// Returns the path of `typed` in the repository: the one that the revision has, or else the one to which
    /// the present links lead. `None` for a file outside of the repository.
    pub(super) fn typed_name(&mut self, typed: &Path) -> Option<PathBuf> {
        let name = self.changes.typed(typed);
        let name = name.map(|name| self.changes.through_links(&name).unwrap_or(name));
        let name = name.filter(|name| self.changes.tracked.contains(&self.name_then(name)));
        name.or_else(|| self.name_of(typed))
    }

    /// True if the configuration `name` was broken in the revision, so that the present one judges.
    pub(super) fn was_broken(&self, name: &Path) -> bool {
        self.broken.contains(name)
    }

    /// Returns the path that the revision has for the file that is `name` now. Returns `name` for a new file,
    /// and for a path that a hostile commit has and that leaves the repository.
    pub(super) fn name_then(&self, name: &Path) -> PathBuf {
        let then = self.changes.name_then(name);
        if is_inside(&then) { then } else { name.to_owned() }
    }

    /// True if the revision has the file `name` under this name.
    pub(super) fn has(&self, name: &Path) -> bool {
        self.name_then(name) == name && self.changes.tracked.contains(name)
    }

    /// Returns the places in the first copy at which the renamed file `name` may be judged, the best first:
    /// its new name, if the revision has all configurations that are above it now, and its old name. Returns
    /// none for a file that was not renamed.
    pub(super) fn places_of_renamed(&self, name: &Path) -> Result<Vec<PathBuf>, Failure> {
        let then = self.name_then(name);
        if then == name {
            return Ok(Vec::new());
        }
        let is_of_change = |config: &PathBuf| {
            let now = self.changes.root.join(config);
            !self.changes.tracked.contains(config) && now.symlink_metadata().is_ok()
        };
        // The file of `--config` judges at all places.
        let is_found = self.args.load.config.is_none() && !self.args.load.no_config;
        let mut names = vec![then];
        if !is_found || !configs_above(name).any(|config| is_of_change(&config)) {
            names.insert(0, name.to_owned());
        }
        names.iter().map(|name| self.place_then(name)).collect()
    }

    /// Returns the place in the first copy of the file that was `then` in the repository. Makes its folder,
    /// so that configurations above it are found.
    pub(super) fn place_then(&self, then: &Path) -> Result<PathBuf, Failure> {
        self.check_configs(then)?;
        self.made(self.folder.join(then))
    }

    /// Fails if the repository lacks a configuration of the revision that judges the file `name`.
    fn check_configs(&self, name: &Path) -> Result<(), Failure> {
        let is_found = self.args.load.config.is_none() && !self.args.load.no_config;
        let lacking = configs_above(name).find(|config| self.lacking.contains(config));
        lacking.filter(|_| is_found).map_or(Ok(()), |config| Err(lacks(&config)))
    }

    /// Returns the place of the new file `name` in the second copy.
    pub(super) fn new_place(&mut self, name: &Path) -> Result<PathBuf, Failure> {
        if self.args.load.config.is_some() {
            // The file of `--config` judges in the first copy.
            return self.made(self.folder.join(name));
        }
        self.check_configs(name)?;
        for config in configs_above(name) {
            if !self.copied.insert(config.clone()) {
                continue;
            }
            let now = self.changes.root.join(&config);
            let place = self.beside.join(&config);
            if let Ok(bytes) = fs::read(self.folder.join(&config)) {
                self.write_config(&place, &bytes)?;
            } else if now.symlink_metadata().is_ok() {
                match read_file(&now, Links::Refused, CONFIG_BYTES) {
                    Ok(bytes) => self.write_config(&place, &bytes)?,
                    // A folder is a broken configuration, too.
                    Err(_) => self.scratch.make_folder(&place).map_err(unwritten)?,
                }
            }
        }
        self.made(self.beside.join(name))
    }

    /// Makes the folder of `place`, and returns `place`.
    fn made(&self, place: PathBuf) -> Result<PathBuf, Failure> {
        self.scratch.make_folder(place.parent().unwrap_or(&place)).map_err(unwritten)?;
        Ok(place)
    }

    /// Returns the path in the working tree of a file in one of the copies. Returns any other path unchanged.
    pub(super) fn back(&self, place: &Path) -> PathBuf {
        let place = std::path::absolute(place).map_or(place.to_owned(), |place| plain(&place));
        let root = &self.changes.root;
        if let Ok(then) = place.strip_prefix(&self.folder) {
            return root.join(self.changes.name_now(then));
        }
        if let Ok(name) = place.strip_prefix(&self.beside) {
            return root.join(name);
        }
        let first = root.ancestors().last().unwrap_or(root);
        let outside = place.strip_prefix(self.top.join("then")).map(|rest| first.join(rest));
        outside.unwrap_or(place)
    }

    /// Returns `options`, which hold for `level` at `place`, with paths in the working tree.
    ///
    /// A level that was moved out of its root folder gets the nearest folder above both.
    pub(super) fn present(
        &self,
        mut options: VerifyOptions,
        place: &Path,
        level: &Path,
    ) -> VerifyOptions {
        options.art = options.art.map(|art| self.back(&art));
        let load = &mut options.load;
        load.config = load.config.take().map(|config| self.back(&config));
        if load.root.is_none() && place.starts_with(&self.folder) {
            load.root = place.parent().map(root_of);
        }
        load.root = load.root.take().map(|root| self.back(&root));
        if self.args.load.root.is_none()
            && place.starts_with(&self.top)
            && let Some(root) = load.root.take_if(|root| root.starts_with(&self.changes.root))
        {
            let folder = real_folder(level);
            let both = root.ancestors().find(|root| folder.starts_with(root));
            load.root = both.map(Path::to_owned);
        }
        options
    }
}

/// Returns those of the `links`, each with the id of its content, that lead to a folder of the revision, and
/// the folder. A link to another link is left out.
pub(super) fn folder_links(
    links: &BTreeMap<PathBuf, String>,
    tracked: &BTreeSet<PathBuf>,
    blobs: &mut Blobs,
) -> BTreeMap<PathBuf, PathBuf> {
    let mut found = BTreeMap::new();
    for (link, id) in links.iter().filter(|(link, _)| is_inside(link)) {
        let Blob::Content(target) = blobs.content(id, MAX_TARGET) else {
            continue;
        };
        let folder = link.parent().unwrap_or(Path::new(""));
        let target = plain(&folder.join(&*String::from_utf8_lossy(&target)));
        let first = tracked.range(target.clone()..).next();
        let is_folder = first.is_some_and(|first| *first != target && first.starts_with(&target));
        if is_inside(&target) && is_folder {
            found.insert(link.clone(), target);
        }
    }
    found
}

/// The longest target of a link that is followed, in bytes: that of Linux.
const MAX_TARGET: u64 = 4_096;

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

fn is_valid(config: &Path) -> bool {
    VerifyConfig::load_with(config, Patterns::check).is_ok() && LoadOptions::load(config).is_ok()
}

fn unwritten(error: io::Error) -> Failure {
    failed(format!("cannot write the files of the revision: {}", io_reason(&error)))
}

/// Returns the path inside `top` for the absolute path `real`, as if `top` were the root of the file system.
fn place_in(top: &Path, real: &Path) -> PathBuf {
    let names = real.components().filter(|part| matches!(part, Component::Normal(_)));
    names.fold(top.to_owned(), |place, name| place.join(name))
}

/// True if `path`, which a hostile commit may contain, stays in the folder that it is joined to.
pub(super) fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
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
        let root = self.home(path)?.0.clone();
        root.join(".git").exists().then_some(root)
    }

    fn home(&mut self, path: &Path) -> Option<&(PathBuf, PathBuf)> {
        let folder = match path.parent() {
            Some(folder) if !folder.as_os_str().is_empty() => folder,
            _ => Path::new("."),
        };
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
    let real = gone.iter().fold(fs::canonicalize(there).ok()?, |real, name| real.join(name));
    let here = std::env::current_dir().and_then(fs::canonicalize);
    let root = real.ancestors().find(|above| above.join(".git").exists());
    let root = root.map(Path::to_owned).or(here.ok())?;
    let folder = real.strip_prefix(&root).ok()?.to_owned();
    Some((root, folder))
}

/// Returns the real path of the folder of `path`.
pub(super) fn real_folder(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    identity(folder.unwrap_or(Path::new(".")))
}
