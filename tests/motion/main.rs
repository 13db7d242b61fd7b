//! Moving: the mover, the shapes and the many bodies, from outside the crate.

mod mover;
mod world_balls;
mod world_crowd;
mod world_platforms;
mod world_rest;
