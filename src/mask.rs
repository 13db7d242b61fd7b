//! Masks: black and white pictures, one pixel a cell.
//!
//! The only module that decodes a mask's pixels into cells. The file formats are read by `png`, `gif` and
//! `whole` (with `bmp` and `tga`), which give a `picture`: rows of raw samples. `class` applies the rules to
//! one pixel, `classify` to the rows of a picture, 64 pixels at a time; `facts` counts, and `buffer` gathers
//! the bits of grids. The module opens no file and knows no level.

mod bmp;
mod buffer;
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

use self::buffer::RowBuffer;
use self::class::MaskRules;
use self::classify::{Classifier, NoColor};
use self::picture::{Picture, Samples};
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::grid::Grid;
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
    let classifier = Classifier::new(rules, &header);
    let mut cells = Cells::new(header.size, planes.names.len())?;
    let mut add_row = |y, row: &[u8]| {
        let added = cells.add_row(y, row, header.size.x, &classifier);
        let colors = header.palette.as_ref().map_or(0, Vec::len);
        added.map_err(|missing| no_color(missing, y, colors))
    };
    match samples {
        Samples::Png(file) => png::for_each_row(file, &header, add_row)?,
        Samples::Decoded(samples) => {
            let mut rows = (0..).zip(samples.chunks_exact(header.row_bytes()));
            rows.try_for_each(|(y, row)| add_row(y, row))?;
        }
    }
    let named = planes.names.iter().zip(cells.areas);
    let areas = named.map(|(name, area)| Ok(((*name).to_owned(), area.into_grid()?)));
    Ok(Mask {
        areas: areas.collect::<Result<_, LoadErrorKind>>()?,
        solid: cells.solid.into_grid()?,
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
    solid: RowBuffer,
    areas: Vec<RowBuffer>,
    counts: MaskCounts,
}

impl Cells {
    fn new(size: UVec2, areas: usize) -> Result<Self, LoadErrorKind> {
        let areas = (0..areas).map(|_| RowBuffer::new(size));
        Ok(Self {
            solid: RowBuffer::new(size)?,
            areas: areas.collect::<Result<_, _>>()?,
            counts: MaskCounts::default(),
        })
    }

    /// Adds the samples of row `y`.
    fn add_row(
        &mut self,
        y: u32,
        row: &[u8],
        width: u32,
        classifier: &Classifier<'_>,
    ) -> Result<(), NoColor> {
        classifier.classify(row, width as usize, |pixels, class| {
            self.counts.add(y, pixels, class);
            if class.solid {
                self.solid.set(pixels.x, y, pixels.bits);
            }
            let mut areas = class.areas;
            while areas != 0 {
                self.areas[areas.trailing_zeros() as usize].set(pixels.x, y, pixels.bits);
                areas &= areas - 1;
            }
        })
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
