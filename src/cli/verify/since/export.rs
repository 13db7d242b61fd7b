//! The files of a revision, written into a folder for a run: levels with all that they name, configurations.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::cli::Failure;
use crate::cli::files::FileKind;
use crate::cli::git::{Blob, Blobs, Git};
use crate::cli::output::Scratch;
use crate::error::io_reason;
use crate::load::root::CONFIG;
use crate::load::{ReferenceKind, references};
use crate::paths::plain;
use crate::tmx::files_named;
use crate::verify::{VerifyConfig, arts_beside};
use crate::{Limits, LoadOptions};

/// The largest number of files that belong to one level.
pub(super) const MAX_FILES: usize = 10_000;

/// The files of a revision that were written into a scratch folder, each once.
pub(super) struct Export<'s> {
    pub(super) git: &'s Git,
    pub(super) commit: &'s str,
    pub(super) blobs: Blobs,
    pub(super) scratch: &'s Scratch,
    /// The folder that stands for the repository.
    pub(super) folder: &'s Path,
    /// The files that each file names; `None` for one that was not there.
    pub(super) known: HashMap<PathBuf, Option<Rc<[PathBuf]>>>,
    pub(super) tracked: &'s BTreeSet<PathBuf>,
    /// The number of files that the repository names and has not fetched.
    pub(super) not_fetched: u64,
}

impl Export<'_> {
    /// Writes a level, the files that it names, those that these name, its art and its configurations. False
    /// if it was not there.
    pub(super) fn level(&mut self, level: &Path) -> Result<bool, Failure> {
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
    pub(super) fn config(&mut self, config: &Path) -> Result<bool, Failure> {
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
    pub(super) fn file(&mut self, path: &Path) -> Result<Option<Rc<[PathBuf]>>, Failure> {
        if let Some(known) = self.known.get(path) {
            return Ok(known.clone());
        }
        // A path that leads nowhere else.
        let is_below = path.components().all(|part| matches!(part, Component::Normal(_)));
        let blob = match is_below {
            true => self.blobs.read(path, Limits::default().file_bytes),
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

    pub(super) fn make_folder(&self, path: &Path) -> Result<(), Failure> {
        self.scratch.make_folder(&self.folder.join(path)).map_err(|error| unwritten(&error))
    }

    /// Writes a file with these bytes. One with an absolute path may lie beside the repository.
    pub(super) fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), Failure> {
        self.scratch.write(&self.folder.join(path), bytes).map_err(|error| unwritten(&error))
    }
}

pub(super) fn failed(reason: String) -> Failure {
    Failure::Other(format!("--diff: {reason}"))
}

pub(super) fn unwritten(error: &std::io::Error) -> Failure {
    failed(format!("cannot write the files of the revision: {}", io_reason(error)))
}

/// The files that a file with these `bytes` names, as paths from where its own starts. A world that has
/// patterns names all maps among those that `listed` gives for its folder.
pub(super) fn names(
    path: &Path,
    bytes: &[u8],
    listed: impl Fn(&Path) -> Vec<PathBuf>,
) -> Vec<PathBuf> {
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
pub(super) fn configs_above(file: &Path) -> impl Iterator<Item = PathBuf> {
    file.ancestors().skip(1).map(|folder| folder.join(CONFIG))
}
