//! The tests of files and pictures, from outside the crate: a folder for each room. `cargo test --test files tiled::` runs
//! the room `tiled`.

mod house;
mod load;
mod mask;
mod outline;
mod render;
#[cfg(feature = "serde")]
mod saves;
mod support;
mod tiled;
