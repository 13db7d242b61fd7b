//! From a tile's number to the pixels that it shows.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::PathBuf;

use glam::UVec2;
use image::RgbaImage;

use super::sprite::Sprite;
use crate::geometry::Aabb;
use crate::level::{Image, LayerContent, ObjectLook, TileMap, Tileset, flip};

/// The decoded pictures of a map, by path; `None` for one that could not be had.
pub type Pictures = BTreeMap<PathBuf, Option<RgbaImage>>;

/// The pictures that [`super::art()`] needs to draw a map: those of the tiles and image layers that are
/// visible. Paths are as the map names them, joined to its folder.
pub fn picture_paths(map: &TileMap) -> BTreeSet<PathBuf> {
    let mut paths = BTreeSet::new();
    let mut gids = HashSet::new();
    for layer in map.layers.iter().filter(|layer| layer.visible) {
        match &layer.content {
            LayerContent::Tiles(blocks) => {
                let cells = blocks.iter().flat_map(|block| &block.cells);
                gids.extend(cells.map(|gid| gid & !flip::ALL));
            }
            LayerContent::Objects(objects) => {
                let visible = objects.iter().filter(|object| object.visible);
                gids.extend(visible.filter_map(|object| match object.look {
                    ObjectLook::Tile(gid) => Some(gid & !flip::ALL),
                    _ => None,
                }));
            }
            LayerContent::Image { image, .. } => {
                paths.insert(image.path.clone());
            }
        }
    }
    let tiles = gids.into_iter().filter_map(|gid| map.tile(gid));
    let images = tiles.filter_map(|(tileset, id)| image_of(tileset, shown(tileset, id)));
    paths.extend(images.map(|image| image.path.clone()));
    paths
}

/// The tile that is drawn for a tile: the first frame of its animation, or itself.
fn shown(tileset: &Tileset, id: u32) -> u32 {
    tileset.first_frames.get(&id).copied().unwrap_or(id)
}

/// The picture that holds a tile.
fn image_of(tileset: &Tileset, id: u32) -> Option<&Image> {
    tileset.tile_images.get(&id).or(tileset.image.as_ref())
}

/// What a tile looks like.
pub(super) enum Look<'a> {
    /// These pixels.
    Sprite(Sprite<'a>),
    /// Its picture is missing, or has no such tile; it would have been this large.
    Missing(UVec2),
}

impl Look<'_> {
    /// The tile's own size.
    pub(super) fn size(&self) -> UVec2 {
        match self {
            Self::Sprite(sprite) => sprite.size,
            Self::Missing(size) => *size,
        }
    }
}

/// The tilesets of a map with their pictures.
pub(super) struct Tiles<'a> {
    map: &'a TileMap,
    pictures: &'a Pictures,
    /// The picture of each tileset that has one for all its tiles, by first id: a path is looked up once,
    /// not once a cell.
    sheets: BTreeMap<u32, Option<&'a RgbaImage>>,
}

impl<'a> Tiles<'a> {
    pub(super) fn new(map: &'a TileMap, pictures: &'a Pictures) -> Self {
        let sheet = |tileset: &'a Tileset| {
            let image = tileset.image.as_ref()?;
            Some((tileset.first_gid, picture(pictures, image)))
        };
        Self {
            map,
            pictures,
            sheets: map.tilesets.iter().filter_map(sheet).collect(),
        }
    }

    /// The tile of this number (without flags), and its tileset; `None` for no tile.
    pub(super) fn get(&self, gid: u32) -> Option<(&'a Tileset, Look<'a>)> {
        let (tileset, id) = self.map.tile(gid)?;
        let id = shown(tileset, id);
        let sprite = match tileset.tile_images.get(&id) {
            Some(image) => picture(self.pictures, image)
                .and_then(|pixels| Sprite::new(pixels, image.part, image.transparent)),
            None => self.on_sheet(tileset, id),
        };
        let look = sprite.map_or(Look::Missing(tileset.tile_size), Look::Sprite);
        Some((tileset, look))
    }

    fn on_sheet(&self, tileset: &'a Tileset, id: u32) -> Option<Sprite<'a>> {
        let pixels = (*self.sheets.get(&tileset.first_gid)?)?;
        let part = part(tileset, id, pixels.dimensions().into())?;
        Sprite::new(pixels, Some(part), tileset.image.as_ref()?.transparent)
    }

    /// The sprite of an image layer.
    pub(super) fn image(&self, image: &Image) -> Option<Sprite<'a>> {
        Sprite::new(
            picture(self.pictures, image)?,
            image.part,
            image.transparent,
        )
    }
}

fn picture<'a>(pictures: &'a Pictures, image: &Image) -> Option<&'a RgbaImage> {
    pictures.get(&image.path)?.as_ref()
}

/// Where in a picture of `size` a tile lies; `None` if the picture does not hold all of it.
fn part(tileset: &Tileset, id: u32, size: UVec2) -> Option<Aabb> {
    let (tile, spacing) = (tileset.tile_size.as_u64vec2(), u64::from(tileset.spacing));
    let margin = u64::from(tileset.margin);
    let (size, stride) = (size.as_u64vec2(), tile + spacing);
    let columns = match u64::from(tileset.columns) {
        0 => (size.x + spacing)
            .checked_sub(margin)?
            .checked_div(stride.x)?,
        columns => columns,
    };
    let place = glam::U64Vec2::new(u64::from(id).checked_rem(columns)?, u64::from(id) / columns);
    let min = place * stride + margin;
    let max = min + tile;
    // What fits a picture fits an `i32`: a side of 2^31 pixels would be a picture of 8 GiB a row.
    (max.cmple(size).all() && tile.min_element() > 0).then(|| Aabb {
        min: min.as_ivec2(),
        max: max.as_ivec2(),
    })
}
