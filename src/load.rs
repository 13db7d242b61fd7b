//! Makes a [`Level`] from a path or from bytes. An error names the file, the place and the cause. Only this
//! module opens files.
//!
//! *Load* means to read from the disk, and *decode* means to read from bytes. [`Files`], such as [`Disk`],
//! supplies the files that a level refers to. [`references()`] lists these files before the load.

#[cfg(feature = "config")]
pub mod config;
mod disk;
mod format;
mod loaded;
#[cfg(feature = "tmx")]
mod maps;
#[cfg(feature = "mask")]
mod masks;
#[cfg(feature = "image")]
mod picture;
#[cfg(feature = "tmx")]
mod references;
mod root;
#[cfg(feature = "tmx")]
mod types;
#[cfg(feature = "json")]
mod worlds;

use std::path::Path;

use glam::UVec2;

#[cfg(feature = "baked")]
use crate::baked::BakedLevel;
use crate::error::{LoadError, LoadErrorKind};
use crate::grid::Grid;
use crate::level::Level;
use crate::limits;
use crate::options::LoadOptions;
#[cfg(feature = "config")]
pub use config::Project;
pub use disk::{Disk, Files, Links, open_file, read_file};
use format::{FileFormat, extension, missing, other_editor, sniff};
pub use loaded::{LoadedLevel, Source};
#[cfg(feature = "image")]
pub use picture::{PictureBudget, decode_picture, load_picture, picture_size};
#[cfg(feature = "tmx")]
pub use references::{Reference, ReferenceKind, references};
pub use root::{CONFIG, TILED_PROJECT, config_of, configs_of, is_type_file, root_of};

impl Level {
    /// Loads a Tiled map (`.tmx`, `.tmj`), a world of maps (`.world`), an LDtk project (`.ldtk`), a mask
    /// (PNG), a baked level (`.bwl`), or rows of `#` and `.` as [`Grid`] displays them, of one pixel for each
    /// character.
    ///
    /// The content of the file decides the format, with one exception: a world must be named
    /// `.world`. Files that the level refers to must be in its root folder: see [`LoadOptions::root`].
    /// A baked level keeps the options with which it was baked. This function uses the default options; a
    /// `Project` uses the options in its `bitwall.toml`.
    ///
    /// A mask takes memory for one bit per pixel, for the bytes of its file and for about one row of samples.
    /// An interlaced PNG is decoded as a whole; its limit is 192 MiB of samples.
    ///
    /// # Errors
    /// [`LoadError`] names the file, the place, the cause, and one remedy. See [`Limits`](crate::Limits)
    /// for the limits.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Self::load_with(path, &loaded::DEFAULT)
    }

    /// Loads a level as [`Level::load`], with the given options.
    pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(load_file(path.as_ref(), options)?.level)
    }

    /// Loads a level as [`Level::load_with`], but from the bytes of its file, for games that embed, pack or
    /// download their files.
    ///
    /// With the same files, the level is the same as from the disk.
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

    /// Makes a level from the document of a map, without opening a file.
    ///
    /// The document may be decoded from a file, made in code, or read by crate `tiled` (`&tiled::Map`,
    /// feature `tiled`).
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
    pub fn from_map(
        map: impl Into<crate::tmx::Map>,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        Ok(maps::from_document(map.into(), options)?.level)
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
}

/// True if maps can be read, but no projects of LDtk.
const CANNOT_READ_LDTK: bool = cfg!(all(feature = "tmx", not(feature = "ldtk")));
/// True if maps can be read, but no worlds of maps.
const CANNOT_READ_WORLDS: bool = cfg!(all(feature = "tmx", not(feature = "json")));

/// The number of bytes at the start of a file that are examined to find its format.
const HEAD_BYTES: usize = 4_096;

fn load_file(path: &Path, options: &LoadOptions) -> Result<LoadedLevel, LoadError> {
    let bytes = read_file(path, Links::Followed, options.limits.file_bytes());
    let bytes = bytes.map_err(|kind| kind.in_file(path))?;
    decode_bytes(path, &bytes, &mut Disk::new(path, options), options)
}

fn decode_bytes(
    path: &Path,
    bytes: &[u8],
    files: &mut dyn Files,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    options.limits.check_file(bytes.len() as u64).map_err(|kind| kind.in_file(path))?;
    let head = bytes.get(..HEAD_BYTES).unwrap_or(bytes);
    let extension = extension(path);
    // Without a feature, the last arm of its format remains.
    #[allow(unreachable_patterns)]
    let refusal = match sniff(head) {
        #[cfg(feature = "mask")]
        FileFormat::Mask => {
            return masks::decode(path, &mut std::io::Cursor::new(bytes), options);
        }
        #[cfg(feature = "ldtk")]
        FileFormat::Text if crate::tmx::is_ldtk(path, head) => {
            return worlds::load_ldtk(path, bytes, files, options);
        }
        #[cfg(feature = "json")]
        FileFormat::Text if extension == "world" => {
            return worlds::load_world(path, bytes, files, options);
        }
        #[cfg(feature = "baked")]
        FileFormat::Baked => {
            let baked = BakedLevel::decode(bytes).map_err(|error| {
                let kind = LoadErrorKind::Baked { reason: error.headline(), help: error.help() };
                kind.in_file(path)
            })?;
            let source = Source::Baked { content_hash: baked.content_hash };
            return Ok(LoadedLevel::new(baked.level, source, Vec::new()));
        }
        FileFormat::Mask => missing("a mask", "mask"),
        FileFormat::Text if extension == "ldtk" && CANNOT_READ_LDTK => {
            missing("a project of LDtk", "ldtk")
        }
        FileFormat::Text if extension == "world" && CANNOT_READ_WORLDS => {
            missing("a world of maps", "json")
        }
        #[cfg(feature = "tmx")]
        FileFormat::Text => {
            let loaded = maps::load_map(path, bytes, files, options);
            return loaded.map_err(|error| match other_editor(bytes) {
                Some(found) => LoadErrorKind::OtherEditor { found }.in_file(path),
                None => error,
            });
        }
        FileFormat::Text => missing("a Tiled map", "tmx"),
        FileFormat::Baked => missing("a baked level", "baked"),
        FileFormat::Drawing => return decode_drawing(path, bytes, options),
        FileFormat::Other(found) => match other_editor(bytes) {
            Some(found) => LoadErrorKind::OtherEditor { found },
            None if extension.is_empty() => {
                LoadErrorKind::UnknownFormat { found: found.to_owned() }
            }
            None => LoadErrorKind::UnknownFormat { found: format!("{found} named .{extension}") },
        },
    };
    let _ = files;
    Err(refusal.in_file(path))
}

/// Makes a level from rows of `#` and `.`, of one pixel for each character.
fn decode_drawing(
    path: &Path,
    bytes: &[u8],
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let pixels = bytes.len() as u64;
    let what = "pixels in the drawing (the limit `pixels`)";
    limits::check(what, pixels, options.limits.pixels).map_err(|kind| kind.in_file(path))?;
    let grid = Grid::from_text(&String::from_utf8_lossy(bytes));
    let level = grid.and_then(|grid| Level::from_grid(grid, UVec2::ONE)).map_err(|error| {
        let found = format!("rows of `#` and `.`, of which {error}");
        LoadErrorKind::UnknownFormat { found }.in_file(path)
    })?;
    let level = level.with_outside(options.outside);
    Ok(LoadedLevel::new(level, Source::Drawing, Vec::new()))
}
