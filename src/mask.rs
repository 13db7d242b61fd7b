//! Masks: black and white pictures, one pixel a cell.
//!
//! The only module that decodes a mask's pixels into cells. The file formats are read by `png`, `gif` and
//! `whole` (with `bmp` and `tga`), which give a `picture`: rows of raw samples. `class` applies the rules to
//! one pixel, `classify` to the rows of a picture, 64 pixels at a time; `facts` counts. The module opens no
//! file and knows no level.

mod bmp;
mod class;
mod classify;
mod facts;
mod format;
mod gif;
mod picture;
mod png;
mod tga;
mod whole;

use std::io::{self, BufRead, Seek};
use std::path::Path;

use glam::UVec2;

use self::class::MaskRules;
use self::classify::{ClassRow, Classifier, NoColor};
use self::picture::{Picture, Samples, pixels};
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::grid::{Grid, RowBuilder};
use crate::options::LoadOptions;
use crate::rules::planes::Planes;

pub use facts::{MaskCounts, MaskSource};
pub(crate) use format::Format;

/// A fault in a picture, before its file is known.
#[derive(Debug)]
pub(crate) struct Fault {
    pixel: Option<(u32, u32)>,
    kind: LoadErrorKind,
}

impl Fault {
    pub(crate) fn at(self, path: &Path) -> LoadError {
        let place = Place { pixel: self.pixel, ..Place::default() };
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

fn io_fault(error: io::Error) -> Fault {
    match error.kind() {
        io::ErrorKind::UnexpectedEof => broken("the file ends too early".to_owned()),
        _ => LoadErrorKind::Io(error).into(),
    }
}

/// A decoded mask.
#[derive(Debug)]
pub(crate) struct Mask {
    /// The solid pixels.
    pub(crate) solid: Grid,
    /// The pixels of each area, by its name, in the order of the planes.
    pub(crate) areas: Vec<(String, Grid)>,
    pub(crate) source: MaskSource,
}

/// Decodes a picture of this format. The file is read from where it is to its end, or to the end of the first
/// frame.
pub(crate) fn decode(
    file: impl BufRead + Seek,
    format: Format,
    options: &LoadOptions,
) -> Result<Mask, Fault> {
    let limits = &options.limits;
    let Picture { header, samples } = match format {
        Format::Png => png::open(file, limits),
        Format::Gif => gif::open(file, limits),
        Format::Bmp => whole::open_bmp(file, limits),
        Format::WebP => whole::open_webp(file, limits),
        Format::Tga => whole::open_tga(file, limits),
    }?;
    let planes = Planes::new(&options.planes)?;
    let rules = MaskRules { rule: &options.mask_rule, planes: &planes };
    let mut classifier = Classifier::new(rules, &header);
    let mut cells = Cells::new(header.size, planes.names.len())?;
    let colors = header.palette.as_ref().map_or(0, Vec::len);
    let mut add_row = |y, row: &[u8]| {
        let classes = classifier.split(row).map_err(|missing| no_color(missing, y, colors))?;
        classes.for_each(|row| cells.add(y, row));
        Ok(())
    };
    match samples {
        Samples::Png(file) => png::for_each_row(file, &header, add_row)?,
        Samples::Decoded(samples) => {
            let mut rows = (0..).zip(samples.chunks_exact(header.row_bytes()));
            rows.try_for_each(|(y, row)| add_row(y, row))?;
        }
    }
    let named = planes.names.iter().zip(cells.areas);
    let areas = named.map(|(name, area)| ((*name).to_owned(), area.finish()));
    Ok(Mask {
        areas: areas.collect(),
        solid: cells.solid.finish(),
        source: MaskSource {
            rule: options.mask_rule.clone(),
            planes: options.planes.clone(),
            counts: cells.counts,
            format: header.format,
            animated: header.animated,
        },
    })
}

/// The bits of the level and of its areas in the making, and the counts.
struct Cells {
    solid: RowBuilder,
    areas: Vec<RowBuilder>,
    counts: MaskCounts,
}

impl Cells {
    fn new(size: UVec2, areas: usize) -> Result<Self, LoadErrorKind> {
        let cells = pixels(size);
        let blank = |_| {
            let builder = RowBuilder::new(size.x, size.y);
            builder.map_err(|_| LoadErrorKind::NoMemory { cells })
        };
        Ok(Self {
            solid: blank(0)?,
            areas: (0..areas).map(blank).collect::<Result<_, _>>()?,
            counts: MaskCounts::default(),
        })
    }

    /// Adds the pixels of one class in row `y`.
    fn add(&mut self, y: u32, row: &ClassRow) {
        let ClassRow { class, words, .. } = row;
        self.counts.add(y, *class, words);
        if class.solid {
            self.solid.or_row(y, words);
        }
        let areas = (0..).zip(&mut self.areas);
        for (_, area) in areas.filter(|(number, _)| class.areas >> number & 1 == 1) {
            area.or_row(y, words);
        }
    }
}

fn no_color(missing: NoColor, y: u32, colors: usize) -> Fault {
    let NoColor { x, value } = missing;
    Fault {
        pixel: Some((x, y)),
        ..broken(format!("the pixel has the value {value}, but the palette only {colors} colours"))
    }
}

/// A sentence without its capital and its full stop.
fn as_clause(sentence: &str) -> String {
    let mut rest = sentence.trim_end_matches('.').chars();
    let first = rest.next().map(|first| first.to_ascii_lowercase());
    first.into_iter().chain(rest).collect()
}

#[cfg(test)]
mod tests;
