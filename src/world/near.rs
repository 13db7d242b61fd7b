//! The bodies near a place, while they move: an index that one step keeps.
//!
//! It is built from boxes a little larger than the bodies and the paths that their velocities ask for, so
//! that most moves change nothing. A body that leaves its larger box is visited every time until the step
//! ends. No answer depends on that.

use glam::IVec2;

use super::body::{Body, MAX_BALL_SPEED};
use super::cells::Cells;
use crate::geometry::{Aabb, SUBPIXELS};

/// How much larger than a body its box is, on each side, in pixels.
const MARGIN: i32 = 16;

#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    cells: Cells,
    /// The larger boxes; of an item that is none, an empty one.
    wide: Vec<Aabb>,
    strays: Vec<u32>,
}

impl Near {
    /// Takes the boxes of the items 0, 1, 2 and so on; an empty one is never found.
    pub(super) fn build(&mut self, boxes: impl Iterator<Item = Aabb>) {
        self.wide.clear();
        self.wide.extend(boxes.map(widened));
        self.strays.clear();
        self.cells.build(&self.wide);
    }

    /// The item is here now.
    pub(super) fn moved(&mut self, item: u32, aabb: Aabb) {
        let wide = self.wide[item as usize];
        let is_within = !wide.is_empty() && wide.intersection(aabb) == aabb;
        if !is_within && let Err(at) = self.strays.binary_search(&item) {
            self.strays.insert(at, item);
        }
    }

    /// Gives `found` every item that may overlap `area`, perhaps more than once.
    pub(super) fn visit(&self, area: Aabb, mut found: impl FnMut(u32)) {
        self.cells.visit(area, &mut found);
        self.strays.iter().for_each(|item| found(*item));
    }
}

/// The box around a body and the path that its velocity asks for, or the first pixels of a very long one.
pub(super) fn reach(body: &Body) -> Aabb {
    if body.aabb.is_empty() {
        return body.aabb;
    }
    let limit = i64::from(MAX_BALL_SPEED);
    let along = |speed: i64| (speed / i64::from(SUBPIXELS)).clamp(-limit, limit) as i32;
    let displacement = IVec2::new(along(body.velocity.x), along(body.velocity.y));
    body.aabb.hull(body.aabb.translated(displacement))
}

fn widened(aabb: Aabb) -> Aabb {
    if aabb.is_empty() {
        return Aabb::default();
    }
    Aabb {
        min: aabb.min.saturating_sub(IVec2::splat(MARGIN)),
        max: aabb.max.saturating_add(IVec2::splat(MARGIN)),
    }
}
