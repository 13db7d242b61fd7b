//! The limits on the content of a file, and the amounts used so far. Every number in a file is compared with
//! a limit before memory is allocated for it. Limits that no real level reaches (on layers, tilesets and the
//! depth of elements) are constants next to their checks.

#[cfg(feature = "tmx")]
use std::collections::BTreeSet;

use crate::error::LoadErrorKind;

/// The limits of a load. A limit is the largest allowed value, and the defaults admit every level that an
/// artist could draw.
///
/// With the defaults, a hostile file of less than 1 MB takes at most 256 MiB of memory and two seconds of
/// processor time in every command of the program; the difference of two levels takes at most 300 MiB. Larger
/// files take more, up to the limits: drawing keeps the picture of a mask's art, of at most 256 MiB, and 4
/// bytes for each pixel drawn.
///
/// The names and values of larger files take memory in proportion: at most 64 bytes for each byte of the
/// files, and 1 GiB in all.
///
/// ```
/// use bitwall::{Limits, LoadOptions};
///
/// let limits = Limits { bytes: 1 << 20, objects: 64, ..Limits::default() };
/// let options = LoadOptions { limits, ..LoadOptions::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The largest number of bytes in all files of a level. A single file may have half of this number.
    /// Default: 128 MiB.
    pub bytes: u64,
    /// The largest number of pixels in a mask. The uncompressed picture may have 4 bytes for each pixel.
    /// Default: 2^27. The grid of such a mask takes 32 MiB.
    pub pixels: u64,
    /// The largest number of tiles in all layers of a map, or of all maps of a world. In an infinite map, a
    /// row of a chunk counts as at least 8 tiles.
    ///
    /// A level may have 16 times this number of cells, because 16 cells take the memory of one tile. A level
    /// with more than 2^27 cells counts as 2^27 cells, because its grid is sparse. Default: 2^24, which take
    /// 64 MiB.
    pub cells: u64,
    /// The largest number of objects in a map, including the objects of its tiles. Default: 65,536.
    pub objects: u64,
    /// The largest number of points in the shapes of a level's solids, for tools that make shapes of any
    /// level: see [`Limits::check_points`]. Default: 2^20.
    ///
    /// The outlines of 440 levels of real games have at most 27,986 points.
    pub points: u64,
    /// The work of one operation, in steps of about a nanosecond. The operations are loading a level and
    /// drawing a picture of a level.
    ///
    /// Work is counted before it is done. Default: 2^30, which took 0.5 to 2 seconds.
    /// * For loading, each row of pixels that a shape covers is 48 steps. Each solid tile or rectangle is 1
    ///   step for each group of 64 cells in a row that it covers.
    /// * For a picture, each pixel is 32 steps, or 1 in black and white. Each drawn pixel of a tile adds 4
    ///   steps, or 32 if an opacity, a tint or a blend mode applies. Each row of a line adds 256.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            bytes: 128 << 20,
            pixels: 1 << 27,
            cells: 1 << 24,
            objects: 65_536,
            points: 1 << 20,
            work: 1 << 30,
        }
    }
}

/// The name of the limit [`Limits::file_bytes`] in error messages.
pub(crate) const FILE_BYTES: &str = "bytes in the file (half of the limit `bytes`)";

impl Limits {
    /// The largest number of bytes in one file: half of [`Self::bytes`].
    pub const fn file_bytes(&self) -> u64 {
        self.bytes / 2
    }

    /// Compares the number of points that the shapes of a level have with the limit [`Self::points`].
    ///
    /// The functions of [`Terrain`](crate::Terrain) that make shapes have no limit, because a level of one's
    /// own needs none. A program that takes levels from others first compares
    /// [`Terrain::corner_count`](crate::Terrain::corner_count).
    ///
    /// ```
    /// use bitwall::{Grid, Limits, Terrain, glam::UVec2};
    ///
    /// let terrain = Terrain::new(Grid::from_text("#.#\n.#.")?, UVec2::ONE)?;
    /// let limits = Limits { points: 12, ..Limits::default() };
    /// assert!(limits.check_points(terrain.corner_count()).is_ok());
    /// assert_eq!(terrain.outlines().loops().map(|outline| outline.points.len()).sum::<usize>(), 12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails with [`LoadErrorKind::TooLarge`], which names the limit.
    pub fn check_points(&self, count: u64) -> Result<(), LoadErrorKind> {
        check("points in the shapes (the limit `points`)", count, self.points)
    }

    pub(crate) fn check_file(&self, bytes: u64) -> Result<(), LoadErrorKind> {
        check(FILE_BYTES, bytes, self.file_bytes())
    }
}

/// The part of each limit that the maps of a world have used so far. The maps share their limits.
#[derive(Clone, Debug, Default)]
#[cfg(feature = "tmx")]
pub(crate) struct Spent {
    pub(crate) tiles: u64,
    /// The number of bytes of stored names and values. The texts of a template count once for each object
    /// made from it.
    pub(crate) copied: u64,
    /// The number of bytes in all different files of maps, tilesets, templates and LDtk levels.
    pub(crate) written: u64,
    /// The length and the start of each file in `written`.
    files: BTreeSet<(usize, Box<[u8]>)>,
    /// The number of bytes of compressed cell data that produced no cells, and of cells that a lenient load
    /// dropped.
    pub(crate) spare_input: u64,
    pub(crate) elements: u64,
    pub(crate) work: u64,
}

/// The work for each row of pixels that a shape covers while a level is loaded, in steps of [`Limits::work`].
#[cfg(feature = "tmx")]
pub(crate) const STEPS_A_ROW: u64 = 48;

#[cfg(feature = "tmx")]
impl Spent {
    /// Adds the bytes of a file to [`Self::written`]. Files with the same length and the same first 256 bytes
    /// count once, because a small world can name a file by many paths.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        let start = &bytes[..bytes.len().min(256)];
        if self.files.insert((bytes.len(), start.into())) {
            self.written += bytes.len() as u64;
        }
    }

    pub(crate) fn work(&mut self, steps: u64, limits: &Limits) -> Result<(), LoadErrorKind> {
        self.work = self.work.saturating_add(steps);
        check("steps of work (the limit `work`)", self.work, limits.work)
    }
}

/// The largest number of bytes in memory for each byte of the files.
#[cfg(feature = "tmx")]
const MEMORY_PER_BYTE: u64 = 64;

/// The largest number of bytes in memory for files of this many bytes: in proportion, but at least `least`
/// and at most `most`.
#[cfg(feature = "tmx")]
pub(crate) fn memory_for(bytes: u64, least: u64, most: u64) -> u64 {
    bytes.saturating_mul(MEMORY_PER_BYTE).clamp(least, most)
}

/// Fails if the amount `found` is above `limit`. The text `what` names the amount in the error.
pub(crate) fn check(
    what: &'static str,
    found: impl Into<u64>,
    limit: impl Into<u64>,
) -> Result<(), LoadErrorKind> {
    let found = found.into();
    let limit = limit.into();
    if found > limit {
        return Err(LoadErrorKind::TooLarge { what, limit, found });
    }
    Ok(())
}
