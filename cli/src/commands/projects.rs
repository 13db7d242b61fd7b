//! The commands for all levels of a project. They find its files, and read its configurations and the files
//! of its commits.

mod crops;
pub(super) mod diff;
pub(super) mod init;
pub(super) mod verify;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ignore::WalkBuilder;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use ignore::overrides::{Override, OverrideBuilder};

use crate::commands::Failure;
use crate::commands::output::Progress;
use crate::git::{Blobs, Git, IndexChanges};
use crate::lint::config::MASK_PATTERNS;
use crate::lint::{Selection, VerifyConfig, art_beside};
use bitwall::error::LoadErrorKind;
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{
    CONFIG, Files, Links, Reference, ReferenceKind, config_of, is_type_file, read_file, references,
};
use bitwall::paths::plain;
use bitwall::text::printable;
use bitwall::{Limits, LoadOptions};

/// The default limit on the number of maps, tilesets and pictures in the searched folders, and the largest
/// number of files that are visited for one level.
const MAX_FILES: usize = 10_000;

const MAX_DEPTH: usize = 64;

/// True if `bytes` are text that contains the keys of a Tiled map.
fn is_json_map(bytes: &[u8]) -> bool {
    let keys = ["\"layers\"", "\"tilewidth\"", "\"tileheight\"", "\"orientation\""];
    std::str::from_utf8(bytes).is_ok_and(|text| keys.iter().all(|key| text.contains(key)))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PathKind {
    Map,
    Tileset,
    Picture,
}

impl PathKind {
    /// Returns the kind of a file by the ending of its name alone. A `.json` counts as a map; see
    /// [`of_level`](Self::of_level).
    fn from_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "tmx" | "tmj" | "json" | "world" | "ldtk" => Some(Self::Map),
            "tsx" | "tsj" => Some(Self::Tileset),
            // A mask in another format than PNG is collected, so that its error is reported.
            "png" | "gif" | "bmp" | "webp" | "tga" | "jpg" | "jpeg" => Some(Self::Picture),
            _ => None,
        }
    }

    /// Returns the kind of a file: a map, a tileset or a picture. A `.json` is a map only if `read` returns a
    /// text with the keys of a map.
    fn of_level(path: &Path, read: impl FnOnce() -> Option<Vec<u8>>) -> Option<Self> {
        let is_json = path.extension().is_some_and(|end| end.eq_ignore_ascii_case("json"));
        Self::from_path(path)
            .filter(|_| !is_json || read().is_some_and(|bytes| is_json_map(&bytes)))
    }
}

struct FoundFiles {
    files: BTreeSet<PathBuf>,
    /// The files that an `exclude` entry of a configuration leaves out, up to `most` of them. The pictures
    /// that these files name count as used.
    excluded: BTreeSet<PathBuf>,
    /// The searched folders.
    folders: Vec<PathBuf>,
    most: usize,
}

impl FoundFiles {
    fn new(most: usize) -> Self {
        Self { files: BTreeSet::new(), excluded: BTreeSet::new(), folders: Vec::new(), most }
    }

    /// Adds the maps, tilesets and pictures in `folder`.
    ///
    /// Skips hidden files, links and files that a `.gitignore` names. Also skips files that match a pattern
    /// in `exclude`, and files for which `is_excluded` is true. Fails if more files are found in total than
    /// the limit given to [`new`](Self::new).
    fn walk(
        &mut self,
        folder: &Path,
        exclude: &[String],
        mut is_excluded: impl FnMut(&Path) -> Result<bool, Failure>,
    ) -> Result<(), Failure> {
        let bar = Progress::new("looking for levels", 0);
        let mut builder = WalkBuilder::new(folder);
        builder
            .standard_filters(false)
            .hidden(true)
            .parents(true)
            .git_ignore(true)
            .git_exclude(true)
            .follow_links(false)
            .max_depth(Some(MAX_DEPTH))
            .overrides(excluded(exclude)?);
        for entry in builder.build() {
            let entry = entry.map_err(|error| {
                format!("cannot read a folder: {}", printable(&error.to_string()))
            })?;
            if entry.file_type().is_some_and(|kind| kind.is_dir()) {
                self.folders.push(entry.into_path());
                continue;
            }
            let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
            let path = entry.into_path();
            let read = || read_file(&path, Links::Refused, Limits::default().file_bytes()).ok();
            if !is_file || PathKind::of_level(&path, read).is_none() {
                continue;
            }
            let path = path.strip_prefix("./").map(Path::to_owned).unwrap_or(path);
            if is_excluded(&path)? {
                if self.excluded.len() < self.most {
                    self.excluded.insert(path);
                }
                continue;
            }
            self.files.insert(path);
            bar.show(self.files.len() as u64);
            if self.files.len() > self.most {
                let reason = format!(
                    "there are more than {} maps, tilesets and pictures; name fewer folders, leave some \
                     out with --exclude, or raise --max-files",
                    self.most
                );
                return Err(reason.into());
            }
        }
        Ok(())
    }
}

/// Returns the patterns of `--exclude`.
fn excluded(globs: &[String]) -> Result<Override, Failure> {
    // A pattern is compared with a path as it is written. An absolute path is first made relative to the
    // working folder.
    let mut builder = OverrideBuilder::new(std::env::current_dir().unwrap_or_default());
    let mut built = Ok(());
    for glob in globs {
        built = built.and_then(|()| builder.add(&format!("!{glob}")).map(drop));
    }
    let patterns = built.and_then(|()| builder.build());
    patterns.map_err(|error| format!("--exclude: {}", printable(&error.to_string())).into())
}

/// Returns the real paths of the pictures that a map or tileset in `found` names, and of the art of its
/// masks.
fn pictures_of_others(found: &FoundFiles) -> BTreeSet<PathBuf> {
    let all = found.files.iter().chain(&found.excluded);
    let bar = Progress::new("looking through", all.clone().count() as u64);
    let mut pictures = BTreeSet::new();
    for (done, path) in (1..).zip(all) {
        if PathKind::from_path(path) == Some(PathKind::Picture) {
            pictures.extend(art_beside(path));
        } else {
            // An unreadable file names no pictures; another rule reports it.
            let limit = Limits::default().file_bytes();
            let bytes = read_file(path, Links::Refused, limit).unwrap_or_default();
            let files = references(path, &bytes).into_iter();
            let art = files.filter(|file| file.kind == ReferenceKind::Art);
            pictures.extend(art.map(|file| file.path));
        }
        bar.show(done);
    }
    pictures.iter().map(|path| identity(path)).collect()
}

/// Returns the real path of a file, so that all spellings of `path` compare equal. Returns `path` if the file
/// is absent.
fn identity(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// Parses file patterns in the syntax of a `.gitignore`, for paths relative to a folder. Letter case is
/// ignored. An error starts with `place`, the name of the file or option that holds them.
///
/// A pattern without `/` matches a name in any folder below; `**` matches any number of folders.
fn patterns(patterns: &[impl AsRef<str>], place: &Path) -> Result<Gitignore, Failure> {
    let mut builder = GitignoreBuilder::new("");
    let built = builder.case_insensitive(true).and_then(|builder| {
        for pattern in patterns {
            builder.add_line(None, pattern.as_ref())?;
        }
        builder.build()
    });
    built.map_err(|error| Failure::at(place, printable(&error.to_string())))
}

/// True if a pattern matches the file at the relative `path` or a folder above the file.
fn match_path(patterns: &Gitignore, path: &Path) -> bool {
    patterns.matched_path_or_any_parents(path, false).is_ignore()
}

/// The content of a `bitwall.toml`, or the defaults if there is none.
struct Config {
    path: PathBuf,
    /// The section `[verify]`, with the inherited settings. These say which rules are on, and state facts of
    /// the game.
    verify: VerifyConfig,
    /// The rules that this configuration itself turns on or off.
    own: Selection,
    load: LoadOptions,
    /// The real path of the configuration's folder. Its patterns and pairs are relative to this folder.
    folder: PathBuf,
    masks: Gitignore,
    exclude: Gitignore,
    per_path: Vec<(Gitignore, Selection)>,
    above: Option<Rc<Self>>,
    /// Maps the real path of each mask that has separate art to the path of the art.
    by_mask: HashMap<PathBuf, PathBuf>,
    /// True if this configuration or one above it cannot be read. Levels in the folder are then not checked.
    is_broken: bool,
}

impl Config {
    /// Creates the configuration in the file at `path`, which may be one of a revision. `above` is the next
    /// one above it.
    fn new(
        (verify, load): (VerifyConfig, LoadOptions),
        path: &Path,
        above: Option<Rc<Self>>,
    ) -> Result<Self, Failure> {
        let folder = real_folder(path);
        let masks = match &verify.masks {
            Some(masks) => patterns(masks, path)?,
            None => patterns(&MASK_PATTERNS, path)?,
        };
        let exclude = patterns(&verify.exclude, path)?;
        let mut per_path = Vec::new();
        for rules in &verify.per_path {
            per_path.push((patterns(&rules.paths, path)?, rules.levels.clone()));
        }
        let mut by_mask = HashMap::new();
        for pair in &verify.pairs {
            // The first pair of a mask wins.
            let mask = identity(&plain(&folder.join(&pair.mask)));
            by_mask.entry(mask).or_insert_with(|| folder.join(&pair.art));
        }
        let own = verify.options.levels.clone();
        let verify = match &above {
            Some(above) => verify.with_above(&above.verify),
            None => verify,
        };
        Ok(Self {
            path: path.to_owned(),
            verify,
            own,
            load,
            folder,
            masks,
            exclude,
            per_path,
            above,
            by_mask,
            is_broken: false,
        })
    }

    /// Yields the paths of the art in the pairs.
    fn arts(&self) -> impl Iterator<Item = PathBuf> {
        self.verify.pairs.iter().map(|pair| self.folder.join(&pair.art))
    }

    /// Returns the path of a file relative to the folder. `None` for a file outside of it.
    fn below(&self, path: &Path) -> Option<PathBuf> {
        // Resolves only the parent folder, so that a file that is a link keeps its own name.
        let real = real_folder(path).join(path.file_name()?);
        real.strip_prefix(&self.folder).ok().map(Path::to_owned)
    }

    /// Returns which rules are on for the file `path`. This configuration overrides inherited settings; a
    /// `[[verify.path]]` overrides both.
    fn levels_of(&self, path: &Path) -> Selection {
        let mut levels = self.above.as_ref().map(|above| above.levels_of(path)).unwrap_or_default();
        levels.extend(&self.own);
        if self.per_path.is_empty() {
            return levels;
        }
        let below = self.below(path);
        for (patterns, of_path) in &self.per_path {
            if below.as_ref().is_some_and(|below| match_path(patterns, below)) {
                levels.extend(of_path);
            }
        }
        levels
    }

    fn excludes(&self, path: &Path) -> bool {
        let is_own = !self.exclude.is_empty()
            && self.below(path).is_some_and(|below| match_path(&self.exclude, &below));
        is_own || self.above.as_ref().is_some_and(|above| above.excludes(path))
    }

    fn looks_at(&self, path: &Path) -> bool {
        let is_level = PathKind::from_path(path) != Some(PathKind::Picture) || self.is_mask(path);
        is_level && !self.excludes(path)
    }

    /// True if a file pattern makes the picture a mask, or if it is the mask in a `[[verify.pair]]` of mask
    /// and art.
    fn is_mask(&self, path: &Path) -> bool {
        self.is_named_as_mask(path) || self.art_of(path).is_some()
    }

    fn is_named_as_mask(&self, path: &Path) -> bool {
        match (&self.above, self.verify.masks.is_some()) {
            (Some(above), false) => above.is_named_as_mask(path),
            // A default pattern must match the file itself. A folder such as `collision_tests` does not make
            // its pictures masks.
            (None, false) => {
                self.below(path).is_some_and(|below| self.masks.matched(below, false).is_ignore())
            }
            (_, true) => self.below(path).is_some_and(|below| match_path(&self.masks, &below)),
        }
    }

    fn art_of(&self, path: &Path) -> Option<PathBuf> {
        if !self.by_mask.is_empty()
            && let Some(art) = self.by_mask.get(&identity(path))
        {
            return Some(art.clone());
        }
        self.above.as_ref()?.art_of(path)
    }
}

/// Returns the folder of `path`; `.` for the current folder.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Returns the real path of the folder of `path`.
fn real_folder(path: &Path) -> PathBuf {
    identity(folder_of(path))
}

/// A commit, with one running git process that reads its files. Paths are relative to the root folder of the
/// repository.
struct Commit {
    top: PathBuf,
    /// The paths of all files, links and submodules.
    paths: BTreeSet<PathBuf>,
    blobs: Mutex<Blobs>,
}

impl Commit {
    /// Opens the commit `id` of the repository whose root folder is `top`.
    fn open(top: PathBuf, id: &str) -> Result<Arc<Self>, String> {
        let git = Git::new(top.clone());
        let paths = git.tree(id)?;
        let blobs = Mutex::new(git.files_of(id)?);
        Ok(Arc::new(Self { top, paths, blobs }))
    }

    fn blobs(&self) -> MutexGuard<'_, Blobs> {
        self.blobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the file at `path`: relative to the root folder of the repository, or absolute and in it. A path
    /// that leaves the repository, which a hostile commit may have, is not found.
    fn read(&self, path: &Path, limit: u64) -> Result<Vec<u8>, LoadErrorKind> {
        let name = self.name(path);
        if !name.components().all(|part| matches!(part, Component::Normal(_))) {
            return Err(io::Error::from(ErrorKind::NotFound).into());
        }
        self.blobs().read(&name, limit)
    }

    /// Returns the nearest `bitwall.toml` in or above the folder of `path`, and its content.
    fn config(&self, path: &Path) -> Option<(PathBuf, Vec<u8>)> {
        path.ancestors().skip(1).find_map(|folder| {
            let config = folder.join(CONFIG);
            let bytes = self.read(&config, CONFIG_BYTES).ok()?;
            Some((config, bytes))
        })
    }

    fn name(&self, path: &Path) -> PathBuf {
        let path = plain(path);
        path.strip_prefix(&self.top).map(Path::to_owned).unwrap_or(path)
    }
}

/// The files of a project at one time. Paths are relative to the root folder of the project.
#[derive(Clone)]
enum Snapshot {
    Commit(Arc<Commit>),
    /// The root folder, absolute or relative to the current folder.
    Disk(PathBuf),
}

impl Snapshot {
    /// Returns the path of the file `name` for the loader.
    fn path(&self, name: &Path) -> PathBuf {
        match self {
            Self::Commit(_) => name.to_owned(),
            Self::Disk(root) => root.join(name),
        }
    }

    /// Returns the path that the file `name` has or would have on the disk.
    fn place(&self, name: &Path) -> PathBuf {
        match self {
            Self::Commit(commit) => commit.top.join(name),
            Self::Disk(root) => root.join(name),
        }
    }

    /// Returns the nearest `bitwall.toml` of the file `name`, and its content.
    fn config(&self, name: &Path) -> Option<(PathBuf, Vec<u8>)> {
        match self {
            Self::Commit(commit) => {
                let (config, bytes) = commit.config(name)?;
                Some((commit.top.join(config), bytes))
            }
            Self::Disk(root) => {
                let config = config_of(&root.join(name))?;
                let bytes = read_file(&config, Links::Followed, CONFIG_BYTES).unwrap_or_default();
                Some((config, bytes))
            }
        }
    }

    /// Reads the file `name`. Fails above `limit` bytes.
    fn read(&self, name: &Path, limit: u64) -> Result<Vec<u8>, LoadErrorKind> {
        match self {
            Self::Commit(commit) => commit.read(name, limit),
            Self::Disk(root) => read_file(&root.join(name), Links::Followed, limit),
        }
    }

    /// Reads the file `name` of a level; `None` if it cannot be read.
    fn level_file(&self, name: &Path) -> Option<Vec<u8>> {
        self.read(name, Limits::default().file_bytes()).ok()
    }

    /// Reads the file `name` as a commit has it: a Git LFS pointer is not followed.
    fn stored(&self, name: &Path) -> Option<Vec<u8>> {
        match self {
            Self::Commit(commit) => {
                let limit = Limits::default().file_bytes();
                commit.blobs().read_stored(name, limit).ok()
            }
            Self::Disk(_) => self.level_file(name),
        }
    }
}

/// Reads the files of a commit for the loader and the linter.
struct CommitFiles {
    commit: Arc<Commit>,
    /// The largest file that is read, in bytes.
    limit: u64,
    /// The folder in which the files of a level must be; `None` for the whole repository.
    root: Option<PathBuf>,
    /// A file that is read in any folder, also outside the repository: the art of a mask.
    art: Option<PathBuf>,
}

impl CommitFiles {
    fn new(commit: &Arc<Commit>, limit: u64) -> Self {
        Self { commit: Arc::clone(commit), limit, root: None, art: None }
    }

    /// Fails for a path outside the root folder.
    fn check(&self, path: &Path) -> Result<(), LoadErrorKind> {
        match &self.root {
            Some(root) if !plain(path).starts_with(root) => {
                Err(LoadErrorKind::OutsideRoot { root: root.clone() })
            }
            _ => Ok(()),
        }
    }
}

impl Files for CommitFiles {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        if self.art.as_deref() == Some(path) {
            if path.is_absolute() && !path.starts_with(&self.commit.top) {
                return read_file(path, Links::Followed, self.limit);
            }
        } else {
            self.check(path)?;
        }
        self.commit.read(path, self.limit)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        self.check(folder)?;
        let folder = self.commit.name(folder);
        let paths = self.commit.paths.range(folder.clone()..);
        let mut names = Vec::new();
        for path in paths.take_while(|path| path.starts_with(&folder)) {
            if path.parent() == Some(&folder) {
                names.extend(path.file_name().and_then(|name| name.to_str()).map(str::to_owned));
            }
        }
        Ok(names)
    }

    fn absolute(&self, path: &Path) -> Option<PathBuf> {
        Some(path.to_owned())
    }
}

/// The files of a project before and after a change.
struct Changes {
    states: [Snapshot; 2],
    /// The files before and after, relative to the root folder of the project.
    files: [BTreeSet<PathBuf>; 2],
    /// What git lists as changed in the working tree; `None` between two commits or two folders.
    index: Option<IndexChanges>,
    /// The current path of each renamed file -> its path before.
    renamed: BTreeMap<PathBuf, PathBuf>,
    /// The path of each renamed file before -> its current path.
    names_now: BTreeMap<PathBuf, PathBuf>,
    /// The current path of a file -> true if its contents differ from before. Filled on demand.
    compared: RefCell<HashMap<PathBuf, bool>>,
    /// The files, before and after, that may define classes of Tiled.
    type_files: Vec<PathBuf>,
    /// The path of a file -> the files that it names now. Filled on demand, so that a tileset shared by many
    /// maps is read once.
    references: RefCell<HashMap<PathBuf, Rc<[Reference]>>>,
}

impl Changes {
    fn new(
        states: [Snapshot; 2],
        files: [BTreeSet<PathBuf>; 2],
        index: Option<IndexChanges>,
        renamed: BTreeMap<PathBuf, PathBuf>,
    ) -> Self {
        let names_now = renamed.iter().map(|(now, then)| (then.clone(), now.clone())).collect();
        let compared = RefCell::default();
        let references = RefCell::default();
        let type_files = files[0].union(&files[1]).filter(|path| is_type_file(path));
        let type_files = type_files.cloned().collect();
        Self { states, files, index, renamed, names_now, compared, type_files, references }
    }

    /// The changes between a commit and the working tree in `root`. Git lists those in `index`.
    fn in_tree(commit: Arc<Commit>, root: PathBuf, mut index: IndexChanges) -> Self {
        let tracked = commit.paths.clone();
        let mut files: BTreeSet<PathBuf> = tracked.union(&index.paths).cloned().collect();
        files.retain(|path| root.join(path).is_file());
        let renamed = std::mem::take(&mut index.renamed);
        let states = [Snapshot::Commit(commit), Snapshot::Disk(root)];
        Self::new(states, [tracked, files], Some(index), renamed)
    }

    fn then<'p>(&'p self, now: &'p Path) -> &'p Path {
        self.renamed.get(now).map_or(now, PathBuf::as_path)
    }

    fn now<'p>(&'p self, then: &'p Path) -> &'p Path {
        self.names_now.get(then).map_or(then, PathBuf::as_path)
    }

    /// True if git lists the file or a folder above it as changed or untracked.
    fn is_listed(&self, name: &Path) -> bool {
        let index = self.index.as_ref();
        index.is_none_or(|index| name.ancestors().any(|above| index.paths.contains(above)))
    }

    /// True if a file's contents differ, or if only one state has it. A renamed file counts as changed.
    ///
    /// Compares contents and not git's list of changed paths, because links are followed. Line ends of a text
    /// are ignored, because a checkout may convert them.
    fn is_changed(&self, now: &Path) -> bool {
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

    /// Returns the changed files of the level `name`: of its own file, those that it needs and `others`.
    /// Without pictures that are only drawn, and without the maps of a world, if `are_of_walls`.
    fn changed_files(
        &self,
        name: &Path,
        others: Vec<PathBuf>,
        are_of_walls: bool,
    ) -> Vec<Reference> {
        let others = others.iter().chain(self.type_files(name));
        let first = others.map(PathBuf::as_path).chain([name]);
        let kind = ReferenceKind::Map;
        let mut open: Vec<_> = first.map(|it| Reference { path: it.to_owned(), kind }).collect();
        let mut known = BTreeSet::new();
        let mut changed = Vec::new();
        while let Some(file) = open.pop() {
            if known.len() == MAX_FILES || !known.insert(file.path.clone()) {
                continue;
            }
            let is_world = file.path.extension().is_some_and(|end| end == "world");
            for named in self.references(&file.path).iter() {
                if !are_of_walls || !is_world && named.kind != ReferenceKind::Art {
                    open.push(named.clone());
                }
            }
            if self.is_changed(&file.path) {
                changed.push(file);
            }
        }
        changed
    }

    /// Returns the files that the file `name` names now.
    fn references(&self, name: &Path) -> Rc<[Reference]> {
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

    /// Yields the files that may define the classes of the level `name`: those in a folder above it.
    fn type_files(&self, name: &Path) -> impl Iterator<Item = &PathBuf> {
        let is_above =
            |path: &&PathBuf| path.parent().is_some_and(|folder| name.starts_with(folder));
        self.type_files.iter().filter(is_above)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pattern_with_a_slash_is_relative_to_the_folder() {
        let patterns = |all: &[&str]| patterns(all, Path::new("test")).ok().unwrap();
        let file = Path::new("verify/settings.rs");
        let match_name = |all: &[&str]| patterns(all).matched(file, false).is_ignore();
        assert!(match_name(&["SETTINGS.*"]) && match_name(&["verify/*.rs"]));
        assert!(match_path(&patterns(&["verify/"]), file) && !match_name(&["verify/"]));
        assert!(!match_name(&["/settings.rs"]) && !match_path(&patterns(&[]), file));
    }
}
