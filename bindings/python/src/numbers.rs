//! The numbers, boxes and arrays of arguments. An error names the argument and what is allowed: a `TypeError` for
//! what is of another kind, a `ValueError` for a number that is out of its range.

use std::ops::RangeInclusive;

use bitwall_rs::glam::IVec2;
use bitwall_rs::{Aabb, Dir};
use numpy::{Element, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyTuple};

use super::arguments::{LENGTH, refused, whole};

/// A position, or a way along an axis.
pub(crate) const ANY: RangeInclusive<i32> = i32::MIN..=i32::MAX;

pub(crate) fn invalid(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Returns the whole number `value` of the argument `name`.
#[inline]
pub(crate) fn number(
    name: &str,
    value: &Bound<'_, PyAny>,
    range: RangeInclusive<i32>,
) -> PyResult<i32> {
    match value.extract::<i32>() {
        Ok(number) if range.contains(&number) => Ok(number),
        _ => Err(no_whole_number(name, value, &range)),
    }
}

#[cold]
fn no_whole_number(name: &str, value: &Bound<'_, PyAny>, range: &RangeInclusive<i32>) -> PyErr {
    if value.hasattr(intern!(value.py(), "__index__")).unwrap_or(false) {
        return invalid(refused(name, value, whole(range)));
    }
    PyTypeError::new_err(refused(name, said(value), whole(range)))
}

/// Returns the number `value` of the argument `name`, which may have a fraction.
pub(crate) fn real(
    name: &str,
    value: &Bound<'_, PyAny>,
    range: RangeInclusive<f32>,
) -> PyResult<f32> {
    let allowed = format!("a number from {} to {}", range.start(), range.end());
    match value.extract::<f32>() {
        Ok(number) if range.contains(&number) => Ok(number),
        Ok(_) => Err(invalid(refused(name, said(value), allowed))),
        Err(_) => Err(PyTypeError::new_err(refused(name, said(value), allowed))),
    }
}

/// Returns a number as it is printed.
fn said(value: &Bound<'_, PyAny>) -> String {
    match value.cast::<PyFloat>() {
        Ok(float) => format!("{:?}", float.value()),
        Err(_) if value.extract::<f64>().is_ok() => value.to_string(),
        Err(_) => "no number".to_owned(),
    }
}

/// Returns a box from `(x, y, w, h)`, `((x, y), (w, h))` or an object with the attributes `x`, `y`, `w` and `h`,
/// such as a `pygame.Rect`.
pub(crate) fn rect(body: &Bound<'_, PyAny>) -> PyResult<Aabb> {
    let py = body.py();
    let Ok(tuple) = body.cast::<PyTuple>() else {
        let names = [intern!(py, "x"), intern!(py, "y"), intern!(py, "w"), intern!(py, "h")];
        let [x, y, w, h] = names.map(|name| body.getattr(name).map_err(|_| no_box()));
        return xywh([&x?, &y?, &w?, &h?]);
    };
    let sides = if tuple.len() == 2 {
        tuple.extract().map(|((x, y), (w, h))| (x, y, w, h))
    } else {
        tuple.extract()
    };
    let (x, y, w, h) = sides.map_err(|_: PyErr| no_box())?;
    xywh([&x, &y, &w, &h])
}

#[inline]
pub(crate) fn xywh([x, y, w, h]: [&Bound<'_, PyAny>; 4]) -> PyResult<Aabb> {
    let min = [number("x", x, ANY)?, number("y", y, ANY)?];
    Ok(Aabb::from_xywh(min[0], min[1], number("w", w, LENGTH)?, number("h", h, LENGTH)?))
}

fn no_box() -> PyErr {
    PyTypeError::new_err("a box is (x, y, w, h) in whole pixels, or a pygame.Rect")
}

/// Returns the pair `value` of the argument `name`, such as `(x, y)`.
pub(crate) fn pair<'py>(
    name: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let pair = value.extract();
    pair.map_err(|_| {
        PyTypeError::new_err(refused(name, "no pair", "two whole numbers, as in (3, 4)"))
    })
}

/// Returns the point `(x, y)` of the argument `name`.
pub(crate) fn point(name: &str, value: &Bound<'_, PyAny>) -> PyResult<IVec2> {
    let (x, y) = pair(name, value)?;
    Ok(IVec2::new(number("x", &x, ANY)?, number("y", &y, ANY)?))
}

/// The direction and length of a motion along one axis.
#[inline]
pub(crate) fn motion(dx: i32, dy: i32) -> Result<(Dir, u32), &'static str> {
    Ok(match (dx, dy) {
        (..0, 0) => (Dir::Left, dx.unsigned_abs()),
        (_, 0) => (Dir::Right, dx.unsigned_abs()),
        (0, ..0) => (Dir::Up, dy.unsigned_abs()),
        (0, _) => (Dir::Down, dy.unsigned_abs()),
        _ => return Err("dx and dy are both not 0; ask for one axis, then for the other"),
    })
}

/// Returns the array `value` of the argument `name`, whose elements are of the type `kind`.
pub(crate) fn array<'py, T: Element>(
    name: &str,
    value: &Bound<'py, PyAny>,
    kind: &str,
) -> PyResult<PyReadonlyArray2<'py, T>> {
    let Ok(array) = value.cast::<PyArray2<T>>() else {
        let found = format_args!("no array of {kind} with two axes").to_string();
        let allowed = format_args!("np.array({name}, np.{kind}, ndmin=2)").to_string();
        return Err(PyTypeError::new_err(refused(name, found, allowed)));
    };
    array.try_readonly().map_err(invalid)
}

/// Returns the rows of six numbers in `questions`.
pub(crate) fn rows<'a>(questions: &'a PyReadonlyArray2<'_, i32>) -> PyResult<&'a [[i32; 6]]> {
    let columns = questions.shape()[1];
    if columns != 6 {
        let found = format_args!("an array of {columns} columns").to_string();
        return Err(invalid(refused("questions", found, "6 columns: x, y, w, h, dx, dy")));
    }
    // `as_slice` takes an array whose columns lie together, too.
    let numbers = questions.as_slice().ok().filter(|_| questions.is_c_contiguous());
    let numbers = numbers.ok_or_else(|| {
        let found = "an array whose rows lie apart, as in a slice, a transpose or Fortran order";
        invalid(refused("questions", found, "questions.copy()"))
    })?;
    Ok(numbers.as_chunks::<6>().0)
}

/// Returns the box and the motion of a row `x, y, w, h, dx, dy`.
#[inline]
pub(crate) fn of_row([x, y, w, h, dx, dy]: [i32; 6]) -> Result<(Aabb, Dir, u32), String> {
    for (name, side) in [("w", w), ("h", h)] {
        if side < 0 {
            return Err(refused(name, side, whole(&LENGTH)));
        }
    }
    let (dir, step) = motion(dx, dy)?;
    Ok((Aabb::from_xywh(x, y, w, h), dir, step))
}
