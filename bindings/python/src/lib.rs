//! bitwall for Python. `bitwall.pyi` documents the classes; this file turns their arguments into calls of the
//! library, and keeps no state beside it.

#[path = "../../arguments.rs"]
mod arguments;
mod marker;
mod mask;
mod motion;
mod numbers;

use bitwall_rs as core;
use core::glam::{IVec2, UVec2};
use core::terrain::{Brush, Terrain};
use core::{Aabb, Dir, Grid};
use numpy::PyArray1;
use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use arguments::LENGTH;
use marker::Marker;
use mask::Mask;
use numbers::{ANY, array, invalid, motion, number, of_row, pair, point, rect, rows, xywh};

/// The arguments of a question: `(x, y, w, h, dx, dy)` or `(body, dx, dy)`.
type Rest<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

#[inline]
fn question(
    [a, b, c]: [&Bound<'_, PyAny>; 3],
    rest: [Rest<'_, '_>; 3],
) -> PyResult<(Aabb, Dir, u32)> {
    let (body, dx, dy) = match rest {
        [Some(h), Some(dx), Some(dy)] => (xywh([a, b, c, h])?, dx, dy),
        [None, None, None] => (rect(a)?, b, c),
        _ => return Err(PyTypeError::new_err("pass x, y, w, h, dx, dy or a box, dx, dy")),
    };
    let (dir, step) = motion(number("dx", dx, ANY)?, number("dy", dy, ANY)?).map_err(invalid)?;
    Ok((body, dir, step))
}

/// A level: walls as bits.
#[pyclass(module = "bitwall")]
pub(crate) struct Level(pub(crate) core::Level);

/// The result of a sweep.
#[pyclass(frozen, get_all, module = "bitwall")]
struct Sweep {
    moved: u32,
    cell: Option<(i32, i32)>,
    normal: Option<(i32, i32)>,
}

#[pymethods]
impl Sweep {
    fn __repr__(&self) -> String {
        format!("Sweep(moved={}, cell={:?}, normal={:?})", self.moved, self.cell, self.normal)
    }
}

#[pymethods]
impl Level {
    /// Makes an empty level of `columns` x `rows` cells.
    #[new]
    #[pyo3(signature = (columns, rows, cell=None))]
    fn new(
        columns: &Bound<'_, PyAny>,
        rows: &Bound<'_, PyAny>,
        cell: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let columns = number("columns", columns, 1..=i32::MAX)?.cast_unsigned();
        let rows = number("rows", rows, 1..=i32::MAX)?.cast_unsigned();
        let mut size = UVec2::ONE;
        if let Some(cell) = cell {
            let (width, height) = pair("cell", cell)?;
            let side = 1..=Terrain::MAX_CELL_SIZE.cast_signed();
            size.x = number("cell_width", &width, side.clone())?.cast_unsigned();
            size.y = number("cell_height", &height, side)?.cast_unsigned();
        }
        let grid = Grid::new(columns, rows);
        let level = grid.and_then(|grid| core::Level::from_grid(grid, size));
        level.map(Self).map_err(invalid)
    }

    #[staticmethod]
    fn load(py: Python<'_>, path: std::path::PathBuf) -> PyResult<Self> {
        let level = py.detach(|| core::Level::load(path));
        level.map(Self).map_err(|error| PyOSError::new_err(error.to_string()))
    }

    #[staticmethod]
    fn decode(py: Python<'_>, name: &str, data: &[u8]) -> PyResult<Self> {
        let options = core::LoadOptions::default();
        let level = py.detach(|| core::Level::decode(name, data, (), &options));
        level.map(Self).map_err(|error| PyOSError::new_err(error.to_string()))
    }

    /// A level of pixels that are solid where the mask is set.
    #[staticmethod]
    fn from_mask(mask: &Mask) -> PyResult<Self> {
        let mut grid = Grid::new(mask.size().0, mask.size().1).map_err(invalid)?;
        for (x, y) in mask.points() {
            grid.set(x, y, true).map_err(invalid)?;
        }
        core::Level::from_grid(grid, UVec2::ONE).map(Self).map_err(invalid)
    }

    /// The solid pixels of the level as a mask.
    fn to_mask(&self) -> PyResult<Mask> {
        let size = self.0.size();
        let mut mask = Mask::sized(size.x.into(), size.y.into(), false)?;
        let cell = self.0.cell_size();
        for y in 0..size.y {
            for x in 0..size.x {
                if self.0.grid().is_solid(x / cell.x, y / cell.y) {
                    mask.put(x.into(), y.into(), true);
                }
            }
        }
        Ok(mask)
    }

    #[getter]
    fn size(&self) -> (u32, u32) {
        self.0.size().into()
    }

    #[getter]
    fn cell_size(&self) -> (u32, u32) {
        self.0.cell_size().into()
    }

    fn marker(&self, name: &str) -> Option<(i32, i32)> {
        self.0.marker(name).map(|marker| marker.position().into())
    }

    fn markers(&self, py: Python<'_>) -> PyResult<Vec<Marker>> {
        self.0.markers().iter().map(|marker| Marker::new(py, marker)).collect()
    }

    fn is_solid(&self, x: &Bound<'_, PyAny>, y: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.is_solid(IVec2::new(number("x", x, ANY)?, number("y", y, ANY)?)))
    }

    fn overlaps(&self, body: &Bound<'_, PyAny>) -> PyResult<bool> {
        Ok(self.0.overlaps(rect(body)?))
    }

    #[pyo3(signature = (a, b, c, d=None, e=None, f=None, /))]
    fn can_move(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        c: &Bound<'_, PyAny>,
        d: Rest<'_, '_>,
        e: Rest<'_, '_>,
        f: Rest<'_, '_>,
    ) -> PyResult<bool> {
        let (body, dir, step) = question([a, b, c], [d, e, f])?;
        Ok(self.0.can_move(body, dir, step))
    }

    #[pyo3(signature = (a, b, c, d=None, e=None, f=None, /))]
    fn sweep(
        &self,
        a: &Bound<'_, PyAny>,
        b: &Bound<'_, PyAny>,
        c: &Bound<'_, PyAny>,
        d: Rest<'_, '_>,
        e: Rest<'_, '_>,
        f: Rest<'_, '_>,
    ) -> PyResult<Sweep> {
        let (body, dir, step) = question([a, b, c], [d, e, f])?;
        let sweep = self.0.sweep(body, dir, step);
        Ok(Sweep {
            moved: sweep.moved,
            cell: sweep.contact.map(|contact| contact.cell.into()),
            normal: sweep.contact.map(|contact| contact.normal.into()),
        })
    }

    fn can_move_all<'py>(
        &self,
        py: Python<'py>,
        questions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.all(py, questions, |level, body, dir, step| level.can_move(body, dir, step))
    }

    fn sweep_all<'py>(
        &self,
        py: Python<'py>,
        questions: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.all(py, questions, |level, body, dir, step| level.sweep(body, dir, step).moved)
    }

    /// Makes the cells that touch a box solid or passable; true if one changed.
    #[pyo3(signature = (body, solid=true))]
    fn set_box(&mut self, body: &Bound<'_, PyAny>, solid: bool) -> PyResult<bool> {
        self.draw(&rect(body)?, solid)
    }

    /// Makes the cells with a pixel in a disc solid or passable; true if one changed.
    #[pyo3(signature = (center, radius, solid=true))]
    fn set_disc(
        &mut self,
        center: &Bound<'_, PyAny>,
        radius: &Bound<'_, PyAny>,
        solid: bool,
    ) -> PyResult<bool> {
        let center = point("center", center)?;
        let radius = number("radius", radius, LENGTH)?;
        self.draw(&core::shapes::Circle { center, radius }, solid)
    }

    fn __repr__(&self) -> String {
        let (size, cell) = (self.0.size(), self.0.cell_size());
        format!("<Level {} x {} px, cells of {} x {}>", size.x, size.y, cell.x, cell.y)
    }
}

impl Level {
    fn draw(&mut self, shape: &impl Brush, solid: bool) -> PyResult<bool> {
        let changed = if solid {
            self.0.paint(shape, IVec2::ZERO).map_err(invalid)?
        } else {
            self.0.carve(shape, IVec2::ZERO)
        };
        Ok(changed.is_some())
    }

    /// Answers each row `x, y, w, h, dx, dy` of `questions`.
    fn all<'py, T: numpy::Element + Send>(
        &self,
        py: Python<'py>,
        questions: &Bound<'py, PyAny>,
        answer: impl Fn(&core::Level, Aabb, Dir, u32) -> T + Sync,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        let questions = array::<i32>("questions", questions, "int32")?;
        let rows = rows(&questions)?;
        let level = &self.0;
        let answers = py.detach(|| {
            let mut answers = Vec::with_capacity(rows.len());
            for (at, row) in rows.iter().enumerate() {
                let asked = of_row(*row);
                let (body, dir, step) =
                    asked.map_err(|error| invalid(format!("question {at}: {error}")))?;
                answers.push(answer(level, body, dir, step));
            }
            PyResult::Ok(answers)
        })?;
        Ok(PyArray1::from_vec(py, answers))
    }
}

#[pymodule]
mod bitwall {
    #[pymodule_export]
    use super::marker::Marker;
    #[pymodule_export]
    use super::mask::Mask;
    #[pymodule_export]
    use super::motion::{Move, Mover, Platformer, World};
    #[pymodule_export]
    use super::{Level, Sweep};
}
