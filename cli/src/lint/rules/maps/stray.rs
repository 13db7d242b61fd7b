//! The rule for a few tiles in layers of the other kind than all other tiles of their tileset. It uses no
//! names of layers, only counts.

use std::collections::BTreeSet;

use crate::lint::Check;
use crate::lint::rules::{in_layer, is_of_automapping};
use crate::suggest::tiles_of;
use bitwall::Aabb;
use bitwall::convert::{Survey, SurveyedLayer};
use bitwall::error::Place;
use bitwall::glam::IVec2;
use bitwall::text::{counted, printable};
use bitwall::tmx::{LayerContent, Map, Orientation, Space};

rule! {
    /// # What it finds
    /// Up to three cells whose tileset is otherwise used only in layers of the other kind. The two kinds are
    /// solid layers and layers that are not solid. At least 98% of the tileset's cells are in the other kind.
    /// Examples: a tile of scenery in the layer of walls, a tile of walls in the scenery.
    ///
    /// The rule checks only maps in which a layer of at most four different tiles, or of objects, marks the
    /// walls.
    ///
    /// # Why it matters
    /// The tile was painted while the wrong layer was selected. In the layer of walls it is an invisible
    /// wall. In the scenery the wall is missing, and a red square may be visible.
    ///
    /// # How to fix
    /// Move the tile to the layer that it was meant for.
    STRAY_TILE(stray_tile) = "TMX127" "stray-tile" Note on(Map)
}

/// The two kinds of layers, in the order of all arrays that have a value for each.
const KINDS: [&str; 2] = ["not solid", "solid"];

/// The largest number of cells with tiles of one tileset that are stray tiles of a map.
const MOST_STRAY: u64 = 3;

/// The largest number of different tiles in a solid layer that only marks the walls. A layer with more is art
/// that the player sees.
const MOST_MARKS: usize = 4;

/// The cells of a map with tiles of one tileset, for both [`KINDS`] of layers.
#[derive(Clone, Default)]
struct TilesetUse {
    counts: [u64; 2],
    /// The first cell of each kind, with its place.
    first: [Option<(IVec2, Place)>; 2],
}

fn stray_tile(check: &Check<'_, '_>) -> Option<()> {
    let map = check.map()?;
    let survey = check.survey()?;
    let is_checked = has_tile_cells(map, check.options.load.space)
        && !is_of_automapping(map)
        && survey.layers.iter().any(marks_walls)
        && !survey.layers.iter().any(is_wall_itself)
        && !shows_walls(survey);
    let origin = check.loaded().filter(|_| is_checked)?.level.origin();
    let uses = uses(map, survey);
    let cells = [0, 1].map(|kind| uses.iter().map(|it| it.counts[kind]).sum::<u64>());
    for (set, of_tileset) in map.tilesets.iter().zip(uses) {
        for (kind, first) in of_tileset.first.into_iter().enumerate() {
            let count = of_tileset.counts[kind];
            let there = of_tileset.counts[1 - kind];
            let is_rare = there >= 49 * count && cells[kind] >= 50 * count;
            let Some((cell, place)) = first.filter(|_| count <= MOST_STRAY && is_rare) else {
                continue;
            };
            let tile = map.tile_size.as_ivec2();
            let corner = cell.saturating_mul(tile).saturating_sub(origin);
            let name = printable(&set.name);
            let headline = format!("a tile of `{name}` is in a layer that is {}", KINDS[kind]);
            check.push(
                check
                    .finding(headline)
                    .place(place)
                    .area(Aabb { min: corner, max: corner.saturating_add(tile) })
                    .note(format!(
                        "{} of this tileset are in layers that are {}; here it is {}",
                        counted(there, "cell"),
                        KINDS[1 - kind],
                        counted(count, "cell")
                    ))
                    .help("move the tile to the layer that it was meant for, or erase it"),
            );
        }
    }
    Some(())
}

/// Returns the use of each tileset in the visible layers of the map. O(cells).
fn uses(map: &Map, survey: &Survey<'_>) -> Vec<TilesetUse> {
    let mut uses = vec![TilesetUse::default(); map.tilesets.len()];
    for surveyed in survey.layers.iter().filter(|it| it.context.visible) {
        let LayerContent::Tiles(tiles) = &surveyed.context.layer.content else {
            continue;
        };
        let kind = usize::from(surveyed.is_solid);
        let mut last = (0, None);
        for (cell, gid) in tiles_of(tiles) {
            if gid != last.0 {
                last = (gid, map.tile(gid));
            }
            let Some(tile) = &last.1 else {
                continue;
            };
            let of_tileset = &mut uses[tile.tileset];
            of_tileset.counts[kind] += 1;
            of_tileset.first[kind].get_or_insert_with(|| {
                let place = in_layer(&surveyed.context.path, surveyed.context.layer.line);
                (cell, Place { cell: Some(cell.into()), ..place })
            });
        }
    }
    uses
}

/// True if each cell of the map is a rectangle of the tile size in a level in `space`.
fn has_tile_cells(map: &Map, space: Space) -> bool {
    match map.orientation {
        Orientation::Orthogonal => true,
        // In map space, the cells of an isometric map are squares as high as a tile.
        Orientation::Isometric => space == Space::Map && map.tile_size.x == map.tile_size.y,
        Orientation::Oblique { .. } => space == Space::Map,
        _ => false,
    }
}

fn marks_walls(surveyed: &SurveyedLayer<'_>) -> bool {
    surveyed.is_solid && !matches!(surveyed.context.layer.content, LayerContent::Group(_))
}

/// True for a layer of tiles that is not marked as solid, but has tiles that are.
fn is_wall_itself(surveyed: &SurveyedLayer<'_>) -> bool {
    let is_of_tiles = matches!(surveyed.context.layer.content, LayerContent::Tiles(_));
    surveyed.stops && !surveyed.is_solid && is_of_tiles
}

/// True if the visible solid layers have more than four different tiles, so that they are drawn walls. The
/// player then sees each wall, and no other layer has to agree with it.
fn shows_walls(survey: &Survey<'_>) -> bool {
    let mut marks = BTreeSet::new();
    for layer in survey.layers.iter().filter(|it| it.is_solid && it.context.visible) {
        if let LayerContent::Tiles(tiles) = &layer.context.layer.content {
            for (_, gid) in tiles_of(tiles) {
                marks.insert(gid);
                if marks.len() > MOST_MARKS {
                    return true;
                }
            }
        }
    }
    false
}
