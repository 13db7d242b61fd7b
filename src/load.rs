//! Makes a [`Level`] from a path or from bytes. An error names the file, the place and the cause. Only this
//! module opens files.
//!
//! *Load* means to read from the disk, and *decode* means to read from bytes. [`Files`], such as [`Disk`],
//! supplies the files that a level refers to. [`references()`] lists these files before the load.

#[cfg(feature = "baked")]
mod bake;
#[cfg(feature = "config")]
pub mod config;
pub(crate) mod disk;
pub(crate) mod loaded;
#[cfg(feature = "tmx")]
mod maps;
#[cfg(feature = "image")]
pub(crate) mod picture;
mod root;

#[cfg(feature = "mask")]
#[cfg(feature = "tmx")]
use glam::IVec2;
#[cfg(feature = "mask")]
use glam::UVec2;
use std::io::Read;
#[cfg(feature = "mask")]
use std::io::{BufReader, Cursor, Seek};
use std::path::Path;

#[cfg(feature = "tmx")]
pub use crate::convert::explain::{Survey, SurveyedLayer, SurveyedObject};
#[cfg(feature = "tmx")]
pub use crate::convert::{LayerSource, MapSource, SolidCount, WorldPart, WorldSource};
#[cfg(feature = "tmx")]
pub use crate::convert::{PlacedShape, ShapePurpose};
pub use crate::error::warning::{LoadWarning, WarningCause};
pub use crate::error::{LoadError, LoadErrorKind, Place, io_reason};
#[cfg(feature = "mask")]
use crate::grid::Grid;
use crate::level::Level;
#[cfg(feature = "tmx")]
pub use crate::level::Provenance;
pub use crate::limits::Limits;
use crate::mask;
#[cfg(feature = "mask")]
use crate::mask::PictureFile;
pub use crate::options::LoadOptions;
pub use crate::paths::plain;
#[cfg(feature = "tmx")]
pub use crate::raster::Outline;
#[cfg(feature = "mask")]
use crate::terrain::Terrain;
#[cfg(feature = "mask")]
use crate::text::listed;
#[cfg(feature = "tmx")]
use crate::tmx::Map;
#[cfg(feature = "ldtk")]
use crate::tmx::is_ldtk;
#[cfg(feature = "baked")]
use bake::decode_baked;
#[cfg(feature = "config")]
pub use config::Project;
pub use disk::{Disk, Files, Links, open_file, read_file};
#[cfg(feature = "baked")]
pub use loaded::BakedSource;
#[cfg(feature = "tmx")]
pub use loaded::Explainer;
pub use loaded::{LoadedLevel, Source};
#[cfg(feature = "ldtk")]
use maps::load_ldtk;
#[cfg(feature = "json")]
use maps::load_world;
#[cfg(feature = "tmx")]
pub use maps::{Reference, ReferenceKind, references};
#[cfg(feature = "tmx")]
use maps::{load_map, of_document, of_documents};
#[cfg(feature = "image")]
pub use picture::{PictureBudget, decode_picture, load_picture, picture_size};
pub use root::{CONFIG, TILED_PROJECT, config_of, configs_of, root_of};

impl Level {
    /// Loads a Tiled map (`.tmx`, `.tmj`), a world of maps (`.world`), an LDtk project (`.ldtk`), a mask
    /// (PNG, GIF, BMP, WebP, TGA) or a baked level (`.bwl`).
    ///
    /// The content of the file decides the format, with two exceptions: a TGA must be named `.tga`, and a
    /// world `.world`. Files that the level refers to must be in its root folder: see [`LoadOptions::root`].
    /// A baked level keeps the options with which it was baked. This function uses the default options; a
    /// `Project` uses the options in its `bitwall.toml`.
    ///
    /// A mask in PNG takes memory for one bit per pixel and for about one row of samples. Other formats are
    /// decoded as a whole; their limit is 2^25 pixels, or 2^24 for WebP, or 2^26 for a GIF whose first frame
    /// covers its canvas.
    ///
    /// # Errors
    /// [`LoadError`] names the file, the place, the cause, and one remedy. See [`Limits`] for the limits.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::load_with(path, &LoadOptions::default())
    }

    /// Loads a level as [`Level::load`], with the given options.
    pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(load_file(path.as_ref(), options)?.level)
    }

    /// Loads a level as [`Level::load_with`], but from the bytes of its file, for games that embed, pack or
    /// download their files. With the same files, the level is the same as from the disk.
    ///
    /// No file needs to exist at `path`. The paths of files that the level refers to are joined to the folder
    /// of `path`. `files` supplies these files: see [`Files`] for the possible types. A program that must
    /// fetch the files first can list them with [`references()`].
    ///
    /// ```
    /// use bitwall::{Level, LoadOptions};
    ///
    /// // A closure must state the type of its argument.
    /// let read = |path: &std::path::Path| match path.to_str() {
    ///     Some("maps/cave.tsx") => Ok(include_bytes!("../assets/cave.tsx").to_vec()),
    ///     _ => Err(std::io::ErrorKind::NotFound.into()),
    /// };
    /// let map = include_bytes!("../assets/cave.tmx");
    /// let level = Level::decode("maps/cave.tmx", map, read, &LoadOptions::default())?;
    /// assert_eq!(level.grid(), Level::load("assets/cave.tmx")?.grid());
    ///
    /// // A mask refers to no files.
    /// let mask = include_bytes!("../assets/harbor_mask.png");
    /// let level = Level::decode("harbor_mask.png", mask, (), &LoadOptions::default())?;
    /// assert_eq!(level.grid(), Level::load("assets/harbor_mask.png")?.grid());
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    pub fn decode(
        path: impl AsRef<Path>,
        bytes: &[u8],
        mut files: impl Files,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        Ok(decode_bytes(path.as_ref(), bytes, &mut files, options)?.level)
    }

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
    #[cfg(feature = "tmx")]
    pub fn from_map(map: impl Into<Map>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(of_document(map.into(), options)?.level)
    }
}

impl LoadedLevel {
    /// Loads a level as [`Level::load_with`], and also returns facts about its source, warnings, and the
    /// parsed maps.
    pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(load_file(path.as_ref(), options)?.with_options(options))
    }

    /// Decodes a level as [`Level::decode`], and also returns facts about its source, warnings, and the
    /// parsed maps.
    pub fn decode(
        path: impl AsRef<Path>,
        bytes: &[u8],
        mut files: impl Files,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        Ok(decode_bytes(path.as_ref(), bytes, &mut files, options)?.with_options(options))
    }

    /// Makes a level as [`Level::from_map`], and also returns facts about its source, warnings, and the map.
    #[cfg(feature = "tmx")]
    pub fn from_map(map: impl Into<Map>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(of_document(map.into(), options)?.with_options(options))
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
    #[cfg(feature = "tmx")]
    pub fn from_maps(
        maps: impl IntoIterator<Item = (Map, IVec2)>,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        Ok(of_documents(maps, options)?.with_options(options))
    }
}

/// The number of bytes at the start of a file that are examined to find its format.
const HEAD_BYTES: u64 = 4_096;

fn load_file(path: &Path, options: &LoadOptions) -> Result<LoadedLevel, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let io = |cause| error(LoadErrorKind::Io(cause));
    let limit = options.limits.file_bytes();
    let (mut file, length) = disk::open_file(path, Links::Followed, limit).map_err(error)?;
    let mut bytes = Vec::with_capacity(HEAD_BYTES as usize);
    let mut head = file.by_ref().take(length.min(HEAD_BYTES));
    head.read_to_end(&mut bytes).map_err(io)?;
    match sniff(&bytes, &extension(path)) {
        #[cfg(feature = "mask")]
        FileFormat::Mask(format) => {
            file.rewind().map_err(io)?;
            return decode_mask(path, &mut BufReader::new(file), format, options);
        }
        // The error needs only the first bytes.
        FileFormat::Other(_) => {}
        _ => disk::read_rest(file, length - bytes.len() as u64, &mut bytes).map_err(io)?,
    }
    decode_bytes(path, &bytes, &mut Disk::new(path, options), options)
}

#[cfg_attr(not(feature = "tmx"), allow(unused_variables))]
fn decode_bytes(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    options.limits.check_file(bytes.len() as u64).map_err(error)?;
    let head = bytes.get(..HEAD_BYTES as usize).unwrap_or(bytes);
    let extension = extension(path);
    Err(error(match sniff(head, &extension) {
        #[cfg(feature = "mask")]
        FileFormat::Mask(format) => {
            return decode_mask(path, &mut Cursor::new(bytes), format, options);
        }
        #[cfg(not(feature = "mask"))]
        FileFormat::Mask(_) => LoadErrorKind::MissingFeature { found: "a mask", feature: "mask" },
        #[cfg(feature = "ldtk")]
        FileFormat::Text if is_ldtk(path, head) => return load_ldtk(path, bytes, files, options),
        #[cfg(all(feature = "tmx", not(feature = "ldtk")))]
        FileFormat::Text if extension == "ldtk" => {
            LoadErrorKind::MissingFeature { found: "a project of LDtk", feature: "ldtk" }
        }
        #[cfg(feature = "json")]
        FileFormat::Text if extension == "world" => {
            return load_world(path, bytes, files, options);
        }
        #[cfg(all(feature = "tmx", not(feature = "json")))]
        FileFormat::Text if extension == "world" => {
            LoadErrorKind::MissingFeature { found: "a world of maps", feature: "json" }
        }
        #[cfg(feature = "tmx")]
        FileFormat::Text => return load_map(path, bytes, files, options),
        #[cfg(not(feature = "tmx"))]
        FileFormat::Text => LoadErrorKind::MissingFeature { found: "a Tiled map", feature: "tmx" },
        #[cfg(feature = "baked")]
        FileFormat::Baked => return decode_baked(path, bytes),
        #[cfg(not(feature = "baked"))]
        FileFormat::Baked => {
            LoadErrorKind::MissingFeature { found: "a baked level", feature: "baked" }
        }
        FileFormat::Other(found) if extension.is_empty() => {
            LoadErrorKind::UnknownFormat { found: found.to_owned() }
        }
        FileFormat::Other(found) => {
            LoadErrorKind::UnknownFormat { found: format!("{found} named .{extension}") }
        }
    }))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FileFormat {
    Mask(mask::MaskFormat),
    Text,
    Baked,
    Other(&'static str),
}

/// Returns the format of a file, from its first bytes `head`. TGA has no signature, so a TGA is known by its
/// `extension`.
fn sniff(head: &[u8], extension: &str) -> FileFormat {
    const SIGNATURES: [(&[u8], &str); 4] = [
        (b"\xff\xd8\xff", "a JPEG picture (lossy)"),
        (b"RIFF", "a sound or a film"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1f\x8b", "a gzip archive"),
    ];
    if let Some(format) = mask::MaskFormat::detect(head) {
        return FileFormat::Mask(format);
    }
    // The rest of the signature is checked when the level is decoded, which gives a better error.
    if head.starts_with(b"\x89BWL") {
        return FileFormat::Baked;
    }
    if let Some((_, name)) = SIGNATURES.iter().find(|(start, _)| head.starts_with(start)) {
        return FileFormat::Other(name);
    }
    if extension == "tga" && mask::MaskFormat::may_be_tga(head) {
        return FileFormat::Mask(mask::MaskFormat::Tga);
    }
    let marks: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];
    let text = marks.iter().find_map(|mark| head.strip_prefix(*mark)).unwrap_or(head);
    let is_utf16 = head.starts_with(marks[1]) || head.starts_with(marks[2]);
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || is_utf16 && *byte == 0;
    match text.iter().find(|byte| !is_blank(byte)) {
        Some(b'<' | b'{') => FileFormat::Text,
        Some(_) => FileFormat::Other("a file of another kind"),
        None if text.is_empty() => FileFormat::Other("an empty file"),
        None => FileFormat::Other("a file of white space"),
    }
}

fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_ascii_lowercase()
}

#[cfg(feature = "mask")]
fn decode_mask(
    path: &Path,
    reader: &mut dyn PictureFile,
    format: mask::MaskFormat,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let mut mask = mask::decode(reader, format, options).map_err(|fault| fault.in_file(path))?;
    mask.source.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let terrain = |grid: Grid| {
        let cells = grid.cell_count();
        Terrain::new(grid, UVec2::ONE).map_err(|_| error(LoadErrorKind::NoMemory { cells }))
    };
    let mut level = Level::new(terrain(mask.solid)?).with_outside(options.outside);
    let mut warnings = Vec::new();
    for (name, area) in mask.areas {
        if area.solid_count() == 0 {
            let planes = options.planes.iter().filter(|plane| plane.name == name);
            let planes: Vec<String> = planes.map(ToString::to_string).collect();
            let reason = format!("no pixel is of the plane {}", listed(planes.iter()));
            let help = "give the plane exactly the colour of its pixels in the mask";
            warnings.push(LoadWarning::empty_area(&name, reason, help));
        }
        let category = options.areas.iter().rfind(|rule| rule.name == name);
        let category = category.map_or(0, |rule| rule.category);
        level = level.with_solid_area(name, terrain(area)?, category);
    }
    Ok(LoadedLevel::new(level, Source::Mask(mask.source), warnings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bytes_of_a_file_decide_its_format() {
        let mask = FileFormat::Mask;
        assert_eq!(sniff(b"\x89PNG\r\n\x1a\n", ""), mask(mask::MaskFormat::Png));
        assert_eq!(sniff(b"BM1234", "tga"), mask(mask::MaskFormat::Bmp));
        assert_eq!(sniff(b"GIF89a", "png"), mask(mask::MaskFormat::Gif));
        assert_eq!(sniff(b"RIFF\x04\0\0\0WEBP", ""), mask(mask::MaskFormat::WebP));
        assert_eq!(sniff(b"\x89BWL\r\n\x1a\n", "png"), FileFormat::Baked);
        let tga = b"\0\0\x03\0\0\0\0\0\0\0\0\0\x05\0\x05\0\x08\0";
        assert_eq!(sniff(tga, "tga"), mask(mask::MaskFormat::Tga));
        assert_eq!(sniff(b"\xef\xbb\xbf\n <?xml", "tga"), FileFormat::Text);
        assert_eq!(sniff(b"  {\"height\":3", ""), FileFormat::Text);
        assert_eq!(sniff(b"\xff\xfe<\0?\0", "tmx"), FileFormat::Text);
        assert_eq!(sniff(b"\xfe\xff\0\n\0<", "tmx"), FileFormat::Text);
        for other in [&b""[..], b"   ", b"RIFF\x04\0\0\0WAVE", b"hello", b"\0\0\0", tga] {
            assert!(matches!(sniff(other, "png"), FileFormat::Other(_)), "{other:?}");
        }
    }
}
