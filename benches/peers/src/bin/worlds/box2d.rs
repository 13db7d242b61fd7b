//! A scene in Box2D.

use bitwall::{Aabb, glam};
use boxdd::{
    BodyBuilder, BodyId, BodyType, Error, Filter, Foundation, FoundationConfig, MotionLocks,
    Position, ShapeDef, SurfaceMaterial, Transform, Vec2, World, WorldBuilder, shapes,
};

use crate::scenes::{Engine, GRAVITY, SPEED, Scene, TILE, Watching};
use crate::tiles::rectangles;
use crate::{RATE, friction};

/// The number of sub-steps that Box2D recommends.
const SUBSTEPS: i32 = 4;

/// The categories of shapes.
const LEVEL: u64 = 1;
const BODIES: u64 = 2;

/// A Box2D world with dynamic bodies that do not rotate among polygons, or with kinematic bodies, some with
/// sensors.
pub(crate) struct Box2d {
    world: World,
    half: glam::Vec2,
    bodies: Vec<BodyId>,
    /// The bodies that walk, each with 1 for right or -1 for left.
    walkers: Vec<(BodyId, f32)>,
    meetings: [usize; 2],
}

impl Box2d {
    /// Creates a world for a scene of walkers or blocks. Fails if the library was started with other
    /// settings.
    pub(crate) fn new(scene: &Scene) -> Result<Self, Error> {
        let foundation = Foundation::initialize(FoundationConfig::new(TILE as f32))?;
        let gravity = Vec2::new(0.0, GRAVITY * RATE * RATE);
        let settings = WorldBuilder::from(foundation.world_def()).gravity(gravity);
        let mut world = foundation.create_world(settings.build()?)?;
        let material = SurfaceMaterial::new().with_friction(friction(scene))?;
        let filter = Filter { category_bits: LEVEL, mask_bits: u64::MAX, group_index: 0 };
        let shape = ShapeDef::builder().material(material).filter(filter).build()?;
        let ground = BodyBuilder::from(foundation.body_def()).body_type(BodyType::Static);
        let ground = world.create_body(ground.build()?)?;
        for rectangle in rectangles(&scene.grid) {
            let half = (rectangle.max - rectangle.min).as_vec2() / 2.0;
            let center = rectangle.min.as_vec2() + half;
            let place = Transform::from_pos_angle(Vec2::new(center.x, center.y), 0.0)?;
            let polygon = shapes::offset_box_polygon(half.x, half.y, place)?;
            world.body(ground)?.create_polygon(&shape, &polygon)?;
        }
        let half = scene.size.as_vec2() / 2.0;
        let polygon = shapes::box_polygon(half.x, half.y)?;
        let mask_bits = if scene.meets { u64::MAX } else { LEVEL };
        let filter = Filter { category_bits: BODIES, mask_bits, group_index: 0 };
        let shape = ShapeDef::builder().material(material).filter(filter).build()?;
        let (mut bodies, mut walkers) = (Vec::new(), Vec::new());
        for (at, corner) in scene.corners.iter().enumerate() {
            let (center, direction) = (corner.as_vec2() + half, scene.direction(at));
            let body = BodyBuilder::from(foundation.body_def())
                .body_type(BodyType::Dynamic)
                .motion_locks(MotionLocks::new(false, false, true))
                .position(Position::new(center.x, center.y))
                .linear_velocity(Vec2::new(SPEED * RATE * direction, 0.0));
            let body = world.create_body(body.build()?)?;
            world.body(body)?.create_polygon(&shape, &polygon)?;
            bodies.push(body);
            if direction != 0.0 {
                walkers.push((body, direction));
            }
        }
        Ok(Self { world, half, bodies, walkers, meetings: [0; 2] })
    }

    /// Creates a world for a scene of sensors. The characters are kinematic bodies at rest. Fails as
    /// [`Box2d::new`] does.
    pub(crate) fn watching(scene: &Watching) -> Result<Self, Error> {
        let foundation = Foundation::initialize(FoundationConfig::new(TILE as f32))?;
        let mut world = foundation.create_world(foundation.world_def())?;
        let mut add = |aabb: &Aabb, velocity: glam::Vec2, is_sensor: bool| {
            let half = (aabb.max - aabb.min).as_vec2() / 2.0;
            let (center, [category_bits, mask_bits]) =
                (aabb.min.as_vec2() + half, if is_sensor { [4, 2] } else { [2, 4] });
            let filter = Filter { category_bits, mask_bits, group_index: 0 };
            let shape = ShapeDef::builder().sensor(is_sensor).enable_sensor_events(true);
            let body = BodyBuilder::from(foundation.body_def())
                .body_type(BodyType::Kinematic)
                .position(Position::new(center.x, center.y))
                .linear_velocity(Vec2::new(velocity.x * RATE, velocity.y * RATE));
            let body = world.create_body(body.build()?)?;
            let polygon = shapes::box_polygon(half.x, half.y)?;
            world.body(body)?.create_polygon(&shape.filter(filter).build()?, &polygon)?;
            Ok::<_, Error>(body)
        };
        for aabb in &scene.characters {
            add(aabb, glam::Vec2::ZERO, false)?;
        }
        let sensors = scene.sensors.iter().map(|(aabb, velocity)| add(aabb, *velocity, true));
        let bodies = sensors.collect::<Result<_, _>>()?;
        let half = glam::Vec2::splat(2.0);
        Ok(Self { world, half, bodies, walkers: Vec::new(), meetings: [0; 2] })
    }

    fn try_step(&mut self) -> Result<(), Error> {
        let step = self.world.step(1.0 / RATE, SUBSTEPS)?;
        step.post_step_error().map_or(Ok(()), Err)?;
        let events = step.sensor_events()?;
        self.meetings[0] += events.begin().len();
        self.meetings[1] += events.end().len();
        drop(step);
        for (id, direction) in &mut self.walkers {
            let mut body = self.world.body(*id)?;
            let velocity = body.linear_velocity()?;
            if velocity.x * *direction < 0.5 * SPEED * RATE {
                *direction = -*direction;
            }
            body.set_linear_velocity(Vec2::new(SPEED * RATE * *direction, velocity.y))?;
        }
        Ok(())
    }
}

impl Engine for Box2d {
    fn step(&mut self) {
        self.try_step().expect("the ids and velocities are valid");
    }

    fn corners(&mut self) -> Vec<[f32; 2]> {
        let mut corner = |id: &BodyId| {
            let body = self.world.body(*id).expect("no body was removed");
            let center = body.position().expect("no callback runs");
            [center.x - self.half.x, center.y - self.half.y]
        };
        self.bodies.iter().map(&mut corner).collect()
    }

    fn meetings(&self) -> [usize; 2] {
        self.meetings
    }
}
