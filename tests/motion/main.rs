//! Moving: the mover, the shapes and the many bodies, from outside the crate.

mod art;
mod mover;
