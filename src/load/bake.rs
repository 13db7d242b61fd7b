//! Reads baked levels.

use std::path::Path;

use super::loaded::{BakedSource, LoadedLevel, Source};
use crate::baked::{BakeError, BakedLevel};
use crate::error::{LoadError, LoadErrorKind, Place};

pub(super) fn decode_baked(path: &Path, bytes: &[u8]) -> Result<LoadedLevel, LoadError> {
    let baked = BakedLevel::decode(bytes).map_err(|error| damaged(path, &error))?;
    let source = BakedSource { content_hash: baked.content_hash };
    Ok(LoadedLevel::new(baked.level, Source::Baked(source), Vec::new()))
}

fn damaged(path: &Path, error: &BakeError) -> LoadError {
    let kind = LoadErrorKind::Baked { reason: error.headline(), help: error.help() };
    LoadError::new(path, Place::default(), kind)
}
