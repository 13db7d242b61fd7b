//! Rules for levels of either source.

mod blank_level;
mod diagonal_leak;
mod leaks;
mod marker_contract;
mod near_fit_gap;
mod open_border;
pub(super) mod places;
mod sealed_marker;
mod slope_step;
mod solid_share_jump;
mod spawn_in_air;
mod spawn_in_solid;
mod thin_wall;
mod world_seam;

super::catalogue! {
    spawn_in_solid::SPAWN_IN_SOLID,
    open_border::OPEN_BORDER,
    marker_contract::MARKER_CONTRACT,
    spawn_in_air::SPAWN_IN_AIR,
    blank_level::BLANK_LEVEL,
    leaks::LEAK,
    near_fit_gap::NEAR_FIT_GAP,
    sealed_marker::SEALED_MARKER,
    diagonal_leak::DIAGONAL_LEAK,
    solid_share_jump::SOLID_SHARE_JUMP,
    slope_step::SLOPE_STEP,
    thin_wall::THIN_WALL,
    world_seam::WORLD_SEAM,
}
