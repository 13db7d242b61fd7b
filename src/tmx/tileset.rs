//! Tilesets, their tiles and pictures.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::{Color, Object, Properties};
use crate::geometry::Aabb;

/// Tiles in one tileset.
pub(crate) const MAX_TILES: u32 = 65_536;

/// A tileset as a map uses it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tileset {
    /// The number of its tile 0 in the map.
    pub first_gid: u32,
    /// Its name, which may be empty.
    pub name: String,
    /// Its class, which may be empty.
    pub class: String,
    /// The path of its own file, if it has one, joined to the folder of the file that names it.
    pub file: Option<PathBuf>,
    /// That path as the map or the template writes it; empty for a tileset without a file of its own.
    pub source: String,
    /// The width and height of a tile in pixels; of a collection, the largest ones.
    pub tile_size: UVec2,
    /// The pixels between two tiles of the picture.
    pub spacing: u32,
    /// The pixels around the tiles of the picture.
    pub margin: u32,
    /// The number of tiles that the file states.
    pub tile_count: Option<u32>,
    /// The number of columns that the file states.
    pub columns: Option<u32>,
    /// The displacement at which its tiles are drawn, in pixels.
    pub offset: IVec2,
    /// The point of a tile object that is at its position.
    pub alignment: Alignment,
    /// True if tiles are scaled to the size of the map's cells.
    pub fills_cell: bool,
    /// True if scaled tiles keep their proportions.
    pub keeps_aspect: bool,
    /// The size of a cell of the grid for collision shapes, if that grid is isometric.
    pub isometric_grid: Option<UVec2>,
    /// The colour behind its tiles in Tiled's editor.
    pub background: Option<Color>,
    /// The picture of all tiles; `None` if each tile has its own.
    pub image: Option<Image>,
    /// The custom properties.
    pub properties: Properties,
    /// The tiles that the file lists, by their ids. Other tiles only have a place in the picture.
    pub tiles: BTreeMap<u32, Tile>,
    /// Its line in the map's file, from 1; 0 if it was made in code.
    pub line: u32,
}

impl Tileset {
    /// The number of its tiles that fit in a picture of this width and height in pixels; 0 if a tile has no
    /// width or height.
    pub fn tiles_in(&self, picture: UVec2) -> u64 {
        let fit = |picture: u32, tile: u32| {
            let (spacing, margin) = (u64::from(self.spacing), u64::from(self.margin));
            let room = (u64::from(picture) + spacing).saturating_sub(margin);
            match tile {
                0 => 0,
                tile => room / (u64::from(tile) + spacing),
            }
        };
        fit(picture.x, self.tile_size.x).saturating_mul(fit(picture.y, self.tile_size.y))
    }

    /// True if the file states a number of tiles that does not fit the size that it states of their picture:
    /// then the picture itself is asked for its size. The numbers of the file alone decide this, so that the
    /// picture can be fetched before the map that uses the tileset is known.
    pub(crate) fn contradicts_itself(&self) -> bool {
        let is_file = |image: &&Image| image.data.is_none();
        match (self.tile_count, self.image.as_ref().filter(is_file)) {
            (Some(count), Some(image)) if image.size.min_element() > 0 => {
                u64::from(count) != self.tiles_in(image.size)
            }
            _ => false,
        }
    }
}

/// A tile of a [`Tileset`] that the file names.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tile {
    /// Its class (before Tiled 1.9: its type), which may be empty.
    pub class: String,
    /// The custom properties.
    pub properties: Properties,
    /// Its own picture, if it has one.
    pub image: Option<Image>,
    /// The collision shapes, relative to the top-left corner of its picture.
    pub shapes: Vec<Object>,
    /// The frames of its animation.
    pub animation: Vec<Frame>,
    /// Its line in the tileset's file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// One frame of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The id of the tile that it shows, in the same tileset.
    pub tile: u32,
    /// Its duration in milliseconds.
    pub duration: u32,
}

/// A picture of a map, in its own file or embedded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Image {
    /// Its path, joined to the folder of the file that names it. An embedded picture has a generated path
    /// that is unique in the map.
    pub path: PathBuf,
    /// Its path as the file writes it; empty for an embedded picture.
    pub source: String,
    /// The width and height that the file states; 0 if it does not.
    pub size: UVec2,
    /// The colour that counts as transparent: red, green, blue.
    pub transparent: Option<[u8; 3]>,
    /// The part of the picture to use, in pixels; `None` for all of it.
    pub part: Option<Aabb>,
    /// The bytes of an embedded picture, not decoded.
    pub data: Option<Arc<[u8]>>,
    /// Its line in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// The point of a tile object that is at its position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Alignment {
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
