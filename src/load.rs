//! Loading: makes a [`Level`] from a path or from bytes, or an error that names the file, the place and the
//! cause.
//!
//! Nothing else in the library opens a file. `mask`, `tmx`, `rules` and `build` interpret its content.

pub(crate) mod config;
pub(crate) mod files;
mod format;
pub(crate) mod loaded;
mod maps;
pub(crate) mod picture;
pub(crate) mod root;

pub use self::loaded::{Explainer, LoadedLevel, Source};
pub use self::picture::{decode_picture, load_picture};
pub use crate::build::{LayerSource, MapSource, Provenance, SolidCount, WorldPart, WorldSource};
pub use crate::error::warning::{LoadWarning, WarningCause};
pub use crate::error::{LoadError, LoadErrorKind, Place};
pub use crate::limits::Limits;
pub use crate::options::LoadOptions;

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::io::{BufReader, Read, Seek};
use std::path::{Path, PathBuf};

use glam::UVec2;

use self::format::{Format, extension, mask_format, sniff};
use self::loaded::Loaded;
use self::maps::{Access, load_map, load_world, of_document};
use self::root::{MapRoot, is_beside};
use crate::build::refusal;
use crate::grid::Grid;
use crate::tmx::Map;
use crate::{Level, Terrain, mask};

/// The number of bytes at the start of a file that its format is detected from.
const HEAD_BYTES: u64 = 4_096;

impl Level {
    /// Loads a Tiled map (`.tmx`, `.tmj`), a world of maps (`.world`) or a mask (PNG, GIF, BMP, WebP, TGA).
    ///
    /// The format is detected from the content; only a TGA must be named `.tga`, and a world `.world`. The
    /// options are those of the nearest `bitwall.toml`: see [`LoadOptions::for_level`]. Files that a map
    /// refers to must be in the root folder: see [`LoadOptions::root`].
    ///
    /// # Errors
    /// [`LoadError`] names the file, the place, the cause, and one thing to do. A file that is too large is
    /// an error too: see [`Limits`].
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        Self::load_with(path, &LoadOptions::for_level(path)?)
    }

    /// As [`Level::load`], with these options instead of those of a `bitwall.toml`.
    ///
    /// # Errors
    /// As [`Level::load`].
    pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(load_file(path.as_ref(), options)?.level)
    }

    /// Loads a mask from the bytes of a picture file, for games that embed their files: PNG, GIF, BMP, WebP
    /// or TGA, detected from the content.
    ///
    /// Besides the bits, a PNG file takes memory for about one row of pixels. The others are decoded whole;
    /// their limit is 2^26 pixels, or 2^25 for WebP.
    ///
    /// # Errors
    /// As [`Level::load`]; the path in the error is `mask`.
    pub fn from_mask_image(bytes: &[u8], options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(load_mask(bytes, options)?.level)
    }

    /// Loads a Tiled map from the bytes of its file, XML or JSON, for games that embed their files.
    ///
    /// `path` is the map's own path; it need not exist. `read` returns the bytes of a tileset or template
    /// that the map refers to; it gets the file's path, joined to the folder of `path`. It is never called
    /// for a picture.
    ///
    /// ```
    /// use bitwall::{Level, LoadOptions};
    ///
    /// let level = Level::from_tmx(
    ///     "maps/cave.tmx",
    ///     include_bytes!("../assets/cave.tmx"),
    ///     |path| match path.to_str() {
    ///         Some("maps/cave.tsx") => Ok(include_bytes!("../assets/cave.tsx").to_vec()),
    ///         _ => Err(std::io::ErrorKind::NotFound.into()),
    ///     },
    ///     &LoadOptions::default(),
    /// )?;
    /// assert_eq!(level.size(), glam::UVec2::new(768, 480));
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    ///
    /// # Errors
    /// As [`Level::load`].
    pub fn from_tmx(
        path: impl AsRef<Path>,
        tmx: &[u8],
        read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        Ok(load_tmx(path.as_ref(), tmx, read, options)?.level)
    }

    /// Makes the level of a document: one that was decoded or made in code, or a map that crate `tiled` has
    /// read (`&tiled::Map`, feature `tiled`). Opens no file.
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
    /// As [`Level::load`]; the path in the error is `map`.
    pub fn from_map(map: impl Into<Map>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(of_document(map.into(), options)?.level)
    }
}

impl LoadedLevel {
    /// As [`Level::load_with`], with the facts and documents that the level is made of.
    ///
    /// # Errors
    /// As [`Level::load`].
    pub fn load(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(load_file(path.as_ref(), options)?.with_options(options))
    }

    /// As [`Level::from_mask_image`], with the facts of the picture.
    ///
    /// # Errors
    /// As [`Level::load`]; the path in the error is `mask`.
    pub fn from_mask_image(bytes: &[u8], options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(load_mask(bytes, options)?.with_options(options))
    }

    /// As [`Level::from_tmx`], with the facts and the document that the level is made of.
    ///
    /// # Errors
    /// As [`Level::load`].
    pub fn from_tmx(
        path: impl AsRef<Path>,
        tmx: &[u8],
        read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        Ok(load_tmx(path.as_ref(), tmx, read, options)?.with_options(options))
    }

    /// As [`Level::from_map`], with the facts and the document that the level is made of.
    ///
    /// # Errors
    /// As [`Level::from_map`].
    pub fn from_map(map: impl Into<Map>, options: &LoadOptions) -> Result<Self, LoadError> {
        Ok(of_document(map.into(), options)?.with_options(options))
    }
}

fn load_file(path: &Path, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let io = |cause| error(LoadErrorKind::Io(cause));
    let (mut file, length) = files::open(path, &options.limits).map_err(error)?;
    let mut bytes = Vec::with_capacity(HEAD_BYTES as usize);
    let mut head = file.by_ref().take(length.min(HEAD_BYTES));
    head.read_to_end(&mut bytes).map_err(io)?;
    match sniff(&bytes, &extension(path)) {
        Format::Mask(format) => {
            file.rewind().map_err(io)?;
            decode_mask(path, BufReader::new(file), format, options)
        }
        Format::Xml | Format::Json => {
            let rest = length - bytes.len() as u64;
            files::read_rest(file, rest, &mut bytes).map_err(io)?;
            decode_text(path, &bytes, options)
        }
        Format::Other(found) => Err(error(LoadErrorKind::UnknownFormat {
            found: match extension(path).as_str() {
                "" => found.to_owned(),
                extension => format!("{found} named .{extension}"),
            },
        })),
    }
}

fn load_mask(bytes: &[u8], options: &LoadOptions) -> Result<Loaded, LoadError> {
    let path = Path::new("mask");
    let format = mask_format(bytes);
    let format = format.map_err(|kind| LoadError::new(path, Place::default(), kind))?;
    decode_mask(path, std::io::Cursor::new(bytes), format, options)
}

fn load_tmx(
    path: &Path,
    tmx: &[u8],
    mut read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
    options: &LoadOptions,
) -> Result<Loaded, LoadError> {
    let mut read = |path: &Path| read(path).map_err(LoadErrorKind::Io);
    let access = Access { names: &|| Ok(Vec::new()), read: &mut read, picture_size: &|_| None };
    load_map(path, tmx, access, options)
}

fn decode_mask(
    path: &Path,
    reader: impl std::io::BufRead + Seek,
    format: mask::Format,
    options: &LoadOptions,
) -> Result<Loaded, LoadError> {
    let mask = mask::decode(reader, format, options).map_err(|fault| fault.at(path))?;
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let terrain = |grid: Grid| {
        let cells = grid.cell_count();
        Terrain::new(grid, UVec2::ONE).map_err(|cause| error(refusal(&cause, cells)))
    };
    let mut level = Level::new(terrain(mask.solid)?).with_outside(options.outside);
    for (name, area) in mask.areas {
        level = level.with_area(name, terrain(area)?);
    }
    Ok(Loaded {
        level,
        source: Source::Mask(mask.source),
        warnings: Vec::new(),
        maps: Vec::new(),
        tile_counts: Vec::new(),
    })
}

/// Loads the map or the world `bytes`, which lies at `path`, with the files on the disk that it may refer to.
fn decode_text(path: &Path, bytes: &[u8], options: &LoadOptions) -> Result<Loaded, LoadError> {
    let known = OnceCell::new();
    let check = |file: &Path| {
        if options.root.is_none() && is_beside(path, file) {
            return Ok(());
        }
        let root = match known.get() {
            Some(root) => root,
            None => {
                let found = MapRoot::of(path, options.root.as_deref())?;
                known.get_or_init(|| found)
            }
        };
        root.check(file)
    };
    let mut read = |file: &Path| {
        check(file)?;
        files::read_file(file, &options.limits)
    };
    // Many tilesets may name one picture.
    let sizes = RefCell::new(HashMap::<PathBuf, Option<UVec2>>::new());
    let size = |file: &Path| {
        let known = sizes.borrow().get(file).copied();
        let measure = || {
            check(file).ok()?;
            picture::picture_size(file, &options.limits).ok()
        };
        let size = known.unwrap_or_else(measure);
        sizes.borrow_mut().insert(file.to_owned(), size);
        size
    };
    let access =
        Access { names: &|| files::names_beside(path), read: &mut read, picture_size: &size };
    match path.extension() {
        Some(end) if end.eq_ignore_ascii_case("world") => load_world(path, bytes, access, options),
        _ => load_map(path, bytes, access, options),
    }
}
