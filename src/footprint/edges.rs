//! The rectangles whose edges lead in a motion: runs of pixels along it, merged across it.
//!
//! Inner runs count too: the run behind a gap or a hole sweeps over a pixel in it.

use glam::U16Vec2;

use crate::geometry::{Aabb, Axis};
use crate::grid::Grid;

/// Rectangles that cover each pixel once, sorted by their first line and then by their place on it.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Edges(Box<[Part]>);

/// A rectangle of pixels, half-open; no side is over 4096.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Part {
    min: U16Vec2,
    max: U16Vec2,
}

impl Edges {
    /// The runs of pixels along `axis`, each merged with those of the same extent on the lines next to it.
    /// A side of `bits` is at most 4096, so nothing is cut off.
    pub(super) fn new(bits: &Grid, axis: Axis) -> Self {
        let part = |lines: [u16; 2], places: [u16; 2]| match axis {
            Axis::X => Part {
                min: U16Vec2::new(places[0], lines[0]),
                max: U16Vec2::new(places[1], lines[1]),
            },
            Axis::Y => Part {
                min: U16Vec2::new(lines[0], places[0]),
                max: U16Vec2::new(lines[1], places[1]),
            },
        };
        let size = bits.size().as_u16vec2().to_array();
        let lines = size[axis.other().index()];
        let mut found: Vec<([u16; 2], [u16; 2])> = Vec::new();
        // The indices of the rectangles that reach the line above and this line, in the order of their
        // places.
        let (mut above, mut reached) = (Vec::new(), Vec::new());
        for line in 0..lines {
            let mut open = above.iter().copied().peekable();
            for run in bits.runs(axis.other(), u32::from(line)) {
                let places = [run.start as u16, run.end as u16];
                while open.next_if(|index: &usize| found[*index].1[0] < places[0]).is_some() {}
                let same = open.next_if(|index| found[*index].1 == places);
                let index = same.unwrap_or(found.len());
                match found.get_mut(index) {
                    Some((lines, _)) => lines[1] = line + 1,
                    None => found.push(([line, line + 1], places)),
                }
                reached.push(index);
            }
            above.clear();
            std::mem::swap(&mut above, &mut reached);
        }
        Self(found.into_iter().map(|(lines, places)| part(lines, places)).collect())
    }

    /// The rectangles, counted from the top-left corner of the footprint.
    pub(super) fn boxes(&self) -> impl Iterator<Item = Aabb> {
        self.0.iter().map(|part| Aabb { min: part.min.as_ivec2(), max: part.max.as_ivec2() })
    }
}
