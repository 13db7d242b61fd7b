//! Tiles with collision shapes that a map shows flipped or turned.

use crate::build::turned::TurnedTile;
use crate::error::Place;
use crate::text::{counted, printable};
use crate::verify::finding::Finding;
use crate::verify::rule::rule;
use crate::verify::subject::Subject;

rule! {
    /// # What it finds
    /// Cells of an orthogonal map that show a tile flipped or turned, and whose solid or one-way collision
    /// shapes cover other pixels then. It is off by default, because such cells are right here: of 44 real
    /// maps whose tiles have shapes it names one, and that is meant so.
    ///
    /// # Why it matters
    /// Here and in Tiled the shapes turn with the picture. Many programs turn the picture alone: there a
    /// slope that goes up to the right in the picture goes down in the collision.
    ///
    /// # How to fix
    /// If the program that loads the map does not turn shapes, draw a tile of its own for each orientation.
    TILE_SHAPE_TURNED = "TMX126" "tile-shape-turned" Warning on(Map) off
}

pub(in crate::verify::rules) fn check(subject: &Subject<'_>) -> Vec<Finding> {
    let (Some(map), Some(loaded)) = (subject.map(), subject.loaded()) else {
        return Vec::new();
    };
    let Some(turned) = loaded.turned_tiles() else {
        let reason = "the collision shapes of its tiles are over the limits in all orientations";
        subject.give_up(&TILE_SHAPE_TURNED, reason);
        return Vec::new();
    };
    let finding = |it: TurnedTile| {
        let (index, id) = it.tile;
        let name = map.tilesets.get(index).map_or("", |set| &set.name);
        let place = Place { layer: Some(it.layer), cell: Some(it.cell.into()), ..Place::default() };
        let headline = format!("the collision shape of tile {id} is flipped or turned");
        Finding::new(&TILE_SHAPE_TURNED, subject.path, headline)
            .at(place)
            .note(format!("in {}; its tileset is `{}`", counted(it.cells, "cell"), printable(name)))
            .help("draw a tile of its own, if your program does not turn shapes")
    };
    turned.into_iter().take(super::MOST_FINDINGS).map(finding).collect()
}
