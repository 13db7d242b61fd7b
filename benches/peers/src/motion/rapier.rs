//! Queries and the character controller of Rapier, among the voxels of a level.

use bitwall::Aabb;
use bitwall::glam::{UVec2, Vec2};
use rapier2d::control::{CharacterLength, KinematicCharacterController};
use rapier2d::parry::query::{Ray, ShapeCastOptions};
use rapier2d::parry::shape::Cuboid;
use rapier2d::prelude::{ColliderBuilder, IVector, PhysicsWorld, QueryPipeline, Vector};

use super::work::{Motion, Work};
use super::{EDGE, box_pose};

/// The distance that the controller keeps from solids, in pixels.
const OFFSET: f32 = 0.01;

pub(crate) fn world(work: &Work) -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    let cells: Vec<_> =
        work.solid_cells().map(|UVec2 { x, y }| IVector::new(x as _, y as _)).collect();
    world.colliders.insert(ColliderBuilder::voxels(Vector::splat(work.cell as f32), &cells));
    // This step adds the level to the index that queries use.
    world.step();
    world
}

pub(crate) struct Rapier<'w> {
    queries: QueryPipeline<'w>,
    straight: KinematicCharacterController,
    sliding: KinematicCharacterController,
}

impl<'w> Rapier<'w> {
    pub(crate) fn new(world: &'w PhysicsWorld) -> Self {
        let straight = KinematicCharacterController {
            offset: CharacterLength::Absolute(OFFSET),
            slide: false,
            autostep: None,
            snap_to_ground: None,
            ..KinematicCharacterController::default()
        };
        let sliding = KinematicCharacterController { slide: true, ..straight };
        Self { queries: world.query_pipeline(), straight, sliding }
    }

    /// Returns how many pixels a box can move.
    pub(crate) fn cast(&self, motion: &Motion) -> f32 {
        let (pose, half) = box_pose(motion.body.min.as_vec2(), motion.body.max.as_vec2());
        let by = motion.by.as_vec2();
        let length = by.length();
        let options = ShapeCastOptions::with_max_time_of_impact(1.0 - EDGE / length);
        let (by, body) = (Vector::new(by.x, by.y), Cuboid::new(half));
        let hit = self.queries.cast_shape(&pose, by, &body, options);
        hit.map_or(length, |(_, hit)| hit.time_of_impact * length)
    }

    /// Returns how many pixels the controller moves a box without sliding.
    pub(crate) fn walk(&self, motion: &Motion) -> f32 {
        let by = motion.by.as_vec2();
        self.control(&self.straight, motion.body, Vector::new(by.x, by.y)).length()
    }

    /// Returns how many pixels along x the controller moves a box that slides.
    pub(crate) fn slide(&self, (body, by): &(Aabb, Vec2)) -> f32 {
        self.control(&self.sliding, *body, Vector::new(by.x, by.y)).x
    }

    fn control(&self, rules: &KinematicCharacterController, body: Aabb, by: Vector) -> Vector {
        let (pose, half) = box_pose(body.min.as_vec2(), body.max.as_vec2());
        // The box with the offset around it is as large as the box of the other libraries.
        let body = Cuboid::new(half - Vector::splat(OFFSET));
        rules.move_shape(1.0 / 60.0, &self.queries, &body, &pose, by, |_| {}).translation
    }

    /// Returns the length of a line before the first voxel, in pixels.
    pub(crate) fn ray(&self, line: &Motion) -> f32 {
        let [from, to] = line.ends();
        let by = to - from;
        let ray = Ray::new(Vector::new(from.x, from.y), Vector::new(by.x, by.y));
        self.queries.cast_ray(&ray, 1.0, true).map_or(1.0, |(_, hit)| hit) * by.length()
    }
}
