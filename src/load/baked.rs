//! Baked levels among those that are loaded: their facts, and the baking of a level with its causes.
//!
//! The format is in [`baked`](crate::baked). Nothing here opens a file.

use std::path::Path;
use std::sync::Arc;

#[cfg(feature = "tmx")]
use glam::UVec2;

#[cfg(feature = "tmx")]
use super::loaded::Source;
use super::loaded::{BakedSource, LoadedLevel};
#[cfg(feature = "tmx")]
use crate::baked::CauseBuilder;
use crate::baked::{BakeError, BakedLevel, Causes, bake};
use crate::error::{LoadError, LoadErrorKind, Place};
#[cfg(feature = "tmx")]
use crate::geometry::Dir;
#[cfg(feature = "tmx")]
use crate::grid::Grid;
use crate::level::Level;

/// Options of baking: the parts that a file has beside the level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct BakeOptions {
    /// True to keep why each cell is solid or one-way, for [`BakedLevel::provenance`]. A mask has no such
    /// reasons. Default: false.
    pub provenance: bool,
}

impl BakeOptions {
    /// These options with another [`BakeOptions::provenance`].
    #[must_use]
    pub fn with_provenance(mut self, provenance: bool) -> Self {
        self.provenance = provenance;
        self
    }
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
    /// O(cells), with reasons O(solid cells x tile layers).
    ///
    /// ```
    /// use bitwall::baked::BakedLevel;
    /// use bitwall::load::BakeOptions;
    /// use bitwall::{LoadOptions, LoadedLevel, glam::IVec2};
    ///
    /// let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
    /// let bytes = loaded.bake(&BakeOptions::default().with_provenance(true))?;
    /// let baked = BakedLevel::decode(bytes)?;
    /// assert_eq!(baked.provenance(IVec2::ZERO), loaded.provenance(IVec2::ZERO).as_ref());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Level::bake`].
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
    let mut causes = CauseBuilder::default();
    let guards = Dir::ALL.into_iter().filter_map(|side| level.one_way(side));
    let grids: Vec<&Grid> = guards.chain([level.grid()]).collect();
    for row in 0..level.grid().height() {
        for start in (0..level.grid().width()).step_by(64) {
            let words = grids.iter().map(|grid| grid.row_word(start.into(), row));
            let mut word = words.fold(0, |all, word| all | word);
            while word != 0 {
                let cell = UVec2::new(start + word.trailing_zeros(), row);
                if let Some(cause) = explainer.provenance(cell.as_ivec2()) {
                    causes.add(cell, cause)?;
                }
                word &= word - 1;
            }
        }
    }
    Ok(Some(causes.finish()))
}

#[cfg(not(feature = "tmx"))]
fn causes(_: &LoadedLevel) -> Result<Option<Causes>, BakeError> {
    Ok(None)
}
