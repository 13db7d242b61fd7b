//! Rules for Tiled maps and worlds.

mod bad_shape;
mod dropped_flag;
mod duplicate_id;
mod foreign_tileset;
mod missing_layer;
mod missing_picture;
mod moved_collision_layer;
mod near_name;
mod object_outside;
mod one_way_in_solid;
mod outline;
mod things;
mod tileset_picture_size;
mod unknown_allow;
mod unknown_content;
mod unportable_path;
mod written_paths;

use super::MOST_FINDINGS;

super::catalogue! {
    missing_picture::MISSING_PICTURE,
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
}
