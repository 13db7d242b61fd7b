//! Makes a level from the bytes or the document of a map.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use glam::{IVec2, UVec2};

use super::disk::Files;
#[cfg(not(feature = "image"))]
use super::format::missing;
use super::loaded::{LoadedLevel, Source};
#[cfg(feature = "image")]
use super::picture::picture_size;
use super::types::LevelTypes;
use crate::convert::{Built, InputMap, build};
use crate::error::{LoadError, LoadErrorKind};
use crate::limits::{Spent, check};
use crate::options::LoadOptions;
use crate::tmx::{MAX_ELEMENTS, Map, Read, ReadOptions, Tilesets};

pub(super) fn from_document(map: Map, options: &LoadOptions) -> Result<LoadedLevel, LoadError> {
    let path = Path::new("map");
    let map = InputMap { map, path: path.to_owned(), file: None, position: IVec2::ZERO };
    finish(path, vec![Ok(map)], options, &mut Spent::default(), &mut ())
}

pub(super) fn load_map(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let mut load = LevelLoad::new(path, files, options, Spent::default());
    load.add(path.to_owned(), None, IVec2::ZERO, &mut |read, spent| {
        let tilesets = &mut Tilesets::default();
        Map::decode_counted(path, bytes, read, read_options(options), spent, tilesets)
    })?;
    load.finish()
}

pub(super) fn read_options(options: &LoadOptions) -> ReadOptions<'_> {
    ReadOptions { limits: &options.limits, lenient: options.lenient }
}

/// A decoded map of a level, or the name and the error of a map that cannot be read.
type InputResult = Result<InputMap, (Option<String>, LoadError)>;

/// The load of one or several maps, such as those of a world, as one level.
pub(super) struct LevelLoad<'w> {
    path: &'w Path,
    options: &'w LoadOptions,
    files: &'w mut dyn Files,
    spent: Spent,
    types: LevelTypes,
    maps: Vec<InputResult>,
}

/// A function that decodes one map of a level. Its arguments are a function that reads files, and the amounts
/// used of the level's limits.
type Decode<'d> = dyn FnMut(&mut Read<'_>, &mut Spent) -> Result<Map, LoadError> + 'd;

impl<'w> LevelLoad<'w> {
    /// Starts the load of the file at `path`, which took `spent`.
    pub(super) fn new(
        path: &'w Path,
        files: &'w mut dyn Files,
        options: &'w LoadOptions,
        spent: Spent,
    ) -> Self {
        Self { path, options, files, spent, types: LevelTypes::default(), maps: Vec::new() }
    }

    /// Loads a map. `path` is its path in errors, and `file` its name in the world; `None` for a map outside
    /// a world.
    pub(super) fn add(
        &mut self,
        path: PathBuf,
        file: Option<String>,
        position: IVec2,
        decode: &mut Decode<'_>,
    ) -> Result<(), LoadError> {
        let mut decoded = decode(&mut |file| self.files.read(file), &mut self.spent);
        if let Ok(map) = &mut decoded {
            self.types.complete(self.path, map, self.files, self.options, &mut self.spent)?;
        }
        // The limit is larger than for one map, because the elements of a shared template count once for each
        // map.
        let what = "elements in all files of the world";
        let elements = check(what, self.spent.elements, 4 * MAX_ELEMENTS);
        let checked = self.spent.check_bytes(&self.options.limits).and(elements);
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

    pub(super) fn finish(mut self) -> Result<LoadedLevel, LoadError> {
        finish(self.path, self.maps, self.options, &mut self.spent, self.files)
    }
}

/// Builds the level from the decoded maps.
pub(super) fn finish(
    path: &Path,
    maps: Vec<InputResult>,
    options: &LoadOptions,
    spent: &mut Spent,
    files: &mut dyn Files,
) -> Result<LoadedLevel, LoadError> {
    // Several tilesets may refer to the same picture.
    let mut known = HashMap::<PathBuf, Option<UVec2>>::new();
    let built = build(path, maps, options, spent, &mut |picture| {
        let known = known.entry(picture.to_owned());
        *known.or_insert_with(|| size_of(files, picture).ok())
    });
    let Built { level, maps, solids, warnings, rules } = built?;
    let is_world = maps.iter().any(|map| map.file.is_some());
    let source = if is_world { Source::World } else { Source::Map };
    let mut loaded = LoadedLevel::new(level, source, warnings);
    loaded.maps = maps;
    loaded.solids = solids;
    // The explanations of the level need the rules of a last resort.
    if let Some(solid_rules) = rules {
        loaded = loaded.with_options(&LoadOptions { solid_rules, ..options.clone() });
    }
    Ok(loaded)
}

/// The number of bytes read from the start of a picture file. In nearly every format, they include the
/// picture's size.
const HEADER_BYTES: usize = 4_096;

/// Returns a picture's width and height in pixels. Reads the whole file only if the first [`HEADER_BYTES`]
/// bytes are not enough.
fn size_of(files: &mut dyn Files, path: &Path) -> Result<UVec2, LoadErrorKind> {
    let start = files.read_start(path, HEADER_BYTES)?;
    // `read_start` may return more bytes, but the result must not depend on them.
    let header = start.get(..HEADER_BYTES).unwrap_or(&start);
    picture_size(path, header).or_else(|_| picture_size(path, &files.read(path)?))
}

/// Returns the width and height in the header of a PNG. Fails for other formats, which need crate `image`.
#[cfg(not(feature = "image"))]
fn picture_size(_: &Path, bytes: &[u8]) -> Result<UVec2, LoadErrorKind> {
    let [width, height] =
        [16, 20].map(|at| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?)));
    match (width, height) {
        (Some(width @ 1..), Some(height @ 1..)) if bytes.starts_with(b"\x89PNG\r\n\x1a\n") => {
            Ok(UVec2::new(width, height))
        }
        _ => Err(missing("a picture that is no PNG", "image")),
    }
}
