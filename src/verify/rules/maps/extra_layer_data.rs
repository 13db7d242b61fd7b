//! Layers with too many cells.

use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A tile layer, or a chunk of one, that has more cells than its width times its height.
    ///
    /// # Why it matters
    /// Where the surplus is in the middle, all cells after it are shifted. Loaders that ignore the rest
    /// load the wrong walls. No other rule has checked this map.
    ///
    /// # How to fix
    /// Restore the layer from an earlier revision. Such layers come from merges and from scripts.
    EXTRA_LAYER_DATA = "TMX103" "extra-layer-data" Error fixed on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&EXTRA_LAYER_DATA, Cause::ExtraData, subject)
}
