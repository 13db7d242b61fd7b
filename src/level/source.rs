//! What a level was made from: facts for a person to read, and for a picture.
//!
//! Plain data without logic; the loaders fill it in, `render`, `verify` and the command line read it.

mod drawn;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{IVec2, UVec2};
use serde::Serialize;

pub use crate::build::facts::{
    LayerSource, MapSource, Provenance, SolidCount, WorldPart, WorldSource,
};
use crate::geometry::Aabb;
use crate::grid::Plane;
use crate::mask::MaskCounts;
use crate::property::PropertyValues;
use crate::raster::{Coverage, Outline};
use crate::rules::{MaskPlane, MaskRule};
pub(crate) use crate::tmx::{LayerKind, Orientation, StaggerAxis, StaggerIndex, flip};
pub(crate) use drawn::{
    Alignment, BlendMode, CellBlock, DrawnLayer, Image, LayerContent, MapObject, ObjectLook,
    Tileset, gid_at,
};

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
    /// The colours that were made areas.
    pub planes: Vec<MaskPlane>,
    /// How many pixels of each kind it has.
    pub counts: MaskCounts,
    /// The file format, the colour type and the bit depth: `PNG, 8-bit palette`.
    pub format: String,
    /// True for an animated picture, of which only the first frame was read; of a PNG the default image.
    pub animated: bool,
}

/// A map's cells and tilesets, kept on request ([`super::LoadOptions::keep_map`]) so that it can be drawn
/// and a solid cell traced to what made it solid. Takes 4 bytes for each cell of each tile layer.
#[derive(Clone, Debug, PartialEq)]
pub struct TileMap {
    /// How its cells lie.
    pub(crate) orientation: Orientation,
    /// Column and row of the level's top-left cell: (0, 0), but for an infinite map.
    pub(crate) first_cell: IVec2,
    /// Width and height in tiles, counted from `first_cell`.
    pub(crate) size: UVec2,
    /// The rows that push an isometric map to the right: its own, or 0 for an infinite one.
    pub(crate) rows: u32,
    /// The part of the screen that the level shows, if the level's pixels are those of the screen.
    pub(crate) on_screen: Option<Aabb>,
    /// True for a map without borders, whose tile layers have cells wherever something was drawn.
    pub(crate) is_infinite: bool,
    /// A tile's width and height in pixels.
    pub(crate) tile_size: UVec2,
    /// The order in which a layer's tiles are drawn: true for columns from right to left.
    pub(crate) leftward: bool,
    /// True for rows from bottom to top.
    pub(crate) upward: bool,
    /// The colour behind everything, red, green, blue, alpha.
    pub(crate) background: Option<[u8; 4]>,
    /// The pictures that are inside its files, undecoded, by the path that stands for each.
    pub(crate) embedded: BTreeMap<PathBuf, Arc<[u8]>>,
    /// The tilesets, by rising first id.
    pub(crate) tilesets: Vec<Tileset>,
    /// What is drawn, groups resolved, from the back to the front. Hidden layers are here too.
    pub(crate) layers: Vec<DrawnLayer>,
    /// What is solid or one-way, in the order of the rules.
    pub(crate) solids: Vec<Solid>,
}

/// A map that a level keeps, and where it lies there.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct KeptMap {
    /// In a world its file, as the world names it.
    pub(crate) file: Option<String>,
    /// The pixels of the level that it shows.
    pub(crate) area: Aabb,
    /// Where in the level its own pixel (0, 0) lies.
    pub(crate) place: IVec2,
    /// A whole cell, in pixels of the level.
    pub(crate) cell: UVec2,
    pub(crate) map: TileMap,
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

impl TileMap {
    /// The conversions between the map's pixels, the screen and the cells.
    pub fn projection(&self) -> crate::tmx::Projection {
        let size = UVec2::new(self.size.x, self.rows);
        crate::tmx::Projection::new(self.orientation, size, self.tile_size)
    }

    /// The tile in a cell of the tile layer `layer`, counted from 0 in drawing order among the layers that
    /// hold tiles; `None` for an empty cell, and outside the map or its layers. Columns and rows are those of
    /// the file: on an infinite map they may be negative.
    pub fn tile_at(&self, layer: usize, cell: IVec2) -> Option<PlacedTile<'_>> {
        let mut tiles = self.layers.iter().filter_map(DrawnLayer::blocks);
        let gid = gid_at(tiles.nth(layer)?, cell)?;
        let (tileset, id) = self.tile(gid & !flip::ALL)?;
        Some(PlacedTile {
            tileset: &tileset.name,
            id,
            flip_horizontal: gid & flip::HORIZONTAL != 0,
            flip_vertical: gid & flip::VERTICAL != 0,
            flip_diagonal: gid & flip::DIAGONAL != 0,
        })
    }

    /// The bytes of a picture that is inside one of the map's files, by the path that stands for it in
    /// [`crate::render::picture_paths`]: [`crate::decode_picture`] decodes them.
    pub fn embedded_picture(&self, path: &Path) -> Option<&[u8]> {
        self.embedded.get(path).map(|bytes| &**bytes)
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
            LayerContent::Image { image, .. } => Some(image),
            _ => None,
        });
        let tilesets = self.tilesets.iter();
        tilesets
            .flat_map(|set| set.image.iter().chain(set.tile_images.values()))
            .chain(of_layers)
    }

    /// The bytes of memory that the cells take.
    pub(super) fn memory_bytes(&self) -> u64 {
        let blocks = self.layers.iter().filter_map(DrawnLayer::blocks).flatten();
        blocks
            .map(|block| size_of_val(block.cells.as_slice()) as u64)
            .sum()
    }
}

/// Something solid or one-way in a [`TileMap`].
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Solid {
    /// Tiles of a layer: all that are not empty, or those that say so themselves.
    Tiles {
        /// The layer's index in [`TileMap::layers`].
        layer: usize,
        /// The layer's line in the file; 0 if it has none.
        line: u32,
        /// Why all the layer's tiles are solid; `None` if each tile is judged by itself.
        because: Option<String>,
        /// Those that are solid cells.
        cells: Vec<SolidCells>,
        /// The others: each tile's number, and what it covers.
        pieces: Vec<(u32, Covered)>,
    },
    /// An object.
    Object {
        /// The layer's name.
        layer: String,
        /// The object's line in the file; 0 if it has none.
        line: u32,
        /// The object's id.
        object: u32,
        /// Why it is solid.
        because: String,
        /// What it covers.
        covers: Vec<Covered>,
    },
}

/// A block of whole cells that are solid.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct SolidCells {
    pub(crate) rows: Arc<Plane>,
    /// Column and row of its first cell.
    pub(crate) origin: IVec2,
    /// How far its layer is moved, in pixels.
    pub(crate) offset: IVec2,
}

/// What something solid covers, in pixels of the map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Covered {
    Box(Aabb),
    /// Pixels, and where they are put.
    Pixels(Arc<Coverage>, IVec2),
    Outline(Outline),
}

impl Covered {
    /// True if it covers the pixel.
    pub(crate) fn contains(&self, pixel: IVec2) -> bool {
        match self {
            Self::Box(area) => area.contains(pixel),
            Self::Pixels(coverage, at) => coverage.contains(pixel.saturating_sub(*at)),
            Self::Outline(outline) => {
                let mut covers = false;
                let clip = Aabb::from_xywh(pixel.x, pixel.y, 1, 1);
                outline.cover(clip, &mut |_| covers = true);
                covers
            }
        }
    }
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
    pub properties: PropertyValues,
}
