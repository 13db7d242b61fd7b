//! Layers of another size than their map.

use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A tile layer whose width or height differs from that of its finite map.
    ///
    /// # Why it matters
    /// Some loaders stretch the rows to the map's width, others cut them off: the walls are elsewhere. No
    /// other rule has checked this map.
    ///
    /// # How to fix
    /// Resize the map in Tiled under Map > Resize Map, which resizes all layers, and save it.
    LAYER_SIZE_MISMATCH = "TMX104" "layer-size-mismatch" Error fixed on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&LAYER_SIZE_MISMATCH, Cause::LayerSize, subject)
}
