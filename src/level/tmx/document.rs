//! What the reader takes out of a map's files: everything that must be exact or checked. Plain data.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::cells::CellData;
use super::schema::Shape;
use crate::geometry::decimal::Decimal;
use crate::level::source::Alignment;

/// A map, as far as `tiled` is not asked.
#[derive(Default)]
pub(super) struct Document<'t> {
    /// The copy for `tiled`.
    pub(super) canonical: String,
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) tile_width: u32,
    pub(super) tile_height: u32,
    /// True if its layers are in chunks, and its width and height mean nothing.
    pub(super) is_infinite: bool,
    /// The pictures that are inside the files, undecoded, by the path that stands for each.
    pub(super) embedded: BTreeMap<PathBuf, Arc<[u8]>>,
    /// In the order of the file; those that only a template names come last.
    pub(super) tilesets: Vec<RawTileset>,
    /// All layers and groups in the order of the file, a group before what is in it.
    pub(super) layers: Vec<RawLayer<'t>>,
}

/// A tileset: its ids, and the shapes of its tiles.
#[derive(Default)]
pub(super) struct RawTileset {
    pub(super) name: String,
    /// The path of its own file, if it has one.
    pub(super) file: Option<PathBuf>,
    pub(super) first_gid: u32,
    /// Width and height of a tile in pixels.
    pub(super) tile_size: UVec2,
    /// Which point of a tile object is at its position.
    pub(super) alignment: Alignment,
    /// True if its tiles are shown at the size of the map's cells, and then if they keep their proportions.
    pub(super) fills_cell: bool,
    pub(super) keeps_aspect: bool,
    /// How far its pictures are moved, and their shapes with them, in pixels.
    pub(super) picture_offset: IVec2,
    /// The size of its grid's diamonds, if its collision shapes are drawn on an isometric grid.
    pub(super) grid: Option<UVec2>,
    /// How many tiles it has, if the file says so or its picture's size does.
    pub(super) tile_count: Option<u32>,
    /// The ids that it names, in the order of the file.
    pub(super) tile_ids: Vec<u32>,
    /// The collision shapes of tiles by id, each in the order of the file.
    pub(super) shapes: BTreeMap<u32, Vec<RawObject>>,
    /// The sizes in pixels of tiles that have pictures of their own, by id, as far as the file states them.
    pub(super) tile_sizes: BTreeMap<u32, UVec2>,
    /// True if its tiles have pictures of their own; then it has the tiles that it names, and no others.
    pub(super) is_collection: bool,
}

/// A layer or group.
pub(super) struct RawLayer<'t> {
    /// Its name with those of the groups around it.
    pub(super) path: String,
    pub(super) content: RawContent<'t>,
    /// How far it is moved on the screen, by the groups around it too.
    pub(super) offset: (Decimal, Decimal),
    /// Its line in the file, from 1; 0 if the file has no lines of its own.
    pub(super) line: u32,
}

/// What a layer holds.
pub(super) enum RawContent<'t> {
    /// Cells in blocks that do not overlap: one for a finite map, the chunks of an infinite one.
    Tiles(Vec<RawBlock<'t>>),
    Objects(Vec<RawObject>),
    Image,
    Group,
}

/// A rectangle of cells.
pub(super) struct RawBlock<'t> {
    /// Column and row of its first cell.
    pub(super) origin: IVec2,
    pub(super) size: UVec2,
    pub(super) data: CellData<'t>,
}

/// An object's geometry, exactly.
#[derive(Clone)]
pub(super) struct RawObject {
    pub(super) id: u32,
    pub(super) x: Decimal,
    pub(super) y: Decimal,
    pub(super) width: Decimal,
    pub(super) height: Decimal,
    pub(super) rotation: Decimal,
    pub(super) gid: Option<u32>,
    pub(super) shape: Shape,
    /// The points of a polygon or polyline, from (x, y).
    pub(super) points: Vec<(Decimal, Decimal)>,
    /// Its line in the file, from 1; 0 if the file has no lines of its own.
    pub(super) line: u32,
}
