//! A scene in Rapier.

use std::sync::mpsc::{Receiver, channel};

use bitwall::Aabb;
use bitwall::glam::Vec2;
use rapier2d::prelude::{
    ActiveCollisionTypes, ActiveEvents, ChannelEventCollector, ColliderBuilder, CollisionEvent,
    Group, IVector, InteractionGroups, InteractionTestMode, PhysicsWorld, RigidBodyBuilder,
    RigidBodyHandle, Vector,
};

use crate::scenes::{Engine, GRAVITY, SPEED, Scene, TILE, Watching};
use crate::tiles::rectangles;
use crate::{RATE, friction};

/// How the solid cells of the level are converted to colliders.
#[derive(Clone, Copy)]
pub(crate) enum Form {
    /// One voxel collider with all cells.
    Voxels,
    /// A cuboid for each of the [`rectangles`].
    Cuboids,
}

/// A Rapier world with dynamic bodies that do not rotate, or with kinematic bodies, some with sensors.
pub(crate) struct Rapier {
    world: PhysicsWorld,
    half: Vec2,
    bodies: Vec<RigidBodyHandle>,
    /// The bodies that walk, each with 1 for right or -1 for left.
    walkers: Vec<(RigidBodyHandle, f32)>,
    collector: ChannelEventCollector,
    collisions: Receiver<CollisionEvent>,
    meetings: [usize; 2],
}

impl Rapier {
    pub(crate) fn new(scene: &Scene, form: Form) -> Self {
        let mut world = world();
        for collider in level(scene, form) {
            world.colliders.insert(collider.friction(friction(scene)));
        }
        let half = scene.size.as_vec2() / 2.0;
        let others = if scene.meets { Group::ALL } else { Group::GROUP_1 };
        let groups = InteractionGroups::new(Group::GROUP_2, others, InteractionTestMode::And);
        let walkers = scene.corners.iter().enumerate().map(|(at, corner)| {
            let (center, direction) = (corner.as_vec2() + half, scene.direction(at));
            let body = RigidBodyBuilder::dynamic()
                .lock_rotations()
                .translation(Vector::new(center.x, center.y))
                .linvel(Vector::new(SPEED * RATE * direction, 0.0));
            let collider = ColliderBuilder::cuboid(half.x, half.y)
                .friction(friction(scene))
                .collision_groups(groups);
            (world.insert(body, collider).0, direction)
        });
        let walkers = walkers.collect();
        Self::of(world, half, walkers)
    }

    /// Creates a world for a scene of sensors. The characters are kinematic bodies at rest.
    pub(crate) fn watching(scene: &Watching) -> Self {
        let mut world = world();
        let types = ActiveCollisionTypes::default() | ActiveCollisionTypes::KINEMATIC_KINEMATIC;
        let (characters, sensors) = (Group::GROUP_1, Group::GROUP_2);
        let mut add = |aabb: &Aabb, velocity: Vec2, is_sensor: bool| {
            let half = (aabb.max - aabb.min).as_vec2() / 2.0;
            let (center, velocity) = (aabb.min.as_vec2() + half, velocity * RATE);
            let (own, others) =
                if is_sensor { (sensors, characters) } else { (characters, sensors) };
            let body = RigidBodyBuilder::kinematic_velocity_based()
                .translation(Vector::new(center.x, center.y))
                .linvel(Vector::new(velocity.x, velocity.y));
            let collider = ColliderBuilder::cuboid(half.x, half.y)
                .sensor(is_sensor)
                .active_collision_types(types)
                .active_events(ActiveEvents::COLLISION_EVENTS)
                .collision_groups(InteractionGroups::new(own, others, InteractionTestMode::And));
            (world.insert(body, collider).0, 0.0)
        };
        for aabb in &scene.characters {
            add(aabb, Vec2::ZERO, false);
        }
        let walkers = scene.sensors.iter().map(|(aabb, velocity)| add(aabb, *velocity, true));
        let walkers = walkers.collect();
        Self::of(world, Vec2::splat(2.0), walkers)
    }

    fn of(world: PhysicsWorld, half: Vec2, mut walkers: Vec<(RigidBodyHandle, f32)>) -> Self {
        let bodies = walkers.iter().map(|(handle, _)| *handle).collect();
        walkers.retain(|(_, direction)| *direction != 0.0);
        let (sender, collisions) = channel();
        let collector = ChannelEventCollector::new(sender, channel().0, channel().0);
        Self { world, half, bodies, walkers, collector, collisions, meetings: [0; 2] }
    }
}

/// Creates a world without bodies. Its unit of length is a tile.
fn world() -> PhysicsWorld {
    let mut world = PhysicsWorld::new();
    world.gravity = Vector::new(0.0, GRAVITY * RATE * RATE);
    world.integration_parameters.dt = 1.0 / RATE;
    world.integration_parameters.length_unit = TILE as f32;
    world
}

fn level(scene: &Scene, form: Form) -> Vec<ColliderBuilder> {
    let grid = &scene.grid;
    match form {
        Form::Voxels => {
            let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| (x, y)));
            let solid = cells.filter(|(x, y)| grid.is_solid(*x, *y));
            let solid: Vec<_> = solid.map(|(x, y)| IVector::new(x as _, y as _)).collect();
            vec![ColliderBuilder::voxels(Vector::splat(TILE as f32), &solid)]
        }
        Form::Cuboids => {
            let cuboid = |rectangle: &bitwall::Aabb| {
                let half = (rectangle.max - rectangle.min).as_vec2() / 2.0;
                let center = rectangle.min.as_vec2() + half;
                let place = Vector::new(center.x, center.y);
                ColliderBuilder::cuboid(half.x, half.y).translation(place)
            };
            rectangles(grid).iter().map(cuboid).collect()
        }
    }
}

impl Engine for Rapier {
    fn step(&mut self) {
        self.world.step_with_events(&(), &self.collector);
        for event in self.collisions.try_iter() {
            self.meetings[usize::from(event.stopped())] += 1;
        }
        for (handle, direction) in &mut self.walkers {
            let body = &mut self.world.bodies[*handle];
            let velocity = body.linvel();
            if velocity.x * *direction < 0.5 * SPEED * RATE {
                *direction = -*direction;
            }
            body.set_linvel(Vector::new(SPEED * RATE * *direction, velocity.y), true);
        }
    }

    fn corners(&mut self) -> Vec<[f32; 2]> {
        let corner = |handle: &RigidBodyHandle| {
            let center = self.world.bodies[*handle].translation();
            [center.x - self.half.x, center.y - self.half.y]
        };
        self.bodies.iter().map(corner).collect()
    }

    fn meetings(&self) -> [usize; 2] {
        self.meetings
    }
}
