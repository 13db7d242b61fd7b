//! bitwall for Python. `bitwall.pyi` documents the classes; this file turns their arguments into calls of the
//! library, and keeps no state beside it.

mod mask;
mod motion;

use bitwall_rs as core;
use core::glam::{IVec2, UVec2};
use core::{Aabb, Dir, Grid};
use numpy::{PyArray1, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyTuple};

use mask::Mask;

pub(crate) fn invalid(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// A box as `(x, y, w, h)`, `((x, y), (w, h))` or an object with the attributes `x`, `y`, `w` and `h`, such as a
/// `pygame.Rect`.
pub(crate) fn rect(body: &Bound<'_, PyAny>) -> PyResult<Aabb> {
    let wrong = || PyTypeError::new_err("a box is (x, y, w, h) in whole pixels, or a pygame.Rect");
    let Ok(tuple) = body.cast::<PyTuple>() else {
        let py = body.py();
        let side = |name: &Bound<'_, PyString>| -> PyResult<i32> {
            body.getattr(name).and_then(|side| side.extract()).map_err(|_| wrong())
        };
        let (x, y) = (side(intern!(py, "x"))?, side(intern!(py, "y"))?);
        return Ok(Aabb::from_xywh(x, y, side(intern!(py, "w"))?, side(intern!(py, "h"))?));
    };
    let sides = if tuple.len() == 2 {
        tuple.extract().map(|((x, y), (w, h))| (x, y, w, h))
    } else {
        tuple.extract()
    };
    let (x, y, w, h) = sides.map_err(|_: PyErr| wrong())?;
    Ok(Aabb::from_xywh(x, y, w, h))
}

/// The direction and length of a motion along one axis.
#[inline]
pub(crate) fn motion(dx: i32, dy: i32) -> PyResult<(Dir, u32)> {
    Ok(match (dx, dy) {
        (..0, 0) => (Dir::Left, dx.unsigned_abs()),
        (_, 0) => (Dir::Right, dx.unsigned_abs()),
        (0, ..0) => (Dir::Up, dy.unsigned_abs()),
        (0, _) => (Dir::Down, dy.unsigned_abs()),
        _ => return Err(invalid("dx and dy are both not 0; ask for one axis, then for the other")),
    })
}

/// The arguments of a question: `(x, y, w, h, dx, dy)` or `(body, dx, dy)`.
type Rest<'a, 'py> = Option<&'a Bound<'py, PyAny>>;

#[inline]
fn question(
    [a, b, c]: [&Bound<'_, PyAny>; 3],
    rest: [Rest<'_, '_>; 3],
) -> PyResult<(Aabb, Dir, u32)> {
    let (body, dx, dy) = match rest {
        [Some(h), Some(dx), Some(dy)] => {
            let body = Aabb::from_xywh(a.extract()?, b.extract()?, c.extract()?, h.extract()?);
            (body, dx.extract()?, dy.extract()?)
        }
        [None, None, None] => (rect(a)?, b.extract()?, c.extract()?),
        _ => return Err(PyTypeError::new_err("pass x, y, w, h, dx, dy or a box, dx, dy")),
    };
    let (dir, step) = motion(dx, dy)?;
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
    #[pyo3(signature = (columns, rows, cell=(1, 1)))]
    fn new(columns: u32, rows: u32, cell: (u32, u32)) -> PyResult<Self> {
        let grid = Grid::new(columns, rows);
        let level = grid.and_then(|grid| core::Level::from_grid(grid, UVec2::from(cell)));
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

    fn is_solid(&self, x: i32, y: i32) -> bool {
        self.0.is_solid(IVec2::new(x, y))
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
        questions: PyReadonlyArray2<'py, i32>,
    ) -> PyResult<Bound<'py, PyArray1<bool>>> {
        self.all(py, &questions, |level, body, dir, step| level.can_move(body, dir, step))
    }

    fn sweep_all<'py>(
        &self,
        py: Python<'py>,
        questions: PyReadonlyArray2<'py, i32>,
    ) -> PyResult<Bound<'py, PyArray1<u32>>> {
        self.all(py, &questions, |level, body, dir, step| level.sweep(body, dir, step).moved)
    }

    /// Makes the cells that touch a box solid or passable; true if one changed.
    #[pyo3(signature = (body, solid=true))]
    fn set_box(&mut self, body: &Bound<'_, PyAny>, solid: bool) -> PyResult<bool> {
        let shape = rect(body)?;
        let changed = match solid {
            true => self.0.paint(&shape, IVec2::ZERO).map_err(invalid)?,
            false => self.0.carve(&shape, IVec2::ZERO),
        };
        Ok(changed.is_some())
    }

    /// Makes the cells with a pixel in a disc solid or passable; true if one changed.
    #[pyo3(signature = (center, radius, solid=true))]
    fn set_disc(&mut self, center: (i32, i32), radius: u32, solid: bool) -> PyResult<bool> {
        let radius = i32::try_from(radius).map_err(invalid)?;
        let shape = core::shapes::Circle { center: IVec2::from(center), radius };
        let changed = match solid {
            true => self.0.paint(&shape, IVec2::ZERO).map_err(invalid)?,
            false => self.0.carve(&shape, IVec2::ZERO),
        };
        Ok(changed.is_some())
    }

    fn __repr__(&self) -> String {
        let (size, cell) = (self.0.size(), self.0.cell_size());
        format!("<Level {} x {} px, cells of {} x {}>", size.x, size.y, cell.x, cell.y)
    }
}

impl Level {
    /// Answers each row `x, y, w, h, dx, dy` of `questions`.
    fn all<'py, T: numpy::Element + Send>(
        &self,
        py: Python<'py>,
        questions: &PyReadonlyArray2<'py, i32>,
        answer: impl Fn(&core::Level, Aabb, Dir, u32) -> T + Sync,
    ) -> PyResult<Bound<'py, PyArray1<T>>> {
        if questions.shape()[1] != 6 {
            return Err(invalid("each row is x, y, w, h, dx, dy: 6 columns are needed"));
        }
        let questions = questions.as_slice();
        let questions =
            questions.map_err(|_| invalid("the rows lie apart; use ascontiguousarray"))?;
        let level = &self.0;
        let answers = py.detach(|| {
            let rows = questions.as_chunks::<6>().0;
            let mut answers = Vec::with_capacity(rows.len());
            for [x, y, w, h, dx, dy] in rows {
                let (dir, step) = motion(*dx, *dy)?;
                answers.push(answer(level, Aabb::from_xywh(*x, *y, *w, *h), dir, step));
            }
            PyResult::Ok(answers)
        })?;
        Ok(PyArray1::from_vec(py, answers))
    }
}

#[pymodule]
mod bitwall {
    #[pymodule_export]
    use super::mask::Mask;
    #[pymodule_export]
    use super::motion::{Move, Mover, Platformer, World};
    #[pymodule_export]
    use super::{Level, Sweep};
}
