//! Supplies the files of a level: trait [`Files`], its implementations without a disk, and [`Disk`]. Nothing
//! else in the library opens a file or lists a folder; module `root` only resolves paths.

use std::collections::{BTreeMap, HashMap};
use std::fs::File;
use std::hash::BuildHasher;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::{fs, io};

use super::root::{self, MapRoot};
use crate::error::LoadErrorKind;
use crate::limits;
use crate::options::LoadOptions;
use crate::paths::plain;

/// A source of the files that a level refers to: the disk ([`Disk`]), an archive, or an engine's assets.
///
/// A closure can be one, if it takes a path and returns the bytes: `|path: &Path| std::fs::read(path)`. A
/// `HashMap` or `BTreeMap` from paths to bytes finds `maps/cave.tsx` also as `./maps/cave.tsx`. The unit type
/// `()` has no files.
///
/// Each path is joined to the folder of the file that contains it: `maps/../sets/cave.tsx`.
/// [`references`](super::references()) returns the same paths before the load. The implementation decides
/// which paths are allowed. Sizes are compared with [`Limits`](crate::Limits) after reading.
///
/// ```
/// use std::collections::HashMap;
///
/// use bitwall::{Level, LoadOptions};
///
/// let files = HashMap::from([("maps/cave.tsx", include_bytes!("../../assets/cave.tsx"))]);
/// let map = include_bytes!("../../assets/cave.tmx");
/// let level = Level::decode("maps/cave.tmx", map, files, &LoadOptions::default())?;
/// assert_eq!(level.size(), bitwall::glam::UVec2::new(768, 480));
/// # Ok::<(), bitwall::LoadError>(())
/// ```
pub trait Files {
    /// Returns the bytes of the file at `path`.
    ///
    /// # Errors
    /// Returns the reason that the file cannot be read. The operator `?` converts an [`io::Error`] to it.
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind>;

    /// Returns at least the first `length` bytes of the file at `path`, or all bytes of a shorter file. A
    /// load reads the header of a picture with it. The default implementation returns all bytes. Fails as
    /// [`Files::read`].
    fn read_start(&mut self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind> {
        let _ = length;
        self.read(path)
    }

    /// Returns the names of the files in `folder`, in any order and without subfolders. Only a world that
    /// finds its maps by patterns needs them. The default implementation returns an error.
    ///
    /// # Errors
    /// Returns the reason that the files cannot be listed.
    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        let _ = folder;
        Err(io::Error::new(ErrorKind::Unsupported, "the files cannot be listed").into())
    }

    /// Returns a path of the same file that has all folders above it. The Tiled project of a level is
    /// searched in these folders, with [`Files::names`], until that fails. The default implementation returns
    /// `None`: then only [`LoadOptions::tiled_project`] can name the project.
    fn absolute(&self, path: &Path) -> Option<PathBuf> {
        let _ = path;
        None
    }
}

impl From<io::Error> for LoadErrorKind {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl<F: FnMut(&Path) -> io::Result<Vec<u8>>> Files for F {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        Ok(self(path)?)
    }
}

impl Files for () {
    fn read(&mut self, _: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        Err(io::Error::from(ErrorKind::NotFound).into())
    }

    fn names(&mut self, _: &Path) -> Result<Vec<String>, LoadErrorKind> {
        Ok(Vec::new())
    }
}

impl Files for &mut (dyn Files + '_) {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        (**self).read(path)
    }

    fn read_start(&mut self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind> {
        (**self).read_start(path, length)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        (**self).names(folder)
    }

    fn absolute(&self, path: &Path) -> Option<PathBuf> {
        (**self).absolute(path)
    }
}

macro_rules! files_of_maps {
    ($($map:ty { $($hasher:tt)* })*) => {$(
        /// A collection of files by their paths. Reading a file takes O(number of files in the collection).
        impl<P: AsRef<Path>, B: AsRef<[u8]> $($hasher)*> Files for $map {
            fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
                read_from(self.iter(), path)
            }

            fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
                Ok(names_in(self.keys(), folder))
            }

            fn absolute(&self, path: &Path) -> Option<PathBuf> {
                Some(path.to_owned())
            }
        }
    )*};
}

files_of_maps! {
    HashMap<P, B, S> {, S: BuildHasher}
    &HashMap<P, B, S> {, S: BuildHasher}
    BTreeMap<P, B> {}
    &BTreeMap<P, B> {}
}

/// Returns the bytes of the file at `path`. If there is none, returns the file at a path that is equal after
/// `.` and `..` are resolved.
fn read_from<'f, P: AsRef<Path> + 'f, B: AsRef<[u8]> + 'f>(
    files: impl Iterator<Item = (&'f P, &'f B)> + Clone,
    path: &Path,
) -> Result<Vec<u8>, LoadErrorKind> {
    let mut same = files.clone().find(|(known, _)| known.as_ref() == path);
    if same.is_none() {
        let wanted = plain(path);
        same = files.into_iter().find(|(known, _)| plain(known.as_ref()) == wanted);
    }
    let (_, bytes) = same.ok_or(ErrorKind::NotFound).map_err(io::Error::from)?;
    Ok(bytes.as_ref().to_vec())
}

fn names_in<'f, P: AsRef<Path> + 'f>(
    paths: impl Iterator<Item = &'f P>,
    folder: &Path,
) -> Vec<String> {
    let folder = plain(folder);
    let in_folder = paths.map(|path| plain(path.as_ref()));
    let in_folder = in_folder.filter(|path| path.parent() == Some(&folder));
    in_folder.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

/// The largest number of files in the folder of a world that finds its maps by patterns.
const MAX_FILES: u32 = 10_000;

/// The files on the disk that a level may refer to: their real paths must be in the level's root folder, see
/// [`LoadOptions::root`].
///
/// [`Level::load`](crate::Level::load) uses this type. For a level from bytes, write
/// `Level::decode(path, bytes, Disk::new(path, &options), &options)`.
///
/// A link may lead to another file in the root folder, but not out of it. Errors do not reveal whether a file
/// outside the root exists. Files that another program replaces during a load are not protected.
#[derive(Debug)]
pub struct Disk {
    level: PathBuf,
    given: Option<PathBuf>,
    file_bytes: u64,
    /// The root folder of the level; `None` until the first file is opened.
    root: Option<MapRoot>,
}

impl Disk {
    /// Returns the files for the level at the path `level`, with the root and limits of `options`. No file is
    /// opened.
    pub fn new(level: impl Into<PathBuf>, options: &LoadOptions) -> Self {
        Self {
            level: level.into(),
            given: options.root.clone(),
            file_bytes: options.limits.file_bytes(),
            root: None,
        }
    }

    fn root(&mut self) -> Result<&MapRoot, LoadErrorKind> {
        let root = match self.root.take() {
            Some(root) => root,
            None => MapRoot::for_map(&self.level, self.given.as_deref())?,
        };
        Ok(self.root.insert(root))
    }

    /// Opens a regular file in the root folder, and returns the file and its length in bytes. Fails as
    /// [`open_file`]. Also fails for a file outside the root.
    pub fn open(&mut self, path: &Path) -> Result<(File, u64), LoadErrorKind> {
        self.root()?.check(path)?;
        open_file(path, Links::Followed, self.file_bytes)
    }
}

impl Files for Disk {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        self.read_start(path, usize::MAX)
    }

    fn read_start(&mut self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind> {
        let (file, in_file) = self.open(path)?;
        let mut bytes = Vec::new();
        read_rest(file, in_file.min(length as u64), &mut bytes)?;
        Ok(bytes)
    }

    /// Returns the names of the files in `folder` that are valid UTF-8. The folder must be the level's own
    /// folder, or be in the root folder.
    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        if self.level.parent() != Some(folder) {
            self.root()?.check(folder)?;
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(root::or_here(folder))? {
            let entry = entry?;
            // Only a link needs a look at its target.
            let kind = entry.file_type()?;
            if let Ok(name) = entry.file_name().into_string()
                && (kind.is_file() || (kind.is_symlink() && entry.path().is_file()))
            {
                names.push(name);
            }
            let count = names.len() as u64;
            limits::check("files in the folder of a world", count, MAX_FILES)?;
        }
        Ok(names)
    }

    /// Returns the path with the real path of its folder.
    fn absolute(&self, path: &Path) -> Option<PathBuf> {
        Some(fs::canonicalize(root::folder_of(path)).ok()?.join(path.file_name()?))
    }
}

/// The rule for opening a path whose last name is a symbolic link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Links {
    /// The target of the link is opened.
    Followed,
    /// The link is an error.
    Refused,
}

/// Reads a regular file of at most `limit` bytes. Fails as [`open_file`], or if reading fails.
pub fn read_file(path: &Path, links: Links, limit: u64) -> Result<Vec<u8>, LoadErrorKind> {
    let (file, length) = open_file(path, links, limit)?;
    let mut bytes = Vec::new();
    read_rest(file, length, &mut bytes)?;
    Ok(bytes)
}

/// Appends up to `length` bytes of `file` to `bytes`. Reserves the memory once, before reading.
fn read_rest(file: File, length: u64, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    let length_here = usize::try_from(length).unwrap_or(usize::MAX);
    bytes.try_reserve_exact(length_here)?;
    file.take(length).read_to_end(bytes)?;
    Ok(())
}

/// Opens a regular file of at most `limit` bytes, and returns the file and its length in bytes.
///
/// Callers must not read more bytes than this length: a file that the system generates has length 0, and may
/// block a reader.
///
/// # Errors
/// Fails with [`LoadErrorKind::NotAFile`] for a folder, a pipe, a socket, a device or a refused link. Also
/// fails for a file above the limit, and with errors of the system.
pub fn open_file(path: &Path, links: Links, limit: u64) -> Result<(File, u64), LoadErrorKind> {
    let metadata = match links {
        Links::Followed => fs::metadata(path)?,
        Links::Refused => fs::symlink_metadata(path)?,
    };
    // Opening a pipe would wait for its writer.
    if !metadata.is_file() {
        return Err(LoadErrorKind::NotAFile);
    }
    limits::check(limits::FILE_BYTES, metadata.len(), limit)?;
    Ok((File::open(path)?, metadata.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_in_a_hash_map_are_found_by_any_spelling_of_their_path() {
        let files = HashMap::from([("./a/b.tsx", "1"), ("c.tsx", "2"), ("../d.tsx", "3")]);
        for (path, expected) in [
            ("a/b.tsx", Some("1")),
            ("a/x/../b.tsx", Some("1")),
            ("a/../c.tsx", Some("2")),
            ("./c.tsx", Some("2")),
            ("a/../../d.tsx", Some("3")),
            ("d.tsx", None),
            ("a", None),
        ] {
            let found = (&files).read(Path::new(path)).ok();
            assert_eq!(found.as_deref(), expected.map(str::as_bytes), "{path}");
        }
        assert_eq!((&files).names(Path::new("./a/.")).ok(), Some(vec!["b.tsx".to_owned()]));
        assert_eq!((&files).names(Path::new("")).ok(), Some(vec!["c.tsx".to_owned()]));
    }

    #[test]
    fn a_closure_and_the_unit_type_can_supply_files() {
        let mut asked = Vec::new();
        let mut closure = |path: &Path| {
            asked.push(path.to_owned());
            Ok(vec![1])
        };
        assert_eq!(closure.read_start(Path::new("a"), 9).ok(), Some(vec![1]));
        assert!(closure.names(Path::new("a")).is_err());
        assert_eq!(asked, [Path::new("a")]);
        assert!(().read(Path::new("a")).is_err());
        let mut unit = ();
        let mut borrowed: &mut dyn Files = &mut unit;
        assert_eq!(borrowed.names(Path::new("")).ok(), Some(Vec::new()));
        assert!(Files::read(&mut borrowed, Path::new("a")).is_err());
    }
}
