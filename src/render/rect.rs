//! Rectangles in whole numbers: pixels of a picture or of the screen, or cells. They know no level.

use glam::{I64Vec2, UVec2};

/// A half-open rectangle: `min <= p < max`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Rect {
    pub(super) min: I64Vec2,
    pub(super) max: I64Vec2,
}

impl Rect {
    pub(super) fn new(min: I64Vec2, size: I64Vec2) -> Self {
        Self { min, max: min + size }
    }

    /// All pixels of a picture.
    pub(super) fn of_size(size: UVec2) -> Self {
        Self { min: I64Vec2::ZERO, max: size.as_i64vec2() }
    }

    pub(super) fn size(self) -> I64Vec2 {
        self.max - self.min
    }

    /// The width and height of a part of a picture.
    pub(super) fn pixels(self) -> UVec2 {
        self.size().clamp(I64Vec2::ZERO, I64Vec2::splat(u32::MAX.into())).as_uvec2()
    }

    pub(super) fn is_empty(self) -> bool {
        self.min.cmpge(self.max).any()
    }

    /// The smallest rectangle around both.
    pub(super) fn with(self, other: Self) -> Self {
        Self { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// The common part; empty if there is none.
    pub(super) fn intersection(self, other: Self) -> Self {
        let min = self.min.max(other.min);
        Self { min, max: self.max.min(other.max).max(min) }
    }

    pub(super) fn moved(self, by: I64Vec2) -> Self {
        Self { min: self.min + by, max: self.max + by }
    }

    pub(super) fn times(self, factor: u32) -> Self {
        Self { min: self.min * i64::from(factor), max: self.max * i64::from(factor) }
    }

    /// A number of the first axis, moved into the rectangle.
    pub(super) fn clamp_x(self, x: i64) -> i64 {
        x.clamp(self.min.x, self.max.x.max(self.min.x))
    }
}
