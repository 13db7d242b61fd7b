//! The trait [`Files`], by which a level reads the files that it refers to, and its makers that need no disk.

use std::collections::{BTreeMap, HashMap};
use std::hash::BuildHasher;
use std::io::{self, ErrorKind};
use std::path::Path;

use crate::error::LoadErrorKind;
use crate::paths::plain;

/// The files that a level refers to, wherever they are: on the disk ([`Disk`](super::Disk)), behind a
/// closure, in a map of bytes, in an archive, in an engine's assets. `()` has no files.
///
/// A closure takes a path and returns the bytes: `|path: &Path| std::fs::read(path)`. A map has the bytes by
/// their paths. It finds `maps/cave.tsx` by `./maps/cave.tsx` and by `maps/../maps/cave.tsx` too.
///
/// A path is always that of the file which names it, with the written path joined to its folder, as
/// `maps/../sets/cave.tsx`. [`references`](super::references()) gives the same paths beforehand. An
/// implementation need not guard against large files, for sizes are compared with
/// [`Limits`](crate::Limits) afterwards; it decides itself which paths are allowed.
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
    /// The bytes of the file at `path`.
    ///
    /// # Errors
    /// The reason that there are none; an [`io::Error`] becomes one by `?`.
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind>;

    /// The first `length` bytes of the file at `path`, or more, or all if it is shorter. Asked for the
    /// header of a picture. By default all bytes.
    ///
    /// # Errors
    /// As [`Files::read`].
    fn read_start(&mut self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind> {
        let _ = length;
        self.read(path)
    }

    /// The names of the files in a folder, in any order, without the names of folders. Asked for a world
    /// that finds its maps by patterns. By default an error.
    ///
    /// # Errors
    /// The reason that the names are unknown.
    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        let _ = folder;
        Err(io::Error::new(ErrorKind::Unsupported, "the files cannot be listed").into())
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

/// No files: for a level that refers to none.
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
}

/// `O(files)` for each file that is read.
impl<P: AsRef<Path>, B: AsRef<[u8]>, S: BuildHasher> Files for &HashMap<P, B, S> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        read_from(self.iter(), path)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        Ok(names_in(self.keys(), folder))
    }
}

/// As of a map that is borrowed.
impl<P: AsRef<Path>, B: AsRef<[u8]>, S: BuildHasher> Files for HashMap<P, B, S> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        (&*self).read(path)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        (&*self).names(folder)
    }
}

/// `O(files)` for each file that is read.
impl<P: AsRef<Path>, B: AsRef<[u8]>> Files for &BTreeMap<P, B> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        read_from(self.iter(), path)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        Ok(names_in(self.keys(), folder))
    }
}

/// As of a map that is borrowed.
impl<P: AsRef<Path>, B: AsRef<[u8]>> Files for BTreeMap<P, B> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        (&*self).read(path)
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        (&*self).names(folder)
    }
}

/// The bytes of the file at `path`, by its path as it is or else by its plain form.
fn read_from<'f, P: AsRef<Path> + 'f, B: AsRef<[u8]> + 'f>(
    files: impl Iterator<Item = (&'f P, &'f B)> + Clone,
    path: &Path,
) -> Result<Vec<u8>, LoadErrorKind> {
    let same = files.clone().find(|(known, _)| known.as_ref() == path);
    let found = same.or_else(|| {
        let wanted = plain(path);
        let mut files = files;
        files.find(|(known, _)| plain(known.as_ref()) == wanted)
    });
    let (_, bytes) = found.ok_or_else(|| io::Error::from(ErrorKind::NotFound))?;
    Ok(bytes.as_ref().to_vec())
}

/// The names of the files in a folder.
fn names_in<'f, P: AsRef<Path> + 'f>(
    paths: impl Iterator<Item = &'f P>,
    folder: &Path,
) -> Vec<String> {
    let folder = plain(folder);
    let in_folder = paths.map(|path| plain(path.as_ref()));
    let in_folder = in_folder.filter(|path| path.parent() == Some(&folder));
    in_folder.filter_map(|path| Some(path.file_name()?.to_str()?.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_of_bytes_finds_a_file_by_all_spellings_of_its_path() {
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
    fn files_may_be_a_closure_or_none() {
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
