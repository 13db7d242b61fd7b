//! Movers and characters: one body that moves in a level.

pub(crate) mod area_solids;
mod areas;
pub(crate) mod character;
mod crossing;
mod drops;
mod far;
mod flight;
mod gravity;
mod long;
mod mover;
mod mover_footprints;
mod numeric;
mod one_way_slopes;
pub(crate) mod oracle;
mod pains;
mod pains_on_slopes;
pub(crate) mod properties;
pub(crate) mod random;
mod scenarios;
mod slanted_bounce;
mod solids;
mod standing;
mod steep;
mod steering;
mod surface;
mod tutorials;
mod work;
