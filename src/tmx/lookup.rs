//! Parts of a map by their numbers and paths.

use std::path::Path;

use glam::IVec2;

use super::{Image, LayerContent, Map, TileLayer, Tileset, flip};

impl Map {
    /// The index of the tileset that holds the tile `gid`, whose flags do not count, and the tile's id in it;
    /// `None` for 0 and for a number below every tileset. O(tilesets).
    pub fn tile(&self, gid: u32) -> Option<(usize, u32)> {
        let number = gid & !flip::ALL;
        let sets = self.tilesets.iter().enumerate();
        let before = sets.filter(|(_, set)| set.first_gid <= number);
        let (index, set) = before.max_by_key(|(_, set)| set.first_gid)?;
        (number > 0).then_some((index, number - set.first_gid))
    }

    /// Every picture that the map names, drawn or not: those of the tilesets and of image layers.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        let of_layers = self
            .walk()
            .filter_map(|context| match &context.layer.content {
                LayerContent::Image(layer) => layer.image.as_ref(),
                _ => None,
            });
        self.tilesets
            .iter()
            .flat_map(Tileset::images)
            .chain(of_layers)
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
