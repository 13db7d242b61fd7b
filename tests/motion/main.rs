//! What moves and what it meets: shapes without a level, and bodies in one.

mod seeds_shapes;
mod shapes;
