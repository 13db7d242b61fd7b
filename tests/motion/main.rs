//! What moves and what it meets: the mover, shapes without a level, and bodies in one; and the art of both.

mod art;
mod mover;
mod seeds_shapes;
mod shapes;
