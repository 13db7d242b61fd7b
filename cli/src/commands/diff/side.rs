//! One of the two levels of a comparison: a file, or a file in a git revision. Git runs without a shell, and
//! nothing is checked out.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::commands::Failure;
use crate::commands::level_args::{LevelFile, LoadArgs};
use crate::commands::snapshot::{Commit, CommitFiles, Snapshot};
use crate::git::{Blob, Git};
use bitwall::error::{LoadErrorKind, Place};
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{CONFIG, Disk, Files};
use bitwall::paths::plain;
use bitwall::text::{printable, printable_path};
use bitwall::{LoadError, LoadOptions, LoadedLevel};

/// Returns the nearest `bitwall.toml` that the commit has in or above the folder of `path`, and its content.
pub(super) fn config_of(commit: &Commit, path: &Path) -> Option<(PathBuf, Vec<u8>)> {
    path.ancestors().skip(1).find_map(|folder| {
        let config = folder.join(CONFIG);
        match commit.blob(&config, CONFIG_BYTES) {
            Blob::Content(bytes) => Some((config, bytes)),
            _ => None,
        }
    })
}

pub(super) struct LevelSide {
    /// The argument as typed, such as `HEAD:maps/cave.tmx`. Messages use this name.
    typed: PathBuf,
    /// The level's file. For a revision, its path is relative to the root of the repository.
    file: LevelFile,
    /// The commit that has the file; `None` for a file on the disk.
    commit: Option<Arc<Commit>>,
}

impl LevelSide {
    /// Creates one of the two levels to compare, from the level `name` of a project.
    pub(super) fn at(name: &Path, state: &Snapshot) -> Self {
        let path = state.path(name);
        let commit = match state {
            Snapshot::Commit(commit) => Some(Arc::clone(commit)),
            Snapshot::Disk(_) => None,
        };
        Self { typed: path.clone(), file: LevelFile::on_disk(path), commit }
    }

    /// Creates one of the two levels to compare, from an argument: an existing file, `REV:PATH`, or `-` for
    /// standard input. `stdin` has the path and bytes for `-`.
    pub(super) fn new(
        argument: &Path,
        stdin: Option<&(PathBuf, Vec<u8>)>,
    ) -> Result<Self, Failure> {
        let stdin = stdin.filter(|_| argument == Path::new("-")).cloned();
        let typed = argument.to_string_lossy();
        let parts = typed.split_once(':').filter(|(revision, path)| {
            // One letter before the colon is a Windows drive.
            revision.chars().count() > 1 && !path.is_empty()
        });
        let here = Git::new(PathBuf::from("."));
        let is_file = stdin.is_none() && argument.exists();
        if let Some((revision, path)) = parts.filter(|_| is_file)
            && here.commit(revision).is_ok_and(|commit| commit.is_some())
        {
            let name = printable_path(argument);
            let revision = printable(revision);
            let path = printable(path);
            return Err(Failure::at(
                argument,
                format!(
                    "this is a file of a revision, and a file is named so; write ./{name} for the file, or \
                     {revision}^0:{path} for the file of the revision"
                ),
            ));
        }
        let Some((revision, path)) = parts.filter(|_| stdin.is_none() && !is_file) else {
            let file = match stdin {
                Some((path, bytes)) => LevelFile { path, bytes: Some(bytes) },
                None => LevelFile::on_disk(argument),
            };
            return Ok(Self { typed: argument.to_owned(), file, commit: None });
        };
        if revision.starts_with('-') {
            return Err(Failure::at(argument, "a revision does not start with a dash"));
        }
        let found = in_revision(&here, revision, path);
        let (file, commit) = found.map_err(|reason| Failure::at(argument, reason))?;
        let file = LevelFile::on_disk(file);
        Ok(Self { typed: argument.to_owned(), file, commit: Some(commit) })
    }

    /// Returns the name of the level in the output: `REV:PATH` as typed, or else the path of its file, which
    /// `--stdin-name` may set.
    pub(super) fn name(&self) -> &Path {
        if self.commit.is_some() { &self.typed } else { &self.file.path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.file.path
    }

    pub(super) fn files(&self, options: &LoadOptions) -> Box<dyn Files> {
        match &self.commit {
            None => Box::new(Disk::new(&self.file.path, options)),
            Some(commit) => Box::new(CommitFiles::new(commit, options.limits.file_bytes())),
        }
    }

    /// Returns the bytes of the level's own file.
    pub(super) fn bytes(&self, files: &mut dyn Files) -> Result<Vec<u8>, LoadErrorKind> {
        self.file.bytes.clone().map_or_else(|| files.read(&self.file.path), Ok)
    }

    /// Loads the level. A level in which nothing is solid is no error.
    pub(super) fn load(&self, load: &LoadArgs) -> Result<LoadedLevel, Failure> {
        match self.commit {
            Some(_) => self.load_with(load, None),
            None => load.load_anyway(&self.file),
        }
    }

    /// Loads the level as [`Self::load`] does, except that the file at the path in `other` has the bytes in
    /// `other`. Options that match nothing in the level are no error.
    pub(super) fn load_with(
        &self,
        load: &LoadArgs,
        other: Option<(&Path, Vec<u8>)>,
    ) -> Result<LoadedLevel, Failure> {
        let options = LoadOptions { allow_nothing_solid: true, ..self.options(load)? };
        let mut files = self.files(&options);
        let bytes = self.bytes(&mut *files);
        let bytes = bytes.map_err(|kind| LoadError::new(&self.typed, Place::default(), kind))?;
        let path = &self.file.path;
        let loaded = match other {
            Some((other, bytes_of_other)) => {
                let other = (plain(other), bytes_of_other);
                LoadedLevel::decode(path, &bytes, Replaced { files, other }, &options)
            }
            None => LoadedLevel::decode(path, &bytes, &mut *files, &options),
        };
        // An error names the level as it was typed, and a referenced file by its own path.
        loaded.map_err(|error| {
            if self.typed == *path { error.into() } else { Failure::at(&self.typed, error) }
        })
    }

    /// Returns the load options of the nearest `bitwall.toml` in the revision of the level. Without one,
    /// returns the load options for the working tree.
    fn options(&self, load: &LoadArgs) -> Result<LoadOptions, LoadError> {
        let Some(commit) = &self.commit else {
            return load.options(&self.file.path);
        };
        let config = if load.config.is_some() || load.no_config {
            None
        } else {
            config_of(commit, &self.file.path)
        };
        match config {
            Some((config, bytes)) => {
                let options = LoadOptions::decode(&config, &bytes)?;
                Ok(load.apply(load.with_keys(options, &bytes)?))
            }
            None => load.options(&commit.top.join(&self.file.path)),
        }
    }
}

/// Returns the path of a file in the repository around the current folder, and the commit that `revision`
/// names.
fn in_revision(here: &Git, revision: &str, path: &str) -> Result<(PathBuf, Arc<Commit>), String> {
    let (top, prefix) = here.place()?;
    let commit = here.commit(revision)?;
    let commit = commit.ok_or("there is neither such a file nor such a revision")?;
    // As in git, a path is relative to the current folder if it starts with a dot.
    let is_from_here = path.starts_with("./") || path.starts_with("../");
    let path = if is_from_here { prefix.join(path) } else { PathBuf::from(path) };
    Ok((plain(&path), Commit::open(top, &commit)?))
}

/// Reads the files of a level for the loader, except for one file, whose path and bytes are in `other`.
struct Replaced {
    files: Box<dyn Files>,
    other: (PathBuf, Vec<u8>),
}

impl Files for Replaced {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        if plain(path) == self.other.0 { Ok(self.other.1.clone()) } else { self.files.read(path) }
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        self.files.names(folder)
    }
}
