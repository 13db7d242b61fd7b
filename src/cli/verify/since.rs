//! `--diff REV`: the levels that changed since a revision, and the findings that these had there.
//!
//! A level has changed if its file has, or one that it names (a tileset, a template, a picture, a map of a
//! world, the art of a mask), or its `bitwall.toml`. Each changed level is checked as it was at the revision,
//! with its files of then, in a folder for this run; the findings of then are a baseline.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::git::{Blobs, Git};
use super::repository::Repositories;
use super::settings::Settings;
use super::{VerifyArgs, check};
use crate::Limits;
use crate::cli::Failure;
use crate::cli::output::Scratch;
use crate::error::io_reason;
use crate::load::disk::{Links, read_file};
use crate::load::{ReferenceKind, references};
use crate::paths::plain;
use crate::tmx::files_named;
use crate::verify::{Baseline, Checked, arts_beside};

/// The largest number of files that belong to one level.
const MAX_FILES: usize = 10_000;

/// The name of the files with options.
const CONFIG: &str = "bitwall.toml";

/// A revision to compare with.
pub(super) struct Since {
    git: Git,
    root: PathBuf,
    commit: String,
    changed: BTreeSet<PathBuf>,
}

impl Since {
    /// The revision of this name, in the repository at `root`.
    pub(super) fn new(revision: &str, root: PathBuf) -> Result<Self, Failure> {
        let git = Git::of(root.clone());
        let commit = git.base(revision)?;
        let changed = git.changed_since(&commit)?;
        Ok(Self { git, root, commit, changed })
    }

    /// True if a level has changed. One outside the repository always has.
    pub(super) fn has_changed(&self, level: &Path, repositories: &mut Repositories) -> bool {
        if !self.holds(level, repositories) {
            return true;
        }
        let limit = Limits::default().file_bytes;
        let in_repository = repositories.path_in(level);
        let mut found = configs_above(&in_repository).any(|path| self.changed.contains(&path));
        files_of(level, |path| {
            found = found || self.changed.contains(&repositories.path_in(path));
            match found {
                true => None,
                false => read_file(path, Links::Followed, limit).ok(),
            }
        });
        found
    }

    /// True for a level in the repository.
    fn holds(&self, level: &Path, repositories: &mut Repositories) -> bool {
        repositories.root_of(level).as_ref() == Some(&self.root)
    }

    /// The findings that levels had at the revision.
    pub(super) fn baseline(
        &self,
        levels: &[PathBuf],
        args: &VerifyArgs,
        repositories: &mut Repositories,
    ) -> Result<Baseline, Failure> {
        let scratch = Scratch::new()?;
        // The real path, as the configurations are found by.
        let folder = fs::canonicalize(scratch.path()).map_err(|error| unwritten(&error))?;
        // It ends the search for a configuration, as the repository does.
        scratch.write(Path::new(".git/HEAD"), b"").map_err(|error| unwritten(&error))?;
        let mut blobs = self.git.files_of(&self.commit)?;
        let mut there = Vec::new();
        for level in levels {
            let in_repository = repositories.path_in(level);
            let is_in = self.holds(level, repositories) && is_below(&in_repository);
            if is_in && export(&mut blobs, &in_repository, &scratch)? {
                there.push(folder.join(in_repository));
            }
        }
        let mut settings = Settings::new(args);
        let mut files = Vec::new();
        for path in &there {
            if let Some(options) = settings.options(path)? {
                files.push((path, options));
            }
        }
        let reports = check(&files, None);
        let paths = files.iter().map(|(path, _)| PathBuf::clone(path));
        let checked = Checked::new(paths.zip(reports), [], |path| {
            path.strip_prefix(&folder).unwrap_or(path).to_owned()
        });
        Ok(Baseline::of(&checked))
    }
}

/// Writes a level of the revision, its files and its configurations into `scratch`. False if it was not
/// there.
fn export(blobs: &mut Blobs, level: &Path, scratch: &Scratch) -> Result<bool, Failure> {
    let limit = Limits::default().file_bytes;
    let mut failed = None;
    let mut is_there = false;
    let mut copy = |path: &Path| {
        let path = plain(path);
        if !is_below(&path) {
            return None;
        }
        let bytes = blobs.read(&path, limit)?;
        is_there |= path == level;
        if let Err(error) = scratch.write(&path, &bytes) {
            failed = Some(error);
        }
        Some(bytes)
    };
    files_of(level, &mut copy);
    for config in configs_above(level) {
        copy(&config);
    }
    match failed {
        Some(error) => Err(unwritten(&error)),
        None => Ok(is_there),
    }
}

fn unwritten(error: &std::io::Error) -> Failure {
    let reason = io_reason(error);
    Failure::Other(format!("--diff: cannot write the files of the revision: {reason}"))
}

/// Calls `read` for a level and each file that it names, and that those name, each once.
fn files_of(level: &Path, mut read: impl FnMut(&Path) -> Option<Vec<u8>>) {
    let mut known = BTreeSet::from([plain(level)]);
    let mut open = vec![level.to_owned()];
    while let Some(path) = open.pop() {
        let Some(bytes) = read(&path) else {
            continue;
        };
        let named = files_named(&path, &bytes).into_iter().map(|(path, _)| path);
        let of_world = references(&path, &bytes).into_iter();
        let of_world = of_world.filter(|file| file.kind != ReferenceKind::Folder);
        let art = arts_beside(&path);
        for path in named.chain(of_world.map(|file| file.path)).chain(art) {
            if known.len() < MAX_FILES && known.insert(plain(&path)) {
                open.push(path);
            }
        }
    }
}

/// The places of a level's configurations, by its path in the repository: its folder and those above it.
fn configs_above(level: &Path) -> impl Iterator<Item = PathBuf> {
    level.ancestors().skip(1).map(|folder| folder.join(CONFIG))
}

/// True for a path that leads nowhere else.
fn is_below(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}
