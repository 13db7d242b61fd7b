//! Rules for levels of either source.

mod blank_level;
mod marker_contract;
mod near_fit_gap;
mod open_border;
pub(super) mod places;
mod sealed_marker;
mod slope_step;
mod solid_share_jump;
mod spawn_in_air;
mod spawn_in_solid;
mod world_seam;

super::catalogue! {
    spawn_in_solid::SPAWN_IN_SOLID,
    open_border::OPEN_BORDER,
    marker_contract::MARKER_CONTRACT,
    spawn_in_air::SPAWN_IN_AIR,
    blank_level::BLANK_LEVEL,
    near_fit_gap::NEAR_FIT_GAP,
    sealed_marker::SEALED_MARKER,
    solid_share_jump::SOLID_SHARE_JUMP,
    slope_step::SLOPE_STEP,
    world_seam::WORLD_SEAM,
}
