//! The other files that a file names: where they lie, and how much of them is read.
//!
//! A map names tilesets and templates, a template its tileset. It opens no file itself: the caller does.

use std::path::{Component, Path, PathBuf};

use super::{Reader, spend};
use crate::error::LoadErrorKind;
use crate::limits::check;

/// The bytes of a file that this one refers to: a `what`, at `path` by what is `written` in this file.
pub(super) fn referred(
    reader: &mut Reader<'_, '_>,
    what: &'static str,
    written: &str,
    path: &Path,
) -> Result<Vec<u8>, LoadErrorKind> {
    let limits = reader.limits();
    check("bytes in the path of a file", written.len() as u64, limits.name_bytes)?;
    let read = if is_absolute(written) {
        Err(LoadErrorKind::AbsolutePath)
    } else {
        (reader.shared.read)(path)
    };
    let bytes = read.map_err(|source| LoadErrorKind::Reference {
        what,
        written: written.to_owned(),
        looked_in: path.to_owned(),
        source: Box::new(source),
    })?;
    let size = bytes.len() as u64;
    check("bytes in a file of the map", size, limits.file_bytes)?;
    spend("bytes in all files of the map", &mut reader.shared.bytes, size, limits.total_bytes)?;
    Ok(bytes)
}

/// A path as a file at `path` writes it, from where the map's path starts. Tiled on Windows once wrote
/// backslashes.
pub(in crate::tmx) fn joined(path: &Path, written: &str) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    match written.contains('\\') {
        true => folder.join(written.replace('\\', "/")),
        false => folder.join(written),
    }
}

/// A path without `.` and, where a folder stands before it, without `..`: to tell whether two are the same.
pub(super) fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(plain.components().next_back(), Some(Component::Normal(_))) =>
            {
                plain.pop();
            }
            other => plain.push(other),
        }
    }
    plain
}

/// True if a path in a file starts at a root of its own: `/x`, `\\server\x`, `C:\x`.
fn is_absolute(written: &str) -> bool {
    let drive = written.as_bytes().get(1) == Some(&b':');
    written.starts_with(['/', '\\']) || drive
}
