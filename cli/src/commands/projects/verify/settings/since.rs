//! `--diff REV`: finds the levels that changed since a revision, and checks them as they were at the
//! revision, by the configurations of the revision. What is found there is known.
//!
//! A level has changed if one of these files has: the level, a file that the level names (a tileset,
//! template, picture, or map of a world), or the art of a mask. A changed configuration is a note: it judges
//! after the merge, so that a change cannot switch its own check off. Renames are those that git finds.
//!
//! Git reads the files of the revision into memory. Nothing is checked out, so no hook and no filter of the
//! repository runs.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::commands::Failure;
use crate::commands::projects::verify::settings::{Settings, decode};
use crate::commands::projects::verify::{Repositories, Scope, VerifyArgs, on_all_cores};
use crate::commands::projects::{Changes, Commit, CommitFiles, identity, real_folder};
use crate::git::Git;
use crate::lint::rules::changed_check;
use crate::lint::{
    Baseline, Checked, Report, VerifyOptions, arts_beside, verify_bytes_with, verify_config,
};
use bitwall::error::LoadErrorKind;
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{CONFIG, root_of};
use bitwall::paths::plain;
use bitwall::text::{printable, printable_path};

pub(in crate::commands::projects::verify) struct Since {
    commit: Arc<Commit>,
    changes: Changes,
}

impl Since {
    /// Finds the changes since `revision`.
    pub(in crate::commands::projects::verify) fn new(
        revision: &str,
        args: &VerifyArgs,
    ) -> Result<Self, Failure> {
        let root = Repositories::default().root_of(&args.paths[0].join(CONFIG));
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
        let changes = Changes::in_tree(Arc::clone(&commit), root, index);
        Ok(Self { commit, changes })
    }

    /// The real path of the repository.
    fn root(&self) -> &Path {
        &self.commit.top
    }

    /// Returns the path of a file in the repository; `None` for a file outside of it.
    fn name_of(&self, path: &Path) -> Option<PathBuf> {
        let real = real_folder(path).join(path.file_name()?);
        real.strip_prefix(self.root()).ok().map(Path::to_owned)
    }

    /// Returns the present path of the file that a configuration of the revision names.
    pub(super) fn now(&self, path: &Path) -> PathBuf {
        match self.name_of(&plain(path)) {
            Some(name) => self.root().join(self.changes.now(&name)),
            None => path.to_owned(),
        }
    }

    /// Returns the paths of the configurations of the revision in and above the folder of `path`, the nearest
    /// first; `None` for a file outside of the repository.
    pub(super) fn configs_above(&self, path: &Path) -> Option<Vec<PathBuf>> {
        let name = self.name_of(path)?;
        let configs = name.ancestors().skip(1).map(|folder| folder.join(CONFIG));
        let configs = configs.filter(|name| self.commit.paths.contains(self.config_then(name)));
        Some(configs.map(|name| self.root().join(name)).collect())
    }

    /// Returns the path that the configuration `name` had at the revision. It differs only if its whole
    /// folder was renamed: a configuration that is moved into a folder of levels does not judge them.
    fn config_then<'p>(&'p self, name: &'p Path) -> &'p Path {
        let then = self.changes.then(name);
        let folder = then.parent().map(|folder| self.root().join(folder));
        if folder.is_some_and(|folder| !folder.exists()) { then } else { name }
    }

    /// Returns the content of the configuration at `path` in the revision. `None` if the revision has none,
    /// or a broken one, so that the present one judges.
    pub(super) fn config(&self, path: &Path) -> Result<Option<Vec<u8>>, Failure> {
        let Some(name) = self.name_of(path) else {
            return Ok(None);
        };
        let then = self.config_then(&name);
        let is_there = self.commit.paths.contains(then);
        match self.commit.read(then, CONFIG_BYTES) {
            Ok(bytes) if decode(path, &bytes).is_ok() => Ok(Some(bytes)),
            // A link that leads nowhere is a broken configuration.
            Err(LoadErrorKind::Io(error))
                if is_there && error.kind() != ErrorKind::IsADirectory =>
            {
                let name = printable_path(then);
                Err(failed(format!(
                    "the repository lacks `{name}` as it was in the revision, which judges the change; \
                     clone with all files"
                )))
            }
            _ => Ok(None),
        }
    }

    /// Removes the unchanged levels and configurations from `scope`, adds the changed configurations, and
    /// notes these in `settings`. Returns what is found in the changed levels as they were at the revision.
    pub(in crate::commands::projects::verify) fn before(
        &self,
        scope: &mut Scope,
        settings: &mut Settings,
    ) -> Result<Baseline, Failure> {
        let mut files = Vec::new();
        let mut are_judged = true;
        for level in std::mem::take(&mut scope.levels) {
            let options = settings.options(&level)?;
            let art = options.as_ref().and_then(|options| options.art.as_deref());
            if self.has_changed(&level, art) {
                are_judged &= options.is_some();
                files.extend(self.level_then(&level, settings)?);
                scope.levels.push(level);
            }
        }
        let commit = &self.commit;
        let reports =
            on_all_cores("checking", &files, |(path, options)| verify_then(commit, path, options));
        let paths = files.into_iter().map(|(path, _)| path);
        let mut reports: Vec<(PathBuf, Report)> = paths.zip(reports).collect();
        self.changed_configs(scope, settings);
        // A broken configuration that judges is reported already. It is known if it has not changed, and if
        // no changed level needs it.
        settings.findings.retain(|finding| !are_judged || scope.configs.contains(&finding.path));
        let broken: Vec<PathBuf> = settings.findings.iter().map(|it| it.path.clone()).collect();
        for path in &scope.configs {
            if self.name_of(path).is_none() {
                continue;
            }
            let earlier = self.config(path)?;
            let words = if earlier.is_some() {
                "has changed, and its earlier revision judges"
            } else {
                "is new or was broken; a bitwall.toml judges after the merge, a file of --config now"
            };
            let headline = format!("this configuration {words}");
            settings.add_note(changed_check(path, headline))?;
            if let Some(bytes) = earlier {
                let (verify, _) = decode(path, &bytes)?;
                reports.push((path.clone(), verify_config(path, Ok(&verify))));
            }
        }
        let known = Checked::new(reports, [], |path| self.name_now(path));
        scope.configs.retain(|path| path.symlink_metadata().is_ok() && !broken.contains(path));
        Ok(Baseline::new(&known))
    }

    /// Returns the path of `level` at the revision and the options of its check there. `None` if it was no
    /// level there: then no finding in it is known.
    fn level_then(
        &self,
        level: &Path,
        settings: &mut Settings,
    ) -> Result<Option<(PathBuf, VerifyOptions)>, Failure> {
        let Some(name) = self.name_of(level) else {
            return Ok(None);
        };
        let then = self.changes.then(&name);
        let path = self.root().join(then);
        let was_looked_at = then == name || settings.judge(&path)?.looks_at(&path);
        if !self.commit.paths.contains(then) || !was_looked_at {
            return Ok(None);
        }
        Ok(settings.options(&path)?.map(|mut options| {
            options.art = options.art.and_then(|art| self.art_then(art));
            options.load.root.get_or_insert_with(|| root_of(&real_folder(level)));
            (path, options)
        }))
    }

    /// Returns the path of a picture at the revision; `None` if the revision lacks it. A picture outside of
    /// the repository has no earlier version.
    fn art_then(&self, art: PathBuf) -> Option<PathBuf> {
        let Some(name) = self.name_of(&art) else {
            return Some(art);
        };
        let then = self.changes.then(&name);
        self.commit.paths.contains(then).then(|| self.root().join(then))
    }

    /// Returns the current path in the repository of a file at a path at the revision.
    fn name_now(&self, path: &Path) -> PathBuf {
        let path = plain(path);
        match path.strip_prefix(self.root()) {
            Ok(then) => self.changes.now(then).to_owned(),
            Err(_) => path,
        }
    }

    /// True if `level` or a file that it needs has changed since the revision, or if this lacks the level.
    fn has_changed(&self, level: &Path, art: Option<&Path>) -> bool {
        let Some(name) = self.name_of(level).filter(|name| self.commit.paths.contains(name)) else {
            return true;
        };
        let mut open: Vec<PathBuf> = arts_beside(&name).map(|path| plain(&path)).collect();
        open.extend(art.and_then(|art| self.name_of(art)));
        !self.changes.changed_files(&name, open, false).is_empty()
    }

    /// Puts the changed configurations into `scope`: those that the arguments name, and those that apply to
    /// the files and folders that they name.
    fn changed_configs(&self, scope: &mut Scope, settings: &Settings) {
        let args = &settings.args;
        let asked: Vec<PathBuf> = args.paths.iter().map(|path| identity(path)).collect();
        let mut configs = BTreeSet::new();
        if !args.load.no_config && args.load.config.is_none() {
            let [before, after] = &self.changes.files;
            let names = before
                .iter()
                .map(|then| self.changes.now(then))
                .chain(after.iter().map(PathBuf::as_path));
            for name in names.filter(|name| name.file_name() == Some(OsStr::new(CONFIG))) {
                let path = self.root().join(name);
                let folder = path.parent().unwrap_or(self.root());
                if asked.iter().any(|it| it.starts_with(folder) || folder.starts_with(it)) {
                    configs.insert(path);
                }
            }
        }
        configs.extend(args.load.config.as_ref().filter(|it| self.name_of(it).is_some()).cloned());
        configs.retain(|path| !scope.configs.iter().any(|typed| identity(typed) == *path));
        scope.configs.extend(configs);
        let is_changed =
            |path: &PathBuf| self.name_of(path).is_none_or(|name| self.changes.is_changed(&name));
        scope.configs.retain(is_changed);
    }
}

/// Checks the level at `path` as it is in the commit.
fn verify_then(commit: &Arc<Commit>, path: &Path, options: &VerifyOptions) -> Report {
    let limit = options.load.limits.file_bytes();
    let root = options.load.root.as_ref().map(|root| identity(root));
    let files = CommitFiles { root, art: options.art.clone(), ..CommitFiles::new(commit, limit) };
    match commit.read(path, limit) {
        Ok(bytes) => verify_bytes_with(path, &bytes, files, options),
        // It is too large, or the clone lacks it; no finding in it is known.
        Err(_) => Report::default(),
    }
}

fn failed(reason: String) -> Failure {
    format!("--diff: {reason}").into()
}
