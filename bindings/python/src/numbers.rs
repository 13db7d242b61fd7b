//! What Python passes and receives. An error names the argument and what is allowed: a `TypeError` for what
//! is of another kind, a `ValueError` for a value out of its range. The facade tests the ranges of numbers.

use std::borrow::Cow;

use bitwall_facade as facade;
use facade::Dir;
use pyo3::buffer::{ElementType, PyUntypedBuffer};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyKeyError, PyOSError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyFloat, PyMemoryView, PyString, PyTuple};

use super::arguments::{LENGTH, refused, whole};

pub(crate) type Any<'a, 'py> = &'a Bound<'py, PyAny>;
pub(crate) type Box4 = (i32, i32, i32, i32);
/// Becomes `bytes`.
pub(crate) type Bytes = Cow<'static, [u8]>;

pub(crate) fn invalid(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An error of the facade as one of Python.
#[cold]
#[allow(clippy::boxed_local, reason = "the results of the facade hold it so")]
pub(crate) fn failed(error: Box<facade::Error>) -> PyErr {
    match error.code {
        facade::LOAD => PyOSError::new_err(error.text),
        facade::MISSING => PyKeyError::new_err(error.text),
        _ => PyValueError::new_err(error.text),
    }
}

#[cold]
fn unfit(name: &str, found: &str, allowed: &str) -> PyErr {
    PyTypeError::new_err(refused(name, found, allowed))
}

/// Returns a whole number: of 32 bits, or categories as bits.
#[inline]
pub(crate) fn number<'py, T: FromPyObjectOwned<'py>>(name: &str, value: Any<'_, 'py>) -> PyResult<T> {
    value.extract().map_err(|_| no_whole_number(name, value))
}

#[cold]
fn no_whole_number(name: &str, value: Any) -> PyErr {
    let allowed = allowed(name);
    if value.hasattr(intern!(value.py(), "__index__")).unwrap_or(false) {
        return invalid(refused(name, value, allowed));
    }
    unfit(name, &said(value), &allowed)
}

/// What the facade allows for the whole numbers of this name.
fn allowed(name: &str) -> String {
    whole(&match name {
        "w" | "h" | "radius" | "limit" | "diameter" | "width" | "height" => LENGTH,
        "columns" | "rows" => 1..=i32::MAX,
        "cell_width" | "cell_height" => 1..=65536,
        "step_height" | "snap_distance" => 0..=256,
        "fps" => 1..=65535,
        "category" | "categories" | "collides_with" | "watches" => return whole(&(0..=u64::MAX)),
        _ => i32::MIN..=i32::MAX,
    })
}

/// Returns a number as it is printed.
fn said(value: Any) -> String {
    match value.cast::<PyFloat>() {
        Ok(float) => format!("{:?}", float.value()),
        Err(_) if value.extract::<f64>().is_ok() => value.to_string(),
        Err(_) => "no number".to_owned(),
    }
}

/// Returns a number that may have a fraction.
pub(crate) fn real(name: &str, value: Any) -> PyResult<f32> {
    value.extract().map_err(|_| unfit(name, "no number", "a number"))
}

/// Returns a truth value, also one of numpy.
pub(crate) fn flag(name: &str, value: Any) -> PyResult<bool> {
    value.extract().map_err(|_| unfit(name, "no truth value", "true or false"))
}

pub(crate) fn text(name: &str, value: Any) -> PyResult<String> {
    value.extract().map_err(|_| unfit(name, "no text", "a string"))
}

/// Returns the text of a path, which may be a `pathlib.Path`.
pub(crate) fn path(name: &str, value: Any) -> PyResult<String> {
    let path = value.extract::<std::path::PathBuf>();
    let path = path.map_err(|_| unfit(name, "no path", "a string or a pathlib.Path"))?;
    Ok(path.to_string_lossy().into_owned())
}

/// Returns the bytes of `bytes`, a `bytearray`, a `memoryview` or an array of bytes or truth values, row by
/// row.
pub(crate) fn bytes(name: &str, value: Any) -> PyResult<Vec<u8>> {
    let is_bytes = PyUntypedBuffer::get(value).is_ok_and(|buffer| buffer.item_size() == 1);
    if !is_bytes {
        return Err(unfit(name, "no bytes", "bytes, or an array of bytes"));
    }
    PyMemoryView::from(value)?.call_method0("tobytes")?.extract()
}

/// Returns the sides and the bytes of an array of truth values with two axes.
pub(crate) fn flags(name: &str, value: Any) -> PyResult<([i64; 2], Vec<u8>)> {
    let buffer = PyUntypedBuffer::get(value).ok().filter(|buffer| buffer.dimensions() == 2);
    let buffer = buffer.filter(|it| ElementType::from_format(it.format()) == ElementType::Bool);
    let Some(buffer) = buffer else {
        let allowed = format!("np.array({name}, np.bool, ndmin=2)");
        return Err(unfit(name, "no array of bool with two axes", &allowed));
    };
    let sides = [buffer.shape()[0] as i64, buffer.shape()[1] as i64];
    Ok((sides, bytes(name, value)?))
}

/// Returns the rows of an array of questions as the facade takes them. They are a copy, which no other thread
/// changes.
pub(crate) fn questions(value: Any) -> PyResult<Vec<i32>> {
    let buffer = PyUntypedBuffer::get(value).ok().filter(|buffer| buffer.dimensions() == 2);
    // PyO3 takes `>` for the order of this machine; numpy writes an order only if it is another one.
    let buffer = buffer.filter(|it| !matches!(it.format().to_bytes(), [b'<' | b'>' | b'!', ..]));
    let typed = buffer.as_ref().and_then(|buffer| buffer.as_typed::<i32>().ok());
    let Some(numbers) = typed else {
        let allowed = "np.array(questions, np.int32, ndmin=2)";
        return Err(unfit("questions", "no array of int32 with two axes", allowed));
    };
    let columns = numbers.shape()[1];
    if columns != 6 {
        let found = format!("an array of {columns} columns");
        return Err(invalid(refused("questions", found, "6 columns: x, y, w, h, dx, dy")));
    }
    let mut numbers = numbers.to_vec(value.py())?;
    for (at, [_, _, _, _, dx, dy]) in numbers.as_chunks_mut::<6>().0.iter_mut().enumerate() {
        let way = moved(*dx, *dy).map_err(|error| invalid(format!("question {at}: {error}")))?;
        (*dx, *dy) = (way.0 as i32, way.1);
    }
    Ok(numbers)
}

/// Returns the value of a word, or of `None`, among all values of an enumeration.
pub(crate) fn choice<T: Copy>(name: &str, value: Any, all: &[(T, &str)]) -> PyResult<T> {
    let word = value.cast::<PyString>().ok();
    let word = if value.is_none() { Some("none") } else { word.and_then(|it| it.to_str().ok()) };
    let found = all.iter().find(|(_, known)| Some(*known) == word);
    found.map(|(value, _)| *value).ok_or_else(|| {
        let words: Vec<_> = all.iter().map(|(_, it)| it.replace("none", "None")).collect();
        let (last, others) = words.split_last().expect("no enumeration is empty");
        let allowed = format!("{} or {last}", others.join(", "));
        match word.filter(|_| !value.is_none()) {
            Some(word) => invalid(refused(name, word, allowed)),
            None => unfit(name, "no text", &allowed),
        }
    })
}

/// Returns the word of a value; `None` for none.
pub(crate) fn word<T: PartialEq>(value: T, all: &'static [(T, &'static str)]) -> Option<&'static str> {
    let found = all.iter().find(|(known, _)| *known == value);
    found.map(|(_, word)| *word).filter(|word| *word != "none")
}

/// Returns x, y, w and h of `(x, y, w, h)`, of `((x, y), (w, h))` or of an object with these attributes, such
/// as a `pygame.Rect`. The fractions of an `FRect` are cut off downward.
pub(crate) fn rect(value: Any) -> PyResult<[i32; 4]> {
    let sides = match value.cast::<PyTuple>() {
        Ok(pairs) if pairs.len() == 2 => pairs.extract().map(|((x, y), (w, h))| [x, y, w, h]),
        Ok(sides) => sides.extract().map(|(x, y, w, h)| [x, y, w, h]),
        Err(_) => attributes(value),
    };
    let refused = "a box is (x, y, w, h) in whole pixels, or a pygame.Rect";
    four(sides.map_err(|_| PyTypeError::new_err(refused))?.each_ref())
}

#[inline]
pub(crate) fn four([x, y, w, h]: [Any; 4]) -> PyResult<[i32; 4]> {
    Ok([number("x", x)?, number("y", y)?, number("w", w)?, number("h", h)?])
}

fn attributes<'py>(value: Any<'_, 'py>) -> PyResult<[Bound<'py, PyAny>; 4]> {
    let py = value.py();
    let names = [intern!(py, "x"), intern!(py, "y"), intern!(py, "w"), intern!(py, "h")];
    let [x, y, w, h] = names.map(|name| whole_of(value.getattr(name)?));
    Ok([x?, y?, w?, h?])
}

/// The whole part of a float of an `FRect`; anything else as it is.
fn whole_of(side: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    match side.cast::<PyFloat>() {
        Ok(float) if float.value().is_finite() => {
            Ok((float.value().floor() as i64).into_pyobject(side.py())?.into_any())
        }
        _ => Ok(side),
    }
}

/// Returns the two numbers of a pair.
pub(crate) fn pair(name: &str, [first, second]: [&str; 2], value: Any) -> PyResult<[i32; 2]> {
    let pair = value.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>();
    let (x, y) = pair.map_err(|_| unfit(name, "no pair", "two whole numbers, as in (3, 4)"))?;
    Ok([number(first, &x)?, number(second, &y)?])
}

pub(crate) fn point(name: &str, value: Any) -> PyResult<[i32; 2]> {
    pair(name, ["x", "y"], value)
}

/// Returns x and y of each point.
pub(crate) fn points(name: &str, value: Any) -> PyResult<Vec<i32>> {
    let points = value.try_iter();
    let points = points.map_err(|_| unfit(name, "no list", "a list of points, as in [(3, 4)]"))?;
    let mut all = Vec::new();
    for found in points {
        all.extend(point(name, &found?)?);
    }
    Ok(all)
}

/// Returns the direction and the length of a motion along one axis.
#[inline]
pub(crate) fn motion(dx: Any, dy: Any) -> PyResult<(Dir, i32)> {
    moved(number("dx", dx)?, number("dy", dy)?).map_err(invalid)
}

#[inline]
pub(crate) fn moved(dx: i32, dy: i32) -> Result<(Dir, i32), String> {
    Ok(match (dx, dy) {
        (..0, 0) => (Dir::Left, negated("dx", dx)?),
        (_, 0) => (Dir::Right, dx),
        (0, ..0) => (Dir::Up, negated("dy", dy)?),
        (0, _) => (Dir::Down, dy),
        _ => return Err("dx and dy are both not 0; ask for one axis, then for the other".to_owned()),
    })
}

fn negated(name: &str, value: i32) -> Result<i32, String> {
    value.checked_neg().ok_or_else(|| refused(name, value, whole(&(-i32::MAX..=i32::MAX))))
}

pub(crate) fn tuple(facade::Rect { x, y, w, h }: facade::Rect) -> Box4 {
    (x, y, w, h)
}

pub(crate) fn place(facade::Point { x, y }: facade::Point) -> (f64, f64) {
    (x, y)
}

pub(crate) fn pixel(facade::Pixel { found, x, y }: facade::Pixel) -> Option<(i32, i32)> {
    found.then_some((x, y))
}

/// The number as it is written: 0.35, not 0.3499999940395355. It is the same one as a float of 32 bits.
pub(crate) fn decimal(number: f32) -> f64 {
    number.to_string().parse().unwrap_or(number.into())
}

/// The number that is not -1.
pub(crate) fn some(number: i32) -> Option<i32> {
    (number >= 0).then_some(number)
}

pub(crate) fn pairs(numbers: Vec<i32>) -> Vec<(i32, i32)> {
    numbers.as_chunks::<2>().0.iter().map(|[x, y]| (*x, *y)).collect()
}

pub(crate) fn quads(numbers: Vec<i32>) -> Vec<Box4> {
    numbers.as_chunks::<4>().0.iter().map(|[x, y, w, h]| (*x, *y, *w, *h)).collect()
}

/// Lines of points, of which each begins with their number.
pub(crate) fn loops(numbers: Vec<i32>) -> Vec<Vec<(i32, i32)>> {
    let mut all = Vec::new();
    let mut rest = &numbers[..];
    while let [count, after @ ..] = rest {
        let (line, others) = after.split_at(2 * *count as usize);
        all.push(pairs(line.to_vec()));
        rest = others;
    }
    all
}

/// The words of `repr`: the class with its fields.
pub(crate) fn shown<T: pyo3::PyClass>(object: &Bound<'_, T>, fields: &[&str]) -> PyResult<String> {
    let mut words = Vec::new();
    for field in fields {
        words.push(format!("{field}={}", object.as_any().getattr(*field)?.repr()?));
    }
    Ok(format!("{}({})", object.as_any().get_type().name()?, words.join(", ")))
}

#[cold]
pub(crate) fn no_field(class: &str, name: &str) -> PyErr {
    PyTypeError::new_err(format!("{class} has no field `{name}`"))
}
