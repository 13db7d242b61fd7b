//! Makes a level from the picture of a mask.

use std::path::Path;

use glam::UVec2;

use super::loaded::{LoadedLevel, Source};
use crate::error::{LoadError, LoadErrorKind, LoadWarning};
use crate::grid::Grid;
use crate::level::Level;
use crate::mask::{self, PictureFile};
use crate::options::LoadOptions;
use crate::terrain::Terrain;
use crate::text::listed;

/// Makes a level from a picture. The picture is decoded row by row.
pub(super) fn decode(
    path: &Path,
    reader: &mut dyn PictureFile,
    options: &LoadOptions,
) -> Result<LoadedLevel, LoadError> {
    let mut mask = mask::decode(reader, options).map_err(|fault| fault.in_file(path))?;
    mask.source.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let solid = terrain(mask.solid).map_err(|kind| kind.in_file(path))?;
    let mut level = Level::new(solid).with_outside(options.outside);
    let mut warnings = mask::doubts(&mask.source, options.mask_rule.is_some());
    for (name, area) in mask.areas {
        if area.solid_count() == 0 {
            let planes = options.planes.iter().filter(|plane| plane.name == name);
            let planes: Vec<String> = planes.map(ToString::to_string).collect();
            let reason = format!("no pixel is of the plane {}", listed(planes.iter()));
            let help = "give the plane exactly the colour of its pixels in the mask";
            warnings.push(LoadWarning::empty_area(&name, reason, help));
        }
        let category = options.areas.iter().rfind(|rule| rule.name == name);
        let category = category.map_or(0, |rule| rule.category);
        let area = terrain(area).map_err(|kind| kind.in_file(path))?;
        level = level.with_solid_area(name, area, category);
    }
    Ok(LoadedLevel::new(level, Source::Mask(mask.source), warnings))
}

fn terrain(grid: Grid) -> Result<Terrain, LoadErrorKind> {
    let cells = grid.cell_count();
    Terrain::new(grid, UVec2::ONE).map_err(|_| LoadErrorKind::NoMemory { cells })
}
