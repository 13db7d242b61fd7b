//! Opening levels: paths and bytes go in, a [`Level`] comes out, or an error that names the file, the place
//! and the cause.
//!
//! Nothing else in the library opens a file. What a file means is for `mask`, `tmx`, `rules` and `build`.

pub(crate) mod config;
pub(crate) mod files;
mod mask;
pub(crate) mod picture;
pub(crate) mod root;

use std::path::Path;

use crate::error::{LoadError, LoadErrorKind, Place};
use crate::load::mask::load_mask;
use crate::{Level, LoadOptions};

impl Level {
    /// Loads a Tiled map (`.tmx`, or `.tmj` and the like), a world of maps (`.world`) or a mask (PNG, GIF,
    /// BMP, WebP or TGA), told apart by their content, but for TGA, which must be named `.tga`. What a map
    /// refers to must lie below a root folder: see [`LoadOptions::root`]. A `bitwall.toml` in the level's
    /// folder, or in one above it, says how: see [`LoadOptions::for_level`].
    ///
    /// # Errors
    /// [`LoadError`] names the file, the place and the cause, and one thing to do. See [`Limits`] for what
    /// is refused as too large.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        Self::load_with(path, &LoadOptions::for_level(path)?)
    }

    /// Loads a level as `options` say, and no `bitwall.toml`.
    ///
    /// # Errors
    /// As [`Level::load`].
    pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Self, LoadError> {
        files::load(path.as_ref(), options)
    }

    /// Loads a mask from the bytes of a picture file, for games that embed their files: PNG, GIF, BMP, WebP
    /// or TGA, told apart by their content.
    ///
    /// Beside the bits, a PNG file takes memory for about one row of pixels. An interlaced or animated one is
    /// decoded whole, so it may take at most 256 MiB; so are the other formats, which may have at most 2^26
    /// pixels, or 2^25 for WebP.
    ///
    /// # Errors
    /// As [`Level::load`]; the path in the error is `mask`.
    pub fn from_mask_image(bytes: &[u8], options: &LoadOptions) -> Result<Self, LoadError> {
        let path = Path::new("mask");
        let format = files::mask_format(bytes)
            .map_err(|kind| LoadError::new(path, Place::default(), kind))?;
        load_mask(std::io::Cursor::new(bytes), format, options, path)
    }

    /// Loads a Tiled map from the bytes of its file, XML or JSON, for games that embed their files. `read`
    /// returns the bytes of a file that the map refers to (its tilesets and templates; pictures are never
    /// asked for), by its path joined to the folder of `path`, which is the map's own path and need not
    /// exist.
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
