//! Tiled's files as documents: maps, tilesets, objects, properties and worlds, as they are written.
//!
//! A [`Map`] is plain data. It holds what the map's files say, with the line of everything that a message can
//! name, and it knows nothing of solidity: `rules` says what of it is solid, and `build` makes a level of it.
//! XML and JSON are two front ends of one reader. Nothing here opens a file: the caller hands the bytes over.

#[cfg(feature = "tiled")]
mod bridge;
mod cursor;
#[cfg(feature = "json")]
mod json;
mod lattice;
mod layer;
mod lines;
mod lookup;
mod map;
mod object;
mod placed;
mod projection;
mod property;
mod read;
mod tileset;
#[cfg(feature = "json")]
mod tree;
mod walk;
#[cfg(feature = "json")]
mod world;
mod xml;

pub use crate::geometry::decimal::{Decimal, Point};
pub(crate) use cursor::MAX_DEPTH;
#[cfg(feature = "json")]
pub(crate) use cursor::MAX_ELEMENTS;
pub(crate) use lattice::Lattice;
pub use lattice::Space;
pub(crate) use layer::MAX_CHUNK_DISTANCE;
pub use layer::{
    BlendMode, CellBlock, ImageLayer, Layer, LayerContent, LayerKind, ObjectLayer, TileLayer,
};
pub use lookup::PlacedTile;
pub(crate) use map::{MAX_SIDE, MAX_TILE_SIDE};
pub use map::{Map, Orientation, RenderOrder, StaggerAxis, StaggerIndex, Unknown};
pub(crate) use object::MAX_POINTS;
pub use object::{Object, Shape};
pub use placed::PlacedMap;
pub use projection::Projection;
pub use property::{Properties, Property};
pub(crate) use read::ReadOptions;
pub use read::{Named, files_named};
pub(crate) use tileset::MAX_TILES;
pub use tileset::{Alignment, Frame, Image, Tile, Tileset};
pub use walk::LayerContext;
#[cfg(feature = "json")]
pub use world::{World, WorldMap, WorldPattern};

/// Red, green, blue and alpha.
pub type Color = [u8; 4];

/// The flag bits of a tile's number: mirrored left to right, top to bottom, and along the diagonal.
pub mod flip {
    /// Mirrored left to right.
    pub const HORIZONTAL: u32 = 0x8000_0000;
    /// Mirrored top to bottom.
    pub const VERTICAL: u32 = 0x4000_0000;
    /// Rows and columns exchanged, before the other two; on hexagonal maps turned by 60 degrees.
    pub const DIAGONAL: u32 = 0x2000_0000;
    /// Turned by 120 degrees, on hexagonal maps only.
    pub const ROTATED: u32 = 0x1000_0000;
    /// All four.
    pub const ALL: u32 = HORIZONTAL | VERTICAL | DIAGONAL | ROTATED;
}
