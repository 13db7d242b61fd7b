//! The markers of a level as plain values of Python.

use bitwall_rs as core;
use core::property::{PropertyValue, PropertyValues};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::numbers::{Box4, shown, tuple};

/// A thing that the map's maker placed and that stops nobody: a spawn, a door, a path.
#[pyclass(frozen, get_all, module = "bitwall")]
pub(crate) struct Marker {
    /// The name, which may be empty.
    name: String,
    /// The class (Tiled also calls it type), which may be empty.
    class_name: String,
    /// The layer of the object, with the names of its groups.
    layer: String,
    /// The id of the object in the map.
    object: u32,
    /// The index of the map in its world; 0 without a world.
    map: u32,
    /// rectangle (also for a tile), point, ellipse, capsule, polygon or polyline.
    shape: String,
    /// The box x, y, w, h around the marker as it is drawn, in pixels.
    bounds: Box4,
    /// The pixel of a point, or the middle of the box.
    position: (i32, i32),
    /// The points of the shape as it is drawn, or the corners of its box.
    points: Vec<(i32, i32)>,
    /// The clockwise rotation in degrees, which `bounds` and `points` include.
    rotation: f32,
    /// The tile that the marker shows: the name of its tileset, its id, and whether it is mirrored along x
    /// and y.
    tile: Option<(String, u32, bool, bool)>,
    /// The custom properties: bool, int, float, str, list or dict. A point of LDtk is a pixel (x, y).
    properties: Py<PyDict>,
}

impl Marker {
    pub(crate) fn new(py: Python<'_>, marker: &core::Marker) -> PyResult<Self> {
        let tile = marker.tile.as_ref();
        Ok(Self {
            name: marker.name.clone(),
            class_name: marker.class.clone(),
            layer: marker.layer.clone(),
            object: marker.object,
            map: marker.map,
            shape: format!("{:?}", marker.shape).to_lowercase(),
            bounds: tuple(super::facade::Rect::new(marker.area)),
            position: marker.position().into(),
            points: marker.points.iter().map(|point| (point.x, point.y)).collect(),
            rotation: marker.rotation,
            tile: tile.map(|it| (it.tileset.to_string(), it.id, it.flip_x, it.flip_y)),
            properties: members(py, &marker.properties)?.unbind(),
        })
    }
}

#[pymethods]
impl Marker {
    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        shown(slf, &["name", "class_name", "shape", "bounds"])
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
