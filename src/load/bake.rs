//! Reads baked levels. Only this module has unsafe code, for the memory map of a baked level's file.

use std::path::Path;

use super::disk::{self, Links};
use super::loaded::{BakedSource, LoadedLevel, Source};
use crate::baked::{BakeError, BakedLevel};
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::level::Level;
use crate::limits::Limits;

pub(super) fn decode_baked(path: &Path, bytes: &[u8]) -> Result<LoadedLevel, LoadError> {
    let baked = BakedLevel::decode(bytes).map_err(|error| damaged(path, &error))?;
    let source = BakedSource { content_hash: baked.content_hash };
    Ok(LoadedLevel::new(baked.level, Source::Baked(source), Vec::new()))
}

fn damaged(path: &Path, error: &BakeError) -> LoadError {
    let kind = LoadErrorKind::Baked { reason: error.headline(), help: error.help() };
    LoadError::new(path, Place::default(), kind)
}

/// Loads a baked level through a memory map, under the safety rules of [`Level::map_baked`].
#[allow(unsafe_code)]
pub(super) unsafe fn load_mapped(path: &Path) -> Result<Level, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let limit = Limits::default().file_bytes();
    let (file, length) = disk::open_file(path, Links::Followed, limit).map_err(error)?;
    let decoded = if length == 0 {
        BakedLevel::decode([])
    } else {
        // SAFETY: the caller promises that nobody changes the file until this function returns, and the
        // memory map does not outlive this function. Measured by `--bench baked`: a level of 6.3 MB opens in
        // 2.9 ms, against 3.3 ms by reading; a level of 34 MB in 63 ms, against 94 ms; a level of 1.2 MB
        // gains only 5%.
        let map = unsafe { memmap2::MmapOptions::new().populate().map_copy_read_only(&file) };
        BakedLevel::decode(map.map_err(|cause| error(LoadErrorKind::Io(cause)))?)
    };
    decoded.map(|baked| baked.level).map_err(|error| damaged(path, &error))
}
