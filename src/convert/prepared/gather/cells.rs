//! Turns the cell numbers of tile layers into bits, boxes and pixels.
//!
//! The loop over the cell numbers, 64 at a time, takes most of the load time of a large map. Tiles with
//! shapes, one-way sides or areas are drawn after that loop.

use glam::IVec2;

use super::{MapGatherer, PreparedMap};
use crate::convert::pieces::{CellRows, Claim};
use crate::convert::tiles::table::{Lookup, PLAIN};
use crate::convert::tiles::{Extent, Role, RuledLayer, TileMarks, TileMeaning};
use crate::error::{FileFault, LoadErrorKind, Place};
use crate::geometry::Aabb;
use crate::grid::{Grid, Plane};
use crate::limits::check;
use crate::tmx::{About, CellBlock, INT_GRID, Lattice, Layer, MAX_CHUNK_DISTANCE, flip};

/// The largest number of cells in a map whose tiles have collision shapes, one-way sides or an area. Such a
/// cell takes more memory than one bit.
const MAX_SHAPED_CELLS: u64 = 1 << 21;

/// The fault of cells with tile numbers that no tileset has, which count as empty: the error and the position
/// of the first such cell, and the number of all such cells.
type CellFault = (LoadErrorKind, IVec2, u64);

impl MapGatherer<'_> {
    /// Adds a tile layer to the level. Returns the number of cells with a tile, and the fault of cells with
    /// unknown tile numbers. Such cells are an error if the layer has solids, unless the load is lenient.
    pub(super) fn tiles(
        &mut self,
        blocks: &[CellBlock],
        layer: &RuledLayer<'_>,
    ) -> Result<(u64, Option<CellFault>), Box<FileFault>> {
        let mut classifier = CellClassifier::new(self.map, &layer.role);
        for block in blocks {
            self.block(block, layer, &mut classifier)?;
        }
        let CellClassifier { counts, fault, actions, has_lost, .. } = classifier;
        self.has_claims |= layer.role.is_floor || self.could_claim(layer, &actions);
        let is_plain_solid = actions[PLAIN as usize] != CellAction::Ignore;
        let mut known = counts.iter().zip(&actions);
        let has_solids = known.any(|(tiles, action)| *tiles > 0 && *action != CellAction::Ignore);
        let has_marks = layer.role.marks != TileMarks::None;
        let may_stop =
            layer.role.is_floor || is_plain_solid || has_solids || (has_lost && has_marks);
        let fault = match fault {
            Some((kind, cell, _)) if may_stop && !self.map.options.lenient => {
                return Err(in_cell(cell, kind));
            }
            fault => fault,
        };
        for (meaning, tiles) in self.map.tiles.meanings.iter().zip(&counts) {
            if let Some(tileset) = meaning.lost.filter(|_| *tiles > 0)
                && (has_marks || layer.role.claims())
            {
                self.risk(About::Tileset(tileset));
            }
            let stop = meaning.stop(&layer.role).filter(|_| *tiles > 0);
            let rule = match (stop, &layer.role.solid, meaning.reason(&layer.role)) {
                (Some((Claim::OneWay(_), _)), ..) => "tile that is one-way".to_owned(),
                (Some(_), Some(mark), _) => {
                    format!("layer `{}` by {}", layer.context.path, mark.because)
                }
                (Some(_), None, Some(because)) => format!("tile by {because}"),
                _ => continue,
            };
            self.found.solids.add(rule, *tiles, 0);
        }
        Ok((counts.iter().sum(), fault))
    }

    /// True if some tile would be solid, one-way or in an area in a cell of the layer. `actions` has the
    /// effect of each [`TileMeaning`].
    fn could_claim(&self, layer: &RuledLayer<'_>, actions: &[CellAction]) -> bool {
        let Layer { name, line, .. } = layer.context.layer;
        // The cells of an IntGrid layer have tiles of its own tileset only.
        let mut sets = self.map.map.tilesets.iter();
        let own = sets.position(|it| it.class == INT_GRID && it.name == *name && it.line == *line);
        let has_effect = |action: &CellAction| *action != CellAction::Ignore;
        match own {
            Some(own) => {
                let mut meanings = self.map.tiles.meanings_of(own);
                meanings.any(|meaning| actions.get(meaning as usize).is_some_and(has_effect))
            }
            None => actions.iter().any(has_effect),
        }
    }

    fn block(
        &mut self,
        block: &CellBlock,
        layer: &RuledLayer<'_>,
        classifier: &mut CellClassifier<'_>,
    ) -> Result<(), Box<FileFault>> {
        check_block(block)?;
        if block.cells.is_empty() {
            return Ok(());
        }
        let CellBlock { origin, size, .. } = *block;
        let offset = layer.offset.pixel();
        let mut rows = blank_rows(block)?;
        let mut floor = None;
        if layer.role.is_floor {
            floor = Some(blank_rows(block)?);
        }
        classifier.room = MAX_SHAPED_CELLS.saturating_sub(self.placed_cells);
        let mut seen: Option<Aabb> = None;
        let is_infinite = self.map.map.is_infinite;
        for (row, line) in (0..).zip(block.cells.chunks_exact(size.x as usize)) {
            for (column, gids) in (0..).step_by(64).zip(line.chunks(64)) {
                let at = origin + IVec2::new(column as i32, row as i32);
                let (tiles, solid) = classifier.classify(gids, at)?;
                rows.set_word(row, column, solid);
                if let Some(floor) = &mut floor {
                    floor.set_word(row, column, tiles);
                }
                if is_infinite && tiles != 0 {
                    let start = at.x + tiles.trailing_zeros() as i32;
                    let end = at.x + 64 - tiles.leading_zeros() as i32;
                    let around = Aabb::from_xywh(start, at.y, end - start, 1);
                    seen = Some(seen.map_or(around, |seen| seen.hull(around)));
                }
            }
        }
        if let Some(cells) = seen {
            let area = self.map.lattice.area(cells.min, cells.max);
            let area = area.translated(offset);
            self.extent = Some(self.extent.map_or(area, |extent| extent.hull(area)));
            self.seen = Some(self.seen.map_or(cells, |seen| seen.hull(cells)));
        }
        self.placed_cells += classifier.placed.len() as u64;
        for (cell, meaning, gid) in classifier.placed.drain(..) {
            let Some(meaning) = self.map.tiles.meanings.get(meaning as usize) else { continue };
            for (claim, extent) in meaning.claims(&layer.role) {
                let flips = gid & flip::ALL;
                let claim =
                    meaning.turned(claim, flips, &layer.role, self.map.lattice.is_hexagonal());
                for pieces in self.found.pieces.planes_mut(claim) {
                    let cover = self.stamps.of_cell(cell, extent, flips, pieces.edge, layer.offset);
                    pieces.add_cell(cover.map_err(|kind| in_cell(cell, kind))?);
                }
            }
        }
        if rows.count_ones() > 0 {
            self.found.pieces.solid.cells.push(CellRows { rows, origin, offset });
        }
        if let Some(rows) = floor {
            self.floor(CellRows { rows, origin, offset }, layer)?;
        }
        Ok(())
    }

    fn floor(&mut self, cells: CellRows, layer: &RuledLayer<'_>) -> Result<(), LoadErrorKind> {
        let pieces = self.found.pieces.floor.get_or_insert_default();
        if self.map.lattice.is_rectangular() {
            pieces.cells.push(cells);
            return Ok(());
        }
        // Cells that are not rectangles are drawn one by one.
        self.placed_cells += cells.rows.count_ones();
        let what = "cells of floors that are no rectangles";
        check(what, self.placed_cells, MAX_SHAPED_CELLS)?;
        for row in 0..cells.rows.count() {
            for column in cells.rows.runs(row).flatten() {
                let cell = cells.origin + IVec2::new(column as i32, row as i32);
                let cover = self.stamps.of_cell(cell, &Extent::default(), 0, None, layer.offset)?;
                pieces.add_cell(cover);
            }
        }
        Ok(())
    }
}

/// Finds the effect of each cell's tile: nothing, a solid cell, or pixels to draw.
struct CellClassifier<'t> {
    lookup: Lookup<'t>,
    actions: Vec<CellAction>,
    /// The number of cells per [`TileMeaning`]. The index is the index of the meaning in
    /// `TileTable::meanings`.
    counts: Vec<u64>,
    fault: Option<CellFault>,
    /// True if a cell has a number of no tileset, or of a tileset that has no tiles at all. Such a tile might
    /// be solid by a mark of its own.
    has_lost: bool,
    /// The cells that must be drawn one by one: the position of a cell, the index of its tile's
    /// [`TileMeaning`] in `TileTable::meanings`, and the tile's number with flags.
    placed: Vec<(IVec2, u32, u32)>,
    /// The largest allowed length of `placed`.
    room: u64,
}

impl<'t> CellClassifier<'t> {
    fn new(map: &'t PreparedMap<'_>, role: &Role) -> Self {
        let meanings = &map.tiles.meanings;
        let actions = meanings.iter().map(|meaning| CellAction::new(meaning, role, &map.lattice));
        Self {
            lookup: map.tiles.lookup(),
            actions: actions.collect(),
            counts: vec![0; meanings.len()],
            fault: None,
            has_lost: false,
            placed: Vec::new(),
            room: 0,
        }
    }

    /// Classifies up to 64 cells of a row, from the cell `at` to the right. Returns the cells with a tile and
    /// the solid cells, each as bits. The first cell is the lowest bit.
    ///
    /// It is not inlined: the loop then has its values in registers, not on the stack.
    #[inline(never)]
    fn classify(&mut self, gids: &[u32], at: IVec2) -> Result<(u64, u64), Box<FileFault>> {
        let mut tiles = 0u64;
        let mut solid = 0u64;
        let mut plain = 0u64;
        let are_plain_placed = self.actions[PLAIN as usize] == CellAction::Place;
        for (bit, &gid) in (0..).zip(gids) {
            if gid == 0 {
                continue;
            }
            let meaning = match self.lookup.index(gid) {
                Ok(meaning) => meaning,
                Err(kind) => {
                    self.unknown(gid, kind, at + IVec2::new(bit, 0));
                    continue;
                }
            };
            tiles |= 1 << bit;
            // Most tiles have no effect. To count them in a register saves writing to memory for each cell.
            if meaning == PLAIN && !are_plain_placed {
                plain |= 1 << bit;
                continue;
            }
            self.counts[meaning as usize] += 1;
            match self.actions[meaning as usize] {
                CellAction::Ignore => {}
                CellAction::Fill => solid |= 1 << bit,
                CellAction::Place => self.place(at + IVec2::new(bit, 0), meaning, gid)?,
            }
        }
        self.counts[PLAIN as usize] += u64::from(plain.count_ones());
        if self.actions[PLAIN as usize] != CellAction::Ignore {
            solid |= plain;
        }
        Ok((tiles, solid))
    }

    fn place(&mut self, cell: IVec2, meaning: u32, gid: u32) -> Result<(), Box<FileFault>> {
        if self.placed.len() as u64 >= self.room {
            let what = "cells with collision shapes, one-way tiles or areas";
            check(what, MAX_SHAPED_CELLS + 1, MAX_SHAPED_CELLS)?;
        }
        self.placed.push((cell, meaning, gid));
        Ok(())
    }

    /// Counts a cell with an unknown number as empty.
    #[cold]
    fn unknown(&mut self, gid: u32, kind: LoadErrorKind, cell: IVec2) {
        self.has_lost |= !self.lookup.is_of_a_tileset(gid);
        let (_, _, count) = self.fault.get_or_insert((kind, cell, 0));
        *count += 1;
    }
}

fn in_cell(cell: IVec2, kind: LoadErrorKind) -> Box<FileFault> {
    FileFault::new(Place { cell: Some(cell.into()), ..Place::default() }, kind)
}

fn blank_rows(block: &CellBlock) -> Result<Plane, LoadErrorKind> {
    let rows = Grid::blank_rows(block.size.x, block.size.y);
    rows.map_err(|_| LoadErrorKind::NoMemory { cells: block.cells.len() as u64 })
}

/// The effect of a tile on the solids of its cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::convert::prepared) enum CellAction {
    Ignore,
    Fill,
    /// The tile is drawn one by one: it has a shape, one-way sides or an area, or the cell is no rectangle.
    Place,
}

impl CellAction {
    pub(in crate::convert::prepared) fn new(
        meaning: &TileMeaning,
        role: &Role,
        lattice: &Lattice,
    ) -> Self {
        let mut claims = meaning.claims(role);
        match (claims.next(), claims.next()) {
            (None, _) => Self::Ignore,
            (Some((Claim::Solid, extent)), None)
                if *extent == Extent::default() && lattice.is_rectangular() =>
            {
                Self::Fill
            }
            _ => Self::Place,
        }
    }
}

/// Fails for a block with a wrong number of cells, a large size or a large distance from cell (0, 0).
fn check_block(block: &CellBlock) -> Result<(), LoadErrorKind> {
    let size = block.size;
    let found = block.cells.len() as u64;
    if found != u64::from(size.x) * u64::from(size.y) {
        return Err(LoadErrorKind::CellCount { found, width: size.x, height: size.y });
    }
    let far = block.origin.as_i64vec2().abs().max_element() as u64;
    check("columns or rows from the middle to a chunk", far, MAX_CHUNK_DISTANCE)?;
    check("tiles in the width or height of a layer", size.max_element(), 1u32 << 29)
}
