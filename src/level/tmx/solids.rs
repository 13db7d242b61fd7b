//! Which cells, boxes and shapes of a map are solid, one-way or of an area, while its layers are read.
//!
//! It decodes cells straight into bits, asks the table of tiles what each is, and hands everything to
//! `compose`, which makes grids of it.

use std::collections::HashMap;
use std::sync::Arc;

use glam::IVec2;

use super::cells;
use super::compose::{Pieces, joined};
use super::document::{RawBlock, RawLayer};
use super::kinds::{Form, Kind};
use super::sorter::{Fate, Leniency, Sorted, Sorter, forgive};
use super::stamps::Stamps;
use super::tiles::TileTable;
use super::writer::CellWriter;
use crate::error::LoadErrorKind;
use crate::geometry::decimal::Point;
use crate::geometry::{Aabb, Dir, Sides};
use crate::grid::Grid;
use crate::level::source::{CellBlock, Covered, SolidCells, SolidCount, flip};
use crate::limits::{Limits, check};
use crate::raster::Coverage;
use crate::tmx::Lattice;

/// What a layer says of everything in it.
#[derive(Clone, Debug, Default)]
pub(super) struct LayerRole {
    /// Why all of it is solid.
    pub(super) solid: Option<String>,
    /// True if nothing in it is solid, whatever its tiles and objects say.
    pub(super) is_passable: bool,
    /// True if its empty cells are solid.
    pub(super) is_floor: bool,
    /// The sides that all of it guards.
    pub(super) one_way: Option<Sides<bool>>,
    /// The areas that all of it is of.
    pub(super) areas: Vec<usize>,
}

/// What was found on a tile layer.
#[derive(Default)]
pub(super) struct TilesFound {
    /// Cells that are not empty.
    pub(super) items: u64,
    /// The cells, if they are kept.
    pub(super) kept: Vec<CellBlock>,
    /// The whole cells that are solid.
    pub(super) solid: Vec<SolidCells>,
    /// The rest that is solid or one-way: the tile's number, and what it covers.
    pub(super) pieces: Vec<(u32, Covered)>,
    pub(super) faults: Vec<Leniency>,
}

/// A fault, and column and row of the cell in which it is, if it is in one.
pub(super) type CellFault = (Option<(i32, i32)>, LoadErrorKind);

/// The solids so far, and how many each rule marked.
pub(super) struct Solids<'m> {
    pub(super) lattice: Lattice,
    tiles: &'m TileTable,
    pub(super) limits: &'m Limits,
    stamps: Stamps,
    /// True to keep the cells and what each covers.
    keeps: bool,
    is_lenient: bool,
    pub(super) is_infinite: bool,
    pub(super) solid: Pieces,
    /// By the guarded side, in the order of [`Dir::ALL`].
    pub(super) one_way: [Pieces; 4],
    pub(super) areas: Vec<Pieces>,
    /// The cells of floor layers that are not empty.
    pub(super) floor: Option<Pieces>,
    /// Around the cells that are not empty on any layer of an infinite map.
    pub(super) extent: Option<Aabb>,
    /// The first of these cells and, exclusive, the last one.
    pub(super) seen: Option<(IVec2, IVec2)>,
    /// Cells that are not simply solid.
    special: u64,
    pub(super) counts: Vec<SolidCount>,
    /// The index in `counts` of each rule.
    rules: HashMap<String, usize>,
}

impl<'m> Solids<'m> {
    pub(super) fn new(
        lattice: Lattice,
        tiles: &'m TileTable,
        limits: &'m Limits,
        (keeps, is_lenient, is_infinite): (bool, bool, bool),
        areas: usize,
    ) -> Self {
        Self {
            stamps: Stamps::new(&lattice),
            lattice,
            tiles,
            limits,
            keeps,
            is_lenient,
            is_infinite,
            solid: Pieces::default(),
            one_way: Dir::ALL.map(|dir| Pieces {
                edge: Some(dir),
                ..Pieces::default()
            }),
            areas: (0..areas).map(|_| Pieces::default()).collect(),
            floor: None,
            extent: None,
            seen: None,
            special: 0,
            counts: Vec::new(),
            rules: HashMap::new(),
        }
    }

    /// Decodes a layer's cells, each number checked, straight into bits.
    pub(super) fn tiles(
        &mut self,
        blocks: &[RawBlock<'_>],
        layer: &RawLayer<'_>,
        role: &LayerRole,
    ) -> Result<TilesFound, CellFault> {
        let mut found = TilesFound::default();
        let kinds = &self.tiles.kinds;
        let fates: Vec<Fate> = kinds.iter().map(|kind| self.fate(kind, role)).collect();
        let mut counts = vec![0u64; kinds.len()];
        for block in blocks {
            self.block(block, layer, role, &fates, &mut counts, &mut found)?;
        }
        found.items = counts.iter().sum();
        self.count_tiles(&counts, layer, role);
        Ok(found)
    }

    fn fate(&self, kind: &Kind, role: &LayerRole) -> Fate {
        if kind.is_free {
            return Fate::Nothing;
        }
        let is_solid = role.solid.is_some() || (kind.solid.is_some() && !role.is_passable);
        let is_whole = role.solid.is_some() || matches!(kind.solid, Some((_, Form::Cell)) | None);
        let is_one_way = role.one_way.is_some() || kind.one_way.is_some();
        let has_area = !role.areas.is_empty() || !kind.areas.is_empty();
        if (is_one_way && !role.is_passable) || has_area {
            Fate::Special
        } else if !is_solid {
            Fate::Nothing
        } else if is_whole && self.lattice.is_rectangular() {
            Fate::Cell
        } else {
            Fate::Special
        }
    }

    fn block(
        &mut self,
        block: &RawBlock<'_>,
        layer: &RawLayer<'_>,
        role: &LayerRole,
        fates: &[Fate],
        counts: &mut [u64],
        found: &mut TilesFound,
    ) -> Result<(), CellFault> {
        let size = block.size;
        let cells = u64::from(size.x) * u64::from(size.y);
        let no_memory = || (None, LoadErrorKind::NoMemory { cells });
        let blank = || Grid::blank_rows(size.x, size.y).map_err(|_| no_memory());
        let mut writer = CellWriter::new(blank()?);
        let mut floor = role.is_floor.then(blank).transpose()?.map(CellWriter::new);
        let mut kept = Vec::new();
        if self.keeps {
            kept.try_reserve_exact(cells as usize)
                .map_err(|_| no_memory())?;
        }
        let mut sorter = Sorter {
            lookup: self.tiles.lookup(),
            fates,
            counts,
            faults: &mut found.faults,
            is_lenient: self.is_lenient,
            specials: Vec::new(),
            limit: self.limits.shaped_cells,
            room: u64::from(self.limits.shaped_cells).saturating_sub(self.special),
        };
        let is_lenient = self.is_lenient;
        let decoded = cells::decode(&block.data, size.x, size.y, is_lenient, |mut numbers| {
            while !numbers.is_empty() {
                let (piece, rest) = numbers.split_at(numbers.len().min(writer.room()));
                let mut sorted = Sorted::default();
                let fault = sorter.sort(piece, block.origin + writer.cell(), &mut sorted);
                if let Some(floor) = &mut floor {
                    floor.push(sorted.tiles, sorted.count);
                }
                if self.keeps {
                    let kept_from = kept.len();
                    kept.extend_from_slice(piece);
                    if is_lenient {
                        sorted.clear_others(&mut kept[kept_from..]);
                    }
                }
                if self.is_infinite {
                    writer.see(sorted.tiles);
                }
                writer.push(sorted.solid, sorted.count);
                fault?;
                numbers = rest;
            }
            Ok(())
        });
        let specials = sorter.specials;
        let fault = decoded.map_err(|kind| {
            let at = block.origin + writer.cell();
            (
                matches!(kind, LoadErrorKind::UnknownTile { .. }).then_some(at.into()),
                kind,
            )
        })?;
        if let Some(kind) = fault {
            forgive(&mut found.faults, kind, None);
        }
        let (x, y) = layer.offset;
        let offset = self.lattice.layer_offset(Point { x, y }).pixel();
        if let Some((min, max)) = writer.seen() {
            let (min, max) = (block.origin + min, block.origin + max);
            let seen = self.lattice.area(min, max);
            let seen = seen.translated(offset);
            self.extent = Some(self.extent.map_or(seen, |extent| joined(extent, seen)));
            let (first, last) = self.seen.unwrap_or((min, max));
            self.seen = Some((first.min(min), last.max(max)));
        }
        self.special += specials.len() as u64;
        for (cell, kind, gid) in specials {
            self.special(cell, (kind, gid), offset, role, found)
                .map_err(|kind| (Some(cell.into()), kind))?;
        }
        let cells_of = |writer: CellWriter| SolidCells {
            rows: Arc::new(writer.rows),
            origin: block.origin,
            offset,
        };
        if writer.rows.count_ones() > 0 {
            let cells = cells_of(writer);
            if self.keeps {
                found.solid.push(cells.clone());
            }
            self.solid.cells.push(cells);
        }
        if let Some(floor) = floor {
            let cells = cells_of(floor);
            self.add_floor(cells).map_err(|kind| (None, kind))?;
        }
        if self.keeps {
            found.kept.push(CellBlock {
                origin: block.origin,
                size,
                cells: kept,
            });
        }
        Ok(())
    }

    /// Adds the cells of a floor layer that are not empty.
    fn add_floor(&mut self, cells: SolidCells) -> Result<(), LoadErrorKind> {
        let pieces = self.floor.get_or_insert_default();
        let Some(cell) = self.stamps.cover(&Form::Cell, 0, None, self.limits)? else {
            pieces.cells.push(cells);
            return Ok(());
        };
        // Cells that are no rectangles are drawn one by one.
        self.special += cells.rows.count_ones();
        let limit = self.limits.shaped_cells;
        check(
            "cells of floors that are no rectangles",
            self.special,
            limit,
        )?;
        for row in 0..cells.rows.count() {
            for column in (0..cells.rows.len()).filter(|column| cells.rows.get(row, *column)) {
                let place = cells.origin + IVec2::new(column as i32, row as i32);
                let at = self
                    .lattice
                    .cell_bottom_left_pixel(place)
                    .saturating_add(cells.offset);
                pieces.stamps.push((Arc::clone(&cell), at));
            }
        }
        Ok(())
    }

    /// Places a tile that is more or less than a solid cell.
    fn special(
        &mut self,
        cell: IVec2,
        (index, gid): (u32, u32),
        offset: IVec2,
        role: &LayerRole,
        found: &mut TilesFound,
    ) -> Result<(), LoadErrorKind> {
        let kind = &self.tiles.kinds[index as usize];
        let at = self
            .lattice
            .cell_bottom_left_pixel(cell)
            .saturating_add(offset);
        let flips = gid & flip::ALL;
        let mut keep = |covered: Covered| {
            if self.keeps {
                found.pieces.push((gid, covered));
            }
        };
        let of_layer = role.one_way.map(|sides| (sides, Form::Cell));
        if let Some((sides, form)) = kind.one_way.as_ref().or(of_layer.as_ref())
            && !role.is_passable
        {
            for (dir, pieces) in Dir::ALL.into_iter().zip(&mut self.one_way) {
                if sides.get(dir) {
                    let covered = self.stamps.cover(form, flips, Some(dir), self.limits)?;
                    keep(add(pieces, covered, at, &self.lattice));
                }
            }
        } else {
            let whole = role.solid.as_ref().map(|_| &Form::Cell);
            let own = kind.solid.as_ref().map(|(_, form)| form);
            if let Some(form) = whole.or(own.filter(|_| !role.is_passable)) {
                let covered = self.stamps.cover(form, flips, None, self.limits)?;
                keep(add(&mut self.solid, covered, at, &self.lattice));
            }
        }
        let of_layer = role.areas.iter().map(|area| (*area, &Form::Cell));
        for (area, form) in of_layer.chain(kind.areas.iter().map(|(area, form)| (*area, form))) {
            let covered = self.stamps.cover(form, flips, None, self.limits)?;
            if let Some(pieces) = self.areas.get_mut(area) {
                add(pieces, covered, at, &self.lattice);
            }
        }
        Ok(())
    }

    /// Adds a layer's tiles to the counts of the rules that marked them.
    fn count_tiles(&mut self, counts: &[u64], layer: &RawLayer<'_>, role: &LayerRole) {
        let kinds = self.tiles.kinds.iter().zip(counts);
        let mut marked: Vec<(String, u64)> = Vec::new();
        for (kind, tiles) in kinds.filter(|(kind, tiles)| **tiles > 0 && !kind.is_free) {
            let one_way = kind.one_way.is_some() || role.one_way.is_some();
            let rule = if one_way && !role.is_passable {
                "tile that is one-way".to_owned()
            } else if let Some(because) = &role.solid {
                format!("layer `{}` by {because}", layer.path)
            } else if let Some((because, _)) = kind.solid.as_ref().filter(|_| !role.is_passable) {
                format!("tile by {because}")
            } else {
                continue;
            };
            marked.push((rule, *tiles));
        }
        for (rule, tiles) in marked {
            self.count(rule, tiles, 0);
        }
    }

    pub(super) fn count(&mut self, rule: String, tiles: u64, objects: u64) {
        let index = *self.rules.entry(rule).or_insert_with_key(|rule| {
            self.counts.push(SolidCount {
                rule: rule.clone(),
                tiles: 0,
                objects: 0,
            });
            self.counts.len() - 1
        });
        self.counts[index].tiles += tiles;
        self.counts[index].objects += objects;
    }

    /// The pixels of a tile's shapes when it is placed as an object, upright and at its own size.
    pub(super) fn upright(
        &mut self,
        form: &Form,
        flips: u32,
        edge: Option<Dir>,
    ) -> Result<Option<Arc<Coverage>>, LoadErrorKind> {
        self.stamps.cover(form, flips, edge, self.limits)
    }
}

/// Adds what a tile covers to `pieces`; `None` stands for all of a rectangular cell.
fn add(
    pieces: &mut Pieces,
    covered: Option<Arc<Coverage>>,
    at: IVec2,
    lattice: &Lattice,
) -> Covered {
    match covered {
        Some(coverage) => {
            pieces.stamps.push((Arc::clone(&coverage), at));
            Covered::Pixels(coverage, at)
        }
        None => {
            let size = lattice.cell_size().as_ivec2();
            let area = Aabb {
                min: IVec2::new(at.x, at.y.saturating_sub(size.y)),
                max: IVec2::new(at.x.saturating_add(size.x), at.y),
            };
            pieces.add_box(area);
            Covered::Box(area)
        }
    }
}
