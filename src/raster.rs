//! The pixels that a shape covers: exact, in integers, the same on every platform.
//!
//! * An area covers a pixel if it contains the pixel's centre. A centre exactly on an edge belongs to the
//!   area right of the edge, or below it if the edge is horizontal. So areas that share an edge leave no gap
//!   and cover no pixel twice.
//! * An ellipse also contains the centres on its curve.
//! * A path is a line without width. It covers each pixel that contains a piece of it; one common point is
//!   not enough. A piece along the border of two pixels is in the right pixel or in the lower one.
//! * A dot covers the pixel that contains it.
//!
//! [`Outline::cover`] has one exception, so that no wall is too thin to exist: an area that contains no
//! pixel's centre covers all pixels that it overlaps. If it is as flat as a line, it covers the pixels of
//! that line. If all its points are equal, it covers nothing. [`Outline::cover_centres`] has no exception:
//! areas that tile the plane cover each pixel once.
//!
//! Coordinates beyond 2^44 millionths of a pixel (over 2^24 pixels) are clamped. [`polygon()`] and [`disc`]
//! take any whole pixels.

#[cfg(feature = "tmx")]
mod outline;
#[cfg(feature = "tmx")]
mod path;
#[cfg(feature = "tmx")]
mod points;
#[cfg(feature = "tmx")]
mod round;
mod scan;
#[cfg(feature = "tmx")]
mod set;
#[cfg(all(test, feature = "tmx"))]
mod tests;

use std::ops::ControlFlow;

#[cfg(feature = "tmx")]
pub use self::outline::Outline;
#[cfg(feature = "tmx")]
pub(crate) use self::set::{Coverage, Flips};
#[cfg(feature = "tmx")]
pub(crate) use outline::{capsule, ellipse, rectangle};
#[cfg(feature = "tmx")]
pub(crate) use points::{Ratio, Turn, scale};
pub(crate) use scan::{disc, polygon};

/// Consecutive pixels of one row: those with `start <= x < end`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Span {
    pub(crate) y: i32,
    pub(crate) start: i32,
    pub(crate) end: i32,
}

/// A callback for spans of pixels, which may end the scan.
type Emit<'e> = dyn FnMut(Span) -> ControlFlow<()> + 'e;
