//! Rules for Tiled maps and worlds.

mod bad_shape;
mod dropped_flag;
mod duplicate_id;
mod extra_layer_data;
mod foreign_tileset;
mod layer_size_mismatch;
mod lost_reference;
mod missing_layer;
mod missing_picture;
mod moved_collision_layer;
mod near_name;
mod nothing_solid;
mod object_outside;
mod one_way_in_solid;
mod outline;
mod passed_over_fault;
mod short_layer_data;
mod solid_picture;
mod text_flag;
mod things;
mod tile_shape_turned;
mod tileset_picture_size;
mod unknown_allow;
mod unknown_content;
mod unknown_orientation;
mod unknown_tile;
mod unparsable_map;
mod unportable_path;
mod warned;
mod written_paths;

use super::MOST_FINDINGS;

pub(in crate::verify) use nothing_solid::is_of_automapping;

super::catalogue! {
    unparsable_map::UNPARSABLE_MAP,
    short_layer_data::SHORT_LAYER_DATA,
    extra_layer_data::EXTRA_LAYER_DATA,
    layer_size_mismatch::LAYER_SIZE_MISMATCH,
    unknown_tile::UNKNOWN_TILE,
    lost_reference::LOST_REFERENCE,
    nothing_solid::NOTHING_SOLID,
    unknown_orientation::UNKNOWN_ORIENTATION,
    passed_over_fault::PASSED_OVER_FAULT,
    missing_picture::MISSING_PICTURE,
    text_flag::TEXT_FLAG,
    solid_picture::SOLID_PICTURE,
    near_name::NEAR_NAME,
    dropped_flag::DROPPED_FLAG,
    unportable_path::UNPORTABLE_PATH,
    object_outside::OBJECT_OUTSIDE,
    bad_shape::BAD_SHAPE,
    tileset_picture_size::TILESET_PICTURE_SIZE,
    moved_collision_layer::MOVED_COLLISION_LAYER,
    unknown_content::UNKNOWN_CONTENT,
    duplicate_id::DUPLICATE_ID,
    one_way_in_solid::ONE_WAY_IN_SOLID,
    missing_layer::MISSING_LAYER,
    foreign_tileset::FOREIGN_TILESET,
    unknown_allow::UNKNOWN_ALLOW,
    tile_shape_turned::TILE_SHAPE_TURNED,
}
