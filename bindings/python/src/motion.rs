//! Bodies that move: a mover, a platform character, and a world of bodies.

use std::ops::RangeInclusive;

use bitwall_rs as core;
use core::character::{Feel, Input};
use core::geometry::TranslationError;
use core::world::{Body, BodyId};
use core::{Dir, MoverSettings, Rate};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

use super::Level;
use super::arguments::refused;
use super::numbers::{ANY, invalid, number, real, rect};

/// A height in pixels or a time in seconds, as large as the library counts them.
const AMOUNT: RangeInclusive<f32> = 0.0..=65535.0;

type Box4 = (i32, i32, u32, u32);

fn xywh(body: core::Aabb) -> Box4 {
    (body.min.x, body.min.y, body.width(), body.height())
}

fn settings(kind: &str) -> PyResult<MoverSettings> {
    match kind {
        "plain" => Ok(MoverSettings::PLAIN),
        "platformer" => Ok(MoverSettings::platformer()),
        "top_down" => Ok(MoverSettings::top_down()),
        _ => Err(invalid(refused("kind", kind, "plain, platformer or top_down"))),
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
        step_height: Option<&Bound<'_, PyAny>>,
        snap_distance: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut settings = settings(kind)?;
        let most = 0..=MoverSettings::MAX_CORRECTION.cast_signed();
        if let Some(pixels) = step_height {
            settings.step_height = number("step_height", pixels, most.clone())?.cast_unsigned();
        }
        if let Some(pixels) = snap_distance {
            settings.snap_distance = number("snap_distance", pixels, most)?.cast_unsigned();
        }
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

    fn place(&mut self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<()> {
        let size = self.0.body.size().as_ivec2();
        let body =
            core::Aabb::from_xywh(number("x", x, ANY)?, number("y", y, ANY)?, size.x, size.y);
        self.0 = core::Mover::new(body, self.0.settings);
        Ok(())
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
    #[pyo3(signature = (body, *, fps=None, jump_height=None, jump_seconds=None))]
    fn new(
        body: &Bound<'_, PyAny>,
        fps: Option<&Bound<'_, PyAny>>,
        jump_height: Option<&Bound<'_, PyAny>>,
        jump_seconds: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let fps = fps.map_or(Ok(60), |fps| number("fps", fps, 1..=65535))?;
        let height = jump_height.map_or(Ok(44.0), |it| real("jump_height", it, AMOUNT))?;
        let seconds = jump_seconds.map_or(Ok(0.35), |it| real("jump_seconds", it, AMOUNT))?;
        Ok(Self {
            mover: core::Mover::new(rect(body)?, MoverSettings::platformer()),
            state: core::character::Platformer::new(Rate::per_second(fps as u16)),
            feel: Feel { jump_height: height, jump_time: seconds, ..Feel::default() },
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
        self.state.velocity().into()
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
        let (motion, _) = self.state.step(&level.0, &mut self.mover, input, &self.feel);
        Move::new(&motion, self.state.velocity().into())
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

    fn id(&self, body: &Bound<'_, PyAny>) -> PyResult<BodyId> {
        let number = body.extract::<usize>().ok();
        let id = number.and_then(|number| self.ids.get(number).copied().flatten());
        id.ok_or_else(|| no_body(body))
    }

    fn body(&self, body: &Bound<'_, PyAny>) -> PyResult<&Body> {
        self.world.get(self.id(body)?).ok_or_else(|| no_body(body))
    }
}

#[cold]
fn no_body(body: &Bound<'_, PyAny>) -> PyErr {
    PyKeyError::new_err(format!("the world has no body {body}"))
}

/// Returns an error for a velocity that no body can have.
fn test_velocity(vx: f32, vy: f32) -> PyResult<()> {
    if !(vx.is_finite() && vy.is_finite()) {
        return Err(invalid(TranslationError::NotFinite));
    }
    if vx.abs().max(vy.abs()) >= 2_147_483_648.0 {
        return Err(invalid(TranslationError::OutOfRange));
    }
    Ok(())
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (*, fps=None))]
    fn new(fps: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let fps = fps.map_or(Ok(60), |fps| number("fps", fps, 1..=65535))?;
        let world = core::World::new(Rate::per_second(fps as u16));
        Ok(Self { world, ids: Vec::new() })
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

    #[pyo3(signature = (body, mass=0, gravity=900.0))]
    fn add_pushable(
        &mut self,
        body: &Bound<'_, PyAny>,
        mass: u16,
        gravity: f32,
    ) -> PyResult<usize> {
        test_velocity(0.0, gravity)?;
        Ok(self.add(Body::pushable(rect(body)?, mass, gravity)))
    }

    fn remove(&mut self, body: &Bound<'_, PyAny>) -> PyResult<()> {
        let removed = self.id(body)?;
        self.world.remove(removed);
        self.ids.iter_mut().filter(|id| **id == Some(removed)).for_each(|id| *id = None);
        Ok(())
    }

    fn set_velocity(&mut self, body: &Bound<'_, PyAny>, vx: f32, vy: f32) -> PyResult<()> {
        test_velocity(vx, vy)?;
        let id = self.id(body)?;
        if let Some(body) = self.world.get_mut(id) {
            body.set_velocity([vx, vy]);
        }
        Ok(())
    }

    fn velocity(&self, body: &Bound<'_, PyAny>) -> PyResult<(f32, f32)> {
        Ok(self.body(body)?.velocity().into())
    }

    fn rect(&self, body: &Bound<'_, PyAny>) -> PyResult<Box4> {
        Ok(xywh(self.body(body)?.aabb))
    }

    fn position(&self, body: &Bound<'_, PyAny>) -> PyResult<(f64, f64)> {
        Ok(self.body(body)?.position().into())
    }

    fn standing_on(&self, body: &Bound<'_, PyAny>) -> PyResult<Option<usize>> {
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
