//! The files that a level names: files on the disk, or files that a caller provides.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use bitwall::LoadOptions;
use bitwall::error::LoadErrorKind;
use bitwall::glam::UVec2;
use bitwall::load::{Disk, Files, picture_size};

/// The number of bytes that are read from a picture to find its size. Nearly every picture states it in the
/// first 4,096.
const HEADER_BYTES: usize = 1 << 16;

/// Files that a caller provides. All rules read them through a shared reference.
pub(super) trait Given {
    fn read_start(&self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind>;

    fn names(&self, folder: &Path) -> Result<Vec<String>, LoadErrorKind>;
}

impl<F: Files> Given for RefCell<F> {
    fn read_start(&self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind> {
        self.borrow_mut().read_start(path, length)
    }

    fn names(&self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        self.borrow_mut().names(folder)
    }
}

/// The files that the rules read: from the disk, or provided by a caller.
pub(super) enum Store<'a> {
    Disk(Disk),
    Given(&'a dyn Given),
}

impl<'a> Store<'a> {
    /// Returns the `given` files, or the files on the disk that the level at `path` may name.
    pub(super) fn new(path: &Path, options: &LoadOptions, given: Option<&'a dyn Given>) -> Self {
        given.map_or_else(|| Self::Disk(Disk::new(path, options)), Self::Given)
    }

    pub(super) fn has(&mut self, path: &Path) -> bool {
        match self {
            Self::Disk(disk) => disk.open(path).is_ok(),
            Self::Given(files) => files.read_start(path, 1).is_ok(),
        }
    }

    /// Returns the width and height of a picture in pixels, from its first 64 KiB. `None` if these do not
    /// state them.
    pub(super) fn picture_size(&mut self, path: &Path) -> Option<UVec2> {
        picture_size(path, &self.read_start(path, HEADER_BYTES).ok()?).ok()
    }

    /// Returns the path of the file on the disk that differs from `path` only in letter case. `None` if there
    /// is none, and for given files, which have no folders to search.
    pub(super) fn other_case(&mut self, path: &Path) -> Option<PathBuf> {
        match self {
            Self::Disk(disk) => disk.other_case(path),
            Self::Given(_) => None,
        }
    }
}

impl Files for Store<'_> {
    fn read(&mut self, path: &Path) -> Result<Vec<u8>, LoadErrorKind> {
        match self {
            Self::Disk(disk) => disk.read(path),
            Self::Given(files) => files.read_start(path, usize::MAX),
        }
    }

    fn read_start(&mut self, path: &Path, length: usize) -> Result<Vec<u8>, LoadErrorKind> {
        match self {
            Self::Disk(disk) => disk.read_start(path, length),
            Self::Given(files) => files.read_start(path, length),
        }
    }

    fn names(&mut self, folder: &Path) -> Result<Vec<String>, LoadErrorKind> {
        match self {
            Self::Disk(disk) => disk.names(folder),
            Self::Given(files) => files.names(folder),
        }
    }

    fn absolute(&self, path: &Path) -> PathBuf {
        match self {
            Self::Disk(disk) => disk.absolute(path),
            Self::Given(_) => path.to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use crate::lint::{VerifyOptions, verify_bytes_with, verify_file};

    #[test]
    fn files_given_in_memory_have_the_same_findings_as_on_the_disk() {
        let options = VerifyOptions::default();
        let headlines = |report: crate::lint::Report| -> Vec<String> {
            report.findings.into_iter().map(|finding| finding.headline).collect()
        };
        let mut found = 0;
        for name in ["cave.tmx", "town.tmx", "rooms.ldtk", "harbor_mask.png", "harbor.png"] {
            let path = Path::new("../assets").join(name);
            let bytes = fs::read(&path).unwrap();
            let given = verify_bytes_with(&path, &bytes, |file: &Path| fs::read(file), &options);
            let given = headlines(given);
            assert_eq!(given, headlines(verify_file(&path, &options)), "{name}");
            found += given.len();
        }
        assert!(found > 0, "the picture is no mask");
    }

    #[test]
    fn a_map_without_its_files_has_findings_and_a_mask_without_them_has_no_art() {
        let options = VerifyOptions::default();
        let map = fs::read("../assets/cave.tmx").unwrap();
        // The tileset exists on the disk but is not given.
        let report = verify_bytes_with("../assets/cave.tmx", &map, (), &options);
        assert_eq!(report.findings[0].rule.code, "TMX106");
        // The picture exists on the disk too but is not given.
        let given = |file: &Path| match file.extension().is_some_and(|end| end == "tsx") {
            true => fs::read(file),
            false => Err(std::io::ErrorKind::NotFound.into()),
        };
        let report = verify_bytes_with("../assets/cave.tmx", &map, given, &options);
        assert_eq!(report.findings.len(), 1);
        assert_eq!(report.findings[0].rule.code, "TMX110", "the picture");
    }
}
