//! The pixels whose centres lie in a capsule: two ends, each the same affine image of a circle, and all that
//! is between them. It is one area, so that an end too small to hold a centre adds no pixels of its own.

use std::ops::ControlFlow;

use super::points::{around, edges};
use super::scan::Joiner;
use super::{Emit, ellipse, polygon};
use crate::geometry::Aabb;
use crate::geometry::Point;

/// A capsule as [`Outline::Capsule`](super::Outline::Capsule) has it.
pub(super) struct Capsule {
    centres: [Point; 2],
    a: Point,
    b: Point,
}

impl Capsule {
    pub(super) fn new(centres: [Point; 2], a: Point, b: Point) -> Self {
        Self { centres, a, b }
    }

    /// Both tips, and the corners of the part in the middle: where the ends nearly meet, too, it has an
    /// extent.
    pub(super) fn corners(&self) -> [Point; 6] {
        let ([first, last], a, b) = (self.centres, self.a, self.b);
        [first - a, first + b, last + b, last + a, last - b, first - b]
    }

    /// A box around the pixels that it overlaps.
    pub(super) fn bounds(&self) -> Aabb {
        let ends = self.centres.map(|centre| ellipse::bounds(centre, self.a, self.b));
        let middle = around(&self.corners(), true);
        let joined = |a: Aabb, b: Aabb| Aabb { min: a.min.min(b.min), max: a.max.max(b.max) };
        ends.into_iter().fold(middle, joined)
    }

    /// Gives the pixels in `clip` to `emit`, as [`Outline::cover_centres`](super::Outline::cover_centres)
    /// says, until it breaks off.
    pub(super) fn cover(&self, clip: Aabb, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let mut spans = Vec::new();
        let mut keep = |span| {
            spans.push(span);
            ControlFlow::Continue(())
        };
        polygon::cover(edges(&self.corners(), true), clip, &mut keep)?;
        for centre in self.centres {
            ellipse::cover(centre, self.a, self.b, clip, &mut keep)?;
        }
        spans.sort_unstable();
        let mut joined = Joiner::new(emit);
        spans.into_iter().try_for_each(|span| joined.add(span))?;
        joined.finish()
    }
}
