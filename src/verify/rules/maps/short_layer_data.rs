//! Layers with too few cells.

use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A tile layer, or a chunk of one, that has fewer cells than its width times its height.
    ///
    /// # Why it matters
    /// Many loaders take the missing cells for empty ones, so the walls at the bottom of the map are gone.
    /// No other rule has checked this map.
    ///
    /// # How to fix
    /// Open the map in Tiled and save it again, then repaint the lost cells. If a merge has cut the layer,
    /// take one of the two versions as a whole.
    SHORT_LAYER_DATA = "TMX102" "short-layer-data" Error fixed on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&SHORT_LAYER_DATA, Cause::ShortData, subject)
}
