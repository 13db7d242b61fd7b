//! Rules for Tiled maps and worlds.

mod missing_picture;
mod nothing_solid;
mod passed_over_fault;
mod solid_picture;
mod text_flag;
mod unparsable_map;
mod warned;

super::catalogue! {
    unparsable_map::UNPARSABLE_MAP,
    nothing_solid::NOTHING_SOLID,
    passed_over_fault::PASSED_OVER_FAULT,
    missing_picture::MISSING_PICTURE,
    text_flag::TEXT_FLAG,
    solid_picture::SOLID_PICTURE,
}
