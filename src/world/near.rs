//! An index of the bodies near a place, which is kept up to date while they move in one step.
//!
//! It is built from boxes a little larger than each body and its path, so that most moves leave it as it is.
//! A body that leaves its larger box is visited by every query until the step ends. No answer depends on the
//! size of the boxes.

use glam::IVec2;

use super::body::{Ball, Body};
use super::cells::Cells;
use crate::geometry::{Aabb, SUBPIXELS};

/// The margin of a larger box on each side, in pixels.
const MARGIN: i32 = 16;

#[derive(Clone, Debug, Default)]
pub(super) struct Near {
    cells: Cells,
    /// The larger box of each item; empty if its own box is.
    wide: Vec<Aabb>,
    strays: Vec<u32>,
}

impl Near {
    /// Builds the index of the boxes of the items 0, 1, 2 and so on. An item with an empty box is never
    /// found.
    pub(super) fn build(&mut self, boxes: impl Iterator<Item = Aabb>) {
        self.wide.clear();
        self.wide.extend(boxes.map(widened));
        self.strays.clear();
        self.cells.build(&self.wide);
    }

    /// Notes the new place of an item.
    pub(super) fn moved(&mut self, item: u32, aabb: Aabb) {
        let wide = self.wide[item as usize];
        let is_within = !wide.is_empty() && wide.intersection(aabb) == aabb;
        if !is_within && let Err(at) = self.strays.binary_search(&item) {
            self.strays.insert(at, item);
        }
    }

    /// Calls `found` with every item that may overlap `area`, perhaps more than once.
    pub(super) fn visit(&self, area: Aabb, mut found: impl FnMut(u32)) {
        self.cells.visit(area, &mut found);
        self.strays.iter().for_each(|item| found(*item));
    }
}

/// The box around a body and its path in this step, or the first pixels of a very long path.
pub(super) fn reach(body: &Body) -> Aabb {
    if body.aabb.is_empty() {
        return body.aabb;
    }
    let limit = i64::from(Ball::MAX_SPEED);
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
