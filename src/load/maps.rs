//! Makes a level from the bytes or the document of a map, and lists the files that a document refers to.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use glam::{IVec2, UVec2};

use super::disk::Files;
use super::loaded::{LoadedLevel, Source};
#[cfg(feature = "image")]
use super::picture::picture_size;
use super::{extension, missing};
use crate::convert::{Built, InputMap, build};
use crate::error::{LoadError, LoadErrorKind};
use crate::level::Level;
use crate::limits::Spent;
use crate::options::LoadOptions;
use crate::tmx::{Map, Named, ReadOptions, Tilesets, files_named};

impl Level {
    /// Makes a level from the document of a map, without opening a file. The document may be decoded from a
    /// file, made in code, or read by crate `tiled` (`&tiled::Map`, feature `tiled`).
    ///
    /// ```
    /// use bitwall::{Level, LoadOptions};
    ///
    /// # #[cfg(feature = "tiled")] {
    /// let map = tiled::Loader::new().load_tmx_map("assets/cave.tmx")?;
    /// let level = Level::from_map(&map, &LoadOptions::default())?;
    /// assert_eq!(level.grid(), Level::load("assets/cave.tmx")?.grid());
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The same errors as [`Level::load`]. The path in the error is `map`.
    pub fn from_map(map: impl Into<Map>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(from_document(map.into(), options)?.level)
    }
}

impl LoadedLevel {
    /// Makes a level as [`Level::from_map`], and also returns facts about its source, warnings, and the map.
    pub fn from_map(map: impl Into<Map>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(from_document(map.into(), options)?.with_options(options))
    }

    /// Makes one level from several documents, without opening a file: for example, for a game's own map
    /// format. Each document comes with the position of its pixel (0, 0) in their world, in pixels. The maps
    /// are combined as in a Tiled world: where maps overlap, a cell is solid if it is solid in any of them.
    /// Cells outside all maps are passable. [`Level::origin`] is the position of the level's pixel (0, 0) in
    /// the world. Errors name a map by its index in the list: `map/1`.
    ///
    /// ```
    /// use bitwall::glam::{IVec2, UVec2};
    /// use bitwall::tmx::{CellBlock, Layer, LayerContent, Map, Tile, TileLayer, Tileset};
    /// use bitwall::{LoadOptions, LoadedLevel};
    ///
    /// let room = |cells: [u32; 4]| {
    ///     let wall = Tile { class: "wall".to_owned(), ..Tile::default() };
    ///     let tileset = Tileset { first_gid: 1, tiles: [(0, wall.into())].into(), ..Tileset::default() };
    ///     let size = UVec2::splat(2);
    ///     let block = CellBlock { origin: IVec2::ZERO, size, cells: cells.to_vec() };
    ///     let layer = LayerContent::Tiles(TileLayer { blocks: vec![block] });
    ///     Map {
    ///         size,
    ///         tile_size: UVec2::splat(8),
    ///         tilesets: vec![tileset],
    ///         layers: vec![Layer::new("room", layer)],
    ///         ..Map::default()
    ///     }
    /// };
    /// let rooms = [(room([1, 0, 0, 1]), IVec2::ZERO), (room([0, 1, 1, 1]), IVec2::new(16, 0))];
    /// let loaded = LoadedLevel::from_maps(rooms, &LoadOptions::default())?;
    /// assert_eq!(loaded.level.grid().to_string(), "#..#\n.###");
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// The same errors as [`Level::load`] for a world. Also fails if the list is empty.
    pub fn from_maps(
        maps: impl IntoIterator<Item = (Map, IVec2)>,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        let path = Path::new("map");
        let maps = maps.into_iter().enumerate().map(|(index, (map, position))| {
            let file = index.to_string();
            InputMap { map, path: path.join(&file), file: Some(file), position }
        });
        let maps: Vec<_> = maps.map(Ok).collect();
        if maps.is_empty() {
            return Err(LoadErrorKind::EmptyWorld { patterns: 0 }.in_file(path));
        }
        let loaded = finish(path, maps, options, &mut Spent::default(), &mut ())?;
        Ok(loaded.with_options(options))
    }
}

fn from_document(map: Map, options: &LoadOptions) -> Result<LoadedLevel, LoadError> {
    let path = Path::new("map");
    let map = InputMap { map, path: path.to_owned(), file: None, position: IVec2::ZERO };
    finish(path, vec![Ok(map)], options, &mut Spent::default(), &mut ())
}

/// Makes a level from the bytes of a map, a world of maps or an LDtk project.
pub(super) fn decode(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    #[cfg(feature = "ldtk")]
    if crate::tmx::is_ldtk(path, bytes) {
        return super::worlds::load_ldtk(path, bytes, files, options);
    }
    #[cfg(feature = "json")]
    if extension(path) == "world" {
        return super::worlds::load_world(path, bytes, files, options);
    }
    match extension(path).as_str() {
        "world" if cfg!(not(feature = "json")) => {
            Err(missing("a world of maps", "json").in_file(path))
        }
        "ldtk" if cfg!(not(feature = "ldtk")) => {
            Err(missing("a project of LDtk", "ldtk").in_file(path))
        }
        _ => load_map(path, bytes, files, options),
    }
}

fn load_map(
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
    let mut size = |picture: &Path| {
        let known = known.entry(picture.to_owned());
        *known.or_insert_with(|| size_of(files, picture).ok())
    };
    let Built { level, maps, solids, warnings } = build(path, maps, options, spent, &mut size)?;
    let is_world = maps.iter().any(|map| map.file.is_some());
    let source = if is_world { Source::World } else { Source::Map };
    let mut loaded = LoadedLevel::new(level, source, warnings);
    loaded.maps = maps;
    loaded.solids = solids;
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
    #[cfg(feature = "json")]
    if extension(path) == "world" {
        return unique(super::worlds::references(path, bytes));
    }
    unique(files_named(path, bytes).into_iter().map(of_named).collect())
}

fn unique(mut references: Vec<Reference>) -> Vec<Reference> {
    let mut known = HashSet::new();
    references.retain(|reference| known.insert(reference.clone()));
    references
}

fn of_named((path, kind): (PathBuf, Named)) -> Reference {
    let kind = match kind {
        Named::Tileset => ReferenceKind::Tileset,
        Named::Template => ReferenceKind::Template,
        Named::Level => ReferenceKind::Map,
        Named::MeasuredPicture => ReferenceKind::Picture,
        Named::Picture => ReferenceKind::Art,
    };
    Reference { path, kind }
}
