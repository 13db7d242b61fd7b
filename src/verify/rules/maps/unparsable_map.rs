//! Maps that cannot be parsed.

use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A map, tileset, template or world that is not well-formed XML or JSON, or that has an invalid value,
    /// cell data that cannot be decoded, tilesets whose tiles overlap, or a one-way property that names no
    /// side.
    ///
    /// # Why it matters
    /// Many loaders ignore the broken part, and a wall becomes a hole. No other rule has checked this map.
    ///
    /// # How to fix
    /// Open the map in Tiled, fix the faults that it reports, and save it again.
    UNPARSABLE_MAP = "TMX101" "unparsable-map" Error fixed on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNPARSABLE_MAP, Cause::UnparsableMap, subject)
}
