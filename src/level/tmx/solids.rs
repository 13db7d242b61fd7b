//! Which tiles and rectangles of a map are solid, and by which rule, while its layers are read.

use std::collections::HashMap;

use glam::UVec2;

use super::cells::{self, CellData};
use super::compose::Pieces;
use super::document::{Document, RawLayer};
use super::roles::unsupported;
use super::tiles::{TileTable, code};
use crate::geometry::Aabb;
use crate::grid::{Grid, Plane};
use crate::level::error::LoadErrorKind;
use crate::level::limits::Limits;
use crate::level::source::SolidCount;

/// The solids so far, and how many each rule marked.
pub(super) struct Solids<'m> {
    pieces: Pieces,
    tiles: &'m TileTable,
    counts: Vec<SolidCount>,
    /// The index in `counts` of each rule.
    rules: HashMap<String, usize>,
}

/// A fault, and column and row of the cell in which it is, if it is in one.
type CellFault = (Option<(u32, u32)>, LoadErrorKind);

impl<'m> Solids<'m> {
    pub(super) fn new(document: &Document<'_>, tiles: &'m TileTable) -> Self {
        Self {
            pieces: Pieces {
                size: UVec2::new(document.width, document.height),
                tile_size: UVec2::new(document.tile_width, document.tile_height),
                layers: Vec::new(),
                rectangles: Vec::new(),
            },
            tiles,
            counts: Vec::new(),
            rules: HashMap::new(),
        }
    }

    /// Decodes a layer's cells, each number checked, straight into bits; returns how many are not empty.
    /// `because` says why the whole layer is solid, if it is; `kept` takes the numbers too.
    pub(super) fn tiles(
        &mut self,
        data: &CellData<'_>,
        layer: &RawLayer<'_>,
        because: Option<String>,
        mut kept: Option<&mut Vec<u32>>,
    ) -> Result<u64, CellFault> {
        let UVec2 {
            x: width,
            y: height,
        } = self.pieces.size;
        let cells = u64::from(width) * u64::from(height);
        let rows = Grid::blank_rows(width, height);
        let rows = rows.map_err(|_| (None, LoadErrorKind::NoMemory { cells }))?;
        let mut writer = CellWriter::new(rows);
        let mut counts = [0u64; 256];
        let all = because.is_some();
        let decoded = cells::decode(data, width, height, |gid| {
            let mut solid = false;
            if gid != 0 {
                let code = self.tiles.code(gid)?;
                refuse(code, all)?;
                counts[usize::from(code)] += 1;
                solid = all || code >= code::SOLID;
            }
            if let Some(kept) = &mut kept {
                kept.push(gid);
            }
            writer.push(solid);
            Ok(())
        });
        decoded.map_err(|kind| (writer.place(&kind), kind))?;
        let items = counts.iter().sum();
        if self.count_tiles(&counts, items, layer, because) > 0 {
            let offset = layer.offset_in_pixels();
            self.pieces.layers.push((writer.rows, offset));
        }
        Ok(items)
    }

    /// Adds a layer's tiles to the counts of the rules that marked them; returns how many there are.
    fn count_tiles(
        &mut self,
        counts: &[u64; 256],
        items: u64,
        layer: &RawLayer<'_>,
        because: Option<String>,
    ) -> u64 {
        if let Some(because) = because {
            let rule = format!("layer `{}` by {because}", layer.path);
            self.count(rule, items, 0);
            return items;
        }
        let by_reason = &counts[usize::from(code::SOLID)..];
        for (reason, tiles) in self.tiles.reasons.iter().zip(by_reason) {
            if *tiles > 0 {
                self.count(format!("tile by {reason}"), *tiles, 0);
            }
        }
        by_reason.iter().sum()
    }

    fn count(&mut self, rule: String, tiles: u64, objects: u64) {
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

    /// Adds a solid rectangle.
    pub(super) fn rectangle(&mut self, area: Aabb, layer: &str, because: &str) {
        self.count(format!("object in layer `{layer}` by {because}"), 0, 1);
        self.pieces.rectangles.push(area);
    }

    /// The grid, the size of its cells, and the counts.
    pub(super) fn build(
        self,
        limits: &Limits,
    ) -> Result<(Grid, UVec2, Vec<SolidCount>), LoadErrorKind> {
        let (grid, cell_size) = self.pieces.compose(limits)?;
        Ok((grid, cell_size, self.counts))
    }
}

/// Refuses a tile whose solids are not whole tiles, unless all of its layer is solid anyway.
fn refuse(code: u8, all: bool) -> Result<(), LoadErrorKind> {
    match code {
        code::ONE_WAY => Err(unsupported("a one-way tile")),
        code::SHAPES if !all => Err(unsupported("a tile with collision shapes")),
        _ => Ok(()),
    }
}

/// Takes the cells of a layer one by one and writes them into its rows by words.
struct CellWriter {
    rows: Plane,
    column: u32,
    row: u32,
    word: u64,
}

impl CellWriter {
    fn new(rows: Plane) -> Self {
        Self {
            rows,
            column: 0,
            row: 0,
            word: 0,
        }
    }

    #[inline]
    fn push(&mut self, solid: bool) {
        self.word |= u64::from(solid) << (self.column % 64);
        self.column += 1;
        let ends = self.column == self.rows.len();
        if ends || self.column.is_multiple_of(64) {
            self.rows.set_word(self.row, self.column - 1, self.word);
            self.word = 0;
        }
        if ends {
            self.column = 0;
            self.row += 1;
        }
    }

    /// Column and row of the next cell, if what is wrong is wrong with that cell and not with the data.
    fn place(&self, kind: &LoadErrorKind) -> Option<(u32, u32)> {
        let of_a_cell = matches!(
            kind,
            LoadErrorKind::UnknownTile { .. } | LoadErrorKind::Unsupported { .. }
        );
        of_a_cell.then_some((self.column, self.row))
    }
}
