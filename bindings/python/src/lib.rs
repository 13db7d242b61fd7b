//! bitwall for Python over the facade of all bindings. `generated.rs` has the classes, written by
//! `bindings/doors`; here is what only Python expects: masks as in pygame, markers as values, pickles,
//! arrays, boxes in many forms, and the art of a level on a surface.

#[path = "../../arguments.rs"]
mod arguments;
mod art;
mod marker;
mod mask;
mod numbers;

use bitwall_facade as facade;
use bitwall_rs as core;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyMemoryView};

use art::Art;
use marker::Marker;
use mask::Mask;
use numbers::*;

include!("generated.rs");

type Rest<'a, 'py> = Option<Any<'a, 'py>>;

/// The arguments of a question: `(x, y, w, h, dx, dy)` or `(box, dx, dy)`, in their order or by their names.
#[inline]
fn question(six: [Rest; 6], named: Rest) -> PyResult<([i32; 4], Dir, i32)> {
    let (body, dx, dy) = match (six, named) {
        ([Some(x), Some(y), Some(w), Some(h), Some(dx), Some(dy)], None) => (four([x, y, w, h])?, dx, dy),
        ([Some(body), Some(dx), Some(dy), None, None, None], None)
        | ([Some(body), None, None, None, Some(dx), Some(dy)], None)
        | ([None, None, None, None, Some(dx), Some(dy)], Some(body)) => (rect(body)?, dx, dy),
        _ => return Err(PyTypeError::new_err("pass x, y, w, h, dx, dy or a box, dx, dy")),
    };
    let (dir, step) = motion(dx, dy)?;
    Ok((body, dir, step))
}

/// A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y down.
///
/// It can be copied and pickled; a pickled level has the cells, areas and markers, and no art and no reasons.
#[pyclass(module = "bitwall")]
pub(crate) struct Level(pub(crate) facade::Level, Art);

impl From<facade::Level> for Level {
    fn from(made: facade::Level) -> Self {
        Self(made, Art::default())
    }
}

#[pymethods]
impl Level {
    /// Loads a level whose files the game reads: `read(path)` returns the bytes of a file, or `None`.
    /// `options` is the text of a `bitwall.toml`.
    #[staticmethod]
    #[pyo3(signature = (path, read, options=""))]
    fn read(path: Any, read: Any, options: &str) -> PyResult<Self> {
        let path = numbers::path("path", path)?;
        let mut files = facade::Files::new();
        let mut wanted = path.clone();
        while !wanted.is_empty() {
            let found = read.call1((&wanted,))?;
            if !found.is_none() {
                files.put(&wanted, &bytes("read", &found)?);
            }
            wanted = files.wanted(false);
        }
        facade::Level::from_files(&path, &files, options).map(Into::into).map_err(failed)
    }

    /// Makes a level of pixels that are solid where the mask is set.
    #[staticmethod]
    fn from_mask(mask: &Mask) -> PyResult<Self> {
        let (width, height) = mask.get_size();
        let mut grid = core::Grid::new(width as u32, height as u32).map_err(invalid)?;
        for (x, y) in mask.points() {
            grid.set(x as u32, y as u32, true).map_err(invalid)?;
        }
        let level = core::Level::from_grid(grid, core::glam::UVec2::ONE).map_err(invalid)?;
        Ok(facade::Level::made(level).into())
    }

    /// Returns the solid pixels as a mask. O(pixels).
    fn to_mask(&self) -> PyResult<Mask> {
        let (level, cell) = (self.0.core(), self.0.core().cell_size());
        let (width, height) = level.size().into();
        let mut mask = Mask::sized(width.into(), height.into(), false)?;
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            if level.grid().is_solid(x / cell.x, y / cell.y) {
                mask.put(x.into(), y.into(), true);
            }
        }
        Ok(mask)
    }

    /// The width and the height of the level in pixels.
    #[getter]
    fn size(&self) -> (i32, i32) {
        let size = self.0.size();
        (size.width, size.height)
    }

    /// The width and the height of a cell in pixels.
    #[getter]
    fn cell_size(&self) -> (i32, i32) {
        let size = self.0.size();
        (size.cell_width, size.cell_height)
    }

    /// Returns the first marker with this name, such as a spawn; None without one.
    fn marker(&self, py: Python<'_>, name: &str) -> PyResult<Option<Marker>> {
        self.0.core().marker(name).map(|marker| Marker::new(py, marker)).transpose()
    }

    /// Returns all markers, in the order of the file: what the map's maker placed and what stops nobody.
    fn markers(&self, py: Python<'_>) -> PyResult<Vec<Marker>> {
        self.0.core().markers().iter().map(|marker| Marker::new(py, marker)).collect()
    }

    /// True if a box can move by `dx` or `dy` pixels; one of them is 0. The whole way counts, so no thin wall
    /// is skipped. Pass x, y, w, h, dx, dy (the fastest) or box, dx, dy.
    #[pyo3(signature = (x=None, y=None, w=None, h=None, dx=None, dy=None, *, r#box=None))]
    fn can_move(
        &self,
        x: Rest,
        y: Rest,
        w: Rest,
        h: Rest,
        dx: Rest,
        dy: Rest,
        r#box: Rest,
    ) -> PyResult<bool> {
        let ([x, y, w, h], dir, step) = question([x, y, w, h, dx, dy], r#box)?;
        self.0.can_move(x, y, w, h, dir, step).map_err(failed)
    }

    /// Returns how far a box can move by `dx` or `dy` pixels, and the cell that stops it. Pass x, y, w, h,
    /// dx, dy or box, dx, dy.
    #[pyo3(signature = (x=None, y=None, w=None, h=None, dx=None, dy=None, *, r#box=None))]
    fn sweep(&self, x: Rest, y: Rest, w: Rest, h: Rest, dx: Rest, dy: Rest, r#box: Rest) -> PyResult<Sweep> {
        let ([x, y, w, h], dir, step) = question([x, y, w, h, dx, dy], r#box)?;
        self.0.sweep(x, y, w, h, dir, step).map(Sweep).map_err(failed)
    }

    /// Answers each row x, y, w, h, dx, dy of an array of int32 with two axes, as of numpy. Returns a
    /// `memoryview` of truth values, which `np.asarray` takes without a copy. Other threads run meanwhile.
    fn can_move_all<'py>(&self, py: Python<'py>, questions: Any<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let questions = numbers::questions(questions)?;
        let mut answers = vec![0; questions.len() / 6];
        py.detach(|| self.0.can_move_all(&questions, &mut answers)).map_err(failed)?;
        view(py, &answers, "?")
    }

    /// Returns the pixels moved for each row x, y, w, h, dx, dy, as `can_move_all`: a `memoryview` of int32.
    fn sweep_all<'py>(&self, py: Python<'py>, questions: Any<'_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let questions = numbers::questions(questions)?;
        let mut answers = vec![0; questions.len() / 6];
        py.detach(|| self.0.sweep_all(&questions, &mut answers)).map_err(failed)?;
        let answers: Vec<[u8; 4]> = answers.into_iter().map(i32::to_ne_bytes).collect();
        view(py, answers.as_flattened(), "i")
    }

    /// Draws the art of the level's maps on a surface of pygame, with the pixel `camera` of the level at the
    /// top left. A level without maps shows its solids. The art is drawn once and kept; edits do not change
    /// it, and layers with a parallax factor stand still.
    #[pyo3(signature = (surface, camera=None), text_signature = "($self, surface, camera=(0, 0))")]
    fn draw(&mut self, surface: Any, camera: Rest) -> PyResult<()> {
        let camera = camera.map_or(Ok([0, 0]), |camera| point("camera", camera))?;
        self.1.draw(&self.0, surface, camera)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bytes,))> {
        let baked = slf.borrow().0.bake().map_err(failed)?;
        Ok((slf.get_type().getattr("from_baked")?, (baked.into(),)))
    }

    fn __repr__(&self) -> String {
        let (size, cell) = (self.size(), self.cell_size());
        format!("<Level {} x {} px, cells of {} x {}>", size.0, size.1, cell.0, cell.1)
    }
}

/// The answers of a batch as an array of this format.
fn view<'py>(py: Python<'py>, answers: &[u8], format: &str) -> PyResult<Bound<'py, PyAny>> {
    PyMemoryView::from(&PyByteArray::new(py, answers))?.call_method1("cast", (format,))
}

#[pymethods]
impl Mover {
    /// Makes a mover with the settings of its kind, of which some may be changed, as in `step_height=8`.
    #[new]
    #[pyo3(signature = (r#box, kind=None, **settings))]
    #[pyo3(text_signature = "(box, kind='platformer', **settings)")]
    fn new(r#box: Any, kind: Rest, settings: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let [x, y, w, h] = rect(r#box)?;
        let kind = kind.map_or(Ok(Kind::Platformer), |it| choice("kind", it, KIND))?;
        let mut made = facade::Mover::new(x, y, w, h, kind).map_err(failed)?;
        let settings = Settings(made.settings()).replace(settings)?;
        made.set_settings(&settings.0).map_err(failed)?;
        Ok(Self(made))
    }
}

#[pymethods]
impl Platformer {
    /// Makes a character at rest in the air, for a game with `fps` steps a second, with the usual feel, of
    /// which some fields may be changed, as in `jump_height=56`.
    #[new]
    #[pyo3(signature = (r#box, *, fps=None, **feel), text_signature = "(box, *, fps=60, **feel)")]
    fn new(r#box: Any, fps: Rest, feel: Option<&Bound<'_, PyDict>>) -> PyResult<Self> {
        let [x, y, w, h] = rect(r#box)?;
        let fps = fps.map_or(Ok(60), |it| number("fps", it))?;
        let mut made = facade::Platformer::new(x, y, w, h, fps).map_err(failed)?;
        made.set_feel(&Feel(made.feel()).replace(feel)?.0).map_err(failed)?;
        Ok(Self(made))
    }
}

#[pymethods]
impl World {
    fn __len__(&self) -> usize {
        self.0.bodies().len()
    }

    fn __repr__(&self) -> String {
        format!("<World of {} bodies>", self.0.bodies().len())
    }
}

#[pymodule]
mod bitwall {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::{Level, Marker, Mask};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        super::add_classes(module)
    }
}
