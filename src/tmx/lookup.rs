//! Queries of a map: its projection, and its parts by their numbers and paths. They read no file.

use std::path::Path;

use glam::IVec2;

use super::{Image, LayerContent, Map, Projection, TileLayer, Tileset, flip};

/// A tile as it is placed in a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

impl Map {
    /// The conversions between the map's pixels, the screen and the cells.
    pub fn projection(&self) -> Projection {
        Projection::new(self.orientation, self.size, self.tile_size)
    }

    /// The index of the tileset that holds the tile `gid`, whose flags do not count, and the tile's id in it;
    /// `None` for 0 and for a number below every tileset. O(tilesets).
    pub fn tile(&self, gid: u32) -> Option<(usize, u32)> {
        let number = gid & !flip::ALL;
        let sets = self.tilesets.iter().enumerate();
        let before = sets.filter(|(_, set)| set.first_gid <= number);
        let (index, set) = before.max_by_key(|(_, set)| set.first_gid)?;
        (number > 0).then_some((index, number - set.first_gid))
    }

    /// The tile in a cell of the tile layer `layer`, counted from 0 in drawing order among the tile layers;
    /// `None` for an empty cell, and outside the map or its layers. Columns and rows are those of the file:
    /// on an infinite map they may be negative. O(layers + blocks + tilesets).
    pub fn tile_at(&self, layer: usize, cell: IVec2) -> Option<PlacedTile<'_>> {
        let mut layers = self.walk().filter_map(|context| match &context.layer.content {
            LayerContent::Tiles(tiles) => Some(tiles),
            _ => None,
        });
        let gid = layers.nth(layer)?.gid(cell)?;
        let (tileset, id) = self.tile(gid)?;
        Some(PlacedTile {
            tileset: &self.tilesets.get(tileset)?.name,
            id,
            flip_horizontal: gid & flip::HORIZONTAL != 0,
            flip_vertical: gid & flip::VERTICAL != 0,
            flip_diagonal: gid & flip::DIAGONAL != 0,
        })
    }

    /// Every picture that the map names, drawn or not: those of the tilesets and of image layers.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        let of_layers = self.walk().filter_map(|context| match &context.layer.content {
            LayerContent::Image(layer) => layer.image.as_ref(),
            _ => None,
        });
        self.tilesets.iter().flat_map(Tileset::images).chain(of_layers)
    }

    /// The bytes of a picture that is inside one of the map's files, by the path that stands for it.
    pub fn embedded_picture(&self, path: &Path) -> Option<&[u8]> {
        let mut images = self.images();
        images.find_map(|image| image.data.as_deref().filter(|_| image.path == path))
    }
}

impl Tileset {
    /// The picture of all tiles, and those of single ones.
    fn images(&self) -> impl Iterator<Item = &Image> {
        let of_tiles = self.tiles.values().filter_map(|tile| tile.image.as_ref());
        self.image.iter().chain(of_tiles)
    }
}

impl TileLayer {
    /// The number of a cell; `None` where the layer has no cell. O(blocks).
    pub fn gid(&self, cell: IVec2) -> Option<u32> {
        self.blocks.iter().find_map(|block| block.gid(cell))
    }
}
