//! `--diff REV`: finds the levels that changed since a revision, and checks them as they were at the
//! revision. Reports the levels of the revision that are not looked at any more.
//!
//! A level has changed if one of these files has: the level, a file that the level names (a tileset,
//! template, picture, or map of a world), or the art of a mask. A changed level is verified again as it was
//! at the revision, under its old name; the findings of that check are the baseline. The configurations of
//! the revision judge both states; see [`Then`]. A changed configuration is a note.
//!
//! Git reads the files of the revision into memory. Nothing is checked out, so no hook and no filter of the
//! repository runs.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::commands::Failure;
use crate::commands::projects::verify::settings::{Settings, Then, failed, is_config, typed_in};
use crate::commands::projects::verify::{Repositories, Scope, VerifyArgs, on_all_cores};
use crate::commands::projects::{
    Changes, Commit, CommitFiles, Excluded, PathKind, identity, is_inside, pictures_in,
};
use crate::git::{Blob, Git};
use crate::lint::rules::{changed_check, lost_level};
use crate::lint::{
    Baseline, Checked, Finding, Report, Reported, Severity, VerifyOptions, arts_beside,
    verify_bytes_with,
};
use bitwall::Limits;
use bitwall::load::CONFIG;
use bitwall::load::config::CONFIG_BYTES;
use bitwall::paths::plain;
use bitwall::text::{counted, path_in_line, printable, printable_path};

/// The results for the changed levels as they were at an earlier revision.
pub(in crate::commands::projects::verify) struct Before {
    pub(in crate::commands::projects::verify) findings: Baseline,
    /// The findings that a property `bitwall.allow` silenced there.
    pub(in crate::commands::projects::verify) silenced: Baseline,
}

/// The largest number of files that are visited for one level.
const MAX_FILES: usize = 10_000;

pub(in crate::commands::projects::verify) struct Since {
    git: Git,
    commit: Arc<Commit>,
    changes: Rc<Changes>,
}

impl Since {
    /// Finds the changes since `revision`, and the configurations of that revision.
    pub(in crate::commands::projects::verify) fn new(
        revision: &str,
        args: &VerifyArgs,
    ) -> Result<(Self, Then), Failure> {
        let root = root_of(args);
        let root = root.ok_or_else(|| failed("the levels are in no repository".to_owned()))?;
        let git = Git::new(root.clone());
        if !git.has_work_tree().map_err(failed)? {
            let name = printable_path(&root);
            return Err(failed(format!(
                "the repository in {name} is bare: it has no working tree"
            )));
        }
        let name = printable(revision);
        let commit = git.commit(revision).map_err(failed)?.ok_or_else(|| {
            failed(format!(
                "there is no revision `{name}` here; in a CI job, fetch it first (a shallow clone has only \
                 one)"
            ))
        })?;
        let merge_base = git.merge_base(&commit).map_err(failed)?;
        if merge_base.is_none() {
            let _ = writeln!(
                anstream::stderr(),
                "--diff: the current commit and `{name}` have no common ancestor here, so `{name}` itself \
                 counts; in a CI job, fetch the whole history"
            );
        }
        let id = merge_base.unwrap_or(commit);
        let commit = Commit::open(root.clone(), &id).map_err(failed)?;
        let index = git.changed_since(&id, None).map_err(failed)?;
        let changes = Rc::new(Changes::in_tree(Arc::clone(&commit), root, index));
        let named = args.load.config.as_deref();
        let then = Then::new(Arc::clone(&commit), Rc::clone(&changes), named)?;
        Ok((Self { git, commit, changes }, then))
    }

    pub(in crate::commands::projects::verify) fn root(&self) -> &Path {
        &self.commit.top
    }

    /// Removes the unchanged levels from `scope`, and checks the changed ones as they were at the revision.
    /// The findings of `settings` become those about the change itself: lost levels, and configurations.
    pub(in crate::commands::projects::verify) fn before(
        &self,
        scope: &mut Scope,
        settings: &mut Settings,
    ) -> Result<Before, Failure> {
        let asked = self.asked(settings)?;
        let lost = self.lost(&asked, scope, settings)?;
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
        self.check_configs(scope, settings, &broken)?;

        let mut files = Vec::new();
        for (level, art) in changed {
            let Some(then) = self.level_then(&level, &asked, settings)? else {
                continue;
            };
            let Some(mut options) = settings.options_then(&then)? else {
                continue;
            };
            if let Some(art) = art.filter(|art| settings.name_of(art).is_none()) {
                // Art outside the repository has no earlier version; the current file is used.
                options.art = Some(art);
            } else if settings.args.art.is_some() {
                options.art = options.art.filter(|art| {
                    let name = art.strip_prefix(self.root()).unwrap_or(art);
                    self.changes.states[0].level_file(name).is_some()
                });
            }
            files.push((self.root().join(then), options));
        }
        let commit = &self.commit;
        let mut reports = on_all_cores("checking", &files, |_, (path, options)| {
            verify_then(commit, path, options)
        });
        let mut silenced: Vec<Finding> = Vec::new();
        for report in &mut reports {
            silenced.append(&mut report.silenced);
        }
        self.tell_lacking();
        let paths = files.iter().map(|(path, _)| path.clone());
        let name = |path: &Path| self.name_now(path);
        let findings = Baseline::new(&Checked::new(paths.zip(reports), [], name));
        let silenced = Baseline::new(&Checked::new([], silenced, name));
        Ok(Before { findings: findings.of_revision(), silenced })
    }

    /// Returns the current path in the repository of a file at a path at the revision.
    fn name_now(&self, path: &Path) -> PathBuf {
        let path = plain(path);
        match path.strip_prefix(self.root()) {
            Ok(then) => self.changes.now(then).to_owned(),
            Err(_) => path,
        }
    }

    fn tell_lacking(&self) {
        let lacking = self.commit.lacking.lock().map_or(0, |lacking| lacking.len());
        if lacking > 0 {
            let files = counted(lacking as u64, "file");
            let _ = writeln!(
                anstream::stderr(),
                "--diff: the repository has not fetched {files} of the revision, so all that is found there \
                 is new; run `git lfs fetch` for it, or clone with all files"
            );
        }
    }

    /// Returns the path of `level` at the revision. `None` if it was no level there that the arguments name,
    /// unless they name a folder that is new: then no finding in it is known.
    fn level_then(
        &self,
        level: &Path,
        asked: &Asked,
        settings: &mut Settings,
    ) -> Result<Option<PathBuf>, Failure> {
        let Some(name) = settings.name_of(level) else {
            return Ok(None);
        };
        let then = self.changes.then(&name).to_owned();
        let was_level = then == name
            || settings.args.paths.iter().any(|path| path == level)
            // A folder that the arguments name may be new, for example renamed.
            || (asked.holds(&then) || !asked.was_there(&name, &self.commit.tree.paths))
                && settings.looked_at(&then)?;
        let was_there = was_level && self.changes.states[0].level_file(&then).is_some();
        Ok(was_there.then_some(then))
    }

    /// True if `level` or a file that it needs has changed since the commit of the comparison, or if this
    /// commit lacks the level.
    fn has_changed(&self, level: &Path, art: Option<&Path>, settings: &mut Settings) -> bool {
        let Some(level) = settings.name_of(level) else {
            return true;
        };
        if !self.commit.tree.paths.contains(&level) {
            return true;
        }
        let mut open: Vec<PathBuf> = arts_beside(&level).map(|path| plain(&path)).collect();
        if let Some(art) = art {
            // The art under its own name and, behind links, under that of its target.
            open.extend(typed_in(self.root(), art));
            open.extend(settings.name_of(art));
        }
        open.extend(self.changes.type_files(&level).cloned());
        open.push(level);
        let mut known: BTreeSet<PathBuf> = open.iter().cloned().collect();
        while let Some(path) = open.pop() {
            if self.changes.is_changed(&path) {
                return true;
            }
            for file in self.changes.references(&path).iter() {
                if known.len() < MAX_FILES && known.insert(file.path.clone()) {
                    open.push(file.path.clone());
                }
            }
        }
        false
    }

    /// Returns the configurations, also deleted ones, that apply to the files and folders that the arguments
    /// name.
    fn configs_asked(&self, settings: &mut Settings) -> Vec<PathBuf> {
        let args = &settings.args;
        if args.load.no_config {
            return Vec::new();
        }
        if let Some(config) = &args.load.config {
            let then = settings.then.as_mut();
            return then.and_then(|then| then.typed_name(config)).into_iter().collect();
        }
        let asked: Vec<PathBuf> = args.paths.iter().map(|path| identity(path)).collect();
        let [before, after] = &self.changes.files;
        let mut found: Vec<PathBuf> = before.union(after).cloned().collect();
        found.retain(|config| {
            let folder = self.root().join(config.parent().unwrap_or(Path::new("")));
            // A deleted folder has no levels.
            is_config(config)
                && folder.is_dir()
                && asked.iter().any(|path| {
                    path.starts_with(&folder) || path.is_dir() && folder.starts_with(path)
                })
        });
        found
    }

    /// Adds to `settings` a note for each changed configuration, and its present findings as notes, because
    /// it counts after the merge. `judging` has the paths of broken configurations that judge changed levels,
    /// because the revision has no valid one there; their findings are errors.
    fn check_configs(
        &self,
        scope: &mut Scope,
        settings: &mut Settings,
        judging: &BTreeSet<PathBuf>,
    ) -> Result<(), Failure> {
        for path in judging {
            let found = settings.check(path)?.findings;
            settings.findings.extend(found);
        }
        let mut named = BTreeMap::new();
        for path in std::mem::take(&mut scope.configs) {
            named.insert(settings.name_of(&path).unwrap_or(path.clone()), path);
        }
        let mut open = named.clone();
        for config in self.configs_asked(settings) {
            open.entry(config.clone()).or_insert(self.shown(&config));
        }
        for (config, path) in open {
            if !self.changes.is_changed(&config) && settings.name_of(&path).is_some() {
                continue;
            }
            settings.add_note(self.config_note(&config, &path, settings))?;
            if path.symlink_metadata().is_ok() && !judging.contains(&self.root().join(&config)) {
                for mut finding in settings.check(&path)?.findings {
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

    fn config_note(&self, config: &Path, path: &Path, settings: &Settings) -> Finding {
        let then = self.changes.then(config);
        let words = if settings.then.as_ref().is_some_and(|it| it.broken.contains(then)) {
            "was broken in the revision, so the present one judges"
        } else if self.commit.tree.paths.contains(then) {
            "has changed, and its earlier revision judges"
        } else if settings.args.load.config.is_some() {
            "is new, and judges all levels"
        } else {
            "is new, and judges new levels alone"
        };
        changed_check(path, format!("this configuration {words}"), AFTER_MERGE)
    }

    /// Returns the path of the file `name` of the repository for a finding.
    fn shown(&self, name: &Path) -> PathBuf {
        let path = self.root().join(name);
        let current = std::env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
        path.strip_prefix(current).map(Path::to_owned).unwrap_or(path)
    }

    /// Returns a finding for each level that the revision has and looks at, and that `scope` has not: an
    /// error if it is still there, or else a note.
    fn lost(
        &self,
        asked: &Asked,
        scope: &Scope,
        settings: &mut Settings,
    ) -> Result<Vec<Finding>, Failure> {
        let mut looked = HashSet::new();
        for level in &scope.levels {
            // A renamed level must be a level after the merge, too.
            if let Some(name) = settings.name_of(level)
                && (self.changes.then(&name) == name
                    || settings.args.paths.contains(level)
                    || settings.looks_at_now(level)?)
            {
                looked.insert(name);
            }
        }
        let search = Search::new(&self.commit);
        let mut open = Vec::new();
        for then in &self.commit.tree.paths {
            let kind = PathKind::from_path(then);
            let now = self.changes.now(then);
            if matches!(kind, Some(PathKind::Map | PathKind::Picture))
                && !looked.contains(now)
                && asked.holds(then)
                && search.finds(then)
                && settings.looked_at(then)?
                && PathKind::of_level(then, || self.changes.states[0].level_file(then)).is_some()
            {
                open.push((then, now));
            }
        }
        if open.iter().any(|(then, _)| PathKind::from_path(then) == Some(PathKind::Picture)) {
            let of_others = search.pictures_of_others();
            let arts: BTreeSet<PathBuf> = settings.arts().collect();
            let mut masks = Vec::new();
            for (then, now) in open {
                let is_of_other = of_others.contains(then) || arts.contains(&self.root().join(now));
                if !is_of_other || settings.was_in_pair(then)? {
                    masks.push((then, now));
                }
            }
            open = masks;
        }
        if open.is_empty() {
            return Ok(Vec::new());
        }
        let left_out = self.git.left_out().map_err(failed)?;
        let mut findings = Vec::new();
        for (then, now) in open {
            let path = self.shown(now);
            if let Some(state) = self.state(then, now, &settings.args) {
                findings.push(lost_level(&path, &state));
            } else if !left_out.contains(now) || self.changes.is_listed(now) {
                let note = "the revision of --diff has it";
                let note = changed_check(&path, "this level is gone", note);
                findings.extend(settings.stated(note)?);
            }
        }
        Ok(findings)
    }

    /// Returns the files and folders of the repository that the arguments name. A folder that is a link
    /// counts under its own name and under those of its targets, now and at the revision.
    fn asked(&self, settings: &Settings) -> Result<Asked, Failure> {
        let mut folders = Vec::new();
        for typed in &settings.args.paths {
            let name = typed_in(self.root(), typed);
            let then = settings.then.as_ref().zip(name.as_ref());
            let then = then.and_then(|(then, name)| then.through_links(name));
            let target = identity(typed);
            let now = target.strip_prefix(self.root()).ok().filter(|_| typed.is_dir());
            let names = [name, then, now.map(Path::to_owned)].into_iter().flatten();
            folders.extend(names.map(|name| (name, typed.clone())));
        }
        Ok(Asked { folders, excluded: Excluded::new(&settings.args.exclude)? })
    }

    /// Returns in words why the level that was `then` at the revision, and is `now`, is not looked at. `None`
    /// if it is gone.
    fn state(&self, then: &Path, now: &Path, args: &VerifyArgs) -> Option<String> {
        let path = self.root().join(now);
        let real = identity(&path);
        let metadata = path.symlink_metadata().ok()?;
        let is_own = Repositories::default().root_of(&path).as_deref() == Some(self.root());
        let words = if then != now {
            return Some(format!("it was `{}`, in a place that is checked", path_in_line(then)));
        } else if !metadata.is_file() || real != path || !is_own {
            "it, or a folder above it, is a link, a folder or a repository of its own now"
        } else if !args.paths.iter().any(|typed| real.starts_with(identity(typed))) {
            "no PATH leads to it any more"
        } else if !PathKind::is_of_levels(&path) {
            "its content is no map any more"
        } else {
            "git is told to ignore it, or a map or a mask uses it as its picture"
        };
        Some(words.to_owned())
    }
}

/// Checks the level at `path` as it is in the commit.
fn verify_then(commit: &Arc<Commit>, path: &Path, options: &VerifyOptions) -> Report {
    let limit = options.load.limits.file_bytes();
    let root = options.load.root.as_ref().map(|root| identity(root));
    let files = CommitFiles { root, art: options.art.clone(), ..CommitFiles::new(commit, limit) };
    match commit.read(path, limit) {
        Ok(bytes) => verify_bytes_with(path, &bytes, files, options),
        // It is too large; no finding in it is known.
        Err(_) => Report::default(),
    }
}

/// A search for levels in a commit.
struct Search<'c> {
    commit: &'c Arc<Commit>,
    /// The patterns of each `.gitignore`, by its folder.
    ignored: HashMap<PathBuf, Gitignore>,
}

impl<'c> Search<'c> {
    fn new(commit: &'c Arc<Commit>) -> Self {
        let mut ignored = HashMap::new();
        for path in &commit.tree.paths {
            if path.file_name() == Some(OsStr::new(".gitignore"))
                && let Blob::Content(text) = commit.blob(path, CONFIG_BYTES)
            {
                let mut builder = GitignoreBuilder::new("");
                for line in String::from_utf8_lossy(&text).lines() {
                    // Git ignores a line that is no pattern, too.
                    let _ = builder.add_line(None, line);
                }
                let folder = path.parent().unwrap_or(Path::new("")).to_owned();
                ignored.extend(builder.build().ok().map(|patterns| (folder, patterns)));
            }
        }
        Self { commit, ignored }
    }

    /// True if the search finds the file: it is no link, is not hidden, and no `.gitignore` names it.
    fn finds(&self, name: &Path) -> bool {
        let is_hidden =
            name.components().any(|part| part.as_os_str().as_encoded_bytes()[0] == b'.');
        is_inside(name)
            && !is_hidden
            && !self.commit.tree.links.contains_key(name)
            && !self.is_ignored(name)
    }

    fn is_ignored(&self, name: &Path) -> bool {
        for folder in name.ancestors().skip(1) {
            if let Some(patterns) = self.ignored.get(folder)
                && let Ok(below) = name.strip_prefix(folder)
            {
                let found = patterns.matched_path_or_any_parents(below, false);
                // The nearest file that says something decides.
                if !found.is_none() {
                    return found.is_ignore();
                }
            }
        }
        false
    }

    /// Returns the pictures that the maps and tilesets name, and the art of the masks.
    fn pictures_of_others(&self) -> BTreeSet<PathBuf> {
        let mut pictures = BTreeSet::new();
        let paths = &self.commit.tree.paths;
        for path in paths.iter().filter(|path| self.finds(path)) {
            match PathKind::from_path(path) {
                Some(PathKind::Picture) => {
                    pictures.extend(arts_beside(path).find(|art| paths.contains(&plain(art))));
                }
                Some(_) => {
                    let limit = Limits::default().file_bytes();
                    if let Blob::Content(bytes) = self.commit.blob(path, limit) {
                        pictures.extend(pictures_in(path, &bytes));
                    }
                }
                None => {}
            }
        }
        pictures.iter().map(|path| plain(path)).collect()
    }
}

/// Returns a note for each file in which a property `bitwall.allow` silences findings of `now` that it did
/// not silence `before`.
pub(in crate::commands::projects::verify) fn silenced(
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
    "--diff checks by the rules before it, so a level that needs it belongs in a later change";

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
