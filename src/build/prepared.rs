//! A map with the meaning of its tiles and the places of its cells, which are found out once, before its
//! layers are looked at.

use glam::IVec2;

use super::tile_meaning::TileRules;
use super::tile_table::{TileCounts, TileTable};
use crate::error::LoadErrorKind;
use crate::geometry::Aabb;
use crate::limits::check;
use crate::options::LoadOptions;
use crate::tmx::{Lattice, MAX_SIDE, MAX_TILE_SIDE, Map};

/// A map, the meaning of its tiles, and the places of its cells.
pub(super) struct PreparedMap<'m> {
    pub(super) map: &'m Map,
    pub(super) options: &'m LoadOptions,
    pub(super) lattice: Lattice,
    pub(super) tiles: TileTable,
}

impl<'m> PreparedMap<'m> {
    /// # Errors
    /// As [`TileTable::new`]; a map without cells or with too large ones.
    pub(super) fn new(
        map: &'m Map,
        options: &'m LoadOptions,
        counts: &TileCounts,
    ) -> Result<Self, LoadErrorKind> {
        check_sides(map)?;
        Ok(Self {
            map,
            options,
            lattice: Lattice::of(map, options.space),
            tiles: TileTable::new(&TileRules { map, options }, counts)?,
        })
    }

    /// All cells in pixels; `None` for an infinite map.
    pub(super) fn area(&self) -> Option<Aabb> {
        let cells = (!self.map.is_infinite).then(|| self.map.size.as_ivec2());
        cells.map(|end| self.lattice.area(IVec2::ZERO, end))
    }
}

/// Refuses a map that has no cells, or too large ones. A map that was read has passed this; one
/// that was made in code may not.
fn check_sides(map: &Map) -> Result<(), LoadErrorKind> {
    let (tile, size) = (map.tile_size, map.size);
    let sides = [
        ("tilewidth", tile.x),
        ("tileheight", tile.y),
        ("width", if map.is_infinite { 1 } else { size.x }),
        ("height", if map.is_infinite { 1 } else { size.y }),
    ];
    if let Some((attribute, _)) = sides.into_iter().find(|(_, side)| *side == 0) {
        return Err(LoadErrorKind::Value {
            element: "map",
            attribute: attribute.to_owned(),
            value: "0".to_owned(),
            expected: "at least 1",
        });
    }
    check("pixels in a side of a tile", tile.max_element(), MAX_TILE_SIDE)?;
    let what = "tiles in the width or height of the map";
    let side = if map.is_infinite { 0 } else { size.max_element() };
    check(what, side, MAX_SIDE)
}
