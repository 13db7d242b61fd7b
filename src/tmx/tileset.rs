//! Tilesets, their tiles and pictures.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::{IVec2, UVec2};

use super::{Color, Object, Properties};
use crate::geometry::Aabb;

/// A tileset as a map uses it.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Tileset {
    /// The number of its tile 0 in the map.
    pub first_gid: u32,
    /// Its name, which may be empty.
    pub name: String,
    /// Its class, which may be empty.
    pub class: String,
    /// The path of its own file, if it has one, joined to the folder of the file that names it.
    pub file: Option<PathBuf>,
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
    /// How far its tiles are drawn from their cells, in pixels.
    pub offset: IVec2,
    /// Which point of a tile object is at its position.
    pub alignment: Alignment,
    /// True if tiles are shown at the size of the map's cells, not at their own.
    pub fills_cell: bool,
    /// True if a tile that is not shown at its own size keeps its proportions.
    pub keeps_aspect: bool,
    /// The size of a diamond of the grid on which collision shapes are drawn, if that grid is isometric.
    pub isometric_grid: Option<UVec2>,
    /// The colour behind its tiles in Tiled's editor.
    pub background: Option<Color>,
    /// The picture of all tiles; `None` if each tile has its own.
    pub image: Option<Image>,
    /// The custom properties.
    pub properties: Properties,
    /// The tiles that the file names, by their ids. Others have no more than a place in the picture.
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
}

/// A tile of a [`Tileset`] that the file names.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Tile {
    /// Its class (before Tiled 1.9: its type), which may be empty.
    pub class: String,
    /// The custom properties.
    pub properties: Properties,
    /// Its own picture, if it has one.
    pub image: Option<Image>,
    /// The collision shapes, from the top-left corner of its picture.
    pub shapes: Vec<Object>,
    /// The frames of its animation.
    pub animation: Vec<Frame>,
    /// Its line in the tileset's file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// One picture of an animation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// The id of the tile that it shows, in the same tileset.
    pub tile: u32,
    /// How long it is shown, in milliseconds.
    pub duration: u32,
}

/// A picture that a map names or holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Image {
    /// Its path, joined to the folder of the file that names it. For a picture within a file, a made-up path
    /// that no other picture of the map has.
    pub path: PathBuf,
    /// The width and height that the file states; 0 for a side that it does not.
    pub size: UVec2,
    /// The colour to be taken as transparent, red, green, blue.
    pub transparent: Option<[u8; 3]>,
    /// The part of the picture to use, in pixels; `None` for all of it.
    pub part: Option<Aabb>,
    /// The bytes of a picture that is within a file, undecoded.
    pub data: Option<Arc<[u8]>>,
    /// Its line in the file, from 1; 0 if it was made in code.
    pub line: u32,
}

/// Which point of a tile object is at its position.
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
