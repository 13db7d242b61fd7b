//! Tests of maps of Tiled: every form and orientation, and where the cells and shapes are.

mod as_shown;
mod classes;
mod counted;
mod encodings;
mod far_chunks;
mod forms;
mod lattice;
mod markers;
mod saved;
mod shapes;
mod worlds;
