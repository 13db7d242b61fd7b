//! Opens files: checks that a path is a regular file, limits the bytes that are read, detects the format.
//!
//! Nothing else in the library opens a file; `root` only resolves paths.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::LoadErrorKind;
use crate::limits::{self, Limits};
use crate::load::root::check_inside;

/// The largest number of files in the folder of a world with patterns.
const MAX_FILES: u32 = 10_000;

/// The names of the files in the folder of `path`, without those that are not UTF-8.
pub(super) fn names_beside(path: &Path) -> Result<Vec<String>, LoadErrorKind> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(LoadErrorKind::Io)? {
        let entry = entry.map_err(LoadErrorKind::Io)?;
        if let Ok(name) = entry.file_name().into_string()
            && entry.path().is_file()
        {
            names.push(name);
        }
        let count = names.len() as u64;
        limits::check("files in the folder of a world", count, MAX_FILES)?;
    }
    Ok(names)
}

/// The bytes of a regular file of at most [`Limits::file_bytes`].
pub(crate) fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, LoadErrorKind> {
    let (file, length) = open(path, limits)?;
    let mut bytes = Vec::new();
    read_rest(file, length, &mut bytes).map_err(LoadErrorKind::Io)?;
    Ok(bytes)
}

/// Appends up to `length` bytes of `file` to `bytes`, which grows once.
pub(super) fn read_rest(file: File, length: u64, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    let length_here = usize::try_from(length).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(length_here)?;
    file.take(length).read_to_end(bytes)?;
    Ok(())
}

/// The largest size of a configuration, in bytes.
const CONFIG_BYTES: u64 = 65_536;

/// The text of a configuration.
pub(crate) fn read_config(path: &Path) -> Result<String, LoadErrorKind> {
    let limits = Limits { file_bytes: CONFIG_BYTES, ..Limits::default() };
    let bytes = read_file(path, &limits)?;
    String::from_utf8(bytes).map_err(|error| LoadErrorKind::Config {
        reason: format!("byte {} is not UTF-8", error.utf8_error().valid_up_to() + 1),
    })
}

/// Opens a regular file of at most [`Limits::file_bytes`] and returns its length in bytes, so that a map is
/// read up to there only. The open file is judged, not its path, which may name another file by then. A
/// generated system file has the length 0, so that reading one cannot block.
///
/// # Errors
/// [`LoadErrorKind::NotAFile`] for a folder, a pipe, a socket or a device; a file over the limit; an error of
/// the system.
pub(super) fn open(path: &Path, limits: &Limits) -> Result<(File, u64), LoadErrorKind> {
    let mut options = File::options();
    options.read(true);
    // Without the flags, opening a pipe waits for its writer, and a terminal may become that of the process.
    #[cfg(unix)]
    let options = {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
    };
    // A socket cannot be opened, nor can a folder on every system.
    let file = options.open(path).map_err(|error| match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => LoadErrorKind::NotAFile,
        _ => LoadErrorKind::Io(error),
    })?;
    let metadata = file.metadata().map_err(LoadErrorKind::Io)?;
    if !metadata.is_file() {
        return Err(LoadErrorKind::NotAFile);
    }
    limits::check("bytes in the file", metadata.len(), limits.file_bytes)?;
    Ok((file, metadata.len()))
}

/// The `pictures` of the map at `path` that are missing or outside its root folder.
pub(crate) fn missing(path: &Path, pictures: &[PathBuf], root: Option<&Path>) -> Vec<PathBuf> {
    let is_missing =
        |picture: &&PathBuf| check_inside(path, picture, root).is_err() || !picture.is_file();
    pictures.iter().filter(is_missing).cloned().collect()
}

/// True for a regular file that is not a link.
pub(crate) fn is_plain_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}
