//! Records the source files and load options of a baked level as hashes, and compares them with the disk.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use ignore::WalkBuilder;

use crate::commands::files::{PathKind, identity};
use crate::commands::level_args::{LevelFile, LoadArgs};
use crate::commands::{Answer, Failure};
use bitwall::baked::{BakedLevel, BakedSources, SourceFile, hash};
use bitwall::load::{Disk, Files, Links, LoadErrorKind, Place, plain, read_file};
use bitwall::text::{counted, printable, printable_path};
use bitwall::{Limits, LoadError, LoadOptions, LoadedLevel};

/// The value of [`SourceFile::length`] for a file that is hashed as a whole.
const WHOLE: u64 = u64::MAX;

/// Returns the sources of a level for the baked file `out`, with paths relative to the folder of `out`.
///
/// Returns `None` if the level or the baked file is on a standard stream, or if a path is not UTF-8. Returns
/// `None` too if the two files are in different repositories, because a path between repositories holds only
/// on this machine.
pub(super) fn of(
    level: &LevelFile,
    out: &Path,
    loaded: &LoadedLevel,
) -> Result<Option<BakedSources>, Failure> {
    let folder = folder_of(out);
    let own = identity(&level.path);
    if level.bytes.is_some() || out == Path::new("-") || !folder.starts_with(home(&own)) {
        return Ok(None);
    }
    let options = loaded.options();
    let mut files = Recorded { files: Disk::new(&level.path, options), read: BTreeMap::new() };
    let failed = |kind| LoadError::new(&level.path, Place::default(), kind);
    let bytes =
        read_file(&level.path, Links::Followed, options.limits.file_bytes()).map_err(failed)?;
    if !loaded.maps.is_empty() {
        // A second load records which files the level needs, and how many bytes of each.
        LoadedLevel::decode(&level.path, &bytes, &mut files as &mut dyn Files, options)?;
    }
    let of_file = |path: &Path, length: u64, hash: u64| {
        relative(&folder, path).map(|path| SourceFile { path, length, hash })
    };
    let mut sources = vec![of_file(&own, WHOLE, hash_of(&own, &bytes))];
    sources.extend(files.read.iter().map(|(path, (length, hash))| of_file(path, *length, *hash)));
    // A baked file holds paths as UTF-8 only.
    let files = sources.into_iter().collect::<Option<_>>();
    Ok(files.map(|files| BakedSources { options: hash_of_options(options), files }))
}

/// Returns the root folder of the git repository around `file`. Without a repository, returns the current
/// folder.
fn home(file: &Path) -> PathBuf {
    let root = file.ancestors().find(|above| above.join(".git").exists());
    root.map_or_else(|| identity(Path::new(".")), Path::to_owned)
}

/// Returns the real path of the folder of `file`. The file itself may be missing.
fn folder_of(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    identity(folder.unwrap_or(Path::new(".")))
}

/// Returns the path from `folder` to `file`, with `/` between names; `None` if it is not UTF-8. Both are real
/// paths.
fn relative(folder: &Path, file: &Path) -> Option<String> {
    let common = folder.ancestors().find(|above| file.starts_with(above))?;
    let up = folder.strip_prefix(common).ok()?.components().map(|_| Some(".."));
    let down = file.strip_prefix(common).ok()?.components().map(|part| part.as_os_str().to_str());
    Some(up.chain(down).collect::<Option<Vec<_>>>()?.join("/"))
}

/// Returns the hash of a file's bytes. A text with Windows line ends hashes like one with Unix line ends,
/// because a checkout may convert them.
fn hash_of(path: &Path, bytes: &[u8]) -> u64 {
    let is_picture = PathKind::from_path(path) == Some(PathKind::Picture);
    if is_picture || !bytes.contains(&b'\r') {
        return hash(bytes);
    }
    let mut text = bytes.to_vec();
    let mut next = bytes.iter().skip(1).chain([&0]);
    text.retain(|byte| next.next() != Some(&b'\n') || *byte != b'\r');
    hash(&text)
}

/// Returns the hash of the options that can change a level. These are all options except the limits, the root
/// folder and the path of the configuration.
fn hash_of_options(options: &LoadOptions) -> u64 {
    let (limits, root, config) = (Limits::default(), None, None);
    // `allow_nothing_solid` accepts or refuses a level, but never changes one.
    let options =
        LoadOptions { limits, root, config, allow_nothing_solid: false, ..options.clone() };
    hash(format!("{options:?}").as_bytes())
}

/// Returns the names of the maps and JSON files among `names`, sorted, one per line. Its hash changes when a
/// folder gains or loses a map that a world's name pattern could find.
fn maps_in(mut names: Vec<String>) -> String {
    names.retain(|name| {
        let path = Path::new(name);
        PathKind::from_path(path) == Some(PathKind::Map)
            || path.extension().is_some_and(|it| it == "json")
    });
    names.sort_unstable();
    names.join("\n")
}

/// Reads files from the disk. Records the real path of each file, with the number of bytes that were read
/// from its start, and their hash.
struct Recorded {
    files: Disk,
    read: BTreeMap<PathBuf, (u64, u64)>,
}

impl Recorded {
    fn note(&mut self, path: &Path, length: u64, bytes: &[u8]) {
        let hash = hash_of(path, bytes);
        let entry = self.read.entry(identity(path)).or_insert((length, hash));
        if entry.0 < length {
            *entry = (length, hash);
        }
    }
}

impl Files for Recorded {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        let bytes = self.files.read(path)?;
        self.note(path, WHOLE, &bytes);
        Ok(bytes)
    }

    fn read_start(&mut self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind> {
        let bytes = self.files.read_start(path, length)?;
        self.note(path, length as u64, &bytes[..length.min(bytes.len())]);
        Ok(bytes)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        let names = self.files.names(folder)?;
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        self.note(here, 0, maps_in(names.clone()).as_bytes());
        Ok(names)
    }
}

/// Compares each baked level in `folder` with its sources. Prints one line for each that is not up to date.
pub(super) fn check(folder: &Path, load: &LoadArgs) -> Result<Answer, Failure> {
    if !folder.is_dir() {
        return Err(Failure::Other(format!("{}: there is no such folder", printable_path(folder))));
    }
    let mut paths = Vec::new();
    // Searches ignored folders too, because baked levels are often in folders that a `.gitignore` names.
    let mut builder = WalkBuilder::new(folder);
    builder.standard_filters(false).filter_entry(|entry| entry.file_name() != ".git");
    for entry in builder.build() {
        let entry = entry.map_err(|error| {
            Failure::Other(format!("cannot read a folder: {}", printable(&error.to_string())))
        })?;
        let is_file = entry.file_type().is_some_and(|kind| kind.is_file());
        if is_file && entry.path().extension().is_some_and(|ending| ending == "bwl") {
            paths.push(entry.into_path());
        }
    }
    paths.sort_unstable();
    let (mut out, mut faults, mut without) = (anstream::stdout().lock(), 0, 0);
    for path in &paths {
        let (line, is_fault) = match state(path, load) {
            BakedState::Current => continue,
            BakedState::WithoutHash => {
                without += 1;
                ("has no hash of its sources; bake it again to compare it".to_owned(), false)
            }
            BakedState::Stale(reason) => (format!("stale: {reason}; bake it again"), true),
            BakedState::Damaged(reason) => (format!("damaged: {reason}"), true),
            BakedState::Orphaned(source) => (
                format!("its source {} is gone; remove it, or bake it again", printable(&source)),
                true,
            ),
        };
        faults += u64::from(is_fault);
        let written = writeln!(out, "{}: {line}", printable_path(path));
        Answer::Yes.once(written)?;
    }
    let total = counted(paths.len() as u64, "baked level");
    let _ = writeln!(
        anstream::stderr(),
        "{total} checked: {faults} out of date, {without} without a hash"
    );
    Ok(if faults == 0 { Answer::Yes } else { Answer::No })
}

enum BakedState {
    Current,
    WithoutHash,
    /// A source or a load option of the baked level has changed. Holds a description of the change.
    Stale(String),
    /// The file cannot be read, or is not a valid baked level. Holds the error as text.
    Damaged(String),
    /// The source file of the level is missing. Holds its path as the baked file states it.
    Orphaned(String),
}

fn state(baked: &Path, load: &LoadArgs) -> BakedState {
    let limit = Limits::default().file_bytes();
    let bytes = match read_file(baked, Links::Refused, limit) {
        Ok(bytes) => bytes,
        Err(kind) => return BakedState::Damaged(kind.to_string()),
    };
    let read = BakedLevel::decode(&bytes).and_then(|_| BakedSources::decode(&bytes));
    let sources = match read {
        Ok(Some(sources)) => sources,
        Ok(None) => return BakedState::WithoutHash,
        Err(error) => return BakedState::Damaged(error.to_string()),
    };
    let (folder, home) = (folder_of(baked), home(&identity(baked)));
    let mut own = None;
    for source in &sources.files {
        let path = plain(&folder.join(&source.path));
        let is_own = own.is_none();
        // A hostile baked level may name sources outside the repository. The output must not reveal anything
        // about such files.
        let is_inside = path.starts_with(&home) && identity(&path).starts_with(&home);
        match hash_now(&path, source.length).filter(|_| is_inside) {
            None if is_own => return BakedState::Orphaned(source.path.clone()),
            None => return BakedState::Stale(format!("{} is gone", printable(&source.path))),
            Some(now) if now != source.hash => {
                return BakedState::Stale(format!("{} has changed", printable(&source.path)));
            }
            Some(_) => {}
        }
        own.get_or_insert(path);
    }
    match load.options(&own.unwrap_or_default()) {
        Ok(options) if hash_of_options(&options) == sources.options => BakedState::Current,
        Ok(_) => {
            BakedState::Stale("the load options differ, or another bitwall baked it".to_owned())
        }
        Err(error) => BakedState::Stale(error.to_string()),
    }
}

/// Returns the hash of a source as it is on the disk; `None` if it is missing. A `length` of 0 means a
/// folder.
fn hash_now(path: &Path, length: u64) -> Option<u64> {
    if length == 0 {
        let entries = fs::read_dir(path).ok()?.filter_map(Result::ok);
        let files = entries.filter(|entry| entry.path().is_file());
        let names = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
        return Some(hash_of(path, maps_in(names).as_bytes()));
    }
    let bytes = read_file(path, Links::Followed, Limits::default().file_bytes()).ok()?;
    let length = usize::try_from(length).unwrap_or(usize::MAX).min(bytes.len());
    Some(hash_of(path, &bytes[..length]))
}
