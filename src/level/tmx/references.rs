//! The other files that a file names: where they lie, and how much of them is read.
//!
//! A map names tilesets and templates, a template its tileset. It opens no file itself: the caller does.

use std::path::{Component, Path, PathBuf};

use super::attributes::{Attributes, xml};
use super::document::RawTileset;
use super::file_text::FileText;
use super::reader::{FileReader, Role};
use super::schema::{self, Element};
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::load::root::is_absolute;

impl FileReader<'_, '_, '_, '_> {
    /// A tileset in a file of its own, which is written into the canonical copy in its place.
    pub(super) fn tileset_file(
        &mut self,
        element: &'static Element,
        attributes: &Attributes<'_>,
        first_gid: Option<u32>,
    ) -> Result<(), LoadError> {
        let written = attributes.text("source").unwrap_or_default().to_owned();
        let own = attributes.required("firstgid");
        let gid = first_gid.map_or(own, Ok).map_err(|kind| self.error(kind))?;
        self.content(Role::Plain, &[])?;
        if !matches!(element.role, Role::Tileset) || self.document.tile_width == 0 {
            return Err(self.error(xml("a tileset file that refers to another tileset")));
        }
        let path = joined(self.path, &written);
        let (tilesets, canonical) = self.read_tileset("tileset", written, &path, gid)?;
        self.document.canonical.push_str(&canonical);
        self.check_copy()?;
        self.document.tilesets.extend(tilesets);
        let (count, limit) = (self.document.tilesets.len(), self.shared.limits.tilesets);
        self.check("tilesets", count as u64, limit)
    }

    /// Reads a tileset's own file: the tileset, and its canonical copy.
    pub(super) fn read_tileset(
        &mut self,
        what: &'static str,
        written: String,
        path: &Path,
        first_gid: u32,
    ) -> Result<(Vec<RawTileset>, String), LoadError> {
        let bytes = self.referred(what, written, path)?;
        let file = FileText::new(&bytes, self.shared.limits)
            .map_err(|kind| LoadError::new(path, Place::default(), kind))?;
        let reader = FileReader::new(path, &file, self.shared);
        let mut read = reader.root(&schema::TILESET, Some(first_gid))?;
        for tileset in &mut read.tilesets {
            tileset.file = Some(plain(path));
        }
        Ok((read.tilesets, read.canonical))
    }

    /// Refuses a canonical copy that grows out of proportion: each instance of a template repeats what is in
    /// it, and each tileset file what its own instances repeat.
    pub(super) fn check_copy(&self) -> Result<(), LoadError> {
        let of_templates = self.shared.templates.canonical.len();
        let found = self.shared.copied + (self.document.canonical.len() + of_templates) as u64;
        let limit = self.shared.limits.file_bytes;
        self.check("bytes of names and values in the map", found, limit)
    }

    /// The bytes of a file that this one refers to: a `what`, at `path` by what is `written` in this file.
    pub(super) fn referred(
        &mut self,
        what: &'static str,
        written: String,
        path: &Path,
    ) -> Result<Vec<u8>, LoadError> {
        let (bytes, limit) = (written.len() as u64, self.shared.limits.name_bytes);
        self.check("bytes in the path of a file", bytes, limit)?;
        let read = if is_absolute(&written) {
            Err(LoadErrorKind::AbsolutePath)
        } else {
            (self.shared.read)(path)
        };
        let bytes = read.map_err(|source| {
            self.error(LoadErrorKind::Reference {
                what,
                written,
                looked_in: path.to_owned(),
                source: Box::new(source),
            })
        })?;
        self.shared.bytes += bytes.len() as u64;
        let (size, total) = (bytes.len() as u64, self.shared.bytes);
        let limits = self.shared.limits;
        self.check("bytes in a file of the map", size, limits.file_bytes)?;
        self.check("bytes in all files of the map", total, limits.total_bytes)?;
        Ok(bytes)
    }
}

/// A path as a file at `path` writes it, from where the map's path starts. Tiled on Windows once wrote
/// backslashes.
pub(super) fn joined(path: &Path, written: &str) -> PathBuf {
    let folder = path.parent().unwrap_or(Path::new(""));
    folder.join(written.replace('\\', "/"))
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
