//! The least translation that ends an overlap.

use glam::DVec2;

use super::Touch;
use super::difference::Difference;
use super::number::{Coordinate, Vector};

/// How to end an overlap. Made by [`Convex::push_out`](super::Convex::push_out).
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct PushOut<V: Coordinate> {
    /// Where the pushed shape goes: in `Vec2`'s form `normal * penetration`; in `IVec2`'s the least whole
    /// numbers that are no nearer on each axis, so that the overlap is sure to end, and less than one unit
    /// too far on each.
    pub translation: V::Push,
    /// The unit vector out of the still shape, toward the pushed one.
    pub normal: DVec2,
    /// How deep the two lie in each other along `normal`: no shorter translation ends the overlap.
    pub penetration: f64,
}

pub(super) fn push_out<V: Coordinate>(difference: &Difference<'_, V>) -> Option<PushOut<V>> {
    let (radius, gap) = (difference.radius, difference.gap(Vector::ZERO));
    gap.is_within(radius, Touch::Ignored).then(|| {
        let depth = gap.depth(radius);
        PushOut {
            translation: V::push(gap.normal, gap.times_length, radius, depth),
            normal: gap.normal.direction(),
            penetration: depth,
        }
    })
}
