//! The limits on the content of a file, which a caller may change, and a count of the used amounts. Every
//! number in a file is compared with a limit before memory is allocated for it. Limits that no drawn level
//! comes near (layers, tilesets, the depth of elements) are constants beside their check.

use crate::error::LoadErrorKind;

/// The limits of a load, each inclusive. The defaults admit every level that an artist could draw. With them,
/// a hostile file of less than 1 MB takes at most 128 MiB and two seconds in most cases; at worst 300 MiB
/// (the difference of two levels of 10^8 pixels) or five seconds (the causes of a hexagonal map of 1024 x
/// 1024 tiles).
///
/// ```
/// use bitwall::{Limits, LoadOptions};
///
/// let limits = Limits { bytes: 1 << 20, objects: 64, ..Limits::default() };
/// let options = LoadOptions { limits, ..LoadOptions::default() };
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most bytes in all files of one level; one file may have half of them. Default: 128 MiB.
    pub bytes: u64,
    /// The most pixels of a mask. The uncompressed picture may have 4 times as many bytes. Default: 2^27,
    /// which take 32 MiB as bits.
    pub pixels: u64,
    /// The most tiles in all layers of a map, or of all maps of a world. A row of a chunk counts as at least
    /// 8 tiles. A level may have 16 times as many cells, because 16 cells take as much memory as a tile. A
    /// map's level of more than 2^27 cells is kept in blocks and counts as 2^27 cells. Default: 2^24, which
    /// take 64 MiB.
    pub cells: u64,
    /// The most objects in a map, including the objects of its tiles. Default: 65,536.
    pub objects: u64,
    /// The most work of one operation, in steps of about a nanosecond. An operation is to load a level, to
    /// draw a picture of it, or to find the causes for a baked level. Work is counted before it is done.
    /// Default: 2^30, which took 0.5 to 2 seconds.
    /// * In a load, a row of pixels that a shape covers is 48 steps. A word of 64 cells written for solid
    ///   tiles and rectangles is 1 step; overlapping ones count separately.
    /// * In a picture, a pixel is 32 steps, or 1 in black and white. Each pixel of a tile is 4 steps, or 32
    ///   if it is blended by opacity, tint or mode.
    /// * Among causes, a tile is 150 steps, and a rectangle of cells with one cause 1,024.
    pub work: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes: 128 << 20, pixels: 1 << 27, cells: 1 << 24, objects: 65_536, work: 1 << 30 }
    }
}

/// The name of the limited amount in errors about the size of one file.
pub(crate) const FILE_BYTES: &str = "bytes in the file (half of the limit `bytes`)";

impl Limits {
    /// The most bytes of one file: half of [`Self::bytes`].
    pub const fn file_bytes(&self) -> u64 {
        self.bytes / 2
    }

    pub(crate) fn check_file(&self, bytes: u64) -> Result<(), LoadErrorKind> {
        check(FILE_BYTES, bytes, self.file_bytes())
    }
}

/// The used amounts of the limits that all maps of a world share.
#[derive(Clone, Copy, Debug, Default)]
#[cfg(feature = "tmx")]
pub(crate) struct Spent {
    pub(crate) tiles: u64,
    /// The bytes of names and values that are kept. Each instance of a template counts its texts again.
    pub(crate) copied: u64,
    /// The bytes of compressed layers that were read without giving output.
    pub(crate) spare_input: u64,
    pub(crate) elements: u64,
    pub(crate) work: u64,
}

#[cfg(feature = "tmx")]
pub(crate) const STEPS_A_ROW: u64 = 48;

#[cfg(feature = "tmx")]
impl Spent {
    pub(crate) fn work(&mut self, steps: u64, limits: &Limits) -> Result<(), LoadErrorKind> {
        self.work = self.work.saturating_add(steps);
        check("steps of work (the limit `work`)", self.work, limits.work)
    }
}

/// Fails if `found` is above `limit`. `what` names the limited amount in the error.
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
