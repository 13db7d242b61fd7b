//! `--diff REV`: the levels that changed since a revision, and the findings that these had there.
//!
//! A level has changed if its file has, or one that it names (a tileset, a template, a picture, a map of a
//! world), the art of a mask, a `bitwall.toml` of its folder or above, or the one that is named. Each changed
//! level is checked as it was at the revision, by the name that it had there, with its files of then, in a
//! folder for this run; the findings of then are a baseline. One that was not looked at then has none. A
//! configuration that changed is compared with the rules that held for its folder then.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::commands::Failure;
use crate::commands::files::{FileKind, identity};
use crate::commands::output::Scratch;
use crate::commands::verify::scope::{Repositories, Scope};
use crate::commands::verify::settings::{Revision, Settings, folder_of};
use crate::commands::verify::{VerifyArgs, check};
use crate::git::{Blob, Blobs, Changes, Git};
use crate::lint::{Baseline, Checked, Finding, VerifyConfig, arts_beside, verify_config_since};
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{
    CONFIG, Links, ReferenceKind, TILED_PROJECT, io_reason, plain, read_file, references,
};
use bitwall::text::{counted, printable, printable_path};
use bitwall::tmx::files_named;
use bitwall::{Limits, LoadOptions};

/// Keeps those of the levels and configurations that changed since a revision of the repository at `root`,
/// and returns the findings that they had there.
pub(super) fn since(
    revision: &str,
    root: PathBuf,
    args: &VerifyArgs,
    scope: &mut Scope,
    settings: &mut Settings<'_>,
    repositories: &mut Repositories,
) -> Result<Baseline, Failure> {
    let mut since = Since::new(revision, root)?;
    let config = args.load.named_config().filter(|config| since.holds(config, repositories));
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
    let found =
        settings.retain_findings(|it| since.has_config_changed(&it.path, repositories)).iter();
    let found: BTreeSet<PathBuf> = found.map(|finding| finding.path.clone()).collect();
    let configs: Vec<PathBuf> = found.into_iter().chain(scope.configs.iter().cloned()).collect();
    let (baseline, weakened) = since.baseline(&levels, &configs, args, settings, repositories)?;
    settings.add_findings(weakened);
    Ok(baseline)
}

/// A revision to compare with.
struct Since {
    git: Git,
    root: PathBuf,
    commit: String,
    changes: Changes,
    /// The paths of all files of the commit.
    tracked: BTreeSet<PathBuf>,
    blobs: Blobs,
    /// The files that were compared with those of the commit, and whether they differ.
    known: HashMap<PathBuf, bool>,
    /// The configuration that an argument names, if it is in the repository.
    config: Option<PathBuf>,
    /// The files that each file names, by its path in the repository: a tileset of many maps is read once.
    named: HashMap<PathBuf, Rc<[PathBuf]>>,
}

impl Since {
    /// The revision of this name, in the repository at `root`.
    fn new(revision: &str, root: PathBuf) -> Result<Self, Failure> {
        let git = Git::of(root.clone());
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
        let commit = git.merge_base(&commit).map_err(failed)?;
        let changes = git.changed_since(&commit).map_err(failed)?;
        let tracked = git.paths_of(&commit).map_err(failed)?;
        let blobs = git.files_of(&commit).map_err(failed)?;
        let (known, named) = Default::default();
        Ok(Self { git, root, commit, changes, tracked, blobs, known, config: None, named })
    }

    /// True if a level has changed, or `art`, which it is compared with. One that the commit lacks always
    /// has, also if a `.gitignore` names it or if it is outside the repository.
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
        let has_config_changed = configs.any(|path| self.is_changed(&path));
        if has_config_changed || !self.tracked.contains(&level) {
            return true;
        }
        let beside = arts_beside(&level).map(|path| plain(&path));
        let mut open: Vec<PathBuf> = beside.chain(art).chain([level.clone()]).collect();
        let mut known: BTreeSet<PathBuf> = open.iter().cloned().collect();
        while let Some(path) = open.pop() {
            // The file that a link leads to, too.
            let real = fs::canonicalize(self.root.join(&path)).ok();
            let real = real.as_deref().and_then(|real| real.strip_prefix(&self.root).ok());
            if self.is_changed(&path) || real.is_some_and(|real| self.is_changed(real)) {
                return true;
            }
            for named in self.named_by(&path).iter() {
                if known.len() < MAX_FILES && known.insert(named.clone()) {
                    open.push(named.clone());
                }
            }
        }
        false
    }

    /// True for a file that the commit has with another content, or that only it has or lacks. One that it
    /// lacks and a `.gitignore` names has not changed.
    fn is_changed(&mut self, path: &Path) -> bool {
        if let Some(is_changed) = self.known.get(path) {
            return *is_changed;
        }
        let is_changed = match self.tracked.contains(path) {
            true => {
                let limit = Limits::default().file_bytes();
                let now = read_file(&self.root.join(path), Links::Followed, limit);
                let is_text = FileKind::of(path) != Some(FileKind::Picture);
                !now.is_ok_and(|now| self.blobs.is_same(path, &now, is_text))
            }
            false => self.changes.paths.contains(path),
        };
        self.known.insert(path.to_owned(), is_changed);
        is_changed
    }

    /// The files that a file in the repository names.
    fn named_by(&mut self, path: &Path) -> Rc<[PathBuf]> {
        if let Some(named) = self.named.get(path) {
            return Rc::clone(named);
        }
        let limit = Limits::default().file_bytes();
        let bytes = match FileKind::of(path) {
            // It names none, and it may be large.
            Some(FileKind::Picture) => Vec::new(),
            _ => read_file(&self.root.join(path), Links::Followed, limit).unwrap_or_default(),
        };
        let listed = |folder: &Path| {
            let paths = self.tracked.union(&self.changes.paths);
            paths.filter(|path| path.parent() == Some(folder)).cloned().collect()
        };
        let named: Rc<[PathBuf]> = names(path, &bytes, listed).into();
        self.named.insert(path.to_owned(), Rc::clone(&named));
        named
    }

    /// True if a configuration has changed, or one above it, or a mask of its pairs.
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

    /// True for a file in the repository.
    fn holds(&self, file: &Path, repositories: &mut Repositories) -> bool {
        repositories.root_of(file).as_ref() == Some(&self.root)
    }

    /// The path that a file had at the revision.
    fn then(&self, now: PathBuf) -> PathBuf {
        self.changes.renamed.get(&now).cloned().unwrap_or(now)
    }

    /// The place of the configuration that an argument names, as it was at the revision. One that `git` does
    /// not know, or that lies elsewhere, is as it is now.
    fn named_config(
        &self,
        config: &Path,
        has_changed: bool,
        revision: &Revision,
        export: &mut Export<'_>,
    ) -> Result<PathBuf, Failure> {
        if let Some(path) = self.config.clone().filter(|_| has_changed) {
            let then = self.then(path);
            export.file(&then)?;
            return Ok(export.folder.join(then));
        }
        let real = folder_of(config).join(config.file_name().unwrap_or_default());
        let place = revision.place(&real);
        if let Ok(bytes) = read_file(config, Links::Followed, CONFIG_BYTES) {
            export.write(&place, &bytes)?;
        }
        Ok(place)
    }

    /// The configurations that changed, or are new or gone, and count for a level that an argument asks for.
    fn changed_configs(&mut self, args: &VerifyArgs) -> Vec<PathBuf> {
        let configs: Vec<PathBuf> = match args.load.named_config() {
            // Another one was named at the revision, if this one is new.
            Some(_) => {
                let was_there =
                    |config: &&PathBuf| self.tracked.contains(&self.then((*config).clone()));
                self.config.iter().filter(was_there).cloned().collect()
            }
            None => {
                let asked = args.paths.iter().map(|path| (identity(path), path.is_dir()));
                let asked: Vec<(PathBuf, bool)> = asked.collect();
                let counts = |config: &&PathBuf| {
                    let folder = self.root.join(config);
                    let folder = folder.parent().unwrap_or(&self.root);
                    let holds = |(path, is_folder): &(PathBuf, bool)| {
                        path.starts_with(folder) || *is_folder && folder.starts_with(path)
                    };
                    // Where its folder is gone too, so are its levels.
                    folder.is_dir() && asked.iter().any(holds)
                };
                let paths = self.tracked.union(&self.changes.paths);
                let is_config = |path: &&PathBuf| path.file_name() == Some(OsStr::new(CONFIG));
                paths.filter(is_config).filter(counts).cloned().collect()
            }
        };
        configs.into_iter().filter(|config| self.is_changed(config)).collect()
    }

    /// The findings in configurations that check less than was checked in their folders at the revision, by
    /// the settings of now and of then.
    fn weakened(
        &self,
        configs: &[PathBuf],
        args: &VerifyArgs,
        [now, then]: [&mut Settings<'_>; 2],
        export: &mut Export<'_>,
    ) -> Result<Vec<Finding>, Failure> {
        let current = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
        let mut findings = Vec::new();
        for config in configs {
            for above in configs_above(config) {
                export.file(&above)?;
            }
            let below = match args.load.named_config() {
                Some(_) => Path::new(""),
                None => config.parent().unwrap_or(Path::new("")),
            };
            export.make_folder(below)?;
            let [path, place] = [&self.root, export.folder].map(|top| top.join(config));
            let (after, before) = (now.of(&path)?, then.of(&place)?);
            if after.is_broken || before.is_broken {
                continue;
            }
            let is_level = |level: &&PathBuf| {
                let kind = FileKind::of(level);
                matches!(kind, Some(FileKind::Map | FileKind::Picture))
                    && level.starts_with(below)
                    && self.root.join(level).is_file()
            };
            let mut both = Vec::new();
            for level in self.tracked.iter().filter(is_level) {
                export.make_folder(level.parent().unwrap_or(Path::new("")))?;
                both.push([self.root.join(level), export.folder.join(level)]);
            }
            let (of_levels, left_out) = after.beside(&before, both.into_iter());
            let (after, mut before) =
                (after.held(&path, &self.root), before.held(&place, export.folder));
            // A pair of files that are gone is of no use.
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

    /// The findings that levels and configurations had at the revision, by the paths that they have now; and
    /// those in configurations that check less now. Each level comes with the art that `settings` name for it
    /// now.
    fn baseline(
        &mut self,
        levels: &[(PathBuf, Option<PathBuf>)],
        configs: &[PathBuf],
        args: &VerifyArgs,
        settings: &Settings<'_>,
        repositories: &mut Repositories,
    ) -> Result<(Baseline, Vec<Finding>), Failure> {
        let changed = self.changed_configs(args);
        let is_named_changed = self.config.clone().is_some_and(|config| self.is_changed(&config));
        let scratch = Scratch::new()?;
        // The real path, as the configurations are found by.
        let top = fs::canonicalize(scratch.path()).map_err(|error| unwritten(&error))?;
        let mut revision = Revision { top, named: None };
        let folder = revision.place(&self.root);
        let blobs = self.git.files_of(&self.commit).map_err(failed)?;
        let mut export = Export {
            git: &self.git,
            commit: &self.commit,
            blobs,
            scratch: &scratch,
            folder: &folder,
            known: HashMap::new(),
            tracked: &self.tracked,
            not_fetched: 0,
        };
        // It ends the search for a configuration, as the repository does.
        export.write(Path::new(".git/HEAD"), b"")?;
        // Its content does not matter: it ends the search for a root.
        let is_project = |path: &&PathBuf| path.extension().is_some_and(|it| it == TILED_PROJECT);
        self.tracked.iter().filter(is_project).try_for_each(|path| export.write(path, b""))?;
        // A root must be there, also if no file in it is needed.
        let named = args.load.named_config().and_then(|config| LoadOptions::load(config).ok());
        let roots =
            args.load.root().map(Path::to_owned).into_iter().chain(named.and_then(|it| it.root));
        for root in roots {
            let root = revision.place(&identity(&root));
            scratch.make_folder(&root).map_err(|error| unwritten(&error))?;
        }
        if let Some(config) = args.load.named_config() {
            let place = self.named_config(config, is_named_changed, &revision, &mut export)?;
            revision.named = Some(place);
        }
        let mut now = settings.anew();
        let mut settings = settings.of_revision(revision);
        let weakened = self.weakened(&changed, args, [&mut now, &mut settings], &mut export)?;
        let mut files = Vec::new();
        for (level, art) in levels {
            let then = self.then(repositories.path_in(level));
            if !self.holds(level, repositories) || !export.level(&then)? {
                continue;
            }
            let path = folder.join(then);
            let is_named = args.paths.contains(level);
            if !is_named && !settings.of(&path)?.looks_at(&path) {
                continue;
            }
            let Some(mut options) = settings.options(&path)? else {
                continue;
            };
            // The art of an argument has a place in the repository too; that of a pair is the pair's of then.
            match art.as_ref().map(|art| (art, self.holds(art, repositories))) {
                Some((art, true)) if args.art.is_some() => {
                    let then = self.then(repositories.path_in(art));
                    options.art = export.file(&then)?.map(|_| folder.join(then));
                }
                Some((art, false)) => options.art = Some(art.clone()),
                _ => {
                    let art = options.art.as_deref().map(plain);
                    let art = art.as_ref().and_then(|art| art.strip_prefix(&folder).ok());
                    art.map(|art| export.file(art)).transpose()?;
                }
            }
            files.push((path, options));
        }
        let mut findings: Vec<Finding> = Vec::new();
        for config in configs {
            let then = self.then(repositories.path_in(config));
            if self.holds(config, repositories) && export.config(&then)? {
                findings.extend(settings.check(&folder.join(then))?.findings);
            }
        }
        if export.not_fetched > 0 {
            let files = counted(export.not_fetched, "file");
            let _ = writeln!(
                anstream::stderr(),
                "--diff: the repository has not fetched {files} of the revision, so all that is found there \
                 is new; run `git lfs fetch` for it, or clone with all files"
            );
        }
        let files: Vec<_> = files.iter().map(|(path, options)| (path, options.clone())).collect();
        let reports = check(&files, None);
        let paths = files.iter().map(|(path, _)| PathBuf::clone(path));
        let renamed = self.changes.renamed.iter().map(|(now, then)| (then, now));
        let now: HashMap<_, _> = renamed.collect();
        let checked = Checked::new(paths.zip(reports), findings, |path| {
            let then = path.strip_prefix(&folder).map_or(path.to_owned(), plain);
            now.get(&then).map_or(then, |now| PathBuf::clone(now))
        });
        Ok((Baseline::of(&checked).of_revision(), weakened))
    }
}

// The files of a revision, written into a folder for a run: levels with all that they name, configurations.

/// The largest number of files that belong to one level.
const MAX_FILES: usize = 10_000;

/// The files of a revision that were written into a scratch folder, each once.
struct Export<'s> {
    git: &'s Git,
    commit: &'s str,
    blobs: Blobs,
    scratch: &'s Scratch,
    /// The folder that stands for the repository.
    folder: &'s Path,
    /// The files that each file names; `None` for one that was not there.
    known: HashMap<PathBuf, Option<Rc<[PathBuf]>>>,
    tracked: &'s BTreeSet<PathBuf>,
    /// The number of files that the repository names and has not fetched.
    not_fetched: u64,
}

impl Export<'_> {
    /// Writes a level, the files that it names, those that these name, its art and its configurations. False
    /// if it was not there.
    fn level(&mut self, level: &Path) -> Result<bool, Failure> {
        if self.file(level)?.is_none() {
            return Ok(false);
        }
        let beside = arts_beside(level).map(|path| plain(&path));
        let mut open: Vec<PathBuf> = beside.chain([level.to_owned()]).collect();
        let mut known: BTreeSet<PathBuf> = open.iter().cloned().collect();
        while let Some(path) = open.pop() {
            for named in self.file(&path)?.iter().flat_map(|named| named.iter()) {
                if known.len() < MAX_FILES && known.insert(named.clone()) {
                    open.push(named.clone());
                }
            }
        }
        for config in configs_above(level) {
            self.file(&config)?;
        }
        Ok(true)
    }

    /// Writes a configuration, those above it, and the masks of its pairs. False if it was not there.
    fn config(&mut self, config: &Path) -> Result<bool, Failure> {
        if self.file(config)?.is_none() {
            return Ok(false);
        }
        for above in configs_above(config) {
            self.file(&above)?;
        }
        let pairs = VerifyConfig::load(self.folder.join(config)).map(|it| it.pairs);
        for pair in pairs.unwrap_or_default() {
            self.file(&plain(&config.with_file_name("").join(pair.mask)))?;
        }
        Ok(true)
    }

    /// Writes a file, and returns the names in it; `None` if it was not there.
    fn file(&mut self, path: &Path) -> Result<Option<Rc<[PathBuf]>>, Failure> {
        if let Some(known) = self.known.get(path) {
            return Ok(known.clone());
        }
        // A path that leads nowhere else.
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
        let blob = match is_below {
            true => self.blobs.read(path, Limits::default().file_bytes()),
            false => Blob::Missing,
        };
        let named = match blob {
            Blob::Content(bytes) => {
                self.write(path, &bytes)?;
                self.make_root(path, &bytes)?;
                let listed = |folder: &Path| {
                    let shown = folder.to_str().unwrap_or_default();
                    let names = self.git.names_in(self.commit, shown).ok().flatten();
                    names.unwrap_or_default().iter().map(|name| folder.join(name)).collect()
                };
                Some(names(path, &bytes, listed).into())
            }
            Blob::NotFetched => {
                self.not_fetched += 1;
                None
            }
            // A clone without all files has its name alone.
            Blob::Missing if is_below && self.tracked.contains(path) => {
                self.not_fetched += 1;
                None
            }
            Blob::TooLarge(_) | Blob::Missing => None,
        };
        self.known.insert(path.to_owned(), named.clone());
        Ok(named)
    }

    /// Makes the root folder that a configuration states: it must be there, also if no file in it is needed.
    fn make_root(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        let is_config = path.file_name() == Some(OsStr::new(CONFIG));
        let options = is_config.then(|| LoadOptions::decode(path, bytes).ok()).flatten();
        let root = options.and_then(|options| options.root);
        root.map_or(Ok(()), |root| self.make_folder(&root))
    }

    fn make_folder(&self, path: &Path) -> Result<(), Failure> {
        self.scratch.make_folder(&self.folder.join(path)).map_err(|error| unwritten(&error))
    }

    /// Writes a file with these bytes. One with an absolute path may lie beside the repository.
    fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.scratch.write(&self.folder.join(path), bytes).map_err(|error| unwritten(&error))
    }
}

fn failed(reason: String) -> Failure {
    Failure::Other(format!("--diff: {reason}"))
}

fn unwritten(error: &std::io::Error) -> Failure {
    failed(format!("cannot write the files of the revision: {}", io_reason(error)))
}

/// The files that a file with these `bytes` names, as paths from where its own starts. A world that has
/// patterns names all maps among those that `listed` gives for its folder.
fn names(path: &Path, bytes: &[u8], listed: impl Fn(&Path) -> Vec<PathBuf>) -> Vec<PathBuf> {
    let is_map = |path: &PathBuf| FileKind::of(path) == Some(FileKind::Map);
    let named: Vec<PathBuf> = match path.extension().is_some_and(|end| end == "world") {
        true => {
            let of_world = references(path, bytes).into_iter();
            let files = of_world.map(|file| match file.kind {
                ReferenceKind::Folder => listed(&file.path).into_iter().filter(is_map).collect(),
                _ => vec![file.path],
            });
            files.flatten().collect()
        }
        false => files_named(path, bytes).into_iter().map(|(path, _)| path).collect(),
    };
    named.iter().map(|path| plain(path)).collect()
}

/// The places of a file's configurations, by its path in the repository: its folder and those above it.
fn configs_above(file: &Path) -> impl Iterator<Item = PathBuf> {
    file.ancestors().skip(1).map(|folder| folder.join(CONFIG))
}
