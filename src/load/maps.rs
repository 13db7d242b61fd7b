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
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::tmx::{Map, ReadOptions, Tilesets};

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
    let mut spent = Spent::default();
    let mut map = Map::decode_counted(
        path,
        bytes,
        &mut |path| files.read(path),
        read_options(options),
        &mut spent,
        &mut Tilesets::default(),
    )?;
    LevelTypes::default().complete(path, &mut map, files, options, &mut spent)?;
    let map = InputMap { map, path: path.to_owned(), file: None, position: IVec2::ZERO };
    finish(path, vec![Ok(map)], options, &mut spent, files)
}

pub(super) fn read_options(options: &LoadOptions) -> ReadOptions<'_> {
    ReadOptions { limits: &options.limits, lenient: options.lenient }
}

/// A decoded map of a level, or the name and the error of a map that cannot be read.
pub(super) type InputResult = Result<InputMap, (Option<String>, LoadError)>;

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
