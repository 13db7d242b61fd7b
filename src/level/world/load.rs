//! Has the maps of a world loaded, within the limits of one level.

use std::path::Path;

use super::compose::{Placed, compose};
use super::{WorldMap, parse};
use crate::Level;
use crate::error::warning::LoadWarning;
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::limits::{Spent, check};
use crate::load::root::is_absolute;
use crate::options::LoadOptions;

/// How the files of a world are read.
pub(crate) struct Access<'a> {
    /// The names of the files in the folder of the world.
    pub(crate) names: &'a dyn Fn() -> Result<Vec<String>, LoadErrorKind>,
    /// The bytes of a file, if it lies where the world may reach.
    pub(crate) read: &'a dyn Fn(&Path) -> Result<Vec<u8>, LoadErrorKind>,
    /// Loads a map from its path and its bytes, with the reader for the files that it refers to, beside what
    /// the maps before it have used.
    #[expect(clippy::type_complexity, reason = "said once")]
    pub(crate) load: &'a dyn Fn(
        &Path,
        &[u8],
        &mut dyn FnMut(&Path) -> Result<Vec<u8>, LoadErrorKind>,
        &LoadOptions,
        &mut Spent,
    ) -> Result<Level, LoadError>,
}

/// Loads the world `bytes`, which lies at `path`, as one level. A map that cannot be loaded is left out if
/// the options are lenient, unless it is the last of those there are.
pub(crate) fn load(
    path: &Path,
    bytes: &[u8],
    access: &Access<'_>,
    options: &LoadOptions,
) -> Result<Level, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let limits = &options.limits;
    let maps = parse(bytes, limits, access.names).map_err(error)?;
    let mut maps_left = maps.len();
    let mut of_map = options.clone();
    // The whole must have something solid, not each map.
    of_map.allow_nothing_solid = true;
    let mut loader = Loader {
        path,
        access,
        options: &of_map,
        bytes: bytes.len() as u64,
        memory: 0,
        spent: Spent::default(),
    };
    let (mut placed, mut left_out) = (Vec::new(), Vec::new());
    for map in maps {
        maps_left -= 1;
        match loader.map(&map) {
            Ok(level) => placed.push(Placed {
                name: map.file,
                position: map.position,
                level,
            }),
            Err(error) => {
                let is_last = maps_left == 0 && placed.is_empty();
                if !options.lenient || is_last || loader.check().is_err() {
                    return Err(error);
                }
                left_out.push(LoadWarning {
                    file: Some(map.file),
                    ..LoadWarning::fault(error.place().clone(), error.kind(), 1)
                });
            }
        }
        loader.check().map_err(error)?;
    }
    let mut level = compose(placed, options).map_err(error)?;
    level.metadata.warnings.extend(left_out);
    Ok(level)
}

/// Loads maps, and counts what they take together.
struct Loader<'a> {
    /// The world's path.
    path: &'a Path,
    access: &'a Access<'a>,
    /// The options of each map.
    options: &'a LoadOptions,
    /// Bytes of files.
    bytes: u64,
    /// Bytes of levels.
    memory: u64,
    spent: Spent,
}

impl Loader<'_> {
    fn map(&mut self, map: &WorldMap) -> Result<Level, LoadError> {
        let file = self.path.parent().unwrap_or(Path::new("")).join(&map.file);
        let limit = self.options.limits.total_bytes;
        let mut read = |file: &Path| {
            let bytes = (self.access.read)(file)?;
            self.bytes += bytes.len() as u64;
            check("bytes in all files of the world", self.bytes, limit)?;
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
        let level = (self.access.load)(&file, &bytes, &mut read, self.options, &mut self.spent)?;
        self.memory += level.memory_bytes();
        Ok(level)
    }

    /// Holds what all maps take against the limits. Their levels may take as much memory as the cells of the
    /// largest map would if they were kept.
    fn check(&self) -> Result<(), LoadErrorKind> {
        let limits = &self.options.limits;
        let what = "bytes in all files of the world";
        check(what, self.bytes, limits.total_bytes)?;
        // Each map may name the same tilesets.
        let elements = 4 * u64::from(limits.xml_elements);
        let what = "elements in all files of the world";
        check(what, self.spent.elements, elements)?;
        let what = "bytes of memory of all maps of the world";
        check(
            what,
            self.memory,
            limits.map_cells.saturating_mul(4).max(1 << 20),
        )
    }
}
