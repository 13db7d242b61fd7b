//! Out of a solid: the nearest place at which a body is free, and down through a one-way floor.

use glam::IVec2;

use super::Mover;
use super::probe::{BoxProbe, FootprintProbe, Probe};
use crate::geometry::{Aabb, Dir, Sides};
use crate::sweep::Sweep;
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

    /// Lets the body through the one-way cells that it stands on: puts it one pixel toward its floor, past
    /// their edge, where they do not hold it any more. False, and nothing is changed, if it has no floor, if
    /// nothing holds it, or if a solid does.
    ///
    /// One-way cells further down hold it again, so a stack of them is dropped through one by one.
    pub fn drop_through(&mut self, level: &Level) -> bool {
        let held = BoxProbe::new(level, self.settings.one_way);
        let let_through = BoxProbe::new(level, Sides::all(false));
        self.drop_among(level, &held, &let_through)
    }

    /// As [`Mover::drop_through`] for a body that is no box: see [`Mover::step_footprint`]. Each of its parts
    /// passes an edge by itself, so it is put as far toward its floor as takes all of them past the edges
    /// that it stands on, or as far as solids let it.
    pub fn drop_through_footprint(&mut self, level: &Level, footprint: &Footprint) -> bool {
        let held = self.footprint_probe(level, footprint);
        let let_through = FootprintProbe {
            footprint,
            parts: BoxProbe::new(level, Sides::all(false)),
        };
        self.drop_among(level, &held, &let_through)
    }

    /// Puts the body past the edges that its box does not lie before, where they hold it.
    fn drop_among(&mut self, level: &Level, held: &impl Probe, let_through: &impl Probe) -> bool {
        let Some(floor) = self.settings.floor else {
            return false;
        };
        if held.can_move(self.body, floor, 1) {
            return false;
        }
        let start = self.body;
        let reach = start.extent(floor.axis()).max(1).min(start.room(floor));
        let ahead = |body| held.sweep(body, floor, reach);
        while let Sweep {
            moved,
            contact: Some(contact),
            ..
        } = ahead(self.body)
        {
            let cell = level.cell_area(contact.cell);
            let is_further = match floor {
                Dir::Left => cell.max.x < start.min.x,
                Dir::Right => cell.min.x > start.max.x,
                Dir::Up => cell.max.y < start.min.y,
                Dir::Down => cell.min.y > start.max.y,
            };
            if is_further || !let_through.can_move(self.body, floor, moved + 1) {
                break;
            }
            self.body = self.body.shifted(floor, moved + 1);
            self.subpixel = IVec2::ZERO;
        }
        self.body != start
    }

    /// True for each side at which a solid, or a one-way cell that the mover obeys, touches the body: its
    /// next pixel toward that side is not free.
    pub fn touching(&self, level: &Level) -> Sides<bool> {
        self.touching_among(&BoxProbe::new(level, self.settings.one_way))
    }

    /// As [`Mover::touching`] for a body that is no box: see [`Mover::step_footprint`].
    pub fn touching_footprint(&self, level: &Level, footprint: &Footprint) -> Sides<bool> {
        let mut there = *self;
        let probe = there.footprint_probe(level, footprint);
        there.touching_among(&probe)
    }

    fn touching_among(&self, probe: &impl Probe) -> Sides<bool> {
        Dir::ALL.into_iter().fold(Sides::all(false), |sides, dir| {
            sides.with(dir, !probe.can_move(self.body, dir, 1))
        })
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
