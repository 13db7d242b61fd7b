//! Masks: black and white pictures, one pixel a cell.
//!
//! The only module that decodes a mask's pixels into cells. The file formats are read by `png`, `gif` and
//! `whole` (with `bmp` and `tga`), which give a `picture`: rows of raw samples. `class` applies the rules to
//! one pixel, `classify` to the rows of a picture, 64 pixels at a time; `facts` counts. The module opens no
//! file and knows no level.

#[cfg(feature = "mask")]
mod bits;
#[cfg(feature = "formats")]
mod bmp;
#[cfg(feature = "mask")]
mod class;
#[cfg(feature = "mask")]
mod classify;
#[cfg(feature = "mask")]
mod clear_edge;
#[cfg(feature = "mask")]
mod decode;
#[cfg(feature = "mask")]
mod facts;
#[cfg(feature = "mask")]
mod fault;
mod format;
#[cfg(feature = "formats")]
mod gif;
#[cfg(feature = "mask")]
mod lanes;
#[cfg(feature = "mask")]
mod odd;
#[cfg(feature = "mask")]
mod picture;
#[cfg(feature = "mask")]
mod png;
#[cfg(feature = "mask")]
mod rows;
#[cfg(feature = "image")]
mod suggest;
#[cfg(all(test, feature = "formats"))]
mod tests;
#[cfg(feature = "formats")]
mod tga;
#[cfg(feature = "formats")]
mod whole;

#[cfg(feature = "mask")]
pub use self::bits::Bits;
#[cfg(feature = "mask")]
pub(crate) use self::decode::decode;
#[cfg(feature = "mask")]
pub use self::facts::{MaskCounts, MaskSource};
pub(crate) use self::format::Format;
#[cfg(feature = "mask")]
pub use self::odd::{GrayColor, GrayColors, OddPixels, luma};
#[cfg(feature = "image")]
pub(crate) use self::suggest::suggest;
