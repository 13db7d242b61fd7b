//! Tiles that a map shows flipped or turned, and whose solid shapes are other pixels then. It only reads.

use std::collections::HashMap;

use glam::IVec2;

use super::pieces::{Claim, Cover};
use super::prepared::PreparedMap;
use super::refusal::BuildError;
use super::roles::{Role, layers};
use super::stamps::Stamps;
use super::tile_meaning::Extent;
use super::tile_table::TileCounts;
use crate::error::LoadErrorKind;
use crate::geometry::decimal::Point;
use crate::options::LoadOptions;
use crate::tmx::{LayerContent, Map, Orientation, flip};

/// A tile that is shown flipped or turned, and whose shapes are other pixels then.
pub(crate) struct TurnedTile {
    /// The index of its tileset in the map, and its id there.
    pub(crate) tile: (usize, u32),
    /// The path of the first layer that shows it so, and the column and row there.
    pub(crate) layer: String,
    pub(crate) cell: IVec2,
    /// The number of cells that show it so, on all layers.
    pub(crate) cells: u64,
}

/// The tiles of a map that are so, in the order in which they are met; none on a map that is not orthogonal.
/// O(cells + shapes of the tiles in each orientation).
///
/// # Errors
/// None if the level was built, but for shapes whose pixels are over the limits in all orientations together.
pub(crate) fn turned_tiles(
    map: &Map,
    counts: &TileCounts,
    options: &LoadOptions,
) -> Result<Vec<TurnedTile>, Box<BuildError>> {
    let mut found: Vec<TurnedTile> = Vec::new();
    if map.orientation != Orientation::Orthogonal {
        return Ok(found);
    }
    let prepared = PreparedMap::new(map, options, counts)?;
    let mut stamps = Stamps::new(&prepared.lattice, &options.limits);
    let mut known: HashMap<(usize, u32), usize> = HashMap::new();
    for layer in layers(map, prepared.lattice, options) {
        let layer = layer?;
        let LayerContent::Tiles(tiles) = &layer.context.layer.content else {
            continue;
        };
        // Of this layer's role.
        let mut verdicts: HashMap<u32, bool> = HashMap::new();
        for block in &tiles.blocks {
            let width = block.size.x.max(1) as usize;
            for (index, gid) in
                block.cells.iter().enumerate().filter(|(_, gid)| **gid & flip::ALL != 0)
            {
                let is_other = match verdicts.get(gid) {
                    Some(verdict) => *verdict,
                    None => {
                        let is_other = is_other(*gid, &layer.role, &prepared, &mut stamps)?;
                        verdicts.insert(*gid, is_other);
                        is_other
                    }
                };
                let Some(tile) = prepared.tiles.place(*gid).filter(|_| is_other) else {
                    continue;
                };
                let at = *known.entry(tile).or_insert(found.len());
                match found.get_mut(at) {
                    Some(turned) => turned.cells += 1,
                    None => {
                        let at = IVec2::new((index % width) as i32, (index / width) as i32);
                        let (layer, cell) = (layer.context.path.clone(), block.origin + at);
                        found.push(TurnedTile { tile, layer, cell, cells: 1 });
                    }
                }
            }
        }
    }
    Ok(found)
}

/// True if the solid or one-way pixels of a tile with these flags are others than those of the tile upright.
fn is_other(
    gid: u32,
    role: &Role,
    prepared: &PreparedMap<'_>,
    stamps: &mut Stamps<'_>,
) -> Result<bool, LoadErrorKind> {
    let claims = prepared.tiles.meaning(gid).into_iter().flat_map(|meaning| meaning.claims(role));
    for (claim, extent) in claims {
        if !matches!((claim, extent), (Claim::Solid | Claim::OneWay(_), Extent::Shapes(_))) {
            continue;
        }
        let mut drawn = |flips| stamps.pixels(IVec2::ZERO, extent, flips, None, Point::default());
        let (upright, turned) = (drawn(0)?, drawn(gid & flip::ALL)?);
        if let (Cover::Pixels(upright, _), Cover::Pixels(turned, _)) = (upright, turned) {
            return Ok(*upright != *turned);
        }
    }
    Ok(false)
}
