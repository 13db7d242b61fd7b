//! The size of a tileset's picture, which decides how many tiles it has if the tileset contradicts itself.

use std::path::Path;

use glam::UVec2;

use super::files::Files;
#[cfg(feature = "image")]
use super::picture::picture_size;
use crate::error::LoadErrorKind;

/// The bytes that nearly every picture states its size in.
const HEADER_BYTES: usize = 4_096;

/// A picture's width and height. Only a picture whose header is longer is read as a whole.
pub(super) fn size_of(files: &mut dyn Files, path: &Path) -> Result<UVec2, LoadErrorKind> {
    let start = files.read_start(path, HEADER_BYTES)?;
    // The same bytes decide, whether or not more of them came.
    let header = start.get(..HEADER_BYTES).unwrap_or(&start);
    picture_size(path, header).or_else(|_| picture_size(path, &files.read(path)?))
}

/// The width and height in the header of a PNG: without crate `image`, no other format is known.
#[cfg(not(feature = "image"))]
fn picture_size(_: &Path, bytes: &[u8]) -> Result<UVec2, LoadErrorKind> {
    let number = |at: usize| {
        let bytes = bytes.get(at..at + 4)?.first_chunk()?;
        Some(u32::from_be_bytes(*bytes))
    };
    match (bytes.starts_with(b"\x89PNG\r\n\x1a\n"), number(16), number(20)) {
        (true, Some(width), Some(height)) if width > 0 && height > 0 => {
            Ok(UVec2::new(width, height))
        }
        _ => Err(LoadErrorKind::MissingFeature {
            found: "a picture that is no PNG",
            feature: "image",
        }),
    }
}
