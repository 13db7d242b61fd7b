//! `bitwall diff` for all levels of a project. It compares two commits, a commit and the working tree, or two
//! folders.
//!
//! A level is compared if its own file, a file that it names, or a `bitwall.toml` above it differs. The maps
//! of a world are compared as levels of their own, so a world is compared only if its own file differs.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use super::pictures::{PatchPictures, write_pictures, write_whole};
use super::report::{Change, LevelReport, ProjectReport, TilesetReport};
use super::side::{LevelSide, Revision};
use super::{DiffArgs, compared, drop_maps};
use crate::commands::Failure;
use crate::commands::files::{FoundFiles, MAX_FILES, PathKind, Patterns, identity};
use crate::commands::level_args::LoadArgs;
use crate::commands::output::Progress;
use crate::git::Git;
use crate::lint::VerifyConfig;
use crate::lint::config::MASK_PATTERNS;
use bitwall::analyze::LevelDifference;
use bitwall::load::config::CONFIG_BYTES;
use bitwall::load::{CONFIG, Links, TILED_PROJECT, config_of, plain, read_file};
use bitwall::text::{printable, printable_path};
use bitwall::tmx::{Named, files_named};
use bitwall::{Limits, LoadedLevel};

/// The largest number of patches (groups of changed pixels) of one level that get pictures.
const MAX_PATCHES: usize = 3;

/// The largest number of levels that get pictures.
const MAX_DRAWN: usize = 50;

/// The files of a project before or after the change. Paths are relative to the project's root folder.
enum State {
    Commit(Rc<Revision>),
    /// The root folder, relative to the current folder.
    Disk(PathBuf),
}

impl State {
    fn level(&self, path: &Path) -> LevelSide {
        match self {
            Self::Commit(revision) => LevelSide::at(path.to_owned(), Some(Rc::clone(revision))),
            Self::Disk(root) => LevelSide::at(root.join(path), None),
        }
    }

    /// Returns the path of a file for the loader: relative to the commit's root, or a path on the disk.
    fn path(&self, path: &Path) -> PathBuf {
        match self {
            Self::Commit(_) => path.to_owned(),
            Self::Disk(root) => root.join(path),
        }
    }

    fn read(&self, path: &Path) -> Option<Vec<u8>> {
        let limit = Limits::default().file_bytes();
        match self {
            Self::Commit(revision) => revision.read(path, limit).ok(),
            Self::Disk(root) => read_file(&root.join(path), Links::Followed, limit).ok(),
        }
    }
}

/// The files that one file names and that can change a solid: all but pictures that are only drawn.
type NamedFiles = Rc<[(PathBuf, Named)]>;

pub(super) struct Project {
    states: [State; 2],
    names: [String; 2],
    /// The files before and after, relative to the project's root folder.
    files: [BTreeSet<PathBuf>; 2],
    /// The root folder from which levels may be read, before and after; `None` to find a root for each level.
    roots: [Option<PathBuf>; 2],
    /// The current path of each renamed file -> its path before.
    renamed: BTreeMap<PathBuf, PathBuf>,
    /// The current path of a file -> true if its contents differ from before. Filled on demand.
    compared: HashMap<PathBuf, bool>,
    /// Before and after: the path of a file -> the files that it names. Filled on demand, so that a tileset
    /// shared by many maps is read once.
    named: [HashMap<PathBuf, NamedFiles>; 2],
}

/// The pictures that one `bitwall.toml` calls masks.
struct MaskNames {
    /// The folder of the `bitwall.toml`.
    folder: PathBuf,
    patterns: Patterns,
    verify: VerifyConfig,
}

impl MaskNames {
    /// Returns the names in the `bitwall.toml` with these `bytes`. Without patterns, or if the file is
    /// broken, the default names of masks apply. `None` if a pattern is wrong.
    fn new(config: &Path, bytes: &[u8]) -> Option<Self> {
        let folder = config.parent().unwrap_or(Path::new("")).to_owned();
        let verify = VerifyConfig::decode(config, bytes).unwrap_or_default();
        let patterns = match &verify.masks {
            Some(masks) => masks.iter().map(String::as_str).collect(),
            None => MASK_PATTERNS.to_vec(),
        };
        let patterns = Patterns::new(&folder, patterns, &config.to_string_lossy()).ok()?;
        Some(Self { folder, patterns, verify })
    }

    /// True if a file pattern matches the picture, or if it is the mask in a pair of a mask and its art.
    fn match_path(&self, path: &Path) -> bool {
        let below = path.strip_prefix(&self.folder).unwrap_or(path);
        let mut pairs = self.verify.pairs.iter();
        self.patterns.match_below(below, self.verify.masks.is_some())
            || pairs.any(|pair| plain(&pair.mask) == below)
    }
}

/// Returns the commit that an argument names; `None` for the path of a file or folder, and for `-`.
///
/// Fails if the argument names both, as git does: a branch may add a folder with the name of a revision. An
/// error of git matters only for an argument that `is_alone`: otherwise the levels are reported as missing.
fn named_commit(git: &Git, argument: &Path, is_alone: bool) -> Result<Option<String>, Failure> {
    let name = argument.to_string_lossy();
    if name.starts_with('-') {
        return Ok(None);
    }
    let found = git.commit(&name);
    if argument.exists() {
        return match found {
            Ok(Some(_)) => Err(ambiguous(argument)),
            _ => Ok(None),
        };
    }
    found.or_else(|error| if is_alone { Err(Failure::Other(error)) } else { Ok(None) })
}

/// Returns the error for an argument that is the path of a file or folder and names a revision.
fn ambiguous(argument: &Path) -> Failure {
    let name = printable_path(argument);
    let kind = if argument.is_dir() { "folder" } else { "file" };
    Failure::Other(format!(
        "{name}: this is a revision, and a {kind} is named so; write ./{name} for the {kind}, or {name}^0 \
         for the revision"
    ))
}

impl Project {
    /// Returns the project that the arguments name; `None` if they name single levels.
    pub(super) fn new(args: &DiffArgs) -> Result<Option<Self>, Failure> {
        let (before, after) = (&args.before, args.after.as_deref());
        let here = Git::new(PathBuf::from("."));
        let is_alone = after.is_none();
        let base = named_commit(&here, before, is_alone)?;
        let other = after.map(|after| named_commit(&here, after, is_alone)).transpose()?.flatten();
        if let (true, Some(after)) = (before.is_dir(), after.filter(|after| after.is_dir())) {
            if args.merge_base {
                return Err(Failure::Other(
                    "--merge-base needs a revision, not a folder".to_owned(),
                ));
            }
            return Self::of_folders(before, after).map(Some);
        }
        let typed =
            [Some(&**before), after].map(|path| path.map_or("".into(), Path::to_string_lossy));
        let Some(mut base) = base else {
            let is_mixed = before.is_dir() || after.is_some_and(Path::is_dir);
            let reason =
                "a folder is compared with another folder; after a revision, with the working tree";
            return if is_mixed { Err(Failure::Other(reason.to_owned())) } else { Ok(None) };
        };
        if let (None, Some(path)) = (&other, after.filter(|path| !path.is_dir())) {
            let name = printable_path(path);
            let reason =
                format!("{name}: a revision is compared with another one, or with a folder");
            return Err(Failure::Other(reason));
        }
        let (top, prefix) = here.place().map_err(Failure::Other)?;
        if args.merge_base {
            base = here.merge_base(&base).map_err(Failure::Other)?.ok_or_else(|| {
                let name = printable(&typed[0]);
                Failure::Other(format!(
                    "{name}: it has no commit in common with this branch; if the clone is shallow, run \
                     `git fetch --unshallow`"
                ))
            })?;
        }
        let git = Git::new(top.clone());
        let changes = git.changed_since(&base, other.as_deref()).map_err(Failure::Other)?;
        let tracked = git.paths_of(&base).map_err(Failure::Other)?;
        let (state, files) = match &other {
            Some(other) => {
                let files = git.paths_of(other).map_err(Failure::Other)?;
                let state = State::Commit(Revision::new(top.clone(), other.clone()));
                (state, files)
            }
            None if !here.has_work_tree().map_err(Failure::Other)? => {
                let reason = "a bare repository has no working tree; give two revisions";
                return Err(Failure::Other(reason.to_owned()));
            }
            None => {
                let root: PathBuf = prefix.components().map(|_| "..").collect();
                let files = tracked.union(&changes.paths);
                let files = files.filter(|path| root.join(path).is_file()).cloned().collect();
                (State::Disk(root), files)
            }
        };
        let mut files = [tracked, files];
        if let (None, Some(folder)) = (&other, after) {
            let (folder, top) = (identity(folder), identity(&top));
            let below = folder.strip_prefix(&top).map_err(|_| {
                let name = printable_path(&folder);
                Failure::Other(format!(
                    "{name}: this folder is not in the repository of the revision"
                ))
            })?;
            files.iter_mut().for_each(|files| files.retain(|path| path.starts_with(below)));
        }
        let name = |typed: &str| printable(typed).to_string();
        let after = if other.is_some() { name(&typed[1]) } else { "working tree".to_owned() };
        let base_name = name(&typed[0]);
        let before =
            if args.merge_base { format!("merge base with {base_name}") } else { base_name };
        let states = [State::Commit(Revision::new(top, base)), state];
        Ok(Some(Self::of(states, [before, after], files, changes.renamed)))
    }

    fn of_folders(before: &Path, after: &Path) -> Result<Self, Failure> {
        let folders = [before, after];
        let files = folders.map(|folder| -> Result<_, Failure> {
            let mut found = FoundFiles::new(MAX_FILES);
            found.walk(folder, &[], |_| Ok(false))?;
            // [`FoundFiles::walk`] returns paths without a `./` at the start.
            let folder = folder.strip_prefix("./").unwrap_or(folder);
            let below =
                |path: PathBuf| path.strip_prefix(folder).map(Path::to_owned).unwrap_or(path);
            Ok(found.files.into_iter().map(below).collect())
        });
        let [before, after] = files;
        let names = folders.map(|folder| printable_path(folder).to_string());
        let states = folders.map(|folder| State::Disk(folder.to_owned()));
        let roots = folders.map(|folder| (!has_root(folder)).then(|| folder.to_owned()));
        let files = [before?, after?];
        Ok(Self { roots, ..Self::of(states, names, files, BTreeMap::new()) })
    }

    fn of(
        states: [State; 2],
        names: [String; 2],
        files: [BTreeSet<PathBuf>; 2],
        renamed: BTreeMap<PathBuf, PathBuf>,
    ) -> Self {
        let (roots, compared, named) = Default::default();
        Self { states, names, files, roots, renamed, compared, named }
    }

    fn load(&self, state: usize, args: &DiffArgs) -> LoadArgs {
        let mut load = args.load.of_two();
        load.root = load.root.or_else(|| self.roots[state].clone());
        load
    }

    /// Returns the report in the format that `args` asks for, and true if all levels are equal. Writes the
    /// pictures of `--pictures`.
    pub(super) fn report(mut self, args: &DiffArgs) -> Result<(String, bool), Failure> {
        let mut levels = Vec::new();
        let mut tilesets = BTreeMap::<PathBuf, Vec<PathBuf>>::new();
        let (mut unchanged, mut equal) = (0, 0);
        let mut all = self.levels();
        if let (Some(folder), State::Disk(root)) = (&args.pictures, &self.states[1]) {
            // Skips new pictures, which an earlier run has written. An empty root is the current folder.
            let (folder, root) = (identity(folder), identity(&root.join(".")));
            all.retain(|[then, now]| {
                let now = now.as_ref().filter(|_| then.is_none());
                now.is_none_or(|now| !root.join(now).starts_with(&folder))
            });
        }
        let mut bar = Progress::new("comparing", all.len() as u64);
        for (done, [then, now]) in (1..).zip(all) {
            bar.show(done);
            let drawn = args.pictures.as_deref().filter(|_| levels.len() < MAX_DRAWN);
            let draw = drawn.map(|folder| inside(folder, now.as_deref().or(then.as_deref())));
            let draw = draw.transpose()?;
            let report = match [&then, &now] {
                [Some(then), Some(now)] => {
                    let changes = self.changes_of(then, now);
                    if !changes.is_own && changes.tilesets.is_empty() {
                        unchanged += 1;
                        continue;
                    }
                    self.pair(args, [then, now], &changes, &mut tilesets, draw.as_deref())?
                }
                [Some(path), None] => Some(self.single(args, 0, path, draw)?),
                [None, Some(path)] => Some(self.single(args, 1, path, draw)?),
                [None, None] => None,
            };
            equal += usize::from(report.is_none());
            levels.extend(report);
        }
        let tilesets = tilesets.into_iter().map(|(path, levels)| TilesetReport { path, levels });
        let report = ProjectReport {
            names: self.names,
            levels,
            tilesets: tilesets.collect(),
            equal,
            unchanged,
        };
        Ok((report.text(args.format), report.levels.is_empty()))
    }

    /// Returns the path of each level before and after, sorted by the path after. A new or removed level has
    /// only one of the two.
    fn levels(&self) -> Vec<[Option<PathBuf>; 2]> {
        let mut masks = HashMap::new();
        let mut is_level = |path: &PathBuf, side: usize| match PathKind::of_level(path, || {
            self.states[side].read(path)
        }) {
            Some(PathKind::Map) => true,
            Some(PathKind::Picture) => self.is_mask(path, &mut masks),
            _ => false,
        };
        let [before, after] = &self.files;
        let mut levels = Vec::new();
        let mut known = BTreeSet::new();
        for path in after.iter().filter(|path| is_level(path, 1)) {
            let then = self.then(path);
            let then = before.get(then).cloned();
            known.extend(then.clone());
            levels.push([then, Some(path.clone())]);
        }
        let gone = before.iter().filter(|path| !known.contains(*path) && is_level(path, 0));
        levels.extend(gone.map(|path| [Some(path.clone()), None]));
        levels
    }

    fn then<'p>(&'p self, now: &'p Path) -> &'p Path {
        self.renamed.get(now).map_or(now, |then| then)
    }

    /// True if the nearest `bitwall.toml` before or after says that the picture is a mask, or the one on the
    /// disk. So a change of the configuration hides no mask.
    fn is_mask(&self, path: &Path, known: &mut HashMap<PathBuf, Option<MaskNames>>) -> bool {
        let mut is_mask = false;
        for state in &self.states {
            let on_disk = match state {
                State::Commit(revision) => {
                    let config = revision.config_of(path).unwrap_or_else(|| CONFIG.into());
                    let name = PathBuf::from(&revision.commit).join(&config);
                    let names = known.entry(name).or_insert_with(|| {
                        let bytes = revision.read(&config, CONFIG_BYTES).unwrap_or_default();
                        MaskNames::new(&config, &bytes)
                    });
                    is_mask |= names.as_ref().is_some_and(|names| names.match_path(path));
                    revision.top.join(path)
                }
                State::Disk(root) => identity(&root.join(".")).join(path),
            };
            let config = config_of(&on_disk).unwrap_or_else(|| on_disk.with_file_name(CONFIG));
            let names = known.entry(config.clone()).or_insert_with(|| {
                let bytes = read_file(&config, Links::Followed, CONFIG_BYTES).unwrap_or_default();
                MaskNames::new(&config, &bytes)
            });
            is_mask |= names.as_ref().is_some_and(|names| names.match_path(&on_disk));
        }
        is_mask
    }

    /// True if a file's contents differ, or if the file is missing before or after. Also true if it cannot be
    /// read either time.
    ///
    /// Compares contents and not git's list of changed paths, because links are followed. Line ends of a text
    /// are ignored, because a checkout may convert them.
    fn is_changed(&mut self, now: &Path) -> bool {
        if let Some(is_changed) = self.compared.get(now) {
            return *is_changed;
        }
        let bytes = [self.states[0].read(self.then(now)), self.states[1].read(now)];
        let is_changed = match (&bytes, PathKind::from_path(now)) {
            ([Some(before), Some(after)], kind) if kind != Some(PathKind::Picture) => {
                let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).replace("\r\n", "\n");
                before != after && text(before) != text(after)
            }
            ([None, None], _) => self.files[1].contains(now),
            ([before, after], _) => before != after,
        };
        self.compared.insert(now.to_owned(), is_changed);
        is_changed
    }

    fn named_by(&mut self, side: usize, path: &Path) -> NamedFiles {
        if let Some(named) = self.named[side].get(path) {
            return Rc::clone(named);
        }
        let kind = PathKind::from_path(path);
        // A picture names no files. The maps of a world are levels of their own.
        let is_end =
            kind == Some(PathKind::Picture) || path.extension().is_some_and(|end| end == "world");
        let bytes = if is_end { None } else { self.states[side].read(path) }.unwrap_or_default();
        let named = files_named(path, &bytes).into_iter();
        let named = named.filter(|(_, kind)| *kind != Named::Picture);
        let named: NamedFiles = named.map(|(path, kind)| (plain(&path), kind)).collect();
        self.named[side].insert(path.to_owned(), Rc::clone(&named));
        named
    }

    /// Returns the changed files on which a level depends. `then` is its path before, `now` its path after.
    fn changes_of(&mut self, then: &Path, now: &Path) -> Changes {
        // A moved level counts as changed, because its relative paths may lead to other files.
        let is_own = then != now || self.is_changed(now);
        let mut changes = Changes { is_own, tilesets: Vec::new() };
        for folder in now.ancestors().skip(1) {
            changes.is_own |= self.is_changed(&folder.join(CONFIG));
        }
        for (side, level) in [then, now].into_iter().enumerate() {
            let mut open = self.named_by(side, level).to_vec();
            let mut known = BTreeSet::new();
            while let Some((path, kind)) = open.pop() {
                if !known.insert(path.clone()) {
                    continue;
                }
                open.extend(self.named_by(side, &path).iter().cloned());
                let is_listed = changes.tilesets.contains(&path);
                if is_listed || !self.is_changed(&path) {
                    continue;
                }
                match kind {
                    Named::Tileset => changes.tilesets.push(path),
                    _ => changes.is_own = true,
                }
            }
        }
        changes
    }

    /// Returns the report on a level that exists before and after; `None` if both are equal. `tilesets` maps
    /// each changed tileset to the levels whose walls its change affects; adds this level to it.
    fn pair(
        &self,
        args: &DiffArgs,
        [then, now]: [&Path; 2],
        changes: &Changes,
        tilesets: &mut BTreeMap<PathBuf, Vec<PathBuf>>,
        draw: Option<&Path>,
    ) -> Result<Option<LevelReport>, Failure> {
        let sides = [self.states[0].level(then), self.states[1].level(now)];
        let path = now.to_owned();
        let was = (then != now).then(|| then.to_owned());
        let loaded = |state: usize| sides[state].load_with(&self.load(state, args), None);
        let [before, after] = [0, 1].map(loaded);
        let found = before.and_then(|before| Ok([before, after?])).and_then(|mut levels| {
            if draw.is_none() {
                drop_maps(&mut levels);
            }
            let difference = compared(&levels, &args.body)?;
            Ok((levels, difference))
        });
        let (levels, difference) = match found {
            Ok(found) => found,
            Err(failure) => {
                let change = Change::Failed(failure.to_string());
                return Ok(Some(LevelReport {
                    path,
                    was,
                    change,
                    pictures: Vec::new(),
                    by_tileset: false,
                }));
            }
        };
        for tileset in &changes.tilesets {
            let is_alone = !changes.is_own && changes.tilesets.len() == 1;
            let has_changed = has_other_walls(&difference);
            if is_alone && has_changed
                || !is_alone && self.has_effect(args, &sides[0], &levels[0], tileset, has_changed)
            {
                tilesets.entry(tileset.clone()).or_default().push(path.clone());
            }
        }
        if difference.is_empty() {
            return Ok(None);
        }
        let pictures = match draw {
            Some(folder) => {
                // If only a tileset changed, one picture is enough to show its effect on the level.
                let most = if changes.is_own { MAX_PATCHES } else { 1 };
                write_pictures(folder, &sides, &levels, &difference, most)?
            }
            None => Vec::new(),
        };
        let change = Change::Differs(Box::new(difference));
        Ok(Some(LevelReport { path, was, change, pictures, by_tileset: !changes.is_own }))
    }

    /// True if the change of one tileset changes the walls of a level: the earlier level `before` has other
    /// walls when it is loaded with the later version of the tileset. Returns `otherwise` if the tileset
    /// cannot be read or the level cannot be loaded with it.
    fn has_effect(
        &self,
        args: &DiffArgs,
        side: &LevelSide,
        before: &LoadedLevel,
        tileset: &Path,
        otherwise: bool,
    ) -> bool {
        let Some(bytes) = self.states[1].read(tileset) else {
            return otherwise;
        };
        let name = self.states[0].path(self.then(tileset));
        let Ok(mixed) = side.load_with(&self.load(0, args), Some((&name, bytes))) else {
            return otherwise;
        };
        let found = compared(&[before.clone(), mixed], &[]);
        found.map_or(otherwise, |difference| has_other_walls(&difference))
    }

    /// Returns the report on a level that exists only before or only after.
    fn single(
        &self,
        args: &DiffArgs,
        state: usize,
        path: &Path,
        draw: Option<PathBuf>,
    ) -> Result<LevelReport, Failure> {
        let side = self.states[state].level(path);
        let mut pictures: Vec<PatchPictures> = Vec::new();
        let change = match side.load_with(&self.load(state, args), None) {
            Ok(loaded) => {
                if let Some(folder) = draw {
                    let name = ["whole-before.png", "whole-after.png"][state];
                    let mut shown = [None, None, None];
                    shown[state] = write_whole(folder.join(name), &side, &loaded)?;
                    pictures.push(shown);
                }
                let (size, cells) = (loaded.level.size(), loaded.level.grid().solid_count());
                Change::Single { is_new: state == 1, size, solid_cells: cells }
            }
            Err(failure) => Change::Failed(failure.to_string()),
        };
        Ok(LevelReport { path: path.to_owned(), was: None, change, pictures, by_tileset: false })
    }
}

struct Changes {
    /// True if the level's own file, a template that it uses, or a `bitwall.toml` above it has changed.
    is_own: bool,
    tilesets: Vec<PathBuf>,
}

fn has_other_walls(difference: &LevelDifference) -> bool {
    let LevelDifference { added, removed, one_way, named_areas, .. } = difference;
    added + removed > 0 || *one_way || !named_areas.is_empty()
}

/// True if `folder` or a folder above it contains a `.git`, a `bitwall.toml` or a Tiled project file.
fn has_root(folder: &Path) -> bool {
    let is_mark = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.map(|entry| PathBuf::from(entry.file_name())).unwrap_or_default();
        let is_project = name.extension().is_some_and(|ending| ending == TILED_PROJECT);
        is_project || name == Path::new(".git") || name == Path::new(CONFIG)
    };
    let real = identity(folder);
    let mut entries = real.ancestors().filter_map(|above| std::fs::read_dir(above).ok());
    entries.any(|mut entries| entries.any(is_mark))
}

/// Returns the folder inside `folder` for the pictures of a level. Fails if a part of the path is a link.
///
/// Drops `..` and absolute parts, because a hostile commit may contain paths that leave the folder, and
/// links.
fn inside(folder: &Path, level: Option<&Path>) -> Result<PathBuf, Failure> {
    let names = level.into_iter().flat_map(Path::components);
    let mut place = folder.to_owned();
    for name in names.filter(|part| matches!(part, Component::Normal(_))) {
        place.push(name);
        if place.is_symlink() {
            let name = printable_path(&place);
            return Err(Failure::Other(format!("{name}: no pictures are written through a link")));
        }
    }
    Ok(place)
}
