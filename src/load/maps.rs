//! From the bytes of a map to a level, with the files that it refers to, and from documents to a level.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::files::Files;
use super::loaded::{Loaded, Source};
use super::picture_size::size_of;
use crate::build::{self, BuildError, Built};
use crate::error::LoadError;
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::paths::folder_of;
use crate::tmx::{Map, Orientation, PlacedMap, ReadOptions, Space};

/// A document on its way into a level.
pub(super) struct Part {
    pub(super) map: Map,
    /// In a world, the file as the world names it.
    pub(super) file: Option<String>,
    pub(super) position: IVec2,
}

/// Loads the map `bytes`, which lies at `path`.
pub(super) fn load_map(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<Loaded, LoadError> {
    let mut spent = Spent::default();
    let mut read = |path: &Path| files.read(path);
    let map = Map::decode_counted(path, bytes, &mut read, read_options(options), &mut spent)?;
    let part = Part { map, file: None, position: IVec2::ZERO };
    finish(path, vec![part], options, &mut spent, files)
}

/// Makes the level of a document, which has no file.
pub(super) fn of_document(map: Map, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let part = Part { map, file: None, position: IVec2::ZERO };
    let mut spent = Spent::default();
    finish(Path::new("map"), vec![part], options, &mut spent, &mut ())
}

pub(super) fn read_options(options: &LoadOptions) -> ReadOptions<'_> {
    ReadOptions { limits: &options.limits, lenient: options.lenient }
}

/// Builds the level of some documents.
pub(super) fn finish(
    path: &Path,
    parts: Vec<Part>,
    options: &LoadOptions,
    spent: &mut Spent,
    files: &mut dyn Files,
) -> Result<Loaded, LoadError> {
    let placed = parts.iter().map(|part| build::PlacedMap {
        map: &part.map,
        position: part.position,
        file: part.file.clone(),
    });
    let placed: Vec<_> = placed.collect();
    // Many tilesets may name one picture.
    let sizes = RefCell::new((files, HashMap::<PathBuf, Option<UVec2>>::new()));
    let size = |picture: &Path| {
        let (files, known) = &mut *sizes.borrow_mut();
        let known = known.entry(picture.to_owned());
        *known.or_insert_with(|| size_of(&mut **files, picture).ok())
    };
    let built = build::build(&placed, options, spent, &size);
    let built = built.map_err(|error| located(*error, path, &parts))?;
    drop(placed);
    Ok(loaded(built, parts))
}

/// The error with the file that it is about.
fn located(error: BuildError, path: &Path, parts: &[Part]) -> LoadError {
    let of_world = error.map.and_then(|index| parts.get(index)?.file.as_ref());
    let path = of_world.map_or(path.to_owned(), |file| folder_of(path).join(file));
    LoadError::new(&path, error.place, error.kind)
}

fn loaded(built: Built, parts: Vec<Part>) -> Loaded {
    let mut parts: Vec<Option<Part>> = parts.into_iter().map(Some).collect();
    let (mut maps, mut tile_counts, mut sources) = (Vec::new(), Vec::new(), Vec::new());
    for of_map in built.maps {
        let Some(part) = parts.get_mut(of_map.index).and_then(Option::take) else {
            continue;
        };
        let facts = &of_map.source;
        let is_flat = facts.space == Space::Screen || facts.orientation == Orientation::Orthogonal;
        let to_map = of_map.place.saturating_mul(-IVec2::ONE);
        maps.push(PlacedMap {
            map: Arc::new(part.map),
            file: part.file,
            area: of_map.area,
            place: of_map.place,
            first_cell: of_map.first_cell,
            cells: facts.size,
            on_screen: is_flat.then(|| of_map.area.translated(to_map)),
        });
        tile_counts.push(of_map.tile_counts);
        sources.push(of_map.source);
    }
    let source = match built.world {
        Some(world) => Source::World(world),
        None => Source::Map(sources.pop().unwrap_or_default()),
    };
    Loaded {
        level: built.level,
        source,
        warnings: built.warnings,
        maps,
        tile_counts,
        #[cfg(feature = "mask")]
        odd: None,
    }
}
