//! Moving: the mover, the shapes and the many bodies, from outside the crate.

mod footprints;
mod mover;
mod mover_footprints;
mod pixels;
mod properties;
mod random;
mod twin;
