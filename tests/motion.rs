//! The tests of queries, bodies and shapes, from outside the crate: a folder for each room. `cargo test --test motion
//! world::` runs the room `world`.

mod contract;
mod movement;
mod navigate;
mod shapes;
mod support;
mod world;
