//! From the bytes of a map or a world to a level, with the files that they refer to.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::files::Files;
use super::format::{Format, extension, sniff};
use super::loaded::{Loaded, Source};
use super::picture::picture_size;
use crate::build::{self, BuildError, Built};
use crate::error::warning::LoadWarning;
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::limits::{Limits, Spent, check};
use crate::options::LoadOptions;
use crate::tmx::{Map, Orientation, PlacedMap, ReadOptions, Space, World, WorldMap, is_absolute};

/// A document on its way into a level.
struct Part {
    map: Map,
    /// In a world, the file as the world names it.
    file: Option<String>,
    position: IVec2,
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

fn read_options(options: &LoadOptions) -> ReadOptions<'_> {
    ReadOptions { limits: &options.limits, lenient: options.lenient }
}

/// Loads the world `bytes`, which lies at `path`, as one level. With lenient options, a map that cannot be
/// read is left out, unless none is left.
pub(super) fn load_world(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<Loaded, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let limits = &options.limits;
    let world = World::decode(bytes, limits).map_err(error)?;
    let maps = world.maps_among(|| files.names(folder_of(path)), limits).map_err(error)?;
    let mut reader =
        WorldReader { path, files, options, bytes: bytes.len() as u64, spent: Spent::default() };
    let (mut parts, mut left_out) = (Vec::new(), Vec::new());
    let mut maps_left = maps.len();
    for map in maps {
        maps_left -= 1;
        match reader.map(&map) {
            Ok(document) => {
                parts.push(Part { map: document, file: Some(map.file), position: map.position })
            }
            Err(error) => {
                let is_last = maps_left == 0 && parts.is_empty();
                if !options.lenient || is_last || reader.check(limits).is_err() {
                    return Err(error);
                }
                left_out.push(LoadWarning {
                    file: Some(map.file),
                    ..LoadWarning::fault(error.place().clone(), error.kind(), 1)
                });
            }
        }
        reader.check(limits).map_err(error)?;
    }
    let mut spent = reader.spent;
    let mut loaded = finish(path, parts, options, &mut spent, files)?;
    loaded.warnings.extend(left_out);
    Ok(loaded)
}

/// Reads the maps of a world, and counts the work of all of them.
struct WorldReader<'a> {
    /// The world's path.
    path: &'a Path,
    files: &'a mut dyn Files,
    options: &'a LoadOptions,
    /// Bytes of files.
    bytes: u64,
    spent: Spent,
}

impl WorldReader<'_> {
    fn map(&mut self, map: &WorldMap) -> Result<Map, LoadError> {
        let file = folder_of(self.path).join(&map.file);
        let limit = self.options.limits.total_bytes;
        let (total, files) = (&mut self.bytes, &mut *self.files);
        let mut read = |file: &Path| {
            let bytes = files.read(file)?;
            *total += bytes.len() as u64;
            check("bytes in all files of the world", *total, limit)?;
            Ok(bytes)
        };
        let bytes = match is_absolute(&map.file) {
            true => Err(LoadErrorKind::AbsolutePath),
            false => read(&file),
        };
        let bytes = bytes.map_err(|source| {
            let kind = LoadErrorKind::Reference {
                what: "map",
                written: map.file.clone(),
                looked_in: file.clone(),
                source: Box::new(source),
            };
            LoadError::new(self.path, Place::default(), kind)
        })?;
        let found = match sniff(&bytes, &extension(&file)) {
            Format::Xml | Format::Json if extension(&file) != "world" => {
                let options = read_options(self.options);
                return Map::decode_counted(&file, &bytes, &mut read, options, &mut self.spent);
            }
            Format::Other(found) => found,
            Format::Mask(_) => "a picture in a world",
            Format::Xml | Format::Json => "a world in a world",
        };
        let found = found.to_owned();
        let kind = LoadErrorKind::UnknownFormat { found };
        Err(LoadError::new(&file, Place::default(), kind))
    }

    /// An error if the files of all maps together are over a limit.
    fn check(&self, limits: &Limits) -> Result<(), LoadErrorKind> {
        let what = "bytes in all files of the world";
        check(what, self.bytes, limits.total_bytes)?;
        // Each map may name the same tilesets.
        let elements = 4 * u64::from(limits.xml_elements);
        let what = "elements in all files of the world";
        check(what, self.spent.elements, elements)
    }
}

/// The folder of a file as its path has it, which may be empty.
fn folder_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Builds the level of some documents.
fn finish(
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
        *known.or_insert_with(|| picture_size(&mut **files, picture).ok())
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
    Loaded { level: built.level, source, warnings: built.warnings, maps, tile_counts }
}
