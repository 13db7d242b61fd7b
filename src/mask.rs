//! Masks: black and white pictures, one pixel a cell.
//!
//! Nothing else decodes a mask's pixels into cells. `png`, `gif` and `whole` read the file formats and hand
//! over rows of raw samples, `rule` decides a pixel, `planes` says to which areas it belongs, `row` finds the
//! runs of pixels that are decided alike, `count` counts them, and this file makes them the bits of grids.

mod band;
mod count;
mod format;
mod gif;
mod header;
mod png;
mod row;
mod whole;

use std::io::{BufRead, Seek};
use std::path::Path;

use glam::UVec2;

use self::band::Band;
use self::count::Run;
use self::header::{Header, RowPlace, Rows, pixels};
use self::row::{Judge, Judged, Law, NoColor};
use crate::Level;
use crate::error::{LoadError, LoadErrorKind, Place};
use crate::level::loaded_terrain;
use crate::level::source::{MaskSource, Source};
use crate::options::LoadOptions;
use crate::rules::planes::Planes;

pub use count::MaskCounts;
pub(crate) use format::Format;

/// A fault in a picture, before its file is known.
#[derive(Debug)]
pub(crate) struct Fault {
    pixel: Option<(u32, u32)>,
    kind: LoadErrorKind,
}

impl Fault {
    pub(crate) fn at(self, path: &Path) -> LoadError {
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
pub(crate) fn load(
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
        let added = cells.add_row(&judge, place, samples);
        added.map_err(|missing| no_color(missing, place, header.palette.as_deref()))
    })?;
    cells.into_level(header, &planes, options)
}

/// The bits of the level and of its areas, and the counts.
struct Cells {
    solid: Band,
    areas: Vec<Band>,
    counts: MaskCounts,
}

impl Cells {
    fn new(size: UVec2, areas: usize) -> Result<Self, LoadErrorKind> {
        Ok(Self {
            solid: Band::new(size)?,
            areas: (0..areas)
                .map(|_| Band::new(size))
                .collect::<Result<_, _>>()?,
            counts: MaskCounts::default(),
        })
    }

    /// Judges one row of samples.
    fn add_row(
        &mut self,
        judge: &Judge<'_>,
        place: RowPlace,
        samples: &[u8],
    ) -> Result<(), NoColor> {
        let RowPlace { y, x, step, pixels } = place;
        if let (1, Some(judged)) = (step, judge.plain_bits()) {
            self.add_bits(judged, place, samples);
            return Ok(());
        }
        judge.runs(samples, pixels as usize, |run, judged| {
            let run = Run {
                y,
                first: x + run.start as u32 * step,
                last: x + (run.end as u32 - 1) * step,
                pixels: run.len() as u64,
            };
            self.counts.add(judged.kind, judged.solid, run);
            if judged.solid {
                self.solid.set_run(y, run.first, run.last, step);
            }
            let mut areas = judged.areas;
            while areas != 0 {
                let area = &mut self.areas[areas.trailing_zeros() as usize];
                area.set_run(y, run.first, run.last, step);
                areas &= areas - 1;
            }
        })
    }

    /// Adds a whole row of bits, the left pixel in the highest bit, by what 0 and 1 are judged: 64 pixels at
    /// a time, whatever they are.
    fn add_bits(&mut self, judged: [Judged; 2], place: RowPlace, row: &[u8]) {
        let RowPlace { y, x, pixels, .. } = place;
        let (whole, rest) = row.split_at(pixels as usize / 8);
        // What a row has beyond its last pixel may be anything.
        let last = rest
            .first()
            .map_or(0, |byte| u32::from(*byte) << (pixels % 8) >> 8);
        let (words, bytes) = whole.as_chunks::<8>();
        let ones = words
            .iter()
            .map(|word| u64::from_ne_bytes(*word).count_ones());
        let ones = ones.chain(bytes.iter().map(|byte| byte.count_ones()));
        let ones = ones.sum::<u32>() + last.count_ones();
        for (judged, count) in judged.iter().zip([pixels - ones, ones]) {
            let run = Run {
                y,
                first: x,
                last: pixels - 1,
                pixels: count.into(),
            };
            self.counts.add(judged.kind, judged.solid, run);
        }
        let [zero, one] = judged.map(|judged| u64::from(judged.solid).wrapping_neg());
        let inside = |start: u32| u64::MAX >> (64 - (pixels - start).min(64));
        let words = row.chunks(8).map(|bytes| {
            let mut word = [0; 8];
            word[..bytes.len()].copy_from_slice(bytes);
            u64::from_be_bytes(word).reverse_bits()
        });
        let words = (0..).step_by(64).zip(words);
        let solid = words.map(|(start, ones)| ((ones & one) | (!ones & zero)) & inside(start));
        self.solid.set_words(y, solid);
    }

    fn into_level(
        self,
        header: Header,
        planes: &Planes<'_>,
        options: &LoadOptions,
    ) -> Result<Level, Fault> {
        let solid = self.solid.into_grid()?;
        let source = Source::Mask(MaskSource {
            rule: options.mask_rule.clone(),
            planes: options.planes.clone(),
            counts: self.counts,
            format: header.format,
            animated: header.animated,
        });
        let (markers, maps) = (Vec::new(), Vec::new());
        let mut level = Level::assemble(solid, UVec2::ONE, options, source, markers, maps)?;
        for (name, band) in planes.names.iter().zip(self.areas) {
            level = level.with_area(*name, loaded_terrain(band.into_grid()?, UVec2::ONE)?);
        }
        Ok(level)
    }
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
