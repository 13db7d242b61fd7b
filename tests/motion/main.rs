//! Tests of the mover, footprints, shapes, worlds and queries, from outside the crate and without its
//! program.

mod area_solids;
mod areas;
mod art;
mod character;
mod extremes;
mod far;
mod footprints;
mod mover;
mod mover_footprints;
mod numeric;
mod one_way;
mod oracle;
mod pains;
mod pixels;
mod properties;
mod queries;
mod random;
mod seeds;
mod seeds_shapes;
mod shapes;
mod solids;
mod steering;
#[path = "../support/mod.rs"]
mod support;
mod world_balls;
mod world_crowd;
mod world_platforms;
mod world_push;
mod world_queries;
mod world_rest;
mod world_restitution;
mod world_row;
mod world_sleep;
