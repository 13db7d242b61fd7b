//! The root folder of a map, and the search for its configuration.
//!
//! A map names its tilesets and pictures by path, and it may be untrusted. So these files must be in the root
//! folder by their real paths, with links followed. The nearest configuration of a map is found here too.
//! This module opens no file.

use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::error::LoadErrorKind;

/// Files that mark the root of a project, and the ending of Tiled's own.
const MARKERS: [&str; 2] = [CONFIG, REPOSITORY];
const CONFIG: &str = "bitwall.toml";
const REPOSITORY: &str = ".git";
const TILED_PROJECT: &str = "tiled-project";

/// The largest number of entries of a folder that are searched for a Tiled project.
const MAX_ENTRIES: usize = 10_000;

/// An error if the file `target` is outside the root of the map `map`.
///
/// The root is `given`; or else the nearest folder above the map with a `bitwall.toml`, a `.tiled-project` or
/// a `.git`; or else the current folder if the map is in it; or else the map's own folder. The error does not
/// depend on whether a file outside the root exists.
pub(crate) fn check_inside(
    map: &Path,
    target: &Path,
    given: Option<&Path>,
) -> Result<(), LoadErrorKind> {
    MapRoot::of(map, given)?.check(target)
}

/// The folder and the root of a map, resolved once for all the files that it names.
pub(crate) struct MapRoot {
    /// The map's folder as written in its path; `folder` is its real path.
    written: Option<PathBuf>,
    folder: PathBuf,
    root: PathBuf,
}

impl MapRoot {
    /// Resolves the root of the map `map`: see [`check_inside`].
    pub(crate) fn of(map: &Path, given: Option<&Path>) -> Result<Self, LoadErrorKind> {
        let folder = fs::canonicalize(folder_of(map)).map_err(LoadErrorKind::Io)?;
        let root = match given {
            Some(given) => fs::canonicalize(given).map_err(LoadErrorKind::Io)?,
            None => root_of(&folder),
        };
        Ok(Self { written: map.parent().map(Path::to_owned), folder, root })
    }

    /// An error if the file `target` is outside the root.
    pub(crate) fn check(&self, target: &Path) -> Result<(), LoadErrorKind> {
        let outside = || LoadErrorKind::OutsideRoot { root: self.root.clone() };
        // The path as text is checked first, so that the file system beyond the root is never touched.
        let written = self.written.as_deref();
        let below_map = written.and_then(|parent| target.strip_prefix(parent).ok());
        let spelled = without_dots(&self.folder.join(below_map.unwrap_or(target)));
        if !spelled.starts_with(&self.root) {
            return Err(outside());
        }
        let real = fs::canonicalize(target).map_err(LoadErrorKind::Io)?;
        if real.starts_with(&self.root) { Ok(()) } else { Err(outside()) }
    }
}

/// True if `target` is a file in the folder of the map `map`, and not a link. Then it is inside the root of
/// the map, wherever that is. (The search for the root takes longer than loading a small map.)
pub(crate) fn is_beside(map: &Path, target: &Path) -> bool {
    let below = map.parent().and_then(|folder| target.strip_prefix(folder).ok());
    let mut steps = below.into_iter().flat_map(Path::components);
    let is_name = matches!(steps.next(), Some(Component::Normal(_))) && steps.next().is_none();
    is_name && fs::symlink_metadata(target).is_ok_and(|file| file.is_file())
}

/// The folder that a file is in.
fn folder_of(file: &Path) -> &Path {
    match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// The path of the nearest configuration in the folder of `level` or one above it, be it a file or not. The
/// search ends at a folder with a repository. The path is relative to the current folder if it is in it.
pub(crate) fn config_of(level: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(folder_of(level)).ok()?;
    for folder in folder.ancestors() {
        let config = folder.join(CONFIG);
        if fs::symlink_metadata(&config).is_ok() {
            let current = std::env::current_dir().and_then(fs::canonicalize);
            let shown = current.ok().and_then(|current| {
                let below = config.strip_prefix(current).ok()?;
                Some(below.to_owned())
            });
            return Some(shown.unwrap_or(config));
        }
        if folder.join(REPOSITORY).exists() {
            break;
        }
    }
    None
}

/// An error if the folder `root`, which the file `config` names, is outside that file's folder. A link can
/// lead out of it.
pub(crate) fn check_below(config: &Path, root: &Path) -> Result<(), LoadErrorKind> {
    let folder = fs::canonicalize(folder_of(config)).map_err(LoadErrorKind::Io)?;
    let fault = |reason: &str| LoadErrorKind::Config { reason: format!("`level.root` {reason}") };
    match fs::canonicalize(root) {
        Ok(real) if !real.starts_with(&folder) => {
            Err(fault("leads out of the folder of this file"))
        }
        Ok(real) if real.is_dir() => Ok(()),
        _ => Err(fault("is not a folder")),
    }
}

/// The root of a map in `folder`, which is a real path.
fn root_of(folder: &Path) -> PathBuf {
    if let Some(project) = folder.ancestors().find(|folder| is_project(folder)) {
        return project.to_owned();
    }
    let current = std::env::current_dir().and_then(fs::canonicalize);
    match current {
        Ok(current) if folder.starts_with(&current) => current,
        _ => folder.to_owned(),
    }
}

fn is_project(folder: &Path) -> bool {
    if MARKERS.iter().any(|marker| folder.join(marker).exists()) {
        return true;
    }
    let Ok(entries) = fs::read_dir(folder) else {
        return false;
    };
    let extension = |path: &Path| path.extension().is_some_and(|e| e == TILED_PROJECT);
    entries.take(MAX_ENTRIES).filter_map(Result::ok).any(|entry| extension(&entry.path()))
}

/// An absolute path without `.` and `..`, without a look at the file system.
fn without_dots(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// True if a path in a file starts at a root of its own: `/x`, `\\server\x`, `C:\x`.
pub(crate) fn is_absolute(written: &str) -> bool {
    let drive = written.as_bytes().get(1) == Some(&b':');
    written.starts_with(['/', '\\']) || drive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_removed_without_the_file_system() {
        assert_eq!(without_dots(Path::new("/a/./b/../c")), Path::new("/a/c"));
        assert_eq!(without_dots(Path::new("/../../a")), Path::new("/a"));
    }

    #[test]
    fn a_path_is_absolute_if_it_is_so_on_any_system() {
        for path in ["/x", "\\\\server\\x", "C:\\x", "c:x"] {
            assert!(is_absolute(path), "{path}");
        }
        for path in ["x", "../x", "a/b:c", ""] {
            assert!(!is_absolute(path), "{path}");
        }
    }
}
