//! Makes one level from the maps of a world, or from the levels of an LDtk project.

use std::cell::Cell;
use std::path::{Path, PathBuf};

use glam::IVec2;

use super::disk::Files;
use super::format::{FileFormat, extension, sniff};
use super::loaded::LoadedLevel;
use super::maps::{InputResult, finish, read_options};
use super::types::LevelTypes;
use crate::convert::InputMap;
use crate::error::{LoadError, LoadErrorKind};
use crate::limits::{Spent, check};
use crate::options::LoadOptions;
use crate::paths::{folder_of, is_absolute};
use crate::tmx::{MAX_ELEMENTS, Map, Read, Tilesets, WorldFile, WorldMap};
#[cfg(feature = "ldtk")]
use crate::{
    error::LoadWarning,
    tmx::{LdtkFile, LdtkProject},
};

/// Loads a world as one level. `bytes` is the content of the world's file at `path`. A lenient load leaves
/// out maps that cannot be read, unless no map would be left.
pub(super) fn load_world(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let world = WorldFile::decode(bytes).map_err(|kind| kind.in_file(path))?;
    let maps = world.maps_among(|| files.names(folder_of(path)));
    let maps = maps.map_err(|kind| kind.in_file(path))?.into_iter();
    let maps = maps.map(|WorldMap { file, position, .. }| Part {
        path: folder_of(path).join(&file),
        name: Some(file.clone()),
        position,
        item: file,
    });
    let world = WorldLoad { path, bytes: bytes.len() as u64, options };
    let spent = &mut Spent::default();
    let mut tilesets = Tilesets::default();
    world.load(maps.collect(), spent, files, &mut |file, read, spent| {
        decode_part(path, &file, read, spent, &mut tilesets, options)
    })
}

/// Loads the chosen levels of an LDtk project as one level. `bytes` is the content of the project's file at
/// `path`. A lenient load leaves out levels that cannot be read, unless no level would be left.
#[cfg(feature = "ldtk")]
pub(super) fn load_ldtk(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let mut spent = Spent::default();
    let file = LdtkFile::parse(path, bytes, &options.limits)?;
    spent.read(bytes);
    let project = LdtkProject::new(&file, &mut spent)?;
    let chosen = project.chosen(&options.levels);
    let (levels, left_out) = chosen.map_err(|kind| kind.in_file(path))?;
    // A single level becomes a map, not a world.
    let is_world = levels.len() > 1;
    let mut parts = Vec::new();
    for level in levels {
        let mut part =
            Part { path: path.to_owned(), name: None, position: IVec2::ZERO, item: level };
        if is_world {
            part.path.push(&level.name);
            part.name = Some(level.name.clone());
            part.position = level.position;
        }
        parts.push(part);
    }
    let world = WorldLoad { path, bytes: bytes.len() as u64, options };
    let mut loaded = world.load(parts, &mut spent, files, &mut |level, read, spent| {
        project.map(level, read, read_options(options), spent)
    })?;
    if !left_out.is_empty() {
        loaded.warnings.push(LoadWarning::other_levels(&left_out));
    }
    Ok(loaded)
}

/// A map of a world.
struct Part<T> {
    /// The path of the map in errors.
    path: PathBuf,
    /// The name of the map; `None` for a map outside a world.
    name: Option<String>,
    /// The position of the map in the world, in pixels.
    position: IVec2,
    /// The source of the map, from which [`Decode`] makes it.
    item: T,
}

/// The options and the path for loading several maps, such as those of a world, as one level.
struct WorldLoad<'w> {
    path: &'w Path,
    /// The number of bytes of the world's file.
    bytes: u64,
    options: &'w LoadOptions,
}

/// A function that decodes one map of a world. Its arguments are an item that identifies the map, a function
/// that reads files, and the amounts used of the world's limits.
type Decode<'d, T> = dyn FnMut(T, &mut Read<'_>, &mut Spent) -> Result<Map, LoadError> + 'd;

impl WorldLoad<'_> {
    /// Loads several maps as one level.
    fn load<T>(
        &self,
        parts: Vec<Part<T>>,
        spent: &mut Spent,
        files: &mut dyn Files,
        decode: &mut Decode<'_, T>,
    ) -> Result<LoadedLevel, LoadError> {
        let total = Cell::new(self.bytes);
        let mut maps: Vec<InputResult> = Vec::with_capacity(parts.len());
        let mut types = LevelTypes::default();
        for Part { path, name, position, item } in parts {
            let mut read = |file: &Path| {
                let bytes = files.read(file)?;
                total.set(total.get() + bytes.len() as u64);
                self.check_bytes(total.get())?;
                Ok(bytes)
            };
            let mut decoded = decode(item, &mut read, spent);
            if let Ok(map) = &mut decoded {
                types.complete(self.path, map, files, self.options, spent)?;
            }
            // The limit is larger than for one map, because the elements of a shared template count once for
            // each map.
            let what = "elements in all files of the world";
            let elements = check(what, spent.elements, 4 * MAX_ELEMENTS);
            let checked = self.check_bytes(total.get()).and(elements);
            match decoded {
                Ok(map) => {
                    checked.map_err(|kind| kind.in_file(self.path))?;
                    maps.push(Ok(InputMap { map, path, file: name, position }));
                }
                Err(error) if self.options.lenient && checked.is_ok() => {
                    maps.push(Err((name, error)));
                }
                Err(error) => return Err(error),
            }
        }
        finish(self.path, maps, self.options, spent, files)
    }

    fn check_bytes(&self, bytes: u64) -> Result<(), LoadErrorKind> {
        let what = "bytes in all files of the world (the limit `bytes`)";
        check(what, bytes, self.options.limits.bytes)
    }
}

fn decode_part(
    path: &Path,
    file: &str,
    read: &mut Read<'_>,
    spent: &mut Spent,
    tilesets: &mut Tilesets,
    options: &LoadOptions,
) -> Result<Map, LoadError> {
    let looked_in = folder_of(path).join(file);
    let bytes = if is_absolute(file) { Err(LoadErrorKind::AbsolutePath) } else { read(&looked_in) };
    let bytes = bytes.map_err(|source| {
        let kind = LoadErrorKind::Reference {
            what: "map",
            written: file.to_owned(),
            looked_in: looked_in.clone(),
            source: Box::new(source),
        };
        kind.in_file(path)
    })?;
    let found = match sniff(&bytes, &extension(&looked_in)) {
        FileFormat::Text if extension(&looked_in) != "world" => {
            let options = read_options(options);
            return Map::decode_counted(&looked_in, &bytes, read, options, spent, tilesets);
        }
        FileFormat::Other(found) => found,
        FileFormat::Mask(_) => "a picture in a world",
        FileFormat::Baked => "a baked level in a world",
        FileFormat::Drawing => "a text of `#` and `.` in a world",
        FileFormat::Text => "a world in a world",
    };
    Err(LoadErrorKind::UnknownFormat { found: found.to_owned() }.in_file(&looked_in))
}
