//! Rasterization: the pixels that a shape covers, computed in integers and equal on every platform.
//!
//! * An area covers the pixels whose centres it contains. A centre exactly on an edge belongs to the area
//!   right of the edge, or below a horizontal edge. So areas that share an edge leave no gap and share no
//!   pixel.
//! * An ellipse also contains the centres on its curve.
//! * A path is a line without width. It covers each pixel that contains more than one point of the line. A
//!   part of the line on the border of two pixels belongs to the right pixel, or to the lower pixel.
//! * A dot covers the pixel that contains the dot.
//!
//! `Outline::cover` makes one exception, so that thin walls are not lost: an area that contains no pixel
//! centre covers all pixels that it overlaps. An area without width covers the pixels of its line; if all its
//! points are equal, it covers nothing. `Outline::cover_centres` makes no exception, so areas that fill the
//! plane without overlaps cover each pixel once.
//!
//! A coordinate beyond 2^44 millionths of a pixel (over 2^24 pixels) is clamped. `polygon` and `disc`
//! accept any `i32` pixels.

#[cfg(feature = "tmx")]
mod exact;
mod scan;
#[cfg(all(test, feature = "tmx"))]
mod tests;

#[cfg(feature = "tmx")]
pub(crate) use exact::{
    Coverage, Flips, Outline, Ratio, Rotation, capsule, ellipse, rectangle, scale,
};
pub(crate) use scan::{disc, polygon};

/// A run of consecutive pixels in row `y`: the pixels with `start <= x < end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) y: i32,
    pub(crate) start: i32,
    pub(crate) end: i32,
}

/// A callback for spans of pixels.
type Emit<'e> = dyn FnMut(Span) + 'e;
