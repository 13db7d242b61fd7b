//! Finds the root folder of a map, and its configuration file. A map may be untrusted, so its tilesets and
//! pictures must be in the root folder. This is checked with their real paths, after links are followed.

use std::cell::OnceCell;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::LoadErrorKind;
use crate::paths::{self, plain};

/// The name of a project's configuration file.
pub const CONFIG: &str = "bitwall.toml";
const REPOSITORY: &str = ".git";
/// The extension of Tiled's project files.
pub const TILED_PROJECT: &str = "tiled-project";

/// The largest number of entries in a folder that are searched for a Tiled project.
const MAX_ENTRIES: usize = 10_000;

/// The largest number of links that are followed on one path, the same as in Linux.
const MAX_LINKS: u32 = 40;

/// The folder of a map, and the root folder of its files.
///
/// The root is the first of these folders that exists:
/// 1. the given root;
/// 2. the nearest folder with a `bitwall.toml`, `.tiled-project` or `.git`, from the map's own folder upward;
/// 3. the current folder, if the map is in it;
/// 4. the map's own folder.
///
/// If several nested folders in one repository have a `bitwall.toml`, the outermost of them is the root. The
/// top folder of the file system or of a drive is a root only if it is given. Without a given root, a map
/// directly in the top folder can only refer to files directly in that folder.
#[derive(Debug)]
pub(super) struct MapRoot {
    /// The map's folder as written in the map's path. The field `folder` has its real path.
    written: Option<PathBuf>,
    folder: PathBuf,
    is_given: bool,
    /// The root folder. It is found only when a file outside the map's folder is opened for the first time.
    root: OnceCell<PathBuf>,
}

impl MapRoot {
    pub(super) fn for_map(map: &Path, given: Option<&Path>) -> Result<Self, LoadErrorKind> {
        let folder = real_folder(folder_of(map))?;
        let root = match given {
            Some(given) => OnceCell::from(real_folder(given)?),
            None => OnceCell::new(),
        };
        Ok(Self {
            written: map.parent().map(Path::to_owned),
            folder,
            is_given: given.is_some(),
            root,
        })
    }

    fn root(&self) -> &Path {
        self.root.get_or_init(|| root_of(&self.folder))
    }

    /// True if no root was given and the file at the real path `real` is in the map's own folder or below it.
    /// Every possible root contains that folder, so the root need not be looked up. A map in the top folder
    /// of the file system or of a drive can only use files directly in that folder.
    fn is_below_map(&self, real: &Path) -> bool {
        let is_below = real.starts_with(&self.folder) && !is_top(&self.folder);
        !self.is_given && (is_below || real.parent() == Some(&self.folder))
    }

    fn is_inside(&self, real: &Path) -> bool {
        self.is_below_map(real)
            || real.starts_with(self.root()) && (self.is_given || !is_top(self.root()))
    }

    pub(super) fn outside(&self) -> LoadErrorKind {
        LoadErrorKind::OutsideRoot { root: self.root().to_owned() }
    }

    /// Returns the path `target`, with the map's folder replaced by its real path.
    fn spelled(&self, target: &Path) -> PathBuf {
        let written = self.written.as_deref();
        let below_map = written.and_then(|parent| target.strip_prefix(parent).ok());
        self.folder.join(below_map.unwrap_or(target))
    }

    /// Fails if the path `target`, without following its links, leads out of the root folder. Callers check
    /// this first, so that nothing outside the root is accessed.
    pub(super) fn check_spelling(&self, target: &Path) -> Result<(), LoadErrorKind> {
        if self.is_inside(&plain(&self.spelled(target))) { Ok(()) } else { Err(self.outside()) }
    }

    pub(super) fn holds(&self, file: &File, target: &Path) -> bool {
        real_path(file, target).is_ok_and(|real| self.is_inside(&real))
    }

    pub(super) fn check_folder(&self, target: &Path) -> Result<(), LoadErrorKind> {
        self.check_spelling(target)?;
        let real = real_folder(target)?;
        if real == self.folder || self.is_inside(&real) { Ok(()) } else { Err(self.outside()) }
    }

    /// True if a link on the path `target` leads out of the root. Nothing outside the root is accessed.
    pub(super) fn leads_out(&self, target: &Path) -> bool {
        let spelled = self.spelled(target);
        let mut steps: Vec<PathBuf> = components_back(&spelled);
        let (mut place, mut links) = (PathBuf::new(), 0);
        while let Some(step) = steps.pop() {
            if step.as_os_str() == ".." {
                place.pop();
            } else {
                place.push(&step);
            }
            // The root is a real path, so neither it nor the folders above it are links.
            if self.root().starts_with(&place) {
                continue;
            }
            if !self.is_inside(&place) {
                return true;
            }
            if let Ok(link) = fs::read_link(&place) {
                links += 1;
                if links > MAX_LINKS {
                    return true;
                }
                place.pop();
                steps.extend(components_back(&link));
            }
        }
        false
    }
}

fn components_back(path: &Path) -> Vec<PathBuf> {
    let parts = path.components().filter(|part| *part != Component::CurDir);
    let mut parts: Vec<PathBuf> = parts.map(|part| PathBuf::from(part.as_os_str())).collect();
    parts.reverse();
    parts
}

fn real_folder(folder: &Path) -> io::Result<PathBuf> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    {
        // This takes two system calls; `canonicalize` takes one for each part of the path.
        use std::os::unix::fs::OpenOptionsExt;
        let flags = libc::O_PATH | libc::O_DIRECTORY;
        let file = File::options().read(true).custom_flags(flags).open(folder)?;
        if let Some(real) = path_of_descriptor(&file) {
            return Ok(real);
        }
    }
    fs::canonicalize(folder)
}

fn real_path(file: &File, target: &Path) -> io::Result<PathBuf> {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    if let Some(real) = path_of_descriptor(file) {
        return Ok(real);
    }
    resolved(file, target)
}

/// Asks the system for the real path of an open file. Returns `None` if `/proc` is not mounted.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn path_of_descriptor(file: &File) -> Option<PathBuf> {
    use std::os::fd::AsRawFd;
    fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())).ok()
}

/// Returns the current real path of `target`. Fails if `target` now leads to a different file than `file`.
fn resolved(file: &File, target: &Path) -> io::Result<PathBuf> {
    let real = fs::canonicalize(target)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        let (open, named) = (file.metadata()?, fs::symlink_metadata(&real)?);
        if (open.dev(), open.ino()) != (named.dev(), named.ino()) {
            return Err(io::Error::other("another file has its path now"));
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(real)
}

/// Returns `folder`, or `.` if the path is empty. Both mean the current folder.
pub(super) fn or_here(folder: &Path) -> &Path {
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

pub(super) fn folder_of(file: &Path) -> &Path {
    or_here(paths::folder_of(file))
}

fn is_top(folder: &Path) -> bool {
    folder.parent().is_none()
}

/// Finds the nearest `bitwall.toml`, from the level or folder `level` upward. Returns `None` if no folder has
/// one. The search ends after a folder with a `.git`, and never uses the top folder of the file system or of
/// a drive. The returned path is relative to the current folder if the file is inside that folder.
pub fn config_of(level: &Path) -> Option<PathBuf> {
    configs_of(level).into_iter().next()
}

/// Finds all `bitwall.toml` files as [`config_of`], the nearest first.
pub fn configs_of(level: &Path) -> Vec<PathBuf> {
    let folder = fs::canonicalize(level).ok().filter(|level| level.is_dir());
    let Some(folder) = folder.or_else(|| fs::canonicalize(folder_of(level)).ok()) else {
        return Vec::new();
    };
    let current = std::env::current_dir().and_then(fs::canonicalize).ok();
    let mut configs = Vec::new();
    for folder in folder.ancestors().filter(|folder| !is_top(folder)) {
        let config = folder.join(CONFIG);
        if fs::symlink_metadata(&config).is_ok() {
            let current = current.as_ref();
            let below = current.and_then(|current| config.strip_prefix(current).ok());
            configs.push(below.map(Path::to_owned).unwrap_or(config));
        }
        if folder.join(REPOSITORY).exists() {
            break;
        }
    }
    configs
}

/// Returns the real path of the folder `root`, which is named in the configuration file `config`. Fails if
/// `root` is not a folder, or if a link in it leads out of the configuration's folder.
#[cfg(feature = "config")]
pub(super) fn below(config: &Path, root: &Path) -> Result<PathBuf, LoadErrorKind> {
    let folder = fs::canonicalize(folder_of(config)).map_err(LoadErrorKind::Io)?;
    let fault = |reason: &str| LoadErrorKind::Config { reason: format!("`level.root` {reason}") };
    match fs::canonicalize(root) {
        Ok(real) if !real.starts_with(&folder) => {
            Err(fault("leads out of the folder of this file"))
        }
        Ok(real) if real.is_dir() => Ok(real),
        _ => Err(fault("is not a folder")),
    }
}

/// Finds the root folder of a map if the caller gave none. `folder` is the real path of the map's folder. The
/// result is never the top folder of the file system or of a drive, unless `folder` is that folder.
pub fn root_of(folder: &Path) -> PathBuf {
    let mut above = folder.ancestors().filter(|folder| !is_top(folder));
    if let Some(project) = above.find(|folder| is_project(folder)) {
        let has = |folder: &Path, marker: &str| folder.join(marker).exists();
        if !has(project, CONFIG) {
            return project.to_owned();
        }
        let is_repository = |folder: &&Path| has(folder, REPOSITORY);
        let folders: Vec<&Path> = project.ancestors().filter(|folder| !is_top(folder)).collect();
        let end = folders.iter().position(is_repository).map_or(folders.len(), |at| at + 1);
        let topmost = folders[..end].iter().rfind(|folder| has(folder, CONFIG));
        return topmost.unwrap_or(&project).to_path_buf();
    }
    let current = std::env::current_dir().and_then(fs::canonicalize);
    match current {
        Ok(current) if folder.starts_with(&current) && !is_top(&current) => current,
        _ => folder.to_owned(),
    }
}

fn is_project(folder: &Path) -> bool {
    if [CONFIG, REPOSITORY].iter().any(|marker| folder.join(marker).exists()) {
        return true;
    }
    let Ok(entries) = fs::read_dir(folder) else { return false };
    let extension = |path: &Path| path.extension().is_some_and(|e| e == TILED_PROJECT);
    entries.take(MAX_ENTRIES).filter_map(Result::ok).any(|entry| extension(&entry.path()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_top_folder_of_the_file_system_is_a_root_only_if_given() {
        assert!(is_top(Path::new("/")) && !is_top(Path::new("/a")));
        let root = root_of(Path::new("/no/such/folder"));
        assert_eq!(root, Path::new("/no/such/folder"));
        let at_top = MapRoot {
            written: Some(PathBuf::from("/")),
            folder: PathBuf::from("/"),
            is_given: false,
            root: OnceCell::new(),
        };
        assert!(at_top.check_spelling(Path::new("/t.tsx")).is_ok());
        assert!(at_top.check_spelling(Path::new("/etc/t.tsx")).is_err());
    }

    /// Covers systems that cannot return the path of an open file.
    #[test]
    fn resolving_a_path_fails_on_unix_if_it_does_not_lead_to_the_open_file() {
        let (one, other) = (Path::new("src/load/root.rs"), Path::new("src/load/disk.rs"));
        let file = File::open(one).expect("this file");
        let real = fs::canonicalize(one).expect("this file");
        assert_eq!(resolved(&file, one).ok(), Some(real));
        assert_eq!(cfg!(unix), resolved(&file, other).is_err());
    }
}
