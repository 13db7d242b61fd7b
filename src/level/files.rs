//! Opening files: what may be opened, how much of it is read, and what it is.
//!
//! Nothing else in the library opens a file; `root` only asks where one lies.

use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::Path;

use super::error::{LoadError, LoadErrorKind, Place};
use super::limits::{self, Limits};
use super::options::LoadOptions;
use super::root::check_inside;
use super::{mask, tmx, world};
use crate::Level;

/// So much of a file tells what it is.
const HEAD_BYTES: u64 = 4_096;

/// More files in the folder of a world with patterns are not looked through.
const MAX_FILES: u32 = 10_000;

/// Loads the level in a file, by its content.
pub(super) fn load(path: &Path, options: &LoadOptions) -> Result<Level, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let (mut file, length) = open(path, &options.limits).map_err(error)?;
    let mut head = Vec::new();
    let read = file
        .by_ref()
        .take(length.min(HEAD_BYTES))
        .read_to_end(&mut head);
    read.map_err(|e| error(LoadErrorKind::Io(e)))?;
    match sniff(&head) {
        Format::Png => {
            std::io::Seek::rewind(&mut file).map_err(|e| error(LoadErrorKind::Io(e)))?;
            mask::load(BufReader::new(file), options).map_err(|fault| fault.at(path))
        }
        Format::Xml | Format::Json => {
            let mut bytes = head;
            let rest = length - bytes.len() as u64;
            let rest = file.take(rest).read_to_end(&mut bytes);
            rest.map_err(|e| error(LoadErrorKind::Io(e)))?;
            let mut read = |file: &Path| {
                check_inside(path, file, options.root.as_deref())?;
                read_file(file, &options.limits)
            };
            if extension(path) == "world" {
                load_world(path, &bytes, &read, options)
            } else {
                tmx::load(path, &bytes, &mut read, options)
            }
        }
        Format::Other(found) => Err(error(LoadErrorKind::UnknownFormat {
            found: match extension(path).as_str() {
                "" => found.to_owned(),
                extension => format!("{found} named .{extension}"),
            },
        })),
    }
}

/// Loads a world; `read` reads what lies where the world may reach.
fn load_world(
    path: &Path,
    bytes: &[u8],
    read: &dyn Fn(&Path) -> Result<Vec<u8>, LoadErrorKind>,
    options: &LoadOptions,
) -> Result<Level, LoadError> {
    let access = world::Access {
        names: &|| names_beside(path),
        read,
        load: &|path, bytes, read, options| match sniff(bytes) {
            Format::Xml | Format::Json if extension(path) != "world" => {
                tmx::load(path, bytes, read, options)
            }
            format => Err(LoadError::new(
                path,
                Place::default(),
                LoadErrorKind::UnknownFormat {
                    found: match format {
                        Format::Other(found) => found.to_owned(),
                        Format::Png => "a picture in a world".to_owned(),
                        Format::Xml | Format::Json => "a world in a world".to_owned(),
                    },
                },
            )),
        },
    };
    world::load(path, bytes, &access, options)
}

/// The names of the files in the folder of `path`, but for those that are not text.
fn names_beside(path: &Path) -> Result<Vec<String>, LoadErrorKind> {
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

/// The ending of a file's name, without the dot and in lower case.
fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

/// The bytes of a regular file of at most [`Limits::file_bytes`].
pub(crate) fn read_file(path: &Path, limits: &Limits) -> Result<Vec<u8>, LoadErrorKind> {
    let (file, length) = open(path, limits)?;
    let mut bytes = Vec::new();
    let read = file.take(length).read_to_end(&mut bytes);
    read.map_err(LoadErrorKind::Io)?;
    Ok(bytes)
}

/// Opens a regular file of at most [`Limits::file_bytes`], and says how many bytes it has; of a map no more
/// are read. A pipe or a device is refused before it is opened, because opening one can wait for ever; a
/// file of the system that is made as it is read has 0 bytes, and reading it can wait as long.
fn open(path: &Path, limits: &Limits) -> Result<(File, u64), LoadErrorKind> {
    let metadata = fs::metadata(path).map_err(LoadErrorKind::Io)?;
    if !metadata.is_file() {
        return Err(LoadErrorKind::NotAFile);
    }
    limits::check("bytes in the file", metadata.len(), limits.file_bytes)?;
    let file = File::open(path).map_err(LoadErrorKind::Io)?;
    Ok((file, metadata.len()))
}

/// True for a regular file that is no link.
pub(crate) fn is_plain_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Png,
    Xml,
    Json,
    Other(&'static str),
}

/// What the first bytes of a file say it is.
fn sniff(head: &[u8]) -> Format {
    const SIGNATURES: [(&[u8], &str); 8] = [
        (b"BM", "a BMP picture"),
        (b"GIF8", "a GIF picture"),
        (b"\xff\xd8\xff", "a JPEG picture"),
        (b"RIFF", "a WebP picture or a sound"),
        (b"\xff\xfe", "text in UTF-16, which Tiled does not write"),
        (b"\xfe\xff", "text in UTF-16, which Tiled does not write"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
    ];
    if head.starts_with(b"\x89PNG") {
        return Format::Png;
    }
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| head.starts_with(start)) {
        return Format::Other(name);
    }
    let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    match text.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'<') => Format::Xml,
        Some(b'{') => Format::Json,
        Some(_) => Format::Other("a file of another kind"),
        None if text.is_empty() => Format::Other("an empty file"),
        None => Format::Other("a file of white space"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_it_starts_with() {
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n"), Format::Png);
        assert_eq!(sniff(b"\xef\xbb\xbf\n <?xml"), Format::Xml);
        assert_eq!(sniff(b"  {\"height\":3"), Format::Json);
        for other in [&b""[..], b"   ", b"BM1234", b"hello", b"\0\0\0"] {
            assert!(matches!(sniff(other), Format::Other(_)), "{other:?}");
        }
    }
}
