//! Has the maps of a world loaded, within the limits of one level.

use std::path::Path;

use super::compose::{Placed, compose};
use super::parse;
use crate::Level;
use crate::level::error::{LoadError, LoadErrorKind, Place};
use crate::level::limits::{Spent, check};
use crate::level::options::LoadOptions;
use crate::level::root::is_absolute;

/// How the files of a world are read.
pub(in crate::level) struct Access<'a> {
    /// The names of the files in the folder of the world.
    pub(in crate::level) names: &'a dyn Fn() -> Result<Vec<String>, LoadErrorKind>,
    /// The bytes of a file, if it lies where the world may reach.
    pub(in crate::level) read: &'a dyn Fn(&Path) -> Result<Vec<u8>, LoadErrorKind>,
    /// Loads a map from its path and its bytes, with the reader for the files that it refers to, beside what
    /// the maps before it have used.
    #[expect(clippy::type_complexity, reason = "said once")]
    pub(in crate::level) load: &'a dyn Fn(
        &Path,
        &[u8],
        &mut dyn FnMut(&Path) -> Result<Vec<u8>, LoadErrorKind>,
        &LoadOptions,
        &mut Spent,
    ) -> Result<Level, LoadError>,
}

/// Loads the world `bytes`, which lies at `path`, as one level.
pub(in crate::level) fn load(
    path: &Path,
    bytes: &[u8],
    access: &Access<'_>,
    options: &LoadOptions,
) -> Result<Level, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let limits = &options.limits;
    let maps = parse(bytes, limits, access.names).map_err(error)?;
    // The whole must have something solid, not each map.
    let mut of_map = options.clone();
    of_map.allow_nothing_solid = true;
    of_map.keep_map = false;
    let mut total = bytes.len() as u64;
    let mut cells = 0;
    let mut spent = Spent::default();
    // Each map may name the same tilesets.
    let elements = 4 * u64::from(limits.xml_elements);
    let mut placed = Vec::new();
    for map in maps {
        let file = path.parent().unwrap_or(Path::new("")).join(&map.file);
        let mut read = |file: &Path| {
            let bytes = (access.read)(file)?;
            total += bytes.len() as u64;
            check("bytes in all files of the world", total, limits.total_bytes)?;
            Ok(bytes)
        };
        let bytes = match is_absolute(&map.file) {
            true => Err(LoadErrorKind::AbsolutePath),
            false => read(&file),
        };
        let bytes = bytes.map_err(|source| {
            error(LoadErrorKind::Reference {
                what: "map",
                written: map.file.clone(),
                looked_in: file.clone(),
                source: Box::new(source),
            })
        })?;
        let level = (access.load)(&file, &bytes, &mut read, &of_map, &mut spent)?;
        check(
            "elements in all files of the world",
            spent.elements,
            elements,
        )
        .map_err(error)?;
        cells += level.grid().cell_count();
        check("cells of all maps of the world", cells, limits.level_cells).map_err(error)?;
        placed.push(Placed {
            name: map.file,
            position: map.position,
            level,
        });
    }
    compose(placed, options).map_err(error)
}
