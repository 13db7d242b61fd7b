//! Tile layers: from the numbers of their cells to bits, boxes and pixels.
//!
//! `classify` looks at the numbers; this file places the tiles that are more than a solid cell, and counts
//! tiles by rule.

use glam::IVec2;

use super::classify::{CellClassifier, CellFault, MAX_SHAPED_CELLS};
use super::pieces::{CellRows, Claim};
use super::refusal::BuildError;
use super::roles::RuledLayer;
use super::solids::Solids;
use super::tile_meaning::Extent;
use crate::error::LoadErrorKind;
use crate::geometry::Aabb;
use crate::grid::{Grid, Plane};
use crate::limits::check;
use crate::tmx::{CellBlock, MAX_CHUNK_DISTANCE, flip};

impl Solids<'_> {
    /// Takes in a tile layer. Gives the number of its cells that are not empty, and the faults in it that
    /// were passed over.
    pub(super) fn tiles(
        &mut self,
        blocks: &[CellBlock],
        layer: &RuledLayer<'_>,
    ) -> Result<(u64, Vec<CellFault>), Box<BuildError>> {
        let mut classifier = CellClassifier::new(self.map, &layer.role);
        for block in blocks {
            self.block(block, layer, &mut classifier)?;
        }
        let CellClassifier { counts, faults, .. } = classifier;
        for (meaning, tiles) in self.map.tiles.meanings.iter().zip(&counts) {
            let claim = meaning.claims(&layer.role).next().filter(|_| *tiles > 0);
            let rule = match (claim, &layer.role.solid, meaning.reason(&layer.role)) {
                (Some((Claim::OneWay(_), _)), ..) => "tile that is one-way".to_owned(),
                (Some((Claim::Solid, _)), Some(because), _) => {
                    format!("layer `{}` by {because}", layer.context.path)
                }
                (Some((Claim::Solid, _)), None, Some(because)) => format!("tile by {because}"),
                _ => continue,
            };
            self.tally.add(&rule, *tiles, 0);
        }
        Ok((counts.iter().sum(), faults))
    }

    fn block(
        &mut self,
        block: &CellBlock,
        layer: &RuledLayer<'_>,
        classifier: &mut CellClassifier<'_>,
    ) -> Result<(), Box<BuildError>> {
        check_block(block, MAX_CHUNK_DISTANCE)?;
        let (origin, size) = (block.origin, block.size);
        let cells = block.cells.len() as u64;
        if cells == 0 {
            return Ok(());
        }
        let blank = || {
            let rows = Grid::blank_rows(size.x, size.y);
            rows.map_err(|_| LoadErrorKind::NoMemory { cells })
        };
        let mut rows = blank()?;
        let mut floor = layer.role.is_floor.then(blank).transpose()?;
        classifier.room = MAX_SHAPED_CELLS.saturating_sub(self.placed_cells);
        let mut seen: Option<Aabb> = None;
        let is_infinite = self.map.map.is_infinite;
        for (row, line) in (0..).zip(block.cells.chunks_exact(size.x as usize)) {
            for (column, gids) in (0..).step_by(64).zip(line.chunks(64)) {
                let at = IVec2::new(column as i32, row as i32);
                let classified = classifier.classify(gids, origin + at)?;
                rows.set_word(row, column, classified.solid);
                if let Some(floor) = &mut floor {
                    floor.set_word(row, column, classified.tiles);
                }
                if is_infinite && classified.tiles != 0 {
                    let around = around(classified.tiles, origin + at);
                    seen = Some(seen.map_or(around, |seen| seen.hull(around)));
                }
            }
        }
        if let Some(seen) = seen {
            self.see(seen, layer);
        }
        self.placed_cells += classifier.placed.len() as u64;
        for (cell, meaning, gid) in classifier.placed.drain(..) {
            let Some(meaning) = self.map.tiles.meanings.get(meaning as usize) else {
                continue;
            };
            for (claim, extent) in meaning.claims(&layer.role) {
                for pieces in self.found.pieces.of(claim) {
                    let (edge, flips) = (pieces.edge, gid & flip::ALL);
                    let cover = self.stamps.of_cell(cell, extent, flips, edge, layer.offset);
                    pieces.add_cell(cover.map_err(|kind| BuildError::in_cell(cell, kind))?);
                }
            }
        }
        let of_layer = |rows| CellRows { rows, origin, offset: layer.offset.pixel() };
        if rows.count_ones() > 0 {
            self.found.pieces.solid.cells.push(of_layer(rows));
        }
        match floor {
            Some(floor) => Ok(self.floor(of_layer(floor), layer)?),
            None => Ok(()),
        }
    }

    /// Adds cells that are not empty to the part of an infinite map that is shown.
    fn see(&mut self, cells: Aabb, layer: &RuledLayer<'_>) {
        let area = self.map.lattice.area(cells.min, cells.max).translated(layer.offset.pixel());
        self.extent = Some(self.extent.map_or(area, |extent| extent.hull(area)));
        self.seen = Some(self.seen.map_or(cells, |seen| seen.hull(cells)));
    }

    /// Adds the cells of a floor layer that are not empty.
    fn floor(&mut self, cells: CellRows, layer: &RuledLayer<'_>) -> Result<(), LoadErrorKind> {
        let pieces = self.found.pieces.floor.get_or_insert_default();
        if self.map.lattice.is_rectangular() {
            pieces.cells.push(cells);
            return Ok(());
        }
        // Cells that are no rectangles are drawn one by one.
        self.placed_cells += cells.rows.count_ones();
        let what = "cells of floors that are no rectangles";
        check(what, self.placed_cells, MAX_SHAPED_CELLS)?;
        for cell in set_cells(&cells.rows) {
            let (cell, whole) = (cells.origin + cell, Extent::default());
            pieces.add_cell(self.stamps.of_cell(cell, &whole, 0, None, layer.offset)?);
        }
        Ok(())
    }
}

/// Refuses a block that has another number of cells than its size says, or lies where no map may reach.
fn check_block(block: &CellBlock, chunk_distance: u32) -> Result<(), LoadErrorKind> {
    let (found, size) = (block.cells.len() as u64, block.size);
    if found != u64::from(size.x) * u64::from(size.y) {
        return Err(LoadErrorKind::CellCount { found, width: size.x, height: size.y });
    }
    let far = block.origin.as_i64vec2().abs().max_element() as u64;
    let what = "columns or rows from the middle to a chunk";
    check(what, far, chunk_distance.min(1 << 30))?;
    check("tiles in the width or height of a layer", size.max_element(), 1u32 << 29)
}

/// The smallest rectangle of cells around those of a row, of which the first is at `at`.
fn around(cells: u64, at: IVec2) -> Aabb {
    Aabb {
        min: at + IVec2::new(cells.trailing_zeros() as i32, 0),
        max: at + IVec2::new(64 - cells.leading_zeros() as i32, 1),
    }
}

/// Column and row of each bit that is set.
fn set_cells(rows: &Plane) -> impl Iterator<Item = IVec2> {
    let lines = (0..rows.count()).flat_map(|row| rows.runs(row).map(move |run| (row, run)));
    lines.flat_map(|(row, run)| run.map(move |column| IVec2::new(column as i32, row as i32)))
}
