//! Sorts the tiles of a layer into tile layers and object layers that draw the same picture.
//!
//! LDtk draws the tiles of a layer in their listed order. Several tiles may share a cell, lie off the grid,
//! or be half transparent. A tile that covers exactly one cell of the level goes to a tile layer: the lowest
//! one above all earlier tiles in that cell. Any other tile becomes a tile object, which is drawn in order
//! too.

use glam::{IVec2, UVec2};

use super::super::{CellBlock, LayerContent, Object, ObjectLayer, TileLayer};
use crate::error::LoadErrorKind;
use crate::limits::{Limits, Spent};

/// The layers made from the tiles of one LDtk layer, the lowest first.
pub(super) struct Stack {
    /// The number of columns and rows of the level.
    size: UVec2,
    /// The width and height of a cell in pixels.
    cell: IVec2,
    pub(super) layers: Vec<LayerContent>,
    /// For each cell of the level, row by row: one plus the index of the highest layer with a tile in the
    /// cell, or 0 for a cell without a tile.
    covered: Vec<u32>,
}

impl Stack {
    pub(super) fn new(size: UVec2, cell: UVec2) -> Self {
        let cells = size.x as usize * size.y as usize;
        Self { size, cell: cell.as_ivec2(), layers: Vec::new(), covered: vec![0; cells] }
    }

    /// Adds a tile, in a layer above all earlier tiles that it overlaps. `object` is the tile at its top-left
    /// corner, and `side` is its width and height in pixels. `add` is called before a new layer is made, and
    /// may return an error to prevent it. The second argument of `add` is true for a tile layer.
    /// O(cells that the tile covers + layers).
    pub(super) fn push(
        &mut self,
        object: Object,
        side: i32,
        limits: &Limits,
        spent: &mut Spent,
        add: &mut dyn FnMut(&mut Spent, bool) -> Result<(), LoadErrorKind>,
    ) -> Result<(), LoadErrorKind> {
        let corner = object.position.pixel();
        let end = corner.saturating_add(IVec2::splat(side));
        let max = self.size.as_ivec2();
        let first = corner.div_euclid(self.cell).clamp(IVec2::ZERO, max);
        let last = (end - IVec2::ONE).div_euclid(self.cell).saturating_add(IVec2::ONE);
        let last = last.clamp(IVec2::ZERO, max);
        let rows = first.y.max(0)..last.y;
        let columns = first.x as usize..last.x.max(first.x) as usize;
        spent.work(rows.len() as u64 * (columns.len() as u64 + 8), limits)?;
        let width = self.size.x as usize;
        let in_rows = rows.clone().flat_map(|row| {
            let start = row as usize * width;
            &self.covered[start + columns.start..start + columns.end]
        });
        let below = in_rows.copied().max().unwrap_or(0) as usize;
        let fills_cell = corner == first * self.cell && self.cell == IVec2::splat(side);
        let is_cell = fills_cell && first.cmplt(max).all() && object.opacity == 1.0;
        // An object may share a layer with earlier objects, which are drawn before it. A cell holds only one
        // tile.
        let lowest = if is_cell { below } else { below.saturating_sub(1) };
        let mut above = self.layers.iter().skip(lowest);
        let found = above.position(|layer| matches!(layer, LayerContent::Tiles(_)) == is_cell);
        let index = found.map_or(self.layers.len(), |index| lowest + index);
        if index == self.layers.len() {
            add(spent, is_cell)?;
            self.layers.push(if is_cell {
                let cells = vec![0; self.covered.len()];
                let block = CellBlock { origin: IVec2::ZERO, size: self.size, cells };
                LayerContent::Tiles(TileLayer { blocks: vec![block] })
            } else {
                LayerContent::Objects(ObjectLayer {
                    draws_in_file_order: true,
                    is_art: true,
                    ..ObjectLayer::default()
                })
            });
        }
        for row in rows {
            let start = row as usize * width;
            self.covered[start + columns.start..start + columns.end].fill(index as u32 + 1);
        }
        match &mut self.layers[index] {
            LayerContent::Tiles(layer) => {
                let at = first.y as usize * width + first.x as usize;
                layer.blocks[0].cells[at] = object.gid.unwrap_or(0);
            }
            LayerContent::Objects(layer) => layer.objects.push(object),
            _ => {}
        }
        Ok(())
    }
}
