//! The limits on the content of a file, and the amounts used of them.
//!
//! Every number that a file states is compared with them before memory is allocated for it. This module
//! never reads a file.

use crate::error::LoadErrorKind;

/// The limits of a load. Each is inclusive. The defaults admit every level that an artist could draw. They
/// hold a hostile file of less than 1 MB to 128 MiB and two seconds in most cases; the worst that is known
/// takes 300 MiB (the difference of two levels of 10^8 pixels) or five seconds (the causes of the cells of a
/// full hexagonal map of 1024 x 1024 tiles).
///
/// ```
/// use bitwall::{Limits, LoadOptions};
///
/// let limits = Limits::default().with_file_bytes(1 << 20).with_layers(64);
/// let options = LoadOptions::default().with_limits(limits);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(default, deny_unknown_fields))]
#[non_exhaustive]
pub struct Limits {
    /// The size of one file, in bytes. Default: 64 MiB.
    pub file_bytes: u64,
    /// The size of all the files of one level together, in bytes. Default: 128 MiB.
    pub total_bytes: u64,
    /// The nesting depth of elements in an XML file; in JSON an element is an object in a list. Default: 64.
    pub xml_depth: u32,
    /// Attributes of one XML element. Default: 64.
    pub xml_attributes: u32,
    /// Elements in all the XML files of a map, without `<tile>` cells and elements that are skipped. Four
    /// values of a JSON file count as one element. Default: 2^19.
    pub xml_elements: u32,
    /// The length in bytes of a name, a class or a type; of a layer's name with those of its groups; and of
    /// the path of a file, as written. Default: 1,024.
    pub name_bytes: u32,
    /// The length of one text: a property's value, a picture's path, in bytes. Default: 1 MiB.
    pub text_bytes: u32,
    /// The width and the height of a map, in tiles. Default: 16,384.
    pub map_side: u32,
    /// The tiles of one layer. Default: 2^24.
    pub layer_cells: u64,
    /// The tiles of all the layers of a map together, or of all maps of a world. A row of a chunk counts as
    /// at least 8 tiles. Default: 2^24, which take 64 MiB.
    pub map_cells: u64,
    /// Maps in a world. Default: 1,024.
    pub world_maps: u32,
    /// Layers of all kinds in a map. Default: 1,024.
    pub layers: u32,
    /// Tilesets in a map. Default: 256.
    pub tilesets: u32,
    /// Tiles in one tileset. Default: 65,536.
    pub tileset_tiles: u32,
    /// The width and the height of a tile, the spacing and the margin of a tileset, the skew of a map and the
    /// side of its hexagons, each in pixels. Default: 4,096.
    pub tile_side: u32,
    /// Objects in a map, those of its tiles included. Default: 65,536.
    pub objects: u32,
    /// Points of a polygon or polyline. Default: 4,096.
    pub points: u32,
    /// Points of all the polygons and polylines of a map together. Default: 2^20.
    pub all_points: u32,
    /// The width and the height of a chunk of an infinite map, in tiles. Default: 1,024.
    pub chunk_side: u32,
    /// The distance from tile (0, 0) at which a chunk of an infinite map may start, in tiles. Default: 2^20.
    pub chunk_distance: u32,
    /// The distance of an object from the map's corner, and the size of a layer's offset, in pixels.
    /// Default: 2^22.
    pub coordinate: u32,
    /// The width and the height of a mask, in pixels. Default: 65,536.
    pub mask_side: u32,
    /// The pixels of a mask, and a quarter of the bytes of its uncompressed pixels. Default: 2^27, which take
    /// 32 MiB as bits.
    pub mask_pixels: u64,
    /// The width and the height of a level, in cells. The cells are pixels if a solid is finer than a tile.
    /// Default: 2^26.
    pub level_side: u32,
    /// The cells of a level. A map's level of more than 2^27 cells is kept in blocks and counts as 2^27.
    /// Default: 2^28.
    pub level_cells: u64,
    /// The blocks of 64 x 64 cells with a solid cell of a map's level that is kept in blocks; they take 1 KiB
    /// each. The level keeps the limit for later edits. Default: 2^16.
    pub level_blocks: u32,
    /// Placed tiles that need more than their cell marked: those with collision shapes, one-way sides or an
    /// area. Default: 2^21.
    pub shaped_cells: u32,
    /// The work of one operation, in steps of about a nanosecond: to load a level, to draw a picture of it,
    /// to find the causes for a baked level. Default: 2^30, which took 0.5 to 2 seconds.
    ///
    /// Work is counted before it is done. A row of pixels that a shape covers counts as 48 steps, a word of
    /// 64 cells that is written for solid tiles and rectangles as 1, overlapping ones each; a pixel of a
    /// picture as 16, in black and white as 1, and each pixel of a tile in it as 4, or as 32 if it is blended
    /// by opacity, tint or mode; of causes a tile counts as 150, and a rectangle of cells with one cause,
    /// which takes memory too, as 1,024.
    pub work: u64,
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
            map_cells: 1 << 24,
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
            level_blocks: 1 << 16,
            shaped_cells: 1 << 21,
            work: 1 << 30,
        }
    }
}

/// Methods that replace one limit.
macro_rules! with_limit {
    ($($(#[$doc:meta])* $method:ident: $limit:ident: $number:ty;)*) => {
        impl Limits {
            $(
                $(#[$doc])*
                #[must_use]
                pub const fn $method(mut self, limit: $number) -> Self {
                    self.$limit = limit;
                    self
                }
            )*
        }

        #[cfg(feature = "cli")]
        impl Limits {
            /// The names of the limits, those of the fields.
            pub(crate) const NAMES: &'static [&'static str] = &[$(stringify!($limit)),*];

            /// Replaces the limit of this name. False if there is none, or if the value is too large for it.
            pub(crate) fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($limit) => match value.try_into() {
                        Ok(value) => {
                            self.$limit = value;
                            true
                        }
                        Err(_) => false,
                    },)*
                    _ => false,
                }
            }
        }
    };
}

with_limit! {
    /// These limits with another [`Limits::file_bytes`].
    with_file_bytes: file_bytes: u64;
    /// These limits with another [`Limits::total_bytes`].
    with_total_bytes: total_bytes: u64;
    /// These limits with another [`Limits::xml_depth`].
    with_xml_depth: xml_depth: u32;
    /// These limits with another [`Limits::xml_attributes`].
    with_xml_attributes: xml_attributes: u32;
    /// These limits with another [`Limits::xml_elements`].
    with_xml_elements: xml_elements: u32;
    /// These limits with another [`Limits::name_bytes`].
    with_name_bytes: name_bytes: u32;
    /// These limits with another [`Limits::text_bytes`].
    with_text_bytes: text_bytes: u32;
    /// These limits with another [`Limits::map_side`].
    with_map_side: map_side: u32;
    /// These limits with another [`Limits::layer_cells`].
    with_layer_cells: layer_cells: u64;
    /// These limits with another [`Limits::map_cells`].
    with_map_cells: map_cells: u64;
    /// These limits with another [`Limits::world_maps`].
    with_world_maps: world_maps: u32;
    /// These limits with another [`Limits::layers`].
    with_layers: layers: u32;
    /// These limits with another [`Limits::tilesets`].
    with_tilesets: tilesets: u32;
    /// These limits with another [`Limits::tileset_tiles`].
    with_tileset_tiles: tileset_tiles: u32;
    /// These limits with another [`Limits::tile_side`].
    with_tile_side: tile_side: u32;
    /// These limits with another [`Limits::objects`].
    with_objects: objects: u32;
    /// These limits with another [`Limits::points`].
    with_points: points: u32;
    /// These limits with another [`Limits::all_points`].
    with_all_points: all_points: u32;
    /// These limits with another [`Limits::chunk_side`].
    with_chunk_side: chunk_side: u32;
    /// These limits with another [`Limits::chunk_distance`].
    with_chunk_distance: chunk_distance: u32;
    /// These limits with another [`Limits::coordinate`].
    with_coordinate: coordinate: u32;
    /// These limits with another [`Limits::mask_side`].
    with_mask_side: mask_side: u32;
    /// These limits with another [`Limits::mask_pixels`].
    with_mask_pixels: mask_pixels: u64;
    /// These limits with another [`Limits::level_side`].
    with_level_side: level_side: u32;
    /// These limits with another [`Limits::level_cells`].
    with_level_cells: level_cells: u64;
    /// These limits with another [`Limits::level_blocks`].
    with_level_blocks: level_blocks: u32;
    /// These limits with another [`Limits::shaped_cells`].
    with_shaped_cells: shaped_cells: u32;
    /// These limits with another [`Limits::work`].
    with_work: work: u64;
}

/// The amounts used of the limits that all maps of a world share.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    /// Against [`Limits::map_cells`].
    pub(crate) tiles: u64,
    /// Bytes of the copies of files; the content of a template counts once for each of its instances.
    pub(crate) copied: u64,
    /// Input of compressed layers that is for no output, in bytes.
    pub(crate) spare_input: u64,
    /// Elements of files.
    pub(crate) elements: u64,
    /// Against [`Limits::work`].
    pub(crate) work: u64,
}

/// The steps of work for a row of pixels that a shape covers.
#[cfg(feature = "tmx")]
pub(crate) const STEPS_A_ROW: u64 = 48;

impl Spent {
    /// Counts work that is about to be done.
    ///
    /// # Errors
    /// An error that names [`Limits::work`].
    #[cfg(feature = "tmx")]
    pub(crate) fn work(&mut self, steps: u64, limits: &Limits) -> Result<(), LoadErrorKind> {
        self.work = self.work.saturating_add(steps);
        check("steps of work (the limit `work`)", self.work, limits.work)
    }
}

/// An error that names `what` if `found` is more than `limit`.
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

#[cfg(all(test, feature = "cli"))]
mod tests {
    use super::*;

    #[test]
    fn every_limit_is_set_by_its_name() {
        for name in Limits::NAMES {
            let mut limits = Limits::default();
            assert!(limits.set(name, 7), "{name}");
            assert!(format!("{limits:?}").contains(&format!("{name}: 7")), "{limits:?}");
        }
        let fields = format!("{:?}", Limits::default()).matches(": ").count();
        assert_eq!(Limits::NAMES.len(), fields);
        let mut limits = Limits::default();
        assert!(!limits.set("no_such", 7) && !limits.set("layers", 1 << 32));
        assert_eq!(limits, Limits::default());
    }
}
