//! A footprint as a shape for the edits of a terrain.

use super::Footprint;
use crate::geometry::Aabb;
use crate::sweep::{Brush, Emit, Pixels, runs};

impl Brush for Footprint {}

impl Pixels for Footprint {
    fn spans(&self, clip: Aabb, emit: &mut Emit<'_>) {
        runs(&self.bits, clip, emit);
    }
}
