//! The tests of queries, bodies and shapes, from outside the crate, in one folder per subject. `cargo test
//! --test motion world::` runs the folder `world`.

mod contract;
mod movement;
mod navigate;
mod shapes;
mod support;
mod world;
