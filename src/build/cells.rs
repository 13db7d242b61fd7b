//! Tile layers: from the numbers of their cells to bits, boxes and pixels.
//!
//! It has `classify` look at the numbers, finds out where tiles are that are more than a solid cell, and
//! counts.

use glam::IVec2;

use super::classify::{CellAction, CellClassifier, CellError, CellFault};
use super::layer_role::LayerRole;
use super::pieces::{CellRows, Pieces};
use super::solids::Solids;
use super::stamps::Stamp;
use super::tile_meaning::{Extent, TileMeaning};
use crate::error::LoadErrorKind;
use crate::geometry::{Aabb, Dir, Sides};
use crate::grid::{Grid, Plane};
use crate::limits::check;
use crate::tmx::{CellBlock, Lattice, LayerContext, flip};

/// The findings on a tile layer.
#[derive(Default)]
pub(super) struct TilesFound {
    /// Cells that are not empty.
    pub(super) items: u64,
    pub(super) faults: Vec<CellFault>,
}

/// The part of a tile that covers its cell: solid, one-way or of an area.
pub(super) enum CellPart<'t> {
    Solid(&'t Extent),
    OneWay(Sides<bool>, &'t Extent),
    Area(usize, &'t Extent),
}

/// The parts of a tile of this meaning on a layer of this role.
pub(super) fn parts<'t>(
    meaning: &'t TileMeaning,
    role: &'t LayerRole,
) -> impl Iterator<Item = CellPart<'t>> {
    let counts = !meaning.is_free;
    let own = meaning.one_way.as_ref().map(|(sides, extent)| (*sides, extent));
    let of_layer = role.one_way.map(|sides| (sides, &meaning.extent));
    let one_way = own.or(of_layer).filter(|_| !role.is_passable);
    let is_solid = role.solid.is_some() || (meaning.solid.is_some() && !role.is_passable);
    let solid = match one_way {
        Some((sides, extent)) => Some(CellPart::OneWay(sides, extent)),
        None => is_solid.then(|| CellPart::Solid(meaning.solid_extent())),
    };
    let of_layer = role.areas.iter().map(|area| (*area, &meaning.extent));
    let own = meaning.areas.iter().map(|(area, extent)| (*area, extent));
    let areas = of_layer.chain(own).map(|(area, extent)| CellPart::Area(area, extent));
    solid.into_iter().chain(areas).filter(move |_| counts)
}

impl Solids<'_> {
    /// Takes in a tile layer.
    pub(super) fn tiles(
        &mut self,
        blocks: &[CellBlock],
        context: &LayerContext<'_>,
        role: &LayerRole,
    ) -> Result<TilesFound, CellError> {
        let mut found = TilesFound::default();
        let meanings = &self.map.tiles.meanings;
        let action = |meaning| CellAction::of(meaning, role, &self.map.lattice);
        let actions: Vec<CellAction> = meanings.iter().map(action).collect();
        let mut counts = vec![0u64; meanings.len()];
        for block in blocks {
            self.block(block, context, role, &actions, &mut counts, &mut found.faults)?;
        }
        found.items = counts.iter().sum();
        self.count_tiles(&counts, context, role);
        Ok(found)
    }

    fn block(
        &mut self,
        block: &CellBlock,
        context: &LayerContext<'_>,
        role: &LayerRole,
        actions: &[CellAction],
        counts: &mut [u64],
        faults: &mut Vec<CellFault>,
    ) -> Result<(), CellError> {
        check_block(block, self.limits().chunk_distance).map_err(|kind| (None, kind))?;
        let (origin, size) = (block.origin, block.size);
        let cells = block.cells.len() as u64;
        if cells == 0 {
            return Ok(());
        }
        let no_memory = |_| (None, LoadErrorKind::NoMemory { cells });
        let mut rows = Grid::blank_rows(size.x, size.y).map_err(no_memory)?;
        let floor = role.is_floor.then(|| Grid::blank_rows(size.x, size.y));
        let mut floor = floor.transpose().map_err(no_memory)?;
        let limit = self.limits().shaped_cells;
        let mut classifier = CellClassifier {
            lookup: self.map.tiles.lookup(),
            actions,
            counts,
            faults,
            is_lenient: self.map.options.lenient,
            placed: Vec::new(),
            limit,
            room: u64::from(limit).saturating_sub(self.placed_cells),
        };
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
        let placed = classifier.placed;
        if let Some(seen) = seen {
            self.see(seen, context);
        }
        self.placed_cells += placed.len() as u64;
        for (cell, meaning, gid) in placed {
            self.place_tile(cell, (meaning, gid), context, role)
                .map_err(|kind| (Some(cell), kind))?;
        }
        let offset = self.map.lattice.layer_offset(context.offset).pixel();
        let of_layer = |rows| CellRows { rows, origin, offset };
        if rows.count_ones() > 0 {
            self.solid.cells.push(of_layer(rows));
        }
        match floor {
            Some(floor) => self.floor(of_layer(floor), context).map_err(|kind| (None, kind)),
            None => Ok(()),
        }
    }

    /// Adds cells that are not empty to what an infinite map shows.
    fn see(&mut self, cells: Aabb, context: &LayerContext<'_>) {
        let lattice = &self.map.lattice;
        let offset = lattice.layer_offset(context.offset).pixel();
        let area = lattice.area(cells.min, cells.max).translated(offset);
        self.extent = Some(self.extent.map_or(area, |extent| extent.hull(area)));
        self.seen = Some(self.seen.map_or(cells, |seen| seen.hull(cells)));
    }

    /// Adds the cells of a floor layer that are not empty.
    fn floor(&mut self, cells: CellRows, context: &LayerContext<'_>) -> Result<(), LoadErrorKind> {
        let pieces = self.floor.get_or_insert_default();
        let lattice = &self.map.lattice;
        if lattice.is_rectangular() {
            pieces.cells.push(cells);
            return Ok(());
        }
        // Cells that are no rectangles are drawn one by one.
        self.placed_cells += cells.rows.count_ones();
        let what = "cells of floors that are no rectangles";
        check(what, self.placed_cells, self.map.options.limits.shaped_cells)?;
        let offset = lattice.layer_offset(context.offset);
        for cell in set_cells(&cells.rows) {
            let stamp = self.stamps.stamp(&Extent::default(), 0, None, offset)?;
            add(pieces, stamp, lattice, cells.origin + cell);
        }
        Ok(())
    }

    /// Places a tile that is more or less than a solid cell.
    fn place_tile(
        &mut self,
        cell: IVec2,
        (meaning, gid): (u32, u32),
        context: &LayerContext<'_>,
        role: &LayerRole,
    ) -> Result<(), LoadErrorKind> {
        let map = self.map;
        let Some(meaning) = map.tiles.meanings.get(meaning as usize) else {
            return Ok(());
        };
        let (lattice, flips) = (&map.lattice, gid & flip::ALL);
        let offset = lattice.layer_offset(context.offset);
        for part in parts(meaning, role) {
            match part {
                CellPart::Solid(extent) => {
                    let stamp = self.stamps.stamp(extent, flips, None, offset)?;
                    add(&mut self.solid, stamp, lattice, cell);
                }
                CellPart::OneWay(sides, extent) => {
                    for (dir, pieces) in Dir::ALL.into_iter().zip(&mut self.one_way) {
                        if sides.get(dir) {
                            let stamp = self.stamps.stamp(extent, flips, Some(dir), offset)?;
                            add(pieces, stamp, lattice, cell);
                        }
                    }
                }
                CellPart::Area(area, extent) => {
                    let stamp = self.stamps.stamp(extent, flips, None, offset)?;
                    if let Some(pieces) = self.areas.get_mut(area) {
                        add(pieces, stamp, lattice, cell);
                    }
                }
            }
        }
        Ok(())
    }

    /// Adds a layer's tiles to the counts of the rules that marked them.
    fn count_tiles(&mut self, counts: &[u64], context: &LayerContext<'_>, role: &LayerRole) {
        let map = self.map;
        let meanings = map.tiles.meanings.iter().zip(counts);
        for (meaning, tiles) in meanings.filter(|(meaning, tiles)| **tiles > 0 && !meaning.is_free)
        {
            let is_one_way = meaning.one_way.is_some() || role.one_way.is_some();
            let own = meaning.solid.as_ref().filter(|_| !role.is_passable);
            let rule = if is_one_way && !role.is_passable {
                "tile that is one-way".to_owned()
            } else if let Some(because) = &role.solid {
                format!("layer `{}` by {because}", context.path)
            } else if let Some((because, _)) = own {
                format!("tile by {because}")
            } else {
                continue;
            };
            self.count(rule, *tiles, 0);
        }
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
    let limit = 1u32 << 29;
    check("tiles in the width or height of a layer", size.max_element(), limit)
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

/// Adds what the tile of a cell covers.
fn add(pieces: &mut Pieces, stamp: Stamp, lattice: &Lattice, cell: IVec2) {
    let at = lattice.cell_bottom_left_pixel(cell);
    match stamp {
        Stamp::Pixels(pixels, shift) => pieces.stamps.push((pixels, at.saturating_add(shift))),
        Stamp::Cell(shift) => pieces.add_box(cell_box(lattice, at.saturating_add(shift))),
    }
}

/// The pixels of a rectangular cell whose bottom-left corner is at `at`.
pub(super) fn cell_box(lattice: &Lattice, at: IVec2) -> Aabb {
    let size = lattice.cell_size().as_ivec2();
    Aabb {
        min: IVec2::new(at.x, at.y.saturating_sub(size.y)),
        max: IVec2::new(at.x.saturating_add(size.x), at.y),
    }
}
