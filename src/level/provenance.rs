//! From a solid pixel back to the tile or object that made it solid.

use glam::IVec2;

use super::source::{KeptMap, Provenance, Solid, SolidCells, TileMap, flip, gid_at};

/// The first thing in the maps of a level that covers its pixel `pixel`. In a world the layer is named with
/// the file of its map.
pub(super) fn find(maps: &[KeptMap], pixel: IVec2) -> Option<Provenance> {
    let mut there = maps.iter().filter(|kept| kept.area.contains(pixel));
    there.find_map(|kept| {
        let own = pixel.saturating_sub(kept.place);
        let mut found = find_in(&kept.map, kept.cell.as_ivec2(), own)?;
        if let Some(file) = &kept.file {
            found.layer = format!("{file}/{}", found.layer);
        }
        Some(found)
    })
}

/// The first thing in `map` that covers a pixel of the map with a solid; a whole cell is `cell` pixels.
fn find_in(map: &TileMap, cell: IVec2, pixel: IVec2) -> Option<Provenance> {
    map.solids.iter().find_map(|solid| match solid {
        Solid::Object {
            layer,
            line,
            object,
            because,
            covers,
        } => covers
            .iter()
            .any(|covered| covered.contains(pixel))
            .then(|| Provenance {
                layer: layer.clone(),
                tile: None,
                object: Some(*object),
                line: Some(*line).filter(|line| *line > 0),
                because: because.clone(),
            }),
        Solid::Tiles {
            layer,
            line,
            because,
            cells,
            pieces,
        } => {
            let layer = map.layers.get(*layer)?;
            let blocks = layer.blocks()?;
            let whole = cells.iter().find_map(|cells| cell_in(cells, cell, pixel));
            let gid = match whole {
                Some(cell) => gid_at(blocks, cell)?,
                None => pieces.iter().find(|(_, piece)| piece.contains(pixel))?.0,
            };
            let (tileset, id) = map.tile(gid & !flip::ALL)?;
            let own = || tileset.solids.get(&id).cloned();
            Some(Provenance {
                layer: layer.name.clone(),
                tile: Some((tileset.name.clone(), id)),
                object: None,
                line: Some(*line).filter(|line| *line > 0),
                because: because.clone().or_else(own)?,
            })
        }
    })
}

/// The solid cell of a block that holds a pixel.
fn cell_in(cells: &SolidCells, cell: IVec2, pixel: IVec2) -> Option<IVec2> {
    let at = pixel.saturating_sub(cells.offset).div_euclid(cell);
    let within = at.saturating_sub(cells.origin);
    let size = IVec2::new(cells.rows.len() as i32, cells.rows.count() as i32);
    let is_inside = within.cmpge(IVec2::ZERO).all() && within.cmplt(size).all();
    let (column, row) = (within.x as u32, within.y as u32);
    (is_inside && cells.rows.get(row, column)).then_some(at)
}
