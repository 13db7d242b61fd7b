//! Reads Tiled's files into documents: maps, tilesets, objects, properties and worlds, with the values that
//! the files state. A level of an LDtk project becomes the same kind of document (feature `ldtk`).
//!
//! A [`Map`] is plain data, with the line numbers of its elements for error messages. It has no notion of
//! solids: module `rules` decides which cells and objects are solid, and module `convert` makes the level.
//! XML and JSON files share one reader. Nothing here opens a file: the caller passes the bytes.

#[cfg(feature = "tiled")]
mod bridge;
mod doubt;
#[cfg(feature = "json")]
mod json;
mod kept;
mod lattice;
#[cfg(feature = "ldtk")]
mod ldtk;
mod map;
mod read;
mod scene;
#[cfg(feature = "json")]
mod world;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{IVec2, UVec2};

use crate::error::LoadErrorKind;
pub use crate::geometry::{Decimal, Point};
use crate::limits::{Spent, check};
pub(crate) use doubt::About;
pub use doubt::Doubt;
pub(crate) use lattice::Lattice;
pub use lattice::{Projection, Space};
#[cfg(feature = "ldtk")]
pub(crate) use ldtk::{LdtkFile, LdtkProject, is_ldtk};
#[cfg(feature = "ldtk")]
pub(crate) use map::AUTO_TILES;
pub use map::{
    Alignment, BlendMode, CellBlock, Frame, Image, ImageLayer, Layer, LayerContent, Map, Object,
    ObjectLayer, Orientation, PlacedMap, Properties, Property, RenderOrder, Shape, StaggerAxis,
    StaggerIndex, Tile, TileLayer, Tileset, Unknown,
};
pub(crate) use map::{
    INT_GRID, MAX_CHUNK_DISTANCE, MAX_POINTS, MAX_SIDE, MAX_TILE_SIDE, MAX_TILES, TAGGED,
};
pub use read::ReferenceKind;
pub(crate) use read::cursor::MAX_DEPTH;
#[cfg(feature = "json")]
pub(crate) use read::read_reference;
pub(crate) use read::{PropertyTypes, Read, ReadOptions, Tilesets, cursor::MAX_ELEMENTS};
pub use scene::{Drawing, Paint, Scene};
#[cfg(feature = "json")]
pub use world::{WorldFile, WorldMap, WorldPattern};

/// Returns the paths of the files that a file refers to, in the order of the text. `bytes` is the content of
/// the file at `path`.
///
/// The result is empty for bytes that are neither XML nor a known form of JSON. The search ends at the first
/// fault in the file. Absolute paths are left out, because such files are never read. An LDtk project refers
/// to its pictures and to the files of its levels. O(bytes).
pub(crate) fn files_named(path: &Path, bytes: &[u8]) -> Vec<(PathBuf, ReferenceKind)> {
    #[cfg(feature = "ldtk")]
    if is_ldtk(path, bytes) {
        return ldtk::files_named(path, bytes);
    }
    read::files_named(path, bytes)
}

/// A colour with the channels red, green, blue and alpha.
pub type Color = [u8; 4];

/// Parses the colour `rrggbb` or `aarrggbb`, with or without a `#` before it.
fn color(text: &str) -> Option<Color> {
    let digits = text.strip_prefix('#').unwrap_or(text);
    if !digits.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let number = u32::from_str_radix(digits, 16).ok()?;
    let [alpha, red, green, blue] = number.to_be_bytes();
    match digits.len() {
        6 => Some([red, green, blue, u8::MAX]),
        8 => Some([red, green, blue, alpha]),
        _ => None,
    }
}

/// The greatest common divisor of two numbers. If one is 0, the result is the other.
pub(crate) fn common_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}

/// The flags in a gid (global tile id), which mirror and turn the tile.
pub mod flip {
    /// The tile is mirrored left to right.
    pub const HORIZONTAL: u32 = 0x8000_0000;
    /// The tile is mirrored top to bottom.
    pub const VERTICAL: u32 = 0x4000_0000;
    /// The tile's rows and columns are exchanged before any mirroring. On a hexagonal map, the tile is turned
    /// clockwise by 60 degrees instead.
    pub const DIAGONAL: u32 = 0x2000_0000;
    /// The tile is turned clockwise by 120 degrees. Only for hexagonal maps.
    pub const ROTATED: u32 = 0x1000_0000;
    /// All four flags.
    pub const ALL: u32 = HORIZONTAL | VERTICAL | DIAGONAL | ROTATED;
}

/// A tile of a map: its tileset, its id, and how it is mirrored and turned. [`Map::tile`] makes it from a
/// gid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedTile {
    /// The index of the tile's tileset in [`Map::tilesets`].
    pub tileset: usize,
    /// The id of the tile in its tileset.
    pub id: u32,
    /// True if the tile is mirrored left to right.
    pub flip_horizontal: bool,
    /// True if the tile is mirrored top to bottom.
    pub flip_vertical: bool,
    /// True if the tile's rows and columns are exchanged before any mirroring. On a hexagonal map, the tile
    /// is turned clockwise by 60 degrees instead.
    pub flip_diagonal: bool,
    /// True if the tile is turned clockwise by 120 degrees. Only for hexagonal maps.
    pub rotated: bool,
}

impl Map {
    /// Fails for a map with no cells, too many cells or too large tiles.
    pub(crate) fn check_sides(&self) -> Result<(), LoadErrorKind> {
        let tile = self.tile_size;
        let size = if self.is_infinite { UVec2::ONE } else { self.size };
        let sides =
            [("tilewidth", tile.x), ("tileheight", tile.y), ("width", size.x), ("height", size.y)];
        if let Some((attribute, _)) = sides.into_iter().find(|(_, side)| *side == 0) {
            return Err(LoadErrorKind::Value {
                element: "map",
                attribute: attribute.to_owned(),
                value: "0".to_owned(),
                expected: "at least 1",
            });
        }
        check("pixels in a side of a tile", tile.max_element(), MAX_TILE_SIDE)?;
        check("tiles in the width or height of the map", self.size.max_element(), MAX_SIDE)
    }

    /// Returns the projection of the map, which converts between map pixels, screen pixels and cells.
    pub fn projection(&self) -> Projection {
        Projection::new(self.orientation, self.size, self.tile_size)
    }

    /// Returns the tile with the global tile id `gid`, with its flags. Returns `None` for 0, and for a number
    /// below the first gid of every tileset. O(tilesets).
    ///
    /// ```
    /// use bitwall::glam::IVec2;
    /// use bitwall::tmx::LayerContent;
    /// use bitwall::{LoadOptions, LoadedLevel};
    ///
    /// let loaded = LoadedLevel::load("assets/cave.tmx", &LoadOptions::default())?;
    /// let map = loaded.map().expect("a map");
    /// let mut layers = map.walk().map(|context| &context.layer.content);
    /// let Some(LayerContent::Tiles(tiles)) = layers.next() else { panic!("no tile layer") };
    /// let tile = tiles.gid(IVec2::ZERO).and_then(|gid| map.tile(gid)).expect("the cell has a tile");
    /// assert_eq!((tile.tileset, tile.flip_horizontal), (0, false));
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    pub fn tile(&self, gid: u32) -> Option<PlacedTile> {
        let number = gid & !flip::ALL;
        let sets = self.tilesets.iter().enumerate();
        let before = sets.filter(|(_, set)| set.first_gid <= number);
        let (index, set) = before.max_by_key(|(_, set)| (set.first_gid, !set.is_empty()))?;
        (number > 0).then_some(PlacedTile {
            tileset: index,
            id: number - set.first_gid,
            flip_horizontal: gid & flip::HORIZONTAL != 0,
            flip_vertical: gid & flip::VERTICAL != 0,
            flip_diagonal: gid & flip::DIAGONAL != 0,
            rotated: gid & flip::ROTATED != 0,
        })
    }

    /// Returns what the tileset's file lists of the tile with the global tile id `gid`.
    pub(crate) fn listed_tile(&self, gid: u32) -> Option<&Tile> {
        let tile = self.tile(gid)?;
        self.tilesets.get(tile.tileset)?.tiles.get(&tile.id).map(Arc::as_ref)
    }

    /// Counts the bytes of the properties that the markers of objects have from the tiles that they show.
    pub(crate) fn keep_inherited(&self, spent: &mut Spent) -> Result<(), LoadErrorKind> {
        for context in self.walk() {
            let LayerContent::Objects(layer) = &context.layer.content else { continue };
            for tile in layer.objects.iter().filter_map(|object| self.listed_tile(object.gid?)) {
                kept::keep(spent, kept::properties(&tile.properties))?;
            }
        }
        Ok(())
    }

    /// Returns all layers in the order of the file. A group comes before the layers in it.
    pub fn walk(&self) -> impl Iterator<Item = LayerContext<'_>> {
        // A stack: the layers left to visit in each open group, with the context of that group. The innermost
        // group is on top. The map's own layers are at the bottom, without a group.
        let mut open = vec![(self.layers.iter(), None)];
        std::iter::from_fn(move || {
            loop {
                let (layers, group) = open.last_mut()?;
                let Some(layer) = layers.next() else {
                    open.pop();
                    continue;
                };
                let context = LayerContext::new(layer, group.as_ref());
                if let LayerContent::Group(layers) = &layer.content {
                    open.push((layers.iter(), Some(context.clone())));
                }
                return Some(context);
            }
        })
    }

    /// Returns all pictures of tilesets, tiles and image layers. Pictures that are never drawn are included.
    pub fn images(&self) -> impl Iterator<Item = &Image> {
        let mut images = Vec::new();
        for tileset in &self.tilesets {
            images.extend(&tileset.image);
            images.extend(tileset.tiles.values().filter_map(|tile| tile.image.as_ref()));
        }
        for context in self.walk() {
            if let LayerContent::Image(layer) = &context.layer.content {
                images.extend(&layer.image);
            }
        }
        images.into_iter()
    }
}

impl TileLayer {
    /// Returns the gid (global tile id) of the tile in a cell, with its flags. `cell` is a column and row of
    /// the map.
    ///
    /// Returns 0 for an empty cell, and `None` for a cell outside the layer's blocks. O(blocks).
    pub fn gid(&self, cell: IVec2) -> Option<u32> {
        self.blocks.iter().find_map(|block| block.gid(cell))
    }
}

/// A layer with the combined offset, visibility, opacity and tint of the layer and of the groups around it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LayerContext<'m> {
    /// The layer itself. Its offset, visibility, opacity and tint do not include the effect of its groups.
    pub layer: &'m Layer,
    /// The groups around the layer, the outermost first.
    pub parents: Vec<&'m Layer>,
    /// The names of the groups around the layer, then of the layer, joined by `/`: for example
    /// `Walls/Houses`.
    pub path: String,
    /// The sum of the offsets of the layer and of its groups, in pixels of the screen.
    pub offset: Point,
    /// False if the layer or a group around it is hidden.
    pub visible: bool,
    /// The product of the opacities of the layer and of its groups.
    pub opacity: f32,
    /// The product of the tints of the layer and of its groups. `None` if none of them has a tint.
    pub tint: Option<Color>,
}

impl<'m> LayerContext<'m> {
    /// Combines `layer` with the context of the group around it. `parent` is `None` for a layer that is in no
    /// group.
    fn new(layer: &'m Layer, parent: Option<&Self>) -> Self {
        let mut context = Self {
            layer,
            parents: Vec::new(),
            path: layer.name.clone(),
            offset: layer.offset,
            visible: layer.visible,
            opacity: layer.opacity,
            tint: layer.tint,
        };
        if let Some(parent) = parent {
            context.parents.clone_from(&parent.parents);
            context.parents.push(parent.layer);
            context.path = format!("{}/{}", parent.path, layer.name);
            context.offset = parent.offset + layer.offset;
            context.visible &= parent.visible;
            context.opacity *= parent.opacity;
            context.tint = match (parent.tint, layer.tint) {
                (Some(outer), Some(own)) => Some(product(outer, own)),
                (outer, own) => outer.or(own),
            };
        }
        context
    }
}

/// Multiplies two colours channel by channel. The value 255 counts as the factor 1.
fn product(a: Color, b: Color) -> Color {
    std::array::from_fn(|channel| {
        (u16::from(a[channel]) * u16::from(b[channel]) / u16::from(u8::MAX)) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::Decimal;
    use super::*;

    fn layer(name: &str, content: LayerContent) -> Layer {
        let mut layer = Layer::new(name, content);
        layer.offset.x = Decimal::from_pixels(3);
        layer.opacity = 0.5;
        layer
    }

    #[test]
    fn a_walk_over_layers_combines_the_tint_visibility_opacity_and_offset_of_groups() {
        let leaf = |name| layer(name, LayerContent::Objects(Default::default()));
        let mut inner = layer("B", LayerContent::Group(vec![leaf("C")]));
        inner.tint = Some([255, 128, 0, 255]);
        let mut outer = layer("A", LayerContent::Group(vec![inner, leaf("D")]));
        outer.visible = false;
        let map = Map { layers: vec![outer, leaf("E")], ..Map::default() };
        let all: Vec<_> = map.walk().collect();
        let paths: Vec<&str> = all.iter().map(|context| &*context.path).collect();
        assert_eq!(paths, ["A", "A/B", "A/B/C", "A/D", "E"]);
        let deep = &all[2];
        assert_eq!((deep.parents.len(), deep.parents[1].name.as_str()), (2, "B"));
        assert_eq!(deep.offset.x, Decimal::from_pixels(9));
        assert_eq!((deep.visible, deep.opacity), (false, 0.125));
        assert_eq!(deep.tint, Some([255, 128, 0, 255]));
        assert_eq!((all[4].visible, all[4].parents.len()), (true, 0));
    }
}
