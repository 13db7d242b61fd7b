//! Writes and reads baked levels, with the reasons that their cells are solid. Only this module has unsafe
//! code, for the memory map of a baked level's file.

use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "tmx")]
use glam::UVec2;

use super::disk::{self, Links};
#[cfg(feature = "tmx")]
use super::loaded::Explainer;
use super::loaded::{BakedSource, LoadedLevel, Source};
#[cfg(feature = "tmx")]
use crate::baked::CauseBuilder;
use crate::baked::{BakeError, BakedLevel, BakedSources, Causes, bake};
#[cfg(feature = "tmx")]
use crate::build::CellSquare;
use crate::error::{LoadError, LoadErrorKind, Place};
#[cfg(feature = "tmx")]
use crate::geometry::Dir;
#[cfg(feature = "tmx")]
use crate::grid::{joined_rows, low_bits};
use crate::level::Level;
use crate::limits::Limits;
#[cfg(feature = "tmx")]
use crate::limits::Spent;

/// The options for baking a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BakeOptions {
    /// Stores the reason that each cell is solid or one-way, for [`BakedLevel::provenance`]. A mask has no
    /// reasons. Default: false.
    pub provenance: bool,
    /// The sources to store, for [`BakedSources::decode`]. Default: none.
    pub sources: Option<BakedSources>,
}

pub(super) fn decode_baked(path: &Path, bytes: &[u8]) -> Result<LoadedLevel, LoadError> {
    let baked = BakedLevel::decode(bytes).map_err(|error| damaged(path, &error))?;
    let BakedLevel { level, content_hash, causes } = baked;
    let source = BakedSource { content_hash, causes: causes.map(Arc::new) };
    Ok(LoadedLevel::new(level, Source::Baked(source), Vec::new()))
}

fn damaged(path: &Path, error: &BakeError) -> LoadError {
    let kind = LoadErrorKind::Baked { reason: error.headline(), help: error.help() };
    LoadError::new(path, Place::default(), kind)
}

impl LoadedLevel {
    /// Bakes the level as [`Level::bake`]. With [`BakeOptions::provenance`], the bytes include the reason
    /// that each cell is solid or one-way. O(n / 64) for n cells. Reasons add O(b * l + t) for b blocks of 64
    /// x 64 cells with a solid cell, l tile layers and solid objects, and t tiles in these blocks.
    ///
    /// ```
    /// use bitwall::baked::BakedLevel;
    /// use bitwall::load::BakeOptions;
    /// use bitwall::{LoadOptions, LoadedLevel, glam::IVec2};
    ///
    /// let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
    /// let bytes = loaded.bake(&BakeOptions { provenance: true, ..BakeOptions::default() })?;
    /// let baked = BakedLevel::decode(bytes)?;
    /// assert_eq!(baked.provenance(IVec2::ZERO), loaded.provenance(IVec2::ZERO).as_ref());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Fails as [`Level::bake`]. Fails with [`BakeError::TooMuchWork`] if finding the reasons takes more work
    /// than [`Limits::work`](crate::Limits::work).
    pub fn bake(&self, options: &BakeOptions) -> Result<Vec<u8>, BakeError> {
        let causes = if options.provenance { causes(self)? } else { None };
        bake(&self.level, causes.as_ref(), options.sources.as_ref())
    }
}

/// Finds the reason why each cell is solid or one-way. Returns `None` for a mask, and for a level baked
/// without reasons.
#[cfg(feature = "tmx")]
fn causes(loaded: &LoadedLevel) -> Result<Option<Causes>, BakeError> {
    let has_none = match &loaded.source {
        Source::Baked(source) => !source.has_provenance(),
        _ => loaded.maps.is_empty(),
    };
    if has_none {
        return Ok(None);
    }
    let (level, mut explainer) = (&loaded.level, loaded.explainer());
    let limits = explainer.limits;
    let too_much = |_| BakeError::TooMuchWork { limit: limits.work };
    let (mut builder, mut spent) = (CauseBuilder::default(), Spent::default());
    let guards = Dir::ALL.into_iter().filter_map(|side| level.one_way(side));
    // Adjacent cells of a row that are solid for the same reason: row, first column, end column (exclusive),
    // index of the reason in `builder`.
    let mut runs: Vec<[u32; 4]> = Vec::new();
    for (row, blocks) in joined_rows(guards.chain([level.grid()])) {
        for (column, cells) in blocks {
            let first = UVec2::new(column, row) * 64;
            for (row, mut cells, cause) in
                explainer.square(first, cells, &mut builder, &mut spent)?
            {
                let y = first.y + row as u32;
                while cells != 0 {
                    let start = cells.trailing_zeros();
                    let length = (cells >> start).trailing_ones();
                    runs.push([y, first.x + start, first.x + start + length, cause]);
                    cells &= !(u64::MAX >> (64 - length) << start);
                }
            }
        }
        runs.sort_unstable();
        let known = builder.len();
        runs.drain(..).for_each(|[row, start, end, cause]| builder.add(start..end, row, cause));
        let steps = (builder.len() - known) as u64 * STEPS_A_RECTANGLE;
        spent.work(steps, limits).map_err(too_much)?;
    }
    Ok(Some(builder.finish()))
}

/// The work, in steps of [`Limits::work`], that counts for each rectangle of cells with the same reason. It
/// stands for the memory of the rectangle and for its bytes in the file.
#[cfg(feature = "tmx")]
const STEPS_A_RECTANGLE: u64 = 1 << 10;

#[cfg(feature = "tmx")]
impl Explainer<'_> {
    /// Finds out why cells are solid in the block of 64 x 64 cells whose top-left cell is `first`. Each word
    /// of `cells` is a row of the block, with a set bit for each cell to explain. Each entry of the result is
    /// a row of the block, bits of cells in this row, and the index of their common reason in `builder`.
    fn square(
        &mut self,
        first: UVec2,
        cells: [u64; 64],
        builder: &mut CauseBuilder,
        spent: &mut Spent,
    ) -> Result<Vec<(usize, u64, u32)>, BakeError> {
        let limits = self.limits;
        let too_much = |_| BakeError::TooMuchWork { limit: limits.work };
        let (mut rest, mut parts) = (cells.to_vec(), Vec::new());
        if let Some(causes) = self.baked {
            spent.work(causes.len() as u64, limits).map_err(too_much)?;
            let end = first.saturating_add(UVec2::splat(64));
            for (columns, rows, cause) in causes.within(first.x..end.x, first.y..end.y) {
                let number = builder.number(cause.clone())?;
                let columns = low_bits((columns.end - first.x).into())
                    & !low_bits((columns.start - first.x).into());
                for row in rows {
                    let row = (row - first.y) as usize;
                    parts.push((row, rest[row] & columns, number));
                    rest[row] &= !columns;
                }
            }
            return Ok(parts);
        }
        let (corner, cell) = (self.level.cell_area(first.as_ivec2()).min, self.level.cell_size());
        let mut square = CellSquare { corner, cell, rest };
        for map in &mut self.maps {
            let mut last = None;
            for (key, row, cells) in
                map.explain_square(&mut square, spent, limits).map_err(too_much)?
            {
                let number = match last {
                    Some((known, number)) if known == key => number,
                    _ => match map.provenance(key) {
                        Some(cause) => builder.number(cause)?,
                        None => continue,
                    },
                };
                last = Some((key, number));
                parts.push((row, cells, number));
            }
        }
        Ok(parts)
    }
}

#[cfg(not(feature = "tmx"))]
fn causes(_: &LoadedLevel) -> Result<Option<Causes>, BakeError> {
    Ok(None)
}

/// Loads a baked level through a memory map, under the safety rules of [`Level::map_baked`].
#[allow(unsafe_code)]
pub(super) unsafe fn load_mapped(path: &Path) -> Result<Level, LoadError> {
    let error = |kind| LoadError::new(path, Place::default(), kind);
    let limit = Limits::default().file_bytes();
    let (file, length) = disk::open_file(path, Links::Followed, limit).map_err(error)?;
    let decoded = if length == 0 {
        BakedLevel::decode([])
    } else {
        // SAFETY: the caller promises that nobody changes the file until this function returns, and the
        // memory map does not outlive this function. Measured by `--bench baked`: a level of 6.3 MB opens in
        // 2.9 ms, against 3.3 ms by reading; a level of 34 MB in 63 ms, against 94 ms; a level of 1.2 MB
        // gains only 5%.
        let map = unsafe { memmap2::MmapOptions::new().populate().map_copy_read_only(&file) };
        BakedLevel::decode(map.map_err(|cause| error(LoadErrorKind::Io(cause)))?)
    };
    decoded.map(|baked| baked.level).map_err(|error| damaged(path, &error))
}
