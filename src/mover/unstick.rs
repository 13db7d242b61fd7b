//! Out of a solid: the nearest place at which a body is free. It says nothing about the way there.

use glam::IVec2;

use super::Mover;
use super::probe::{BoxProbe, Probe};
use crate::geometry::{Aabb, Dir};
use crate::{Footprint, Level};

impl Mover {
    /// Puts the body at the nearest place, at most `radius` pixels away in a straight line, at which it
    /// overlaps no solid, and returns how far that is; `None` if there is no such place, and nothing is
    /// changed then. A body that is free stays where it is.
    ///
    /// Of equally near places the topmost counts, of these the left one: so up, then left, right, down. What
    /// lies between does not matter. One [`Level::nearest_free`] to the left and to the right for each row
    /// within the radius, until one nearer than the row is found.
    pub fn unstick(&mut self, level: &Level, radius: u32) -> Option<IVec2> {
        let one_way = self.settings.one_way;
        self.unstick_among(&BoxProbe::new(level, one_way), radius)
    }

    /// As [`Mover::unstick`] for a body that is no box: see [`Mover::step_footprint`].
    pub fn unstick_footprint(
        &mut self,
        level: &Level,
        footprint: &Footprint,
        radius: u32,
    ) -> Option<IVec2> {
        let probe = self.footprint_probe(level, footprint);
        self.unstick_among(&probe, radius)
    }

    pub(crate) fn unstick_among(&mut self, probe: &impl Probe, radius: u32) -> Option<IVec2> {
        let translation = nearest_place(probe, self.body, radius)?;
        self.body = self.body.translated(translation);
        if translation != IVec2::ZERO {
            self.subpixel = IVec2::ZERO;
        }
        Some(translation)
    }
}

/// The shortest way to a free place within `radius`; of equally long ones the one that ends on the topmost
/// row, then in the leftmost column.
fn nearest_place(probe: &impl Probe, body: Aabb, radius: u32) -> Option<IVec2> {
    let radius = radius.min(i32::MAX as u32);
    let mut best: Option<(u64, IVec2)> = None;
    for row in 0..=radius {
        let nearest = best.map_or(u64::from(radius).pow(2), |(distance, _)| distance);
        let Some(left) = nearest.checked_sub(u64::from(row).pow(2)) else {
            break;
        };
        let reach = left.isqrt() as u32;
        // Beyond the level all rows are alike, and the first of them is the nearest.
        let is_new = |vertical: &Dir| {
            let before = || body.shifted(*vertical, row - 1);
            row == 0 || row <= body.room(*vertical) && !probe.is_beyond(before(), *vertical)
        };
        let verticals = [Dir::Up, Dir::Down].map(|vertical| Some(vertical).filter(is_new));
        if verticals == [None; 2] {
            break;
        }
        for vertical in verticals.into_iter().flatten() {
            let there = body.shifted(vertical, row);
            for horizontal in [Dir::Left, Dir::Right] {
                let Some(column) = probe.nearest_free(there, horizontal, reach) else {
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
