//! One of the two levels of a comparison: a file, or a file in a git revision. Git runs without a shell, and
//! nothing is checked out.

use std::cell::RefCell;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::commands::Failure;
use crate::commands::level_args::{LevelFile, LoadArgs};
use crate::git::{Blob, Blobs, Git};
use bitwall::error::{LoadErrorKind, Place};
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{CONFIG, Disk, Files};
use bitwall::paths::plain;
use bitwall::text::{printable, printable_path};
use bitwall::{LoadError, LoadOptions, LoadedLevel};

/// A commit, with one running git process that reads its files.
pub(super) struct Revision {
    /// The root folder of the repository.
    pub(super) top: PathBuf,
    pub(super) commit: String,
    /// The git process that reads the files; `None` before the first read.
    blobs: RefCell<Option<Blobs>>,
}

impl Revision {
    pub(super) fn new(top: PathBuf, commit: String) -> Rc<Self> {
        Rc::new(Self { top, commit, blobs: RefCell::new(None) })
    }

    fn git(&self) -> Git {
        Git::new(self.top.clone())
    }

    /// Returns the path of the nearest `bitwall.toml` that the commit has in or above the folder of `path`.
    pub(super) fn config_of(&self, path: &Path) -> Option<PathBuf> {
        let configs = path.ancestors().skip(1).map(|folder| folder.join(CONFIG));
        configs.into_iter().find(|config| self.read(config, CONFIG_BYTES).is_ok())
    }

    /// Reads the file at `path`, which is relative to the root of the repository. Fails above `limit` bytes.
    pub(super) fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, LoadErrorKind> {
        let name = in_commit(path)?;
        let mut blobs = self.blobs.borrow_mut();
        let blobs = match &mut *blobs {
            Some(blobs) => blobs,
            none => none.insert(self.git().files_of(&self.commit).map_err(io::Error::other)?),
        };
        match blobs.read(&name, limit) {
            Blob::Content(bytes) => Ok(bytes),
            Blob::TooLarge(found) => {
                let what = "bytes in the file (half of the limit `bytes`)";
                Err(LoadErrorKind::TooLarge { what, limit, found })
            }
            Blob::NotFetched => Err(io::Error::other(
                "Git LFS has it and has not fetched it; run `git lfs fetch` for the revision",
            )
            .into()),
            Blob::Missing | Blob::NoFile => Err(io::Error::from(ErrorKind::NotFound).into()),
        }
    }
}

pub(super) struct LevelSide {
    /// The argument as typed, such as `HEAD:maps/cave.tmx`. Messages use this name.
    typed: PathBuf,
    /// The level's file. For a revision, its path is relative to the root of the repository.
    file: LevelFile,
    /// The revision that has the file; `None` for a file on the disk.
    revision: Option<Rc<Revision>>,
}

impl LevelSide {
    /// Creates one of the two levels to compare, from a path on the disk, or from a path in `revision`.
    pub(super) fn at(path: PathBuf, revision: Option<Rc<Revision>>) -> Self {
        Self { typed: path.clone(), file: LevelFile::on_disk(path), revision }
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
            return Err(Failure::Other(format!(
                "{name}: this is a file of a revision, and a file is named so; write ./{name} for the file, \
                 or {revision}^0:{} for the file of the revision",
                printable(path)
            )));
        }
        let Some((revision, path)) = parts.filter(|_| stdin.is_none() && !is_file) else {
            let file = match stdin {
                Some((path, bytes)) => LevelFile { path, bytes: Some(bytes) },
                None => LevelFile::on_disk(argument),
            };
            return Ok(Self { typed: argument.to_owned(), file, revision: None });
        };
        let fault =
            |reason: &str| Failure::Other(format!("{}: {reason}", printable_path(argument)));
        if revision.starts_with('-') {
            return Err(fault("a revision does not start with a dash"));
        }
        let failed = |reason: String| fault(&reason);
        let (top, prefix) = here.place().map_err(failed)?;
        let commit = here.commit(revision).map_err(failed)?;
        let commit =
            commit.ok_or_else(|| fault("there is neither such a file nor such a revision"))?;
        // As in git, a path is relative to the current folder if it starts with a dot.
        let is_from_here = path.starts_with("./") || path.starts_with("../");
        let prefix = if is_from_here { prefix } else { PathBuf::new() };
        let file = LevelFile::on_disk(plain(&prefix.join(path)));
        Ok(Self { typed: argument.to_owned(), file, revision: Some(Revision::new(top, commit)) })
    }

    /// Returns the name of the level in the output: `REV:PATH` as typed, or else the path of its file, which
    /// `--stdin-name` may set.
    pub(super) fn name(&self) -> &Path {
        if self.revision.is_some() { &self.typed } else { &self.file.path }
    }

    pub(super) fn path(&self) -> &Path {
        &self.file.path
    }

    pub(super) fn files(&self, options: &LoadOptions) -> Box<dyn Files> {
        match &self.revision {
            None => Box::new(Disk::new(&self.file.path, options)),
            Some(revision) => {
                let limit = options.limits.file_bytes();
                Box::new(GitFiles { revision: Rc::clone(revision), limit })
            }
        }
    }

    /// Returns the bytes of the level's own file.
    pub(super) fn bytes(&self, files: &mut dyn Files) -> Result<Vec<u8>, LoadErrorKind> {
        self.file.bytes.clone().map_or_else(|| files.read(&self.file.path), Ok)
    }

    /// Loads the level. A level in which nothing is solid is no error.
    pub(super) fn load(&self, load: &LoadArgs) -> Result<LoadedLevel, Failure> {
        match self.revision {
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
        loaded.map_err(|error| match self.typed == *path {
            true => error.into(),
            false => Failure::Other(format!("{}: {error}", printable_path(&self.typed))),
        })
    }

    /// Returns the load options of the nearest `bitwall.toml` in the revision of the level. Without one,
    /// returns the load options for the working tree.
    fn options(&self, load: &LoadArgs) -> Result<LoadOptions, LoadError> {
        let Some(revision) = &self.revision else {
            return load.options(&self.file.path);
        };
        let current = revision.top.join(&self.file.path);
        if load.config.is_some() || load.no_config {
            return load.options(&current);
        }
        let Some(config) = revision.config_of(&self.file.path) else {
            return load.options(&current);
        };
        let bytes = revision.read(&config, CONFIG_BYTES);
        let bytes = bytes.map_err(|kind| LoadError::new(&config, Place::default(), kind))?;
        Ok(load.apply(LoadOptions::decode(&config, bytes)?))
    }
}

/// Reads the files of a commit for the loader, each up to `limit` bytes.
struct GitFiles {
    revision: Rc<Revision>,
    limit: u64,
}

/// Returns the path of a file inside the commit. Fails if the path leaves the repository.
fn in_commit(path: &Path) -> Result<PathBuf, LoadErrorKind> {
    let plain = plain(path);
    let is_inside = plain.components().all(|part| matches!(part, Component::Normal(_)));
    match is_inside {
        true => Ok(plain),
        false => Err(io::Error::from(ErrorKind::NotFound).into()),
    }
}

impl Files for GitFiles {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        self.revision.read(path, self.limit)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        let missing = || io::Error::from(ErrorKind::NotFound);
        let name = in_commit(folder)?;
        let name = name.to_str().ok_or_else(missing)?.replace('\\', "/");
        let Revision { commit, .. } = &*self.revision;
        let listed = self.revision.git().names_in(commit, &name).map_err(io::Error::other)?;
        Ok(listed.ok_or_else(missing)?)
    }
}

/// Reads the files of a level for the loader, except for one file, whose path and bytes are in `other`.
struct Replaced {
    files: Box<dyn Files>,
    other: (PathBuf, Vec<u8>),
}

impl Files for Replaced {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        match plain(path) == self.other.0 {
            true => Ok(self.other.1.clone()),
            false => self.files.read(path),
        }
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        self.files.names(folder)
    }
}
