//! Opening files: what may be opened, how much of it is read, and what it is.
//!
//! Nothing else in the library opens a file; `root` only asks where one lies.

use std::cell::OnceCell;
use std::fs::{self, File};
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};

use crate::Level;
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::level::{tmx, world};
use crate::limits::{self, Limits};
use crate::load::mask::load_mask;
use crate::load::root::{Reach, check_inside, is_beside};
use crate::mask;
use crate::options::LoadOptions;

/// So much of a file tells what it is.
const HEAD_BYTES: u64 = 4_096;

/// More files in the folder of a world with patterns are not looked through.
const MAX_FILES: u32 = 10_000;

/// Loads the level in a file, by its content.
pub(crate) fn load(path: &Path, options: &LoadOptions) -> Result<Level, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let (mut file, length) = open(path, &options.limits).map_err(error)?;
    let mut head = Vec::with_capacity(HEAD_BYTES as usize);
    let read = file
        .by_ref()
        .take(length.min(HEAD_BYTES))
        .read_to_end(&mut head);
    read.map_err(|e| error(LoadErrorKind::Io(e)))?;
    match sniff(&head, &extension(path)) {
        Format::Mask(format) => {
            std::io::Seek::rewind(&mut file).map_err(|e| error(LoadErrorKind::Io(e)))?;
            load_mask(BufReader::new(file), format, options, path)
        }
        Format::Xml | Format::Json => {
            let mut bytes = head;
            let rest = length - bytes.len() as u64;
            let rest = read_rest(file, rest, &mut bytes);
            rest.map_err(|e| error(LoadErrorKind::Io(e)))?;
            let known = OnceCell::new();
            let mut read = |file: &Path| {
                if options.root.is_some() || !is_beside(path, file) {
                    let reach = match known.get() {
                        Some(reach) => reach,
                        None => {
                            let found = Reach::of(path, options.root.as_deref())?;
                            known.get_or_init(|| found)
                        }
                    };
                    reach.check(file)?;
                }
                read_file(file, &options.limits)
            };
            if extension(path) == "world" {
                load_world(path, &bytes, &read, options)
            } else {
                let mut spent = limits::Spent::default();
                tmx::load(path, &bytes, &mut read, options, &mut spent)
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
        load: &|path, bytes, read, options, spent| match sniff(bytes, &extension(path)) {
            Format::Xml | Format::Json if extension(path) != "world" => {
                tmx::load(path, bytes, read, options, spent)
            }
            format => Err(LoadError::new(
                path,
                Place::default(),
                LoadErrorKind::UnknownFormat {
                    found: match format {
                        Format::Other(found) => found.to_owned(),
                        Format::Mask(_) => "a picture in a world".to_owned(),
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
    read_rest(file, length, &mut bytes).map_err(LoadErrorKind::Io)?;
    Ok(bytes)
}

/// Adds `length` bytes, or what there is of them, to `bytes`, which grows once.
fn read_rest(file: File, length: u64, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    let length_here = usize::try_from(length).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(length_here)?;
    file.take(length).read_to_end(bytes)?;
    Ok(())
}

/// A configuration of more bytes is refused.
const CONFIG_BYTES: u64 = 65_536;

/// The text of a configuration.
pub(crate) fn read_config(path: &Path) -> Result<String, LoadErrorKind> {
    let limits = Limits {
        file_bytes: CONFIG_BYTES,
        ..Limits::default()
    };
    let bytes = read_file(path, &limits)?;
    String::from_utf8(bytes).map_err(|error| LoadErrorKind::Config {
        reason: format!("byte {} is not UTF-8", error.utf8_error().valid_up_to() + 1),
    })
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

/// Those of the `pictures` of the map at `path` that are not there or lie outside its root.
pub(crate) fn missing(path: &Path, pictures: &[PathBuf], root: Option<&Path>) -> Vec<PathBuf> {
    let is_missing =
        |picture: &&PathBuf| check_inside(path, picture, root).is_err() || !picture.is_file();
    pictures.iter().filter(is_missing).cloned().collect()
}

/// True for a regular file that is no link.
pub(crate) fn is_plain_file(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| metadata.is_file())
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    Mask(mask::Format),
    Xml,
    Json,
    Other(&'static str),
}

/// What the first bytes of a file say it is; for TGA, which has no signature, with the ending of its name.
fn sniff(head: &[u8], extension: &str) -> Format {
    const SIGNATURES: [(&[u8], &str); 6] = [
        (b"\xff\xd8\xff", "a JPEG picture (lossy)"),
        (b"RIFF", "a sound or a film"),
        (b"\xff\xfe", "text in UTF-16, which Tiled does not write"),
        (b"\xfe\xff", "text in UTF-16, which Tiled does not write"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
    ];
    if let Some(format) = mask::Format::of(head) {
        return Format::Mask(format);
    }
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| head.starts_with(start)) {
        return Format::Other(name);
    }
    if extension == "tga" && mask::Format::may_be_tga(head) {
        return Format::Mask(mask::Format::Tga);
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

/// The format of a mask of which only the bytes are known.
pub(crate) fn mask_format(bytes: &[u8]) -> Result<mask::Format, LoadErrorKind> {
    let found = match sniff(bytes, "tga") {
        Format::Mask(format) => return Ok(format),
        Format::Xml => "a file in XML form",
        Format::Json => "a file in JSON form",
        Format::Other(found) => found,
    };
    let found = found.to_owned();
    Err(LoadErrorKind::UnknownFormat { found })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_what_it_starts_with() {
        let mask = Format::Mask;
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n", ""), mask(mask::Format::Png));
        assert_eq!(sniff(b"BM1234", "tga"), mask(mask::Format::Bmp));
        assert_eq!(sniff(b"GIF89a", "png"), mask(mask::Format::Gif));
        assert_eq!(sniff(b"RIFF\x04\0\0\0WEBP", ""), mask(mask::Format::WebP));
        let tga = b"\0\0\x03\0\0\0\0\0\0\0\0\0\x05\0\x05\0\x08\0";
        assert_eq!(sniff(tga, "tga"), mask(mask::Format::Tga));
        assert_eq!(sniff(b"\xef\xbb\xbf\n <?xml", "tga"), Format::Xml);
        assert_eq!(sniff(b"  {\"height\":3", ""), Format::Json);
        for other in [
            &b""[..],
            b"   ",
            b"RIFF\x04\0\0\0WAVE",
            b"hello",
            b"\0\0\0",
            tga,
        ] {
            assert!(matches!(sniff(other, "png"), Format::Other(_)), "{other:?}");
        }
    }

    #[test]
    fn bytes_without_a_name_may_be_a_tga() {
        let tga = b"\0\0\x03\0\0\0\0\0\0\0\0\0\x05\0\x05\0\x08\0";
        assert_eq!(mask_format(tga).ok(), Some(mask::Format::Tga));
        let error = |bytes: &[u8]| mask_format(bytes).expect_err("no mask").to_string();
        assert!(error(b"<map>").contains("a file in XML form"));
        assert!(error(b"\xff\xd8\xff\xe0").contains("a JPEG picture"));
        assert!(error(b"").contains("an empty file"));
    }
}
