//! What a level was made from: facts for a person to read, and for a picture.
//!
//! Plain data without logic; the loaders fill it in, `render`, `verify` and the command line read it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use glam::{IVec2, UVec2};
use serde::Serialize;

use super::mask::{MaskCounts, MaskRule};
use super::properties::Properties;
use crate::geometry::Aabb;

/// What a level was made from.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Source {
    /// A grid made in code.
    Grid,
    /// A mask picture.
    Mask(MaskSource),
    /// A Tiled map.
    Map(MapSource),
    /// Tiled maps that lie in a world.
    World(WorldSource),
}

/// Facts about a mask picture.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MaskSource {
    /// The rule that decided which pixels are solid.
    pub rule: MaskRule,
    /// How many pixels of each kind it has.
    pub counts: MaskCounts,
    /// The PNG colour type and bit depth: `8-bit palette`.
    pub format: String,
    /// True for an animated PNG, of which the default image was read.
    pub animated: bool,
}

/// Facts about a Tiled map.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MapSource {
    /// Width and height in tiles.
    pub size: UVec2,
    /// A tile's width and height in pixels.
    pub tile_size: UVec2,
    /// Its layers, groups included, in drawing order.
    pub layers: Vec<LayerSource>,
    /// Which rule marked how many cells.
    pub solids: Vec<SolidCount>,
}

/// Facts about a world of Tiled maps.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct WorldSource {
    /// Where the top-left corner of the level lies in the world, in pixels.
    pub origin: IVec2,
    /// Its maps, in the order of the file.
    pub maps: Vec<WorldPart>,
    /// The layers of all maps, each with the file of its map: `caves/01.tmx/Walls`.
    pub layers: Vec<LayerSource>,
    /// Which rule marked how many cells, in all maps.
    pub solids: Vec<SolidCount>,
}

/// A map in a world.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct WorldPart {
    /// Its path, from the folder of the world.
    pub file: String,
    /// The pixels that it covers in the level.
    pub area: Aabb,
}

/// Facts about a layer.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct LayerSource {
    /// Its name with those of the groups around it: `Walls/Houses`.
    pub name: String,
    /// What it holds.
    pub kind: LayerKind,
    /// False if it, or a group around it, is hidden. Hidden layers collide all the same.
    pub visible: bool,
    /// Tiles that are not empty, or objects.
    pub items: u64,
}

/// What a layer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum LayerKind {
    /// Tiles.
    Tiles,
    /// Objects.
    Objects,
    /// One picture.
    Image,
    /// Other layers.
    Group,
}

impl LayerKind {
    /// The name in lower case: `tiles`, `objects`, `image` or `group`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tiles => "tiles",
            Self::Objects => "objects",
            Self::Image => "image",
            Self::Group => "group",
        }
    }
}

/// How much one rule marked as solid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct SolidCount {
    /// The rule in words: ``layer `Collision` by its name``.
    pub rule: String,
    /// Tiles that it marked, as many as the layers have; a tile marked by two rules counts for both.
    pub tiles: u64,
    /// Objects that it marked.
    pub objects: u64,
}

/// A map's cells and tilesets, kept on request ([`super::LoadOptions::keep_map`]) so that it can be drawn
/// and a solid cell traced to what made it solid. Takes 4 bytes for each cell of each tile layer.
#[derive(Clone, Debug, PartialEq)]
pub struct TileMap {
    /// Width and height in tiles.
    pub(crate) size: UVec2,
    /// A tile's width and height in pixels.
    pub(crate) tile_size: UVec2,
    /// The order in which a layer's tiles are drawn: true for columns from right to left.
    pub(crate) leftward: bool,
    /// True for rows from bottom to top.
    pub(crate) upward: bool,
    /// The colour behind everything, red, green, blue, alpha.
    pub(crate) background: Option<[u8; 4]>,
    /// The tilesets, by rising first id.
    pub(crate) tilesets: Vec<Tileset>,
    /// What is drawn, groups resolved, from the back to the front. Hidden layers are here too.
    pub(crate) layers: Vec<DrawnLayer>,
    /// What is solid, in the order of the rules.
    pub(crate) solids: Vec<Solid>,
}

/// A tile as it is placed in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlacedTile<'m> {
    /// The name of its tileset.
    pub tileset: &'m str,
    /// Its id in the tileset.
    pub id: u32,
    /// Mirrored left to right.
    pub flip_horizontal: bool,
    /// Mirrored top to bottom.
    pub flip_vertical: bool,
    /// Rows and columns exchanged, before the other two.
    pub flip_diagonal: bool,
}

/// A tileset of a [`TileMap`].
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
    /// Tiles in a row of the picture; 0 if it must be reckoned from the picture's width.
    pub(crate) columns: u32,
    /// How far its tiles are drawn from where they stand, in pixels.
    pub(crate) offset: IVec2,
    /// The picture of all tiles; `None` if each tile has its own.
    pub(crate) image: Option<Image>,
    /// Tiles that have a picture of their own, by local id.
    pub(crate) tile_images: BTreeMap<u32, Image>,
    /// The tile that an animated tile shows first, by local id.
    pub(crate) first_frames: BTreeMap<u32, u32>,
    /// Tiles that are solid wherever they are placed, by local id, and why.
    pub(crate) solids: BTreeMap<u32, String>,
}

impl TileMap {
    /// The tile in a cell of the tile layer `layer`, counted from 0 in drawing order among the layers that
    /// hold tiles; `None` for an empty cell, and outside the map or its layers.
    pub fn tile_at(&self, layer: usize, cell: UVec2) -> Option<PlacedTile<'_>> {
        let cells = |layer: &'_ DrawnLayer| matches!(layer.content, LayerContent::Tiles(_));
        let layer = self.layers.iter().filter(|layer| cells(layer)).nth(layer)?;
        let LayerContent::Tiles(cells) = &layer.content else {
            return None;
        };
        if !cell.cmplt(self.size).all() {
            return None;
        }
        let gid = cells[cell.y as usize * self.size.x as usize + cell.x as usize];
        let (tileset, id) = self.tile(gid & !flip::ALL)?;
        Some(PlacedTile {
            tileset: &tileset.name,
            id,
            flip_horizontal: gid & flip::HORIZONTAL != 0,
            flip_vertical: gid & flip::VERTICAL != 0,
            flip_diagonal: gid & flip::DIAGONAL != 0,
        })
    }

    /// The tileset that holds the tile `gid` (without flags), and the tile's local id in it. `None` for 0
    /// and for a number below every tileset.
    pub(crate) fn tile(&self, gid: u32) -> Option<(&Tileset, u32)> {
        let after = self.tilesets.partition_point(|t| t.first_gid <= gid);
        let tileset = &self.tilesets[after.checked_sub(1)?];
        (gid > 0).then(|| (tileset, gid - tileset.first_gid))
    }

    /// Every picture that the map names, drawn or not.
    #[cfg(feature = "cli")]
    pub(crate) fn images(&self) -> impl Iterator<Item = &Image> {
        let of_layers = self.layers.iter().filter_map(|layer| match &layer.content {
            LayerContent::Image(image) => Some(image),
            _ => None,
        });
        let tilesets = self.tilesets.iter();
        tilesets
            .flat_map(|set| set.image.iter().chain(set.tile_images.values()))
            .chain(of_layers)
    }

    /// The bytes of memory that the cells take.
    pub(super) fn memory_bytes(&self) -> u64 {
        let cells = |layer: &DrawnLayer| match &layer.content {
            LayerContent::Tiles(cells) => size_of_val(cells.as_slice()) as u64,
            _ => 0,
        };
        self.layers.iter().map(cells).sum()
    }
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

/// A layer of a [`TileMap`], with what it takes over from the groups around it.
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
    /// How far it is drawn from where it stands, in pixels.
    pub(crate) offset: (f64, f64),
    /// What it shows.
    pub(crate) content: LayerContent,
}

/// What a [`DrawnLayer`] shows.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum LayerContent {
    /// One number a cell, row by row: 0 for no tile, else the flags and the tile's number in the map.
    Tiles(Vec<u32>),
    /// Tile objects, in drawing order.
    Objects(Vec<TileObject>),
    /// One picture.
    Image(Image),
}

/// A tile placed as an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TileObject {
    /// Flags and the tile's number in the map.
    pub(crate) gid: u32,
    /// Its bottom-left corner, in pixels.
    pub(crate) position: (f64, f64),
    /// Width and height in pixels; 0 for the tile's own.
    pub(crate) size: (f64, f64),
    /// Clockwise degrees around its position.
    pub(crate) rotation: f64,
    /// False if it is hidden.
    pub(crate) visible: bool,
}

/// Something solid in a [`TileMap`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Solid {
    /// Tiles of a layer: all that are not empty, or those that say so themselves.
    Tiles {
        /// The layer's index in [`TileMap::layers`].
        layer: usize,
        /// Whole pixels by which the layer is moved.
        offset: IVec2,
        /// Why all the layer's tiles are solid; `None` if each tile is judged by itself.
        because: Option<String>,
    },
    /// A rectangle object.
    Rectangle {
        /// The layer's name.
        layer: String,
        /// The object's id.
        object: u32,
        /// The pixels that it covers.
        area: Aabb,
        /// Why it is solid.
        because: String,
    },
}

/// The flag bits of a tile's number: mirrored left to right, top to bottom, and along the diagonal.
pub(crate) mod flip {
    /// Mirrored left to right.
    pub(crate) const HORIZONTAL: u32 = 0x8000_0000;
    /// Mirrored top to bottom.
    pub(crate) const VERTICAL: u32 = 0x4000_0000;
    /// Rows and columns exchanged, before the other two.
    pub(crate) const DIAGONAL: u32 = 0x2000_0000;
    /// Turned by 120 degrees, on hexagonal maps only.
    pub(crate) const ROTATED: u32 = 0x1000_0000;
    /// All four.
    pub(crate) const ALL: u32 = HORIZONTAL | VERTICAL | DIAGONAL | ROTATED;
}

/// Why a cell is solid.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Provenance {
    /// The layer, with the groups around it.
    pub layer: String,
    /// The tileset and the tile's local id in it, if a tile made the cell solid.
    pub tile: Option<(String, u32)>,
    /// The object's id, if an object made the cell solid.
    pub object: Option<u32>,
    /// The reason in words: "its name", "property `solid`".
    pub because: String,
}

/// A point or rectangle object that is not solid: a place that the map's maker named, such as a spawn.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Marker {
    /// Its name, which may be empty.
    pub name: String,
    /// Its class (Tiled also calls it type), which may be empty.
    pub class: String,
    /// Its layer, with the groups around it.
    pub layer: String,
    /// Its id in the map.
    pub object: u32,
    /// Where it is: the pixels that a rectangle covers, as if it were not rotated; for a point an empty box
    /// at the pixel that holds it.
    pub area: Aabb,
    /// True for a point.
    pub is_point: bool,
    /// Its custom properties.
    pub properties: Properties,
}
