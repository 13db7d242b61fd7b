//! The grid of a map's tiles as thin lines, in every orientation, or one of round steps over a mask.

use std::ops::Range;

use glam::{DVec2, I64Vec2, IVec2};

use super::canvas::Canvas;
use super::ink::{Ink, clearer};
use super::rulers::round_step;
use super::stroke;
use crate::Level;
use crate::tmx::{Lattice, PlacedMap, Space};

/// The smallest distance of lines in the picture: those of smaller cells are drawn in round steps.
const CLOSEST: i64 = 6;

/// The least distance of the lines over a mask in the picture.
const ROUND: i64 = 32;

/// The strength of the lines.
const ALPHA: u8 = 90;

/// Draws the grid of the maps or, without one, of the level. Each pixel is drawn once, in black or white, as
/// it is easier to see there.
pub(super) fn draw(canvas: &mut Canvas<'_>, level: &Level, maps: &[PlacedMap]) {
    let mut mesh = Mesh::new(canvas);
    let scale = i64::from(canvas.scale);
    match maps {
        [] => {
            let size = level.size().as_dvec2();
            let cell = level.cell_size().as_i64vec2();
            let step = match cell == I64Vec2::ONE {
                true => {
                    let least = ROUND * i64::from(canvas.unit);
                    I64Vec2::splat(round_step((least + scale - 1) / scale))
                }
                false => cell,
            };
            mesh.add_lines(canvas, DVec2::ZERO, size, step);
        }
        maps => maps.iter().for_each(|map| mesh.add_map(canvas, map)),
    }
    let inks = [Ink::new(0, 0, 0), Ink::WHITE].map(|ink| ink.with_alpha(ALPHA));
    canvas.repaint(&mesh.pixels, |below| clearer(below, inks));
}

/// The pixels of the frame that are on a line, as bits.
struct Mesh {
    pixels: Vec<u64>,
}

impl Mesh {
    fn new(canvas: &Canvas<'_>) -> Self {
        let size = canvas.frame_in_picture().pixels().as_u64vec2();
        Self { pixels: vec![0; (size.x * size.y).div_ceil(64) as usize] }
    }

    fn add_map(&mut self, canvas: &Canvas<'_>, map: &PlacedMap) {
        let space = if map.on_screen.is_some() { Space::Screen } else { Space::Map };
        let lattice = Lattice::of(&map.map, space);
        if lattice.is_rectangular() {
            let (min, max) = (map.area.min.as_dvec2(), map.area.max.as_dvec2());
            self.add_lines(canvas, min, max - min, lattice.cell_size().as_i64vec2());
        } else if i64::from(lattice.cell_size().min_element()) * i64::from(canvas.scale)
            >= CLOSEST * i64::from(canvas.unit)
        {
            self.add_outlines(canvas, map, &lattice);
        }
    }

    /// Adds the lines between cells of `step` pixels of the level in a box.
    fn add_lines(&mut self, canvas: &Canvas<'_>, corner: DVec2, size: DVec2, step: I64Vec2) {
        let (scale, least) = (i64::from(canvas.scale), CLOSEST * i64::from(canvas.unit));
        let wide = |step: i64| step * round_step((least + step * scale - 1) / (step * scale));
        let (across, down) = (wide(step.x), wide(step.y));
        let seen = canvas.level_seen();
        let (first, last) = (seen.min.as_dvec2(), seen.max.as_dvec2());
        // The numbers of the lines that may be seen.
        let numbers = |axis: usize, step: i64| -> Range<i64> {
            let count = (size[axis] / step as f64) as i64;
            let place = |at: f64| ((at / scale as f64 - corner[axis]) / step as f64) as i64;
            place(first[axis]).clamp(0, count)..(place(last[axis]) + 1).clamp(0, count) + 1
        };
        for number in numbers(0, across) {
            let from = corner + DVec2::new((number * across) as f64, 0.0);
            self.add(canvas, &[from, from + DVec2::new(0.0, size.y)]);
        }
        for number in numbers(1, down) {
            let from = corner + DVec2::new(0.0, (number * down) as f64);
            self.add(canvas, &[from, from + DVec2::new(size.x, 0.0)]);
        }
    }

    /// Adds the outlines of all cells that may be seen.
    fn add_outlines(&mut self, canvas: &Canvas<'_>, map: &PlacedMap, lattice: &Lattice) {
        let float = super::art::float;
        let outline: Vec<DVec2> = lattice.cell_outline().into_iter().map(float).collect();
        let low = outline.iter().copied().fold(DVec2::INFINITY, DVec2::min);
        let high = outline.iter().copied().fold(DVec2::NEG_INFINITY, DVec2::max);
        let seen = canvas.level_seen();
        let scale = f64::from(canvas.scale);
        let (first, last) = (seen.min.as_dvec2() / scale, seen.max.as_dvec2() / scale);
        let cells = map.cells.as_ivec2();
        for row in 0..cells.y {
            for column in 0..cells.x {
                let cell = map.first_cell.saturating_add(IVec2::new(column, row));
                let corner = float(lattice.cell_bottom_left(cell)) + map.place.as_dvec2();
                if (corner + low).cmpgt(last).any() || (corner + high).cmplt(first).any() {
                    continue;
                }
                let mut points: Vec<DVec2> = outline.iter().map(|point| corner + *point).collect();
                points.extend(points.first().copied());
                self.add(canvas, &points);
            }
        }
    }

    /// Adds a line through points of the level. It lies on the pixels right of and below the points, and at
    /// the far sides of the level on its last ones.
    fn add(&mut self, canvas: &Canvas<'_>, points: &[DVec2]) {
        let window = canvas.frame_in_picture();
        let (width, last) = (window.pixels().x as usize, canvas.level_size().as_dvec2() - 0.5);
        let place = |point: &DVec2| {
            let at = canvas.at(*point).round() + 0.5;
            if canvas.is_slanted() { at } else { at.min(last) }
        };
        let points: Vec<DVec2> = points.iter().map(place).collect();
        stroke::runs(&points, canvas.unit.into(), window, |y, from, to| {
            let row = (y - window.min.y) as usize * width;
            for x in from..to {
                let at = row + (x - window.min.x) as usize;
                self.pixels[at / 64] |= 1 << (at % 64);
            }
            true
        });
    }
}
