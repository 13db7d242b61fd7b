//! Loading: makes a [`Level`] from a path or from bytes, or an error that names the file, the place and the
//! cause.
//!
//! Nothing else in the library opens a file. `mask`, `tmx`, `rules` and `build` interpret its content.

pub(crate) mod config;
pub(crate) mod files;
pub(crate) mod picture;
pub(crate) mod root;

use std::path::Path;

use crate::error::{LoadError, LoadErrorKind, Place};
use crate::{Level, LoadOptions, mask};

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
        files::load(path.as_ref(), options)
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
        let path = Path::new("mask");
        let format = files::mask_format(bytes)
            .map_err(|kind| LoadError::new(path, Place::default(), kind))?;
        mask::load(std::io::Cursor::new(bytes), format, options).map_err(|e| e.at(path))
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
        mut read: impl FnMut(&Path) -> std::io::Result<Vec<u8>>,
        options: &LoadOptions,
    ) -> Result<Self, LoadError> {
        let mut read = |path: &Path| read(path).map_err(LoadErrorKind::Io);
        crate::level::tmx::load(
            path.as_ref(),
            tmx,
            &mut read,
            options,
            &mut crate::limits::Spent::default(),
        )
    }
}
