//! What a map is drawn from: its orientation, tilesets, layers, cells and objects.
//!
//! Plain data; only looking a cell up is done here. `render` knows what it looks like.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use glam::{IVec2, UVec2};

use crate::geometry::Aabb;
pub(crate) use crate::tmx::{Alignment, BlendMode, CellBlock};

/// A tileset of a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tileset {
    /// Its name.
    pub(crate) name: String,
    /// The number of its tile 0 in the map.
    pub(crate) first_gid: u32,
    /// A tile's width and height in pixels.
    pub(crate) tile_size: UVec2,
    /// Pixels between two tiles of the picture.
    pub(crate) spacing: u32,
    /// Pixels around the tiles of the picture.
    pub(crate) margin: u32,
    /// How far its tiles are drawn from where they stand, in pixels.
    pub(crate) offset: IVec2,
    /// Which point of a tile object is at its position.
    pub(crate) alignment: Alignment,
    /// True if tiles are drawn at the size of the map's cells, not at their own.
    pub(crate) fills_cell: bool,
    /// True if a tile that is not drawn at its own size keeps its proportions.
    pub(crate) keeps_aspect: bool,
    /// The picture of all tiles; `None` if each tile has its own.
    pub(crate) image: Option<Image>,
    /// The local ids of the tiles that the file says something of.
    pub(crate) named: BTreeSet<u32>,
    /// Tiles that have a picture of their own, by local id.
    pub(crate) tile_images: BTreeMap<u32, Image>,
    /// The tile that an animated tile shows first, by local id.
    pub(crate) first_frames: BTreeMap<u32, u32>,
    /// Tiles that are solid wherever they are placed, by local id, and why.
    pub(crate) solids: BTreeMap<u32, String>,
}

/// A picture that a map refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Image {
    /// Its path, joined to the folder of the file that names it.
    pub(crate) path: PathBuf,
    /// The colour to be taken as transparent, red, green, blue.
    pub(crate) transparent: Option<[u8; 3]>,
    /// The part of the picture to use, in pixels; `None` for all of it.
    pub(crate) part: Option<Aabb>,
}

/// A layer of a map, with what it takes over from the groups around it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct DrawnLayer {
    /// Its name with those of the groups around it.
    pub(crate) name: String,
    /// False if it, or a group around it, is hidden.
    pub(crate) visible: bool,
    /// 0 (clear) to 1 (opaque).
    pub(crate) opacity: f32,
    /// The colour that its pixels are multiplied by, red, green, blue, alpha.
    pub(crate) tint: Option<[u8; 4]>,
    /// How its pixels are put upon those below.
    pub(crate) mode: BlendMode,
    /// How far it is drawn from where it stands, in pixels.
    pub(crate) offset: (f64, f64),
    /// What it shows.
    pub(crate) content: LayerContent,
}

impl DrawnLayer {
    /// Its cells, if it is a tile layer.
    pub(crate) fn blocks(&self) -> Option<&[CellBlock]> {
        match &self.content {
            LayerContent::Tiles(blocks) => Some(blocks),
            _ => None,
        }
    }
}

/// What a [`DrawnLayer`] shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LayerContent {
    /// Blocks of cells that do not overlap, by rising row and column of their origins.
    Tiles(Vec<CellBlock>),
    /// Objects, in drawing order.
    Objects(Vec<MapObject>),
    /// One picture.
    Image {
        /// The picture.
        image: Image,
        /// True if it is repeated to the left and right without end.
        repeat_x: bool,
        /// True if it is repeated upward and downward without end.
        repeat_y: bool,
    },
}

/// The number of a cell in a tile layer; `None` where the layer has no cell.
pub(crate) fn gid_at(blocks: &[CellBlock], cell: IVec2) -> Option<u32> {
    blocks.iter().find_map(|block| block.gid(cell))
}

/// An object of an object layer.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct MapObject {
    /// What it is.
    pub(crate) look: ObjectLook,
    /// Its top-left corner in pixels of the map; of a tile, the point that its [`Alignment`] says.
    pub(crate) position: (f64, f64),
    /// Width and height in pixels; 0 for a tile's own.
    pub(crate) size: (f64, f64),
    /// Clockwise degrees around its position.
    pub(crate) rotation: f64,
    /// 0 (clear) to 1 (opaque).
    pub(crate) opacity: f32,
    /// False if it is hidden.
    pub(crate) visible: bool,
}

/// What a [`MapObject`] is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum ObjectLook {
    /// A tile: flags and its number in the map.
    Tile(u32),
    Rectangle,
    Ellipse,
    Capsule,
    Point,
    /// Points from its position, joined to a ring.
    Polygon(Vec<(f64, f64)>),
    /// Points from its position, joined to a line.
    Polyline(Vec<(f64, f64)>),
    /// A box of text.
    Text,
}
