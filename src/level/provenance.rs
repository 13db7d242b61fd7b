//! From a solid pixel back to the tile or object that made it solid.

use glam::IVec2;

use super::source::{Provenance, Solid, TileMap, flip, gid_at};

/// The first thing in `map` that covers the pixel with a solid.
pub(super) fn find(map: &TileMap, pixel: IVec2) -> Option<Provenance> {
    map.solids.iter().find_map(|solid| match solid {
        Solid::Rectangle {
            layer,
            object,
            area,
            because,
        } => area.contains(pixel).then(|| Provenance {
            layer: layer.clone(),
            tile: None,
            object: Some(*object),
            because: because.clone(),
        }),
        Solid::Tiles {
            layer,
            offset,
            because,
        } => {
            let layer = map.layers.get(*layer)?;
            // Beyond the range of `i32` no map has a cell.
            let cell = pixel
                .saturating_sub(*offset)
                .div_euclid(map.tile_size.as_ivec2())
                .saturating_add(map.first_cell);
            let gid = gid_at(layer.blocks()?, cell)? & !flip::ALL;
            let (tileset, id) = map.tile(gid)?;
            let because = match because {
                Some(because) => because.clone(),
                None => tileset.solids.get(&id)?.clone(),
            };
            Some(Provenance {
                layer: layer.name.clone(),
                tile: Some((tileset.name.clone(), id)),
                object: None,
                because,
            })
        }
    })
}
