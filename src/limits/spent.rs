//! The amounts that the maps of a level have used of its limits so far.

use std::collections::BTreeSet;

use super::{Limits, check};
use crate::error::LoadErrorKind;

/// The part of each limit that the maps of a world have used so far. The maps share their limits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Spent {
    tiles: u64,
    /// The number of bytes of stored names and values. The texts of a template count once for each object
    /// made from it.
    pub(crate) copied: u64,
    /// The number of bytes in all files of maps, tilesets, templates and LDtk levels.
    bytes: u64,
    /// The number of bytes in those files that differ.
    pub(crate) written: u64,
    /// The length and the start of each file in `written`.
    files: BTreeSet<(usize, Box<[u8]>)>,
    /// The number of surplus cells that were dropped.
    pub(crate) dropped_cells: u64,
    pub(crate) elements: u64,
    /// True if something in a map has a class, or a value that only a Tiled project explains.
    pub(crate) uses_types: bool,
    pub(crate) work: u64,
}

/// The work for each row of pixels that a shape covers while a level is loaded, in steps of [`Limits::work`].
pub(crate) const STEPS_A_ROW: u64 = 48;

impl Spent {
    /// Counts the bytes of a file. In [`Self::written`], files with the same length and the same first 256
    /// bytes count once, because a small world can name a file by many paths.
    pub(crate) fn read(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len() as u64;
        let start = &bytes[..bytes.len().min(256)];
        if self.files.insert((bytes.len(), start.into())) {
            self.written += bytes.len() as u64;
        }
    }

    pub(crate) fn check_bytes(&self, limits: &Limits) -> Result<(), LoadErrorKind> {
        check("bytes in all files (the limit `bytes`)", self.bytes, limits.bytes)
    }

    /// Counts the tiles of a layer.
    pub(crate) fn cells(&mut self, cells: u64, limits: &Limits) -> Result<(), LoadErrorKind> {
        self.tiles += cells;
        check("tiles in all layers (the limit `cells`)", self.tiles, limits.cells)
    }

    pub(crate) fn work(&mut self, steps: u64, limits: &Limits) -> Result<(), LoadErrorKind> {
        self.work = self.work.saturating_add(steps);
        check("steps of work (the limit `work`)", self.work, limits.work)
    }
}

/// The largest number of bytes in memory for each byte of the files.
const MEMORY_PER_BYTE: u64 = 64;

/// The largest number of bytes in memory for files of this many bytes: in proportion, but at least `least`
/// and at most `most`.
pub(crate) fn memory_for(bytes: u64, least: u64, most: u64) -> u64 {
    bytes.saturating_mul(MEMORY_PER_BYTE).clamp(least, most)
}
