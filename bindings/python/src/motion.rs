//! Bodies that move: a mover, a platform character, and a world of bodies.

use bitwall_rs as core;
use core::character::{Feel, Input};
use core::world::{Body, BodyId};
use core::{Dir, MoverSettings};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use super::{Level, invalid, rect};

type Box4 = (i32, i32, u32, u32);

fn xywh(body: core::Aabb) -> Box4 {
    (body.min.x, body.min.y, body.width(), body.height())
}

fn settings(kind: &str) -> PyResult<MoverSettings> {
    match kind {
        "plain" => Ok(MoverSettings::PLAIN),
        "platformer" => Ok(MoverSettings::platformer()),
        "top_down" => Ok(MoverSettings::top_down()),
        _ => Err(invalid(format!("`{kind}` is none of plain, platformer, top_down"))),
    }
}

/// The result of a step.
#[pyclass(frozen, get_all, module = "bitwall")]
pub(crate) struct Move {
    moved: (i32, i32),
    velocity: (f32, f32),
    grounded: bool,
    started_solid: bool,
    hit_left: bool,
    hit_right: bool,
    hit_up: bool,
    hit_down: bool,
}

impl Move {
    fn new(step: &core::Move, velocity: [f32; 2]) -> Self {
        let hit = |dir| step.contacts.get(dir).is_some();
        Self {
            moved: step.moved.into(),
            velocity: velocity.into(),
            grounded: step.grounded,
            started_solid: step.started_solid,
            hit_left: hit(Dir::Left),
            hit_right: hit(Dir::Right),
            hit_up: hit(Dir::Up),
            hit_down: hit(Dir::Down),
        }
    }
}

/// One body that slides, climbs steps and keeps fractions of a pixel.
#[pyclass(module = "bitwall")]
pub(crate) struct Mover(core::Mover);

#[pymethods]
impl Mover {
    #[new]
    #[pyo3(signature = (body, kind="platformer", *, step_height=None, snap_distance=None))]
    fn new(
        body: &Bound<'_, PyAny>,
        kind: &str,
        step_height: Option<u32>,
        snap_distance: Option<u32>,
    ) -> PyResult<Self> {
        let mut settings = settings(kind)?;
        settings.step_height = step_height.unwrap_or(settings.step_height);
        settings.snap_distance = snap_distance.unwrap_or(settings.snap_distance);
        Ok(Self(core::Mover::new(rect(body)?, settings)))
    }

    #[getter]
    fn rect(&self) -> Box4 {
        xywh(self.0.body)
    }

    #[getter]
    fn position(&self) -> (f64, f64) {
        self.0.position().into()
    }

    fn place(&mut self, x: i32, y: i32) {
        let size = self.0.body.size().as_ivec2();
        let body = core::Aabb::from_xywh(x, y, size.x, size.y);
        self.0 = core::Mover::new(body, self.0.settings);
    }

    #[pyo3(signature = (level, vx, vy, /))]
    fn step(&mut self, level: &Level, vx: f32, vy: f32) -> PyResult<Move> {
        let step = self.0.step(&level.0, [vx, vy]).map_err(invalid)?;
        Ok(Move::new(&step, step.velocity([vx, vy])))
    }
}

/// A character that runs, jumps, climbs and swims.
#[pyclass(module = "bitwall")]
pub(crate) struct Platformer {
    mover: core::Mover,
    state: core::character::Platformer,
    feel: Feel,
}

#[pymethods]
impl Platformer {
    #[new]
    #[pyo3(signature = (body, *, fps=60, jump_height=44.0, jump_seconds=0.35))]
    fn new(
        body: &Bound<'_, PyAny>,
        fps: u16,
        jump_height: f32,
        jump_seconds: f32,
    ) -> PyResult<Self> {
        Ok(Self {
            mover: core::Mover::new(rect(body)?, MoverSettings::platformer()),
            state: core::character::Platformer::default(),
            feel: Feel::per_second(fps).jump(jump_height, jump_seconds),
        })
    }

    #[getter]
    fn rect(&self) -> Box4 {
        xywh(self.mover.body)
    }

    #[getter]
    fn position(&self) -> (f64, f64) {
        self.mover.position().into()
    }

    #[getter]
    fn stance(&self) -> String {
        format!("{:?}", self.state.stance).to_lowercase()
    }

    #[getter]
    fn velocity(&self) -> (f32, f32) {
        self.state.velocity_in_pixels().into()
    }

    #[pyo3(signature = (level, *, left=false, right=false, up=false, down=false, jump=false))]
    fn step(
        &mut self,
        level: &Level,
        left: bool,
        right: bool,
        up: bool,
        down: bool,
        jump: bool,
    ) -> Move {
        let input = Input::from_keys(left, right, up, down, jump);
        let outcome = self.state.step(&level.0, &mut self.mover, input, &self.feel);
        Move::new(&outcome.motion, self.state.velocity_in_pixels().into())
    }
}

/// Many bodies that carry and push each other.
#[pyclass(module = "bitwall")]
pub(crate) struct World {
    world: core::world::World,
    /// The bodies in the order of their numbers; `None` for a removed body.
    ids: Vec<Option<BodyId>>,
}

impl World {
    fn add(&mut self, body: Body) -> usize {
        self.ids.push(Some(self.world.add(body)));
        self.ids.len() - 1
    }

    fn id(&self, body: usize) -> PyResult<BodyId> {
        let id = self.ids.get(body).copied().flatten();
        id.ok_or_else(|| PyKeyError::new_err(format!("the world has no body {body}")))
    }

    fn body(&self, body: usize) -> PyResult<&Body> {
        let found = self.world.get(self.id(body)?);
        found.ok_or_else(|| PyKeyError::new_err(format!("the world has no body {body}")))
    }
}

#[pymethods]
impl World {
    #[new]
    fn new() -> Self {
        Self { world: core::world::World::new(), ids: Vec::new() }
    }

    #[pyo3(signature = (body, kind="platformer"))]
    fn add_character(&mut self, body: &Bound<'_, PyAny>, kind: &str) -> PyResult<usize> {
        Ok(self.add(Body::character(rect(body)?, settings(kind)?)))
    }

    #[pyo3(signature = (body, *, one_way=false))]
    fn add_platform(&mut self, body: &Bound<'_, PyAny>, one_way: bool) -> PyResult<usize> {
        let body = rect(body)?;
        Ok(self.add(if one_way { Body::one_way_platform(body) } else { Body::platform(body) }))
    }

    #[pyo3(signature = (body, gravity=0.25))]
    fn add_block(&mut self, body: &Bound<'_, PyAny>, gravity: f32) -> PyResult<usize> {
        Ok(self.add(Body::block(rect(body)?, gravity)))
    }

    fn remove(&mut self, body: usize) -> PyResult<()> {
        let id = self.id(body)?;
        self.world.remove(id);
        self.ids[body] = None;
        Ok(())
    }

    fn set_velocity(&mut self, body: usize, vx: f32, vy: f32) -> PyResult<()> {
        let id = self.id(body)?;
        if let Some(body) = self.world.get_mut(id) {
            body.set_velocity([vx, vy]);
        }
        Ok(())
    }

    fn velocity(&self, body: usize) -> PyResult<(f32, f32)> {
        Ok(self.body(body)?.velocity_in_pixels().into())
    }

    fn rect(&self, body: usize) -> PyResult<Box4> {
        Ok(xywh(self.body(body)?.aabb))
    }

    fn position(&self, body: usize) -> PyResult<(f64, f64)> {
        Ok(self.body(body)?.position().into())
    }

    fn standing_on(&self, body: usize) -> PyResult<Option<usize>> {
        let floor = self.world.standing_on(self.id(body)?);
        Ok(floor.and_then(|floor| self.ids.iter().position(|id| *id == Some(floor))))
    }

    fn step(&mut self, level: &Level) {
        self.world.step(&level.0);
    }

    fn __len__(&self) -> usize {
        self.world.len()
    }
}
