//! Decodes masks: black and white pictures in PNG in which each pixel is a cell of the level.
//!
//! Module `picture` has rows of raw samples, which its module `png` reads. Its module `decode` sorts the
//! pixels of a row into classes, such as solid, passable or an area, and counts them. No file is opened here.

mod picture;
mod reading;
#[cfg(test)]
mod tests;

pub use reading::{MaskCounts, MaskSource};
pub(crate) use {picture::PictureFile, picture::decode::decode, reading::doubts};
