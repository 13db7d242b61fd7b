//! The input of a rule's check.

use std::path::{Path, PathBuf};

use glam::UVec2;

use super::options::VerifyOptions;
use super::pictures;
use crate::load::disk::{Links, read_file};
use crate::load::missing;
use crate::load::picture::size_of;
use crate::{LoadError, LoadedLevel, load::loaded::Source, mask::MaskSource};

/// A file, its level or load error, and the requirements of the options.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub(crate) struct Subject<'a> {
    /// The file.
    pub(crate) path: &'a Path,
    /// The level in it, or the error that kept it from being loaded.
    pub(crate) level: Result<&'a LoadedLevel, &'a LoadError>,
    /// The art of the mask.
    pub(crate) art: Option<Art>,
    /// The missing pictures of a map, each once.
    pub(crate) missing_pictures: Vec<PathBuf>,
    /// The required size of a mask.
    pub(crate) size: Option<UVec2>,
    /// True if all cells along the sides of the level must be solid.
    pub(crate) closed: bool,
    /// True if a level without solids is allowed.
    pub(crate) may_have_nothing_solid: bool,
}

/// The art of a mask: a picture that must have the mask's size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Art {
    /// Its path.
    pub(crate) path: PathBuf,
    /// Its width and height in pixels, or the reason that they are unknown.
    pub(crate) size: Result<UVec2, String>,
}

impl<'a> Subject<'a> {
    /// The level, if it was loaded.
    pub(crate) fn loaded(&self) -> Option<&'a LoadedLevel> {
        self.level.ok()
    }

    /// The level and its facts, if it is a mask.
    pub(crate) fn mask(&self) -> Option<(&'a LoadedLevel, &'a MaskSource)> {
        let loaded = self.level.ok()?;
        match &loaded.source {
            Source::Mask(source) => Some((loaded, source)),
            _ => None,
        }
    }
}

/// The pictures that a map names and that do not exist in its root folder.
pub(super) fn missing_pictures(
    path: &Path,
    loaded: &Result<LoadedLevel, LoadError>,
    options: &VerifyOptions,
) -> Vec<PathBuf> {
    let Some(Source::Map(map)) = loaded.as_ref().ok().map(|loaded| &loaded.source) else {
        return Vec::new();
    };
    missing(path, &map.pictures, &options.load)
}

/// The art of a mask: the one in the options, or the one beside it.
pub(super) fn art_of(
    path: &Path,
    loaded: &Result<LoadedLevel, LoadError>,
    options: &VerifyOptions,
) -> Option<Art> {
    let Source::Mask(_) = &loaded.as_ref().ok()?.source else {
        return None;
    };
    let (art, links) = match &options.art {
        Some(art) => (art.clone(), Links::Followed),
        None => (pictures::art_beside(path)?, Links::Refused),
    };
    let bytes = read_file(&art, links, options.load.limits.file_bytes);
    let size = bytes.and_then(|bytes| size_of(&art, &bytes)).map_err(|kind| kind.to_string());
    Some(Art { path: art, size })
}
