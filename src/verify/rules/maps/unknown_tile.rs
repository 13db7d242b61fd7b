//! Cells and objects whose tile does not exist.

use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::rules::failure::{self, Cause};
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// A cell or an object that shows a tile that no tileset of the map has: its number is below every
    /// tileset, or past the end of one.
    ///
    /// # Why it matters
    /// Loaders take the cell for empty, so a wall becomes a hole. In most cases a tileset was made smaller
    /// or removed. No other rule has checked this map.
    ///
    /// # How to fix
    /// Restore the tileset that the map was drawn with, or repaint the cells.
    UNKNOWN_TILE = "TMX105" "unknown-tile" Error fixed on(Map)
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    failure::report(&UNKNOWN_TILE, Cause::UnknownTile, subject)
}
