//! What a map is drawn from: its orientation, tilesets, layers, cells and objects.
//!
//! Plain data; only looking a cell up is done here. `render` knows what it looks like.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use glam::{IVec2, UVec2};

use crate::geometry::Aabb;

/// How the cells of a Tiled map lie on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Orientation {
    /// Rows and columns of rectangles.
    #[default]
    Orthogonal,
    /// Diamonds: columns run down to the right, rows down to the left.
    Isometric,
    /// Diamonds in straight rows or columns, every other one shifted by half a tile.
    Staggered {
        /// The axis along which every other line of cells is shifted.
        axis: StaggerAxis,
        /// Which of the lines are shifted.
        index: StaggerIndex,
    },
    /// As staggered, with hexagons.
    Hexagonal {
        /// The axis along which every other line of cells is shifted.
        axis: StaggerAxis,
        /// Which of the lines are shifted.
        index: StaggerIndex,
        /// The length of the hexagon's side that lies along `axis`, in pixels.
        side: u32,
    },
    /// Rows and columns of rectangles, sheared.
    Oblique {
        /// How many pixels a row is to the right of the one above it.
        skew_x: i32,
        /// How many pixels a column is below the one to its left.
        skew_y: i32,
    },
}

/// The axis along which every other line of cells is shifted: see [`Orientation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaggerAxis {
    /// Every other column is shifted down.
    X,
    /// Every other row is shifted right.
    #[default]
    Y,
}

/// Which lines of cells are shifted: see [`Orientation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaggerIndex {
    /// Lines 1, 3, 5 and so on, counted from 0.
    #[default]
    Odd,
    /// Lines 0, 2, 4 and so on, counted from 0.
    Even,
}

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

/// Which point of a tile object is at its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Alignment {
    /// `Bottom` on an isometric map, else `BottomLeft`.
    #[default]
    Unspecified,
    TopLeft,
    Top,
    TopRight,
    Left,
    Center,
    Right,
    BottomLeft,
    Bottom,
    BottomRight,
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

/// How a layer's pixels are put upon those below it: the modes of the W3C's compositing rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum BlendMode {
    #[default]
    Normal,
    Add,
    Multiply,
    Screen,
    Overlay,
    Darken,
    Lighten,
    ColorDodge,
    ColorBurn,
    HardLight,
    SoftLight,
    Difference,
    Exclusion,
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

/// A rectangle of cells: all of a finite layer, or one chunk of an infinite one.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct CellBlock {
    /// Column and row of its top-left cell.
    pub(crate) origin: IVec2,
    /// Its columns and rows.
    pub(crate) size: UVec2,
    /// One number a cell, row by row: 0 for no tile, else the flags and the tile's number in the map.
    pub(crate) cells: Vec<u32>,
}

impl CellBlock {
    /// The number of a cell; `None` outside the block.
    pub(crate) fn gid(&self, cell: IVec2) -> Option<u32> {
        let at = cell.as_i64vec2() - self.origin.as_i64vec2();
        let is_inside =
            at.cmpge(glam::I64Vec2::ZERO).all() && at.cmplt(self.size.as_i64vec2()).all();
        let index =
            at.y.checked_mul(i64::from(self.size.x))?
                .checked_add(at.x)?;
        let gid = self.cells.get(usize::try_from(index).ok()?)?;
        is_inside.then_some(*gid)
    }
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

/// The flag bits of a tile's number: mirrored left to right, top to bottom, and along the diagonal.
pub(crate) mod flip {
    /// Mirrored left to right.
    pub(crate) const HORIZONTAL: u32 = 0x8000_0000;
    /// Mirrored top to bottom.
    pub(crate) const VERTICAL: u32 = 0x4000_0000;
    /// Rows and columns exchanged, before the other two; on hexagonal maps turned by 60 degrees.
    pub(crate) const DIAGONAL: u32 = 0x2000_0000;
    /// Turned by 120 degrees, on hexagonal maps only.
    pub(crate) const ROTATED: u32 = 0x1000_0000;
    /// All four.
    pub(crate) const ALL: u32 = HORIZONTAL | VERTICAL | DIAGONAL | ROTATED;
}
