//! Queries of Parry among the voxels of a level.

use bitwall::glam::Vec2;
use parry2d::math::{IVector, Pose, Vector};
use parry2d::query::{Ray, RayCast, ShapeCastOptions, cast_shapes, intersection_test};
use parry2d::shape::{Cuboid, Voxels};

use super::work::{Motion, Work};
use super::{EDGE, box_pose};
use crate::work::{Query, strip};

pub(crate) struct Parry {
    voxels: Voxels,
}

impl Parry {
    pub(crate) fn new(work: &Work) -> Self {
        let cell = |cell: bitwall::glam::UVec2| IVector::new(cell.x as _, cell.y as _);
        let cells: Vec<_> = work.solid_cells().map(cell).collect();
        Self { voxels: Voxels::new(Vector::splat(work.cell as f32), &cells) }
    }

    /// True if no voxel is in the strip that the body enters during a step.
    pub(crate) fn is_strip_free(&self, q: &Query) -> bool {
        let (x0, x1, y0, y1) = strip(q);
        let (min, max) = (Vec2::new(x0 as f32, y0 as f32), Vec2::new(x1 as f32, y1 as f32));
        let (pose, half) = box_pose(min, max);
        let strip = Cuboid::new(half);
        let found = intersection_test(&pose, &strip, &Pose::IDENTITY, &self.voxels);
        !found.is_ok_and(|found| found.intersecting)
    }

    /// Returns how many pixels a box can move.
    pub(crate) fn cast(&self, motion: &Motion) -> f32 {
        let (pose, half) = box_pose(motion.body.min.as_vec2(), motion.body.max.as_vec2());
        let (by, body) = (motion.by.as_vec2(), Cuboid::new(half));
        let length = by.length();
        let options = ShapeCastOptions::with_max_time_of_impact(1.0 - EDGE / length);
        let by = Vector::new(by.x, by.y);
        let still = Vector::ZERO;
        let hit = cast_shapes(&pose, by, &body, &Pose::IDENTITY, still, &self.voxels, options);
        hit.ok().flatten().map_or(length, |hit| hit.time_of_impact * length)
    }

    /// Returns the length of a line before the first voxel, in pixels.
    pub(crate) fn ray(&self, line: &Motion) -> f32 {
        let [from, to] = line.ends();
        let by = to - from;
        let ray = Ray::new(Vector::new(from.x, from.y), Vector::new(by.x, by.y));
        let hit = self.voxels.cast_local_ray(&ray, 1.0, true);
        hit.unwrap_or(1.0) * by.length()
    }
}
