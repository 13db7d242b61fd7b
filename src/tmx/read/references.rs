//! The other files that a file names, and how much of them is read.
//!
//! A map names tilesets and templates, a template its tileset. It opens no file itself: the caller does.

use std::path::Path;

use super::{Reader, spend};
use crate::error::LoadErrorKind;
use crate::limits::check;
use crate::paths::is_absolute;
use crate::tmx::cursor::MAX_NAME_BYTES;

/// The bytes of a file that this one refers to: a `what`, at `path` by what is `written` in this file.
pub(super) fn referred(
    reader: &mut Reader<'_, '_>,
    what: &'static str,
    written: &str,
    path: &Path,
) -> Result<Vec<u8>, LoadErrorKind> {
    check("bytes in the path of a file", written.len() as u64, MAX_NAME_BYTES)?;
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
    let limits = reader.shared.limits;
    check("bytes in a file of the map (half of the limit `bytes`)", size, limits.file_bytes())?;
    let what = "bytes in all files of the map (the limit `bytes`)";
    spend(what, &mut reader.shared.bytes, size, limits.bytes)?;
    Ok(bytes)
}
