//! Baked levels among those that are loaded: their facts, and the baking of a level with its causes.
//!
//! The format is in [`baked`](crate::baked). Nothing here opens a file.

use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "tmx")]
use glam::UVec2;

use super::loaded::{BakedSource, LoadedLevel};
#[cfg(feature = "tmx")]
use super::loaded::{Explainer, Source};
#[cfg(feature = "tmx")]
use crate::baked::CauseBuilder;
use crate::baked::{BakeError, BakedLevel, Causes, bake};
#[cfg(feature = "tmx")]
use crate::build::Square;
use crate::error::{LoadError, LoadErrorKind, Place};
#[cfg(feature = "tmx")]
use crate::geometry::Dir;
#[cfg(feature = "tmx")]
use crate::grid::{joined_rows, low_bits};
use crate::level::Level;
#[cfg(feature = "tmx")]
use crate::limits::{Limits, Spent};

/// Options of baking: the parts that a file has beside the level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BakeOptions {
    /// True to keep why each cell is solid or one-way, for [`BakedLevel::provenance`]. A mask has no such
    /// reasons. Default: false.
    pub provenance: bool,
}

/// The error of a file that is no baked level.
pub(super) fn unbaked(path: &Path, error: &BakeError) -> LoadError {
    let kind = LoadErrorKind::Baked { reason: error.headline(), help: error.help() };
    LoadError::new(path, Place::default(), kind)
}

/// The level of a baked one, and its facts.
pub(super) fn parts(baked: BakedLevel) -> (Level, BakedSource) {
    let (level, content_hash, causes) = baked.into_parts();
    (level, BakedSource { content_hash, causes: causes.map(Arc::new) })
}

impl LoadedLevel {
    /// As [`Level::bake`], on request with the reasons that its cells are solid.
    /// O(cells / 64), with reasons O(blocks of 64 x 64 cells with a solid one x (tile layers + solid objects)
    /// + tiles that cover them).
    ///
    /// ```
    /// use bitwall::baked::BakedLevel;
    /// use bitwall::load::BakeOptions;
    /// use bitwall::{LoadOptions, LoadedLevel, glam::IVec2};
    ///
    /// let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
    /// let bytes = loaded.bake(&BakeOptions { provenance: true })?;
    /// let baked = BakedLevel::decode(bytes)?;
    /// assert_eq!(baked.provenance(IVec2::ZERO), loaded.provenance(IVec2::ZERO).as_ref());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Level::bake`], and [`BakeError::TooMuchWork`] for reasons that take more than
    /// [`Limits::work`](crate::Limits::work).
    pub fn bake(&self, options: &BakeOptions) -> Result<Vec<u8>, BakeError> {
        match options.provenance {
            true => bake(&self.level, causes(self)?.as_ref()),
            false => self.level.bake(),
        }
    }
}

/// The causes of all cells; `None` for a source that has none.
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
    let (mut builder, mut spent) = (CauseBuilder::default(), Spent::default());
    let guards = Dir::ALL.into_iter().filter_map(|side| level.one_way(side));
    // Runs of cells with one cause: row, first column, the column after the last, number of the cause.
    let mut runs: Vec<[u32; 4]> = Vec::new();
    for (row, blocks) in joined_rows(guards.chain([level.grid()])) {
        for (column, cells) in blocks {
            let first = UVec2::new(column, row) * 64;
            explainer.square(first, cells, &mut builder, &mut spent, &mut runs)?;
        }
        runs.sort_unstable();
        let known = builder.len();
        runs.drain(..).for_each(|[row, start, end, cause]| builder.add(start..end, row, cause));
        let steps = (builder.len() - known) as u64 * STEPS_A_RECTANGLE;
        spent.work(steps, explainer.limits).map_err(|_| too_much_work(explainer.limits))?;
    }
    Ok(Some(builder.finish()))
}

/// The steps of work for a rectangle of cells with one cause, which takes memory and bytes of the file too.
#[cfg(feature = "tmx")]
const STEPS_A_RECTANGLE: u64 = 1 << 10;

#[cfg(feature = "tmx")]
fn too_much_work(limits: &Limits) -> BakeError {
    BakeError::TooMuchWork { limit: limits.work }
}

#[cfg(feature = "tmx")]
impl Explainer<'_> {
    /// Adds the runs of cells with one cause in the square of 64 x 64 cells from `first` on. `cells` has the
    /// rows of those that are looked for.
    fn square(
        &mut self,
        first: UVec2,
        cells: [u64; 64],
        builder: &mut CauseBuilder,
        spent: &mut Spent,
        runs: &mut Vec<[u32; 4]>,
    ) -> Result<(), BakeError> {
        let mut add = |row: usize, mut cells: u64, cause: u32| {
            let y = first.y + row as u32;
            while cells != 0 {
                let start = cells.trailing_zeros();
                let length = (cells >> start).trailing_ones();
                runs.push([y, first.x + start, first.x + start + length, cause]);
                cells &= !(u64::MAX >> (64 - length) << start);
            }
        };
        let limits = &self.limits;
        let too_much = |_| too_much_work(limits);
        if let Some(causes) = self.baked {
            spent.work(causes.len() as u64, limits).map_err(too_much)?;
            let mut rest = cells;
            for (columns, rows, cause) in causes
                .within(first.x..first.x.saturating_add(64), first.y..first.y.saturating_add(64))
            {
                let number = builder.number(cause.clone())?;
                let columns = low_bits((columns.end - first.x).into())
                    & !low_bits((columns.start - first.x).into());
                for row in rows {
                    let row = (row - first.y) as usize;
                    add(row, rest[row] & columns, number);
                    rest[row] &= !columns;
                }
            }
            return Ok(());
        }
        let (corner, cell) = (self.level.cell_area(first.as_ivec2()).min, self.level.cell_size());
        let mut square = Square { corner, cell, rest: cells };
        for causes in &mut self.causes {
            let mut found = Vec::new();
            let add_found = |told, row, cells| found.push((told, row, cells));
            causes.explain_square(&mut square, spent, add_found).map_err(too_much)?;
            let mut last = None;
            for (told, row, cells) in found {
                let number = match last {
                    Some((known, number)) if known == told => number,
                    _ => match causes.told(told) {
                        Some(cause) => builder.number(cause)?,
                        None => continue,
                    },
                };
                last = Some((told, number));
                add(row, cells, number);
            }
        }
        Ok(())
    }
}

#[cfg(not(feature = "tmx"))]
fn causes(_: &LoadedLevel) -> Result<Option<Causes>, BakeError> {
    Ok(None)
}
