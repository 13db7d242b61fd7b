//! Decodes a picture into the cells of a level and of its areas, and counts its pixels.

use std::io::{BufRead, Seek};

use glam::UVec2;

use super::class::{MaskRules, PixelClass, PixelKind};
use super::classify::Classifier;
use super::clear_edge::ClearEdge;
use super::facts::{MaskCounts, MaskSource};
use super::fault::{Fault, no_color};
use super::format::Format;
use super::odd::OddPixels;
use super::picture::{Header, Picture, Samples, pixels};
use super::png;
use super::rows::ClassRow;
#[cfg(feature = "formats")]
use super::{gif, whole};
use crate::error::LoadErrorKind;
use crate::grid::{Grid, RowBuilder};
use crate::options::LoadOptions;
use crate::rules::mask::Planes;

/// A decoded mask.
#[derive(Debug)]
pub(crate) struct Mask {
    /// The solid pixels.
    pub(crate) solid: Grid,
    /// The pixels of each area, by its name, in the order of the planes.
    pub(crate) areas: Vec<(String, Grid)>,
    pub(crate) source: MaskSource,
    /// The odd pixels, if there are any.
    pub(crate) odd: Option<Box<OddPixels>>,
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
        #[cfg(feature = "formats")]
        Format::Gif => gif::open(file, limits),
        #[cfg(feature = "formats")]
        Format::Bmp => whole::open_bmp(file, limits),
        #[cfg(feature = "formats")]
        Format::WebP => whole::open_webp(file, limits),
        #[cfg(feature = "formats")]
        Format::Tga => whole::open_tga(file, limits),
        #[cfg(not(feature = "formats"))]
        Format::Gif | Format::Bmp | Format::WebP | Format::Tga => {
            let found = "a picture that is no PNG";
            Err(LoadErrorKind::MissingFeature { found, feature: "formats" }.into())
        }
    }?;
    let planes = Planes::new(&options.planes)?;
    let rules = MaskRules { rule: &options.mask_rule, planes: &planes };
    let mut classifier = Classifier::new(rules, &header);
    let mut cells = Cells::new(&header, planes.names.len())?;
    let colors = header.palette.as_ref().map_or(0, Vec::len);
    let mut add_row = |y, row: &[u8]| {
        let classes = classifier.split(y, row).map_err(|missing| no_color(missing, y, colors))?;
        cells.add_row(y, classes);
        Ok(())
    };
    match samples {
        Samples::Png(file) => png::for_each_row(file, &header, add_row)?,
        Samples::Decoded(samples) => {
            // A row of samples that are in memory has a length that memory can have.
            let length = usize::try_from(header.row_bytes()).unwrap_or(usize::MAX);
            let mut rows = (0..).zip(samples.chunks_exact(length));
            rows.try_for_each(|(y, row)| add_row(y, row))?;
        }
    }
    let odd = match (classifier.into_odd(), cells.odd) {
        (Some(mut odd), Some(bits)) => {
            (odd.gray, odd.translucent) = (bits.gray, bits.translucent);
            Some(odd)
        }
        _ => None,
    };
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
        odd,
    })
}

/// The bits of the level and of its areas in the making, and the counts.
struct Cells {
    solid: RowBuilder,
    areas: Vec<RowBuilder>,
    counts: MaskCounts,
    size: UVec2,
    /// `None` before the first odd pixel.
    odd: Option<Box<OddPixels>>,
    /// `None` if no pixel can be transparent.
    clear_edge: Option<ClearEdge>,
}

impl Cells {
    fn new(header: &Header, areas: usize) -> Result<Self, LoadErrorKind> {
        let size = header.size;
        let cells = pixels(size);
        let blank = |_| {
            let builder = RowBuilder::new(size.x, size.y);
            builder.map_err(|_| LoadErrorKind::NoMemory { cells })
        };
        Ok(Self {
            solid: blank(0)?,
            areas: (0..areas).map(blank).collect::<Result<_, _>>()?,
            counts: MaskCounts::default(),
            size,
            odd: None,
            clear_edge: header.may_be_clear().then(ClearEdge::default),
        })
    }

    /// Adds row `y`, whose pixels are each of one of these classes.
    fn add_row<'a>(&mut self, y: u32, classes: impl Iterator<Item = &'a ClassRow>) {
        let mut classes = classes.peekable();
        let mut left = u64::from(self.size.x);
        while let Some(ClassRow { class, words, .. }) = classes.next() {
            // The last class has the rest of the row, which need not be counted.
            let count = match classes.peek() {
                Some(_) => words.iter().map(|word| u64::from(word.count_ones())).sum(),
                None => left,
            };
            left -= count;
            self.add(y, *class, words, count);
        }
        if let Some(edge) = &mut self.clear_edge {
            edge.end_row(&mut self.counts);
        }
    }

    /// Adds the `count` pixels of one class in row `y`.
    fn add(&mut self, y: u32, class: PixelClass, words: &[u64], count: u64) {
        self.counts.add(y, class, words, count);
        if let Some(edge) = &mut self.clear_edge {
            edge.add(class.kind, words);
        }
        if matches!(class.kind, PixelKind::Gray | PixelKind::Translucent) {
            self.odd.get_or_insert_default().add_row(self.size, y, class, words);
        }
        if class.solid {
            self.solid.or_row(y, words);
        }
        let areas = (0..).zip(&mut self.areas);
        for (_, area) in areas.filter(|(number, _)| class.areas >> number & 1 == 1) {
            area.or_row(y, words);
        }
    }
}
