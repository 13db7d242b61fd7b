//! Makes a level from the bytes of a map or world, and lists the files that a document refers to.

#[cfg(feature = "json")]
use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use glam::{IVec2, UVec2};

use super::disk::Files;
use super::loaded::{LoadedLevel, Source};
#[cfg(feature = "image")]
use super::picture::picture_size;
#[cfg(feature = "json")]
use super::{FileFormat, extension, sniff};
use crate::convert::{BuildError, Built, BuiltSource, InputMap, build};
#[cfg(feature = "json")]
use crate::error::LoadWarning;
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::limits::Spent;
#[cfg(feature = "json")]
use crate::limits::check;
use crate::options::LoadOptions;
#[cfg(feature = "json")]
use crate::paths::{folder_of, is_absolute};
#[cfg(feature = "ldtk")]
use crate::tmx::{LdtkFile, LdtkProject};
#[cfg(feature = "json")]
use crate::tmx::{MAX_ELEMENTS, Read, WorldFile, WorldMap};
use crate::tmx::{Map, Named, ReadOptions, Tilesets, files_named};

pub(super) fn load_map(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let mut spent = Spent::default();
    let mut read = |path: &Path| files.read(path);
    let tilesets = &mut Tilesets::default();
    let map =
        Map::decode_counted(path, bytes, &mut read, read_options(options), &mut spent, tilesets)?;
    let map = InputMap { map, file: None, position: IVec2::ZERO };
    finish(path, path, vec![map], options, &mut spent, files)
}

/// Loads a world as one level. `bytes` is the content of the world's file at `path`. A lenient load leaves
/// out maps that cannot be read, unless no map would be left.
#[cfg(feature = "json")]
pub(super) fn load_world(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let world = WorldFile::decode(bytes).map_err(error)?;
    let maps = world.maps_among(|| files.names(folder_of(path))).map_err(error)?;
    let maps = maps
        .into_iter()
        .map(|WorldMap { file, position, .. }| (Some(file.clone()), position, file));
    let world = WorldLoad { path, within: folder_of(path), bytes: bytes.len() as u64, options };
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
    let (levels, left_out) = project
        .chosen(&options.levels)
        .map_err(|kind| LoadError::new(path, Place::default(), kind))?;
    // A single level becomes a map, not a world.
    let is_world = levels.len() > 1;
    let parts = levels.into_iter().map(|level| match is_world {
        true => (Some(level.name.clone()), level.position, level),
        false => (None, IVec2::ZERO, level),
    });
    let world = WorldLoad { path, within: path, bytes: bytes.len() as u64, options };
    let mut loaded =
        world.load(parts.collect(), &mut spent, files, &mut |level, read, spent| {
            project.map(level, read, read_options(options), spent)
        })?;
    if !left_out.is_empty() {
        loaded.warnings.push(LoadWarning::other_levels(&left_out));
    }
    Ok(loaded)
}

/// The options and paths for loading several maps, such as those of a world, as one level.
#[cfg(feature = "json")]
struct WorldLoad<'w> {
    path: &'w Path,
    /// The path to which the name of a map is joined to get the path in errors.
    within: &'w Path,
    /// The number of bytes of the world's file.
    bytes: u64,
    options: &'w LoadOptions,
}

/// A function that decodes one map of a world. Its arguments are an item that identifies the map, a function
/// that reads files, and the amounts used of the world's limits.
#[cfg(feature = "json")]
type Decode<'d, T> = dyn FnMut(T, &mut Read<'_>, &mut Spent) -> Result<Map, LoadError> + 'd;

#[cfg(feature = "json")]
impl WorldLoad<'_> {
    /// Loads several maps as one level. Each entry of `maps` has the map's name if it is part of a world, its
    /// position in pixels, and the item from which `decode` makes the map.
    fn load<T>(
        &self,
        maps: Vec<(Option<String>, IVec2, T)>,
        spent: &mut Spent,
        files: &mut dyn Files,
        decode: &mut Decode<'_, T>,
    ) -> Result<LoadedLevel, LoadError> {
        let (options, error) =
            (self.options, |kind| LoadError::new(self.path, Place::default(), kind));
        let total = Cell::new(self.bytes);
        let check_bytes = || {
            let what = "bytes in all files of the world (the limit `bytes`)";
            check(what, total.get(), options.limits.bytes)
        };
        let mut read = |file: &Path| {
            let bytes = files.read(file)?;
            total.set(total.get() + bytes.len() as u64);
            check_bytes()?;
            Ok(bytes)
        };
        let (mut parts, mut left_out) = (Vec::new(), Vec::new());
        let mut maps_left = maps.len();
        for (name, position, item) in maps {
            maps_left -= 1;
            let map = decode(item, &mut read, spent);
            // The limit is larger than for one map, because the elements of a shared template count once for
            // each map.
            let elements =
                check("elements in all files of the world", spent.elements, 4 * MAX_ELEMENTS);
            let checked = check_bytes().and(elements);
            match map {
                Ok(map) => {
                    checked.map_err(error)?;
                    parts.push(InputMap { map, file: name, position });
                }
                Err(error) => {
                    let is_last = maps_left == 0 && parts.is_empty();
                    if !options.lenient || is_last || checked.is_err() {
                        return Err(error);
                    }
                    let warning = LoadWarning::fault(error.place().clone(), error.kind(), 1);
                    left_out.push(LoadWarning { file: name, ..warning });
                }
            }
        }
        let mut loaded = finish(self.path, self.within, parts, options, spent, files)?;
        loaded.warnings.extend(left_out);
        Ok(loaded)
    }
}

#[cfg(feature = "json")]
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
        let (written, looked_in, source) = (file.to_owned(), looked_in.clone(), Box::new(source));
        let kind = LoadErrorKind::Reference { what: "map", written, looked_in, source };
        LoadError::new(path, Place::default(), kind)
    })?;
    let found = match sniff(&bytes, &extension(&looked_in)) {
        FileFormat::Text if extension(&looked_in) != "world" => {
            let options = read_options(options);
            return Map::decode_counted(&looked_in, &bytes, read, options, spent, tilesets);
        }
        FileFormat::Other(found) => found,
        FileFormat::Mask(_) => "a picture in a world",
        FileFormat::Baked => "a baked level in a world",
        FileFormat::Text => "a world in a world",
    };
    let kind = LoadErrorKind::UnknownFormat { found: found.to_owned() };
    Err(LoadError::new(&looked_in, Place::default(), kind))
}

pub(super) fn of_document(map: Map, options: &LoadOptions) -> Result<LoadedLevel, LoadError> {
    let map = InputMap { map, file: None, position: IVec2::ZERO };
    let mut spent = Spent::default();
    let path = Path::new("map");
    finish(path, path, vec![map], options, &mut spent, &mut ())
}

/// Makes one level from parsed maps. Each map comes with the position of its pixel (0, 0) in the world.
pub(super) fn of_documents(
    maps: impl IntoIterator<Item = (Map, IVec2)>,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let maps = maps.into_iter().enumerate().map(|(index, (map, position))| {
        let file = Some(index.to_string());
        InputMap { map, file, position }
    });
    let (path, mut spent) = (Path::new("map"), Spent::default());
    let maps: Vec<InputMap> = maps.collect();
    if maps.is_empty() {
        let kind = LoadErrorKind::EmptyWorld { patterns: 0 };
        return Err(LoadError::new(path, Place::default(), kind));
    }
    finish(path, path, maps, options, &mut spent, &mut ())
}

fn read_options(options: &LoadOptions) -> ReadOptions<'_> {
    ReadOptions { limits: &options.limits, lenient: options.lenient }
}

/// Builds the level from the decoded maps. The path of a map in errors is `within` joined with its name.
pub(super) fn finish(
    path: &Path,
    within: &Path,
    maps: Vec<InputMap>,
    options: &LoadOptions,
    spent: &mut Spent,
    files: &mut dyn Files,
) -> Result<LoadedLevel, LoadError> {
    // Several tilesets may refer to the same picture.
    let mut known = HashMap::<PathBuf, Option<UVec2>>::new();
    let mut size = |picture: &Path| {
        let known = known.entry(picture.to_owned());
        *known.or_insert_with(|| size_of(files, picture).ok())
    };
    let built = build(maps, options, spent, &mut size).map_err(|error| {
        let BuildError { file, place, kind } = *error;
        let file = file.map(|file| within.join(file));
        LoadError::new(file.as_deref().unwrap_or(path), place, kind)
    })?;
    let source = match built.source {
        BuiltSource::Map(map) => Source::Map(map),
        BuiltSource::World(world) => Source::World(world),
    };
    let Built { level, maps, tile_counts, warnings, .. } = built;
    Ok(LoadedLevel { maps, tile_counts, ..LoadedLevel::new(level, source, warnings) })
}

/// The number of bytes read from the start of a picture file. In nearly every format, they include the
/// picture's size.
const HEADER_BYTES: usize = 4_096;

/// Returns a picture's width and height in pixels. Reads the whole file only if the first [`HEADER_BYTES`]
/// bytes are not enough.
pub(super) fn size_of(files: &mut dyn Files, path: &Path) -> Result<UVec2, LoadErrorKind> {
    let start = files.read_start(path, HEADER_BYTES)?;
    // `read_start` may return more bytes, but the result must not depend on them.
    let header = start.get(..HEADER_BYTES).unwrap_or(&start);
    picture_size(path, header).or_else(|_| picture_size(path, &files.read(path)?))
}

/// Returns the width and height in the header of a PNG. Fails for other formats, which need crate `image`.
#[cfg(not(feature = "image"))]
fn picture_size(_: &Path, bytes: &[u8]) -> Result<UVec2, LoadErrorKind> {
    let number = |at: usize| Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
    match (bytes.starts_with(b"\x89PNG\r\n\x1a\n"), number(16), number(20)) {
        (true, Some(width @ 1..), Some(height @ 1..)) => Ok(UVec2::new(width, height)),
        _ => {
            let found = "a picture that is no PNG";
            Err(LoadErrorKind::MissingFeature { found, feature: "image" })
        }
    }
}

/// A file that another file refers to.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reference {
    /// The path to pass to [`Files`]: the written path, joined to the folder of the file that contains it.
    pub path: PathBuf,
    /// The kind of the file.
    pub kind: ReferenceKind,
}

/// The kind of a file that another file refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ReferenceKind {
    /// A map of a world, which may refer to more files, or a level of an LDtk project.
    Map,
    /// A tileset. It may refer to a picture, and to templates for the collision shapes of its tiles.
    Tileset,
    /// An object template. It may refer to a tileset.
    Template,
    /// A picture that must be measured for a load. Its tileset states a tile count that does not fit the
    /// stated size of the picture, so the picture's real size decides the count.
    Picture,
    /// A picture that is only needed to draw the level. A load does not read it, except as described in
    /// [`references()`].
    Art,
    /// The folder of a world that finds its maps by patterns. [`Files::names`] gives the names in the folder,
    /// and `tmx::WorldFile::maps_among` selects the maps.
    Folder,
}

/// Returns the files that a map, tileset, template, world or LDtk project refers to, in the order of the text
/// and without repeats. `bytes` is the content of the file at `path`. No file is opened. Call this function
/// again for each fetched map, tileset and template. Together, the calls list all files that
/// [`Level::decode`](crate::Level::decode) reads from [`Files`], and the pictures for drawing
/// ([`ReferenceKind::Art`]). A load reads such a picture only if a map uses a tile beyond the tiles of its
/// tileset, because the picture may have grown. If the picture is missing, the load fails because the tile is
/// unknown. For a broken file, the list ends at the fault. Absolute paths are left out, because they are
/// errors in a load. O(bytes).
///
/// ```
/// use std::path::Path;
///
/// use bitwall::load::{ReferenceKind, references};
///
/// let found = references("maps/cave.tmx", include_bytes!("../../assets/cave.tmx"));
/// assert_eq!(found.len(), 1);
/// assert_eq!((&*found[0].path, found[0].kind), (Path::new("maps/cave.tsx"), ReferenceKind::Tileset));
/// let found = references("maps/cave.tsx", include_bytes!("../../assets/cave.tsx"));
/// assert_eq!((&*found[0].path, found[0].kind), (Path::new("maps/cave_tiles.png"), ReferenceKind::Art));
/// ```
pub fn references(path: impl AsRef<Path>, bytes: &[u8]) -> Vec<Reference> {
    let path = path.as_ref();
    let (mut references, mut known) = (Vec::new(), HashSet::new());
    let mut add = |path, kind| {
        let reference = Reference { path, kind };
        if known.insert(reference.clone()) {
            references.push(reference);
        }
    };
    #[cfg(feature = "json")]
    if extension(path) == "world" {
        let world = WorldFile::decode(bytes).unwrap_or_default();
        if !world.patterns.is_empty() {
            add(folder_of(path).to_owned(), ReferenceKind::Folder);
        }
        for map in world.maps.iter().filter(|map| !is_absolute(&map.file)) {
            add(folder_of(path).join(&map.file), ReferenceKind::Map);
        }
        return references;
    }
    for (path, kind) in files_named(path, bytes) {
        match kind {
            Named::Tileset => add(path, ReferenceKind::Tileset),
            Named::Template => add(path, ReferenceKind::Template),
            Named::Level => add(path, ReferenceKind::Map),
            Named::MeasuredPicture => add(path, ReferenceKind::Picture),
            Named::Picture => add(path, ReferenceKind::Art),
        }
    }
    references
}
