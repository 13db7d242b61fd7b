//! The markers of a level as plain values of Python.

use bitwall_rs as core;
use core::property::{PropertyValue, PropertyValues};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// A thing that the map's maker placed, such as a spawn.
#[pyclass(frozen, get_all, module = "bitwall")]
pub(crate) struct Marker {
    name: String,
    class_name: String,
    layer: String,
    object: u32,
    shape: String,
    rect: (i32, i32, u32, u32),
    position: (i32, i32),
    points: Vec<(i32, i32)>,
    rotation: f32,
    tile: Option<(String, u32)>,
    properties: Py<PyDict>,
}

impl Marker {
    pub(crate) fn new(py: Python<'_>, marker: &core::Marker) -> PyResult<Self> {
        let area = marker.area;
        Ok(Self {
            name: marker.name.clone(),
            class_name: marker.class.clone(),
            layer: marker.layer.clone(),
            object: marker.object,
            shape: format!("{:?}", marker.shape).to_lowercase(),
            rect: (area.min.x, area.min.y, area.width(), area.height()),
            position: marker.position().into(),
            points: marker.points.iter().map(|point| (point.x, point.y)).collect(),
            rotation: marker.rotation,
            tile: marker.tile.as_ref().map(|tile| (tile.tileset.to_string(), tile.id)),
            properties: members(py, &marker.properties)?.unbind(),
        })
    }
}

#[pymethods]
impl Marker {
    fn __repr__(&self) -> String {
        format!("Marker(name={:?}, shape={:?}, rect={:?})", self.name, self.shape, self.rect)
    }
}

fn members<'py>(py: Python<'py>, members: &PropertyValues) -> PyResult<Bound<'py, PyDict>> {
    let found = PyDict::new(py);
    for (name, member) in members {
        found.set_item(name, value(py, member)?)?;
    }
    Ok(found)
}

fn value<'py>(py: Python<'py>, property: &PropertyValue) -> PyResult<Bound<'py, PyAny>> {
    match property {
        PropertyValue::Bool(flag) => flag.into_bound_py_any(py),
        PropertyValue::Int(number) => number.into_bound_py_any(py),
        PropertyValue::Float(number) => number.into_bound_py_any(py),
        PropertyValue::Text(text) | PropertyValue::Color(text) => text.into_bound_py_any(py),
        PropertyValue::Object(id) => id.into_bound_py_any(py),
        PropertyValue::Point(point) => (point.x, point.y).into_bound_py_any(py),
        PropertyValue::Class { members, .. } => self::members(py, members)?.into_bound_py_any(py),
        PropertyValue::List(items) => {
            let found = PyList::empty(py);
            for item in items {
                found.append(value(py, item)?)?;
            }
            found.into_bound_py_any(py)
        }
        _ => py.None().into_bound_py_any(py),
    }
}
