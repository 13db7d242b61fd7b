//! Maps that cannot be understood.

use super::failure::{self, Cause};
use crate::verify::rule::rule;
use crate::verify::{Finding, Subject};

rule! {
/// # What it finds
/// A map that is not well-formed XML, that has a value which cannot be, cell data that cannot be decoded
/// or has too few or too many cells, a tile that no tileset has, tilesets whose tiles overlap, or a
/// tileset file that is missing.
///
/// # Why it matters
/// Many loaders go on with what they understood, and a wall becomes a hole. Nothing else was checked in
/// this map.
///
/// # How to fix
/// Open the map in Tiled, mend what it complains about, and save it again. Damage often comes from a merge:
/// then take one of the two versions whole.
    UNPARSABLE_MAP = "TMX101" "unparsable-map" Error fixed
}

fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNPARSABLE_MAP, Cause::UnparsableMap, subject)
}
