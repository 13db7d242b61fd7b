//! The cells of tile layers.

use std::panic::{AssertUnwindSafe, catch_unwind};

use glam::{IVec2, UVec2};
use tiled::{ChunkData, LayerTileData};

use super::numbers::Numbers;
use crate::tmx::{CellBlock, TileLayer};

/// The cells of a layer, in blocks.
pub(super) fn bridged(layer: &tiled::TileLayer<'_>, numbers: &mut Numbers) -> TileLayer {
    let blocks = match layer {
        tiled::TileLayer::Finite(layer) => finite(layer, numbers),
        tiled::TileLayer::Infinite(layer) => {
            let mut chunks: Vec<_> = layer.chunk_data().collect();
            chunks.sort_unstable_by_key(|((column, row), _)| (*row, *column));
            chunks.iter().map(|(at, chunk)| block(*at, chunk, numbers)).collect()
        }
    };
    TileLayer { blocks }
}

fn block((column, row): (i32, i32), chunk: &ChunkData, numbers: &mut Numbers) -> CellBlock {
    let size = UVec2::new(ChunkData::WIDTH, ChunkData::HEIGHT);
    let [width, height] = size.as_ivec2().to_array();
    let cells = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    CellBlock {
        origin: IVec2::new(column.saturating_mul(width), row.saturating_mul(height)),
        size,
        cells: cells.map(|(x, y)| number(chunk.get_tile_data(x, y), numbers)).collect(),
    }
}

/// The cells of a finite layer: one block, or, if it holds fewer cells than its size says, one of whole rows
/// and one of the rest.
fn finite(layer: &tiled::FiniteTileLayer<'_>, numbers: &mut Numbers) -> Vec<CellBlock> {
    let size = UVec2::new(layer.width(), layer.height());
    let [Ok(width), Ok(height)] = size.to_array().map(i32::try_from) else {
        // `tiled` finds no cell in such a layer.
        return Vec::new();
    };
    if width == 0 || height == 0 {
        return Vec::new();
    }
    let mut cells = Vec::new();
    let read = || {
        for y in 0..height {
            for x in 0..width {
                cells.push(number(layer.get_tile_data(x, y), numbers));
            }
        }
    };
    // `tiled` 0.16 indexes its list of cells unchecked, and has no other function that reads it or says how
    // long it is. It panics before the cell is counted, so that what the closure writes to stays whole.
    let is_whole = catch_unwind(AssertUnwindSafe(read)).is_ok();
    if is_whole {
        return vec![CellBlock { origin: IVec2::ZERO, size, cells }];
    }
    let rows = cells.len() / size.x as usize;
    let rest = cells.split_off(rows * size.x as usize);
    let parts = [
        CellBlock { origin: IVec2::ZERO, size: UVec2::new(size.x, rows as u32), cells },
        CellBlock {
            origin: IVec2::new(0, rows as i32),
            size: UVec2::new(rest.len() as u32, 1),
            cells: rest,
        },
    ];
    parts.into_iter().filter(|block| !block.cells.is_empty()).collect()
}

fn number(tile: Option<&LayerTileData>, numbers: &mut Numbers) -> u32 {
    tile.map_or(0, |tile| numbers.of_cell(tile))
}
