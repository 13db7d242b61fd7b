//! Tiled's maps: every form and orientation, and where their cells and shapes lie.

mod as_shown;
mod counted;
mod encodings;
mod far_chunks;
mod forms;
mod lattice;
mod saved;
mod shapes;
mod worlds;
