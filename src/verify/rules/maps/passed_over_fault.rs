//! Faults that a lenient load passed over.

use super::warned;
use crate::error::warning::WarningCause;
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// With `--lenient`: a layer with too few or too many cells, or a cell or object whose tile is in no
    /// tileset. Without it, each of them is an error that keeps the map from being loaded.
    ///
    /// # Why it matters
    /// Missing cells and tiles count as empty, so a wall may be lost.
    ///
    /// # How to fix
    /// Repaint the cells, or restore the tileset that the map was drawn with.
    PASSED_OVER_FAULT = "TMX109" "passed-over-fault" Warning on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    warned::report(&PASSED_OVER_FAULT, WarningCause::Fault, subject)
}
