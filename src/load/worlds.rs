//! Makes one level from the maps of a world, or from the levels of an LDtk project.

use std::path::Path;

use super::disk::Files;
use super::format::{FileFormat, extension, sniff};
use super::loaded::LoadedLevel;
use super::maps::{LevelLoad, read_options};
use crate::error::{LoadError, LoadErrorKind};
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::paths::folder_of;
use crate::tmx::{Map, Read, Tilesets, WorldFile, WorldMap, read_reference};
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
    let mut spent = Spent::default();
    spent.read(bytes);
    let mut world = LevelLoad::new(path, files, options, spent);
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
    let mut world = LevelLoad::new(path, files, options, spent);
    for level in levels {
        let mut map = path.to_owned();
        let mut name = None;
        let mut position = glam::IVec2::ZERO;
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
