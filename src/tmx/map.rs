//! The map: size, orientation, tilesets and layers. It knows nothing of solids.

use std::path::PathBuf;

use glam::UVec2;

use super::{Color, Layer, Point, Properties, Tileset};
use crate::error::warning::LoadWarning;

/// The width and the height of a map, in tiles.
pub(crate) const MAX_SIDE: u32 = 16_384;

/// The width and the height of a tile, the spacing and the margin of a tileset, the skew of a map and the
/// side of its hexagons, each in pixels.
pub(crate) const MAX_TILE_SIDE: u32 = 4_096;

/// A Tiled map as its files write it: `.tmx` or `.tmj`, with its tilesets and templates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Map {
    /// The version of the format; empty if the file names none.
    pub version: String,
    /// The version of Tiled that wrote the file; empty if the file names none.
    pub tiled_version: String,
    /// The class, which may be empty.
    pub class: String,
    /// The arrangement of the cells on the screen.
    pub orientation: Orientation,
    /// The order in which the cells of a layer are drawn.
    pub render_order: RenderOrder,
    /// Columns and rows, as the file states them. An infinite map can have cells beyond them. Its height
    /// still sets the origin of an infinite isometric map.
    pub size: UVec2,
    /// The width and height of a cell in pixels; at least 1.
    pub tile_size: UVec2,
    /// True for a map without borders, whose layers are written in chunks.
    pub is_infinite: bool,
    /// The point of the map from which the parallax of its layers is reckoned, in pixels.
    pub parallax_origin: Point,
    /// The colour behind everything.
    pub background: Option<Color>,
    /// The custom properties.
    pub properties: Properties,
    /// The tilesets in the order of the file; those that only a template names come last.
    pub tilesets: Vec<Tileset>,
    /// The layers from the back to the front.
    pub layers: Vec<Layer>,
    /// Elements of the map's files that are not known here, such as those of a newer version of Tiled: the
    /// first 1,024.
    pub unknown: Vec<Unknown>,
    /// Faults of the files that were passed over, because the caller asked for it.
    pub faults: Vec<LoadWarning>,
}

/// The arrangement of a map's cells on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
        /// The lines that are shifted.
        index: StaggerIndex,
    },
    /// As staggered, with hexagons.
    Hexagonal {
        /// The axis along which every other line of cells is shifted.
        axis: StaggerAxis,
        /// The lines that are shifted.
        index: StaggerIndex,
        /// The length of the hexagon's side along `axis`, in pixels.
        side: u32,
    },
    /// Rows and columns of rectangles, sheared.
    Oblique {
        /// The distance of a row to the right of the row above it, in pixels.
        skew_x: i32,
        /// The distance of a column below the column to its left, in pixels.
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

/// The lines of cells that are shifted: see [`Orientation`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StaggerIndex {
    /// Lines 1, 3, 5 and so on, counted from 0.
    #[default]
    Odd,
    /// Lines 0, 2, 4 and so on, counted from 0.
    Even,
}

/// The order in which the cells of an orthogonal map's layer are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RenderOrder {
    /// True for columns from right to left.
    pub leftward: bool,
    /// True for rows from bottom to top.
    pub upward: bool,
}

/// An element that the reader does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unknown {
    /// Its name.
    pub element: String,
    /// The name of the element that it is in.
    pub parent: String,
    /// The file that has it, joined to the folder of the file that names it.
    pub file: PathBuf,
    /// Its line in the file, from 1.
    pub line: u32,
}
