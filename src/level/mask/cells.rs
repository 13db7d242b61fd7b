//! The bits of a mask's level and of its areas, and the counts, as the judgements come in.
//!
//! It judges nothing: a row's pixels come in blocks of 64, one after the other from its first pixel on.

use std::ops::Range;

use glam::UVec2;

use super::band::Band;
use super::count::{MaskCounts, Run};
use super::header::RowPlace;
use super::row::Judged;
use crate::level::error::LoadErrorKind;

/// Pixels in a block.
pub(super) const BLOCK: usize = 64;

/// The bits of the level and of its areas, and the counts.
pub(super) struct Cells {
    pub(super) solid: Band,
    pub(super) areas: Vec<Band>,
    pub(super) counts: MaskCounts,
}

impl Cells {
    pub(super) fn new(size: UVec2, areas: usize) -> Result<Self, LoadErrorKind> {
        let areas = (0..areas).map(|_| Band::new(size));
        Ok(Self {
            solid: Band::new(size)?,
            areas: areas.collect::<Result<_, _>>()?,
            counts: MaskCounts::default(),
        })
    }

    /// The row at this place, to be written.
    pub(super) fn row(&mut self, place: RowPlace) -> RowCells<'_> {
        for band in self.areas.iter_mut().chain([&mut self.solid]) {
            band.enter(place.y);
        }
        RowCells { cells: self, place }
    }
}

/// One row of [`Cells`].
pub(super) struct RowCells<'a> {
    cells: &'a mut Cells,
    place: RowPlace,
}

impl RowCells<'_> {
    /// Adds all pixels of these blocks.
    pub(super) fn add_blocks(&mut self, blocks: Range<usize>, judged: Judged) {
        let pixels = blocks.start * BLOCK..blocks.end * BLOCK;
        self.count(pixels.clone(), pixels.len() as u64, judged);
        if judged.solid {
            self.cells.solid.set_blocks(self.place, blocks.clone());
        }
        for area in numbers(judged.areas) {
            self.cells.areas[area].set_blocks(self.place, blocks.clone());
        }
    }

    /// Adds these pixels of a block, bit 0 the first, of which there are `count`, at least one.
    #[inline]
    pub(super) fn add(&mut self, block: usize, bits: u64, count: u32, judged: Judged) {
        let start = block * BLOCK;
        let (first, end) = (bits.trailing_zeros(), 64 - bits.leading_zeros());
        let pixels = start + first as usize..start + end as usize;
        self.count(pixels, u64::from(count), judged);
        if judged.solid {
            self.set_solid(block, bits);
        }
        for area in numbers(judged.areas) {
            self.cells.areas[area].set(self.place, block, bits);
        }
    }

    /// Counts pixels, of which the first and the last are those of `pixels`.
    #[inline]
    pub(super) fn count(&mut self, pixels: Range<usize>, count: u64, judged: Judged) {
        let RowPlace { y, x, step, .. } = self.place;
        let run = Run {
            y,
            first: x + pixels.start as u32 * step,
            last: x + (pixels.end as u32 - 1) * step,
            pixels: count,
        };
        self.cells.counts.add(judged.kind, judged.solid, run);
    }

    /// Makes pixels of a block solid without a count.
    #[inline]
    pub(super) fn set_solid(&mut self, block: usize, bits: u64) {
        self.cells.solid.set(self.place, block, bits);
    }
}

/// The numbers of the bits that are set.
#[inline]
fn numbers(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let number = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        number
    })
}
