//! From the bytes of a world to a level, with the maps that it names.

use std::path::Path;

use super::files::Files;
use super::format::{Format, extension, sniff};
use super::loaded::Loaded;
use super::maps::{Part, finish, read_options};
use crate::error::warning::LoadWarning;
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::limits::{Limits, Spent, check};
use crate::options::LoadOptions;
use crate::paths::{folder_of, is_absolute};
use crate::tmx::{MAX_ELEMENTS, Map, World, WorldMap};

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
    let world = World::decode(bytes).map_err(error)?;
    let maps = world.maps_among(|| files.names(folder_of(path))).map_err(error)?;
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
        let limit = self.options.limits.bytes;
        let (total, files) = (&mut self.bytes, &mut *self.files);
        let mut read = |file: &Path| {
            let bytes = files.read(file)?;
            *total += bytes.len() as u64;
            check("bytes in all files of the world (the limit `bytes`)", *total, limit)?;
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
            Format::Baked => "a baked level in a world",
            Format::Xml | Format::Json => "a world in a world",
        };
        let found = found.to_owned();
        let kind = LoadErrorKind::UnknownFormat { found };
        Err(LoadError::new(&file, Place::default(), kind))
    }

    /// An error if the files of all maps together are over a limit.
    fn check(&self, limits: &Limits) -> Result<(), LoadErrorKind> {
        let what = "bytes in all files of the world (the limit `bytes`)";
        check(what, self.bytes, limits.bytes)?;
        // Each map may name the same tilesets.
        check("elements in all files of the world", self.spent.elements, 4 * MAX_ELEMENTS)
    }
}
