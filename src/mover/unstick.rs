//! The nearest place at which a body in a solid is free. The path there does not matter.

use glam::IVec2;

use super::Mover;
use crate::geometry::{Aabb, Dir};
use crate::level::Solids;

impl Mover {
    /// Moves the body to the nearest place, at most `radius` pixels away in a straight line, at which it
    /// overlaps no solid, and returns the displacement. `None` if there is no such place; then nothing is
    /// changed. A body that is free stays at its place.
    ///
    /// Of equally near places the topmost counts, then the left one: so up, then left, right, down. Solids
    /// between do not matter. The cost is one [`Solids::nearest_free_aabb`] to the left and one to the right
    /// for each row within the radius, until a place nearer than the row is found.
    pub fn unstick(&mut self, solids: &impl Solids, radius: u32) -> Option<IVec2> {
        let mut there = *self;
        there.fit(solids);
        let translation = nearest_place(solids, there.body, radius)?;
        there.body = there.body.translated(translation);
        if translation != IVec2::ZERO {
            there.subpixel = IVec2::ZERO;
        }
        *self = there;
        Some(translation)
    }
}

/// The shortest translation to a free place within `radius`; of equally long ones the one that ends on the
/// topmost row, then in the leftmost column.
fn nearest_place(solids: &impl Solids, body: Aabb, radius: u32) -> Option<IVec2> {
    let radius = radius.min(i32::MAX as u32);
    let mut best: Option<(u64, IVec2)> = None;
    for row in 0..=radius {
        let nearest = best.map_or(u64::from(radius).pow(2), |(distance, _)| distance);
        let Some(left) = nearest.checked_sub(u64::from(row).pow(2)) else {
            break;
        };
        let reach = left.isqrt() as u32;
        // All rows beyond the level are alike, and the first of them is the nearest.
        let is_new = |vertical: &Dir| {
            let before = || body.shifted(*vertical, row - 1);
            row == 0 || row <= body.room(*vertical) && !solids.is_beyond(before(), *vertical)
        };
        let verticals = [Dir::Up, Dir::Down].map(|vertical| Some(vertical).filter(is_new));
        if verticals == [None; 2] {
            break;
        }
        for vertical in verticals.into_iter().flatten() {
            let there = body.shifted(vertical, row);
            for horizontal in [Dir::Left, Dir::Right] {
                let Some(column) = solids.nearest_free_aabb(there, horizontal, reach) else {
                    continue;
                };
                let distance = u64::from(row).pow(2) + u64::from(column).pow(2);
                let place = there.shifted(horizontal, column).min - body.min;
                let order = |(distance, place): (u64, IVec2)| (distance, place.y, place.x);
                if best.is_none_or(|best| order((distance, place)) < order(best)) {
                    best = Some((distance, place));
                }
            }
        }
    }
    best.map(|(_, place)| place)
}
