//! The tests of files and pictures, from outside the crate, in one folder per subject. `cargo test --test
//! files tiled::` runs the folder `tiled`.

mod house;
mod load;
mod mask;
mod outline;
mod render;
#[cfg(feature = "serde")]
mod saves;
mod support;
mod tiled;
