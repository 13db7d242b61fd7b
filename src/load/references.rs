//! Lists the files that a document refers to, so that a program can fetch them before it decodes a level.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

#[cfg(feature = "json")]
use crate::paths::{folder_of, is_absolute};
pub use crate::tmx::ReferenceKind;
#[cfg(feature = "json")]
use crate::tmx::WorldFile;
use crate::tmx::files_named;

/// A file that another file refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// The path to pass to [`Files`](super::Files): the written path, joined to the folder of the file that
    /// contains it.
    pub path: PathBuf,
    /// The kind of the file.
    pub kind: ReferenceKind,
}

/// Returns the files that a map, tileset, template, world, LDtk project or Tiled project refers to, in the
/// order of the text and without repeats.
///
/// `bytes` is the content of the file at `path`. No file is opened. Call this function again for each fetched
/// map, tileset and template. Together, the calls list all files that [`Level::decode`](crate::Level::decode)
/// reads from [`Files`](super::Files), and the pictures for drawing ([`ReferenceKind::Art`]). A load reads
/// such a picture only if a map uses a tile beyond the tiles of its tileset, because the picture may have
/// grown. If the picture is missing, the load fails because the tile is unknown. No map names the Tiled
/// project with its classes: see [`LoadOptions::tiled_project`](crate::LoadOptions::tiled_project). For a
/// broken file, the list ends at the fault. Absolute paths are left out, because they are errors in a load.
/// O(bytes).
///
/// ```
/// use std::path::Path;
///
/// use bitwall::load::{ReferenceKind, references};
///
/// let found = references("maps/cave.tmx", include_bytes!("../../assets/cave.tmx"));
/// assert_eq!(found.len(), 1);
/// assert_eq!((&*found[0].path, found[0].kind), (Path::new("maps/cave.tsx"), ReferenceKind::Tileset));
/// let found = references("maps/cave.tsx", include_bytes!("../../assets/cave.tsx"));
/// assert_eq!((&*found[0].path, found[0].kind), (Path::new("maps/cave_tiles.png"), ReferenceKind::Art));
/// ```
pub fn references(path: impl AsRef<Path>, bytes: &[u8]) -> Vec<Reference> {
    let path = path.as_ref();
    #[cfg(feature = "json")]
    if super::format::extension(path) == "world" {
        return unique(of_world(path, bytes));
    }
    let named = files_named(path, bytes).into_iter();
    unique(named.map(|(path, kind)| Reference { path, kind }).collect())
}

fn unique(mut references: Vec<Reference>) -> Vec<Reference> {
    let mut known = HashSet::new();
    references.retain(|reference| known.insert(reference.clone()));
    references
}

/// Returns the files that a world refers to.
#[cfg(feature = "json")]
fn of_world(path: &Path, bytes: &[u8]) -> Vec<Reference> {
    let folder = folder_of(path);
    let world = WorldFile::decode(bytes).unwrap_or_default();
    let mut references = Vec::new();
    if !world.patterns.is_empty() {
        references.push(Reference { path: folder.to_owned(), kind: ReferenceKind::Folder });
    }
    for map in world.maps.iter().filter(|map| !is_absolute(&map.file)) {
        references.push(Reference { path: folder.join(&map.file), kind: ReferenceKind::Map });
    }
    references
}
