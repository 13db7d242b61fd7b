//! Masks: black and white pictures, one pixel a cell.
//!
//! Nothing else decodes a mask's pixels into cells. `png` yields rows of raw samples, `rule`
//! decides a pixel, `row` finds the runs of pixels that are decided alike, `count` counts them, and this
//! file makes them the bits of a grid. One pass; it holds a few rows of pixels at a time.

mod count;
mod png;
mod row;
mod rule;

use std::io::{BufRead, Seek};
use std::path::Path;

use glam::UVec2;

use self::count::Run;
use self::png::RowPlace;
use self::row::{Judge, NoColor};
use super::error::{LoadError, LoadErrorKind, Place};
use super::options::LoadOptions;
use super::source::{MaskSource, Source};
use crate::Level;
use crate::grid::{Grid, GridError, Plane};

pub use count::MaskCounts;
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

/// Loads the level that a PNG file shows.
pub(super) fn load(reader: impl BufRead + Seek, options: &LoadOptions) -> Result<Level, Fault> {
    let picture = png::open(reader, &options.limits)?;
    let header = picture.header.clone();
    let no_memory = |_: GridError| LoadErrorKind::NoMemory {
        cells: u64::from(header.size.x) * u64::from(header.size.y),
    };
    let mut rows = Grid::blank_rows(header.size.x, header.size.y).map_err(no_memory)?;
    let mut counts = MaskCounts::default();
    let judge = Judge::new(&options.mask_rule, &header);
    picture.for_each_row(|place, samples| {
        add_row(&judge, place, samples, &mut rows, &mut counts)
            .map_err(|missing| no_color(missing, place, header.palette.as_deref()))
    })?;
    let grid = Grid::from_rows(rows).map_err(no_memory)?;
    let source = Source::Mask(MaskSource {
        rule: options.mask_rule.clone(),
        counts,
        format: header.format,
        animated: header.animated,
    });
    Ok(Level::assemble(
        grid,
        UVec2::ONE,
        options,
        source,
        Vec::new(),
        None,
    )?)
}

/// Judges one row of samples into the bits and the counts.
fn add_row(
    judge: &Judge<'_>,
    place: RowPlace,
    samples: &[u8],
    rows: &mut Plane,
    counts: &mut MaskCounts,
) -> Result<(), NoColor> {
    let RowPlace { y, x, step, pixels } = place;
    judge.runs(samples, pixels as usize, |run, judged| {
        let first = x + run.start as u32 * step;
        let last = x + (run.end as u32 - 1) * step;
        let found = Run {
            y,
            first,
            last,
            pixels: run.len() as u64,
        };
        counts.add(judged.kind, judged.solid, found);
        if judged.solid && step == 1 {
            rows.set_run(y, first..last + 1);
        } else if judged.solid {
            for x in (first..=last).step_by(step as usize) {
                rows.set_run(y, x..x + 1);
            }
        }
    })
}

fn no_color(missing: NoColor, place: RowPlace, palette: Option<&[[u8; 4]]>) -> Fault {
    let index = missing.index;
    let colors = palette.map_or(0, <[_]>::len);
    let kind = LoadErrorKind::Picture {
        reason: format!("the pixel has the value {index}, but the palette only {colors} colours"),
    };
    Fault {
        pixel: Some((place.x + missing.place as u32 * place.step, place.y)),
        kind,
    }
}

#[cfg(test)]
mod tests;
