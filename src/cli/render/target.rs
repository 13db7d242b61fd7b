//! The file that a picture is written to: its format by its ending, and that it replaces nothing else.

use std::fs;
use std::path::{Path, PathBuf};

use super::super::Failure;
use crate::load::disk::begins_with_or_empty;
use crate::text::printable_path;

/// The format of a picture that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Jpeg,
}

impl Format {
    /// The format that the ending of a file's name tells; `-`, for standard output, is PNG.
    pub(super) fn of(out: &Path) -> Result<Self, Failure> {
        let ending = out.extension().unwrap_or_default().to_ascii_lowercase();
        match ending.to_str() {
            _ if out == Path::new("-") => Ok(Self::Png),
            Some("png") => Ok(Self::Png),
            Some("jpg" | "jpeg") => Ok(Self::Jpeg),
            _ => Err(Failure::Other(format!(
                "{}: the name says no format that can be written; end it with .png, .jpg or .jpeg",
                printable_path(out)
            ))),
        }
    }

    /// The bytes that a file of the format begins with.
    fn start(self) -> &'static [u8] {
        match self {
            Self::Png => b"\x89PNG",
            Self::Jpeg => b"\xff\xd8\xff",
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Png => "PNG",
            Self::Jpeg => "JPEG",
        }
    }
}

/// An error if `out` is one of the files `read`, or an existing file that is not a picture of the format that
/// is written. It guards against a mistyped name that would replace a tileset or a map.
pub(super) fn refuse_to_overwrite<'a>(
    out: &Path,
    format: Format,
    mut read: impl Iterator<Item = &'a PathBuf>,
) -> Result<(), Failure> {
    // A file that does not exist has no real path; neither has `-`.
    let Ok(target) = fs::canonicalize(out) else {
        return Ok(());
    };
    let reason = if read.any(|path| fs::canonicalize(path).is_ok_and(|path| path == target)) {
        "the level is read from this file, which the picture would replace".to_owned()
    } else if !begins_with_or_empty(&target, format.start()) {
        format!(
            "there is something other than a {} picture of this name, which will not be replaced",
            format.name()
        )
    } else {
        return Ok(());
    };
    let name = printable_path(out);
    Err(Failure::Other(format!("{name}: {reason}; name another file with -o")))
}
