//! The art of a level on a surface of pygame, which is imported by the first drawing. The library draws the
//! art in squares; each is drawn once and kept as a surface.

use std::collections::HashMap;

use bitwall_facade as facade;
use bitwall_rs as core;
use core::load::Disk;
use core::render::{DrawOptions, Overlay, Pictures, RenderError, draw, load_pictures};
use core::{Aabb, LoadOptions, LoadedLevel};
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::numbers::{Any, invalid};

/// The side of a square in pixels.
const SIDE: i32 = 512;
/// The most squares to keep: 256 MiB.
const MOST: usize = 256;
/// The colour of the solids of a level without maps.
const SOLID: (u8, u8, u8) = (88, 92, 112);

#[derive(Default)]
pub(crate) struct Art {
    pictures: Option<Pictures>,
    /// The surfaces by their columns and rows; `None` outside the art.
    squares: HashMap<(i32, i32), Option<Py<PyAny>>>,
}

impl Art {
    /// Draws what is seen with the pixel (x, y) of the level at the top left of the surface.
    pub(crate) fn draw(&mut self, level: &facade::Level, surface: Any, [x, y]: [i32; 2]) -> PyResult<()> {
        let (w, h): (i32, i32) = surface.call_method0("get_size")?.extract()?;
        let Some((source, files)) = level.source().filter(|(source, _)| !source.maps.is_empty()) else {
            return fill(level.core(), surface, Aabb::from_xywh(x, y, w, h));
        };
        if self.pictures.is_none() {
            let mut disk = Disk::new(&files[0], &LoadOptions::default());
            let (pictures, errors) = load_pictures(&source.maps, &mut disk);
            if let Some(error) = errors.first() {
                return Err(PyOSError::new_err(error.to_string()));
            }
            self.pictures = Some(pictures);
        }
        for row in y.div_euclid(SIDE)..=y.saturating_add(h - 1).div_euclid(SIDE) {
            for column in x.div_euclid(SIDE)..=x.saturating_add(w - 1).div_euclid(SIDE) {
                if !self.squares.contains_key(&(column, row)) {
                    let square = self.square(surface.py(), source, (column, row))?;
                    if self.squares.len() == MOST {
                        self.squares.clear();
                    }
                    self.squares.insert((column, row), square);
                }
                if let Some(square) = &self.squares[&(column, row)] {
                    let at = (column * SIDE - x, row * SIDE - y);
                    surface.call_method1("blit", (square, at))?;
                }
            }
        }
        Ok(())
    }

    /// Draws a square; `None` outside the art.
    fn square(&self, py: Python<'_>, source: &LoadedLevel, at: (i32, i32)) -> PyResult<Option<Py<PyAny>>> {
        let options = DrawOptions {
            pictures: self.pictures.as_ref(),
            overlay: Overlay::none(1),
            region: Some(Aabb::from_xywh(at.0 * SIDE, at.1 * SIDE, SIDE, SIDE)),
            ..DrawOptions::default()
        };
        let picture = match draw(source, &options) {
            Ok(picture) => picture,
            Err(RenderError::EmptyRegion { .. }) => return Ok(None),
            Err(error) => return Err(invalid(error)),
        };
        let image = py.import("pygame")?.getattr("image")?;
        let bytes = PyBytes::new(py, picture.as_raw());
        let square = image.call_method1("frombuffer", (bytes, picture.dimensions(), "RGBA"))?;
        // As the window has it; without a window there is nothing to convert to.
        Ok(Some(square.call_method0("convert_alpha").unwrap_or(square).unbind()))
    }
}

/// Fills the solids of a level that has no art.
fn fill(level: &core::Level, surface: Any, seen: Aabb) -> PyResult<()> {
    for solid in level.rectangles_in(seen) {
        let at = solid.min - seen.min;
        surface.call_method1("fill", (SOLID, (at.x, at.y, solid.width(), solid.height())))?;
    }
    Ok(())
}
