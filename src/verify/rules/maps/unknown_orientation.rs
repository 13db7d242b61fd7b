//! Maps of an unknown orientation.

use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A map whose orientation is not one that Tiled 1.12 writes: orthogonal, isometric, staggered,
    /// hexagonal or oblique.
    ///
    /// # Why it matters
    /// It is unknown where its cells lie. No other rule has checked this map.
    ///
    /// # How to fix
    /// Choose an orientation in Tiled under Map > Map Properties, and save the map.
    UNKNOWN_ORIENTATION = "TMX108" "unknown-orientation" Error fixed on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNKNOWN_ORIENTATION, Cause::UnknownOrientation, subject)
}
