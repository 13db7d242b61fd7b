//! The files of a project at one time, which are those of a commit or on the disk, and the changes between
//! two times. Nothing is checked out: git reads the files of a commit.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::commands::files::PathKind;
use crate::git::{Blob, Blobs, Git, IndexChanges, Tree};
use bitwall::Limits;
use bitwall::error::LoadErrorKind;
use bitwall::load::{Files, Links, Reference, ReferenceKind, read_file};
use bitwall::paths::plain;

/// A commit, with one running git process that reads its files. Paths are relative to the root folder of the
/// repository.
pub(super) struct Commit {
    pub(super) top: PathBuf,
    pub(super) tree: Tree,
    blobs: Mutex<Blobs>,
    /// The files that the repository lacks, of those that were read.
    lacking: Mutex<BTreeSet<PathBuf>>,
}

impl Commit {
    /// Opens the commit `id` of the repository whose root folder is `top`.
    pub(super) fn open(top: PathBuf, id: &str) -> Result<Arc<Self>, String> {
        let git = Git::new(top.clone());
        let tree = git.tree(id)?;
        let blobs = Mutex::new(git.files_of(id)?);
        Ok(Arc::new(Self { top, tree, blobs, lacking: Mutex::default() }))
    }

    fn blobs(&self) -> MutexGuard<'_, Blobs> {
        self.blobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the file `name`, and follows a Git LFS pointer. A name that leaves the repository, which a
    /// hostile commit may have, is missing.
    pub(super) fn blob(&self, name: &Path, limit: u64) -> Blob {
        if !is_inside(name) {
            return Blob::Missing;
        }
        let blob = self.blobs().read(name, limit);
        let is_lacking = match blob {
            Blob::NotFetched => true,
            Blob::Missing => self.tree.paths.contains(name),
            _ => false,
        };
        if is_lacking && let Ok(mut lacking) = self.lacking.lock() {
            lacking.insert(name.to_owned());
        }
        blob
    }

    /// Returns the path to which the link `name` of the commit leads, as it is written.
    pub(super) fn target(&self, name: &Path) -> Option<PathBuf> {
        /// The longest target of a link that is followed, in bytes: that of Linux.
        const MAX_TARGET: u64 = 4_096;
        let id = self.tree.links.get(name)?;
        match self.blobs().content(id, MAX_TARGET) {
            Blob::Content(target) => Some(PathBuf::from(&*String::from_utf8_lossy(&target))),
            _ => None,
        }
    }

    /// Returns the number of files that were to be read and that the repository has not fetched.
    pub(super) fn lacking_count(&self) -> usize {
        self.lacking.lock().map_or(0, |lacking| lacking.len())
    }

    /// Reads the file at `path`: relative to the root folder of the repository, or absolute and in it.
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, LoadErrorKind> {
        match self.blob(&self.name(path), limit) {
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

    fn name(&self, path: &Path) -> PathBuf {
        let path = plain(path);
        path.strip_prefix(&self.top).map(Path::to_owned).unwrap_or(path)
    }
}

/// True if `path`, which a hostile commit may contain, stays in the folder that it is joined to.
pub(super) fn is_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_)))
}

/// The files of a project at one time. Paths are relative to the root folder of the project.
#[derive(Clone)]
pub(super) enum Snapshot {
    Commit(Arc<Commit>),
    /// The root folder, absolute or relative to the current folder.
    Disk(PathBuf),
}

impl Snapshot {
    /// Returns the path of the file `name` for the loader.
    pub(super) fn path(&self, name: &Path) -> PathBuf {
        match self {
            Self::Commit(_) => name.to_owned(),
            Self::Disk(root) => root.join(name),
        }
    }

    /// Reads the file `name`. Fails above `limit` bytes.
    pub(super) fn read(&self, name: &Path, limit: u64) -> Result<Vec<u8>, LoadErrorKind> {
        match self {
            Self::Commit(commit) => commit.read(name, limit),
            Self::Disk(root) => read_file(&root.join(name), Links::Followed, limit),
        }
    }

    /// Reads the file `name` of a level; `None` if it cannot be read.
    pub(super) fn level_file(&self, name: &Path) -> Option<Vec<u8>> {
        self.read(name, Limits::default().file_bytes()).ok()
    }

    /// Reads the file `name` as a commit has it: a Git LFS pointer is not followed.
    fn stored(&self, name: &Path) -> Option<Vec<u8>> {
        match self {
            Self::Commit(commit) => {
                match commit.blobs().read_stored(name, Limits::default().file_bytes()) {
                    Blob::Content(bytes) => Some(bytes),
                    _ => None,
                }
            }
            Self::Disk(_) => self.level_file(name),
        }
    }
}

/// Reads the files of a commit for the loader and the linter.
pub(super) struct CommitFiles {
    commit: Arc<Commit>,
    /// The largest file that is read, in bytes.
    limit: u64,
    /// The folder in which the files of a level must be; `None` for the whole repository.
    root: Option<PathBuf>,
    /// A file that is read in any folder, also outside the repository: the art of a mask.
    art: Option<PathBuf>,
}

impl CommitFiles {
    pub(super) fn new(commit: &Arc<Commit>, limit: u64) -> Self {
        Self { commit: Arc::clone(commit), limit, root: None, art: None }
    }

    pub(super) fn of_level(self, root: Option<PathBuf>, art: Option<PathBuf>) -> Self {
        Self { root, art, ..self }
    }

    /// Reads the level's own file.
    pub(super) fn read_level(&self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        self.commit.read(path, self.limit)
    }
}

impl Files for CommitFiles {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        if self.art.as_deref() == Some(path) {
            if path.is_absolute() && !path.starts_with(&self.commit.top) {
                return read_file(path, Links::Followed, self.limit);
            }
        } else if let Some(root) = &self.root
            && !plain(path).starts_with(root)
        {
            return Err(LoadErrorKind::OutsideRoot { root: root.clone() });
        }
        self.commit.read(path, self.limit)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        let folder = self.commit.name(folder);
        let paths = self.commit.tree.paths.range(folder.clone()..);
        let mut names = Vec::new();
        for path in paths.take_while(|path| path.starts_with(&folder)) {
            if path.parent() == Some(&folder) {
                names.extend(path.file_name().and_then(|name| name.to_str()).map(str::to_owned));
            }
        }
        Ok(names)
    }
}

/// The files of a project before and after a change.
pub(super) struct Changes {
    pub(super) states: [Snapshot; 2],
    /// The files before and after, relative to the root folder of the project.
    pub(super) files: [BTreeSet<PathBuf>; 2],
    /// What git lists as changed in the working tree; `None` between two commits or two folders.
    pub(super) index: Option<IndexChanges>,
    /// The current path of each renamed file -> its path before.
    pub(super) renamed: BTreeMap<PathBuf, PathBuf>,
    /// The path of each renamed file before -> its current path.
    names_now: BTreeMap<PathBuf, PathBuf>,
    /// The current path of a file -> true if its contents differ from before. Filled on demand.
    compared: RefCell<HashMap<PathBuf, bool>>,
    /// The path of a file -> the files that it names now. Filled on demand, so that a tileset shared by many
    /// maps is read once.
    references: RefCell<HashMap<PathBuf, Rc<[Reference]>>>,
}

impl Changes {
    pub(super) fn new(
        states: [Snapshot; 2],
        files: [BTreeSet<PathBuf>; 2],
        index: Option<IndexChanges>,
        renamed: BTreeMap<PathBuf, PathBuf>,
    ) -> Self {
        let names_now = renamed.iter().map(|(now, then)| (then.clone(), now.clone())).collect();
        let compared = RefCell::default();
        let references = RefCell::default();
        Self { states, files, index, renamed, names_now, compared, references }
    }

    pub(super) fn then<'p>(&'p self, now: &'p Path) -> &'p Path {
        self.renamed.get(now).map_or(now, PathBuf::as_path)
    }

    pub(super) fn now<'p>(&'p self, then: &'p Path) -> &'p Path {
        self.names_now.get(then).map_or(then, PathBuf::as_path)
    }

    /// True if git lists the file or a folder above it as changed or untracked.
    pub(super) fn is_listed(&self, name: &Path) -> bool {
        let Some(index) = &self.index else {
            return true;
        };
        name.ancestors().any(|above| index.paths.contains(above))
    }

    /// True if a file's contents differ, or if only one state has it. A renamed file counts as changed.
    ///
    /// Compares contents and not git's list of changed paths, because links are followed. Line ends of a text
    /// are ignored, because a checkout may convert them.
    pub(super) fn is_changed(&self, now: &Path) -> bool {
        if let Some(is_changed) = self.compared.borrow().get(now) {
            return *is_changed;
        }
        let is_changed = self.then(now) != now || self.differs(now);
        self.compared.borrow_mut().insert(now.to_owned(), is_changed);
        is_changed
    }

    fn differs(&self, name: &Path) -> bool {
        let stored = self.states.each_ref().map(|state| state.stored(name));
        if stored[0].is_some() && stored[0] == stored[1] {
            return false;
        }
        match self.states.each_ref().map(|state| state.level_file(name)) {
            [Some(before), Some(after)] if PathKind::from_path(name) != Some(PathKind::Picture) => {
                !lines(&before).eq(lines(&after))
            }
            [Some(before), Some(after)] => before != after,
            [Some(_), None] => true,
            // A file that a `.gitignore` names is no change.
            [None, Some(_)] => self.files[0].contains(name) || self.is_listed(name),
            // A link that leads nowhere, or a file that git has not fetched.
            [None, None] => self.files[1].contains(name),
        }
    }

    /// Returns the files that the file `name` names now.
    pub(super) fn references(&self, name: &Path) -> Rc<[Reference]> {
        if let Some(known) = self.references.borrow().get(name) {
            return Rc::clone(known);
        }
        let mut found = Vec::new();
        // A picture names no files and may be large.
        if PathKind::from_path(name) != Some(PathKind::Picture)
            && let Some(bytes) = self.states[1].level_file(name)
        {
            for Reference { path, kind } in bitwall::load::references(name, &bytes) {
                if kind == ReferenceKind::Folder {
                    // The patterns of a world may match any map in the folder.
                    let kind = ReferenceKind::Map;
                    found.extend(self.maps_in(&path).map(|path| Reference { path, kind }));
                } else {
                    found.push(Reference { path: plain(&path), kind });
                }
            }
        }
        let found: Rc<[Reference]> = found.into();
        self.references.borrow_mut().insert(name.to_owned(), Rc::clone(&found));
        found
    }

    /// Yields the maps that are in `folder` now or were in it before.
    fn maps_in(&self, folder: &Path) -> impl Iterator<Item = PathBuf> {
        let maps = self.files[0].union(&self.files[1]);
        let maps = maps.filter(move |path| path.parent() == Some(folder));
        maps.filter(|path| PathKind::from_path(path) == Some(PathKind::Map)).cloned()
    }
}

fn lines(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| *byte == b'\n').map(|line| line.strip_suffix(b"\r").unwrap_or(line))
}
