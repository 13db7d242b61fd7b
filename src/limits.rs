//! The limits on the content of a file that a caller may change, and the amounts used of them.
//!
//! Every number that a file states is compared with a limit before memory is allocated for it. Those that no
//! drawn level comes near (layers, tilesets, the depth of elements and so on) are constants beside their
//! check. This module never reads a file.

use crate::error::LoadErrorKind;

/// The limits of a load. Each is inclusive. The defaults admit every level that an artist could draw. They
/// hold a hostile file of less than 1 MB to 128 MiB and two seconds in most cases; the worst that is known
/// takes 300 MiB (the difference of two levels of 10^8 pixels) or five seconds (the causes of the cells of a
/// full hexagonal map of 1024 x 1024 tiles).
///
/// ```
/// use bitwall::{Limits, LoadOptions};
///
/// let limits = Limits { bytes: 1 << 20, objects: 64, ..Limits::default() };
/// let options = LoadOptions { limits, ..LoadOptions::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The size of all the files of one level together, in bytes; one file may have half of it. Default: 128
    /// MiB.
    pub bytes: u64,
    /// The pixels of a mask, and a quarter of the bytes of its uncompressed pixels. Default: 2^27, which take
    /// 32 MiB as bits.
    pub pixels: u64,
    /// The tiles of all the layers of a map together, or of all maps of a world; a row of a chunk counts as
    /// at least 8 tiles. The cells of a level, which take as much memory as a sixteenth of these tiles, may
    /// be 16 times as many; a map's level of more than 2^27 cells is kept in blocks and counts as 2^27.
    /// Default: 2^24, which take 64 MiB.
    pub cells: u64,
    /// Objects in a map, those of its tiles included. Default: 65,536.
    pub objects: u64,
    /// The work of one operation, in steps of about a nanosecond: to load a level, to draw a picture of it,
    /// to find the causes for a baked level. Default: 2^30, which took 0.5 to 2 seconds.
    ///
    /// Work is counted before it is done. A row of pixels that a shape covers counts as 48 steps, a word of
    /// 64 cells that is written for solid tiles and rectangles as 1, overlapping ones each; a pixel of a
    /// picture as 32, in black and white as 1, and each pixel of a tile in it as 4, or as 32 if it is blended
    /// by opacity, tint or mode; of causes a tile counts as 150, and a rectangle of cells with one cause,
    /// which takes memory too, as 1,024.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 128 << 20, pixels: 1 << 27, cells: 1 << 24, objects: 65_536, work: 1 << 30 }
    }
}

/// The bytes of one file, for errors.
pub(crate) const FILE_BYTES: &str = "bytes in the file (half of the limit `bytes`)";

impl Limits {
    /// The size that one file may have, in bytes: half of [`Self::bytes`].
    pub const fn file_bytes(&self) -> u64 {
        self.bytes / 2
    }

    /// An error for a file of more bytes than one may have.
    pub(crate) fn check_file(&self, bytes: u64) -> Result<(), LoadErrorKind> {
        check(FILE_BYTES, bytes, self.file_bytes())
    }
}

/// The amounts used of the limits that all maps of a world share.
#[derive(Clone, Copy, Debug, Default)]
#[cfg(feature = "tmx")]
pub(crate) struct Spent {
    /// Tiles, against [`Limits::cells`].
    pub(crate) tiles: u64,
    /// Bytes of the copies of files; the content of a template counts once for each of its instances.
    pub(crate) copied: u64,
    /// Input of compressed layers that is for no output, in bytes.
    pub(crate) spare_input: u64,
    /// Elements of files.
    pub(crate) elements: u64,
    /// Against [`Limits::work`].
    pub(crate) work: u64,
}

/// The steps of work for a row of pixels that a shape covers.
#[cfg(feature = "tmx")]
pub(crate) const STEPS_A_ROW: u64 = 48;

#[cfg(feature = "tmx")]
impl Spent {
    /// Counts work that is about to be done.
    ///
    /// # Errors
    /// An error that names [`Limits::work`].
    pub(crate) fn work(&mut self, steps: u64, limits: &Limits) -> Result<(), LoadErrorKind> {
        self.work = self.work.saturating_add(steps);
        check("steps of work (the limit `work`)", self.work, limits.work)
    }
}

/// An error that names `what` if `found` is more than `limit`.
pub(crate) fn check(
    what: &'static str,
    found: impl Into<u64>,
    limit: impl Into<u64>,
) -> Result<(), LoadErrorKind> {
    let (found, limit) = (found.into(), limit.into());
    if found > limit {
        return Err(LoadErrorKind::TooLarge { what, limit, found });
    }
    Ok(())
}
