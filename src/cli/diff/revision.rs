//! A level in a file or in a revision of a git repository, with the files that it refers to.
//!
//! Git runs as a process, without a shell; nothing is checked out.

use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};

use crate::cli::Failure;
use crate::cli::git::{Blob, Blobs, Git};
use crate::cli::level_args::LoadArgs;
use crate::cli::level_file::LevelFile;
use crate::error::{LoadErrorKind, Place};
use crate::limits;
use crate::load::{Disk, Files};
use crate::paths::plain;
use crate::text::printable_path;
use crate::{LoadError, LoadOptions, LoadedLevel};

/// One of the two levels.
pub(super) enum Side {
    /// A file, or standard input.
    File(LevelFile),
    /// A file in a revision.
    Revision(Revision),
}

/// A file in a revision.
pub(super) struct Revision {
    /// As it was typed: `HEAD:maps/cave.tmx`.
    typed: PathBuf,
    /// The commit, as git's own name of it.
    commit: String,
    /// The top of the repository.
    top: PathBuf,
    /// The path from the top of the repository.
    path: PathBuf,
    /// Where the file is in the working tree, if it is there: for its `bitwall.toml`.
    working: PathBuf,
}

impl Side {
    /// The level that an argument names: a file if there is one, otherwise `REV:PATH`; `-` is the level on
    /// standard input, whose path and bytes are `stdin`.
    pub(super) fn of(argument: &Path, stdin: Option<&(PathBuf, Vec<u8>)>) -> Result<Self, Failure> {
        if let Some((path, bytes)) = stdin.filter(|_| argument == Path::new("-")) {
            return Ok(Self::File(LevelFile { path: path.clone(), bytes: Some(bytes.clone()) }));
        }
        let typed = argument.to_string_lossy();
        let parts = typed.split_once(':').filter(|(revision, path)| {
            // A drive is one letter.
            revision.chars().count() > 1 && !path.is_empty()
        });
        let Some((revision, path)) = parts.filter(|_| !argument.exists()) else {
            return Ok(Self::File(LevelFile::on_disk(argument)));
        };
        let fault =
            |reason: &str| Failure::Other(format!("{}: {reason}", printable_path(argument)));
        if revision.starts_with('-') {
            return Err(fault("a revision does not start with a dash"));
        }
        let here = Git::of(PathBuf::from("."));
        let failed = |reason: String| fault(&reason);
        let (top, prefix) = here.place().map_err(failed)?;
        let commit = here.commit(revision).map_err(failed)?;
        let commit =
            commit.ok_or_else(|| fault("there is neither such a file nor such a revision"))?;
        // As in git, a path counts from the current folder if it starts with a dot.
        let is_from_here = path.starts_with("./") || path.starts_with("../");
        let prefix = if is_from_here { prefix } else { PathBuf::new() };
        let path = plain(&prefix.join(path));
        let working = top.join(&path);
        Ok(Self::Revision(Revision { typed: argument.to_owned(), commit, top, path, working }))
    }

    /// The path of the level's file; of a revision, the path in it.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(file) => &file.path,
            Self::Revision(revision) => &revision.path,
        }
    }

    /// The bytes of the level's file; `None` if it cannot be read.
    pub(super) fn bytes(&self, files: &mut dyn Files) -> Option<Vec<u8>> {
        match self {
            Self::File(LevelFile { bytes: Some(bytes), .. }) => Some(bytes.clone()),
            _ => files.read(self.path()).ok(),
        }
    }

    /// The files that the level may refer to.
    pub(super) fn files(&self, options: &LoadOptions) -> Box<dyn Files> {
        match self {
            Self::File(file) => Box::new(Disk::new(&file.path, options)),
            Self::Revision(revision) => Box::new(revision.files(options)),
        }
    }

    /// Loads the level, even one in which nothing is solid.
    pub(super) fn load(&mut self, load: &LoadArgs) -> Result<LoadedLevel, Failure> {
        let revision = match self {
            Self::File(file) => return load.load_anyway(file),
            Self::Revision(revision) => revision,
        };
        let options = load.options(&revision.working)?.with_nothing_solid_allowed(true);
        let mut files = revision.files(&options);
        let bytes = files.read(&revision.path);
        let bytes =
            bytes.map_err(|kind| LoadError::new(&revision.typed, Place::default(), kind))?;
        let loaded = LoadedLevel::decode(&revision.path, &bytes, files, &options);
        loaded.map_err(|error| {
            // A file of the level has its own path; the level itself is named as it was typed.
            let typed = printable_path(&revision.typed);
            Failure::Other(format!("{typed}: {error}"))
        })
    }
}

impl Revision {
    fn files(&self, options: &LoadOptions) -> GitFiles {
        GitFiles {
            git: Git::of(self.top.clone()),
            commit: self.commit.clone(),
            blobs: None,
            limit: options.limits.file_bytes,
        }
    }
}

/// The files of a commit.
struct GitFiles {
    git: Git,
    commit: String,
    /// Started with the first question.
    blobs: Option<Blobs>,
    limit: u64,
}

/// The path of a file in the commit. One that leads out of the repository is refused.
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
        let name = in_commit(path)?;
        let blobs = match &mut self.blobs {
            Some(blobs) => blobs,
            none => none.insert(self.git.files_of(&self.commit).map_err(io::Error::other)?),
        };
        match blobs.read(&name, self.limit) {
            Blob::Content(bytes) => Ok(bytes),
            Blob::TooLarge(bytes) => {
                limits::check("bytes in the file", bytes, self.limit).map(|()| Vec::new())
            }
            Blob::NotFetched => Err(io::Error::other(
                "Git LFS has it and has not fetched it; run `git lfs fetch` for the revision",
            )
            .into()),
            Blob::Missing => Err(io::Error::from(ErrorKind::NotFound).into()),
        }
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        let missing = || io::Error::from(ErrorKind::NotFound);
        let name = in_commit(folder)?;
        let name = name.to_str().ok_or_else(missing)?.replace('\\', "/");
        let listed = self.git.names_in(&self.commit, &name).map_err(io::Error::other)?;
        Ok(listed.ok_or_else(missing)?)
    }
}
