//! The file of a level: on the disk, or on standard input.

use std::io::Read;
use std::path::{Path, PathBuf};

use clap::Args;
use glam::UVec2;
use image::RgbaImage;

use super::{Failure, progress};
use crate::error::LoadErrorKind;
use crate::load::loaded::Source;
use crate::load::{Disk, Place, decode_picture, load_picture};
use crate::rules::Suggestion;
use crate::{LoadError, LoadOptions, LoadedLevel, limits};

/// The name of a level on standard input, if none is given.
const STDIN: &str = "standard input";

/// The path of a level on standard input.
#[derive(Args, Clone, Debug)]
pub(super) struct StdinArgs {
    /// The path that a level on standard input has: it is shown, the files that the level names count from
    /// its folder, and its ending tells a format that the content does not (.tga, .world)
    #[arg(long, value_name = "PATH")]
    stdin_name: Option<PathBuf>,
}

impl StdinArgs {
    /// True if a level on standard input has a path.
    pub(super) fn has_name(&self) -> bool {
        self.stdin_name.is_some()
    }
}

/// A level's path, and its bytes if they do not come from there.
pub(super) struct LevelFile {
    pub(super) path: PathBuf,
    pub(super) bytes: Option<Vec<u8>>,
}

impl LevelFile {
    /// A file on the disk.
    pub(super) fn on_disk(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), bytes: None }
    }

    /// Loads the level with these options.
    pub(super) fn load(&self, options: &LoadOptions) -> Result<LoadedLevel, LoadError> {
        progress::spinner("loading", || match &self.bytes {
            Some(bytes) => {
                LoadedLevel::decode(&self.path, bytes, Disk::new(&self.path, options), options)
            }
            None => LoadedLevel::load(&self.path, options),
        })
    }

    /// The file as a picture.
    pub(super) fn picture(&self) -> Result<RgbaImage, LoadError> {
        match &self.bytes {
            Some(bytes) => decode_picture(&self.path, bytes),
            None => load_picture(&self.path),
        }
    }

    /// The file as a picture, if it has this size and at most so many pixels.
    pub(super) fn small_picture(&self, size: UVec2, most: u64) -> Option<RgbaImage> {
        if u64::from(size.x) * u64::from(size.y) > most {
            return None;
        }
        self.picture().ok().filter(|picture| UVec2::from(picture.dimensions()) == size)
    }

    /// The suggestions for the level. Only a mask with pixels of other colours than black and white is read
    /// again.
    pub(super) fn suggestions(&self, loaded: &LoadedLevel) -> Vec<Suggestion> {
        let picture = match &loaded.source {
            Source::Mask(mask) if mask.counts.gray > 0 => self.picture().ok(),
            _ => None,
        };
        loaded.suggestions(picture.as_ref())
    }
}

/// The path and the bytes of the level on standard input, if one of `paths` is `-`. `limit_of` is the largest
/// number of bytes of a file at a path.
pub(super) fn read_stdin(
    paths: &[PathBuf],
    args: &StdinArgs,
    limit_of: impl Fn(&Path) -> Result<u64, LoadError>,
) -> Result<Option<(PathBuf, Vec<u8>)>, Failure> {
    let count = paths.iter().filter(|path| *path == Path::new("-")).count();
    if count == 0 {
        return match args.stdin_name {
            Some(_) => Err(Failure::Other(
                "--stdin-name is the path of a level on standard input; give the level as -"
                    .to_owned(),
            )),
            None => Ok(None),
        };
    }
    let path = args.stdin_name.clone().unwrap_or_else(|| PathBuf::from(STDIN));
    let limit = limit_of(&path)?;
    let mut bytes = Vec::new();
    let failed = |kind| LoadError::new(&path, Place::default(), kind);
    let mut stdin = std::io::stdin().lock().take(limit.saturating_add(1));
    stdin.read_to_end(&mut bytes).map_err(|error| failed(LoadErrorKind::Io(error)))?;
    let length = bytes.len() as u64;
    limits::check("bytes on standard input", length, limit).map_err(failed)?;
    Ok(Some((path, bytes)))
}
