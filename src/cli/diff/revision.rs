//! A level in a file or in a revision of a git repository, with the files that it refers to.
//!
//! Git runs as a process, without a shell; nothing is checked out.

use std::io::{self, ErrorKind, Read};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::Failure;
use crate::cli::level_args::LoadArgs;
use crate::cli::level_file::LevelFile;
use crate::error::{LoadErrorKind, Place};
use crate::limits;
use crate::load::{Disk, Files};
use crate::paths::plain;
use crate::text::{printable, printable_path};
use crate::{LoadError, LoadOptions, LoadedLevel};

/// One of the two levels.
pub(super) enum Side {
    /// A file.
    File(PathBuf),
    /// A file in a revision.
    Revision(Revision),
}

/// A file in a revision.
pub(super) struct Revision {
    /// As it was typed: `HEAD:maps/cave.tmx`.
    typed: PathBuf,
    /// The commit, as git's own name of it.
    commit: String,
    /// The path from the top of the repository.
    path: PathBuf,
    /// Where the file is in the working tree, if it is there: for its `bitwall.toml`.
    working: PathBuf,
}

impl Side {
    /// The level that an argument names: a file if there is one, otherwise `REV:PATH`.
    pub(super) fn of(argument: &Path) -> Result<Self, Failure> {
        let typed = argument.to_string_lossy();
        let parts = typed.split_once(':').filter(|(revision, path)| {
            // A drive is one letter.
            revision.chars().count() > 1 && !path.is_empty()
        });
        let Some((revision, path)) = parts.filter(|_| !argument.exists()) else {
            return Ok(Self::File(argument.to_owned()));
        };
        let fault =
            |reason: &str| Failure::Other(format!("{}: {reason}", printable_path(argument)));
        if revision.starts_with('-') {
            return Err(fault("a revision does not start with a dash"));
        }
        let commit = format!("{revision}^{{commit}}");
        let asked = ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit];
        let answer = git(&asked, 1_000).map_err(|error| match error.kind() {
            ErrorKind::NotFound => fault("git cannot be run; is it installed?"),
            _ => fault("there is neither such a file nor such a revision"),
        })?;
        let commit = String::from_utf8_lossy(&answer).trim().to_owned();
        if commit.is_empty() || !commit.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Err(fault("the revision is not a commit"));
        }
        let top =
            told("--show-toplevel").ok_or_else(|| fault("there is no git repository here"))?;
        // As in git, a path counts from the current folder if it starts with a dot.
        let is_from_here = path.starts_with("./") || path.starts_with("../");
        let prefix = told("--show-prefix").filter(|_| is_from_here).unwrap_or_default();
        let path = plain(&Path::new(&prefix).join(path));
        let working = Path::new(&top).join(&path);
        Ok(Self::Revision(Revision { typed: argument.to_owned(), commit, path, working }))
    }

    /// The path of the level's file; of a revision, the path in it.
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::File(path) => path,
            Self::Revision(revision) => &revision.path,
        }
    }

    /// The files that the level may refer to.
    pub(super) fn files(&self, options: &LoadOptions) -> Box<dyn Files> {
        match self {
            Self::File(path) => Box::new(Disk::new(path, options)),
            Self::Revision(revision) => Box::new(GitFiles {
                commit: revision.commit.clone(),
                limit: options.limits.file_bytes,
            }),
        }
    }

    /// Loads the level, even one in which nothing is solid.
    pub(super) fn load(&mut self, load: &LoadArgs) -> Result<LoadedLevel, Failure> {
        let revision = match self {
            Self::File(path) => return load.load_anyway(&LevelFile::on_disk(&*path)),
            Self::Revision(revision) => revision,
        };
        let options = load.options(&revision.working)?.with_nothing_solid_allowed(true);
        let mut files =
            GitFiles { commit: revision.commit.clone(), limit: options.limits.file_bytes };
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

/// The files of a commit.
struct GitFiles {
    commit: String,
    limit: u64,
}

impl GitFiles {
    /// The name of a file in the commit. A path that leads out of the repository is refused.
    fn name(&self, path: &Path) -> Result<String, LoadErrorKind> {
        let plain = plain(path);
        let is_inside = plain.components().all(|part| matches!(part, Component::Normal(_)));
        let name = plain.to_str().filter(|_| is_inside);
        let name = name.ok_or_else(|| io::Error::from(ErrorKind::NotFound))?.replace('\\', "/");
        Ok(format!("{}:{name}", self.commit))
    }
}

impl Files for GitFiles {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        let name = self.name(path)?;
        let bytes = git(&["cat-file", "blob", &name], self.limit.saturating_add(1));
        // Git tells a missing file from other faults in its own words only.
        let bytes = bytes.map_err(|_| io::Error::from(ErrorKind::NotFound))?;
        limits::check("bytes in the file", bytes.len() as u64, self.limit)?;
        Ok(bytes)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        let name = self.name(folder)?;
        let listed = git(&["ls-tree", "--name-only", "-z", &name], MAX_LISTING)?;
        let names = listed.split(|byte| *byte == 0).filter(|name| !name.is_empty());
        Ok(names.filter_map(|name| String::from_utf8(name.to_vec()).ok()).collect())
    }
}

/// The answer of git about the repository around the current folder.
fn told(question: &str) -> Option<String> {
    let answer = git(&["rev-parse", question], MAX_LISTING).ok()?;
    Some(String::from_utf8(answer).ok()?.trim_end_matches(['\n', '\r']).to_owned())
}

/// The longest list of files, in bytes.
const MAX_LISTING: u64 = 1 << 22;

/// The standard output of git, up to `limit` bytes; an error if git fails.
fn git(arguments: &[&str], limit: u64) -> io::Result<Vec<u8>> {
    let mut git = Command::new("git")
        .args(arguments)
        // It asks nobody and fetches nothing.
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_NO_LAZY_FETCH", "1")
        .env("GIT_OPTIONAL_LOCKS", "0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut bytes = Vec::new();
    let read = match git.stdout.take() {
        Some(out) => out.take(limit).read_to_end(&mut bytes),
        None => Ok(0),
    };
    // A process that has more to say ends when its pipe is closed.
    let ended = git.wait();
    read?;
    let is_cut = bytes.len() as u64 == limit;
    if ended?.success() || is_cut {
        return Ok(bytes);
    }
    Err(io::Error::other("git does not have it"))
}

/// The name of a side for messages.
pub(super) fn name(path: &Path) -> String {
    printable(&path.to_string_lossy()).to_string()
}
