//! Finds the root folder of a map, and its configuration file. A map may be untrusted, so its tilesets and
//! pictures must be in the root folder. This is checked with their real paths, after links are followed.

use std::cell::OnceCell;
use std::fs;
use std::path::{Path, PathBuf};

use crate::error::LoadErrorKind;
pub use crate::paths::TILED_PROJECT;
use crate::paths::{self, plain};

/// The name of a project's configuration file.
pub const CONFIG: &str = "bitwall.toml";
const REPOSITORY: &str = ".git";

/// The largest number of entries in a folder that are searched for a Tiled project.
const MAX_ENTRIES: usize = 10_000;

/// The largest number of links without a target that are followed on one path, the same as in Linux.
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
        let folder = fs::canonicalize(folder_of(map))?;
        let root = given.map(fs::canonicalize).transpose()?;
        Ok(Self {
            written: map.parent().map(Path::to_owned),
            folder,
            is_given: root.is_some(),
            root: root.map_or_else(OnceCell::new, OnceCell::from),
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

    /// Returns the path `target`, with the map's folder replaced by its real path.
    fn spelled(&self, target: &Path) -> PathBuf {
        let written = self.written.as_deref();
        let below_map = written.and_then(|parent| target.strip_prefix(parent).ok());
        self.folder.join(below_map.unwrap_or(target))
    }

    /// Fails if the path `target` leads out of the root folder, by its text or by a link. Nothing outside the
    /// root is accessed.
    pub(super) fn check(&self, target: &Path) -> Result<(), LoadErrorKind> {
        let spelled = self.spelled(target);
        // The map's folder and those above it are real paths.
        let is_real = self.folder.starts_with(&spelled);
        if self.is_inside(&plain(&spelled)) && (is_real || !self.leads_out(&spelled, MAX_LINKS)) {
            return Ok(());
        }
        Err(LoadErrorKind::OutsideRoot { root: self.root().to_owned() })
    }

    /// True if a link on the path `spelled` leads out of the root. At most `links` links without a target are
    /// followed.
    fn leads_out(&self, spelled: &Path, links: u32) -> bool {
        // A path that does not exist is judged by the last part of it that does.
        let mut parts = spelled.ancestors();
        let Some(part) = parts.find(|part| fs::symlink_metadata(part).is_ok()) else {
            return true;
        };
        if let Ok(real) = fs::canonicalize(part) {
            return !self.is_inside(&real) && real != self.folder;
        }
        match fs::read_link(part) {
            Ok(link) if links > 0 => {
                let target = part.with_file_name(link);
                !self.is_inside(&plain(&target)) || self.leads_out(&target, links - 1)
            }
            _ => true,
        }
    }
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
/// one.
///
/// The search ends after a folder with a `.git`, and never uses the top folder of the file system or of a
/// drive. The returned path is relative to the current folder if the file is inside that folder.
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
    let folder = fs::canonicalize(folder_of(config))?;
    let reason = match fs::canonicalize(root) {
        Ok(real) if !real.starts_with(&folder) => "leads out of the folder of this file",
        Ok(real) if real.is_dir() => return Ok(real),
        _ => "is not a folder",
    };
    Err(LoadErrorKind::Config { reason: format!("`level.root` {reason}") })
}

/// Finds the root folder of a map if the caller gave none. `folder` is the real path of the map's folder.
///
/// The result is never the top folder of the file system or of a drive, unless `folder` is that folder.
pub fn root_of(folder: &Path) -> PathBuf {
    let mut above = folder.ancestors().filter(|folder| !is_top(folder));
    if let Some(project) = above.find(|folder| is_project(folder)) {
        let mut root = project;
        if project.join(CONFIG).exists() {
            for folder in project.ancestors().filter(|folder| !is_top(folder)) {
                if folder.join(CONFIG).exists() {
                    root = folder;
                }
                if folder.join(REPOSITORY).exists() {
                    break;
                }
            }
        }
        return root.to_owned();
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
    let mut entries = entries.take(MAX_ENTRIES).filter_map(Result::ok);
    entries.any(|entry| paths::is_tiled_project(Path::new(&entry.file_name())))
}

/// True for the path of a file that may define custom classes of Tiled: a `.tiled-project`, or an export of
/// classes under its usual name.
pub fn is_type_file(path: &Path) -> bool {
    const EXPORTS: [&str; 3] = ["propertytypes.json", "objecttypes.json", "objecttypes.xml"];
    let export = EXPORTS.iter().find(|name| paths::ends_with(path, name));
    paths::is_tiled_project(path)
        || export.is_some_and(|name| path.file_name().is_some_and(|found| found == *name))
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
        assert!(at_top.check(Path::new("/t.tsx")).is_ok());
        assert!(at_top.check(Path::new("/etc/t.tsx")).is_err());
    }
}
