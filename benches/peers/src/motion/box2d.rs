//! Queries of Box2D among boxes that are the runs of solid cells of a level.

use boxdd::{
    BodyBuilder, BodyType, Error, Foundation, Position, QueryFilter, ShapeDef, ShapeProxy,
    Transform, Vec2, World, WorldBuilder, shapes,
};

use super::EDGE;
use super::work::{Motion, Work};

pub(crate) struct Box2d {
    world: World,
}

impl Box2d {
    /// Creates the boxes of a level. Fails if the library was started with other settings.
    pub(crate) fn new(work: &Work) -> Result<Self, Error> {
        let foundation = Foundation::initialize_default()?;
        let mut world =
            foundation.create_world(WorldBuilder::from(foundation.world_def()).build()?)?;
        let ground = BodyBuilder::from(foundation.body_def()).body_type(BodyType::Static);
        let ground = world.create_body(ground.build()?)?;
        let shape = ShapeDef::builder().build()?;
        for [min, max] in work.runs() {
            let (half, center) = ((max - min) / 2.0, (max + min) / 2.0);
            let place = Transform::from_pos_angle(Vec2::new(center.x, center.y), 0.0)?;
            let polygon = shapes::offset_box_polygon(half.x, half.y, place)?;
            world.body(ground)?.create_polygon(&shape, &polygon)?;
        }
        Ok(Self { world })
    }

    /// Returns how many pixels a box can move.
    pub(crate) fn cast(&self, motion: &Motion) -> f32 {
        self.try_cast(motion).expect("valid numbers")
    }

    fn try_cast(&self, motion: &Motion) -> Result<f32, Error> {
        let (min, max) = (motion.body.min.as_vec2() + EDGE, motion.body.max.as_vec2() - EDGE);
        let corners = [(min.x, min.y), (max.x, min.y), (max.x, max.y), (min.x, max.y)];
        let proxy = ShapeProxy::new(corners.map(|(x, y)| Vec2::new(x, y)), 0.0)?;
        let by = motion.by.as_vec2();
        let (origin, filter) = (Position::new(0.0, 0.0), QueryFilter::default());
        let hits = self.world.query()?.cast_shape(origin, proxy, Vec2::new(by.x, by.y), filter)?;
        let first = hits.iter().map(|hit| hit.fraction).fold(1.0, f32::min);
        Ok(first * by.length())
    }

    /// Returns the length of a line before the first box, in pixels.
    pub(crate) fn ray(&self, line: &Motion) -> f32 {
        self.try_ray(line).expect("valid numbers")
    }

    fn try_ray(&self, line: &Motion) -> Result<f32, Error> {
        let [from, to] = line.ends();
        let by = to - from;
        let (origin, filter) = (Position::new(from.x, from.y), QueryFilter::default());
        let hit = self.world.query()?.cast_ray_closest(origin, Vec2::new(by.x, by.y), filter)?;
        Ok(hit.map_or(1.0, |hit| hit.fraction) * by.length())
    }
}
