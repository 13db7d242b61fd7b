//! Makes one level from the maps of a world, or from the levels of an LDtk project.

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
use crate::paths::folder_of;
use crate::tmx::{MAX_ELEMENTS, Map, Read, Tilesets, WorldFile, WorldMap, read_reference};
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
    let maps = maps.map_err(|kind| kind.in_file(path))?;
    let mut world = WorldLoad::new(path, bytes, files, options, Spent::default());
    let mut tilesets = Tilesets::default();
    for WorldMap { file, position, .. } in maps {
        let map = folder_of(path).join(&file);
        world.add(map, Some(file.clone()), position, &mut |read, spent| {
            decode_part(path, &file, read, spent, &mut tilesets, options)
        })?;
    }
    world.finish()
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
    let mut world = WorldLoad::new(path, bytes, files, options, spent);
    for level in levels {
        let mut map = path.to_owned();
        let mut name = None;
        let mut position = IVec2::ZERO;
        if is_world {
            map.push(&level.name);
            name = Some(level.name.clone());
            position = level.position;
        }
        world.add(map, name, position, &mut |read, spent| {
            project.map(level, read, read_options(options), spent)
        })?;
    }
    let mut loaded = world.finish()?;
    if !left_out.is_empty() {
        loaded.warnings.push(LoadWarning::other_levels(&left_out));
    }
    Ok(loaded)
}

/// The load of several maps, such as those of a world, as one level.
struct WorldLoad<'w> {
    path: &'w Path,
    options: &'w LoadOptions,
    files: &'w mut dyn Files,
    /// The number of bytes of all files so far.
    bytes: u64,
    spent: Spent,
    types: LevelTypes,
    maps: Vec<InputResult>,
}

/// A function that decodes one map of a world. Its arguments are a function that reads files, and the amounts
/// used of the world's limits.
type Decode<'d> = dyn FnMut(&mut Read<'_>, &mut Spent) -> Result<Map, LoadError> + 'd;

impl<'w> WorldLoad<'w> {
    /// Starts the load of the file at `path` with the content `bytes`, which took `spent`.
    fn new(
        path: &'w Path,
        bytes: &[u8],
        files: &'w mut dyn Files,
        options: &'w LoadOptions,
        spent: Spent,
    ) -> Self {
        let bytes = bytes.len() as u64;
        Self { path, options, files, bytes, spent, types: LevelTypes::default(), maps: Vec::new() }
    }

    /// Loads a map. `path` is its path in errors, and `file` its name in the world; `None` for a map outside
    /// a world.
    fn add(
        &mut self,
        path: PathBuf,
        file: Option<String>,
        position: IVec2,
        decode: &mut Decode<'_>,
    ) -> Result<(), LoadError> {
        let limit = self.options.limits.bytes;
        let mut read = |file: &Path| {
            let bytes = self.files.read(file)?;
            self.bytes += bytes.len() as u64;
            check_bytes(self.bytes, limit)?;
            Ok(bytes)
        };
        let mut decoded = decode(&mut read, &mut self.spent);
        if let Ok(map) = &mut decoded {
            self.types.complete(self.path, map, self.files, self.options, &mut self.spent)?;
        }
        // The limit is larger than for one map, because the elements of a shared template count once for each
        // map.
        let what = "elements in all files of the world";
        let elements = check(what, self.spent.elements, 4 * MAX_ELEMENTS);
        let checked = check_bytes(self.bytes, limit).and(elements);
        match decoded {
            Ok(map) => {
                checked.map_err(|kind| kind.in_file(self.path))?;
                self.maps.push(Ok(InputMap { map, path, file, position }));
            }
            Err(error) if self.options.lenient && checked.is_ok() => {
                self.maps.push(Err((file, error)));
            }
            Err(error) => return Err(error),
        }
        Ok(())
    }

    fn finish(mut self) -> Result<LoadedLevel, LoadError> {
        finish(self.path, self.maps, self.options, &mut self.spent, self.files)
    }
}

fn check_bytes(bytes: u64, limit: u64) -> Result<(), LoadErrorKind> {
    check("bytes in all files of the world (the limit `bytes`)", bytes, limit)
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
    let bytes = read_reference(read, "map", file, &looked_in);
    let bytes = bytes.map_err(|kind| kind.in_file(path))?;
    let found = match sniff(&bytes) {
        FileFormat::Text if extension(&looked_in) != "world" => {
            let options = read_options(options);
            return Map::decode_counted(&looked_in, &bytes, read, options, spent, tilesets);
        }
        FileFormat::Other(found) => found,
        FileFormat::Mask => "a picture in a world",
        FileFormat::Baked => "a baked level in a world",
        FileFormat::Drawing => "a text of `#` and `.` in a world",
        FileFormat::Text => "a world in a world",
    };
    Err(LoadErrorKind::UnknownFormat { found: found.to_owned() }.in_file(&looked_in))
}
