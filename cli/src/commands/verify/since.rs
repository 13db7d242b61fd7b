//! `--diff REV`: finds the levels that changed since a revision, and checks them as they were at the
//! revision. Reports the levels of the revision that are not looked at any more.
//!
//! A level has changed if one of these files has: the level, a file that the level names (a tileset,
//! template, picture, or map of a world), or the art of a mask. A changed level is verified again as it was
//! at the revision, under its old name; the findings of that check are the baseline. The configurations of
//! the revision judge both states; see [`Then`]. A changed configuration is a note.
//!
//! The files of the revision are written as plain files to a temporary folder. Nothing is checked out, so no
//! hook and no filter of the repository runs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use crate::commands::Failure;
use crate::commands::files::{Excluded, PathKind, identity};
use crate::commands::verify::scope::{Scope, scope};
use crate::commands::verify::settings::Settings;
use crate::commands::verify::then::{
    Changes, Repositories, Then, configs_above, failed, folder_links, is_config, is_inside, lacks,
    typed_in,
};
use crate::commands::verify::{MAX_BASELINE_BYTES, VerifyArgs, on_all_cores};
use crate::git::{Blob, Blobs, Git};

use crate::lint::{
    Baseline, Checked, Finding, Report, Reported, Severity, UsedTilesets, VerifyOptions,
    arts_beside, changed_check, lost_level, verify_file,
};
use bitwall::Limits;
use bitwall::error::io_reason;
use bitwall::load::{CONFIG, Links, ReferenceKind, read_file, references};
use bitwall::paths::plain;
use bitwall::text::{counted, path_in_line, printable, printable_path};
use bitwall::tmx::files_named;

/// The results for the changed levels as they were at an earlier revision.
#[derive(Default)]
pub(super) struct Before {
    pub(super) findings: Baseline,
    /// The findings that a property `bitwall.allow` silenced there.
    pub(super) silenced: Baseline,
    /// The tilesets of each changed map there, by the current path of the map. Used by the rule that compares
    /// maps.
    pub(super) tilesets: HashMap<PathBuf, UsedTilesets>,
}

const MAX_FILES: usize = 10_000;

const MAX_BYTES: u64 = 4 << 30;

/// The largest number of pictures of the earlier revision that are written as empty files. Only their names
/// are needed.
const MAX_NAMES: usize = 100_000;

pub(super) struct Since {
    git: Git,
    changes: Rc<Changes>,
    blobs: Blobs,
    /// The settings by the present configurations, which count after the merge.
    present: Settings,
    /// The path of a file -> true if the file differs from the commit that levels are compared with. Filled
    /// on demand.
    compared: HashMap<PathBuf, bool>,
    /// The files that the changed levels use, by their current paths.
    needed: BTreeSet<PathBuf>,
    /// The path of a file -> the files that it names. Filled on demand, so that a tileset shared by many maps
    /// is read once.
    named: HashMap<PathBuf, Rc<[PathBuf]>>,
    /// The maps of the revision that cannot be read. They are written as empty files.
    unread: BTreeSet<PathBuf>,
    /// True once the levels of the revision are in the temporary folder.
    are_written: bool,
}

impl Since {
    /// Finds the changes since `revision`, and the configurations of that revision.
    pub(super) fn new(revision: &str, args: &VerifyArgs) -> Result<(Self, Then), Failure> {
        let root = root_of(args);
        let root = root.ok_or_else(|| failed("the levels are in no repository".to_owned()))?;
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
        let merge_base = git.merge_base(&commit).map_err(failed)?;
        if merge_base.is_none() {
            let name = printable(revision);
            let _ = writeln!(
                anstream::stderr(),
                "--diff: the current commit and `{name}` have no common ancestor here, so `{name}` itself \
                 counts; in a CI job, fetch the whole history"
            );
        }
        let commit = merge_base.unwrap_or(commit);
        let tracked = git.paths_of(&commit).map_err(failed)?;
        let index = git.changed_since(&commit, None).map_err(failed)?;
        let names = index.renamed.iter().map(|(now, then)| (then.clone(), now.clone()));
        let names_now = names.collect();
        let mut blobs = git.files_of(&commit).map_err(failed)?;
        let links = git.links_of(&commit).map_err(failed)?;
        let folder_links = folder_links(&links, &tracked, &mut blobs);
        let links = links.into_keys().collect();
        let changes = Changes { root, tracked, links, folder_links, index, names_now };
        let changes = Rc::new(changes);
        let then = Then::new(Rc::clone(&changes), &mut blobs, args)?;
        let since = Self {
            git,
            changes,
            blobs,
            present: Settings::new(args.clone()),
            compared: HashMap::new(),
            needed: BTreeSet::new(),
            named: HashMap::new(),
            unread: BTreeSet::new(),
            are_written: false,
        };
        Ok((since, then))
    }

    pub(super) fn root(&self) -> &Path {
        &self.changes.root
    }

    /// Removes the unchanged levels from `scope`, and checks the changed ones as they were at the revision.
    /// The findings of `settings` become those about the change itself: lost levels, and configurations.
    pub(super) fn before(
        &mut self,
        args: &VerifyArgs,
        scope: &mut Scope,
        settings: &mut Settings,
    ) -> Result<Before, Failure> {
        let asked = self.asked(args)?;
        let lost = self.lost(args, &asked, scope, settings)?;
        let mut changed = Vec::new();
        let mut broken = BTreeSet::new();
        for level in std::mem::take(&mut scope.levels) {
            let art = settings.options(&level)?.and_then(|options| options.art);
            if self.has_changed(&level, art.as_deref(), settings) {
                broken.extend(settings.broken(&level)?);
                scope.levels.push(level.clone());
                changed.push((level, art));
            }
        }
        settings.findings = lost;
        self.check_configs(args, scope, settings, &broken)?;

        let mut files = Vec::new();
        let mut levels = Vec::new();
        if !changed.is_empty() {
            self.write_levels(settings)?;
        }
        for (level, art) in changed {
            let Some(place) = self.place_then(&level, args, &asked, settings)? else {
                continue;
            };
            // Art outside the repository has no earlier version; the current file is used.
            let outside = art.filter(|art| settings.name_of(art).is_none());
            if let Some(mut options) = settings.options_at(&place)? {
                let art = options.art.filter(|art| args.art.is_none() || art.is_file());
                options.art = outside.or(art);
                files.push((place, options));
                levels.push(level);
            }
        }
        let mut reports =
            on_all_cores("checking", &files, |_, (path, options)| verify_file(path, options));
        let mut tilesets = HashMap::new();
        let mut silenced: Vec<Finding> = Vec::new();
        for (level, report) in levels.into_iter().zip(&mut reports) {
            tilesets.extend(report.tilesets.take().map(|of_map| (level, of_map)));
            silenced.append(&mut report.silenced);
        }
        let paths = files.iter().map(|(path, _)| path.clone());
        let name = |path: &Path| match &settings.then {
            Some(then) => {
                let now = then.back(path);
                now.strip_prefix(&self.changes.root).map(Path::to_owned).unwrap_or(now)
            }
            None => path.to_owned(),
        };
        let findings = Baseline::new(&Checked::new(paths.zip(reports), [], name));
        let silenced = Baseline::new(&Checked::new([], silenced, name));
        Ok(Before { findings: findings.of_revision(), silenced, tilesets })
    }

    /// Returns the place of `level` as it was at the revision. `None` if it was no level there that the
    /// arguments name, unless they name a folder that is new: then no finding in it is known.
    fn place_then(
        &self,
        level: &Path,
        args: &VerifyArgs,
        asked: &Asked,
        settings: &mut Settings,
    ) -> Result<Option<PathBuf>, Failure> {
        let Some(name) = settings.name_of(level) else {
            return Ok(None);
        };
        let then = self.changes.name_then(&name);
        let was_level = then == name
            || args.paths.iter().any(|path| path == level)
            // A folder that the arguments name may be new, for example renamed.
            || (asked.holds(&then) || !asked.was_there(&name, &self.changes.tracked))
                && settings.looked_at(&then)?;
        let place = settings.then.as_ref().filter(|_| was_level && is_inside(&then));
        let place = place.map(|place| place.place_then(&then)).transpose()?;
        Ok(place.filter(|place| place.is_file() && !self.unread.contains(&then)))
    }

    /// True if `level` or a file that it needs has changed since the commit of the comparison, or if this
    /// commit lacks the level.
    fn has_changed(&mut self, level: &Path, art: Option<&Path>, settings: &mut Settings) -> bool {
        let Some(level) = settings.name_of(level) else {
            return true;
        };
        // The art under its own name and, behind links, under that of its target.
        let art = art.into_iter().flat_map(|art| [self.changes.typed(art), settings.name_of(art)]);
        let art: Vec<PathBuf> = art.flatten().collect();
        let mut has_changed = !self.changes.tracked.contains(&level);
        let beside = arts_beside(&level).map(|path| plain(&path));
        let mut open: Vec<PathBuf> = beside.chain(art).chain([level.clone()]).collect();
        let mut known: BTreeSet<PathBuf> = open.iter().cloned().collect();
        // Visits all files even after a change is found, because the earlier versions of all of them are
        // needed.
        while let Some(path) = open.pop() {
            // For a link, the target counts too.
            let real = fs::canonicalize(self.root().join(&path)).ok();
            let real = real.as_deref().and_then(|real| real.strip_prefix(self.root()).ok());
            let real = real.map(Path::to_owned);
            has_changed |=
                self.is_changed(&path) || real.is_some_and(|real| self.is_changed(&real));
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

    /// True if the file differs between the working tree and the commit, or if only one of them has the file.
    /// False for a file that is not in the commit and that a `.gitignore` names.
    fn is_changed(&mut self, path: &Path) -> bool {
        if let Some(is_changed) = self.compared.get(path) {
            return *is_changed;
        }
        let changed = &self.changes.index.paths;
        // A folder above may be a link or a submodule that leads elsewhere now.
        let is_changed = if path.ancestors().skip(1).any(|above| changed.contains(above)) {
            true
        } else if self.changes.tracked.contains(path) {
            let limit = Limits::default().file_bytes();
            let is_text = PathKind::from_path(path) != Some(PathKind::Picture);
            match read_file(&self.root().join(path), Links::Followed, limit) {
                Ok(now) => !self.blobs.is_same(path, &now, is_text),
                // The link may have led nowhere at the revision, too.
                Err(_) => changed.contains(path) || !self.changes.links.contains(path),
            }
        } else {
            self.changes.index.paths.contains(path)
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
            _ => read_file(&self.root().join(path), Links::Followed, limit).unwrap_or_default(),
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
        let paths = self.changes.tracked.union(&self.changes.index.paths);
        let maps = paths.filter(move |path| path.parent() == Some(folder));
        maps.filter(|path| PathKind::from_path(path) == Some(PathKind::Map)).cloned()
    }

    /// Returns the configurations, also deleted ones, that apply to the files and folders that the arguments
    /// name.
    fn configs_asked(&self, args: &VerifyArgs, settings: &mut Settings) -> Vec<PathBuf> {
        if args.load.no_config {
            return Vec::new();
        }
        if let Some(config) = &args.load.config {
            let then = settings.then.as_mut();
            return then.and_then(|then| then.typed_name(config)).into_iter().collect();
        }
        let asked: Vec<PathBuf> = args.paths.iter().map(|path| identity(path)).collect();
        let counts = |config: &&PathBuf| {
            let folder = self.root().join(config.parent().unwrap_or(Path::new("")));
            let is_asked = |path: &PathBuf| {
                path.starts_with(&folder) || path.is_dir() && folder.starts_with(path)
            };
            // A deleted folder has no levels.
            folder.is_dir() && asked.iter().any(is_asked)
        };
        let paths = self.changes.tracked.union(&self.changes.index.paths);
        paths.filter(|path| is_config(path)).filter(counts).cloned().collect()
    }

    /// Adds to `settings` a note for each changed configuration, and its present findings as notes, because
    /// it counts after the merge. `judging` has the paths of broken configurations that judge changed levels,
    /// because the revision has no valid one there; their findings are errors.
    fn check_configs(
        &mut self,
        args: &VerifyArgs,
        scope: &mut Scope,
        settings: &mut Settings,
        judging: &BTreeSet<PathBuf>,
    ) -> Result<(), Failure> {
        for path in judging {
            settings.findings.extend(self.present.check(path)?.findings);
        }
        let named = std::mem::take(&mut scope.configs).into_iter().map(|path| {
            let name = settings.name_of(&path);
            (name.unwrap_or(path.clone()), path)
        });
        let named: BTreeMap<PathBuf, PathBuf> = named.collect();
        let mut open = named.clone();
        for config in self.configs_asked(args, settings) {
            open.entry(config.clone()).or_insert(self.shown(&config));
        }
        for (config, path) in open {
            if !self.is_changed(&config) && settings.name_of(&path).is_some() {
                continue;
            }
            settings.add_note(self.config_note(&config, &path, args, settings))?;
            if path.symlink_metadata().is_ok() && !judging.contains(&self.root().join(&config)) {
                for mut finding in self.present.check(&path)?.findings {
                    finding.severity = Severity::Note;
                    if finding.rule.code == "IO004" {
                        // It says that no level was checked, but the earlier revision judges.
                        finding.notes.clear();
                    }
                    finding.notes.push(AFTER_MERGE.to_owned());
                    settings.findings.push(finding);
                }
            }
            scope.configs.extend(named.get(&config).cloned());
        }
        Ok(())
    }

    fn config_note(
        &self,
        config: &Path,
        path: &Path,
        args: &VerifyArgs,
        settings: &Settings,
    ) -> Finding {
        let then = self.changes.name_then(config);
        let was_there = self.changes.tracked.contains(&then);
        let was_broken = settings.then.as_ref().is_some_and(|it| it.was_broken(&then));
        let is_there = path.symlink_metadata().is_ok();
        let (headline, note) = match (was_there, is_there) {
            (true, true) if was_broken => (
                "this configuration was broken in the revision, so the present one judges",
                NO_RULES_BEFORE,
            ),
            (true, true) => {
                ("this configuration has changed, and its earlier revision judges", AFTER_MERGE)
            }
            (true, false) => (
                "this configuration is gone, and its earlier revision judges",
                "after the merge it judges no more; --diff checks a change by the rules before it",
            ),
            (false, _) if args.load.config.is_some() => {
                ("this configuration is new, and judges all levels", NO_RULES_BEFORE)
            }
            (false, _) => ("this configuration is new, and judges new levels alone", AFTER_MERGE),
        };
        changed_check(path, headline, note)
    }

    /// Returns the path of the file `name` of the repository for a finding.
    fn shown(&self, name: &Path) -> PathBuf {
        let path = self.root().join(name);
        let current = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
        path.strip_prefix(current).map(Path::to_owned).unwrap_or(path)
    }

    /// Reads the file of `--baseline` as it was at the revision. Adds a note to `settings` if it has changed.
    ///
    /// A file that the change adds knows nothing yet. Returns `None` if the present file counts: it is no
    /// file of the repository, or was broken at the revision.
    pub(super) fn baseline(
        &mut self,
        path: &Path,
        settings: &mut Settings,
    ) -> Result<Option<Baseline>, Failure> {
        let Some(name) = settings.then.as_mut().and_then(|then| then.typed_name(path)) else {
            return Ok(None);
        };
        let then = self.changes.name_then(&name);
        let is_there = self.changes.tracked.contains(&then);
        let was = match self.blobs.read(&then, MAX_BASELINE_BYTES) {
            Blob::Content(bytes) => Baseline::decode(&bytes).ok(),
            Blob::TooLarge(_) | Blob::NoFile => None,
            Blob::Missing | Blob::NotFetched if is_there => return Err(lacks(&then)),
            Blob::Missing | Blob::NotFetched => {
                let index = &self.changes.index;
                let is_added = index.paths.contains(&name) && !index.untracked.contains(&name);
                is_added.then(Baseline::default)
            }
        };
        if self.is_changed(&name) && (is_there || was.is_some()) {
            let words = match (&was, is_there) {
                (None, _) => "this baseline was broken in the revision, so the present one counts",
                (Some(_), true) => "this baseline has changed, and its earlier revision counts",
                (Some(_), false) => "this baseline is new, so no finding is known by it",
            };
            let note = if was.is_some() { AFTER_MERGE } else { NO_RULES_BEFORE };
            settings.add_note(changed_check(path, words, note))?;
        }
        Ok(was)
    }

    /// Returns a finding for each level that the revision has and looks at, and that `scope` has not: an
    /// error if it is still there, or else a note.
    fn lost(
        &mut self,
        args: &VerifyArgs,
        asked: &Asked,
        scope: &Scope,
        settings: &mut Settings,
    ) -> Result<Vec<Finding>, Failure> {
        let mut looked = HashSet::new();
        for level in &scope.levels {
            // A renamed level must be a level after the merge, too.
            if let Some(name) = settings.name_of(level)
                && (self.changes.name_then(&name) == name
                    || args.paths.contains(level)
                    || self.present.looks_at(level)?)
            {
                looked.insert(name);
            }
        }
        let changes = Rc::clone(&self.changes);
        let mut open = Vec::new();
        for then in changes.tracked.iter().filter(|path| is_inside(path)) {
            let kind = PathKind::from_path(then);
            let now = changes.name_now(then);
            if !matches!(kind, Some(PathKind::Map | PathKind::Picture))
                || looked.contains(&now)
                || !asked.holds(then)
                || !settings.looked_at(then)?
            {
                continue;
            }
            let read = || match self.blobs.read(then, Limits::default().file_bytes()) {
                Blob::Content(bytes) => Some(bytes),
                _ => None,
            };
            if PathKind::of_level(then, read).is_some() {
                open.push((then, now));
            }
        }
        if open.is_empty() {
            return Ok(Vec::new());
        }
        self.write_levels(settings)?;
        let there = self.levels_then(asked, settings)?;
        let left_out = self.git.left_out().map_err(failed)?;
        let mut findings = Vec::new();
        for (then, now) in open {
            if !there.contains(then) || changes.links.contains(then) {
                continue;
            }
            let path = self.shown(&now);
            let finding = match self.state(then, &now, args, scope) {
                Some(state) => Some(lost_level(&path, &state)),
                None if left_out.contains(&now) && !changes.index.paths.contains(&now) => None,
                None => {
                    let note = "the revision of --diff has it";
                    settings.stated(changed_check(&path, "this level is gone", note))?
                }
            };
            findings.extend(finding);
        }
        Ok(findings)
    }

    /// Says in each finding that only the configuration of the revision gives it, where the change has
    /// altered the configuration of the level. `files` has the checked levels.
    pub(super) fn name_judge(
        &mut self,
        args: &VerifyArgs,
        checked: &mut Checked,
        files: &[(&PathBuf, VerifyOptions)],
        settings: &mut Settings,
    ) -> Result<(), Failure> {
        let mut by_level = HashMap::<PathBuf, Vec<&mut Reported>>::new();
        for it in &mut checked.findings {
            if it.finding.severity != Severity::Note {
                by_level.entry(it.path.clone()).or_default().push(it);
            }
        }
        for (level, judged) in files {
            let name = settings.name_of(level);
            let Some((name, mut found)) = name.and_then(|name| by_level.remove_entry(&name)) else {
                continue;
            };
            let then = self.changes.name_then(&name);
            let configs = configs_above(&name).chain(configs_above(&then));
            let named = args.load.config.as_ref().zip(settings.then.as_mut());
            let named = named.and_then(|(config, then)| then.typed_name(config));
            let mut configs = configs.chain(named);
            // A broken configuration must not be merged.
            if !configs.any(|config| self.is_changed(&config))
                || self.present.broken(level)?.is_some()
            {
                continue;
            }
            let mut report = Report::default();
            if (args.paths.contains(level) || self.present.looks_at(level)?)
                && let Some(options) = self.present.options(level)?
            {
                let options = VerifyOptions { base: judged.base, ..options };
                report = verify_file(level, &options);
            }
            let again = Checked::new([(PathBuf::clone(level), report)], [], |path| {
                settings.name_of(path).unwrap_or(path.to_owned())
            });
            let prints: HashSet<&String> =
                again.findings.iter().map(|it| &it.fingerprint).collect();
            found.retain(|it| !prints.contains(&it.fingerprint));
            for Reported { finding, .. } in found {
                finding.notes.push(
                    "the configuration of the revision gives this, not the present one".into(),
                );
                finding.help =
                    "merge the change of the configuration first, then that of the level".into();
            }
        }
        Ok(())
    }

    /// Returns the files and folders of the repository that the arguments name. A folder that is a link
    /// counts under its own name and under those of its targets, now and at the revision.
    fn asked(&self, args: &VerifyArgs) -> Result<Asked, Failure> {
        let mut folders = Vec::new();
        for typed in &args.paths {
            let target = typed.is_dir().then(|| identity(typed));
            let target =
                target.and_then(|real| real.strip_prefix(self.root()).ok().map(Path::to_owned));
            let name = self.changes.typed(typed);
            let then = name.as_deref().and_then(|name| self.changes.through_links(name));
            for folder in target.into_iter().chain(name).chain(then) {
                folders.push((folder, typed.clone()));
            }
        }
        Ok(Asked { folders, excluded: Excluded::new(&args.exclude)? })
    }

    /// Returns the paths of the levels that a search at the revision finds.
    fn levels_then(
        &self,
        asked: &Asked,
        settings: &Settings,
    ) -> Result<BTreeSet<PathBuf>, Failure> {
        let Some(then) = &settings.then else {
            return Ok(BTreeSet::new());
        };
        let paths = asked.folders.iter().map(|(folder, _)| then.folder.join(folder));
        let paths = paths.filter(|path| path.exists()).collect();
        let args =
            VerifyArgs { paths, exclude: Vec::new(), max_files: usize::MAX, ..then.args.clone() };
        let found = scope(&args, &mut Settings::new(args.clone()), None)?;
        let names = found.levels.iter().filter_map(|level| level.strip_prefix(&then.folder).ok());
        Ok(names.map(Path::to_owned).collect())
    }

    /// Returns in words why the level that was `then` at the revision, and is `now`, is not looked at. `None`
    /// if it is gone.
    fn state(&self, then: &Path, now: &Path, args: &VerifyArgs, scope: &Scope) -> Option<String> {
        let path = self.root().join(now);
        let real = identity(&path);
        let of_file = match path.symlink_metadata() {
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => return None,
                _ => return Some(format!("it cannot be read: {}", io_reason(&error))),
            },
            Ok(of_file) => of_file.file_type(),
        };
        let name = path_in_line(then);
        let home = Repositories::default().root_of(&path);
        Some(match () {
            () if of_file.is_symlink() => "it is a link now".to_owned(),
            () if of_file.is_dir() => "it is a folder now".to_owned(),
            () if then != now => format!("it was `{name}`, in a place that is checked"),
            () if real != path => format!("a folder above `{name}` is a link now"),
            () if home.as_deref() != Some(self.root()) => {
                format!("`{name}` is in a repository of its own now")
            }
            () if !args.paths.iter().any(|typed| real.starts_with(identity(typed))) => {
                "no PATH leads to it any more".to_owned()
            }
            () if !PathKind::is_of_levels(&path) => "its content is no map any more".to_owned(),
            () if scope.ignored.contains(&real) => "a .gitignore names it".to_owned(),
            () => "a map or a mask uses it as its picture, or git is told to ignore it".to_owned(),
        })
    }

    /// Writes the levels of the commit and the files that they use to the temporary folder. A picture that no
    /// changed level needs is written as an empty file, because only its name matters. A second call writes
    /// the pictures that are needed since then.
    fn write_levels(&mut self, settings: &Settings) -> Result<(), Failure> {
        let Some(then) = &settings.then else {
            return Ok(());
        };
        let are_written = std::mem::replace(&mut self.are_written, true);
        let needed = self.needed.iter().map(|now| self.changes.name_then(now));
        let needed: BTreeSet<PathBuf> = needed.collect();
        let (mut bytes_left, mut names_left, mut not_fetched) = (MAX_BYTES, MAX_NAMES, 0);
        // Skips paths that leave the temporary folder, which a hostile commit may contain.
        for path in self.changes.tracked.iter().filter(|path| is_inside(path)) {
            let is_needed = needed.contains(path);
            let kind = PathKind::from_path(path);
            // Keeps JSON files, which may be maps or tilesets.
            let end = path.extension().unwrap_or_default();
            let is_beside_levels = ["json", "tx", "tj"].iter().any(|known| end == *known);
            if !is_needed && kind.is_none() && !is_beside_levels {
                continue;
            }
            let place = then.folder.join(path);
            let is_picture = kind == Some(PathKind::Picture);
            if are_written && !(is_picture && is_needed) {
                continue;
            }
            if is_picture && !is_needed {
                if names_left > 0 {
                    names_left -= 1;
                    then.write(&place, b"")?;
                }
                continue;
            }
            let blob = self.blobs.read(path, Limits::default().file_bytes());
            if kind == Some(PathKind::Map) && !matches!(blob, Blob::Content(_) | Blob::NoFile) {
                // It is a level all the same, which must be looked at.
                then.write(&place, b"")?;
                self.unread.insert(path.clone());
            }
            match blob {
                Blob::Content(bytes) => {
                    let left = bytes_left.checked_sub(bytes.len() as u64);
                    bytes_left = left.ok_or_else(|| {
                        failed("the levels of the revision have more than 4 GiB".to_owned())
                    })?;
                    then.write(&place, &bytes)?;
                }
                Blob::TooLarge(_) | Blob::NoFile => {}
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
        Ok(())
    }
}

/// Returns a note for each file in which a property `bitwall.allow` silences findings of `now` that it did
/// not silence `before`.
pub(super) fn silenced(
    now: Vec<Finding>,
    before: &Baseline,
    in_repository: impl FnMut(&Path) -> PathBuf,
) -> Vec<Finding> {
    let new = Checked::new([], now, in_repository).since(before, |_| false);
    let mut by_file = BTreeMap::<PathBuf, Vec<&'static str>>::new();
    for Reported { finding, .. } in new.findings {
        by_file.entry(finding.path).or_default().push(finding.rule.code);
    }
    let note = |(path, mut codes): (PathBuf, Vec<&str>)| {
        let findings = counted(codes.len() as u64, "finding");
        codes.sort_unstable();
        codes.dedup();
        let headline = format!("`bitwall.allow` silences {findings} here, and did not before");
        changed_check(&path, headline, &format!("of {}", codes.join(", ")))
    };
    by_file.into_iter().map(note).collect()
}

/// What a change of a configuration means, for a note.
const AFTER_MERGE: &str =
    "it counts after the merge; --diff checks a change by the rules before it";

const NO_RULES_BEFORE: &str =
    "the revision has no valid one, by which --diff could check the change";

/// The files and folders of the repository that the arguments name, each with its path as it was typed.
struct Asked {
    folders: Vec<(PathBuf, PathBuf)>,
    excluded: Excluded,
}

impl Asked {
    /// True if the arguments name `file` or a folder above it, and do not exclude it.
    fn holds(&self, file: &Path) -> bool {
        self.folders.iter().any(|(folder, typed)| match file.strip_prefix(folder) {
            Ok(rest) => rest == Path::new("") || !self.excluded.holds(&typed.join(rest)),
            Err(_) => false,
        })
    }

    /// True if the revision, which has the files `tracked`, has a file in a folder that the arguments name
    /// and that `file` is in.
    fn was_there(&self, file: &Path, tracked: &BTreeSet<PathBuf>) -> bool {
        let mut above = self.folders.iter().filter(|(folder, _)| file.starts_with(folder));
        above.any(|(folder, _)| {
            let first = tracked.range(folder.clone()..).next();
            first.is_some_and(|first| first.starts_with(folder))
        })
    }
}

/// Returns the root of the repository whose revision is meant: that of the current folder, if the first path
/// is in it, or else that of the first path. So a folder of the repository that a change makes a repository
/// of its own does not count.
fn root_of(args: &VerifyArgs) -> Option<PathBuf> {
    let mut repositories = Repositories::default();
    let first = args.paths.first()?;
    let here = repositories.root_of(Path::new("."));
    let here = here.filter(|root| typed_in(root, first).is_some());
    here.or_else(|| {
        let file = if first.is_dir() { first.join(CONFIG) } else { first.clone() };
        repositories.root_of(&file)
    })
}
