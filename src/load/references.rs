//! The files that a level will ask for, before it does: for programs that must fetch them first.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::format::extension;
#[cfg(feature = "json")]
use crate::paths::is_absolute;
#[cfg(feature = "json")]
use crate::tmx::World;
use crate::tmx::{Named, files_named};

/// A file that another file names.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// Its path, joined to the folder of the file that names it: the same that [`Files`](super::Files) is
    /// asked for.
    pub path: PathBuf,
    /// Its kind.
    pub kind: ReferenceKind,
}

/// The kind of a file that another file names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ReferenceKind {
    /// A map of a world. It may name more files.
    Map,
    /// A tileset. It may name more files: templates of its shapes, and a picture.
    Tileset,
    /// A template. It may name a tileset.
    Template,
    /// A picture whose size is asked for.
    Picture,
    /// The folder of a world whose maps are found by patterns: the names in it are asked for, by
    /// [`Files::names`](super::Files::names). [`World::maps_among`] tells which of them are maps.
    Folder,
}

/// The files that `bytes`, a map, tileset, template or world at `path`, will ask for, in their order, each
/// once. Opens none. Call it again for each map, tileset and template that was fetched. Together the calls
/// name all files that [`Level::decode`](crate::Level::decode) asks its [`Files`](super::Files) for, but for
/// one kind of picture (below).
///
/// A picture is named only if its size decides how many tiles a tileset has: if the number that the tileset
/// states is not the one that fits in a picture of the size that it states. One more picture may be asked for
/// when a map uses a tile that its tileset lacks, because the picture may have grown since. No file tells
/// that by itself, so it is not named here; without it the level is the error that it is without that tile.
/// Any other picture of a map is for drawing: see [`MapSource::pictures`](super::MapSource::pictures).
///
/// A mask names no files, nor does a broken file from its fault on. Absolute paths are left out, because
/// they are refused. O(bytes).
///
/// ```
/// use std::path::Path;
///
/// use bitwall::load::{ReferenceKind, references};
///
/// let found = references("maps/cave.tmx", include_bytes!("../../assets/cave.tmx"));
/// assert_eq!(found.len(), 1);
/// assert_eq!((&*found[0].path, found[0].kind), (Path::new("maps/cave.tsx"), ReferenceKind::Tileset));
/// ```
pub fn references(path: impl AsRef<Path>, bytes: &[u8]) -> Vec<Reference> {
    let path = path.as_ref();
    let mut found = match &*extension(path) {
        #[cfg(feature = "json")]
        "world" => of_world(path, bytes),
        _ => of_map(path, bytes),
    };
    let mut known = HashSet::new();
    found.retain(|reference| known.insert(reference.clone()));
    found
}

fn of_map(path: &Path, bytes: &[u8]) -> Vec<Reference> {
    let named = files_named(path, bytes).into_iter();
    let asked = named.filter_map(|(path, kind)| {
        let kind = match kind {
            Named::Tileset => ReferenceKind::Tileset,
            Named::Template => ReferenceKind::Template,
            Named::MeasuredPicture => ReferenceKind::Picture,
            Named::Picture => return None,
        };
        Some(Reference { path, kind })
    });
    asked.collect()
}

#[cfg(feature = "json")]
fn of_world(path: &Path, bytes: &[u8]) -> Vec<Reference> {
    let Ok(world) = World::decode(bytes) else {
        return Vec::new();
    };
    let listed = world.maps.iter().filter(|map| !is_absolute(&map.file));
    let folder = path.parent().unwrap_or(Path::new(""));
    let maps =
        listed.map(|map| Reference { path: folder.join(&map.file), kind: ReferenceKind::Map });
    let folder = Reference { path: folder.to_owned(), kind: ReferenceKind::Folder };
    let folder = (!world.patterns.is_empty()).then_some(folder);
    folder.into_iter().chain(maps).collect()
}
