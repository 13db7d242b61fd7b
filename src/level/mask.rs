//! Masks: black and white pictures, one pixel a cell.
//!
//! Nothing else decodes a mask's pixels into cells. `png`, `gif` and `whole` read the file formats and hand
//! over rows of raw samples, `rule` decides a pixel, `planes` says to which areas it belongs, `row` and
//! `values` find the pixels that are decided alike, `count` counts them, `cells` and `band` make them the
//! bits of grids.

mod band;
mod cells;
mod count;
mod format;
mod gif;
mod header;
mod planes;
mod png;
mod row;
mod rule;
mod values;
mod whole;

use std::io::{BufRead, Seek};
use std::path::Path;

use glam::UVec2;

use self::cells::Cells;
use self::header::{Header, RowPlace, Rows, pixels};
use self::planes::Planes;
use self::row::{Judge, Law, NoColor};
use super::error::{LoadError, LoadErrorKind, Place};
use super::options::LoadOptions;
use super::source::{MaskSource, Source};
use crate::Level;

pub use count::MaskCounts;
pub(super) use format::Format;
pub use planes::{MaskPlane, ParseMaskPlaneError};
pub use rule::{MaskRule, ParseMaskRuleError};

/// A fault in a picture, before its file is known.
#[derive(Debug)]
pub(super) struct Fault {
    pixel: Option<(u32, u32)>,
    kind: LoadErrorKind,
}

impl Fault {
    pub(super) fn at(self, path: &Path) -> LoadError {
        let place = Place {
            pixel: self.pixel,
            ..Place::default()
        };
        LoadError::new(path, place, self.kind)
    }
}

impl From<LoadErrorKind> for Fault {
    fn from(kind: LoadErrorKind) -> Self {
        Self { pixel: None, kind }
    }
}

fn broken(reason: String) -> Fault {
    LoadErrorKind::Picture { reason }.into()
}

/// Loads the level that a picture of this format shows.
pub(super) fn load(
    reader: impl BufRead + Seek,
    format: Format,
    options: &LoadOptions,
) -> Result<Level, Fault> {
    let limits = &options.limits;
    match format {
        Format::Png => load_rows(png::open(reader, limits)?, options),
        Format::Gif => load_rows(gif::open(reader, limits)?, options),
        Format::Bmp => load_rows(whole::bmp(reader, limits)?, options),
        Format::WebP => load_rows(whole::webp(reader, limits)?, options),
        Format::Tga => load_rows(whole::tga(reader, limits)?, options),
    }
}

fn load_rows(picture: impl Rows, options: &LoadOptions) -> Result<Level, Fault> {
    let header = picture.header().clone();
    let planes = Planes::new(&options.planes)?;
    let judge = Judge::new(
        Law {
            rule: &options.mask_rule,
            planes: &planes,
        },
        &header,
    );
    let mut cells = Cells::new(header.size, planes.names.len())?;
    picture.for_each_row(|place, samples| {
        let added = judge.add_row(samples, place.pixels as usize, &mut cells.row(place));
        added.map_err(|missing| no_color(missing, place, header.palette.as_deref()))
    })?;
    into_level(cells, header, &planes, options)
}

/// The level of these cells.
fn into_level(
    cells: Cells,
    header: Header,
    planes: &Planes<'_>,
    options: &LoadOptions,
) -> Result<Level, Fault> {
    let mut areas = Vec::new();
    for (name, band) in planes.names.iter().zip(cells.areas) {
        let area = Level::assemble(
            band.into_grid()?,
            UVec2::ONE,
            options,
            Source::Grid,
            Vec::new(),
            Vec::new(),
        )?;
        areas.push(((*name).to_owned(), area));
    }
    let solid = cells.solid.into_grid()?;
    let source = Source::Mask(MaskSource {
        rule: options.mask_rule.clone(),
        planes: options.planes.clone(),
        counts: cells.counts,
        format: header.format,
        animated: header.animated,
    });
    let (markers, maps) = (Vec::new(), Vec::new());
    let level = Level::assemble(solid, UVec2::ONE, options, source, markers, maps)?;
    Ok(level.with_areas(areas))
}

fn no_color(missing: NoColor, place: RowPlace, palette: Option<&[[u8; 4]]>) -> Fault {
    Fault {
        pixel: Some((place.x + missing.place as u32 * place.step, place.y)),
        ..no_color_reason(missing.index, palette.map_or(0, <[_]>::len))
    }
}

fn no_color_reason(index: u8, colors: usize) -> Fault {
    broken(format!(
        "the pixel has the value {index}, but the palette only {colors} colours"
    ))
}

/// A sentence without its capital and its full stop.
fn as_clause(sentence: &str) -> String {
    let mut rest = sentence.trim_end_matches('.').chars();
    let first = rest.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests;
