//! `--diff REV`: finds the levels that changed since a revision, and checks them as they were at the
//! revision.
//!
//! A level has changed if one of these files has: the level, a file that the level names (a tileset,
//! template, picture, or map of a world), the art of a mask, a `bitwall.toml` in or above the folder, or the
//! file of `--config`. A changed level is verified again as it was at the revision, under its old name; the
//! findings of that check are the baseline. A changed configuration is compared with the rules that applied
//! to its folder before.
//!
//! The files of the revision are written as plain files to a temporary folder. Nothing is checked out, so no
//! hook and no filter of the repository runs.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::commands::Failure;
use crate::commands::files::{PathKind, identity};
use crate::commands::output::ScratchFolder;
use crate::commands::verify::scope::{Repositories, Scope};
use crate::commands::verify::settings::{Settings, folder_of};
use crate::commands::verify::{VerifyArgs, on_all_cores};
use crate::git::{Blob, Blobs, Git, IndexChanges};
use crate::lint::{
    Baseline, Checked, Finding, MapData, VerifyConfig, arts_beside, verify_and_sketch,
    verify_config_since,
};
use bitwall::Limits;
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{
    CONFIG, Links, ReferenceKind, TILED_PROJECT, io_reason, plain, read_file, references,
};
use bitwall::text::{counted, printable, printable_path};
use bitwall::tmx::files_named;

/// The results for the changed levels as they were at an earlier revision.
pub(super) struct Before {
    pub(super) findings: Baseline,
    /// The earlier version of each changed map, by the current path of the map. Used by the rules that
    /// compare maps.
    pub(super) maps: HashMap<PathBuf, MapData>,
}

impl Before {
    fn nothing() -> Self {
        Self { findings: Baseline::default().of_revision(), maps: HashMap::new() }
    }
}

/// Removes the unchanged levels and configurations from `scope`. Returns the changed levels as they were at
/// `revision`, a revision of the repository at `root`.
pub(super) fn since(
    revision: &str,
    root: PathBuf,
    args: &VerifyArgs,
    scope: &mut Scope,
    settings: &mut Settings<'_>,
    repositories: &mut Repositories,
) -> Result<Before, Failure> {
    let mut since = Since::new(revision, root)?;
    let config = args.load.config.as_deref().filter(|config| since.holds(config, repositories));
    since.config = config.map(|config| repositories.path_in(config));
    let mut levels = Vec::new();
    for level in std::mem::take(&mut scope.levels) {
        let art = settings.options(&level)?.and_then(|options| options.art);
        if since.has_changed(&level, art.as_deref(), repositories) {
            scope.levels.push(level.clone());
            levels.push((level, art));
        }
    }
    scope.configs.retain(|config| since.has_config_changed(config, repositories));
    settings.findings.retain(|it| since.has_config_changed(&it.path, repositories));
    let mut configs: BTreeSet<PathBuf> = scope.configs.iter().cloned().collect();
    configs.extend(settings.findings.iter().map(|finding| finding.path.clone()));

    let changed_configs = since.changed_configs(args);
    if levels.is_empty() && configs.is_empty() && changed_configs.is_empty() {
        return Ok(Before::nothing());
    }

    let then = Then::new(&mut since)?;
    let then_args = then.args(args, &since, repositories)?;
    let mut then_settings = Settings::new(&then_args);
    if then_args.load.config.as_deref().is_some() && then_settings.config_for(&then.folder).is_err()
    {
        // If the configuration of `--config` was broken at the revision, nothing was checked there.
        return Ok(Before::nothing());
    }
    let weakened = since.weakened(&changed_configs, args, &mut then_settings, &then)?;
    settings.add_findings(weakened);

    let (mut files, mut names) = (Vec::new(), Vec::new());
    for (level, art) in levels {
        let path = then.folder.join(since.name_then(repositories.path_in(&level)));
        if !since.holds(&level, repositories) || !path.is_file() {
            continue;
        }
        let is_named = args.paths.contains(&level);
        if !is_named && !then_settings.config_for(&path)?.looks_at(&path) {
            continue;
        }
        if let Some(mut options) = then_settings.options(&path)? {
            // Art outside the repository has no earlier version; the current file is used.
            let outside = art.filter(|art| !since.holds(art, repositories));
            options.art = outside.or(options.art);
            files.push((path, options));
            names.push(level);
        }
    }
    let mut findings = Vec::new();
    for config in &configs {
        let path = then.folder.join(since.name_then(repositories.path_in(config)));
        if since.holds(config, repositories) && path.is_file() {
            findings.extend(then_settings.check(&path)?.findings);
        }
    }
    let checked = on_all_cores("checking", &files, |_, (path, options)| {
        verify_and_sketch(path, None, options)
    });
    let (reports, maps): (Vec<_>, Vec<_>) = checked.into_iter().unzip();
    let maps = names.into_iter().zip(maps).collect();
    let paths = files.iter().map(|(path, _)| path.clone());
    let renamed = since.changes.renamed.iter().map(|(now, then)| (then, now));
    let names_now: HashMap<_, _> = renamed.collect();
    let checked = Checked::new(paths.zip(reports), findings, |path| {
        let name = path.strip_prefix(&then.folder).map_or(path.to_owned(), plain);
        names_now.get(&name).map_or(name, |now| PathBuf::clone(now))
    });
    Ok(Before { findings: Baseline::new(&checked).of_revision(), maps })
}

const MAX_FILES: usize = 10_000;

const MAX_BYTES: u64 = 4 << 30;

/// The largest number of pictures of the earlier revision that are written as empty files. Only their names
/// are needed.
const MAX_NAMES: usize = 100_000;

struct Since {
    root: PathBuf,
    changes: IndexChanges,
    tracked: BTreeSet<PathBuf>,
    blobs: Blobs,
    /// The path of a file -> true if the file differs from the commit that levels are compared with. Filled
    /// on demand.
    compared: HashMap<PathBuf, bool>,
    /// The path of the file of `--config`; `None` if it is outside the repository.
    config: Option<PathBuf>,
    /// The files that the changed levels use, by their current paths.
    needed: BTreeSet<PathBuf>,
    /// The path of a file -> the files that it names. Filled on demand, so that a tileset shared by many maps
    /// is read once.
    named: HashMap<PathBuf, Rc<[PathBuf]>>,
}

impl Since {
    fn new(revision: &str, root: PathBuf) -> Result<Self, Failure> {
        let git = Git::new(root.clone());
        if !git.has_work_tree().map_err(failed)? {
            let name = printable_path(&root);
            return Err(failed(format!(
                "the repository in {name} is bare: it has no working tree"
            )));
        }
        let commit = git.commit(revision).map_err(failed)?;
        let commit = commit.ok_or_else(|| {
            let name = printable(revision);
            failed(format!(
                "there is no revision `{name}` here; in a CI job, fetch it first (a shallow clone has only \
                 one)"
            ))
        })?;
        let commit = git.merge_base(&commit).map_err(failed)?.unwrap_or(commit);
        let changes = git.changed_since(&commit, None).map_err(failed)?;
        let tracked = git.paths_of(&commit).map_err(failed)?;
        let blobs = git.files_of(&commit).map_err(failed)?;
        let (compared, config, needed, named) = Default::default();
        Ok(Self { root, changes, tracked, blobs, compared, config, needed, named })
    }

    fn holds(&self, file: &Path, repositories: &mut Repositories) -> bool {
        repositories.root_of(file).as_ref() == Some(&self.root)
    }

    fn name_then(&self, now: PathBuf) -> PathBuf {
        self.changes.renamed.get(&now).cloned().unwrap_or(now)
    }

    /// True if `level` or a file that it needs has changed since the commit of the comparison, or if this
    /// commit lacks the level.
    fn has_changed(
        &mut self,
        level: &Path,
        art: Option<&Path>,
        repositories: &mut Repositories,
    ) -> bool {
        if !self.holds(level, repositories) {
            return true;
        }
        let level = repositories.path_in(level);
        let art = art.map(|art| repositories.path_in(art));
        let mut configs = configs_above(&level).chain(self.config.clone());
        let mut has_changed =
            configs.any(|path| self.is_changed(&path)) || !self.tracked.contains(&level);
        let beside = arts_beside(&level).map(|path| plain(&path));
        let mut open: Vec<PathBuf> = beside.chain(art).chain([level.clone()]).collect();
        let mut known: BTreeSet<PathBuf> = open.iter().cloned().collect();
        // Visits all files even after a change is found, because the earlier versions of all of them are
        // needed.
        while let Some(path) = open.pop() {
            // For a link, the target counts too.
            let real = fs::canonicalize(self.root.join(&path)).ok();
            let real = real.as_deref().and_then(|real| real.strip_prefix(&self.root).ok());
            has_changed |= self.is_changed(&path) || real.is_some_and(|real| self.is_changed(real));
            for named in self.named_by(&path).iter() {
                if known.len() < MAX_FILES && known.insert(named.clone()) {
                    open.push(named.clone());
                }
            }
        }
        if has_changed {
            self.needed.extend(known);
        }
        has_changed
    }

    /// True if one of these has changed: `config`, a configuration above it, or a mask in one of its pairs.
    fn has_config_changed(&mut self, config: &Path, repositories: &mut Repositories) -> bool {
        if !self.holds(config, repositories) {
            return true;
        }
        let here = repositories.path_in(config);
        let pairs = VerifyConfig::load(config).map(|config| config.pairs).unwrap_or_default();
        let masks = pairs.iter().map(|pair| plain(&here.with_file_name("").join(&pair.mask)));
        let mut paths = configs_above(&here).chain(masks).chain([here.clone()]);
        paths.any(|path| self.is_changed(&path))
    }

    /// True if the file differs between the working tree and the commit, or if only one of them has the file.
    /// False for a file that is not in the commit and that a `.gitignore` names.
    fn is_changed(&mut self, path: &Path) -> bool {
        if let Some(is_changed) = self.compared.get(path) {
            return *is_changed;
        }
        let is_changed = if self.tracked.contains(path) {
            let limit = Limits::default().file_bytes();
            let now = read_file(&self.root.join(path), Links::Followed, limit);
            let is_text = PathKind::from_path(path) != Some(PathKind::Picture);
            !now.is_ok_and(|now| self.blobs.is_same(path, &now, is_text))
        } else {
            self.changes.paths.contains(path)
        };
        self.compared.insert(path.to_owned(), is_changed);
        is_changed
    }

    fn named_by(&mut self, path: &Path) -> Rc<[PathBuf]> {
        if let Some(named) = self.named.get(path) {
            return Rc::clone(named);
        }
        let limit = Limits::default().file_bytes();
        let bytes = match PathKind::from_path(path) {
            // A picture names no files and may be large.
            Some(PathKind::Picture) => Vec::new(),
            _ => read_file(&self.root.join(path), Links::Followed, limit).unwrap_or_default(),
        };
        let mut named = Vec::new();
        if path.extension().is_some_and(|end| end == "world") {
            for file in references(path, &bytes) {
                match file.kind {
                    // The patterns of a world may match any map in the folder.
                    ReferenceKind::Folder => named.extend(self.maps_in(&file.path)),
                    _ => named.push(plain(&file.path)),
                }
            }
        } else {
            named.extend(files_named(path, &bytes).iter().map(|(path, _)| plain(path)));
        }
        let named: Rc<[PathBuf]> = named.into();
        self.named.insert(path.to_owned(), Rc::clone(&named));
        named
    }

    /// Yields the maps that are in `folder` now or were in it at the revision of `--diff`.
    fn maps_in(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        let paths = self.tracked.union(&self.changes.paths);
        let maps = paths.filter(move |path| path.parent() == Some(folder));
        maps.filter(|path| PathKind::from_path(path) == Some(PathKind::Map)).cloned()
    }

    /// Returns the changed, new or deleted configurations that apply to the files and folders that the
    /// arguments name.
    fn changed_configs(&mut self, args: &VerifyArgs) -> Vec<PathBuf> {
        let configs: Vec<PathBuf> = if args.load.config.as_deref().is_some() {
            // A new file of `--config` cannot be compared with an earlier version.
            let was_there =
                |config: &PathBuf| self.tracked.contains(&self.name_then(config.clone()));
            self.config.clone().filter(was_there).into_iter().collect()
        } else {
            let asked: Vec<PathBuf> = args.paths.iter().map(|path| identity(path)).collect();
            let counts = |config: &&PathBuf| {
                let folder = self.root.join(config.parent().unwrap_or(Path::new("")));
                let is_asked = |path: &PathBuf| {
                    path.starts_with(&folder) || path.is_dir() && folder.starts_with(path)
                };
                // A deleted folder has no levels.
                folder.is_dir() && asked.iter().any(is_asked)
            };
            let paths = self.tracked.union(&self.changes.paths);
            let configs = paths.filter(|path| path.file_name() == Some(OsStr::new(CONFIG)));
            configs.filter(counts).cloned().collect()
        };
        configs.into_iter().filter(|config| self.is_changed(config)).collect()
    }

    /// Compares `configs` with their earlier versions. Returns a finding for each that checks less than
    /// before.
    fn weakened(
        &self,
        configs: &[PathBuf],
        args: &VerifyArgs,
        then_settings: &mut Settings<'_>,
        then: &Then,
    ) -> Result<Vec<Finding>, Failure> {
        let current = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
        let mut settings = Settings::new(args);
        let mut findings = Vec::new();
        for config in configs {
            let below = match args.load.config.as_deref() {
                Some(_) => Path::new(""),
                None => config.parent().unwrap_or(Path::new("")),
            };
            // A folder that is new since the revision does not exist in the temporary folder yet.
            then.scratch.make_folder(&then.folder.join(below)).map_err(unwritten)?;
            let [path, place] = [&self.root, &then.folder].map(|top| top.join(config));
            let (after, before) = (settings.config_for(&path)?, then_settings.config_for(&place)?);
            if after.is_broken || before.is_broken {
                continue;
            }
            let is_level = |level: &&PathBuf| {
                let kind = PathKind::from_path(level);
                matches!(kind, Some(PathKind::Map | PathKind::Picture))
                    && level.starts_with(below)
                    && self.root.join(level).is_file()
                    && PathKind::is_of_levels(&self.root.join(level))
            };
            let levels = self.tracked.iter().filter(is_level);
            let both = levels.map(|level| [self.root.join(level), then.folder.join(level)]);
            let (of_levels, left_out) = after.beside(&before, [&path, &place], both);
            let (after, mut before) =
                (after.held(&path, &self.root), before.held(&place, &then.folder));
            let is_there = |path: &Path| self.root.join(path).is_file();
            before.0.pairs.retain(|pair| is_there(&pair.mask) && is_there(&pair.art));
            let shown = path.strip_prefix(&current).unwrap_or(&path);
            findings.extend(verify_config_since(
                shown,
                (&before.0, &before.1),
                (&after.0, &after.1),
                &of_levels,
                left_out,
            ));
        }
        Ok(findings)
    }
}

/// The files of a project at the revision of `--diff`, in a temporary folder, which is removed on drop.
struct Then {
    scratch: ScratchFolder,
    /// The path of the temporary folder. A file with the absolute path `/a/b` has the path `a/b` in it, even
    /// if it is outside the repository.
    top: PathBuf,
    folder: PathBuf,
}

impl Then {
    /// Writes the levels of the commit, the files that they use, and the configurations. A picture that no
    /// changed level needs is written as an empty file, because only its name matters.
    fn new(since: &mut Since) -> Result<Self, Failure> {
        let scratch = ScratchFolder::new()?;
        // The search for a `bitwall.toml` follows real paths.
        let top = fs::canonicalize(scratch.path()).map_err(unwritten)?;
        let then = Self { folder: place_in(&top, &since.root), top, scratch };
        // A `.git` folder stops the search for configurations at the root, as in the real repository.
        then.write(&then.folder.join(".git/HEAD"), b"")?;
        let needed = since.needed.iter().chain(&since.config).cloned();
        let needed: BTreeSet<PathBuf> = needed.map(|now| since.name_then(now)).collect();
        let (mut bytes_left, mut names_left, mut not_fetched) = (MAX_BYTES, MAX_NAMES, 0);
        for path in &since.tracked {
            let is_needed = needed.contains(path);
            let kind = PathKind::from_path(path);
            let is_outside = path.components().any(|part| !matches!(part, Component::Normal(_)));
            // Skips paths that leave the temporary folder, which a hostile commit may contain. Keeps JSON
            // files, which may be maps or tilesets.
            let end = path.extension().unwrap_or_default();
            let is_beside_levels = path.file_name() == Some(OsStr::new(CONFIG))
                || [TILED_PROJECT, "json", "tx", "tj"].iter().any(|known| end == *known);
            if is_outside || !is_needed && kind.is_none() && !is_beside_levels {
                continue;
            }
            let place = then.folder.join(path);
            if kind == Some(PathKind::Picture) && !is_needed {
                if names_left > 0 {
                    names_left -= 1;
                    then.write(&place, b"")?;
                }
                continue;
            }
            match since.blobs.read(path, Limits::default().file_bytes()) {
                Blob::Content(bytes) => {
                    let left = bytes_left.checked_sub(bytes.len() as u64);
                    bytes_left = left.ok_or_else(|| {
                        failed("the levels of the revision have more than 4 GiB".to_owned())
                    })?;
                    then.write(&place, &bytes)?;
                }
                Blob::TooLarge(_) => {}
                // A partial clone lacks the contents of files that were not fetched.
                Blob::NotFetched | Blob::Missing => not_fetched += 1,
            }
        }
        if not_fetched > 0 {
            let files = counted(not_fetched, "file");
            let _ = writeln!(
                anstream::stderr(),
                "--diff: the repository has not fetched {files} of the revision, so all that is found there \
                 is new; run `git lfs fetch` for it, or clone with all files"
            );
        }
        Ok(then)
    }

    /// Returns `args` for the check of the earlier revision: `--root`, `--config` and `--art` have the paths
    /// of their earlier versions in the temporary folder.
    fn args(
        &self,
        args: &VerifyArgs,
        since: &Since,
        repositories: &mut Repositories,
    ) -> Result<VerifyArgs, Failure> {
        let mut load = args.load.clone();
        if let Some(root) = &mut load.root {
            *root = place_in(&self.top, &identity(root));
            self.scratch.make_folder(root).map_err(unwritten)?;
        }
        if let Some(config) = &mut load.config {
            let name = since.config.clone().map(|now| since.name_then(now));
            let place = match name.filter(|name| since.tracked.contains(name)) {
                Some(name) => self.folder.join(name),
                None => {
                    let name = config.file_name().unwrap_or_default();
                    let place = place_in(&self.top, &folder_of(config).join(name));
                    // A configuration that is new in git had no rules at the revision, so an empty file
                    // stands for it. A configuration that git does not track is copied as it is.
                    let is_new = since.config.iter().any(|path| since.changes.paths.contains(path));
                    let bytes = read_file(config, Links::Followed, CONFIG_BYTES);
                    let bytes = bytes.ok().filter(|_| !is_new).unwrap_or_default();
                    self.write(&place, &bytes)?;
                    place
                }
            };
            *config = place;
        }
        let art = args.art.as_ref().filter(|art| since.holds(art, repositories));
        let art = art.map(|art| self.folder.join(since.name_then(repositories.path_in(art))));
        Ok(VerifyArgs { load, art: art.filter(|art| art.is_file()), ..args.clone() })
    }

    fn write(&self, place: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.scratch.write(place, bytes).map_err(unwritten)
    }
}

fn failed(reason: String) -> Failure {
    Failure::Other(format!("--diff: {reason}"))
}

fn unwritten(error: std::io::Error) -> Failure {
    failed(format!("cannot write the files of the revision: {}", io_reason(&error)))
}

/// Returns the path inside `top` for the absolute path `real`, as if `top` were the root of the file system.
fn place_in(top: &Path, real: &Path) -> PathBuf {
    let names = real.components().filter(|part| matches!(part, Component::Normal(_)));
    names.fold(top.to_owned(), |place, name| place.join(name))
}

/// Yields the path of a possible `bitwall.toml` in each folder from the folder of `file` up to the root.
fn configs_above(file: &Path) -> impl Iterator<Item = PathBuf> {
    file.ancestors().skip(1).map(|folder| folder.join(CONFIG))
}
