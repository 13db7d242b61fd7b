//! How much a file may ask for before it is refused.
//!
//! Every number that a file states is held against these before memory is taken for it. It never reads a
//! file itself.

use std::cell::Cell;

use super::error::LoadErrorKind;
use crate::grid::GridError;

/// The limits of a load. Each is inclusive; the defaults let every level pass that an artist could draw,
/// and keep a hostile file within half a gigabyte and two seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The size of one file, in bytes. Default: 64 MiB.
    pub file_bytes: u64,
    /// The size of all the files of one level together, in bytes. Default: 128 MiB.
    pub total_bytes: u64,
    /// Elements within elements in an XML file; in JSON an element is an object in a list. Default: 64.
    pub xml_depth: u32,
    /// Attributes of one XML element. Default: 64.
    pub xml_attributes: u32,
    /// Elements of the XML files of a map that mean something, `<tile>` cells apart, and a quarter of the
    /// values in a JSON file. Default: 2^19.
    pub xml_elements: u32,
    /// The length of a name, a class or a type, and of a layer's name with those of the groups around it,
    /// in bytes. Default: 1,024.
    pub name_bytes: u32,
    /// The length of one text: a property's value, a picture's path, in bytes. Default: 1 MiB.
    pub text_bytes: u32,
    /// The width and the height of a map, in tiles. Default: 16,384.
    pub map_side: u32,
    /// The tiles of one layer. Default: 2^24.
    pub layer_cells: u64,
    /// The tiles of all the layers of a map, or of all maps of a world, together. Default: 2^26.
    pub map_cells: u64,
    /// Maps in a world. Default: 1,024.
    pub world_maps: u32,
    /// Layers of all kinds in a map. Default: 1,024.
    pub layers: u32,
    /// Tilesets in a map. Default: 256.
    pub tilesets: u32,
    /// Tiles in one tileset. Default: 65,536.
    pub tileset_tiles: u32,
    /// The width and the height of a tile, and a tileset's spacing and margin, in pixels. Default: 4,096.
    pub tile_side: u32,
    /// Objects in a map, those of its tiles included. Default: 65,536.
    pub objects: u32,
    /// Points of a polygon or polyline. Default: 4,096.
    pub points: u32,
    /// The width and the height of a chunk of an infinite map, in tiles. Default: 1,024.
    pub chunk_side: u32,
    /// How far from the map's middle a chunk of an infinite map may start, in tiles. Default: 2^20.
    pub chunk_distance: u32,
    /// How far from the map's corner an object or a layer's offset may lie, in pixels. Default: 2^22.
    pub coordinate: u32,
    /// The width and the height of a mask, in pixels. Default: 65,536.
    pub mask_side: u32,
    /// The pixels of a mask, and a quarter of the bytes that they take in the file before it is compressed.
    /// Default: 2^27, which become 32 MiB of bits.
    pub mask_pixels: u64,
    /// The width and the height of a level, in cells, which for a map with solids finer than its tiles are
    /// its pixels. Default: 2^26.
    pub level_side: u32,
    /// The cells of a level. Default: 2^28.
    pub level_cells: u64,
    /// Tiles placed whose solids are not simply their cells: with collision shapes, one-way, of an area; in
    /// all maps of a world. Default: 2^22.
    pub shaped_cells: u32,
    /// The rows of pixels that the shapes of tiles and objects cover in a map, or in all maps of a world, one
    /// above the other counted twice. Default: 2^26.
    pub shape_rows: u64,
    /// The words of 64 cells that are written for the solid tiles and rectangles of a map, or of all maps of a
    /// world, one above the other counted twice. Default: 2^30, which took 0.1 s to write; the largest level
    /// has 2^22.
    pub covered_words: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 64 << 20,
            total_bytes: 128 << 20,
            xml_depth: 64,
            xml_attributes: 64,
            xml_elements: 1 << 19,
            name_bytes: 1_024,
            text_bytes: 1 << 20,
            map_side: 16_384,
            layer_cells: 1 << 24,
            map_cells: 1 << 26,
            world_maps: 1_024,
            layers: 1_024,
            tilesets: 256,
            tileset_tiles: 65_536,
            tile_side: 4_096,
            objects: 65_536,
            points: 4_096,
            chunk_side: 1_024,
            chunk_distance: 1 << 20,
            coordinate: 1 << 22,
            mask_side: 65_536,
            mask_pixels: 1 << 27,
            level_side: 1 << 26,
            level_cells: 1 << 28,
            shaped_cells: 1 << 22,
            shape_rows: 1 << 26,
            covered_words: 1 << 30,
        }
    }
}

/// An error if `found` of `what` is more than `limit`.
pub(super) fn check(
    what: &'static str,
    found: impl Into<u64>,
    limit: impl Into<u64>,
) -> Result<(), LoadErrorKind> {
    let (found, limit) = (found.into(), limit.into());
    if found > limit {
        return Err(LoadErrorKind::TooLarge { what, limit, found });
    }
    Ok(())
}

/// What has been used of the limits that hold for all maps of a level together: a world can name a thousand,
/// or one a thousand times.
pub(super) struct Budget<'l> {
    pub(super) limits: &'l Limits,
    cells: Cell<u64>,
    shaped_cells: Cell<u64>,
    shape_rows: Cell<u64>,
    covered_words: Cell<u64>,
}

impl<'l> Budget<'l> {
    pub(super) fn new(limits: &'l Limits) -> Self {
        Self {
            limits,
            cells: Cell::new(0),
            shaped_cells: Cell::new(0),
            shape_rows: Cell::new(0),
            covered_words: Cell::new(0),
        }
    }

    /// Uses tiles of layers.
    pub(super) fn cells(&self, count: u64) -> Result<(), LoadErrorKind> {
        let limit = self.limits.map_cells;
        spend(&self.cells, count, "tiles in all layers", limit)
    }

    /// Uses tiles whose solids are not simply their cells.
    pub(super) fn shaped_cells(&self, count: u64) -> Result<(), LoadErrorKind> {
        let what = "cells with collision shapes, one-way tiles or areas";
        spend(&self.shaped_cells, count, what, self.limits.shaped_cells)
    }

    /// How many such tiles are left.
    pub(super) fn shaped_cells_left(&self) -> u64 {
        u64::from(self.limits.shaped_cells).saturating_sub(self.shaped_cells.get())
    }

    /// Uses rows of pixels of shapes.
    pub(super) fn shape_rows(&self, what: &'static str, rows: u64) -> Result<(), LoadErrorKind> {
        spend(&self.shape_rows, rows, what, self.limits.shape_rows)
    }

    /// Uses words of cells.
    pub(super) fn covered_words(&self, words: u64) -> Result<(), LoadErrorKind> {
        let what = "words of cells covered by solids";
        spend(&self.covered_words, words, what, self.limits.covered_words)
    }
}

fn spend(
    spent: &Cell<u64>,
    more: u64,
    what: &'static str,
    limit: impl Into<u64>,
) -> Result<(), LoadErrorKind> {
    spent.set(spent.get().saturating_add(more));
    check(what, spent.get(), limit)
}

/// Why a grid of `cells` cells cannot be made, as a reason for which a file is refused.
pub(super) fn refusal(error: &GridError, cells: u64) -> LoadErrorKind {
    match error {
        GridError::TooManyBlocks => LoadErrorKind::TooLarge {
            what: "blocks of 64 x 64 cells with something solid",
            limit: 1 << 16,
            found: (1 << 16) + 1,
        },
        _ => LoadErrorKind::NoMemory { cells },
    }
}
