//! The level of a mask. The only place where the grids of a mask become a [`Level`].

use std::io::{BufRead, Seek};
use std::path::Path;

use glam::UVec2;

use crate::error::{LoadError, Place};
use crate::level::source::Source;
use crate::mask::{self, Format};
use crate::{Level, LoadOptions};

/// The level that a mask shows. The path is for the error.
pub(crate) fn load_mask(
    file: impl BufRead + Seek,
    format: Format,
    options: &LoadOptions,
    path: &Path,
) -> Result<Level, LoadError> {
    let mask = mask::decode(file, format, options).map_err(|fault| fault.at(path))?;
    let level = |grid, source| {
        let (cell, markers, maps) = (UVec2::ONE, Vec::new(), Vec::new());
        Level::assemble(grid, cell, options, source, markers, maps)
            .map_err(|kind| LoadError::new(path, Place::default(), kind))
    };
    let areas = mask.areas.into_iter();
    let areas = areas.map(|(name, grid)| Ok((name, level(grid, Source::Grid)?)));
    let areas = areas.collect::<Result<_, LoadError>>()?;
    Ok(level(mask.solid, Source::Mask(mask.source))?.with_areas(areas))
}
