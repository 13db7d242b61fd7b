//! Functions for paths: they join a path in one of Tiled's files to the folder of this file, and make paths
//! comparable.

use std::path::{Component, Path, PathBuf};

/// The extension of Tiled's project files.
pub const TILED_PROJECT: &str = "tiled-project";

/// True for the name or path of a Tiled project.
pub(crate) fn is_tiled_project(path: &Path) -> bool {
    // To find the extension of a path takes many times as long as to compare its last bytes.
    ends_with(path, TILED_PROJECT)
        && path.extension().is_some_and(|extension| extension == TILED_PROJECT)
}

/// True if the text of a path ends with `end`, which may be a part of a name.
pub(crate) fn ends_with(path: &Path, end: &str) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(end.as_bytes())
}

/// The folder of the file at `path`; empty if `path` is only a file name.
pub(crate) fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// The path `written` in the file at `path`, joined to the folder of that file. Backslashes become slashes,
/// because Tiled on Windows once wrote backslashes.
#[cfg(feature = "tmx")]
pub(crate) fn joined(path: &Path, written: &str) -> PathBuf {
    let folder = folder_of(path);
    folder.join(written.replace('\\', "/"))
}

/// The path `path` without `.` and removable `..`, so that paths can be compared.
///
/// A `..` is removed with the folder before it; directly after the root `/` it is removed alone. The file
/// system is not read.
pub fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match plain.components().next_back() {
                Some(Component::Normal(_)) => _ = plain.pop(),
                Some(Component::RootDir) => {}
                _ => plain.push(component),
            },
            other => plain.push(other),
        }
    }
    plain
}

/// True if a path in a file is absolute on any system: `/x`, `\\server\x`, `C:\x`.
#[cfg(feature = "tmx")]
pub(crate) fn is_absolute(written: &str) -> bool {
    let drive = written.as_bytes().get(1) == Some(&b':');
    written.starts_with(['/', '\\']) || drive
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_absolute_on_any_system_counts_as_absolute() {
        for path in ["/x", "\\\\server\\x", "C:\\x", "c:x"] {
            assert!(is_absolute(path), "{path}");
        }
        for path in ["x", "../x", "a/b:c", ""] {
            assert!(!is_absolute(path), "{path}");
        }
    }

    #[test]
    fn plain_removes_dots_and_parent_folders_from_a_path() {
        for (path, expected) in [
            ("./a/./b", "a/b"),
            ("a/../b", "b"),
            ("../a", "../a"),
            ("a/../../b", "../b"),
            ("", ""),
            ("/a/./b/../c", "/a/c"),
            ("/../../a", "/a"),
        ] {
            assert_eq!(plain(Path::new(path)), Path::new(expected), "{path}");
        }
    }
}
