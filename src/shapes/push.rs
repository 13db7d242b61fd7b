//! The least translation that ends an overlap.

use glam::DVec2;

use super::Touch;
use super::difference::Difference;
use super::number::{Coordinate, Vector};

/// The translation that ends an overlap. Made by [`Convex::push_out`](super::Convex::push_out).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PushOut<V: Coordinate> {
    /// The translation of the pushed shape: `normal * penetration`. For `IVec2` each axis is rounded away
    /// from 0, so that the overlap certainly ends; it is less than one unit too long on each axis.
    pub translation: V::Push,
    /// The unit vector out of the still shape, toward the pushed one.
    pub normal: DVec2,
    /// The depth of the overlap along `normal`; no shorter translation ends it.
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
