//! How much a file may ask for before it is refused.
//!
//! Every number that a file states is held against these before memory is taken for it. It never reads a
//! file itself.

use crate::error::LoadErrorKind;
use crate::grid::GridError;

/// The limits of a load. Each is inclusive; the defaults let every level pass that an artist could draw,
/// and keep a hostile file within half a gigabyte and two seconds.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// The size of one file, in bytes. Default: 64 MiB.
    pub file_bytes: u64,
    /// The size of all the files of one level together, in bytes. Default: 128 MiB.
    pub total_bytes: u64,
    /// Elements within elements in an XML file; in JSON an element is an object in a list. Default: 64.
    pub xml_depth: u32,
    /// Attributes of one XML element. Default: 64.
    pub xml_attributes: u32,
    /// Elements of the XML files of a map that mean something, `<tile>` cells apart, and a quarter of the
    /// values in a JSON file. Default: 2^19.
    pub xml_elements: u32,
    /// The length of a name, a class or a type, of a layer's name with those of the groups around it, and of
    /// the path of a file that is read, as it is written, in bytes. Default: 1,024.
    pub name_bytes: u32,
    /// The length of one text: a property's value, a picture's path, in bytes. Default: 1 MiB.
    pub text_bytes: u32,
    /// The width and the height of a map, in tiles. Default: 16,384.
    pub map_side: u32,
    /// The tiles of one layer. Default: 2^24.
    pub layer_cells: u64,
    /// The tiles of all the layers of a map, or of all maps of a world, together; a row of a chunk counts as
    /// at least 8. Default: 2^26.
    pub map_cells: u64,
    /// Maps in a world. Default: 1,024.
    pub world_maps: u32,
    /// Layers of all kinds in a map. Default: 1,024.
    pub layers: u32,
    /// Tilesets in a map. Default: 256.
    pub tilesets: u32,
    /// Tiles in one tileset. Default: 65,536.
    pub tileset_tiles: u32,
    /// The width and the height of a tile, a tileset's spacing and margin, and a map's skew and the side of
    /// its hexagons, in pixels. Default: 4,096.
    pub tile_side: u32,
    /// Objects in a map, those of its tiles included. Default: 65,536.
    pub objects: u32,
    /// Points of a polygon or polyline. Default: 4,096.
    pub points: u32,
    /// Points of all the polygons and polylines of a map together. Default: 2^20.
    pub all_points: u32,
    /// The width and the height of a chunk of an infinite map, in tiles. Default: 1,024.
    pub chunk_side: u32,
    /// How far from the map's middle a chunk of an infinite map may start, in tiles. Default: 2^20.
    pub chunk_distance: u32,
    /// How far from the map's corner an object or a layer's offset may lie, in pixels. Default: 2^22.
    pub coordinate: u32,
    /// The width and the height of a mask, in pixels. Default: 65,536.
    pub mask_side: u32,
    /// The pixels of a mask, and a quarter of the bytes that they take in the file before it is compressed.
    /// Default: 2^27, which become 32 MiB of bits.
    pub mask_pixels: u64,
    /// The width and the height of a level, in cells, which for a map with solids finer than its tiles are
    /// its pixels. Default: 2^26.
    pub level_side: u32,
    /// The cells of a level. A map's of more than 2^27 is kept in blocks and counts as 2^27: of it, at most
    /// 2^16 blocks of 64 x 64 cells may have something solid. Default: 2^28.
    pub level_cells: u64,
    /// Tiles placed whose solids are not simply their cells: with collision shapes, one-way, of an area.
    /// Default: 2^22.
    pub shaped_cells: u32,
    /// The rows of pixels that the shapes of a map's tiles and objects cover, one above the other counted
    /// twice. Default: 2^26.
    pub shape_rows: u64,
    /// The words of 64 cells that are written for the solid tiles and rectangles of a map, one above the
    /// other counted twice. Default: 2^30, which took 0.1 s to write; the largest level has 2^22.
    pub covered_words: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 64 << 20,
            total_bytes: 128 << 20,
            xml_depth: 64,
            xml_attributes: 64,
            xml_elements: 1 << 19,
            name_bytes: 1_024,
            text_bytes: 1 << 20,
            map_side: 16_384,
            layer_cells: 1 << 24,
            map_cells: 1 << 26,
            world_maps: 1_024,
            layers: 1_024,
            tilesets: 256,
            tileset_tiles: 65_536,
            tile_side: 4_096,
            objects: 65_536,
            points: 4_096,
            all_points: 1 << 20,
            chunk_side: 1_024,
            chunk_distance: 1 << 20,
            coordinate: 1 << 22,
            mask_side: 65_536,
            mask_pixels: 1 << 27,
            level_side: 1 << 26,
            level_cells: 1 << 28,
            shaped_cells: 1 << 22,
            shape_rows: 1 << 26,
            covered_words: 1 << 30,
        }
    }
}

/// What has been used of the limits that hold for all the maps of a world together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    /// Against [`Limits::map_cells`].
    pub(crate) tiles: u64,
    /// Bytes of the copies of files, in which what a template holds stands once for each of its instances.
    pub(crate) copied: u64,
    /// Elements of files.
    pub(crate) elements: u64,
    /// Against [`Limits::covered_words`].
    pub(crate) words: u64,
    /// Against [`Limits::shape_rows`].
    pub(crate) rows: u64,
}

/// An error if `found` of `what` is more than `limit`.
pub(crate) fn check(
    what: &'static str,
    found: impl Into<u64>,
    limit: impl Into<u64>,
) -> Result<(), LoadErrorKind> {
    let (found, limit) = (found.into(), limit.into());
    if found > limit {
        return Err(LoadErrorKind::TooLarge { what, limit, found });
    }
    Ok(())
}

/// Why a grid of `cells` cells cannot be made, as a reason for which a file is refused.
pub(crate) fn refusal(error: &GridError, cells: u64) -> LoadErrorKind {
    match error {
        GridError::TooManyBlocks => LoadErrorKind::TooLarge {
            what: "blocks of 64 x 64 cells with something solid",
            limit: 1 << 16,
            found: (1 << 16) + 1,
        },
        _ => LoadErrorKind::NoMemory { cells },
    }
}
